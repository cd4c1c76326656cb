"""The example game of the documentation: one file of plain Python, a game like the others."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import stichwerk
from stichwerk import record
from stichwerk.engine.generator import Generator
from stichwerk.errors import BadOption, Reason, UnknownGame
from stichwerk.games import registry
from stichwerk.match import Match
from stichwerk.testing import check_game
from stichwerk.view import sample

EXAMPLE = Path(__file__).parents[1] / "docs/examples/own_game.py"


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Import the example, which registers itself; afterwards there are four games again."""
    monkeypatch.setattr(registry, "GAMES", dict(registry.GAMES))
    registry._build.cache_clear()
    spec = importlib.util.spec_from_file_location("own_game", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    yield
    registry._build.cache_clear()


def played(seats: int, **options: str) -> Match:
    """A whole match between random bots."""
    match = stichwerk.game("odd-even", seats=seats, **options).new(seed=7)
    bot = stichwerk.bot("random", seed=1)
    while match.waiting_for:
        seat = match.waiting_for[0]
        match.play(seat, bot.choose(match.view(seat)))
    return match


@pytest.mark.parametrize("wanted", ["odd", "even"])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_it_conforms(seats: int, wanted: str) -> None:
    check_game(stichwerk.game("odd-even", seats=seats, wanted=wanted), matches=2)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_it_plays_with_bots(seats: int) -> None:
    match = played(seats)
    assert match.over
    assert len(match.scores) == seats


def test_its_records_hold() -> None:
    match = played(4)
    assert record.verify(record.decode(record.encode(record.record(match)))).status == "holds"


def test_what_is_wanted_turns_the_points_round() -> None:
    gained = [[-points for points in scores] for scores in played(4).scores]
    assert [list(scores) for scores in played(4, wanted="even").scores] == gained


def test_samples_respect_who_could_not_follow() -> None:
    """Seat 1 threw yellow on red: no sample gives it a red card."""
    deal = {
        "starter": 0,
        "hands": [
            [f"R{value}" for value in (1, 3, 5, 7)] + ["G1", "G2", "G3", "G4"],
            [f"Y{value}" for value in range(1, 9)],
            [f"R{value}" for value in (2, 4, 6, 8)] + ["B1", "B2", "B3", "B4"],
        ],
        "stock": ["R9", "R10", "R11", *(f"Y{value}" for value in (9, 10, 11))]
        + [f"G{value}" for value in range(5, 12)]
        + [f"B{value}" for value in range(5, 12)],
    }
    match = stichwerk.game("odd-even", seats=3).new(deals=[deal])
    match.play(0, "R1")
    match.play(1, "Y1")
    assert match.objection(2, "B1") == Reason("must-follow", card="B1", colour="R")
    rules, generator = match.setting.rules, Generator(1)
    for _ in range(50):
        state = sample(match.view(0), generator)
        assert not [card for card in rules.hand(state, 1) if card[0] == "R"]


def test_it_is_refused_like_any_other() -> None:
    with pytest.raises(BadOption, match="odd, even"):
        stichwerk.game("odd-even", wanted="prime")
    with pytest.raises(UnknownGame, match="game-exists"):
        registry.register(registry.kind("odd-even"))


def test_it_runs_as_a_program() -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLE], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.count("round ") == 4
    assert "best first: " in done.stdout
