"""The benchmark: what it measures and reports. How fast anything is, no test can know."""

import json
from typing import Any

import pytest

from stichwerk import bench
from stichwerk.games import registry
from stichwerk.match import Setting


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples that take no time."""
    for name in ("ROUNDS", "ROLLOUTS", "SIMULATIONS"):
        monkeypatch.setattr(bench, name, 100)
    monkeypatch.setattr(bench, "DAY_ROUNDS", 1)
    monkeypatch.setattr(bench, "STEPPED", 1)
    few = [Setting("sticheln", 3, {}), Setting("stichtag", 4, {"sheets": ["red 4"]})]
    monkeypatch.setattr(bench, "_expert_settings", lambda: few)
    monkeypatch.setattr(bench, "EXPERT_MOVES", 2)


@pytest.fixture
def without_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_hearts", lambda: None)


@pytest.mark.slow
@pytest.mark.usefixtures("without_openspiel")
def test_figures_of_our_own() -> None:
    report: dict[str, Any] = json.loads(bench.run(as_json=True, repeats=1, experts=True))
    assert list(report["moves_per_second"]) == list(registry.GAMES)
    assert set(report["search"]["simulations_per_second"]) == {"random", "small", "full"}
    assert "ratios" not in report["search"]
    games = report["expert_seconds"]["games"]
    assert set(games) == {"sticheln", "stichtag"}
    for found in games.values():
        assert 0 <= found["median"] <= found["maximum"]
        assert found["moves"] >= 3
    result = "\n".join(bench.lines(report))
    assert "random play-outs" in result
    assert "(goal 1.0 s)" in result


@pytest.mark.slow
@pytest.mark.usefixtures("without_openspiel")
def test_experts_are_timed_on_request_only() -> None:
    report = bench.measure(repeats=1)
    assert "expert_seconds" not in report
    assert not [line for line in bench.lines(report) if "median" in line]


def test_searches_beside_openspiel() -> None:
    report = bench.measure(repeats=1)
    assert set(report["search"]["ratios"]) == {"random", "small", "full"}
    assert [line for line in bench.lines(report) if "ISMCTS on hearts (goal 3.0 x)" in line]


def test_searches_start_after_the_pain_cards_are_chosen() -> None:
    for position in bench.Trees().positions:
        assert position.view.phase == "play"
        assert len(position.view.moves) == 14


def test_every_number_of_seats_all_sheets_and_every_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    settings = list(bench._expert_settings())
    tables = [(name, seats) for name, kind in registry.GAMES.items() for seats in kind.seat_counts]
    assert [(one.name, one.seats) for one in settings[: len(tables)]] == tables
    days = settings[len(tables) :]
    assert sum(bool(one.options["sheets"]) for one in days) == 26
    dates = {(one.options["date"], one.seats) for one in days if one.options["date"]}
    assert len(dates) == 480 * 3
