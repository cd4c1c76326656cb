"""Retention of tables: names, tokens and chat are deleted after 90 idle days, even with a bad
clock.

A clock that is ahead (a dead battery, a typo) makes every table look old. So a table is marked
first and deleted a week later. The clock is distrusted if nothing in the store is younger than a
month at start-up, or if it jumps while the server runs: then the week of every mark starts over,
and nothing is deleted for a week of the monotonic clock. Correcting the clock removes the marks
again. A clock that is behind deletes nothing too soon.
"""

from collections.abc import Callable

from stichwerk.errors import StichwerkError
from stichwerk.server.clock import Clock
from stichwerk.server.logs import Log
from stichwerk.server.metrics import Metrics
from stichwerk.server.storage.maintenance import DAY, delete_old
from stichwerk.server.storage.store import Store

KEPT_DAYS = 90
NOTICE_DAYS = 7  # from mark to deletion
DOUBT_DAYS = 7  # without a deletion
LONGEST_GAP = 30 * DAY  # between the newest change and the start
LARGEST_JUMP = DAY  # of the clock between two checks, beyond the time that really passed
GRACE_SECONDS = 900.0  # after the start: clocks are often set then
LOOK_SECONDS = 6 * 3600.0
_DAY_SECONDS = DAY / 1000


class Retention:
    """Marks and deletes old tables.

    `in_use` tells which tables are in memory: they are kept. `forgotten` is called for each deleted
    table.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        log: Log,
        metrics: Metrics,
        in_use: Callable[[str], bool],
        forgotten: Callable[[str], None],
    ) -> None:
        self.store, self.clock, self.log = store, clock, log
        self.in_use, self.forgotten = in_use, forgotten
        self._doubted_until = 0.0  # by the monotonic clock
        self._seen = (0, 0.0)  # both clocks at the last check
        metrics.clock_doubted.read_by(lambda: self.doubted)

    @property
    def doubted(self) -> bool:
        """Whether the clock may be wrong."""
        return self.clock.monotonic() < self._doubted_until

    async def begin(self) -> None:
        """Compare the clock with the store before anything new is stored, and mark old tables."""
        now = self._look_at_clocks()
        newest = await self.store.newest(until=now)
        doubtful = newest is not None and now - newest > LONGEST_GAP
        if newest is not None and doubtful:
            self._doubt(now - newest)
        await self._mark(now, anew=doubtful)

    async def go_on(self) -> None:
        """Check for old tables forever."""
        await self.clock.sleep(GRACE_SECONDS)
        while True:
            await self.look()
            await self.clock.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Mark tables that have become old; delete those marked long enough ago, if the clock is
        trusted."""
        wall, steady = self._seen
        now = self._look_at_clocks()
        jump = now - wall - 1000 * (self.clock.monotonic() - steady)
        if jump > LARGEST_JUMP:
            self._doubt(round(jump))
        await self._mark(now, anew=jump > LARGEST_JUMP)
        if self.doubted:
            return
        try:
            deleted = await delete_old(self.store, now, KEPT_DAYS, in_use=self.in_use)
        except StichwerkError as error:
            self.log.warn("not-deleted", error=error.id)
            return
        for table in deleted:
            self.forgotten(table)
        if deleted:
            self.log.info("deleted", tables=len(deleted))

    def _look_at_clocks(self) -> int:
        self._seen = (self.clock.milliseconds(), self.clock.monotonic())
        return self._seen[0]

    def _doubt(self, gap: int) -> None:
        self._doubted_until = self.clock.monotonic() + DOUBT_DAYS * _DAY_SECONDS
        self.log.warn("clock-doubted", days=gap // DAY)

    async def _mark(self, now: int, *, anew: bool) -> None:
        idle_since, until = now - (KEPT_DAYS - NOTICE_DAYS) * DAY, now + NOTICE_DAYS * DAY
        try:
            new, marked = await self.store.mark_for_deletion(
                before=idle_since, until=until, anew=anew
            )
        except StichwerkError as error:
            self.log.warn("not-deleted", error=error.id)
            return
        if new:
            self.log.info("to-be-deleted", tables=marked, days=NOTICE_DAYS)
