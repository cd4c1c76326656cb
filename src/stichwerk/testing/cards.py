"""Where the cards of a state are, listed without the rules."""

from collections import Counter
from collections.abc import Iterator, Sequence

from stichwerk.cards import VALUES_PER_COLOUR, card_text
from stichwerk.engine.codes import half_slot, trick_slot
from stichwerk.engine.constants import NONE, PLACES, TWIN
from stichwerk.engine.state import State
from stichwerk.errors import BadCardError

CARD_MASKS = ("hands", "won", "gone", "carried", "aside")
"""Fields of a state that store cards as bits, two masks per pile."""


def named(card: int) -> str:
    """Return a card as text; anything else as its number."""
    try:
        return card_text(card)
    except BadCardError:
        return f"card {card}"


def cards_of(state: State) -> Iterator[int]:
    """Yield every card of a state."""
    for field in CARD_MASKS:
        for at, mask in enumerate(getattr(state, field)):
            if mask:
                yield from cards_in(mask, 64 * (at % 2), bool(state.twins))
    for place in range(PLACES):
        first = trick_slot(place, 0)
        yield from state.trick_card[first : first + state.trick_size[place]]
    yield from (card for card in state.second[: state.trick_size[0]] if card != NONE)
    yield from stock_of(state)


def stock_of(state: State) -> list[int]:
    """Return what is left of the stock, the next card first."""
    return list(state.stock[state.stock_top : state.stock_top + state.stock_size])


def pile(masks: Sequence[int], seat: int) -> Counter[str]:
    """Return a seat's cards in one of the fields with two masks per seat; without twins."""
    low, high = masks[half_slot(seat, 0) : half_slot(seat, 2)]
    return Counter(map(card_text, (*cards_in(low, 0, False), *cards_in(high, 64, False))))


def cards_in(mask: int, first: int, twins: bool) -> Iterator[int]:
    """Yield the cards in one mask; a twin's bit is its card once more."""
    while mask:
        bit = (mask & -mask).bit_length() - 1
        is_twin = twins and bit % VALUES_PER_COLOUR == TWIN
        yield first + bit - (TWIN if is_twin else 0)
        mask &= mask - 1
