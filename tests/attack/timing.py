"""Does the time a bot takes betray a forced move? `python -m tests.attack.timing [--short]`

Expert tables keep one worker busy, so that moves take longer than a pause. For every card but
the last, which everyone knows to be forced: how many pauses it took, with one legal move and with
more.
"""

import argparse
import asyncio
import math
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from tests.attack.bot_tables import BotTable, Decision, playing, quantile, served
from tests.attack.verdict import verdict

TABLES, WATCHED = 24, 8
WINDOW = 6.0  # seconds in which the load is much the same
MOST_Z = 4.0  # by chance once in 16,000 runs
FORCING = "stichtag"  # the game with forced cards


class Sample(msgspec.Struct, frozen=True):
    """One kind of moves: how many, how many within one pause, and how many pauses they took."""

    count: int
    one_pause: float
    p50: float
    p90: float


class Report(msgspec.Struct, frozen=True):
    """Forced and free moves, and how far they differ."""

    forced: Sample
    free: Sample
    z: float
    """Z of the rank-sum test within time windows: between -2 and 2 they are indistinguishable."""

    def lines(self) -> list[str]:
        """Return a small table."""
        rows = [
            f"{name:<7} {one.count:4} moves  {100 * one.one_pause:3.0f} % within one pause  "
            f"p50 {one.p50:4.1f}  p90 {one.p90:4.1f} pauses"
            for name, one in (("forced", self.forced), ("free", self.free))
        ]
        return [*rows, f"rank-sum test: z = {self.z:.2f}"]

    def broken(self, short: bool) -> list[str]:
        """Return the broken promises; a short run has too few forced moves."""
        if short or abs(self.z) <= MOST_Z:
            return []
        return [f"delays tell forced moves from free ones (z = {self.z:.1f})"]


def run(short: bool) -> Report:
    """Measure for 45 seconds, or 10."""
    return asyncio.run(measured(10 if short else 45))


async def measured(seconds: float) -> Report:
    """Measure everything."""
    with tempfile.TemporaryDirectory() as folder:
        async with served(Path(folder), workers=1) as here:
            addresses = [f"127.0.0.{n + 2}" for n in range(TABLES)]
            watched = [await BotTable.made(here, one, FORCING) for one in addresses[:WATCHED]]
            others = [await BotTable.made(here, one) for one in addresses[WATCHED:]]
            async with playing([*watched, *others]):
                await asyncio.sleep(seconds)
            decisions = [one for table in watched for one in table.decisions]
    return report(decisions)


def report(decisions: Sequence[Decision]) -> Report:
    """Compare both kinds."""
    forced = [one for one in decisions if one.forced]
    free = [one for one in decisions if not one.forced]
    return Report(sample(forced), sample(free), stratified(decisions))


def pauses(decisions: Iterable[Decision]) -> list[int]:
    """Return how many whole pauses each took."""
    return [round(one.pauses) for one in decisions]


def sample(decisions: Sequence[Decision]) -> Sample:
    """Return the line about one kind."""
    took = pauses(decisions)
    quick = sum(value <= 1 for value in took) / len(took) if took else math.nan
    return Sample(len(took), quick, quantile(took, 0.5), quantile(took, 0.9))


def stratified(decisions: Sequence[Decision]) -> float:
    """Return the rank-sum test in windows of time, as the load changes (van Elteren): how many
    standard deviations forced moves took longer than chance would have it."""
    windows: dict[int, list[Decision]] = {}
    for one in decisions:
        windows.setdefault(int(one.moment // WINDOW), []).append(one)
    excess = variance = 0.0
    for window in windows.values():
        forced = pauses(one for one in window if one.forced)
        free = pauses(one for one in window if not one.forced)
        more, spread = rank_sum(forced, free)
        weight = 1 / (len(window) + 1)
        excess += weight * more
        variance += weight**2 * spread
    return excess / math.sqrt(variance) if variance else math.nan


def rank_sum(one: Sequence[int], other: Sequence[int]) -> tuple[float, float]:
    """Return the excess of the first's ranks over chance, and its variance."""
    n, m, values = len(one), len(other), [*one, *other]
    if not n or not m:
        return 0.0, 0.0
    counts = Counter(values)
    ranks = {
        value: sum(counts[v] for v in counts if v < value) + (count + 1) / 2
        for value, count in counts.items()
    }
    total = n + m
    ties = sum(count**3 - count for count in counts.values()) / (total * (total - 1))
    excess = sum(ranks[value] for value in one) - n * (total + 1) / 2
    return excess, n * m / 12 * (total + 1 - ties)


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true")
    short = parser.parse_args().short
    found = run(short)
    print(*found.lines(), sep="\n")
    return verdict(found.broken(short))


if __name__ == "__main__":
    sys.exit(main())
