"""The store: what happened at the tables, kept so that nothing acknowledged is ever lost.

The event log is the truth; a table in memory is a replay of it. `Store` is all the server knows, so
that another database can stand in; `SqliteStore` keeps everything in one SQLite file.

One thread does all the work on the file. It takes whatever is queued, writes it in one transaction
and answers only after the commit: the more there is to do, the more moves share one commit. Reads
run in the same thread, between the commits. They are short and rare (a table is read when it is
first touched), and after a commit that failed they go through the connection that was set right
since, so that they tell what is really there.
"""

import asyncio
import errno
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Protocol, TypeVar

import msgspec

from stichwerk.errors import StichwerkError
from stichwerk.server.storage import schema

LARGEST_BATCH = 1000
PROBE = 65_536  # bytes that a probe writes
"""So many changes share a commit at most; nobody waits for more than that."""

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]
Connect = Callable[[Path], sqlite3.Connection]


class FinishedMatch(msgspec.Struct, frozen=True):
    """The record of a finished match: one line of JSON."""

    id: str
    game: str
    record: bytes


class LogAppend(msgspec.Struct, frozen=True, kw_only=True):
    """What happened at a table: entries for its log, numbered `first`, `first` + 1 and so on.

    The first entry of a table has the number 0 or 1. `at` is in milliseconds since 1970. `summary`,
    JSON for the lobby, replaces the one before; None leaves it. `open`: whether the table is still
    of interest at start-up. `behind`: whether summary or records may lack something after these
    entries; a summary without entries ends that, if nothing has happened since.
    """

    table: str
    first: int
    entries: tuple[bytes, ...]
    at: int
    summary: bytes | None = None
    open: bool = True
    finished: tuple[FinishedMatch, ...] = ()
    behind: bool = False


class StorageError(StichwerkError):
    """Something could not be stored or read.

    `storage-conflict`: the entries do not follow those that are there. `storage-full`, `-read-only`
    and `-locked` pass when the cause does; `storage-failed` is everything else. After any of them
    `read` tells what was stored: a commit that reports a failure may have been made.
    """


class Store(Protocol):
    """Where tables and matches are kept. Everything that fails raises `StorageError`."""

    healthy: bool
    """False after a failed write until one works again."""

    async def open(self) -> None:
        """Be ready to read and write."""

    async def append(self, change: LogAppend) -> None:
        """Store all of this or nothing. Once it returns, nothing can lose it; who stops waiting
        does not stop it."""

    async def read(self, table: str) -> list[bytes]:
        """The whole log of a table in its order; empty if there is no such table."""

    async def tables(self, *, open_only: bool = True) -> list[tuple[str, bytes, int]]:
        """Id, summary and the time of the last change; the last changed first."""

    async def behind(self) -> list[tuple[str, int]]:
        """The tables whose summary or records may lack something, and when they last changed."""

    async def match(self, id: str) -> bytes | None:
        """The record of a finished match."""

    async def matches(self, *, after: str = "", most: int = 50) -> list[FinishedMatch]:
        """Finished matches by their ids, from the one that follows `after`; a page at a time."""

    async def matches_of(self, table: str) -> list[FinishedMatch]:
        """The finished matches of a table."""

    async def latest_of(self, table: str, most: int) -> list[tuple[int | None, FinishedMatch]]:
        """The last matches that were finished at a table, the newest first, and when."""

    async def add_matches(self, matches: Sequence[FinishedMatch]) -> int:
        """Add matches of no table; those that are there stay as they are. How many were new."""

    async def probe(self) -> None:
        """Whether anything can be stored; the answer is in `healthy`, or an error."""

    async def newest(self, *, until: int) -> int | None:
        """When anything was last changed, at any table; what a wrong clock has dated after `until`
        does not count."""

    async def mark_for_deletion(
        self, *, before: int, until: int, anew: bool = False
    ) -> tuple[int, int]:
        """Mark the tables where nothing has changed since `before`: from `until` on they may be
        deleted. Those that are marked keep their time, unless all are marked `anew`; the mark of
        all others is taken away.

        How many are new, and how many there are.
        """

    async def marked_for_deletion(self, *, before: int, now: int) -> list[str]:
        """The tables that may be deleted now, and where nothing has changed since `before`."""

    async def forget(
        self, table: str, records: Sequence[FinishedMatch], *, before: int | None = None
    ) -> bool:
        """Delete a table: log, summary and all its records but these, which stay without it.

        With `before` only if nothing has changed since then. Whether it was deleted.
        """

    async def close(self) -> None:
        """Finish what was asked for, then refuse everything."""


