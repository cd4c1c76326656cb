"""Headers of every HTTP response, limits for request bodies, and checks of the host. Plain ASGI."""

import html
import re
from collections.abc import Collection

import msgspec
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stichwerk import locale
from stichwerk.errors import shown
from stichwerk.server.clock import SYSTEM, Clock
from stichwerk.server.metrics import Metrics
from stichwerk.server.network.limits import Limits, host_allowed
from stichwerk.server.wire import Problem

_SAFE_HOST = re.compile(rb"[A-Za-z0-9.:\[\]-]{1,255}")
_ANSWERS = ("http.response.start", "websocket.http.response.start")
_KEEPING = b"cache-control"
_FEATURES = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer"),
    *("microphone", "midi", "payment", "usb"),
)

ALWAYS = {
    b"x-content-type-options": b"nosniff",
    # Personal links carry a token in the fragment, which is never sent; the rest should not leak
    # either.
    b"referrer-policy": b"no-referrer",
    b"permissions-policy": ", ".join(f"{name}=()" for name in _FEATURES).encode(),
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"x-frame-options": b"DENY",
}


def policy(host: bytes | None) -> bytes:
    """Return the content security policy for a page under this host."""
    sockets = b""
    if host and _SAFE_HOST.fullmatch(host):
        # Older Safaris do not count a WebSocket to the same host as 'self'.
        sockets = b" ws://" + host + b" wss://" + host
    return (
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        b"font-src 'self'; connect-src 'self'" + sockets + b"; manifest-src 'self'; "
        b"media-src 'self'; worker-src 'self'; "
        b"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


class SecurityMiddleware:
    """ASGI middleware: adds headers to every response and refuses bodies that are too large or
    slow.

    It must be outermost, so that error responses are covered too.
    """

    def __init__(self, app: ASGIApp, limits: Limits | None = None, clock: Clock = SYSTEM) -> None:
        self.app = app
        self.limits = limits or Limits()
        self.clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request with its complete body, and its response with headers."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        covered = _covering(send, _added(headers), _keeps(scope["path"]))
        if scope["type"] == "http" and _has_body(headers):
            await self._with_body(scope, receive, covered, headers)
        else:
            await self.app(scope, receive, covered)

    async def _with_body(
        self, scope: Scope, receive: Receive, send: Send, headers: Headers
    ) -> None:
        """Read the body first, as it is small: the app never sees a partial one."""
        try:
            body = await self._body(receive, headers)
        except TimeoutError:
            await problem(408, "body-too-slow", headers)(scope, receive, send)
        except _BodyTooLargeError:
            most = self.limits.body_bytes
            await problem(413, "body-too-large", headers, bytes=most)(scope, receive, send)
        except _ClientGoneError:
            pass
        else:
            await self.app(scope, _replaying(body, receive), send)

    async def _body(self, receive: Receive, headers: Headers) -> bytes:
        if _declared_length(headers) > self.limits.body_bytes:
            raise _BodyTooLargeError
        async with self.clock.timeout(self.limits.body_seconds):
            return await _read_body(receive, self.limits.body_bytes)


class HostMiddleware:
    """ASGI middleware: refuses requests, including pages, for host names that a stranger may own.

    Protects against DNS rebinding: to a browser, a foreign page whose name suddenly resolves to
    this server has the same origin, so it could read every response. Browsers always send a `Host`.
    """

    def __init__(self, app: ASGIApp, names: Collection[str], metrics: Metrics) -> None:
        self.app = app
        self.names = names
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request for a known host. WebSockets are checked in `SocketApp`."""
        headers = Headers(scope=scope) if scope["type"] == "http" else None
        host = headers.get("host") if headers is not None else None
        if headers is None or host is None or host_allowed(host, self.names):
            await self.app(scope, receive, send)
            return
        self.metrics.refused.add("foreign-host")
        await unknown_host(headers, host)(scope, receive, send)


def unknown_host(headers: Headers, host: str) -> Response:
    """Return the response for people and programs that used an unknown host name."""
    if "text/html" not in headers.get("accept", ""):
        return problem(421, "foreign-host", headers, host=shown(host))
    text = locale.text("foreign-host", language(headers), host=shown(host))
    page = (
        f'<!doctype html><meta charset="utf-8"><title>Stichwerk</title><p>{html.escape(text)}</p>'
    )
    return Response(page, 421, {"Connection": "close"}, "text/html")


def language(headers: Headers) -> str:
    """Return the language that the browser asks for."""
    return "de" if headers.get("accept-language", "").lower().startswith("de") else "en"


def problem(status: int, error: str, headers: Headers, **data: object) -> Response:
    """Return a refusal. The rest of the body is not read, so the connection cannot be reused."""
    content = Problem(error=error, text=locale.text(error, language(headers), **data), data=data)
    return Response(
        msgspec.json.encode(content),
        status_code=status,
        headers={"Connection": "close"},
        media_type="application/json",
    )


class _BodyTooLargeError(Exception):
    """A body with more bytes than allowed."""


class _ClientGoneError(Exception):
    """The client disconnected while it was still sending."""


async def _read_body(receive: Receive, most: int) -> bytes:
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _ClientGoneError
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > most:
            raise _BodyTooLargeError
    return bytes(body)


def _replaying(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that first yields the body already read."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _covering(send: Send, added: dict[bytes, bytes], keeps: bytes | None) -> Send:
    """Return a `send` that replaces the app's headers with ours of the same name. Only the caching
    headers may be set by the app."""

    async def covered(message: Message) -> None:
        if message["type"] in _ANSWERS:
            own = [pair for pair in message.get("headers", ()) if pair[0].lower() not in added]
            if keeps and not any(name.lower() == _KEEPING for name, _ in own):
                own.append((_KEEPING, keeps))
            message = {**message, "headers": [*own, *added.items()]}
        await send(message)

    return covered


def _added(headers: Headers) -> dict[bytes, bytes]:
    host = headers.get("host")
    return {**ALWAYS, b"content-security-policy": policy(host.encode("latin-1") if host else None)}


def _keeps(path: str) -> bytes | None:
    """Return the default caching header for a path."""
    return b"no-store" if path == "/api" or path.startswith("/api/") else None


def _has_body(headers: Headers) -> bool:
    return "transfer-encoding" in headers or "content-length" in headers


def _declared_length(headers: Headers) -> int:
    """Return the announced length; the HTTP parser has already refused nonsense."""
    length = headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 19 else 0
