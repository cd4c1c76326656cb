"""Leaks: does anyone at a table learn what is hidden from them? Two ways to find out.

Pairs. Two worlds that one receiver cannot tell apart, in which others hold other cards and have
made other secret choices, are played at two tables. What reaches the viewer, to the last byte, must
be the same: messages, answers to all kinds of requests, how long bots pause, and the order in which
messages are sent; so must what is open to all: lobby, HTTP, log and metrics. Seals, transcript and
words are bound to the deck and are held fixed; seeds that are not published yet differ.

Scan. In full matches every byte that is sent is searched for cards its receiver must not know.

There are no sockets and no database here, for speed: rooms, connections and the HTTP API are the
real ones. `python -m tests.server.leaks --pairs 1000000` is the long run.
"""

import argparse
import asyncio
import io
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec
from starlette.requests import Request

import stichwerk
from stichwerk import locale
from stichwerk.engine.events import Event
from stichwerk.fairness import Deal, client_commit
from stichwerk.games import registry
from stichwerk.games.stichtag.calendar import SHEETS, all_dates
from stichwerk.match import Deals, GivenDeals, Setting
from stichwerk.server import wire
from stichwerk.server.app import Api
from stichwerk.server.bots.bot_pool import BotAdvice, BotMove
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
from stichwerk.testing.other_worlds import (
    ATTEMPTS,
    World,
    cards_moved,
    exchanged,
    hidden_cards,
    past_deal,
    renamed_deal,
    sampled_deal,
)
from stichwerk.testing.trial import Trial
from stichwerk.view import View, sample
from tests.server.manual_clock import ManualClock
from tests.strategies import DATES, PAIRS, some_values

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Finn")
TABLE, MATCH, SALT = "the-table", "the-match", "salt"
WATCHER, STRANGER = "watcher", "stranger"  # besides the seats: with a name, and without
LANG: wire.Lang = "de"
LIMITS = Limits(
    messages=1_000_000,
    http_requests=1_000_000,
    queue=1_000_000,
    queue_bytes=10**12,
    changes=1_000_000,
    address_changes=1_000_000,
)
CARD = re.compile(rb"(?<![A-Za-z0-9_-])[RYGBLS](?:1[0-5]|[0-9])(?![A-Za-z0-9_-])")
SEED = re.compile(rb"[0-9a-f]{64}")

Moves = list[tuple[int, str]]


# -- What is played --------------------------------------------------------------------------------


class Plan(NamedTuple):
    """A match up to some move, and how its table is kept. `live`: the number of its last moves
    that everyone sees live. `bot`: the seat of one, if any. `late`: a clock runs out."""

    setting: Setting
    seed: int
    moves: int
    live: int
    watch: wire.Watchers
    clock: int | None
    bot: int | None
    late: bool
    agree: bool
    every: bool  # whether clients resume from every number there is, or only from some

    def __str__(self) -> str:
        return (
            f"{self.setting!r}, seed {self.seed}, {self.moves} moves, live {self.live}, "
            f"watch {self.watch}, clock {self.clock}, bot {self.bot}, late {self.late}"
        )


class Course(NamedTuple):
    """What happened in one world: the cards and the moves."""

    deals: list[Deal]
    moves: Moves


class Pair(NamedTuple):
    """Two worlds that a viewer (None: someone without a seat) cannot tell apart."""

    viewer: int | None
    twin: Course
    thin: bool  # they differ only in the order in which cards were dealt


class Case(NamedTuple):
    """A position with the other worlds of all who look at it."""

    plan: Plan
    phase: str
    rounds_over: int
    truth: Course
    refused: dict[int, list[str]]  # moves that each seat cannot make here
    pairs: list[Pair]


