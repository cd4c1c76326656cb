"""The smallest possible bot: any legal move, all equally likely."""

from typing import ClassVar

from stichwerk.bots.advice import Advice, Alternative, Grounds
from stichwerk.engine.generator import Generator
from stichwerk.view import View


class RandomBot:
    """Plays at random: the floor that every other bot is measured from."""

    name: ClassVar[str] = "random"
    version: ClassVar[int] = 1

    def __init__(self, seed: int) -> None:
        self.generator = Generator(seed)

    def choose(self, view: View) -> str:
        """One of the listed moves."""
        return view.moves[self.generator.number(len(view.moves))]

    def advise(self, view: View) -> Advice:
        """One of the listed moves, and that there is no reason for it."""
        move = self.choose(view)
        return Advice(move, (Alternative(move),), Grounds("advice-random"))
