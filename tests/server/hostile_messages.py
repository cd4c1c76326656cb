"""Fuzzed messages, and the attack that sends them."""

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from stichwerk.server import wire
from tests.server.hostile_server import (
    BINARY,
    CLOSE,
    CONT,
    GAMES,
    PING,
    PONG,
    Answer,
    Server,
    Socket,
    Victim,
    _answers,
    ask_http,
    check_words,
    framed,
    hello,
    welcome,
)

BATCH = 40  # messages of one connection under way at once


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
        """Send it as one text, as bytes, or in pieces with a ping between them."""
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
        """Send an invalid first message: an answer, perhaps, a bye and the end."""
        if self.fuzz.rng.random() < 0.5 or not tally.take(1):
            return
        one = await Socket.open(self.server.port)
        one.put(framed(self.fuzz.first_message()))
        received, closed = await one.until_closed()
        assert closed.code in (4400, 4403, 4404), closed
        for message in received:
            self.check(message)
        assert isinstance(received[-1], wire.Bye)
        assert received[-1].error == closed.reason
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
        """Send some messages at once; each has one answer, in the same order."""
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
        """Send a last message that ends the connection."""
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
