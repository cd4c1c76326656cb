# cython: boundscheck=False, wraparound=False
"""How a net has to change to come closer to what was seen, compiled.

Few inputs of a decision are on, so that only their rows are touched. That is twice as fast as the
product of matrices that are mostly zero.
"""

from typing import Any

from stichwerk.engine.machine import Lock
from stichwerk.engine.net_format import CEILING, UNIT

MOST = CEILING / UNIT  # where the output of a unit is cut off


class Gradients:
    """Adds up the gradients of many decisions. Belongs to one thread.

    All tables are flat arrays of 32-bit floats: `first` by input and unit, `second` by unit of the
    second layer and unit of the first, `turned` the same the other way round.
    """

    def __init__(self, hidden: int, second: int) -> None:
        self.hidden = hidden
        self.units = second

    def weigh(
        self, first: Any, first_bias: Any, second: Any, turned: Any, second_bias: Any, last: Any
    ) -> None:
        """Set the weights of the net."""
        self.first = first
        self.first_bias = first_bias
        self.second = second
        self.turned = turned
        self.second_bias = second_bias
        self.last = last

    def collect(
        self, first: Any, first_bias: Any, second: Any, second_bias: Any, last: Any
    ) -> None:
        """Set where the gradients are added up."""
        self.to_first = first
        self.to_first_bias = first_bias
        self.to_second = second
        self.to_second_bias = second_bias
        self.to_last = last

    def add(
        self, items: Any, starts: Any, counts: Any, targets: Any, last_bias: float
    ) -> tuple[float, float]:
        """Add the gradients of some decisions; return the sum of the errors and of their
        squares."""
        self.items = items
        self.starts = starts
        self.counts = counts
        self.targets = targets
        self.errors = 0.0
        self.squares = 0.0
        token = Lock.release()
        for at in range(self.targets.shape[0]):
            self.add_one(at, last_bias)
        Lock.take(token)
        return self.errors, self.squares

    def add_one(self, at: int, last_bias: float) -> None:
        """Add the gradient of one decision."""
        one = [0.0] * 128
        two = [0.0] * 64
        back_one = [0.0] * 128
        hidden = self.hidden
        start = self.starts[at]
        for unit in range(hidden):
            one[unit] = self.first_bias[unit]
        for place in range(start, start + self.counts[at]):
            row = self.items[place] * hidden
            for unit in range(hidden):
                one[unit] += self.first[row + unit]
        for unit in range(self.units):
            two[unit] = self.second_bias[unit]
        for unit in range(hidden):
            one[unit] = min(max(one[unit], 0.0), MOST)
            value = one[unit]
            row = unit * self.units
            for other in range(self.units):
                two[other] += value * self.turned[row + other]
        error = last_bias - self.targets[at]
        for unit in range(self.units):
            two[unit] = min(max(two[unit], 0.0), MOST)
            error += two[unit] * self.last[unit]
        self.errors += error
        self.squares += error * error
        for unit in range(self.units):
            self.to_last[unit] += error * two[unit]
            if 0.0 < two[unit] < MOST:
                value = error * self.last[unit]
                row = unit * hidden
                self.to_second_bias[unit] += value
                for other in range(hidden):
                    self.to_second[row + other] += value * one[other]
                    back_one[other] += value * self.second[row + other]
        for unit in range(hidden):
            if not 0.0 < one[unit] < MOST:
                back_one[unit] = 0.0
            self.to_first_bias[unit] += back_one[unit]
        for place in range(start, start + self.counts[at]):
            row = self.items[place] * hidden
            for unit in range(hidden):
                self.to_first[row + unit] += back_one[unit]
