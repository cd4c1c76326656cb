"""A server in a process of its own, a raw WebSocket and tables to attack."""

import asyncio
import json
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import uvicorn

from stichwerk import locale, record
from stichwerk.games import registry
from stichwerk.server import wire
from stichwerk.server.app import build
from stichwerk.server.bots.bot_pool import BotPool
from stichwerk.server.clients.table_client import TableClient
from stichwerk.server.clock import SYSTEM
from stichwerk.server.logs import Log, library_logs_to
from stichwerk.server.metrics import Metrics
from stichwerk.server.network.connection_limits import ConnectionLimits
from stichwerk.server.network.connections import Listener
from stichwerk.server.network.limits import Limits
from stichwerk.server.network.listening import WAITING
from stichwerk.server.run import configured
from stichwerk.server.serve_options import ServeOptions
from stichwerk.server.storage.sqlite_store import SqliteStore
from tests import fixed_random
from tests.server.harness import GENEROUS
from tests.server.manual_clock import ManualClock

GAMES = tuple(registry.GAMES)

CONT, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA

PATIENCE = 60.0  # seconds for anything to come: only a server that hangs needs them


_answers: msgspec.json.Decoder[wire.FromServer] = msgspec.json.Decoder(wire.FromServer)

Answer = (
    wire.Done
    | wire.JoinDone
    | wire.HintDone
    | wire.Outlook
    | wire.TallyDone
    | wire.Pong
    | wire.Refused
)


# -- A server in a process of its own --------------------------------------------------------------


class Server:
    """A server, its process and its log."""

    def __init__(self, pid: int, port: int, errors: Path) -> None:
        self.pid = pid
        self.port = port
        self.http = f"http://127.0.0.1:{port}"
        self.ws = f"ws://127.0.0.1:{port}/ws"
        self._errors = errors

    @property
    def memory(self) -> int:
        """What the process holds in memory, in KiB; only where there is /proc."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1])

    def failures(self) -> list[str]:
        """Return the lines of the log that report errors."""
        lines = self._errors.read_text("utf-8", "replace").splitlines()
        return [line for line in lines if not _harmless(line)]


def _harmless(line: str) -> bool:
    try:
        return json.loads(line)["level"] in ("info", "warn")
    except ValueError:  # not from the log: a trace of something nobody caught
        return not line.strip()


@asynccontextmanager
async def serving(
    folder: Path, limits: Limits = GENEROUS, *, still: bool = False
) -> AsyncIterator[Server]:
    """A server that runs as long as the block does. `still`: no time passes for it, so that nobody
    is away for long and no limit is lifted, however slow the machine is."""
    errors = folder / "errors.log"
    arguments = ("-m", "tests.server.hostile", "serve", str(folder), "still" if still else "runs")
    with errors.open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *arguments,
            msgspec.json.encode(limits).decode(),
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            cwd=Path(__file__).parents[2],
        )
    try:
        assert process.stdout is not None
        line = await asyncio.wait_for(process.stdout.readline(), PATIENCE)
        assert line, errors.read_text()
        yield Server(process.pid, int(line), errors)
        assert process.returncode is None, f"the server has ended: {errors.read_text()}"
    finally:
        await end(process)


async def end(process: asyncio.subprocess.Process) -> None:
    """End a process of ours, gently at first."""
    for signal_number in (signal.SIGTERM, signal.SIGKILL):
        if process.returncode is None:
            process.send_signal(signal_number)
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), 20)


def serve(folder: Path, still: bool, limits: Limits) -> None:
    """Run the server's side of `serving`."""
    log = Log(human=False)
    metrics, clock = Metrics(), ManualClock() if still else SYSTEM
    app = build(
        store=SqliteStore(folder / "stichwerk.db"),
        pool=BotPool(workers=1),
        limits=limits,
        log=log,
        metrics=metrics,
        pace=0.0,
        rng=fixed_random.of_test("server "),
        clock=clock,
    )
    # With the protocol named: else asyncio does not turn off the delay of small packets.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen(512)
    connection_limits = ConnectionLimits(limits, log, metrics, clock=clock)
    config = configured(app, connection_limits, ServeOptions())
    config.backlog = WAITING  # as `run.Server` has it
    with library_logs_to(log):
        print(listening.getsockname()[1], flush=True)
        uvicorn.Server(config).run(sockets=[Listener.taking_over(listening, connection_limits)])


# -- A WebSocket that can also say what no client should -------------------------------------------


class DeniedError(Exception):
    """The handshake was refused."""

    def __init__(self, status: int, head: bytes) -> None:
        super().__init__(status)
        self.status = status
        self.head = head


class ClosedError(Exception):
    """The server has closed the connection; 1006: without a word."""

    def __init__(self, code: int, reason: str = "") -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason


def framed(
    payload: bytes, opcode: int = TEXT, *, fin: bool = True, reserved: int = 0, masked: bool = True
) -> bytes:
    """Return one frame. Masked with zeros: that is allowed, and readable."""
    head = bytes([fin << 7 | reserved << 4 | opcode])
    mask = 0x80 if masked else 0
    size = len(payload)
    if size < 126:
        head += bytes([mask | size])
    elif size < 65536:
        head += bytes([mask | 126]) + size.to_bytes(2, "big")
    else:
        head += bytes([mask | 127]) + size.to_bytes(8, "big")
    return head + bytes(4 if masked else 0) + payload


