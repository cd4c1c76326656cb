"""The cards of a deal: checks that hands, rounds and the record follow from the opened shares."""

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

# Errors that the rules raise for impossible events.
NONSENSE = (ArithmeticError, AssertionError, LookupError, StichwerkError, TypeError, ValueError)


MOST_CARDS = 2  # in one play


class DealtHand(msgspec.Struct):
    """What a seat saw at the start of a round: the starter and its own hand."""

    seat: int | None
    starter: int
    hand: tuple[str, ...] | None = None


def rounds_in(events: Iterable[Event], seat: int | None) -> dict[int, DealtHand]:
    """Return the rounds that begin in these events, as a seat saw them."""
    found: dict[int, DealtHand] = {}
    now: DealtHand | None = None
    for event in events:
        if event.kind == "round" and event.round is not None:
            now = found[event.round] = DealtHand(seat, event.starter or 0)
        elif event.kind == "hand" and now is not None and now.hand is None and event.seat == seat:
            now.hand = event.cards
    return found


def of_this_match(steps: Sequence[wire.Step]) -> Sequence[wire.Step]:
    """Return the steps of the current match: a resumed connection may begin with those of another
    one."""
    borders = [
        at
        for at, step in enumerate(steps)
        if any(isinstance(note, wire.Sealing | wire.Begun) for note in step.notes)
    ]
    return steps[borders[-1] :] if borders else steps


class OwnHand:
    """Our hand in the current round: what was dealt, and what has happened to it since."""

    def __init__(self) -> None:
        self._events: list[Event] = []  # of this round
        self._change: wire.HandChange | None = None  # since the deal; None: unknown
        self._state: State | None = None
        self._learned = 0  # how many events the state includes

    def receive(self, events: Iterable[Event]) -> None:
        """Add events; a new round starts with none."""
        for event in events:
            if event.kind == "round":
                self._events, self._state = [], None
            self._events.append(event)

    def start_with(self, change: wire.HandChange | None) -> None:
        """Note how the hand has changed since the deal, as a fresh start says."""
        self._change = change or wire.HandChange()

    def receive_change(self, step: wire.Step) -> None:
        """Add what a step says about our hand; a step that deals says how it differs from that."""
        change = step.hand or wire.HandChange()
        if any(event.kind == "round" for event in step.events):
            self._change = change
        elif self._change is not None:
            left, entered = self._change.left + change.left, self._change.entered + change.entered
            self._change = wire.HandChange(left=left, entered=entered)

    def take_back(self, count: int) -> None:
        """Remove the last events, which are void."""
        del self._events[max(0, len(self._events) - count) :]
        self._state = None

    def check(self, rules: TableRules, view: View, seat: int, dealt: tuple[str, ...]) -> None:
        """Check that a view shows the remaining cards of those dealt to us."""
        hands = [event.cards for event in self._events if event.kind == "hand"]
        try:
            shown = hands == [dealt] and self._fits(rules, view, seat, dealt)
        except NONSENSE:
            shown = False  # these cards contradict the events
        if not shown:
            raise DealViolationError("deal-hand", round=view.round)

    def _fits(self, rules: TableRules, view: View, seat: int, dealt: tuple[str, ...]) -> bool:
        """Return whether the hand shown follows from the events; where some of them have no cards,
        since their tricks are put away, whether it is what the stated changes make of the deal."""
        unknown = [event for event in self._events if is_put_away(event)]
        if not unknown:
            return view.hand == self._cards(rules, view, seat)
        if self._change is None:
            return True  # we missed a part of it
        named = {card for event in self._events if event.kind != "hand" for card in event.cards}
        left, entered = Counter(self._change.left), Counter(self._change.entered)
        unnamed = sum(count for card, count in left.items() if card not in named)
        most = MOST_CARDS * sum(event.seat == seat for event in unknown)
        held = Counter(dealt) + entered
        return left <= held and held - left == Counter(view.hand) and unnamed <= most

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


def is_put_away(event: Event) -> bool:
    """Return whether a play came without its cards, since its trick is put away."""
    return event.kind == "play" and not event.cards and not event.move


def check_starter(rules: TableRules, dealing: wire.Dealing, first: DealtHand) -> None:
    """Check that round 1 is started by the seat that was drawn, or named by the options."""
    if first.starter != rules.first_starter(dealing):
        raise DealViolationError("deal-starter")


def check_round(rules: TableRules, dealing: wire.Dealing, round: int, dealt: DealtHand) -> None:
    """Deal a round from all shares and check that our hand is the one that was dealt."""
    if dealt.seat is None or dealt.hand is None:
        return
    again = rules.deal(dealing, round, dealt.starter)
    if dealt.hand != again.hands[dealt.seat]:
        raise DealViolationError("deal-hand", round=round)


COMPARED = frozenset({"round", "hand", "play", "scored", "ended"})  # the same in every replay


def check_record(
    record: Record,
    announced: wire.Dealing,
    rounds: Mapping[int, DealtHand],
    seen: Iterable[Event] = (),
) -> None:
    """Check that the record of a finished match has the same deal as the table announced, and
    exactly the moves that a seat has `seen`."""
    proof = record.fairness
    if proof is UNSET:
        raise DealViolationError("deal-record", what="fairness")
    for name in ("match", "transcript", "server_commits", "client_commits", "client_seeds"):
        if getattr(proof, name) != getattr(announced, name):
            raise DealViolationError("deal-record", what=name)
    if proof.server_seeds[: len(announced.server_seeds)] != announced.server_seeds:
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
