"""How tests use the site: its server, tables at it, and people's browsers in front of it."""

import json
import re
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    ViewportSize,
    WebSocket,
    expect,
)

from tests.web import fixed_random

PATIENCE = 60_000
"""Milliseconds that tests wait for a state: a busy machine is slow, not wrong."""

SIZES: dict[str, ViewportSize] = {
    "small": {"width": 360, "height": 640},
    "phone": {"width": 390, "height": 844},
    "tablet": {"width": 768, "height": 1024},
    "desktop": {"width": 1280, "height": 800},
}

QUICK: dict[str, Any] = {"motion": "off", "hold": 0.05, "seen": [], "coached": 3}
"""Nothing moves and no trick stays long, where a test is not about that."""


class Site:
    """A server that runs, and its address."""

    def __init__(self, process: "subprocess.Popen[str]", folder: Path) -> None:
        self.process = process
        self.folder = folder
        self.url = self._address()

    def _address(self) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = re.search(r"http://[\w.:\[\]]+", line)
            if found:
                return found[0].rstrip("/")
        raise AssertionError((self.folder / "errors.log").read_text())

    def __enter__(self) -> "Site":
        return self

    def __exit__(self, *error: object) -> None:
        """End it politely, and wait until it has gone."""
        self.process.terminate()
        self.process.communicate(timeout=60)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.url.rsplit(":", 1)[1])

    def post(self, path: str, body: object) -> Any:
        """Send JSON, get JSON."""
        headers = {"content-type": "application/json", "origin": self.url}
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def get(self, path: str) -> bytes:
        """Return the resource at an address of the server."""
        with urllib.request.urlopen(self.url + path, timeout=60) as answer:
            got: bytes = answer.read()
        return got

    def table(self, game: str, seats: int, **more: Any) -> Any:
        """Return a new table; `personal` of the answer is the host's link. Its bots are quick."""
        settings = {"level": "easy", **more.pop("settings", {})}
        body = {"game": game, "seats": seats, "name": "Ada", "settings": settings, **more}
        return self.post("/api/tables", body)


class Talk:
    """What a page and the server say to each other at a table."""

    def __init__(self, page: Page) -> None:
        self.received: list[str] = []
        self.match = ""
        """The match to which the last move belongs."""
        self.view: dict[str, Any] = {}
        """The last view that the server has sent."""
        self._made: dict[tuple[str, int], tuple[str, str]] = {}
        self._unasked = False
        self._unanswered: set[int] = set()
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        self._unanswered = set()
        socket.on("framesent", lambda text: self._on_sent(json.loads(text)))
        socket.on("framereceived", lambda text: self._on_received(str(text)))

    def _on_sent(self, message: dict[str, Any]) -> None:
        if message["type"] == "play":
            self.match = message["match"]
            phase = self.view.get("phase", "")
            self._made.setdefault((message["match"], message["ply"]), (phase, message["move"]))
        elif message["type"] == "look" and message["move"] is None:
            self._unasked = False
            self._unanswered.add(message["id"])

    def _on_received(self, text: str) -> None:
        self.received.append(text)
        message = json.loads(text)
        if message.get("view"):
            self.view = message["view"]
            self._unasked = True
        self._unanswered.discard(message.get("id", -1))

    @property
    def is_at_rest(self) -> bool:
        """Whether the server has sent all texts about its last update."""
        return not self._unasked and not self._unanswered

    @property
    def choices(self) -> list[tuple[str, str]]:
        """The moves that were sent, each once however often it was, with the phase before it."""
        return list(self._made.values())

    @property
    def moves(self) -> list[str]:
        """Only the moves."""
        return [move for _, move in self.choices]

    @property
    def matches(self) -> list[str]:
        """The matches in which moves were made, in this order."""
        return list(dict.fromkeys(match for match, _ in self._made))


OFFLINE = (
    r"net::ERR_INTERNET_DISCONNECTED: .*",
    r"error: WebSocket connection to '.*' failed: .*net::ERR_INTERNET_DISCONNECTED",
    r"error: Failed to load resource: net::ERR_INTERNET_DISCONNECTED",
)
"""What a browser says about a page that asks for something while it is offline."""

NO_SERVER = (
    r"error: WebSocket connection to '.*' failed: .*net::ERR_CONNECTION_(REFUSED|RESET|CLOSED)",
)
"""The same while its server is not there."""

NO_WORKER = "warning: Service Worker registration blocked by Playwright"


def complaints_of(page: Page) -> list[str]:
    """Collect everything that goes wrong in a page: its code, its policy, its network."""
    found: list[str] = []

    def console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            found.append(f"{message.type}: {message.text}")

    def failed(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # cancelled by a navigation
            found.append(f"{request.failure}: {request.url}")

    page.on("pageerror", lambda error: found.append(f"exception: {error}"))
    page.on("console", console)
    page.on("requestfailed", failed)
    return found


def like(context: BrowserContext, **settings: Any) -> None:
    """Settings of this browser, from its first page on; what was changed there stays."""
    text = json.dumps(json.dumps({**QUICK, **settings}))
    context.add_init_script(
        "try { if (!localStorage.getItem('stichwerk-settings'))"
        f" localStorage.setItem('stichwerk-settings', {text}) }} catch {{}}"
    )


@contextmanager
def person(
    browser: Browser,
    *,
    size: str | ViewportSize = "desktop",
    lang: str = "en",
    settings: dict[str, Any] | None = None,
    strict: bool = True,
    allowed: Sequence[str] = (),
    worker: bool = False,
    **context: Any,
) -> Iterator[Page]:
    """Open a person's browser: its page may not complain, except in one of the `allowed` ways.

    Not `strict`: for pictures and figures, where complaints are no matter. With its service
    `worker` where it matters: each one fetches and keeps everything that the page may need without
    a connection, which takes longer than a page.
    """
    viewport = SIZES[size] if isinstance(size, str) else size
    options = {"locale": "de-DE" if lang == "de" else "en-GB", "viewport": viewport, **context}
    options["service_workers"] = "allow" if worker else "block"
    allowed = (*allowed, *([] if worker else [NO_WORKER]))
    with browser.new_context(**options) as own:
        like(own, lang=lang, **(settings or {}))
        fixed_random.give_to(own)
        own.set_default_timeout(PATIENCE)
        own.set_default_navigation_timeout(PATIENCE)
        page = own.new_page()
        complaints = complaints_of(page)
        yield page
        wrong = [one for one in complaints if not any(re.fullmatch(way, one) for way in allowed)]
        assert not (strict and wrong), wrong


def until(page: Page, so: Callable[[], bool], what: str | Callable[[], str]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not so():
        if time.monotonic() > deadline:
            raise AssertionError(f"never: {what if isinstance(what, str) else what()}")
        page.wait_for_timeout(25)  # lets the page's events come in, too


def pick(field: Locator, value: object) -> None:
    """Pick a value from the list that a button opens."""
    field.click()
    field.page.locator(f"[role=option][data-value='{value}']").click()
    expect(field).to_have_attribute("data-value", str(value))


def open_table(page: Page, made: Any) -> None:
    """Come to a table as the person whom it was made for."""
    page.goto(made["personal"])


def begin(page: Page) -> None:
    """Let the host begin, and wait for the first cards."""
    page.locator("button.begin").click()
    page.locator(".table .hand").or_(page.locator(".table .choice")).first.wait_for()
