"""A table whose disk can fail."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from stichwerk.server import wire
from stichwerk.server.bots.bot_pool import NO_REQUESTER, BotMove, BotPool
from stichwerk.server.bots.fair_queue import Path as Turn
from stichwerk.server.clients.table_client import RequestRefusedError
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.tables.named_timers import AGAIN_SECONDS
from stichwerk.view import View
from tests.server.crash import FILE
from tests.server.crash_books import Books, Player, compare
from tests.server.harness import RunningServer, running_server

T = TypeVar("T")

PLENTY = 2**30  # pages

SMALL = 512  # bytes of a page: a full file has no room for much more


def bounded(deed: Coroutine[Any, Any, T], seconds: float = 900) -> T:
    """Run it; a test that hangs fails."""

    async def run() -> T:
        async with asyncio.timeout(seconds):
            return await deed

    return asyncio.run(run())


class Disk:
    """A file that fails on demand, in SQLite itself as far as that is possible."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.fault = ""
        self.calls = 0
        self.failing = range(0)
        self.struck: list[str] = []
        self.late = False
        self.lying = False  # the next commit is made and reported as failed

    def store(self) -> SqliteStore:
        """Return a store on this disk."""
        return SqliteStore(self.path, connect=self.connect, busy_seconds=0.02)

    @contextmanager
    def failing_as(self, fault: str) -> Iterator[None]:
        """Make the storage fail for the duration of the block."""
        if fault == "locked":
            with closing(sqlite3.connect(self.path, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                yield
                other.execute("ROLLBACK")
            return
        self.fault = fault
        try:
            yield
        finally:
            self.fault = ""

    def arm(self, k: int, times: int = 1, *, late: bool = False) -> None:
        """Fail at the k-th call from now on; `late`: after it is done."""
        self.calls, self.failing, self.late = 0, range(k, k + times), late
        self.struck = []

    def connect(self, path: Path) -> sqlite3.Connection:
        """Connect in the thread of the store."""
        disk = self
        self.call("connect", lambda: None)

        class Failing(sqlite3.Connection):
            def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
                if sql == "BEGIN IMMEDIATE":
                    most = 1 if disk.fault == "full" else PLENTY
                    super().execute(f"PRAGMA max_page_count = {most}").fetchall()
                    super().execute(f"PRAGMA query_only = {disk.fault == 'read-only'}")
                return disk.call(sql, lambda: super(Failing, self).execute(sql, *given))

            def executemany(self, sql: str, *given: Any) -> sqlite3.Cursor:
                return disk.call(sql, lambda: super(Failing, self).executemany(sql, *given))

        made = sqlite3.connect(path, isolation_level=None, factory=Failing)
        sqlite3.Connection.execute(made, f"PRAGMA page_size = {SMALL}")
        return made

    def call(self, sql: str, real: Callable[[], T]) -> T:
        """Return one call of the store."""
        self.calls += 1
        if self.calls - 1 in self.failing:
            self.struck.append(sql)
            if self.late:
                real()
            raise broken()
        if self.fault == "broken":
            raise broken()
        answer = real()
        if self.lying and sql == "COMMIT":
            self.lying = False
            raise broken()
        return answer

    def entries(self, table: str) -> int:
        """Return how long a log is."""
        with closing(sqlite3.connect(self.path)) as file:
            query = "SELECT count(*) FROM log WHERE table_id = ?"
            return int(file.execute(query, (table,)).fetchone()[0])


def broken() -> sqlite3.OperationalError:
    """Return an error of the disk."""
    error = sqlite3.OperationalError("made up")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
    error.sqlite_errorname = "SQLITE_IOERR_WRITE"
    return error


class FirstMove(BotPool):
    """Bots that need no process; they wait until they may."""

    def __init__(self) -> None:
        super().__init__(workers=1)
        self.may = asyncio.Event()
        self.may.set()

    async def move(
        self, bot: str, seed: int, view: View, requester: Turn = NO_REQUESTER
    ) -> BotMove:
        """Return the first one listed."""
        await self.may.wait()
        return BotMove(move=view.moves[0])


class Scene:
    """A server on a bad disk, a table for two, and someone who watches."""

    def __init__(self, running_server: RunningServer, disk: Disk, pool: FirstMove) -> None:
        self.running_server = running_server
        self.disk = disk
        self.pool = pool
        self.books = Books()
        self.stack = AsyncExitStack()
        self.made: wire.TableMade
        self.players: list[Player] = []
        self.people: list[Player] = []

    async def gather(self, settings: dict[str, object] | None = None, **more: object) -> None:
        """Set up a table with Ada and Ben, and Eve as a spectator.

        Its tricks stay open: what is sent late is compared with what was sent at once.
        """
        wanted = {"memory": "open", **(settings or {})}
        self.made = await self.running_server.table("stichling", 2, settings=wanted, **more)
        host = await self.come(self.made.token)
        self.people = [host]
        if not more.get("bots"):
            other = await self.come()
            await other.join("Ben", 1)
            self.people.append(other)
        await self.come()

    async def come(self, token: str | None = None) -> Player:
        """Add another recipient."""
        player = Player(self.running_server.ws, self.made.table, self.books, token)
        await self.stack.enter_async_context(player)
        self.players.append(player)
        return player

    async def begin(self) -> None:
        """Until all see the cards."""
        await self.people[0].ask(lambda id: wire.Begin(id=id))
        for player in self.players:
            await player.until(lambda: player.playing)  # noqa: B023

    async def mover(self) -> Player:
        """Return the person the table waits for; not a bot."""
        while True:
            for player in self.people:
                if player.owes:
                    return player
            self.try_again()
            await asyncio.sleep(0.002)

    async def moves(self, number: int) -> None:
        """Play this many moves."""
        for _ in range(number):
            await (await self.mover()).move()

    async def refusal(self) -> RequestRefusedError:
        """Play until it is refused: a full disk may have a little room left."""
        for _ in range(100):
            mover = await self.mover()
            try:
                await mover.move()
            except RequestRefusedError as refused:
                return refused
        raise AssertionError("never refused")

    async def received_seqs(self) -> set[int | None]:
        """Return the sequence numbers all clients have received, once nothing is in transit."""
        for player in self.players:
            await player.ask(lambda id: wire.Ping(id=id))
        return {player.seq for player in self.players}

    async def play_to_the_end(self) -> None:
        """Let all play until the match is over."""
        while not all(player.table and player.table.stage == "over" for player in self.people):
            if any(player.owes for player in self.people):
                await self.moves(1)
            self.try_again()
            await asyncio.sleep(0)

    async def health(self) -> tuple[int, str]:
        """Return the server's health report."""
        answer = await self.running_server.get("/api/health")
        return answer.status_code, answer.json()["status"]

    async def until_unwell(self) -> None:
        """Until something could not be stored."""
        while await self.health() != (503, "storage"):
            await asyncio.sleep(0.002)

    def try_again(self) -> None:
        """Let time pass, if something waits to be tried again."""
        if any(timer.seconds == AGAIN_SECONDS for timer in self.running_server.clock.timers):
            self.running_server.clock.advance(AGAIN_SECONDS)

    async def time_is_up(self, name: str) -> None:
        """Let a timer of the table expire."""
        await self.running_server.time_is_up(self.made.table, name)

    async def at_rest(self) -> None:
        """Until all know all, and nothing is done any more; bots may be thinking."""
        live_table = self.running_server.live_table(self.made.table)
        while (
            any("make_bot_move" not in str(task.get_coro()) for task in live_table.tasks)
            or any(player.seq != live_table.table.seq for player in self.players)
            or not all(player.at_rest for player in self.players)
        ):
            await asyncio.sleep(0.002)

    async def check(self) -> None:
        """Check that books and file agree, nobody had to reconnect, and the server is healthy."""
        await self.at_rest()
        found = compare(self.disk.path, self.books, self.players, at_rest=True)
        assert found.faults + self.books.faults == []
        assert [player.came_back for player in self.players] == [0] * len(self.players)
        assert await self.health() == (200, "ok")


@asynccontextmanager
async def scene(folder: Path) -> AsyncIterator[Scene]:
    disk, pool = Disk(folder), FirstMove()
    async with running_server(folder, store=disk.store(), pool=pool) as here:
        this = Scene(here, disk, pool)
        async with this.stack:
            yield this