class Finding(NamedTuple):
    """A leak: where, and the same thing in both worlds."""

    plan: Plan
    viewer: int | None
    where: str
    truth: object
    twin: object

    def __str__(self) -> str:
        truth, twin = str(self.truth), str(self.twin)
        first = next((at for at, (a, b) in enumerate(zip(truth, twin, strict=False)) if a != b), 0)
        begin = max(0, first - 80)
        return (
            f"{self.plan}\nviewer {self.viewer} can tell two worlds apart by {self.where}:\n"
            f"  {truth[begin : first + 120]}\n  {twin[begin : first + 120]}"
        )


def plan_of(setting: Setting, seed: int, moves: int) -> Plan:
    """Draw everything else from the seed."""
    draw = Random(seed)
    seats = setting.seats
    return Plan(
        setting=setting,
        seed=seed,
        moves=moves,
        live=draw.randint(1, 3),
        watch="none" if draw.random() < 0.25 else "all",
        clock=30 if draw.random() < 0.5 else None,
        bot=draw.randrange(seats) if draw.random() < 0.4 else None,
        late=draw.random() < 0.3,
        agree=draw.random() < 0.8,
        every=draw.random() < 0.04,
    )


def menu() -> list[Setting]:
    """Return what to play: every game at every number of seats with the options that matter, each
    sheet alone, some together. Short matches where the rules allow it: late rounds come sooner."""
    found = []
    for name, kind in registry.GAMES.items():
        for seats in kind.seat_counts:
            found += [stichwerk.game(name, seats=seats, **options) for options in variants(name)]
            teams = [one for one in registry.options_of(name, seats) if one.name == "teams"]
            for value in (value for one in teams for value in some_values(one) if value):
                found.append(stichwerk.game(name, seats=seats, teams=value, target=60))
    return found


def variants(name: str) -> list[dict[str, Any]]:
    """Options that matter for what is hidden."""
    if name == "sticheln":
        return [{"rounds": 1}, {"rounds": 2, "all_zero": "leader"}, {}]
    if name == "null-nichtig":
        return [{"target": 1}, {"target": 80}, {}]
    if name == "stichling":
        return [{}, {"discard": "hand"}]
    alone = [{"sheets": [sheet]} for sheet in SHEETS]
    together = [{"sheets": pair} for pair in PAIRS]
    dates = [{"date": date} for date in (*DATES, *all_dates()[::23])]
    return [{"rounds": 2}, {}, *alone, *together, *dates]


# -- Other worlds ----------------------------------------------------------------------------------


