"""A transport that counts reads and writes, pauses them and cuts connections off."""

import asyncio
from typing import Any

from stichwerk.server.clock import Timer
from stichwerk.server.network.connection_limits import ConnectionLimits

PACKET_BYTES = 256  # charged for a small read: many of them cost more than a few large ones

BREACH_BYTES = 50_000  # charged for a socket that had to be closed: it may return, not at once

LINGER = 1.0  # seconds for the client to read why it is cut off

DISCARDED_BYTES = 65_536  # read meanwhile: closing a socket with unread data loses what was sent


class ConnectionTransport:
    """The transport of one connection; kept when HTTP is upgraded to a WebSocket.

    It reads as long as there is no reason to pause, and ends a connection in such a way that the
    client can still read why.
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
        self.holds = False  # whether the protocol buffers input while the app is busy
        self._reasons: set[str] = set()
        self._written = self._taken = self._discarded = 0
        self._timer: Timer | None = None
        # Pause writing as soon as the system accepts no more.
        inner.set_write_buffer_limits(high=0)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def charge(self, cost: int) -> bool:
        """Charge the address for work; return whether it may cause that much."""
        connection_limits = self._connection_limits
        return connection_limits.traffic.allow_bytes(
            self.key, cost, connection_limits.clock.monotonic()
        )

    def breach(self) -> None:
        """Charge the address for a socket that had to be closed."""
        connection_limits = self._connection_limits
        connection_limits.traffic.owe_bytes(
            self.key, BREACH_BYTES, connection_limits.clock.monotonic()
        )

    # -- Reading -----------------------------------------------------------------------------------

    def pause_reading(self) -> None:
        """Wait for the app; uvicorn calls this at every WebSocket message. It is enough to stop
        when more arrives before the app is ready: usually nothing does, and stopping and starting
        cost two system calls."""
        if self.holds:
            self._reasons.add("app")
        else:
            self.pause("app")

    def hold(self) -> None:
        """Stop reading because more has arrived than can be handled now."""
        if self._reasons and not self.finishing:
            self._inner.pause_reading()

    def resume_reading(self) -> None:
        """Resume after a pause by uvicorn."""
        self.resume("app")

    def pause(self, reason: str) -> None:
        """Read nothing until this reason is gone."""
        if not self.finishing:
            self._reasons.add(reason)
            self._inner.pause_reading()

    def resume(self, reason: str) -> None:
        """Read again unless there is another reason not to."""
        self._reasons.discard(reason)
        if not self._reasons and not self.finishing and not self._inner.is_closing():
            self._inner.resume_reading()

    def discard(self, count: int) -> None:
        """Discard what arrives after the end, up to a limit."""
        self._discarded += count
        if self._discarded > DISCARDED_BYTES:
            self._inner.pause_reading()

    # -- Writing -----------------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        """Write data; after the end, write nothing."""
        if not self.finishing:
            self._written += len(data)
            self._inner.write(data)

    def writing_paused(self) -> None:
        """Handle a client that does not read: read nothing from it, and wait for a limited time."""
        self.pause("writing")
        self._taken = self._written - self._inner.get_write_buffer_size()
        self._wait_for_client()

    def writing_resumed(self) -> None:
        """Handle a client that has read everything."""
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
        """Return whether the connection is closing."""
        return self.finishing or self._inner.is_closing()

    def close(self) -> None:
        """Close after everything is sent."""
        if not self.finishing:
            self._inner.close()

    def finish(self, last: bytes) -> None:
        """Send the last message and cut the connection off soon after: a flooding client does not
        wait for it, and closing at once would lose it."""
        if self.is_closing():
            return
        self.write(last)
        self._cancel_timer()
        self._timer = self._connection_limits.clock.call_later(LINGER, self._inner.abort)
        self._inner.write_eof()
        self._inner.resume_reading()
        self.finishing = True

    def lost(self) -> None:
        """Clean up after the connection is lost."""
        self._cancel_timer()
        if self.admitted:
            self.admitted = False
            self._connection_limits.traffic.connections.leave(self._place)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
