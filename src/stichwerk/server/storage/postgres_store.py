"""A store in PostgreSQL.

One task writes. It takes whatever is queued, stores it in one statement and answers only after the
commit: the higher the load, the more moves share one commit. Changes of one table keep their
order. Reads have connections of their own; they see whatever was acknowledged before.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TypeVar

import asyncpg

from stichwerk.server.storage import postgres_schema as schema
from stichwerk.server.storage import postgres_statements as statements
from stichwerk.server.storage.postgres_connection import Connection
from stichwerk.server.storage.postgres_errors import OWN_FAULTS, breaks_connection, refusal
from stichwerk.server.storage.store import FinishedMatch, LogAppend, StorageError
from stichwerk.server.storage.transfer import StoredMatch, StoredTable

LARGEST_BATCH = 1000
"""How many changes share a commit at most."""

ALONE_LOCK = 0x53_74_69_63
"""The upper half of the key of the lock; the lower half is the schema's own."""

ALONE_SECONDS = 3
READERS = 4
CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 10.0

SETTINGS = {
    "application_name": "stichwerk",
    # Acknowledged means on the disk, whatever the server is set to; `remote_apply` would do more.
    "synchronous_commit": "on",
}

T = TypeVar("T")


class _Append:
    """A queued change, and the future for its result."""

    __slots__ = ("change", "future")

    def __init__(self, change: LogAppend, future: "asyncio.Future[None]") -> None:
        self.change = change
        self.future = future

    def settle(self, error: StorageError | None = None) -> None:
        """Set the result. A cancelled future is left alone."""
        if self.future.done():
            return
        if error is None:
            self.future.set_result(None)
        else:
            self.future.set_exception(error)


def _ignore(point: str) -> None:
    """Do nothing at a point of the commit path; a crash test ends the process instead."""


