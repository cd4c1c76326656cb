"""Stores that end their process at named points of the commit path."""

import asyncio
import os
import signal
import sqlite3
import sys
from pathlib import Path
from threading import Event
from typing import Any

from stichwerk.server.storage.postgres_store import PostgresStore
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.storage.store import LogAppend

HANGS = "it hangs"


class Fuse:
    """Kills this process, as kill -9 does, when a point is reached for the n-th time, or hangs
    there."""

    def __init__(self, point: str, times: int, *, hangs: bool = False) -> None:
        self.point = point
        self.left = times
        self.hangs = hangs

    def __call__(self, point: str) -> None:
        """Kill or hang the program when it reaches its point for the set time."""
        if point == self.point:
            self.left -= 1
            if self.left == 0:
                if self.hangs:
                    print(HANGS, file=sys.stderr, flush=True)
                    Event().wait()
                os.kill(os.getpid(), signal.SIGKILL)


class FusedStore(SqliteStore):
    """Has more points than the commit path: `answered`, in the event loop, when a change is stored
    and nobody has been notified; `execute`, before any statement. `hasty`: a planted fault, changes
    are answered before they are stored."""

    def __init__(self, path: Path, fuse: Fuse, *, hasty: bool = False) -> None:
        super().__init__(path, checkpoint=fuse, connect=self._connect_fused)
        self.fuse = fuse
        self.hasty = hasty
        self.under_way: set[asyncio.Future[None]] = set()

    def _connect_fused(self, path: Path) -> sqlite3.Connection:
        fuse = self.fuse

        class Fused(sqlite3.Connection):
            def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
                fuse("execute")
                return super().execute(sql, *given)

        return sqlite3.connect(path, isolation_level=None, factory=Fused)

    async def append(self, change: LogAppend) -> None:
        """Append; if `hasty`, return before it is stored."""
        storing = asyncio.ensure_future(super().append(change))
        if self.hasty:
            self.under_way.add(storing)
            return
        await storing
        self.fuse("answered")


class FusedPostgresStore(PostgresStore):
    """The same with the points of a store in PostgreSQL."""

    def __init__(self, url: str, fuse: Fuse) -> None:
        super().__init__(url, alone=True, checkpoint=self._reach)
        self.fuse = fuse

    def _reach(self, point: str) -> None:
        self.fuse(point)
        if point == "taken":  # the writer sends, and waits: then the loop goes round
            asyncio.get_running_loop().call_soon(self.fuse, "sent")

    async def append(self, change: LogAppend) -> None:
        """Append."""
        await super().append(change)
        self.fuse("answered")