class Replayed(World):
    """Another world that remembers its moves."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.made: Moves = []

    def play(self, seat: int, text: str) -> None:
        """Make a move and keep it."""
        super().play(seat, text)
        self.made.append((seat, text))

    @property
    def course(self) -> Course:
        """What happened here."""
        return Course([log.deal for log in self.match.rounds], self.made)


def another_course(trial: Trial, viewer: int | None) -> Course:
    """Return an alternative the viewer cannot rule out; see `testing.another_world`."""
    state = sample(trial.match.view(viewer), trial.generator)
    past = [past_deal(trial, viewer, number) for number in range(len(trial.log) - 1)]
    if not cards_moved(trial):
        world = Replayed(trial, viewer, [*past, sampled_deal(trial, viewer, state)])
        world.replay_history(state)
        return world.course
    hidden = hidden_cards(trial, viewer)
    for attempt in range(ATTEMPTS, -1, -1):
        renamed = exchanged(trial, hidden, attempt)
        world = Replayed(trial, viewer, [*past, renamed_deal(trial, state, renamed)], renamed)
        if world.can_replay_history(state):
            return world.course
    trial.broken("the same deal cannot be played again", viewer)


def course_of(trial: Trial) -> Course:
    """Return what really happened."""
    moves = [(made.seat, made.move.text) for round in trial.log for made in round]
    return Course([log.deal for log in trial.match.rounds], moves)


def walked(setting: Setting, seed: int, until: Callable[[Trial], bool]) -> Trial:
    """Return a random match up to here, or to its end."""
    trial = Trial(setting, seed)
    while trial.match.waiting_for and not until(trial):
        trial.advance()
    return trial


def moves_made(trial: Trial) -> int:
    """Return how many moves were made so far."""
    return sum(map(len, trial.log))


def prepare(setting: Setting, seed: int, moves: int) -> Case:
    """Return the position after this many moves."""
    return case_of(walked(setting, seed, lambda trial: moves_made(trial) >= moves))


def case_of(trial: Trial, **wishes: Any) -> Case:
    """This position, and for each viewer another world they cannot tell from it; what is wished
    of the plan is not drawn."""
    plan = plan_of(trial.game, trial.seed, moves_made(trial))._replace(**wishes)
    truth = course_of(trial)
    pairs = []
    for viewer in trial.viewers:
        if viewer is None or viewer != plan.bot:
            pairs.append(pair_of(trial, truth, viewer))
    return Case(
        plan=plan,
        phase=trial.match.phase,
        rounds_over=len(trial.match.scores),
        truth=truth,
        refused={seat: refused_moves(trial, seat) for seat in range(trial.rules.seats)},
        pairs=[pair for pair in pairs if pair.twin != truth],
    )


def pair_of(trial: Trial, truth: Course, viewer: int | None) -> Pair:
    """Another world for this viewer."""
    twin = another_course(trial, viewer)
    thin = twin.moves == truth.moves and all(map(same_cards, twin.deals, truth.deals))
    return Pair(viewer, twin, thin)


def same_cards(one: Deal, other: Deal) -> bool:
    """Return whether two deals differ only in the order of the cards in a hand."""
    alike = all(sorted(a) == sorted(b) for a, b in zip(one.hands, other.hands, strict=True))
    return alike and (one.stock, one.specials) == (other.stock, other.specials)


def refused_moves(trial: Trial, seat: int) -> list[str]:
    """Return some texts of all kinds that this seat cannot play now."""
    draw = Random(trial.seed + seat)
    cards = draw.sample(trial.rules.deck.texts, 4)
    hand = trial.rules.hand(trial.state, seat)
    texts = [*cards, f"{cards[0]}>new", f"{cards[1]}>2", ",".join(cards[:3]), *hand[:1], "pass"]
    texts += ["7", "3,1,2", "veto 1", "take", f"{cards[2]}+{cards[3]}"]
    refused = [text for text in texts if trial.match.objection(seat, text) is not None]
    return draw.sample(refused, min(6, len(refused)))


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
        """As dealt."""
        return self.cards.first_starter()

    def deal(self, round: int, starter: int) -> Deal | None:
        """As dealt."""
        return self.cards.deal(round, starter)


class Memory:
    """A store that forgets nothing, as long as it lasts."""

    healthy = True

    def __init__(self) -> None:
        self.records: dict[str, bytes] = {}

    async def append(self, change: LogAppend) -> None:
        """Stored at once."""
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
        """The bot of this seat has found its move."""
        self._future(seat).set_result(BotMove(move=move))
        del self.wanted[seat]

    def waiting_for(self, address: str) -> int:
        """Nobody waits for turns here."""
        return 0

    async def advise(self, level: str, seed: int, view: View, requester: object) -> BotAdvice:
        """Return a hint derived only from the request."""
        question = msgspec.json.encode([level, seed, view])
        self.asked.setdefault(view.seat or 0, []).append(question)
        return BotAdvice(move=view.moves[0], reason="only-move", data={}, alternatives=())


class Ear(SocketClient):
    """A client that keeps what it is sent. Its hash is its number: sets of such have an order."""

    def __init__(self, label: str, number: int, order: list[str]) -> None:
        super().__init__(_nowhere, LIMITS.queue, LIMITS.queue_bytes)
        self.label = label
        self.number = number
        self.order = order
        self.heard: list[bytes] = []

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return self is other

    def send(self, message: bytes) -> None:
        """Hear it."""
        self.order.append(self.label)
        self.heard.append(message)


async def _nowhere(message: str) -> None:
    return


class Seatbound(SocketSession):
    """A connection into which the test speaks, one message at a time."""

    def __init__(self, lobby: TableLobby, request_limits: RequestLimits, ear: Ear) -> None:
        super().__init__(lobby, request_limits, self._next, _no_socket)
        self.client: Ear = ear
        self.said = b""

    async def _next(self) -> dict[str, Any]:
        return {"type": "websocket.receive", "bytes": self.said}

    async def say(self, message: wire.FromClient) -> None:
        """One message, until it is answered."""
        self.said = msgspec.json.encode(message)
        await (self._hello() if isinstance(message, wire.Hello) else self._one())


async def _no_socket(message: Any) -> None:
    return


@contextmanager
def frozen(pauses: list[float]) -> Iterator[None]:
    """Bots only say how long they would pause."""

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
        """The shuffle is sealed and opened as ever; then the cards come from elsewhere."""
        share = sha256(b"share").digest()
        seat = next(at for at, place in enumerate(self.table.places) if place.level is None)
        drawn = [None if at == seat else share.hex() for at in range(self.table.seats)]
        seeds = [sha256(bytes([at])).hexdigest() for at in range(seeds_needed(self.plan.setting))]
        commit = client_commit(MATCH, seat, share).hex()
        self.table.apply(
            log.SetUp(match=MATCH, server_seeds=tuple(seeds), shares=tuple(drawn), turn=False)
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
        ear = Ear(label, len(self.guests), self.order)
        guest = Seatbound(self.lobby, self.request_limits, ear)
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
        """The next move: of a person, of a bot, or of the clock."""
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

    def heard(self, label: str) -> list[bytes]:
        """Everything a receiver was sent."""
        return self.guests[label].client.heard

    async def close(self) -> None:
        """All go home."""
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
    settings = wire.Settings(watch=plan.watch, clock=plan.clock, listed=True)
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


# -- The script ------------------------------------------------------------------------------------


class Stage(Scene):
    """A scene of a pair: what everyone does there is the same in both worlds."""

    def __init__(self, case: Case, course: Course, salt: bytes, *viewers: int | None) -> None:
        cards = GivenDeals(case.plan.setting, course.deals)
        super().__init__(case.plan, cards, course.moves, case.rounds_over, salt)
        self.case = case
        self.looking = {label for viewer in viewers for label in labels_of(viewer)}
        self.seen: dict[str, object] = {}

    async def act(self) -> None:
        """The last moves, and what people ask for besides."""
        live = min(self.plan.live, len(self.moves))
        with frozen(self.pauses):
            self.open(len(self.moves) - live)
            for label in (*self.people, STRANGER):
                await self.enter(label, None if label in self.looking else self.table.seq)
            for at, (seat, move) in enumerate(self.moves[len(self.moves) - live :]):
                late = self.plan.late and at == 0 and seat != self.plan.bot
                await self.make(seat, move, late=late)
            if self.moves and self.moves[-1][0] != self.plan.bot:
                seat, move = self.moves[-1]
                if await self.take_back(seat):
                    await self.make(seat, move)
            assert len(self.running.moves) == len(self.moves), "a move of the script was not made"
            await self.ask_around()
            await self.look_around()

    async def ask_around(self) -> None:
        """What is refused, and what is harmless."""
        for label in (*self.people, STRANGER):
            ply = self.table.ply(self.table.seat_of(label))
            await self.ask(label, wire.Play, match=MATCH, ply=ply, move="no move at all")
            await self.ask(label, wire.Play, match=MATCH, ply=ply + 3, move="R1")
        for seat in self.running.match.waiting_for[:2]:
            if seat != self.plan.bot:
                await self.ask(person_of(seat), wire.Hint, match=MATCH)
        for label in (*self.people, STRANGER):
            await self.ask(label, wire.Look, match=MATCH)
            await self.ask(label, wire.AskTally, match=MATCH, round=1 + self.case.rounds_over // 2)
        first = self.people[0]
        await self.ask(first, wire.Chat, preset="thinking")
        await self.ask(first, wire.Reveal, match=MATCH, seed="0" * 64)
        await self.ask(first, wire.Mute, person=WATCHER, muted=True)
        await self.ask(WATCHER, wire.Chat, text="who has it?")
        await self.ask(WATCHER, wire.Begin)
        self.live_table.leave(self.guests[STRANGER].client)
        await self.settle()

    async def look_around(self) -> None:
        """What is open to all."""
        self.seen["the order of messages"] = list(self.order)
        self.seen["the pauses of bots"] = list(self.pauses)
        self.seen["the log"] = without_times(self.lines.getvalue())
        self.seen["the metrics"] = [
            line for line in self.metrics.text().split("\n") if "_seconds" not in line
        ]
        api = Api(self.lobby, self.request_limits, self.metrics, None, ())
        self.seen["the lobby"] = await fetched(api, api.open_tables)
        self.seen["the health"] = await fetched(api, api.health)
        if not self.running.match.over:  # then everything may be known
            self.seen["the record"] = await fetched(api, api.record, id=MATCH)

    async def look_as(self, viewer: int | None) -> dict[str, object]:
        """Return everything that reaches this viewer."""
        with frozen(self.pauses):
            for label in labels_of(viewer):
                before = len(self.heard(label))
                if viewer is not None:
                    await self.try_moves(viewer)
                ear = self.guests[label].client
                answers = self.heard(label)[before:]
                del self.heard(label)[before:]  # so that the next viewer finds all as it was
                self.seen[f"answers to {label}"] = answers
                self.seen[f"messages to {label}"] = list(self.heard(label))
                self.seen[f"welcomes to {label}"] = [
                    self.live_table.welcome(ear, since) for since in self.numbers()
                ]
        if viewer is not None:
            self.seen["what its bot is asked"] = list(self.pool.asked.get(viewer, []))
        return self.seen

    async def try_moves(self, seat: int) -> None:
        """Moves this seat cannot make."""
        ply = self.table.ply(seat)
        for text in self.case.refused[seat]:
            self.ids = 1000
            await self.guests[person_of(seat)].say(
                wire.Play(id=self.ids, match=MATCH, ply=ply, move=text)
            )
            await self.guests[person_of(seat)].say(
                wire.Look(id=self.ids, match=MATCH, move=text, lang="de")
            )
        if ply:
            await self.guests[person_of(seat)].say(
                wire.Play(id=self.ids, match=MATCH, ply=ply - 1, move="L3")
            )

    def numbers(self) -> list[int | None]:
        """From where clients resume."""
        last = self.table.seq
        if self.plan.every:
            return [None, *range(last + 2)]
        draw = Random(self.plan.seed)
        return [None, draw.randint(1, last), max(0, last - 6)]


def without_times(text: str) -> list[object]:
    """Return the lines of a log but for the moment they were written."""
    lines = [json.loads(line) for line in text.splitlines()]
    return [{key: value for key, value in line.items() if key != "time"} for line in lines]


async def fetched(
    api: Api, answer: Callable[..., Awaitable[Any]], **path: str
) -> tuple[int, bytes]:
    """Return what the HTTP API says."""
    scope = {
        "type": "http",
        "method": "GET",
        "headers": [],
        "query_string": b"",
        "path_params": path,
    }
    found = await api.guarded(answer)(Request(scope))
    return found.status_code, bytes(found.body)


# -- Comparing -------------------------------------------------------------------------------------


class Tally:
    """What was looked at."""

    def __init__(self) -> None:
        self.pairs = 0
        self.thin = 0
        self.seen: Counter[tuple[str, int, int | None, str]] = Counter()

    def add(self, case: Case) -> None:
        """The pairs of a position."""
        setting = case.plan.setting
        self.pairs += len(case.pairs)
        self.thin += sum(pair.thin for pair in case.pairs)
        for pair in case.pairs:
            self.seen[setting.name, setting.seats, pair.viewer, case.phase] += 1


async def compare(case: Case) -> Finding | None:
    """Return the first leak, if there is one."""
    truth = Stage(case, case.truth, b"truth", *(pair.viewer for pair in case.pairs))
    await truth.act()
    try:
        for pair in case.pairs:
            found = await compare_pair(case, truth, pair)
            if found is not None:
                return found
    finally:
        await truth.close()
    return None


async def compare_pair(case: Case, truth: Stage, pair: Pair) -> Finding | None:
    """Return whether one viewer can tell the other world from the true one."""
    twin = Stage(case, pair.twin, b"twin", pair.viewer)
    await twin.act()
    try:
        here, there = await truth.look_as(pair.viewer), await twin.look_as(pair.viewer)
    finally:
        await twin.close()
    for where, message in there.items():
        if here[where] != message:
            return Finding(case.plan, pair.viewer, where, *first_difference(here[where], message))
    return None


def first_difference(one: object, other: object) -> tuple[object, object]:
    """Return where two lists differ, or the values themselves."""
    if isinstance(one, list) and isinstance(other, list):
        for a, b in zip(one, other, strict=False):
            if a != b:
                return a, b
        return f"{len(one)} of them", f"{len(other)} of them"
    return one, other


# -- The scan --------------------------------------------------------------------------------------

OPEN = frozenset({"play", "discard", "gift", "trick", "stays", "revealed"})  # kinds of events
OWN = frozenset({"hand", "received", "drew", "choice"})


class Exposed(NamedTuple):
    """A card in a message whose receiver must not know it."""

    plan: Plan
    label: str
    card: str
    message: bytes

    def __str__(self) -> str:
        at = self.message.find(self.card.encode())
        text = self.message[max(0, at - 200) : at + 60]
        return f"{self.plan}\n{self.label} is shown {self.card}: ... {text!r}"


class Known:
    """Which cards everyone may know, round by round; from the events, not from what was sent."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.rounds: list[dict[int | None, set[bytes]]] = []
        self.round_at: dict[int, int] = {}  # of each numbered step its first event's round
        self.events = 0

    def follow(self, running: RunningMatch, seq: int) -> None:
        """Take in what is new."""
        self.round_at.setdefault(seq, max(0, len(self.rounds) - 1))
        for event in running.match.events[self.events :]:
            self.take(event)
        self.events = len(running.match.events)  # fewer after a take-back: what was seen was seen

    def take(self, event: Event) -> None:
        """One event: cards on the table are everyone's, those in a hand its owner's."""
        if event.kind == "round":
            self.rounds.append({seat: set() for seat in (None, *range(self.seats))})
        cards = set(CARD.findall(msgspec.json.encode(event)))
        if event.kind in OPEN:
            for known in self.rounds[-1].values():
                known |= cards
        elif event.kind in OWN:
            self.rounds[-1][event.seat] |= cards


