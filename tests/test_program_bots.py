"""Programs as bots: real little programs that play, hang, die, lie and flood."""

import ast
import gc
import os
import re
import shlex
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import stichwerk
from stichwerk import bots
from stichwerk.bots import faults, program
from stichwerk.bots.faults import BotFault
from stichwerk.bots.program import ProgramBot
from stichwerk.errors import StichwerkError
from stichwerk.locale import LANGUAGES, text
from stichwerk.match import Setting
from stichwerk.record import record, verify
from stichwerk.simulate import fill_seats, play_match
from stichwerk.view import View
from tests.strategies import tables

EXAMPLE = Path(__file__).parents[1] / "docs/examples/program_bot.py"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs as bots need a Unix system")

# What every program of these tests begins with: questions in, answers out.
PRELUDE = """
import json, os, signal, sys, time
def questions():
    for line in sys.stdin:
        message = json.loads(line)
        if message["kind"] == "choose":
            yield message["id"], message["view"]["moves"]
def answer(id, move):
    print(json.dumps({"id": id, "move": move}), flush=True)
"""


@pytest.fixture(scope="module", autouse=True)
def nothing_to_collect() -> None:
    """What other files left behind is gone."""
    gc.collect()


@pytest.fixture(autouse=True)
def no_process_is_left(nothing_to_collect: None) -> Iterator[None]:
    """After each test all children are gone, waited for, and no pipe is open."""
    gc.freeze()  # the collection after the test visits only what the test made
    pipes, before = open_pipes(), children()
    yield
    gc.collect()
    assert children() <= before  # other tests of this worker may have left some of Python's own
    assert open_pipes() == pipes


def children() -> set[str]:
    """Return the unreaped child processes of this one, if the system tells."""
    tasks = Path("/proc/self/task").glob("*/children")
    return {pid for task in tasks for pid in task.read_text().split()}


def open_pipes() -> set[str]:
    """Return the open files of this process, if the system tells."""
    folder = Path("/proc/self/fd")
    if not folder.exists():
        return set()
    found = (str(link.readlink()) for link in folder.iterdir() if link.is_symlink())
    return {target for target in found if target.startswith("pipe:")}


Command = Callable[[str], str]


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """Writes a program and gives the command line that runs it."""

    def write(source: str) -> str:
        path = tmp_path / f"bot {len(list(tmp_path.iterdir()))}.py"
        path.write_text(PRELUDE + textwrap.dedent(source), "utf-8")
        return shlex.join([sys.executable, "-S", str(path)])

    return write


def asked(
    command: str, times: int, limit: float = 60, seed: int = 0
) -> tuple[ProgramBot, list[str]]:
    """Return a bot after this many requests, all about one view, and its answers."""
    result: list[BotFault] = []
    with ProgramBot(command, seed, limit, result.append, match_seed=57) as bot:
        answers = [bot.choose(some_view()) for _ in range(times)]
    assert Counter(fault.id for fault in result) == bot.fault_counts, (
        "reported and counted are the same"
    )
    assert list({fault.id: fault for fault in reversed(result)}.values())[::-1] == bot.faults
    for fault in result:
        assert (fault.bot, fault.game, fault.seed, fault.seat) == (bot.name, "sticheln", 57, 0)
        for lang in LANGUAGES:
            sentence = fault.sentence(lang)
            assert fault.id not in sentence
            assert "57" in sentence
    return bot, answers


def some_view() -> View:
    """Return a seat that may play any of fifteen cards as its pain card."""
    return stichwerk.game("sticheln", seats=4).new(seed=1).view(0)


MOVES = some_view().moves
FIRST, LAST = MOVES[0], MOVES[-1]


# -- Programs that play ----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), tables())
def test_the_example_plays_every_game(name: str, seats: int) -> None:
    setting = Setting(name, seats, {})
    player = f"program:{shlex.join([sys.executable, str(EXAMPLE)])}"
    faults._reported.clear()
    match = play_match(setting, fill_seats([player, "random"], seats), 4)
    assert match.names[0] == player
    assert verify(record(match)).status == "holds"
    assert not faults._reported, "it has no faults"


@pytest.mark.slow
@pytest.mark.parametrize("date", ["09-14", "02-28", "07-36", "04-06"])
def test_the_example_plays_days(date: str) -> None:
    player = f"program:{shlex.join([sys.executable, str(EXAMPLE)])}"
    faults._reported.clear()
    assert play_match(Setting("stichtag", 4, {"date": date}), [player] * 4, 4).over
    assert not faults._reported


def test_the_example_chooses_the_lowest() -> None:
    bot, answers = asked(shlex.join([sys.executable, str(EXAMPLE)]), 3)
    assert answers == [min(MOVES, key=lambda move: int(move[1:]))] * 3
    assert bot.faults == []


