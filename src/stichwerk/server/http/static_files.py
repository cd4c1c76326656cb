"""The web client: its single page under all its addresses, and the files beside it."""

import gzip
import mimetypes
import os
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from stichwerk import locale
from stichwerk.server.http.responses import TooManyRequestsError, address, language, problem

STATIC = Path(__file__).parents[2] / "web" / "static"
PAGE_PATHS = (
    *("/", "/t/{table}", "/stichtag", "/stichtag/{date}", "/calendar"),
    *("/replay/{match}", "/replay/{match}/{play}", "/rules", "/rules/{game}", "/learn/{game}"),
    *("/settings", "/offline"),
)
"""The client's own paths: all lead to the same page, which looks at its address."""

HASHED = "assets"  # the folder whose files are renamed when they change
IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
TYPES = {  # not taken from the machine we run on: some know other types, or none
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
COMPRESS_FROM = 1000  # bytes
COMPRESSION_LEVEL = 6
ALREADY_COMPRESSED = (
    "audio/",
    "font/",
    "image/png",
    "image/webp",
)  # types that are compressed already
LARGEST_KEPT = 500_000  # bytes
MOST_KEPT = 400  # files in memory


class CachedFile:
    """A small file in memory, compressed once if that helps."""

    def __init__(self, path: str, stat: os.stat_result) -> None:
        self.version = (stat.st_mtime_ns, stat.st_size)
        response = FileResponse(path, stat_result=stat)
        self.type = response.media_type
        self.headers = {name: response.headers[name] for name in ("last-modified", "etag")}
        self.content = Path(path).read_bytes()
        self.squeezed: bytes | None = None
        if (
            not (self.type or "").startswith(ALREADY_COMPRESSED)
            and len(self.content) >= COMPRESS_FROM
        ):
            self.squeezed = gzip.compress(self.content, COMPRESSION_LEVEL)
            self.headers["vary"] = "Accept-Encoding"

    def answer(self, request_headers: Headers) -> Response:
        """Return the file in an encoding that the client accepts."""
        if self.squeezed is not None and "gzip" in request_headers.get("accept-encoding", ""):
            headers = {**self.headers, "content-encoding": "gzip"}
            return Response(self.squeezed, media_type=self.type, headers=headers)
        return Response(self.content, media_type=self.type, headers=self.headers)


class ClientFiles(StaticFiles):
    """The files of the client; 404 for a missing file, whatever the method.

    Small ones are cached in memory, so that a file costs the event loop a fraction of a
    millisecond.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, check_dir=False)
        self.folder = folder
        self._kept: OrderedDict[str, CachedFile] = OrderedDict()

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Return a file: from memory, unless it is large or only a part of it is requested."""
        headers = Headers(scope=scope)
        if stat_result.st_size > LARGEST_KEPT or "range" in headers or status_code != 200:
            return super().file_response(full_path, stat_result, scope, status_code)
        answer = self._in_memory(os.fspath(full_path), stat_result).answer(headers)
        if self.is_not_modified(answer.headers, headers):
            return NotModifiedResponse(answer.headers)
        return answer

    def _in_memory(self, path: str, stat: os.stat_result) -> CachedFile:
        kept = self._kept.get(path)
        if kept is None or kept.version != (stat.st_mtime_ns, stat.st_size):
            kept = self._kept[path] = CachedFile(path, stat)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(path)
        return kept

    async def check_config(self) -> None:
        """Accept a missing client."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file or 304, or raise an HTTPException."""
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(404)
        try:
            answer = await super().get_response(path, scope)
        except ValueError:  # not a possible file name
            raise HTTPException(404) from None
        except HTTPException as error:
            if error.status_code == 404 and (lost := self.not_found_page(scope)):
                return lost
            raise
        hashed = path.startswith(HASHED + os.sep)
        answer.headers["cache-control"] = IMMUTABLE if hashed else REVALIDATE
        return answer

    def not_found_page(self, scope: Scope) -> Response | None:
        """Return the page for a person on a wrong path; it says so and links to the start."""
        index = self.folder / "index.html"
        wants_page = "text/html" in Headers(scope=scope).get("accept", "")
        if not wants_page or scope["path"].startswith("/api/") or not index.is_file():
            return None
        return HTMLResponse(index.read_bytes(), 404, {"cache-control": REVALIDATE})


def always_allowed(address: str | None) -> bool:
    """Return True: no limit."""
    return True


def too_many(request: Request) -> Response:
    """Refuse to send another file."""
    return problem(TooManyRequestsError("too-many-requests"), language(request))


class WebClient:
    """Everything that is for browsers and not part of the API."""

    def __init__(
        self, folder: Path | None = None, may_have: Callable[[str | None], bool] = always_allowed
    ) -> None:
        self.folder = folder or STATIC
        self.files = ClientFiles(self.folder)
        self.may_have = may_have

    def routes(self) -> list[BaseRoute]:
        """Return the routes of the page."""
        return [Route(path, self.page) for path in PAGE_PATHS]

    def before(self, nowhere: ASGIApp) -> ASGIApp:
        """Return an app that looks for a file before it falls back to `nowhere`."""

        def way(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
            if scope["type"] != "http":
                return nowhere(scope, receive, send)
            request = Request(scope)
            if not self.may_have(address(request)):
                return too_many(request)(scope, receive, send)
            return self.files(scope, receive, send)

        return way

    async def page(self, request: Request) -> Response:
        """Return the client; without one, a short explanation."""
        if not self.may_have(address(request)):
            return too_many(request)
        if (self.folder / "index.html").is_file():
            return await self.files.get_response("index.html", request.scope)
        lang = language(request)
        return HTMLResponse(PAGE.format(lang=lang, text=locale.text("no-client", lang)))


def compressed(app: ASGIApp) -> ASGIApp:
    """Compress an app's responses to GET requests, for clients that accept it.

    Not the responses to other methods: they may contain a token, and a secret must never be
    compressed together with a stranger's text. Ranges of files stay uncompressed, too.
    """
    small = GZipMiddleware(app, minimum_size=COMPRESS_FROM, compresslevel=COMPRESSION_LEVEL)

    def way(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        is_question = scope["type"] == "http" and scope["method"] == "GET"
        whole = is_question and not any(name == b"range" for name, _ in scope["headers"])
        return (small if whole else app)(scope, receive, send)

    return way
