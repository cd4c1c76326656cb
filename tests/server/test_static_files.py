"""The web client as it is served: its page, its files, their types, and how long they are kept."""

import gzip
from pathlib import Path

import httpx
import msgspec
import pytest
from starlette.responses import FileResponse, Response

from stichwerk.locale import text
from stichwerk.server.http import static_files
from tests.server.harness import GENEROUS, Quick, RunningServer, run, running_server

pytestmark = pytest.mark.slow  # with a real server

SCRIPT = b"export const x = 1;\n" * 200
FILES = {
    "index.html": b"<!doctype html><title>Stichwerk</title>",
    "sw.js": b"self.x = 1;",
    "manifest.webmanifest": b"{}",
    "icon.svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    "assets/index-0MEK9TLi.js": SCRIPT,
    "assets/index-0MEK9TLi.css": b"a{color:red}" * 200,
    "assets/font-abc.woff2": b"wOF2" * 500,
}
TYPES = {
    "index.html": "text/html; charset=utf-8",
    "sw.js": "text/javascript; charset=utf-8",
    "manifest.webmanifest": "application/manifest+json",
    "icon.svg": "image/svg+xml",
    "assets/index-0MEK9TLi.js": "text/javascript; charset=utf-8",
    "assets/index-0MEK9TLi.css": "text/css; charset=utf-8",
    "assets/font-abc.woff2": "font/woff2",
}


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a client."""
    folder = tmp_path / "static"
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    monkeypatch.setattr(static_files, "STATIC", folder)
    return folder


def asked(folder: Path, *paths: str, **headers: str) -> list[httpx.Response]:
    async def ask() -> list[httpx.Response]:
        async with (
            running_server(folder, pool=Quick()) as home,
            home.client(headers) as http,
        ):
            return [await http.get(path) for path in paths]

    return run(ask())


def test_every_page_address_serves_the_page(client: Path, tmp_path: Path) -> None:
    paths = [path.replace("{", "").replace("}", "") for path in static_files.PAGE_PATHS]
    assert "/replay/match/play" in paths
    for answer in asked(tmp_path, *paths, "/stichtag/02-30?x=1", "/t/abc#token"):
        assert (answer.status_code, answer.content) == (200, FILES["index.html"])
        assert answer.headers["cache-control"] == "no-cache"
        assert "script-src 'self'" in answer.headers["content-security-policy"]


def test_other_paths_are_404(client: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    paths = ("/t", "/t/", "/t/a/b", "/rules/a/b", "/replay", "/assets", "/assets/", "/x", "/%00")
    hostile = ("/..%2fsecret", "/assets/..%2f..%2fsecret", "//etc/passwd", "/" + "x" * 5000)
    for answer in asked(tmp_path, *paths, *hostile, "/api", "/api/", "/api/nothing"):
        assert answer.status_code == 404, answer.url
        assert answer.json()["error"] == "nothing-here"


def test_a_browser_on_an_unknown_path_gets_the_page(client: Path, tmp_path: Path) -> None:
    paths = ("/x", "/t", "/api/nothing")
    lost, also, program = asked(tmp_path, *paths, accept="text/html,application/xhtml+xml")
    for answer in (lost, also):
        assert (answer.status_code, answer.content) == (404, FILES["index.html"])
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert program.json()["error"] == "nothing-here"


def test_files_have_content_types_and_cache_times(client: Path, tmp_path: Path) -> None:
    for name, answer in zip(FILES, asked(tmp_path, *(f"/{name}" for name in FILES)), strict=True):
        assert answer.content == FILES[name]
        assert answer.headers["content-type"] == TYPES[name]
        hashed = name.startswith("assets/")
        kept = "public, max-age=31536000, immutable" if hashed else "no-cache"
        assert answer.headers["cache-control"] == kept
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_cached_page_is_not_sent_again(client: Path, tmp_path: Path) -> None:
    async def ask(home: RunningServer) -> list[int]:
        async with home.client() as http:
            tags = [(await http.get(path)).headers["etag"] for path in ("/", "/sw.js")]
            known = [{"If-None-Match": tag} for tag in tags]
            answers = [
                await http.get("/settings", headers=known[0]),
                await http.get("/sw.js", headers=known[1]),
            ]
            (client / "index.html").write_bytes(b"<!doctype html><title>Newer</title> ")
            answers.append(await http.get("/settings", headers=known[0]))
            return [answer.status_code for answer in answers]

    async def opened() -> list[int]:
        async with running_server(tmp_path, pool=Quick()) as home:
            return await ask(home)

    assert run(opened()) == [304, 304, 200]


def test_large_responses_are_compressed_if_accepted(client: Path, tmp_path: Path) -> None:
    paths = ("/assets/index-0MEK9TLi.js", "/assets/font-abc.woff2", "/api/games", "/api/version")
    script, font, games, version = asked(tmp_path, *paths)
    assert script.headers["content-encoding"] == "gzip"
    assert int(script.headers.get("content-length", "0")) < len(SCRIPT) / 5
    assert "accept-encoding" in script.headers["vary"].lower()
    assert games.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in font.headers
    assert "content-encoding" not in version.headers
    plain, whole = asked(tmp_path, *paths[:2], **{"accept-encoding": "identity"})
    assert (plain.content, whole.content) == (SCRIPT, FILES["assets/font-abc.woff2"])
    assert "content-encoding" not in plain.headers
    assert gzip.compress(SCRIPT) != plain.content


def test_range_requests_return_the_range(client: Path, tmp_path: Path) -> None:
    (part,) = asked(tmp_path, "/assets/index-0MEK9TLi.js", range="bytes=0-9")
    assert (part.status_code, part.content) == (206, SCRIPT[:10])


def test_responses_with_a_token_are_never_compressed(tmp_path: Path) -> None:
    async def make() -> httpx.Response:
        async with running_server(tmp_path, pool=Quick()) as home:
            long = {"game": "sticheln", "name": "Ada", "options": {}}
            url = {"Host": f"localhost{'.a' * 120}.localhost"}
            async with home.client(url) as http:
                return await http.post("/api/tables", json=long)

    answer = run(make())
    assert answer.status_code == 201
    assert "content-encoding" not in answer.headers
    assert answer.headers["cache-control"] == "no-store"


def test_without_a_build_there_is_an_explanation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static_files, "STATIC", tmp_path / "nowhere")
    page, file = asked(tmp_path, "/calendar", "/sw.js", **{"accept-language": "de"})
    assert page.status_code == 200
    assert 'lang="de"' in page.text
    assert file.status_code == 404


def test_writing_to_files_is_refused(client: Path, tmp_path: Path) -> None:
    async def write() -> list[int]:
        async with running_server(tmp_path, pool=Quick()) as home:
            answers = [await home.post(path, {}) for path in ("/sw.js", "/nothing", "/api/nothing")]
            return [answer.status_code for answer in answers]

    assert run(write()) == [404, 404, 404]


def test_the_policy_lets_the_client_work() -> None:
    from stichwerk.server.network.headers import policy

    result = dict(part.split(" ", 1) for part in policy(b"cards.example").decode().split("; "))
    for name in ("script-src", "style-src", "font-src", "manifest-src", "worker-src", "media-src"):
        assert result[name] == "'self'"
    assert result["img-src"] == "'self' data:"
    assert result["connect-src"] == "'self' ws://cards.example wss://cards.example"
    assert result["default-src"] == "'none'"
    assert not any("unsafe" in value for value in result.values())


def test_files_have_their_own_limit(client: Path, tmp_path: Path) -> None:
    async def ask() -> tuple[list[int], list[int], str]:
        limits = msgspec.structs.replace(GENEROUS, files=3, file_seconds=30.0)
        async with (
            running_server(tmp_path, pool=Quick(), limits=limits) as home,
            home.client({"accept-language": "de"}) as http,
        ):
            paths = ("/sw.js", "/settings", "/nothing", "/sw.js", "/", "/nothing")
            first = [await http.get(path) for path in paths]
            api = [await http.get("/api/version") for _ in range(5)]
            home.clock.advance(10)
            later = [await http.get("/sw.js") for _ in range(2)]
            answers = [answer.status_code for answer in (*api, *later)]
            return [answer.status_code for answer in first], answers, first[3].json()["text"]

    first, later, result = run(ask())
    assert first == [200, 200, 404, 429, 429, 429]
    assert later == [200] * 5 + [200, 429]
    assert result == text("too-many-requests", "de")


def test_a_changed_file_is_reloaded(client: Path, tmp_path: Path) -> None:
    async def ask() -> list[bytes]:
        async with running_server(tmp_path, pool=Quick()) as home:
            first = await home.get("/assets/index-0MEK9TLi.js")
            again = await home.get("/assets/index-0MEK9TLi.js")
            (client / "assets" / "index-0MEK9TLi.js").write_bytes(b"export const x = 2;\n" * 199)
            return [first.content, again.content, (await home.get(first.url.path)).content]

    assert run(ask()) == [SCRIPT, SCRIPT, b"export const x = 2;\n" * 199]


def test_files_in_memory_are_bounded(client: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_files, "MOST_KEPT", 2)
    monkeypatch.setattr(static_files, "LARGEST_KEPT", 3000)
    files = static_files.ClientFiles(client)

    def asked(name: str, **headers: str) -> Response:
        raw = [(key.encode(), value.encode()) for key, value in headers.items()]
        scope = {"type": "http", "method": "GET", "headers": raw}
        path = client / name
        return files.file_response(path, path.stat(), scope)

    for name in FILES:
        asked(name)
    assert len(files._kept) == 2
    assert isinstance(asked("assets/index-0MEK9TLi.js"), FileResponse), "too large to keep"
    assert isinstance(asked("sw.js", range="bytes=0-1"), FileResponse)
