"""Stop, migrate, start in the middle of a hundred matches: all continue."""

import asyncio
import os
import signal
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from stichwerk.server.storage import schema
from tests.length import by_length
from tests.server.crash import Campaign

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="Windows has no kill -9"),
]

TABLES = by_length(24, 100)
PLIES_BEFORE = 3
STEPS_AFTER = 12
FINISHED_AFTER = 10


def downgrade(path: Path) -> None:
    """Make the file what an older program left: version 1, all rows as they are."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("BEGIN")
        file.execute("DROP INDEX open_tables")
        file.execute("DROP INDEX matches_of_table")
        for column in ("open", "behind", "doomed"):
            file.execute(f"ALTER TABLE tables DROP COLUMN {column}")
        file.execute("PRAGMA user_version = 1")
        file.execute("COMMIT")


def shape(path: Path) -> dict[str, list[object]]:
    """Return what the tables of a file look like."""
    with closing(sqlite3.connect(path)) as file:
        names = [
            name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE sql IS NOT NULL")
        ]
        return {name: file.execute(f"PRAGMA table_info({name})").fetchall() for name in names}


def rows(path: Path) -> tuple[int, list[object]]:
    """Return the version of a file, and everything that must survive."""
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        log = file.execute("SELECT * FROM log ORDER BY table_id, seq").fetchall()
        tables = file.execute("SELECT id, created, touched, summary FROM tables ORDER BY id")
        matches = file.execute("SELECT * FROM matches ORDER BY id").fetchall()
        return schema.version(file), [log, tables.fetchall(), matches]


def test_the_test_downgrade_makes_an_old_file(tmp_path: Path) -> None:
    for name, upto in (("old", 1), ("new", schema.VERSION)):
        with closing(sqlite3.connect(tmp_path / name, isolation_level=None)) as file:
            schema.migrate(file, upto)
    assert shape(tmp_path / "old") != shape(tmp_path / "new")
    downgrade(tmp_path / "new")
    assert shape(tmp_path / "old") == shape(tmp_path / "new")
    assert rows(tmp_path / "old") == rows(tmp_path / "new")


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=["stopped", "killed"])
def test_an_upgrade_in_the_middle_of_many_matches(tmp_path: Path, number: int) -> None:
    async def run() -> None:
        async with Campaign(tmp_path) as this, asyncio.timeout(3600):
            await (await this.start()).healthy()
            async with this.tables(TABLES):
                async with this.playing():
                    await all_in_the_middle(this)
                    assert this.server is not None
                    came_back = {player: player.came_back for player in this.players}
                    await this.server.end(number)
                    downgrade(this.path)
                    version, before = rows(this.path)
                    assert version == 1
                    if number == signal.SIGKILL:
                        await die_in_the_middle(this, before)
                    await (await this.start()).healthy()
                    await all_go_on(this)
                    assert all(one.came_back > before for one, before in came_back.items())
                await this.stop()
                check(this)

    asyncio.run(run())


async def all_in_the_middle(this: Campaign) -> None:
    """Until every match is in the middle.

    Who gets there first waits for the others: on their own they are hardly ever there together.
    """

    def in_the_middle(table: str) -> bool:
        players = (one for one in this.players if one.table_id == table)
        return all(one.playing and one.ply >= PLIES_BEFORE for one in players)

    tables = {player.table_id for player in this.players}
    for player in this.players:
        player.pausing = partial(in_the_middle, player.table_id)
    while not all(in_the_middle(table) for table in tables):
        await asyncio.sleep(0.02)
    for player in this.players:
        player.go_on()


async def die_in_the_middle(this: Campaign, before: list[object]) -> None:
    """Kill the new program before each of its first statements, the migration included."""
    found: list[int] = []
    for statement in range(1, 100):
        server = await this.start(("execute", statement))
        if await server.healthy():
            await server.end(signal.SIGKILL)
            break
        await server.end(signal.SIGKILL)
        assert server.process.returncode == -signal.SIGKILL, server.said()
        version, after = rows(this.path)
        assert after == before
        found.append(version)
    assert found == sorted(found)
    assert found.count(1) > 10  # settings, and all of the step but its commit
    assert found[-1] == schema.VERSION


async def all_go_on(this: Campaign) -> None:
    """Until something has happened at every table, and some of the matches are over."""
    old = {
        player: (player.seq or 0, player.table and player.table.match) for player in this.players
    }
    while True:
        await asyncio.sleep(0.02)
        on = all((player.seq or 0) >= seq + STEPS_AFTER for player, (seq, _) in old.items())
        over = {
            match
            for player, (_, match) in old.items()
            if player.table and (player.table.match != match or player.table.stage == "over")
        }
        if on and len(over) >= FINISHED_AFTER:
            break


def check(this: Campaign) -> None:
    found = this.compare(at_rest=True)
    assert found.faults == []
    assert found.matches >= FINISHED_AFTER
    assert not found.without_record
    version, _ = rows(this.path)
    assert version == schema.VERSION
    assert not this.report.faults
