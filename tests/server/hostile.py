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
import re
import signal
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec
import uvicorn

from stichwerk import locale, record
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
from stichwerk.view import View
from tests import fixed_random
from tests.server.harness import GENEROUS
from tests.server.manual_clock import ManualClock

GAMES = ("sticheln", "null-nichtig", "stichling", "stichtag")
CONT, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
PATIENCE = 60.0  # seconds for anything to come: only a server that hangs needs them
BATCH = 40  # messages of one connection under way at once

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
    """The server's side of `serving`."""
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
        heard = []
        try:
            while True:
                heard.append(await self.receive())
        except ClosedError as closed:
            self.cut()
            return heard, closed

    def cut(self) -> None:
        """Go without a word."""
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


class Heard(TableClient):
    """A client whose messages are recorded."""

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
    """Four people play some moves, and leave their tokens to us."""
    made = await make_table(server.port, game=game, name="Ada", seats=seats, settings=QUIET)
    guests = [Heard(server.ws, made.table, made.token)]
    guests += [Heard(server.ws, made.table) for _ in range(1, seats)]
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
    """Wait until everyone has heard everything."""
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


# -- Fuzzed messages -------------------------------------------------------------------------------


class Shot(NamedTuple):
    """What is sent. `code`: how the connection must be closed; without one there is an answer,
    under one of `ids`."""

    frames: bytes
    code: int | None = None
    ids: tuple[object, ...] = ()


ODD: tuple[Callable[[random.Random], object], ...] = (
    lambda rng: None,
    lambda rng: rng.random() < 0.5,
    lambda rng: rng.choice([-1, 0, 1, 5, 6, 255, 2**31 - 1, 2**31, 2**63, 2**64, -(2**70)]),
    lambda rng: 10 ** rng.randrange(300, 1200),
    lambda rng: rng.choice([0.5, -0.0, 1e308, 1.0, 3.0]),
    lambda rng: "".join(chr(rng.randrange(1, 0xD7FF)) for _ in range(rng.randrange(30))),
    lambda rng: "x" * rng.randrange(600),
    lambda rng: rng.choice(["", " ", "\0", "\u202e", "R1", "R1 G2", "-", "../..", "{why}"]),
    lambda rng: [],
    lambda rng: {},
    lambda rng: [[[["R1"]]], {"type": "leave", "id": 1}],
    lambda rng: {"type": "play", "id": {"id": 1}},
)

# JSON that is none, or hardly: `%s` is a proper message.
TEXTS = (
    b'{"type":"ping","id":NaN}',
    b'{"type":"ping","id":Infinity}',
    b'{"type":"ping","id":1e999}',
    b'{"type":"ping","id":01}',
    b'{"type":"ping","id":1,}',
    b"{'type':'ping','id':1}",
    b'{"type":"ping","type":"leave","id":-1}',
    b'{"type":"leave","id":1,"id":-1}',
    b'{"type":"ping","id":1}{"type":"ping","id":2}',
    b'{"type":"chat","id":1,"text":"\\ud800"}',
    b'{"type":"chat","id":1,"text":"\\u00"}',
    b'{"type":"ping","id":' + b"9" * 3000 + b"}",
    b'{"type":' + b"[" * 2000 + b"]" * 2000 + b"}",
    b"[" * 4000,
    b'{"a":' * 800 + b"1" + b"}" * 800,
    b'{"type":"change","id":1,"options":{"x":' + b"[" * 1500 + b"]" * 1500 + b"}}",
    b"null",
    b"[]",
    b'"hello"',
    b"",
    b" ",
    b"\xef\xbb\xbf{}",
)


