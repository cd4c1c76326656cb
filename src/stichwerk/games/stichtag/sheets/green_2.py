"""The sheet green 2."""

from collections.abc import Sequence

from stichwerk.engine.state import State
from stichwerk.games.stichtag.sheet import Goal
from stichwerk.games.stichtag.texts import texts_of

TWELVE = 12


class Green2(Goal):
    """Exactly 12."""

    name = "green 2"
    origin = "partly"
    rounds = 4
    open_end = True
    exact_total = TWELVE
    tally = "tally-above-twelve"
    title, symbol_name, short, long, notes = texts_of("green_2")

    def score(self, state: State, seat: int) -> int:
        """A round that would carry the total above 12 is subtracted instead."""
        points = state.points[seat]
        return -points if state.totals[seat] + points > TWELVE else points

    def over(self, scores: Sequence[Sequence[int]]) -> bool:
        """At once when someone has exactly 12, at the latest after four rounds."""
        totals = [sum(column) for column in zip(*scores, strict=True)]
        return TWELVE in totals or len(scores) >= self.rounds

    def standing(self, scores: Sequence[Sequence[int]], seat: int) -> tuple[int, ...]:
        """Exactly 12 wins; otherwise the highest total."""
        total = sum([points[seat] for points in scores])
        return (int(total == TWELVE), total)