class Full(Scene):
    """A whole match, every byte of it searched."""

    def __init__(self, setting: Setting, seed: int) -> None:
        plan = plan_of(setting, seed, 0)._replace(watch="none" if seed % 7 == 0 else "all")
        super().__init__(plan, setting.new(seed=seed).deals, [], 1000, b"")
        self.draw = Random(seed)
        self.known = Known(setting.seats)
        self.searched = Counter[str]()
        self.bytes = 0
        self.deck = b'"deck":' + msgspec.json.encode(setting.rules.deck.text)
        self.allowed: dict[str, set[bytes]] = {}  # what one has just said oneself

    async def play(self) -> Exposed | None:
        """From the first card to the last; the answer is the first leak."""
        with frozen(self.pauses):
            self.known.follow(self.running, self.table.seq)
            self.open(0)
            for label in (*self.people, STRANGER):
                await self.enter(label)
            found = self.search()
            while found is None and self.running.match.waiting_for:
                found = await self.step()
            await self.close()
        return found

    async def step(self) -> Exposed | None:
        """Return the next move, and now and then something else before or after it."""
        if self.draw.random() < 0.08:
            await self.disturb()
            found = self.search()
            if found is not None:
                return found
        match = self.running.match
        seat = self.draw.choice(match.waiting_for)
        self.known.round_at[self.table.seq + 1] = len(self.known.rounds) - 1
        await self.make(seat, self.draw.choice(match.moves(seat)).text)
        self.known.follow(self.running, self.table.seq)
        if seat != self.plan.bot and self.draw.random() < 0.03:
            await self.take_back(seat)
            self.known.follow(self.running, self.table.seq)
        return self.search()

    async def disturb(self) -> None:
        """Reconnect, look, ask for a hint, and try an illegal move."""
        label = self.draw.choice(list(self.guests))
        await self.ask(label, wire.Look, match=MATCH)
        await self.ask(label, wire.AskTally, match=MATCH, round=self.draw.randint(1, 3))
        since = self.draw.choice([None, self.draw.randint(0, self.table.seq)])
        self.guests[label].client.send(self.live_table.welcome(self.guests[label].client, since))
        card = self.draw.choice(self.plan.setting.rules.deck.texts)
        seat = self.table.seat_of(label)
        if seat is None or self.running.match.objection(seat, card) is None:
            return
        self.allowed[label] = {card.encode()}
        await self.ask(label, wire.Hint, match=MATCH)
        ply = self.table.ply(seat)
        await self.ask(label, wire.Play, match=MATCH, ply=ply, move=card)

    def search(self) -> Exposed | None:
        """Look through all that was sent since the last time."""
        sealed = {seed.hex().encode() for seed in self.sealed_seeds()}
        for label, guest in self.guests.items():
            for message in guest.client.heard:
                self.searched[label] += 1
                self.bytes += len(message)
                secrets = (*self.exposed(label, message), *(sealed & set(SEED.findall(message))))
                for secret in secrets:
                    return Exposed(self.plan, label, secret.decode(), message)
                if b"token-of" in message:
                    return Exposed(self.plan, label, "token-of", message)
            guest.client.heard.clear()
        self.allowed.clear()
        return None

    def sealed_seeds(self) -> Sequence[bytes]:
        """Return the server's seeds of rounds that are not over."""
        assert self.running.shuffle is not None
        return self.running.shuffle.server_seeds[self.running.rounds_over + 1 :]

    def exposed(self, label: str, message: bytes) -> Iterator[bytes]:
        """Yield the cards in a message that its receiver must not know."""
        blind = self.plan.watch == "none" and self.table.seat_of(label) is None
        seat = self.table.seat_of(label)
        for number, text in pieces(message, self.deck, self.known):
            known = set() if blind else self.known.rounds[number][seat]
            said = self.allowed.get(label, set())
            yield from (card for card in CARD.findall(text) if card not in known | said)


