"""What the tests of the server share: a real server on loopback, and guests at its tables."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx
import msgspec
import uvicorn

from stichwerk.server import wire
from stichwerk.server.app import build
from stichwerk.server.bots.bot_pool import NO_REQUESTER, BotMove, BotPool
from stichwerk.server.bots.fair_queue import Path as Turn
from stichwerk.server.clients.table_client import RequestRefusedError, TableClient
from stichwerk.server.logs import Log
from stichwerk.server.metrics import Metrics, MetricsFor
from stichwerk.server.network.connection_limits import ConnectionLimits
from stichwerk.server.network.connections import Listener
from stichwerk.server.network.limits import Limits
from stichwerk.server.network.listening import WAITING
from stichwerk.server.run import configured
from stichwerk.server.serve_options import ServeOptions
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.storage.store import Store
from stichwerk.server.tables.live_table import LiveTable
from stichwerk.server.tables.lobby import TableLobby
from stichwerk.view import View
from tests import fixed_random
from tests.server import postgres_setup
from tests.server.manual_clock import ManualClock, ManualTimer, until

T = TypeVar("T")
GENEROUS = Limits(
    messages=1_000_000,
    control_frames=1_000_000,
    frames_per_address=1_000_000,
    bytes_per_socket=10**12,
    bytes_per_address=10**12,
    sockets_per_address=1000,
    connections_per_address=2000,
    http_requests=100_000,
    creates=9999,
    joins=9999,
    changes=99_999,
    address_changes=99_999,
    beside=99_999,
    files=100_000,
    qrs=9999,
)


class Quick(BotPool):
    """Bots without a process of their own: they play any move, always the same one."""

    async def move(
        self, bot: str, seed: int, view: View, requester: Turn = NO_REQUESTER
    ) -> BotMove:
        return BotMove(move=view.moves[seed % len(view.moves)])


def run(work: Coroutine[Any, Any, T], seconds: float = 600) -> T:
    """Run something that must end; a bug that makes it wait fails instead."""

    async def bounded() -> T:
        async with asyncio.timeout(seconds):
            return await work

    return asyncio.run(bounded())


async def refused(asking: Coroutine[Any, Any, object]) -> str:
    """Return the id of the refusal that this leads to; empty, if it is granted."""
    try:
        await asking
    except RequestRefusedError as error:
        return error.id
    return ""


async def begin(*guests: TableClient) -> None:
    """Let the first begin a match; all take part in the shuffle and see their cards."""
    await guests[0].ask(lambda id: wire.Begin(id=id))
    for guest in guests:
        await guest.until(lambda: stage(guest) == "playing" and guest.view is not None)  # noqa: B023


def stage(guest: TableClient) -> str:
    """Return the sequence number of a client's table."""
    assert guest.table is not None
    return guest.table.stage


def first(view: View) -> str:
    """Play as the simplest possible player."""
    return view.moves[0]


