"""Bots: a view in, a move out. They never touch the truth."""

from collections.abc import Callable
from typing import Protocol

from stichwerk.bots.random import RandomBot
from stichwerk.errors import UnknownBot
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
    if name not in BOTS:
        raise UnknownBot("unknown-bot", bot=str(name)[:40], known=", ".join(BOTS))
    return BOTS[name](seed)
