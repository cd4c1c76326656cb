"""The store under faults: crashes, full, locked and failing disks."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from itertools import count, takewhile
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from stichwerk.server.storage.sqlite_file import connect_sqlite
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.storage.store import FinishedMatch
from tests.server.store_setup import Faults, change, outcome, outcomes, well, with_store
from tests.server.store_setup import path_fixture as path_fixture

POINTS = ("taken", "begun", "inserted", "before-commit", "committed")


# kill -9

CRASHING = """
import asyncio, os, signal, sys
from pathlib import Path
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.storage.store import FinishedMatch, LogAppend

path, point, left = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])

def checkpoint(name):
    global left
    left -= name == point
    if name == point and left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

async def play(store, table):
    for turn in range(50):
        entries = tuple(f"{turn}.{part}".encode() for part in range(3))
        match = FinishedMatch(f"{table}-{turn}", "sticheln", b"{}")
        summary = str(turn).encode()
        await store.append(LogAppend(table=table, first=turn * 3, entries=entries, at=turn,
                                  summary=summary, finished=(match,)))
        os.write(1, f"{table} {turn}\\n".encode())

async def main():
    store = SqliteStore(path, checkpoint=checkpoint)
    await store.open()
    await asyncio.gather(*(play(store, f"t{n}") for n in range(8)))

asyncio.run(main())
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill -9")
@pytest.mark.parametrize("nth", [1, 12])
@pytest.mark.parametrize("point", POINTS)
def test_a_killed_server_has_kept_what_it_acknowledged(path: Path, point: str, nth: int) -> None:
    command = [sys.executable, "-c", CRASHING, os.fspath(path), point, str(nth)]
    crashed = subprocess.run(command, stdout=subprocess.PIPE, check=False, timeout=120)
    assert crashed.returncode == -signal.SIGKILL
    acknowledged = Counter(line.split()[0] for line in crashed.stdout.decode().splitlines())
    assert (nth == 1) == (not acknowledged)

    async def check(store: SqliteStore) -> None:
        summaries = {table: int(summary) for table, summary, _ in await store.tables()}
        for table in (f"t{n}" for n in range(8)):
            log = await store.read(table)
            turns = len(log) // 3
            assert log == [f"{turn}.{part}".encode() for turn in range(turns) for part in range(3)]
            # One more than acknowledged may have been committed, but only a whole one.
            assert acknowledged[table] <= turns <= acknowledged[table] + 1
            assert len(await store.matches_of(table)) == turns
            assert summaries.get(table, -1) == turns - 1
            await store.append(change(table, len(log), "goes on"))

    with_store(path, check)


# Faults of storage

FAULTS = {
    sqlite3.SQLITE_FULL: "storage-full",
    sqlite3.SQLITE_IOERR_WRITE: "storage-failed",
    sqlite3.SQLITE_IOERR_FSYNC: "storage-failed",
    sqlite3.SQLITE_READONLY: "storage-read-only",
    sqlite3.SQLITE_BUSY: "storage-locked",
    sqlite3.SQLITE_CANTOPEN: "storage-failed",
    sqlite3.SQLITE_CORRUPT: "storage-failed",
}


@pytest.mark.slow
@pytest.mark.parametrize(("times", "late"), [(1, False), (1, True), (40, False)])
@pytest.mark.parametrize("code", FAULTS)
def test_a_failure_at_every_storage_call(path: Path, code: int, times: int, late: bool) -> None:
    """Whatever call fails: what was acknowledged is there, what was refused is not or, after a
    doubtful commit, wholly; `read` says which, and it continues without a restart."""
    faults = Faults(code, late)
    by_table: dict[str, str] = {}

    async def once(store: SqliteStore, k: int) -> bool:
        """Make three changes while the k-th call fails; return whether it was reached."""
        tables = [f"{k}-{n}" for n in range(3)]
        faults.arm(k, times)
        wanted = [change(table, 0, "0", "1", finished=(finished(table),)) for table in tables]
        answers = await outcomes([store.append(each) for each in wanted])
        struck = list(faults.struck)
        while faults.calls <= faults.failing[-1]:  # use the faults up, and see them all survived
            await outcome(store.append(change("none", 99, "conflict")))
        assert await outcome(store.add_matches([])) == "stored"
        assert well(store)
        for table, answer in zip(tables, answers, strict=True):
            there = await store.read(table)
            assert there in ([], [b"0", b"1"])
            assert (await store.match(table) is not None) == bool(there)
            assert answer in ("stored", FAULTS[code])
            assert there or answer != "stored"
            assert not there or answer == "stored" or (late and "COMMIT" in struck)
            assert answer == "stored" or struck
            if not there:
                await store.append(change(table, 0, "0", "1", finished=(finished(table),)))
            await store.append(change(table, 2, "2"))
            by_table[table] = answer
        return bool(struck)

    async def deed(store: SqliteStore) -> None:
        for k in count():
            if not await once(store, k):
                break
        faults.failing = range(0)

    with_store(path, deed, connect=faults.connect)
    assert Counter(by_table.values())[FAULTS[code]] > 20

    async def check(store: SqliteStore) -> None:
        for table in by_table:
            assert await store.read(table) == [b"0", b"1", b"2"]

    with_store(path, check)


def finished(table: str) -> FinishedMatch:
    return FinishedMatch(table, "sticheln", b"{}")


@pytest.mark.parametrize("code", FAULTS)
def test_reads_fail_clearly_and_recover(path: Path, code: int) -> None:
    faults = Faults(code)

    async def deed(store: SqliteStore) -> None:
        await store.append(change("a", 0, "x"))
        for k in range(3):
            faults.arm(0, k + 1)
            assert await outcome(store.read("a")) == FAULTS[code]
            faults.arm(0, 0)
            assert await store.read("a") == [b"x"]
            assert well(store)  # only writes count

    with_store(path, deed, connect=faults.connect)


