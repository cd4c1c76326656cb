"""Headers on every answer, and bodies that are too large or too slow."""

import asyncio
import json
from collections.abc import Iterable

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import Message, Scope
from starlette.websockets import WebSocket

from stichwerk.server.network.headers import SecurityMiddleware, policy
from stichwerk.server.network.limits import Limits
from tests.server.manual_clock import ManualClock

MOST = 100


async def echo(request: Request) -> Response:
    return Response(await request.body(), headers={"X-Content-Type-Options": "sniff", "X-Own": "1"})


async def broken(request: Request) -> Response:
    raise RuntimeError("broken")


async def never(websocket: WebSocket) -> None:
    await websocket.send_denial_response(PlainTextResponse("no", 403))


CLOCK = ManualClock()
APP = SecurityMiddleware(
    Starlette(
        routes=[
            Route("/api/echo", echo, methods=["GET", "POST"]),
            Route("/page", echo),
            Route("/api/broken", broken),
            WebSocketRoute("/socket", never),
        ]
    ),
    Limits(body_bytes=MOST),
    CLOCK,
)


class Answer:
    """What an app sent."""

    def __init__(self, messages: list[Message]) -> None:
        start = messages[0]
        self.status: int = start["status"]
        self.pairs: list[tuple[bytes, bytes]] = list(start["headers"])
        self.headers = {name.decode(): value.decode() for name, value in self.pairs}
        self.body = b"".join(message.get("body", b"") for message in messages[1:])


def ask(
    path: str,
    chunks: Iterable[bytes] = (),
    headers: dict[str, str] | None = None,
    *,
    kind: str = "http",
    end: str = "finished",
    sent: list[Message] | None = None,
) -> list[Message]:
    """Send a request in chunks; then it is finished, stalls for too long or the client is gone."""
    given = {"host": "cards.example.org:8420"} | (headers or {})
    scope: Scope = {
        "type": kind,
        "method": "POST" if chunks else "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [
            (name.lower().encode(), value.encode("latin-1")) for name, value in given.items()
        ],
        "extensions": {"websocket.http.response": {}},
        "subprotocols": [],
    }
    waiting: list[Message] = [
        {"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks
    ]
    if kind == "websocket":
        waiting = [{"type": "websocket.connect"}]
    elif end == "finished":
        waiting.append({"type": "http.request", "body": b"", "more_body": False})
    elif end == "gone":
        waiting.append({"type": "http.disconnect"})
    sent = [] if sent is None else sent

    async def receive() -> Message:
        if not waiting:
            CLOCK.advance(Limits().body_seconds)
            await asyncio.Event().wait()
        return waiting.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(asyncio.wait_for(APP(scope, receive, send), 60))
    return sent


def answer(path: str, chunks: Iterable[bytes] = (), **headers: str) -> Answer:
    return Answer(ask(path, chunks, {key.replace("_", "-"): text for key, text in headers.items()}))


@pytest.mark.parametrize("path", ["/page", "/api/echo", "/no-such-page"])
def test_every_response_has_security_headers(path: str) -> None:
    headers = answer(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert headers["content-security-policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self' ws://cards.example.org:8420 "
        "wss://cards.example.org:8420; manifest-src 'self'; media-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
    assert (headers.get("cache-control") == "no-store") == path.startswith("/api")


def test_headers_of_the_app_are_replaced_not_doubled() -> None:
    given = answer("/page")
    names = [name for name, _ in given.pairs]
    assert len(names) == len(set(names))
    assert given.headers["x-own"] == "1"


def test_an_app_error_has_security_headers() -> None:
    sent: list[Message] = []
    with pytest.raises(RuntimeError, match="broken"):  # raised again, for the log of the server
        ask("/api/broken", sent=sent)
    given = Answer(sent)
    assert given.status == 500
    assert given.headers["x-content-type-options"] == "nosniff"
    assert given.headers["cache-control"] == "no-store"


def test_a_refused_socket_has_security_headers() -> None:
    given = Answer(ask("/socket", kind="websocket"))
    assert given.status == 403
    assert given.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("host", [b"a b", b"a;script-src *", b"a\r\nX: y", b"", b"a'", b"\xff"])
def test_an_odd_host_does_not_get_into_the_policy(host: bytes) -> None:
    assert policy(host) == policy(None)


def test_a_body_arrives_whole() -> None:
    given = answer("/api/echo", [b"ab", b"", b"cd"], transfer_encoding="chunked")
    assert (given.status, given.body) == (200, b"abcd")
    exact = answer("/api/echo", [b"x" * MOST], content_length=str(MOST))
    assert (exact.status, len(exact.body)) == (200, MOST)


def test_a_declared_oversized_body_is_not_read() -> None:
    given = answer("/api/echo", [b"x"], content_length=str(MOST + 1))
    assert given.status == 413
    assert given.headers["connection"] == "close"
    assert given.headers["x-content-type-options"] == "nosniff"
    assert json.loads(given.body)["error"] == "body-too-large"


def test_an_oversized_chunked_body_is_refused() -> None:
    for headers in ({"transfer_encoding": "chunked"}, {"content_length": "1"}):
        given = answer("/api/echo", [b"x" * 60, b"x" * 60], **headers)
        assert given.status == 413
    endless = Answer(ask("/api/echo", [b"x"] * 1000, {"transfer-encoding": "chunked"}, end="stall"))
    assert endless.status == 413


def test_a_stalled_body_is_refused_in_the_requested_language() -> None:
    headers = {"content-length": "50", "accept-language": "de-DE,de;q=0.9"}
    given = Answer(ask("/api/echo", [b"x"], headers, end="stall"))
    assert given.status == 408
    assert "rechtzeitig" in json.loads(given.body)["text"]


def test_a_client_that_leaves_is_not_answered() -> None:
    assert ask("/api/echo", [b"x"], {"content-length": "50"}, end="gone") == []


def test_other_kinds_of_scope_pass() -> None:
    seen: list[str] = []

    async def app(scope: Scope, receive: object, send: object) -> None:
        seen.append(scope["type"])

    async def nothing(*_: object) -> Message:
        return {}

    asyncio.run(SecurityMiddleware(app)({"type": "lifespan"}, nothing, nothing))  # type: ignore[arg-type]
    assert seen == ["lifespan"]
