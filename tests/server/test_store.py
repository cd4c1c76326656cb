"""The store: nothing acknowledged is lost, nothing is half there, and it recovers by itself."""

import asyncio
import os
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.storage.store import FinishedMatch, LogAppend, Store
from tests.server.store_setup import change, in_store, outcome, outcomes, well, with_store
from tests.server.store_setup import make_store_fixture as make_store_fixture
from tests.server.store_setup import path_fixture as path_fixture

MakeStore = Callable[[], Store]

# What is stored and how it is read


def test_entries_are_read_back_in_order(make_store: MakeStore) -> None:
    async def write(store: Store) -> None:
        await store.append(change("a", 0, "0", "1", "2"))
        await asyncio.gather(*(store.append(change("a", seq, str(seq))) for seq in range(3, 50)))
        await store.append(change("b", 1, "x"))
        assert await store.read("a") == [str(seq).encode() for seq in range(50)]

    async def read(store: Store) -> list[list[bytes]]:
        return [await store.read(table) for table in ("a", "b", "none")]

    in_store(make_store, write)
    everything = [str(seq).encode() for seq in range(50)]
    assert in_store(make_store, read) == [everything, [b"x"], []]


def test_summaries_and_tables(make_store: MakeStore) -> None:
    async def deed(store: Store) -> None:
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

    in_store(make_store, deed)


def test_idle_tables_are_marked_before_deletion(make_store: MakeStore) -> None:
    async def deed(store: Store) -> None:
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

    in_store(make_store, deed)


def test_a_table_is_behind_until_fully_summarised(make_store: MakeStore) -> None:
    async def deed(store: Store) -> None:
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

    in_store(make_store, deed)


def test_finished_matches(make_store: MakeStore) -> None:
    one, two = FinishedMatch("m1", "stichling", b"{}"), FinishedMatch("m2", "sticheln", b"[]")

    async def deed(store: Store) -> None:
        await store.append(change("a", 0, "x", finished=(one, two)))
        assert await store.match("m1") == b"{}"
        assert await store.match("m3") is None
        assert await store.matches_of("a") == [one, two]
        assert await store.matches(most=1) == [one]
        assert await store.matches(after="m1") == [two]
        assert await store.matches(after="m2") == []

    in_store(make_store, deed)


def test_adding_matches_keeps_existing_ones(make_store: MakeStore) -> None:
    async def deed(store: Store) -> None:
        await store.append(change("a", 0, "x", finished=(FinishedMatch("m1", "sticheln", b"1"),)))
        given = [FinishedMatch("m1", "sticheln", b"other"), FinishedMatch("m2", "sticheln", b"2")]
        assert await store.add_matches(given) == 1
        assert await store.add_matches(given) == 0
        assert await store.add_matches([]) == 0
        assert [await store.match(id) for id in ("m1", "m2")] == [b"1", b"2"]
        # A backup was restored, the newer matches imported, and the table plays on.
        await store.append(change("a", 1, "y", finished=(FinishedMatch("m2", "sticheln", b"own"),)))
        assert await store.match("m2") == b"own"

    in_store(make_store, deed)


def test_forgetting_a_table(make_store: MakeStore) -> None:
    kept, gone = (
        FinishedMatch("m1", "sticheln", b"names"),
        FinishedMatch("m2", "sticheln", b"names"),
    )

    async def deed(store: Store) -> None:
        await store.append(change("a", 0, "x", finished=(kept, gone)))
        await store.append(change("b", 0, "y", finished=(FinishedMatch("m3", "sticheln", b"b"),)))
        assert not await store.forget("a", [], before=1000)  # it was touched just then
        assert await store.forget("a", [FinishedMatch("m1", "sticheln", b"0")], before=1001)
        assert not await store.forget("a", [])
        assert await store.read("a") == []
        assert await store.tables(open_only=False) == [("b", b"{}", 1000)]
        assert [await store.match(f"m{n}") for n in (1, 2, 3)] == [b"0", None, b"b"]
        assert await store.matches_of("a") == []

    in_store(make_store, deed)


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


def mixed_changes() -> list[LogAppend]:
    """Return a change that follows `a`'s entries 0 and 1, and four that must be refused."""
    match = (FinishedMatch("m", "sticheln", b"{}"),)
    return [
        change("a", 2, "2", finished=match),
        change("a", 1, "again", "and a half", summary=b"wrong"),  # there already
        change("a", 4, "gap"),
        change("b", 7, "no beginning"),
        change("b", 0, "0", finished=match),  # someone else's match
    ]


def test_a_conflict_affects_only_its_table(path: Path) -> None:
    """The batch is held at the first point until all of it is queued."""
    gate = Event()
    passed: Counter[str] = Counter()

    def wait(point: str) -> None:
        passed[point] += 1
        assert gate.wait(60)

    async def deed(store: SqliteStore) -> None:
        first = asyncio.create_task(outcome(store.append(change("a", 0, "0", "1"))))
        while not passed["taken"]:
            await asyncio.sleep(0)
        wanted = [
            *mixed_changes(),
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


def test_changes_of_a_batch_do_not_affect_each_other(make_store: MakeStore) -> None:
    async def deed(store: Store) -> None:
        await store.append(change("a", 0, "0", "1"))
        wanted = [
            *mixed_changes(),
            change("a", 3, "3"),
            change("d", 0, "0"),
            LogAppend(table="c", first=0, entries=(b"x",), at=2**63),  # too large a number
        ]
        conflict, failed = "storage-conflict", "storage-failed"
        expected = ["stored", *[conflict] * 4, "stored", "stored", failed]
        assert await outcomes([store.append(each) for each in wanted]) == expected
        assert await store.read("a") == [b"0", b"1", b"2", b"3"]
        assert await store.read("b") == await store.read("c") == []
        assert await store.tables() == [("a", b"{}", 1000), ("d", b"{}", 1000)]
        assert await store.match("m") == b"{}"
        assert store.healthy

    in_store(make_store, deed)


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


def test_a_cancelled_writer_affects_no_other(make_store: MakeStore) -> None:
    async def deed(store: Store) -> None:
        waiting = asyncio.ensure_future(store.append(change("a", 0, "x")))
        await asyncio.sleep(0)
        waiting.cancel()
        await store.append(change("b", 0, "x"))
        assert await store.read("a") == [b"x"]

    in_store(make_store, deed)


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
