"""What the measurements of bots share: a server in this process, and tables with bots at it.

The time is the system's, the bots think in processes of their own, and everything is on loopback.
"""

import asyncio
import re
import socket
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import msgspec
import uvicorn

from stichwerk.server import wire
from stichwerk.server.app import build
from stichwerk.server.bots.bot_pool import BotPool, pause
from stichwerk.server.clients.table_client import TableClient
from stichwerk.server.logs import Log
from stichwerk.server.metrics import Metrics
from stichwerk.server.network.limits import Limits
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.tables.lobby import TableLobby

GAME, SEATS, LEVEL = "stichling", 5, "expert"  # experts think longest about this one
LIMITS = Limits(messages=100_000, sockets_per_address=100, http_requests=100_000, creates=1000)


class Served(msgspec.Struct):
    """A running server."""

    port: int
    lobby: TableLobby


@asynccontextmanager
async def served(folder: Path, *, workers: int, limits: Limits = LIMITS) -> AsyncIterator[Served]:
    """Run a server for the duration of the block."""
    app = build(
        store=SqliteStore(folder / "tables.sqlite"),
        pool=BotPool(workers=workers),
        limits=limits,
        log=Log(),
        metrics=Metrics(),
    )
    listening = socket.create_server(("0.0.0.0", 0))  # all of 127.0.0.0/8 leads here
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        ws="websockets-sansio",
        lifespan="on",
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    task = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        while not server.started:
            await asyncio.sleep(0.01)
        yield Served(listening.getsockname()[1], app.state.lobby)
    finally:
        server.should_exit = True
        await task
        listening.close()


class Asker:
    """An HTTP connection from an address, as light as can be: the server is in this process."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self.port, self.address = port, address

    async def __aenter__(self) -> "Asker":
        await self._connect()
        return self

    async def _connect(self) -> None:
        self._reader, self._writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.address, 0)
        )
        self._over = False

    async def __aexit__(self, *error: object) -> None:
        self._writer.close()

    async def get(self, path: str) -> int:
        """Return the status of a file that may come compressed."""
        return (await self._ask(f"GET {path} HTTP/1.1\r\nAccept-Encoding: gzip", b""))[0]

    async def post(self, path: str, body: object) -> tuple[int, bytes]:
        """Return status and body of the response."""
        raw = msgspec.json.encode(body)
        return await self._ask(f"POST {path} HTTP/1.1\r\nContent-Length: {len(raw)}", raw)

    async def _ask(self, head: str, body: bytes) -> tuple[int, bytes]:
        if self._over:
            self._writer.close()
            await self._connect()
        self._writer.write(f"{head}\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode() + body)
        answer = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        status = int(answer.split(" ", 2)[1])
        self._over = "connection: close" in answer
        if "transfer-encoding: chunked" in answer:
            return status, await self._chunks()
        length = re.search(r"content-length: (\d+)", answer)
        return status, await self._reader.readexactly(int(length[1]) if length else 0)

    async def _chunks(self) -> bytes:
        found = b""
        while size := int(await self._reader.readline(), 16):
            found += (await self._reader.readexactly(size + 2))[:-2]
        await self._reader.readline()
        return found


class Decision(msgspec.Struct, frozen=True):
    """A card that a bot played: whether it had a choice, when it was asked for, how long it took,
    and how many pauses that was."""

    forced: bool
    moment: float
    seconds: float
    pauses: float


class BotTable:
    """A table of one person, who plays immediately, and three bots."""

    def __init__(self, served: Served, made: wire.TableMade, address: str) -> None:
        self.served = served
        self.id = made.table
        self.decisions: list[Decision] = []
        self._owed: dict[tuple[int, int], tuple[float, float, bool]] = {}
        url = f"ws://127.0.0.1:{served.port}/ws"
        self.guest = TableClient(
            url, made.table, token=made.token, local_address=address, on_message=self._receive
        )

    @classmethod
    async def made(cls, served: Served, address: str, game: str = GAME) -> "BotTable":
        """Return a new table, made from this address."""
        request = {"game": game, "name": "Ada", "seats": SEATS, "settings": {"level": LEVEL}}
        async with Asker(served.port, address) as requester:
            status, raw = await requester.post("/api/tables", request)
        assert status == 201, raw
        return cls(served, msgspec.json.decode(raw, type=wire.TableMade), address)

    async def play(self) -> None:
        """Play match after match, until cancelled."""
        async with self.guest as guest:
            while True:
                await guest.ask(lambda id: wire.Begin(id=id))
                await guest.until(lambda: guest.playing and guest.view is not None)
                await guest.play_on(lambda view: view.moves[0])

    def _receive(self, message: wire.FromServer) -> None:
        """Note which bots owe a card from now on, and which have played."""
        live_table = self.served.lobby.live_tables.get(self.id)
        running = live_table.table.running if live_table else None
        if live_table is None or running is None:
            return
        now = time.monotonic()
        for (seat, ply), (since, beat, forced) in list(self._owed.items()):
            if len(running.made[seat]) != ply:
                del self._owed[seat, ply]
                if len(running.made[seat]) == ply + 1:
                    seconds = now - since
                    self.decisions.append(Decision(forced, since, seconds, seconds / beat))
        for seat in running.match.waiting_for:
            key = (seat, len(running.made[seat]))
            view = running.match.view(seat)
            # Everyone knows that a last card is forced.
            secret = view.phase == "play" and len(view.hand) > 1
            if key not in self._owed and secret and not live_table.table.is_played_by_person(seat):
                beat = pause(self.id, live_table.table.seq, view.phase)
                self._owed[key] = (now, beat, len(view.moves) == 1)


@asynccontextmanager
async def playing(tables: Sequence[BotTable]) -> AsyncIterator[None]:
    """Let all of these tables play for the duration of the block."""
    async with AsyncExitStack() as stack:
        for table in tables:
            task = asyncio.create_task(table.play())

            async def end(task: asyncio.Task[None] = task) -> None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

            stack.push_async_callback(end)
        yield


def quantile(values: Sequence[float], part: float) -> float:
    """Return a quantile; NaN if there are no values."""
    found = sorted(values)
    return found[min(len(found) - 1, int(part * len(found)))] if found else float("nan")
