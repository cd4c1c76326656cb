"""Learns Sticheln by playing it: a linear policy in plain NumPy, thousands of rounds at once.

One seat learns, the others play at random. A policy is one matrix: an observation times it is a
score for each action, and what the mask closes is never chosen. After each batch of rounds the
actions of rounds that went better than most become likelier, those of the others less likely
(REINFORCE with the mean as baseline, steps by Adam).

    python docs/examples/train_batch.py              # a quarter of a minute
    python docs/examples/train_batch.py --game null-nichtig --updates 100
"""

import argparse
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: more threads only wait

import numpy as np
from numpy.typing import NDArray

from stichwerk.envs import Batch, Spec

Rows = NDArray[np.float32]
LEARNER = 0  # its seat; who starts is drawn for every round


class Policy:
    """Scores for actions, linear in what a seat sees."""

    def __init__(self, spec: Spec) -> None:
        self.weights = np.zeros((spec.width, spec.actions), np.float32)
        self.mean = np.zeros_like(self.weights)
        self.square = np.zeros_like(self.weights)
        self.updates = 0

    def chances(self, seen: Rows, masks: NDArray[np.uint8]) -> Rows:
        """For each row the probability of every action."""
        scores = np.where(masks, seen @ self.weights, np.float32(-1e9))
        likely = np.exp(scores - scores.max(axis=1, keepdims=True))
        return likely / likely.sum(axis=1, keepdims=True)

    def choose(self, likely: Rows, rng: np.random.Generator) -> NDArray[np.intp]:
        """An action for each row, drawn by its probability."""
        sums = likely.cumsum(axis=1)
        drawn = (1 - rng.random((len(likely), 1), np.float32)) * sums[:, -1:]
        return np.asarray((sums >= drawn).argmax(axis=1))

    def learn(self, gradient: Rows, rate: float = 0.02) -> None:
        """One step of Adam uphill."""
        self.updates += 1
        self.mean += 0.1 * (gradient - self.mean)
        self.square += 0.001 * (gradient**2 - self.square)
        steady = np.sqrt(self.square / (1 - 0.999**self.updates)) + 1e-8
        self.weights += rate * self.mean / (1 - 0.9**self.updates) / steady


def play(
    batch: Batch, policy: Policy | None, rng: np.random.Generator
) -> tuple[NDArray[np.float32], Rows]:
    """One round at every table: the points of all seats, and how to make what was done likelier.

    Each decision counts by how much better than the mean its round went.
    """
    seen, likely, chosen, where = [], [], [], []
    batch.reset()
    points = np.zeros_like(batch.rewards)
    while not batch.done.all():
        actions = batch.random_actions()
        rows = np.flatnonzero(batch.seats == LEARNER)
        if policy and len(rows):
            seen.append(batch.observations[rows])
            likely.append(policy.chances(seen[-1], batch.masks[rows]))
            actions[rows] = policy.choose(likely[-1], rng)
            chosen.append(actions[rows])
            where.append(rows)
        batch.step(actions)
        points += batch.rewards
    if policy is None:
        return points, np.zeros(0, np.float32)
    gain = lead(points)
    gain = (gain - gain.mean()) / (gain.std() + 1e-6)
    rounds = np.concatenate(where)
    direction = -np.concatenate(likely)
    direction[np.arange(len(rounds)), np.concatenate(chosen)] += 1
    direction *= gain[rounds][:, None].astype(np.float32)
    return points, np.concatenate(seen).T @ direction / np.float32(len(gain))


def lead(points: NDArray[np.float32]) -> NDArray[np.float32]:
    """The learner's points above the mean of the others."""
    others = np.delete(points, LEARNER, axis=1)
    return np.asarray(points[:, LEARNER] - others.mean(axis=1))


def train(spec: Spec, updates: int, tables: int, seed: int, report_every: int = 0) -> Policy:
    """Learn from so many batches of rounds."""
    policy, rng = Policy(spec), np.random.default_rng(seed)
    batch = Batch(spec, tables, seed=seed, auto_reset=False)
    for number in range(1, updates + 1):
        points, gradient = play(batch, policy, rng)
        policy.learn(gradient)
        if report_every and number % report_every == 0:
            print(f"  {number:4} batches: {lead(points).mean():+.1f} points ahead of the others")
    return policy


def measure(spec: Spec, policy: Policy | None, rounds: int, seed: int) -> dict[str, float]:
    """Against three random seats in fresh rounds: the lead in points with its 95 % interval, and
    the share of rounds that nobody beat."""
    rng, batch = np.random.default_rng(seed), Batch(spec, rounds, seed=seed, auto_reset=False)
    points = play(batch, policy, rng)[0]
    gap = lead(points)
    best = points[:, LEARNER] == points.max(axis=1)
    level = (points == points.max(axis=1, keepdims=True)).sum(axis=1)
    return {
        "lead": float(gap.mean()),
        "interval": float(1.96 * gap.std(ddof=1) / len(gap) ** 0.5),
        "wins": float((best / level).mean()),
    }


def main() -> None:
    """Train, then say how much it helped."""
    ask = argparse.ArgumentParser(description="Learn a game by playing it.")
    ask.add_argument("--game", default="sticheln")
    ask.add_argument("--seats", type=int, default=4)
    ask.add_argument("--updates", type=int, default=120)
    ask.add_argument("--tables", type=int, default=512)
    ask.add_argument("--rounds", type=int, default=4000, help="to measure with")
    ask.add_argument("--seed", type=int, default=1)
    args = ask.parse_args()
    spec = Spec(args.game, args.seats)
    print(f"{args.game}, {args.seats} seats: {args.updates} batches of {args.tables} rounds")
    policy = train(spec, args.updates, args.tables, args.seed, report_every=10)
    for name, player in (("random", None), ("learned", policy)):
        found = measure(spec, player, args.rounds, args.seed + 1000)
        print(
            f"{name} against random: {found['lead']:+.2f} ± {found['interval']:.2f} points, "
            f"{found['wins']:.0%} of the rounds won"
        )


if __name__ == "__main__":
    main()
