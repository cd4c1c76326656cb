"""The store: nothing acknowledged is lost, nothing is half there, and it recovers by itself."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import closing
from itertools import count, takewhile
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

import pytest

from stichwerk.locale import LANGUAGES, text
from stichwerk.server.storage import schema
from stichwerk.server.storage.sqlite_file import connect_sqlite
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.storage.store import FinishedMatch, LogAppend, StorageError

T = TypeVar("T")
POINTS = ("taken", "begun", "inserted", "before-commit", "committed")


def change(table: str, first: int, *entries: str, **more: Any) -> LogAppend:
    """Return a change in short."""
    return LogAppend(
        table=table, first=first, entries=tuple(e.encode() for e in entries), at=1000, **more
    )


def with_store(path: Path, deed: Callable[[SqliteStore], Awaitable[T]], **options: Any) -> T:
    """Open, do, close."""

    async def run() -> T:
        store = SqliteStore(path, **options)
        await store.open()
        try:
            return await deed(store)
        finally:
            await store.close()

    return asyncio.run(run())


async def outcome(answer: Awaitable[object]) -> str:
    """Return the id of a refusal, or "stored"."""
    try:
        await answer
    except StorageError as error:
        refused = error
    else:
        return "stored"
    for lang in LANGUAGES:  # each has a sentence, with all its facts
        assert not text(refused.id, lang, **refused.data).startswith(refused.id)
    return refused.id


def well(store: SqliteStore) -> bool:
    return store.healthy


async def outcomes(answers: Iterable[Awaitable[object]]) -> list[str]:
    return list(await asyncio.gather(*map(outcome, answers)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "stichwerk.sqlite"


# What is stored and how it is read


def test_entries_are_read_back_in_order(path: Path) -> None:
    async def write(store: SqliteStore) -> None:
        await store.append(change("a", 0, "0", "1", "2"))
        await asyncio.gather(*(store.append(change("a", seq, str(seq))) for seq in range(3, 50)))
        await store.append(change("b", 1, "x"))
        assert await store.read("a") == [str(seq).encode() for seq in range(50)]

    async def read(store: SqliteStore) -> list[list[bytes]]:
        return [await store.read(table) for table in ("a", "b", "none")]

    with_store(path, write)
    everything = [str(seq).encode() for seq in range(50)]
    assert with_store(path, read) == [everything, [b"x"], []]


def test_summaries_and_tables(path: Path) -> None:
    async def deed(store: SqliteStore) -> None:
        await store.append(change("a", 0, "x", summary=b'{"a":1}'))
        await store.append(LogAppend(table="b", first=0, entries=(b"x",), at=2000))
        assert await store.tables() == [("b", b"{}", 2000), ("a", b'{"a":1}', 1000)]
        await store.append(LogAppend(table="a", first=1, entries=(b"y",), at=3000))
        assert await store.tables() == [("a", b'{"a":1}', 3000), ("b", b"{}", 2000)]
        await store.append(
            LogAppend(table="a", first=2, entries=(), at=500, summary=b"2", open=False)
        )
        assert await store.tables() == [("b", b"{}", 2000)]
        assert await store.tables(open_only=False) == [("a", b"2", 3000), ("b", b"{}", 2000)]
        assert await store.read("a") == [b"x", b"y"]
        assert await store.newest(until=9000) == 3000

    with_store(path, deed)


def test_idle_tables_are_marked_before_deletion(path: Path) -> None:
    async def deed(store: SqliteStore) -> None:
        assert await store.newest(until=9000) is None
        assert await store.mark_for_deletion(before=9000, until=9000) == (0, 0)
        for table, at in (("a", 1000), ("b", 2000)):
            await store.append(LogAppend(table=table, first=0, entries=(b"x",), at=at))
        assert await store.mark_for_deletion(before=2000, until=5000) == (1, 1)
        assert await store.mark_for_deletion(before=3000, until=6000) == (1, 2), "a keeps its time"
        assert await store.marked_for_deletion(before=3000, now=4999) == []
        assert await store.marked_for_deletion(before=3000, now=5000) == ["a"]
        assert await store.marked_for_deletion(before=3000, now=6000) == ["a", "b"]
        assert await store.marked_for_deletion(before=2000, now=6000) == ["a"]
        assert await store.mark_for_deletion(before=2000, until=9000) == (0, 1), (
            "b is too young after all"
        )
        assert await store.marked_for_deletion(before=3000, now=6000) == ["a"]
        assert await store.mark_for_deletion(before=2000, until=9000, anew=True) == (1, 1)
        assert await store.marked_for_deletion(before=3000, now=8999) == []
        assert await store.marked_for_deletion(before=3000, now=9000) == ["a"]

    with_store(path, deed)


def test_a_table_is_behind_until_fully_summarised(path: Path) -> None:
    async def deed(store: SqliteStore) -> None:
        await store.append(change("a", 1, "made"))
        assert await store.behind() == [("a", 1000)], "it has no summary"
        await store.append(change("a", 2, summary=b"{}"))
        assert await store.behind() == []
        await store.append(change("a", 2, "a move"))
        assert await store.behind() == []
        await store.append(change("a", 3, "the last move", behind=True))
        await store.append(change("a", 3, summary=b"{}"))
        assert await store.behind() == [("a", 1000)], "that was a summary of what came before"
        await store.append(change("a", 4, "more"))
        assert await store.behind() == [("a", 1000)]
        await store.append(change("a", 5, summary=b"{}"))
        assert await store.behind() == []

    with_store(path, deed)


def test_finished_matches(path: Path) -> None:
    one, two = FinishedMatch("m1", "stichling", b"{}"), FinishedMatch("m2", "sticheln", b"[]")

    async def deed(store: SqliteStore) -> None:
        await store.append(change("a", 0, "x", finished=(one, two)))
        assert await store.match("m1") == b"{}"
        assert await store.match("m3") is None
        assert await store.matches_of("a") == [one, two]
        assert await store.matches(most=1) == [one]
        assert await store.matches(after="m1") == [two]
        assert await store.matches(after="m2") == []

    with_store(path, deed)


def test_adding_matches_keeps_existing_ones(path: Path) -> None:
    async def deed(store: SqliteStore) -> None:
        await store.append(change("a", 0, "x", finished=(FinishedMatch("m1", "sticheln", b"1"),)))
        given = [FinishedMatch("m1", "sticheln", b"other"), FinishedMatch("m2", "sticheln", b"2")]
        assert await store.add_matches(given) == 1
        assert await store.add_matches(given) == 0
        assert await store.add_matches([]) == 0
        assert [await store.match(id) for id in ("m1", "m2")] == [b"1", b"2"]
        # A backup was restored, the newer matches imported, and the table plays on.
        await store.append(change("a", 1, "y", finished=(FinishedMatch("m2", "sticheln", b"own"),)))
        assert await store.match("m2") == b"own"

    with_store(path, deed)


def test_forgetting_a_table(path: Path) -> None:
    kept, gone = (
        FinishedMatch("m1", "sticheln", b"names"),
        FinishedMatch("m2", "sticheln", b"names"),
    )

    async def deed(store: SqliteStore) -> None:
        await store.append(change("a", 0, "x", finished=(kept, gone)))
        await store.append(change("b", 0, "y", finished=(FinishedMatch("m3", "sticheln", b"b"),)))
        assert not await store.forget("a", [], before=1000)  # it was touched just then
        assert await store.forget("a", [FinishedMatch("m1", "sticheln", b"0")], before=1001)
        assert not await store.forget("a", [])
        assert await store.read("a") == []
        assert await store.tables(open_only=False) == [("b", b"{}", 1000)]
        assert [await store.match(f"m{n}") for n in (1, 2, 3)] == [b"0", None, b"b"]
        assert await store.matches_of("a") == []

    with_store(path, deed)


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_the_file_is_for_its_owner_only(path: Path) -> None:
    async def modes(store: SqliteStore) -> list[int]:
        await store.add_matches([FinishedMatch("m", "sticheln", b"{}")])
        return [file.stat().st_mode & 0o777 for file in sorted(path.parent.iterdir())]

    old = os.umask(0)
    try:
        assert with_store(path, modes) == [0o600, 0o600, 0o600]
    finally:
        os.umask(old)
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert list(path.parent.iterdir()) == [path]  # the write-ahead log is folded into it
    path.chmod(0o644)
    assert with_store(path, modes)[0] == 0o600


def test_durable_settings(path: Path) -> None:
    made: list[sqlite3.Connection] = []

    def connect(path: Path) -> sqlite3.Connection:
        made.append(sqlite3.connect(path, isolation_level=None, check_same_thread=False))
        return made[-1]

    async def deed(store: SqliteStore) -> list[object]:
        names = ("journal_mode", "synchronous", "secure_delete", "busy_timeout")
        return [made[-1].execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    assert with_store(path, deed, connect=connect, busy_seconds=1.5) == ["wal", 2, 1, 1500]


# All or nothing, and no one hurts the others


def test_a_conflict_affects_only_its_table(path: Path) -> None:
    """The batch is held at the first point until all of it is queued."""
    gate = Event()
    passed: Counter[str] = Counter()

    def wait(point: str) -> None:
        passed[point] += 1
        assert gate.wait(60)

    match = (FinishedMatch("m", "sticheln", b"{}"),)

    async def deed(store: SqliteStore) -> None:
        first = asyncio.create_task(outcome(store.append(change("a", 0, "0", "1"))))
        while not passed["taken"]:
            await asyncio.sleep(0)
        wanted = [
            change("a", 2, "2", finished=match),
            change("a", 1, "again", "and a half", summary=b"wrong"),  # there already
            change("a", 4, "gap"),
            change("b", 7, "no beginning"),
            change("b", 0, "0", finished=match),  # someone else's match
            change("c", 2**63, "too large for a number", summary=b"wrong"),
            change("a", 3, "3"),
            change("d", 0, "0"),
        ]
        rest = asyncio.create_task(outcomes([store.append(each) for each in wanted]))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        gate.set()
        conflict, failed = "storage-conflict", "storage-failed"
        assert await first == "stored"
        expected = ["stored", *[conflict] * 4, conflict, "stored", "stored"]
        assert await rest == expected
        assert passed["committed"] == 2
        assert await store.read("a") == [b"0", b"1", b"2", b"3"]
        assert await store.tables() == [("a", b"{}", 1000), ("d", b"{}", 1000)]
        assert await store.read("b") == await store.read("c") == []
        too_large = LogAppend(table="c", first=0, entries=(b"x",), at=2**63)
        assert await outcomes([store.append(too_large), store.append(change("d", 1, "1"))]) == [
            *(failed, "stored")
        ]
        assert await store.tables() == [("a", b"{}", 1000), ("d", b"{}", 1000)]
        assert well(store)

    with_store(path, deed, checkpoint=wait)


def test_many_changes_share_a_commit(path: Path) -> None:
    """While the first commit is held, a thousand more come in; they need one commit."""
    commits = 0
    held, gate = Event(), Event()

    class Counting(sqlite3.Connection):
        def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
            nonlocal commits
            if sql == "COMMIT":
                commits += 1
                held.set()
                assert gate.wait(60)
            return super().execute(sql, *given)

    def connect(path: Path) -> sqlite3.Connection:
        return sqlite3.connect(path, isolation_level=None, factory=Counting)

    async def deed(store: SqliteStore) -> None:
        nonlocal commits
        commits = 0  # those of the schema do not count
        held.clear()
        gate.clear()
        first = asyncio.ensure_future(store.append(change("a", 0, "x")))
        while not held.is_set():
            await asyncio.sleep(0)
        rest = [asyncio.ensure_future(store.append(change(f"b{n}", 0, "x"))) for n in range(1500)]
        await asyncio.sleep(0)
        assert not first.done()  # nothing is acknowledged before its commit
        gate.set()
        await asyncio.gather(first, *rest)
        assert commits == 3  # 1 + 1,000 + 500
        assert len(await store.tables()) == 1501

    gate.set()
    with_store(path, deed, connect=connect)


def test_a_cancelled_writer_affects_no_other(path: Path) -> None:
    async def deed(store: SqliteStore) -> None:
        waiting = asyncio.ensure_future(store.append(change("a", 0, "x")))
        await asyncio.sleep(0)
        waiting.cancel()
        await store.append(change("b", 0, "x"))
        assert await store.read("a") == [b"x"]

    with_store(path, deed)


@pytest.mark.parametrize("largest", [1, 100, 101, 1000])
def test_closing_finishes_what_is_queued_and_refuses_the_rest(
    path: Path, largest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the end falls between two batches."""
    monkeypatch.setattr("stichwerk.server.storage.sqlite_store.LARGEST_BATCH", largest)

    async def run() -> None:
        store = SqliteStore(path)
        assert await outcome(store.append(change("a", 0, "x"))) == "storage-closed"
        await store.open()
        await store.open()
        queued = [asyncio.ensure_future(store.append(change(f"t{n}", 0, "x"))) for n in range(100)]
        await asyncio.sleep(0)
        await store.close()
        assert all(one.done() and not one.exception() for one in queued)
        assert list(path.parent.iterdir()) == [path]  # nothing is open any more
        assert await outcome(store.read("t1")) == "storage-closed"
        await store.close()
        await store.open()
        assert len(await store.tables()) == 100
        await store.close()

    asyncio.run(run())


