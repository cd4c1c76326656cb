"""Bots: a view in, a move out. They never touch the truth."""

from collections.abc import Callable
from typing import Protocol

from stichwerk.bots.random import RandomBot
from stichwerk.errors import BadSeed, UnknownBot, shown
from stichwerk.view import View


class Bot(Protocol):
    """Anything that picks one of the moves its view lists."""

    @property
    def name(self) -> str:
        """What it is called in lists and tables."""

    def choose(self, view: View) -> str:
        """A move for the seat of this view, which owes one."""


BOTS: dict[str, Callable[[int], Bot]] = {"random": RandomBot}


def build(name: str, seed: int = 0) -> Bot:
    """A bot by its name; the same seed and the same views give the same moves."""
    if not isinstance(name, str) or name not in BOTS:
        raise UnknownBot("unknown-bot", bot=shown(name), known=", ".join(BOTS))
    if type(seed) is not int:
        raise BadSeed("bad-bot-seed", seed=shown(seed))
    return BOTS[name](seed)