@pytest.mark.slow
@pytest.mark.parametrize("code", FAULTS)
def test_opening_fails_clearly_and_can_be_tried_again(path: Path, code: int) -> None:
    faults = Faults(code)

    async def run(k: int) -> str:
        faults.arm(k, 1)
        store = SqliteStore(path.with_name(str(k)), connect=faults.connect)
        first = await outcome(store.open())
        if first != "stored":
            assert await outcome(store.read("a")) == "storage-closed"
            assert await outcome(store.open()) == "stored"
        faults.arm(0, 0)
        await store.append(change("a", 0, "x"))
        await store.close()
        return first

    answers = list(
        takewhile(lambda answer: answer != "stored", (asyncio.run(run(k)) for k in count()))
    )
    assert set(answers) == {FAULTS[code]}
    assert len(answers) > 15  # connecting, settings, two steps of the schema


def test_an_unhealthy_store_recovers_after_a_write(path: Path) -> None:
    faults = Faults(sqlite3.SQLITE_FULL)

    async def deed(store: SqliteStore) -> None:
        faults.arm(0, 1)
        assert await outcome(store.append(change("a", 0, "x"))) == "storage-full"
        assert not well(store)
        assert await store.read("a") == []
        assert not well(store)
        await store.append(change("a", 0, "x"))
        assert well(store)

    with_store(path, deed, connect=faults.connect)


def test_a_full_disk_is_reported(path: Path) -> None:
    """SQLite itself runs out of pages: a true SQLITE_FULL."""
    made: list[sqlite3.Connection] = []

    def connect(path: Path) -> sqlite3.Connection:
        made.append(sqlite3.connect(path, isolation_level=None, check_same_thread=False))
        made[-1].execute("PRAGMA max_page_count = 40")
        return made[-1]

    async def deed(store: SqliteStore) -> None:
        kept = 0
        while (answer := await outcome(store.append(change("a", kept, "x" * 9000)))) == "stored":
            kept += 1
        assert answer == "storage-full"
        assert kept
        assert not well(store)
        assert await store.read("a") == [b"x" * 9000] * kept
        await store.append(change("a", kept, "small"))  # there is space for this one
        assert well(store)
        made[-1].execute("PRAGMA max_page_count = 4000")
        await store.append(change("a", kept + 1, "x" * 9000))
        assert len(await store.read("a")) == kept + 2
        assert len(made) == 2  # to make the file, and to use it: reads went on all the time

    with_store(path, deed, connect=connect)


def test_a_read_only_file_is_reported(path: Path) -> None:
    """SQLite refuses to write: a true SQLITE_READONLY, also for those who may do anything."""
    read_only = False

    class Switched(sqlite3.Connection):
        def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
            if sql == "BEGIN IMMEDIATE":
                super().execute(f"PRAGMA query_only = {read_only}")
            return super().execute(sql, *given)

    def connect(path: Path) -> sqlite3.Connection:
        return sqlite3.connect(path, isolation_level=None, factory=Switched)

    async def deed(store: SqliteStore) -> None:
        nonlocal read_only
        await store.append(change("a", 0, "x"))
        read_only = True
        for _ in range(2):
            assert await outcome(store.append(change("a", 1, "y"))) == "storage-read-only"
            assert await store.read("a") == [b"x"]
        read_only = False
        await store.append(change("a", 1, "y"))
        assert await store.read("a") == [b"x", b"y"]

    with_store(path, deed, connect=connect)


def test_a_removed_and_restored_folder_is_handled(path: Path) -> None:
    """Root may write everywhere, so permissions would not stop everyone who runs this."""

    async def fill(store: SqliteStore) -> None:
        await store.append(change("a", 0, "x"))

    async def run() -> None:
        store = SqliteStore(path, connect=connect_sqlite)
        aside = path.parent.with_name("aside")
        path.parent.rename(aside)
        path.parent.write_text("not a folder")
        assert await outcome(store.open()) != "stored"
        path.parent.unlink()
        aside.rename(path.parent)
        await store.open()
        assert await store.read("a") == [b"x"]
        await store.append(change("a", 1, "y"))
        await store.close()

    with_store(path, fill)
    asyncio.run(run())


def test_a_lock_of_another_program_is_reported(path: Path) -> None:
    async def deed(store: SqliteStore) -> None:
        await store.append(change("a", 0, "x"))
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            answers = await outcomes([store.append(change("a", 1, "y")), store.read("a")])
            assert answers == ["storage-locked", "stored"]
            assert not well(store)
            other.execute("ROLLBACK")
        await store.append(change("a", 1, "y"))
        assert well(store)
        assert await store.read("a") == [b"x", b"y"]

    with_store(path, deed, busy_seconds=0.05)


def test_a_short_lock_is_waited_for(path: Path) -> None:
    begins = Event()

    class Noticed(sqlite3.Connection):
        def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
            if sql == "BEGIN IMMEDIATE":
                begins.set()
            return super().execute(sql, *given)

    def connect(path: Path) -> sqlite3.Connection:
        return sqlite3.connect(path, isolation_level=None, factory=Noticed)

    async def deed(store: SqliteStore) -> None:
        begins.clear()
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            waiting = asyncio.ensure_future(store.append(change("a", 0, "x")))
            while not begins.is_set():
                await asyncio.sleep(0)
            await asyncio.sleep(0.01)  # without patience it would have failed by now
            assert not waiting.done()
            other.execute("ROLLBACK")
            await waiting

    with_store(path, deed, connect=connect, busy_seconds=600)
