"""Odd styles that people have, and that none of our bots expects.

They know no tactics of a game. A bot that is strong only against those it was tuned with shows it
against them.
"""

from collections.abc import Callable

from stichwerk.bots.advice import Advice, AdviceReason, Alternative
from stichwerk.bots.greedy import GreedyBot
from stichwerk.bots.levels import LevelBot
from stichwerk.bots.position import Position, generator_for
from stichwerk.cards import card_code
from stichwerk.engine.codes import card_of, colour_of, value_of
from stichwerk.engine.constants import PLAY
from stichwerk.engine.events import Move
from stichwerk.view import View

WHIMS = {"": 20}  # how many of a hundred moves are made on a whim

Taste = Callable[[Position, Move], tuple[int, ...]]
"""What is compared to choose a card: the smallest is played."""


class StyleBot:
    """Plays cards by one taste; everything else is chosen at random."""

    version = 1

    def __init__(self, seed: int, *, name: str, taste: Taste) -> None:
        self.name = name
        self.seed = seed
        self.taste = taste

    def choose(self, view: View) -> str:
        """Return a move that suits the taste, any of those that suit it equally."""
        position = Position(view)
        moves = position.moves()
        if position.known.phase == PLAY:
            best = min(self.taste(position, move) for move in moves)
            moves = [move for move in moves if self.taste(position, move) == best]
        return moves[generator_for(position, self.seed).number(len(moves))].text

    def advise(self, view: View) -> Advice:
        """Return the same move; its only reason is the style."""
        move = self.choose(view)
        return Advice(move, (Alternative(move),), AdviceReason("advice-style"))


def low(position: Position, move: Move) -> tuple[int, ...]:
    """Prefer low cards."""
    return (sum(value_of(card_of(step)) for step in move.steps),)


def high(position: Position, move: Move) -> tuple[int, ...]:
    """Prefer high cards."""
    return (-low(position, move)[0],)


def short(position: Position, move: Move) -> tuple[int, ...]:
    """Prefer colours of which few cards are left in the hand, and low cards of them."""
    colour = colour_of(card_of(move.steps[0]))
    left = sum(colour_of(card_code(card)) == colour for card in position.view.hand)
    return left, *low(position, move)


def highest(seed: int) -> StyleBot:
    """Return a bot that always plays its highest card."""
    return StyleBot(seed, name="highest", taste=high)


def lowest(seed: int) -> StyleBot:
    """Return a bot that always plays its lowest card."""
    return StyleBot(seed, name="lowest", taste=low)


def hoarder(seed: int) -> StyleBot:
    """Return a bot that saves high cards and long colours for later."""
    return StyleBot(seed, name="hoarder", taste=short)


def moody(seed: int) -> LevelBot:
    """Return a bot by the full tactics that makes one move in five on a whim."""
    return LevelBot(seed, name="moody", thinks=GreedyBot(seed, version=2), slips=WHIMS)
