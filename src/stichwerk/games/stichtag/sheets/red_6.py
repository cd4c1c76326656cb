"""The sheet red 6."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from stichwerk.engine.area import Area
from stichwerk.engine.constants import NONE, SEATS
from stichwerk.engine.events import BaseEvent, Event
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.games.stichtag.seat_facts import facts_of
from stichwerk.games.stichtag.sentence import EachSeat, Name, Sentence
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.storage import OWN
from stichwerk.games.stichtag.texts import texts_of


class PartnerDrawn(BaseEvent, frozen=True, tag="partner"):
    """You drew a partner card.

    `seat`: who drew it
    `value`: the seat of the partner
    """

    listed_after = "hand"
    private = True

    seat: int
    value: int


class PartnersShown(BaseEvent, frozen=True, tag="partners"):
    """The round is over: all partner cards are shown.

    `counts`: by seat: the seat of the partner
    """

    listed_after = "turned"

    counts: tuple[int, ...]


class Red6(Sheet):
    """Team partners: a secret partner, whose points you add."""

    name = "red 6"
    extends = ("deal", "points")
    origin = "own"
    specials = ("partners",)
    emits = (PartnerDrawn, PartnersShown)
    title, symbol_name, short, long, notes = texts_of("red_6")
    facts = facts_of("red_6")

    def reserve(self, area: Area) -> None:
        """Reserve the partner of each seat, NONE while unknown."""
        self.partners = area.number("partners", NONE, count=SEATS)

    def draw(self, state: State, generator: Generator) -> None:
        """Everyone draws a partner card: every seat once, nobody themselves."""
        fixed = 1
        while fixed:
            for seat in range(self.seats):
                generator.cards[seat] = seat
            generator.shuffle(self.seats)
            fixed = 0
            for seat in range(self.seats):
                state.numbers[self.partners + seat] = generator.cards[seat]
                if generator.cards[seat] == seat:
                    fixed += 1

    def settle_points(self, state: State) -> None:
        """Add the partner's own points, without those of the partner's partner."""
        for seat in range(self.seats):
            partner = state.numbers[self.partners + seat]
            if partner != NONE:  # still unknown to spectators
                state.points[seat] += state.numbers[OWN + partner]

    def fill(self, state: State, generator: Generator) -> None:
        """Draw partners that keep the known one; keep all once they are shown."""
        if state.numbers[self.partners] != NONE and state.numbers[self.partners + 1] != NONE:
            return
        known = 0
        while known < self.seats and state.numbers[self.partners + known] == NONE:
            known += 1
        partner = NONE
        if known < self.seats:
            partner = state.numbers[self.partners + known]
        self.draw(state, generator)
        while known < self.seats and state.numbers[self.partners + known] != partner:
            self.draw(state, generator)

    def partner_of(self, state: State, seat: int) -> int:
        """Return the partner that the seat drew."""
        return state.numbers[self.partners + seat]

    # -- At the table ------------------------------------------------------------------------------

    def opening_events(self, state: State) -> list[Event]:
        """Show each seat its partner."""
        return [
            PartnerDrawn(seat, self.partner_of(state, seat), to=(seat,))
            for seat in range(self.seats)
        ]

    def closing_events(self, state: State) -> list[Event]:
        """Show all partners."""
        partners = tuple([self.partner_of(state, seat) for seat in range(self.seats)])
        return [PartnersShown(partners)]

    @classmethod
    def narrate(cls, event: Any, reader: int | None) -> Sentence | None:
        """Name the reader's partner; at the end of the round everyone's."""
        if type(event) is PartnersShown:
            partners = tuple([Name(partner) for partner in event.counts])
            return Sentence("partners-shown", facts={"facts": EachSeat(partners, "→ ")})
        if event.seat != reader:
            return None
        return Sentence("your-partner", facts={"name": Name(event.value)})

    def secrets(self, state: State, seat: int) -> dict[str, object]:
        """Return the seat's partner."""
        return {"partner": self.partner_of(state, seat)}

    def learn(self, state: State, event: Event) -> bool:
        """Learn the seat's partner; at the end of the round all."""
        if type(event) is PartnerDrawn:
            state.numbers[self.partners + event.seat] = event.value
        elif type(event) is PartnersShown:
            self.place_special(state, event.counts)
            self.steps.recount(state)
        else:
            return False
        return True

    @classmethod
    def draw_special(cls, stream: Any, seats: int) -> Any:
        """Draw each seat's partner, never itself: whole shuffles are repeated until that holds,
        since repairing a single pair would favour some pairings."""
        while True:
            partners = list(range(seats))
            stream.shuffle(partners)
            if cls.nobody_alone(partners):
                return tuple(partners)

    @classmethod
    def special_draws(cls, seats: int) -> list[Any]:
        """Return all ways to give each seat a partner other than itself."""
        return [drawn for drawn in permutations(range(seats)) if cls.nobody_alone(drawn)]

    @classmethod
    def nobody_alone(cls, partners: Sequence[int]) -> bool:
        """Return whether no seat has itself as its partner."""
        return not [seat for seat, partner in enumerate(partners) if seat == partner]

    def is_special(self, value: Any) -> bool:
        """Return whether this is a partner for each seat, nobody themselves."""
        if not isinstance(value, list | tuple) or set(map(type, value)) != {int}:
            return False
        return sorted(value) == list(range(self.seats)) and self.nobody_alone(value)

    def place_special(self, state: State, value: Any) -> None:
        """Place the partner of each seat."""
        for seat in range(self.seats):
            state.numbers[self.partners + seat] = value[seat]
