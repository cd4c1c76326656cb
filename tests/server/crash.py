"""kill -9 under load: is everything there that was acknowledged?

    python -m tests.server.crash --kills 1000 --tables 100
    python -m tests.server.crash --kills 200 --store postgres

A real server runs in a process of its own, people at a hundred tables play on and on, and the
server is killed, at named points of its commit path and at random moments, and started again. Each
player records what they asked for, what was acknowledged, and all they received. In the end the
books are compared with the file, or with a copy of the database in such a file.
"""

import argparse
import asyncio
import os
import random
import signal
import sqlite3
import statistics
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, closing, suppress
from http.client import HTTPConnection, HTTPException
from itertools import cycle
from pathlib import Path
from threading import Thread

import httpx
import msgspec
import uvicorn

from stichwerk.server import wire
from stichwerk.server.app import build
from stichwerk.server.bots.bot_pool import BotPool
from stichwerk.server.clients.load_test import free_port
from stichwerk.server.logs import Log
from stichwerk.server.metrics import Metrics
from stichwerk.server.storage.postgres_store import PostgresStore
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.storage.store import Store
from stichwerk.server.storage.transfer import transfer
from tests.server.crash_books import START_SECONDS, Books, Findings, Player, come_to_rest, compare
from tests.server.crash_stores import HANGS as HANGS
from tests.server.crash_stores import Fuse, FusedPostgresStore, FusedStore
from tests.server.harness import GENEROUS
from tests.server.postgres_setup import DURABLE, Cluster, cluster

ROOT = Path(__file__).parents[2]

FILE = "stichwerk.db"

POINTS = ("taken", "begun", "inserted", "before-commit", "committed", "answered")

# The database begins and commits by itself: `sent`, when the statement is on its way.
POSTGRES_POINTS = ("taken", "sent", "committed", "answered")

RANDOM = "random"

KILLS_IN_ONE = 50  # in one campaign; then new tables, as logs get long and checking them takes time

SECONDS_A_KILL = 10.0  # several times what one takes: the long run, too, ends by itself

MOVES_AFTER = 10  # moves a table makes after the last kill, on average

# When to kill a server that does not die at a named point: before, while or after people reconnect.
MOMENTS = ("all back", "some back", "all back", "early", "all back")


# The fewest seats, so that matches are short and all seats are people's.
GAMES: tuple[tuple[str, int, dict[str, object]], ...] = (
    ("stichling", 2, {}),
    ("null-nichtig", 3, {}),
    ("sticheln", 3, {"rounds": 1}),
    ("stichtag", 3, {"rounds": 2}),
)


Tell = Callable[[str], None]


# -- A server that dies ----------------------------------------------------------------------------


def serve(
    folder: Path, port: int, fuse: Fuse, *, hasty: bool = False, database: str | None = None
) -> None:
    """Run a server until it dies, is asked to stop, or nobody holds its standard input any more."""
    Thread(target=_end_with_parent, daemon=True).start()
    store: Store = FusedStore(folder / FILE, fuse, hasty=hasty)
    if database is not None:
        store = FusedPostgresStore(database, fuse)
    app = build(
        store=store,
        pool=BotPool(workers=1),
        limits=GENEROUS,
        log=Log(),
        metrics=Metrics(),
        pace=0.0,
    )
    uvicorn.run(
        app,
        host="127.0.0.1",
        port=port,
        log_config=None,
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=GENEROUS.frame_bytes,
        backlog=2048,
        timeout_graceful_shutdown=5,
    )


def _end_with_parent() -> None:
    while os.read(0, 1):
        pass
    os._exit(1)


class Server:
    """That process, seen from outside."""

    def __init__(self, process: Process, port: int, errors: Path) -> None:
        self.process = process
        self.port = port
        self.errors = errors
        self.spawned = time.monotonic()
        self.healthy_after: float | None = None

    @classmethod
    async def start(
        cls, folder: Path, port: int, fuse: tuple[str, int] = ("", 0), *more: str
    ) -> "Server":
        """Start it; it may not be ready yet."""
        errors = folder / "errors.txt"
        with errors.open("ab") as file:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-X", "faulthandler"),
                *("-m", "tests.server.crash", "--serve", str(folder)),
                *("--port", str(port), "--fuse", f"{fuse[0]}:{fuse[1]}", *more),
                cwd=ROOT,
                stdin=PIPE,
                stdout=DEVNULL,
                stderr=file,
            )
        return cls(process, port, errors)

    async def healthy(self) -> bool:
        """Wait until it answers; whether it does so before it dies."""
        edge = time.monotonic() + START_SECONDS
        while self.process.returncode is None:
            if await asyncio.to_thread(_answers, self.port):
                self.healthy_after = self.healthy_after or time.monotonic() - self.spawned
                return True
            if time.monotonic() > edge:
                raise AssertionError(f"the server does not start: {self.said()}")
            await asyncio.sleep(0.01)
        return False

    async def end(self, number: int) -> None:
        """Send it this signal, and see it end; if it does not, show where its threads are."""
        with suppress(ProcessLookupError):
            self.process.send_signal(number)
        try:
            await asyncio.wait_for(self.process.wait(), START_SECONDS)
        except TimeoutError:
            self.process.send_signal(signal.SIGABRT)
            await self.process.wait()
            raise AssertionError(f"the server did not end: {self.said()}") from None
        if self.process.stdin is not None:
            self.process.stdin.close()

    def said(self) -> str:
        """Return its last output."""
        return self.errors.read_text(errors="replace")[-4000:]


