"""The smallest possible bot: any legal move, all equally likely."""

from typing import ClassVar

from stichwerk.bots.advice import Advice, AdviceReason, Alternative
from stichwerk.engine.generator import Generator
from stichwerk.games import registry
from stichwerk.view import View, knowledge


class RandomBot:
    """Plays at random: the baseline for every other bot."""

    name: ClassVar[str] = "random"
    version: ClassVar[int] = 1

    def __init__(self, seed: int) -> None:
        self.generator = Generator(seed)

    def choose(self, view: View) -> str:
        """Return one of the listed moves."""
        if not view.moves and view.seat is not None:
            rules = registry.build(view.game, view.seats, view.options, view.rules)
            raise rules.no_move(knowledge(view), view.seat)
        return view.moves[self.generator.number(len(view.moves))]

    def advise(self, view: View) -> Advice:
        """Return one of the listed moves, without a reason."""
        move = self.choose(view)
        return Advice(move, (Alternative(move),), AdviceReason("advice-random"))
