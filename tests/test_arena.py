"""The arena: what it counts, that deals come out the same everywhere, and that none is lost."""

import logging
import math
import os
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from itertools import count, islice
from pathlib import Path
from statistics import fmean, stdev
from typing import Any
from unittest.mock import Mock

import pytest

import stichwerk
from stichwerk import locale
from stichwerk.arena import deals, formatting, runner
from stichwerk.arena.deals import (
    ArenaError,
    MoveTimer,
    Outcome,
    Plan,
    Task,
    drawn_seed,
    gains,
    make_move,
    make_plan,
    play_deal,
)
from stichwerk.arena.runner import on_cores, on_ray
from stichwerk.arena.statistics import (
    BOUND,
    FEWEST,
    RunningMean,
    SequentialTest,
    read_test,
    student,
)
from stichwerk.arena.tournament import Result, Tournament, in_order
from stichwerk.bots.hosting import end_workers
from stichwerk.errors import UnknownBotError
from stichwerk.games import registry
from stichwerk.view import View
from tests.arena_setup import bare_plan, call, held, leave, made, plan_of, settled
from tests.arena_setup import english as english
from tests.bot_packages import path_with, put_many_bots


def played(plan: Plan, deals: int) -> list[Outcome]:
    """Play deals of the first pair in this process."""
    return [play_deal(plan, Task(0, 1, deal)) for deal in range(deals)]


# -- Statistics ------------------------------------------------------------------------------------


def test_gap_and_win_share_of_a_deal() -> None:
    outcome = made(0, ((10, 4, 1), (3, 6, 6), (0, 0, 6)))
    # A is 10 - 2.5, 6 - 4.5 and 6 - 0 ahead; wins alone, shares with one, wins alone.
    assert outcome.gap == pytest.approx((7.5 + 1.5 + 6) / 3)
    assert outcome.win_share == pytest.approx((1 + 1 / 2 + 1) / 3)


def test_running_mean_and_interval() -> None:
    running, values = RunningMean(), [2.0, 4.0, 4.0, 5.0, 10.0]
    for value in values:
        running.add(value)
    assert running.mean == pytest.approx(fmean(values))
    assert math.sqrt(running.variance) == pytest.approx(stdev(values)) == 3.0
    # t for 4 degrees of freedom is 2.776: 5 +- 2.776 * 3 / sqrt(5)
    assert running.interval == pytest.approx((1.275, 8.725), abs=0.01)


@pytest.mark.parametrize("count", [1, 2, FEWEST - 1])
def test_a_few_equal_values_have_no_interval(count: int) -> None:
    """Two deals that happen to end alike do not prove that all do."""
    running = RunningMean()
    for _ in range(count):
        running.add(3.0)
    assert (running.mean, running.margin, running.interval) == (3.0, None, None)


def test_many_equal_values_are_sure() -> None:
    running = RunningMean()
    for _ in range(FEWEST):
        running.add(3.0)
    assert running.interval == (3.0, 3.0)


def test_a_tiny_margin_is_not_shown_as_zero() -> None:
    result = Result(bare_plan("a", "b"), 0, 1, None)
    for deal in range(2):
        result.add(made(deal, ((3, 0, 0, 0), (0, 3, 0, 0), (0, 0, 3, 0), (0, 0, 0, 3))))
    assert formatting.gap(result, "en") == "+3.00 (too few deals)"
    assert formatting.gap(result, "de") == "+3,00 (zu wenige Verteilungen)"
    assert formatting.win_share(result, "en") == "100.0 % (0.0–100.0)"
    assert locale.margin(0.004, "en", 2) == "± < 0.01"
    assert locale.margin(0.004, "de", 2) == "± < 0,01"
    assert locale.margin(0.006, "en", 2) == "± 0.01"
    assert locale.margin(0.0, "en", 2) == "± 0.00"
    assert [formatting.points(value, "en") for value in (-0.001, 0.0, 0.004)] == ["0.00"] * 3
    assert [formatting.points(value, "de") for value in (-0.81, 0.81)] == ["−0,81", "+0,81"]


@pytest.mark.parametrize(
    ("freedom", "printed"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (10**6, 1.960)],
)
def test_student_t_values(freedom: int, printed: float) -> None:
    assert student(freedom) == pytest.approx(printed, rel=2e-3)


def gaps(mean: float, count: int, spread: float = 5.0) -> RunningMean:
    """Return gaps that are symmetric around their mean."""
    running = RunningMean()
    for at in range(count):
        running.add(mean + (spread if at % 2 else -spread))
    return running


def test_sequential_test_by_hand() -> None:
    test, running = SequentialTest(0, 1), gaps(0.8, 100)
    # n (h1 - h0) (mean - middle) / variance
    assert test.ratio(running) == pytest.approx(100 * 1 * 0.3 / (25 * 100 / 99))
    assert pytest.approx(2.944, abs=0.001) == BOUND


