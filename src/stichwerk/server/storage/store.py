"""The store interface: tables and matches, kept so that nothing acknowledged is ever lost.

The event log is authoritative; a table in memory is a replay of it. The server uses only `Store`:
`sqlite_store.py` keeps everything in one SQLite file, `postgres_store.py` in PostgreSQL.
"""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from stichwerk.errors import StichwerkError


class FinishedMatch(msgspec.Struct, frozen=True):
    """The record of a finished match: one line of JSON."""

    id: str
    game: str
    record: bytes


class LogAppend(msgspec.Struct, frozen=True, kw_only=True):
    """A change at a table: entries for its log, numbered `first`, `first` + 1 and so on.

    The first entry of a table has the number 0 or 1. `at` is in milliseconds since 1970. `summary`,
    JSON for the lobby, replaces the previous one; None keeps it. `open`: whether the table is still
    of interest at start-up. `behind`: whether summary or records may be incomplete after these
    entries; a summary without entries clears that, if nothing has changed since. `epoch`: what
    `Store.claim` returned to the writer; 0 for a table that nobody has claimed.
    """

    table: str
    first: int
    entries: tuple[bytes, ...]
    at: int
    summary: bytes | None = None
    open: bool = True
    finished: tuple[FinishedMatch, ...] = ()
    behind: bool = False
    epoch: int = 0


class StorageError(StichwerkError):
    """Something could not be stored or read.

    `storage-conflict`: the entries do not follow the stored ones. `storage-fenced`: another process
    has claimed the table. `storage-full`, `-read-only`, `-locked` and `-unreachable` go away with
    their cause; `storage-failed` is everything else. After any of them
    `read` tells what was stored: a commit that reports a failure may have succeeded.
    """


class Store(Protocol):
    """Storage for tables and matches. Every failure raises `StorageError`."""

    healthy: bool
    """False from a failed write until the next successful one."""

    async def open(self) -> None:
        """Prepare for reading and writing."""

    async def append(self, change: LogAppend) -> None:
        """Store all of this or nothing. Once this returns, nothing can lose it; cancelling the
        caller does not cancel the write."""

    async def claim(self, table: str) -> int:
        """Make this process the only one that may append to a table, and return its epoch: changes
        with an older one are refused from now on. Claim before reading, or what is read may be old
        already."""

    async def read(self, table: str) -> list[bytes]:
        """Return the whole log of a table in order; empty if there is no such table."""

    async def tables(self, *, open_only: bool = True) -> list[tuple[str, bytes, int]]:
        """Return id, summary and time of the last change; most recently changed first."""

    async def behind(self) -> list[tuple[str, int]]:
        """Return the tables whose summary or records may be incomplete, and when they last
        changed."""

    async def match(self, id: str) -> bytes | None:
        """Return the record of a finished match."""

    async def matches(self, *, after: str = "", most: int = 50) -> list[FinishedMatch]:
        """Return a page of finished matches in the order of their ids, starting after `after`."""

    async def matches_of(self, table: str) -> list[FinishedMatch]:
        """Return the finished matches of a table."""

    async def latest_of(self, table: str, most: int) -> list[tuple[int | None, FinishedMatch]]:
        """Return the latest finished matches of a table, newest first, with their times."""

    async def add_matches(self, matches: Sequence[FinishedMatch]) -> int:
        """Add matches without a table; existing ones are kept. Return how many were new."""

    async def probe(self) -> None:
        """Check whether anything can be stored; the result is in `healthy`, or an error is
        raised."""

    async def newest(self, *, until: int) -> int | None:
        """Return when anything was last changed, at any table; changes dated after `until` by a
        wrong clock do not count."""

    async def mark_for_deletion(
        self, *, before: int, until: int, anew: bool = False
    ) -> tuple[int, int]:
        """Mark the tables that have not changed since `before`: from `until` on they may be
        deleted. Marked tables keep their time unless all are marked `anew`; all other tables are
        unmarked.

        Return how many are newly marked, and how many are marked in total.
        """

    async def marked_for_deletion(self, *, before: int, now: int) -> list[str]:
        """Return the tables that may be deleted now and have not changed since `before`."""

    async def forget(
        self, table: str, records: Sequence[FinishedMatch], *, before: int | None = None
    ) -> bool:
        """Delete a table: log, summary and all its records except these, which stay without a
        table.

        With `before`, only if nothing has changed since then. Return whether it was deleted.
        """

    async def close(self) -> None:
        """Finish pending work, then refuse everything."""
