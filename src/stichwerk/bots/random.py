"""The smallest possible bot: any legal move, all equally likely."""

from typing import ClassVar

from stichwerk.engine.generator import Generator
from stichwerk.view import View


class RandomBot:
    """Plays at random: the floor that every other bot is measured from."""

    name: ClassVar[str] = "random"

    def __init__(self, seed: int) -> None:
        self.generator = Generator(seed)

    def choose(self, view: View) -> str:
        """One of the listed moves."""
        return view.moves[self.generator.number(len(view.moves))]
