"""The arena: what it counts, that deals come out the same everywhere, and that none is lost."""

import json
import logging
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import fmean, stdev
from typing import Any
from xml.etree import ElementTree

import pytest

import stichwerk
from stichwerk import cli, locale
from stichwerk.arena import command, formatting, runner
from stichwerk.arena.chart import draw
from stichwerk.arena.deals import (
    ArenaError,
    Outcome,
    Plan,
    Task,
    drawn_seed,
    gains,
    make_move,
    make_plan,
    play_deal,
)
from stichwerk.arena.journal import Journal
from stichwerk.arena.ratings import rate
from stichwerk.arena.runner import here, on_cores, on_ray
from stichwerk.arena.statistics import (
    BOUND,
    FEWEST,
    RunningMean,
    SequentialTest,
    read_test,
    student,
)
from stichwerk.arena.tournament import Result, Tournament, in_order
from stichwerk.bots import full_name
from stichwerk.bots.hosting import Hosting, end_workers
from stichwerk.errors import UnknownBotError
from tests.bot_packages import path_with, put_many_bots

COMMAND = (sys.executable, "-c", "import sys; from stichwerk.cli import main; sys.exit(main())")
GREEDY = full_name("greedy")  # its newest version
SVG = "{http://www.w3.org/2000/svg}"


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
    """Outcomes by deal, without their times."""
    return sorted((outcome.settled for outcome in outcomes), key=lambda outcome: outcome.deal)


def played(plan: Plan, deals: int) -> list[Outcome]:
    """Deals of the first pair, played here."""
    return [play_deal(plan, Task(0, 1, deal)) for deal in range(deals)]


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


def without_times(text: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(text)
    found.pop("seconds_per_move")
    return found


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
    """Gaps that lie as far above as below their mean."""
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


@pytest.mark.parametrize("game", ["stichling", "null-nichtig", "sticheln", "stichtag"])
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


def leave(plan: Plan, task: Task, hosting: Hosting) -> Outcome:
    os._exit(3)


def test_a_worker_that_dies_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "play_and_tell", leave)
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


# -- Going on after an interruption ----------------------------------------------------------------


def test_a_journal_saves_playing_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, path = plan_of("random", "greedy"), str(tmp_path / "journal")
    with Journal(path, plan) as journal:
        (first,) = held(plan, 6, journal)
    monkeypatch.setattr(runner, "play_deal", leave)  # would end us
    with Journal(path, plan) as journal:
        (again,) = held(plan, 6, journal)
    assert again.outcomes == first.outcomes  # with their times


@pytest.mark.parametrize("cut", [1, 30, 250])
def test_an_incomplete_line_is_played_again(tmp_path: Path, cut: int) -> None:
    plan, path = plan_of("random", "greedy"), tmp_path / "journal"
    with Journal(str(path), plan) as journal:
        (whole,) = held(plan, 4, journal)
    path.write_bytes(path.read_bytes()[:-cut])
    with Journal(str(path), plan) as journal:
        assert 2 <= len(journal.known) < 4
        (result,) = held(plan, 6, journal)
    assert settled(result.outcomes)[:4] == settled(whole.outcomes)
    lines = path.read_bytes().splitlines()
    assert [json.loads(line)["deal"] for line in lines[1:]] == [0, 1, 2, 3, 4, 5]


