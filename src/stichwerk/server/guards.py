"""Who may come in, and how much each may ask for. Bookkeeping only: no sockets, no own clock.

Everything here holds a bounded amount of memory, whatever strangers send.
"""

import ipaddress
import re
from collections import OrderedDict
from collections.abc import Collection
from typing import Final

import msgspec

UNKNOWN = "unknown"
"""All addresses that cannot be read count as this one."""

DEFAULT_PORTS: Final = {"http": 80, "https": 443}
MOST_ADDRESSES = 10_000  # remembered at once, for each kind of rate


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much one socket, and one address, may ask for."""

    frame_bytes: int = 4096
    messages: int = 100  # of one socket, at once or in `seconds`
    seconds: float = 20
    sockets_per_address: int = 20
    sockets: int = 10_000  # of all addresses together
    http_requests: int = 600  # of one address, at once or in `http_seconds`
    http_seconds: float = 60
    creates: int = 30  # tables made by one address, at once or in `create_seconds`
    create_seconds: float = 600
    body_bytes: int = 16_384
    body_seconds: float = 10  # until the body of a request must be here
    queue: int = 256  # messages a socket may be behind, then it is closed
    hello_seconds: float = 10


class Rate:
    """A bucket of `count` tokens that fills up again in `seconds`; each thing asked for takes one.

    So `count` may come at once, and from then on no more than `count` in `seconds`. What is
    refused takes nothing.
    """

    __slots__ = ("_count", "_filled", "_left", "_speed")

    def __init__(self, count: int, seconds: float) -> None:
        self._count = count
        self._speed = count / seconds
        self._left = float(count)
        self._filled: float | None = None

    def allow(self, now: float) -> bool:
        """Whether one more may come at this moment; a clock that steps back gives nothing."""
        if self._filled is None or now > self._filled:
            passed = now - self._filled if self._filled is not None else 0.0
            self._left = min(self._count, self._left + passed * self._speed)
            self._filled = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Rates:
    """One rate for each address. The address that was quiet longest is forgotten first.

    Whoever has so many addresses that he makes us forget could have used each only once anyway.
    """

    __slots__ = ("_by_address", "_count", "_most", "_seconds")

    def __init__(self, count: int, seconds: float, most: int = MOST_ADDRESSES) -> None:
        self._count = count
        self._seconds = seconds
        self._most = most
        self._by_address: OrderedDict[str, Rate] = OrderedDict()

    def __len__(self) -> int:
        return len(self._by_address)

    def allow(self, address: str, now: float) -> bool:
        """Whether this address may have one more."""
        rate = self._by_address.get(address)
        if rate is None:
            rate = self._by_address[address] = Rate(self._count, self._seconds)
            if len(self._by_address) > self._most:
                self._by_address.popitem(last=False)
        else:
            self._by_address.move_to_end(address)
        return rate.allow(now)


class Doors:
    """Counts what comes from each address: open sockets, requests, new tables.

    Addresses are those of the other end of the connection. Behind a reverse proxy that is the
    proxy, unless uvicorn was told to trust it: `X-Forwarded-For` is read there and nowhere else.
    """

    def __init__(self, limits: Limits, most: int = MOST_ADDRESSES) -> None:
        self.limits = limits
        self._sockets: dict[str, int] = {}
        self._open = 0
        self._requests = Rates(limits.http_requests, limits.http_seconds, most)
        self._creates = Rates(limits.creates, limits.create_seconds, most)

    @property
    def open(self) -> int:
        """How many sockets are open."""
        return self._open

    def enter(self, address: str | None) -> bool:
        """Let a socket in, if there is room; whoever was let in has to `leave` once."""
        key = counted_as(address)
        here = self._sockets.get(key, 0)
        if here >= self.limits.sockets_per_address or self._open >= self.limits.sockets:
            return False
        self._sockets[key] = here + 1
        self._open += 1
        return True

    def leave(self, address: str | None) -> None:
        """A socket that was let in is closed."""
        key = counted_as(address)
        here = self._sockets.get(key, 0)
        if not here:
            return
        self._open -= 1
        if here > 1:
            self._sockets[key] = here - 1
        else:
            del self._sockets[key]

    def request(self, address: str | None, now: float) -> bool:
        """Whether this address may send one more HTTP request."""
        return self._requests.allow(counted_as(address), now)

    def create(self, address: str | None, now: float) -> bool:
        """Whether this address may make one more table."""
        return self._creates.allow(counted_as(address), now)


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


def _is_home_name(host: str) -> bool:
    return "." not in host or host.endswith((".localhost", ".local", ".home.arpa", ".internal"))


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