class RunningServer:
    """A running server."""

    def __init__(self, port: int, lobby: TableLobby, metrics: Metrics, clock: ManualClock) -> None:
        self.clock = clock
        self.http = f"http://127.0.0.1:{port}"
        self.ws = f"ws://127.0.0.1:{port}/ws"
        self.lobby = lobby
        self.metrics = metrics

    def client(self, headers: Mapping[str, str] | None = None) -> httpx.AsyncClient:
        """Return a client of this server, with timeouts for a busy machine."""
        # No certificates on loopback: reading them takes longer than most tests.
        return httpx.AsyncClient(base_url=self.http, headers=headers, timeout=600, verify=False)

    async def post(self, path: str, body: object) -> httpx.Response:
        async with self.client() as client:
            return await client.post(path, content=msgspec.json.encode(body))

    async def get(self, path: str) -> httpx.Response:
        async with self.client() as client:
            return await client.get(path)

    async def table(self, game: str = "sticheln", seats: int = 4, **more: object) -> wire.TableMade:
        """Return a new table, its host in seat 0."""
        request = {"game": game, "name": "Ada", "seats": seats, **more}
        answer = await self.post("/api/tables", request)
        assert answer.status_code == 201, answer.text
        return msgspec.json.decode(answer.content, type=wire.TableMade)

    def live_table(self, table: str) -> LiveTable:
        """Return the table as the server has it."""
        return self.lobby.live_tables[table]

    async def time_is_up(self, table: str, name: str) -> None:
        """Let a timer of a table run out, once it is set."""
        live_table = self.live_table(table)
        await until(lambda: name in live_table.timers, f"the timer {name}")
        timer = live_table.timers[name]
        assert isinstance(timer, ManualTimer)
        self.clock.advance(timer.due - self.clock.now)

    async def away_too_long(self, table: str, person: str | None) -> None:
        """Let the time run out in which a disconnected person may return."""
        live_table = self.live_table(table)
        # A timer may still be pending from when they connected, and would find them here.
        await until(lambda: person not in live_table.here(), "the end of a connection")
        await self.time_is_up(table, f"gone {person}")

    @asynccontextmanager
    async def party(
        self, names: Sequence[str], game: str = "sticheln", seats: int = 4, **more: object
    ) -> AsyncIterator[list[TableClient]]:
        """Yield a table with these people, the first of whom is its host."""
        made = await self.table(game, seats, name=names[0], **more)
        async with AsyncExitStack() as stack:
            guests = [await stack.enter_async_context(self.guest(made))]
            for name in names[1:]:
                guests.append(await stack.enter_async_context(self.guest(made.table)))
                await guests[-1].join(name)
            yield guests

    def guest(self, made: wire.TableMade | str, **more: object) -> TableClient:
        """Return the host of a table, or someone with its link."""
        given = {"rng": fixed_random.of_test("guest "), **more}
        if isinstance(made, str):
            return TableClient(self.ws, made, **given)  # type: ignore[arg-type]
        return TableClient(self.ws, made.table, token=made.token, **given)  # type: ignore[arg-type]


def store_in(folder: Path) -> Store:
    """Return the store of a folder: a file in it or, with STICHWERK_TEST_STORE=postgres, a schema
    in a database of this process."""
    if os.environ.get("STICHWERK_TEST_STORE") == "postgres":
        from stichwerk.server.storage.postgres_store import PostgresStore

        return PostgresStore(postgres_setup.schema_of(folder))
    return SqliteStore(folder / "stichwerk.db")


@asynccontextmanager
async def running_server(
    folder: Path,
    *,
    limits: Limits = GENEROUS,
    store: Store | None = None,
    pool: BotPool | None = None,
    clock: ManualClock | None = None,
    pace: float = 0.0,
    origins: tuple[str, ...] = (),
    proxies: tuple[str, ...] = (),
    log: Log | None = None,
    metrics_for: MetricsFor = "local",
) -> AsyncIterator[RunningServer]:
    """Run a server for the duration of the block.

    Its time stops until the test advances its clock.
    """
    metrics, clock = Metrics(), clock or ManualClock()
    log = log or Log(clock=clock)
    app = build(
        store=store or store_in(folder),
        pool=pool or BotPool(workers=1, clock=clock),
        limits=limits,
        log=log,
        metrics=metrics,
        pace=pace,
        rng=fixed_random.of_test("server "),
        clock=clock,
        origins=origins,
        metrics_for=metrics_for,
    )
    bound = socket.socket()
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    bound.bind(("127.0.0.1", 0))
    connection_limits = ConnectionLimits(limits, log, metrics, proxies=proxies, clock=clock)
    listening = Listener.taking_over(bound, connection_limits)
    config = configured(app, connection_limits, ServeOptions(proxies=proxies))
    config.backlog = WAITING  # as `run.Server` has it
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    task = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        while not server.started:
            if task.done():
                task.result()
            await asyncio.sleep(0.01)
        yield RunningServer(listening.getsockname()[1], app.state.lobby, metrics, clock)
    finally:
        server.should_exit = True
        await task
        listening.close()
