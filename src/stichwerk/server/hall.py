"""All tables of a server: made, found, brought back from the store, and put away again."""

import asyncio
from contextlib import suppress

import msgspec

from stichwerk.errors import StichwerkError
from stichwerk.record import decode, encode
from stichwerk.server import decisions, wire
from stichwerk.server import entries as log
from stichwerk.server.chance import Chance
from stichwerk.server.client import STOPPING, Client
from stichwerk.server.clock import SYSTEM, Clock
from stichwerk.server.guards import Limits
from stichwerk.server.logs import Log
from stichwerk.server.metrics import Metrics
from stichwerk.server.retention import Retention
from stichwerk.server.room import Room
from stichwerk.server.store import Append, Store
from stichwerk.server.table import Table
from stichwerk.server.thinkers import Thinkers

IDLE_SECONDS = 600.0  # until a table that nobody looks at leaves the memory
SWEEP_SECONDS = 60.0
QUIET_SECONDS = 2.0
CATCH_UP_SECONDS = 0.02  # between two tables that are looked at after a start
MOST_LISTED = 200  # tables the lobby shows
GOODBYE_PAUSES = 100  # of 10 ms: the longest wait for goodbyes that are on their way
NO_TABLE = 4404  # a code of closing, as in docs/protocol.md


class NoSuchThing(StichwerkError):  # noqa: N818  (as in errors.py)
    """A table or a match that is not there."""


