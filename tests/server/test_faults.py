"""The disk is full, read-only, locked or broken: a clear refusal, no false acknowledgement; then it
continues, with the same people, without a restart."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
from websockets.asyncio.client import connect

from stichwerk import locale
from stichwerk.server import wire
from stichwerk.server.bots.bot_pool import NO_REQUESTER, BotMove, BotPool
from stichwerk.server.bots.fair_queue import Path as Turn
from stichwerk.server.clients.deal_shares import Action
from stichwerk.server.clients.table_client import RequestRefusedError, TableClient
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.tables.named_timers import AGAIN_SECONDS
from stichwerk.view import View
from tests.server.crash import FILE, Books, Player, compare
from tests.server.harness import RunningServer, running_server

pytestmark = pytest.mark.slow  # with a real server, or thousands of cases

T = TypeVar("T")

FAULTS = {
    "full": "storage-full",
    "read-only": "storage-read-only",
    "locked": "storage-locked",
    "broken": "storage-failed",
}
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
        """It fails as long as the block runs."""
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
        """From now on fail at the k-th call; `late`: once it is done."""
        self.calls, self.failing, self.late = 0, range(k, k + times), late
        self.struck = []

    def connect(self, path: Path) -> sqlite3.Connection:
        """In the thread of the store."""
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

    async def gather(self, **more: object) -> None:
        """A table with Ada and Ben, and Eve as a spectator."""
        self.made = await self.running_server.table("stichling", 2, **more)
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
        """Whom the table waits for; not a bot."""
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
        """All play until it is over."""
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
        """Time passes, if something waits to be tried again."""
        if any(timer.seconds == AGAIN_SECONDS for timer in self.running_server.clock.timers):
            self.running_server.clock.advance(AGAIN_SECONDS)

    async def time_is_up(self, name: str) -> None:
        """A timer of the table runs out."""
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
        """Books and file agree, nobody had to reconnect, and the server is healthy."""
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


# A move, a table, a word


@pytest.mark.parametrize("fault", FAULTS)
def test_a_move_that_cannot_be_stored_is_refused_and_not_applied(
    tmp_path: Path, fault: str
) -> None:
    async def run() -> None:
        async with scene(tmp_path) as this:
            await this.gather()
            await this.begin()
            await this.moves(4)
            assert len(await this.received_seqs()) == 1
            with this.disk.failing_as(fault):
                assert (await this.refusal()).id == FAULTS[fault]
                (seq,) = await this.received_seqs()
                assert seq == this.disk.entries(this.made.table)
                assert await this.health() == (503, "storage")
                await no_table(this.running_server, FAULTS[fault])
                await refused_in_german(this, FAULTS[fault])
                await this.come()  # a new client sees the same
                assert await this.received_seqs() == {seq}
                assert this.disk.entries(this.made.table) == seq
            await this.play_to_the_end()
            await this.check()
            assert this.people[0].table is not None
            record = await this.running_server.get(f"/api/matches/{this.people[0].table.match}")
            assert record.status_code == 200

    bounded(run())


async def no_table(running_server: RunningServer, id: str) -> None:
    """No new table, and why, in the asker's language."""
    body = msgspec.json.encode({"game": "stichling", "seats": 2, "name": "Eve"})
    for lang in locale.LANGUAGES:
        async with running_server.client() as client:
            for _ in range(50):
                headers = {"accept-language": lang}
                answer = await client.post("/api/tables", content=body, headers=headers)
                if answer.status_code != 201:  # a full disk may have room for one more
                    break
        problem = msgspec.json.decode(answer.content, type=wire.Problem)
        assert (answer.status_code, problem.error) == (503, id)
        assert problem.text == locale.text(id, lang, **problem.data)


async def refused_in_german(this: Scene, id: str) -> None:
    """In another tab, which speaks German, the host says something."""
    decoder: msgspec.json.Decoder[wire.FromServer] = msgspec.json.Decoder(wire.FromServer)
    table, token = this.made.table, this.made.token
    hello = wire.Hello(version=wire.VERSION, table=table, token=token, lang="de")
    chat = wire.Chat(id=7, text="Hallo! " * 39)
    async with connect(this.running_server.ws) as socket:
        for message in (hello, chat):
            await socket.send(msgspec.json.encode(message).decode())
        async for raw in socket:
            answer = decoder.decode(raw)
            if isinstance(answer, wire.Refused):
                break
    assert isinstance(answer, wire.Refused)
    assert (answer.id, answer.error) == (7, id)
    assert answer.text == locale.text(id, "de", **answer.data) != locale.text(id, "en")