def pieces(message: bytes, deck: bytes, known: Known) -> Iterator[tuple[int, bytes]]:
    """Yield a message cut into parts, each with the round it speaks of: events of rounds that are
    over name cards that are in other hands now. The list of all cards, which everyone knows, is
    left out; nothing else is."""
    now = len(known.rounds) - 1
    if message.startswith(b'{"type":"refused"'):
        message = without_sentence(message)
    message = message.replace(deck, b'"deck":0')
    if message.startswith(b'{"type":"tallied"'):
        yield json.loads(message)["round"] - 1, message
        return
    if message.startswith(b'{"type":"outlook"'):
        decoded = json.loads(message)
        yield last_trick(decoded["standing"].pop("collected"), known)
        yield now, json.dumps(decoded, ensure_ascii=False).encode()
        return
    if b'"kind":"round"' not in message and b'"last_trick":{' not in message:
        yield now, message
        return
    decoded = json.loads(message)
    if decoded.get("view"):
        yield last_trick(decoded["view"]["table"].pop("last_trick", None), known)
        yield from by_round(0, decoded["view"].pop("history", []))
    for step in decoded.get("steps", []):
        events = step.pop("events", [])
        for event, words in zip(events, step.pop("words", []), strict=True):
            event["words"] = words
        yield from by_round(known.round_at[step["seq"]] if events else 0, events)
    yield now, json.dumps(decoded).encode()


