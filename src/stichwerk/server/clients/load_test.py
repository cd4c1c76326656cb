"""`stichwerk bench server`: moves per second, and the time until each is acknowledged.

A real server in its own process, and clients at real sockets on loopback, spread over 127.0.0.0/8
so that the server's limits stay on. First at a steady rate, several runs; then as fast as possible.
For comparison, in the same run, a bare echo server: it stores nothing and knows no game, but sends
messages of the same sizes to as many sockets. That is the lower bound.
"""

import asyncio
import os
import random
import signal
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, suppress
from typing import Any

import msgspec
import uvicorn
from starlette.types import Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect

from stichwerk.errors import StichwerkError
from stichwerk.fairness import client_commit
from stichwerk.server import wire
from stichwerk.server.clients.process_figures import cpu_seconds, cpu_us_per_move, memory_mb

GAME = "sticheln"
SEATS = 4
TOGETHER = 40  # tables set up concurrently
START_SECONDS = 60.0
P99_GOALS_MS = {"sqlite": 50.0, "postgres": 80.0}
UPDATE_SIZE = 2_600  # bytes of an echoed update, about the size of a real one

Progress = Callable[[str], None]


class BadLoadError(StichwerkError):
    """An impossible load."""


class LoadOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How much load, and for how long; `store` is the address of an empty database."""

    tables: int = 500
    rate: float = 500.0  # moves per second
    seconds: float = 8.0  # per run
    runs: int = 5
    store: str | None = None


class LoadResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a run."""

    moves_per_second: float
    p50_ms: float
    p99_ms: float
    most_ms: float


