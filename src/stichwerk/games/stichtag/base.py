"""Stichtag by Emely, Inka and Markus Brand, for three to five: the base rules.

Follow if you can; red is trump; a trick is a point. The calendar will replace or extend single
rules.
"""

from collections.abc import Mapping

from stichwerk.cards import COLOURS as LETTERS
from stichwerk.cards import Deck
from stichwerk.engine.constants import ALL_COLOURS
from stichwerk.engine.frame import Game
from stichwerk.engine.state import State
from stichwerk.games.options import Option, Value, starter_option, whole_number

RED = 0


class Stichtag(Game):
    """Stichtag with its seats and options fixed."""

    name = "stichtag"
    seat_counts = (3, 4, 5)

    # -- What is needed --------------------------------------------------------------------------

    def __init__(self, seats: int, options: Mapping[str, Value]) -> None:
        Game.__init__(self, seats, 12, Deck("RYGBLS", 0, 11 if seats == 5 else 9))
        self.rounds = whole_number(options["rounds"])

    @staticmethod
    def options(seats: int) -> tuple[Option, ...]:
        """The date and single sheets come with the calendar; without them three rounds or two."""
        return (
            Option("date", None, (None,)),
            Option("rounds", 3, (3, 2)),
            Option("sheets", [], ([],)),
            starter_option(seats),
        )

    # -- Duty to follow --------------------------------------------------------------------------

    def may_play(self, state: State, seat: int) -> int:
        """The led colour, if the seat has it; otherwise anything."""
        if state.trick_size[0] and state.colour(seat, state.led(0)):
            return 1 << state.led(0)
        return ALL_COLOURS

    def play_card(self, state: State, seat: int, card: int) -> None:
        """Who does not follow shows that he has none of the led colour."""
        if state.trick_size[0] and card >> 4 != state.led(0):
            state.voids[seat] |= 1 << state.led(0)
        Game.play_card(self, state, seat, card)

    # -- Trump -----------------------------------------------------------------------------------

    def trump(self, state: State) -> int:
        """The colour that beats all others: red."""
        return RED

    def strength(self, state: State, play: int) -> int:
        """Highest trump, else highest of the led colour; other colours cannot win."""
        card = state.trick_card[play]
        if card >> 4 == self.trump(state):
            return 17 + (card & 15)
        if card >> 4 == state.led(0):
            return 1 + (card & 15)
        return 0

    # -- Points and the end of the match: a trick is a point, most points win ----------------------

    def most_rounds(self) -> int:
        """Three rounds, or two for practice."""
        return self.rounds

    # -- At the table ----------------------------------------------------------------------------

    def table(self, state: State) -> dict[str, object]:
        """The trump in force."""
        return {"trump": LETTERS[self.trump(state)]}