# The commit path


class _Job:
    """Something to do with the file, and who waits for it."""

    __slots__ = ("answer", "error", "future", "last", "work", "writes")

    def __init__(self, work: Work[Any], writes: bool, future: "asyncio.Future[Any]") -> None:
        self.work = work
        self.writes = writes
        self.future = future
        self.last = False  # whether nothing comes after it
        self.answer: object = None
        self.error: Exception | None = None

    def settle(self) -> None:
        """Tell who waits; in the event loop. Whoever was cancelled is told nothing."""
        if self.future.done():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.answer)


def connect_sqlite(path: Path) -> sqlite3.Connection:
    """A connection without the transactions Python would begin by itself."""
    return sqlite3.connect(path, isolation_level=None)


def _ignore(point: str) -> None:
    """The commit path comes by here; a crash test ends the process instead."""


class SqliteStore:
    """A store in one SQLite file. Its methods are called from the event loop that opened it.

    `connect` makes the connections, in the store's own thread. `checkpoint` is called with the name
    of each point of the commit path: taken, begun, inserted (once a change), before-commit,
    committed. Someone else's lock is waited for `busy_seconds`.
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
        """Open the file; make it, or bring it to the newest version, if need be."""
        if self._loop is not None:
            return
        self._loop = asyncio.get_running_loop()
        self._jobs = SimpleQueue()
        opened = _Job(lambda _: None, False, self._loop.create_future())
        # A daemon: a process that ends without `close` must not wait for ever.
        Thread(target=self._run, args=(opened,), name="stichwerk-store", daemon=True).start()
        try:
            await opened.future
        except StorageError:
            self._loop = None
            raise

    async def append(self, change: LogAppend) -> None:
        """Returns after the commit; one change that conflicts does not hurt the others."""
        await self._ask(lambda connection: _append(connection, change), writes=True)

    async def read(self, table: str) -> list[bytes]:
        """All entries in their order."""
        return await self._ask(lambda connection: _read(connection, table))

    async def tables(self, *, open_only: bool = True) -> list[tuple[str, bytes, int]]:
        """Id, summary, time of the last change; newest first."""
        return await self._ask(lambda connection: _tables(connection, open_only))

    async def behind(self) -> list[tuple[str, int]]:
        """Tables to be summed up, and when they last changed."""
        return await self._ask(_behind)

    async def match(self, id: str) -> bytes | None:
        """The record of a finished match, if it is there."""
        return await self._ask(lambda connection: _match(connection, id))

    async def matches(self, *, after: str = "", most: int = 50) -> list[FinishedMatch]:
        """The next finished matches in the order of their ids."""
        return await self._ask(lambda connection: _matches(connection, after, most))

    async def matches_of(self, table: str) -> list[FinishedMatch]:
        """The finished matches of a table."""
        return await self._ask(lambda connection: _matches_of(connection, table))

    async def latest_of(self, table: str, most: int) -> list[tuple[int | None, FinishedMatch]]:
        """The newest first, each with its time in milliseconds since 1970."""
        return await self._ask(lambda connection: _latest_of(connection, table, most))

    async def add_matches(self, matches: Sequence[FinishedMatch]) -> int:
        """Matches of no table; how many were not there yet."""
        return await self._ask(lambda connection: _add_matches(connection, matches), writes=True)

    async def probe(self) -> None:
        """Write something and take it away again: can anything be stored?"""
        await self._ask(_probe, writes=True)

    async def newest(self, *, until: int) -> int | None:
        """The time of the last change."""
        return await self._ask(lambda connection: _newest(connection, until))

    async def mark_for_deletion(
        self, *, before: int, until: int, anew: bool = False
    ) -> tuple[int, int]:
        """Mark idle tables for deletion, unmark the others; nothing is written for nothing."""
        if anew:
            await self._ask(_clear_mark, writes=True)
        if not await self._ask(lambda connection: _marks_are_wrong(connection, before)):
            return 0, await self._ask(_count_marked)
        return await self._ask(
            lambda connection: _mark_for_deletion(connection, before, until), writes=True
        )

    async def marked_for_deletion(self, *, before: int, now: int) -> list[str]:
        """Idle tables whose time has come."""
        return await self._ask(lambda connection: _marked_for_deletion(connection, before, now))

    async def forget(
        self, table: str, records: Sequence[FinishedMatch], *, before: int | None = None
    ) -> bool:
        """Delete a table but for these records; nothing of the rest stays in the files."""
        forgotten = await self._ask(
            lambda connection: _forget(connection, table, records, before), writes=True
        )
        if forgotten:
            with suppress(
                StorageError
            ):  # the table is gone already; the next time takes care of it
                await self._ask(_empty_wal)
        return forgotten

    async def close(self) -> None:
        """Finish what is queued, fold the write-ahead log into the file and let go of it."""
        if self._loop is None:
            return
        closed = _Job(lambda _: None, False, self._loop.create_future())
        closed.last = True
        self._jobs.put(closed)
        self._loop = None
        await closed.future

    def _ask(self, work: Work[T], *, writes: bool = False) -> "asyncio.Future[T]":
        """Queue some work; the future is its answer."""
        if self._loop is None:
            raise StorageError("storage-closed")
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put(_Job(work, writes, future))
        return future

    # In the thread

    def _run(self, opened: _Job) -> None:
        """Open, then batch after batch until the end. Nothing but the end may end it."""
        loop = opened.future.get_loop()
        try:
            _make_file(self.path, self._connect)
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
        """What is queued, once there is something."""
        jobs = [self._jobs.get()]
        with suppress(Empty):
            while len(jobs) < LARGEST_BATCH:
                jobs.append(self._jobs.get_nowait())
        return jobs

    def _do(self, loop: asyncio.AbstractEventLoop, jobs: list[_Job]) -> None:
        """All writes in one transaction, then the reads: they see what was asked for before."""
        writes = [job for job in jobs if job.writes]
        if writes:
            self.healthy = self._attempt(self._commit, writes)
            _settle(loop, writes)
        reads = [job for job in jobs if not job.writes]
        for job in reads:
            self._attempt(_answer, [job])
        if jobs[-1].last:  # whoever closes the store finds the file closed
            self._finish()
        _settle(loop, reads)

    def _attempt(
        self, deed: Callable[[sqlite3.Connection, list[_Job]], None], jobs: list[_Job]
    ) -> bool:
        """Do it; if it fails, set the connection right and refuse all of these jobs."""
        try:
            deed(self._connected(), jobs)
        except Exception as error:
            self._recover(error)
            for job in jobs:
                job.error = refusal(error)
            return False
        return True

    def _commit(self, connection: sqlite3.Connection, jobs: list[_Job]) -> None:
        """One transaction for all, a savepoint for each."""
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
        """The connection, made anew if the last one was given up."""
        if self._connection is None:
            if not self.path.exists():  # an empty file in its place would look like no tables
                raise StorageError("storage-failed", why="file missing")
            _check_content(self.path)
            self._connection = _prepared(self._connect(self.path), self.path, self._busy_seconds)
        return self._connection

    def _recover(self, error: Exception) -> None:
        """End the transaction. A connection that may be damaged is given up for a new one, which
        also settles what became of a commit that failed."""
        connection = self._connection
        if connection is None:
            return
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except sqlite3.Error:
            self._disconnect()
        if _code(error) not in _PASSING:
            self._disconnect()

    def _disconnect(self) -> None:
        """Close the connection, whatever state it is in."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    def _finish(self) -> None:
        """Leave one tidy file behind. What was committed is safe, whether this works or not."""
        if self._connection is not None:
            with suppress(sqlite3.Error):
                _empty_wal(self._connection)
        self._disconnect()


