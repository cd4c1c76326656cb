"""The sheet green 2."""

from collections.abc import Sequence

from stichwerk.engine.area import Area
from stichwerk.engine.state import State
from stichwerk.games.stichtag.sheet import Goal
from stichwerk.games.stichtag.texts import texts_of

TWELVE = 12
TEN = 10  # with five seats


class Green2(Goal):
    """Exactly 12, with five seats exactly 10."""

    name = "green 2"
    origin = "partly"
    rounds = 4
    open_end = True
    tally = "tally-above-target"
    title, symbol_name, short, long, notes = texts_of("green_2")

    def reserve(self, area: Area) -> None:
        """Reserve nothing; the target depends on the number of seats."""
        self.target = TEN if self.seats == 5 else TWELVE

    def exact_total(self) -> int:
        """The target."""
        return self.target

    def score(self, state: State, seat: int) -> int:
        """A round that would carry the total above the target is subtracted instead."""
        points = state.points[seat]
        return -points if state.totals[seat] + points > self.target else points

    def over(self, scores: Sequence[Sequence[int]]) -> bool:
        """At once when someone has exactly the target, at the latest after four rounds."""
        totals = [sum(column) for column in zip(*scores, strict=True)]
        return self.target in totals or len(scores) >= self.rounds

    def standing(self, scores: Sequence[Sequence[int]], seat: int) -> tuple[int, ...]:
        """The target wins, then the higher total, then what the last round added, then the one
        before."""
        added = [points[seat] for points in scores]
        return (int(sum(added) == self.target), sum(added), *reversed(added))


class Green2V1(Green2):
    """In version 1 of the rules the target is always 12, and equal totals share a place."""

    title, symbol_name, short, long, notes = texts_of("green_2", version=1)

    def reserve(self, area: Area) -> None:
        """Reserve nothing; the target is the same for any number of seats."""
        self.target = TWELVE

    def standing(self, scores: Sequence[Sequence[int]], seat: int) -> tuple[int, ...]:
        """Exactly 12 wins, then the higher total."""
        return Green2.standing(self, scores, seat)[:2]
