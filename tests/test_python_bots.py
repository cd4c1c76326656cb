"""Bots of other packages in worker processes: they play as they do at home, and end no match."""

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from stichwerk import bots
from stichwerk.bots import hosting, program, python_bot
from stichwerk.bots.faults import BotFault, FaultBook
from stichwerk.bots.hosting import seat_bots, vetted
from stichwerk.bots.python_bot import PythonBot, idle
from stichwerk.bots.python_worker import AskMove, Build, Close, packed, unpacked
from stichwerk.bots.registry import worded
from stichwerk.errors import StichwerkError, UnknownBotError
from stichwerk.locale import LANGUAGES
from stichwerk.match import Setting
from stichwerk.record import encode, record, verify
from stichwerk.simulate import play_match
from tests.bot_packages import (
    path_with,
    put_package,
)
from tests.python_bot_setup import AT_HOME, SHORT, some_view
from tests.python_bot_setup import package as package

pytestmark = pytest.mark.skipif(os.name != "posix", reason="workers need a Unix system")


MOVES = some_view().moves

FIRST = MOVES[0]


def asked(name: str, times: int, limit: float = 60) -> tuple[PythonBot, list[str], list[BotFault]]:
    """Return a bot after this many requests about one view, its answers and its faults."""
    output: list[BotFault] = []
    with PythonBot(name, 9, limit, output.append, match_seed=57) as bot:
        answers = [bot.choose(some_view()) for _ in range(times)]
    assert Counter(fault.id for fault in output) == bot.fault_counts
    for fault in output:
        assert (fault.bot, fault.game, fault.seed, fault.seat) == (name, "sticheln", 57, 0)
        for lang in LANGUAGES:
            sentence = fault.sentence(lang)
            assert name in sentence
            assert "57" in sentence
            assert "python-" not in sentence, "it has words"
    return bot, answers, output


def idle_workers(name: str) -> set[int]:
    """Return the processes that are kept for the next match."""
    return {one.process.pid for one in idle._workers if one.name == name}


# -- They play as in this process ------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "setting",
    [
        SHORT,
        Setting("stichling", 4, {"discard": "hand"}),
        Setting("null-nichtig", 3, {}),
        Setting("stichtag", 4, {"date": "09-14"}),
    ],
    ids=lambda setting: setting.name,
)
def test_the_same_seed_gives_the_same_match_as_in_this_process(setting: Setting) -> None:
    players = ["wanderer" if seat % 2 == 0 else "random" for seat in range(setting.seats)]
    faults = FaultBook()
    for seed in (3, 4):  # the workers of the first match play the second, too
        worked = play_match(setting, players, seed, on_fault=faults.note)
        home = play_match(setting, players, seed, hosting=AT_HOME)
        assert encode(record(worked)) == encode(record(home))
    assert faults.counted == ()


@pytest.mark.slow
def test_a_worker_knows_custom_games(package: Path) -> None:
    """Its file is named by the environment; the bot makes samples, so it needs the rules."""
    game = Path(__file__).parents[1] / "docs/examples/own_game.py"
    table = (str(game), "--seed", "1", "--games", "1", "--bots", "wanderer,random")
    played = [
        subprocess.run(
            [sys.executable, "-m", "stichwerk", "simulate", *table, "--records", "-", *flags],
            env={**os.environ, "PYTHONPATH": path_with(package)},
            capture_output=True,
            text=True,
            timeout=60,
        )
        for flags in ([], ["--in-process"])
    ]
    assert played[0].stdout == played[1].stdout != ""
    assert "wanderer: " not in played[0].stderr


def test_a_view_keeps_its_types() -> None:
    view = some_view()
    odd = msgspec.structs.replace(view, table={"pile": ("R1", "R2"), 7: {1, 2}}, mine={"at": 0.5})
    for one in (view, odd):
        sent = packed(AskMove(1, one))[4:]
        assert sent.startswith(b"{") == (one is view), "pickled only where JSON would change it"
        received = unpacked(sent)
        assert isinstance(received, AskMove)
        assert received.view == one
        assert type(received.view.table.get("pile")) is type(one.table.get("pile"))


def test_a_worker_gets_views_and_seeds_and_no_more() -> None:
    assert AskMove.__struct_fields__ == ("id", "view", "advice")
    assert Build.__struct_fields__ == ("id", "seed", "seconds")
    assert Close.__struct_fields__ == ("id", "seconds")


@pytest.mark.slow
def test_one_worker_for_a_seat_is_used_for_all_its_moves_and_matches() -> None:
    players = ["wanderer-3", "wanderer-3", "random"]
    play_match(SHORT, players, 1)
    first = idle_workers("wanderer-3")
    assert len(first) == 2
    play_match(SHORT, players, 2)
    assert idle_workers("wanderer-3") == first


