"""Connections with limits: uvicorn's protocols for HTTP and WebSockets, with accounting.

uvicorn and websockets answer every ping, join any number of fragments, and buffer whatever a client
does not read. So each read here is small and counted before it is handled: bytes and frames per
socket and per address, headers by size and time. Nothing is read from a client that does not read
what is sent to it, and after a while it is cut off.
"""

import asyncio
import logging
import socket
import sys
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Self, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State

from stichwerk.server.clock import Timer
from stichwerk.server.network.connection_limits import (
    CONNECTION_BYTES,
    READ_BYTES,
    ConnectionLimits,
)
from stichwerk.server.network.connection_transport import PACKET_BYTES, ConnectionTransport
from stichwerk.server.network.limits import (
    TokenBucket,
)
from stichwerk.server.network.socket_client import TOO_MANY

PIECE_BYTES = 128  # of frames at once: at most 21, which are counted before the next read
REQUEST_BYTES = 1024  # charged for an answered request in addition to its bytes
NOT_UTF8 = 1007
ACCEPTED_AT_ONCE = 1  # connections; then other work gets its turn
REFUSED_AT_ONCE = 8  # likewise, for connections refused at once: they cost little
_ANSWER = "HTTP/1.1 {}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_STATUSES = {
    408: "408 Request Timeout",
    429: "429 Too Many Requests",
    431: "431 Request Header Fields Too Large",
}
_TOO_MANY = _ANSWER.format(_STATUSES[429]).encode("ascii")


class Config(uvicorn.Config):
    """uvicorn's configuration, with our protocols and their shared limits."""

    def __init__(self, app: Any, connection_limits: ConnectionLimits, **more: Any) -> None:
        limits = connection_limits.limits
        super().__init__(
            app,
            http=HttpProtocol,
            ws=SocketProtocol,
            h11_max_incomplete_event_size=limits.header_bytes - 1,
            ws_max_size=limits.frame_bytes,
            # Messages are small; compression would cost time, and memory for each socket.
            ws_per_message_deflate=False,
            timeout_keep_alive=cast(int, limits.idle_seconds),  # fractions of a second are allowed
            backlog=ACCEPTED_AT_ONCE,
            **more,
        )
        self.connection_limits = connection_limits


