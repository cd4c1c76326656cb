"""The web client: its one page wherever one enters, and the files beside it."""

import mimetypes
import os
from collections.abc import Awaitable
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from stichwerk import locale
from stichwerk.server.answers import language

STATIC = Path(__file__).parent.parent / "web" / "static"
ENTRANCES = (
    *("/", "/t/{table}", "/stichtag", "/stichtag/{date}", "/calendar"),
    *("/replay/{match}", "/replay/{match}/{play}", "/rules", "/rules/{game}", "/learn/{game}"),
    *("/settings", "/offline"),
)
"""The client's own addresses: all lead to the same page, which looks where it is."""

HASHED = "assets"  # the folder whose files have other names when they change
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
TYPES = {  # not left to the machine we run on: some know other types, or none
    ".css": "text/css",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript",
    ".ogg": "audio/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
for _ending, _type in TYPES.items():
    mimetypes.add_type(_type, _ending)

PAGE = """<!doctype html>
<html lang="{lang}"><meta charset="utf-8"><title>Stichwerk</title>
<h1>Stichwerk</h1><p>{text}</p><p><a href="/openapi.json">/openapi.json</a></p></html>
"""
SQUEEZE_FROM = 1000  # bytes
SQUEEZE_LEVEL = 6


class Files(StaticFiles):
    """The files of the client. What is not there is nowhere, whatever one wants to do with it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, check_dir=False)
        self.folder = folder

    async def check_config(self) -> None:
        """A client that is not there is nothing wrong."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or 304, or an HTTPException."""
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(404)
        try:
            answer = await super().get_response(path, scope)
        except ValueError:  # no name that a file could have
            raise HTTPException(404) from None
        except HTTPException as error:
            if error.status_code == 404 and (lost := self.for_the_lost(scope)):
                return lost
            raise
        hashed = path.startswith(HASHED + os.sep)
        answer.headers["cache-control"] = FOR_EVER if hashed else ASK_AGAIN
        return answer

    def for_the_lost(self, scope: Scope) -> Response | None:
        """A person who went astray gets the page, which says so and knows the way home."""
        index = self.folder / "index.html"
        wants_page = "text/html" in Headers(scope=scope).get("accept", "")
        if not wants_page or scope["path"].startswith("/api/") or not index.is_file():
            return None
        return HTMLResponse(index.read_bytes(), 404, {"cache-control": ASK_AGAIN})


class Pages:
    """Everything that is for browsers and not part of the API."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or STATIC
        self.files = Files(self.folder)

    def routes(self) -> list[BaseRoute]:
        """The page, wherever one enters."""
        return [Route(path, self.page) for path in ENTRANCES]

    def before(self, nowhere: ASGIApp) -> ASGIApp:
        """What no route answers may be a file; otherwise it is nowhere."""

        def way(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
            return (self.files if scope["type"] == "http" else nowhere)(scope, receive, send)

        return way

    async def page(self, request: Request) -> Response:
        """The client; without one, a word to those who expect it."""
        if (self.folder / "index.html").is_file():
            return await self.files.get_response("index.html", request.scope)
        lang = language(request)
        return HTMLResponse(PAGE.format(lang=lang, text=locale.text("no-client", lang)))


def squeezed(app: ASGIApp) -> ASGIApp:
    """An app whose answers to questions are compressed, for who can read that.

    Not the answers to anything else: they may hold a token, and none of our own should ever stand
    in one compressed text with a stranger's. Parts of files stay as they are, too.
    """
    small = GZipMiddleware(app, minimum_size=SQUEEZE_FROM, compresslevel=SQUEEZE_LEVEL)

    def way(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        is_question = scope["type"] == "http" and scope["method"] == "GET"
        whole = is_question and not any(name == b"range" for name, _ in scope["headers"])
        return (small if whole else app)(scope, receive, send)

    return way
