"""Bots of other packages: the end of their workers, the arena and commands."""

import gc
import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import stichwerk
from stichwerk import bots, cli
from stichwerk.arena.deals import Outcome, Task, make_plan, play_deal
from stichwerk.arena.journal import Journal
from stichwerk.arena.runner import here, on_cores, workplace
from stichwerk.arena.tournament import Tournament
from stichwerk.bots import hosting, program, python_bot
from stichwerk.bots.faults import BotFault, FaultBook
from stichwerk.bots.hosting import Hosting, seat_bots, vetted
from stichwerk.bots.program import BotProcess
from stichwerk.bots.python_bot import PythonBot, idle
from stichwerk.engine.generator import Generator
from stichwerk.simulate import play_match, simulate
from stichwerk.view import View
from tests.bot_packages import (
    alive,
    path_with,
    put_package,
    wait_until_gone,
)
from tests.python_bot_setup import AT_HOME, SHORT, some_view
from tests.python_bot_setup import package as package
from tests.test_program_bots import PAGE, rows

pytestmark = pytest.mark.skipif(os.name != "posix", reason="workers need a Unix system")


# -- The end ---------------------------------------------------------------------------------------


PARENT = """
import os, signal, sys, time
from stichwerk.bots.hosting import Hosting, seat_bots
import stichwerk
(bot,) = seat_bots([sys.argv[1]], [1], hosting=Hosting(limit=float(sys.argv[2])))
print(bot._running.process.pid, flush=True)
bot.choose(stichwerk.game("sticheln", seats=4).new(seed=1).view(0))
while "BLOCKED_BY" in os.environ and not os.path.exists(os.environ["BLOCKED_BY"]):
    time.sleep(0.002)
if sys.argv[3] == "kill":
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "end"), [("wanderer", "leave"), ("hangs", "kill")])
def test_no_worker_outlives_its_parent(package: Path, name: str, end: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PARENT, name, "0.2", end],
        env={**os.environ, "PYTHONPATH": path_with(package)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == (-signal.SIGKILL if end == "kill" else 0), done.stderr
    wait_until_gone(int(done.stdout))


@pytest.mark.slow
def test_a_worker_that_blocks_everything_ends_itself(package: Path, tmp_path: Path) -> None:
    """No thread of it can see that the parent is gone: the system's alarm ends it."""
    note = tmp_path / "pid"
    subprocess.run(
        [sys.executable, "-c", PARENT, "blocks", "0.2", "kill"],
        env={**os.environ, "PYTHONPATH": path_with(package), "BLOCKED_BY": str(note)},
        capture_output=True,
        timeout=60,
    )
    wait_until_gone(int(note.read_text()))


@pytest.mark.slow
def test_a_garbage_collected_bot_ends_its_worker() -> None:
    bot = PythonBot("wanderer", 1, 60)
    bot.choose(some_view())
    assert bot._running
    process = bot._running.process
    del bot
    gc.collect()
    assert process.returncode is not None
    assert not alive(process.pid)


def test_child_processes_end_with_the_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where the worker ends by itself, and whether or not its pipes are inherited."""
    source = """
import subprocess, sys
class Bot:
    def __init__(self, seed):
        pass
    def choose(self, view):
        quiet = subprocess.Popen(["sleep", "600"], stdout=-3, stderr=-3)
        print(quiet.pid, subprocess.Popen(["sleep", "600"]).pid, flush=True)
        return view.moves[0]
