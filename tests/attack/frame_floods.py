"""What floods of frames, headers and connections do to the other tables and to memory.

    python -m tests.attack.frame_floods [--short] [FLOOD ...]

A real server in a process of its own, people who play at other tables from other addresses, and an
attacker in a third process who uses one address. For each flood: p99 of the acknowledgements before
and during it, the server's share of a core (which other programs on the machine do not change), the
slowest `/api/health`, the memory, and what the attacker got to see. A flood that breaks a promise
is measured again, as machines are noisy; the exit code is 1 if it breaks it each time. It ends by
itself: ten seconds for each flood, or about one with `--short`, too few moves to judge p99.
"""

import argparse
import asyncio
import json
import os
import socket
import struct
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import msgspec

from stichwerk.server import wire
from stichwerk.server.clients.load_test import (
    Load,
    LoadOptions,
    LoadPlayer,
    LoadResult,
    LoadTable,
    figures,
    free_port,
    post,
    process,
    request,
)
from stichwerk.server.run import raise_file_limit
from tests.attack.verdict import verdict

SECONDS, SHORT_SECONDS = 10.0, 1.0
TABLES, RATE = 8, 80.0  # neighbours: 32 people, 80 moves a second together
ATTACKER, PROBE = "127.9.9.9", "127.8.8.8"
SOCKETS = 20  # as many as one address may have
MOST_BYTES = 20_000_000  # of one flood
MEMORY = Path("/dev/shm")  # the store is there: the disk of a busy machine has bad days of its own
MOST_RATIO = 2.0  # of p99 under a flood and before it
GROWTH_MB, SHORT_GROWTH_MB = 16.0, 6.0  # buffers of sockets; without limits 15 MB a second
TRIES = 3
AGAIN_SECONDS = 0.2  # until the attacker reconnects after a close
CONT, TEXT, CLOSE, PING, PONG = 0, 1, 8, 9, 10
UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What one flood did."""

    flood: str
    p50_ms: float
    p99_ms: float
    quiet_p99_ms: float
    cpu: float  # of one core, for the server
    quiet_cpu: float
    health_worst_ms: float
    memory_mb: float
    memory_growth_mb: float
    sent_mb: float
    seen: dict[str, int]

    @property
    def ratio(self) -> float:
        """p99 under the flood, by p99 before it."""
        return self.p99_ms / max(self.quiet_p99_ms, 0.01)

    def broken(self, short: bool) -> list[str]:
        """Return the broken promises."""
        found = []
        if self.memory_growth_mb > (SHORT_GROWTH_MB if short else GROWTH_MB):
            found.append(f"{self.flood}: memory grows by {self.memory_growth_mb:.0f} MB")
        if not short and self.ratio > MOST_RATIO:
            found.append(f"{self.flood}: p99 of other tables × {self.ratio:.1f}")
        return found


# -- The attacker ----------------------------------------------------------------------------------


def frame(opcode: int, payload: bytes = b"", *, fin: bool = True) -> bytes:
    """Return a frame of a client, masked with zeros."""
    head = bytes([fin << 7 | opcode])
    if len(payload) < 126:
        return head + bytes([0x80 | len(payload)]) + bytes(4) + payload
    return head + bytes([0x80 | 126]) + struct.pack("!H", len(payload)) + bytes(4) + payload


class Attacker:
    """One address that does one thing until its time is over."""

    def __init__(self, port: int, seconds: float) -> None:
        self.port = port
        self.end = time.monotonic() + seconds
        self.sent = 0
        self.most = MOST_BYTES
        self.seen: Counter[str] = Counter()
        self.hello = b""

    @property
    def over(self) -> bool:
        return time.monotonic() >= self.end

    async def wait_if_spent(self) -> None:
        """Stop sending at the limit of a flood; its connections stay open."""
        if self.sent >= self.most:
            await asyncio.sleep(max(0.0, self.end - time.monotonic()))

    async def sit_down(self) -> None:
        """Make a table of the attacker's own, so that its sockets can say hello."""
        requested = wire.NewTable(game="sticheln", name="Eve", seats=4)
        made = await post(f"http://127.0.0.1:{self.port}", "/api/tables", ATTACKER, requested)
        hello = wire.Hello(version=wire.VERSION, table=made["table"], token=made["token"])
        self.hello = frame(TEXT, msgspec.json.encode(hello))

    async def connected(self) -> socket.socket:
        made = socket.socket()
        made.setblocking(False)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made.bind((ATTACKER, 0))
        try:
            await asyncio.get_running_loop().sock_connect(made, ("127.0.0.1", self.port))
        except BaseException:
            made.close()
            raise
        return made

    async def send(self, made: socket.socket, data: bytes) -> None:
        """Send it all, unless the time is over before."""
        await self.wait_if_spent()
        async with asyncio.timeout(max(0.01, self.end - time.monotonic())):
            await asyncio.get_running_loop().sock_sendall(made, data)
        self.sent += len(data)

    async def reading(self, made: socket.socket) -> str:
        """Read until the server closes: with which code or status, or how else."""
        first, last, status = b"", b"", ""
        loop = asyncio.get_running_loop()
        with suppress(OSError):
            while data := await loop.sock_recv(made, 65_536):
                first = first or data
                last = (last + data)[-300:]
        if first.startswith(b"HTTP/1.1 "):
            status = first[9:12].decode()
        return closing(last) or (f"http {status}" if status not in ("", "101") else "reset")

    async def keep_on(
        self, attack: Callable[[socket.socket], Awaitable[None]], *, reads: bool = True
    ) -> None:
        """Attack over one connection; when it is closed, over the next."""
        while not self.over:
            try:
                made = await self.connected()
            except OSError:
                self.seen["refused"] += 1
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            watcher = asyncio.create_task(self.reading(made)) if reads else None
            attacking = asyncio.create_task(self.carefully(attack, made))
            both = {task for task in (watcher, attacking) if task is not None}
            left = max(0.01, self.end - time.monotonic())
            await asyncio.wait(both, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if watcher is not None and not watcher.done() and not self.over:
                await asyncio.wait({watcher}, timeout=min(1.0, left))  # why did it end?
            if watcher is not None and watcher.done():
                self.seen[watcher.result()] += 1
            else:
                self.seen["open at the end" if self.over else "broken"] += 1
            for task in both:
                task.cancel()
            await asyncio.gather(*both, return_exceptions=True)
            made.close()
            await asyncio.sleep(AGAIN_SECONDS)

    async def carefully(
        self, attack: Callable[[socket.socket], Awaitable[None]], made: socket.socket
    ) -> None:
        with suppress(OSError, TimeoutError):
            await attack(made)

    async def flood(
        self, data: bytes, *, before: bytes = b"", hello: bool = True, pause: float = 0.0
    ) -> Callable[[socket.socket], Awaitable[None]]:
        """Send the same again and again over a WebSocket."""
        if hello:
            await self.sit_down()

        async def attack(made: socket.socket) -> None:
            await self.send(made, UPGRADE + b"\r\n")
            await asyncio.sleep(0.05)  # the answer; frames before it would be lost
            await self.send(made, (self.hello if hello else b"") + before)
            while not self.over:
                await self.send(made, data)
                await asyncio.sleep(pause)

        return attack

    async def many(
        self, count: int, attack: Callable[[socket.socket], Awaitable[None]], *, reads: bool = True
    ) -> None:
        await asyncio.gather(*(self.keep_on(attack, reads=reads) for _ in range(count)))


def closing(data: bytes) -> str:
    """Return the code of a close frame at the end of what was read."""
    for at in range(len(data) - 4, -1, -1):
        if data[at] == 0x88 and at + 2 + data[at + 1] == len(data) and data[at + 1] >= 2:
            return f"close {struct.unpack_from('!H', data, at + 2)[0]}"
    return ""


async def empty_pings(eve: Attacker) -> None:
    await eve.many(SOCKETS, await eve.flood(frame(PING) * 1000))


async def full_pings(eve: Attacker) -> None:
    await eve.many(SOCKETS, await eve.flood(frame(PING, b"x" * 125) * 50))


async def early_pings(eve: Attacker) -> None:
    await eve.many(SOCKETS, await eve.flood(frame(PING) * 1000, hello=False))


async def pongs(eve: Attacker) -> None:
    await eve.many(SOCKETS, await eve.flood(frame(PONG) * 1000))


async def empty_texts(eve: Attacker) -> None:
    await eve.many(SOCKETS, await eve.flood(frame(TEXT) * 1000))


async def continuations(eve: Attacker) -> None:
    begin = frame(TEXT, b'"', fin=False)
    await eve.many(SOCKETS, await eve.flood(frame(CONT, fin=False) * 1000, before=begin))


async def pings_unread(eve: Attacker) -> None:
    eve.most = 20 * MOST_BYTES
    await eve.many(1, await eve.flood(frame(PING, b"x" * 125) * 500), reads=False)


async def not_utf8(eve: Attacker) -> None:
    await eve.many(SOCKETS, await eve.flood(frame(TEXT, b"\xff\xfe"), pause=0.01))


async def byte_by_byte(eve: Attacker) -> None:
    whole = frame(TEXT, b'{"type":"ping","id":1}')
    await eve.sit_down()

    async def attack(made: socket.socket) -> None:
        await eve.send(made, UPGRADE + b"\r\n")
        await asyncio.sleep(0.05)
        await eve.send(made, eve.hello)
        while not eve.over:
            for byte in whole:
                await eve.send(made, bytes([byte]))
                await asyncio.sleep(0)

    await eve.many(SOCKETS, attack)


async def half_open(eve: Attacker) -> None:
    async def attack(made: socket.socket) -> None:
        await eve.send(made, UPGRADE)  # and never the empty line
        await asyncio.sleep(SECONDS)

    await eve.many(500, attack)


async def slow_headers(eve: Attacker) -> None:
    async def attack(made: socket.socket) -> None:
        await eve.send(made, b"GET /api/lobby HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        while not eve.over:
            await asyncio.sleep(0.1)
            await eve.send(made, b"x")

    await eve.many(500, attack)


async def large_headers(eve: Attacker) -> None:
    large = b"GET /api/version HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 70_000 + b"\r\n\r\n"

    async def attack(made: socket.socket) -> None:
        while not eve.over:
            await eve.send(made, large)
            await asyncio.sleep(0.02)

    await eve.many(SOCKETS, attack)


async def idle_connections(eve: Attacker) -> None:
    async def attack(made: socket.socket) -> None:
        await asyncio.sleep(SECONDS)

    await eve.many(2000, attack)


async def pipelined(eve: Attacker) -> None:
    many = b"GET /api/version HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 200

    async def attack(made: socket.socket) -> None:
        while not eve.over:
            await eve.send(made, many)
            await asyncio.sleep(0)

    await eve.many(SOCKETS, attack)


FLOODS: dict[str, Callable[[Attacker], Awaitable[None]]] = {
    "empty-pings": empty_pings,
    "full-pings": full_pings,
    "early-pings": early_pings,
    "pongs": pongs,
    "empty-texts": empty_texts,
    "continuations": continuations,
    "pings-unread": pings_unread,
    "not-utf8": not_utf8,
    "byte-by-byte": byte_by_byte,
    "half-open": half_open,
    "slow-headers": slow_headers,
    "large-headers": large_headers,
    "idle-connections": idle_connections,
    "pipelined": pipelined,
}


async def attack(flood: str, port: int, seconds: float) -> dict[str, object]:
    """Run the attacker, in a separate process."""
    raise_file_limit()
    before_others(False)
    eve = Attacker(port, seconds)
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds + 5):
            await FLOODS[flood](eve)
    return {"sent": eve.sent, "seen": dict(eve.seen)}


# -- The measurement -------------------------------------------------------------------------------


def resident_mb(pid: int) -> float:
    """Return the memory of a process now."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process, which other programs do not affect."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Watch:
    """Looks at memory and health while a flood runs."""

    def __init__(self, pid: int, http: str) -> None:
        self.pid, self.http = pid, http
        self.begin = self.most = resident_mb(pid)
        self.slowest = 0.0

    async def look(self) -> None:
        while True:
            begin = time.perf_counter()
            status, _ = await request(self.http, "GET /api/health", PROBE, b"")
            assert b" 200 " in status, status
            self.slowest = max(self.slowest, time.perf_counter() - begin)
            self.most = max(self.most, resident_mb(self.pid))
            await asyncio.sleep(0.15)  # within the limit of requests of one address


@asynccontextmanager
async def looking(pid: int, http: str) -> AsyncIterator[Watch]:
    watch = Watch(pid, http)
    task = asyncio.create_task(watch.look())
    try:
        yield watch
        with suppress(TimeoutError):  # one that still waits for its answer counts, too
            begin = time.perf_counter()
            await request(http, "GET /api/health", PROBE, b"")
            watch.slowest = max(watch.slowest, time.perf_counter() - begin)
    finally:
        if task.done():
            task.result()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        watch.most = max(watch.most, resident_mb(pid))


async def measured(flood: str, seconds: float) -> Outcome:
    """Measure one flood against a fresh server."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        port = free_port()
        args = ["-m", "stichwerk", "serve", "--no-open", "--port", str(port), "--data", folder]
        async with process(args, port) as pid:
            http = f"http://127.0.0.1:{port}"
            load = Load(LoadOptions(tables=TABLES, rate=RATE, seconds=seconds, runs=1))
            load.tables = [Neighbours(load, number) for number in range(TABLES)]
            await load.open(f"ws://127.0.0.1:{port}/ws", http, lambda step: None)
            cpu = [cpu_seconds(pid)]
            quiet = await steadily(load)
            cpu.append(cpu_seconds(pid))
            async with looking(pid, http) as watch:
                attacking = asyncio.create_task(attacker(flood, port, seconds))
                under = await steadily(load)
                cpu.append(cpu_seconds(pid))
                outcome = await attacking
            await load.close()
    return Outcome(
        flood=flood,
        p50_ms=under.p50_ms,
        p99_ms=under.p99_ms,
        quiet_p99_ms=quiet.p99_ms,
        cpu=round((cpu[2] - cpu[1]) / seconds, 3),
        quiet_cpu=round((cpu[1] - cpu[0]) / seconds, 3),
        health_worst_ms=round(1000 * watch.slowest, 1),
        memory_mb=round(watch.most, 1),
        memory_growth_mb=round(watch.most - watch.begin, 1),
        sent_mb=round(outcome[0] / 1e6, 2),
        seen=outcome[1],
    )


class Neighbours(LoadTable):
    """A table that remembers which moves are still without an answer."""

    def __init__(self, load: Load, number: int) -> None:
        super().__init__(load, number)
        self.answered: dict[int, float] = {}  # by seat: when the move was sent that is answered

    def acknowledged(self, player: LoadPlayer, id: int) -> None:
        self.answered[player.seat] = player.sent
        super().acknowledged(player, id)

    def waiting(self, now: float) -> list[float]:
        """Return how long each unanswered move has waited."""
        open = [each for each in self.players if each.sent > self.answered.get(each.seat, 0.0)]
        return [now - player.sent for player in open]


async def steadily(load: Load) -> LoadResult:
    """Act as `steady`; an unanswered move counts as long as it has waited."""
    await load.steady()
    now = time.perf_counter()
    late = [
        wait
        for table in load.tables
        if isinstance(table, Neighbours)
        for wait in table.waiting(now)
    ]
    return figures([*load.latencies, *late], load.run_options.seconds)


async def attacker(flood: str, port: int, seconds: float) -> tuple[int, dict[str, int]]:
    """Run the attacker's process: bytes sent, and what became of its connections."""
    running = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.attack.frame_floods", flood),
        *("--attack", str(port), "--seconds", str(seconds)),
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    try:
        async with asyncio.timeout(seconds + 60):
            out, _ = await running.communicate()
    finally:
        with suppress(ProcessLookupError):
            running.kill()
    outcome = json.loads(out)
    return outcome["sent"], outcome["seen"]


def before_others(first: bool) -> None:
    """Let this process, and those it starts, run before all others: else p99 is theirs. Only where
    the system lets us; the attacker has to take its turn."""
    with suppress(AttributeError, OSError):
        policy, priority = (os.SCHED_FIFO, 5) if first else (os.SCHED_OTHER, 0)
        os.sched_setscheduler(0, policy, os.sched_param(priority))


def run(short: bool, floods: Sequence[str] = tuple(FLOODS)) -> list[Outcome]:
    """Measure all floods, one after another, each against a fresh server."""
    raise_file_limit()
    return [judged(flood, short) for flood in floods]


def judged(flood: str, short: bool) -> Outcome:
    """Measure one flood, and again when it breaks a promise."""
    for _ in range(TRIES):
        found = asyncio.run(measured(flood, SHORT_SECONDS if short else SECONDS))
        print(line(found), flush=True)
        if not found.broken(short):
            break
    return found


HEAD = (
    f"{'flood':17} {'p99 ms':>8} {'before':>7} {'ratio':>6} {'CPU':>5} {'before':>6} "
    f"{'health ms':>9} {'memory':>7} {'grown':>7} {'sent MB':>7}  what the attacker saw"
)


def line(found: Outcome) -> str:
    """Format one flood for people."""
    seen = ", ".join(f"{count} × {what}" for what, count in sorted(found.seen.items()))
    return (
        f"{found.flood:17} {found.p99_ms:8.1f} {found.quiet_p99_ms:7.1f} {found.ratio:6.1f} "
        f"{found.cpu:5.0%} {found.quiet_cpu:6.0%} {found.health_worst_ms:9.1f} "
        f"{found.memory_mb:7.1f} {found.memory_growth_mb:7.1f} {found.sent_mb:7.2f}  {seen}"
    )


def main() -> int:
    """Measure; `--attack` is how the attacker's process is started."""
    parser = argparse.ArgumentParser(description=__doc__, add_help=True)
    parser.add_argument("floods", nargs="*", choices=[*FLOODS, []], default=[])
    parser.add_argument("--short", action="store_true", help="about a second for each flood")
    parser.add_argument("--json", action="store_true", help="the figures as JSON at the end")
    parser.add_argument("--attack", type=int, metavar="PORT", help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, help=argparse.SUPPRESS)
    requested = parser.parse_args()
    if requested.attack:
        outcome = asyncio.run(attack(requested.floods[0], requested.attack, requested.seconds))
        print(json.dumps(outcome))
        return 0
    print(HEAD, flush=True)
    before_others(True)
    found = run(requested.short, requested.floods or tuple(FLOODS))
    if requested.json:
        print(msgspec.json.encode(found).decode())
    return verdict([promise for one in found for promise in one.broken(requested.short)])


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    sys.exit(main())
