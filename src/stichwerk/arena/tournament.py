"""A tournament: every pair plays its deals until all are played or the test has decided.

Outcomes arrive as they finish and are counted in the order of their deals: one core, two or a
cluster stop at the same deal with the same figures.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from statistics import fmean

import msgspec

from stichwerk.arena.deals import Outcome, Plan, Task
from stichwerk.arena.journal import Journal
from stichwerk.arena.runner import Play
from stichwerk.arena.statistics import RunningMean, SequentialTest
from stichwerk.bots.faults import FaultBook


class Result:
    """What a pair has played so far and its figures."""

    def __init__(self, plan: Plan, a: int, b: int, test: SequentialTest | None = None) -> None:
        self.plan = plan
        self.a, self.b = a, b
        self.test = test
        self.outcomes: list[Outcome] = []
        self.gaps = RunningMean()
        self.win_shares = RunningMean()
        self.round_shares = RunningMean()  # where a deal is a match
        self.moves = 0
        self.seconds = 0.0
        self.faults = FaultBook()

    def add(self, outcome: Outcome) -> None:
        """Count one more deal."""
        self.outcomes.append(outcome)
        self.gaps.add(outcome.gap)
        self.win_shares.add(outcome.win_share)
        if outcome.rounds_won:
            self.round_shares.add(fmean(outcome.rounds_won))
        self.moves += outcome.moves
        self.seconds += outcome.seconds
        for fault in outcome.faults:
            self.faults.note(fault.first, fault.count)

    @property
    def names(self) -> tuple[str, str]:
        """A and B."""
        return self.plan.bots[self.a], self.plan.bots[self.b]

    @property
    def win_share_interval(self) -> tuple[float, float]:
        """The 95 % interval of the win share, clipped to 0 to 1."""
        return share_interval(self.win_shares)

    @property
    def round_share_interval(self) -> tuple[float, float]:
        """The 95 % interval of the share of rounds, clipped to 0 to 1."""
        return share_interval(self.round_shares)

    @property
    def seconds_per_move(self) -> float:
        """The mean time A needs for a move."""
        return self.seconds / self.moves if self.moves else 0.0

    @property
    def decision(self) -> str:
        """The decision of the sequential test; `open` if there is none."""
        return self.test.decision(self.gaps) if self.test else "open"


def share_interval(shares: RunningMean) -> tuple[float, float]:
    """Return the 95 % interval of a share, clipped to 0 to 1."""
    low, high = shares.interval or (0.0, 1.0)
    return max(low, 0.0), min(high, 1.0)


class Tournament(msgspec.Struct, frozen=True, kw_only=True):
    """How a plan is carried out."""

    plan: Plan
    deals: int
    test: SequentialTest | None = None
    journal: Journal | None = None

    def results(self, play: Play, watch: Callable[[Result], object]) -> list[Result]:
        """Play all pairs; call `watch` after each deal."""
        return [self.result(a, b, play, watch) for a, b in self.plan.pairs]

    def result(self, a: int, b: int, play: Play, watch: Callable[[Result], object]) -> Result:
        """Play the deals of a pair, as many as needed."""
        result = Result(self.plan, a, b, self.test)
        with closing(self._arriving(a, b, play)) as arriving:
            for outcome in in_order(self._known(a, b), arriving, self.deals):
                result.add(outcome)
                watch(result)
                if result.decision != "open":
                    break
        return result

    def _known(self, a: int, b: int) -> dict[int, Outcome]:
        """Return what an earlier run has played already."""
        kept = self.journal.known if self.journal else {}
        return {task.deal: found for task, found in kept.items() if (task.a, task.b) == (a, b)}

    def _arriving(self, a: int, b: int, play: Play) -> Generator[Outcome, None, None]:
        """Yield the other deals as they finish; each is stored as soon as it arrives."""
        known = self._known(a, b)
        missing = (Task(a, b, deal) for deal in range(self.deals) if deal not in known)
        with closing(play(missing)) as playing:
            for outcome in playing:
                if self.journal:
                    self.journal.append(outcome)
                yield outcome


def in_order(
    known: Mapping[int, Outcome], arriving: Iterator[Outcome], deals: int
) -> Iterator[Outcome]:
    """Yield outcomes by number of deal, each as soon as all before it have arrived."""
    waiting = dict(known)
    for deal in range(deals):
        while deal not in waiting:
            outcome = next(arriving)
            waiting[outcome.deal] = outcome
        yield waiting.pop(deal)
