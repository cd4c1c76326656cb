"""The time the server goes by: deadlines, pauses, rate limits and timestamps.

Tests give a clock that moves only when they say so (`tests/server/manual_clock.py`). What measures
how long something took does not use it.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Protocol


class Timer(Protocol):
    """A call that is still to come."""

    def cancel(self) -> None:
        """Call it off."""


class Clock:
    """The clock of the system."""

    def milliseconds(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Seconds since some moment; never steps back."""
        return time.monotonic()

    def call_later(self, seconds: float, call: Callable[[], None]) -> Timer:
        """Call something in the running event loop, after so many seconds."""
        return asyncio.get_running_loop().call_later(seconds, call)

    async def sleep(self, seconds: float) -> None:
        """Wait so many seconds."""
        await asyncio.sleep(seconds)

    @asynccontextmanager
    async def timeout(self, seconds: float) -> AsyncIterator[None]:
        """Cancel the block after so many seconds, with a TimeoutError, as in asyncio."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(None) as limit:
            timer = self.call_later(seconds, lambda: limit.reschedule(loop.time()))
            try:
                yield
            finally:
                timer.cancel()


SYSTEM = Clock()
