"""The deadline for shares of the shuffle, and what happens when one is missing."""

from typing import TYPE_CHECKING

from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables import requests

if TYPE_CHECKING:
    from stichwerk.server.tables.live_table import LiveTable

SHARE_SECONDS = 15.0  # to seal a share, and to open it


class ShareDeadline:
    """Waits for the players' shares of a shuffle.

    If a player does not seal, the server generates a share for them; if one does not open, the
    set-up fails and a new one follows.
    """

    def __init__(self, live_table: "LiveTable") -> None:
        self.live_table = live_table
        self.table = live_table.table
        self.expecting = ("", False)  # match id, and whether all shares are sealed

    def update(self) -> None:
        """Start the deadline of the shares that are due now, or the next set-up."""
        shuffle, timers = self.table.shuffle, self.live_table.timers
        if shuffle is None:
            if self.table.deals_again:
                if self.live_table.attended():
                    timers.later("set-up", 0.0, self._set_up_again)
            else:
                timers.cancel("shares")
            return
        stage = (shuffle.match, shuffle.sealed)
        if self.live_table.attended() and ("shares" not in timers or self.expecting != stage):
            self.expecting = stage
            timers.later("shares", SHARE_SECONDS, self._shares_missing)

    async def _shares_missing(self) -> None:
        def decide() -> list[log.Entries]:
            shuffle = self.table.shuffle
            if shuffle is None or (shuffle.match, shuffle.sealed) != self.expecting:
                return []
            if not shuffle.sealed:
                seed = self.live_table.lobby.rng.seed
                return [log.ShareDrawn(seat=at, seed=seed()) for at in shuffle.unsealed_seats()]
            return [log.SetUpFailed(seats=shuffle.unopened_seats())]

        await self.live_table.change_or_retry(decide, "shares", self._shares_missing)

    async def _set_up_again(self) -> None:
        """Begin a set-up with a new id; the server generates the shares of those who did not open
        theirs."""

        def decide() -> list[log.Entries]:
            table = self.table
            if not table.deals_again:
                return []
            rng, drawn = self.live_table.lobby.rng, table.failed_to_open
            again = requests.set_up(table, rng, turn=False, drawn=drawn)
            return [*requests.bots_for_free_seats(table), again]

        await self.live_table.change_or_retry(decide, "set-up", self._set_up_again)