@pytest.mark.parametrize("fault", FAULTS)
def test_bots_retry_after_a_storage_failure(tmp_path: Path, fault: str) -> None:
    async def run() -> None:
        async with scene(tmp_path) as this:
            await this.gather(bots={"1": "easy"})
            await this.begin()
            await this.moves(2)
            this.pool.may.clear()
            while this.people[0].owes:
                await this.moves(1)
            await this.at_rest()  # a bot may still have been thinking
            (before,) = await this.received_seqs()
            with this.disk.failing_as(fault):
                this.pool.may.set()
                await bots_move_or_fail(this)
                (seq,) = await this.received_seqs()
                assert seq == this.disk.entries(this.made.table)
                assert fault == "full" or seq == before
            await this.play_to_the_end()
            (after,) = await this.received_seqs()
            assert (after or 0) > (seq or 0)
            check_bots_alone(this)

    async def bots_move_or_fail(this: Scene) -> None:
        """A full disk may have room for a few more moves."""
        while (await this.health())[0] == 200:
            try:
                if this.people[0].owes:
                    await this.people[0].move()
            except RequestRefusedError:
                return
            await asyncio.sleep(0.002)

    def check_bots_alone(this: Scene) -> None:
        """What bots played nobody asked for; all else is as ever."""
        found = compare(this.disk.path, this.books, this.players, at_rest=True)
        assert [fault for fault in found.faults if not fault.startswith("doubled")] == []
        assert {fault.split("seat=")[1][0] for fault in found.faults} == {"1"}
        assert this.books.faults == []

    bounded(run())


# A commit that fails and was made all the same


def test_a_move_with_unknown_commit_is_announced_to_all(tmp_path: Path) -> None:
    """It was refused; when it turns out to be stored, all learn of it without anyone's doing."""

    async def run() -> None:
        async with scene(tmp_path) as this:
            await this.gather()
            await this.begin()
            await this.moves(3)
            (before,) = await this.received_seqs()
            mover = await this.mover()
            await commit_fails_late(this)
            with pytest.raises(RequestRefusedError, match="storage-failed"):
                await mover.move()
            assert await this.received_seqs() == {before}
            await this.time_is_up("doubt")
            for player in this.players:
                await player.until(lambda: player.seq == (before or 0) + 1)  # noqa: B023
            assert await this.received_seqs() == {this.disk.entries(this.made.table)}
            await this.play_to_the_end()
            await this.check()

    bounded(run())


def test_a_move_with_unknown_commit_may_be_repeated(tmp_path: Path) -> None:
    """A client that repeats the move before the outcome is known gets an acknowledgement: it is
    made once."""

    async def run() -> None:
        async with scene(tmp_path) as this:
            await this.gather()
            await this.begin()
            await this.moves(3)
            (before,) = await this.received_seqs()
            mover = await this.mover()
            await commit_fails_late(this)
            with pytest.raises(RequestRefusedError, match="storage-failed"):
                await mover.move()
            assert await this.received_seqs() == {before}
            assert mover.owes
            assert "doubt" in this.running_server.live_table(this.made.table).timers
            await mover.move()
            assert await this.received_seqs() == {(before or 0) + 1}
            await this.play_to_the_end()
            await this.check()

    bounded(run())


async def commit_fails_late(this: Scene) -> None:
    """The next commit is made and reported as failed."""
    await this.at_rest()  # nothing else is being written
    this.disk.lying = True


# Timers


def test_leaving_and_returning_are_retried(tmp_path: Path) -> None:
    async def run() -> None:
        async with scene(tmp_path) as this:
            await this.gather(settings={"away": 5})
            await this.begin()
            host, other, watcher = this.players

            def bot_plays(player: TableClient) -> bool:
                assert player.table is not None
                (place,) = (one for one in player.table.places if one.person == other.person)
                return place.level is not None

            with this.disk.failing_as("read-only"):
                await other.__aexit__()
                await this.running_server.away_too_long(this.made.table, other.person)
                await this.until_unwell()
                assert not bot_plays(host)
            await this.running_server.away_too_long(this.made.table, other.person)
            await host.until(lambda: bot_plays(host))
            await watcher.until(lambda: bot_plays(watcher))
            with this.disk.failing_as("read-only"):
                back = await this.come(other.token)
                assert bot_plays(back)
                await this.until_unwell()
                assert bot_plays(host)
            await this.time_is_up(f"back {other.person}")
            await back.until(lambda: not bot_plays(back))
            await host.until(lambda: not bot_plays(host))
            this.players.remove(other)
            this.people[1] = back
            await this.play_to_the_end()
            assert len(await this.received_seqs()) == 1

    bounded(run())


class Silent(TableClient):
    """Sends no share of the shuffle."""

    async def _take_part(self, actions: list[Action]) -> None:
        pass


def test_missing_shares_are_drawn_once_storage_works(tmp_path: Path) -> None:
    async def run() -> None:
        async with scene(tmp_path) as this:
            this.made = made = await this.running_server.table("stichling", 2)
            async with (
                this.running_server.guest(made) as host,
                Silent(this.running_server.ws, made.table) as silent,
            ):
                await silent.join("Ben", 1)
                await host.ask(lambda id: wire.Begin(id=id))
                await host.until(lambda: sealed(host)[0])
                with this.disk.failing_as("broken"):
                    await this.time_is_up("shares")
                    await this.until_unwell()
                    assert sealed(host) == [True, False]
                await this.time_is_up("shares")
                await host.until(lambda: host.playing)
                assert host.table is not None
                assert host.table.dealing is not None
                assert host.table.dealing.trusted == (True, False)

    def sealed(guest: TableClient) -> list[bool]:
        dealing = guest.table.dealing if guest.table else None
        return [commit is not None for commit in dealing.client_commits] if dealing else [False]

    bounded(run())