class PostgresStore:
    """A store in PostgreSQL. Its methods must be called from the event loop that opened it.

    `url` is like `postgresql://user:password@host:5432/database`. `checkpoint` is called with the
    name of each point of the commit path: taken, inserted (once per change), committed. `alone`:
    refuse to open it beside another store that is open with this setting. That protects from
    mistakes only: what a process may write is decided by epochs. A statement that takes longer than
    `answer_seconds` is given up, with its connection.
    """

    def __init__(
        self,
        url: str,
        *,
        alone: bool = False,
        checkpoint: Callable[[str], None] = _ignore,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self.url = url
        self.alone = alone
        self.healthy = True
        self.answer_seconds = answer_seconds
        self._checkpoint = checkpoint
        self._readers: asyncpg.Pool | None = None
        self._writer: asyncpg.Connection | None = None
        self._guard: asyncpg.Connection | None = None  # holds the lock of `alone`
        self._queue: deque[_Append] = deque()
        self._queued = asyncio.Event()
        self._writing: asyncio.Task[None] | None = None
        self._closing = False

    async def open(self) -> None:
        """Connect; create or migrate the tables if necessary."""
        if self._writing is not None:
            return
        try:
            writer = await self._connected()
            await schema.migrate(writer)
            if self.alone:
                await self._stay_alone()
            self._readers = await asyncpg.create_pool(
                self.url,
                min_size=0,
                max_size=READERS,
                timeout=CONNECT_SECONDS,
                command_timeout=self.answer_seconds,
                server_settings=SETTINGS,
            )
        except Exception as error:
            await self._disconnect()
            raise refusal(error) from None
        self._closing = False
        self._writing = asyncio.create_task(self._write_all())

    async def append(self, change: LogAppend) -> None:
        """Return after the commit; one conflicting change does not affect the others."""
        if self._writing is None or self._closing:
            raise StorageError("storage-closed")
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(_Append(change, future))
        self._queued.set()
        await future

    async def claim(self, table: str) -> int:
        """Raise the epoch of the table: writers with an older one are refused from now on."""
        if not is_possible_id(table):
            return 0
        return await self._write(lambda connection: statements.claim(connection, table))

    async def read(self, table: str) -> list[bytes]:
        """Return all entries in order."""
        if not is_possible_id(table):
            return []
        return await self._read(lambda connection: statements.read(connection, table))

    async def tables(self, *, open_only: bool = True) -> list[tuple[str, bytes, int]]:
        """Return id, summary and time of the last change; newest first."""
        return await self._read(lambda connection: statements.tables(connection, open_only))

    async def behind(self) -> list[tuple[str, int]]:
        """Return the tables that need a summary, and when they last changed."""
        return await self._read(statements.behind)

    async def match(self, id: str) -> bytes | None:
        """Return the record of a finished match, if it exists."""
        if not is_possible_id(id):
            return None
        return await self._read(lambda connection: statements.match(connection, id))

    async def matches(self, *, after: str = "", most: int = 50) -> list[FinishedMatch]:
        """Return the next finished matches in the order of their ids."""
        return await self._read(lambda connection: statements.matches(connection, after, most))

    async def matches_of(self, table: str) -> list[FinishedMatch]:
        """Return the finished matches of a table."""
        return await self._read(lambda connection: statements.matches_of(connection, table))

    async def latest_of(self, table: str, most: int) -> list[tuple[int | None, FinishedMatch]]:
        """Return the newest first, each with its time in milliseconds since 1970."""
        return await self._read(lambda connection: statements.latest_of(connection, table, most))

    async def add_matches(self, matches: Sequence[FinishedMatch]) -> int:
        """Add matches without a table; return how many were new."""
        return await self._write(lambda connection: statements.add_matches(connection, matches))

    async def probe(self) -> None:
        """Write something and delete it again, to see whether anything can be stored."""
        await self._write(statements.probe)

    async def newest(self, *, until: int) -> int | None:
        """Return the time of the last change."""
        return await self._read(lambda connection: statements.newest(connection, until))

    async def mark_for_deletion(
        self, *, before: int, until: int, anew: bool = False
    ) -> tuple[int, int]:
        """Mark idle tables for deletion and unmark the others."""
        if anew:
            await self._write(statements.clear_mark)
        return await self._write(
            lambda connection: statements.mark_for_deletion(connection, before, until)
        )

    async def marked_for_deletion(self, *, before: int, now: int) -> list[str]:
        """Return idle tables that are due for deletion."""
        return await self._read(
            lambda connection: statements.marked_for_deletion(connection, before, now)
        )

    async def forget(
        self, table: str, records: Sequence[FinishedMatch], *, before: int | None = None
    ) -> bool:
        """Delete a table except for these records; vacuuming frees the space it took."""
        return await self._write(
            lambda connection: statements.forget(connection, table, records, before)
        )

    async def stored_tables(self, *, after: str, most: int) -> list[StoredTable]:
        """Return a page of tables with their logs."""
        return await self._read(
            lambda connection: statements.stored_tables(connection, after, most)
        )

    async def stored_matches(self, *, after: str, most: int) -> list[StoredMatch]:
        """Return a page of finished matches."""
        return await self._read(
            lambda connection: statements.stored_matches(connection, after, most)
        )

    async def restore_tables(self, tables: Sequence[StoredTable]) -> None:
        """Add tables with their logs, unless they are there already."""
        await self._write(lambda connection: statements.restore_tables(connection, tables))

    async def restore_matches(self, matches: Sequence[StoredMatch]) -> None:
        """Add finished matches, unless they are there already."""
        await self._write(lambda connection: statements.restore_matches(connection, matches))

    async def close(self) -> None:
        """Finish queued work and disconnect."""
        if self._writing is None or self._closing:
            return
        self._closing = True
        self._queued.set()
        await self._writing
        self._writing = None
        await self._disconnect()

    # -- Reading -----------------------------------------------------------------------------------

    async def _read(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Read something. A connection that turns out to be cut is replaced once."""
        try:
            return await self._in_pool(work)
        except StorageError as error:
            if error.id != "storage-unreachable":
                raise
        return await self._in_pool(work)

    async def _in_pool(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Do something on a connection of the pool."""
        if self._readers is None or self._closing:
            raise StorageError("storage-closed")
        try:
            async with self._readers.acquire(timeout=self.answer_seconds) as connection:
                try:
                    return await work(connection)
                except Exception as error:
                    if breaks_connection(error):
                        connection.terminate()
                    raise
        except Exception as error:
            raise refusal(error) from None

    async def _write(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Write something that belongs to no batch."""
        try:
            done = await self._in_pool(work)
        except StorageError:
            self.healthy = False
            raise
        self.healthy = True
        return done

    # -- Writing -----------------------------------------------------------------------------------

    async def _write_all(self) -> None:
        """Store batch after batch until the end. Nothing else may stop this task."""
        while self._queue or not self._closing:
            await self._queued.wait()
            self._queued.clear()
            while self._queue:
                await self._store(self._take())

    def _take(self) -> list[_Append]:
        """Return queued changes, at most one of each table; the others keep their order."""
        taken: dict[str, _Append] = {}
        later: list[_Append] = []
        while self._queue and len(taken) < LARGEST_BATCH:
            one = self._queue.popleft()
            if taken.setdefault(one.change.table, one) is not one:
                later.append(one)
        self._queue.extendleft(reversed(later))
        return list(taken.values())

    async def _store(self, batch: list[_Append]) -> None:
        """Store a batch; if it fails as a whole because of one change, store each by itself."""
        self._checkpoint("taken")
        try:
            connection = await self._connected()
            refused = await statements.append(connection, [one.change for one in batch])
            objections = {
                one: await statements.objection(connection, one.change)
                for one in batch
                if one.change.table in refused
            }
        except (statements.RefusedError, *OWN_FAULTS) as error:
            if len(batch) > 1:
                for one in batch:
                    await self._store([one])
            else:
                batch[0].settle(await self._reason(batch[0].change, error))
            return
        except Exception as error:
            self.healthy = False
            if breaks_connection(error):
                await self._disconnect_writer()
            for one in batch:
                one.settle(refusal(error))
            return
        self.healthy = True
        for _ in range(len(batch) - len(objections)):
            self._checkpoint("inserted")
        self._checkpoint("committed")
        for one in batch:
            one.settle(objections.get(one))

    async def _reason(self, change: LogAppend, error: Exception) -> StorageError:
        """Return why a single change was refused."""
        if not isinstance(error, statements.RefusedError):
            return refusal(error)
        try:
            return await statements.objection(await self._connected(), change)
        except Exception as failure:
            return refusal(failure)

    # -- Connections -------------------------------------------------------------------------------

    async def _connected(self) -> asyncpg.Connection:
        """Return the writer's connection, a new one if the last one was lost."""
        if self._writer is None or self._writer.is_closed():
            self._writer = await asyncpg.connect(
                self.url,
                timeout=CONNECT_SECONDS,
                command_timeout=self.answer_seconds,
                server_settings=SETTINGS,
            )
        return self._writer

    async def _stay_alone(self) -> None:
        """Take the lock of the database; a server that ends loses it with its connection. That of
        one that was killed may take a moment to be noticed."""
        self._guard = await asyncpg.connect(
            self.url,
            timeout=CONNECT_SECONDS,
            server_settings={**SETTINGS, "lock_timeout": f"{1000 * ALONE_SECONDS:.0f}ms"},
        )
        query = "SELECT pg_advisory_lock(($1::bigint << 32) + 'heads'::regclass::oid::bigint)"
        try:
            await self._guard.execute(query, ALONE_LOCK)
        except asyncpg.LockNotAvailableError:
            raise StorageError("storage-in-use") from None

    async def _disconnect_writer(self) -> None:
        """Drop the writer's connection, whatever state it is in."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.terminate()

    async def _disconnect(self) -> None:
        """Close all connections; one that hangs is cut."""
        readers, self._readers = self._readers, None
        if readers is not None:
            try:
                async with asyncio.timeout(CONNECT_SECONDS):
                    await readers.close()
            except Exception:
                readers.terminate()
        for connection in (self._writer, self._guard):
            if connection is not None:
                with suppress(Exception):
                    await connection.close(timeout=CONNECT_SECONDS)
        self._writer = self._guard = None


def is_possible_id(id: str) -> bool:
    """Return whether PostgreSQL can hold a text: clients may ask for any table or match."""
    return "\0" not in id and id.isprintable()
