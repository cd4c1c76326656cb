"""Checking the layout of a page at many sizes, and what axe says in both themes."""

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, WebSocket

from tests.length import by_length
from tests.web.pages import SIZES, person
from tests.web.players import MOST_SECONDS, Player

LANGUAGES = ("de", "en")
THEMES = ("light", "dark")
WIDE: dict[str, ViewportSize] = {
    **SIZES,
    "smallest": {"width": 320, "height": 568},
    "wide": {"width": 2560, "height": 1440},
    "phone on its side": {"width": 640, "height": 360},
    "long phone on its side": {"width": 844, "height": 390},
}
"""The four sizes, the smallest and the largest, and two with little height. A zoom of 200 % halves
the window's pixels: a desktop of 1280 by 720 is then as small as a phone on its side."""

NARROWEST_AND_USUAL = {name: SIZES[name] for name in ("small", "desktop")}

ALWAYS = ("smallest", "phone on its side", "desktop")
"""Measured at every look: most faults show there. Without time, the others take turns."""

MEASURE = Path(__file__).with_name("measure.js").read_text()
AXE = (Path(__file__).parents[2] / "frontend/node_modules/axe-core/axe.min.js").read_text()
PICTURES = Path(__file__).parents[2] / "build/looks"
"""Where a picture is kept of every page on which something is wrong."""

SETTLING = 3.0
"""Seconds that a page may take for a new size. What is wrong then, is wrong."""


class Watch:
    """Looks at one page again and again, and gathers what is wrong."""

    def __init__(self, page: Page, lang: str) -> None:
        self.page = page
        self.themes = THEMES if lang == "en" else THEMES[::-1]
        self.lang = lang
        self.found: list[str] = []
        self.seen: list[str] = []

    def look(self, where: str) -> None:
        """Measure it at its sizes, and let axe see it on a desktop and on a small phone; without
        time, on one of them by turns.

        In English the desktop is light and the phone dark, in German the other way round: all four
        pairs of language and theme, with few runs.
        """
        self.seen.append(where)
        sizes = self.sizes()
        pairs = list(zip(("desktop", "small"), self.themes, strict=True))
        theme_at = dict(by_length(pairs[len(self.seen) % 2 :][:1], pairs))
        at_all = [size for size in WIDE if size in sizes or size in theme_at]
        for size in sorted(at_all, key=("small", "desktop").count):  # these two at the end
            self.page.set_viewport_size(WIDE[size])
            found = wrong_at(self.page, size) if size in sizes else []
            if size in theme_at:
                found += self._axe(size, theme_at[size])
            self.found += [f"{self.lang}, {where}, {one}" for one in found]
        self.page.set_viewport_size(SIZES["desktop"])

    def sizes(self) -> dict[str, ViewportSize]:
        """Return the sizes of this look: more of them in German, whose words are longer."""
        if self.lang != "de":
            return NARROWEST_AND_USUAL
        others = [size for size in WIDE if size not in ALWAYS]
        in_turn = others[len(self.seen) % 2 :: 2]
        return {size: WIDE[size] for size in by_length((*ALWAYS, *in_turn), tuple(WIDE))}

    def _axe(self, size: str, theme: str) -> list[str]:
        next_frame(self.page)
        self.page.evaluate("one => document.documentElement.dataset.theme = one", theme)
        return [f"{size}, {theme}: axe: {one}" for one in examined(self.page)]

    def done(self) -> None:
        """Check that nothing was wrong anywhere."""
        assert self.found == [], json.dumps(list(dict.fromkeys(self.found)), indent=1)


@contextmanager
def watched(browser: Browser, lang: str, **more: Any) -> Iterator[Watch]:
    """A person's page that is looked at: axe may be put into it, finished tricks stay until
    dismissed."""
    settings = {"hold": 0, **more.pop("settings", {})}
    with person(browser, lang=lang, settings=settings, bypass_csp=True, **more) as page:
        watch = Watch(page, lang)
        yield watch
        watch.done()


def next_frame(page: Page) -> None:
    """Wait until everything that follows from a new size is laid out."""
    page.evaluate(
        "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
    )


def wrong_at(page: Page, size: str) -> list[str]:
    """Return what is wrong at the size of now, which has this name; keep a picture of it."""
    wrong = measured_now(page)
    if wrong:
        page.screenshot(path=PICTURES / f"{len(list(PICTURES.glob('*.png')))} {size}.png")
    return [f"{size}: {one}" for one in wrong]


def measured_now(page: Page, settling: float = SETTLING) -> list[str]:
    """Return what is wrong at the size of now, and stays wrong."""
    deadline = time.monotonic() + settling
    while True:
        next_frame(page)
        found: list[str] = page.evaluate(MEASURE)
        if not found or time.monotonic() > deadline:
            return found


def examined(page: Page) -> list[str]:
    """Return what axe finds in the page as it is."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found: list[str] = page.evaluate(
        "async () => (await axe.run(document, {resultTypes: ['violations'], preload: false}))"
        ".violations.flatMap("
        "(one) => one.nodes.map((node) => `${one.id}: ${node.html} ${node.failureSummary}`))"
    )
    return found


class Moments:
    """Plays a match and stops at each kind of moment that has not been seen yet."""

    def __init__(self, page: Page, seed: int = 0) -> None:
        self.player = Player(page, "swift", seed=seed)
        self.seen: set[str] = set()
        self._phase = ""
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: self._on_received(str(text)))

    def _on_received(self, text: str) -> None:
        found = re.findall(r'"phase":"([a-z-]+)"', text)
        self._phase = found[-1] if found else self._phase

    def walk(self) -> Iterator[str]:
        """To the end of a match, each kind of moment once, also if it is not the first match:
        `turn`, `raised`, `held`, `round`, `sheet`, `end`, and each question twice, as it is asked
        (`discard`) and as it can be confirmed (`discard!`)."""
        deadline = time.monotonic() + MOST_SECONDS
        self.player.forget()
        moment = ""
        while moment != "end":
            state = self.player.look()
            assert time.monotonic() < deadline, f"stuck: {state}"
            moment = self._moment(state)
            if moment and moment not in self.seen:
                self.seen.add(moment)
                yield moment
                self.player.forget()
                continue
            if not state["over"]:
                self.player.step(state)
            if moment == "held":
                self.player.forget()  # the next finished trick may offer just the same

    def _moment(self, state: dict[str, Any]) -> str:
        offers = state["offers"]
        kinds = {one["kind"] for one in offers}
        if state["over"]:
            return "end"
        if state["dialog"]:
            return "sheet" if state["walk"] else "round"
        if "go-on" in kinds:
            return "held"
        if state["asks"] and self._phase != "play":
            ready = any(one.get("primary") for one in offers)
            return f"{self._phase}!" if ready else self._phase
        raised = any(one["kind"] == "hand" and one["on"] == "true" for one in offers)
        return "raised" if raised else "turn" if "hand" in kinds else ""
