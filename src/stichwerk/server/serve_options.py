"""The options of `stichwerk serve`, checked before anything is opened."""

import ipaddress
import os
from typing import get_args

import msgspec

from stichwerk.errors import StichwerkError
from stichwerk.server.metrics import MetricsFor
from stichwerk.server.network.limits import read_address, read_host, read_origin
from stichwerk.server.storage.addresses import check_address
from stichwerk.server.storage.maintenance import data_folder

PORT = 8420

LOOPBACK = "127.0.0.1"


class CannotServeError(StichwerkError):
    """A server that cannot be started with these options."""


class ServeOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The command line options.

    `public`: listen on the whole network, whatever `host` is. `port` 0: any free port; `any_port`:
    another one if the port is taken. `data`: the folder, or the system's default if None. `store`:
    the address of a PostgreSQL database that is used instead. `origin`:
    foreign pages that may talk to this server; `url`: the public address, if it differs (behind a
    reverse proxy); `proxies`: addresses whose `X-Forwarded-For` is trusted. `limits`: changes to
    the default limits, such as `messages=200`. `open_browser`: None to open one if there is a
    screen; True to open one, or to report that there is none. `workers`: bot worker processes.
    `pace`: how long bots take, 0 for no pause. `games`: files with custom games. `metrics`: who may
    read `/metrics`.
    """

    host: str = LOOPBACK
    port: int = PORT
    any_port: bool = False
    public: bool = False
    data: str | None = None
    store: str | None = None
    origin: tuple[str, ...] = ()
    url: str | None = None
    proxies: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    open_browser: bool | None = None
    workers: int | None = None
    pace: float = 1.0
    games: tuple[str, ...] = ()
    metrics: MetricsFor = "local"


def check(options: ServeOptions) -> None:
    """Refuse impossible combinations."""
    if options.store is not None:
        check_address(options.store)
    folder = data_folder(options.data)
    if folder.exists() and not folder.is_dir():
        raise CannotServeError("no-folder", folder=os.fspath(folder))
    for origin in options.origin:
        if (read_origin if "://" in origin else read_host)(origin) is None:
            raise CannotServeError("bad-origin", origin=origin)
    if options.url is not None and not _is_web_address(options.url):
        raise CannotServeError("bad-url", url=options.url)
    if options.metrics not in get_args(MetricsFor):
        known = ", ".join(get_args(MetricsFor))
        raise CannotServeError("bad-metrics", value=options.metrics, known=known)
    for proxy in options.proxies:
        if not _is_network(proxy):
            raise CannotServeError("bad-proxy", proxy=proxy)


def named_origins(options: ServeOptions) -> tuple[str, ...]:
    """Return the given origins, the origin of the public address, and the host listened on."""
    url = (options.url.rstrip("/"),) if options.url else ()
    host = () if read_address(options.host) or options.public else (options.host,)
    return (*options.origin, *url, *host)


def _is_web_address(text: str) -> bool:
    """Return whether a text is like `https://example.org`, without a path: the client must be at
    the root."""
    origin = read_origin(text.removesuffix("/"))
    return origin is not None and origin.scheme in ("http", "https")


def _is_network(text: str) -> bool:
    try:
        ipaddress.ip_network(text)
    except ValueError:
        return False
    return True
