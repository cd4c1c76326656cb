"""Bots at tables: real worker processes that think, and fake ones that hang, die, lie and flood."""

import asyncio
import gc
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

import stichwerk
from stichwerk import bots, own_games
from stichwerk.bots.advice import Advice
from stichwerk.engine.generator import Generator
from stichwerk.errors import ContradictionError
from stichwerk.games import registry
from stichwerk.match import Setting
from stichwerk.server import logs as server_log
from stichwerk.server.bots.bot_pool import (
    COMMAND,
    KILL_SECONDS,
    STOP_SECONDS,
    BotAdvice,
    BotMove,
    BotPool,
    paced,
    pause,
)
from stichwerk.server.bots.bot_worker import GRACE, WorkerQuestion, fault
from stichwerk.view import View, sample
from tests.bot_packages import path_with, put_many_bots
from tests.own_games import NO_DUTY
from tests.server.manual_clock import ManualClock, until
from tests.strategies import DATES, PAIRS, setting_id

pytestmark = pytest.mark.slow  # with a real server, or thousands of cases

Found = TypeVar("Found")

# A worker that behaves as the bot's name says. Its advice says which process it is. With
# `gate:FOLDER` it makes a file there and waits for another, which the test makes: see `Gate`.
FAKE = """
import json, os, sys, time
print("ready", flush=True)
for line in sys.stdin:
    question = json.loads(line)
    bot, moves = question["bot"], question["view"]["moves"]
    answer = {"id": question["id"], "move": moves[-1]}
    if bot == "sleep": time.sleep(1000)
    if bot == "die": os._exit(3)
    if bot == "die-later":
        print(json.dumps({**answer, "reason": "r", "data": {"pid": os.getpid()}}), flush=True)
        os._exit(0)
    if bot == "illegal": answer["move"] = "X99"
    if bot == "none": del answer["move"]
    if bot == "error": answer["error"] = "ValueError in bot.py:1"
    if bot == "wrong-id": answer["id"] += 1
    if bot == "large": answer["alternatives"] = [[moves[0], 1.0, None]] * 5000
    if bot == "endless": print("x" * 3_000_000)
    if bot.startswith("gate:"):
        begun, opened = (f"{bot[5:]}/{word}-{answer['id']}" for word in ("begun", "opened"))
        open(begun, "w").close()
        end = time.monotonic() + 60
        while not os.path.exists(opened):
            if time.monotonic() > end: os._exit(4)
            time.sleep(0.002)
    if question["advice"] and bot != "mute": answer.update(reason="r", data={"pid": os.getpid()})
    if question["advice"] and bot == "mute": del answer["move"]
    print("{]" if bot == "garbage" else json.dumps(answer), flush=True)
"""
FAKE_COMMAND = (sys.executable, "-S", "-c", FAKE)
LONG = "tree@100000000"  # thinks for minutes
SECONDS = 20.0  # for a move, by the manual clock: unlike any other time-out of the pool


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    """After each test all workers are gone, waited for, and no pipe is open."""
    gc.collect()
    before, pipes = children(), open_pipes()
    yield
    gc.collect()
    assert children() <= before
    assert open_pipes() <= pipes


