"""The parts that server tests are built on: the manual clock and repeatable randomness."""

import asyncio

import pytest

from stichwerk.server.clock import Clock
from tests import fixed_random, seed_word
from tests.fixed_random import FixedRandomSource, NamedStream
from tests.server.manual_clock import BEGIN, ManualClock


@pytest.mark.parametrize("kind", [Clock, ManualClock])
def test_a_timeout_cancels_only_what_takes_too_long(kind: type[Clock]) -> None:
    async def run() -> list[str]:
        clock, results = kind(), []
        waiting = asyncio.create_task(in_time(clock, 0.001))
        if isinstance(clock, ManualClock):
            await clock.expire(0.001)
        results.append(await waiting)
        async with clock.timeout(3600):
            results.append("done")
        cancelled = asyncio.create_task(in_time(clock, 3600))
        await asyncio.sleep(0)
        cancelled.cancel()
        (outcome,) = await asyncio.gather(cancelled, return_exceptions=True)
        results.append(type(outcome).__name__)
        assert not isinstance(clock, ManualClock) or clock.timers == []
        return results

    async def in_time(clock: Clock, seconds: float) -> str:
        try:
            async with clock.timeout(seconds):
                await asyncio.Event().wait()
        except TimeoutError:
            return "too late"
        return "in time"

    assert asyncio.run(run()) == ["too late", "done", "CancelledError"]


def test_a_manual_clock_calls_timers_in_order() -> None:
    clock = ManualClock()
    called: list[tuple[str, float]] = []
    for name, seconds in (("late", 3), ("soon", 1), ("off", 2), ("then", 2)):
        timer = clock.call_later(seconds, lambda name=name: called.append((name, clock.now)))  # type: ignore[misc]
        if name == "off":
            timer.cancel()
    clock.advance(2.5)
    assert called == [("soon", 1), ("then", 2)]
    assert (clock.monotonic(), clock.milliseconds()) == (2.5, BEGIN + 2500)
    clock.advance(0.5)
    assert called[2:] == [("late", 3)]


def test_the_system_clock_calls_and_sleeps() -> None:
    async def run() -> float:
        clock, called = Clock(), asyncio.Event()
        clock.call_later(0.001, called.set)
        before = clock.monotonic()
        await asyncio.gather(called.wait(), clock.sleep(0.001))
        return clock.monotonic() - before

    assert asyncio.run(run()) > 0


def test_randomness_follows_from_the_name_of_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn(who: str = "") -> list[object]:
        one = FixedRandomSource(NamedStream(fixed_random.running_test, who))
        return [one.id(), one.person(), one.token(), one.seed(), one.number(), one.fraction()]

    assert "test_randomness_follows_from_the_name" in fixed_random.running_test()
    usual = drawn()
    assert usual == drawn()
    assert not set(usual) & set(drawn("guest "))
    monkeypatch.setattr(seed_word, "WORD", "another")
    assert not set(usual) & set(drawn())