def _answers(port: int) -> bool:
    with closing(HTTPConnection("127.0.0.1", port, timeout=5)) as asking:
        try:
            asking.request("GET", "/api/health")
            return asking.getresponse().status == 200
        except (OSError, HTTPException):
            return False


# -- The campaign ----------------------------------------------------------------------------------


class Report:
    """What came out of it."""

    def __init__(self) -> None:
        self.kills: Counter[str] = Counter()
        self.faults: list[str] = []
        self.tables = self.players = 0
        self.acknowledged = self.stored = self.sent = 0
        self.matches = self.resumed = self.checks = 0
        self.healthy: list[float] = []
        self.first_resumed: list[float] = []
        self.refused: Counter[str] = Counter()
        self.began = time.monotonic()

    def text(self) -> str:
        """Return the report for people."""
        kills = ", ".join(f"{point} {times}" for point, times in sorted(self.kills.items()))
        return "\n".join(
            [
                f"{self.kills.total()} kills ({kills}) in {time.monotonic() - self.began:.0f} s",
                f"{self.tables} tables, {self.players} players, {self.matches} matches finished",
                f"{self.acknowledged} moves acknowledged, {self.stored} stored, "
                f"{self.sent} steps sent, {self.checks} comparisons with the file",
                f"{self.resumed} times a client resumed by itself; refused: {dict(self.refused)}",
                f"restart to the first answer: {_figures(self.healthy)}",
                f"restart to the first client that resumed: {_figures(self.first_resumed)}",
                f"lost, doubled, altered or otherwise wrong: {len(self.faults)}",
                *self.faults[:20],
            ]
        )


def _figures(seconds: list[float]) -> str:
    if not seconds:
        return "none"
    return f"median {statistics.median(seconds):.2f} s, most {max(seconds):.2f} s, n={len(seconds)}"