def _settle(loop: asyncio.AbstractEventLoop, jobs: list[_Job]) -> None:
    """Wake the event loop once for all of them."""
    if jobs:
        with suppress(RuntimeError):  # the loop was closed: nobody waits any more
            loop.call_soon_threadsafe(_settle_here, jobs)


def _settle_here(jobs: list[_Job]) -> None:
    for job in jobs:
        job.settle()


def _answer(connection: sqlite3.Connection, jobs: list[_Job]) -> None:
    for job in jobs:
        job.answer = job.work(connection)


def _do_apart(connection: sqlite3.Connection, job: _Job) -> None:
    """One change of a batch, all or nothing. What is wrong with it alone hurts no other."""
    connection.execute("SAVEPOINT change")
    try:
        job.answer = job.work(connection)
    except Exception as error:
        if isinstance(error, sqlite3.Error) and not isinstance(error, _OWN_FAULTS):
            raise
        connection.execute("ROLLBACK TO change")
        job.error = refusal(error)
    connection.execute("RELEASE change")


# The file


def _make_file(path: Path, connect: Connect) -> None:
    """A new store, and its folder, for nobody else's eyes. A folder that exists stays as it is: it
    may be anyone's.

    The store takes its name when its tables are there. So a file without them is never one whose
    making was interrupted, but one that lost its content.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        part = path.with_name(f"{path.name}.{os.getpid()}.new")
        try:
            _make_store(part, connect)
            with suppress(FileExistsError):  # another program was quicker: that store counts
                _name_file(part, path)
        finally:
            part.unlink(missing_ok=True)
    # An existing file is never opened here: closing it would break the locks of SQLite's other
    # connections in this process.
    with suppress(OSError):
        path.chmod(0o600)


def _make_store(part: Path, connect: Connect) -> None:
    """An empty store. What a crash has left under this name goes first."""
    part.unlink(missing_ok=True)
    part.with_name(f"{part.name}-journal").unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    with closing(connect(part)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        schema.migrate(connection)


def _name_file(part: Path, path: Path) -> None:
    """Give a file its name, unless there is one of that name."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if path.exists():
            raise FileExistsError(path) from None
        part.rename(path)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """A name is as durable as the file only then; not every system can do it."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _check_content(path: Path) -> None:
    """An existing file without any content was a store once: nothing tells that it should be a new
    one. SQLite would take it for that, and delete the write-ahead log beside it."""
    if path.stat().st_size == 0:
        raise StorageError("storage-empty", file=os.fspath(path))


def _prepared(
    connection: sqlite3.Connection, path: Path, busy_seconds: float
) -> sqlite3.Connection:
    """A new connection, durable and with the newest tables."""
    try:
        connection.execute(f"PRAGMA busy_timeout = {round(busy_seconds * 1000)}")
        if not schema.is_ours(connection):
            raise StorageError("storage-foreign", file=os.fspath(path))
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # macOS: through the disk's own cache
        connection.execute("PRAGMA secure_delete = ON")  # names that are deleted are overwritten
        found = schema.version(connection)
        if found > schema.VERSION:
            raise StorageError("storage-too-new", version=found, known=schema.VERSION)
        schema.migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _empty_wal(connection: sqlite3.Connection) -> None:
    """Fold the write-ahead log into the file and empty it, unless someone is reading it."""
    (wait,) = connection.execute("PRAGMA busy_timeout").fetchall()[0]
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {wait}")


# What went wrong

_OWN_FAULTS = (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.ProgrammingError)
"""Of SQLite's errors those that are about one change, not about the file."""

