"""Files of the store: removed, foreign, old and new ones."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from stichwerk.server.storage import schema
from stichwerk.server.storage.sqlite_file import connect_sqlite
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.storage.store import StorageError
from tests.server.store_setup import Faults, change, outcome, with_store
from tests.server.store_setup import path_fixture as path_fixture


def test_a_removed_file_is_not_recreated(path: Path) -> None:
    """An empty store in its place would look as if there had never been a table."""
    faults = Faults(sqlite3.SQLITE_IOERR_WRITE)

    async def deed(store: SqliteStore) -> None:
        await store.append(change("a", 0, "x"))
        faults.arm(0, 1)
        assert await outcome(store.append(change("a", 1, "y"))) == "storage-failed"
        path.rename(path.with_name("elsewhere"))
        for _ in range(2):
            assert await outcome(store.append(change("a", 1, "y"))) == "storage-failed"
            assert await outcome(store.read("a")) == "storage-failed"
        path.with_name("elsewhere").rename(path)
        await store.append(change("a", 1, "y"))
        assert await store.read("a") == [b"x", b"y"]

    with_store(path, deed, connect=faults.connect)


def test_a_file_that_is_no_store_is_refused(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"something else altogether " * 100)
    assert asyncio.run(outcome(SqliteStore(path).open())) == "storage-failed"
    assert path.read_bytes() == b"something else altogether " * 100
    assert asyncio.run(outcome(SqliteStore(path / "inside").open())) == "storage-failed"


def test_an_empty_file_is_not_taken_for_a_new_store(path: Path) -> None:
    """Whatever emptied it: tables that are gone must not look like tables that never were."""
    with_store(path, lambda store: store.append(change("a", 0, "x")))
    path.write_bytes(b"")
    wal = path.with_name(f"{path.name}-wal")
    wal.write_bytes(b"what may be left of the moves")
    for _ in range(2):
        assert asyncio.run(outcome(SqliteStore(path).open())) == "storage-empty"
    assert path.read_bytes() == b""
    assert wal.read_bytes() == b"what may be left of the moves"
    for file in (path, wal):
        file.unlink()
    assert asyncio.run(open_and_close(SqliteStore(path))) == "stored"


@pytest.mark.parametrize("version", [0, 2])
def test_a_file_of_another_program_is_left_alone(path: Path, version: int) -> None:
    path.parent.mkdir()
    with closing(connect_sqlite(path)) as other:
        other.execute("CREATE TABLE recipes (cake)")
        other.execute(f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    assert asyncio.run(outcome(SqliteStore(path).open())) == "storage-foreign"
    assert path.read_bytes() == before


def test_a_store_emptied_while_open_is_not_recreated(path: Path) -> None:
    faults = Faults(sqlite3.SQLITE_IOERR_WRITE)

    async def deed(store: SqliteStore) -> None:
        await store.append(change("a", 0, "x"))
        faults.arm(0, 1)
        assert await outcome(store.append(change("a", 1, "y"))) == "storage-failed"
        kept = path.read_bytes()
        path.write_bytes(b"")
        assert await outcome(store.append(change("a", 1, "y"))) == "storage-empty"
        path.write_bytes(kept)

    with_store(path, deed, connect=faults.connect)


KILLED = """
import asyncio, os, signal, sqlite3, sys
from pathlib import Path
from stichwerk.server.storage.sqlite_store import SqliteStore
count = 0
def connect(path):
    class Dying(sqlite3.Connection):
        def execute(self, sql, *given):
            global count
            if count == int(sys.argv[2]):
                os.kill(os.getpid(), signal.SIGKILL)
            count += 1
            return super().execute(sql, *given)
    return sqlite3.connect(path, isolation_level=None, factory=Dying)
async def main():
    await SqliteStore(Path(sys.argv[1]), connect=connect).open()
    os._exit(0)
