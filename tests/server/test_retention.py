"""Old tables are deleted, but never by a wrong clock, and never while somebody is there."""

import io
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from stichwerk.server.logs import Log
from stichwerk.server.metrics import Metrics
from stichwerk.server.storage.maintenance import DAY
from stichwerk.server.storage.retention import (
    GRACE_SECONDS,
    KEPT_DAYS,
    LOOK_SECONDS,
    NOTICE_DAYS,
    Retention,
)
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.storage.store import LogAppend
from tests.server.harness import Quick, run, running_server
from tests.server.manual_clock import BEGIN, ManualClock, until

SECONDS_A_DAY = DAY / 1000
WRONG = 200 * DAY


class TwoClocks(ManualClock):
    """A manual clock whose time of day can be set, as someone sets the clock of a machine."""

    def __init__(self, ahead: int = 0) -> None:
        super().__init__()
        self.ahead = ahead

    def milliseconds(self) -> int:
        return super().milliseconds() + self.ahead


class Scene:
    """A store, and who looks after it; `start` is another start of the server."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self.lines = io.StringIO()
        self.in_use: set[str] = set()
        self.forgotten: list[str] = []
        self.metrics = Metrics()

    async def start(self, clock: TwoClocks) -> Retention:
        log = Log(self.lines, human=False, strict=True, clock=clock)
        started = Retention(
            self.store,
            clock,
            log,
            self.metrics,
            self.in_use.__contains__,
            self.forgotten.append,
        )
        await started.begin()
        return started

    async def touch(self, table: str, days_ago: float) -> None:
        at = BEGIN - round(days_ago * DAY)
        first = len(await self.store.read(table))
        await self.store.append(LogAppend(table=table, first=first, entries=(b"x",), at=at))

    async def left(self) -> set[str]:
        return {table for table, _, _ in await self.store.tables()}

    def describe(self) -> list[tuple[str, object, object]]:
        found = [json.loads(line) for line in self.lines.getvalue().splitlines()]
        return [(one["event"], one.get("tables"), one.get("days")) for one in found]


def with_scene(tmp_path: Path, deed: Callable[[Scene], Awaitable[None]]) -> None:
    async def opened() -> None:
        store = SqliteStore(tmp_path / "store")
        await store.open()
        try:
            await deed(Scene(store))
        finally:
            await store.close()

    run(opened())


def test_old_tables_are_marked_and_deleted_a_week_later(tmp_path: Path) -> None:
    async def deed(scene: Scene) -> None:
        await scene.touch("new", 0)
        await scene.touch("old", KEPT_DAYS - 0.5)
        clock = TwoClocks()
        retention = await scene.start(clock)
        assert scene.describe() == [("to-be-deleted", 1, 7)]
        await retention.look()
        clock.advance(NOTICE_DAYS * SECONDS_A_DAY - 1)
        await retention.look()
        assert await scene.left() == {"new", "old"}
        clock.advance(1)
        await retention.look()
        assert await scene.left() == {"new"}
        assert scene.forgotten == ["old"]
        assert scene.describe()[1:] == [("deleted", 1, None)]
        assert scene.metrics.clock_doubted.value == 0

    with_scene(tmp_path, deed)


def test_a_start_with_a_wrong_clock_deletes_nothing(tmp_path: Path) -> None:
    """Also when somebody plays by the wrong time, and after another start; a clock that is set
    right takes the marks away."""

    async def deed(scene: Scene) -> None:
        tables = {f"t{number}" for number in range(5)}
        for table in tables:
            await scene.touch(table, 1)
        wrong = TwoClocks(WRONG)
        retention = await scene.start(wrong)
        assert scene.describe() == [("clock-doubted", None, 201), ("to-be-deleted", 5, 7)]
        assert scene.metrics.clock_doubted.value == 1
        await scene.touch("t0", -200)
        for again in (False, True):
            if again:
                retention = await scene.start(wrong)
            for _ in range(12):
                wrong.advance(LOOK_SECONDS)
                await retention.look()
        assert await scene.left() == tables

        right = TwoClocks()
        right.advance(wrong.now)
        retention = await scene.start(right)
        for _ in range(40):
            right.advance(LOOK_SECONDS)
            await retention.look()
        assert await scene.left() == tables
        assert (
            await scene.store.marked_for_deletion(before=BEGIN + 999 * DAY, now=BEGIN + 999 * DAY)
            == []
        )

    with_scene(tmp_path, deed)


def test_a_clock_that_jumps_while_the_server_runs_deletes_nothing_soon(tmp_path: Path) -> None:
    async def deed(scene: Scene) -> None:
        await scene.touch("played", 1)
        clock = TwoClocks()
        retention = await scene.start(clock)
        assert scene.describe() == []
        clock.advance(LOOK_SECONDS)
        clock.ahead = WRONG
        await scene.touch("other", -200)  # somebody plays before anybody looks
        await retention.look()
        assert scene.describe() == [("clock-doubted", None, 200), ("to-be-deleted", 1, 7)]
        clock.advance((NOTICE_DAYS - 1) * SECONDS_A_DAY)
        await retention.look()
        assert await scene.left() == {"played", "other"}

    with_scene(tmp_path, deed)


def test_a_second_start_with_a_clock_still_further_ahead_deletes_nothing(tmp_path: Path) -> None:
    """The marks of the first start are over by then; they do not count."""

    async def deed(scene: Scene) -> None:
        await scene.touch("played", 1)
        await scene.start(TwoClocks(WRONG))
        clock = TwoClocks(WRONG + 100 * DAY)
        retention = await scene.start(clock)
        for _ in range(4 * NOTICE_DAYS - 1):
            clock.advance(LOOK_SECONDS)
            await retention.look()
        assert await scene.left() == {"played"}

    with_scene(tmp_path, deed)


def test_a_clock_that_jumps_twice_deletes_nothing(tmp_path: Path) -> None:
    async def deed(scene: Scene) -> None:
        await scene.touch("played", 1)
        clock = TwoClocks()
        retention = await scene.start(clock)
        for jump in (WRONG, 10 * DAY):
            clock.advance(LOOK_SECONDS)
            clock.ahead += jump
            await retention.look()
            assert retention.doubted
        assert await scene.left() == {"played"}

    with_scene(tmp_path, deed)


@pytest.mark.parametrize("ahead", [199 * DAY, 201 * DAY])
def test_a_table_dated_by_a_wrong_clock_does_not_confirm_the_clock(
    ahead: int, tmp_path: Path
) -> None:
    async def deed(scene: Scene) -> None:
        await scene.touch("played", 1)
        await scene.touch("by a wrong clock", -200)
        clock = TwoClocks(ahead)
        retention = await scene.start(clock)
        for _ in range(4 * NOTICE_DAYS - 1):
            clock.advance(LOOK_SECONDS)
            await retention.look()
        assert await scene.left() == {"played", "by a wrong clock"}
        assert retention.doubted == (ahead < 200 * DAY)

    with_scene(tmp_path, deed)


def test_a_server_that_was_off_for_months_deletes_a_week_later(tmp_path: Path) -> None:
    """Nobody can tell this from a wrong clock, until a week has passed."""

    async def deed(scene: Scene) -> None:
        await scene.touch("old", 100)
        clock = TwoClocks()
        retention = await scene.start(clock)
        clock.advance(NOTICE_DAYS * SECONDS_A_DAY)
        await retention.look()
        assert await scene.left() == set()
        assert not retention.doubted

    with_scene(tmp_path, deed)


def test_a_slow_clock_deletes_nothing(tmp_path: Path) -> None:
    async def deed(scene: Scene) -> None:
        await scene.touch("a", 0)
        clock = TwoClocks(-10_000 * DAY)
        retention = await scene.start(clock)
        clock.advance(10 * SECONDS_A_DAY)
        await retention.look()
        assert await scene.left() == {"a"}
        assert scene.describe() == []

    with_scene(tmp_path, deed)


def test_a_table_in_use_stays(tmp_path: Path) -> None:
    async def deed(scene: Scene) -> None:
        await scene.touch("new", 0)
        await scene.touch("old", 100)
        scene.in_use.add("old")
        clock = TwoClocks()
        retention = await scene.start(clock)
        for _ in range(NOTICE_DAYS + 2):
            clock.advance(SECONDS_A_DAY)
            await retention.look()
        assert await scene.left() == {"new", "old"}
        scene.in_use.clear()
        await retention.look()
        assert await scene.left() == {"new"}

    with_scene(tmp_path, deed)


@pytest.mark.slow
def test_a_server_with_a_wrong_clock_keeps_its_tables(tmp_path: Path) -> None:
    """Through the whole server, with somebody at one of them."""

    async def play() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            made = [await home.table() for _ in range(3)]
        clock = TwoClocks(WRONG)
        async with (
            running_server(tmp_path, pool=Quick(), clock=clock) as home,
            home.guest(made[0]) as guest,
        ):
            await until(lambda: any(t.seconds == GRACE_SECONDS for t in clock.timers), "the grace")
            clock.advance(GRACE_SECONDS)
            for _ in range(4):
                await until(
                    lambda: any(t.seconds == LOOK_SECONDS for t in clock.timers), "the next look"
                )
                clock.advance(LOOK_SECONDS)
            assert guest.table is not None
            kept = {table for table, _, _ in await home.lobby.store.tables(open_only=False)}
            assert kept == {one.table for one in made}

    run(play())
