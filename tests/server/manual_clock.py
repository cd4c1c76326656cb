"""A clock that moves only when a test says so: no test waits for a time-out in real time."""

import asyncio
import time
from collections.abc import Callable

from stichwerk.server.clock import Clock

BEGIN = 1_800_000_000_000  # milliseconds since 1970 at the start of every test
PATIENCE = 300.0  # real seconds for a timer to be set: only what hangs needs them


class ManualTimer:
    """A call that is due at a moment of the manual clock."""

    def __init__(
        self, clock: "ManualClock", seconds: float, due: float, call: Callable[[], None]
    ) -> None:
        self.clock = clock
        self.seconds = seconds
        self.due = due
        self.call = call

    def cancel(self) -> None:
        """Call it off."""
        if self in self.clock.timers:
            self.clock.timers.remove(self)


class ManualClock(Clock):
    """Begins at the same moment in every test, and stops until `advance`."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[ManualTimer] = []

    def milliseconds(self) -> int:
        """Return milliseconds since 1970."""
        return BEGIN + round(1000 * self.now)

    def monotonic(self) -> float:
        """Return seconds since the test began."""
        return self.now

    def call_later(self, seconds: float, call: Callable[[], None]) -> ManualTimer:
        """Call something once the test has advanced by this many seconds."""
        timer = ManualTimer(self, seconds, self.now + seconds, call)
        self.timers.append(timer)
        if seconds <= 0:
            asyncio.get_running_loop().call_soon(self.advance, 0.0)
        return timer

    async def sleep(self, seconds: float) -> None:
        """Wait until the test has advanced by this many seconds."""
        passed = asyncio.Event()
        timer = self.call_later(seconds, passed.set)
        try:
            await passed.wait()
        finally:
            timer.cancel()

    def advance(self, seconds: float) -> None:
        """Let time pass; what is due is called, the earliest first."""
        end = self.now + seconds
        while due := [timer for timer in self.timers if timer.due <= end]:
            first = min(due, key=lambda timer: timer.due)
            self.timers.remove(first)
            self.now = max(self.now, first.due)
            first.call()
        self.now = end

    async def expire(self, seconds: float) -> None:
        """Let a timer that was set for this many seconds run out, once there is one."""

        def pending() -> list[ManualTimer]:
            return [timer for timer in self.timers if timer.seconds == seconds]

        await until(lambda: bool(pending()), f"a timer of {seconds} s")
        self.advance(pending()[0].due - self.now)


async def until(holds: Callable[[], bool], what: str) -> None:
    """Wait in real time for something that must come soon."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"{what} did not come"
        await asyncio.sleep(0.002)