_PASSING = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
"""After these a connection is as good as before; reads go on."""

_IDS = {
    sqlite3.SQLITE_FULL: "storage-full",
    sqlite3.SQLITE_READONLY: "storage-read-only",
    sqlite3.SQLITE_PERM: "storage-read-only",
    sqlite3.SQLITE_BUSY: "storage-locked",
    sqlite3.SQLITE_LOCKED: "storage-locked",
    errno.ENOSPC << 8: "storage-full",
    errno.EDQUOT << 8: "storage-full",
    errno.EROFS << 8: "storage-read-only",
    errno.EACCES << 8: "storage-read-only",
    errno.EPERM << 8: "storage-read-only",
}
"""SQLite's primary codes (below 256), and those of the operating system moved out of their way."""


def refusal(error: Exception) -> StorageError:
    """Any error of the file as a refusal; a new one each time, as each is raised somewhere else.

    `why` is a name like SQLITE_IOERR_WRITE: for logs, without anything about the machine.
    """
    if isinstance(error, StorageError):
        return StorageError(error.id, **error.data)
    why = getattr(error, "sqlite_errorname", None) or type(error).__name__
    return StorageError(_IDS.get(_code(error), "storage-failed"), why=why)


def _code(error: Exception) -> int:
    """What `_IDS` knows an error by; 0 for no such code."""
    if isinstance(error, OSError):
        return (error.errno or 0) << 8
    code = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF if isinstance(code, int) else 0


