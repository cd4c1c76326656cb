"""Hot Number, a game that `tests/test_new_game.py` adds to a copy of the tree; for three to five.

Everyone has a number that burns: tricks cost little, cards of that number much.
"""

from collections.abc import Mapping

from stichwerk.cards import Deck, card_text
from stichwerk.engine.codes import (
    argument_of,
    choice_of,
    choice_slot,
    colour_of,
    has,
    move_of,
    only,
    value_of,
    won_values,
)
from stichwerk.engine.constants import ALL_COLOURS, CHOOSE, PICK
from stichwerk.engine.events import ChoicesRevealed, Event, Move
from stichwerk.engine.frame import Game
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.errors import Reason
from stichwerk.games.options import Option, Value, starter_option, whole_number


class HotNumber(Game):
    """Hot Number with its seats and options fixed."""

    name = "hot-number"
    seat_counts = (3, 4, 5)
    phases = ("over", "play", "heat")

    # -- Setup -------------------------------------------------------------------------------------

    def __init__(self, seats: int, options: Mapping[str, Value]) -> None:
        Game.__init__(self, seats, {3: 12, 4: 10, 5: 8}[seats], Deck("RYGB", 1, 10))
        self.burn = whole_number(options["burn"])

    @staticmethod
    def options(seats: int) -> tuple[Option, ...]:
        """Return the options: what a hot card costs, who starts."""
        return (Option("burn", 3, (3, 5)), starter_option(seats))

    # -- The hot number ----------------------------------------------------------------------------

    def begin(self, state: State) -> None:
        """After the deal everyone lays a card face down: its number is their hot number."""
        self.ask_everyone(state)

    def legal_choices(self, state: State, seat: int, moves: Moves) -> None:
        """Any card of the hand."""
        Game.legal_plays(self, state, seat, moves)
        for at in range(moves.size):
            moves.items[at] = move_of(PICK, moves.items[at])

    def choose(self, state: State, seat: int, move: int) -> None:
        """Lay the card face down."""
        state.choice[choice_slot(seat, 0)] = argument_of(move)
        self.settle(state, seat)

    def reveal(self, state: State) -> None:
        """All these cards are turned up and are out of play."""
        for seat in range(self.seats):
            state.remove(seat, choice_of(state, seat))
            state.dismiss(choice_of(state, seat))

    def hot_number(self, state: State, seat: int) -> int:
        """Return the seat's hot number."""
        return value_of(choice_of(state, seat))

    # -- The trick ---------------------------------------------------------------------------------

    def may_play(self, state: State, seat: int) -> int:
        """Follow if you can."""
        if state.phase == CHOOSE or state.trick_size[0] == 0:
            return ALL_COLOURS
        return only(state.led(0)) if state.colour(seat, state.led(0)) else ALL_COLOURS

    def play_card(self, state: State, seat: int, card: int) -> None:
        """A seat that does not follow shows that it cannot."""
        if state.trick_size[0] and colour_of(card) != state.led(0):
            state.voids[seat] |= only(state.led(0))
        Game.play_card(self, state, seat, card)

    def strength(self, state: State, play: int) -> int:
        """The highest card of the led colour wins."""
        card = state.trick_card[play]
        return value_of(card) if colour_of(card) == state.led(0) else 0

    # -- Scoring -----------------------------------------------------------------------------------

    def hot_cards(self, state: State, seat: int) -> int:
        """Return how many cards of its hot number the seat has won."""
        count = 0
        for colour in range(4):
            if has(won_values(state, seat, colour), self.hot_number(state, seat)):
                count += 1
        return count

    def score(self, state: State, seat: int) -> int:
        """Each trick costs 1, each card of the hot number in it more."""
        return 0 - state.tricks_won[seat] - self.burn * self.hot_cards(state, seat)

    # -- At the table ------------------------------------------------------------------------------

    def judge_choice(self, state: State, seat: int, text: str) -> Move | Reason:
        """Judge the choice: one card of the hand."""
        card = self.read_card(state, seat, text)
        if isinstance(card, Reason):
            return card
        return Move(card_text(card), (move_of(PICK, card),))

    def revealed(self, before: State, after: State) -> list[Event]:
        """Show everyone all cards."""
        return [ChoicesRevealed(tuple(self.hot(after)))]

    def hot(self, state: State) -> list[str]:
        """Return the card that each seat has laid out."""
        return [card_text(choice_of(state, seat)) for seat in range(self.seats)]

    def table(self, state: State) -> dict[str, object]:
        """Return the cards laid out, once they are turned up."""
        return {"hot": None if state.phase == CHOOSE else self.hot(state)}

    def secrets(self, state: State, seat: int) -> dict[str, object]:
        """Return the seat's card while it is still face down."""
        if state.phase == CHOOSE and not has(state.owes, seat):
            return {"hot": card_text(choice_of(state, seat))}
        return {}
