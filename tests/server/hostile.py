"""Hostile clients: what they send, and a server in a process of its own to send it to.

    python -m tests.server.hostile --messages 10000000 --seconds 14400

is the long run: fuzzed messages on the wire, then fuzzed HTTP, then floods next to quiet tables.
All of it is bounded in count and time, stays on loopback, and ends by itself.
"""

import argparse
import asyncio
import json
import math
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec

from stichwerk.server import wire
from stichwerk.server.clients.table_client import TableClient
from stichwerk.server.network.limits import Limits
from stichwerk.view import View
from tests.server.hostile_http import attack_http
from tests.server.hostile_messages import attack, visible_to_all
from tests.server.hostile_server import (
    GAMES,
    PATIENCE,
    AllOf,
    DeniedError,
    Server,
    Socket,
    all_know,
    end,
    framed,
    hello,
    make_table,
    play_to_the_end,
    serve,
    serving,
    victim,
    welcome,
)

# -- Quiet tables next door ------------------------------------------------------------------------


class Timed(TableClient):
    """A client that measures how long each of its moves took to be acknowledged, and when."""

    def __init__(
        self,
        url: str,
        table: str,
        token: str | None,
        address: str,
        times: list[tuple[float, float]],
    ) -> None:
        super().__init__(url, table, token=token, local_address=address)
        self.times = times
        self.made = 0

    async def play(self, move: str) -> None:
        """Make a move, and note it."""
        began = time.perf_counter()
        await super().play(move)
        self.times.append((began, time.perf_counter() - began))
        self.made += 1


class QuietTables:
    """Tables of two, who play one match after the other, each move after a short delay."""

    def __init__(self, server: Server, count: int, thought: float = 0.15) -> None:
        self.server = server
        self.count = count
        self.thought = thought
        self.times: list[tuple[float, float]] = []
        self.pairs: list[tuple[Timed, Timed]] = []
        self.resumed = 0
        self._playing: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "QuietTables":
        for number in range(self.count):
            made = await make_table(self.server.port, game="stichling", name="Ada", seats=2)
            host, other = (
                Timed(self.server.ws, made.table, token, f"127.0.6.{1 + number}", self.times)
                for token in (made.token, None)
            )
            self.pairs.append((host, other))
            await AllOf((host, other)).__aenter__()
            await other.join("Ben")
        self._playing = [asyncio.create_task(self.play(*pair)) for pair in self.pairs]
        for guest in (guest for pair in self.pairs for guest in pair):
            await guest.until(lambda guest=guest: stage(guest) == "playing")  # type: ignore[misc]
        self.resumed = self._resumed()  # who joins is welcomed once more
        return self

    async def play(self, host: Timed, other: Timed) -> None:
        """Until it is called off."""
        while True:
            await host.ask(lambda id: wire.Begin(id=id))
            for guest in (host, other):
                await guest.until(lambda guest=guest: stage(guest) == "playing")  # type: ignore[misc]
            await asyncio.gather(host.play_on(self.choose), other.play_on(self.choose))
            await all_know((host, other))

    async def choose(self, view: View) -> str:
        """Think for a moment, then return the first move."""
        await asyncio.sleep(self.thought * random.uniform(0.5, 1.5))
        return view.moves[0]

    async def __aexit__(self, *error: object) -> None:
        for task in self._playing:
            task.cancel()
        results = await asyncio.gather(*self._playing, return_exceptions=True)
        for pair in self.pairs:
            await AllOf(pair).__aexit__()
        failed = [one for one in results if not isinstance(one, asyncio.CancelledError)]
        assert not failed, failed

    async def span(self, seconds: float) -> list[float]:
        """Return how long moves take during the next seconds."""
        began = time.perf_counter()
        await asyncio.sleep(seconds)
        ended = time.perf_counter()
        return sorted(took for at, took in self.times if began <= at < ended)

    async def nothing_missed(self) -> bool:
        """Return whether all clients have received everything over one connection."""
        for pair in self.pairs:
            for guest in pair:
                last = (await welcome(self.server.port, guest.table_id, guest.token))["seq"]
                await asyncio.wait_for(
                    guest.until(lambda guest=guest, last=last: guest.seq >= last),  # type: ignore[misc]
                    PATIENCE,
                )
        return self._resumed() == self.resumed

    def _resumed(self) -> int:
        return sum(guest.resumed for pair in self.pairs for guest in pair)


def stage(guest: TableClient) -> str:
    """Return the sequence number of a table."""
    return guest.table.stage if guest.table else ""


def p99(times: Sequence[float]) -> float:
    """Return the 99th percentile."""
    return times[math.ceil(len(times) * 0.99) - 1]


# -- Those who make noise --------------------------------------------------------------------------


