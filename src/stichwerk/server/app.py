"""The server as one app: WebSockets for tables, a small HTTP API beside them."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from stichwerk import __version__, bots, locale
from stichwerk.engine import frame
from stichwerk.errors import StichwerkError
from stichwerk.games import registry
from stichwerk.server import protocol, wire
from stichwerk.server.decisions import NewPerson
from stichwerk.server.guards import Doors, Limits, host_allowed, origin_allowed
from stichwerk.server.hall import Hall, NoSuchThing
from stichwerk.server.headers import Shield
from stichwerk.server.logs import Log
from stichwerk.server.metrics import Metrics, watch_loop
from stichwerk.server.room import SHARE_SECONDS
from stichwerk.server.sockets import Sockets
from stichwerk.server.store import Storage, Store
from stichwerk.server.thinkers import Thinkers
from stichwerk.server.tidy import clean_when_quiet, short_pauses

STATIC = Path(__file__).parent.parent / "web" / "static"
PAGE = """<!doctype html>
<html lang="{lang}"><meta charset="utf-8"><title>Stichwerk</title>
<h1>Stichwerk</h1><p>{text}</p><p><a href="/openapi.json">/openapi.json</a></p></html>
"""
Body = TypeVar("Body")
Answer = Callable[[Request], Awaitable[Response]]


class TooMany(StichwerkError):  # noqa: N818  (as in errors.py)
    """Someone asks too often."""


class Foreign(StichwerkError):  # noqa: N818
    """A page from elsewhere."""


class BadRequest(StichwerkError):  # noqa: N818
    """A request that cannot be read."""


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
    share_seconds: float = SHARE_SECONDS,
) -> Starlette:
    """The app; its lifespan opens and closes store and thinkers."""
    hall = Hall(store, thinkers, log=log, metrics=metrics, pace=pace, share_seconds=share_seconds)
    doors = Doors(limits)
    metrics.sockets.read_by(lambda: doors.open)
    api = Api(hall, doors, metrics, public_url, tuple(origins))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await store.open()
        await hall.start()
        beside = [
            asyncio.create_task(watch_loop(metrics)),
            asyncio.create_task(clean_when_quiet(hall.is_quiet)),
        ]
        try:
            with short_pauses():
                yield
        finally:
            for task in beside:
                task.cancel()
            await hall.stop()
            await thinkers.close()
            await store.close()

    app = Shielded(
        limits,
        Sockets(hall, doors, tuple(origins)),
        routes=api.routes(),
        lifespan=lifespan,
        exception_handlers={HTTPException: nowhere},
    )
    app.state.hall = hall
    app.state.farewell = hall.farewell
    return app


class Shielded(Starlette):
    """An app whose answers all have our headers, those to unforeseen errors too.

    WebSockets go by the shortest way: each layer would cost memory for as long as one is open.
    """

    def __init__(self, limits: Limits, sockets: Sockets, **more: Any) -> None:
        self._limits = limits
        self._sockets = sockets
        super().__init__(**more)

    def build_middleware_stack(self) -> ASGIApp:
        """What a request passes through, from the outside to the inside."""
        pages = super().build_middleware_stack()

        def way(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
            socket = scope["type"] == "websocket" and scope["path"] == "/ws"
            return (self._sockets if socket else pages)(scope, receive, send)

        return Shield(way, self._limits)


class Api:
    """The HTTP API."""

    def __init__(
        self,
        hall: Hall,
        doors: Doors,
        metrics: Metrics,
        public_url: str | None,
        origins: tuple[str, ...],
    ) -> None:
        self.hall = hall
        self.doors = doors
        self.metrics = metrics
        self.public_url = public_url
        self.origins = origins

    def routes(self) -> list[Route | Mount]:
        """Where everything is found; `protocol.ENDPOINTS` documents it."""
        found: list[Route | Mount] = [
            Route("/api/health", self.guarded(self.health)),
            Route("/api/version", self.guarded(self.version)),
            Route("/api/lobby", self.guarded(self.lobby)),
            Route("/api/bots", self.guarded(self.bots)),
            Route("/api/games", self.guarded(self.games)),
            Route("/api/tables", self.guarded(self.create), methods=["POST"]),
            Route("/api/matches/{id}", self.guarded(self.record)),
            Route("/api/matches/{id}/fork", self.guarded(self.fork), methods=["POST"]),
            Route("/metrics", self.guarded(self.prometheus)),
            Route("/openapi.json", self.guarded(self.openapi)),
            Route("/", self.page),
            Route("/t/{table}", self.page),
        ]
        if STATIC.is_dir():
            found.append(Mount("/", StaticFiles(directory=STATIC)))
        return found

    # -- Every request -----------------------------------------------------------------------------

    def guarded(self, answer: Answer) -> Answer:
        """Count requests, and say in the person's language why one is refused."""

        async def endpoint(request: Request) -> Response:
            try:
                if not self.doors.request(address(request), time.monotonic()):
                    raise TooMany("too-many-requests")
                self.check_origin(request)
                return await answer(request)
            except StichwerkError as error:
                self.metrics.refused.add(error.id)
                return problem(error, language(request))

        return endpoint

    def check_origin(self, request: Request) -> None:
        """Pages from elsewhere may not change anything here."""
        if request.method == "GET":
            return
        origin, host = request.headers.get("origin"), request.headers.get("host")
        known = host_allowed(host, self.origins) and origin_allowed(origin, host, self.origins)
        if not known:
            raise Foreign("foreign-origin")

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
        levels = ("easy", "medium", "hard", "expert")
        found = [
            wire.BotInfo(name=one.name, version=one.version, level=one.name in levels)
            for one in bots.listings()
            if isinstance(one, bots.Listing)
        ]
        return json(wire.Bots(bots=tuple(found)))

    async def games(self, request: Request) -> Response:
        """The games and their options."""
        lang = language(request)
        return json(wire.Games(games=tuple(game_info(name, lang) for name in registry.GAMES)))

    async def record(self, request: Request) -> Response:
        """The record of a finished match."""
        raw = await self.hall.record(request.path_params["id"])
        return Response(raw, media_type="application/json")

    async def prometheus(self, request: Request) -> Response:
        """Figures for Prometheus."""
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
        if not self.doors.create(address(request), time.monotonic()):
            raise TooMany("too-many-tables")

    def made(self, request: Request, table: str, host: NewPerson) -> wire.TableMade:
        """What the host gets."""
        base = (self.public_url or str(request.base_url)).rstrip("/")
        link = f"{base}/t/{table}"
        return wire.TableMade(
            table=table,
            person=host.id,
            token=host.token,
            link=link,
            personal=f"{link}#{host.token}",
        )

    async def page(self, request: Request) -> Response:
        """The client, wherever one enters; without one, a word to those who expect it."""
        index = STATIC / "index.html"
        if index.is_file():
            return FileResponse(index)
        lang = language(request)
        told = PAGE.format(lang=lang, text=locale.text("no-client", lang))
        return HTMLResponse(told)


