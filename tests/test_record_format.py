"""The check values of docs/record-format.md, recomputed by a program that knows only the page.

Written from the page's text with Python's standard library; nothing of Stichwerk is imported here.
That the library deals the same is tested in `test_docs.py`.
"""

import ast
import hashlib
import hmac
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest

PAGE = (Path(__file__).parents[1] / "docs/record-format.md").read_text("utf-8")
COLOURS = "RYGBLS"
Item = TypeVar("Item")


# -- The page's rules ------------------------------------------------------------------------------


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def lp(*fields: bytes) -> bytes:
    return b"".join(u32(len(field)) + field for field in fields)


def seed_key(seed: int, round: int) -> bytes:
    return hashlib.sha256(lp(b"stichwerk-seed", str(seed).encode(), u32(round))).digest()


class Stream:
    """The bytes that follow from a key, and what is drawn from them."""

    def __init__(self, key: bytes) -> None:
        self.bytes = self._endless(key)

    @staticmethod
    def _endless(key: bytes) -> Iterator[int]:
        block = 0
        while True:
            yield from hmac.new(key, block.to_bytes(8, "big"), hashlib.sha256).digest()
            block += 1

    def below(self, m: int) -> int:
        byte = next(self.bytes)
        while byte >= 256 - 256 % m:
            byte = next(self.bytes)
        return byte % m

    def shuffle(self, items: list[Item]) -> list[Item]:
        for i in reversed(range(1, len(items))):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items

    def trumps(self, rules: int) -> str:
        """Return the trump of version 1 of the rules, or the two of version 2."""
        first = COLOURS[self.below(6)]
        if rules == 1:
            return first
        others = [colour for colour in COLOURS if colour != first]
        return first + others[self.below(5)]

    def partners(self, seats: int) -> list[int]:
        """Return a new list in rising order for every attempt."""
        found = self.shuffle(list(range(seats)))
        while any(seat == partner for seat, partner in enumerate(found)):
            found = self.shuffle(list(range(seats)))
        return found

    def eggs(self) -> list[int]:
        return self.shuffle([0, 1, 1, 2, 2, 3])


def deck(game: str, seats: int) -> list[str]:
    """Return the cards of a game in order, from the table of the page."""
    for cells in rows("Deals", 5):
        counts = cells[1].split(" / ")
        if cells[0] == game and str(seats) in counts:
            lowest, _, most = cells[3].partition(",")[0].partition(" to ")
            highest = (most.split(" / ") * len(counts))[counts.index(str(seats))]
            values = [
                *([0] if "each 0 twice" in cells[3] else []),
                *range(int(lowest), int(highest) + 1),
            ]
            return [f"{colour}{value}" for colour in cells[2].split() for value in values]
    raise AssertionError(f"no row for {game} with {seats} seats")


# -- What the page says ----------------------------------------------------------------------------


