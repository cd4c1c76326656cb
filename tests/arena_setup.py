"""Helpers for tests of the arena."""

import os
from collections.abc import Iterable
from typing import Any

import pytest

import stichwerk
from stichwerk import cli
from stichwerk.arena.deals import (
    Outcome,
    Plan,
    Task,
    make_plan,
)
from stichwerk.arena.journal import Journal
from stichwerk.arena.runner import here
from stichwerk.arena.tournament import Result, Tournament
from stichwerk.bots.hosting import Hosting


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


def plan_of(
    *names: str,
    game: str = "sticheln",
    seats: int = 4,
    seed: int = 1,
    unit: str | None = None,
    **options: object,
) -> Plan:
    return make_plan(stichwerk.game(game, seats=seats, **options), names, seed, unit)


def bare_plan(*names: str, seats: int = 4, version: str = stichwerk.__version__) -> Plan:
    """Return a plan whose bots are unchecked."""
    facts: dict[str, Any] = {"game": "sticheln", "options": {}, "bots": names, "seed": 1}
    return Plan(**facts, seats=seats, unit="round", version=version)


def made(deal: int, scores: tuple[tuple[int, ...], ...], seconds: float = 0.5) -> Outcome:
    """Return an outcome with these points; more are better."""
    ranks = tuple(tuple(sorted(row, reverse=True).index(got) for got in row) for row in scores)
    return Outcome(
        a=0, b=1, deal=deal, seed=7, scores=scores, ranks=ranks, moves=10, seconds=seconds
    )


def settled(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Return outcomes by deal, without their times."""
    return sorted((outcome.settled for outcome in outcomes), key=lambda outcome: outcome.deal)


def held(plan: Plan, deals: int, journal: Journal | None = None) -> list[Result]:
    """Run a whole tournament in this process."""
    with here(plan) as play:
        contest = Tournament(plan=plan, deals=deals, journal=journal)
        return contest.results(play, lambda result: None)


def call(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    """Run the arena command; return exit code, output and error output."""
    code = cli.main(["arena", *args])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


# -- Everywhere the same ---------------------------------------------------------------------------


def leave(plan: Plan, task: Task, hosting: Hosting) -> Outcome:
    os._exit(3)
