"""All tables of a server: made, found, brought back from the store, and put away again."""

import asyncio
from contextlib import suppress

import msgspec

from stichwerk.errors import StichwerkError
from stichwerk.record import decode, encode
from stichwerk.server import decisions, wire
from stichwerk.server import entries as log
from stichwerk.server.chance import Chance
from stichwerk.server.clock import SYSTEM, Clock
from stichwerk.server.keeping import delete_old
from stichwerk.server.logs import Log
from stichwerk.server.metrics import Metrics
from stichwerk.server.room import Room
from stichwerk.server.store import Append, Store
from stichwerk.server.table import Table
from stichwerk.server.thinkers import Thinkers

IDLE_SECONDS = 600.0  # until a table that nobody looks at leaves the memory
SWEEP_SECONDS = 60.0
QUIET_SECONDS = 2.0
DELETE_SECONDS = 6 * 3600.0  # between two looks for old data
CATCH_UP_SECONDS = 0.02  # between two tables that are looked at after a start
MOST_LISTED = 200  # tables the lobby shows


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
    ) -> None:
        self.store = store
        self.thinkers = thinkers
        self.log = log
        self.metrics = metrics
        self.chance = chance or Chance()
        self.clock = clock
        self.pace = pace
        self.rooms: dict[str, Room] = {}
        self.summaries: dict[str, wire.LobbyTable] = {}
        self._loading: dict[str, asyncio.Future[Room]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    # -- Start and stop ----------------------------------------------------------------------------

    async def start(self) -> None:
        """Read what the lobby needs; tables themselves are read when someone comes."""
        kept = await self.store.tables()
        for id, summary, _ in reversed(kept):
            # A crash may have come before the first summary; then `_catch_up` makes it.
            with suppress(msgspec.DecodeError):
                self.summaries[id] = msgspec.json.decode(summary, type=wire.LobbyTable)
        self.metrics.tables.read_by(lambda: len(self.rooms))
        self._tasks = [
            asyncio.create_task(self._catch_up([id for id, _, _ in kept])),
            asyncio.create_task(self._sweep()),
            asyncio.create_task(self._delete_old()),
        ]

    async def _catch_up(self, ids: list[str]) -> None:
        """A crash may have come between the end of a match and its record: write that now."""
        for id in ids:
            await self.clock.sleep(CATCH_UP_SECONDS)
            try:
                room = await self.room(id)
                if room.table.stage == "over":
                    await room.start(room.sum_up())
            except Exception as error:  # one broken table must not hurt the others
                self.log.error("table-unreadable", error, table=id)

    async def _sweep(self) -> None:
        """Put away what nobody looks at."""
        while True:
            await self.clock.sleep(SWEEP_SECONDS)
            edge = self.clock.monotonic() - IDLE_SECONDS
            for id, room in list(self.rooms.items()):
                if room.idle and room.last_used < edge:
                    room.close()
                    del self.rooms[id]

    async def _delete_old(self) -> None:
        """What is promised about names and chat: after 90 days they are gone."""
        while True:
            try:
                deleted = await delete_old(self.store, self.clock.milliseconds())
            except StichwerkError as error:
                self.log.warn("not-deleted", error=error.id)
            else:
                for id in deleted:
                    self.summaries.pop(id, None)
                    self.rooms.pop(id, None)
                if deleted:
                    self.log.info("deleted", tables=len(deleted))
            await self.clock.sleep(DELETE_SECONDS)

    async def farewell(self) -> None:
        """Say goodbye to all."""
        for room in self.rooms.values():
            for client in list(room.clients):
                client.close(1001, "server-stops")
        while any(room.clients for room in self.rooms.values()):
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
        self.summaries[room.table.id] = room.summary()

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
