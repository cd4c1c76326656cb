"""A store in one SQLite file.

One thread does all the work on the file. It takes whatever is queued, writes it in one transaction
and answers only after the commit: the higher the load, the more moves share one commit. Reads run
in the same thread, between commits. They are short and rare (a table is read on first use), and
after a failed commit they go through the recovered connection, so that they return what is really
stored.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from stichwerk.server.storage import statements
from stichwerk.server.storage.sqlite_errors import OWN_FAULTS, PASSING, error_code, refusal
from stichwerk.server.storage.sqlite_file import (
    Connect,
    check_content,
    connect_sqlite,
    empty_wal,
    make_file,
    prepared,
)
from stichwerk.server.storage.store import FinishedMatch, LogAppend, StorageError
from stichwerk.server.storage.transfer import StoredMatch, StoredTable

LARGEST_BATCH = 1000
"""How many changes share a commit at most."""

T = TypeVar("T")

Work = Callable[[sqlite3.Connection], T]


class _Job:
    """A unit of work on the file, and the future for its result."""

    __slots__ = ("answer", "error", "future", "last", "work", "writes")

    def __init__(self, work: Work[Any], writes: bool, future: "asyncio.Future[Any]") -> None:
        self.work = work
        self.writes = writes
        self.future = future
        self.last = False  # whether it is the last one
        self.answer: object = None
        self.error: Exception | None = None

    def settle(self) -> None:
        """Set the result, in the event loop. A cancelled future is left alone."""
        if self.future.done():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.answer)


def _ignore(point: str) -> None:
    """Do nothing at a point of the commit path; a crash test ends the process instead."""


class SqliteStore:
    """A store in one SQLite file. Its methods must be called from the event loop that opened it.

    `connect` creates the connections, in the store's own thread. `checkpoint` is called with the
    name of each point of the commit path: taken, begun, inserted (once per change), before-commit,
    committed. A foreign lock is waited for `busy_seconds`.
    """

    def __init__(
        self,
        path: Path,
        *,
        connect: Connect = connect_sqlite,
        checkpoint: Callable[[str], None] = _ignore,
        busy_seconds: float = 2.0,
    ) -> None:
        self.path = path
        self.healthy = True
        self._connect = connect
        self._checkpoint = checkpoint
        self._busy_seconds = busy_seconds
        self._connection: sqlite3.Connection | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._jobs: SimpleQueue[_Job] = SimpleQueue()

    async def open(self) -> None:
        """Open the file; create or migrate it if necessary."""
        if self._loop is not None:
            return
        self._loop = asyncio.get_running_loop()
        self._jobs = SimpleQueue()
        opened = _Job(lambda _: None, False, self._loop.create_future())
        # A daemon: a process that ends without `close` must not hang.
        Thread(target=self._run, args=(opened,), name="stichwerk-store", daemon=True).start()
        try:
            await opened.future
        except StorageError:
            self._loop = None
            raise

    async def append(self, change: LogAppend) -> None:
        """Return after the commit; one conflicting change does not affect the others."""
        await self._ask(lambda connection: statements.append(connection, change), writes=True)

    async def claim(self, table: str) -> int:
        """Return 0: the server locks the folder of the file, so no other process writes to it, and
        tables stay readable when the disk is full."""
        return 0

    async def read(self, table: str) -> list[bytes]:
        """Return all entries in order."""
        return await self._ask(lambda connection: statements.read(connection, table))

    async def tables(self, *, open_only: bool = True) -> list[tuple[str, bytes, int]]:
        """Return id, summary and time of the last change; newest first."""
        return await self._ask(lambda connection: statements.tables(connection, open_only))

    async def behind(self) -> list[tuple[str, int]]:
        """Return the tables that need a summary, and when they last changed."""
        return await self._ask(statements.behind)

    async def match(self, id: str) -> bytes | None:
        """Return the record of a finished match, if it exists."""
        return await self._ask(lambda connection: statements.match(connection, id))

    async def matches(self, *, after: str = "", most: int = 50) -> list[FinishedMatch]:
        """Return the next finished matches in the order of their ids."""
        return await self._ask(lambda connection: statements.matches(connection, after, most))

    async def matches_of(self, table: str) -> list[FinishedMatch]:
        """Return the finished matches of a table."""
        return await self._ask(lambda connection: statements.matches_of(connection, table))

    async def latest_of(self, table: str, most: int) -> list[tuple[int | None, FinishedMatch]]:
        """Return the newest first, each with its time in milliseconds since 1970."""
        return await self._ask(lambda connection: statements.latest_of(connection, table, most))

    async def add_matches(self, matches: Sequence[FinishedMatch]) -> int:
        """Add matches without a table; return how many were new."""
        return await self._ask(
            lambda connection: statements.add_matches(connection, matches), writes=True
        )

    async def probe(self) -> None:
        """Write something and delete it again, to see whether anything can be stored."""
        await self._ask(statements.probe, writes=True)

    async def newest(self, *, until: int) -> int | None:
        """Return the time of the last change."""
        return await self._ask(lambda connection: statements.newest(connection, until))

    async def mark_for_deletion(
        self, *, before: int, until: int, anew: bool = False
    ) -> tuple[int, int]:
        """Mark idle tables for deletion and unmark the others; write only what changes."""
        if anew:
            await self._ask(statements.clear_mark, writes=True)
        if not await self._ask(lambda connection: statements.marks_are_wrong(connection, before)):
            return 0, await self._ask(statements.count_marked)
        return await self._ask(
            lambda connection: statements.mark_for_deletion(connection, before, until), writes=True
        )

    async def marked_for_deletion(self, *, before: int, now: int) -> list[str]:
        """Return idle tables that are due for deletion."""
        return await self._ask(
            lambda connection: statements.marked_for_deletion(connection, before, now)
        )

    async def forget(
        self, table: str, records: Sequence[FinishedMatch], *, before: int | None = None
    ) -> bool:
        """Delete a table except for these records; nothing else stays in the files."""
        forgotten = await self._ask(
            lambda connection: statements.forget(connection, table, records, before), writes=True
        )
        if forgotten:
            with suppress(StorageError):  # the table is deleted; the next run cleans up
                await self._ask(empty_wal)
        return forgotten

    async def stored_tables(self, *, after: str, most: int) -> list[StoredTable]:
        """Return a page of tables with their logs."""
        return await self._ask(lambda connection: statements.stored_tables(connection, after, most))

    async def stored_matches(self, *, after: str, most: int) -> list[StoredMatch]:
        """Return a page of finished matches."""
        return await self._ask(
            lambda connection: statements.stored_matches(connection, after, most)
        )

    async def restore_tables(self, tables: Sequence[StoredTable]) -> None:
        """Add tables with their logs, unless they are there already."""
        await self._ask(
            lambda connection: statements.restore_tables(connection, tables), writes=True
        )

    async def restore_matches(self, matches: Sequence[StoredMatch]) -> None:
        """Add finished matches, unless they are there already."""
        await self._ask(
            lambda connection: statements.restore_matches(connection, matches), writes=True
        )

    async def close(self) -> None:
        """Finish queued work, checkpoint the write-ahead log and close the file."""
        if self._loop is None:
            return
        closed = _Job(lambda _: None, False, self._loop.create_future())
        closed.last = True
        self._jobs.put(closed)
        self._loop = None
        await closed.future

    def _ask(self, work: Work[T], *, writes: bool = False) -> "asyncio.Future[T]":
        """Queue work; return the future of its result."""
        if self._loop is None:
            raise StorageError("storage-closed")
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put(_Job(work, writes, future))
        return future

    def _run(self, opened: _Job) -> None:
        """Open, then process batch after batch until the end. Nothing else may stop the thread."""
        loop = opened.future.get_loop()
        try:
            make_file(self.path, self._connect)
            self._connected()
        except Exception as error:
            opened.error = refusal(error)
        _settle(loop, [opened])
        goes_on = opened.error is None
        while goes_on:
            jobs = self._take()
            self._do(loop, jobs)
            goes_on = not jobs[-1].last

    def _take(self) -> list[_Job]:
        """Return the queued work; wait until there is some."""
        jobs = [self._jobs.get()]
        with suppress(Empty):
            while len(jobs) < LARGEST_BATCH:
                jobs.append(self._jobs.get_nowait())
        return jobs

    def _do(self, loop: asyncio.AbstractEventLoop, jobs: list[_Job]) -> None:
        """Do all writes in one transaction, then the reads: they see what was requested before."""
        writes = [job for job in jobs if job.writes]
        if writes:
            self.healthy = self._attempt(self._commit, writes)
            _settle(loop, writes)
        reads = [job for job in jobs if not job.writes]
        for job in reads:
            self._attempt(_answer, [job])
        if jobs[-1].last:  # `close` returns only after the file is closed
            self._finish()
        _settle(loop, reads)

    def _attempt(
        self, deed: Callable[[sqlite3.Connection, list[_Job]], None], jobs: list[_Job]
    ) -> bool:
        """Do work; if it fails, recover the connection and refuse all of these jobs."""
        try:
            deed(self._connected(), jobs)
        except Exception as error:
            self._recover(error)
            for job in jobs:
                job.error = refusal(error)
            return False
        return True

    def _commit(self, connection: sqlite3.Connection, jobs: list[_Job]) -> None:
        """Run one transaction for all, with a savepoint for each."""
        self._checkpoint("taken")
        connection.execute("BEGIN IMMEDIATE")
        self._checkpoint("begun")
        for job in jobs:
            _do_apart(connection, job)
            self._checkpoint("inserted")
        self._checkpoint("before-commit")
        connection.execute("COMMIT")
        self._checkpoint("committed")

    def _connected(self) -> sqlite3.Connection:
        """Return the connection, reopened if the last one was given up."""
        if self._connection is None:
            if not self.path.exists():  # an empty file in its place would look like an empty store
                raise StorageError("storage-failed", why="file missing")
            check_content(self.path)
            self._connection = prepared(self._connect(self.path), self.path, self._busy_seconds)
        return self._connection

    def _recover(self, error: Exception) -> None:
        """End the transaction. A connection that may be damaged is replaced, which also settles the
        outcome of a failed commit."""
        connection = self._connection
        if connection is None:
            return
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except sqlite3.Error:
            self._disconnect()
        if error_code(error) not in PASSING:
            self._disconnect()

    def _disconnect(self) -> None:
        """Close the connection, whatever state it is in."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    def _finish(self) -> None:
        """Leave a single file behind. Committed data is safe whether this works or not."""
        if self._connection is not None:
            with suppress(sqlite3.Error):
                empty_wal(self._connection)
        self._disconnect()


def _settle(loop: asyncio.AbstractEventLoop, jobs: list[_Job]) -> None:
    """Wake the event loop once for all of them."""
    if jobs:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_settle_here, jobs)


def _settle_here(jobs: list[_Job]) -> None:
    for job in jobs:
        job.settle()


def _answer(connection: sqlite3.Connection, jobs: list[_Job]) -> None:
    for job in jobs:
        job.answer = job.work(connection)


def _do_apart(connection: sqlite3.Connection, job: _Job) -> None:
    """Make one change of a batch, all or nothing. An error in it does not affect the others."""
    connection.execute("SAVEPOINT change")
    try:
        job.answer = job.work(connection)
    except Exception as error:
        if isinstance(error, sqlite3.Error) and not isinstance(error, OWN_FAULTS):
            raise
        connection.execute("ROLLBACK TO change")
        job.error = refusal(error)
    connection.execute("RELEASE change")