class Fuzz:
    """Messages of one client against one table, from a seed.

    Kept out by construction is only what this client may rightly do to the table: everything that
    is sent has to leave the table as it is.
    """

    def __init__(self, target: Victim, seat: int | None, seed: object) -> None:
        self.target = target
        self.seat = seat
        self.rng = random.Random(repr(seed))

    # -- Proper messages ---------------------------------------------------------------------------

    def request(self) -> dict[str, object]:
        """Return a valid message, though usually out of context."""
        pick, target = self.rng.choice, self.target
        id, match = self.rng.randrange(2**31), pick([target.match, target.table, "A" * 16])
        seat, level = self.rng.randrange(6), pick(["easy", "medium", "hard", "expert"])
        kinds: list[dict[str, object]] = [
            {"type": "join", "name": "Eve"},
            {"type": "join", "name": "Eve", "seat": seat, "token": "T" * 43},
            {"type": "sit", "seat": seat},
            {"type": "leave"},
            {"type": "rename", "name": pick([*target.names, "Eve", "\u200b", " "])},
            {"type": "place-bot", "seat": seat, "level": level},
            {"type": "free-seat", "seat": seat},
            {"type": "change", "settings": {"watch": "all"}, "game": pick(GAMES)},
            {"type": "change", "seats": 2 + seat % 5, "options": {"starter": seat}},
            {"type": "begin"},
            {"type": "deal-again"},
            {"type": "commit", "match": match, "commit": self.hex()},
            {"type": "reveal", "match": match, "seed": self.hex()},
            {"type": "play", "match": match, "ply": self.ply(), "move": self.move()},
            {"type": "play", "match": match, "ply": self.ply(), "move": self.move()},
            {"type": "take-back", "match": match},
            {"type": "consent", "match": match, "agree": pick([True, False])},
            {"type": "hint", "match": match},
            {"type": "look", "match": match, "move": self.move()},
            {"type": "tally", "match": match, "round": self.rng.randrange(1, 5), "lang": "de"},
            {"type": "chat", "text": "hello"},
            {"type": "chat", "preset": "hurry"},
            {"type": "mute", "person": pick([*target.people, "nobody"]), "muted": True},
            {"type": "ping"},
            hello(target.table, pick([None, *target.tokens, "T" * 43])),
        ]
        made = pick(kinds)
        return made if made["type"] == "hello" else {**made, "id": id}

    def hex(self) -> str:
        """Something like a share of a shuffle."""
        return f"{self.rng.getrandbits(256):064x}"

    def ply(self) -> int:
        """Return a number near those of real moves."""
        return self.rng.choice(self.target.plies) + self.rng.choice([0, 0, 0, -1, 1, 1000])

    def move(self) -> str:
        """Return a move, legal for someone or for nobody."""
        legal = [move for moves in self.target.moves for move in moves]
        pool = [*legal, "R1", "S15", "G0", "X9", "pass", "R1 R1 R1", "♥7", "r1", "R1\n", "R" * 200]
        return self.rng.choice(pool)

    # -- Others ------------------------------------------------------------------------------------

    def mutated(self) -> dict[str, object]:
        """Return a proper message with something wrong in it."""
        made = self.request()
        for _ in range(self.rng.choice([1, 1, 1, 2, 3])):
            name = self.rng.choice([*made, "extra", "since", "token", "lang"])
            if name in made and self.rng.random() < 0.2:
                del made[name]
            else:
                made[name] = self.rng.choice(ODD)(self.rng)
        return made

    def payload(self) -> bytes:
        """Return what is in a frame."""
        kind = self.rng.random()
        if kind < 0.45:
            return msgspec.json.encode(self.request())
        if kind < 0.70:
            return json.dumps(self.mutated(), ensure_ascii=kind < 0.6).encode()
        if kind < 0.85:
            return self.rng.choice(self.target.said)
        if kind < 0.92:
            return self.rng.choice(TEXTS)
        return self.damaged(msgspec.json.encode(self.request()))

    def damaged(self, raw: bytes) -> bytes:
        """Cut off, with a byte changed, or nothing but noise; still UTF-8."""
        kind = self.rng.randrange(3)
        if kind == 0:
            return raw[: self.rng.randrange(len(raw))].decode("utf-8", "ignore").encode()
        if kind == 1:
            return self.rng.randbytes(self.rng.randrange(200)).decode("latin-1").encode()
        at = self.rng.randrange(len(raw))
        changed = raw[:at] + bytes([self.rng.randrange(32, 127)]) + raw[at + 1 :]
        return changed.decode("utf-8", "ignore").encode()

    def shot(self) -> Shot:
        """Something that must be answered."""
        payload = self.payload()[: wire.LARGEST]
        request = readable(payload)
        if request is not None and self.rightful(request):
            return self.shot()
        return Shot(self.in_frames(payload), None, answer_ids(payload, request))

    def in_frames(self, payload: bytes) -> bytes:
        """As one text, as bytes, or in pieces with a ping between them."""
        kind = self.rng.random()
        if kind < 0.8:
            return framed(payload)
        if kind < 0.9:
            return framed(payload, BINARY)
        at = self.rng.randrange(len(payload) + 1)
        ping = framed(b"?", self.rng.choice([PING, PONG]))
        return framed(payload[:at], fin=False) + ping + framed(payload[at:], CONT)

    def rightful(self, request: wire.FromClient) -> bool:
        """Return whether this client may do that to the table."""
        if isinstance(request, wire.Join):  # a token identifies its person
            return self.seat is None and request.token in self.target.tokens
        if self.seat is None or isinstance(request, wire.Hello):
            return False
        if isinstance(request, wire.Rename):
            return request.name.split() != self.target.names[self.seat].split()
        if isinstance(request, wire.Play):
            at = (request.match, request.ply)
            due = (self.target.match, self.target.plies[self.seat])
            return at == due and request.move in self.target.moves[self.seat]
        by_the_host = wire.PlaceBot | wire.FreeSeat | wire.Mute
        return isinstance(request, wire.Leave) or (
            self.seat == 0 and isinstance(request, by_the_host)
        )

    def last_shot(self) -> Shot:
        """Something that must end the connection."""
        proper = msgspec.json.encode(self.request())
        return self.rng.choice(
            [
                Shot(framed(b'"' + b"x" * self.rng.randrange(4095, 9000) + b'"'), 1009),
                Shot(framed(bytes(70_000), BINARY), 1009),
                Shot(framed(b"x" * 3000, fin=False) + framed(b"x" * 3000, CONT), 1009),
                Shot(framed(b'{"type":"chat","text":"\xff\xc3("}'), 1007),
                Shot(framed(proper[:5] + b"\xed\xa0\x80"), 1007),
                Shot(framed(proper, reserved=4), 1002),
                Shot(framed(proper, reserved=self.rng.randrange(1, 8)), 1002),
                Shot(framed(proper, self.rng.choice([3, 4, 5, 6, 7, 11, 15])), 1002),
                Shot(framed(proper, masked=False), 1002),
                Shot(framed(proper, CONT), 1002),
                Shot(framed(b"x" * 126, PING), 1002),
                Shot(framed(b"?", PING, fin=False), 1002),
                Shot(framed(b"\x03", CLOSE), 1002),
                Shot(framed((999).to_bytes(2, "big"), CLOSE), 1002),
            ]
        )

    def first_message(self) -> bytes:
        """Something that is no hello for this table."""
        wrong: list[object] = [
            self.request(),
            self.mutated(),
            hello("A" * 16),
            hello(self.target.table, "T" * 43),
            hello(self.target.table, version=2),
        ]
        while True:
            raw = json.dumps(self.rng.choice(wrong)).encode()[: wire.LARGEST]
            request = readable(raw)
            welcome = isinstance(request, wire.Hello) and request.table == self.target.table
            if not (welcome and request.token in (None, *self.target.tokens)):  # type: ignore[union-attr]
                return raw