@pytest.mark.parametrize(
    ("mean", "count", "said"),
    [
        (0.8, 100, "open"),
        (0.8, 400, "h1"),
        (0.2, 100, "open"),
        (0.2, 400, "h0"),
        (9.0, FEWEST, "h1"),
        (9.0, FEWEST - 2, "open"),  # however clear it looks
        (0.5, 4000, "open"),
    ],
)
def test_sequential_test_decides(mean: float, count: int, said: str) -> None:
    assert SequentialTest(0, 1).decision(gaps(mean, count)) == said


def test_equal_bots_are_distinguished_from_better_ones() -> None:
    """All gaps are 0 then, and so is their variance."""
    assert SequentialTest(0, 1).decision(gaps(0.0, FEWEST, spread=0.0)) == "h0"


def test_sequential_tests_are_parsed() -> None:
    assert read_test("0,1") == SequentialTest(0, 1)
    assert read_test(" -0.5, +.5 ") == SequentialTest(-0.5, 0.5)


@pytest.mark.parametrize("text", ["", "1", "1,0", "1,1", "0,1,2", "a,b", "0,inf", "nan,1", "0;1"])
def test_bad_tests_are_refused(text: str) -> None:
    with pytest.raises(ArenaError, match="arena-bad-test"):
        read_test(text)


# -- Deals -----------------------------------------------------------------------------------------


def test_an_outcome_has_one_entry_per_seating() -> None:
    plan = plan_of("random", "random")
    outcome = play_deal(plan, Task(0, 1, 5))
    assert outcome.seed == drawn_seed(1, 5)
    assert len(outcome.scores) == len(outcome.ranks) == 4
    assert outcome.moves == 4 * 15  # in each seating A chooses a pain card and plays 14 others
    assert outcome.seconds > 0


def test_a_deal_is_round_one() -> None:
    plan = plan_of("greedy", "greedy")  # plays alike on every seat, so all seatings are one game
    outcome = play_deal(plan, Task(0, 1, 0))
    match = stichwerk.game("sticheln").new(seed=outcome.seed)
    bot = stichwerk.bot("greedy")
    while not match.scores:
        seat = match.waiting_for[0]
        match.play(seat, bot.choose(match.view(seat)))
    assert set(outcome.scores) == {match.scores[0]}
    assert outcome.gap == pytest.approx(0)
    assert outcome.win_share == pytest.approx(1 / 4)


@pytest.mark.parametrize(
    ("game", "options", "unit"),
    [
        ("stichling", {}, "round"),
        ("null-nichtig", {}, "round"),
        ("sticheln", {}, "round"),
        ("stichtag", {}, "match"),
        ("stichtag", {"date": "09-14"}, "match"),
        ("stichtag", {"sheets": ["red 4"]}, "match"),
    ],
)
def test_the_default_unit_of_a_deal(game: str, options: dict[str, Any], unit: str) -> None:
    assert plan_of("random", "random", game=game, **options).unit == unit


@pytest.mark.parametrize("game", [info.name for info in registry.OUR_GAMES if info.tactics])
def test_a_deal_can_be_a_match(game: str) -> None:
    """A win is what the match calls one, and being ahead is having more in total."""
    setting = stichwerk.game(game)
    plan = make_plan(setting, ("greedy", "greedy"), 1, "match")  # all seatings are one game
    outcome = play_deal(plan, Task(0, 1, 0))
    match, bot = setting.new(seed=outcome.seed), stichwerk.bot("greedy")
    while not match.over:
        seat = match.waiting_for[0]
        match.play(seat, bot.choose(match.view(seat)))
    assert len(match.scores) > 1
    assert set(outcome.scores) == {match.totals}
    assert match.ranking
    for place, seats in enumerate(match.ranking):
        assert {outcome.ranks[0][seat] for seat in seats} == {place}


@pytest.mark.parametrize("date", [None, "09-14"])
def test_stichtag_by_rounds(date: str | None) -> None:
    made_plan = partial(plan_of, "random", "random", game="stichtag", seats=3, date=date)
    whole, part = (play_deal(made_plan(unit=unit), Task(0, 1, 0)) for unit in ("match", "round"))
    assert whole.moves > 2 * part.moves
    assert whole.seed == part.seed


def test_points_are_negated_where_the_fewest_win() -> None:
    fewest = stichwerk.game("stichtag", sheets=["green 1"])
    assert gains(fewest, (3, 1, 2, 5)) == (-3, -1, -2, -5)
    assert gains(stichwerk.game("stichtag"), (3, 1, 2, 5)) == (3, 1, 2, 5)


def test_a_deal_is_the_same_alone_and_in_any_order() -> None:
    plan = plan_of("random", "random", game="stichling", seats=3)
    first = settled(played(plan, 4))
    assert play_deal(plan, Task(0, 1, 3)).settled == first[3]
    assert len({outcome.seed for outcome in first}) == 4
    other = plan_of("random", "random", game="stichling", seats=3, seed=2)
    assert settled(played(other, 4)) != first


