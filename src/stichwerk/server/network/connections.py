"""Connections with limits: uvicorn's protocols for HTTP and WebSockets, counted as they read.

uvicorn and websockets answer every ping, join any number of fragments, and keep what a client does
not take. So each read here is small, and what came is counted before it is handled: bytes and
frames of one socket and of one address, headers in size and time. Nothing is read from a client
that does not take what is sent to it, and it is cut off after a while.
"""

import asyncio
import ipaddress
import logging
import socket
import sys
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from typing import Any, Self, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State

from stichwerk.server.clock import SYSTEM, Clock, Timer
from stichwerk.server.logs import Log
from stichwerk.server.metrics import Metrics
from stichwerk.server.network.limits import (
    AddressBuckets,
    Limits,
    TokenBucket,
    TrafficLimits,
    counted_as,
    read_address,
)
from stichwerk.server.network.socket_client import TOO_MANY

READ_BYTES = 4096  # of a request at once; then others have their turn
PIECE_BYTES = (
    128  # of frames at once: at most 21, then they are counted, and others have their turn
)
PACKET_BYTES = 256  # a small read costs as much: many of them are dearer than a few large ones
REQUEST_BYTES = 1024  # what an answered request costs beyond its bytes
CONNECTION_BYTES = 4096  # what a new connection costs
BREACH_BYTES = 50_000  # what a socket costs that had to be closed: it may come back, not at once
LINGER = 1.0  # seconds for the client to read why it is cut off
DISCARDED_BYTES = 65_536  # read meanwhile: a socket closed with unread data loses what was sent
CONNECTIONS_OF_ADDRESS = 1  # refusals told in the log, in a minute
CONNECTIONS_OF_ALL = 30
NOT_UTF8 = 1007
ACCEPTED_AT_ONCE = 1  # connections; then others have their turn
REFUSED_AT_ONCE = 8  # the same, of those that are closed at once: they cost little
_ANSWER = "HTTP/1.1 {}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_STATUSES = {
    408: "408 Request Timeout",
    429: "429 Too Many Requests",
    431: "431 Request Header Fields Too Large",
}
_TOO_MANY = _ANSWER.format(_STATUSES[429]).encode("ascii")


class ConnectionLimits:
    """What all connections of a server share: limits, counters, and a log that cannot be filled."""

    def __init__(
        self,
        limits: Limits,
        log: Log,
        metrics: Metrics,
        *,
        proxies: Iterable[str] = (),
        clock: Clock = SYSTEM,
    ) -> None:
        self.limits = limits
        self.clock = clock
        self.traffic = TrafficLimits(limits)
        self.buffer = memoryview(bytearray(READ_BYTES))  # shared: a read is copied at once
        self._log = log
        self._metrics = metrics
        self._proxies = [ipaddress.ip_network(text) for text in proxies]
        self._lines = AddressBuckets(CONNECTIONS_OF_ADDRESS, 60)
        self._all_lines = TokenBucket(CONNECTIONS_OF_ALL, 60)

    def key(self, address: str | None) -> str | None:
        """How an address is counted; None for a reverse proxy that was named."""
        read = read_address(address)
        if read is not None and any(read in network for network in self._proxies):
            return None
        return counted_as(address)

    def objection(self, key: str | None) -> str | None:
        """Why an address may open no other connection now."""
        if not self.traffic.connections.has_room(key):
            return "too-many-connections"
        if not self.traffic.has_bytes(key, CONNECTION_BYTES, self.clock.monotonic()):
            return "too-many-bytes"
        return None

    def refused(self, address: str | None, why: str, code: int) -> None:
        """Count a refusal; tell it, but not each one of a flood."""
        self._metrics.refused.add(why)
        now = self.clock.monotonic()
        if self._lines.allow(counted_as(address), now) and self._all_lines.allow(now):
            self._log.warn("hung-up", why=why, code=code, address=address)


class Config(uvicorn.Config):
    """uvicorn's settings, with our protocols and what they share."""

    def __init__(self, app: Any, connection_limits: ConnectionLimits, **more: Any) -> None:
        limits = connection_limits.limits
        super().__init__(
            app,
            http=HttpProtocol,
            ws=SocketProtocol,
            h11_max_incomplete_event_size=limits.header_bytes - 1,
            ws_max_size=limits.frame_bytes,
            # Messages are small; compression costs memory for each socket, and time.
            ws_per_message_deflate=False,
            timeout_keep_alive=cast(int, limits.idle_seconds),  # any number of seconds will do
            backlog=ACCEPTED_AT_ONCE,
            **more,
        )
        self.connection_limits = connection_limits


