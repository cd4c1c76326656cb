"""Listening sockets, and the addresses of this machine that people can open."""

import errno
import ipaddress
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from stichwerk.server.network.limits import read_address
from stichwerk.server.serve_options import CannotServeError, ServeOptions

Found = TypeVar("Found")

WAITING = 2048  # length of the accept queue


HOME_NETWORKS = tuple(
    ipaddress.ip_network(text)
    for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
)


@contextmanager
def listening(options: ServeOptions) -> Iterator[list[socket.socket]]:
    """Yield the listening sockets, all on one port, bound before anything else is opened."""
    try:
        sockets = bound(options, options.port)
    except CannotServeError as error:
        if error.id != "port-taken" or not options.any_port:
            raise
        sockets = bound(options, 0)
    try:
        yield sockets
    finally:
        for each in sockets:
            each.close()


def bound(options: ServeOptions, port: int) -> list[socket.socket]:
    """Return sockets for all addresses at this port, or none."""
    hosts = ("0.0.0.0", "::") if options.public else (options.host,)
    sockets: list[socket.socket] = []
    try:
        for family, host in unique(place for name in hosts for place in resolved(name)):
            try:
                sockets.append(bound_socket(family, host, port))
            except OSError as error:
                if sockets and error.errno != errno.EADDRINUSE:
                    continue  # a second family that this machine does not have
                raise cannot_listen(error, options) from None
            port = sockets[0].getsockname()[1]
    except BaseException:
        for each in sockets:
            each.close()
        raise
    return sockets


def resolved(host: str) -> list[tuple[socket.AddressFamily, str]]:
    """Return the addresses of a host."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise CannotServeError("host-not-here", host=host) from None
    return [(family, str(place[0])) for family, _, _, _, place in found]


def bound_socket(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    """Return a socket bound to one family, so that IPv4 addresses stay IPv4."""
    made = socket.create_server((host, port), family=family, backlog=WAITING)
    # asyncio does not set this itself, as it does not know the protocol of a given socket.
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    made.setblocking(False)
    return made


def cannot_listen(error: OSError, options: ServeOptions) -> CannotServeError:
    """Return the error that explains why the system refused to listen."""
    if error.errno == errno.EADDRINUSE:
        return CannotServeError("port-taken", port=options.port)
    if error.errno in (errno.EACCES, errno.EPERM):
        return CannotServeError("port-forbidden", port=options.port)
    return CannotServeError("host-not-here", host=options.host)


def url(host: str, port: int) -> str:
    """Return the address of a page."""
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def lan_addresses() -> list[str]:
    """Return this machine's addresses in a home network: the preferred one first, IPv4 before
    IPv6."""
    routes = (own_address(socket.AF_INET, "192.0.2.1"), own_address(socket.AF_INET6, "2001:db8::1"))
    candidates = [address for address in routes if address]
    with suppress(OSError, UnicodeError, CannotServeError):
        candidates += [host for _, host in resolved(socket.gethostname())]
    private = unique(host for host in candidates if is_private(host))
    return sorted(private, key=lambda host: ":" in host)


def own_address(family: socket.AddressFamily, towards: str) -> str | None:
    """Return our own address on the route to another. A datagram socket only looks up the route and
    sends nothing; the other address is one reserved for documentation."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((towards, 9))
            return str(probe.getsockname()[0])
    except OSError:
        return None


def is_private(host: str) -> bool:
    """Return whether an address belongs to a home network."""
    address = read_address(host)
    return address is not None and any(
        address.version == network.version and address in network for network in HOME_NETWORKS
    )


def unique(items: Iterable[Found]) -> list[Found]:
    """Return the items without duplicates, in order."""
    return list(dict.fromkeys(items))


def is_wildcard(host: str) -> bool:
    address = read_address(host)
    return address is not None and address.is_unspecified