@pytest.mark.slow
def test_the_move_clock_is_retried(tmp_path: Path) -> None:
    async def run() -> None:
        async with scene(tmp_path) as this:
            await this.gather(settings={"clock": 5})
            await this.begin()
            (before,) = await this.received_seqs()
            with this.disk.failing_as("read-only"):
                await this.time_is_up("clock")
                await this.until_unwell()
                assert await this.received_seqs() == {before}
            await this.running_server.clock.expire(AGAIN_SECONDS)
            await this.players[0].until(lambda: this.players[0].seq != before)
            assert await this.health() == (200, "ok")

    bounded(run())


# Coming in


def test_an_unreadable_table_can_be_joined_later(tmp_path: Path) -> None:
    """The store does not answer: that is no reason to believe the table is gone."""

    async def run() -> None:
        async with scene(tmp_path) as this:
            this.made = made = await this.running_server.table("stichling", 2)
            await this.at_rest()
            this.running_server.lobby.live_tables.pop(made.table).close()
            host, failures = Player(this.running_server.ws, made.table, this.books, made.token), 0

            def lost(error: Exception | None) -> None:
                nonlocal failures
                failures += 1

            host.lost = lost
            with this.disk.failing_as("broken"):
                entering = asyncio.create_task(this.stack.enter_async_context(host))
                while failures < 2 and not entering.done():
                    await asyncio.sleep(0.002)
                assert not entering.done()
            await entering
            assert host.seat == 0

    bounded(run())


# Every call


@pytest.mark.slow
@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
def test_a_failure_at_every_storage_call_of_a_conversation(tmp_path: Path, late: bool) -> None:
    """Whichever call fails: books and file agree in the end, and nobody had to reconnect."""
    refused: list[int] = []

    async def run() -> None:
        async with scene(tmp_path) as this:
            passing = asyncio.create_task(time_passes(this))
            for k in count():
                this.books, this.players = Books(), []
                async with AsyncExitStack() as this.stack:
                    await conversation(this, k)
                    refused.append(this.books.refused.total())
                    this.running_server.lobby.live_tables.pop(this.made.table).close()
                    if not this.disk.struck:
                        break
            passing.cancel()

    async def conversation(this: Scene, k: int) -> None:
        if not late:  # who joins twice, as the first time was stored after all, is there twice
            this.disk.arm(k)
        this.made = await insist(lambda: this.running_server.table("stichling", 2), AssertionError)
        host = await this.come(this.made.token)
        other = await this.come()
        await insist(lambda: other.join("Ben", 1), RequestRefusedError)
        watcher = await this.come()
        if late:
            this.disk.arm(k, late=True)
        playing = [asyncio.create_task(player.play_for_ever()) for player in (host, other)]
        await insist(
            lambda: other.ask(lambda id: wire.Chat(id=id, preset="hello")), RequestRefusedError
        )
        await watcher.until(lambda: watcher.playing)
        await other.until(lambda: other.playing and other.ply >= 2)
        for player in (host, other):
            player.stop()
        await asyncio.gather(*playing)
        struck = list(this.disk.struck)
        this.disk.failing = range(0)
        await other.ask(lambda id: wire.Chat(id=id, preset="bye"))  # this is stored, so all is well
        await this.at_rest()
        found = compare(this.disk.path, this.books, this.players, at_rest=True)
        assert found.faults + this.books.faults == [], (k, struck)
        assert [player.came_back for player in this.players] == [0, 0, 0], (k, struck)
        assert await this.running_server.lobby.healthy()
        assert set(this.books.refused) <= {"storage-failed", "not-during-a-match"}

    bounded(run(), 900)
    assert len(refused) > 60
    assert sum(map(bool, refused)) > 10


async def time_passes(this: Scene) -> None:
    """What waits to be tried again is; shares that do not come are drawn once nothing moves."""
    before, unmoved = (0, 0), 0
    while True:
        await asyncio.sleep(0.002)
        this.try_again()
        for live_table in this.running_server.lobby.live_tables.values():
            if "shares" in live_table.timers:
                now = (id(live_table), live_table.table.seq)
                before, unmoved = now, unmoved + 1 if now == before else 0
                if unmoved > 50:
                    await this.running_server.time_is_up(live_table.table.id, "shares")
                    break


async def insist(ask: Callable[[], Awaitable[T]], refusal: type[Exception]) -> T:
    """Ask until it is granted."""
    while True:
        try:
            return await ask()
        except refusal:
            await asyncio.sleep(0.002)