class Listener(socket.socket):
    """A listening socket that refuses connections before asyncio and uvicorn allocate anything.

    This more than halves the cost of a flood of connections. The protocols below refuse as well: an
    event loop with its own way to accept connections does not ask here.
    """

    connection_limits: ConnectionLimits

    @classmethod
    def taking_over(cls, bound: socket.socket, connection_limits: ConnectionLimits) -> Self:
        """Listen on another socket's address; that socket is closed."""
        made = cls(bound.family, bound.type, bound.proto, fileno=bound.detach())
        made.setblocking(False)
        made.connection_limits = connection_limits
        return made

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept the next allowed connection. After some refusals, let other work run: asyncio
        takes this error to mean that no connection is waiting, and asks again."""
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


# -- HTTP ------------------------------------------------------------------------------------------


class QuietLogger:
    """A logger without warnings: uvicorn warns about what clients do, so strangers could fill the
    log."""

    def __init__(self, logger: logging.Logger) -> None:
        self._logger = logger

    def __getattr__(self, name: str) -> Any:
        return getattr(self._logger, name)

    def warning(self, *_: object) -> None:
        """Log nothing."""


class HttpProtocol(H11Protocol, asyncio.BufferedProtocol):
    """HTTP, until a request upgrades to a WebSocket."""

    def __init__(self, config: uvicorn.Config, *args: Any, **more: Any) -> None:
        super().__init__(config, *args, **more)
        assert isinstance(config, Config)
        self.connection_limits = config.connection_limits
        self.line: ConnectionTransport = None  # type: ignore[assignment]
        self.logger = cast(logging.Logger, QuietLogger(self.logger))
        self._slow: Timer | None = None
        self._began = False  # whether part of the next request has arrived

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection if there is room."""
        self.line = ConnectionTransport(transport, self.connection_limits)
        super().connection_made(cast(asyncio.Transport, self.line))
        if not self.line.admitted:
            self.reject("too-many-connections")
        elif not self.line.charge(CONNECTION_BYTES):
            self.reject("too-many-bytes")
        else:
            self._expect_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection's slot."""
        self._cancel_slow()
        self.line.lost()
        super().connection_lost(exc)

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return the read buffer: never beyond the end of headers that are too large."""
        live_table = READ_BYTES
        if self.conn.their_state is h11.IDLE:
            live_table = min(
                live_table,
                self.connection_limits.limits.header_bytes - len(self.conn.trailing_data[0]),
            )
        return self.connection_limits.buffer[: max(1, live_table)]

    def buffer_updated(self, nbytes: int) -> None:
        """Count the data read, and handle it."""
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
        """Charge for a complete response. Pipelined requests are not answered: no browser sends
        them, and they would arrive without a pause."""
        if not self.transport.is_closing():
            if not self.line.charge(REQUEST_BYTES):
                self.refuse(429, "too-many-bytes")
            elif self.conn.trailing_data[0]:
                self.refuse(429, "pipelined")
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer input that is not a valid request."""
        error = sys.exception()
        large = isinstance(error, h11.RemoteProtocolError) and error.error_status_hint == 431
        if large:
            self.refuse(431, "headers-too-large")
        elif self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self.connection_limits.refused(self.line.address, "bad-request", 400)
            super().send_400_response(msg)
        else:  # in the middle of a response
            self.connection_limits.refused(self.line.address, "bad-request", 400)
            self.transport.close()

    def reject(self, why: str) -> None:
        """Refuse a connection as cheaply as possible; the response may get lost."""
        self.connection_limits.refused(self.line.address, why, 429)
        self.transport.write(_TOO_MANY)
        self.transport.close()

    def refuse(self, status: int, why: str) -> None:
        """Respond without reading the whole request, unless another response is in progress, and
        close."""
        self.connection_limits.refused(self.line.address, why, status)
        answering = self.cycle is not None and not self.cycle.response_complete
        last = "" if answering else _ANSWER.format(_STATUSES[status])
        self.line.finish(last.encode("ascii"))

    def pause_writing(self) -> None:
        """Pause while the client does not read."""
        super().pause_writing()
        self.line.writing_paused()

    def resume_writing(self) -> None:
        """Resume when the client has read everything."""
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
        self._held = b""  # read but not handled yet

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over an accepted connection."""
        self.line = cast(ConnectionTransport, transport)
        self.line.holds = True
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection's slot."""
        self._held = b""
        self.line.lost()
        super().connection_lost(exc)

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return the read buffer: what arrives after the end is only discarded."""
        return (
            self.connection_limits.buffer
            if self.line.finishing
            else self.connection_limits.buffer[:PIECE_BYTES]
        )

    def buffer_updated(self, nbytes: int) -> None:
        """Count the data read, and handle it."""
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
        """Handle what was read, unless the app or the client has to act first."""
        ready = self.handshake_complete and self.writable.is_set() and not self.read_paused
        if self._held and ready and not self.transport.is_closing():
            data, self._held = self._held, b""
            self.data_received(data)
        elif self._held:
            self.line.hold()

    def data_received(self, data: bytes) -> None:
        """Handle the request, or a few frames."""
        super().data_received(data)
        if not self.handshake_initiated:  # a request that h11 accepts and websockets does not
            self.close_sent = True
            self.line.finish(b"".join(self.conn.data_to_send()))

    def handle_connect(self, event: Request) -> None:
        """Read no frame before the handshake is complete."""
        super().handle_connect(event)
        self.line.pause("handshake")

    def handle_events(self) -> None:
        """Count frames before they are handled."""
        frames = [event for event in self.conn.events if isinstance(event, Frame)]
        # Messages after the goodbye are not passed on, so nothing else counts them.
        extra = len(frames) if self.close_sent else sum(map(is_extra, frames))
        now = self.connection_limits.clock.monotonic()
        if self.connection_limits.traffic.allow_frames(self.line.key, len(frames), now) and (
            not extra or self._control.allow(now, extra)
        ):
            super().handle_events()
        else:
            self._too_much("too-many-frames")

    def send_receive_event_to_app(self) -> None:
        """Pass on a message if it is text."""
        if self.curr_msg_data_type == "text" and not is_utf8(b"".join(self.frames)):
            self.close_with(NOT_UTF8, "not-utf8")
        else:
            super().send_receive_event_to_app()

    def handle_parser_exception(self) -> None:
        """Close because of an invalid WebSocket frame."""
        close = self.conn.close_sent
        code, reason = (close.code, close.reason) if close else (1002, "")
        self.connection_limits.refused(self.line.address, "bad-frame", code)
        self._end(code, reason)

    def close_with(self, code: int, why: str) -> None:
        """Close with a code, and log the reason."""
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
        """Send a message of the app. Table messages take the short path, as there are many."""
        sending = super().send(message)
        return (
            sending if message["type"] == "websocket.send" else self._send_other(sending, message)
        )

    async def _send_other(self, sending: Coroutine[Any, Any, None], message: Any) -> None:
        """Send a part of the handshake, or the end; after the handshake frames are read."""
        await sending
        if message["type"] == "websocket.accept":
            client = self.scope["client"]
            # By now uvicorn has read `X-Forwarded-For` from a trusted proxy.
            self.line.key = self.connection_limits.key(client[0] if client else None)
            self.line.resume("handshake")
            for kept in (self.request, self.response):  # not needed any more
                kept.headers.clear()
        elif message["type"] == "websocket.close":
            self._handle_held()  # the client's first message may have arrived already
        elif message["type"] == "websocket.http.response.body":
            # The app has refused the handshake. uvicorn logs that as a failure of the app, so
            # strangers could fill the log.
            self.handshake_complete = True

    async def receive(self) -> Any:
        """Return the app's next message, and read on."""
        message = await super().receive()
        self._handle_held()
        return message

    def pause_writing(self) -> None:
        """Pause while the client does not read."""
        super().pause_writing()
        self.line.writing_paused()

    def resume_writing(self) -> None:
        """Resume when the client has read everything."""
        super().resume_writing()
        self.line.writing_resumed()
        self._handle_held()


def is_extra(frame: Frame) -> bool:
    """Return whether the app does not count a frame as a message: control frames, fragments, and
    empty ones."""
    if frame.opcode is Opcode.CLOSE:
        return False
    whole = frame.opcode in (Opcode.TEXT, Opcode.BINARY) and frame.fin
    return not whole or not frame.data


def is_utf8(data: bytes) -> bool:
    """Return whether bytes are valid UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