def readable(payload: bytes) -> wire.FromClient | None:
    """Return a message, if it is one."""
    try:
        return wire.read(payload)
    except wire.BadMessageError:
        return None


def answer_ids(payload: bytes, request: wire.FromClient | None) -> tuple[object, ...]:
    """Under which id there is an answer: that of a request; of what is none, its id or none."""
    if request is not None:
        return (None if isinstance(request, wire.Hello) else request.id,)
    try:
        message = json.loads(payload)
    except (ValueError, RecursionError):
        return (None,)
    return (None, message.get("id")) if isinstance(message, dict) else (None,)


# -- The attack ------------------------------------------------------------------------------------


class Tally:
    """What was sent and what came back."""

    def __init__(self, messages: int, until: float) -> None:
        self.every = messages / 20  # so often the memory is noted
        self.left = messages
        self.until = until
        self.sent = 0
        self.answers: Counter[str] = Counter()
        self.closes: Counter[int] = Counter()
        self.memory: list[tuple[int, int]] = []  # KiB, after this many messages

    def take(self, most: int) -> int:
        """Return how many messages someone may send now."""
        taken = min(most, self.left) if time.monotonic() < self.until else 0
        self.left -= taken
        self.sent += taken
        return taken

    def note_memory(self, server: Server) -> None:
        """Note how large the server is, at regular intervals."""
        if self.sent >= self.every * (1 + len(self.memory)):
            self.memory.append((self.sent, server.memory))

    @property
    def growth(self) -> float:
        """How much more memory there was at the end than in the middle."""
        middle = next(kib for sent, kib in self.memory if sent >= self.sent / 2)
        return self.memory[-1][1] / middle


