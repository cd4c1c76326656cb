"""Sticheln by Klaus Palesch, for three to six.

Every colour but the led one is trump, zeros never win, and all have a pain colour of their own.
"""

from collections.abc import Mapping

from stichwerk.cards import COLOURS as LETTERS
from stichwerk.cards import Deck, card_text
from stichwerk.engine.codes import (
    argument_of,
    choice_of,
    choice_slot,
    colour_of,
    has,
    move_of,
    sum_of,
    value_of,
    won_count,
    won_values,
)
from stichwerk.engine.constants import CHOOSE, NOBODY, PICK
from stichwerk.engine.events import ChoicesRevealed, Event, Move
from stichwerk.engine.frame import Game
from stichwerk.engine.machine import Bits
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.errors import Reason
from stichwerk.games.options import Option, Value, starter_option, whole_number


class Sticheln(Game):
    """Sticheln with its seats and options fixed."""

    name = "sticheln"
    seat_counts = (3, 4, 5, 6)
    phases = ("over", "play", "pain")

    # -- Setup -------------------------------------------------------------------------------------

    def __init__(self, seats: int, options: Mapping[str, Value]) -> None:
        highest = {3: 8, 4: 11, 5: 14, 6: 14}[seats]
        Game.__init__(self, seats, 15, Deck("RYGBLS" if seats == 6 else "RYGBL", 0, highest))
        self.rounds = whole_number(options["rounds"])
        self.leader_takes_zeros = options["all_zero"] == "leader"

    @staticmethod
    def options(seats: int) -> tuple[Option, ...]:
        """Return the options: who gets a trick of zeros, how many rounds, who starts."""
        return (
            Option("all_zero", "nobody", ("nobody", "leader")),
            Option("rounds", seats, (), 1, 12),
            starter_option(seats),
        )

    # -- The pain colour -------------------------------------------------------------------------

    def begin(self, state: State) -> None:
        """After the deal everyone lays a card face down: its colour is their pain colour."""
        self.ask_everyone(state)

    def legal_choices(self, state: State, seat: int, moves: Moves) -> None:
        """Any card of the hand."""
        self.legal_plays(state, seat, moves)
        for at in range(moves.size):
            moves.items[at] = move_of(PICK, moves.items[at])

    def choose(self, state: State, seat: int, move: int) -> None:
        """Lay the pain card face down."""
        state.choice[choice_slot(seat, 0)] = argument_of(move)
        self.settle(state, seat)

    def reveal(self, state: State) -> None:
        """All pain cards are turned up in front of their owners; they count at the end."""
        for seat in range(self.seats):
            state.remove(seat, choice_of(state, seat))
            state.collect(seat, choice_of(state, seat))

    def pain_colour(self, state: State, seat: int) -> int:
        """Return the seat's pain colour."""
        return colour_of(choice_of(state, seat))

    # -- Who wins the trick ----------------------------------------------------------------------

    def strength(self, state: State, play: int) -> int:
        """Other colours beat the led one, then the higher number wins; a zero never wins."""
        card = state.trick_card[play]
        if value_of(card) == 0:
            return 0
        if colour_of(card) == colour_of(state.trick_card[0]):
            return value_of(card)
        return 16 + value_of(card)  # a trump: above all numbers of the led colour

    def take_trick(self, state: State, play: int, winner: int) -> None:
        """The winner must take all cards; a trick of zeros goes to nobody, or to its leader."""
        if winner == NOBODY and not self.leader_takes_zeros:
            for at in range(self.seats):
                state.dismiss(state.trick_card[at])
            return
        taker = state.leader if winner == NOBODY else winner
        state.last_winner = taker
        Game.take_trick(self, state, play, taker)

    def next_leader(self, state: State, winner: int) -> int:
        """The winner leads; after a trick of zeros the same seat again."""
        return state.leader if winner == NOBODY else winner

    # -- Scoring ---------------------------------------------------------------------------------

    def score(self, state: State, seat: int) -> int:
        """Pain cards cost their number, the one laid out too; every other card gains 1."""
        pain_numbers = won_values(state, seat, self.pain_colour(state, seat))
        other_cards = won_count(state, seat) - Bits.count(pain_numbers)
        return other_cards - sum_of(pain_numbers)

    # -- The match -------------------------------------------------------------------------------

    def most_rounds(self) -> int:
        """As many rounds as seats, so that everyone starts once, unless agreed otherwise."""
        return self.rounds

    # -- At the table ----------------------------------------------------------------------------

    def judge_choice(self, state: State, seat: int, text: str) -> Move | Reason:
        """Judge the choice of a pain card: one card of the hand."""
        card = self.read_card(state, seat, text)
        if isinstance(card, Reason):
            return card
        return Move(card_text(card), (move_of(PICK, card),))

    def revealed(self, before: State, after: State) -> list[Event]:
        """Show everyone all pain cards."""
        cards = tuple([card_text(choice_of(after, seat)) for seat in range(self.seats)])
        return [ChoicesRevealed(cards)]

    def table(self, state: State) -> dict[str, object]:
        """Return the pain cards, once they are turned up."""
        if state.phase == CHOOSE:
            return {"pain": None, "pain_colours": None}
        pain = [card_text(choice_of(state, seat)) for seat in range(self.seats)]
        colours = [LETTERS[self.pain_colour(state, seat)] for seat in range(self.seats)]
        return {"pain": pain, "pain_colours": colours}

    def secrets(self, state: State, seat: int) -> dict[str, object]:
        """Return the seat's pain card while it is still face down."""
        if state.phase == CHOOSE and not has(state.owes, seat):
            card = card_text(choice_of(state, seat))
            return {"pain": card, "pain_colour": LETTERS[self.pain_colour(state, seat)]}
        return {}
