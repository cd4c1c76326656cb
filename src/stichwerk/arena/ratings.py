"""Ratings of a pool by Plackett and Luce's model (openskill): for display, not for decisions."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from statistics import fmean

import msgspec

from stichwerk.arena.deals import Outcome, Plan
from stichwerk.arena.tournament import Result


class Rating(msgspec.Struct, frozen=True):
    """How strong a bot seems, with its uncertainty; `cautious` is three of these below."""

    bot: str
    mu: float
    sigma: float

    @property
    def cautious(self) -> float:
        """The value that tables of such ratings are sorted by."""
        return self.mu - 3 * self.sigma


def rate(plan: Plan, results: Sequence[Result]) -> list[Rating] | None:
    """Return the bots from strongest to weakest, by all games played; None without openskill."""
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return None
    model = PlackettLuce()
    rated = [model.rating() for _ in plan.bots]
    for bots, ranks in games(plan, results):
        seats = [[model.create_rating([rated[bot].mu, rated[bot].sigma])] for bot in bots]
        after = [team[0] for team in model.rate(seats, ranks=list(ranks))]
        for bot in set(bots):  # a bot on several seats learns from all of them at once
            mine = [new for new, sitting in zip(after, bots, strict=True) if sitting == bot]
            means = [fmean(new.mu for new in mine), fmean(new.sigma for new in mine)]
            rated[bot] = model.create_rating(means)
    found = [Rating(bot, one.mu, one.sigma) for bot, one in zip(plan.bots, rated, strict=True)]
    return sorted(found, key=lambda rating: -rating.cautious)


def games(plan: Plan, results: Sequence[Result]) -> Iterator[tuple[list[int], tuple[float, ...]]]:
    """Yield who sat where and finished how, deal by deal over all pairs: later games weigh more."""
    for deal in zip_longest(*(result.outcomes for result in results)):
        for outcome in deal:
            if outcome is not None:
                yield from seatings(plan, outcome)


def seatings(plan: Plan, outcome: Outcome) -> Iterator[tuple[list[int], tuple[float, ...]]]:
    """Yield the games of one deal."""
    for mine, ranks in enumerate(outcome.ranks):
        sitting = [outcome.a if seat == mine else outcome.b for seat in range(plan.seats)]
        yield sitting, tuple(map(float, ranks))
