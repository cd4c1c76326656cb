"""The sheet red 8."""

from typing import Any

from stichwerk.engine.area import Area
from stichwerk.engine.codes import bit_of, card_in, half_of, half_slot, has, only, value_of
from stichwerk.engine.constants import ASIDE, NONE
from stichwerk.engine.events import BaseEvent, Event
from stichwerk.engine.machine import Bits
from stichwerk.engine.state import State
from stichwerk.games.stichtag.seat_facts import facts_of
from stichwerk.games.stichtag.sentence import EachSeat, Sentence
from stichwerk.games.stichtag.sheet import Sheet, mask_texts
from stichwerk.games.stichtag.table_facts import shown_by
from stichwerk.games.stichtag.texts import texts_of


class AsideChanged(BaseEvent, frozen=True, tag="aside"):
    """How many odd cards are set aside: after the deal, and whenever that changes.

    `counts`: by seat: the number of cards aside
    """

    counts: tuple[int, ...]


class Red8(Sheet):
    """Odd later: odd cards are set aside until the even ones are gone."""

    name = "red 8"
    extends = ("deal", "plays")
    origin = "partly"
    sets_aside = True
    narrows = True
    emits = (AsideChanged,)
    title, symbol_name, short, long, notes = texts_of("red_8")
    shown = shown_by("red_8")
    facts = facts_of("red_8")

    def reserve(self, area: Area) -> None:
        """Reserve two sets of seats: those that have taken up their odd cards, and those that may
        hold odd and even ones, because they have received others since or nobody knows."""
        self.taken_up = area.number("taken_up")
        self.mixed = area.number("mixed")

    def after_deal(self, state: State) -> None:
        """Odd cards leave the hands; without even ones they come back at once.

        Of an unknown hand only the numbers change, once they are known.
        """
        for seat in range(self.seats):
            for word in range(2):
                mask = state.hands[half_slot(seat, word)]
                while mask:
                    card = card_in(word, Bits.lowest(mask))
                    mask &= mask - 1
                    if self.is_odd(card):
                        state.remove(seat, card)
                        self.put_aside(state, seat, card)
            self.after_leaving(state, seat)

    def is_odd(self, card: int) -> bool:
        """Return whether the value of the card is odd."""
        return value_of(card) % 2 == 1

    def put_aside(self, state: State, seat: int, card: int) -> None:
        """Put a card face down in front of its owner; it is not in their hand."""
        state.aside[half_slot(seat, half_of(card))] |= bit_of(card)
        state.aside_size[seat] += 1

    def after_leaving(self, state: State, seat: int) -> None:
        """When the last even card is gone, the odd ones are taken up."""
        if state.hand_size[seat] == 0 and not has(state.numbers[self.taken_up], seat):
            state.numbers[self.taken_up] |= only(seat)
            state.voids[seat] = 0
            state.hand_size[seat] = state.aside_size[seat]
            state.aside_size[seat] = 0
            for half in range(2):
                slot = half_slot(seat, half)
                state.hands[slot] |= state.aside[slot]
                state.aside[slot] = 0

    def goes_aside(self, state: State, seat: int, card: int) -> bool:
        """An odd card, until the seat has taken its odd cards up."""
        state.numbers[self.mixed] |= state.numbers[self.taken_up] & only(seat)
        if card == NONE or not self.is_odd(card) or has(state.numbers[self.taken_up], seat):
            return False
        self.put_aside(state, seat, card)
        return True

    def fits(self, state: State, holder: int, card: int) -> bool:
        """Cards aside are odd; a hand is even, until it has taken those up."""
        if holder == NONE:
            return True
        if holder >= ASIDE:
            return self.is_odd(card)
        if has(state.numbers[self.mixed], holder):
            return True
        return self.is_odd(card) == has(state.numbers[self.taken_up], holder)

    # -- At the table ------------------------------------------------------------------------------

    def sizes(self, state: State) -> list[int]:
        """Return how many cards each seat has aside."""
        return [state.aside_size[seat] for seat in range(self.seats)]

    def opening_events(self, state: State) -> list[Event]:
        """Show everyone how many cards are aside."""
        return [AsideChanged(tuple(self.sizes(state)))]

    def change_events(self, before: State, after: State) -> list[Event]:
        """Show the numbers again whenever they change."""
        changed = self.sizes(before) != self.sizes(after)
        return self.opening_events(after) if changed else []

    @classmethod
    def narrate(cls, event: Any, reader: int | None) -> Sentence | None:
        """Say how many odd cards each seat has set aside."""
        return Sentence("aside-now", facts={"facts": EachSeat(event.counts)})

    def table(self, state: State) -> dict[str, object]:
        """Return how many cards are aside."""
        return {"aside": self.sizes(state)}

    def secrets(self, state: State, seat: int) -> dict[str, object]:
        """Return the seat's own cards aside."""
        low, high = state.aside[half_slot(seat, 0)], state.aside[half_slot(seat, 1)]
        return {"aside": mask_texts(low, high)}

    def learn(self, state: State, event: Event) -> bool:
        """Learn that odd cards of others went aside.

        A seat with none aside after the deal may have no odd cards, or no even ones and has taken
        them up: it may hold any.
        """
        if type(event) is not AsideChanged:
            return False
        for seat in range(self.seats):
            more = event.counts[seat] - state.aside_size[seat]
            if state.plays == 0 and event.counts[seat] == 0:
                state.numbers[self.mixed] |= only(seat)
            if more > 0:
                state.aside_size[seat] += more
                state.hand_size[seat] -= more
                self.after_leaving(state, seat)
        return True