def figures(latencies: Sequence[float], seconds: float) -> LoadResult:
    """Return the result of a run from its latencies, all in seconds."""
    found = sorted(latencies) or [0.0]
    return LoadResult(
        moves_per_second=round(len(latencies) / seconds, 1),
        p50_ms=round(1000 * found[len(found) // 2], 2),
        p99_ms=round(1000 * found[int(len(found) * 0.99)], 2),
        most_ms=round(1000 * found[-1], 2),
    )


def address_of(table: int) -> str:
    """Return the source address of a table's players: a different one for each table."""
    return f"127.{1 + table // 40_000}.{table // 200 % 200}.{1 + table % 200}"


# -- The parts of messages that a load needs -------------------------------------------------------


class LoadView(msgspec.Struct):
    """The parts of a view that are needed to move."""

    moves: tuple[str, ...] = ()
    waiting_for: tuple[int, ...] = ()


class LoadDealing(msgspec.Struct):
    """The parts of a set-up."""

    match: str
    client_commits: tuple[str | None, ...] = ()
    client_seeds: tuple[str | None, ...] = ()
    transcript: str | None = None


class LoadTableState(msgspec.Struct):
    """The parts of a table."""

    stage: str
    match: str | None = None
    dealing: LoadDealing | None = None


class LoadMessage(msgspec.Struct):
    """The parts of any message from the server."""

    type: str
    id: int | None = None
    seat: int | None = None
    ply: int = 0
    token: str | None = None
    error: str | None = None
    table: LoadTableState | None = None
    view: LoadView | None = None


_decoder = msgspec.json.Decoder(LoadMessage)


class LoadPlayer:
    """One socket at one table, as light as possible: the load must not be the bottleneck."""

    def __init__(self, table: "LoadTable", seat: int) -> None:
        self.table = table
        self.seat = seat
        self.socket: ClientConnection | None = None
        self.match = ""
        self.ply = 0
        self.moves: tuple[str, ...] = ()
        self.share = os.urandom(32)
        self.said: set[str] = set()
        self.sent = 0.0
        self.joined = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    async def connect(self, url: str, address: str, hello: wire.Hello) -> None:
        """Say hello, and listen from then on."""
        self.socket = await connect(
            url, local_addr=(address, 0), compression=None, ping_interval=None, max_size=2**22
        )
        await self.say(hello)
        self.task = asyncio.create_task(self._listen(self.socket))

    async def say(self, message: msgspec.Struct) -> None:
        """Send a message."""
        assert self.socket is not None
        await self.socket.send(msgspec.json.encode(message).decode())

    async def _listen(self, socket: ClientConnection) -> None:
        async for raw in socket:
            message = _decoder.decode(raw)
            if message.type == "done":
                self.table.acknowledged(self, message.id or 0)
            elif message.type in ("refused", "bye"):
                self.table.failed(message.error or "")
            elif message.type in ("welcome", "update"):
                await self._look(message)
            elif message.type == "joined":
                self.joined.set()

    async def _look(self, message: LoadMessage) -> None:
        self.ply = message.ply
        if message.table is not None:
            self.match = message.table.match or ""
            if message.table.dealing is not None and message.table.stage == "dealing":
                await self._share(message.table.dealing)
        self.moves = message.view.moves if message.view is not None else ()
        if self.moves:
            self.table.owes(self)

    async def _share(self, dealing: LoadDealing) -> None:
        """Seal our share, then open it."""
        match = dealing.match
        if dealing.client_commits[self.seat] is None and f"seal {match}" not in self.said:
            self.said.add(f"seal {match}")
            commit = client_commit(match, self.seat, self.share).hex()
            await self.say(wire.Commit(id=0, match=match, commit=commit))
        elif dealing.transcript and f"open {match}" not in self.said:
            self.said.add(f"open {match}")
            await self.say(wire.Reveal(id=0, match=match, seed=self.share.hex()))

    async def move(self) -> None:
        """Make the first legal move."""
        move, self.moves = self.moves[0], ()
        self.sent = time.perf_counter()
        await self.say(wire.Play(id=1, match=self.match, ply=self.ply, move=move))

    async def close(self) -> None:
        """Disconnect."""
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)
        if self.socket is not None:
            with suppress(Exception):
                await self.socket.close()


class LoadTable:
    """A table of players who move on demand, or at once."""

    def __init__(self, load: "Load", number: int) -> None:
        self.load = load
        self.address = address_of(number)
        self.players = [LoadPlayer(self, seat) for seat in range(SEATS)]
        self.ready: list[LoadPlayer] = []
        self.due = 0  # moves that should have been made by now

    async def open(self, url: str, http: str) -> None:
        """Create the table, take all seats, and begin."""
        made = await post(http, "/api/tables", self.address, _new_table())
        table = made["table"]
        for player in self.players:
            token = made["token"] if player.seat == 0 else None
            hello = wire.Hello(version=wire.VERSION, table=table, token=token)
            await player.connect(url, self.address, hello)
            if player.seat:
                await player.say(wire.Join(id=0, name=f"P{player.seat}", seat=player.seat))
                await player.joined.wait()
        await self.players[0].say(wire.Begin(id=0))

    def owes(self, player: LoadPlayer) -> None:
        """Note that a player can move."""
        if player not in self.ready:
            self.ready.append(player)
        if self.due:
            self.push()

    def push(self) -> None:
        """Make one more move due."""
        while self.ready:
            player = self.ready.pop(0)
            if player.moves:
                self.due = max(0, self.due - 1)
                self.load.spawn(player.move())
                return
        self.due = 1

    def acknowledged(self, player: LoadPlayer, id: int) -> None:
        """Note that a move is stored."""
        if id == 1:
            self.load.latencies.append(time.perf_counter() - player.sent)
            if self.load.flat_out:
                self.push()

    def failed(self, error: str) -> None:
        """Count a refusal, so that it is not ignored."""
        self.load.refusals.append(error)

    async def close(self) -> None:
        """Disconnect everyone."""
        await asyncio.gather(*(player.close() for player in self.players))


def _new_table() -> wire.NewTable:
    return wire.NewTable(game=GAME, name="P0", seats=SEATS, options={"rounds": 12})


class Load:
    """All tables, and the measurements."""

    def __init__(self, run_options: LoadOptions) -> None:
        self.run_options = run_options
        self.tables = [LoadTable(self, number) for number in range(run_options.tables)]
        self.latencies: list[float] = []
        self.refusals: list[str] = []
        self.flat_out = False
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[None, None, None]) -> None:
        """Run work in the background."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def open(self, url: str, http: str, progress: Progress) -> None:
        """Set up all tables."""
        gate = asyncio.Semaphore(TOGETHER)
        opened = 0

        async def one(table: LoadTable) -> None:
            nonlocal opened
            async with gate:
                await table.open(url, http)
                opened += 1
                if opened % 100 == 0:
                    progress(f"{opened} of {len(self.tables)} tables")

        await asyncio.gather(*(one(table) for table in self.tables))
        async with asyncio.timeout(START_SECONDS):
            while not all(table.ready for table in self.tables):
                await asyncio.sleep(0.05)

    async def steady(self) -> LoadResult:
        """Move at an even rate, table after table, whether the server keeps up or not."""
        self.latencies = []
        begin, made = time.perf_counter(), 0
        while (passed := time.perf_counter() - begin) < self.run_options.seconds:
            while made < passed * self.run_options.rate:
                self.tables[made % len(self.tables)].push()
                made += 1
            await asyncio.sleep(0.002)
        await self._settle(made)
        return self._figures(self.run_options.seconds)

    async def saturated(self) -> LoadResult:
        """Move at every table as soon as its last move is acknowledged."""
        self.latencies, self.flat_out = [], True
        for table in self.tables:
            table.push()
        begin = time.perf_counter()
        await asyncio.sleep(self.run_options.seconds)
        self.flat_out = False
        passed = time.perf_counter() - begin
        found = self._figures(passed)
        await asyncio.sleep(0.5)
        for table in self.tables:
            table.due = 0
        return found

    async def _settle(self, made: int) -> None:
        """Wait for the last answers."""
        for _ in range(200):
            if len(self.latencies) >= made:
                return
            await asyncio.sleep(0.01)

    def _figures(self, seconds: float) -> LoadResult:
        if self.refusals:
            raise BadLoadError("load-refused", error=self.refusals[0], count=len(self.refusals))
        return figures(self.latencies, seconds)

    async def close(self) -> None:
        """Disconnect everyone."""
        await asyncio.gather(*(table.close() for table in self.tables))


async def post(http: str, path: str, address: str, body: object) -> dict[str, str]:
    """POST from some address."""
    status, raw = await request(http, f"POST {path}", address, msgspec.json.encode(body))
    if b" 201 " not in status:
        raise BadLoadError("load-refused", error=status.decode("latin-1"), count=1)
    return msgspec.json.decode(raw, type=dict[str, str])


async def request(http: str, what: str, address: str, body: bytes) -> tuple[bytes, bytes]:
    """Send a request by hand, as a client library costs more than it does; return status line and
    body."""
    host, _, port = http.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port), local_addr=(address, 0))
    head = f"{what} HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: {len(body)}\r\n"
    try:
        writer.write(f"{head}Connection: close\r\n\r\n".encode() + body)
        answer = await reader.read()
    finally:  # also after cancellation
        writer.close()
    status, _, rest = answer.partition(b"\r\n")
    return status, rest.partition(b"\r\n\r\n")[2]


async def most_lag_ms(http: str) -> float:
    """Return the largest event loop lag that the server reports."""
    _, page = await request(http, "GET /metrics", "127.0.0.1", b"")
    name = b"stichwerk_loop_lag_max_seconds "
    found = [line for line in page.splitlines() if line.startswith(name)]
    return round(1000 * float(found[0].split()[1]), 1) if found else 0.0


# -- Server processes ------------------------------------------------------------------------------


@asynccontextmanager
async def process(args: Sequence[str], port: int) -> AsyncIterator[int]:
    """Run a server that answers at this port; yield its process id. It ends with the block."""
    running = await asyncio.create_subprocess_exec(
        sys.executable,
        *args,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        await _answers(port)
        yield running.pid
    finally:
        with suppress(ProcessLookupError):
            running.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(running.wait(), 20)
        except TimeoutError:
            running.kill()
            await running.wait()


async def _answers(port: int) -> None:
    for _ in range(600):
        with suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        await asyncio.sleep(0.05)
    raise BadLoadError("load-no-server")


def free_port() -> int:
    """Return a free port outside the ephemeral range: otherwise a client could take it before the
    server starts, or connect to itself while waiting for the server."""
    system = random.SystemRandom()  # independent of a test's seed: others look for a port, too
    while True:
        port = system.randrange(20_000, 30_000)
        with closing(socket.socket()) as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


# -- The bare echo ---------------------------------------------------------------------------------


class Echo:
    """Sends every message to its group, in the size of an update, and an acknowledgement."""

    def __init__(self) -> None:
        self.groups: dict[str, list[Send]] = {}
        self.update = '{"type":"update","x":"' + "x" * UPDATE_SIZE + '"}'

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one socket: its first message names the group."""
        if scope["type"] != "websocket":
            return
        await receive()
        await send({"type": "websocket.accept"})
        group = self.groups.setdefault((await receive()).get("text") or "", [])
        group.append(send)
        while (await receive())["type"] == "websocket.receive":
            for member in group:
                await member({"type": "websocket.send", "text": self.update})
            await send({"type": "websocket.send", "text": '{"type":"done","id":1}'})
        group.remove(send)


