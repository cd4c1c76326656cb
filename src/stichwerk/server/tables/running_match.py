"""A running match at a table: its moves, take-backs and seating."""

from collections import Counter
from collections.abc import Sequence

from stichwerk.engine.events import Event
from stichwerk.match import Deals, Match, Setting
from stichwerk.record import Record, record
from stichwerk.server import wire
from stichwerk.server.tables.audience import MatchFacts
from stichwerk.server.tables.shuffle import Shuffle
from stichwerk.server.tables.table_people import TableSeat


class RunningMatch:
    """A match at a table, from the first card on."""

    def __init__(
        self, id: str, setting: Setting, deals: Deals, names: Sequence[str], shuffle: Shuffle | None
    ) -> None:
        self.id = id
        self.setting = setting
        self.deals = deals
        self.names = names
        self.shuffle = shuffle
        self.match = Match(setting, deals, names)
        self.facts = MatchFacts(
            game=setting.rules.name,
            options=setting.options,
            names=tuple(names),
            rounds=setting.rules.most_rounds(),
        )
        self.moves: list[tuple[int, str]] = []
        self.made: list[list[str]] = [
            [] for _ in range(setting.seats)
        ]  # including those taken back
        self.last: tuple[Event, ...] = ()
        self.last_by = ""
        self.sat: dict[tuple[str, int], set[int]] = {}  # by person and seat: the rounds
        self._noted: tuple[int, list[str | None]] | None = None  # the round and its seating
        self._shown: tuple[int, tuple[tuple[str, ...], ...]] = (0, ())  # the round and its hands

    def note_seating(self, places: Sequence[TableSeat]) -> None:
        """Remember the seating of this round."""
        now = (len(self.match.rounds), [place.person for place in places])
        if now == self._noted or self.match.over:
            return
        self._noted = now
        for seat, place in enumerate(places):
            if place.person is not None:
                self.sat.setdefault((place.person, seat), set()).add(now[0])

    def had_seat(self, person: str | None) -> bool:
        """Return whether someone took part in this match, in any seat."""
        return any(one == person for one, _ in self.sat)

    def play(self, seat: int, move: str, by: str) -> tuple[Event, ...]:
        """Make a move."""
        self.last = self.match.play(seat, move)
        self.last_by = by
        self.moves.append((seat, move))
        self.made[seat].append(move)
        return self.last

    def can_be_taken_back(self, seat: int) -> bool:
        """Return whether the last move is this seat's and revealed nothing hidden."""
        if not self.moves or self.moves[-1][0] != seat or self.last_by:
            return False
        return bool(self.last) and all(harmless(event, seat) for event in self.last)

    def take_back(self) -> tuple[Event, ...]:
        """Undo the last move; return the events that are void."""
        void = self.last
        self.moves.pop()
        self.match = Match(self.setting, self.deals, self.names)
        for seat, move in self.moves:
            self.match.play(seat, move)
        self.last = ()  # only one move can be taken back
        return void

    def hand_changes(self) -> tuple[wire.HandChange | None, ...]:
        """Return how each hand changed since the last call, or since the deal of a new round."""
        round, hands = len(self.match.rounds), self.match.hands
        shown, before = self._shown
        self._shown = (round, hands)
        if shown != round:
            before = self.match.rounds[-1].deal.hands
        return tuple([hand_change(*pair) for pair in zip(before, hands, strict=True)])

    def changed_since_deal(self, seat: int) -> wire.HandChange | None:
        """Return how a hand differs from the cards dealt in this round."""
        return hand_change(self.match.rounds[-1].deal.hands[seat], self.match.hands[seat])

    @property
    def made_in_all(self) -> int:
        """The number of moves made, including those taken back."""
        return sum(map(len, self.made))

    @property
    def rounds_over(self) -> int:
        """The number of finished rounds."""
        return len(self.match.scores)

    def record(self) -> Record:
        """Return the record of the match so far."""
        return record(self.match, self.shuffle.proof(self.rounds_over) if self.shuffle else None)


def hand_change(before: Sequence[str], now: Sequence[str]) -> wire.HandChange | None:
    """Return which cards left a hand and which entered it; None if it is the same."""
    if before == now:  # by far the most: a move changes one hand
        return None
    left, entered = Counter(before) - Counter(now), Counter(now) - Counter(before)
    if not left and not entered:
        return None
    return wire.HandChange(left=tuple(left.elements()), entered=tuple(entered.elements()))


def harmless(event: Event, seat: int) -> bool:
    """Return whether an event after this seat's move reveals nothing hidden: cards that everyone
    plays at once belong to the others, too."""
    return not event.reveals and (event.kind != "play" or event.seat == seat)
