"""A table without a server, for the search for leaks."""

import asyncio
import io
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256
from typing import Any
from unittest.mock import patch

import msgspec

from stichwerk.bots.advice import Advice, AdviceReason
from stichwerk.fairness import Deal, client_commit
from stichwerk.match import Deals
from stichwerk.server import wire
from stichwerk.server.bots.bot_pool import BotMove
from stichwerk.server.clock import Clock
from stichwerk.server.logs import Log
from stichwerk.server.metrics import Metrics
from stichwerk.server.network.limits import Limits, RequestLimits
from stichwerk.server.network.socket_client import SocketClient
from stichwerk.server.network.socket_sessions import SocketSession
from stichwerk.server.random_source import RandomSource
from stichwerk.server.storage.store import LogAppend
from stichwerk.server.tables import bot_turns
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.live_table import LiveTable
from stichwerk.server.tables.lobby import TableLobby
from stichwerk.server.tables.running_match import RunningMatch
from stichwerk.server.tables.shuffle import Shuffle, seeds_needed
from stichwerk.server.tables.table_people import hash_token
from stichwerk.server.tables.table_state import TableState
from stichwerk.view import View
from tests.server.leak_worlds import LANG, MATCH, SALT, STRANGER, TABLE, WATCHER, Moves, Plan
from tests.server.manual_clock import ManualClock

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Finn")

LIMITS = Limits(
    messages=1_000_000,
    http_requests=1_000_000,
    queue=1_000_000,
    queue_bytes=10**12,
    changes=1_000_000,
    address_changes=1_000_000,
)


# -- A table without a server ----------------------------------------------------------------------


class Dealt(Shuffle):
    """A shuffle whose cards come from elsewhere: everything it reveals stays the same except the
    seeds that are not published yet."""

    def __init__(self, shuffle: Shuffle, cards: Deals, kept: int, salt: bytes) -> None:
        self.__dict__.update(shuffle.__dict__)
        self.cards = cards
        self.server_seeds = tuple(
            seed if number <= kept else sha256(seed + salt).digest()
            for number, seed in enumerate(shuffle.server_seeds)
        )

    @cached_property
    def transcript(self) -> bytes:
        """As ever, worked out once."""
        return super().transcript

    def first_starter(self) -> int:
        """Return the starter of the deal."""
        return self.cards.first_starter()

    def deal(self, round: int, starter: int) -> Deal | None:
        """Return the given deal."""
        return self.cards.deal(round, starter)


class Memory:
    """A store that forgets nothing, as long as it lasts."""

    healthy = True

    def __init__(self) -> None:
        self.records: dict[str, bytes] = {}

    async def append(self, change: LogAppend) -> None:
        """Store at once."""
        for finished in change.finished:
            self.records[finished.id] = finished.record

    async def match(self, id: str) -> bytes | None:
        """Return a record."""
        return self.records.get(id)


class Dull(RandomSource):
    """Ids and tokens by number."""

    def __init__(self) -> None:
        self.count = 0

    def next(self) -> str:
        """Return the next one."""
        self.count += 1
        return f"made-up-number-{self.count}"

    id = person = token = next


class Scripted:
    """Bots that choose a given move at a given time."""

    def __init__(self) -> None:
        self.wanted: dict[int, asyncio.Future[BotMove]] = {}
        self.asked: dict[int, list[bytes]] = {}

    async def move(self, level: str, seed: int, view: View, requester: object) -> BotMove:
        """Wait for the script."""
        assert view.seat is not None
        question = msgspec.json.encode([level, seed, view])
        self.asked.setdefault(view.seat, []).append(question)
        return await self._future(view.seat)

    def _future(self, seat: int) -> asyncio.Future[BotMove]:
        if seat not in self.wanted:
            self.wanted[seat] = asyncio.get_running_loop().create_future()
        return self.wanted[seat]

    def answer(self, seat: int, move: str) -> None:
        """Deliver the move of the bot of this seat."""
        self._future(seat).set_result(BotMove(move=move))
        del self.wanted[seat]

    def waiting_for(self, address: str) -> int:
        """Return 0: nobody waits for a turn."""
        return 0

    async def advise(self, level: str, seed: int, view: View, requester: object) -> Advice:
        """Return a hint derived only from the request."""
        question = msgspec.json.encode([level, seed, view])
        self.asked.setdefault(view.seat or 0, []).append(question)
        return Advice(view.moves[0], (), AdviceReason("advice-only-move"))


