"""The cards of a deal: whether hands, rounds and the record follow from the opened shares."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import UNSET

from stichwerk.engine.events import Event
from stichwerk.engine.state import State
from stichwerk.errors import StichwerkError
from stichwerk.record import Record, replay
from stichwerk.server import wire
from stichwerk.server.clients.deal_messages import DealViolationError
from stichwerk.server.clients.table_rules import TableRules
from stichwerk.view import View, first_knowledge

# What the rules raise about events that cannot have happened.
NONSENSE = (ArithmeticError, AssertionError, LookupError, StichwerkError, TypeError, ValueError)


class DealtHand(msgspec.Struct):
    """What one saw when a round began: who starts, and the hand of our seat."""

    seat: int | None
    starter: int
    hand: tuple[str, ...] | None = None


def rounds_in(events: Iterable[Event], seat: int | None) -> dict[int, DealtHand]:
    """The rounds that these events begin, as a seat saw them."""
    found: dict[int, DealtHand] = {}
    now: DealtHand | None = None
    for event in events:
        if event.kind == "round" and event.round is not None:
            now = found[event.round] = DealtHand(seat, event.starter or 0)
        elif event.kind == "hand" and now is not None and now.hand is None and event.seat == seat:
            now.hand = event.cards
    return found


def of_this_match(steps: Sequence[wire.Step]) -> Sequence[wire.Step]:
    """The steps of the match that runs now: those of a resumption may begin with another one."""
    borders = [
        at
        for at, step in enumerate(steps)
        if any(isinstance(note, wire.Sealing | wire.Begun) for note in step.notes)
    ]
    return steps[borders[-1] :] if borders else steps


class OwnHand:
    """Our hand in the round that is played: what was dealt, and what happened to it since."""

    def __init__(self) -> None:
        self._events: list[Event] = []  # of this round
        self._state: State | None = None
        self._learned = 0  # so many of the events are in the state

    def receive(self, events: Iterable[Event]) -> None:
        """Something happened; a round begins with nothing."""
        for event in events:
            if event.kind == "round":
                self._events, self._state = [], None
            self._events.append(event)

    def take_back(self, count: int) -> None:
        """The last events are void."""
        del self._events[max(0, len(self._events) - count) :]
        self._state = None

    def check(self, rules: TableRules, view: View, seat: int, dealt: tuple[str, ...]) -> None:
        """Whether a view shows the cards that are left of those that were dealt to us."""
        told = [event.cards for event in self._events if event.kind == "hand"]
        try:
            shown = told == [dealt] and view.hand == self._cards(rules, view, seat)
        except NONSENSE:
            shown = False  # these cards do not allow what the server says
        if not shown:
            raise DealViolationError("deal-hand", round=view.round)

    def _cards(self, rules: TableRules, view: View, seat: int) -> tuple[str, ...]:
        game = rules.setting.rules
        if self._state is None:
            begun = msgspec.structs.replace(view, history=tuple(self._events))
            self._state, self._learned = first_knowledge(begun), 1
        for event in self._events[self._learned :]:
            if event.seat is not None and not 0 <= event.seat < view.seats:
                raise ValueError(event.seat)
            game.learn(self._state, event)
        self._learned = len(self._events)
        cards: tuple[str, ...] = game.hand(self._state, seat)
        return cards


def check_starter(rules: TableRules, dealing: wire.Dealing, first: DealtHand) -> None:
    """Whether round 1 is begun by the seat that was drawn, or named by the options."""
    if first.starter != rules.first_starter(dealing):
        raise DealViolationError("deal-starter")


def check_round(rules: TableRules, dealing: wire.Dealing, round: int, dealt: DealtHand) -> None:
    """Deal a round again from all shares: our hand must be the one that was dealt."""
    if dealt.seat is None or dealt.hand is None:
        return
    again = rules.deal(dealing, round, dealt.starter)
    if dealt.hand != again.hands[dealt.seat]:
        raise DealViolationError("deal-hand", round=round)


COMPARED = frozenset({"round", "hand", "play", "scored", "ended"})  # the same in every replay


def check_record(
    record: Record,
    told: wire.Dealing,
    rounds: Mapping[int, DealtHand],
    seen: Iterable[Event] = (),
) -> None:
    """Whether the record of a finished match tells the same deal as the table did, and the match
    that a seat has `seen`: all of that, and no move that it has not."""
    proof = record.fairness
    if proof is UNSET:
        raise DealViolationError("deal-record", what="fairness")
    for name in ("match", "transcript", "server_commits", "client_commits", "client_seeds"):
        if getattr(proof, name) != getattr(told, name):
            raise DealViolationError("deal-record", what=name)
    if proof.server_seeds[: len(told.server_seeds)] != told.server_seeds:
        raise DealViolationError("deal-record", what="server_seeds")
    try:
        match = replay(record)
    except StichwerkError:
        raise DealViolationError("deal-record-broken") from None
    recorded = Counter(event for event in match.events if event.kind in COMPARED)
    known = Counter(event for event in seen if event.kind in COMPARED)
    public = Counter({event: count for event, count in recorded.items() if event.to is None})
    if known - recorded or (known and public - known):
        raise DealViolationError("deal-record", what="events")
    for number, dealt in rounds.items():
        if dealt.seat is None or dealt.hand is None:
            continue
        if number > len(record.rounds) or record.rounds[number - 1].hands[dealt.seat] != dealt.hand:
            raise DealViolationError("deal-record", what="hands")
