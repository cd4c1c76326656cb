"""Saving and leaving, fast keys, and messages from outside the match."""

from pathlib import Path

import pytest
from textual.events import Key

import stichwerk
from stichwerk.errors import BadFileError, StichwerkError
from stichwerk.match import Match
from stichwerk.record import encode, record
from stichwerk.terminal.full.app import Ending, TableApp
from stichwerk.terminal.seat import LocalSeat
from tests.terminal.driver import (
    by_typing,
    drained,
    local_place,
    make,
    on_screen,
    page_of,
    ready,
    shown_text,
    until,
)
from tests.terminal.screen_setup import Screen, first

pytestmark = pytest.mark.slow  # whole screens

# -- Saving and leaving ----------------------------------------------------------------------------


def test_a_match_can_be_saved(tmp_path: Path) -> None:
    usual = local_place("sticheln")
    file = tmp_path / "match.json"

    def keep(match: stichwerk.match.Match) -> str:
        file.write_bytes(encode(record(match)))
        return str(file)

    player_seat = LocalSeat(usual.match, 0, usual.bots, "en", keep=keep)

    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        await pilot.press("f9")
        await pilot.pause()
        assert "The record is in" in shown_text(app)

    on_screen(player_seat, test, size=(110, 24))
    assert file.read_bytes().startswith(b'{"format":"stichwerk-game/1"')


def test_a_failed_save_is_reported() -> None:
    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        await pilot.press("w", "enter")
        await pilot.pause()
        assert "This match is not saved here." in shown_text(app)

    on_screen(local_place("sticheln"), test)


def test_typing_starts_over_after_a_refused_move() -> None:
    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        await pilot.press(*"Z9", "enter")
        await pilot.pause()
        assert "Z9" in shown_text(app)
        assert app.line.value == "Z9"
        await make(app, pilot, by_typing, first(app))
        assert app.line.value == ""

    on_screen(local_place("sticheln"), test)


@pytest.mark.parametrize("key", ["f10", "ctrl+q", "ctrl+c"])
def test_leaving_needs_confirmation(key: str) -> None:
    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        await pilot.press(key)
        await until(pilot, lambda: page_of(app) is not None, "the question")
        await pilot.press("enter")
        await until(pilot, lambda: page_of(app) is None, "the table")
        assert app.return_value is None
        await pilot.press(key)
        await until(pilot, lambda: page_of(app) is not None, "the question")
        await pilot.press("right", "enter")
        await pilot.pause()

    player_seat = local_place("sticheln")
    assert on_screen(player_seat, test).return_value is Ending.LEFT
    assert not player_seat.wait(0)  # it is closed


@pytest.mark.slow
@pytest.mark.parametrize("key", ["f10", "ctrl+q", "ctrl+c"])
def test_asking_twice_leaves_even_from_a_page(key: str) -> None:
    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        await pilot.press("f5")
        await until(pilot, lambda: page_of(app) is not None, "the rules")
        rules = page_of(app)
        await pilot.press(key)
        await until(pilot, lambda: page_of(app) not in (None, rules), "the question")
        assert app.return_value is None
        await pilot.press(key)
        await pilot.pause()

    assert on_screen(local_place("sticheln"), test).return_value is Ending.LEFT


# -- Keys faster than the screen -------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("first", [0, 1, 2])
@pytest.mark.parametrize(
    "keys",
    [
        ("f4", "enter", "enter", "escape"),
        ("f4", "escape", "escape"),
        ("f6", "f7", "escape", "down"),
        ("question_mark", "R", "enter", "enter"),
        ("question_mark", "escape", "escape"),
        ("escape", "enter", "enter", "escape"),
    ],
)
def test_keys_that_come_while_a_page_opens_or_closes(keys: tuple[str, ...], first: int) -> None:
    """`first`: how many of the keys are done with before the others come, all at once."""

    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        await pilot.press(*keys[:first])
        for key in keys[first:]:
            app.post_message(Key(key, {"question_mark": "?", "R": "R"}.get(key)))
        await drained(pilot)
        assert app.is_running
        assert app.return_code is None

    on_screen(local_place("sticheln"), test)


# -- Messages from outside the match ---------------------------------------------------------------


def test_a_notice_with_a_move_stays_until_ones_turn() -> None:
    """A full disk is reported in a narrow window, too, however many others move meanwhile."""

    def full(match: Match) -> str:
        raise BadFileError("cannot-write", file="here.json", why="no room")

    player_seat = local_place("sticheln")
    player_seat.keep = full

    async def test(app: TableApp, pilot: Screen) -> None:
        for _ in range(2):
            await ready(app, pilot)
            await make(app, pilot, by_typing, app.player_seat.view.moves[0])
        await ready(app, pilot)
        assert "no room" in shown_text(app)
        await pilot.press("right")
        await pilot.pause()
        assert "no room" not in shown_text(app)

    on_screen(player_seat, test)


class Waiting(LocalSeat):
    """A table at which no match runs."""

    @property
    def playing(self) -> bool:
        """Not yet."""
        return False


def test_a_move_before_the_match_is_answered() -> None:
    player_seat = local_place("sticheln")
    waiting = Waiting(player_seat.match, 0, player_seat.bots, "en")

    async def test(app: TableApp, pilot: Screen) -> None:
        await pilot.press("G", "8", "enter")
        await pilot.pause()
        assert "No match has started yet." in shown_text(app)
        assert not app.line.value

    on_screen(waiting, test)


class Leaving(LocalSeat):
    """A table that is gone as soon as its match has been looked at."""

    gone = False

    def wait(self, timeout: float | None) -> bool:
        """Until it is gone."""
        if self.gone:
            raise StichwerkError("table-left")
        return super().wait(timeout)

    def objection(self, move: str) -> str | None:
        """Return the same."""
        if self.gone:
            raise StichwerkError("table-left")
        return super().objection(move)


def test_a_table_that_closes_while_typing_or_at_its_end() -> None:
    player_seat = local_place("sticheln", seats=3)
    leaving = Leaving(player_seat.match, 0, {**player_seat.bots, 0: stichwerk.bot("random")}, "en")
    while not player_seat.match.over:
        seat = player_seat.match.waiting_for[0]
        player_seat.match.play(seat, leaving.bots[seat].choose(player_seat.match.view(seat)))

    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        await pilot.press("escape")
        await until(pilot, lambda: page_of(app) is None, "the last table")
        leaving.gone = True
        await pilot.press("G", "8", "enter")
        await until(pilot, lambda: app.failure is not None, "the end")

    app = on_screen(leaving, test)
    assert isinstance(app.failure, StichwerkError)
    assert app.failure.id == "table-left"
    assert app.return_code in (0, None)
