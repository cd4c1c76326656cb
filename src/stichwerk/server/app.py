"""The server as one ASGI app: WebSockets for tables, and a small HTTP API."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from functools import partial
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
from stichwerk.server import wire
from stichwerk.server.bots.bot_pool import BotPool
from stichwerk.server.clock import SYSTEM, Clock
from stichwerk.server.http import bot_list, game_catalogue
from stichwerk.server.http.bot_list import BotList
from stichwerk.server.http.qr import QrCodes
from stichwerk.server.http.replays import Replays
from stichwerk.server.http.responses import (
    Answer,
    ForbiddenError,
    TooManyRequestsError,
    address,
    body,
    is_direct_and_local,
    json,
    language,
    not_found,
    problem,
)
from stichwerk.server.http.reviews import Reviews
from stichwerk.server.http.static_files import WebClient, compressed
from stichwerk.server.logs import Log
from stichwerk.server.metrics import Metrics, MetricsFor, watch_loop
from stichwerk.server.network.headers import HostMiddleware, SecurityMiddleware
from stichwerk.server.network.limits import Limits, RequestLimits, host_allowed, origin_allowed
from stichwerk.server.network.socket_sessions import SocketApp
from stichwerk.server.protocol_generator.openapi import openapi
from stichwerk.server.random_source import RandomSource
from stichwerk.server.storage.store import Store
from stichwerk.server.tables.joining import NewPerson
from stichwerk.server.tables.lobby import TableLobby


def build(
    *,
    store: Store,
    pool: BotPool,
    limits: Limits,
    log: Log,
    metrics: Metrics,
    origins: Collection[str] = (),
    public_url: str | None = None,
    pace: float = 1.0,
    rng: RandomSource | None = None,
    clock: Clock = SYSTEM,
    metrics_for: MetricsFor = "local",
) -> Starlette:
    """Build the app; its lifespan opens and closes the store and the bot pool, and nothing else
    does."""
    pool.metrics = metrics
    pool.hide_think_time = pace > 0  # without pauses, real times are shown
    lobby = TableLobby(
        store,
        pool,
        log=log,
        metrics=metrics,
        rng=rng,
        clock=clock,
        pace=pace,
        limits=limits,
    )
    request_limits = RequestLimits(limits)
    metrics.sockets.read_by(lambda: request_limits.open)
    api = Api(lobby, request_limits, metrics, public_url, tuple(origins), metrics_for)
    app = SecuredApp(
        limits,
        clock,
        SocketApp(lobby, request_limits, tuple(origins)),
        lambda inner: HostMiddleware(inner, tuple(origins), metrics),
        routes=api.routes(),
        lifespan=partial(lifespan, lobby, api.reviews),
        exception_handlers={HTTPException: not_found},
    )
    app.router.default = api.pages.before(app.router.default)
    app.state.lobby = lobby
    app.state.disconnect_all = lobby.disconnect_all
    return app


@asynccontextmanager
async def lifespan(lobby: TableLobby, reviews: Reviews, app: Starlette) -> AsyncIterator[None]:
    """Open the store and start everything; at the end, finish and close it all."""
    await lobby.store.open()
    try:
        await lobby.start()
        watching = asyncio.create_task(watch_loop(lobby.metrics))
        try:
            yield
        finally:
            watching.cancel()
            await reviews.close()
            await lobby.stop()
            await lobby.pool.close()
    finally:
        await lobby.store.close()


class SecuredApp(Starlette):
    """An app whose responses all have our headers, including those to unforeseen errors.

    WebSockets bypass the middleware: each layer would cost memory for as long as one is open.
    """

    def __init__(
        self,
        limits: Limits,
        clock: Clock,
        sockets: SocketApp,
        guarded: Callable[[ASGIApp], ASGIApp],
        **more: Any,
    ) -> None:
        self._limits = limits
        self._clock = clock
        self._sockets = sockets
        self._guarded = guarded
        super().__init__(**more)

    def build_middleware_stack(self) -> ASGIApp:
        """Build what a request passes through, from the outside to the inside."""
        pages = self._guarded(compressed(super().build_middleware_stack()))

        def way(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
            socket = scope["type"] == "websocket" and scope["path"] == "/ws"
            return (self._sockets if socket else pages)(scope, receive, send)

        return SecurityMiddleware(way, self._limits, self._clock)


class Api:
    """The HTTP API."""

    def __init__(
        self,
        lobby: TableLobby,
        request_limits: RequestLimits,
        metrics: Metrics,
        public_url: str | None,
        origins: tuple[str, ...],
        metrics_for: MetricsFor = "local",
    ) -> None:
        self.metrics_for = metrics_for
        self.lobby = lobby
        self.request_limits = request_limits
        self.metrics = metrics
        self.public_url = public_url
        self.origins = origins
        self.bot_list = BotList()
        self.replays = Replays(lobby)
        self.reviews = Reviews(lobby)
        self.qr_codes = QrCodes(
            lambda requester: request_limits.draw(requester, lobby.clock.monotonic())
        )
        self.pages = WebClient(
            may_have=lambda requester: request_limits.file(requester, lobby.clock.monotonic())
        )

    def routes(self) -> list[BaseRoute]:
        """Return all routes; `protocol_generator/endpoints.py` documents them."""
        asking: dict[str, Answer] = {
            "/api/health": self.health,
            "/api/version": self.version,
            "/api/lobby": self.open_tables,
            "/api/bots": self.bots,
            "/api/characters": bot_list.characters,
            "/api/games": game_catalogue.games,
            "/api/rules/{game}": game_catalogue.rules,
            "/api/lessons/{game}": game_catalogue.lesson,
            "/api/calendar": game_catalogue.calendar,
            "/api/calendar/{date}": game_catalogue.day,
            "/api/matches": self.replays.matches,
            "/api/matches/{id}": self.record,
            "/api/matches/{id}/replay": self.replays.replay,
            "/api/matches/{id}/review": self.reviews.review,
            "/api/matches/{id}/story": self.replays.story,
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
        """Count requests, and explain a refusal in the person's language."""

        async def endpoint(request: Request) -> Response:
            try:
                if not self.request_limits.request(address(request), self.lobby.clock.monotonic()):
                    raise TooManyRequestsError("too-many-requests")
                self.check_origin(request)
                return await answer(request)
            except StichwerkError as error:
                self.metrics.refused.add(error.id)
                refusal = problem(error, language(request))
                if error.id == "too-many-requests":
                    refusal.headers["connection"] = "close"  # refusing gets expensive otherwise
                return refusal

        return endpoint

    def check_origin(self, request: Request) -> None:
        """Refuse changes requested by foreign pages."""
        if request.method == "GET":
            return
        origin, host = request.headers.get("origin"), request.headers.get("host")
        known = host_allowed(host, self.origins) and origin_allowed(origin, host, self.origins)
        if not known:
            raise ForbiddenError("foreign-origin")

    # -- Queries -----------------------------------------------------------------------------------

    async def health(self, request: Request) -> Response:
        """Return whether the server is healthy."""
        well = await self.lobby.healthy()
        health = wire.Health(status="ok" if well else "storage")
        return json(health, 200 if well else 503)

    async def version(self, request: Request) -> Response:
        """Return the running versions."""
        compiled = not str(frame.__file__).endswith(".py")
        engine = wire.VersionInfo(
            program=__version__,
            protocol=wire.VERSION,
            engine="compiled" if compiled else "plain",
        )
        return json(engine)

    async def open_tables(self, request: Request) -> Response:
        """Return the open tables."""
        return json(self.lobby.open_tables())

    async def bots(self, request: Request) -> Response:
        """Return the available bots."""
        return json(await self.bot_list.bots())

    async def record(self, request: Request) -> Response:
        """Return the record of a finished match."""
        raw = await self.lobby.record(request.path_params["id"])
        return Response(raw, media_type="application/json")

    async def prometheus(self, request: Request) -> Response:
        """Return metrics for Prometheus. They reveal when something happens at some table: by
        default only programs on this machine may read them."""
        if self.metrics_for == "off":
            raise HTTPException(404)
        if self.metrics_for == "local" and not is_direct_and_local(request):
            raise ForbiddenError("metrics-local")
        return Response(self.metrics.text(), media_type="text/plain; version=0.0.4")

    async def openapi(self, request: Request) -> Response:
        """Return the OpenAPI document."""
        return json(openapi())

    # -- Creation ----------------------------------------------------------------------------------

    async def create(self, request: Request) -> Response:
        """Create a table."""
        self.count_creation(request)
        table, host = await self.lobby.create(await body(request, wire.NewTable))
        return json(self.made(request, table, host), 201)

    async def fork(self, request: Request) -> Response:
        """Create a table that continues a finished match."""
        self.count_creation(request)
        fork = await body(request, wire.NewFork)
        table, host = await self.lobby.fork(request.path_params["id"], fork)
        return json(self.made(request, table, host), 201)

    def count_creation(self, request: Request) -> None:
        """Limit the tables created per address, as they take up space."""
        if not self.request_limits.create(address(request), self.lobby.clock.monotonic()):
            raise TooManyRequestsError("too-many-tables")

    def made(self, request: Request, table: str, host: NewPerson) -> wire.TableMade:
        """Return what the host gets."""
        link = f"{self.base(request)}/t/{table}"
        return wire.TableMade(
            table=table,
            person=host.id,
            token=host.token,
            link=link,
            personal=f"{link}#{host.token}",
        )

    async def qr(self, request: Request) -> Response:
        """Return a QR code of a link to this server, or to a trusted origin."""
        named = [origin.rstrip("/") for origin in self.origins if "://" in origin]
        return await self.qr_codes.answer(request, [self.base(request), *named])

    def base(self, request: Request) -> str:
        """Return the public address of this server."""
        return (self.public_url or str(request.base_url)).rstrip("/")