def test_an_incomplete_header_is_rewritten(tmp_path: Path) -> None:
    plan, path = plan_of("random", "greedy"), tmp_path / "journal"
    Journal(str(path), plan).close()
    whole = path.read_bytes()
    path.write_bytes(whole[:20])
    Journal(str(path), plan).close()
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("other", "fact"),
    [
        (plan_of("random", "random"), "bots"),
        (plan_of("random", "greedy", seed=2), "seed"),
        (plan_of("random", "greedy", seats=3), "seats"),
        (plan_of("random", "greedy", all_zero="leader"), "options"),
        (plan_of("random", "greedy", game="stichling"), "game"),
        (plan_of("random", "greedy", unit="match"), "unit"),
    ],
)
def test_a_journal_of_another_plan_is_left_alone(tmp_path: Path, other: Plan, fact: str) -> None:
    path = tmp_path / "journal"
    Journal(str(path), plan_of("random", "greedy")).close()
    before = path.read_bytes()
    with pytest.raises(ArenaError, match="arena-other-plan") as refused:
        Journal(str(path), other)
    assert refused.value.data["fact"] == fact
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "data", [b"my diary", b"my diary\n", b"{}\n", b'{"format":"x"}\n', b"\xff\n"]
)
def test_another_file_is_left_alone(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "diary"
    path.write_bytes(data)
    with pytest.raises(ArenaError, match="arena-no-journal"):
        Journal(str(path), plan_of("random", "greedy"))
    assert path.read_bytes() == data


@pytest.mark.parametrize("line", [b"nonsense", b"{}", b"\xff"])
def test_a_broken_line_is_reported(tmp_path: Path, line: bytes) -> None:
    plan, path = plan_of("random", "greedy"), tmp_path / "journal"
    with Journal(str(path), plan) as journal:
        held(plan, 1, journal)
    path.write_bytes(path.read_bytes() + line + b"\n")
    with pytest.raises(ArenaError, match="arena-bad-line") as refused:
        Journal(str(path), plan)
    assert refused.value.data["line"] == 3


def test_a_line_with_other_seats_is_reported(tmp_path: Path) -> None:
    plan, path = plan_of("random", "greedy"), str(tmp_path / "journal")
    with Journal(path, plan) as journal:
        journal.append(made(0, ((1, 0), (0, 1))))
    with pytest.raises(ArenaError, match="arena-bad-line"):
        Journal(path, plan)


def interrupted_run(path: Path, wanted: int, *run_options: str) -> "subprocess.Popen[str]":
    """Start a very long run in a separate process; return it once some deals are stored."""
    endless = ["arena", "sticheln", "--deals", "1000000", "--resume", str(path), *run_options]
    running = subprocess.Popen([*COMMAND, *endless], stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 300
    while not path.exists() or path.read_bytes().count(b"\n") <= wanted:
        assert running.poll() is None
        assert time.monotonic() < end
        time.sleep(0.02)
    return running


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_killed_run_can_be_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], jobs: str
) -> None:
    path, bots = tmp_path / "journal", ("--bots", "greedy,random")
    running = interrupted_run(path, 5, *bots, "--seed", "4", "--jobs", jobs)
    running.kill()
    running.communicate()
    kept = path.read_bytes().count(b"\n") - 1
    deals = ("--deals", str(kept + 5), "--jobs", "1", "--json")
    code, resumed, _ = call(capsys, "sticheln", *bots, *deals, "--resume", str(path))
    assert code == 0
    _, fresh, _ = call(capsys, "sticheln", *bots, *deals, "--seed", "4")
    assert without_times(resumed) == without_times(fresh)


def test_ctrl_c_reports_what_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    running = interrupted_run(path, 3, "--bots", "random,random", "--jobs", "2", "--lang", "de")
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=300)
    kept = path.read_bytes().count(b"\n") - 1
    assert running.returncode == 130
    assert err.strip().startswith(f"Unterbrochen. {kept} Kartenverteilungen stehen in {path}")
    assert "Traceback" not in err


# -- What is shown ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_json_of_two_bots(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("sticheln", "--bots", "greedy,random", "--deals", "8", "--seed", "3", "--json")
    code, out, err = call(capsys, *args, "--jobs", "1")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert (found["game"], found["seats"], found["seed"]) == ("sticheln", 4, 3)
    assert found["options"] == {"all_zero": "nobody", "rounds": 4, "starter": None}
    assert found["bots"] == [GREEDY, "random-1"]
    assert (found["a"], found["b"]) == (GREEDY, "random-1")
    assert (found["deals"], found["games"], found["unit"]) == (8, 32, "round")
    assert found["gap_ci"][0] < found["gap"] < found["gap_ci"][1]
    assert found["win_share_ci"][0] <= found["win_share"] <= found["win_share_ci"][1]
    assert found["seconds_per_move"] > 0
    assert found["gap"] == pytest.approx(fmean(found["gaps"]))
    assert [rating["bot"] for rating in found["ratings"]] == [GREEDY, "random-1"]
    assert "sprt" not in found
    _, again, _ = call(capsys, *args, "--jobs", "2")
    assert without_times(again) == without_times(out)


def test_json_with_a_test(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("--bots", "greedy,random", "--deals", "100", "--sprt", "0,1", "--json")
    _, out, _ = call(capsys, "sticheln", *args)
    found = json.loads(out)
    assert found["deals"] < 100
    assert found["sprt"]["decision"] == "h1"
    assert found["sprt"]["llr"] > found["sprt"]["bounds"][1] == pytest.approx(2.944, abs=0.001)


def test_json_of_a_pool(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("--seats", "3", "--bots", "random,greedy,random", "--deals", "6", "--json")
    code, out, _ = call(capsys, "sticheln", *args, "--seed", "1", "--jobs", "1")
    found = json.loads(out)
    assert code == 0
    assert "win_share" not in found
    names = [(pair["a"], pair["b"]) for pair in found["pairs"]]
    assert len(names) == 6
    assert names.count((GREEDY, "random-1")) == names.count(("random-1", GREEDY)) == 2
    for pair in found["pairs"]:
        assert pair["deals"] == 6
        if pair["a"] == GREEDY:
            assert pair["gap"] > 0
        elif pair["b"] == GREEDY:
            assert pair["gap"] < 0
    assert found["ratings"][0]["bot"] == GREEDY


def test_one_deal_has_no_interval(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("--bots", "greedy,random", "--deals", "1", "--jobs", "1")
    _, out, _ = call(capsys, "sticheln", *args, "--json")
    found = json.loads(out)
    assert (found["gap_ci"], found["win_share_ci"]) == (None, [0, 1])
    assert call(capsys, "sticheln", *args)[0] == 0


@pytest.mark.parametrize("unit", ["round", "match"])
def test_the_report_explains_what_a_deal_is(capsys: pytest.CaptureFixture[str], unit: str) -> None:
    args = ("--bots", "random,random", "--deals", "1", "--jobs", "1", "--unit", unit)
    _, out, _ = call(capsys, "stichtag", *args, "--json")
    assert json.loads(out)["unit"] == unit
    _, out, _ = call(capsys, "stichtag", *args)
    assert f"A deal is a {'whole match' if unit == 'match' else 'round'}," in out


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["Sticheln, 3 seats, seed 1", "win share of A", "A (row) against B", "rating", "."]),
        ("de", ["Sticheln, 3 Plätze, Startwert 1", "Siege von A", "A (Zeile)", "Wertung", ","]),
    ],
)
def test_tables(capsys: pytest.CaptureFixture[str], lang: str, words: list[str]) -> None:
    args = ("--seats", "3", "--bots", "random,greedy,random-1", "--deals", "3", "--seed", "1")
    code, out, _ = call(capsys, "sticheln", *args, "--jobs", "1", "--lang", lang)
    assert code == 0
    assert [word for word in words if word not in out] == []
    assert out.count(GREEDY) == 4 + 2 + 1  # pairs, cross-table, ratings


