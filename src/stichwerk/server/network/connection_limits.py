"""What all connections of a server share: limits, counters, and the log of refusals."""

import ipaddress
from collections.abc import Iterable

from stichwerk.server.clock import SYSTEM, Clock
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

READ_BYTES = 4096  # read at once; then other connections get their turn

CONNECTION_BYTES = 4096  # charged for a new connection

CONNECTIONS_OF_ADDRESS = 1  # refusals logged per minute

CONNECTIONS_OF_ALL = 30


class ConnectionLimits:
    """Limits and counters shared by all connections, and a log that strangers cannot fill."""

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
        self.buffer = memoryview(bytearray(READ_BYTES))  # shared: each read is copied at once
        self._log = log
        self._metrics = metrics
        self._proxies = [ipaddress.ip_network(text) for text in proxies]
        self._lines = AddressBuckets(CONNECTIONS_OF_ADDRESS, 60)
        self._all_lines = TokenBucket(CONNECTIONS_OF_ALL, 60)

    def key(self, address: str | None) -> str | None:
        """Return the key under which an address is counted; None for a trusted reverse proxy."""
        read = read_address(address)
        if read is not None and any(read in network for network in self._proxies):
            return None
        return counted_as(address)

    def objection(self, key: str | None) -> str | None:
        """Return why an address may not open another connection now, or None."""
        if not self.traffic.connections.has_room(key):
            return "too-many-connections"
        if not self.traffic.has_bytes(key, CONNECTION_BYTES, self.clock.monotonic()):
            return "too-many-bytes"
        return None

    def refused(self, address: str | None, why: str, code: int) -> None:
        """Count a refusal; log it, but not every one of a flood."""
        self._metrics.refused.add(why)
        now = self.clock.monotonic()
        if self._lines.allow(counted_as(address), now) and self._all_lines.allow(now):
            self._log.warn("hung-up", why=why, code=code, address=address)