class Hall:
    """Where the tables stand."""

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        *,
        log: Log,
        metrics: Metrics,
        chance: Chance | None = None,
        clock: Clock = SYSTEM,
        pace: float = 1.0,
        limits: Limits | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self.store = store
        self.thinkers = thinkers
        self.log = log
        self.metrics = metrics
        self.chance = chance or Chance()
        self.clock = clock
        self.pace = pace
        self.rooms: dict[str, Room] = {}
        self.parting: set[Client] = set()  # to whom the last messages are being sent
        self.summaries: dict[str, wire.LobbyTable] = {}
        self._loading: dict[str, asyncio.Future[Room]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self.retention = Retention(store, clock, log, metrics, self.in_use, self._forgotten)

    # -- Start and stop ----------------------------------------------------------------------------

    async def start(self) -> None:
        """Read what the lobby needs; tables themselves are read when someone comes."""
        for id, summary, _ in reversed(await self.store.tables()):
            # A crash may have come before the first summary; then `_catch_up` makes it.
            with suppress(msgspec.DecodeError):
                self._note(id, msgspec.json.decode(summary, type=wire.LobbyTable))
        self.metrics.tables.read_by(lambda: len(self.rooms))
        behind = await self.store.behind()
        await self.retention.begin()
        self._tasks = [
            asyncio.create_task(self._catch_up(behind)),
            asyncio.create_task(self._sweep()),
            asyncio.create_task(self.retention.go_on()),
        ]

    async def _catch_up(self, behind: list[tuple[str, int]]) -> None:
        """Where a crash came between a change and its summary, or the end of a match and its
        record: write that now."""
        for id, touched in behind:
            await self.clock.sleep(CATCH_UP_SECONDS)
            try:
                await self._sum_up(id, touched)
            except Exception as error:  # one broken table must not hurt the others
                self.log.error("table-unreadable", error, table=id)

    async def _sum_up(self, id: str, touched: int) -> None:
        in_memory = self.in_use(id)
        room = await self.room(id)
        await room.start(room.sum_up(touched))
        if not in_memory and room.idle:
            self._put_away(room)

    async def _sweep(self) -> None:
        """Put away what nobody looks at."""
        while True:
            await self.clock.sleep(SWEEP_SECONDS)
            edge = self.clock.monotonic() - IDLE_SECONDS
            for room in list(self.rooms.values()):
                if room.idle and room.last_used < edge:
                    self._put_away(room)

    def _put_away(self, room: Room) -> None:
        room.close()
        del self.rooms[room.table.id]

    def _forgotten(self, id: str) -> None:
        """A table was deleted. A client that came at that very moment is sent away again."""
        self.summaries.pop(id, None)
        room = self.rooms.pop(id, None)
        if room is not None:
            room.close()
            for client in list(room.clients):
                client.close(NO_TABLE, "no-such-table")

    def in_use(self, id: str) -> bool:
        """Whether a table is in memory, or about to be."""
        return id in self.rooms or id in self._loading

    async def farewell(self) -> None:
        """Say goodbye to all."""
        for room in self.rooms.values():
            for client in list(room.clients):
                client.close(STOPPING, "server-stops")
        while any(room.clients for room in self.rooms.values()):
            await asyncio.sleep(0.01)
        for _ in range(GOODBYE_PAUSES):  # a client that takes nothing is not waited for
            if not self.parting:
                return
            await asyncio.sleep(0.01)

    async def stop(self) -> None:
        """Finish what has begun."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for room in self.rooms.values():
            async with room.lock:
                room.close()

    # -- Tables ------------------------------------------------------------------------------------

    async def room(self, id: str) -> Room:
        """The table of this id, from memory or from the store."""
        if id in self.rooms:
            return self.rooms[id]
        if id not in self._loading:
            loading = asyncio.ensure_future(self._load(id))
            self._loading[id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> Room:
        stored = await self.store.read(id)
        if not stored:
            raise NoSuchThing("no-such-table")
        # In a thread: a long match takes a while to play again, and others play on meanwhile.
        table = await asyncio.to_thread(lambda: Table.replay(log.decode_all(stored)))
        room = Room(self, table)
        self.rooms[id] = room
        self.note_summary(room)
        return room

    def note_summary(self, room: Room) -> None:
        """What the lobby tells of a table."""
        self._note(room.table.id, room.summary())

    def _note(self, id: str, summary: wire.LobbyTable) -> None:
        """Keep what the lobby may show; of a table that is not listed, nothing."""
        if summary.listed:
            self.summaries[id] = summary
        else:
            self.summaries.pop(id, None)

    async def create(self, wish: wire.NewTable) -> tuple[str, decisions.NewPerson]:
        """A new table."""
        table, host, first = decisions.make_table(wish, self.chance)
        await self._found(table, first)
        return table, host

    async def fork(self, match: str, wish: wire.NewFork) -> tuple[str, decisions.NewPerson]:
        """A new table on which a finished match is played on."""
        told = decode(await self.record(match))
        made = await asyncio.to_thread(decisions.make_fork, told, wish, self.chance)
        table, host, first = made
        await self._found(table, first)
        return table, host

    async def _found(self, table: str, first: list[log.Entries]) -> None:
        raw = tuple(log.encode(entry) for entry in first)
        room_made = Append(table=table, first=1, entries=raw, at=self.clock.milliseconds())
        await self.store.append(room_made)
        room = await self.room(table)
        await room.start(room.sum_up())

    async def record(self, match: str) -> bytes:
        """The record of a finished match."""
        found = await self.store.match(match) or self._just_finished(match)
        if found is None:
            raise NoSuchThing("no-such-match")
        return found

    def _just_finished(self, match: str) -> bytes | None:
        """The record of a match that is over, but not yet among the records."""
        for room in self.rooms.values():
            if room.table.stage == "over" and room.table.match_id == match:
                assert room.table.running is not None
                return encode(room.table.running.record())
        return None

    def lobby(self) -> wire.Lobby:
        """The tables that are open to all, the newest first."""
        listed = [
            one
            for one in reversed(self.summaries.values())
            if one.listed and one.stage != "over" and (one.free or one.watch == "all")
        ]
        return wire.Lobby(tables=tuple(listed[:MOST_LISTED]))

    def is_quiet(self) -> bool:
        """Whether nothing has happened at any table for a moment."""
        latest = max((room.last_used for room in self.rooms.values()), default=0.0)
        return self.clock.monotonic() - latest > QUIET_SECONDS

    async def healthy(self) -> bool:
        """Whether what happens can be stored; after a failure it is tried, as nobody else may."""
        if not self.store.healthy:
            with suppress(StichwerkError):
                await self.store.probe()
        return self.store.healthy
