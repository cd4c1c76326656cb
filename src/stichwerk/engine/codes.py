"""Read and build the numbers that stand for cards, moves and slots of a state.

Rules and bots say `colour_of(card)` instead of `card >> 4`. Compiled, these functions are inlined
from `codes.pxd` and cost nothing; this is their plain twin. Only this module and `State` know how
cards are laid out in bits.
"""

from stichwerk.engine.state import State

# -- Cards -----------------------------------------------------------------------------------------


def colour_of(card: int) -> int:
    """Return the colour of a card, 0 to 5 in the order R Y G B L S."""
    return card >> 4


def value_of(card: int) -> int:
    """Return the number on a card."""
    return card & 15


def card_at(colour: int, value: int) -> int:
    """Return the card of this colour and value."""
    return colour << 4 | value


# -- Sets, stored as bits --------------------------------------------------------------------------


def has(mask: int, number: int) -> bool:
    """Return whether the number (a seat, colour, value or place) is in the set."""
    return mask >> number & 1 != 0


def only(number: int) -> int:
    """Return the set that contains only this number."""
    return 1 << number


def all_below(number: int) -> int:
    """Return the set of all numbers below this one: given the number of seats, every seat."""
    return (1 << number) - 1


def sum_of(mask: int) -> int:
    """Return the sum of the numbers in a set."""
    total = 0
    while mask:
        total += (mask & -mask).bit_length() - 1
        mask &= mask - 1
    return total


def below(mask: int, number: int) -> int:
    """Return the numbers of a set that are smaller than this one."""
    return mask & ((1 << number) - 1)


def above(mask: int, number: int) -> int:
    """Return the numbers of a set that are larger than this one."""
    return mask >> (number + 1) << (number + 1)


# -- Sets of cards: two halves of 64 bits, as one machine word has no room for all cards -----------


def half_of(card: int) -> int:
    """Return which half of a set of cards this card is in, 0 or 1."""
    return card >> 6


def bit_of(card: int) -> int:
    """Return the half of a set that contains only this card."""
    return 1 << (card & 63)


def card_in(half: int, bit: int) -> int:
    """Return the card that this bit of this half stands for."""
    return half << 6 | bit


def values_in(low: int, high: int, colour: int) -> int:
    """Return the values of this colour in a set of cards, as bits."""
    return (high if colour >> 2 else low) >> ((colour & 3) << 4) & 0xFFFF


# -- Moves -----------------------------------------------------------------------------------------

MOVE_LIMIT = 65536  # move numbers are below: there are at most sixteen kinds


def move_of(kind: int, argument: int) -> int:
    """Return the move of this kind with this argument."""
    return kind << 12 | argument


def kind_of(move: int) -> int:
    """Return the kind of a move: CARD, PICK, ORDER, ..."""
    return move >> 12


def argument_of(move: int) -> int:
    """Return the argument of a move."""
    return move & 4095


def play_at(card: int, place: int) -> int:
    """Return the move that plays this card to this place."""
    return place << 7 | card


def card_of(move: int) -> int:
    """Return the card that a move plays, picks, drops or gives."""
    return move & 127


def place_of(move: int) -> int:
    """Return the place a card is played to, or the second part of another move's argument."""
    return move >> 7 & 31


# -- Slots of a seat in a state --------------------------------------------------------------------


def choice_of(state: State, seat: int) -> int:
    """Return what the seat chose before play (its first choice, if there are several)."""
    return state.choice[3 * seat]


def choice_slot(seat: int, nth: int) -> int:
    """Return the index of the seat's nth choice, 0 to 2, in `state.choice`."""
    return 3 * seat + nth


def half_slot(seat: int, half: int) -> int:
    """Return the index of half of a seat's cards in `state.hands`, `state.won` and
    `state.aside`."""
    return 2 * seat + half


def colour_slot(seat: int, colour: int) -> int:
    """Return the index of a seat's number for this colour, where a game reserves one for each seat
    and colour."""
    return 6 * seat + colour


def trick_slot(place: int, nth: int) -> int:
    """Return the index of the nth card at this place in a state's `trick_card` and `trick_seat`."""
    return 6 * place + nth


def won_values(state: State, seat: int, colour: int) -> int:
    """Return the values of this colour among the cards the seat has won, as bits."""
    return values_in(state.won[2 * seat], state.won[2 * seat + 1], colour)


def won_count(state: State, seat: int) -> int:
    """Return the number of cards the seat has won."""
    return state.won[2 * seat].bit_count() + state.won[2 * seat + 1].bit_count()