def test_the_example_is_short_and_uses_only_the_standard_library() -> None:
    source = EXAMPLE.read_text("utf-8")
    imported = {
        name.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import)
        for name in node.names
    }
    assert imported <= sys.stdlib_module_names
    assert len(source.splitlines()) <= 25


def test_a_program_is_started_once_and_greeted(command: Command) -> None:
    source = """
        hello = json.loads(sys.stdin.readline())
        expected = {"kind": "hello", "protocol": 1, "seed": 2**53 - 1, "limit": 60.5}
        for count, (id, moves) in enumerate(questions()):
            answer(id, moves[count + 1] if hello == expected else "?")
    """
    bot, answers = asked(command(source), 3, 60.5, seed=-1)
    assert answers == list(MOVES[1:4])
    assert bot.faults == []


def test_an_answer_may_have_extra_fields(command: Command) -> None:
    source = """
        for id, moves in questions():
            print(json.dumps({"why": ["é"], "move": moves[-1], "id": id}), flush=True)
    """
    assert asked(command(source), 2)[1] == [LAST, LAST]


# -- Programs with faults --------------------------------------------------------------------------


@pytest.mark.slow
def test_a_program_that_hangs_is_killed(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "KILL_SECONDS", 0.05)
    source = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(60)"
    rounds = program.LATE_IN_A_ROW * (program.RESTARTS + 1)
    bot, answers = asked(command(source), rounds + 3, limit=0.05)
    assert answers == [FIRST] * (rounds + 3)
    assert bot.fault_counts == {"program-late": rounds, "program-given-up": 3}
    assert [reason.id for reason in bot.faults] == ["program-late", "program-given-up"]


def test_a_program_that_dies_is_restarted_three_times(command: Command) -> None:
    bot, answers = asked(command("next(questions()); sys.exit(3)"), 6)
    assert answers == [FIRST] * 6
    assert bot.fault_counts == {"program-ended": 4, "program-given-up": 2}
    assert bot.faults[0].data["code"] == 3


def test_a_killed_program_is_restarted(command: Command) -> None:
    source = """
        for id, moves in questions():
            if moves[0] != "R1": answer(id, moves[-1])
    """
    with ProgramBot(command(source), 0) as bot:
        assert bot.choose(some_view()) == LAST
        assert bot._running
        bot._running.process.send_signal(signal.SIGKILL)
        bot._running.process.wait()
        assert bot.choose(some_view()) == LAST  # it was dead before the question: nothing is lost
        (fault,) = bot.faults
        assert fault.id == "program-ended"
        assert fault.data == {"program": bot.label, "code": -signal.SIGKILL, "restarts": 3}


def test_a_program_may_exit_after_each_answer(command: Command) -> None:
    source = "id, moves = next(questions()); answer(id, moves[-1])"
    _, answers = asked(command(source), 8)  # it may still be ending when the next one comes
    assert answers.count(LAST) == program.RESTARTS + 1
    assert answers[-1] == FIRST


@pytest.mark.parametrize(
    ("line", "id"),
    [
        ("hello", "program-garbage"),
        ("", "program-garbage"),
        ("\xff\0", "program-garbage"),
        ("[1, 2]", "program-garbage"),
        ('{"move": "R1"}', "program-garbage"),
        ('{"id": "1", "move": "R1"}', "program-garbage"),
        ('{"id": 1, "move": 5}', "program-garbage"),
        ("[" * 10_000, "program-garbage"),
        ('{"id": 99, "move": "R1"}', "program-wrong-id"),
        ('{"id": -1, "move": "R1"}', "program-wrong-id"),
        ('{"id": 1, "move": "R99"}', "program-illegal-move"),
        ('{"id": 1, "move": "\\n"}', "program-illegal-move"),
        ("x" * 70_000, "program-endless-line"),
    ],
)
def test_an_answer_without_a_move_is_a_fault(command: Command, line: str, id: str) -> None:
    raw = line.encode("latin-1") + b"\n"
    source = f"for _ in questions(): sys.stdout.buffer.write({raw!r}); sys.stdout.flush()"
    bot, answers = asked(command(source), 1)
    assert answers == [FIRST]
    assert [reason.id for reason in bot.faults] == [id]


def test_a_program_may_recover_after_a_fault(command: Command) -> None:
    source = """
        for id, moves in questions():
            answer(id, "R99" if id == 1 else moves[-1])
    """
    bot, answers = asked(command(source), 4)
    assert answers == [FIRST, LAST, LAST, LAST]
    assert bot.fault_counts == {"program-illegal-move": 1}


