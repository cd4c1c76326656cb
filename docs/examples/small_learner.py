"""The learner of the training examples: a policy that is linear in what is seen. NumPy only.

Each action has a row of weights; the scalar product with what is seen says how much it is liked.
When a round is over, the actions taken become more or less likely, as the round was better or worse
than usual (policy gradient, REINFORCE). That is little, and enough to leave `random` behind.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Row = NDArray[np.float32]
Mask = NDArray[np.integer]
Decision = tuple[Row, Mask, int]
"""What was seen, what was open, what was done."""


class SmallLearner:
    """Learns which actions pay; without any learning it plays at random."""

    def __init__(self, actions: int, width: int, seed: int = 0, rate: float = 0.1) -> None:
        self.weights = np.zeros((actions, width), np.float32)
        self.rate = rate
        self.usual = 0.0
        self.spread = 10.0
        self.random = np.random.default_rng(seed)

    def policy(self, seen: Row, mask: Mask) -> tuple[NDArray[np.int64], Row]:
        """The open actions, and how likely each is taken."""
        legal = np.flatnonzero(mask)
        liking = self.weights[legal] @ seen
        chances = np.exp(liking - liking.max())
        return legal, chances / chances.sum()

    def explore(self, seen: Row, mask: Mask) -> int:
        """An action drawn by the policy: for training."""
        legal, chances = self.policy(seen, mask)
        return int(legal[np.searchsorted(chances.cumsum(), self.random.random() * 0.999999)])

    def best(self, seen: Row, mask: Mask) -> int:
        """The most likely action; if there are several, any of them."""
        legal, chances = self.policy(seen, mask)
        return int(self.random.choice(legal[chances >= chances.max()]))

    def learn(self, decisions: list[Decision], outcome: float) -> None:
        """What these decisions of one seat have led to."""
        surprise = outcome - self.usual
        self.usual += 0.01 * surprise
        self.spread += 0.01 * (abs(surprise) - self.spread)
        for seen, mask, action in decisions:
            legal, chances = self.policy(seen, mask)
            push = (legal == action) - chances
            scale = self.rate * surprise / self.spread / (seen @ seen)
            self.weights[legal] += np.outer(scale * push, seen)


def before_and_after(
    rounds: int, train: Callable[[int], None], compare: Callable[[], tuple[float, float]]
) -> tuple[float, float]:
    """By how many points a round the learner is ahead of `random`, untrained and trained."""
    leads = []
    for stage in (0, rounds):
        train(stage)
        own, others = compare()
        leads.append(own - others)
        print(f"after {stage} rounds: learner {own:.2f}, random {others:.2f} points a round")
    return leads[0], leads[1]
