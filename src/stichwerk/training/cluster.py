"""The shards of an iteration as tasks of a Ray cluster.

A shard depends on its number, the seed and the nets it is played with, so it is the same wherever
it is played. Steps are made in this process: they take little of the time.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import NamedTuple

from stichwerk import __version__
from stichwerk.errors import StichwerkError
from stichwerk.ray_cluster import connected_ray, results
from stichwerk.training import trainer
from stichwerk.training.exploiter import Exploiter
from stichwerk.training.learner import Tables, as_net
from stichwerk.training.trainer import Played, Trainer, Units


class ClusterError(StichwerkError):
    """A cluster that cannot be used."""


class Shards(NamedTuple):
    """What the shards of a training have in common."""

    version: str
    game: str
    seed: int
    iterations: int
    units: Units
    start: str
    against: str
    room: int


class Nets(NamedTuple):
    """What the shards of an iteration are played with."""

    done: int
    tables: Tables
    earlier: list[Tables]


@contextmanager
def on_ray() -> Iterator[Callable[[Trainer], list[Played]]]:
    """Play on the cluster this process is connected to or RAY_ADDRESS names, else a local one.

    Every node needs the same version of Stichwerk, and NumPy.
    """
    with connected_ray() as ray:
        remote = ray.remote(play_shard).options(scheduling_strategy="SPREAD")

        def play(training: Trainer) -> list[Played]:
            shards, made = shards_of(training), ray.put(nets_of(training))
            tasks = [remote.remote(shards, made, shard) for shard in range(trainer.SHARDS)]
            return results(ray, tasks)

        yield play


def shards_of(training: Trainer) -> Shards:
    """Return what all shards of a training have in common."""
    return Shards(
        __version__,
        training.game,
        training.seed,
        training.iterations,
        training.learner.sizes[1:],
        training.start,
        training.against,
        trainer.ROOM,
    )


def nets_of(training: Trainer) -> Nets:
    """Return what the next shards are played with."""
    return Nets(training.done, training.learner.tables(), training.earlier)


def play_shard(shards: Shards, made: Nets, shard: int) -> Played:
    """Play a shard on a node of the cluster, if it has the requested version."""
    if shards.version != __version__:
        raise ClusterError("arena-other-version", here=shards.version, there=__version__)
    training = training_of(shards)
    training.done, training.earlier = made.done, made.earlier
    return training.play(as_net(training.learner.sizes, made.tables), shard)


@lru_cache(maxsize=2)
def training_of(shards: Shards) -> Trainer:
    """Return the training on a node, made once."""
    trainer.ROOM = shards.room
    first = (shards.game, shards.seed, shards.iterations)
    units = (None, None) if shards.start else shards.units
    if shards.against:
        return Exploiter(*first, 1, units, shards.start, against=shards.against)
    return Trainer(*first, 1, units, shards.start)