def children(pid: str = "self") -> set[int]:
    """Return the child processes of a process that are not reaped, if the system tells."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return {int(child) for task in tasks for child in task.read_text().split()}


def open_pipes() -> set[str]:
    """Return the open pipes of this process, if the system tells."""
    folder = Path("/proc/self/fd")
    links = list(folder.iterdir()) if folder.exists() else []
    return {target for link in links if (target := target_of(link)).startswith("pipe:")}


def target_of(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:  # closed while we looked: the folder itself was read through one
        return ""


class Log(list[dict[str, object]]):
    """What was logged."""

    def __call__(self, event: str, **facts: object) -> None:
        self.append({"event": event, **facts})


def with_pool(work: Callable[[BotPool], Coroutine[Any, Any, Found]], **settings: Any) -> Found:
    """Do something with a pool that is closed afterwards."""

    async def run() -> Found:
        clock = settings.pop("clock", ManualClock())
        pool = BotPool(clock=clock, **settings)
        async with asyncio.timeout(600):
            try:
                found = await work(pool)
            except BaseException:
                await closed(pool, clock)  # a worker may hang
                raise
            await pool.close()
            return found

    return asyncio.run(run())


def with_fakes(
    work: Callable[[BotPool], Coroutine[Any, Any, Found]], **settings: Any
) -> tuple[Found, Log]:
    """Return the same with workers that misbehave on request."""
    log = Log()
    usual: dict[str, Any] = {"workers": 1, "seconds": SECONDS, "command": FAKE_COMMAND, "log": log}
    return with_pool(work, **(usual | settings)), log


class Gate:
    """Lets fake workers answer one by one; questions are counted from 1."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bot = f"gate:{folder}"

    async def begun(self, *questions: int) -> None:
        """Wait until workers think about just these, or have done so."""

        def found() -> set[int]:
            return {int(file.name[6:]) for file in self.folder.glob("begun-*")}

        await until(lambda: found() == set(questions), f"the beginning of {questions}")

    def open(self, question: int) -> None:
        """Let this one be answered."""
        (self.folder / f"opened-{question}").touch()


def some_view() -> View:
    """Return a seat that may play any of fifteen cards as its pain card."""
    return stichwerk.game("sticheln", seats=4).new(seed=1).view(0)


VIEW = some_view()
FIRST, LAST = VIEW.moves[0], VIEW.moves[-1]


def views(setting: Setting, seed: int, most: int) -> list[View]:
    """Return the views of the seats to move in a random match."""
    match, generator = setting.new(seed=seed), Generator(seed)
    seen: list[View] = []
    while not match.over and len(seen) < most:
        seat = match.waiting_for[0]
        view = match.view(seat)
        seen.append(view)
        match.play(seat, view.moves[generator.number(len(view.moves))])
    return seen


async def worker_pid(pool: BotPool) -> object:
    """Return which process the only fake worker is."""
    counsel = await pool.advise("honest", 0, VIEW)
    assert counsel is not None
    return counsel.data["pid"]


# -- Views on their way ----------------------------------------------------------------------------

GAMES = [
    stichwerk.game("sticheln", seats=4),
    stichwerk.game("null-nichtig", seats=4, teams=2),
    stichwerk.game("stichling", seats=2, discard="hand"),
    stichwerk.game("stichtag", seats=4, date="07-27"),
]
DAYS = [
    *(stichwerk.game("stichtag", seats=4, date=date) for date in DATES),
    *(stichwerk.game("stichtag", seats=4, sheets=sheets) for sheets in PAIRS),
]


@pytest.mark.parametrize("setting", [*GAMES, *DAYS], ids=setting_id)
def test_a_view_survives_the_pipe(setting: Setting) -> None:
    for view in views(setting, seed=5, most=60):
        received = msgspec.json.decode(msgspec.json.encode(view), type=View)
        assert received == view
        for name in ("medium", "hard", "chooser@20"):
            assert bots.build(name, 3).choose(received) == bots.build(name, 3).choose(view)


# -- Thinking --------------------------------------------------------------------------------------


def test_pool_bots_play_the_same_as_local_ones() -> None:
    asked = [
        (bot, view)
        for setting in GAMES
        for bot in ("random", "easy", "hard", "flat@50")
        for view in views(setting, seed=2, most=40)[::8]
    ]

    async def think(pool: BotPool) -> list[BotMove]:
        return await asyncio.gather(*(pool.move(bot, 9, view) for bot, view in asked))

    log = Log()
    first, again = with_pool(think, workers=2, log=log), with_pool(think, workers=1, log=log)
    assert log == []
    assert len({view.phase for _, view in asked}) > 2
    for (bot, view), thought, repeated in zip(asked, first, again, strict=True):
        assert thought.move in view.moves
        assert thought.failed is None
        if bot != "random":  # which continues from its last move
            assert thought == repeated
            assert thought.move == bots.build(bot, 9).choose(view)


