"""How long tables are kept: names, tokens and chat go after 90 idle days, never by a wrong clock.

A clock that is ahead (a dead battery, a typing error) makes every table look old. So a table is
marked first and deleted a week later. The clock is doubted if nothing in the store is younger than
a month at the start, or if the clock jumps while the server runs: then the week of every mark
begins anew, and nothing is deleted for a week of the clock that never steps. A clock that is set
right takes the marks away again. A clock that is behind deletes nothing too soon.
"""

from collections.abc import Callable

from stichwerk.errors import StichwerkError
from stichwerk.server.clock import Clock
from stichwerk.server.logs import Log
from stichwerk.server.metrics import Metrics
from stichwerk.server.storage.maintenance import DAY, delete_old
from stichwerk.server.storage.store import Store

KEPT_DAYS = 90
NOTICE_DAYS = 7  # from the mark to the deletion
DOUBT_DAYS = 7  # without a deletion
LONGEST_GAP = 30 * DAY  # between the newest change and the start
LARGEST_JUMP = DAY  # of the clock between two looks, beside the time that has really passed
GRACE_SECONDS = 900.0  # after the start: clocks are often set then
LOOK_SECONDS = 6 * 3600.0
_DAY_SECONDS = DAY / 1000


class Retention:
    """Marks and deletes old tables.

    `in_use` tells which are in memory: these stay. `forgotten` is called for each that is deleted.
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
        self._doubted_until = 0.0  # by the clock that never steps
        self._seen = (0, 0.0)  # both clocks at the last look
        metrics.clock_doubted.read_by(lambda: self.doubted)

    @property
    def doubted(self) -> bool:
        """Whether the clock may be wrong."""
        return self.clock.monotonic() < self._doubted_until

    async def begin(self) -> None:
        """Compare the clock with the store, before anything new is stored, and mark what is old."""
        now = self._look_at_clocks()
        newest = await self.store.newest(until=now)
        doubtful = newest is not None and now - newest > LONGEST_GAP
        if newest is not None and doubtful:
            self._doubt(now - newest)
        await self._mark(now, anew=doubtful)

    async def go_on(self) -> None:
        """Look for old tables forever."""
        await self.clock.sleep(GRACE_SECONDS)
        while True:
            await self.look()
            await self.clock.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Mark what has become old; delete what was marked long enough ago, by a clock that is not
        doubted."""
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