@pytest.mark.slow
def test_late_answers_are_skipped(command: Command, tmp_path: Path) -> None:
    """Its first answer comes when the second question is asked, and is not taken for it."""
    gate = tmp_path / "gate"
    source = f"""
        for id, moves in questions():
            while not os.path.exists({str(gate)!r}): time.sleep(0.002)
            answer(id, moves[id])
    """
    with ProgramBot(command(source), 0, 0.05, lambda reason: None) as bot:
        assert bot.choose(some_view()) == FIRST
        bot.limit = 60
        gate.touch()
        assert bot.choose(some_view()) == MOVES[2]
        assert bot.choose(some_view()) == MOVES[3]
    assert bot.fault_counts == {"program-late": 1}


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        "while True: os.write(1, b'y' * 65536)",
        "while True: os.write(1, b'y\\n' * 30000)",
        'while True: os.write(1, b\'{"id": 1, "move": "R99"}\\n\' * 1000)',
        "while True: os.write(2, b'y' * 65536)",
    ],
)
def test_flooding_programs_are_faults(
    command: Command, source: str, capfd: pytest.CaptureFixture[str]
) -> None:
    bot, answers = asked(command(source), 3, limit=0.3)
    assert answers == [FIRST] * 3
    assert bot.fault_counts.total() == 3
    assert len(capfd.readouterr().err) <= program.MOST_NOISE * (program.RESTARTS + 1)


@pytest.mark.slow
def test_a_program_that_never_reads_is_a_fault(command: Command) -> None:
    """Questions do not heap up: at most one is in the making."""
    with ProgramBot(command("time.sleep(60)"), 0, 0.02, lambda reason: None) as bot:
        bot.choose(some_view())
        assert bot._running
        bot._running.unsent += b"x" * 200_000  # more than a pipe holds
        bot._late = -100
        for _ in range(50):
            assert bot.choose(some_view()) == FIRST
        assert len(bot._running.unsent) < 220_000
    assert bot.fault_counts == {"program-late": 51}


@pytest.mark.slow
def test_a_program_that_reads_slowly_gets_whole_lines(command: Command, tmp_path: Path) -> None:
    """A question that was cut off by the limit is finished before the next one begins."""
    names = tuple("x" * 100_000 for _ in some_view().names)  # more than a pipe holds
    large = msgspec.structs.replace(some_view(), names=names)
    gate = tmp_path / "gate"
    source = f"""
        while not os.path.exists({str(gate)!r}): time.sleep(0.002)
        for id, moves in questions():
            answer(id, moves[-1])
    """
    with ProgramBot(command(source), 0, 0.05, lambda reason: None) as bot:
        bot.choose(some_view())
        bot.choose(large)
        assert bot._running
        assert bot._running.unsent, "the end of a question that has begun"
        bot.limit = 60
        gate.touch()
        assert [bot.choose(some_view()) for _ in range(3)] == [LAST] * 3


@pytest.mark.slow
def test_a_program_that_closes_its_output_is_a_fault(command: Command) -> None:
    bot, answers = asked(command("os.close(1); time.sleep(60)"), 2)
    assert answers == [FIRST, FIRST]
    assert bot.fault_counts == {"program-ended": 2}


def test_a_program_that_cannot_start_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "broken"
    path.write_bytes(b"\x7fELF nothing")
    path.chmod(0o755)
    bot, answers = asked(shlex.quote(str(path)), 6)
    assert answers == [FIRST] * 6
    assert bot.fault_counts == {"program-no-start": 4, "program-given-up": 2}


def test_final_stderr_output_is_passed_on(
    command: Command, capfd: pytest.CaptureFixture[str]
) -> None:
    asked(command("raise RuntimeError('my bug')"), 1)
    assert "my bug" in capfd.readouterr().err