@pytest.mark.slow
def test_a_bot_is_closed_when_its_match_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    idle.end()
    note = tmp_path / "closed"
    monkeypatch.setenv("CLOSED_BY", str(note))
    play_match(SHORT, ["wanderer", "random", "random"], 1)
    idle.end()  # which waits until it is done
    assert len(note.read_text().splitlines()) == 1


@pytest.mark.slow
def test_advice_comes_from_the_worker() -> None:
    with PythonBot("adviser", 1, 60) as bot:
        advice = bot.advise(some_view())
        assert advice is not None
        assert (advice.move, advice.alternatives[0].value) == (MOVES[1], 2.5)
    with PythonBot("wanderer", 1, 60) as bot:
        assert bot.advise(some_view()) is None
        assert not bot.fault_counts
    with PythonBot("bad_adviser", 1, 60, lambda fault: None) as bot:
        assert bot.advise(some_view()) is None
        assert bot.fault_counts == {"python-raised": 1}


# -- Faults ----------------------------------------------------------------------------------------


def test_an_exception_is_a_fault_with_its_traceback_and_no_values() -> None:
    bot, answers, output = asked("raises", 3)
    assert answers == [FIRST] * 3
    assert bot.fault_counts == {"python-raised": 3}
    assert output[0].data["error"] == "LookupError: no idea"
    shown = "\n".join(output[0].lines("en"))
    assert 'raise LookupError("no idea")' in shown
    assert "in helper" in shown
    assert "its value" not in shown
    assert "python_worker.py" not in shown, "the bot's own part is enough"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "id", "fact"),
    [
        ("wrong", "python-illegal-move", "X99"),
        ("odd", "python-illegal-move", "5"),
        ("surrogate", "python-raised", "LookupError: ?"),
        ("half_sign", "python-illegal-move", "?"),
        ("leaves", "python-raised", "SystemExit: 3"),
        ("asks", "python-raised", "EOFError: EOF when reading a line"),
    ],
)
def test_other_faults_cost_one_move_each(name: str, id: str, fact: str) -> None:
    bot, answers, output = asked(name, 2)
    assert answers == [FIRST] * 2
    assert bot.fault_counts == {id: 2}
    assert fact in output[0].data.values()
    kept = idle_workers(name)
    asked(name, 1)
    assert idle_workers(name) == kept != set(), "the worker goes on"


@pytest.mark.slow
def test_output_of_a_bot_is_discarded_and_breaks_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    bot, answers, _ = asked("noisy", 3)
    assert not bot.fault_counts
    assert set(answers) <= set(MOVES)
    said = capfd.readouterr()
    assert (said.out, said.err) == ("", "")


@pytest.mark.slow
def test_a_bot_that_dies_is_restarted_three_times_and_its_output_reported() -> None:
    bot, answers, output = asked("dies", 6)
    assert answers == [FIRST] * 6
    assert bot.fault_counts == {"python-ended": 4, "python-given-up": 2}
    assert output[0].data["code"] == 7
    assert output[0].said == ("my last words",)


@pytest.mark.slow
def test_a_crash_of_compiled_code_is_reported_with_its_place() -> None:
    bot, answers, output = asked("crashes", 1)
    assert answers == [FIRST]
    assert bot.fault_counts == {"python-ended": 1}
    assert output[0].data["code"] == -signal.SIGSEGV
    assert any("many_bots.py" in line for line in output[0].said)


@pytest.mark.slow
def test_a_bot_that_hangs_is_killed_and_given_up() -> None:
    rounds = program.LATE_IN_A_ROW * (program.RESTARTS + 1)
    bot, answers, _ = asked("hangs", rounds + 2, limit=0.02)
    assert answers == [FIRST] * (rounds + 2)
    assert bot.fault_counts == {"python-late": rounds, "python-given-up": 2}


@pytest.mark.slow
def test_a_late_answer_is_skipped_and_the_bot_keeps_its_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = tmp_path / "gate"
    monkeypatch.setenv("GATE", str(gate))
    with PythonBot("late_once", 1, 0.05, lambda fault: None) as bot:
        assert bot.choose(some_view()) == FIRST
        bot.limit = 60
        gate.touch()
        assert bot.choose(some_view()) == MOVES[2]
        assert bot.fault_counts == {"python-late": 1}


@pytest.mark.slow
def test_a_busy_worker_is_not_reused() -> None:
    bot, _, _ = asked("hangs", 1, limit=0.02)
    assert bot.fault_counts == {"python-late": 1}
    assert idle_workers("hangs") == set()


@pytest.mark.slow
def test_a_bot_that_cannot_be_made_is_given_up() -> None:
    bot, answers, output = asked("picky", 5)
    assert answers == [FIRST] * 5
    assert bot.fault_counts == {"python-raised": 4, "python-given-up": 1}
    assert output[0].data["error"] == "ValueError: seed 9"


