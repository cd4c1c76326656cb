"""Short pauses of the garbage collector: what survives is set aside, what died there is found."""

import asyncio
import gc
import weakref

from stichwerk.server.gc_pauses import CLEANING_SECONDS, collect_when_quiet, short_pauses
from tests.server.manual_clock import ManualClock


class Ring:
    """Something that only a collector can remove."""

    def __init__(self) -> None:
        self.itself = self


def test_surviving_objects_are_frozen_and_unfrozen() -> None:
    gc.unfreeze()  # what the tests themselves have set aside
    before = gc.get_threshold()
    with short_pauses():
        assert gc.get_threshold()[2] < before[2], "full collections are more frequent, so shorter"
        kept = [Ring() for _ in range(1000)]
        aside = gc.get_freeze_count()
        gc.collect()
        assert gc.get_freeze_count() >= aside + len(kept)
    assert gc.get_freeze_count() == 0
    assert gc.get_threshold() == before
    assert not [one for one in gc.callbacks if getattr(one, "__module__", "").endswith("gc_pauses")]


def test_dead_frozen_objects_are_collected_when_idle() -> None:
    async def wait(quiet: bool) -> bool:
        """Return whether it is gone after a while."""
        ring = Ring()
        gc.collect()  # set aside
        trace = weakref.ref(ring)
        del ring
        gc.collect()
        assert trace() is not None, "a usual collection does not look there"
        clock = ManualClock()
        cleaning = asyncio.create_task(collect_when_quiet(lambda: quiet, clock))
        for _ in range(3):
            await clock.expire(CLEANING_SECONDS)
        await clock.expire(CLEANING_SECONDS)  # it has done its part for the third time
        cleaning.cancel()
        return trace() is None

    with short_pauses():
        assert asyncio.run(wait(True))
        assert not asyncio.run(wait(False))
