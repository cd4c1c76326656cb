"""kill -9 at any moment: nothing acknowledged is lost, doubled or altered, and all matches
continue."""

import asyncio
import os
import random
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path
from signal import SIGKILL

import httpx
import msgspec
import pytest

from stichwerk.server import wire
from stichwerk.server.clients.load_test import free_port
from stichwerk.server.clients.table_client import TableClient
from stichwerk.server.tables import log_entries as log
from tests import seed_word
from tests.server.crash import (
    HANGS,
    MOMENTS,
    POINTS,
    POSTGRES_POINTS,
    RANDOM,
    Campaign,
    Report,
    Server,
    crash,
    plan,
)
from tests.server.crash_books import compare
from tests.server.postgres_setup import Cluster

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="Windows has no kill -9"),
]


KILLS = 2 * len(POINTS)  # `make crash-test` has more


def test_a_kill_at_every_point_under_load() -> None:
    async def run() -> Report:
        async with asyncio.timeout(3600):
            return await crash(KILLS, 60, 3600, lambda line: None)

    random.seed(f"{seed_word.WORD} kills")
    report = asyncio.run(run())
    print(report.text())
    assert report.faults == []
    assert report.kills.total() == KILLS
    assert set(POINTS) <= set(report.kills)
    back = plan(KILLS).count(RANDOM) * MOMENTS.count("all back") // len(MOMENTS)
    assert report.resumed >= (back + 1) * report.players, "also after the last start"
    assert report.acknowledged > 500
    assert report.matches


def test_a_kill_at_every_point_with_tables_in_postgres(cluster: Cluster) -> None:
    kills = 2 * len(POSTGRES_POINTS)

    async def run() -> Report:
        async with asyncio.timeout(3600):
            return await crash(kills, 16, 3600, lambda line: None, cluster)

    random.seed(f"{seed_word.WORD} kills")
    report = asyncio.run(run())
    print(report.text())
    assert report.faults == []
    assert report.kills.total() == kills
    assert set(POSTGRES_POINTS) <= set(report.kills)
    assert report.acknowledged > 200


def test_the_plan_names_every_point() -> None:
    assert set(POINTS) < set(plan(KILLS))
    assert len(plan(1000)) == 1000


# The comparison itself


def test_the_comparison_finds_lost_doubled_and_altered_moves(tmp_path: Path) -> None:
    """A test that cannot fail would show nothing."""
    asyncio.run(play_and_tamper(tmp_path))


async def play_and_tamper(folder: Path) -> None:
    async with Campaign(folder) as this, asyncio.timeout(900):
        await (await this.start()).healthy()
        async with this.tables(4):
            async with this.playing():
                while not all(player.ply > 4 for player in this.players):
                    await asyncio.sleep(0.05)
            await this.stop()
            assert this.compare(at_rest=True).faults == []
            for tamper, faults in TAMPERING:
                copy = folder / "copy.db"
                shutil.copy(this.path, copy)
                with closing(sqlite3.connect(copy)) as file, file:
                    tamper(file)
                found = compare(copy, this.books, this.players, at_rest=True).faults
                assert any(fault in one for one in found for fault in faults), (tamper, found)


def played(file: sqlite3.Connection) -> list[tuple[str, int]]:
    """Return where the moves are, the first of all matches first."""
    query = "SELECT table_id, seq FROM log WHERE CAST(entry AS TEXT) LIKE ? ORDER BY seq"
    return file.execute(query, ('%"played"%',)).fetchall()


def move_on(file: sqlite3.Connection, table: str, after: int, by: int) -> None:
    """Give other numbers to the end of a log."""
    file.execute("UPDATE log SET seq = -seq WHERE table_id = ? AND seq > ?", (table, after))
    file.execute("UPDATE log SET seq = ? - seq WHERE table_id = ? AND seq < 0", (by, table))


def double(file: sqlite3.Connection, table: str, seq: int) -> None:
    move_on(file, table, seq, 1)
    file.execute(
        "INSERT INTO log SELECT table_id, seq + 1, at, entry FROM log "
        "WHERE (table_id, seq) = (?, ?)",
        (table, seq),
    )


def lose_the_last(file: sqlite3.Connection) -> None:
    """Drop the end of a log: no gap shows it."""
    file.execute("DELETE FROM log WHERE table_id = ? AND seq >= ?", played(file)[-1])


def lose_one(file: sqlite3.Connection) -> None:
    file.execute("DELETE FROM log WHERE (table_id, seq) = (?, ?)", played(file)[0])


def lose_one_and_close_the_gap(file: sqlite3.Connection) -> None:
    table, seq = played(file)[0]
    lose_one(file)
    move_on(file, table, seq, -1)