def test_without_openskill_ratings_are_left_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    args = ("sticheln", "--bots", "random,greedy", "--deals", "2", "--jobs", "1")
    _, out, _ = call(capsys, *args)
    assert "pip install 'stichwerk[arena]'" in out
    _, out, _ = call(capsys, *args, "--json")
    assert json.loads(out)["ratings"] is None


def test_ratings_follow_victories() -> None:
    plan = plan_of("random", "greedy")
    result = Result(plan, 0, 1)
    for deal in range(5):
        result.add(made(deal, ((9, 0, 0, 0), (0, 9, 0, 0), (0, 0, 9, 0), (0, 0, 0, 9))))
    ratings = rate(plan, [result])
    assert ratings
    assert [rating.bot for rating in ratings] == ["random-1", GREEDY]
    assert ratings[0].mu > 25 > ratings[1].mu


def test_pictures_are_valid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.svg"
    args = ("--bots", "greedy,random", "--deals", "30", "--jobs", "1", "--picture", str(path))
    assert call(capsys, "sticheln", *args, "--sprt", "0,1")[0] == 0
    tree = ElementTree.fromstring(path.read_text("utf-8"))
    assert len(tree.findall(f"{SVG}path")) == 2  # the band and the mean
    assert f"{GREEDY} – random-1" in [text.text for text in tree.iter(f"{SVG}text")]


def test_picture_of_a_pool() -> None:
    plan = plan_of("random", "greedy", "random")
    tree = ElementTree.fromstring(draw(plan, held(plan, 1), "de"))
    assert len(tree.findall(f"{SVG}rect")) == 1 + 6  # paper and cells
    assert len(tree.findall(f"{SVG}circle")) == 6


def test_names_of_programs_do_not_break_a_picture() -> None:
    plan = bare_plan("program:<&>\x1b" * 9, "b", seats=2)
    result = Result(plan, 0, 1)
    result.add(made(0, ((1, 0), (0, 1))))
    ElementTree.fromstring(draw(plan, [result], "en"))


def test_a_bar_shows_the_running_interval(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
    plan = plan_of("greedy", "random")
    with command.watching(plan, 4, "en") as watch, here(plan) as play:
        Tournament(plan=plan, deals=4).results(play, watch)
    err = capsys.readouterr().err
    assert f"{GREEDY} – random-1" in err
    assert "±" in err
    assert "4/4" in err


# -- Refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("run_options", "english", "german"),
    [
        ("--bots random", "needs at least two bots", "braucht mindestens zwei Bots"),
        ("--bots random,nobody", "There is no bot 'nobody'", "Den Bot „nobody“ gibt es nicht"),
        ("--bots random,random --sprt 1,0", "the lower one first", "den kleineren zuerst"),
        ("--bots random,random --on mars", "cannot play on 'mars'", "Auf „mars“ kann die Arena"),
        ("--bots random,random --unit year", "cannot be 'year'", "nicht „year“ sein"),
        ("--bots random,random --deals 0", "--deals needs a", "--deals braucht eine"),
        ("--bots random,random --jobs x", "--jobs needs a", "--jobs braucht eine"),
        ("--bots random,random --resume {diary}", "not a journal", "kein Protokoll"),
        ("--bots random,random --picture {folder}", "folder", "Ordner"),
    ],
)
def test_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], run_options: str, english: str, german: str
) -> None:
    diary = tmp_path / "diary"
    diary.write_text("Dear diary")
    args = run_options.format(diary=diary, folder=tmp_path).split()
    for lang, words in (("en", english), ("de", german)):
        code, out, err = call(capsys, "sticheln", *args, "--lang", lang)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert words in err
