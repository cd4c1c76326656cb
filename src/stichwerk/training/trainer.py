"""Training of a net: rounds of self-play, then steps towards what they were worth.

Deep Monte Carlo: the net learns what a round was worth after each move that was made in it. Four
rounds of five are played by the current net alone, the others against one rival of a pool. Work is
cut into shards whose seeds depend only on their number, so the result does not depend on how many
threads share them.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from math import cos, pi
from typing import Any, NamedTuple

import numpy as np

from stichwerk import bots
from stichwerk.bots import nets
from stichwerk.bots.nets.inputs import CERTAIN
from stichwerk.bots.nets.net_tactics import NetTactics
from stichwerk.bots.nets.self_play import SelfPlay
from stichwerk.bots.tactics import tactics_of
from stichwerk.bots.tactics.habits import HabitTactics
from stichwerk.engine.frame import Game
from stichwerk.engine.net import Net
from stichwerk.engine.tactics import Tactics
from stichwerk.games import registry
from stichwerk.games.info import Training
from stichwerk.training.learner import Learner, Tables, as_net

SHARDS = 8  # of an iteration
ROOM = 8192  # decisions that a shard keeps
BATCH = 2048
ALONE = 0.8  # share of the shards that the current net plays alone
EXPLORE = 0.04  # how often the net moves at random
RATES = 1e-3, 5e-5  # how far a step goes, at the beginning and at the end
SNAPSHOTS = 4  # earlier nets in the pool
EVERY = 50  # iterations between two of them
MEASURED = 0xC0FFEE  # separates the random numbers of measuring from those of training

Units = tuple[int | None, int | None]
"""Units of the two layers; None: as many as the game asks for."""
Played = tuple[Any, Any, Any]
"""The decisions of a shard: inputs, how many of them, and what the round was worth."""


class ContestResult(NamedTuple):
    """How a net did against a rival: rounds, share of the wins, lead over the mean."""

    rounds: int
    share: float
    lead: float


class TrainingTable(NamedTuple):
    """A table to train at: the rules, how often it is played, how much the worth of a round varies,
    and who is there without a net."""

    rules: Game
    weight: float
    spread: float
    rivals: dict[str, Tactics]


class Trainer:
    """Trains the net of one game."""

    save_every = 20  # iterations between two checkpoints, each with a measurement
    rounds = 1600  # of a measurement, against each rival
    against = ""  # the bot on all other seats, if it is always the same one

    def __init__(
        self,
        game: str,
        seed: int,
        iterations: int,
        threads: int = 2,
        units: Units = (None, None),
        start: str = "",
    ) -> None:
        info = registry.info_of(game)
        if info.training is None:
            raise ValueError(game)
        self.plan: Training = info.training
        self.game = game
        self.seed = seed
        self.iterations = iterations
        self.threads = threads
        self.tables = [
            table_of(game, seats, options, weight) for seats, options, weight in self.plan.tables
        ]
        inputs = nets.features_of(self.tables[0].rules).size
        self.start = start
        self.learner = self.beginner(inputs, units)
        self.done = 0
        self.decisions = 0
        self.earlier: list[Tables] = []
        self.place: Callable[[Trainer], list[Played]] | None = None  # elsewhere than on threads

    def beginner(self, inputs: int, units: Units) -> Learner:
        """Return the learner before any training: new, or with the weights of a net."""
        hidden, second = units
        if not self.start:
            sizes = inputs, hidden or self.plan.hidden, second or self.plan.second
            return Learner(*sizes, self.seed)
        making, tables = nets.weights_of(self.game, bots.find(self.start)[0].version)
        learner = Learner(*making.sizes, self.seed)
        learner.take(tables)
        return learner

    # -- One iteration -----------------------------------------------------------------------------

    def iterate(self) -> float:
        """Play all shards and learn from them; return the mean error."""
        played = self.place(self) if self.place else self.on_threads()
        items = np.concatenate([one[0] for one in played])
        counts = np.concatenate([one[1] for one in played])
        returns = np.concatenate([one[2] for one in played])
        error = self.learn(items, counts, returns)
        self.done += 1
        if self.done % EVERY == 0 and not self.against:
            self.earlier = [*self.earlier, self.learner.tables()][-SNAPSHOTS:]
        self.decisions += len(counts)
        return error

    def on_threads(self) -> list[Played]:
        """Play all shards in this process."""
        net = self.learner.net()
        with ThreadPoolExecutor(self.threads) as pool:
            return list(pool.map(lambda shard: self.play(net, shard), range(SHARDS)))

    def play(self, net: Net, shard: int) -> Played:
        """Play one shard; return its decisions."""
        random = np.random.default_rng([self.seed, self.done, shard])
        weights = np.array([table.weight for table in self.tables])
        table = self.tables[random.choice(len(weights), p=weights / weights.sum())]
        learner = tactics_with(net, table.rules)
        rival, seats = self.rival(table, random)
        work = SelfPlay(learner, int(random.integers(2**62)), ROOM)
        explore = int(EXPLORE * CERTAIN)
        if rival is None:
            work.play(learner, 0, explore, ROOM)
        else:
            while work.has_room():
                work.play(rival, seats(), explore, 1)
        return kept(work, np.float32(table.spread))

    def rival(
        self, table: TrainingTable, random: np.random.Generator
    ) -> tuple[Tactics | None, Any]:
        """Draw a rival, and which seats it plays: all but one, or any."""
        if random.random() < ALONE:
            return None, None
        without = list(table.rivals.values())
        at = int(random.integers(len(without) + len(self.earlier)))
        if at < len(without):
            rival = without[at]
        else:
            tables = self.earlier[at - len(without)]
            rival = tactics_with(as_net(self.learner.sizes, tables), table.rules)
        everyone = (1 << table.rules.seats) - 1

        def seats() -> int:
            if random.random() < 0.5:
                return everyone ^ 1 << int(random.integers(table.rules.seats))
            return int(random.integers(1, everyone))

        return rival, seats

    def learn(self, items: Any, counts: Any, returns: Any) -> float:
        """Go through all decisions once, in random order; return the mean error."""
        starts = np.cumsum(counts, dtype=np.int64) - counts
        order = np.random.default_rng([self.seed, self.done, SHARDS]).permutation(len(counts))
        errors = []
        for batch in np.array_split(order, max(1, len(order) // BATCH)):
            part = (items, starts[batch], counts[batch], returns[batch])
            errors.append(self.learner.learn(*part, self.rate()))
        return float(np.mean(errors))

    def rate(self) -> float:
        """Return how far a step goes: less and less, along half a wave."""
        first, last = RATES
        progress = min(1.0, self.done / self.iterations)
        return last + (first - last) * (1 + cos(pi * progress)) / 2

    # -- Measuring ---------------------------------------------------------------------------------

    def measure(self) -> Iterator[tuple[str, ContestResult]]:
        """Play one net among rivals of each kind, at the first table of the plan."""
        table = self.tables[0]
        learner = tactics_with(self.learner.net(), table.rules)
        for name, rival in table.rivals.items():
            yield name, contest(learner, rival, self.rounds, self.seed)


def kept(work: SelfPlay, spread: np.float32) -> Played:
    """Return the decisions of rounds: inputs, how many of them, and what the round was worth."""
    used = np.asarray(work.items)[: work.used].copy()
    count = work.decisions
    # A wild variant counts no more than a tame one.
    returns = np.asarray(work.returns)[:count] / spread
    return used, np.asarray(work.counts)[:count].copy(), returns


def contest(learner: NetTactics, rival: Tactics, rounds: int, seed: int) -> ContestResult:
    """Let a net play alone among rivals, in every seat equally often."""
    seats = learner.game.seats
    work = SelfPlay(learner, seed ^ MEASURED, ROOM)
    won = lead = 0.0
    count = 0
    for seat in range(seats):
        left = rounds // seats
        while left:
            left -= work.play(rival, (1 << seats) - 1 ^ 1 << seat, 0, left)
            won, lead, count = won + work.wins, lead + work.gain, count + work.results
            work.clear()
    return ContestResult(count, won / count, lead / count)


def tactics_with(net: Net, rules: Game) -> NetTactics:
    """Return the tactics that a net makes of these rules."""
    return nets.tactics_with(net, rules, tactics_of(rules, "full"), tactics_of(rules, "small"))


def table_of(game: str, seats: int, options: Any, weight: float) -> TrainingTable:
    """Return a table with all rivals that need no net."""
    rules = registry.build(game, seats, registry.settle_options(game, seats, options))
    rivals: dict[str, Tactics] = {
        "full": tactics_of(rules, "full"),
        "small": tactics_of(rules, "small"),
        "random": tactics_of(rules, "none"),
        "lowest": HabitTactics(rules, 1),
        "highest": HabitTactics(rules, -1),
        "hoarder": HabitTactics(rules, 1, 16),
    }
    return TrainingTable(rules, weight, nets.spread_of(rules, rivals["full"]), rivals)
