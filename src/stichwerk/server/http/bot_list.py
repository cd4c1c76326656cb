"""The bots that `/api/bots` lists.

Packages may provide bots, and importing one can take long, print, hang or exit: workers import
them, a thread waits for that, and the result is cached as long as the server runs.
"""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import suppress

from stichwerk.bots import Listing
from stichwerk.bots.hosting import end_workers, listings
from stichwerk.server import wire

LEVELS = ("easy", "medium", "hard", "expert")


class BotList:
    """Finds the available bots once; concurrent requests wait for the same result."""

    def __init__(self) -> None:
        self._finding: asyncio.Future[wire.Bots] | None = None

    async def bots(self) -> wire.Bots:
        """Return every available bot."""
        if self._finding is None or (self._finding.done() and self._finding.exception()):
            loop = asyncio.get_running_loop()
            self._finding = loop.create_future()
            # A daemon thread: a stopping server does not wait for packages that hang.
            threading.Thread(target=find, args=(loop, self._finding), daemon=True).start()
        return await asyncio.shield(self._finding)


def find(loop: asyncio.AbstractEventLoop, finding: "asyncio.Future[wire.Bots]") -> None:
    """Find the bots, and pass them on to the event loop if it still runs."""
    with suppress(RuntimeError):  # the loop is closed
        try:
            found = wire.Bots(bots=tuple(infos()))
        except Exception as error:
            loop.call_soon_threadsafe(finding.set_exception, error)
        else:
            loop.call_soon_threadsafe(finding.set_result, found)


def infos() -> Iterator[wire.BotInfo]:
    """Yield a description of each bot."""
    for one in listings():
        if isinstance(one, Listing):
            yield wire.BotInfo(name=one.name, version=one.version, level=one.name in LEVELS)
    end_workers()
