"""Habits that people have, for any game: nets train against them, so that they know them.

The bots `highest`, `lowest` and `hoarder` have the same habits.
"""

from stichwerk.engine.codes import card_of, colour_of, value_of
from stichwerk.engine.constants import PLAY
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Tactics


class HabitTactics(Tactics):
    """Plays low cards first (`value` 1) or high ones (-1), those of short colours before others if
    `colour` is above 15; chooses at random what is no card to play."""

    def __init__(self, game: Game, value: int, colour: int = 0) -> None:
        Tactics.__init__(self, game)
        self.value_weight = value
        self.colour_weight = colour

    def move(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """Return a move that suits the habit, any of those that suit it equally."""
        self.game.legal(state, seat, moves)
        if state.phase != PLAY:
            return moves.items[generator.below(moves.size)]
        found = 0
        best = 0
        equal = 0
        for at in range(moves.size):
            card = card_of(moves.items[at])
            held = Bits.count(state.colour(seat, colour_of(card)))
            cost = self.value_weight * value_of(card) + self.colour_weight * held
            if equal == 0 or cost < best:
                best = cost
                equal = 0
            if cost == best:
                equal += 1
                if generator.below(equal) == 0:
                    found = at
        return moves.items[found]
