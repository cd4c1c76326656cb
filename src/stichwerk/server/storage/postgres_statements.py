"""The SQL of the store in PostgreSQL: one function for each read or write."""

import os
from collections.abc import Sequence
from typing import Any

import msgspec

from stichwerk.server.storage.postgres_connection import Connection
from stichwerk.server.storage.store import FinishedMatch, LogAppend, StorageError
from stichwerk.server.storage.transfer import StoredEntry, StoredMatch, StoredTable

PROBE = 65_536  # bytes that a probe writes

_CREATE = """
WITH change AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::boolean[], $4::boolean[], $5::bytea[])
        AS c (id, at, open, behind, summary)),
made AS (
    INSERT INTO heads (id, last, touched) SELECT id, -1, at FROM change
    ON CONFLICT (id) DO NOTHING RETURNING id)
INSERT INTO tables (id, created, open, behind, summary)
SELECT id, at, open, behind OR summary IS NULL, coalesce(summary, '{}')
FROM change JOIN made USING (id)
"""

# A change counts if its epoch is the current one and its entries follow the stored ones. An UPDATE
# that had to wait for another process looks at the new row again, so two can never both succeed.
_APPEND = """
WITH change AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[],
            $6::boolean[], $7::boolean[], $8::bytea[])
        AS c (id, first, entries, at, epoch, open, behind, summary)),
advanced AS (
    UPDATE heads h SET touched = greatest(h.touched, c.at),
        last = CASE WHEN c.entries > 0 THEN c.first + c.entries - 1 ELSE h.last END
    FROM change c
    WHERE h.id = c.id AND h.epoch = c.epoch
        AND (c.entries = 0 OR h.last = c.first - 1 OR (h.last = -1 AND c.first = 1))
    RETURNING h.id, c.entries = 0 AND c.summary IS NOT NULL AND h.last < c.first AS caught_up),
summed_up AS (
    UPDATE tables t SET open = c.open, behind = c.behind OR (t.behind AND NOT a.caught_up),
        summary = coalesce(c.summary, t.summary)
    FROM change c JOIN advanced a USING (id)
    WHERE t.id = c.id
        AND (c.summary IS NOT NULL OR t.open <> c.open OR (c.behind AND NOT t.behind))),
logged AS (
    INSERT INTO log (table_id, seq, at, entry)
    SELECT e.* FROM unnest($9::text[], $10::bigint[], $11::bigint[], $12::bytea[])
        AS e (id, seq, at, entry) JOIN advanced USING (id)),
recorded AS (
    INSERT INTO matches AS m (table_id, id, finished, game, record)
    SELECT f.* FROM unnest($13::text[], $14::text[], $15::bigint[], $16::text[], $17::bytea[])
        AS f (table_id, id, finished, game, record) JOIN advanced a ON a.id = f.table_id
    ON CONFLICT (id) DO UPDATE SET table_id = excluded.table_id, game = excluded.game,
        finished = excluded.finished, record = excluded.record
    WHERE m.table_id IS NULL OR (m.table_id, m.record) = (excluded.table_id, excluded.record)
    RETURNING m.table_id)
SELECT a.id, (SELECT count(*) FROM recorded r WHERE r.table_id = a.id) AS recorded FROM advanced a
"""


class RefusedError(Exception):
    """Some changes of a transaction do not count, so all of it was undone."""

    def __init__(self, tables: set[str]) -> None:
        super().__init__(tables)
        self.tables = tables


async def append(connection: Connection, changes: Sequence[LogAppend]) -> set[str]:
    """Store changes of different tables; return the tables whose change does not count.

    New tables and finished matches need more than one statement: if one of those changes does not
    count, `RefusedError` says so, and nothing is stored.
    """
    founding = [change for change in changes if change.entries and change.first in (0, 1)]
    if not founding and not any(change.finished for change in changes):
        return await _append(connection, changes)
    async with connection.transaction():
        if founding:
            await connection.execute(_CREATE, *_founded(founding))
        refused = await _append(connection, changes)
        if refused:
            raise RefusedError(refused)
    return refused


async def _append(connection: Connection, changes: Sequence[LogAppend]) -> set[str]:
    """Append in one statement, which is a transaction of its own unless there is one already."""
    given = (*_columns(changes), *_entries(changes), *_records(changes))
    stored = dict(await connection.fetch(_APPEND, *given))
    return {change.table for change in changes if stored.get(change.table) != len(change.finished)}


async def objection(connection: Connection, change: LogAppend) -> StorageError:
    """Return why a change does not count."""
    epoch = await connection.fetchval("SELECT epoch FROM heads WHERE id = $1", change.table)
    fenced = epoch is not None and epoch != change.epoch
    id = "storage-fenced" if fenced else "storage-conflict"
    return StorageError(id, table=change.table, seq=change.first)