def test_advice_has_a_reason_and_alternatives() -> None:
    bot: Any = bots.build("flat@50", 4)
    advice: Advice = bot.advise(VIEW)

    async def ask(pool: BotPool) -> BotAdvice | None:
        return await pool.advise("flat@50", 4, VIEW)

    counsel = with_pool(ask, workers=1)
    assert counsel is not None
    assert (counsel.move, counsel.reason) == (advice.move, advice.reason.id)
    assert counsel.data == msgspec.to_builtins(advice.reason.data)
    assert counsel.alternatives == tuple(
        (one.move, one.value, one.error) for one in advice.alternatives
    )
    assert len(counsel.alternatives) > 1


def test_large_views_and_answers_fit_through_the_pipe() -> None:
    large = msgspec.structs.replace(VIEW, names=tuple("n" * 100_000 for _ in VIEW.names))

    async def ask(pool: BotPool) -> BotAdvice | None:
        return await pool.advise("large", 0, large)

    counsel, log = with_fakes(ask)
    assert counsel is not None
    assert len(counsel.alternatives) == 5000
    assert log == []


def test_program_bots_and_unknown_bots_are_refused(tmp_path: Path) -> None:
    made = tmp_path / "made"

    async def ask(pool: BotPool) -> list[BotMove]:
        names = (f"program:touch {made}", "nobody", "hard")
        return [await pool.move(name, 1, VIEW) for name in names]

    log = Log()
    program, nobody, hard = with_pool(ask, workers=1, log=log)
    assert program == nobody == BotMove(move=FIRST, failed="error")
    assert hard.failed is None
    assert not made.exists()
    assert [str(entry["detail"]).split()[0] for entry in log] == ["BadBotError", "UnknownBotError"]


def test_the_event_loop_is_free_while_bots_think(tmp_path: Path) -> None:
    """The worker may answer only when the loop says so: a call that held the loop would wait for
    ever."""
    gate = Gate(tmp_path)

    async def ask(pool: BotPool) -> BotMove:
        thinking = asyncio.create_task(pool.move(gate.bot, 1, VIEW))
        await gate.begun(1)
        gate.open(1)
        return await thinking

    thought, log = with_fakes(ask)
    assert thought == BotMove(move=LAST)
    assert log == []


# -- Workers that fail -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("die", "died"),
        ("illegal", "illegal"),
        ("none", "illegal"),
        ("error", "error"),
        ("garbage", "error"),
        ("wrong-id", "error"),
        ("endless", "error"),
    ],
)
def test_a_worker_that_fails_is_replaced(bot: str, why: str) -> None:
    async def ask(pool: BotPool) -> tuple[object, BotMove, BotMove, object]:
        before = await worker_pid(pool)
        failed = await pool.move(bot, 0, VIEW)
        good = await pool.move("honest", 0, VIEW)
        return before, failed, good, await worker_pid(pool)

    (before, failed, good, after), log = with_fakes(ask)
    assert failed == BotMove(move=FIRST, failed=why)
    assert good == BotMove(move=LAST)
    assert before != after
    assert [(entry["event"], entry["why"]) for entry in log] == [("bot-failed", why)]


def test_a_hanging_worker_is_replaced_and_the_log_shows_no_cards() -> None:
    clock = ManualClock()

    async def ask(pool: BotPool) -> tuple[BotMove, BotAdvice | None]:
        move = asyncio.create_task(pool.move("sleep", 0, VIEW))
        await clock.expire(SECONDS)
        advice = asyncio.create_task(pool.advise("sleep", 0, VIEW))
        await clock.expire(SECONDS)
        hung, no_counsel = await move, await advice
        assert await pool.move("honest", 0, VIEW) == BotMove(move=LAST)
        return hung, no_counsel

    (hung, no_counsel), log = with_fakes(ask, clock=clock)
    assert hung == BotMove(move=FIRST, failed="slow")
    assert no_counsel is None
    facts = {"bot": "sleep", "game": "sticheln", "seat": VIEW.seat, "why": "slow"}
    assert log == [{"event": "bot-failed", **facts}, {"event": "hint-failed", **facts}]


