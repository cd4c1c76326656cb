"""The net while it learns: floating-point weights, and Adam, in NumPy."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stichwerk.engine.net import Net
from stichwerk.engine.net_format import FIRST_SCALE, LAST_SCALE, SECOND_SCALE
from stichwerk.training.gradients import Gradients

Floats = NDArray[np.float32]
Tables = list[NDArray[np.int16]]
SCALES = {  # of whole numbers, in the order of a file of weights
    "first": FIRST_SCALE,
    "second": SECOND_SCALE,
    "last": LAST_SCALE,
    "first_bias": FIRST_SCALE,
    "second_bias": SECOND_SCALE,
}
THREADS = 2  # parts of a step; the result depends on it, in the last digits
FADE, SQUARE_FADE, TINY = 0.9, 0.999, 1e-8  # of Adam
AVERAGED = 0.998  # the average of the weights fades by this much with each step


class Learner:
    """The weights of a net and their training."""

    def __init__(self, inputs: int, hidden: int, second: int, seed: int) -> None:
        self.sizes = (inputs, hidden, second)
        self.pool = ThreadPoolExecutor(THREADS)
        random = np.random.default_rng(seed)

        def table(rows: int, columns: int, on: float) -> Floats:
            return random.normal(0, np.sqrt(2 / on), (rows, columns)).astype(np.float32)

        self.weights = {
            "first": table(inputs, hidden, 400),
            "first_bias": np.zeros(hidden, np.float32),
            "second": table(second, hidden, hidden),
            "second_bias": np.zeros(second, np.float32),
            "last": table(second, 1, second)[:, 0],
            "last_bias": np.zeros(1, np.float32),
        }
        self.means = {name: np.zeros_like(one) for name, one in self.weights.items()}
        self.squares = {name: np.zeros_like(one) for name, one in self.weights.items()}
        self.average = {name: one.copy() for name, one in self.weights.items()}
        self.steps = 0

    # -- Learning ----------------------------------------------------------------------------------

    def learn(self, items: Any, starts: Any, counts: Any, returns: Floats, rate: float) -> float:
        """Take one step towards these returns; return the mean squared error before it.

        `items` are the inputs that were on; `starts` and `counts` say which belong to a decision.
        """
        gradients = {name: np.zeros_like(one) for name, one in self.weights.items()}
        halves = np.array_split(np.arange(len(counts)), THREADS)
        parts = [self.part(items, starts[half], counts[half], returns[half]) for half in halves]
        squares = 0.0
        for part, square in self.pool.map(lambda work: work(), parts):
            squares += square
            for name, gradient in part.items():
                gradients[name] += gradient
        for gradient in gradients.values():
            gradient /= len(counts)
        self.descend(gradients, rate)
        return squares / len(counts)

    def part(
        self, items: Any, starts: Any, counts: Any, targets: Floats
    ) -> Callable[[], tuple[dict[str, Floats], float]]:
        """Return the work of one thread: gradients of some decisions, and their squared errors."""
        weights = self.weights
        found = {name: np.zeros_like(one) for name, one in weights.items()}
        work = Gradients(self.sizes[1], self.sizes[2])
        turned = np.ascontiguousarray(weights["second"].T)
        names = ("first", "first_bias", "second", "second_bias", "last")
        flat = {name: weights[name].ravel() for name in names}
        work.weigh(
            *(flat["first"], flat["first_bias"], flat["second"], turned.ravel()),
            *(flat["second_bias"], flat["last"]),
        )
        work.collect(*(found[name].reshape(-1) for name in names))

        def run() -> tuple[dict[str, Floats], float]:
            bias = float(weights["last_bias"][0])
            errors, squares = work.add(items, starts, counts, targets, bias)
            found["last_bias"][0] = errors
            return found, squares

        return run

    def descend(self, gradients: dict[str, Floats], rate: float) -> None:
        """Change all weights by one step of Adam."""
        self.steps += 1
        rate *= np.sqrt(1 - SQUARE_FADE**self.steps) / (1 - FADE**self.steps)
        for name, gradient in gradients.items():
            mean, square = self.means[name], self.squares[name]
            mean *= FADE
            mean += (1 - FADE) * gradient
            square *= SQUARE_FADE
            square += (1 - SQUARE_FADE) * gradient * gradient
            self.weights[name] -= np.float32(rate) * mean / (np.sqrt(square) + TINY)
            share = np.float32(max(1 - AVERAGED, 1 / self.steps))
            self.average[name] += share * (self.weights[name] - self.average[name])

    # -- The net for play --------------------------------------------------------------------------

    def tables(self) -> Tables:
        """Return the weights in whole numbers: three tables and two rows of biases."""
        limit = 2**15 - 1
        return [
            np.clip(np.rint(self.average[name] * scale), -limit, limit).astype(np.int16).ravel()
            for name, scale in SCALES.items()
        ]

    def take(self, tables: Sequence[Sequence[int]]) -> None:
        """Begin with weights in whole numbers, as `tables` returns them."""
        for (name, scale), table in zip(SCALES.items(), tables, strict=True):
            fractions = np.array(table, np.float32) / np.float32(scale)
            self.weights[name] = fractions.reshape(self.weights[name].shape)
            self.average[name] = self.weights[name].copy()

    def net(self) -> Net:
        """Return the net that plays by these weights."""
        return as_net(self.sizes, self.tables())


def as_net(sizes: tuple[int, int, int], tables: Tables) -> Net:
    """Return a net from its tables."""
    lists = [table.tolist() for table in tables]
    return Net(*sizes, lists[:3], lists[3:])