class Socket:
    """One connection, frame by frame."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self._held = bytearray()

    @classmethod
    async def open(
        cls,
        port: int,
        *,
        address: str = "127.0.0.1",
        headers: Sequence[tuple[str, str]] = (),
        path: str = "/ws",
        small: bool = False,
    ) -> "Socket":
        """Connect and shake hands. `small`: with hardly any room for what is not read."""
        plain = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        plain.setblocking(False)
        if small:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)  # nor on the other side
        plain.bind((address, 0))
        await asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", port))
        made = cls(*await asyncio.open_connection(sock=plain, limit=2048 if small else 2**16))
        try:
            await asyncio.wait_for(made._shake_hands(port, path, headers), PATIENCE)
        except BaseException:
            made.cut()
            raise
        return made

    async def _shake_hands(self, port: int, path: str, headers: Sequence[tuple[str, str]]) -> None:
        lines = [f"GET {path} HTTP/1.1"]
        if not any(name.lower() == "host" for name, _ in headers):
            lines.append(f"Host: 127.0.0.1:{port}")
        lines += ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
        lines.append("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==")
        lines += [f"{name}: {value}" for name, value in headers]
        self.writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
        head = await self.reader.readuntil(b"\r\n\r\n")
        status = int(head.split(b" ", 2)[1])
        if status != 101:
            raise DeniedError(status, head)

    def put(self, frames: bytes) -> None:
        """Send bytes as they are."""
        self.writer.write(frames)

    def say(self, message: object) -> None:
        """Send a message as a client should."""
        self.put(framed(msgspec.json.encode(message)))

    async def frame(self) -> tuple[int, bytes]:
        """Return the next frame from the server."""
        try:
            head = await self._take(2)
            size = head[1] & 127
            if size > 125:
                size = int.from_bytes(await self._take(2 if size == 126 else 8), "big")
            return head[0] & 15, await self._take(size)
        except ConnectionError:
            raise ClosedError(1006) from None

    async def _take(self, count: int) -> bytes:
        while len(self._held) < count:
            more = await self.reader.read(2**16)
            if not more:
                raise ClosedError(1006)
            self._held += more
        taken = bytes(self._held[:count])
        del self._held[:count]
        return taken

    async def raw(self) -> bytes:
        """Return the next raw message; Closed at the end."""
        while True:
            opcode, payload = await asyncio.wait_for(self.frame(), PATIENCE)
            if opcode == CLOSE:
                self.put(framed(payload[:2], CLOSE))
                code = int.from_bytes(payload[:2], "big") if payload else 1005
                raise ClosedError(code, payload[2:].decode())
            if opcode == TEXT:
                return payload

    async def receive(self) -> wire.FromServer:
        """Return the next message."""
        return _answers.decode(await self.raw())

    async def answer(self) -> Answer:
        """Return the next message that answers something."""
        while True:
            message = await self.receive()
            if isinstance(message, Answer):
                return message

    async def until_closed(self) -> tuple[list[wire.FromServer], ClosedError]:
        """Return all remaining messages, and how the socket ends."""
        received = []
        try:
            while True:
                received.append(await self.receive())
        except ClosedError as closed:
            self.cut()
            return received, closed

    def cut(self) -> None:
        """Abort the connection without a bye."""
        self.writer.transport.abort()


def hello(table: str, token: str | None = None, **more: object) -> dict[str, object]:
    """Return a first message."""
    said = {"type": "hello", "version": wire.VERSION, "table": table, **more}
    return said if token is None else {**said, "token": token}


async def welcome(port: int, table: str, token: str | None = None) -> dict[str, Any]:
    """Return everything someone can learn about a table, except who is connected."""
    one = await Socket.open(port)
    try:
        one.say(hello(table, token))
        message: dict[str, Any] = json.loads(await one.raw())
    finally:
        one.cut()
    assert message["type"] == "welcome", message
    for person in message["table"]["people"]:
        del person["here"]
    return message


# -- Tables to attack ------------------------------------------------------------------------------


class SentLogClient(TableClient):
    """A client that records what it sends."""

    def __init__(self, url: str, table: str, token: str | None = None) -> None:
        super().__init__(url, table, token=token)
        self.said: list[bytes] = []

    async def _say(self, raw: bytes) -> None:
        self.said.append(raw)
        await super()._say(raw)


class Victim(NamedTuple):
    """A table with a running match of people who have gone for a moment."""

    table: str
    match: str
    tokens: tuple[str, ...]
    people: tuple[str, ...]
    names: tuple[str, ...]
    plies: tuple[int, ...]
    moves: tuple[tuple[str, ...], ...]  # that each seat may make now
    said: tuple[bytes, ...]  # a real conversation


QUIET = {"watch": "none", "chat": False, "hints": False, "take_back": False, "away": 86400}


async def make_table(port: int, **requested: object) -> wire.TableMade:
    """Return a new table over HTTP."""
    answer = await ask_http(port, "POST", "/api/tables", body=msgspec.json.encode(requested))
    assert answer.status == 201, answer
    return msgspec.json.decode(answer.body, type=wire.TableMade)


async def victim(server: Server, game: str, seats: int = 4, moves: int = 30) -> Victim:
    """Let people play some moves; return what an attacker needs, their tokens included."""
    made = await make_table(server.port, game=game, name="Ada", seats=seats, settings=QUIET)
    guests = [SentLogClient(server.ws, made.table, made.token)]
    guests += [SentLogClient(server.ws, made.table) for _ in range(1, seats)]
    async with AllOf(guests):
        for seat, guest in enumerate(guests[1:], 1):
            await guest.join(f"Guest {seat}", seat)
        await guests[0].ask(lambda id: wire.Begin(id=id))
        for _ in range(moves):
            await one_move(guests)
        await all_know(guests)
        table = guests[0].table
        assert table is not None
        assert table.match is not None
        return Victim(
            table=made.table,
            match=table.match,
            tokens=tuple(guest.token or "" for guest in guests),
            people=tuple(guest.person or "" for guest in guests),
            names=("Ada", *(f"Guest {seat}" for seat in range(1, seats))),
            plies=tuple(guest.ply for guest in guests),
            moves=tuple(tuple(guest.view.moves) if guest.view else () for guest in guests),
            said=tuple(raw for guest in guests for raw in guest.said),
        )


class AllOf:
    """Several guests, who come and go together."""

    def __init__(self, guests: Sequence[TableClient]) -> None:
        self.guests = guests

    async def __aenter__(self) -> None:
        for guest in self.guests:
            await guest.__aenter__()

    async def __aexit__(self, *error: object) -> None:
        for guest in self.guests:
            await guest.__aexit__()


async def all_know(guests: Sequence[TableClient]) -> None:
    """Wait until everyone has received everything."""
    last = max(guest.seq or 0 for guest in guests)
    for guest in guests:
        await guest.until(lambda guest=guest: guest.seq >= last)  # type: ignore[misc]


async def one_move(guests: Sequence[TableClient]) -> None:
    """Let each seat that owes a move make it."""
    for guest in guests:
        await guest.until(lambda guest=guest: guest.playing)  # type: ignore[misc]
    await all_know(guests)
    mover = next(guest for guest in guests if guest.view and guest.view.moves)
    assert mover.view is not None
    await mover.play(mover.view.moves[0])
    await all_know(guests)


async def play_to_the_end(server: Server, attacked: Victim) -> bool:
    """Let the people reconnect and finish their match; return whether its record is right."""
    guests = [TableClient(server.ws, attacked.table, token=token) for token in attacked.tokens]
    async with AllOf(guests):
        await asyncio.gather(*(guest.play_on(lambda view: view.moves[-1]) for guest in guests))
    async with asyncio.timeout(PATIENCE):  # the record is written after the last move is sent
        while True:
            answer = await ask_http(server.port, "GET", f"/api/matches/{attacked.match}")
            if answer.status == 200:
                return record.verify(record.decode(answer.body)).ok
            await asyncio.sleep(0.01)


# -- The attack ------------------------------------------------------------------------------------


def check_words(error: str, text: str) -> None:
    """Check that every language has a sentence for the id, and that it is one of those."""
    for lang in locale.LANGUAGES:
        assert error in locale.sentences(lang), f"{error} has no sentence"
    assert text
    assert not text.startswith(error)


# -- HTTP ------------------------------------------------------------------------------------------


class HttpAnswer(NamedTuple):
    """An answer over HTTP; status 0: the connection was closed without one."""

    status: int
    head: bytes
    body: bytes


async def ask_http(
    port: int,
    method: str,
    path: str,
    *,
    headers: Sequence[tuple[str, str]] = (),
    body: bytes | None = None,
    raw: bytes | None = None,
    address: str = "127.0.0.1",
) -> HttpAnswer:
    """Return one request; `raw`: these bytes, no method, and nothing after them."""
    if raw is None:
        lines = [f"{method} {path} HTTP/1.1"]
        if not any(name.lower() == "host" for name, _ in headers):
            lines.append(f"Host: 127.0.0.1:{port}")
        lines += ["Connection: close", *(f"{name}: {value}" for name, value in headers)]
        if body is not None:
            lines.append(f"Content-Length: {len(body)}")
        raw = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + (body or b"")
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    try:
        writer.write(raw)
        if not method:
            with suppress(OSError):  # refused already
                writer.write_eof()
        answer = await asyncio.wait_for(_read_all(reader), PATIENCE)
    finally:
        writer.transport.abort()
    answer = answer.removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n")
    head, _, rest = answer.partition(b"\r\n\r\n")
    return HttpAnswer(int(head.split(b" ", 2)[1]) if head else 0, head, rest)


async def _read_all(reader: asyncio.StreamReader) -> bytes:
    found = b""
    with suppress(ConnectionError):  # an answer may come before all was sent
        while more := await reader.read(2**16):
            found += more
    return found