def part(heading: str) -> str:
    found = re.search(rf"^#+ {re.escape(heading)}$(.*?)(?=^#+ |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, heading
    return found[1]


def rows(heading: str, columns: int) -> list[list[str]]:
    """Return the rows of all tables with this many columns under a heading, without their heads."""
    lines = [line.strip("|").split("|") for line in part(heading).splitlines() if line[:1] == "|"]
    fitting = [[cell.strip() for cell in line] for line in lines if len(line) == columns]
    return [cells for cells in fitting if not set(cells[0]) <= {"-"}][1:]


DRAWS = [
    [sheets, rules, *cells]
    for sheets, named, *cells in rows("Check values", 6)
    for rules in named.split(", ")
]


(LINE,) = re.findall(r"^Trumps of red 0 .*: (3 and 4 seats .*)\.$", PAGE, re.MULTILINE)
PAIRS = {
    seats: words.split()
    for counts, words in re.findall(r"([\d and]+) seats ([RYGBLS ]+)", LINE)
    for seats in re.findall(r"\d", counts)
}
"""The two trumps of red 0 in rounds 1 to 3, by seats."""


def numbers(cell: str) -> list[int]:
    return [int(word) for word in cell.split()]


def test_this_program_is_independent() -> None:
    tree = ast.parse(Path(__file__).read_text("utf-8"))
    modules = [
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in [getattr(node, "module", None), *(alias.name for alias in node.names)]
    ]
    assert not [
        name for name in modules if name and name.partition(".")[0] in ("stichwerk", "tests")
    ]


def test_keys_and_hands() -> None:
    printed = part("Check values")
    keys = re.findall(r"K_(\d) = `([0-9a-f]+)…`", printed)
    assert [round for round, _ in keys] == ["0", "1"]
    for round, start in keys:
        assert seed_key(7, int(round)).hex().startswith(start)
    hands = rows("Check values", 4)
    assert len(hands) == 4
    for game, seats, starter, hand in hands:
        assert Stream(seed_key(7, 0)).below(int(seats)) == int(starter)
        dealt = Stream(seed_key(7, 1)).shuffle(deck(game, int(seats)))
        size = len(hand.split())
        assert dealt[: size * int(seats) : int(seats)] == hand.split()


@pytest.mark.parametrize(("sheets", "rules", "seats", "trumps", "partners", "eggs"), DRAWS)
def test_draws(sheets: str, rules: str, seats: str, trumps: str, partners: str, eggs: str) -> None:
    stream = Stream(seed_key(7, 1))
    stream.shuffle(deck("stichtag", int(seats)))
    assert ("red 0" in sheets, "red 6" in sheets, "April" in sheets) == (
        bool(trumps),
        bool(partners),
        bool(eggs),
    )
    if trumps:
        assert stream.trumps(int(rules)) == trumps.replace(" ", "")
    if partners:
        assert stream.partners(int(seats)) == numbers(partners)
    if eggs:
        assert stream.eggs() == numbers(eggs)


def test_trumps_of_three_rounds() -> None:
    assert list(PAIRS) == ["3", "4", "5"]
    for seats, pairs in PAIRS.items():
        assert len(pairs) == 3
        for round, pair in enumerate(pairs, 1):
            stream = Stream(seed_key(7, round))
            stream.shuffle(deck("stichtag", int(seats)))
            assert stream.trumps(rules=2) == pair


def test_draws_reveal_a_wrong_reading() -> None:
    """A program that continues with the shuffled list finds other partners, one that draws the
    second trump from all six finds another, and fails here."""
    assert len(DRAWS) == 27
    (drawn,) = [numbers(row[4]) for row in DRAWS if row[:3] == ["red 6", "2", "4"]]
    stream = Stream(seed_key(7, 1))
    stream.shuffle(deck("stichtag", 4))
    wrong = stream.shuffle([0, 1, 2, 3])
    while any(seat == partner for seat, partner in enumerate(wrong)):
        stream.shuffle(wrong)
    assert wrong != drawn
    stream = Stream(seed_key(7, 3))
    stream.shuffle(deck("stichtag", 4))
    wrong_pair = COLOURS[stream.below(6)] + COLOURS[stream.below(6)]
    assert wrong_pair != PAIRS["4"][2]


def test_a_verifiable_deal() -> None:
    printed = part("Verifiable deals: `fairness`").partition("Check values")[2]
    tag, match = b"stichwerk-deal-v1", b"quiet-otter-1"
    (options,) = re.findall(r"`(\{.*?\})`", printed)
    server, client = [bytes([100 + r]) * 32 for r in range(4)], [bytes([i]) * 32 for i in range(2)]
    sealed = [
        [
            hashlib.sha256(lp(tag, words, match, u32(at), seed)).digest()
            for at, seed in enumerate(seeds)
        ]
        for words, seeds in ((b"server-commit", server), (b"client-commit", client))
    ]
    cards = deck("stichling", 2)
    agreed = (match, b"stichling/1", options.encode(), "\n".join(cards).encode(), u32(2), u32(3))
    transcript = hashlib.sha256(lp(tag, b"transcript", *agreed, *sealed[0], *sealed[1])).digest()
    key = hmac.new(server[1], lp(tag, b"deal-key", transcript, u32(1), *client), hashlib.sha256)
    found = {"SC_0": sealed[0][0], "CC_1": sealed[1][1], "T": transcript, "K_1": key.digest()}
    starts = dict(re.findall(r"(\w+) =\s`([0-9a-f]+)…`", printed))
    assert starts == {name: value.hex()[:16] for name, value in found.items()}
    (hand,) = re.findall(r"seat 1 gets ([A-Z0-9 ]+)\.", printed)
    assert Stream(key.digest()).shuffle(cards)[1:24:2] == hand.split()