# What is written


def _append(connection: sqlite3.Connection, change: LogAppend) -> None:
    _add_entries(connection, change)
    connection.execute(
        """INSERT INTO tables (id, created, touched, open, behind, summary)
           VALUES (:table, :at, :at, :open, :behind OR :summary IS NULL,
               coalesce(:summary, CAST('{}' AS BLOB)))
           ON CONFLICT (id) DO UPDATE SET touched = max(touched, :at), open = :open,
               behind = :behind OR (behind AND NOT :caught_up),
               summary = coalesce(:summary, summary)""",
        {
            "table": change.table,
            "at": change.at,
            "open": change.open,
            "behind": change.behind,
            "caught_up": _catches_up(connection, change),
            "summary": change.summary,
        },
    )
    for match in change.finished:
        _add_finished(connection, change, match)


def _catches_up(connection: sqlite3.Connection, change: LogAppend) -> bool:
    """Whether this is a summary of everything that is stored."""
    if change.entries or change.summary is None:
        return False
    return (_last(connection, change.table) or 0) < change.first


def _last(connection: sqlite3.Connection, table: str) -> int | None:
    """The number of the last entry of a table."""
    query = "SELECT max(seq) FROM log WHERE table_id = ?"
    (last,) = connection.execute(query, (table,)).fetchall()[0]
    return None if last is None else int(last)


def _add_entries(connection: sqlite3.Connection, change: LogAppend) -> None:
    """Entries follow one another without a gap: a log with a hole would replay into nonsense."""
    if not change.entries:
        return
    last = _last(connection, change.table)
    if change.first not in ((0, 1) if last is None else (last + 1,)):
        raise StorageError("storage-conflict", table=change.table, seq=change.first)
    connection.executemany(
        "INSERT INTO log (table_id, seq, at, entry) VALUES (?, ?, ?, ?)",
        [
            (change.table, seq, change.at, entry)
            for seq, entry in enumerate(change.entries, change.first)
        ],
    )


def _add_finished(connection: sqlite3.Connection, change: LogAppend, match: FinishedMatch) -> None:
    """An imported copy gives way (someone restored a backup and played on), and the same may be
    added again; no other record is replaced."""
    added = connection.execute(
        """INSERT INTO matches (id, table_id, finished, game, record) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET table_id = excluded.table_id, game = excluded.game,
               finished = excluded.finished, record = excluded.record
           WHERE table_id IS NULL OR (table_id, record) = (excluded.table_id, excluded.record)""",
        (match.id, change.table, change.at, match.game, match.record),
    )
    if added.rowcount != 1:
        raise StorageError("storage-conflict", table=change.table, seq=change.first)


def _probe(connection: sqlite3.Connection) -> None:
    """Enough to need room of its own; no table has an empty name."""
    connection.execute("INSERT INTO log VALUES ('', 0, 0, zeroblob(?))", (PROBE,))
    connection.execute("DELETE FROM log WHERE table_id = ''")


def _add_matches(connection: sqlite3.Connection, matches: Sequence[FinishedMatch]) -> int:
    added = connection.executemany(
        "INSERT INTO matches (id, game, record) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING",
        [(match.id, match.game, match.record) for match in matches],
    )
    return max(added.rowcount, 0)  # for nothing at all Python says -1