asyncio.run(main())
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no kill -9")
def test_a_kill_during_creation_does_not_block_later_starts(path: Path) -> None:
    codes = []
    for statement in (*range(0, 20, 3), 999):
        folder = path.parent / str(statement)
        command = (sys.executable, "-c", KILLED, str(folder / "store"), str(statement))
        codes.append(subprocess.run(command, check=False).returncode)
        assert asyncio.run(open_and_close(SqliteStore(folder / "store"))) == "stored"
    assert codes[0] == -signal.SIGKILL
    assert codes[-1] == 0


# Versions of the schema


def make_old_file(path: Path) -> None:
    """Make a file of version 1 with an unfinished match and a finished one."""
    path.parent.mkdir()
    with closing(connect_sqlite(path)) as old:
        old.execute("PRAGMA journal_mode = WAL")
        schema.migrate(old, 1)
        old.execute("BEGIN")
        for n in range(100):
            old.execute("INSERT INTO tables VALUES (?, 1, ?, ?)", (f"t{n}", n, json.dumps(n)))
            rows = [(f"t{n}", seq, n, str(seq).encode()) for seq in range(20)]
            old.executemany("INSERT INTO log VALUES (?, ?, ?, ?)", rows)
        old.execute("INSERT INTO matches VALUES ('m', 't1', 5, 'sticheln', x'7B7D')")
        old.execute("COMMIT")


def test_an_upgrade_in_the_middle_of_matches(path: Path) -> None:
    make_old_file(path)
    with closing(connect_sqlite(path)) as old:
        assert schema.version(old) == 1
        with pytest.raises(sqlite3.OperationalError, match="open"):
            old.execute("SELECT open FROM tables")

    async def go_on(store: SqliteStore) -> None:
        assert [table for table, _, _ in await store.tables()] == [
            f"t{n}" for n in reversed(range(100))
        ]
        for n in range(100):
            assert await store.read(f"t{n}") == [str(seq).encode() for seq in range(20)]
        moves = [change(f"t{n}", 20, "20", open=n % 2 == 0) for n in range(100)]
        await asyncio.gather(*map(store.append, moves))
        assert len(await store.tables()) == 50
        assert await store.match("m") == b"{}"

    with_store(path, go_on)
    with closing(connect_sqlite(path)) as new:
        assert schema.version(new) == schema.VERSION == 3


def test_a_failed_upgrade_can_be_retried(tmp_path: Path) -> None:
    """Whichever call fails, the file is of one version or the other, and no row is lost."""
    faults = Faults(sqlite3.SQLITE_FULL)
    found: list[int] = []
    for k in count():
        path = tmp_path / str(k) / "old"
        make_old_file(path)
        faults.arm(k, 1)
        answer = asyncio.run(open_and_close(SqliteStore(path, connect=faults.connect)))
        with closing(connect_sqlite(path)) as file:
            columns = [row[1] for row in file.execute("PRAGMA table_info(tables)")]
            found.append(schema.version(file))
            assert (found[-1] >= 2) == ("open" in columns)
            assert (found[-1] == 3) == ("behind" in columns)
        if answer == "stored":
            break
        with_store(path, lambda store: store.append(change("t99", 20, "20")))
    assert found == sorted(found)
    assert found.count(1) > 8


async def open_and_close(store: SqliteStore) -> str:
    answer = await outcome(store.open())
    await store.close()
    return answer


def test_a_store_of_a_newer_program_is_left_alone(path: Path) -> None:
    with_store(path, lambda store: store.append(change("a", 0, "x")))
    with closing(connect_sqlite(path)) as newer:
        newer.execute("PRAGMA user_version = 4")
    before = path.read_bytes()

    async def run() -> None:
        with pytest.raises(StorageError) as refused:
            await SqliteStore(path).open()
        assert refused.value.id == "storage-too-new"
        assert refused.value.data == {"version": 4, "known": 3}

    asyncio.run(run())
    assert path.read_bytes() == before
