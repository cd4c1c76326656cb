"""The clock of a table: one deadline for all people whose move is due."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stichwerk.server.tables.live_table import LiveTable


class MoveClock:
    """Limits the time for moves, if the table's settings ask for it.

    When the time is up, a bot moves for everyone whose move is still missing.
    """

    def __init__(self, live_table: "LiveTable") -> None:
        self.live_table = live_table
        self.table = live_table.table
        self.deadline: int | None = None  # in milliseconds
        self.timed: tuple[object, ...] | None = None  # the position the clock runs for

    def update(self) -> None:
        """Restart the clock after every move, and only then; stop it if unused."""
        seconds, running = self.table.settings.clock, self.table.running
        if seconds is None or running is None or not self._people_owing():
            self._stop()
            return
        timed = (running.id, len(running.moves), running.made_in_all, self._people_owing())
        if self.timed != timed and not self.live_table.attended():
            self._stop()
        elif self.timed != timed:
            self.timed = timed
            self.deadline = self.live_table.clock.milliseconds() + 1000 * seconds
            self.live_table.timers.later("clock", seconds, self.time_is_up)

    def _stop(self) -> None:
        self.live_table.timers.cancel("clock")
        self.deadline = self.timed = None

    def _people_owing(self) -> list[int]:
        running = self.table.running
        if running is None or self.table.stage != "playing":
            return []
        return [seat for seat in running.match.waiting_for if self.table.is_played_by_person(seat)]

    async def time_is_up(self) -> None:
        """Let bots move for all people whose move is missing."""
        for seat in self._people_owing():
            self.live_table.start(self.live_table.bot_turns.make_bot_move(seat, "clock"))

    def is_past_deadline(self) -> bool:
        """Return whether the time is up."""
        return self.deadline is not None and self.deadline <= self.live_table.clock.milliseconds()
