"""The sheet green 3."""

from collections.abc import Sequence

from stichwerk.games.stichtag.seat_facts import facts_of
from stichwerk.games.stichtag.sheet import Goal
from stichwerk.games.stichtag.texts import texts_of

HEARTS = 2


class Green3(Goal):
    """Hearts."""

    name = "green 3"
    origin = "own"
    rounds = 4
    open_end = True
    hurts_last = True
    own_hook = "hearts"
    title, symbol_name, short, long, notes = texts_of("green_3")
    facts = facts_of("green_3")

    def hearts(self, scores: Sequence[Sequence[int]], seat: int) -> int:
        """Two, minus one for each round in which the seat was among the last (unless all were
        tied)."""
        left = HEARTS
        for points in scores:
            if points[seat] == min(points) < max(points):
                left -= 1
        return left

    def over(self, scores: Sequence[Sequence[int]]) -> bool:
        """When someone has no heart left, at the latest after four rounds."""
        seats = range(len(scores[0]))
        return len(scores) >= self.rounds or 0 in [self.hearts(scores, seat) for seat in seats]

    def standing(self, scores: Sequence[Sequence[int]], seat: int) -> tuple[int, ...]:
        """Hearts first, then points."""
        return (self.hearts(scores, seat), sum([points[seat] for points in scores]))

    def match_facts(self, scores: Sequence[Sequence[int]]) -> dict[str, object]:
        """Return the hearts that are left, and those that are lost."""
        left = [self.hearts(scores, seat) for seat in range(self.seats)]
        return {"hearts": left, "lost_hearts": [HEARTS - hearts for hearts in left]}
