"""Helpers for tests of the store."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from stichwerk.locale import LANGUAGES, text
from stichwerk.server.storage.postgres_store import PostgresStore
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.storage.store import LogAppend, StorageError, Store

T = TypeVar("T")
AnyStore = TypeVar("AnyStore", bound=Store)


def change(table: str, first: int, *entries: str, **more: Any) -> LogAppend:
    """Return a change in short."""
    return LogAppend(
        table=table, first=first, entries=tuple(e.encode() for e in entries), at=1000, **more
    )


def with_store(path: Path, deed: Callable[[SqliteStore], Awaitable[T]], **options: Any) -> T:
    """Open, do, close."""
    return in_store(lambda: SqliteStore(path, **options), deed)


def in_store(make: Callable[[], AnyStore], deed: Callable[[AnyStore], Awaitable[T]]) -> T:
    """Open a store, do something with it, close it."""

    async def run() -> T:
        store = make()
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


def well(store: Store) -> bool:
    """Return whether a store is healthy; in this form mypy does not take it for granted."""
    return store.healthy


async def outcomes(answers: Iterable[Awaitable[object]]) -> list[str]:
    return list(await asyncio.gather(*map(outcome, answers)))


KINDS = ("sqlite", pytest.param("postgres", marks=pytest.mark.slow))


@pytest.fixture(name="make_store", params=KINDS)
def make_store_fixture(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    """Return what opens the same store again and again, in either kind of database."""
    if request.param == "sqlite":
        return partial(SqliteStore, tmp_path / "data" / "stichwerk.sqlite")
    return partial(PostgresStore, request.getfixturevalue("cluster").empty())


@pytest.fixture(name="path")
def path_fixture(tmp_path: Path) -> Path:
    return tmp_path / "data" / "stichwerk.sqlite"


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