class Campaign:
    """Some tables, their players, and a server that has no easy life."""

    def __init__(
        self, folder: Path, report: Report | None = None, database: str | None = None
    ) -> None:
        self.folder = folder
        self.database = database
        self.report = report or Report()
        self.port = free_port()
        self.books = Books()
        self.players: list[Player] = []
        self.server: Server | None = None
        self.moments = cycle(MOMENTS)
        self.back_before: dict[Player, int] = {}  # how often each had reconnected at the last start

    async def __aenter__(self) -> "Campaign":
        return self

    async def __aexit__(self, *error: object) -> None:
        """Whatever happened, no server is left running."""
        if self.server is not None and self.server.process.returncode is None:
            await self.server.end(signal.SIGKILL)

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / FILE

    # Tables and players

    @asynccontextmanager
    async def tables(self, number: int) -> AsyncIterator[None]:
        """Make tables and seat players; both are there as long as the block runs."""
        self.report.tables += number
        async with AsyncExitStack() as stack:
            address = f"http://127.0.0.1:{self.port}"
            async with httpx.AsyncClient(
                base_url=address, timeout=START_SECONDS, verify=False
            ) as client:
                for first in range(0, number, 10):
                    chunk = range(first, min(first + 10, number))
                    await asyncio.gather(*(self._table(client, n, stack) for n in chunk))
            self.report.players += len(self.players)
            yield

    async def _table(self, client: httpx.AsyncClient, number: int, stack: AsyncExitStack) -> None:
        game, seats, options = GAMES[number % len(GAMES)]
        # No bots, so that whatever is played was asked for; steps sent late keep their cards.
        settings = {"away": 86_400, "memory": "open"}
        requested = {"game": game, "seats": seats, "options": options, "name": "Ada"}
        body = msgspec.json.encode({**requested, "settings": settings})
        answer = await client.post("/api/tables", content=body)
        assert answer.status_code == 201, answer.text
        made = msgspec.json.decode(answer.content, type=wire.TableMade)
        await self._seat(Player(self.url, made.table, self.books, made.token), stack)
        for seat in range(1, seats):
            player = await self._seat(Player(self.url, made.table, self.books), stack)
            await player.join(f"Guest {seat}", seat)

    async def _seat(self, player: Player, stack: AsyncExitStack) -> Player:
        await stack.enter_async_context(player)
        self.players.append(player)
        return player

    @property
    def url(self) -> str:
        """For guests."""
        return f"ws://127.0.0.1:{self.port}/ws"

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Let all play for the duration of the block; afterwards nothing is pending."""
        tasks = [asyncio.create_task(player.keep_playing()) for player in self.players]
        try:
            yield
            for player in self.players:
                player.stop()
            await asyncio.gather(*tasks)
            await come_to_rest(self.players)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # Starting and ending the server

    async def start(self, fuse: tuple[str, int] = ("", 0), *more: str) -> Server:
        """Start it; it may not be ready yet."""
        self.books.resumed_at = None
        self.back_before = {player: player.came_back for player in self.players}
        store = ("--database", self.database) if self.database is not None else ()
        self.server = await Server.start(self.folder, self.port, fuse, *more, *store)
        return self.server

    async def stop(self) -> None:
        """Ask it to end, and wait."""
        assert self.server is not None
        await self.server.end(signal.SIGTERM)

    async def kill(self, point: str) -> None:
        """Let the server die once: at this point of the commit path, or at any moment."""
        server = self.server
        assert server is not None
        if point == RANDOM:
            await self._any_moment(next(self.moments))
        elif await server.healthy():
            with suppress(TimeoutError):
                async with asyncio.timeout(START_SECONDS):
                    await server.process.wait()
        died_at_point = server.process.returncode is not None
        await server.end(signal.SIGKILL)
        if server.process.returncode != -signal.SIGKILL:
            self.report.faults.append(f"the server ended by itself: {server.said()}")
        self._note_times(server)
        self.report.kills[point if died_at_point or point == RANDOM else "not reached"] += 1

    async def _any_moment(self, moment: str) -> None:
        """Wait for a moment that depends on reconnects and later moves; then a random while."""
        if moment != "early":
            wanted = len(self.players)
            if moment == "some back":
                wanted = random.randrange(wanted)
            await self.until(lambda: self.came_back() >= wanted)
            moves = len(self.books.acknowledged) + random.randrange(100)
            if moment == "all back":
                await self.until(lambda: len(self.books.acknowledged) >= moves)
        await asyncio.sleep(random.uniform(0, 0.5) if moment == "early" else 0)

    def came_back(self) -> int:
        """Return how many players have reconnected since the last start."""
        return sum(player.came_back > self.back_before.get(player, 0) for player in self.players)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for something that must come; fail with the reason if it cannot come any more."""
        edge = time.monotonic() + START_SECONDS
        while not holds():
            for player in self.players:
                if player.failure is not None:
                    raise AssertionError(f"{player.table_id}: a player gave up") from player.failure
            if time.monotonic() > edge:
                raise AssertionError(self.missing())
            await asyncio.sleep(0.005)

    def missing(self) -> str:
        """Return who has not come back, and the last words of the server."""
        gone = [
            f"{player.table_id} seat {player.seat} at {player.seq}"
            for player in self.players
            if player.came_back <= self.back_before.get(player, 0)
        ]
        return f"not back: {gone}; moves: {len(self.books.acknowledged)}; {self.server_words()}"

    def server_words(self) -> str:
        """Return whether the server still runs, and its last words."""
        assert self.server is not None
        code = self.server.process.returncode
        return f"the server ended with {code}: {self.server.said()}" if code else self.server.said()

    async def all_go_on(self) -> None:
        """Wait until all have reconnected, much has been played, and some match is over."""
        moves = len(self.books.acknowledged) + MOVES_AFTER * len({p.table_id for p in self.players})
        await self.until(lambda: self.came_back() == len(self.players))
        await self.until(lambda: len(self.books.acknowledged) >= moves)
        await self.until(lambda: bool(self.books.finished))

    def _note_times(self, server: Server) -> None:
        if server.healthy_after is not None:
            self.report.healthy.append(server.healthy_after)
        if self.books.resumed_at is not None:
            self.report.first_resumed.append(self.books.resumed_at - server.spawned)

    # Comparing

    def compare(self, *, at_rest: bool = False) -> Findings:
        """Compare books and files while the server is down."""
        found = compare(self.path, self.books, self.players, at_rest=at_rest)
        self.report.checks += 1
        self.report.faults += [*found.faults, *self.books.faults]
        self.books.faults.clear()
        return found

    async def copy_database(self) -> None:
        """Copy the database, if there is one, into a file that can be compared."""
        if self.database is None:
            return
        self.path.unlink(missing_ok=True)
        source, copy = PostgresStore(self.database), SqliteStore(self.path)
        await source.open()
        await copy.open()
        try:
            await transfer(source, copy)
        finally:
            await source.close()
            await copy.close()

    async def records_written(self, matches: set[str]) -> None:
        """Wait until a start has written the records that a crash left out."""
        if self.database is not None:
            await self._records_in_database(matches)
            return
        with suppress(TimeoutError), closing(sqlite3.connect(self.path)) as file:
            async with asyncio.timeout(START_SECONDS):
                while matches - {id for (id,) in file.execute("SELECT id FROM matches")}:
                    await asyncio.sleep(0.02)

    async def _records_in_database(self, matches: set[str]) -> None:
        assert self.database is not None
        store = PostgresStore(self.database)
        await store.open()
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(START_SECONDS):
                    while not all([await store.match(match) for match in matches]):
                        await asyncio.sleep(0.02)
        finally:
            await store.close()