class Attacker:
    """One client that sends fuzzed messages, reconnects when it is thrown out, and checks
    everything it receives."""

    def __init__(self, server: Server, target: Victim, seat: int | None, seed: object) -> None:
        self.server = server
        self.target = target
        self.seat = seat
        self.fuzz = Fuzz(target, seat, seed)
        self.lang = self.fuzz.rng.choice(["de", "en"])
        self.secrets = [token.encode() for token in target.tokens]

    async def run(self, tally: Tally) -> None:
        """Until nothing is left to send."""
        while tally.left and time.monotonic() < tally.until:
            await self.knock(tally)
            one = await self.enter()
            for _ in range(self.fuzz.rng.randrange(1, 8)):
                await self.volley(one, tally)
                tally.note_memory(self.server)
            if tally.take(1):
                await self.leave(one, tally)
            one.cut()

    async def knock(self, tally: Tally) -> None:
        """A first message that is none: an answer, perhaps, a goodbye and the end."""
        if self.fuzz.rng.random() < 0.5 or not tally.take(1):
            return
        one = await Socket.open(self.server.port)
        one.put(framed(self.fuzz.first_message()))
        heard, closed = await one.until_closed()
        assert closed.code in (4400, 4403, 4404), closed
        for message in heard:
            self.check(message)
        assert isinstance(heard[-1], wire.Bye)
        assert heard[-1].error == closed.reason
        tally.closes[closed.code] += 1

    async def enter(self) -> Socket:
        """Connect as one should."""
        one = await Socket.open(self.server.port)
        token = None if self.seat is None else self.target.tokens[self.seat]
        one.say(hello(self.target.table, token, lang=self.lang))
        message = await one.receive()
        assert isinstance(message, wire.Welcome)
        assert message.seat == self.seat
        self.check(message)
        return one

    async def volley(self, one: Socket, tally: Tally) -> None:
        """Some messages at once; each has one answer, in the same order."""
        shots = [self.fuzz.shot() for _ in range(tally.take(BATCH))]
        frames = b"".join(shot.frames for shot in shots)
        one.put(frames)
        for shot in shots:
            answer = await self.answer(one)
            assert answer.id in shot.ids, (shot, answer)
            name = answer.error if isinstance(answer, wire.Refused) else type(answer).__name__
            tally.answers[name] += 1

    async def answer(self, one: Socket) -> Answer:
        while True:
            raw = await one.raw()
            assert not any(secret in raw for secret in self.secrets), "a token was sent"
            message = _answers.decode(raw)
            self.check(message)
            if isinstance(message, Answer):
                return message

    async def leave(self, one: Socket, tally: Tally) -> None:
        """A last message that ends the connection."""
        shot = self.fuzz.last_shot()
        one.put(shot.frames)
        _, closed = await one.until_closed()
        assert closed.code == shot.code, (shot, closed)
        tally.closes[closed.code] += 1

    def check(self, message: wire.FromServer) -> None:
        """Check that nothing is sent that is not for this client, and that refusals are
        sentences."""
        assert not isinstance(message, wire.JoinDone | wire.HintDone), message
        if self.seat is None:  # cannot watch
            assert not isinstance(message, wire.Outlook | wire.TallyDone), message
        if isinstance(message, wire.Refused | wire.Bye):
            check_words(message.error, message.text)
        if isinstance(message, wire.Welcome | wire.Update):
            assert message.seat == self.seat
            if self.seat is None:
                assert message.view is None
                assert not any(step.events for step in message.steps)