class Listener(socket.socket):
    """A listening socket that refuses a connection before asyncio and uvicorn make anything for it.

    A flood of connections costs less than half that way. The protocols below refuse as well: an
    event loop that accepts by its own means does not ask here.
    """

    connection_limits: ConnectionLimits

    @classmethod
    def taking_over(cls, bound: socket.socket, connection_limits: ConnectionLimits) -> Self:
        """Listen where another socket is bound; that one is closed."""
        made = cls(bound.family, bound.type, bound.proto, fileno=bound.detach())
        made.setblocking(False)
        made.connection_limits = connection_limits
        return made

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept the next connection that may come in. After some refusals others have their turn:
        asyncio takes this error to mean that nobody waits, and asks again."""
        for _ in range(REFUSED_AT_ONCE):
            made, peer = super().accept()
            address = peer[0] if isinstance(peer, tuple) else None
            why = self.connection_limits.objection(self.connection_limits.key(address))
            if why is None:
                return made, peer
            self.connection_limits.refused(address, why, 429)
            with made, suppress(OSError):
                made.setblocking(False)
                made.send(_TOO_MANY)
        raise BlockingIOError


# -- One connection --------------------------------------------------------------------------------


class ConnectionTransport:
    """The transport of one connection; it stays when HTTP turns into a WebSocket.

    It reads as long as nobody has a reason not to, and ends a connection so that the client can
    still read why.
    """

    __slots__ = (
        *(
            "_discarded",
            "_connection_limits",
            "_inner",
            "_place",
            "_reasons",
            "_taken",
            "_timer",
            "_written",
        ),
        *("address", "admitted", "finishing", "holds", "key"),
    )

    def __init__(self, inner: asyncio.Transport, connection_limits: ConnectionLimits) -> None:
        self._inner = inner
        self._connection_limits = connection_limits
        peer = inner.get_extra_info("peername")
        self.address: str | None = peer[0] if isinstance(peer, tuple) else None
        self.key = self._place = connection_limits.key(self.address)
        self.admitted = connection_limits.traffic.connections.enter(self._place)
        self.finishing = False
        self.holds = False  # whether the protocol keeps what comes while the app is busy
        self._reasons: set[str] = set()
        self._written = self._taken = self._discarded = 0
        self._timer: Timer | None = None
        # So that writing pauses as soon as the system takes no more.
        inner.set_write_buffer_limits(high=0)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def charge(self, cost: int) -> bool:
        """Whether the address may cause so much work more."""
        connection_limits = self._connection_limits
        return connection_limits.traffic.allow_bytes(
            self.key, cost, connection_limits.clock.monotonic()
        )

    def breach(self) -> None:
        """Let the address pay for a socket that had to be closed."""
        connection_limits = self._connection_limits
        connection_limits.traffic.owe_bytes(
            self.key, BREACH_BYTES, connection_limits.clock.monotonic()
        )

    # -- Reading -----------------------------------------------------------------------------------

    def pause_reading(self) -> None:
        """Wait for the app; uvicorn calls it, for a WebSocket at every message. There it is enough
        to stop when more comes before the app is ready: mostly none does, and to stop and start
        costs two calls of the system."""
        if self.holds:
            self._reasons.add("app")
        else:
            self.pause("app")

    def hold(self) -> None:
        """More has come than can be handled now: stop until all reasons are gone."""
        if self._reasons and not self.finishing:
            self._inner.pause_reading()

    def resume_reading(self) -> None:
        """Go on; uvicorn calls it."""
        self.resume("app")

    def pause(self, reason: str) -> None:
        """Read nothing until this reason is gone."""
        if not self.finishing:
            self._reasons.add(reason)
            self._inner.pause_reading()

    def resume(self, reason: str) -> None:
        """Read again, if there is no other reason not to."""
        self._reasons.discard(reason)
        if not self._reasons and not self.finishing and not self._inner.is_closing():
            self._inner.resume_reading()

    def discard(self, count: int) -> None:
        """Throw away what comes after the end, up to a bound."""
        self._discarded += count
        if self._discarded > DISCARDED_BYTES:
            self._inner.pause_reading()

    # -- Writing -----------------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        """Send something; after the end nothing."""
        if not self.finishing:
            self._written += len(data)
            self._inner.write(data)

    def writing_paused(self) -> None:
        """The client takes nothing just now: read nothing from it, and not forever."""
        self.pause("writing")
        self._taken = self._written - self._inner.get_write_buffer_size()
        self._wait_for_client()

    def writing_resumed(self) -> None:
        """The client has taken everything."""
        if not self.finishing:
            self._cancel_timer()
        self.resume("writing")

    def _wait_for_client(self) -> None:
        if not self.finishing:
            seconds = self._connection_limits.limits.stalled_seconds
            self._timer = self._connection_limits.clock.call_later(seconds, self._cut_if_stalled)

    def _cut_if_stalled(self) -> None:
        taken = self._written - self._inner.get_write_buffer_size()
        if taken == self._taken:
            self._connection_limits.refused(self.address, "stalled", 0)
            self._inner.abort()
        else:
            self._taken = taken
            self._wait_for_client()

    # -- Ending ------------------------------------------------------------------------------------

    def is_closing(self) -> bool:
        """Whether nothing more will be said."""
        return self.finishing or self._inner.is_closing()

    def close(self) -> None:
        """Close when all is sent."""
        if not self.finishing:
            self._inner.close()

    def finish(self, last: bytes) -> None:
        """Send the last words, and cut the connection off soon after: a client that floods does
        not wait for them, and a closed socket would lose them."""
        if self.is_closing():
            return
        self.write(last)
        self._cancel_timer()
        self._timer = self._connection_limits.clock.call_later(LINGER, self._inner.abort)
        self._inner.write_eof()
        self._inner.resume_reading()
        self.finishing = True

    def lost(self) -> None:
        """The connection is gone."""
        self._cancel_timer()
        if self.admitted:
            self.admitted = False
            self._connection_limits.traffic.connections.leave(self._place)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


# -- HTTP ------------------------------------------------------------------------------------------


class QuietLogger:
    """A logger without warnings: uvicorn warns of what clients do, and strangers could fill the
    log with that."""

    def __init__(self, logger: logging.Logger) -> None:
        self._logger = logger

    def __getattr__(self, name: str) -> Any:
        return getattr(self._logger, name)

    def warning(self, *_: object) -> None:
        """Say nothing."""


class HttpProtocol(H11Protocol, asyncio.BufferedProtocol):
    """HTTP, until a request asks for a WebSocket."""

    def __init__(self, config: uvicorn.Config, *args: Any, **more: Any) -> None:
        super().__init__(config, *args, **more)
        assert isinstance(config, Config)
        self.connection_limits = config.connection_limits
        self.line: ConnectionTransport = None  # type: ignore[assignment]
        self.logger = cast(logging.Logger, QuietLogger(self.logger))
        self._slow: Timer | None = None
        self._began = False  # whether a part of the next request is here

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let a connection in, if there is room."""
        self.line = ConnectionTransport(transport, self.connection_limits)
        super().connection_made(cast(asyncio.Transport, self.line))
        if not self.line.admitted:
            self.reject("too-many-connections")
        elif not self.line.charge(CONNECTION_BYTES):
            self.reject("too-many-bytes")
        else:
            self._expect_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self._cancel_slow()
        self.line.lost()
        super().connection_lost(exc)

    def get_buffer(self, sizehint: int) -> memoryview:
        """Where to read to: never beyond the end of headers that are too large."""
        live_table = READ_BYTES
        if self.conn.their_state is h11.IDLE:
            live_table = min(
                live_table,
                self.connection_limits.limits.header_bytes - len(self.conn.trailing_data[0]),
            )
        return self.connection_limits.buffer[: max(1, live_table)]

    def buffer_updated(self, nbytes: int) -> None:
        """Count what came, and handle it."""
        data = bytes(self.connection_limits.buffer[:nbytes])
        if self.line.finishing:
            self.line.discard(nbytes)
        elif not self.line.charge(max(nbytes, PACKET_BYTES)):
            self.refuse(429, "too-many-bytes")
        else:
            self._began = True
            if self.conn.their_state is h11.IDLE:
                self._expect_headers()
            self.data_received(data)
            if self.conn.their_state is not h11.IDLE:
                self._began = False
                self._cancel_slow()

    def on_response_complete(self) -> None:
        """An answer is sent: it has cost something. Requests that did not wait for it are not
        answered: no browser sends them so, and they would come without a pause."""
        if not self.transport.is_closing():
            if not self.line.charge(REQUEST_BYTES):
                self.refuse(429, "too-many-bytes")
            elif self.conn.trailing_data[0]:
                self.refuse(429, "pipelined")
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request."""
        error = sys.exception()
        large = isinstance(error, h11.RemoteProtocolError) and error.error_status_hint == 431
        if large:
            self.refuse(431, "headers-too-large")
        elif self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self.connection_limits.refused(self.line.address, "bad-request", 400)
            super().send_400_response(msg)
        else:  # in the middle of an answer
            self.connection_limits.refused(self.line.address, "bad-request", 400)
            self.transport.close()

    def reject(self, why: str) -> None:
        """Refuse a connection as cheaply as can be; the answer may get lost."""
        self.connection_limits.refused(self.line.address, why, 429)
        self.transport.write(_TOO_MANY)
        self.transport.close()

    def refuse(self, status: int, why: str) -> None:
        """Answer without having read all, if nothing else is being answered, and hang up."""
        self.connection_limits.refused(self.line.address, why, status)
        answering = self.cycle is not None and not self.cycle.response_complete
        last = "" if answering else _ANSWER.format(_STATUSES[status])
        self.line.finish(last.encode("ascii"))

    def pause_writing(self) -> None:
        """The client takes nothing just now."""
        super().pause_writing()
        self.line.writing_paused()

    def resume_writing(self) -> None:
        """It has taken everything."""
        super().resume_writing()
        self.line.writing_resumed()

    def _expect_headers(self) -> None:
        if self._slow is None:
            seconds = self.connection_limits.limits.header_seconds
            self._slow = self.connection_limits.clock.call_later(seconds, self._too_slow)

    def _too_slow(self) -> None:
        self._slow = None
        if self._began:
            self.refuse(408, "headers-too-slow")
        else:  # browsers open connections in advance
            self.transport.close()

    def _cancel_slow(self) -> None:
        if self._slow is not None:
            self._slow.cancel()
            self._slow = None


# -- WebSockets ------------------------------------------------------------------------------------


class SocketProtocol(WebSocketsSansIOProtocol, asyncio.BufferedProtocol):
    """A WebSocket."""

    def __init__(self, config: uvicorn.Config, *args: Any, **more: Any) -> None:
        super().__init__(config, *args, **more)
        assert isinstance(config, Config)
        self.connection_limits = config.connection_limits
        limits = self.connection_limits.limits
        self.line: ConnectionTransport = None  # type: ignore[assignment]
        self._bytes = TokenBucket(limits.bytes_per_socket, limits.seconds)
        self._control = TokenBucket(limits.control_frames, limits.seconds)
        self._held = b""  # read, and not handled yet

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over a connection that was let in."""
        self.line = cast(ConnectionTransport, transport)
        self.line.holds = True
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self._held = b""
        self.line.lost()
        super().connection_lost(exc)

    def get_buffer(self, sizehint: int) -> memoryview:
        """Where to read to: what comes after the end is only thrown away."""
        return (
            self.connection_limits.buffer
            if self.line.finishing
            else self.connection_limits.buffer[:PIECE_BYTES]
        )

    def buffer_updated(self, nbytes: int) -> None:
        """Count what came, and handle it."""
        if self.line.finishing:
            self.line.discard(nbytes)
            return
        self._held += bytes(self.connection_limits.buffer[:nbytes])
        cost = nbytes if nbytes == PIECE_BYTES else PACKET_BYTES
        if self._bytes.allow(self.connection_limits.clock.monotonic(), cost) and self.line.charge(
            cost
        ):
            self._handle_held()
        else:
            self._too_much("too-many-bytes")

    def _handle_held(self) -> None:
        """Handle what was read, unless the app or the client has to do something first."""
        ready = self.handshake_complete and self.writable.is_set() and not self.read_paused
        if self._held and ready and not self.transport.is_closing():
            data, self._held = self._held, b""
            self.data_received(data)
        elif self._held:
            self.line.hold()

    def data_received(self, data: bytes) -> None:
        """Handle the request, or a few frames."""
        super().data_received(data)
        if not self.handshake_initiated:  # a request that h11 takes and websockets does not
            self.close_sent = True
            self.line.finish(b"".join(self.conn.data_to_send()))

    def handle_connect(self, event: Request) -> None:
        """Read no frame before the handshake is complete."""
        super().handle_connect(event)
        self.line.pause("handshake")

    def handle_events(self) -> None:
        """Count frames before they are handled."""
        frames = [event for event in self.conn.events if isinstance(event, Frame)]
        # After the goodbye messages are not passed on, so nobody else counts them.
        extra = len(frames) if self.close_sent else sum(map(is_extra, frames))
        now = self.connection_limits.clock.monotonic()
        if self.connection_limits.traffic.allow_frames(self.line.key, len(frames), now) and (
            not extra or self._control.allow(now, extra)
        ):
            super().handle_events()
        else:
            self._too_much("too-many-frames")

    def send_receive_event_to_app(self) -> None:
        """Pass on a message, if it is text."""
        if self.curr_msg_data_type == "text" and not is_utf8(b"".join(self.frames)):
            self.close_with(NOT_UTF8, "not-utf8")
        else:
            super().send_receive_event_to_app()

    def handle_parser_exception(self) -> None:
        """Close because of a frame that breaks the rules of WebSockets."""
        close = self.conn.close_sent
        code, reason = (close.code, close.reason) if close else (1002, "")
        self.connection_limits.refused(self.line.address, "bad-frame", code)
        self._end(code, reason)

    def close_with(self, code: int, why: str) -> None:
        """Close with a code, and tell why in the log."""
        self.connection_limits.refused(self.line.address, why, code)
        self.conn.data_to_send()  # pongs that nobody will read
        if self.conn.state is State.OPEN:
            self.conn.send_close(code, why)
        self._end(code, why)

    def _too_much(self, why: str) -> None:
        if not self.transport.is_closing():
            self.close_with(TOO_MANY, why)

    def _end(self, code: int, reason: str) -> None:
        self.line.breach()
        self._held, self.frames = b"", []
        self.stop_keepalive()
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.line.finish(b"".join(self.conn.data_to_send()))

    def send(self, message: Any) -> Coroutine[Any, Any, None]:
        """Send what the app says. Messages of tables go straight on: they are many."""
        sending = super().send(message)
        return (
            sending if message["type"] == "websocket.send" else self._send_other(sending, message)
        )

    async def _send_other(self, sending: Coroutine[Any, Any, None], message: Any) -> None:
        """Send a part of the handshake, or the end; with the first word frames are read."""
        await sending
        if message["type"] == "websocket.accept":
            client = self.scope["client"]
            # By now uvicorn has read `X-Forwarded-For`, if a proxy may tell it.
            self.line.key = self.connection_limits.key(client[0] if client else None)
            self.line.resume("handshake")
            for kept in (self.request, self.response):  # nobody reads them again
                kept.headers.clear()
        elif message["type"] == "websocket.close":
            self._handle_held()  # the answer to it may be here already
        elif message["type"] == "websocket.http.response.body":
            # The app has refused the handshake. uvicorn takes that for a failure of the app, and
            # strangers could fill the log with it.
            self.handshake_complete = True

    async def receive(self) -> Any:
        """Give the app its next message, and read on."""
        message = await super().receive()
        self._handle_held()
        return message

    def pause_writing(self) -> None:
        """The client takes nothing just now."""
        super().pause_writing()
        self.line.writing_paused()

    def resume_writing(self) -> None:
        """It has taken everything."""
        super().resume_writing()
        self.line.writing_resumed()
        self._handle_held()


def is_extra(frame: Frame) -> bool:
    """Whether a frame is none that the app counts as a message: control frames and fragments; and
    empty ones, which say nothing."""
    if frame.opcode is Opcode.CLOSE:
        return False
    whole = frame.opcode in (Opcode.TEXT, Opcode.BINARY) and frame.fin
    return not whole or not frame.data


def is_utf8(data: bytes) -> bool:
    """Whether bytes are a text."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
