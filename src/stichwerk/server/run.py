"""`stichwerk serve`: listens on a port, prints its address, and stops without losing anything."""

import asyncio
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Iterator,
    Mapping,
)
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from functools import partial
from threading import Thread, current_thread, main_thread
from types import FrameType
from typing import TextIO

import msgspec
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from stichwerk import __version__, locale, own_games
from stichwerk.errors import StichwerkError
from stichwerk.server.clock import SYSTEM, Clock
from stichwerk.server.gc_pauses import collect_when_quiet, short_pauses
from stichwerk.server.http.terminal_qr import qr_lines
from stichwerk.server.logs import Log, is_terminal, library_logs_to
from stichwerk.server.metrics import Metrics
from stichwerk.server.network.connection_limits import ConnectionLimits
from stichwerk.server.network.connections import Config, Listener
from stichwerk.server.network.limit_settings import read_limits
from stichwerk.server.network.limits import (
    Limits,
    is_loopback,
)
from stichwerk.server.network.listening import (
    WAITING,
    is_wildcard,
    lan_addresses,
    listening,
    url,
)
from stichwerk.server.random_source import RandomSource
from stichwerk.server.serve_options import CannotServeError, ServeOptions, check, named_origins
from stichwerk.server.storage.addresses import postgres_store, store_file, without_password
from stichwerk.server.storage.folder_lock import only_server
from stichwerk.server.storage.maintenance import data_folder
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.storage.store import Store

BROKEN = 1
MOST_FILES = 65_536  # each socket is one; systems often start with 1,024
SPARE_FILES = 200  # for everything but connections: store, workers, logs
GRACE = 5  # seconds for sockets to close
STOP_SECONDS = 2.0  # to notify clients
SAME_SIGNAL = 0.5  # seconds; `make` passes on a SIGTERM that we have received ourselves
SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name)
)


Make = Callable[[ServeOptions, Limits, Log, Metrics], AbstractAsyncContextManager[ASGIApp]]
"""Opens an app with everything it needs, and closes it again."""


def serve(
    options: ServeOptions,
    lang: str,
    *,
    make: Make | None = None,
    limits: Limits | None = None,
    out: TextIO | None = None,
) -> int:
    """Run the server until it is stopped; return the exit code."""
    out = sys.stdout if out is None else out
    try:
        check(options)
        limits = read_limits(options.limits, limits or Limits())
        own_games.use(options.games)
        with listening(options) as sockets:
            server_run = ServerRun(options, lang, out, sockets)
            return asyncio.run(server_run.run(make or tables, limits))
    except StichwerkError as error:
        print(locale.text(error.id, lang, **error.data), file=sys.stderr)
        return BROKEN


@asynccontextmanager
async def tables(
    options: ServeOptions,
    limits: Limits,
    log: Log,
    metrics: Metrics,
    rng: RandomSource | None = None,
) -> AsyncIterator[ASGIApp]:
    """Open the real app. It opens and closes its store and its bot pool; the folder is locked here,
    and the garbage collector set up: both concern the whole process, which an app may share."""
    from stichwerk.server.app import build
    from stichwerk.server.bots.bot_pool import BotPool

    with open_place(options, metrics) as store, short_pauses():
        app = build(
            store=store,
            pool=BotPool(workers=options.workers, log=log.warn),
            limits=limits,
            log=log,
            metrics=metrics,
            origins=named_origins(options),
            public_url=options.url,
            pace=options.pace,
            rng=rng,
            metrics_for=options.metrics,
        )
        cleaning = asyncio.create_task(collect_when_quiet(app.state.lobby.is_quiet))
        try:
            yield app
        finally:
            cleaning.cancel()


@contextmanager
def open_place(options: ServeOptions, metrics: Metrics) -> Iterator[Store]:
    """Return the store, for this server alone: in a database, or in a folder."""
    if options.store is not None:
        yield postgres_store(options.store, alone=True, checkpoint=counting_commits(metrics))
        return
    file = store_file(os.fspath(data_folder(options.data)))
    with only_server(file.parent):
        yield SqliteStore(file, checkpoint=counting_commits(metrics))


