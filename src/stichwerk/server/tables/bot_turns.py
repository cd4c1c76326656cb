"""Bot turns at a table: ask the pool for a move, and make it at a human pace."""

from hashlib import blake2b
from typing import TYPE_CHECKING

from stichwerk.server import wire
from stichwerk.server.bots.bot_pool import paced, pause
from stichwerk.server.storage.store import StorageError
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.named_timers import AGAIN_SECONDS
from stichwerk.view import View

FACTORS: dict[wire.Pace, float] = {"slow": 2.0, "normal": 1.0, "fast": 0.4, "instant": 0.0}

if TYPE_CHECKING:
    from stichwerk.server.tables.live_table import LiveTable


class BotTurns:
    """Finds and makes the moves of all seats played by a bot."""

    def __init__(self, live_table: "LiveTable") -> None:
        self.live_table = live_table
        self.table = live_table.table
        self.thinking: dict[int, tuple[str, int]] = {}  # by seat: match id and ply

    def start_due_moves(self) -> None:
        """Start all bot moves that are due, as long as someone is there to see them."""
        running = self.table.running
        if running is None or self.table.stage != "playing" or self.table.ask:
            return
        if not self.live_table.attended() or self.must_wait():
            return
        for seat in running.match.waiting_for:
            if not self.table.is_played_by_person(seat):
                self._start_bot_move(seat)

    def must_wait(self) -> bool:
        """Return whether the only person who plays is still reading. Among several nobody holds up
        the others."""
        playing = self._people_playing()
        return len(playing) == 1 and any(
            client.reads and client.person in playing for client in self.live_table.clients
        )

    def _people_playing(self) -> set[str | None]:
        table = self.table
        seats = [seat for seat in range(table.seats) if table.is_played_by_person(seat)]
        return {table.places[seat].person for seat in seats}

    def _start_bot_move(self, seat: int) -> None:
        running = self.table.running
        assert running is not None
        task = (running.id, len(running.made[seat]))
        if self.thinking.get(seat) != task:
            self.thinking[seat] = task
            self.live_table.start(self.make_bot_move(seat, "bot"))

    async def make_bot_move(self, seat: int, by: str) -> None:
        """Find a move for a seat, and make it if it is still needed.

        `by`: "bot", or "clock" for a person whose time is up.
        """
        table, running = self.table, self.table.running
        if running is None or seat not in running.match.waiting_for:
            return
        ply, match = len(running.made[seat]), running.match
        view = match.view(seat)
        level = table.places[seat].level or table.settings.level
        seed = seed_of(table.salt, running.id, seat)
        # Moves by the clock are paced too: the time a bot needs may depend on hidden cards.
        seconds = self._pause(view)
        thinking = self.live_table.lobby.pool.move(level, seed, view, self._requester(seat))
        thought = await paced(thinking, seconds, self.live_table.clock)

        def decide() -> list[log.Entries]:
            if table.running is not running or len(running.made[seat]) != ply:
                return []
            if running.match is not match:  # a move was taken back: this one is outdated
                return []
            if by == "bot" and self.must_wait():  # it is asked again afterwards
                return []
            if (by == "clock") != table.is_played_by_person(seat) or (by == "bot" and table.ask):
                return []
            why = "failed" if thought.failed and by == "bot" else by
            return [log.MovePlayed(seat=seat, move=thought.move, by=why)]

        try:
            await self.live_table.change(decide)
        except StorageError:
            await self.live_table.clock.sleep(AGAIN_SECONDS)
            if by == "clock" and self.live_table.move_clock.is_past_deadline():
                self.live_table.start(self.make_bot_move(seat, by))
        finally:
            if by == "bot" and self.thinking.get(seat) == (running.id, ply):
                del self.thinking[seat]
        self.start_due_moves()

    def _requester(self, seat: int) -> tuple[str, str, str]:
        """Return the key for the bot pool's fair queue: the address of a seated client, namely the
        one with the fewest waiting requests. Spectators slow nobody down."""
        clients = self.live_table.clients
        seated = [one for one in clients if self.table.seat_of(one.person) is not None]
        addresses = sorted({client.address for client in seated or clients})
        address = min(addresses, key=self.live_table.lobby.pool.waiting_for, default="")
        return address, self.table.id, str(seat)

    def pace_factor(self) -> float:
        """Return how much longer than usual bots seem to think. Without a pause the time they need
        is visible, and may depend on hidden cards: so there is one among several people."""
        pace = self.table.settings.pace
        if pace == "instant" and len(self._people_playing()) > 1:
            pace = "fast"
        return FACTORS[pace]

    def _pause(self, view: View) -> float:
        """Return a human pause, derived only from public facts."""
        factor = self.live_table.lobby.pace * self.pace_factor()
        return pause(self.table.id, self.table.seq, view.phase, factor=factor)


def seed_of(salt: str, match: str, seat: int) -> int:
    """Return the seed of a bot at a table: stable across restarts, and impossible to guess."""
    digest = blake2b(f"{salt}/{match}/{seat}".encode(), digest_size=6).digest()
    return int.from_bytes(digest, "big")