class Assault:
    """Floods, stalled clients and half-open handshakes, from addresses of their own."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.on = True
        self.seen: Counter[str] = Counter()

    def note(self, kind: str) -> None:
        """Report an event; the parent gets the first of its kind."""
        self.seen[kind] += 1
        if self.seen[kind] == 1:
            print(kind, flush=True)

    async def run(self) -> None:
        """Run all at once, until stopped."""
        loud = await make_table(self.port, game="stichling", name="Eve", seats=2)
        busy = await make_table(self.port, game="sticheln", name="Mallory", seats=4)
        stalled = [await self.stall(busy, number) for number in range(10)]
        async with asyncio.TaskGroup() as group:
            group.create_task(self.keep_busy(busy))
            for number in range(10):
                group.create_task(self.flood(loud, f"127.0.1.{1 + number % 5}"))
            for number in range(5):
                group.create_task(self.drip(loud, f"127.0.2.{1 + number}"))
            for number in range(20):
                group.create_task(self.half_open(f"127.0.3.{1 + number % 5}"))
        await asyncio.gather(*(self.drain(one) for one in stalled))

    # -- Floods ------------------------------------------------------------------------------------

    async def flood(self, table: wire.TableMade, address: str) -> None:
        """Exceed the limit, get thrown out, reconnect at once."""
        burst = framed(b'{"type":"ping","id":1}') * 50
        await asyncio.sleep(random.uniform(0, 0.2))  # not all in step
        while self.on:
            try:
                one = await Socket.open(self.port, address=address)
            except DeniedError as denied:
                self.note(f"denied {denied.status}")
                await asyncio.sleep(0.05)
                continue
            one.say(hello(table.table))
            for _ in range(6):
                one.put(burst)
            _, closed = await one.until_closed()
            self.note(f"flood {closed.code}")
            await asyncio.sleep(random.uniform(0.05, 0.15))

    async def drip(self, table: wire.TableMade, address: str) -> None:
        """Stay just below the limit: five a second, all answered."""
        one = await Socket.open(self.port, address=address)
        one.say(hello(table.table, table.token))
        while self.on:
            one.say({"type": "chat", "id": 1, "text": "x" * 280})
            await one.answer()
            self.note("drip answered")
            await asyncio.sleep(0.22)
        one.cut()

    # -- Stalled clients ---------------------------------------------------------------------------

    async def stall(self, table: wire.TableMade, number: int) -> Socket:
        """Someone who says hello and never reads."""
        one = await Socket.open(self.port, address=f"127.0.4.{1 + number}", small=True)
        one.writer.transport.pause_reading()  # type: ignore[attr-defined]
        one.say(hello(table.table))
        return one

    async def keep_busy(self, table: wire.TableMade) -> None:
        """Keep a table busy, with every step acknowledged, even if a client stalls."""
        said: dict[str, object] = {"type": "begin"}  # with a shuffle to tell of, more is said
        while self.on or self.seen["busy"] < 250:
            one = await Socket.open(self.port, address="127.0.5.1")
            one.say(hello(table.table, table.token))
            for count in range(80):  # within the limit; then a new tab
                one.say({**said, "id": count})
                said = {"type": "rename", "name": f"Mallory {self.seen['busy']}"}
                answer = await one.answer()
                assert isinstance(answer, wire.Done), answer
                self.note("busy")
                await asyncio.sleep(0.01)
            one.cut()

    async def drain(self, one: Socket) -> None:
        """Read what is left, and why the connection was closed."""
        one.writer.transport.resume_reading()  # type: ignore[attr-defined]
        _, closed = await asyncio.wait_for(one.until_closed(), PATIENCE)
        self.note(f"stalled {closed.code} {closed.reason}")
        one.cut()

    # -- Half-open handshakes ----------------------------------------------------------------------

    async def half_open(self, address: str) -> None:
        """Open a request that does not end, or send no hello; then disconnect, and repeat."""
        await asyncio.sleep(random.uniform(0, 0.6))
        while self.on:
            _, writer = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(address, 0)
            )
            writer.write(b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: webso")
            self.note("half-open")
            await asyncio.sleep(0.3)
            writer.transport.abort()
            with suppress(DeniedError):
                one = await Socket.open(self.port, address=address)
                self.note("silent")
                await asyncio.sleep(0.3)
                one.cut()


SENSIBLE = Limits(
    queue=64,
    creates=1000,
    hello_seconds=PATIENCE,
    stalled_seconds=PATIENCE,
    changes=1_000_000,  # one table is to be busy
    address_changes=1_000_000,
    beside=1_000_000,
)
"""The limits of a real server, but for what a test on one address or a busy machine needs."""


class Neighbours(NamedTuple):
    """What quiet tables felt of an assault, p99 in seconds, repetition by repetition."""

    alone: list[float]
    beside: list[float]
    moves: int
    complete: bool
    seen: Counter[str]

    @property
    def ratio(self) -> float:
        """How much slower, in the median."""
        pairs = zip(self.alone, self.beside, strict=True)
        return median(beside / alone for alone, beside in pairs)


async def neighbours(
    server: Server, *, tables: int = 16, span: float = 4.0, times: int = 3
) -> Neighbours:
    """Measure quiet tables alone, then during an attack, several times in turn."""
    alone, beside, moves = [], [], 0
    seen: Counter[str] = Counter()
    async with QuietTables(server, tables) as quiet:
        await quiet.span(span / 2)  # warm up
        for _ in range(times):
            took = await quiet.span(span)
            alone.append(p99(took))
            async with assaulted(server) as noise:
                await asyncio.sleep(0.5)
                took = await quiet.span(span)
                beside.append(p99(took))
                moves += len(took)
            seen.update(noise.seen)
        complete = await quiet.nothing_missed()
    return Neighbours(alone, beside, moves, complete, seen)


class AssaultProcess:
    """An assault, seen from the process that started it."""

    def __init__(self, lines: asyncio.StreamReader) -> None:
        self.lines = lines
        self.seen: Counter[str] = Counter()

    async def until(self, kinds: set[str]) -> None:
        """Wait until all this has happened at least once."""
        while kinds - set(self.seen):
            line = await asyncio.wait_for(self.lines.readline(), PATIENCE)
            assert line, "the assault has ended"
            self.seen[line.decode().strip()] += 1


@asynccontextmanager
async def assaulted(server: Server) -> AsyncIterator[AssaultProcess]:
    """Run an assault in its own process for the duration of the block; yield its findings."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.server.hostile", "assault", str(server.port)),
        stdin=pipe,
        stdout=pipe,
        cwd=Path(__file__).parents[2],
    )
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        noise = AssaultProcess(process.stdout)
        yield noise
        process.stdin.close()
        output = await asyncio.wait_for(process.stdout.read(), 2 * PATIENCE)
        assert await process.wait() == 0
        noise.seen = Counter(json.loads(output.splitlines()[-1]))
    finally:
        await end(process)