CLOSERS = """
import os, time
class Bot:
    def __init__(self, seed):
        pass
    def choose(self, view):
        return view.moves[0]
class Raises(Bot):
    def close(self):
        raise OSError("disk full")
class Hangs(Bot):
    def close(self):
        time.sleep(600)
class Dies(Bot):
    def close(self):
        os._exit(6)
"""


@pytest.fixture
def closers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots whose `close` does everything wrong."""
    points = {f"close_{kind.lower()}": f"closers:{kind}" for kind in ("Raises", "Hangs", "Dies")}
    put_package(tmp_path, "closers", points, closers=CLOSERS)
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.usefixtures("closers")
@pytest.mark.parametrize(
    ("name", "id", "fact"),
    [
        ("close_raises", "python-close-raised", "OSError: disk full"),
        ("close_hangs", "python-close-late", "0.05"),
        ("close_dies", "python-close-ended", 6),
    ],
)
def test_a_close_that_fails_is_a_fault_and_delays_no_other_match(
    name: str, id: str, fact: str | int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if id == "python-close-late":
        monkeypatch.setattr(python_bot, "CLOSE_SECONDS", 0.05)
    assert vetted(name) == f"{name}-1", "it can play"
    faults = FaultBook()
    for seed in (4, 5):
        assert play_match(SHORT, [name, "random", "random"], seed, on_fault=faults.note).over
    (counted,) = faults.counted
    assert (counted.first.id, counted.count) == (id, 2)
    assert (counted.first.seed, counted.first.seat) == (4, 0)
    assert fact in counted.first.data.values()
    for lang in LANGUAGES:
        assert str(fact) in counted.first.sentence(lang)
    assert len(idle_workers(name)) == (id == "python-close-raised"), "others are ended"


@pytest.mark.usefixtures("closers")
def test_without_workers_a_close_that_raises_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosting, "POSIX", False)
    assert vetted("close_raises") == "close_raises-1"
    faults = FaultBook()
    play_match(SHORT, ["close_raises", "random", "random"], 4, on_fault=faults.note)
    assert [(one.first.id, one.count) for one in faults.counted] == [("python-close-raised", 1)]


@pytest.mark.slow
def test_a_match_with_every_fault_is_played_to_its_end() -> None:
    faults = FaultBook()
    players = ["raises", "wrong", "dies"]
    first = play_match(SHORT, players, 5, on_fault=faults.note)
    assert verify(record(first)).status == "holds"
    assert first.names == tuple(players)
    places = {one.first.bot: (one.first.seed, one.first.seat) for one in faults.counted}
    assert places == {"raises": (5, 0), "wrong": (5, 1), "dies": (5, 2)}
    counts = {(one.first.bot, one.first.id): one.count for one in faults.counted}
    assert counts["raises", "python-raised"] == counts["wrong", "python-illegal-move"] > 10
    again = play_match(SHORT, players, 5, on_fault=lambda fault: None)
    assert encode(record(first)) == encode(record(again)), "faults are reproducible, too"


# -- Refused before anything is played -------------------------------------------------------------


@pytest.mark.slow
def test_a_bot_is_vetted_in_a_worker() -> None:
    assert vetted("wanderer") == "wanderer-3"
    assert vetted("random") == "random-1"
    for name, id in {"wanderer-2": "unknown-bot-version", "wanderer@5": "no-iterations"}.items():
        with pytest.raises(StichwerkError, match=id):
            vetted(name)
    for unknown in ("nobody", ""):
        with pytest.raises(UnknownBotError):
            vetted(unknown)
        with pytest.raises(UnknownBotError):
            seat_bots([unknown], [0])


def test_a_reason_without_a_message_has_no_colon() -> None:
    assert worded(MemoryError()) == "MemoryError"
    assert worded(KeyboardInterrupt(" ")) == "KeyboardInterrupt"
    assert worded(LookupError("no idea")) == "LookupError: no idea"
    broken = bots.BadBotError(
        "broken-bot", bot="b", package="p", why="TypeError: no method `choose`"
    )
    assert worded(broken) == "TypeError: no method `choose`"


@pytest.mark.slow
def test_bots_that_cannot_be_loaded_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = {"slow": "slow_bots:Bot", "dead": "dead_bots:Bot", "bad": "bad_bots:Bot"}
    modules = {"slow_bots": "import time; time.sleep(600)", "dead_bots": "import os; os._exit(4)"}
    put_package(tmp_path, "broken-bots", points, **modules, bad_bots="1 / 0")
    monkeypatch.syspath_prepend(tmp_path)
    for name, id in {"dead": "bot-dies-loading", "bad": "broken-bot"}.items():
        with pytest.raises(bots.BadBotError, match=id) as caught:
            vetted(name)
        assert caught.value.data["package"] == "broken-bots"
    monkeypatch.setattr(python_bot, "START_SECONDS", 0.2)
    with pytest.raises(bots.BadBotError, match="bot-loads-late"):
        vetted("slow")
