"""Short pauses of the garbage collector: what survives is set aside, what died there is found."""

import asyncio
import gc
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from stichwerk.server import run
from stichwerk.server.gc_pauses import CLEANING_SECONDS, collect_when_quiet, short_pauses
from stichwerk.server.logs import Log
from stichwerk.server.metrics import Metrics
from stichwerk.server.network.limits import Limits
from stichwerk.server.run import tables
from stichwerk.server.serve_options import ServeOptions
from tests.server.harness import running_server
from tests.server.manual_clock import ManualClock


class Ring:
    """Something that only a collector can remove."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def frozen_again() -> Iterator[None]:
    """What the collected tests hold is set aside again: later collections would visit it."""
    yield
    gc.collect()
    gc.freeze()


def callbacks() -> list[object]:
    """Return what the collector calls for the sake of short pauses."""
    return [one for one in gc.callbacks if getattr(one, "__module__", "").endswith("gc_pauses")]


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
    assert not callbacks()


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


def test_the_process_of_a_server_has_short_pauses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cleaned: list[bool] = []

    async def cleaning(quiet: Callable[[], bool]) -> None:
        cleaned.append(quiet())
        try:
            await asyncio.Event().wait()
        finally:
            cleaned.append(True)

    async def serve() -> None:
        options = ServeOptions(data=str(tmp_path))
        async with tables(options, Limits(), Log(), Metrics()):
            await asyncio.sleep(0)
            assert gc.get_freeze_count() > 0
            assert callbacks()
            assert cleaned == [True], "nobody plays"
        await asyncio.sleep(0)
        assert cleaned == [True, True], "it has ended with the server"

    monkeypatch.setattr(run, "collect_when_quiet", cleaning)
    gc.unfreeze()
    asyncio.run(serve())
    assert gc.get_freeze_count() == 0
    assert not callbacks()


def test_an_app_leaves_the_collector_to_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests are such a process: what thousands of them hold stays frozen."""

    async def serve() -> None:
        async with running_server(tmp_path) as server:
            assert not callbacks()
            server.clock.advance(2 * CLEANING_SECONDS)
            await server.get("/api/games")

    calls: list[str] = []
    for name in ("freeze", "unfreeze"):
        monkeypatch.setattr(gc, name, lambda name=name: calls.append(name))
    asyncio.run(serve())
    assert calls == []