async def claim(connection: Connection, table: str) -> int:
    """Raise the epoch of a table and return it; 0 if there is no such table."""
    query = "UPDATE heads SET epoch = epoch + 1 WHERE id = $1 RETURNING epoch"
    epoch: int | None = await connection.fetchval(query, table)
    return epoch or 0


def _founded(changes: Sequence[LogAppend]) -> tuple[list[Any], ...]:
    return (
        [change.table for change in changes],
        [change.at for change in changes],
        [change.open for change in changes],
        [change.behind for change in changes],
        [change.summary for change in changes],
    )


def _columns(changes: Sequence[LogAppend]) -> tuple[list[Any], ...]:
    return (
        [change.table for change in changes],
        [change.first for change in changes],
        [len(change.entries) for change in changes],
        [change.at for change in changes],
        [change.epoch for change in changes],
        [change.open for change in changes],
        [change.behind for change in changes],
        [change.summary for change in changes],
    )


def _entries(changes: Sequence[LogAppend]) -> tuple[list[Any], ...]:
    """Return table, number, time and content of all entries."""
    rows = [
        (change.table, seq, change.at, entry)
        for change in changes
        for seq, entry in enumerate(change.entries, change.first)
    ]
    return _turned(rows, 4)


def _records(changes: Sequence[LogAppend]) -> tuple[list[Any], ...]:
    """Return table, id, time, game and record of all finished matches."""
    rows = [
        (change.table, match.id, change.at, match.game, match.record)
        for change in changes
        for match in change.finished
    ]
    return _turned(rows, 5)


def _turned(rows: Sequence[tuple[Any, ...]], width: int) -> tuple[list[Any], ...]:
    """Return the columns of rows."""
    return tuple([row[column] for row in rows] for column in range(width))


async def probe(connection: Connection) -> None:
    """Write enough to need new pages; no table has an empty name."""
    async with connection.transaction():
        query = "INSERT INTO log VALUES ('', 0, 0, $1)"
        await connection.execute(query, os.urandom(PROBE))  # zeros would be compressed
        await connection.execute("DELETE FROM log WHERE table_id = ''")


async def add_matches(connection: Connection, matches: Sequence[FinishedMatch]) -> int:
    rows = await connection.fetch(
        """INSERT INTO matches (id, game, record)
           SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[])
           ON CONFLICT (id) DO NOTHING RETURNING 1""",
        *_turned([(match.id, match.game, match.record) for match in matches], 3),
    )
    return len(rows)


async def clear_mark(connection: Connection) -> None:
    await connection.execute("UPDATE tables SET doomed = NULL WHERE doomed IS NOT NULL")


async def mark_for_deletion(connection: Connection, before: int, until: int) -> tuple[int, int]:
    async with connection.transaction():
        await connection.execute(
            """UPDATE tables t SET doomed = NULL FROM heads h
               WHERE h.id = t.id AND doomed IS NOT NULL AND touched >= $1""",
            before,
        )
        new = await connection.fetch(
            """UPDATE tables t SET doomed = $1 FROM heads h
               WHERE h.id = t.id AND doomed IS NULL AND touched < $2 RETURNING 1""",
            until,
            before,
        )
        marked: int = await connection.fetchval("SELECT count(doomed) FROM tables")
    return len(new), marked


async def forget(
    connection: Connection, table: str, records: Sequence[FinishedMatch], before: int | None
) -> bool:
    async with connection.transaction():
        touched: int | None = await connection.fetchval(
            "SELECT touched FROM heads WHERE id = $1 FOR UPDATE", table
        )
        if touched is None or (before is not None and touched >= before):
            return False
        await connection.execute(
            """INSERT INTO matches (id, finished, game, record)
               SELECT id, $4, game, record FROM unnest($1::text[], $2::text[], $3::bytea[])
                   AS kept (id, game, record)
               ON CONFLICT (id) DO UPDATE SET table_id = NULL, game = excluded.game,
                   record = excluded.record""",
            *_turned([(match.id, match.game, match.record) for match in records], 3),
            touched,
        )
        await connection.execute("DELETE FROM matches WHERE table_id = $1", table)
        await connection.execute("DELETE FROM log WHERE table_id = $1", table)
        await connection.execute("DELETE FROM tables WHERE id = $1", table)
        await connection.execute("DELETE FROM heads WHERE id = $1", table)
    return True


