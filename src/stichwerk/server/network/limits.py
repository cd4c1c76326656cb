"""Who may come in, and how much each may ask for. Bookkeeping only: no sockets, no own clock.

Everything here holds a bounded amount of memory, whatever strangers send.
"""

import ipaddress
import re
from collections import OrderedDict
from collections.abc import Collection
from functools import lru_cache
from typing import Final

import msgspec

UNKNOWN = "unknown"
"""All addresses that cannot be read count as this one."""

DEFAULT_PORTS: Final = {"http": 80, "https": 443}
MOST_ADDRESSES = 10_000  # remembered at once, for each kind of rate


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much one socket, and one address, may ask for. `settings.py` reads them from the command
    line, `protocol.LIMITS` has each in words."""

    frame_bytes: int = 4096
    messages: int = 100  # of one socket, at once or in `seconds`
    control_frames: int = 20  # of one socket in `seconds`: pings, pongs, empty frames, fragments
    frames_per_address: int = 1000  # of any kind, in `seconds`
    bytes_per_socket: int = 500_000  # received in `seconds`
    bytes_per_address: int = 2_000_000  # the same of all connections of an address
    seconds: float = 20
    sockets_per_address: int = 20
    sockets: int = 10_000  # of all addresses together
    connections_per_address: int = 100  # WebSockets and plain HTTP
    connections: int = 12_000  # of all addresses together
    header_bytes: int = 16_384  # of a request, all headers together
    header_seconds: float = 10  # until the headers of a request must be here
    idle_seconds: float = 5  # of a connection between two requests
    stalled_seconds: float = 20  # in which a client takes nothing of what is sent to it
    http_requests: int = 600  # of one address, at once or in `http_seconds`
    http_seconds: float = 60
    creates: int = 30  # tables made by one address, at once or in `create_seconds`
    create_seconds: float = 600
    body_bytes: int = 16_384
    body_seconds: float = 10  # until the body of a request must be here
    queue: int = 256  # messages a socket may be behind, then it is closed
    queue_bytes: int = 4_000_000  # bytes of these messages
    hello_seconds: float = 10
    joins: int = 60  # of one address, at all tables, at once or in `join_seconds`
    join_seconds: float = 600
    beside_per_address: int = 10  # people without a seat at one table
    changes: int = 60  # of one person at a table, moves aside, at once or in `change_seconds`
    address_changes: int = 240  # the same for one address, at all tables
    change_seconds: float = 120
    beside: int = 600  # entries of one person in a table's log between matches, moves aside
    host_seconds: float = 300  # until a seated person stands in for a host who is gone
    files: int = 3000  # files of the page for one address, at once or in `file_seconds`
    file_seconds: float = 60
    qrs: int = 30  # QR codes drawn for one address, at once or in `qr_seconds`
    qr_seconds: float = 60


class TokenBucket:
    """A bucket of `count` tokens that fills up again in `seconds`; each thing asked for takes one,
    or as many as it costs.

    So `count` may come at once, and from then on no more than `count` in `seconds`. What is
    refused takes nothing.
    """

    __slots__ = ("_count", "_filled", "_left", "_speed")

    def __init__(self, count: int, seconds: float) -> None:
        self._count = count
        self._speed = count / seconds
        self._left = float(count)
        self._filled = 0.0  # of no account while the bucket is full

    def allow(self, now: float, cost: float = 1) -> bool:
        """Whether one more may come at this moment."""
        if now > self._filled:  # a clock that steps back gives nothing
            left = self._left + (now - self._filled) * self._speed
            self._left = left if left < self._count else self._count
            self._filled = now
        if self._left < cost:
            return False
        self._left -= cost
        return True

    def has(self, now: float, cost: float) -> bool:
        """Whether so much may come at this moment; it takes nothing."""
        return self.allow(now, 0) and self._left >= cost

    def owe(self, now: float, cost: float) -> None:
        """Pay for what has come already, if need be from what the future brings."""
        self.allow(now, 0)  # add what the time has brought
        self._left = max(-self._count, self._left - cost)


class AddressBuckets:
    """One rate for each address. The address that was quiet longest is forgotten first.

    Whoever has so many addresses that he makes us forget could have used each only once anyway.
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
        """Whether this address may have one more."""
        return self._rate(address).allow(now, cost)

    def has(self, address: str, now: float, cost: float) -> bool:
        """Whether this address may have so much; it takes nothing."""
        return self._rate(address).has(now, cost)

    def owe(self, address: str, now: float, cost: float) -> None:
        """Let this address pay for what it has had already."""
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
    """Counts what is open at the same time, of each address and of all together."""

    __slots__ = ("_by_address", "_each", "_most", "open")

    def __init__(self, each: int, most: int) -> None:
        self._each = each
        self._most = most
        self._by_address: dict[str, int] = {}
        self.open = 0

    def has_room(self, key: str | None) -> bool:
        """Whether there is a place. No key: counted only with all others."""
        return self.open < self._most and self._here(key) < self._each

    def enter(self, key: str | None) -> bool:
        """Take a place, if there is one."""
        if not self.has_room(key):
            return False
        if key is not None:
            self._by_address[key] = self._here(key) + 1
        self.open += 1
        return True

    def _here(self, key: str | None) -> int:
        return 0 if key is None else self._by_address.get(key, 0)

    def leave(self, key: str | None) -> None:
        """Give back a place that was taken."""
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
    """Counts what connections cost before a request or a message is read from them.

    Keys are addresses as `counted_as` has them. None is a reverse proxy: behind it there are many
    people, so its connections and bytes have no limit of their own.
    """

    def __init__(self, limits: Limits, most: int = MOST_ADDRESSES) -> None:
        self.connections = OpenCount(limits.connections_per_address, limits.connections)
        self._bytes = AddressBuckets(limits.bytes_per_address, limits.seconds, most)
        self._frames = AddressBuckets(limits.frames_per_address, limits.seconds, most)

    def allow_bytes(self, key: str | None, count: int, now: float) -> bool:
        """Whether this address may send so many bytes more."""
        return key is None or self._bytes.allow(key, now, count)

    def has_bytes(self, key: str | None, count: int, now: float) -> bool:
        """Whether this address may send so many bytes more; they are not counted yet."""
        return key is None or self._bytes.has(key, now, count)

    def owe_bytes(self, key: str | None, count: int, now: float) -> None:
        """Let this address pay for so many bytes more, before it may send any others."""
        if key is not None:
            self._bytes.owe(key, now, count)

    def allow_frames(self, key: str | None, count: int, now: float) -> bool:
        """Whether this address may send so many frames more."""
        return key is None or self._frames.allow(key, now, count)


