"""How certain a mean is, and when enough has been played.

The unit is the deal. Its seatings share their cards and are not independent evidence, so they are
combined before anything is counted here.
"""

import math
import re

import msgspec

from stichwerk.arena.deals import ArenaError

SURE = 0.975  # either side of a 95 % interval leaves out 2.5 %
NORMAL = 1.959963984540054  # the normal distribution's value for it
BOUND = math.log(0.95 / 0.05)  # 2.94: either error in one of twenty runs
FEWEST = 20  # deals before the test may stop, or equal results count as no spread
LEAST_VARIANCE = 1e-9  # two bots that play alike have a gap of 0 in every deal


class RunningMean:
    """Mean and variance of what was added so far, by Welford's method."""

    def __init__(self) -> None:
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0

    def add(self, value: float) -> None:
        """Add one value."""
        self.count += 1
        before = value - self.mean
        self.mean += before / self.count
        self._squares += before * (value - self.mean)

    @property
    def variance(self) -> float:
        """The sample variance; 0 for fewer than two values."""
        return self._squares / (self.count - 1) if self.count > 1 else 0.0

    @property
    def margin(self) -> float | None:
        """Half of the 95 % interval, by Student's t; None while the spread is unknown: for fewer
        than two values, or a few that happen to be equal."""
        if self.count < 2 or (self.count < FEWEST and self.variance < LEAST_VARIANCE):
            return None
        return student(self.count - 1) * math.sqrt(self.variance / self.count)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean; None while it is unknown."""
        margin = self.margin
        return None if margin is None else (self.mean - margin, self.mean + margin)


def student(freedom: int) -> float:
    """Return Student's t for a 95 % interval: exact for 1 and 2, then by Cornish-Fisher."""
    if freedom == 1:
        return math.tan(math.pi * (SURE - 0.5))
    if freedom == 2:
        return (2 * SURE - 1) / math.sqrt(2 * SURE * (1 - SURE))
    z, n = NORMAL, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )


class SequentialTest(msgspec.Struct, frozen=True):
    """Is the gap `low` (H0) or `high` (H1)? Stops as soon as one is clearly more likely."""

    low: float
    high: float

    def ratio(self, gaps: RunningMean) -> float:
        """Return the log-likelihood ratio of H1 to H0, for normal gaps with the sample variance."""
        middle = (self.low + self.high) / 2
        variance = max(gaps.variance, LEAST_VARIANCE)
        return gaps.count * (self.high - self.low) * (gaps.mean - middle) / variance

    def decision(self, gaps: RunningMean) -> str:
        """Return `h0`, `h1`, or `open` while both are possible."""
        if gaps.count < FEWEST or abs(self.ratio(gaps)) < BOUND:
            return "open"
        return "h1" if self.ratio(gaps) > 0 else "h0"


def read_test(text: str) -> SequentialTest:
    """Parse `LOW,HIGH` as a test."""
    number = r"\s*([+-]?(?:\d{1,9}\.?\d{0,9}|\.\d{1,9}))\s*"
    found = re.fullmatch(f"{number},{number}", text, re.ASCII)
    if not found or float(found[1]) >= float(found[2]):
        raise ArenaError("arena-bad-test", value=text)
    return SequentialTest(float(found[1]), float(found[2]))
