"""The server as one app: WebSockets for tables, a small HTTP API beside them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from stichwerk import __version__
from stichwerk.engine import frame
from stichwerk.errors import StichwerkError
from stichwerk.server import library, protocol, wire
from stichwerk.server.answers import (
    Answer,
    Forbidden,
    TooMany,
    address,
    body,
    is_direct_and_local,
    json,
    language,
    nowhere,
    problem,
)
from stichwerk.server.bot_list import BotList
from stichwerk.server.chance import Chance
from stichwerk.server.clock import SYSTEM, Clock
from stichwerk.server.decisions import NewPerson
from stichwerk.server.guards import Doors, Limits, host_allowed, origin_allowed
from stichwerk.server.hall import Hall
from stichwerk.server.headers import KnownHosts, Shield
from stichwerk.server.logs import Log
from stichwerk.server.metrics import Metrics, MetricsFor, watch_loop
from stichwerk.server.pages import Pages, squeezed
from stichwerk.server.replays import Replays
from stichwerk.server.reviews import Reviews
from stichwerk.server.scans import QrCodes
from stichwerk.server.sockets import Sockets
from stichwerk.server.store import Store
from stichwerk.server.thinkers import Thinkers
from stichwerk.server.tidy import clean_when_quiet, short_pauses


def build(
    *,
    store: Store,
    thinkers: Thinkers,
    limits: Limits,
    log: Log,
    metrics: Metrics,
    origins: Collection[str] = (),
    public_url: str | None = None,
    pace: float = 1.0,
    chance: Chance | None = None,
    clock: Clock = SYSTEM,
    metrics_for: MetricsFor = "local",
) -> Starlette:
    """The app; its lifespan opens and closes the store and the thinkers, and nobody else does."""
    thinkers.metrics = metrics
    thinkers.even = pace > 0  # without pauses every time is shown as it is
    hall = Hall(
        store,
        thinkers,
        log=log,
        metrics=metrics,
        chance=chance,
        clock=clock,
        pace=pace,
        limits=limits,
    )
    doors = Doors(limits)
    metrics.sockets.read_by(lambda: doors.open)
    api = Api(hall, doors, metrics, public_url, tuple(origins), metrics_for)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await store.open()
        try:
            await hall.start()
            beside = [
                asyncio.create_task(watch_loop(metrics)),
                asyncio.create_task(clean_when_quiet(hall.is_quiet, clock)),
            ]
            try:
                with short_pauses():
                    yield
            finally:
                for task in beside:
                    task.cancel()
                await api.reviews.close()
                await hall.stop()
                await thinkers.close()
        finally:
            await store.close()

    app = Shielded(
        limits,
        clock,
        Sockets(hall, doors, tuple(origins)),
        lambda inner: KnownHosts(inner, tuple(origins), metrics),
        routes=api.routes(),
        lifespan=lifespan,
        exception_handlers={HTTPException: nowhere},
    )
    app.router.default = api.pages.before(app.router.default)
    app.state.hall = hall
    app.state.farewell = hall.farewell
    return app


class Shielded(Starlette):
    """An app whose answers all have our headers, those to unforeseen errors too.

    WebSockets go by the shortest way: each layer would cost memory for as long as one is open.
    """

    def __init__(
        self,
        limits: Limits,
        clock: Clock,
        sockets: Sockets,
        guarded: Callable[[ASGIApp], ASGIApp],
        **more: Any,
    ) -> None:
        self._limits = limits
        self._clock = clock
        self._sockets = sockets
        self._guarded = guarded
        super().__init__(**more)

    def build_middleware_stack(self) -> ASGIApp:
        """What a request passes through, from the outside to the inside."""
        pages = self._guarded(squeezed(super().build_middleware_stack()))

        def way(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
            socket = scope["type"] == "websocket" and scope["path"] == "/ws"
            return (self._sockets if socket else pages)(scope, receive, send)

        return Shield(way, self._limits, self._clock)


class Api:
    """The HTTP API."""

    def __init__(
        self,
        hall: Hall,
        doors: Doors,
        metrics: Metrics,
        public_url: str | None,
        origins: tuple[str, ...],
        metrics_for: MetricsFor = "local",
    ) -> None:
        self.metrics_for = metrics_for
        self.hall = hall
        self.doors = doors
        self.metrics = metrics
        self.public_url = public_url
        self.origins = origins
        self.bot_list = BotList()
        self.replays = Replays(hall)
        self.reviews = Reviews(hall)
        self.qr_codes = QrCodes(lambda asker: doors.draw(asker, hall.clock.monotonic()))
        self.pages = Pages(may_have=lambda asker: doors.file(asker, hall.clock.monotonic()))

    def routes(self) -> list[BaseRoute]:
        """Where everything is found; `protocol.ENDPOINTS` documents it."""
        asking: dict[str, Answer] = {
            "/api/health": self.health,
            "/api/version": self.version,
            "/api/lobby": self.lobby,
            "/api/bots": self.bots,
            "/api/games": library.games,
            "/api/rules/{game}": library.rules,
            "/api/calendar": library.calendar,
            "/api/calendar/{date}": library.day,
            "/api/matches": self.replays.matches,
            "/api/matches/{id}": self.record,
            "/api/matches/{id}/replay": self.replays.replay,
            "/api/matches/{id}/review": self.reviews.review,
            "/metrics": self.prometheus,
            "/openapi.json": self.openapi,
        }
        making: dict[str, Answer] = {
            "/api/tables": self.create,
            "/api/matches/{id}/fork": self.fork,
            "/api/qr": self.qr,
        }
        return [
            *(Route(path, self.guarded(answer)) for path, answer in asking.items()),
            *(Route(path, self.guarded(it), methods=["POST"]) for path, it in making.items()),
            *self.pages.routes(),
        ]

    # -- Every request -----------------------------------------------------------------------------

    def guarded(self, answer: Answer) -> Answer:
        """Count requests, and say in the person's language why one is refused."""

        async def endpoint(request: Request) -> Response:
            try:
                if not self.doors.request(address(request), self.hall.clock.monotonic()):
                    raise TooMany("too-many-requests")
                self.check_origin(request)
                return await answer(request)
            except StichwerkError as error:
                self.metrics.refused.add(error.id)
                refusal = problem(error, language(request))
                if error.id == "too-many-requests":
                    refusal.headers["connection"] = "close"  # else refusing costs more and more
                return refusal

        return endpoint

    def check_origin(self, request: Request) -> None:
        """Pages from elsewhere may not change anything here."""
        if request.method == "GET":
            return
        origin, host = request.headers.get("origin"), request.headers.get("host")
        known = host_allowed(host, self.origins) and origin_allowed(origin, host, self.origins)
        if not known:
            raise Forbidden("foreign-origin")

    # -- Asking ------------------------------------------------------------------------------------

    async def health(self, request: Request) -> Response:
        """Whether all is well."""
        well = await self.hall.healthy()
        health = wire.Health(status="ok" if well else "storage")
        return json(health, 200 if well else 503)

    async def version(self, request: Request) -> Response:
        """What runs here."""
        compiled = not str(frame.__file__).endswith(".py")
        engine = wire.VersionInfo(
            program=__version__,
            protocol=wire.VERSION,
            engine="compiled" if compiled else "plain",
        )
        return json(engine)

    async def lobby(self, request: Request) -> Response:
        """The open tables."""
        return json(self.hall.lobby())

    async def bots(self, request: Request) -> Response:
        """The bots there are."""
        return json(await self.bot_list.bots())

    async def record(self, request: Request) -> Response:
        """The record of a finished match."""
        raw = await self.hall.record(request.path_params["id"])
        return Response(raw, media_type="application/json")

    async def prometheus(self, request: Request) -> Response:
        """Figures for Prometheus. They tell when something happens at some table: by default to
        programs on this machine only."""
        if self.metrics_for == "off":
            raise HTTPException(404)
        if self.metrics_for == "local" and not is_direct_and_local(request):
            raise Forbidden("metrics-local")
        return Response(self.metrics.text(), media_type="text/plain; version=0.0.4")

    async def openapi(self, request: Request) -> Response:
        """This API, for programs."""
        return json(protocol.openapi())

    # -- Making ------------------------------------------------------------------------------------

    async def create(self, request: Request) -> Response:
        """A new table."""
        self.count_creation(request)
        table, host = await self.hall.create(await body(request, wire.NewTable))
        return json(self.made(request, table, host), 201)

    async def fork(self, request: Request) -> Response:
        """A table on which a finished match is played on."""
        self.count_creation(request)
        wish = await body(request, wire.NewFork)
        table, host = await self.hall.fork(request.path_params["id"], wish)
        return json(self.made(request, table, host), 201)

    def count_creation(self, request: Request) -> None:
        """Tables cost room: not too many for one address."""
        if not self.doors.create(address(request), self.hall.clock.monotonic()):
            raise TooMany("too-many-tables")

    def made(self, request: Request, table: str, host: NewPerson) -> wire.TableMade:
        """What the host gets."""
        link = f"{self.base(request)}/t/{table}"
        return wire.TableMade(
            table=table,
            person=host.id,
            token=host.token,
            link=link,
            personal=f"{link}#{host.token}",
        )

    async def qr(self, request: Request) -> Response:
        """A link of ours, or of a page that may speak for us, to be scanned."""
        named = [origin.rstrip("/") for origin in self.origins if "://" in origin]
        return await self.qr_codes.answer(request, [self.base(request), *named])

    def base(self, request: Request) -> str:
        """Where people find this server."""
        return (self.public_url or str(request.base_url)).rstrip("/")