def game_info(name: str, lang: str) -> wire.GameInfo:
    """A game, for those who make a table."""
    kind = registry.kind(name)
    return wire.GameInfo(
        name=name,
        title=locale.game_name(name, lang),
        seats=tuple(kind.seat_counts),
        options={str(seats): option_infos(name, seats) for seats in kind.seat_counts},
    )


def option_infos(name: str, seats: int) -> tuple[wire.OptionInfo, ...]:
    """The options of a game at so many seats."""
    return tuple(
        wire.OptionInfo(
            name=option.name,
            default=option.default,
            values=option.values,
            lowest=option.lowest,
            highest=option.highest,
        )
        for option in registry.options_of(name, seats)
    )


# -- Requests and answers --------------------------------------------------------------------------


def address(request: Request) -> str | None:
    """Where a request comes from."""
    return request.client.host if request.client else None


def language(request: Request) -> str:
    """The language asked for, by the query or by the browser."""
    wish = request.query_params.get("lang") or request.headers.get("accept-language", "")
    return "de" if wish.lower().startswith("de") else "en"


async def body(request: Request, kind: type[Body]) -> Body:
    """The body of a request."""
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError) as error:
        raise BadRequest("message-unreadable", why=str(error)[:100]) from None


def json(value: object, status: int = 200) -> Response:
    """An answer."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def problem(error: StichwerkError, lang: str) -> Response:
    """A refusal."""
    data = wire.plain(error.data)
    told = wire.Problem(error=error.id, text=locale.text(error.id, lang, **data), data=data)
    return json(told, status_of(error))


async def nowhere(request: Request, error: Exception) -> Response:
    """What no endpoint answers: another path (404) or method (405)."""
    assert isinstance(error, HTTPException), "registered for these alone"
    answer = problem(BadRequest("nothing-here"), language(request))
    answer.status_code = error.status_code
    answer.headers.update(error.headers or {})
    return answer


def status_of(error: StichwerkError) -> int:
    """The status that fits a refusal."""
    if isinstance(error, NoSuchThing):
        return 404
    if isinstance(error, Foreign):
        return 403
    if isinstance(error, TooMany):
        return 429
    return 503 if isinstance(error, Storage) else 400