async def echo_floor(run_options: LoadOptions) -> LoadResult:
    """Put the same load on the bare echo."""
    port = free_port()
    async with process(["-m", "stichwerk.server.clients.load_test", "echo", str(port)], port):
        floor = EchoFloor(run_options)
        await floor.open(f"ws://127.0.0.1:{port}/")
        try:
            return await floor.steady()
        finally:
            await floor.close()


class EchoFloor:
    """Groups of sockets that echo."""

    def __init__(self, run_options: LoadOptions) -> None:
        self.run_options = run_options
        self.sockets: list[ClientConnection] = []
        self.sent: dict[int, float] = {}
        self.latencies: list[float] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def open(self, url: str) -> None:
        """Connect as many sockets as there are players."""
        for number in range(self.run_options.tables * SEATS):
            table = number // SEATS
            socket = await connect(
                url,
                local_addr=(address_of(table), 0),
                compression=None,
                ping_interval=None,
                max_size=2**22,
            )
            await socket.send(str(table))
            self.sockets.append(socket)
            self.tasks.append(asyncio.create_task(self._listen(number, socket)))

    async def _listen(self, number: int, socket: ClientConnection) -> None:
        async for raw in socket:
            message = _decoder.decode(raw)
            if message.type == "done":
                self.latencies.append(time.perf_counter() - self.sent[number])

    async def steady(self) -> LoadResult:
        """Send messages at the rate of the moves."""
        message = msgspec.json.encode(wire.Play(id=1, match="x" * 16, ply=1, move="G8")).decode()
        begin, made = time.perf_counter(), 0
        while (passed := time.perf_counter() - begin) < self.run_options.seconds:
            while made < passed * self.run_options.rate:
                number = (
                    made % self.run_options.tables * SEATS + made // self.run_options.tables % SEATS
                )
                self.sent[number] = time.perf_counter()
                await self.sockets[number].send(message)
                made += 1
            await asyncio.sleep(0.002)
        await asyncio.sleep(0.5)
        return figures(self.latencies, self.run_options.seconds)

    async def close(self) -> None:
        """Disconnect everyone."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.gather(*(socket.close() for socket in self.sockets), return_exceptions=True)


# -- The whole measurement -------------------------------------------------------------------------


async def measure(run_options: LoadOptions, progress: Progress) -> dict[str, object]:
    """Return all figures, with the goals beside them."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        args = ["-m", "stichwerk", "serve", "--no-open", "--port", str(port), "--data", folder]
        if run_options.store is not None:
            args += ["--store", run_options.store]
        async with process(args, port) as pid:
            load = Load(run_options)
            http = f"http://127.0.0.1:{port}"
            await load.open(f"ws://127.0.0.1:{port}/ws", http, progress)
            runs, busy = [], cpu_seconds(pid)
            for number in range(run_options.runs):
                runs.append(await load.steady())
                progress(f"{number + 1}: {runs[-1].moves_per_second:.0f}/s, {runs[-1].p99_ms} ms")
            moves = sum(run.moves_per_second for run in runs) * run_options.seconds
            cpu = cpu_us_per_move(busy, cpu_seconds(pid), moves)
            steady_memory, lag = memory_mb(pid), await most_lag_ms(http)
            saturated = await load.saturated()
            progress(f"{saturated.moves_per_second:.0f}/s")
            await load.close()
            memory = memory_mb(pid)
    floor = await echo_floor(run_options)
    return {
        "tables": run_options.tables,
        "sockets": run_options.tables * SEATS,
        "rate": run_options.rate,
        "runs": [msgspec.to_builtins(run) for run in runs],
        "p99_ms": statistics.median(run.p99_ms for run in runs),
        "p99_goal_ms": P99_GOALS_MS["sqlite" if run_options.store is None else "postgres"],
        "cpu_us_per_move": cpu,
        "loop_lag_max_ms": lag,
        "loop_lag_goal_ms": 100.0,
        "memory_mb": steady_memory,
        "memory_saturated_mb": memory,
        "memory_goal_mb": 250.0,
        "saturation": msgspec.to_builtins(saturated),
        "saturation_goal": 1500.0,
        "echo": msgspec.to_builtins(floor),
    }


def lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the figures as text."""
    yield f"{found['tables']} tables, {found['sockets']} sockets, {found['rate']:.0f} moves/s:"
    yield f"  p99 {found['p99_ms']:.1f} ms, median of runs (goal {found['p99_goal_ms']:.0f} ms)"
    for run in found["runs"]:
        yield f"    {run['moves_per_second']:.0f}/s  p50 {run['p50_ms']} ms  p99 {run['p99_ms']} ms"
    if found["cpu_us_per_move"] is not None:
        yield f"  processor time of the server {found['cpu_us_per_move']:.0f} µs a move"
    lag, goal = found["loop_lag_max_ms"], found["loop_lag_goal_ms"]
    yield f"  event loop late by at most {lag} ms (goal {goal:.0f} ms)"
    yield f"  memory {found['memory_mb']} MB (goal {found['memory_goal_mb']:.0f} MB)"
    most = found["saturation"]
    goal = found["saturation_goal"]
    yield f"  saturation {most['moves_per_second']:.0f} moves/s (goal {goal:.0f})"
    echo = found["echo"]
    yield f"  bare echo: p50 {echo['p50_ms']} ms, p99 {echo['p99_ms']} ms"


def run_load(run_options: LoadOptions, progress: Progress) -> dict[str, object]:
    """Measure, with the limit of open files raised as far as the system allows."""
    from stichwerk.server.run import raise_file_limit

    raise_file_limit()
    return asyncio.run(measure(run_options, progress))


def main(args: Sequence[str]) -> None:
    """Run the bare echo, in its own process."""
    from stichwerk.server.run import raise_file_limit

    raise_file_limit()
    uvicorn.run(
        Echo(),
        host="127.0.0.1",
        port=int(args[1]),
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        lifespan="off",
    )


if __name__ == "__main__":
    main(sys.argv[1:])
