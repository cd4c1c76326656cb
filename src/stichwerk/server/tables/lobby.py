"""All tables of a server: created, found, loaded from the store, and unloaded."""

import asyncio
from contextlib import suppress

import msgspec

from stichwerk.errors import StichwerkError
from stichwerk.record import decode, encode
from stichwerk.server import wire
from stichwerk.server.bots.bot_pool import BotPool
from stichwerk.server.clock import SYSTEM, Clock
from stichwerk.server.logs import Log
from stichwerk.server.metrics import Metrics
from stichwerk.server.network.limits import Limits
from stichwerk.server.network.socket_client import STOPPING, SocketClient
from stichwerk.server.random_source import RandomSource
from stichwerk.server.storage.retention import Retention
from stichwerk.server.storage.store import LogAppend, Store
from stichwerk.server.tables import joining
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.live_table import LiveTable
from stichwerk.server.tables.table_state import TableState

IDLE_SECONDS = 600.0  # until an unused table is unloaded
SWEEP_SECONDS = 60.0
QUIET_SECONDS = 2.0
CATCH_UP_SECONDS = 0.02  # between two tables that are checked after a start
MOST_LISTED = 200  # tables shown in the lobby
GOODBYE_PAUSES = 100  # of 10 ms: the longest wait for goodbyes in flight
NO_TABLE = 4404  # a close code, as in docs/protocol.md


class NotFoundError(StichwerkError):
    """A table or match that does not exist."""


