"""A card played to the one trick on the table, and what is certain about it."""

from collections import Counter
from functools import cached_property

from stichwerk.bots.advice import AdviceReason
from stichwerk.bots.position import Position
from stichwerk.cards import COLOURS, card_code, card_text
from stichwerk.engine.codes import card_in, card_of, colour_of, half_slot, has, trick_slot, value_of
from stichwerk.engine.constants import NONE, PLACES, TWIN
from stichwerk.engine.events import Move
from stichwerk.engine.state import State


def hand_of(position: Position) -> list[int]:
    """Return the seat's cards."""
    return [card_code(card) for card in position.view.hand]


def lying(state: State, place: int = 0) -> list[int]:
    """Return the cards on the table at this place, in the order of play."""
    first = trick_slot(place, 0)
    return list(state.trick_card[first : first + state.trick_size[place]])


def unseen(position: Position) -> list[int]:
    """Return the cards the seat has not seen: in other hands, or out of the game."""
    known, seat = position.known, position.seat
    seen = cards_in(known.hands[half_slot(seat, 0) : half_slot(seat, 2)], known.twins)
    for masks in (known.aside[half_slot(seat, 0) : half_slot(seat, 2)], known.gone, known.carried):
        seen += cards_in(masks, known.twins)
    for other in range(position.rules.seats):
        seen += cards_in(known.won[half_slot(other, 0) : half_slot(other, 2)], known.twins)
    for place in range(PLACES):
        seen += lying(known, place)
    seen += [card for card in known.second[: known.trick_size[0]] if card != NONE]
    return list((Counter(position.rules.deck.codes) - Counter(seen)).elements())


def cards_in(masks: list[int], twins: int) -> list[int]:
    """Return the cards of two masks; a twin zero has its own bit."""
    bits = [card_in(word, bit) for word in (0, 1) for bit in range(64) if has(masks[word], bit)]
    return [bit - TWIN if twins and value_of(bit) == TWIN else bit for bit in bits]


class PlayedCard:
    """What becomes of the trick when the seat plays this card, as far as the seat can tell."""

    def __init__(self, position: Position, move: Move) -> None:
        self.position = position
        self.rules = position.rules
        self.seat = position.seat
        self.before = position.known
        self.after = position.after(move.steps)
        self.card = card_of(move.steps[0])
        self.lying = lying(self.before)

    @property
    def settled(self) -> bool:
        """Whether the card completes the trick."""
        return self.after.tricks_done > self.before.tricks_done

    @property
    def led(self) -> int:
        """Return the colour that is led, that of the card itself if it leads."""
        return colour_of(self.lying[0] if self.lying else self.card)

    @cached_property
    def taker(self) -> int | None:
        """Return who takes the trick, or would take it as it then stands."""
        return self.taker_in(self.after)

    def taker_in(self, state: State) -> int | None:
        """Return the same for a state in which the trick may be complete."""
        if state.tricks_done == self.before.tricks_done:
            return self.rules.winning_seat(state, 0)
        return state.last_winner if state.last_winner >= 0 else None

    @property
    def on_top(self) -> bool:
        """Return whether the seat takes the trick as it then stands."""
        return self.taker == self.seat

    @property
    def to_beat(self) -> int | None:
        """Return the card that holds the trick before this one is played."""
        winner = self.rules.winning_seat(self.before, 0) if self.lying else None
        seats = self.before.trick_seat[: len(self.lying)]
        return None if winner is None else self.lying[seats.index(winner)]

    @cached_property
    def sure(self) -> bool:
        """Return whether the taker stays the same, whatever the following seats may hold.

        One card of theirs is tried at a time: correct wherever the strength of a play depends only
        on itself and the led colour.
        """
        return self.settled or not any(map(self.beaten_by, set(unseen(self.position))))

    def beaten_by(self, card: int) -> bool:
        """Return whether this card of the next seat would change who takes the trick."""
        state = self.after.copy()
        self.rules.play(state, state.turn, card)
        return self.taker_in(state) != self.taker

    def name(self, seat: int) -> str:
        """Return the name of a seat."""
        return self.position.view.names[seat]


def lead_reason(position: Position, card: int) -> AdviceReason:
    """Return what can be said about any lead."""
    numbers = [value_of(held) for held in hand_of(position)]
    if value_of(card) == min(numbers):
        return AdviceReason("advice-leads-low", {"card": card_text(card)})
    if value_of(card) == max(numbers):
        return AdviceReason("advice-leads-high", {"card": card_text(card)})
    count = sum(colour_of(other) == colour_of(card) for other in unseen(position))
    return AdviceReason("advice-leads-colour", {"colour": COLOURS[colour_of(card)], "count": count})