class RequestLimits:
    """Counts what comes from each address: open sockets, requests, new tables.

    Addresses are those of the other end of the connection. Behind a reverse proxy that is the
    proxy, unless uvicorn was told to trust it: `X-Forwarded-For` is read there and nowhere else.
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
        """How many sockets are open."""
        return self._sockets.open

    def enter(self, address: str | None) -> bool:
        """Let a socket in, if there is room; whoever was let in has to `leave` once."""
        return self._sockets.enter(counted_as(address))

    def leave(self, address: str | None) -> None:
        """A socket that was let in is closed."""
        self._sockets.leave(counted_as(address))

    def request(self, address: str | None, now: float) -> bool:
        """Whether this address may send one more HTTP request."""
        return self._requests.allow(counted_as(address), now)

    def create(self, address: str | None, now: float) -> bool:
        """Whether this address may make one more table."""
        return self._creates.allow(counted_as(address), now)

    def join(self, address: str | None, now: float) -> bool:
        """Whether one more person may join a table from this address."""
        return self._joins.allow(counted_as(address), now)

    def change(self, address: str | None, now: float) -> bool:
        """Whether this address may change one more thing at a table, moves aside."""
        return self._changes.allow(counted_as(address), now)

    def file(self, address: str | None, now: float) -> bool:
        """Whether this address may get one more file of the page."""
        return self._files.allow(counted_as(address), now)

    def draw(self, address: str | None, now: float) -> bool:
        """Whether one more QR code is drawn for this address."""
        return self._qrs.allow(counted_as(address), now)


# -- Addresses -------------------------------------------------------------------------------------

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def read_address(text: str | None) -> Address | None:
    """An address as a number; an IPv4 address in the clothes of IPv6 is an IPv4 address."""
    try:
        address = ipaddress.ip_address((text or "").partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address


@lru_cache(4096)
def counted_as(address: str | None) -> str:
    """Under which name an address is counted: IPv6 by /64, as one household has a whole one."""
    return _network(address, 32, 64)


def shortened(address: str | None) -> str:
    """An address for logs: near enough to see an attack, too wide to be one person."""
    return _network(address, 24, 48)


def is_loopback(address: str | None) -> bool:
    """Whether this is our own machine."""
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
    """Where a page comes from. No port: that of the scheme, whichever it is."""

    scheme: str | None
    host: str
    port: int | None

    @property
    def ports(self) -> frozenset[int]:
        """The ports this can mean."""
        if self.port is not None:
            return frozenset([self.port])
        if self.scheme is None:
            return frozenset(DEFAULT_PORTS.values())
        return frozenset([DEFAULT_PORTS[self.scheme]] if self.scheme in DEFAULT_PORTS else [])


def read_origin(text: str) -> Origin | None:
    """`https://example.org:8443`, in one spelling; None for `null` and anything odd."""
    return _read(_ORIGIN, text)


def read_host(text: str) -> Origin | None:
    """What a `Host` header says: an origin whose scheme is not known."""
    return _read(_HOST, text)


def origin_allowed(origin: str | None, host: str | None, allowed: Collection[str]) -> bool:
    """Whether a page from this origin may open a socket here or change anything.

    `host` is the request's Host header; `allowed` are the origins that whoever runs the server
    named, as `https://example.org` or, for both schemes, as `example.org`.
    """
    if origin is None:
        # Every browser sends an Origin with a WebSocket and with a POST, and pages cannot leave it
        # out. Without it there is no browser whose cookies or network a foreign page could
        # borrow: it is a program, and that could have claimed any origin.
        return True
    asking = read_origin(origin)
    if asking is None:
        return False
    here = read_host(host) if host is not None else None
    if here is not None and asking.scheme in DEFAULT_PORTS and _same_place(asking, here):
        return True
    return any(_is_named(asking, name) for name in allowed)


def host_allowed(host: str | None, allowed: Collection[str]) -> bool:
    """Whether a Host header names this server by a name no stranger can own.

    Against DNS rebinding: a foreign page whose name suddenly leads to this machine is "same
    origin" to the browser, but its name gives it away. Numbers, `localhost` and names of the home
    network are ours; other names are those given to the server.
    """
    here = read_host(host) if host is not None else None
    if here is None:
        return False
    if read_address(here.host.strip("[]")) is not None or _is_home_name(here.host):
        return True
    named = (read_origin(name) or read_host(name) for name in allowed)
    return any(known is not None and known.host == here.host for known in named)


HOME_NAMES = (".localhost", ".local", ".home.arpa", ".internal", ".lan", ".home")
"""Endings that nobody can register; `fritz.box` is not one of them."""


def _is_home_name(host: str) -> bool:
    return "." not in host or host.endswith(HOME_NAMES)


def _is_named(asking: Origin, name: str) -> bool:
    """Whether an origin is this one of those given to the server."""
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
    """One spelling of a host: small letters, no dot at the end, numbers and umlauts as browsers
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
