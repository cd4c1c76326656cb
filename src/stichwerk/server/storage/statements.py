"""The SQL of the store: one function for each read or write."""

import sqlite3
from collections.abc import Sequence

import msgspec

from stichwerk.server.storage.store import FinishedMatch, LogAppend, StorageError
from stichwerk.server.storage.transfer import StoredEntry, StoredMatch, StoredTable

PROBE = 65_536  # bytes that a probe writes


def append(connection: sqlite3.Connection, change: LogAppend) -> None:
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
    """Return whether this is a summary of everything stored."""
    if change.entries or change.summary is None:
        return False
    return (_last(connection, change.table) or 0) < change.first


def _last(connection: sqlite3.Connection, table: str) -> int | None:
    """Return the number of the last entry of a table."""
    query = "SELECT max(seq) FROM log WHERE table_id = ?"
    (last,) = connection.execute(query, (table,)).fetchall()[0]
    return None if last is None else int(last)


def _add_entries(connection: sqlite3.Connection, change: LogAppend) -> None:
    """Append entries without a gap: a log with a hole would replay into nonsense."""
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
    """Add a record. An imported copy is replaced (someone restored a backup and played on), and the
    same record may be added again; no other record is replaced."""
    added = connection.execute(
        """INSERT INTO matches (id, table_id, finished, game, record) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET table_id = excluded.table_id, game = excluded.game,
               finished = excluded.finished, record = excluded.record
           WHERE table_id IS NULL OR (table_id, record) = (excluded.table_id, excluded.record)""",
        (match.id, change.table, change.at, match.game, match.record),
    )
    if added.rowcount != 1:
        raise StorageError("storage-conflict", table=change.table, seq=change.first)


def probe(connection: sqlite3.Connection) -> None:
    """Write enough to need new pages; no table has an empty name."""
    connection.execute("INSERT INTO log VALUES ('', 0, 0, zeroblob(?))", (PROBE,))
    connection.execute("DELETE FROM log WHERE table_id = ''")


def add_matches(connection: sqlite3.Connection, matches: Sequence[FinishedMatch]) -> int:
    added = connection.executemany(
        "INSERT INTO matches (id, game, record) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING",
        [(match.id, match.game, match.record) for match in matches],
    )
    return max(added.rowcount, 0)  # for no matches at all Python says -1