def last_trick(trick: object, known: Known) -> tuple[int, bytes]:
    """Return what the view says of the last trick, with its round: this one, or the one before."""
    last = json.dumps(trick).encode()
    now = len(known.rounds) - 1
    of_now = set(CARD.findall(last)) <= known.rounds[now][None]
    return now if of_now else max(0, now - 1), last


def without_sentence(message: bytes) -> bytes:
    """Return a refusal without its sentence, if that says only what the rest of it does: sentences
    have cards of their own as examples."""
    decoded = json.loads(message)
    if decoded["text"] == locale.text(decoded["error"], LANG, **decoded["data"]):
        del decoded["text"]
    return json.dumps(decoded).encode()


def by_round(number: int, events: Iterable[dict[str, object]]) -> Iterator[tuple[int, bytes]]:
    """Events with their rounds; they begin in this one."""
    for event in events:
        if event["kind"] == "round":
            number = int(str(event["round"])) - 1
        yield number, json.dumps(event).encode()


async def scan(setting: Setting, seed: int) -> tuple[Exposed | None, Full]:
    """Play a match and search it."""
    full = Full(setting, seed)
    return await full.play(), full


# -- The long run ----------------------------------------------------------------------------------


def positions(seed: int) -> Iterator[tuple[Setting, int, int]]:
    """Settings, seeds and numbers of moves, endlessly; the games take turns."""
    draw = Random(seed)
    by_game = [[one for one in menu() if one.name == name] for name in registry.GAMES]
    while True:
        for settings in by_game:
            setting = draw.choice(settings)
            yield setting, draw.randrange(2**40), draw.randint(0, likely_moves(setting, draw))