def test_a_stronger_bot_is_detected() -> None:
    (result,) = held(plan_of("greedy", "random"), 12)
    assert result.gaps.interval
    assert result.gaps.interval[0] > 5
    assert result.win_share_interval[0] > 0.5
    assert result.seconds_per_move > 0


def test_waiting_counts_only_for_bots_with_a_process_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Waiting:
        name, version = "waiting", 1

        def choose(self, view: View) -> str:
            return view.moves[0]

    class WaitingForAProcess(Waiting):
        def close(self) -> None:
            """Nothing to end here."""

    monkeypatch.setattr(deals, "time", Mock(perf_counter=count().__next__, process_time=lambda: 0))
    for bot, seconds in ((Waiting(), 0), (WaitingForAProcess(), 1)):
        timer, match = MoveTimer(), stichwerk.game("sticheln").new(seed=1)
        timer.choose(bot, match, match.waiting_for[0])
        assert (timer.moves, timer.seconds) == (1, seconds)


def test_bad_bots_are_refused_before_anything_is_played() -> None:
    with pytest.raises(UnknownBotError):
        plan_of("random", "nobody")
    with pytest.raises(ArenaError, match="arena-few-bots"):
        plan_of("random")


def test_a_bot_that_breaks_a_rule_is_named() -> None:
    match = stichwerk.game("sticheln").new(seed=3)
    with pytest.raises(ArenaError) as refused:
        make_move(match, 0, "X9", "mine-1")
    assert refused.value.data["bot"] == "mine-1"
    assert refused.value.data["seed"] == 3


# -- Everywhere the same ---------------------------------------------------------------------------


def tasks(deals: int) -> Iterator[Task]:
    return (Task(0, 1, deal) for deal in range(deals))


def test_two_processes_play_what_one_does() -> None:
    plan = plan_of("random", "greedy")
    with on_cores(plan, 2) as play:
        assert settled(play(tasks(12))) == settled(played(plan, 12))


def test_a_run_can_be_stopped_early() -> None:
    """What is left would take the better part of an hour."""
    with on_cores(plan_of("random", "greedy"), 2) as play, closing(play(tasks(10**6))) as playing:
        assert len(list(islice(playing, 3))) == 3


def test_refusals_propagate_from_workers() -> None:
    plan = bare_plan("nobody", "random")
    with pytest.raises(UnknownBotError), on_cores(plan, 2) as play:
        list(play(tasks(2)))


def test_a_worker_that_dies_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "play_and_report", leave)
    with (
        pytest.raises(ArenaError, match="arena-worker-died"),
        on_cores(plan_of("random", "random"), 2) as play,
    ):
        list(play(tasks(2)))


def test_outcomes_are_counted_in_order() -> None:
    arriving = iter([made(deal, ((1, 0), (0, 1))) for deal in (3, 0, 4)])
    known = {deal: made(deal, ((1, 0), (0, 1))) for deal in (1, 2)}
    assert [outcome.deal for outcome in in_order(known, arriving, 5)] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_test_stops_at_the_same_deal(jobs: int) -> None:
    plan = plan_of("greedy", "random")
    with runner.workplace("local", plan, jobs) as play:
        contest = Tournament(plan=plan, deals=500, test=SequentialTest(0, 1))
        (result,) = contest.results(play, lambda result: None)
    assert (result.gaps.count, result.decision) == (FEWEST, "h1")


@pytest.mark.slow
def test_a_ray_cluster_plays_what_one_process_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real library, with a local cluster of two workers; one bot of another package raises."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray

    put_many_bots(tmp_path)
    monkeypatch.setenv("PYTHONPATH", path_with(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    plan = plan_of("random", "greedy", "raises", game="stichling", seats=3)
    broken = bare_plan("nobody", "random")
    older = bare_plan(*plan.bots, version="0.0.1")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    try:
        with on_ray(plan, None) as play:
            contest = Tournament(plan=plan, deals=4)
            results = contest.results(play, lambda result: None)
        with pytest.raises(UnknownBotError), on_ray(broken, 1) as play:
            list(play(tasks(1)))
        with pytest.raises(ArenaError, match="arena-other-version"), on_ray(older, 1) as play:
            list(play(tasks(1)))
        assert ray.is_initialized()  # a cluster that was there before stays
    finally:
        ray.shutdown()
    for ours, theirs in zip(held(plan, 4), results, strict=True):
        assert settled(theirs.outcomes) == settled(ours.outcomes)
        assert bool(theirs.faults.counted) == ("raises-3" in theirs.names)
    end_workers()


def test_missing_ray_is_reported_with_the_extra(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    code, _, err = call(capsys, "sticheln", "--bots", "random,random", "--on", "ray")
    assert (code, err) == (2, "Ray is not installed: pip install 'stichwerk[ray]'\n")