def test_a_failing_package_bot_affects_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Real workers, with bots that raise, cheat, leave, die and hang."""
    put_many_bots(tmp_path)
    monkeypatch.setenv("PYTHONPATH", path_with(tmp_path))
    clock, log = ManualClock(), Log()
    whys = {"raises": "error", "wrong": "illegal", "odd": "error", "leaves": "died", "dies": "died"}

    async def ask(pool: BotPool) -> None:
        for bot, why in whys.items():
            assert await pool.move(bot, 1, VIEW) == BotMove(move=FIRST, failed=why)
        hanging = asyncio.create_task(pool.move("hangs", 1, VIEW, ("", "a-table", "0")))
        await clock.expire(SECONDS)
        assert await hanging == BotMove(move=FIRST, failed="slow")
        noisy = await pool.move("noisy", 1, VIEW)
        assert noisy == BotMove(move=bots.build("wanderer", 1).choose(VIEW))

    monkeypatch.syspath_prepend(tmp_path)
    with_pool(ask, workers=1, seconds=SECONDS, log=log, clock=clock)
    assert [(entry["bot"], entry["why"]) for entry in log] == [*whys.items(), ("hangs", "slow")]
    assert log[-1] == {
        "event": "bot-failed",
        "bot": "hangs",
        "game": "sticheln",
        "seat": VIEW.seat,
        "table": "a-table",
        "why": "slow",
    }


def test_a_worker_that_dies_between_requests_costs_no_move() -> None:
    async def ask(pool: BotPool) -> list[object]:
        last_words = await pool.advise("die-later", 0, VIEW)
        assert last_words is not None
        while not has_ended(int(str(last_words.data["pid"]))):
            await asyncio.sleep(0.002)
        for _ in range(10):  # turns of the event loop, which learns of it by a closed pipe
            await asyncio.sleep(0)
        return [last_words.move, await pool.move("honest", 0, VIEW)]

    answers, log = with_fakes(ask)
    assert answers == [LAST, BotMove(move=LAST)]
    assert log == []


def test_a_bot_without_advice_is_not_a_failure() -> None:
    async def ask(pool: BotPool) -> tuple[object, BotAdvice | None, object]:
        before = await worker_pid(pool)
        counsel = await pool.advise("mute", 0, VIEW)
        return before, counsel, await worker_pid(pool)

    (before, counsel, after), log = with_fakes(ask)
    assert counsel is None
    assert before == after
    assert log == []


def test_the_default_move_is_played_if_no_worker_can_start() -> None:
    async def ask(pool: BotPool) -> BotMove:
        return await pool.move("hard", 0, VIEW)

    for command in (("/nowhere/to/be/found",), (sys.executable, "-S", "-c", "pass")):
        thought, log = with_fakes(ask, command=command)
        assert thought == BotMove(move=FIRST, failed="died")
        assert len(log) == 1


def test_a_failing_log_stops_no_bot() -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError("disk full")

    async def ask(pool: BotPool) -> list[BotMove]:
        return [await pool.move(bot, 0, VIEW) for bot in ("garbage", "honest")]

    thoughts, _ = with_fakes(ask, log=broken)
    assert thoughts == [BotMove(move=FIRST, failed="error"), BotMove(move=LAST)]


def test_a_game_whose_rules_contradict_one_another_is_named_and_costs_one_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot finds no deal that fits: it says so at once, without cards, and others continue."""
    file = tmp_path / "no_duty_at_a_table.py"
    file.write_text(NO_DUTY, "utf-8")
    monkeypatch.setattr(registry, "GAMES", dict(registry.GAMES))
    monkeypatch.setenv(own_games.VARIABLE, "")
    setting = Setting(own_games.named(str(file)), 3, {})
    seen = [view for seed in range(5) for view in views(setting, seed, 24) if is_impossible(view)]

    async def ask(pool: BotPool) -> list[BotMove]:
        return [await pool.move(bot, 0, seen[0]) for bot in ("flat", "greedy")]

    log = Log()
    failed, fine = with_pool(ask, workers=1, log=log)
    assert failed == BotMove(move=seen[0].moves[0], failed="error")
    assert fine.failed is None
    (entry,) = log
    assert (entry["event"], entry["game"], entry["why"]) == ("bot-failed", "odd-even", "error")
    assert (entry["error"], entry["method"]) == ("no-deal-fits", "may_play")
    stream = io.StringIO()
    server_log.Log(stream, human=False, strict=True).warn(str(entry.pop("event")), **entry)
    line = json.loads(stream.getvalue())
    assert (line["error"], line["method"]) == ("no-deal-fits", "may_play"), "it gets into the log"
    assert re.fullmatch(r"ContradictionError in \w+\.py:\d+", line["detail"])
    assert not re.search(r"\b[RYGB]\d", stream.getvalue())