def double_the_last(file: sqlite3.Connection) -> None:
    double(file, *played(file)[-1])


def double_one(file: sqlite3.Connection) -> None:
    double(file, *played(file)[0])


def alter_one(file: sqlite3.Connection) -> None:
    """Replace a move by one that its player made later."""
    query = "SELECT entry FROM log WHERE (table_id, seq) = (?, ?)"
    table, first = played(file)[0]
    entries = [
        msgspec.json.decode(file.execute(query, at).fetchone()[0], type=log.MovePlayed)
        for at in played(file)
        if at[0] == table
    ]
    later = next(one for one in entries[1:] if one.seat == entries[0].seat and one != entries[0])
    change = "UPDATE log SET entry = ? WHERE (table_id, seq) = (?, ?)"
    file.execute(change, (log.encode(later), table, first))


def alter_what_was_sent(file: sqlite3.Connection) -> None:
    """Change an entry that is no move, but whose name everyone received."""
    other = "replace(CAST(entry AS TEXT), 'Guest 1', 'Guest 9')"
    file.execute(f"UPDATE log SET entry = CAST({other} AS BLOB)")


Tamper = Callable[[sqlite3.Connection], None]
TAMPERING: tuple[tuple[Tamper, tuple[str, ...]], ...] = (
    (lose_the_last, ("lost",)),
    (lose_one, ("lost", "altered")),
    (lose_one, ("a gap in the log",)),
    (lose_one_and_close_the_gap, ("lost", "altered")),
    (lose_one_and_close_the_gap, ("cannot be replayed", "is not what was sent")),
    (double_the_last, ("doubled",)),
    (double_one, ("doubled", "altered")),
    (double_one, ("cannot be replayed",)),
    (alter_one, ("altered",)),
    (alter_what_was_sent, ("is not what was sent",)),
)


def test_a_server_that_acknowledges_too_early_is_detected(tmp_path: Path) -> None:
    """The fault that this is all about, planted: from some commit on nothing is stored any more,
    and all is answered. It is killed when more is acknowledged than there is in the file."""

    async def run() -> list[str]:
        async with Campaign(tmp_path) as this, asyncio.timeout(900):
            await (await this.start()).healthy()
            async with this.tables(4):
                await this.stop()
                with suppress(TooLateForRestError):
                    async with this.playing():
                        server = await this.start(("before-commit", 60), "--hasty")
                        while HANGS not in server.said():
                            await asyncio.sleep(0.01)
                        with closing(sqlite3.connect(this.path)) as file:
                            stored = len(played(file))
                        await this.until(lambda: len(this.books.acknowledged) > stored)
                        await server.end(SIGKILL)
                        raise TooLateForRestError
                return this.compare().faults

    assert any("lost" in fault for fault in asyncio.run(run()))


class TooLateForRestError(Exception):
    """Leaves a block without waiting for players who could wait indefinitely."""


# Crashes at other times


async def until_dead(server: Server, ask: Awaitable[object]) -> None:
    with pytest.raises(httpx.HTTPError):
        await ask
    await server.process.wait()
    await server.end(SIGKILL)
    assert server.process.returncode == -SIGKILL


@pytest.mark.parametrize("times", [1, 2])
def test_a_crash_while_a_table_is_made(tmp_path: Path, times: int) -> None:
    """After the first commit there is a table without a summary; it must not be in the way."""
    port = free_port()
    request = {"game": "stichling", "seats": 2, "name": "Ada", "settings": {"listed": True}}

    async def run() -> None:
        server = await Server.start(tmp_path, port, ("committed", times))
        try:
            address = f"http://127.0.0.1:{port}"
            async with httpx.AsyncClient(base_url=address, timeout=60, verify=False) as client:
                assert await server.healthy()
                await until_dead(server, client.post("/api/tables", json=request))
                server = await Server.start(tmp_path, port)
                assert await server.healthy()
                table = (await client.post("/api/tables", json=request)).json()["table"]
                tables: list[str] = []
                while len(tables) < 2:  # the first one comes into the lobby by itself
                    listed = (await client.get("/api/lobby")).json()["tables"]
                    tables = [one["table"] for one in listed]
                    await asyncio.sleep(0.05)
            (lost,) = set(tables) - {table}
            async with TableClient(f"ws://127.0.0.1:{port}/ws", lost) as guest:
                await guest.join("Ben")
                assert isinstance(guest.table, wire.Table)
        finally:
            await server.end(SIGKILL)

    async def bounded() -> None:
        async with asyncio.timeout(900):
            await run()

    asyncio.run(bounded())
