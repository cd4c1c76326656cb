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
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request

from stichwerk import locale
from stichwerk.engine.events import Event
from stichwerk.games import registry
from stichwerk.match import GivenDeals, Match, Setting
from stichwerk.server import wire
from stichwerk.server.app import Api
from stichwerk.server.tables.running_match import RunningMatch
from tests.server.leak_table import Scene, frozen, labels_of, person_of
from tests.server.leak_worlds import (
    LANG,
    MATCH,
    STRANGER,
    WATCHER,
    Case,
    Course,
    Finding,
    Pair,
    Plan,
    menu,
    plan_of,
    prepare,
)

CARD = re.compile(rb"(?<![A-Za-z0-9_-])[RYGBLS](?:1[0-5]|[0-9])(?![A-Za-z0-9_-])")

SEED = re.compile(rb"[0-9a-f]{64}")


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
        """Make the last moves, and the other requests of people."""
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
        """Send requests that are refused, and harmless ones."""
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
        """Fetch what is open to everyone."""
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
                before = len(self.received(label))
                if viewer is not None:
                    await self.try_moves(viewer)
                client = self.guests[label].client
                answers = self.received(label)[before:]
                del self.received(label)[before:]  # so that the next viewer finds all as it was
                self.seen[f"answers to {label}"] = answers
                self.seen[f"messages to {label}"] = list(self.received(label))
                self.seen[f"welcomes to {label}"] = [
                    self.live_table.welcome(client, since) for since in self.numbers()
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
        """Return the numbers from which clients resume."""
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
        """Add the pairs of a position."""
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
        """Apply one event: cards on the table are everyone's, those in a hand its owner's."""
        if event.kind == "round":
            self.rounds.append({seat: set() for seat in (None, *range(self.seats))})
        cards = set(CARD.findall(msgspec.json.encode(event)))
        if event.kind in OPEN:
            for known in self.rounds[-1].values():
                known |= cards
        elif event.kind in OWN:
            self.rounds[-1][event.seat] |= cards


class PutAway:
    """Which cards are in put-away tricks of this round; from the events, not from what was sent."""

    def __init__(self, memory: wire.Memory) -> None:
        self.memory = memory
        self.tricks: list[set[bytes]] = []
        self.just_now = False
        self.resting = False  # nobody has moved since the last trick was settled
        self.count = 0  # of the events that were there the last time

    def look(self, match: Match) -> None:
        """Take in the events of this round."""
        events = match.events[latest(match.events) :]
        self.just_now = any(event.settles for event in match.events[self.seen(match) :])
        self.resting = any(event.settles for event in since_last_move(events))
        self.tricks = [cards_in(event) for event in events if event.settles]
        self.count = len(match.events)

    def seen(self, match: Match) -> int:
        """Return how many events there were the last time; fewer after a take-back."""
        return min(self.count, len(match.events))

    def hidden(self, message: bytes) -> set[bytes]:
        """Return the cards that nobody must be able to look up. An update shows a trick when it is
        completed, an outlook until the next move."""
        if self.memory == "open":
            return set()
        live = (
            self.resting
            if message.startswith(b'{"type":"outlook"')
            else self.just_now and message.startswith(b'{"type":"update"')
        )
        shows_last = self.memory == "last trick" or live
        older, last = (self.tricks[:-1], self.tricks[-1:]) if shows_last else (self.tricks, [])
        return set().union(*older).difference(*last)


def since_last_move(events: Sequence[Event]) -> Sequence[Event]:
    """Return the events from the last move on."""
    moves = [at for at, event in enumerate(events) if event.move]
    return events[moves[-1] :] if moves else ()


def own_cards(match: Match, seat: int | None) -> set[bytes]:
    """Return the cards that came into a hand in this round: they follow from the deal."""
    events = match.events[latest(match.events) :]
    dealt = [event for event in events if event.kind in OWN and event.seat == seat]
    return set().union(*map(cards_in, dealt))


def latest(events: Sequence[Event]) -> int:
    """Return where the events of this round begin; after the last one there are none."""
    if events[-1].kind in ("ended", "revealed"):
        return len(events)
    return max(at for at, event in enumerate(events) if event.kind == "round")


def cards_in(value: object) -> set[bytes]:
    """Return the cards that a value names."""
    return set(CARD.findall(msgspec.json.encode(value)))


def shown_to(match: Match, seat: int | None) -> set[bytes]:
    """Return the cards that are open to someone: the table, with piles that may be looked
    through (ruling N7), and their own."""
    view = match.view(seat)
    table = {key: fact for key, fact in view.table.items() if key != "last_trick"}
    return cards_in([table, view.tricks, view.hand, view.mine])


class Full(Scene):
    """A whole match, every byte of it searched."""

    def __init__(self, setting: Setting, seed: int, **plan_facts: Any) -> None:
        watch = "none" if seed % 7 == 0 else "all"
        plan = plan_of(setting, seed, 0)._replace(**{"watch": watch, **plan_facts})
        super().__init__(plan, setting.new(seed=seed).deals, [], 1000, b"")
        self.draw = Random(seed)
        self.known = Known(setting.seats)
        self.put_away = PutAway(plan.memory)
        self.searched = Counter[str]()
        self.bytes = 0
        self.deck = b'"deck":' + msgspec.json.encode(setting.rules.deck.text)
        self.allowed: dict[str, set[bytes]] = {}  # what one has just said oneself

    async def play(self) -> Exposed | None:
        """Play from the first card to the last; return the first leak."""
        with frozen(self.pauses):
            self.known.follow(self.running, self.table.seq)
            self.open(0)
            for label in (*self.people, STRANGER):
                await self.enter(label)
            found = self.search()
            while found is None and self.goes_on():
                found = await self.step()
            await self.close()
        return found

    def goes_on(self) -> bool:
        """Return whether the match is to be played on."""
        return bool(self.running.match.waiting_for)

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
        self.put_away.look(self.running.match)
        sealed = {seed.hex().encode() for seed in self.sealed_seeds()}
        for label, guest in self.guests.items():
            for message in guest.client.received:
                self.searched[label] += 1
                self.bytes += len(message)
                secrets = (*self.exposed(label, message), *(sealed & set(SEED.findall(message))))
                for secret in secrets:
                    return Exposed(self.plan, label, secret.decode(), message)
                if b"token-of" in message:
                    return Exposed(self.plan, label, "token-of", message)
            guest.client.received.clear()
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
        hidden = self.put_away.hidden(message)
        for number, text in pieces(message, self.deck, self.known):
            known = set() if blind else self.known.rounds[number][seat]
            said = self.allowed.get(label, set())
            cards = set(CARD.findall(text)) - said
            yield from cards - known
            if number == len(self.known.rounds) - 1 and cards & hidden:
                match = self.running.match
                yield from cards & hidden - shown_to(match, seat) - own_cards(match, seat)


OTHER_ROUNDS = (b'"kind":"round"', b'"last_trick":{', b'"renewed":[{')
"""Signs of a message that may speak of another round."""


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
        yield last_trick(decoded["standing"].pop("last"), known)
        yield now, json.dumps(decoded, ensure_ascii=False).encode()
        return
    if not any(sign in message for sign in OTHER_ROUNDS):
        yield now, message
        return
    decoded = json.loads(message)
    if decoded.get("view"):
        yield last_trick(decoded["view"]["table"].pop("last_trick", None), known)
        yield from by_round(0, decoded["view"].pop("history", []))
    for one in decoded.pop("renewed", []):
        yield known.round_at[one["seq"]], json.dumps(one).encode()
    for step in decoded.get("steps", []):
        events = step.pop("events", [])
        for event, words in zip(events, step.pop("words", []), strict=True):
            event["words"] = words
        first = known.round_at[step["seq"]] if events else 0
        yield from by_round(first, events)
        dealt = [event["round"] - 1 for event in events if event["kind"] == "round"]
        yield (
            (dealt or [known.round_at.get(step["seq"], now)])[-1],
            json.dumps(step.pop("hand", None)).encode(),
        )
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
    """Run the command."""
    reader = argparse.ArgumentParser(prog="python -m tests.server.leaks", description=__doc__)
    reader.add_argument("--pairs", type=int, default=1_000_000)
    reader.add_argument("--seconds", type=float, default=float("inf"))
    reader.add_argument("--seed", type=int, default=1)
    request = reader.parse_args(words)
    return asyncio.run(campaign(request.pairs, request.seconds, request.seed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