def is_impossible(view: View) -> bool:
    """Return whether no deal fits a view that has a choice to make."""
    try:
        sample(view, Generator(1))
    except ContradictionError:
        return len(view.moves) > 1
    return False


def test_exception_texts_are_not_logged() -> None:
    with pytest.raises(ValueError, match="R7") as caught:
        raise ValueError("R7")
    assert fault(caught.value).startswith("ValueError in test_bot_pool.py:")
    assert fault(KeyError("R7")) == "KeyError"


# -- The queue -------------------------------------------------------------------------------------


def test_requests_queue_for_a_bounded_number_of_workers(tmp_path: Path) -> None:
    """Whenever one is answered, the next in line is begun, and none before."""
    gate = Gate(tmp_path)

    async def ask(pool: BotPool) -> tuple[set[object], int]:
        tasks = [asyncio.create_task(pool.advise(gate.bot, 0, VIEW)) for _ in range(6)]
        await asyncio.sleep(0)
        assert (pool.busy, pool.waiting) == (0, 6)
        await asyncio.sleep(0)
        assert (pool.busy, pool.waiting) == (2, 4)
        pids = set()
        for number, task in enumerate(tasks, 1):
            begun = min(number + 1, 6)
            await gate.begun(*range(1, begun + 1))
            assert (pool.busy, pool.waiting) == (begun - number + 1, 6 - begun)
            gate.open(number)
            counsel = await task
            assert counsel is not None
            pids.add(counsel.data["pid"])
        return pids, pool.busy + pool.waiting

    (pids, left), _ = with_fakes(ask, workers=2)
    assert len(pids) == 2
    assert left == 0


def test_an_address_with_many_requests_does_not_delay_another(tmp_path: Path) -> None:
    """One worker, nineteen tables of one address, and then one of another address: it is next."""
    gate = Gate(tmp_path)

    async def ask(pool: BotPool) -> list[str]:
        order: list[str] = []

        async def one(bot: str, *requester: str) -> None:
            await pool.move(bot, 0, VIEW, requester)
            order.append(" ".join(requester))

        tasks = [asyncio.create_task(one(gate.bot, "crowd", "t0", "1"))]
        await gate.begun(1)
        for table in range(1, 19):
            tasks.append(asyncio.create_task(one("honest", "crowd", f"t{table}", "1")))
        tasks.append(asyncio.create_task(one("honest", "crowd", "t1", "2")))
        await asyncio.sleep(0)
        tasks.append(asyncio.create_task(one("honest", "neighbour", "n", "1")))
        await asyncio.sleep(0)
        assert (pool.waiting_for("crowd"), pool.waiting_for("neighbour")) == (19, 1)
        gate.open(1)
        await asyncio.gather(*tasks)
        return order

    order, _ = with_fakes(ask)
    assert order[:3] == ["crowd t0 1", "neighbour n 1", "crowd t1 1"]
    assert order[-1] == "crowd t1 2", "each of its tables had a turn before"