def test_a_closed_event_loop_is_harmless(path: Path) -> None:
    async def run() -> SqliteStore:
        store = SqliteStore(path)
        await store.open()
        waiting = asyncio.ensure_future(store.append(change("a", 0, "x")))
        await asyncio.sleep(0)
        waiting.cancel()
        return store

    asyncio.run(run())

    async def read(store: SqliteStore) -> bytes:
        while not (there := await store.read("a")):
            await asyncio.sleep(0.01)
        return there[0]

    assert with_store(path, read) == b"x"


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
ROLLS_BACK = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC}
"""What SQLite ends the whole transaction for by itself."""


class Faults:
    """A storage whose calls, counted from `arm`, fail at the k-th one, for `times` calls. With
    `late` the call is made, and then reported as failed."""

    def __init__(self, code: int, late: bool = False) -> None:
        self.code = code
        self.late = late
        self.failing = range(0)
        self.calls = 0
        self.struck: list[str] = []

    def arm(self, k: int, times: int) -> None:
        self.calls = 0
        self.struck = []
        self.failing = range(k, k + times)

    def connect(self, path: Path) -> sqlite3.Connection:
        faults = self
        self.call("connect", lambda: None)

        class Failing(sqlite3.Connection):
            def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
                return faults.call(sql, lambda: super(Failing, self).execute(sql, *given), self)

            def executemany(self, sql: str, *given: Any) -> sqlite3.Cursor:
                return faults.call(sql, lambda: super(Failing, self).executemany(sql, *given), self)

            def close(self) -> None:
                super().close()  # SQLite lets go of the file in any case
                faults.call("close", lambda: None)

        return sqlite3.connect(path, isolation_level=None, factory=Failing)

    def call(
        self, sql: str, real: Callable[[], T], connection: sqlite3.Connection | None = None
    ) -> T:
        self.calls += 1
        if self.calls - 1 not in self.failing:
            return real()
        self.struck.append(sql)
        if self.late:
            real()
        elif connection is not None and connection.in_transaction and self.code in ROLLS_BACK:
            sqlite3.Connection.execute(connection, "ROLLBACK")
        raise self.error()

    def error(self) -> sqlite3.OperationalError:
        names = (name for name in dir(sqlite3) if name.startswith("SQLITE_"))
        error = sqlite3.OperationalError("made up")
        error.sqlite_errorcode = self.code
        error.sqlite_errorname = next(n for n in names if getattr(sqlite3, n) == self.code)
        return error


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
    """A file of version 1 with a match in the middle and a finished one."""
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
