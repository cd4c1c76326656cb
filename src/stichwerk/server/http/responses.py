"""What all parts of the HTTP API share: how requests are read, answered and refused."""

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
AGAIN_AFTER = "2"  # seconds until one may ask again for what is being made


class TooManyRequestsError(StichwerkError):
    """Someone asks too often."""


class ForbiddenError(StichwerkError):
    """What may not be asked for, or not from there."""


class BadRequestError(StichwerkError):
    """A request that cannot be read."""


class ServerBusyError(StichwerkError):
    """Others are being served."""


# -- Requests --------------------------------------------------------------------------------------


def address(request: Request) -> str | None:
    """Where a request comes from."""
    return request.client.host if request.client else None


FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


def is_direct_and_local(request: Request) -> bool:
    """Whether a request comes from this machine, and not from elsewhere through a proxy on it."""
    if any(name in request.headers for name in FORWARDED):
        return False
    named = read_host(request.headers.get("host", ""))
    place = named.host.strip("[]") if named else ""
    return is_loopback(address(request)) and (is_loopback(place) or place == "localhost")


def language(request: Request) -> wire.Lang:
    """The language asked for, by the query or by the browser."""
    wish = request.query_params.get("lang") or request.headers.get("accept-language", "")
    return "de" if wish.lower().startswith("de") else "en"


def number(request: Request, name: str) -> int | None:
    """A whole number from the query; None, if it is left out."""
    wish = request.query_params.get(name)
    if wish is None:
        return None
    if not (wish.isascii() and wish.isdigit() and len(wish) <= LONGEST_NUMBER):
        raise BadRequestError("query-no-number", name=name, value=shown(wish))
    return int(wish)


def seat_of(request: Request, seats: int) -> int | None:
    """The seat asked for; None, if it is left out."""
    seat = number(request, "seat")
    if seat is not None and seat >= seats:
        raise BadSeatsError("no-such-seat", seat=seat, highest=seats - 1)
    return seat


async def body(request: Request, kind: type[Body]) -> Body:
    """The body of a request."""
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError) as error:
        raise BadRequestError("message-unreadable", why=str(error)[:100]) from None


# -- Answers ---------------------------------------------------------------------------------------


def json(value: object, status: int = 200) -> Response:
    """An answer."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def problem(error: StichwerkError, lang: str) -> Response:
    """A refusal."""
    data = wire.plain(error.data)
    told = wire.Problem(error=error.id, text=locale.text(error.id, lang, **data), data=data)
    answer = json(told, status_of(error))
    if isinstance(error, ServerBusyError):
        answer.headers["retry-after"] = AGAIN_AFTER
    return answer


async def not_found(request: Request, error: Exception) -> Response:
    """What no endpoint answers: another path (404) or method (405)."""
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
"""Whatever is not here is 400."""


def status_of(error: StichwerkError) -> int:
    """The status that fits a refusal."""
    fitting = (status for kind, status in STATUSES.items() if isinstance(error, kind))
    return next(fitting, 400)
