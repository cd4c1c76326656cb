"""Training on a Ray cluster: the same seed gives the same net as threads do."""

import logging
import os
import pickle
import sys

import pytest

from stichwerk.engine import frame
from stichwerk.ray_cluster import MissingRayError
from stichwerk.training import cluster, trainer
from stichwerk.training.cluster import ClusterError, Nets, Shards, on_ray, play_shard
from stichwerk.training.exploiter import Exploiter
from stichwerk.training.trainer import Played, Trainer

COMPILED = not str(frame.__file__).endswith(".py")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not COMPILED, reason="takes far too long uncompiled"),
]

SEED = 5


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Train on little, so that a test takes a second."""
    monkeypatch.setattr(trainer, "SHARDS", 3)
    monkeypatch.setattr(trainer, "ROOM", 1024)
    monkeypatch.setattr(trainer, "EVERY", 1)
    cluster.training_of.cache_clear()


def by_letter(training: Trainer) -> list[Played]:
    """Play all shards in reverse, with nothing but what a node is sent."""
    sent = pickle.dumps((cluster.shards_of(training), cluster.nets_of(training)))
    found = {}
    for shard in reversed(range(trainer.SHARDS)):
        shards, made = pickle.loads(sent)
        found[shard] = play_shard(Shards(*shards), Nets(*made), shard)
    return [found[shard] for shard in range(trainer.SHARDS)]


def tables(training: Trainer) -> list[list[int]]:
    return [table.tolist() for table in training.learner.tables()]


def learned(training: Trainer, iterations: int) -> list[list[int]]:
    for _ in range(iterations):
        training.iterate()
    return tables(training)


def test_a_node_that_gets_a_shard_plays_what_a_thread_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Earlier nets are among the rivals, so they must have come along."""
    monkeypatch.setattr(trainer, "ALONE", 0.4)
    away, here = (Trainer("sticheln", SEED, 4) for _ in range(2))
    away.place = by_letter
    assert learned(away, 4) == learned(here, 4)


def test_so_does_an_exploiter_that_began_with_a_net() -> None:
    away, here = (
        Exploiter("sticheln", SEED, 2, start="net-0", against="lowest-1") for _ in range(2)
    )
    away.place = by_letter
    assert learned(away, 1) == learned(here, 1)


def test_another_version_is_refused() -> None:
    training = Trainer("sticheln", SEED, 2)
    shards = cluster.shards_of(training)._replace(version="0.0.1")
    with pytest.raises(ClusterError, match="arena-other-version"):
        play_shard(shards, cluster.nets_of(training), 0)


def test_missing_ray_is_said_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingRayError, match="needs-extra"), on_ray():
        pass


def test_a_real_cluster_trains_the_same_net() -> None:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    try:
        away = Trainer("sticheln", SEED, 2)
        with on_ray() as away.place:
            found = learned(away, 2)
        assert ray.is_initialized()  # a cluster that was there before stays
    finally:
        ray.shutdown()
    assert found == learned(Trainer("sticheln", SEED, 2), 2)
