"""Copying everything from one store to another, and comparing the two."""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Protocol

import msgspec

from stichwerk.server.storage.store import StorageError

TABLES_AT_ONCE = 20
MATCHES_AT_ONCE = 100


class StoredEntry(msgspec.Struct, frozen=True, array_like=True):
    """An entry of a table's log; `at` is in milliseconds since 1970."""

    seq: int
    at: int
    entry: bytes


class StoredTable(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is stored about a table, except for its finished matches."""

    id: str
    created: int
    touched: int
    open: bool
    behind: bool
    doomed: int | None
    summary: bytes
    entries: tuple[StoredEntry, ...]


class StoredMatch(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is stored about a finished match."""

    id: str
    table: str | None
    finished: int | None
    game: str
    record: bytes


class TransferStore(Protocol):
    """A store whose whole content can be read and written."""

    async def stored_tables(self, *, after: str, most: int) -> list[StoredTable]:
        """Return a page of tables in the order of their ids, starting after `after`."""

    async def stored_matches(self, *, after: str, most: int) -> list[StoredMatch]:
        """Return a page of matches in the order of their ids, starting after `after`."""

    async def restore_tables(self, tables: Sequence[StoredTable]) -> None:
        """Add tables; existing ones stay as they are."""

    async def restore_matches(self, matches: Sequence[StoredMatch]) -> None:
        """Add matches; existing ones stay as they are."""


class Transferred(msgspec.Struct, frozen=True):
    """What was copied and compared."""

    tables: int
    entries: int
    matches: int


Progress = Callable[[str, int], None]
"""Called with "tables", "matches" or "compared", and how many are done."""


def _silent(step: str, done: int) -> None:
    """Report nothing."""


async def transfer(
    source: TransferStore, target: TransferStore, progress: Progress = _silent
) -> Transferred:
    """Copy everything, then read both stores again and compare them record by record.

    It can be interrupted and started again: what is there already is compared like the rest.
    """
    done = 0
    async for tables in _table_pages(source):
        await target.restore_tables(tables)
        done += len(tables)
        progress("tables", done)
    done = 0
    async for matches in _match_pages(source):
        await target.restore_matches(matches)
        done += len(matches)
        progress("matches", done)
    return await compare(source, target, progress)


async def compare(
    source: TransferStore, target: TransferStore, progress: Progress = _silent
) -> Transferred:
    """Raise an error that names the first difference between two stores."""
    tables = entries = matches = 0
    copies = aiter(_tables(target))
    async for table in _tables(source):
        _check_equal(table, await anext(copies, None))
        tables += 1
        entries += len(table.entries)
        progress("compared", tables)
    _check_equal(None, await anext(copies, None))
    match_copies = aiter(_matches(target))
    async for match in _matches(source):
        _check_equal(match, await anext(match_copies, None))
        matches += 1
        progress("compared", tables + matches)
    _check_equal(None, await anext(match_copies, None))
    return Transferred(tables, entries, matches)


def _check_equal(
    one: StoredTable | StoredMatch | None, copy: StoredTable | StoredMatch | None
) -> None:
    """Refuse a copy that differs from the original, lacks it or has none."""
    if one != copy:
        differing = one or copy
        assert differing is not None
        raise StorageError("storage-not-copied", what=differing.id)


async def _table_pages(store: TransferStore) -> AsyncIterator[list[StoredTable]]:
    page = await store.stored_tables(after="", most=TABLES_AT_ONCE)
    while page:
        yield page
        page = await store.stored_tables(after=page[-1].id, most=TABLES_AT_ONCE)


async def _match_pages(store: TransferStore) -> AsyncIterator[list[StoredMatch]]:
    page = await store.stored_matches(after="", most=MATCHES_AT_ONCE)
    while page:
        yield page
        page = await store.stored_matches(after=page[-1].id, most=MATCHES_AT_ONCE)


async def _tables(store: TransferStore) -> AsyncIterator[StoredTable]:
    async for page in _table_pages(store):
        for table in page:
            yield table


async def _matches(store: TransferStore) -> AsyncIterator[StoredMatch]:
    async for page in _match_pages(store):
        for match in page:
            yield match
