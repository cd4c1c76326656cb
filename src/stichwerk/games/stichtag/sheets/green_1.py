"""The sheet green 1."""

from collections.abc import Sequence

from stichwerk.games.stichtag.sheet import Goal
from stichwerk.games.stichtag.texts import texts_of


class Green1(Goal):
    """Three rounds, fewest points."""

    name = "green 1"
    origin = "documented"
    fewest_win = True
    title, symbol_name, short, long, notes = texts_of("green_1")

    def standing(self, scores: Sequence[Sequence[int]], seat: int) -> tuple[int, ...]:
        """Fewest points are best."""
        return (-sum([points[seat] for points in scores]),)