def test_a_fault_is_reported_once(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    faults._reported.clear()
    bot = f"program:{command('for id, _ in questions(): answer(id, 7)')}"
    match = play_match(Setting("sticheln", 3, {"rounds": 1}), [bot, "random", "random"], 1)
    assert verify(record(match)).status == "holds"
    play_match(Setting("sticheln", 3, {"rounds": 1}), [bot, "random", "random"], 2)
    result = capsys.readouterr().err
    assert result.count("\n") == 1
    assert "{" in result


# -- The end ---------------------------------------------------------------------------------------


def test_a_program_ends_when_its_input_does(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "STOP_SECONDS", 60.0)
    note = tmp_path / "note"
    source = f"""
        for id, moves in questions(): answer(id, moves[-1])
        time.sleep(0.1)  # a program that is ended at once does not get here
        open({str(note)!r}, "w").write("bye")
    """
    asked(command(source), 1)
    assert note.read_text() == "bye"


@pytest.mark.slow
def test_a_stubborn_program_is_killed_with_its_children(command: Command, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    source = f"""
        import subprocess
        child = subprocess.Popen(["sleep", "60"])
        open({str(note)!r}, "w").write(str(child.pid))
        for id, moves in questions(): answer(id, moves[-1])
        time.sleep(60)
    """
    asked(command(source), 1)
    end = time.monotonic() + 60
    while alive(int(note.read_text())):  # its new parent has to reap it first
        assert time.monotonic() < end
        time.sleep(0.02)


def alive(pid: int) -> bool:
    """Return whether a process is there that has not ended."""
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return bool(listed.stdout.strip()) and not listed.stdout.startswith("Z")


def test_a_garbage_collected_bot_is_ended(command: Command) -> None:
    bot = ProgramBot(command("for id, moves in questions(): answer(id, moves[-1])"), 0)
    assert bot.choose(some_view()) == LAST
    del bot
    gc.collect()  # the fixture looks whether anything is left


@pytest.mark.slow
def test_no_process_is_left_when_python_exits(command: Command, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    source = f"""
        open({str(note)!r}, "w").write(str(os.getpid()))
        for id, moves in questions(): answer(id, moves[-1])
        time.sleep(60)
    """
    script = f"""if True:
        import stichwerk
        bot = stichwerk.bot({"program:" + command(source)!r})
        print(bot.choose(stichwerk.game("sticheln", seats=4).new(seed=1).view(0)))
    """
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == (f"{LAST}\n", "")
    assert not alive(int(note.read_text()))


def test_a_match_that_breaks_off_ends_its_bots(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[ProgramBot] = []
    monkeypatch.setattr(ProgramBot, "close", lambda self: ended.append(self))
    bot = f"program:{command('pass')}"
    monkeypatch.setattr(ProgramBot, "choose", lambda self, view: "R99")
    with pytest.raises(StichwerkError):
        play_match(Setting("sticheln", 3, {}), [bot, bot, "random"], 1)
    assert len(ended) == 2


def test_closing_twice_or_before_starting_is_harmless() -> None:
    bot = ProgramBot("cat", 0)
    bot.close()
    bot.close()


# -- Names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "argv", "limit"),
    [
        ("program:cat", ["cat"], 5),
        ("program: cat -u ", ["cat", "-u"], 5),
        ("program:2.5s:cat 'a b'", ["cat", "a b"], 2.5),
        ("program:30s:cat", ["cat"], 30),
        ("program:cat 3s:x", ["cat", "3s:x"], 5),
    ],
)
def test_names(name: str, argv: list[str], limit: float) -> None:
    bot: Any = bots.build(name, 7)
    assert (bot.argv, bot.limit, bot.seed, bot.version) == (argv, limit, 7, 1)
    assert bot.name == name


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("program:", "no-command"),
        ("program:  ", "no-command"),
        ("program:5s:", "no-command"),
        ("program:cat 'x", "bad-command"),
        ("program:cat \0", "bad-command"),
        ("program:no-such-program-anywhere", "no-program"),
        ("program:./", "no-program"),
        ("program:2.5:cat", "no-program"),
        ("program:0s:cat", "bad-program-limit"),
        ("program:999999999s:cat", "bad-program-limit"),
    ],
)
def test_wrong_names_are_refused_before_anything_starts(name: str, id: str) -> None:
    with pytest.raises(StichwerkError) as caught:
        fill_seats([name], 3)
    assert caught.value.id == id
    for lang in LANGUAGES:
        assert not text(id, lang, **caught.value.data).startswith(id)


def test_program_bots_are_refused_on_other_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "POSIX", False)
    with pytest.raises(StichwerkError, match="no-programs-here"):
        bots.build("program:cat")


# -- What is written about them --------------------------------------------------------------------

PAGE = EXAMPLE.parents[1] / "writing-bots.md"


def rows(heading: str) -> list[str]:
    """Return the first column of the table under a heading."""
    part = re.split(rf"^#+ {heading}$", PAGE.read_text("utf-8"), flags=re.MULTILINE)[1]
    return re.findall(r"^\| `([\w-]+)` \|", re.split("^#", part, flags=re.MULTILINE)[0], re.M)


def test_every_field_is_documented() -> None:
    assert rows("The view") == list(View.__struct_fields__)
    fields = [*program.ProgramHello.__struct_fields__, "kind", *program.Choose.__struct_fields__]
    assert rows("What it reads") == ["kind", *fields]
    assert rows("What it writes") == list(program.ProgramAnswer.__struct_fields__)


def test_every_fault_is_documented() -> None:
    source = Path(program.__file__).read_text("utf-8")
    kinds = re.findall(r'_fault\(\s*"([\w-]+)"', source)
    assert set(rows("Time limit and faults")) == {f"program-{kind}" for kind in kinds}


@pytest.mark.parametrize(
    "path", [*sorted(EXAMPLE.parent.glob("entry_point_bot/[a-z]*.*")), EXAMPLE]
)
def test_the_documented_program_is_the_example(path: Path) -> None:
    assert path.read_text("utf-8") in PAGE.read_text("utf-8")