def counting_commits(metrics: Metrics) -> Callable[[str], None]:
    """Return a callback for the points of a store's commit path that counts commits."""
    entries = 0

    def passed(point: str) -> None:
        nonlocal entries
        if point == "taken":
            entries = 0
        elif point == "inserted":
            entries += 1
        elif point == "committed":
            metrics.committed(entries)

    return passed


# -- The run ---------------------------------------------------------------------------------------


class ServerRun:
    """One run of the server, from start to stop."""

    def __init__(
        self,
        options: ServeOptions,
        lang: str,
        out: TextIO,
        sockets: list[socket.socket],
        clock: Clock = SYSTEM,
    ) -> None:
        self.options, self.lang, self.out, self.sockets = options, lang, out, sockets
        self.port: int = sockets[0].getsockname()[1]
        self.public = any(not is_loopback(bound.getsockname()[0]) for bound in sockets)
        self.urls = self._urls()
        self.clock = clock
        self.log = Log()
        self.metrics = Metrics()
        self.server: Server | None = None
        self.stopping = False
        self.ignore_until = 0.0

    async def run(self, make: Make, limits: Limits) -> int:
        """Open everything, serve, close everything."""
        limits = self._within_files(limits, raise_file_limit())
        with library_logs_to(self.log), self._signals():
            async with make(self.options, limits, self.log, self.metrics) as app:
                await self._serve(app, limits)
        self.log.info("stopped")
        self.say(locale.text("serve-stopped", self.lang))
        return 0

    def _within_files(self, limits: Limits, files: int | None) -> Limits:
        """Limit the connections to the number of open files that the system allows."""
        if files is None or limits.connections <= files - SPARE_FILES:
            return limits
        fewer = max(1, files - SPARE_FILES)
        self.log.warn("few-files", sockets=fewer)
        return msgspec.structs.replace(limits, connections=fewer)

    async def _serve(self, app: ASGIApp, limits: Limits) -> None:
        monitor = StartupMonitor(app)
        connection_limits = ConnectionLimits(
            limits, self.log, self.metrics, proxies=self.options.proxies, clock=self.clock
        )
        config = configured(monitor, connection_limits, self.options)
        self.sockets[:] = [Listener.taking_over(each, connection_limits) for each in self.sockets]
        self.server = Server(
            config, started=self.print_addresses, leaving=partial(self._disconnect_clients, app)
        )
        self.server.should_exit = self.stopping
        try:
            await self.server.serve(sockets=self.sockets)
        except SystemExit:  # how uvicorn reports that the app did not start
            raise self._not_started(monitor.failure) from None

    def _not_started(self, failure: BaseException | None) -> StichwerkError:
        if isinstance(failure, StichwerkError):
            return failure
        self.log.error("not-started", failure)
        return CannotServeError("serve-failed", kind=type(failure).__name__)

    async def _disconnect_clients(self, app: ASGIApp) -> None:
        """Let the app notify its clients while their sockets are open."""
        self.say(locale.text("serve-stopping", self.lang))
        tell: Callable[[], Awaitable[object]] | None
        tell = getattr(getattr(app, "state", None), "disconnect_all", None)
        if tell is None:
            return
        try:
            async with self.clock.timeout(STOP_SECONDS):
                await tell()
        except Exception as error:  # they will notice anyway
            self.log.error("farewell-failed", error)

    # -- Signals -----------------------------------------------------------------------------------

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """Stop at the first signal, exit at the second. uvicorn's handlers are not used: they would
        raise the signal again before the store is closed, and ignore a second SIGTERM."""
        if current_thread() is not main_thread():
            yield
            return
        before = {number: signal.signal(number, self._stop) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        if self.stopping:
            if number == signal.SIGTERM and self.clock.monotonic() < self.ignore_until:
                return
            # Acknowledged changes are on the disk; workers exit when their input closes.
            os._exit(128 + number)
        self.stopping = True
        if number == signal.SIGTERM:
            self.ignore_until = self.clock.monotonic() + SAME_SIGNAL
        if self.server is not None:
            self.server.should_exit = True

    # -- Console output ----------------------------------------------------------------------------

    def say(self, *lines: str) -> None:
        """Print lines; carry on if nobody can read them any more."""
        with suppress(OSError, ValueError):
            print(*lines, sep="\n", file=self.out, flush=True)

    def print_addresses(self) -> None:
        """Print the addresses, the data folder and how to stop; open the browser if requested."""
        self.log.info("started", version=__version__, port=self.port, public=self.public)
        self.say(*self._addresses())
        self.say(self._place())
        self.say(locale.text("serve-stop", self.lang))
        if self._may_open_browser():
            # In a thread, as some browsers return only when they are closed.
            Thread(target=self._open_browser, args=(), daemon=True).start()
        elif self.options.open_browser:
            self._say_no_browser()

    def _place(self) -> str:
        """Return where the tables are."""
        if self.options.store is None:
            folder = data_folder(self.options.data)
            return locale.text("serve-data", self.lang, folder=folder)
        address = without_password(self.options.store)
        return locale.text("serve-database", self.lang, address=address)

    def _open_browser(self) -> None:
        try:
            opened = webbrowser.open(self.urls[0])
        except Exception:  # starting a browser can raise anything
            opened = False
        if not opened:
            self._say_no_browser()

    def _say_no_browser(self) -> None:
        if self.urls:
            self.say(locale.text("serve-no-browser", self.lang, url=self.urls[0]))

    def _addresses(self) -> list[str]:
        """Return the addresses, after a note if the port is not the requested one."""
        port = self.options.port
        moved = port not in (0, self.port)
        before = [locale.text("serve-other-port", self.lang, port=port)] if moved else []
        return before + self._where()

    def _where(self) -> list[str]:
        if not self.public:
            return [locale.text("serve-open", self.lang, url=url) for url in self.urls]
        listed = [locale.text("serve-network", self.lang, url=url) for url in self.urls]
        if not listed:
            listed = [locale.text("serve-no-network", self.lang, port=self.port)]
        elif is_terminal(self.out):
            listed += qr_lines(self.urls[0])
        return [*listed, locale.text("serve-public", self.lang)]

    def _urls(self) -> list[str]:
        """Return the addresses to open, the best first."""
        if self.options.url is not None:
            return [self.options.url.rstrip("/") + "/"]
        hosts = [str(bound.getsockname()[0]) for bound in self.sockets]
        if self.public and any(is_wildcard(host) for host in hosts):
            hosts = lan_addresses()
        return [url(host, self.port) for host in hosts]

    def _may_open_browser(self) -> bool:
        if self.options.open_browser is None and (self.public or not is_terminal(self.out)):
            return False
        wanted = self.options.open_browser is not False
        return wanted and bool(self.urls) and has_screen(os.environ)


class Server(uvicorn.Server):
    """uvicorn, with callbacks after it opens and before it closes."""

    def __init__(
        self,
        config: uvicorn.Config,
        *,
        started: Callable[[], None],
        leaving: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__(config)
        self._when_started = started
        self._when_leaving = leaving

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to `ServerRun`."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening."""
        await super().startup(sockets=sockets)
        for each in sockets or ():
            # asyncio has one number for how many are accepted at once and how many may wait.
            each.listen(WAITING)
        self._when_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Notify the clients, then close."""
        await self._when_leaving()
        await super().shutdown(sockets=sockets)


class StartupMonitor:
    """Wraps an app and keeps the reason why it could not start: uvicorn does not report it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.failure: BaseException | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the call on."""
        if scope["type"] != "lifespan":
            await self.app(scope, receive, send)
            return
        try:
            await self.app(scope, receive, send)
        except BaseException as error:
            self.failure = error
            raise


def configured(app: ASGIApp, connection_limits: ConnectionLimits, options: ServeOptions) -> Config:
    """Return uvicorn's configuration; its logging is replaced by ours."""
    return Config(
        app,
        connection_limits,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        # Not by default, as in uvicorn: any program on this machine could pretend to be a proxy.
        proxy_headers=bool(options.proxies),
        forwarded_allow_ips=list(options.proxies),
        timeout_graceful_shutdown=GRACE,
    )


def raise_file_limit() -> int | None:
    """Raise the limit of open files as far as the system allows; return the limit."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if allowed == resource.RLIM_INFINITY else allowed


# -- Sockets and addresses -------------------------------------------------------------------------


def has_screen(environment: Mapping[str, str]) -> bool:
    """Return whether a browser can open a window: a text browser would take over the terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))
