"""Whole matches at the full-screen table, by keys, by mouse and by typing."""

import importlib.util
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from textual.pilot import Pilot

import stichwerk
from stichwerk.games import registry
from stichwerk.terminal.full.app import Ending, TableApp
from stichwerk.terminal.seat import LocalSeat
from tests.length import by_length
from tests.terminal.driver import HANDS, local_place, on_screen, page_of, play_on

OWN_GAME = Path(__file__).parents[2] / "docs/examples/own_game.py"
MATCHES = {
    "stichling": {"seats": 3},
    "null-nichtig": {"seats": 3},
    "sticheln": {"seats": 3, "rounds": 1},
    "stichtag": {"seats": 3, "rounds": 2},
}
PHASES = {
    "stichling": {"order", "play"},
    "null-nichtig": {"lay", "play"},
    "sticheln": {"pain", "play"},
    "stichtag": {"play"},
}


def last_round(player_seat: LocalSeat) -> LocalSeat:
    """Let bots play the rounds before the last one, without the screen."""
    bot = stichwerk.bot("random", 3)
    while player_seat.match.view(None).round < player_seat.match.view(None).rounds:
        seat = player_seat.match.waiting_for[0]
        player_seat.match.play(seat, bot.choose(player_seat.match.view(seat)))
    return player_seat


def finished(player_seat: LocalSeat, way: str) -> tuple[dict[str, int], TableApp]:
    """Play a match to its end and leave."""
    made: dict[str, int] = {}

    async def test(app: TableApp, pilot: Pilot[Ending]) -> None:
        made.update(await play_on(app, pilot, HANDS[way]))
        assert page_of(app) is not None
        await pilot.press("right", "enter")
        await pilot.pause()

    return made, on_screen(player_seat, test)


WAYS = [("stichling", "mouse"), ("null-nichtig", "keys"), ("sticheln", "typed")]
WAYS += [("stichling", "keys"), ("stichtag", "mouse"), ("stichtag", "typed")]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize(("game", "way"), by_length(WAYS, list(product(MATCHES, HANDS))))
def test_a_match_is_played_to_its_end(game: str, way: str) -> None:
    player_seat = last_round(local_place(game, **MATCHES[game]))  # type: ignore[arg-type]
    made, app = finished(player_seat, way)
    assert player_seat.match.over
    assert set(made) == PHASES[game]
    assert app.return_value is Ending.OVER


@pytest.fixture
def own_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The example of the documentation, registered for a while."""
    monkeypatch.setattr(registry, "GAMES", dict(registry.GAMES))
    registry._build.cache_clear()
    spec = importlib.util.spec_from_file_location("own_game", OWN_GAME)
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    yield "odd-even"
    registry._build.cache_clear()


@pytest.mark.slow
def test_a_custom_game_is_played(own_game: str) -> None:
    """All rounds, with the pages between them."""
    player_seat = local_place(own_game, seats=3)
    made, _app = finished(player_seat, "keys")
    assert player_seat.match.over
    assert made == {"play": 24}