class TableLobby:
    """All tables of the server."""

    def __init__(
        self,
        store: Store,
        pool: BotPool,
        *,
        log: Log,
        metrics: Metrics,
        rng: RandomSource | None = None,
        clock: Clock = SYSTEM,
        pace: float = 1.0,
        limits: Limits | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self.store = store
        self.pool = pool
        self.log = log
        self.metrics = metrics
        self.rng = rng or RandomSource()
        self.clock = clock
        self.pace = pace
        self.live_tables: dict[str, LiveTable] = {}
        self.closing_clients: set[SocketClient] = set()  # the last messages are being sent to them
        self.summaries: dict[str, wire.LobbyTable] = {}
        self._loading: dict[str, asyncio.Future[LiveTable]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self.retention = Retention(store, clock, log, metrics, self.in_use, self._on_deleted)

    # -- Start and stop ----------------------------------------------------------------------------

    async def start(self) -> None:
        """Read what the lobby needs; the tables themselves are loaded on demand."""
        for id, summary, _ in reversed(await self.store.tables()):
            # A crash may have prevented the first summary; then `_catch_up` writes it.
            with suppress(msgspec.DecodeError):
                self._note(id, msgspec.json.decode(summary, type=wire.LobbyTable))
        self.metrics.tables.read_by(lambda: len(self.live_tables))
        behind = await self.store.behind()
        await self.retention.begin()
        self._tasks = [
            asyncio.create_task(self._catch_up(behind)),
            asyncio.create_task(self._sweep()),
            asyncio.create_task(self.retention.go_on()),
        ]

    async def _catch_up(self, behind: list[tuple[str, int]]) -> None:
        """Write the summaries and records that a crash prevented."""
        for id, touched in behind:
            await self.clock.sleep(CATCH_UP_SECONDS)
            try:
                await self._update_summary(id, touched)
            except Exception as error:  # one broken table must not affect the others
                self.log.error("table-unreadable", error, table=id)

    async def _update_summary(self, id: str, touched: int) -> None:
        in_memory = self.in_use(id)
        live_table = await self.live_table(id)
        await live_table.start(live_table.update_summary(touched))
        if not in_memory and live_table.idle:
            self._unload(live_table)

    async def _sweep(self) -> None:
        """Unload unused tables."""
        while True:
            await self.clock.sleep(SWEEP_SECONDS)
            edge = self.clock.monotonic() - IDLE_SECONDS
            for live_table in list(self.live_tables.values()):
                if live_table.idle and live_table.last_used < edge:
                    self._unload(live_table)

    def _unload(self, live_table: LiveTable) -> None:
        live_table.close()
        del self.live_tables[live_table.table.id]

    def _on_deleted(self, id: str) -> None:
        """Forget a deleted table. A client that connected at that very moment is disconnected."""
        self.summaries.pop(id, None)
        live_table = self.live_tables.pop(id, None)
        if live_table is not None:
            live_table.close()
            for client in list(live_table.clients):
                client.close(NO_TABLE, "no-such-table")

    def on_fenced(self, live_table: LiveTable) -> None:
        """Give up a table that another process has claimed; its clients reconnect and resume."""
        if self.live_tables.get(live_table.table.id) is live_table:
            del self.live_tables[live_table.table.id]
        self.log.warn("table-moved", table=live_table.table.id)
        live_table.timers.cancel_all()
        for client in list(live_table.clients):
            client.close(STOPPING, "table-moved")

    def in_use(self, id: str) -> bool:
        """Return whether a table is in memory, or being loaded."""
        return id in self.live_tables or id in self._loading

    async def disconnect_all(self) -> None:
        """Say goodbye to all clients and disconnect them."""
        for live_table in self.live_tables.values():
            for client in list(live_table.clients):
                client.close(STOPPING, "server-stops")
        while any(live_table.clients for live_table in self.live_tables.values()):
            await asyncio.sleep(0.01)
        for _ in range(GOODBYE_PAUSES):  # a client that does not read is not waited for
            if not self.closing_clients:
                return
            await asyncio.sleep(0.01)

    async def stop(self) -> None:
        """Finish pending work and stop."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for live_table in self.live_tables.values():
            async with live_table.lock:
                live_table.close()

    # -- Tables ------------------------------------------------------------------------------------

    async def live_table(self, id: str) -> LiveTable:
        """Return the table with this id, from memory or from the store."""
        if id in self.live_tables:
            return self.live_tables[id]
        if id not in self._loading:
            loading = asyncio.ensure_future(self._load(id))
            self._loading[id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> LiveTable:
        epoch = await self.store.claim(id)  # before reading: nobody else adds anything after it
        stored = await self.store.read(id)
        if not stored:
            raise NotFoundError("no-such-table")
        # In a thread: replaying a long match takes a while, and other tables must not wait.
        table = await asyncio.to_thread(lambda: TableState.replay(log.decode_all(stored)))
        live_table = LiveTable(self, table, epoch)
        self.live_tables[id] = live_table
        self.note_summary(live_table)
        return live_table

    def note_summary(self, live_table: LiveTable) -> None:
        """Update the lobby's summary of a table."""
        self._note(live_table.table.id, live_table.summary())

    def _note(self, id: str, summary: wire.LobbyTable) -> None:
        """Keep the summary of a listed table; drop that of an unlisted one."""
        if summary.listed:
            self.summaries[id] = summary
        else:
            self.summaries.pop(id, None)

    async def create(self, request: wire.NewTable) -> tuple[str, joining.NewPerson]:
        """Create a table."""
        table, host, first = joining.make_table(request, self.rng)
        await self._found(table, first)
        return table, host

    async def fork(self, match: str, request: wire.NewFork) -> tuple[str, joining.NewPerson]:
        """Create a table that continues a finished match."""
        record = decode(await self.record(match))
        made = await asyncio.to_thread(joining.make_fork, record, request, self.rng)
        table, host, first = made
        await self._found(table, first)
        return table, host

    async def _found(self, table: str, first: list[log.Entries]) -> None:
        raw = tuple(log.encode(entry) for entry in first)
        room_made = LogAppend(table=table, first=1, entries=raw, at=self.clock.milliseconds())
        await self.store.append(room_made)
        live_table = await self.live_table(table)
        await live_table.start(live_table.update_summary())

    async def record(self, match: str) -> bytes:
        """Return the record of a finished match."""
        found = await self.store.match(match) or self._just_finished(match)
        if found is None:
            raise NotFoundError("no-such-match")
        return found

    def _just_finished(self, match: str) -> bytes | None:
        """Return the record of a match that is over but not yet stored as a record."""
        for live_table in self.live_tables.values():
            if live_table.table.stage == "over" and live_table.table.match_id == match:
                assert live_table.table.running is not None
                return encode(live_table.table.running.record())
        return None

    def open_tables(self) -> wire.Lobby:
        """Return the listed tables, newest first."""
        listed = [
            one
            for one in reversed(self.summaries.values())
            if one.listed and one.stage != "over" and (one.free or one.watch == "all")
        ]
        return wire.Lobby(tables=tuple(listed[:MOST_LISTED]))

    def is_quiet(self) -> bool:
        """Return whether nothing has happened at any table for a moment."""
        latest = max(
            (live_table.last_used for live_table in self.live_tables.values()), default=0.0
        )
        return self.clock.monotonic() - latest > QUIET_SECONDS

    async def healthy(self) -> bool:
        """Return whether changes can be stored; after a failure, try it, as nobody else may."""
        if not self.store.healthy:
            with suppress(StichwerkError):
                await self.store.probe()
        return self.store.healthy