async def read(connection: Connection, table: str) -> list[bytes]:
    query = "SELECT entry FROM log WHERE table_id = $1 ORDER BY seq"
    return [row[0] for row in await connection.fetch(query, table)]


async def tables(connection: Connection, open_only: bool) -> list[tuple[str, bytes, int]]:
    which = "WHERE open" if open_only else ""
    rows = await connection.fetch(
        f"""SELECT id, summary, touched FROM tables JOIN heads USING (id) {which}
            ORDER BY touched DESC, id"""
    )
    return [(id, summary, touched) for id, summary, touched in rows]


async def match(connection: Connection, id: str) -> bytes | None:
    found: bytes | None = await connection.fetchval("SELECT record FROM matches WHERE id = $1", id)
    return found


async def matches(connection: Connection, after: str, most: int) -> list[FinishedMatch]:
    query = "SELECT id, game, record FROM matches WHERE id > $1 ORDER BY id LIMIT $2"
    return [FinishedMatch(*row) for row in await connection.fetch(query, after, most)]


async def matches_of(connection: Connection, table: str) -> list[FinishedMatch]:
    query = """SELECT id, game, record FROM matches WHERE table_id = $1
               ORDER BY finished NULLS FIRST, id"""
    return [FinishedMatch(*row) for row in await connection.fetch(query, table)]


async def latest_of(
    connection: Connection, table: str, most: int
) -> list[tuple[int | None, FinishedMatch]]:
    query = """SELECT finished, id, game, record FROM matches WHERE table_id = $1
               ORDER BY finished DESC NULLS LAST, id LIMIT $2"""
    rows = await connection.fetch(query, table, most)
    return [(finished, FinishedMatch(*row)) for finished, *row in rows]


async def behind(connection: Connection) -> list[tuple[str, int]]:
    query = "SELECT id, touched FROM tables JOIN heads USING (id) WHERE behind ORDER BY id"
    return [(id, touched) for id, touched in await connection.fetch(query)]


async def newest(connection: Connection, until: int) -> int | None:
    query = "SELECT max(touched) FROM heads WHERE touched <= $1"
    found: int | None = await connection.fetchval(query, until)
    return found


async def marked_for_deletion(connection: Connection, before: int, now: int) -> list[str]:
    query = """SELECT id FROM tables JOIN heads USING (id)
               WHERE touched < $1 AND doomed <= $2 ORDER BY touched, id"""
    return [row[0] for row in await connection.fetch(query, before, now)]


async def stored_tables(connection: Connection, after: str, most: int) -> list[StoredTable]:
    rows = await connection.fetch(
        """SELECT id, created, touched, open, behind, doomed, summary
           FROM tables JOIN heads USING (id) WHERE id > $1 ORDER BY id LIMIT $2""",
        after,
        most,
    )
    entries: dict[str, list[StoredEntry]] = {row["id"]: [] for row in rows}
    for table, seq, at, entry in await connection.fetch(
        "SELECT table_id, seq, at, entry FROM log WHERE table_id = ANY($1) ORDER BY table_id, seq",
        list(entries),
    ):
        entries[table].append(StoredEntry(seq, at, entry))
    return [StoredTable(**row, entries=tuple(entries[row["id"]])) for row in rows]


async def stored_matches(connection: Connection, after: str, most: int) -> list[StoredMatch]:
    query = """SELECT id, table_id AS table, finished, game, record FROM matches
               WHERE id > $1 ORDER BY id LIMIT $2"""
    return [StoredMatch(**row) for row in await connection.fetch(query, after, most)]


async def restore_tables(connection: Connection, restored: Sequence[StoredTable]) -> None:
    async with connection.transaction():
        for table in restored:
            last = table.entries[-1].seq if table.entries else -1
            made = await connection.fetchval(
                """INSERT INTO heads (id, last, touched) VALUES ($1, $2, $3)
                   ON CONFLICT (id) DO NOTHING RETURNING id""",
                *(table.id, last, table.touched),
            )
            if made is None:
                continue
            await connection.execute(
                """INSERT INTO tables (id, created, open, behind, doomed, summary)
                   VALUES ($1, $2, $3, $4, $5, $6)""",
                *(table.id, table.created, table.open, table.behind, table.doomed, table.summary),
            )
            await connection.copy_records_to_table(
                "log",
                records=[(table.id, *msgspec.structs.astuple(entry)) for entry in table.entries],
                columns=("table_id", "seq", "at", "entry"),
            )


async def restore_matches(connection: Connection, restored: Sequence[StoredMatch]) -> None:
    await connection.executemany(
        """INSERT INTO matches (id, table_id, finished, game, record) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (id) DO NOTHING""",
        [msgspec.structs.astuple(match) for match in restored],
    )