def likely_moves(setting: Setting, draw: Random) -> int:
    """Return how far to go at most: mostly a round, now and then into the next or to the end."""
    round = setting.seats * (setting.rules.hand_size + 1)
    return draw.choices([round, 2 * round, 6 * round], [80, 15, 5])[0]


async def campaign(pairs: int, seconds: float, seed: int) -> int:
    """Compare until the number of pairs or the time limit is reached; return the exit code."""
    tally, began, reported = Tally(), time.monotonic(), time.monotonic()
    for setting, number, moves in positions(seed):
        case = prepare(setting, number, moves)
        found = await compare(case)
        tally.add(case)
        spent = time.monotonic() - began
        if found is not None:
            print(f"\n{found}", flush=True)
            return 1
        if time.monotonic() - reported > 5 or tally.pairs >= pairs or spent >= seconds:
            reported = time.monotonic()
            print(
                f"{tally.pairs} of {pairs} pairs alike ({tally.thin} thin, "
                f"{len(tally.seen)} kinds), {spent:.0f} s, {tally.pairs / spent:.0f} a second",
                flush=True,
            )
        if tally.pairs >= pairs or spent >= seconds:
            return 0
    return 0


def main(words: Sequence[str]) -> int:
    """From the command line."""
    reader = argparse.ArgumentParser(prog="python -m tests.server.leaks", description=__doc__)
    reader.add_argument("--pairs", type=int, default=1_000_000)
    reader.add_argument("--seconds", type=float, default=float("inf"))
    reader.add_argument("--seed", type=int, default=1)
    request = reader.parse_args(words)
    return asyncio.run(campaign(request.pairs, request.seconds, request.seed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
