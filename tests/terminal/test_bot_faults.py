"""Bots that break at the full-screen table: a sentence on the screen, never a raw traceback."""

import io
import os
from collections.abc import Iterator
from contextlib import redirect_stderr

import pytest
from textual.pilot import Pilot

from stichwerk.bots import Bot
from stichwerk.bots.faults import FaultBook
from stichwerk.bots.hosting import Hosting, end_workers, seat_bots
from stichwerk.terminal.full import app as full_app
from stichwerk.terminal.full.app import Ending, TableApp
from stichwerk.terminal.seat import LocalSeat
from tests.bot_packages import put_many_bots
from tests.terminal.driver import (
    by_typing,
    local_place,
    make,
    on_screen,
    page_of,
    ready,
    shown_text,
    until,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="workers need a Unix system"),
]


@pytest.fixture(scope="module", autouse=True)
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The package with broken bots."""
    folder = tmp_path_factory.mktemp("bots")
    put_many_bots(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield
        end_workers()


def place_with(bot: str, hosting: Hosting, adviser: str = "greedy") -> LocalSeat:
    """Return a person at seat 0, the bot at all others; built as `stichwerk play` does it."""
    usual, faults = local_place("sticheln", 3, rounds=1), FaultBook()
    seated_bots = seat_bots([bot] * 2, [1, 2], match_seed=7, hosting=hosting, on_fault=faults.note)

    def build(name: str) -> Bot:
        return seat_bots([name], [0], hosting=hosting, on_fault=faults.note)[0]

    player_seat = LocalSeat(
        usual.match, 0, {1: seated_bots[0], 2: seated_bots[1]}, "en", adviser=adviser, build=build
    )
    faults.tell = player_seat.tell_fault
    return player_seat


async def move(app: TableApp, pilot: Pilot[Ending]) -> None:
    """Type the first legal move."""
    await ready(app, pilot)
    assert app.board_state is not None
    await make(app, pilot, by_typing, app.board_state.view.moves[0])


@pytest.mark.parametrize("bot", ["raises", "dies", "noisy"])
def test_a_match_continues_after_a_bot_fault_with_a_notice(
    bot: str, capfd: pytest.CaptureFixture[str]
) -> None:
    player_seat = place_with(bot, Hosting())

    async def test(app: TableApp, pilot: Pilot[Ending]) -> None:
        for _ in range(3):
            await move(app, pilot)
        await ready(app, pilot)
        notices = [notice for notice in app.notices if f"The bot '{bot}'" in notice]
        assert len(notices) == (0 if bot == "noisy" else 1)
        assert all("seed 7, seat 1" in notice for notice in notices)
        assert "Traceback" not in shown_text(app)

    app = on_screen(player_seat, test)
    assert app.failure is None
    player_seat.close()
    said = capfd.readouterr()
    assert "Traceback" not in said.out + said.err
    assert "to std" not in said.out + said.err


@pytest.mark.parametrize(("bot", "adviser"), [("raises", "greedy"), ("wanderer", "bad_adviser")])
def test_with_in_process_the_error_is_shown_after_the_screen(bot: str, adviser: str) -> None:
    player_seat = place_with(bot, Hosting(in_process=True), adviser)
    printed = io.StringIO()

    async def test(app: TableApp, pilot: Pilot[Ending]) -> None:
        if adviser == "bad_adviser":
            await ready(app, pilot)
            await pilot.press("t", "enter")
        else:
            await move(app, pilot)
        await until(pilot, lambda: app.failure is not None, "the failure")

    with redirect_stderr(printed):
        app = on_screen(player_seat, test)
    assert isinstance(app.failure, LookupError)
    assert app.return_value is Ending.LEFT
    assert "its value" not in printed.getvalue()


def test_a_table_can_be_left_while_a_bot_hangs() -> None:
    player_seat = place_with("hangs", Hosting(limit=3600))

    async def test(app: TableApp, pilot: Pilot[Ending]) -> None:
        await move(app, pilot)
        await until(pilot, lambda: not app.free, "the bot's turn")
        await pilot.press("ctrl+q")
        await until(pilot, lambda: page_of(app) is not None, "the question")
        await pilot.press("ctrl+q")

    app = on_screen(player_seat, test)  # which waits for all threads
    assert (app.return_value, app.failure) == (Ending.LEFT, None)
    assert player_seat.match.waiting_for == (1, 2), "nothing was played for the bots"
    assert player_seat.notices() == []


def test_run_raises_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    player_seat = place_with("wanderer", Hosting(in_process=True))

    def leave(app: TableApp) -> Ending:
        app.failure = LookupError("no idea")
        return Ending.LEFT

    monkeypatch.setattr(TableApp, "run", leave)
    with pytest.raises(LookupError, match="no idea"):
        full_app.run(player_seat)
