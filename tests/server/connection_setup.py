"""A server and its connections without a network."""

import asyncio
import io
import json
import struct
from collections.abc import Awaitable, Callable
from typing import Any

from uvicorn.server import ServerState

from stichwerk.server.logs import Log
from stichwerk.server.metrics import Metrics
from stichwerk.server.network.connection_limits import (
    ConnectionLimits,
)
from stichwerk.server.network.connections import (
    Config,
    HttpProtocol,
)
from stichwerk.server.network.limits import Limits
from tests.server.harness import run
from tests.server.manual_clock import ManualClock

CONT, TEXT, CLOSE, PING, PONG = 0, 1, 8, 9, 10

HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


def frame(opcode: int, payload: bytes = b"", *, fin: bool = True) -> bytes:
    """Return a short frame of a client, masked with zeros."""
    return bytes([fin << 7 | opcode, 0x80 | len(payload)]) + bytes(4) + payload


class Wire(asyncio.Transport):
    """The other end of a connection, as a test sees it."""

    def __init__(self, address: str = "192.0.2.1") -> None:
        super().__init__({"peername": (address, 5000), "sockname": ("192.0.2.250", 8420)})
        self.sent = b""
        self.stuck = 0  # bytes that the client does not take
        self.reading = True
        self.closed = self.cut = self.ended = False
        self.protocol: Any = None

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.ended
        self.sent += bytes(data)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        assert high == 0

    def get_write_buffer_size(self) -> int:
        return self.stuck

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol = protocol

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def is_closing(self) -> bool:
        return self.closed or self.cut

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.cut = True

    def write_eof(self) -> None:
        self.ended = True

    # -- What the client does ----------------------------------------------------------------------

    def arrives(self, data: bytes) -> int:
        """Send it to the server, as far as that reads; how many bytes it took."""
        taken = 0
        while taken < len(data) and self.reading and not self.is_closing():
            live_table = self.protocol.get_buffer(-1)
            some = data[taken : taken + len(live_table)]
            live_table[: len(some)] = some
            self.protocol.buffer_updated(len(some))
            taken += len(some)
        return taken

    def lost(self) -> None:
        self.protocol.connection_lost(None)

    @property
    def close_code(self) -> int | None:
        """The code of the close frame that was sent last."""
        at = self.sent.rfind(b"\x88")
        return struct.unpack_from("!H", self.sent, at + 2)[0] if at >= 0 else None


class Place:
    """A server without sockets: `app` gets what passes the limits."""

    def __init__(self, limits: Limits, app: Any = None, proxies: tuple[str, ...] = ()) -> None:
        self.clock = ManualClock()
        self.log = io.StringIO()
        self.metrics = Metrics()
        log = Log(self.log, human=False, strict=True, clock=self.clock)
        self.connection_limits = ConnectionLimits(
            limits, log, self.metrics, proxies=proxies, clock=self.clock
        )
        more = {"proxy_headers": bool(proxies), "forwarded_allow_ips": list(proxies)}
        self.config = Config(
            app or greedy, self.connection_limits, log_config=None, lifespan="off", **more
        )
        self.config.load()
        self.state = ServerState()

    def connect(self, address: str = "192.0.2.1") -> Wire:
        wire = Wire(address)
        wire.protocol = HttpProtocol(self.config, self.state, {})
        wire.protocol.connection_made(wire)
        return wire

    async def socket(self, address: str = "192.0.2.1", handshake: bytes = HANDSHAKE) -> Wire:
        wire = self.connect(address)
        wire.arrives(handshake)
        await settle()
        assert wire.sent.startswith(b"HTTP/1.1 101 "), wire.sent
        return wire

    def refusals(self, why: str) -> int:
        return int(self.metrics.refused.count(why))

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.getvalue().splitlines()]


async def settle() -> None:
    """Let the app's tasks run until they wait."""
    for _ in range(20):
        await asyncio.sleep(0)


async def greedy(scope: Any, receive: Any, send: Any) -> None:
    """Take every message as fast as possible; answer requests with two words."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"fine"})
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] == "websocket.receive":
        pass


def inside(test: Callable[[], Awaitable[None]]) -> None:
    """Run a test in an event loop, and leave no task behind."""

    async def whole() -> None:
        await test()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    run(whole())


# -- Frames ----------------------------------------------------------------------------------------


FLOODS = {
    "empty pings": frame(PING),
    "full pings": frame(PING, b"x" * 125),
    "pongs": frame(PONG),
    "empty texts": frame(TEXT),
    "fragments": frame(CONT, fin=False),
}
