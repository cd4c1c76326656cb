"""The queue of the bot pool, its end and its pace."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from stichwerk.server.bots.bot_pool import (
    COMMAND,
    BotMove,
    BotPool,
    paced,
    pause,
)
from stichwerk.server.bots.bot_worker import GRACE
from tests.server.bot_pool_setup import (
    FAKE,
    FAKE_COMMAND,
    LAST,
    VIEW,
    Gate,
    Log,
    children,
    closed,
    has_ended,
    question,
    with_fakes,
    worker_pid,
)
from tests.server.bot_pool_setup import no_process_is_left as no_process_is_left
from tests.server.manual_clock import ManualClock, until

pytestmark = pytest.mark.slow  # with a real server, or thousands of cases

LONG = "tree@100000000"  # thinks for minutes


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
            pids.add(counsel.reason.data["pid"])
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


def wait_until(done: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.02)


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
