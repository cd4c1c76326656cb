"""Hearts for bots: get rid of what is dangerous, duck, and lead low."""

from stichwerk.cards import card_code
from stichwerk.engine.constants import CHOOSE
from stichwerk.engine.plain import (
    Game,
    Generator,
    Moves,
    State,
    Tactics,
    card_of,
    colour_of,
    value_of,
)

QUEEN = card_code("B12")
BLUE = colour_of(QUEEN)
RED = colour_of(card_code("R12"))


class HeartsTactics(Tactics):
    """The first rules that everyone learns."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.victory = 5.0

    def move(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """Return the listed move rated highest, the first of equals."""
        self.game.legal(state, seat, moves)
        return max(moves.listed(), key=lambda move: self.liking(state, seat, card_of(move)))

    def liking(self, state: State, seat: int, card: int) -> int:
        """Return how good it is to choose a card now."""
        if state.phase == CHOOSE or not self.follows(state, card):
            return self.danger(state, seat, card)
        value = value_of(card)
        if not state.trick_size[0]:
            return -value - (20 if card == QUEEN else 0)
        if value < self.highest(state):
            return 100 + value + (100 if card == QUEEN else 0)
        is_last = state.trick_size[0] == self.game.seats - 1
        is_clean = not any(map(costs, state.trick_card[: state.trick_size[0]]))
        if is_last and is_clean and card != QUEEN:
            return value  # the trick is ours anyway: use the card that is hardest to lose
        return -value - (20 if card == QUEEN else 0)

    def follows(self, state: State, card: int) -> bool:
        """Return whether this is a lead, or a card of the led colour."""
        return not state.trick_size[0] or colour_of(card) == state.led(0)

    def highest(self, state: State) -> int:
        """Return the highest value of the led colour in the trick."""
        led = state.led(0)
        cards = state.trick_card[: state.trick_size[0]]
        return max(value_of(card) for card in cards if colour_of(card) == led)

    def danger(self, state: State, seat: int, card: int) -> int:
        """Return how good it is to lose a card: the queen, blue cards above it, high red ones."""
        if card == QUEEN:
            return 100
        value = value_of(card)
        if colour_of(card) == BLUE and value > value_of(QUEEN):
            return 50 + value
        return value + (20 if colour_of(card) == RED else 0)


def costs(card: int) -> bool:
    """Return whether a card costs its taker something."""
    return colour_of(card) == RED or card == QUEEN