class RecordingClient(SocketClient):
    """A client that keeps what it is sent. Its hash is its number: sets of such have an order."""

    def __init__(self, label: str, number: int, order: list[str]) -> None:
        super().__init__(_nowhere, LIMITS.queue, LIMITS.queue_bytes)
        self.label = label
        self.number = number
        self.order = order
        self.received: list[bytes] = []

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return self is other

    def send(self, message: bytes) -> None:
        """Record the message."""
        self.order.append(self.label)
        self.received.append(message)


async def _nowhere(message: str) -> None:
    return


class Seatbound(SocketSession):
    """A connection into which the test speaks, one message at a time."""

    def __init__(
        self, lobby: TableLobby, request_limits: RequestLimits, client: RecordingClient
    ) -> None:
        super().__init__(lobby, request_limits, self._next, _no_socket)
        self.client: RecordingClient = client
        self.said = b""

    async def _next(self) -> dict[str, Any]:
        return {"type": "websocket.receive", "bytes": self.said}

    async def say(self, message: wire.FromClient) -> None:
        """Send one message and wait for its answer."""
        self.said = msgspec.json.encode(message)
        await (self._hello() if isinstance(message, wire.Hello) else self._one())


async def _no_socket(message: Any) -> None:
    return


@contextmanager
def frozen(pauses: list[float]) -> Iterator[None]:
    """Replace the pauses of bots: they only say how long they would pause."""

    async def paced(thinking: Awaitable[BotMove], seconds: float, clock: Clock) -> BotMove:
        pauses.append(seconds)
        return await thinking

    with patch.object(bot_turns, "paced", paced):
        yield


