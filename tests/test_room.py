"""A state has room for cards that no game has yet; hand sizes may change between rounds."""

from collections.abc import Iterator
from typing import Any

import pytest

from stichwerk.cards import Deck
from stichwerk.engine import plain
from stichwerk.engine.area import Area
from stichwerk.engine.constants import PLACES, SEATS
from stichwerk.engine.state import State

COLOURLESS = range(96, 128)  # codes of colour 6 and 7
LISTS = (
    "hands",
    "won",
    "gone",
    "hand_size",
    "trick_size",
    "stock",
    "sets",
    "numbers",
)


def contents(state: Any) -> Iterator[list[int]]:
    """Yield every list of a state, and what is open."""
    yield from (list(getattr(state, name)) for name in LISTS)
    yield [state.open_places]


def test_the_compiled_state_has_the_room_of_the_plain_one() -> None:
    for name in LISTS:
        assert len(getattr(State(), name)) == len(getattr(plain.State(), name)), name


@pytest.mark.parametrize("make", [State, plain.State], ids=["compiled", "plain"])
def test_a_copy_has_what_a_game_has_reserved(make: type[State]) -> None:
    state = make()
    state.numbers = list(range(64))
    state.sets = list(range(32))
    assert list(state.copy().numbers) == list(range(64))
    assert list(state.copy().sets) == list(range(32))


@pytest.mark.parametrize("card", COLOURLESS)
def test_a_card_without_a_colour_is_held_led_and_won(card: int) -> None:
    state, empty = plain.State(), plain.State()
    state.give(5, card)
    assert state.holds(5, card)
    assert state.colour(5, card // 16) == 1 << card % 16
    state.remove(5, card)
    assert state.lay(PLACES - 1, 5, card) == 1
    assert state.led(PLACES - 1) == card // 16
    state.sweep(PLACES - 1)
    assert list(contents(state)) == list(contents(empty)), "nothing else is touched"
    state.collect(5, card)
    state.dismiss(card)
    assert state.won[11] == state.gone[1] == 1 << card % 64


def test_each_of_several_numbers_starts_with_the_given_value() -> None:
    area = Area("marks", plain.State())
    area.number("first")
    at = area.number("marks", 7, count=3)
    assert area.blank.numbers[at - 1 : at + 4] == [0, 7, 7, 7, 0]


def test_second_copies_of_every_card_fit_into_reserved_sets() -> None:
    area = Area("copies", plain.State())
    hands = area.cards("second_hands", count=SEATS)
    won = area.cards("second_won", count=SEATS)
    gone = area.cards("second_gone")
    state = area.blank.copy()
    whole = 2**64 - 1
    for at in range(2 * SEATS):
        state.sets[hands + at] = state.sets[won + at] = whole
    state.sets[gone] = state.sets[gone + 1] = whole
    assert state.copy().second_hands == [whole] * 2 * SEATS
    assert state.second_won == state.second_hands
    assert state.second_gone == [whole] * 2


class Shrinking(plain.Game):
    """Every round has one card less a seat than the one before."""

    name = "shrinking"

    def __init__(self) -> None:
        super().__init__(3, 10, Deck("RYGB", 0, 9))

    def cards_each(self, state: Any) -> int:
        return 11 - int(state.round)


def test_the_hand_size_may_depend_on_the_round() -> None:
    rules = Shrinking()
    for number in (1, 2, 10):
        state = rules.new_state()
        state.round = number
        rules.deal(state, plain.twin("stichwerk.engine.generator").Generator(1))
        assert state.hand_size[:3] == [11 - number] * 3
        assert state.stock_size == 40 - 3 * (11 - number)
        assert len({*state.stock[: state.stock_size]}) == state.stock_size