def test_one_worker_answers_in_request_order() -> None:
    async def ask(pool: BotPool) -> list[int]:
        order: list[int] = []

        async def one(number: int) -> None:
            await pool.move("honest", 0, VIEW)
            order.append(number)

        await asyncio.gather(*(one(number) for number in range(20)))
        return order

    order, _ = with_fakes(ask)
    assert order == list(range(20))


def test_workers_are_started_when_they_are_needed() -> None:
    async def ask(pool: BotPool) -> list[object]:
        assert not pool._worker_tasks, "nobody has asked"
        return [await worker_pid(pool) for _ in range(3)]

    pids, _ = with_fakes(ask, workers=4)
    assert len(set(pids)) == 1


def test_a_cancelled_request_breaks_nothing(tmp_path: Path) -> None:
    gate = Gate(tmp_path)

    async def ask(pool: BotPool) -> tuple[object, int, BotMove, object]:
        before = await worker_pid(pool)
        under_way = asyncio.create_task(pool.move(gate.bot, 0, VIEW))
        in_line = asyncio.create_task(pool.move("die", 0, VIEW))
        await gate.begun(2)
        assert (pool.busy, pool.waiting) == (1, 1)
        for task in (under_way, in_line):
            task.cancel()
        await asyncio.wait([under_way, in_line])
        assert under_way.cancelled()
        assert in_line.cancelled()
        waiting = pool.waiting
        gate.open(2)
        return before, waiting, await pool.move("honest", 0, VIEW), await worker_pid(pool)

    (before, waiting, good, after), log = with_fakes(ask)
    assert waiting == 0
    assert good == BotMove(move=LAST)
    assert before == after
    assert log == [], "the question in line was never asked"


# -- The end ---------------------------------------------------------------------------------------


async def closed(pool: BotPool, clock: ManualClock) -> None:
    """Close a pool; time passes as soon as it waits for workers to end by themselves."""
    closing = asyncio.create_task(pool.close())

    def is_done() -> bool:
        if any(timer.seconds in (STOP_SECONDS, KILL_SECONDS) for timer in clock.timers):
            clock.advance(KILL_SECONDS)
        return closing.done()

    await until(is_done, "the end of the workers")
    await closing


def test_close_ends_all_workers_and_cancels_waiting_requests(tmp_path: Path) -> None:
    gate = Gate(tmp_path)

    async def run() -> tuple[object, list[object]]:
        clock = ManualClock()
        pool = BotPool(workers=2, command=FAKE_COMMAND, log=log, clock=clock)
        pid = await worker_pid(pool)
        tasks = [asyncio.create_task(pool.move(gate.bot, 0, VIEW)) for _ in range(4)]
        await gate.begun(2, 3)
        await closed(pool, clock)
        await pool.close()
        late = asyncio.create_task(pool.move("honest", 0, VIEW))
        await until(lambda: all(task.done() for task in (*tasks, late)), "an end for all")
        assert (pool.busy, pool.waiting) == (0, 0)
        return pid, [task.cancelled() for task in (*tasks, late)]

    log = Log()
    pid, cancelled = asyncio.run(run())
    assert cancelled == [True] * 5
    assert log == []
    assert isinstance(pid, int)
    assert has_ended(pid)


def test_close_kills_unresponsive_workers() -> None:
    stubborn = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    ignores_end = FAKE + "\nwhile True: time.sleep(1000)"

    async def run() -> object:
        clock = ManualClock()
        command = (sys.executable, "-S", "-c", stubborn + ignores_end)
        pool = BotPool(workers=1, command=command, clock=clock)
        pid = await worker_pid(pool)
        await closed(pool, clock)
        return pid

    pid = asyncio.run(run())
    assert isinstance(pid, int)
    assert has_ended(pid)


def test_an_unused_pool_closes() -> None:
    asyncio.run(BotPool().close())


