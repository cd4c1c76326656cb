"""All tables together: after a restart they are loaded when someone comes, and not before."""

from pathlib import Path

import pytest

from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.storage.store import LogAppend
from stichwerk.server.tables.live_table import LiveTable
from stichwerk.server.tables.lobby import CATCH_UP_SECONDS
from tests.server.harness import Quick, RunningServer, begin, first, run, running_server
from tests.server.manual_clock import ManualClock

FAR = 10**15  # a time that comes after all others

pytestmark = pytest.mark.slow  # with a real server


async def caught_up(home: RunningServer) -> None:
    """Let the server look at all tables that it wants to look at after its start."""
    while not home.lobby._tasks[0].done():
        home.clock.advance(CATCH_UP_SECONDS)
        await home.lobby.store.tables()  # a turn of the store


def test_unfinished_tables_are_not_loaded(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            waiting = [await home.table() for _ in range(4)]
            async with home.party(["Ada", "Bo"], "stichling", 2) as guests:
                await begin(*guests)
                for guest in guests:
                    if guest.view and guest.view.moves:
                        await guest.play(guest.view.moves[0])
            await home.lobby.store.tables()
        async with running_server(tmp_path, pool=Quick()) as home:
            assert await home.lobby.store.behind() == []
            await caught_up(home)
            assert home.lobby.live_tables == {}
            async with home.guest(waiting[0]):
                assert list(home.lobby.live_tables) == [waiting[0].table]

    run(play())


def test_a_match_that_ended_during_a_crash_gets_its_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last move is stored, its summary and record are not; nobody reconnects."""

    async def crash(self: LiveTable, at: int | None = None) -> None:
        """Stop storing, as in a crash."""

    async def play() -> str:
        async with running_server(tmp_path, pool=Quick()) as home:
            bystander = await home.table()
            async with home.party(["Ada"], "sticheln", 3, options={"rounds": 1}) as (ada,):
                await begin(ada)
                monkeypatch.setattr(LiveTable, "update_summary", crash)
                await ada.play_on(first)
                assert ada.table is not None
                match = ada.table.match
            assert match is not None
            assert await home.lobby.store.match(match) is None
            behind = [table for table, _ in await home.lobby.store.behind()]
            assert behind == [ada.table_id]
            assert bystander.table != ada.table_id
        monkeypatch.undo()
        return match

    async def again(match: str) -> None:
        clock = ManualClock()
        async with running_server(tmp_path, pool=Quick(), clock=clock) as home:
            before = await home.lobby.store.newest(until=FAR)
            clock.advance(3600)
            await caught_up(home)
            assert await home.lobby.store.match(match) is not None
            assert await home.lobby.store.behind() == []
            assert home.lobby.live_tables == {}, "put away at once"
            assert await home.lobby.store.newest(until=FAR) == before, (
                "a summary is no sign of life"
            )

    run(again(run(play())))


def test_a_table_that_cannot_be_read_does_not_stop_the_others(tmp_path: Path) -> None:
    async def spoil() -> None:
        store = SqliteStore(tmp_path / "stichwerk.db")
        await store.open()
        await store.append(LogAppend(table="A", first=1, entries=(b"nonsense",), at=1))
        await store.close()

    async def play() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(settings={"listed": True})
        await spoil()
        async with running_server(tmp_path, pool=Quick()) as home:
            await caught_up(home)
            assert [one.table for one in home.lobby.open_tables().tables] == [made.table]
            async with home.guest(made):
                pass

    run(play())