class Scene:
    """One world at a table, with everybody there."""

    def __init__(self, plan: Plan, cards: Deals, moves: Moves, kept: int, salt: bytes) -> None:
        self.plan = plan
        self.moves = moves
        self.order: list[str] = []
        self.pauses: list[float] = []
        self.lines = io.StringIO()
        self.pool = Scripted()
        self.metrics = Metrics()
        self.request_limits = RequestLimits(LIMITS)
        self.lobby = TableLobby(
            Memory(),  # type: ignore[arg-type]
            self.pool,  # type: ignore[arg-type]
            log=Log(self.lines, human=False, strict=True),
            metrics=self.metrics,
            rng=Dull(),
            clock=ManualClock(),
            limits=LIMITS,
        )
        self.table = seated_table(plan)
        self.deal(cards, kept, salt)
        self.guests: dict[str, Seatbound] = {}
        self.ids = 0

    def deal(self, cards: Deals, kept: int, salt: bytes) -> None:
        """Seal and open the shuffle as usual; then take the cards from the given deals."""
        share = sha256(b"share").digest()
        seat = next(at for at, place in enumerate(self.table.places) if place.level is None)
        drawn = [None if at == seat else share.hex() for at in range(self.table.seats)]
        seeds = [sha256(bytes([at])).hexdigest() for at in range(seeds_needed(self.plan.setting))]
        commit = client_commit(MATCH, seat, share).hex()
        self.table.apply(
            log.ShuffleStarted(
                match=MATCH,
                server_seeds=tuple(seeds),
                shares=tuple(drawn),
                turn=False,
                rules=self.plan.setting.rules.version,
            )
        )
        self.table.apply(log.ShareSealed(seat=seat, commit=commit))
        assert self.table.shuffle is not None
        self.table.shuffle = Dealt(self.table.shuffle, cards, kept, salt)
        self.table.apply(log.ShareOpened(seat=seat, seed=share.hex()))

    @property
    def running(self) -> RunningMatch:
        """The match."""
        assert self.table.running is not None
        return self.table.running

    @property
    def people(self) -> list[str]:
        """Everyone who takes part."""
        seats = [person_of(at) for at in range(self.table.seats) if at != self.plan.bot]
        return [*seats, WATCHER]

    def open(self, made: int) -> None:
        """Apply this many moves before anyone looks."""
        for seat, move in self.moves[:made]:
            by = "bot" if seat == self.plan.bot else ""
            self.table.apply(log.MovePlayed(seat=seat, move=move, by=by))
        self.live_table = LiveTable(self.lobby, self.table)
        self.lobby.live_tables[TABLE] = self.live_table
        self.lobby.note_summary(self.live_table)

    async def enter(self, label: str, since: int | None = None) -> Seatbound:
        """Someone says hello."""
        client = RecordingClient(label, len(self.guests), self.order)
        guest = Seatbound(self.lobby, self.request_limits, client)
        self.guests[label] = guest
        token = None if label == STRANGER else token_of(label)
        await guest.say(
            wire.Hello(version=wire.VERSION, table=TABLE, token=token, since=since, lang=LANG)
        )
        return guest

    async def ask(self, label: str, kind: Callable[..., wire.Requests], **more: object) -> None:
        """Someone asks for something; numbers are counted up."""
        self.ids += 1
        await self.guests[label].say(kind(id=self.ids, **more))

    async def settle(self) -> None:
        """Let everything happen that is due."""
        for _ in range(3):
            await asyncio.sleep(0)

    async def make(self, seat: int, move: str, *, late: bool = False) -> None:
        """Make the next move: of a person, of a bot, or of the clock."""
        if seat != self.plan.bot and not late:
            ply = len(self.running.made[seat])
            await self.ask(person_of(seat), wire.Play, match=MATCH, ply=ply, move=move)
            await self.settle()
            return
        if late:
            await self.live_table.move_clock.time_is_up()
            await self.settle()
        before = len(self.running.made[seat])
        self.pool.answer(seat, move)
        for _ in range(100):
            if len(self.running.made[seat]) > before:
                break
            await asyncio.sleep(0)
        await self.settle()

    async def take_back(self, seat: int) -> bool:
        """Someone wants to take back the last move, and all answer; whether it was taken back."""
        made = len(self.running.moves)
        await self.ask(person_of(seat), wire.TakeBack, match=MATCH)
        for label in self.people:
            if self.table.ask is not None:
                await self.ask(label, wire.Consent, match=MATCH, agree=self.plan.agree)
        await self.settle()
        return len(self.running.moves) < made

    def received(self, label: str) -> list[bytes]:
        """Return everything a receiver was sent."""
        return self.guests[label].client.received

    async def close(self) -> None:
        """Close the table and wait for its tasks."""
        tasks = list(self.live_table.tasks)
        self.live_table.close()
        await asyncio.gather(*tasks, return_exceptions=True)


def person_of(seat: int) -> str:
    """Return the label and the id of the person in this seat."""
    return f"seat-{seat}"


def labels_of(viewer: int | None) -> list[str]:
    """Those who see what this viewer sees."""
    return [WATCHER, STRANGER] if viewer is None else [person_of(viewer)]


def token_of(label: str) -> str:
    """Return a personal token."""
    return f"token-of-{label}-0123456789"


def seated_table(plan: Plan) -> TableState:
    """Return a table with everyone at it, before the shuffle."""
    setting = plan.setting
    settings = wire.Settings(watch=plan.watch, clock=plan.clock, listed=True, memory=plan.memory)
    made = log.TableCreated(
        table=TABLE,
        salt=SALT,
        game=setting.name,
        seats=setting.seats,
        options=setting.options,
        settings=settings,
    )
    table = TableState(made)
    for seat in range(setting.seats):
        if seat == plan.bot:
            table.apply(log.Seated(seat=seat, level="medium"))
        else:
            table.apply(joined(person_of(seat), NAMES[seat], seat))
    table.apply(joined(WATCHER, "Wanda", None))
    return table


def joined(person: str, name: str, seat: int | None) -> log.PersonJoined:
    """Someone takes part."""
    token = hash_token(SALT, token_of(person))
    return log.PersonJoined(person=person, name=name, token=token, seat=seat)