async def campaign(
    points: list[str], tables: int, report: Report, tell: Tell, database: str | None = None
) -> None:
    """Run one campaign: as many kills as there are points, then compare everything."""
    with tempfile.TemporaryDirectory(prefix="stichwerk-crash-") as folder:
        async with Campaign(Path(folder), report, database) as this:
            await _campaign(this, points, tables, tell)


async def _campaign(this: Campaign, points: list[str], tables: int, tell: Tell) -> None:
    report = this.report
    await (await this.start()).healthy()
    async with this.tables(tables):
        await this.stop()
        async with this.playing():
            for number, point in enumerate(points, 1):
                await this.start((point, random.randrange(1, 250)))
                await this.kill(point)
                sure = report.acknowledged + len(this.books.acknowledged)
                tell(f"{report.kills.total()} kills, {sure} acknowledged")
                if number % 10 == 0:
                    await this.copy_database()
                    this.compare()
            await (await this.start()).healthy()
            await this.all_go_on()
        await this.stop()
        await this.copy_database()
        found = this.compare(at_rest=True)
        if found.without_record:
            await (await this.start()).healthy()
            await this.records_written(found.without_record)
            await this.stop()
            await this.copy_database()
            found = this.compare(at_rest=True)
        report.faults += [f"no record of {match}" for match in found.without_record]
    report.acknowledged += len(this.books.acknowledged)
    report.stored += found.moves
    report.sent += sum(len(player.received) for player in this.players)
    report.matches += found.matches
    report.resumed += sum(player.came_back for player in this.players)
    report.refused += this.books.refused


def plan(kills: int, named: Sequence[str] = POINTS) -> list[str]:
    """Plan half of the kills at named points in turn, the others at random moments."""
    return [named[number // 2 % len(named)] if number % 2 else RANDOM for number in range(kills)]


async def crash(
    kills: int, tables: int, seconds: float, tell: Tell, cluster: Cluster | None = None
) -> Report:
    """Run campaign after campaign, until the number of kills or the time limit is reached. With a
    cluster, each has a schema of its own there."""
    report = Report()
    points = plan(kills, POINTS if cluster is None else POSTGRES_POINTS)
    while points and time.monotonic() - report.began < seconds:
        now, points = points[:KILLS_IN_ONE], points[KILLS_IN_ONE:]
        await campaign(now, tables, report, tell, cluster.empty() if cluster else None)
        if report.faults:
            break
    return report


# -- The command -----------------------------------------------------------------------------------


def main() -> None:
    """Kill servers, or be one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument(
        "--seconds", type=float, help=f"no new campaign after that; {SECONDS_A_KILL:.0f} a kill"
    )
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--fuse", default=":0", help=argparse.SUPPRESS)
    parser.add_argument("--database", help=argparse.SUPPRESS)
    parser.add_argument("--hasty", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve is not None:
        point, _, times = given.fuse.partition(":")
        fuse = Fuse(point, int(times), hangs=given.hasty)
        serve(given.serve, given.port, fuse, hasty=given.hasty, database=given.database)
        return

    def tell(line: str) -> None:
        print(f"\r{line}", end="", file=sys.stderr, flush=True)

    seconds = given.seconds or SECONDS_A_KILL * given.kills
    with ExitStack() as stack:
        database = stack.enter_context(cluster(DURABLE)) if given.store == "postgres" else None
        report = asyncio.run(crash(given.kills, given.tables, seconds, tell, database))
    print(file=sys.stderr)
    print(report.text())
    if report.kills.total() < given.kills and not report.faults:
        print(f"The time was over after {report.kills.total()} of {given.kills} kills.")
    sys.exit(bool(report.faults))


if __name__ == "__main__":
    main()
