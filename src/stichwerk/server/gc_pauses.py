"""Short garbage collection pauses, however many clients are connected.

A full collection visits every live object, and with thousands of sockets that takes longer than a
table should wait. So objects that survive one are set aside (`gc.freeze`): the next one visits only
new objects. Garbage among the frozen objects is collected when nobody plays.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from stichwerk.server.clock import SYSTEM, Clock

FULL = 2  # the generation of a full collection
OFTEN = 3  # collections of the middle generation before a full one; fewer make each shorter
CLEANING_SECONDS = 300.0  # between two collections of frozen objects


def _collected(phase: str, info: dict[str, int]) -> None:
    if phase == "stop" and info["generation"] == FULL:
        gc.freeze()


@contextmanager
def short_pauses() -> Iterator[None]:
    """Freeze surviving objects while the block runs."""
    gc.collect()
    gc.freeze()
    before = gc.get_threshold()
    gc.set_threshold(before[0], before[1], OFTEN)
    gc.callbacks.append(_collected)
    try:
        yield
    finally:
        gc.callbacks.remove(_collected)
        gc.set_threshold(*before)
        gc.unfreeze()


async def collect_when_quiet(quiet: Callable[[], bool], clock: Clock = SYSTEM) -> None:
    """Collect everything from time to time, when nobody plays."""
    while True:
        await clock.sleep(CLEANING_SECONDS)
        if quiet():
            gc.unfreeze()
            gc.collect()
