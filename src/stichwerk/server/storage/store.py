"""The store: what happened at the tables, kept so that nothing acknowledged is ever lost.

The event log is the truth; a table in memory is a replay of it. `Store` is all the server knows, so
that another database can stand in; `sqlite_store.py` keeps everything in one SQLite file.
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
