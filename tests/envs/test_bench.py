"""The measurement of environments: what it measures and reports. How fast anything is, no test can
know."""

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from stichwerk.envs import bench
from stichwerk.games import registry

pytestmark = pytest.mark.game


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples that take no time, and nothing that must be compiled first."""
    monkeypatch.setattr(bench, "SECONDS", 0.001)
    monkeypatch.setattr(bench, "SIZES", (1, 8))
    monkeypatch.setattr(bench, "SIZE", 8)
    monkeypatch.setattr(bench, "PGX", {})


def without(*packages: str) -> Any:
    """Pretend that these are not installed."""
    usual = bench.installed
    return lambda package: None if package in packages else usual(package)


def test_all_games_with_and_without_observations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "installed", without(*bench.PEERS))
    steps: list[str] = []
    report = bench.measure(repeats=2, progress=steps.append, seconds=0.001)
    ours = report["moves_per_second"]["stichwerk"]
    wanted = [
        f"{name} {what} {size}"
        for what in ("masks", "masks+observations")
        for name in registry.GAMES
        for size in ((1, 8) if name == "sticheln" else (8,))
    ]
    assert list(ours) == wanted
    assert all(rate > 0 for rate in ours.values())
    assert report["goal"] == {"moves_per_second": 2_000_000, "reached": ours["sticheln masks 8"]}
    assert len(steps) == 2 * len(wanted)


def test_missing_peers_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "installed", without(*bench.PEERS))
    report: dict[str, Any] = json.loads(bench.run(as_json=True, repeats=1))
    assert set(report["moves_per_second"]) == {"stichwerk"}
    result = bench.lines(report)
    assert result[-1] == (
        "Not installed: PettingZoo, RLCard, Pgx, JAX: pip install 'stichwerk[peers]'"
    )
    assert [line for line in result if line.startswith("  sticheln masks 8")]


def test_an_environment_of_pettingzoo_is_stepped_by_its_mask() -> None:
    sample = bench.zoo_sample("sticheln")
    assert sample(0.01) > 0


def test_a_sample_counts_moves_by_time() -> None:
    made: Iterator[int] = iter(range(10**9))
    rate = bench.timed(lambda: next(made) * 0 + 5, 0.002)
    assert rate == pytest.approx(5 * next(made) / 0.002, rel=0.5)


def test_one_core_is_used_and_restored_afterwards() -> None:
    before = os.sched_getaffinity(0)
    with bench.one_core() as core:
        assert os.sched_getaffinity(0) == {core}
    assert os.sched_getaffinity(0) == before
