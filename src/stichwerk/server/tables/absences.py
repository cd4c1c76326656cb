"""Absent people at a table: a bot plays for them, and someone else stands in for an absent host."""

from functools import partial
from typing import TYPE_CHECKING

from stichwerk.server.tables import log_entries as log

if TYPE_CHECKING:
    from stichwerk.server.tables.live_table import LiveTable


class Absences:
    """Gives absent people some time to return, and acts when they do not."""

    def __init__(self, live_table: "LiveTable") -> None:
        self.live_table = live_table
        self.table = live_table.table
        self.timers = live_table.timers
        self._due: dict[str, int] = {}  # by person: when a bot takes over, in milliseconds

    def expect_people(self) -> None:
        """Start the away timer for absent people with a seat: after a restart, or for a rematch."""
        expected = {place.person for place in self.table.places}
        missing = expected - self.live_table.here()
        for person in missing if missing and self.live_table.attended() else ():
            if person and f"gone {person}" not in self.timers:
                self.expect_back(person)

    def expect_back(self, person: str) -> None:
        """Start the away timer of a person, after which a bot takes over."""
        self._due[person] = self.live_table.clock.milliseconds() + 1000 * self.table.settings.away
        self.timers.later(
            f"gone {person}", self.table.settings.away, partial(self._still_gone, person)
        )

    def bot_at(self) -> dict[str, int]:
        """Return when a bot takes over, for each absent person whose seat it would be."""
        self._due = {one: at for one, at in self._due.items() if f"gone {one}" in self.timers}
        if self.table.stage == "over":
            return {}
        seats = {one: self.table.seat_of(one) for one in self._due}
        return {
            one: at
            for one, at in self._due.items()
            if (seat := seats[one]) is not None and self.table.is_played_by_person(seat)
        }

    def forget(self, person: str) -> None:
        """Cancel the timers of a person."""
        for name in (f"gone {person}", f"back {person}"):
            self.timers.cancel(name)

    async def _still_gone(self, person: str) -> None:
        """Let a bot take over for someone who has not returned in time."""

        def decide() -> list[log.Entries]:
            if person in self.live_table.here() or person in self.live_table.entering:
                return []
            seat = self.table.seat_of(person)
            if (
                seat is None
                or not self.table.is_played_by_person(seat)
                or self.table.stage == "over"
            ):
                return []
            return [log.BotTookOver(seat=seat)]

        name = f"gone {person}"
        await self.live_table.change_or_retry(decide, name, partial(self._still_gone, person))

    async def return_seat(self, person: str) -> None:
        """Give a returning person their seat back, and a returning owner the host's rights."""

        def decide() -> list[log.Entries]:
            table, found = self.table, list[log.Entries]()
            seat = table.seat_of(person)
            if seat is not None and table.places[seat].level is not None:
                found.append(log.PlayerReturned(seat=seat))
            if person == table.owner != table.host:
                found.append(log.HostPassed(person=person))
            return found

        # If this cannot be stored, it is retried; until then the bot plays on.
        name = f"back {person}"
        await self.live_table.change_or_retry(decide, name, partial(self.return_seat, person))

    def expect_host(self) -> None:
        """Start the timer for an absent host, if there is someone to stand in."""
        if self.live_table.is_connected(self.table.host) or self._replace_host() is None:
            self.timers.cancel("host")
        elif "host" not in self.timers:
            self.timers.later("host", self.live_table.limits.host_seconds, self._host_missing)

    def _replace_host(self) -> str | None:
        """Return who can stand in for the host: the first seated person who is connected."""
        seated = [one for one in self.table.people if self.table.seat_of(one) is not None]
        return next((one for one in seated if one in self.live_table.here()), None)

    async def _host_missing(self) -> None:
        def decide() -> list[log.Entries]:
            person = self._replace_host()
            present = {*self.live_table.here(), *self.live_table.entering}
            if person is None or self.table.host in present:
                return []
            return [log.HostPassed(person=person)]

        await self.live_table.change_or_retry(decide, "host", self._host_missing)
