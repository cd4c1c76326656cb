"""The bot that follows the tactics of its game and looks no further than the trick."""

from typing import ClassVar

from stichwerk.bots.advice import Advice, Alternative
from stichwerk.bots.position import Position, generator_for
from stichwerk.bots.reasons import reason_for
from stichwerk.view import View


class GreedyBot:
    """Plays by tactics alone, in well under a millisecond."""

    name: ClassVar[str] = "greedy"

    def __init__(self, seed: int, *, version: int = 2) -> None:
        self.seed = seed
        self.version = version
        self.style = "small" if version == 1 else "full"

    def choose(self, view: View) -> str:
        """Return the move of the tactics."""
        position = Position(view, self.style)
        return position.tactical_move(generator_for(position, self.seed)).text

    def advise(self, view: View) -> Advice:
        """Return the move with its reason; tactics do not compare values."""
        position = Position(view, self.style)
        move = position.tactical_move(generator_for(position, self.seed))
        return Advice(move.text, (Alternative(move.text),), reason_for(position, move))
