"""One source, two engines: uncompiled and compiled they give the same answers, move for move."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import stichwerk
from stichwerk.engine import frame, generator, plain
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.match import Setting
from stichwerk.testing.copies import fields_of
from tests.length import by_length
from tests.strategies import (
    all_days,
    all_rules,
    all_settings,
    all_sheets,
    has_sheets,
    older_settings,
    pairwise_days,
    setting_id,
    some_combinations,
    some_days,
)

pytestmark = pytest.mark.game

PROGRAM = Path(__file__).with_name("playthrough.py")
SOURCE = Path(stichwerk.__file__).parent
COMPILED = not frame.__file__.endswith(".py")


def digests(
    package: Path, settings: Sequence[Setting], matches: int, *flags: str
) -> dict[str, Any]:
    """Return what the program prints when it runs with the engine in this package."""
    given = [(one.name, one.seats, one.rules.version, one.options) for one in settings]
    run = subprocess.run(
        [sys.executable, "-B", *flags, str(PROGRAM)],
        input=json.dumps({"settings": given, "matches": matches}),
        env={**os.environ, "PYTHONPATH": str(package.parent)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr
    answer: dict[str, Any] = json.loads(run.stdout)
    assert Path(answer["file"]).parents[1] == package
    return answer


def uncompiled_copy(folder: Path) -> Path:
    """Return the package once more, without anything compiled."""
    copy = folder / "stichwerk"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    return copy


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An uncompiled copy that no test changes."""
    return uncompiled_copy(tmp_path_factory.mktemp("uncompiled"))


def assert_same(package: Path, settings: Sequence[Setting], matches: int) -> None:
    """Both engines see the same; if nothing was compiled, that must have been requested."""
    uncompiled = digests(package, settings, matches)
    assert uncompiled["file"].endswith(".py")
    if not COMPILED:
        request = os.environ.get("STICHWERK_PURE")
        assert request == "1", "there is no compiled engine, and nobody asked for that"
        return
    compiled = digests(SOURCE, settings, matches)
    assert not compiled["file"].endswith(".py")
    assert compiled["digests"] == uncompiled["digests"]


@pytest.mark.slow
def test_both_engines_play_the_same(package: Path) -> None:
    assert_same(package, [*all_rules(), *some_combinations()], matches=2)


@pytest.mark.slow
def test_python_without_asserts_plays_the_same() -> None:
    settings = [stichwerk.game("stichtag", seats=4, date=date) for date in ("07-05", "02-27")]
    usual, optimised = (digests(SOURCE, settings, 1, *flags) for flags in ((), ("-O",)))
    assert optimised["digests"] == usual["digests"]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("setting", all_rules(), ids=setting_id)
def test_both_engines_play_many_matches_the_same(package: Path, setting: Setting) -> None:
    assert_same(package, [setting], matches=by_length(16, 150))


@pytest.mark.slow
def test_both_engines_play_every_setting_the_same(package: Path) -> None:
    usual = [setting for setting in all_settings() if not has_sheets(setting)]
    assert_same(package, [*usual, *all_sheets()], matches=1)


# -- Every day of the calendar, in one process -----------------------------------------------------

Facts = list[object]


def course(rules: Game, engine: Any, seed: int, rounds: int) -> Facts:
    """Return everything about a few rounds, each also finished by the engine itself."""
    facts: Facts = []
    state, dealer, rng = rules.new_state(), engine.Generator(seed), Generator(seed)
    for number in range(1, rounds + 1):
        state.round, state.starter = number, (seed + number) % rules.seats
        state.totals = [3, 0, 7, 12, -2, 0]
        rules.shuffled_round(state, dealer)
        by_itself = state.copy()
        facts += [fields_of(state), rules.opening_events(state)]
        while state.owes:
            seat = (state.owes & -state.owes).bit_length() - 1
            moves = rules.moves(state, seat)
            move = moves[rng.number(len(moves))]
            before = state.copy()
            for step in move.steps:
                rules.play(state, seat, step)
            facts += [seat, [one.text for one in moves], rules.table(state)]
            facts += [rules.secrets(state, seat), rules.move_events(before, seat, move, state)]
        facts += [fields_of(state), rules.finish(by_itself, dealer), fields_of(by_itself)]
    return facts


def assert_same_course(setting: Setting, seed: int, rounds: int) -> None:
    """Check that plain and compiled rules have the same results."""
    module = plain.twin("stichwerk.games.stichtag.game")
    rules = module.Stichtag(setting.seats, setting.options, setting.rules.version)
    assert not COMPILED or type(rules.red) is not type(setting.rules.red)  # type: ignore[attr-defined]
    slow = course(rules, plain, seed, rounds)
    fast = course(setting.rules, generator, seed, rounds)
    for at, (here, there) in enumerate(zip(fast, slow, strict=True)):
        assert here == there, f"{setting}, seed {seed}: fact {at}"


@pytest.mark.slow
def test_both_engines_play_days_the_same() -> None:
    older = [setting for setting in older_settings() if has_sheets(setting)]
    for at, setting in enumerate([*some_days(7), *all_sheets(), *older]):
        assert_same_course(setting, at, rounds=2)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("month", range(1, 13))
def test_both_engines_play_the_calendar_the_same(month: int) -> None:
    days = by_length(pairwise_days(), [*all_days(2), *all_days(1)])
    for at, setting in enumerate(days):
        if str(setting.options["date"]).startswith(f"{month:02}"):
            assert_same_course(setting, at, rounds=by_length(3, 6))


@pytest.mark.parametrize(
    ("file", "line", "fault"),
    [
        ("games/sticheln.py", "return 16 + value_of(card)", "return value_of(card)"),
        ("engine/codes.py", "return card & 15", "return card & 7"),
        ("engine/generator.py", "b << 9", "b << 8"),
        ("engine/machine.py", "in range(k):", "in range(k // 2):"),
    ],
)
def test_a_planted_difference_is_found(
    package: Path, tmp_path: Path, file: str, line: str, fault: str
) -> None:
    """A slip in one of the two would change the digest."""
    settings = [setting for setting in all_rules() if setting_id(setting) == "sticheln-3"]
    wrong = uncompiled_copy(tmp_path)
    source = (wrong / file).read_text("utf-8")
    assert line in source
    (wrong / file).write_text(source.replace(line, fault), "utf-8")
    right = digests(package, settings, 4)["digests"]
    assert digests(wrong, settings, 4)["digests"] != right
