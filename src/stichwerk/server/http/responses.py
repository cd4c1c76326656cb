"""Shared parts of the HTTP API: how requests are read, answered and refused."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from stichwerk import locale
from stichwerk.errors import BadSeatsError, StichwerkError, shown
from stichwerk.server import wire
from stichwerk.server.network.limits import is_loopback, read_host
from stichwerk.server.storage.store import StorageError
from stichwerk.server.tables.lobby import NotFoundError

Body = TypeVar("Body")
Answer = Callable[[Request], Awaitable[Response]]
LONGEST_NUMBER = 9  # digits of a number in a query
AGAIN_AFTER = "2"  # seconds until a client should ask again for something in progress


class TooManyRequestsError(StichwerkError):
    """An address sends too many requests."""


class ForbiddenError(StichwerkError):
    """A request that is not allowed, or not from there."""


class BadRequestError(StichwerkError):
    """A request that cannot be read."""


class ServerBusyError(StichwerkError):
    """The server is busy with others."""


# -- Requests --------------------------------------------------------------------------------------


def address(request: Request) -> str | None:
    """Return the client's address."""
    return request.client.host if request.client else None


FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


def is_direct_and_local(request: Request) -> bool:
    """Return whether a request comes from this machine, and not through a proxy on it."""
    if any(name in request.headers for name in FORWARDED):
        return False
    named = read_host(request.headers.get("host", ""))
    place = named.host.strip("[]") if named else ""
    return is_loopback(address(request)) and (is_loopback(place) or place == "localhost")


def language(request: Request) -> wire.Lang:
    """Return the requested language, from the query or the browser."""
    languages = request.query_params.get("lang") or request.headers.get("accept-language", "")
    return "de" if languages.lower().startswith("de") else "en"


def number(request: Request, name: str) -> int | None:
    """Return an integer from the query; None if it is missing."""
    value = request.query_params.get(name)
    if value is None:
        return None
    if not (value.isascii() and value.isdigit() and len(value) <= LONGEST_NUMBER):
        raise BadRequestError("query-no-number", name=name, value=shown(value))
    return int(value)


def seat_of(request: Request, seats: int) -> int | None:
    """Return the requested seat; None if it is missing."""
    seat = number(request, "seat")
    if seat is not None and seat >= seats:
        raise BadSeatsError("no-such-seat", seat=seat, highest=seats - 1)
    return seat


async def body(request: Request, kind: type[Body]) -> Body:
    """Decode the body of a request."""
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError) as error:
        raise BadRequestError("message-unreadable", why=str(error)[:100]) from None


# -- Answers ---------------------------------------------------------------------------------------


def json(value: object, status: int = 200) -> Response:
    """Return a JSON response."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def problem(error: StichwerkError, lang: str) -> Response:
    """Return a refusal."""
    data = wire.plain(error.data)
    content = wire.Problem(error=error.id, text=locale.text(error.id, lang, **data), data=data)
    answer = json(content, status_of(error))
    if isinstance(error, ServerBusyError):
        answer.headers["retry-after"] = AGAIN_AFTER
    return answer


async def not_found(request: Request, error: Exception) -> Response:
    """Respond to an unknown path (404) or method (405)."""
    assert isinstance(error, HTTPException), "registered for these alone"
    answer = problem(BadRequestError("nothing-here"), language(request))
    answer.status_code = error.status_code
    answer.headers.update(error.headers or {})
    return answer


STATUSES: dict[type[StichwerkError], int] = {
    NotFoundError: 404,
    ForbiddenError: 403,
    TooManyRequestsError: 429,
    StorageError: 503,
    ServerBusyError: 503,
}
"""All other errors are 400."""


def status_of(error: StichwerkError) -> int:
    """Return the HTTP status for an error."""
    fitting = (status for kind, status in STATUSES.items() if isinstance(error, kind))
    return next(fitting, 400)