def check_words(error: str, text: str) -> None:
    """An id that every language has a sentence for, and one of those."""
    for lang in locale.LANGUAGES:
        assert error in locale.sentences(lang), f"{error} has no sentence"
    assert text
    assert not text.startswith(error)


async def visible_to_all(server: Server, targets: Sequence[Victim]) -> list[object]:
    """Return what every seat and a stranger can learn of tables now, and what the lobby shows."""
    visible: list[object] = []
    for target in targets:
        for token in (None, *target.tokens):
            visible.append(await welcome(server.port, target.table, token))
    visible.append((await ask_http(server.port, "GET", "/api/lobby")).body)
    return visible


async def attack(
    server: Server,
    targets: Sequence[Victim],
    *,
    messages: int,
    seconds: float = 3600,
    seed: int = 1,
    progress: Callable[[str], None] = lambda line: None,
) -> Tally:
    """Send this many messages, from every seat and from strangers at once."""
    tally = Tally(messages, time.monotonic() + seconds)
    attackers = [
        Attacker(server, target, seat, (seed, number, seat, again))
        for number, target in enumerate(targets)
        for again, seats in enumerate([(None, *range(len(target.tokens))), (None,)])
        for seat in seats
    ]
    watching = asyncio.create_task(watch(server, tally, messages, progress))
    async with asyncio.TaskGroup() as group:
        for attacker in attackers:
            group.create_task(attacker.run(tally))
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    tally.memory.append((tally.sent, server.memory))
    return tally


async def watch(
    server: Server, tally: Tally, messages: int, progress: Callable[[str], None]
) -> None:
    """Tell how far it is."""
    began = time.monotonic()
    while True:
        await asyncio.sleep(0.2)
        rate = tally.sent / (time.monotonic() - began)
        progress(f"{tally.sent:,} of {messages:,} messages, {rate:,.0f}/s, {server.memory:,} KiB")


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