"""
    put_package(tmp_path, "parents", {"parent": "parents:Bot"}, parents=source)
    monkeypatch.syspath_prepend(tmp_path)
    with PythonBot("parent", 1, 60) as bot:
        bot.choose(some_view())
        worker = bot._running
        assert worker
        while not worker.last_output:
            worker._pump(1)
        children = [int(pid) for pid in worker.last_output[-1].split()]
    assert len(children) == 2
    idle.end()
    assert worker.process.returncode == 0, "it ended by itself"
    for child in children:
        wait_until_gone(child)


def test_only_the_process_that_started_a_worker_ends_it_and_only_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    signalled: list[int] = []
    monkeypatch.setattr(os, "killpg", lambda group, number: signalled.append(group))
    copy = BotProcess(["cat"])
    copy.owner = os.getppid()  # as a fork sees it
    assert copy.end() == 0
    assert signalled == []
    copy.process.wait()  # its input is closed
    mine = BotProcess(["cat"])
    assert (mine.end(60), mine.end(60)) == (0, 0)
    assert signalled == [mine.process.pid] * 2, "asked to end and made to, and not again"


@pytest.mark.slow
def test_of_too_many_idle_workers_the_oldest_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    idle.end()
    monkeypatch.setattr(python_bot, "MOST_IDLE", 1)
    with PythonBot("wanderer", 1, 60) as first, PythonBot("noisy", 1, 60) as second:
        first.prepare()
        second.prepare()
    assert [worker.name for worker in idle._workers] == ["wanderer"], "closed last"


# -- In this process -------------------------------------------------------------------------------


def test_in_process_exceptions_propagate() -> None:
    with pytest.raises(LookupError, match="no idea"):
        play_match(SHORT, ["raises", "random", "random"], 1, hosting=AT_HOME)
    with pytest.raises(bots.BadBotError, match="bot-illegal") as caught:
        play_match(SHORT, ["random", "wrong", "random"], 6, hosting=AT_HOME)
    assert caught.value.data == {
        "bot": "wrong",
        "move": "X99",
        "game": "sticheln",
        "seed": 6,
        "seat": 1,
    }


class Homemade:
    """A bot that nobody has installed."""

    name, version = "homemade", 1

    def __init__(self, seed: int) -> None:
        self.generator = Generator(seed)

    def choose(self, view: View) -> str:
        return view.moves[self.generator.number(len(view.moves))]


class Broken(Homemade):
    def choose(self, view: View) -> str:
        raise LookupError("my own")


def made(seed: int) -> Homemade:
    return Homemade(seed)


def test_callables_play_in_this_process() -> None:
    (match,) = simulate(SHORT, [Homemade, "random", made], 1, 7)
    assert match.names == ("homemade", "random", "made")
    (again,) = simulate(SHORT, ["random", "random", "random"], 1, 7)
    assert [log.plays for log in match.rounds] == [log.plays for log in again.rounds]
    with pytest.raises(LookupError, match="my own"):
        play_match(SHORT, [Broken, "random", "random"], 7)


def test_faults_end_no_match_without_workers_either(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hosting, "POSIX", False)
    faults = FaultBook()
    match = play_match(SHORT, ["raises", "wrong", "leaves"], 5, on_fault=faults.note)
    assert match.over
    kinds = {one.first.bot: one.first.id for one in faults.counted}
    assert kinds == {
        "raises": "python-raised",
        "wrong": "python-illegal-move",
        "leaves": "python-raised",
    }
    (advising,) = seat_bots(["bad_adviser"], [1], on_fault=faults.note)
    assert isinstance(advising, hosting.GuardedBot)
    assert advising.advise(some_view()) is None
    assert vetted("wanderer") == "wanderer-3"
    assert "wanderer-3" in [
        one.full_name for one in hosting.listings() if isinstance(one, bots.Listing)
    ]


# -- The arena -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_arena_counts_faults_the_same_on_all_cores(tmp_path: Path) -> None:
    plan = make_plan(stichwerk.game("sticheln", seats=3, rounds=1), ["raises", "wanderer"], 1)
    assert plan.bots == ("raises-3", "wanderer-3")
    tasks = [Task(0, 1, deal) for deal in range(2)]
    with here(plan) as play:
        mine = [outcome.settled for outcome in play(tasks)]
    with on_cores(plan, 2) as play:
        theirs = sorted((one.settled for one in play(tasks)), key=lambda one: one.deal)
    assert mine == theirs
    (fault,) = mine[0].faults
    assert (fault.first.bot, fault.first.id) == ("raises-3", "python-raised")
    assert fault.count == mine[0].moves, "each move of A in all seats"
    assert fault.first.seed == mine[0].seed
    with Journal(str(tmp_path / "run.jsonl"), plan) as journal:
        for outcome in mine:
            journal.append(outcome)
    with Journal(str(tmp_path / "run.jsonl"), plan) as journal:
        contest = Tournament(plan=plan, deals=2, journal=journal)
        with here(plan) as play:
            result = contest.result(0, 1, play, lambda result: None)
    assert [one.count for one in result.faults.counted] == [sum(one.moves for one in mine)]


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_fault_is_reported_while_its_deal_is_played(
    jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    idle.end()
    gate = tmp_path / "gate"
    monkeypatch.setenv("GATE", str(gate))
    setting = stichwerk.game("sticheln", seats=3, rounds=1)
    plan = make_plan(setting, ["waits_for_report", "random"], 1)
    reported: list[BotFault] = []

    def report(fault: BotFault) -> None:
        reported.append(fault)
        gate.touch()

    with workplace("local", plan, jobs, Hosting(limit=60), report) as play:
        (outcome,) = play([Task(0, 1, 0)])
    assert [(fault.id, fault.data["error"]) for fault in reported] == [
        ("python-raised", "LookupError: report me")
    ]
    assert outcome.faults[0].first == reported[0]


def test_a_deal_without_faults_is_stored_unchanged() -> None:
    plan = make_plan(stichwerk.game("sticheln", seats=3, rounds=1), ["random", "greedy"], 1)
    outcome = play_deal(plan, Task(0, 1, 0))
    assert list(json.loads(msgspec.json.encode(outcome))) == [
        name for name in Outcome.__struct_fields__ if name not in ("faults", "rounds_won")
    ]


def test_in_process_the_arena_uses_one_job() -> None:
    plan = make_plan(stichwerk.game("sticheln", seats=3), ["raises", "random"], 1, None, AT_HOME)
    with pytest.raises(LookupError), workplace("local", plan, None, AT_HOME) as play:
        list(play([Task(0, 1, 0)]))


# -- Commands --------------------------------------------------------------------------------------


def call(capfd: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = cli.main([*args, "--lang", "en"])
    said = capfd.readouterr()
    return code, said.out, said.err


@pytest.mark.slow
def test_simulate_names_and_counts_faults(capfd: pytest.CaptureFixture[str]) -> None:
    table = ("sticheln", "--seats", "3", "--option", "rounds=1", "--seed", "4")
    code, out, err = call(capfd, "simulate", *table, "--bots", "raises,wrong,noisy", "--games", "2")
    assert code == 0
    assert "Sticheln, seed 4, seat 0: The bot 'raises' raised an exception: LookupError" in err
    assert "Sticheln, seed 4, seat 1: The bot 'wrong' wants to play 'X99'" in err
    assert err.count("Traceback") == 1, "the first of a kind"
    assert "30 faults of raises: python-raised 30\n" in out
    assert "noisy: " not in out + err


@pytest.mark.slow
def test_arena_names_and_counts_faults(capfd: pytest.CaptureFixture[str]) -> None:
    table = ("sticheln", "--seats", "3", "--option", "rounds=1", "--seed", "4", "--deals", "1")
    args = ("arena", *table, "--bots", "raises,random", "--jobs", "1")
    code, out, err = call(capfd, *args)
    assert code == 0
    assert ", seat 0: The bot 'raises-3' raised an exception" in err
    assert "faults of raises-3: python-raised" in out
    code, out, _ = call(capfd, *args, "--json")
    (fault,) = json.loads(out)["faults"]
    assert (fault["bot"], fault["fault"], fault["first"]["seat"]) == (
        "raises-3",
        "python-raised",
        0,
    )
    assert fault["count"] == json.loads(out)["moves"]


@pytest.mark.slow
def test_positions_names_and_counts_faults(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(capfd, "positions", "sticheln", "--bots", "wrong")
    assert code == 0
    assert "wrong-3" in out
    assert "40 faults of wrong-3: python-illegal-move 40" in err


@pytest.mark.slow
def test_flags_for_external_bots(capfd: pytest.CaptureFixture[str]) -> None:
    table = ("simulate", "sticheln", "--seats", "3", "--option", "rounds=1", "--games", "1")
    with pytest.raises(LookupError):
        cli.main([*table, "--bots", "raises", "--in-process"])
    for request in ("0", "nan", "5000"):
        code, _, err = call(capfd, *table, "--time-limit", request)
        assert (code, "0.01" in err) == (2, True)
    code, _, err = call(capfd, *table, "--bots", "hangs,random", "--time-limit", "0.01")
    assert code == 0
    assert "has not answered within 0.01 seconds" in err


@pytest.mark.slow
def test_play_continues_and_reports_faults(
    package: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    typed = "".join(f"{colour}{value}\n" for colour in "RYGBLS" for value in range(16)) * 15
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    table = ("play", "sticheln", "--seats", "3", "--option", "rounds=1", "--seed", "4", "--plain")
    kept = str(tmp_path / "kept.json")
    code, out, err = call(capfd, *table, "--bots", "raises,wrong", "--save", kept)
    assert code == 0
    assert "Sticheln, seed 4, seat 1: The bot 'raises' raised an exception" in out
    assert "Traceback" not in out, "the table shows a sentence"
    assert 'raise LookupError("no idea")' in err, "what helps to mend it comes after the match"
    assert "15 faults of wrong: python-illegal-move 15" in err
    assert cli.main(["verify", kept]) == 0


@pytest.mark.slow
def test_a_broken_bot_gives_no_hint(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("t\nq\n"))
    table = ("play", "sticheln", "--seats", "3", "--seed", "4", "--plain", "--save", os.devnull)
    code, out, err = call(capfd, *table, "--bots", "random", "--hints", "bad_adviser")
    assert code == 0
    assert "bad_adviser-3 gives no hints" in out
    assert "LookupError: no advice" in err


# -- What is written about them --------------------------------------------------------------------


def test_every_fault_is_documented() -> None:
    sources = [Path(str(one.__file__)).read_text("utf-8") for one in (program, python_bot)]
    kinds = re.findall(r'_fault\(\s*"([\w-]+)"', "".join(sources))
    assert set(rows("Faults of a Python bot")) == {f"python-{kind}" for kind in kinds}


def test_the_limits_are_documented() -> None:
    text = " ".join(PAGE.read_text("utf-8").split())
    assert f"A move takes {program.USUAL_LIMIT:g} seconds at most, or as `--time-limit`" in text
    assert f"must be done in {python_bot.START_SECONDS:g} seconds" in text
    assert f"It has {python_bot.CLOSE_SECONDS:g} seconds" in text
    assert f"`close` was not done in {python_bot.CLOSE_SECONDS:g} seconds" in text
