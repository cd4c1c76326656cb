"""The full-screen table at a web table: a real server, the host among its bots."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from stichwerk.record import decode, verify
from stichwerk.terminal.full.app import Ending, TableApp
from stichwerk.terminal.remote_seat import NoTableError, RemoteSeat
from tests.server.terminal_table_setup import Server
from tests.terminal.driver import by_keys, on_screen, page_of, play_on, ready, shown_text, until


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path)
    yield running
    running.stop()


@pytest.mark.slow
def test_a_match_and_the_next_one(server: Server) -> None:
    """The host begins, chats, asks for a hint, plays to the end, and begins another match."""
    made = server.table(seats=3, options={"rounds": 1}, settings={"level": "easy"})
    player_seat = RemoteSeat(made.personal, None, "en")
    matches: list[str | None] = []

    async def test(app: TableApp, pilot: Pilot[Ending]) -> None:
        await until(pilot, lambda: "b and Enter starts it" in shown_text(app), "the lobby")
        assert "0  Ada, you, host" in shown_text(app)
        await pilot.press("s", "i", "t", "space", "2", "enter")
        await until(pilot, lambda: "2  Ada, you, host" in shown_text(app), "another seat")
        await pilot.press("p", "enter")
        await until(pilot, lambda: page_of(app) is not None, "the company")
        await pilot.press("enter", "b", "enter")
        await ready(app, pilot)
        matches.append(player_seat.match_id)
        await pilot.press("f1")
        await until(pilot, lambda: page_of(app) is not None, "the help")
        assert "take back your own last move" in str(page_of(app).query_one(".body").content)  # type: ignore[union-attr]
        await pilot.press("escape", "f2")
        await until(pilot, lambda: "Hint: " in shown_text(app), "a hint of the server")
        await pilot.press("escape", ":", "h", "i", "enter")
        await until(pilot, lambda: any("hi" in note for note in app.notices), "your own words")
        await play_on(app, pilot, by_keys)
        page = page_of(app)
        assert page is not None
        await pilot.press("enter")
        await until(pilot, lambda: player_seat.match_id not in matches, "the next match")
        await ready(app, pilot)
        assert "Choose your pain card" in shown_text(app)
        kinds = [event.kind for event in player_seat.view.history]
        assert kinds.count("round") == 1, "nothing of the last match"

    on_screen(player_seat, test)
    record = decode(server.record(matches[0]))
    assert verify(record).status == "holds"


@pytest.mark.slow
def test_a_closed_table_is_reported(server: Server) -> None:
    """When the table fails for good, the screen goes, and the reason is kept for the caller."""
    made = server.table(seats=3, options={"rounds": 1}, settings={"level": "easy"})
    player_seat = RemoteSeat(made.personal, None, "en")

    async def test(app: TableApp, pilot: Pilot[Ending]) -> None:
        await until(pilot, lambda: "starts it" in shown_text(app), "the lobby")
        await pilot.press("b", "enter")
        await ready(app, pilot)
        player_seat._fail(NoTableError("table-left"))
        await until(pilot, lambda: app.failure is not None, "the failure")

    app = on_screen(player_seat, test)
    assert app.return_value is Ending.LEFT
    assert isinstance(app.failure, NoTableError)
    assert app.failure.id == "table-left"
