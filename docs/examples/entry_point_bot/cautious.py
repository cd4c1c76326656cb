"""A bot that another package adds: installed next to Stichwerk, it can be used by name."""

from typing import ClassVar

from stichwerk.engine.generator import Generator
from stichwerk.view import View


class CautiousBot:
    """plays a move that leaves its highest cards in hand, otherwise at random"""

    name: ClassVar[str] = "cautious"
    version: ClassVar[int] = 1

    def __init__(self, seed: int) -> None:
        self.generator = Generator(seed)

    def choose(self, view: View) -> str:
        """Return one of the listed moves; everything a seat may know is in the view."""
        if view.phase != "play":
            return view.moves[self.generator.number(len(view.moves))]
        return min(view.moves, key=lambda move: int(move[1:].partition(">")[0].partition("+")[0]))
