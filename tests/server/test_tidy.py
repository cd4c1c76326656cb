"""Short pauses of the garbage collector: what survives is set aside, what died there is found."""

import asyncio
import gc
import weakref

from stichwerk.server.tidy import clean_when_quiet, short_pauses


class Ring:
    """Something that only a collector can remove."""

    def __init__(self) -> None:
        self.itself = self


def test_what_survives_is_set_aside_and_given_back() -> None:
    before = gc.get_freeze_count()
    with short_pauses():
        kept = [Ring() for _ in range(1000)]
        aside = gc.get_freeze_count()
        gc.collect()
        assert gc.get_freeze_count() >= aside + len(kept)
    assert gc.get_freeze_count() == 0 == before
    assert not [one for one in gc.callbacks if getattr(one, "__module__", "").endswith("tidy")]


def test_what_died_aside_is_found_when_nobody_plays() -> None:
    async def wait(quiet: bool) -> bool:
        """Whether it is gone after a while."""
        ring = Ring()
        gc.collect()  # set aside
        trace = weakref.ref(ring)
        del ring
        gc.collect()
        assert trace() is not None, "a usual collection does not look there"
        asked = 0

        def is_quiet() -> bool:
            nonlocal asked
            asked += 1
            return quiet

        cleaning = asyncio.create_task(clean_when_quiet(is_quiet, 0.001))
        while asked < 3:
            await asyncio.sleep(0.001)
        cleaning.cancel()
        return trace() is None

    with short_pauses():
        assert asyncio.run(wait(True))
        assert not asyncio.run(wait(False))