ENDPOINTS = (
    *("/api/health", "/api/version", "/api/lobby", "/api/bots", "/api/games", "/api/tables"),
    *("/api/matches/AAAAAAAAAAAAAAAA", "/api/matches/AAAAAAAAAAAAAAAA/fork", "/api/nothing"),
    *(
        "/api/matches/%00",
        "/api/matches/%FF%FE",
        "/api/matches/..%2f..%2fetc",
        "/api/matches//fork",
    ),
    *("/metrics", "/openapi.json", "/api", "/api/", "/", "/ws", "/t/AAAA", "/../../etc/passwd"),
    *("/api/calendar", "/api/calendar/today", "/api/calendar/02-30", "/api/calendar/%2e%2e"),
    *("/api/calendar/99-99", "/api/calendar/%00", "/api/calendar/1.1.1", "/api/calendar/14.9."),
    *("/api/rules/sticheln", "/api/rules/%00", "/api/rules/..%2f..%2fetc", "/api/rules/x.de"),
    *("/api/matches", "/api/matches?table=AAAA", "/api/matches?table=%00", "/api/qr"),
    *("/api/matches/AAAAAAAAAAAAAAAA/replay", "/api/matches/%FF/replay?seat=0"),
    *("/api/matches/AAAAAAAAAAAAAAAA/review", "/api/matches/%00/review?seat=0"),
    *("/stichtag/02-30", "/replay/AAAA/7", "/rules/x", "/offline", "/sw.js", "/%00", "/assets/"),
    *("/assets/..%2f..%2f..%2fapp.py", "/index.html", "/assets/%FF%FE", "/" + "a/" * 400),
)
QUERIES = (
    *("lang=de", "lang=en", "lang=%FF", "lang=" + "x" * 500, "seats=4", "seats=-1", "seats=%00"),
    *("seats=" + "9" * 400, "seat=open", "seat=1e9", "seat=٣", "from=99999999999", "from=", "&&=&"),
    *("table=x&table=y", "seat=0&seat=1", "=", "%", "seats=4;seat=2"),
)
MAKING = ("/api/tables", "/api/tables", "/api/matches/AAAAAAAAAAAAAAAA/fork", "/api/qr")
METHODS = ("GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO", "get")


class HttpFuzz:
    """Requests from a seed."""

    def __init__(self, port: int, seed: object) -> None:
        self.port = port
        self.rng = random.Random(repr(seed))

    def path(self) -> str:
        """Return an endpoint, mostly."""
        found = self.rng.choice(ENDPOINTS)
        kind = self.rng.random()
        if kind < 0.2:
            found += f"{'&' if '?' in found else '?'}{quote(self.rng.choice(QUERIES), '%&=')}"
        elif kind < 0.3:
            found += "/" + "".join(self.rng.choices("abc%/.;?&=~\\'\"", k=9))
        return found

    def headers(self) -> list[tuple[str, str]]:
        """Return a few headers, odd ones among them."""
        odd = "".join(chr(self.rng.randrange(33, 127)) for _ in range(20))
        known = [
            ("Accept-Language", self.rng.choice(["de", "en", "xx", odd])),
            ("Content-Type", self.rng.choice(["application/json", "text/plain", odd])),
            ("Origin", self.rng.choice(["null", "http://evil.example", odd])),
            ("X-Forwarded-For", odd),
            ("Host", self.rng.choice(["[::", "a b", "x" * 300, "evil.example:99999", odd])),
            ("Cookie", odd),
            ("Range", "bytes=5-1"),
            ("Expect", "100-continue"),
            ("If-None-Match", odd),
            ("Upgrade", "h2c"),
        ]
        return self.rng.sample(known, self.rng.choice([0, 0, 1, 1, 2, 4]))

    def body(self) -> bytes | None:
        """No body, a request with something wrong, or noise."""
        kind = self.rng.random()
        if kind < 0.3:
            return None
        if kind < 0.4:
            return self.rng.randbytes(self.rng.randrange(300))
        if kind < 0.45:
            return b"x" * self.rng.choice([16_384, 16_385, 50_000])
        if kind < 0.5:
            return b'{"game":' + b"[" * 5000 + b"]" * 5000 + b"}"
        requested: dict[str, object] = {
            "game": self.rng.choice([*GAMES, "chess"]),
            "name": "Eve",
            "seats": self.rng.randrange(1, 8),
            "options": self.rng.choice([{}, {"starter": 1}, {"rounds": 10**30}]),
            "settings": {"watch": "none"},
            "bots": self.rng.choice([{}, {"1": "easy"}, {"x": "hard"}]),
            "seat": 0,
        }
        if self.rng.random() < 0.2:
            requested["moves"] = 3
        for name in self.rng.sample(list(requested), self.rng.randrange(4)):
            requested[name] = self.rng.choice(ODD)(self.rng)
        return json.dumps(requested).encode()

    def link(self) -> bytes:
        """Something to be drawn: a link of the server's, or not."""
        ends = ("", "/t/x#y", "/" + "ä" * 300, "/" + "x" * 500, "@evil.example", "/\0")
        text = f"http://127.0.0.1:{self.port}{self.rng.choice(ends)}"
        return json.dumps({"text": self.rng.choice([text, text[7:], "", "https://x"])}).encode()

    async def one(self) -> tuple[str, bytes | None, HttpAnswer]:
        """Send one; what was asked for and what came."""
        path, body = self.path(), self.body()
        method = self.rng.choice(METHODS)
        if self.rng.random() < 0.2:  # more often what has most to read
            method, path = "POST", self.rng.choice(MAKING)
            if path == "/api/qr" and self.rng.random() < 0.6:
                body = self.link()
        answer = await ask_http(self.port, method, path, headers=self.headers(), body=body)
        check_http(method, path, body, answer)
        return path, body, answer


