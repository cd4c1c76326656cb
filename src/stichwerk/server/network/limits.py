"""Limits on connections and requests. Accounting only: no sockets, no clock.

Everything here uses a bounded amount of memory, whatever strangers send.
"""

import ipaddress
import re
from collections import OrderedDict
from collections.abc import Collection
from functools import lru_cache
from typing import Final

import msgspec

UNKNOWN = "unknown"
"""The key for all addresses that cannot be parsed."""

DEFAULT_PORTS: Final = {"http": 80, "https": 443}
MOST_ADDRESSES = 10_000  # remembered at once, for each kind of rate


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one socket, and one address, may use. `limit_settings.py` reads them from the command
    line; `protocol_generator.endpoints.LIMITS` describes each in words."""

    frame_bytes: int = 4096
    messages: int = 100  # per socket, at once or in `seconds`
    control_frames: int = 20  # per socket in `seconds`: pings, pongs, empty frames, fragments
    frames_per_address: int = 1000  # of any kind, in `seconds`
    bytes_per_socket: int = 500_000  # received in `seconds`
    bytes_per_address: int = 2_000_000  # likewise, over all connections of an address
    seconds: float = 20
    sockets_per_address: int = 20
    sockets: int = 10_000  # over all addresses
    connections_per_address: int = 100  # WebSockets and plain HTTP
    connections: int = 12_000  # over all addresses
    header_bytes: int = 16_384  # of a request, all headers together
    header_seconds: float = 10  # until the headers of a request must be complete
    idle_seconds: float = 5  # of a connection between two requests
    stalled_seconds: float = 20  # during which a client reads nothing
    http_requests: int = 600  # per address, at once or in `http_seconds`
    http_seconds: float = 60
    creates: int = 30  # tables created per address, at once or in `create_seconds`
    create_seconds: float = 600
    body_bytes: int = 16_384
    body_seconds: float = 10  # until the body of a request must be complete
    queue: int = 256  # queued messages of a socket; beyond that it is closed
    queue_bytes: int = 4_000_000  # bytes of these messages
    hello_seconds: float = 10
    joins: int = 60  # per address, at all tables, at once or in `join_seconds`
    join_seconds: float = 600
    beside_per_address: int = 10  # people without a seat at one table
    changes: int = 60  # per person at a table, without moves, at once or in `change_seconds`
    address_changes: int = 240  # likewise per address, at all tables
    change_seconds: float = 120
    beside: int = 600  # log entries per person between matches, without moves
    host_seconds: float = 300  # until a seated person stands in for an absent host
    files: int = 3000  # files of the page per address, at once or in `file_seconds`
    file_seconds: float = 60
    qrs: int = 30  # QR codes drawn per address, at once or in `qr_seconds`
    qr_seconds: float = 60


class TokenBucket:
    """A bucket of `count` tokens that refills in `seconds`; each request takes one token, or as
    many as it costs.

    So `count` may come at once, and after that at most `count` in `seconds`. A refused request
    takes nothing.
    """

    __slots__ = ("_count", "_filled", "_left", "_speed")

    def __init__(self, count: int, seconds: float) -> None:
        self._count = count
        self._speed = count / seconds
        self._left = float(count)
        self._filled = 0.0  # irrelevant while the bucket is full

    def allow(self, now: float, cost: float = 1) -> bool:
        """Take tokens if there are enough; return whether there were."""
        if now > self._filled:  # a clock that steps back adds nothing
            left = self._left + (now - self._filled) * self._speed
            self._left = left if left < self._count else self._count
            self._filled = now
        if self._left < cost:
            return False
        self._left -= cost
        return True

    def has(self, now: float, cost: float) -> bool:
        """Return whether there are enough tokens, without taking any."""
        return self.allow(now, 0) and self._left >= cost

    def owe(self, now: float, cost: float) -> None:
        """Take tokens for something that has already happened, going into debt if necessary."""
        self.allow(now, 0)  # refill first
        self._left = max(-self._count, self._left - cost)


class AddressBuckets:
    """A token bucket per address. The address that was idle longest is forgotten first.

    A client with enough addresses to push others out could have used each of them only once anyway.
    """

    __slots__ = ("_by_address", "_count", "_most", "_seconds")

    def __init__(self, count: int, seconds: float, most: int = MOST_ADDRESSES) -> None:
        self._count = count
        self._seconds = seconds
        self._most = most
        self._by_address: OrderedDict[str, TokenBucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._by_address)

    def allow(self, address: str, now: float, cost: float = 1) -> bool:
        """Take tokens of an address if there are enough; return whether there were."""
        return self._rate(address).allow(now, cost)

    def has(self, address: str, now: float, cost: float) -> bool:
        """Return whether an address has enough tokens, without taking any."""
        return self._rate(address).has(now, cost)

    def owe(self, address: str, now: float, cost: float) -> None:
        """Take tokens of an address for something that has already happened."""
        self._rate(address).owe(now, cost)

    def _rate(self, address: str) -> TokenBucket:
        rate = self._by_address.get(address)
        if rate is None:
            rate = self._by_address[address] = TokenBucket(self._count, self._seconds)
            if len(self._by_address) > self._most:
                self._by_address.popitem(last=False)
        else:
            self._by_address.move_to_end(address)
        return rate


class OpenCount:
    """Counts what is open at the same time, per address and in total."""

    __slots__ = ("_by_address", "_each", "_most", "open")

    def __init__(self, each: int, most: int) -> None:
        self._each = each
        self._most = most
        self._by_address: dict[str, int] = {}
        self.open = 0

    def has_room(self, key: str | None) -> bool:
        """Return whether there is room. Without a key, only the total counts."""
        return self.open < self._most and self._here(key) < self._each

    def enter(self, key: str | None) -> bool:
        """Take a slot if there is one; return whether there was."""
        if not self.has_room(key):
            return False
        if key is not None:
            self._by_address[key] = self._here(key) + 1
        self.open += 1
        return True

    def _here(self, key: str | None) -> int:
        return 0 if key is None else self._by_address.get(key, 0)

    def leave(self, key: str | None) -> None:
        """Release a slot."""
        here = self._by_address.get(key, 0) if key is not None else 1
        if not here:
            return
        self.open -= 1
        if key is None:
            return
        if here > 1:
            self._by_address[key] = here - 1
        else:
            del self._by_address[key]


class TrafficLimits:
    """Counts what connections cost before a request or message is read from them.

    Keys are addresses as returned by `counted_as`. None is a reverse proxy, which has many people
    behind it: its connections and bytes have no limit of their own.
    """

    def __init__(self, limits: Limits, most: int = MOST_ADDRESSES) -> None:
        self.connections = OpenCount(limits.connections_per_address, limits.connections)
        self._bytes = AddressBuckets(limits.bytes_per_address, limits.seconds, most)
        self._frames = AddressBuckets(limits.frames_per_address, limits.seconds, most)

    def allow_bytes(self, key: str | None, count: int, now: float) -> bool:
        """Count bytes of an address; return whether it may send that many more."""
        return key is None or self._bytes.allow(key, now, count)

    def has_bytes(self, key: str | None, count: int, now: float) -> bool:
        """Return whether an address may send that many more bytes, without counting them."""
        return key is None or self._bytes.has(key, now, count)

    def owe_bytes(self, key: str | None, count: int, now: float) -> None:
        """Charge an address for bytes before it may send any others."""
        if key is not None:
            self._bytes.owe(key, now, count)

    def allow_frames(self, key: str | None, count: int, now: float) -> bool:
        """Count frames of an address; return whether it may send that many more."""
        return key is None or self._frames.allow(key, now, count)


class RequestLimits:
    """Counts what comes from each address: open sockets, requests, new tables.

    An address is that of the peer. Behind a reverse proxy that is the proxy, unless uvicorn is
    configured to trust it: only then `X-Forwarded-For` is read.
    """

    def __init__(self, limits: Limits, most: int = MOST_ADDRESSES) -> None:
        self.limits = limits
        self._sockets = OpenCount(limits.sockets_per_address, limits.sockets)
        self._requests = AddressBuckets(limits.http_requests, limits.http_seconds, most)
        self._creates = AddressBuckets(limits.creates, limits.create_seconds, most)
        self._joins = AddressBuckets(limits.joins, limits.join_seconds, most)
        self._changes = AddressBuckets(limits.address_changes, limits.change_seconds, most)
        self._files = AddressBuckets(limits.files, limits.file_seconds, most)
        self._qrs = AddressBuckets(limits.qrs, limits.qr_seconds, most)

    @property
    def open(self) -> int:
        """The number of open sockets."""
        return self._sockets.open

    def enter(self, address: str | None) -> bool:
        """Admit a socket if there is room; each admitted socket must `leave` once."""
        return self._sockets.enter(counted_as(address))

    def leave(self, address: str | None) -> None:
        """Release the slot of an admitted socket."""
        self._sockets.leave(counted_as(address))

    def request(self, address: str | None, now: float) -> bool:
        """Return whether this address may send another HTTP request."""
        return self._requests.allow(counted_as(address), now)

    def create(self, address: str | None, now: float) -> bool:
        """Return whether this address may create another table."""
        return self._creates.allow(counted_as(address), now)

    def join(self, address: str | None, now: float) -> bool:
        """Return whether another person may join a table from this address."""
        return self._joins.allow(counted_as(address), now)

    def change(self, address: str | None, now: float) -> bool:
        """Return whether this address may make another change at a table, apart from moves."""
        return self._changes.allow(counted_as(address), now)

    def file(self, address: str | None, now: float) -> bool:
        """Return whether this address may fetch another file of the page."""
        return self._files.allow(counted_as(address), now)

    def draw(self, address: str | None, now: float) -> bool:
        """Return whether this address may have another QR code drawn."""
        return self._qrs.allow(counted_as(address), now)


# -- Addresses -------------------------------------------------------------------------------------

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def read_address(text: str | None) -> Address | None:
    """Parse an address; an IPv4-mapped IPv6 address counts as IPv4."""
    try:
        address = ipaddress.ip_address((text or "").partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address


@lru_cache(4096)
def counted_as(address: str | None) -> str:
    """Return the key under which an address is counted: IPv6 by /64, as one household has a whole
    one."""
    return _network(address, 32, 64)


def shortened(address: str | None) -> str:
    """Return an address for logs: precise enough to see an attack, too coarse to identify a
    person."""
    return _network(address, 24, 48)


def is_loopback(address: str | None) -> bool:
    """Return whether an address is a loopback address."""
    read = read_address(address)
    return read is not None and read.is_loopback


def _network(text: str | None, bits: int, bits6: int) -> str:
    address = read_address(text)
    if address is None:
        return UNKNOWN
    kept = bits if isinstance(address, ipaddress.IPv4Address) else bits6
    if kept == address.max_prefixlen:
        return str(address)
    return str(ipaddress.ip_network(f"{address}/{kept}", strict=False))


# -- Origins ---------------------------------------------------------------------------------------

_PLACE = r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\s/\\?#@:\[\]%]+)(?::(?P<port>[0-9]{0,5}))?"
_HOST = re.compile(_PLACE)
_ORIGIN = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://" + _PLACE)
_LONGEST = 300


class Origin(msgspec.Struct, frozen=True):
    """The origin of a page. Without a port: the default port of the scheme."""

    scheme: str | None
    host: str
    port: int | None

    @property
    def ports(self) -> frozenset[int]:
        """Return the ports this can mean."""
        if self.port is not None:
            return frozenset([self.port])
        if self.scheme is None:
            return frozenset(DEFAULT_PORTS.values())
        return frozenset([DEFAULT_PORTS[self.scheme]] if self.scheme in DEFAULT_PORTS else [])


def read_origin(text: str) -> Origin | None:
    """Parse `https://example.org:8443` into one spelling; None for `null` and anything odd."""
    return _read(_ORIGIN, text)


def read_host(text: str) -> Origin | None:
    """Parse a `Host` header: an origin without a scheme."""
    return _read(_HOST, text)


def origin_allowed(origin: str | None, host: str | None, allowed: Collection[str]) -> bool:
    """Return whether a page from this origin may open a socket or change anything here.

    `host` is the request's Host header; `allowed` are the origins named by the server's operator,
    as `https://example.org` or, for both schemes, as `example.org`.
    """
    if origin is None:
        # Every browser sends an Origin with a WebSocket and with a POST, and pages cannot leave it
        # out. A request without it does not come from a browser whose cookies or network a foreign
        # page could abuse: it comes from a program, which could claim any origin.
        return True
    asking = read_origin(origin)
    if asking is None:
        return False
    here = read_host(host) if host is not None else None
    if here is not None and asking.scheme in DEFAULT_PORTS and _same_place(asking, here):
        return True
    return any(_is_named(asking, name) for name in allowed)


def host_allowed(host: str | None, allowed: Collection[str]) -> bool:
    """Return whether a Host header names this server by a name that no stranger can own.

    Protects against DNS rebinding: a foreign page whose name suddenly resolves to this machine is
    "same origin" to the browser, but its name gives it away. Numbers, `localhost` and names of the
    home network are safe; all other names must be given to the server.
    """
    here = read_host(host) if host is not None else None
    if here is None:
        return False
    if read_address(here.host.strip("[]")) is not None or _is_home_name(here.host):
        return True
    named = (read_origin(name) or read_host(name) for name in allowed)
    return any(known is not None and known.host == here.host for known in named)


HOME_NAMES = (".localhost", ".local", ".home.arpa", ".internal", ".lan", ".home")
"""Suffixes that nobody can register; `fritz.box` is not one of them."""


def _is_home_name(host: str) -> bool:
    return "." not in host or host.endswith(HOME_NAMES)


def _is_named(asking: Origin, name: str) -> bool:
    """Return whether an origin matches one given to the server."""
    if "://" not in name:
        known = read_host(name)
        return known is not None and asking.scheme in DEFAULT_PORTS and _same_place(asking, known)
    known = read_origin(name)
    return known is not None and asking.scheme == known.scheme and _same_place(asking, known)


def _same_place(one: Origin, other: Origin) -> bool:
    if one.host != other.host:
        return False
    return bool(one.ports & other.ports) or one.ports == other.ports


def _read(form: re.Pattern[str], text: str) -> Origin | None:
    found = form.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None:
        return None
    host, port = _plain_host(found["host"]), found["port"]
    if host is None or (port and not 0 < int(port) < 65536):
        return None
    scheme = found.groupdict().get("scheme")
    return Origin(scheme.lower() if scheme else None, host, int(port) if port else None)


def _plain_host(host: str) -> str | None:
    """Return one spelling of a host: lower case, no trailing dot, numbers and umlauts as browsers
    write them."""
    if host.startswith("["):
        address = _address6(host[1:-1])
        return f"[{address}]" if address else None
    host = host.removesuffix(".")
    if not host.isascii():
        try:
            host = host.encode("idna").decode("ascii")
        except UnicodeError:
            return None
    return host.lower() if re.fullmatch(r"(?!\.)[\w.-]+", host, re.ASCII) else None


def _address6(text: str) -> ipaddress.IPv6Address | None:
    try:
        return ipaddress.IPv6Address(text)
    except ValueError:
        return None