def _clear_mark(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE tables SET doomed = NULL WHERE doomed IS NOT NULL")


def _mark_for_deletion(connection: sqlite3.Connection, before: int, until: int) -> tuple[int, int]:
    connection.execute(
        "UPDATE tables SET doomed = NULL WHERE doomed IS NOT NULL AND touched >= ?", (before,)
    )
    query = "UPDATE tables SET doomed = ? WHERE doomed IS NULL AND touched < ?"
    new = connection.execute(query, (until, before)).rowcount
    return new, _count_marked(connection)


def _forget(
    connection: sqlite3.Connection, table: str, records: Sequence[FinishedMatch], before: int | None
) -> bool:
    query = "SELECT touched FROM tables WHERE id = ?"
    found = connection.execute(query, (table,)).fetchall()
    if not found or (before is not None and found[0][0] >= before):
        return False
    connection.executemany(
        """INSERT INTO matches (id, finished, game, record) VALUES (?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET table_id = NULL, game = excluded.game,
               record = excluded.record""",
        [(match.id, found[0][0], match.game, match.record) for match in records],
    )
    connection.execute("DELETE FROM matches WHERE table_id = ?", (table,))
    connection.execute("DELETE FROM log WHERE table_id = ?", (table,))
    connection.execute("DELETE FROM tables WHERE id = ?", (table,))
    return True


# What is read


def _read(connection: sqlite3.Connection, table: str) -> list[bytes]:
    query = "SELECT entry FROM log WHERE table_id = ? ORDER BY seq"
    return [entry for (entry,) in connection.execute(query, (table,)).fetchall()]


def _tables(connection: sqlite3.Connection, open_only: bool) -> list[tuple[str, bytes, int]]:
    which = "WHERE open" if open_only else ""
    query = f"SELECT id, summary, touched FROM tables {which} ORDER BY touched DESC, id"
    return connection.execute(query).fetchall()


def _match(connection: sqlite3.Connection, id: str) -> bytes | None:
    found = connection.execute("SELECT record FROM matches WHERE id = ?", (id,)).fetchall()
    return found[0][0] if found else None


def _matches(connection: sqlite3.Connection, after: str, most: int) -> list[FinishedMatch]:
    query = "SELECT id, game, record FROM matches WHERE id > ? ORDER BY id LIMIT ?"
    return [FinishedMatch(*row) for row in connection.execute(query, (after, most)).fetchall()]


def _matches_of(connection: sqlite3.Connection, table: str) -> list[FinishedMatch]:
    query = "SELECT id, game, record FROM matches WHERE table_id = ? ORDER BY finished, id"
    return [FinishedMatch(*row) for row in connection.execute(query, (table,)).fetchall()]


def _latest_of(
    connection: sqlite3.Connection, table: str, most: int
) -> list[tuple[int | None, FinishedMatch]]:
    query = """SELECT finished, id, game, record FROM matches WHERE table_id = ?
               ORDER BY finished DESC, id LIMIT ?"""
    rows = connection.execute(query, (table, most)).fetchall()
    return [(finished, FinishedMatch(*row)) for finished, *row in rows]


def _behind(connection: sqlite3.Connection) -> list[tuple[str, int]]:
    return connection.execute("SELECT id, touched FROM tables WHERE behind ORDER BY id").fetchall()


def _newest(connection: sqlite3.Connection, until: int) -> int | None:
    query = "SELECT max(touched) FROM tables WHERE touched <= ?"
    (found,) = connection.execute(query, (until,)).fetchall()[0]
    return None if found is None else int(found)


def _marks_are_wrong(connection: sqlite3.Connection, before: int) -> bool:
    """Whether a table is idle and not marked, or marked and not idle."""
    query = "SELECT 1 FROM tables WHERE (doomed IS NULL) = (touched < ?) LIMIT 1"
    return bool(connection.execute(query, (before,)).fetchall())


def _count_marked(connection: sqlite3.Connection) -> int:
    (marked,) = connection.execute("SELECT count(doomed) FROM tables").fetchall()[0]
    return int(marked)


def _marked_for_deletion(connection: sqlite3.Connection, before: int, now: int) -> list[str]:
    query = "SELECT id FROM tables WHERE touched < ? AND doomed <= ? ORDER BY touched, id"
    return [id for (id,) in connection.execute(query, (before, now)).fetchall()]