async def assault(port: int) -> None:
    """Run the other side of `assaulted` until its input is closed."""
    made = Assault(port)
    running = asyncio.create_task(made.run())
    await asyncio.to_thread(sys.stdin.read)
    made.on = False
    await running
    print(json.dumps(made.seen), flush=True)


# -- The long run ----------------------------------------------------------------------------------


def every(seconds: float) -> Callable[[str], None]:
    """Print a line now and then."""
    last = 0.0

    def progress(line: str) -> None:
        nonlocal last
        if time.monotonic() - last >= seconds:
            last = time.monotonic()
            print(line, flush=True)

    return progress


async def long_run(messages: int, seconds: float, seed: int) -> bool:
    """Run everything, with figures; return whether all promises hold."""
    with tempfile.TemporaryDirectory() as folder:
        async with serving(Path(folder)) as server:
            good = await long_fuzz(server, messages, seconds, seed)
    with tempfile.TemporaryDirectory() as folder:
        async with serving(Path(folder), SENSIBLE) as server:
            felt = await neighbours(server, tables=24, span=6.0, times=5)
            for alone, beside in zip(felt.alone, felt.beside, strict=True):
                print(f"p99 alone {1000 * alone:.1f} ms, beside {1000 * beside:.1f} ms")
            print(f"ratio {felt.ratio:.2f} (goal 2), {felt.moves} moves, {dict(felt.seen)}")
            good = good and felt.ratio <= 2 and felt.complete and not server.failures()
    return good


async def long_fuzz(server: Server, messages: int, seconds: float, seed: int) -> bool:
    """Send fuzzed messages, then fuzzed requests, then play the matches to the end."""
    targets = [await victim(server, game) for game in GAMES]
    before = await visible_to_all(server, targets)
    progress = every(5)
    tally = await attack(
        server, targets, messages=messages, seconds=seconds, seed=seed, progress=progress
    )
    same = await visible_to_all(server, targets) == before
    print(f"{tally.sent:,} messages; memory {tally.growth:.3f} times; unchanged: {same}")
    print(dict(tally.answers), dict(tally.closes))
    print("HTTP", dict(await attack_http(server, min(messages // 10, 20_000), seed)))
    ends = [await play_to_the_end(server, target) for target in targets]
    print(f"played to the end: {sum(ends)} of {len(ends)}; failures: {server.failures()}")
    return same and all(ends) and not server.failures() and tally.growth < 1.1


def main() -> int:
    """Run the command, and what it starts in separate processes."""
    if sys.argv[1:2] == ["serve"]:
        limits = msgspec.json.decode(sys.argv[4], type=Limits)
        serve(Path(sys.argv[2]), sys.argv[3] == "still", limits)
        return 0
    if sys.argv[1:2] == ["assault"]:
        asyncio.run(assault(int(sys.argv[2])))
        return 0
    parser = argparse.ArgumentParser(description="Hostile clients against a server on loopback.")
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=3600, help="for the messages, at most")
    parser.add_argument("--seed", type=int, default=1)
    requested = parser.parse_args()
    return 0 if asyncio.run(long_run(requested.messages, requested.seconds, requested.seed)) else 1


if __name__ == "__main__":
    sys.exit(main())