def has_ended(pid: int) -> bool:
    """Return whether a process is gone, or is a zombie."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except (ProcessLookupError, FileNotFoundError):
        return True


def wait_until(done: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def question(id: int, bot: str, seconds: float = 600) -> bytes:
    asked = WorkerQuestion(id=id, bot=bot, seed=1, seconds=seconds, view=VIEW)
    return msgspec.json.encode(asked) + b"\n"


@pytest.mark.skipif(os.name != "posix", reason="signals as on Unix")
def test_a_worker_ignores_ctrl_c_and_exits_when_its_input_ends() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe) as worker:
        assert worker.stdin
        assert worker.stdout
        assert worker.stdout.readline() == b"ready\n"
        worker.send_signal(signal.SIGINT)
        worker.stdin.write(question(1, "hard"))
        worker.stdin.flush()
        assert b'"id":1' in worker.stdout.readline()
        assert os.getpriority(os.PRIO_PROCESS, worker.pid) > os.getpriority(os.PRIO_PROCESS, 0)
        worker.stdin.write(question(2, LONG))
        worker.stdin.close()
        assert worker.wait(60) == 0, "in the middle of a thought"
        assert worker.stdout.read() == b""


@pytest.mark.skipif(os.name != "posix", reason="signals as on Unix")
def test_an_orphaned_worker_ends_itself() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe) as worker:
        assert worker.stdin
        worker.stdin.write(question(1, "hard") + question(2, LONG, seconds=1 - GRACE))
        worker.stdin.flush()
        assert worker.wait(60) == -signal.SIGALRM
        assert worker.stdout
        assert worker.stdout.read().count(b"\n") == 2, "ready, and the first answer"


SERVER = f"""
import asyncio, stichwerk
from stichwerk.server.bots.bot_pool import BotPool
async def main():
    view = stichwerk.game("sticheln", seats=4).new(seed=1).view(0)
    pool = BotPool(workers=1, seconds=600)
    await pool.move("hard", 1, view)
    task = asyncio.create_task(pool.move("{LONG}", 1, view))
    while not pool.busy:
        await asyncio.sleep(0.002)
    print("thinking", flush=True)
    await task
asyncio.run(main())
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="where the system tells children")
def test_no_worker_outlives_a_killed_server() -> None:
    with subprocess.Popen((sys.executable, "-c", SERVER), stdout=subprocess.PIPE) as server:
        assert server.stdout
        assert server.stdout.readline() == b"thinking\n"
        (worker,) = children(str(server.pid))
        assert not has_ended(worker)
        server.kill()
    wait_until(lambda: has_ended(worker))


# -- The pace --------------------------------------------------------------------------------------


def test_a_pause_depends_on_public_facts_alone() -> None:
    plays = [pause("table", seq, "play") for seq in range(500)]
    choices = [pause("table", seq, "pain") for seq in range(500)]
    assert plays == [pause("table", seq, "play") for seq in range(500)]
    assert plays != [pause("other", seq, "play") for seq in range(500)]
    assert 0.5 <= min(plays) < 0.6
    assert 1.2 < max(plays) <= 1.3
    assert min(choices) > max(plays)
    assert pause("table", 3, "play", factor=2) == 2 * plays[3]
    assert pause("table", 3, "play", factor=0) == 0


def test_slow_and_quick_moves_are_shown_after_whole_pauses() -> None:
    async def shown_after(thought: float, seconds: float) -> float:
        clock = ManualClock()
        showing = asyncio.create_task(paced(clock.sleep(thought), seconds, clock))
        while not showing.done():
            if clock.timers:
                clock.advance(clock.timers[0].seconds)
            await asyncio.sleep(0)
        return clock.now

    for thought, seconds, shown in ((0, 2, 2), (1, 2, 2), (3, 2, 4), (5, 2, 6), (1, 0, 1)):
        assert asyncio.run(shown_after(thought, seconds)) == pytest.approx(shown)
