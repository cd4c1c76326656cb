"""Rules say `colour_of(card)`; only `engine/codes` knows how cards and moves are packed."""

import ast
import re
from itertools import product
from pathlib import Path
from typing import TypeGuard

import pytest

import stichwerk
from stichwerk.engine import codes, plain

SOURCE = Path(stichwerk.__file__).parent
ROOT = Path(__file__).parents[1]
DECLARATIONS = (SOURCE / "engine/codes.pxd").read_text("utf-8")

EXAMPLES = ROOT / "examples", ROOT / "docs/examples", ROOT / "tests/own_games"
# Features number the inputs of nets by blocks, and compute in fractions of powers of two.
FEATURES = "_features.py"
READABLE = sorted(
    [
        *(file for folder in EXAMPLES for file in folder.rglob("*.py")),
        *(SOURCE / "games").rglob("*.py"),
        *(file for file in (SOURCE / "bots/tactics").glob("*.py") if FEATURES not in file.name),
        *(SOURCE / "bots/reasons").glob("*.py"),
        *(SOURCE / "lessons").glob("*.py"),
        *(SOURCE / "outlook").glob("*.py"),
    ]
)
PACKING = {15, 16, 63, 64, 112, 127, 128, 4095, 4096, 0xFFFF}  # no rule has these numbers
STRIDES = {2, 3, 6}
NAMED_STRIDES = {"COLOURS", "KIND", "SEATS"}


def raw(node: ast.AST) -> TypeGuard[ast.BinOp | ast.AugAssign]:
    """Return whether this takes a card, a move or a place of a state apart, or puts it together."""
    if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.LShift | ast.RShift):
        return True
    if not isinstance(node, ast.BinOp):
        return False
    sides = (node.left, node.right)
    numbers = {side.value for side in sides if isinstance(side, ast.Constant)}
    names = {side.id for side in sides if isinstance(side, ast.Name)}
    if any(isinstance(side, ast.List) for side in sides):  # room for so many numbers
        return False
    if isinstance(node.op, ast.Mult):
        is_stride = "seat" in names and bool(numbers & STRIDES or names & NAMED_STRIDES)
        return (
            is_stride or bool(numbers & PACKING) or "KIND" in names or names == {"place", "SEATS"}
        )
    is_part = isinstance(node.op, ast.BitAnd | ast.Mod | ast.FloorDiv)
    return is_part and (bool(numbers & PACKING) or "KIND" in names)


def raw_lines(source: str) -> list[str]:
    """Return the lines with raw arithmetic."""
    lines = source.splitlines()
    nodes = [node for node in ast.walk(ast.parse(source)) if raw(node)]
    return [lines[node.lineno - 1].strip() for node in nodes]


@pytest.mark.parametrize("file", READABLE, ids=lambda file: str(file.relative_to(ROOT)))
def test_rules_do_not_take_cards_apart_themselves(file: Path) -> None:
    assert raw_lines(file.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        "card >> 4",
        "card & 15",
        "move & 127",
        "move % KIND",
        "PICK * KIND + card",
        "card + 128 * place",
        "16 * colour + value",
        "state.choice[3 * seat + 1]",
        "state.won[2 * seat]",
        "state.numbers[COLOURS * seat + colour]",
        "place * SEATS",
        "mask <<= 4",
    ],
)
def test_raw_arithmetic_is_found(line: str) -> None:
    assert raw_lines(line)


def names_in(pattern: str, text: str) -> set[str]:
    """Return the names that an import or cimport from `codes` lists."""
    found = re.search(pattern + r" (?:\(([^)]*)\)|(.*))", text)
    return set(re.findall(r"\w+", (found[1] or found[2]))) if found else set()


def test_compiled_modules_use_the_inline_functions() -> None:
    """A name that is imported but not cimported would work, as a slow call of Python's."""
    users = 0
    for declarations in SOURCE.rglob("*.pxd"):
        source = declarations.with_suffix(".py").read_text("utf-8")
        used = names_in(r"from stichwerk\.engine\.codes import", source)
        imported = {name for name in used if not name.isupper()}  # constants are declared
        cimported = names_in(
            r"from stichwerk\.engine\.codes cimport", declarations.read_text("utf-8")
        )
        assert imported == cimported, declarations.name
        users += bool(imported)
    assert users


def test_plain_games_get_every_helper() -> None:
    functions = {name for name, it in vars(codes).items() if callable(it) and name != "State"}
    assert functions == set(re.findall(r"^cpdef inline \w+ (\w+)\(", DECLARATIONS, re.M))
    assert functions <= set(plain.__all__)


def test_cards_and_moves_come_apart_as_they_were_put_together() -> None:
    for card, kind, place in product(range(128), range(9), range(16)):
        assert codes.card_at(codes.colour_of(card), codes.value_of(card)) == card
        assert codes.card_in(codes.half_of(card), codes.bit_of(card).bit_length() - 1) == card
        move = codes.move_of(kind, codes.play_at(card, place))
        parts = (codes.kind_of(move), codes.card_of(move), codes.place_of(move))
        assert parts == (kind, card, place)


def test_sets() -> None:
    values = 0b1000_0010_1101
    assert [number for number in range(16) if codes.has(values, number)] == [0, 2, 3, 5, 11]
    assert codes.sum_of(values) == 21
    assert codes.below(values, 3) == 0b101
    assert codes.above(values, 3) == 0b1000_0010_0000
    assert codes.values_in(0, values << 16, 5) == codes.values_in(values << 32, 0, 2) == values
