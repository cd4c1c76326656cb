"""The time a bot takes: the same for a forced move as for a free one."""

import asyncio
from collections.abc import Callable

import msgspec
import pytest

import stichwerk
from stichwerk.server.bots import think_times
from stichwerk.server.bots.bot_pool import BotFailedError, BotPool, PoolJob, WorkerProcess, paced
from stichwerk.server.bots.bot_worker import WorkerAnswer
from stichwerk.server.bots.think_times import ThinkTimes, keys
from stichwerk.server.random_source import RandomSource
from stichwerk.view import View
from tests.server.manual_clock import ManualClock

FREE = stichwerk.game("sticheln", seats=4).new(seed=1).view(0)
FORCED = msgspec.structs.replace(FREE, moves=FREE.moves[:1])
PAUSE = 1.0


class Fixed(RandomSource):
    """Draws a given value."""

    def __init__(self, *fractions: float) -> None:
        self.fractions = list(fractions)

    def fraction(self) -> float:
        return self.fractions.pop(0) if self.fractions else 0.0


class Slow(WorkerProcess):
    """Thinks for some seconds of the manual clock; about a forced move not at all."""

    seconds: Callable[[View], float]

    async def ready(self) -> None:  # type: ignore[override]
        """Do nothing: there is no process."""

    async def answer(self, job: PoolJob) -> WorkerAnswer:
        view = job.question.view
        if len(view.moves) > 1:
            await self.clock.sleep(Slow.seconds(view))
        if job.question.bot == "broken":
            raise BotFailedError("died")
        return WorkerAnswer(id=job.question.id, move=view.moves[0])

    async def end(self) -> None:
        """Do nothing: there is no process."""


@pytest.fixture(autouse=True)
def slow_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stichwerk.server.bots.bot_pool.WorkerProcess", Slow)
    Slow.seconds = staticmethod(lambda view: 0.7)


async def run_clock(clock: ManualClock, *tasks: "asyncio.Task[float]") -> None:
    """Let time pass from timer to timer until these are done."""
    while not all(task.done() for task in tasks):
        for _ in range(20):
            await asyncio.sleep(0)
        if clock.timers and not all(task.done() for task in tasks):
            clock.advance(min(timer.due for timer in clock.timers) - clock.now)


def shown_after(
    views: list[View],
    *,
    ahead: int,
    hide_think_time: bool = True,
    rng: RandomSource | None = None,
) -> list[float]:
    """Return when the moves of one table are shown, each asked for when the last one was, while
    `ahead` free questions of other tables are asked at the same moment."""

    async def measured() -> list[float]:
        clock = ManualClock()
        pool = BotPool(workers=1, clock=clock, rng=rng)
        pool.hide_think_time = hide_think_time

        async def show(table: str, view: View) -> float:
            requester = (table, table, "0")
            await paced(pool.move("bot", 1, view, requester), PAUSE, clock)
            return clock.now

        learning = [asyncio.create_task(show("other", FREE)) for _ in range(think_times.FEW)]
        await run_clock(clock, *learning)
        shown, begun = [], clock.now
        for view in views:
            others = [asyncio.create_task(show(f"t{n}", FREE)) for n in range(ahead)]
            mine = asyncio.create_task(show("mine", view))
            await run_clock(clock, mine)
            shown.append(round(clock.now - begun, 6))
            await run_clock(clock, *others)
            begun = clock.now
        closing = asyncio.create_task(pool.close())
        await closing
        return shown

    return asyncio.run(measured())


@pytest.mark.parametrize("ahead", [0, 1, 3, 6])
def test_a_forced_move_is_shown_when_a_free_one_would_be(ahead: int) -> None:
    free = shown_after([FREE] * 4, ahead=ahead)
    assert shown_after([FORCED] * 4, ahead=ahead) == free
    assert shown_after([FREE, FORCED, FORCED, FREE], ahead=ahead) == free
    assert len(set(free)) == 1
    assert free[0] >= PAUSE * (1 + ahead // 2)


def test_thinking_time_does_not_reveal_the_number_of_moves() -> None:
    """Times differ by what the bot holds; nearly all are shown as the long ones are."""
    Slow.seconds = staticmethod(lambda view: 0.05 * len(view.moves))
    few = msgspec.structs.replace(FREE, moves=FREE.moves[:2])
    assert shown_after([few] * 3, ahead=2) == shown_after([FREE] * 3, ahead=2)


def test_forced_moves_occupy_the_worker_like_free_ones() -> None:
    """Otherwise a client that waits behind one would learn of it."""

    def wait_behind(view: View) -> float:
        async def measured() -> float:
            clock = ManualClock()
            pool = BotPool(workers=1, clock=clock, rng=Fixed())

            async def ask(asked: View) -> float:
                await pool.move("bot", 1, asked)
                return clock.now

            async def advise() -> float:
                await pool.advise("bot", 1, FREE)
                return clock.now

            for _ in range(think_times.FEW):
                await run_clock(clock, asyncio.create_task(ask(FREE)))
            begun = clock.now
            first, behind = asyncio.create_task(ask(view)), asyncio.create_task(advise())
            await run_clock(clock, first, behind)
            await pool.close()
            return behind.result() - begun

        return asyncio.run(measured())

    assert wait_behind(FORCED) == pytest.approx(wait_behind(FREE)) == pytest.approx(1.4)


def test_failing_bots_also_fail_at_forced_moves() -> None:
    async def ask() -> list[str | None]:
        pool = BotPool(workers=1, clock=ManualClock(), log=lambda *_, **__: None)
        found = [await pool.move("broken", 1, FORCED), await pool.move("bot", 1, FORCED)]
        await pool.close()
        return [one.failed for one in found]

    assert asyncio.run(ask()) == ["died", None]


def test_times_are_kept_by_public_facts_alone() -> None:
    """Two seats that look the same from outside share their times."""
    other = msgspec.structs.replace(FREE, hand=FREE.hand[:3], moves=FREE.moves[:2], mine={"a": 1})
    assert list(keys("bot", FREE)) == list(keys("bot", other))
    assert list(keys("bot", FREE)) != list(keys("other", FREE))


def test_few_samples_have_little_influence() -> None:
    times = ThinkTimes()
    assert (times.usual("bot", FREE), times.drawn("bot", FREE, lambda: 0.5)) == (0, 0)
    later = msgspec.structs.replace(FREE, hand_sizes=(1, 1, 1, 1))
    for _ in range(20):
        times.note("bot", later, 3.0)
    times.note("bot", FREE, 1.0)
    assert times.drawn("bot", FREE, lambda: 0.0) == 3.0, "one time is not enough"
    for _ in range(think_times.FEW):
        times.note("bot", FREE, 1.0)
    assert times.drawn("bot", FREE, lambda: 0.99) == 1.0
    assert times.usual("bot", FREE) == pytest.approx(think_times.MARGIN)


def test_one_slow_move_delays_no_others() -> None:
    times = ThinkTimes()
    for seconds in [0.1] * 20 + [10.0]:
        times.note("bot", FREE, seconds)
    assert times.usual("bot", FREE) < 1
    assert times.drawn("bot", FREE, lambda: 0.999) == 10.0


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(think_times, "MOST_KINDS", 10)
    times = ThinkTimes()
    for number in range(1000):
        times.note(f"bot {number}", FREE, 1.0)
    assert len(times._recent) == 10
    for _ in range(1000):
        times.note("bot", FREE, 1.0)
    assert max(map(len, times._recent.values())) == think_times.KEPT