def clear_mark(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE tables SET doomed = NULL WHERE doomed IS NOT NULL")


def mark_for_deletion(connection: sqlite3.Connection, before: int, until: int) -> tuple[int, int]:
    connection.execute(
        "UPDATE tables SET doomed = NULL WHERE doomed IS NOT NULL AND touched >= ?", (before,)
    )
    query = "UPDATE tables SET doomed = ? WHERE doomed IS NULL AND touched < ?"
    new = connection.execute(query, (until, before)).rowcount
    return new, count_marked(connection)


def forget(
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


def read(connection: sqlite3.Connection, table: str) -> list[bytes]:
    query = "SELECT entry FROM log WHERE table_id = ? ORDER BY seq"
    return [entry for (entry,) in connection.execute(query, (table,)).fetchall()]


def tables(connection: sqlite3.Connection, open_only: bool) -> list[tuple[str, bytes, int]]:
    which = "WHERE open" if open_only else ""
    query = f"SELECT id, summary, touched FROM tables {which} ORDER BY touched DESC, id"
    return connection.execute(query).fetchall()


def match(connection: sqlite3.Connection, id: str) -> bytes | None:
    found = connection.execute("SELECT record FROM matches WHERE id = ?", (id,)).fetchall()
    return found[0][0] if found else None


def matches(connection: sqlite3.Connection, after: str, most: int) -> list[FinishedMatch]:
    query = "SELECT id, game, record FROM matches WHERE id > ? ORDER BY id LIMIT ?"
    return [FinishedMatch(*row) for row in connection.execute(query, (after, most)).fetchall()]


def matches_of(connection: sqlite3.Connection, table: str) -> list[FinishedMatch]:
    query = "SELECT id, game, record FROM matches WHERE table_id = ? ORDER BY finished, id"
    return [FinishedMatch(*row) for row in connection.execute(query, (table,)).fetchall()]


def latest_of(
    connection: sqlite3.Connection, table: str, most: int
) -> list[tuple[int | None, FinishedMatch]]:
    query = """SELECT finished, id, game, record FROM matches WHERE table_id = ?
               ORDER BY finished DESC, id LIMIT ?"""
    rows = connection.execute(query, (table, most)).fetchall()
    return [(finished, FinishedMatch(*row)) for finished, *row in rows]


def behind(connection: sqlite3.Connection) -> list[tuple[str, int]]:
    return connection.execute("SELECT id, touched FROM tables WHERE behind ORDER BY id").fetchall()


def newest(connection: sqlite3.Connection, until: int) -> int | None:
    query = "SELECT max(touched) FROM tables WHERE touched <= ?"
    (found,) = connection.execute(query, (until,)).fetchall()[0]
    return None if found is None else int(found)


def marks_are_wrong(connection: sqlite3.Connection, before: int) -> bool:
    """Return whether a table is idle and not marked, or marked and not idle."""
    query = "SELECT 1 FROM tables WHERE (doomed IS NULL) = (touched < ?) LIMIT 1"
    return bool(connection.execute(query, (before,)).fetchall())


def count_marked(connection: sqlite3.Connection) -> int:
    (marked,) = connection.execute("SELECT count(doomed) FROM tables").fetchall()[0]
    return int(marked)


def marked_for_deletion(connection: sqlite3.Connection, before: int, now: int) -> list[str]:
    query = "SELECT id FROM tables WHERE touched < ? AND doomed <= ? ORDER BY touched, id"
    return [id for (id,) in connection.execute(query, (before, now)).fetchall()]


def stored_tables(connection: sqlite3.Connection, after: str, most: int) -> list[StoredTable]:
    query = """SELECT id, created, touched, open, behind, doomed, summary FROM tables
               WHERE id > ? ORDER BY id LIMIT ?"""
    return [
        StoredTable(
            id=id,
            created=created,
            touched=touched,
            open=bool(open),
            behind=bool(behind),
            doomed=doomed,
            summary=bytes(summary),
            entries=_stored_entries(connection, id),
        )
        for id, created, touched, open, behind, doomed, summary in connection.execute(
            query, (after, most)
        ).fetchall()
    ]


def _stored_entries(connection: sqlite3.Connection, table: str) -> tuple[StoredEntry, ...]:
    query = "SELECT seq, at, entry FROM log WHERE table_id = ? ORDER BY seq"
    return tuple(StoredEntry(*row) for row in connection.execute(query, (table,)).fetchall())


def stored_matches(connection: sqlite3.Connection, after: str, most: int) -> list[StoredMatch]:
    query = """SELECT id, table_id, finished, game, record FROM matches
               WHERE id > ? ORDER BY id LIMIT ?"""
    return [
        StoredMatch(id=id, table=table, finished=finished, game=game, record=bytes(record))
        for id, table, finished, game, record in connection.execute(query, (after, most)).fetchall()
    ]


def restore_tables(connection: sqlite3.Connection, restored: Sequence[StoredTable]) -> None:
    for table in restored:
        added = connection.execute(
            """INSERT INTO tables (id, created, touched, open, behind, doomed, summary)
               VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING""",
            (
                *(table.id, table.created, table.touched, table.open),
                *(table.behind, table.doomed, table.summary),
            ),
        )
        if added.rowcount == 1:
            connection.executemany(
                "INSERT INTO log (table_id, seq, at, entry) VALUES (?, ?, ?, ?)",
                [(table.id, *msgspec.structs.astuple(entry)) for entry in table.entries],
            )


def restore_matches(connection: sqlite3.Connection, restored: Sequence[StoredMatch]) -> None:
    connection.executemany(
        """INSERT INTO matches (id, table_id, finished, game, record) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (id) DO NOTHING""",
        [msgspec.structs.astuple(match) for match in restored],
    )
