"""A small neural net that values the moves of a position, in whole numbers.

Its inputs are on or off. Few are on at a time, so the first layer adds up the rows of those. The
inputs of the position are added once, those of each move on top of them. Whole numbers give the
same result on every machine, compiled or plain.

`inputs` is a list of the inputs that are on: their count, then their numbers.
"""

from collections.abc import Sequence

from stichwerk.engine.net_format import (
    CEILING,
    FIRST_SHIFT,
    HIDDEN,
    MOST_INPUTS,
    SCORE_SCALE,
    SECOND,
    SECOND_SHIFT,
    UNIT,
)

PLAIN = __file__.endswith(".py")  # compiled lists need no allocation


def zeros(count: int) -> list[int]:
    """Return a Python list of zeros."""
    return [0] * count


class Net:
    """Two layers of units that let only positive sums through, and one number as the result.

    `weights` are the tables of the three layers, `biases` those of the first two; all as
    sequences of whole numbers that fit into 16 bits.
    """

    def __init__(
        self,
        inputs: int,
        hidden: int,
        second: int,
        weights: Sequence[Sequence[int]],
        biases: Sequence[Sequence[int]],
    ) -> None:
        sizes = [inputs * hidden, hidden * second, second, hidden, second]
        if [len(one) for one in (*weights, *biases)] != sizes:
            raise ValueError(f"tables of a net with other sizes than {sizes}")
        if inputs > MOST_INPUTS or hidden > HIDDEN or second > SECOND:
            raise ValueError(f"a net with more than {MOST_INPUTS}, {HIDDEN} or {SECOND} units")
        self.inputs = inputs
        self.hidden = hidden
        self.second = second
        if PLAIN:
            self.first_weights = zeros(MOST_INPUTS * HIDDEN)
            self.second_weights = zeros(HIDDEN * SECOND)
            self.last_weights = zeros(SECOND)
            self.first_biases = zeros(HIDDEN)
            self.second_biases = zeros(SECOND)
        for at, weight in enumerate(weights[0]):
            self.first_weights[at] = weight
        for at, weight in enumerate(weights[1]):
            self.second_weights[at] = weight
        for at, weight in enumerate(weights[2]):
            self.last_weights[at] = weight
        for at, weight in enumerate(biases[0]):
            self.first_biases[at] = weight
        for at, weight in enumerate(biases[1]):
            self.second_biases[at] = weight

    def begin(self, inputs: list[int], sums: list[int]) -> None:
        """Add up what the inputs of a position contribute to the first layer."""
        for unit in range(self.hidden):
            sums[unit] = self.first_biases[unit]
        self.add(inputs, sums)

    def add(self, inputs: list[int], sums: list[int]) -> None:
        """Add the rows of these inputs."""
        for at in range(1, inputs[0] + 1):
            row = inputs[at] * self.hidden
            for unit in range(self.hidden):
                sums[unit] += self.first_weights[row + unit]

    def score(self, inputs: list[int], base: list[int]) -> int:
        """Return the value of a move with these inputs, on top of the sums of its position."""
        sums = [0] * 128
        outputs = [0] * 128
        for unit in range(self.hidden):
            sums[unit] = base[unit]
        self.add(inputs, sums)
        for unit in range(self.hidden):
            outputs[unit] = min(max(sums[unit] >> FIRST_SHIFT, 0), CEILING)
        result = 0
        for unit in range(self.second):
            row = unit * self.hidden
            total = 0
            for at in range(self.hidden):
                total += outputs[at] * self.second_weights[row + at]
            total = (total + UNIT * self.second_biases[unit]) >> SECOND_SHIFT
            result += min(max(total, 0), CEILING) * self.last_weights[unit]
        return result

    # -- For callers in Python ---------------------------------------------------------------------

    def value(self, position: Sequence[int], move: Sequence[int]) -> float:
        """Return what a move is worth, given the inputs of its position and its own."""
        inputs = [0] * 512
        sums = [0] * 128
        for at, number in enumerate(position):
            inputs[at + 1] = number
        inputs[0] = len(position)
        self.begin(inputs, sums)
        for at, number in enumerate(move):
            inputs[at + 1] = number
        inputs[0] = len(move)
        return self.score(inputs, sums) / SCORE_SCALE