# What no parser of HTTP takes; the answer is 400 or the end of the connection.
BROKEN = (
    b"\r\n\r\n\r\n",
    b"GET\r\n\r\n",
    b"GET /api/health HTTP/1.1\r\n\r\n",
    b"GET /api/health HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
    b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    b"POST /api/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"GET /api/health HTTP/1.1\r\nHost: x\r\nBad Name: y\r\n\r\n",
    b"GET /api/health HTTP/1.1\r\nHost: x\r\nX: \0\r\n\r\n",
    b"GET /api/health HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 300_000,
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
)


def check_http(method: str, path: str, body: bytes | None, answer: HttpAnswer) -> None:
    """Never an error of the server's; refusals of the API are problems in words."""
    assert 200 <= answer.status < 500, (method, path, body, answer)
    if body is not None and len(body) > Limits().body_bytes:
        assert answer.status in (400, 413), answer
    if answer.status < 400 or method == "HEAD" or not path.startswith("/api"):
        return
    if answer.body == b"Invalid HTTP request received.":  # not HTTP: no endpoint was asked
        assert answer.status == 400
        return
    assert b"application/json" in answer.head, (method, path, answer)
    problem = msgspec.json.decode(answer.body, type=wire.Problem)
    check_words(problem.error, problem.text)


async def attack_http(server: Server, requests: int, seed: int = 1) -> Counter[int]:
    """Send this many requests, a few at a time; return how often each status came."""
    seen: Counter[int] = Counter()

    async def some(number: int) -> None:
        fuzz = HttpFuzz(server.port, (seed, number))
        for _ in range(requests // 8):
            seen[(await fuzz.one())[2].status] += 1

    async with asyncio.TaskGroup() as group:
        for number in range(8):
            group.create_task(some(number))
    for raw in BROKEN:
        answer = await ask_http(server.port, "", "", raw=raw)
        assert answer.status in (0, 400, 426, 431), (raw[:80], answer)
    return seen


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
        """Think for a moment; then the first move will do."""
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
        """All at once, until it is enough."""
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
        """Just below the limit: five a second, all answered."""
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
        """A table where much happens, all of it acknowledged, even if a client stalls."""
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
        """At last it reads: what is left, and why it was thrown out."""
        one.writer.transport.resume_reading()  # type: ignore[attr-defined]
        _, closed = await asyncio.wait_for(one.until_closed(), PATIENCE)
        self.note(f"stalled {closed.code} {closed.reason}")
        one.cut()

    # -- Half-open handshakes ----------------------------------------------------------------------

    async def half_open(self, address: str) -> None:
        """A request that does not end, or a hello that does not come; then gone, and again."""
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
    """Quiet tables alone, then during an attack, some times in turn."""
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
    """An assault in a process of its own as long as the block runs; then what it has seen."""
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
    """The other side of `assaulted`: until its input is closed."""
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
    """Everything, with figures; whether all is as promised."""
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
    """Fuzzed messages, then fuzzed requests, then the matches are played to the end."""
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
