"""Measure figures like Lighthouse's, on a slow phone: `python -m tools.page_bench [--json]`.

A phone's screen, with Chromium's processor slowed down four times. Without a graphics card that
slow processor paints everything, so the figures are a lower bound: real phones are faster.
"""

import json
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from stichwerk.games import registry
from tests.web.conftest import chromium, served
from tests.web.pages import Site, open_table, person
from tests.web.players import Player
from tools import page_size

SLOWER = 4
RUNS = 3
TAPS = 40
CARDS = 10  # of ours, while frames are counted
GOALS = {
    "first view": 1500.0,
    "input delay": 100.0,
    "slow frames": 2.0,
    "JS and CSS": page_size.MOST_KB,
}
SLOW_FRAMES = "over 20 ms, %"
WATCH = """
globalThis.measured = {paint: {}, largest: 0, events: []};
new PerformanceObserver((list) => list.getEntries().forEach((one) =>
  measured.paint[one.name] = one.startTime)).observe({type: 'paint', buffered: true});
new PerformanceObserver((list) => list.getEntries().forEach((one) =>
  measured.largest = one.startTime)).observe({type: 'largest-contentful-paint', buffered: true});
new PerformanceObserver((list) => list.getEntries().forEach((one) =>
  one.interactionId && measured.events.push([one.interactionId, one.duration])))
  .observe({type: 'event', durationThreshold: 16, buffered: true});
"""
FRAMES = """() => {
  globalThis.frames = [];
  let last = performance.now();
  const next = (now) => { frames.push(now - last); last = now; requestAnimationFrame(next); };
  requestAnimationFrame(next);
}"""
# A player inside the page: one that asks from outside would take a quarter of the slow processor.
PLAY = """(cards) => new Promise((done) => {
  const usable = (one) => !one.disabled && one.getAttribute('aria-disabled') !== 'true'
    && one.checkVisibility({visibilityProperty: true});
  const all = (selector, root = document) => [...root.querySelectorAll(selector)].filter(usable);
  const answers = (panel) => [...all('button.primary', panel), ...all('.hand button.legal'),
    ...all('button:not([data-value], [aria-expanded])', panel)]
    .filter((one) => one.getAttribute('aria-pressed') !== 'true');
  const next = () => {
    const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
    if (dialog) return all('button.primary, button.strong', dialog).at(-1);
    const panel = [...document.querySelectorAll('.middle .choice')].at(-1);
    return all('button.begin, button.go-on')[0]
      ?? all('button.choose, .targets button, .status button.primary')[0]
      ?? (panel ? answers(panel)[0] : all('.hand button.legal:not(.raised)')[0]);
  };
  let played = 0;
  const timer = setInterval(() => {
    const one = next();
    if (!one) return;
    if (one.matches('.choose, .status *')) played += 1;
    one.click();
    if (played < cards) return;
    clearInterval(timer);
    done();
  }, 100);
})"""
BARE = """<style>
  div { width: 70px; height: 100px; background: teal; animation: go 0.4s infinite alternate; }
  @keyframes go { to { transform: translate(200px, 300px); } }
</style><div></div><div></div><div></div><div></div>"""


@contextmanager
def phone(browser: Browser, **settings: Any) -> Iterator[Page]:
    """Open a slow phone with an empty cache."""
    options: dict[str, Any] = {
        "size": "phone",
        "has_touch": True,
        "is_mobile": True,
        "service_workers": "block",
    }
    with person(browser, settings=settings, strict=False, **options) as page:
        page.add_init_script(WATCH)
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        yield page


def running(site: Site, browser: Browser, game: str) -> Any:
    """Open a table where cards are in the hand and it is the person's turn."""
    made = site.table(game, 4)
    with person(browser, strict=False) as page:
        player = Player(page, "swift")
        open_table(page, made)
        player.play_moves(1)
        player.look()
    return made


def first_view(browser: Browser, address: str, there: str) -> dict[str, float]:
    """Return milliseconds until the first and the largest paint; the median of some runs."""
    firsts, largests = [], []
    for _ in range(RUNS):
        with phone(browser) as page:
            page.goto(address)
            page.locator(there).first.wait_for()
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(500)
            measured = page.evaluate("measured")
            firsts.append(measured["paint"]["first-contentful-paint"])
            largests.append(measured["largest"])
    return {"first paint": statistics.median(firsts), "largest paint": statistics.median(largests)}


def input_delay(browser: Browser, made: Any) -> dict[str, float]:
    """Return milliseconds from a tap on a card until it is painted raised, or lowered again."""
    with phone(browser, motion="on") as page:
        open_table(page, made)
        legal = page.locator(".hand button.legal")
        legal.first.wait_for()
        page.wait_for_timeout(1500)
        page.evaluate("measured.events.length = 0")
        count = legal.count()
        for tap in range(TAPS):
            legal.nth(tap % min(2, count)).tap(force=True)
            page.wait_for_timeout(60)
            if count == 1:
                page.keyboard.press("Escape")
        page.wait_for_timeout(500)
        events: list[tuple[int, float]] = page.evaluate("measured.events")
    longest: dict[int, float] = {}
    for event, duration in events:
        longest[event] = max(duration, longest.get(event, 0.0))
    delays = sorted(
        [*longest.values(), *[16.0] * (TAPS - len(longest))]
    )  # shorter ones are not reported
    return {"median": statistics.median(delays), "p98": delays[int(0.98 * (len(delays) - 1))]}


def frame_times(browser: Browser, site: Site, game: str) -> dict[str, float]:
    """Return milliseconds between frames while cards are dealt, played and collected."""
    with phone(browser, motion="on", hold=0.5) as page:
        open_table(page, site.table(game, 4))
        page.locator("button.begin").wait_for()
        page.evaluate(FRAMES)
        page.evaluate(PLAY, CARDS)
        return spread(page.evaluate("frames"))


def bare_frames(browser: Browser) -> dict[str, float]:
    """Return the same for a page with four moving boxes: the best this machine can do."""
    with phone(browser) as page:
        page.set_content(BARE)
        page.evaluate(FRAMES)
        page.wait_for_timeout(8000)
        return spread(page.evaluate("frames"))


def spread(times: list[float]) -> dict[str, float]:
    """Summarise how long frames took."""
    frames = sorted(times)
    return {
        "median": statistics.median(frames),
        "p95": frames[int(0.95 * len(frames))],
        SLOW_FRAMES: 100 * sum(one > 20 for one in frames) / len(frames),
    }


def sizes(browser: Browser, site: Site, made: Any) -> dict[str, float]:
    """Return kilobytes of code and styles that a table loads until it is at rest, compressed."""
    with phone(browser) as page:
        open_table(page, made)
        page.locator(".hand button").first.wait_for()
        page.wait_for_load_state("networkidle")
        names: list[str] = page.evaluate(
            "performance.getEntriesByType('resource').map((one) => one.name)"
        )
    files = {one for one in names if one.endswith((".js", ".css"))}
    return page_size.kilobytes({one: site.get(one.removeprefix(site.url)) for one in files})


def measure(browser: Browser, site: Site) -> dict[str, dict[str, float]]:
    """Measure everything."""
    figures = {"start page": first_view(browser, site.url, "article:visible")}
    figures["bare page: frames"] = bare_frames(browser)
    for game in registry.GAMES:
        made = running(site, browser, game)
        figures[f"{game}: table"] = first_view(browser, made["personal"], ".hand button")
        figures[f"{game}: tap to paint"] = input_delay(browser, made)
        figures[f"{game}: frames"] = frame_times(browser, site, game)
        figures[f"{game}: size, kB"] = sizes(browser, site, made)
    return figures


def goal_of(what: str, name: str) -> float | None:
    """Return the limit of a figure, if any."""
    if name == "largest paint":
        return GOALS["first view"]
    if "tap" in what and name == "p98":
        return GOALS["input delay"]
    if name == SLOW_FRAMES:  # the bare page shows what the machine can do
        return None if what.startswith("bare page") else GOALS["slow frames"]
    return GOALS["JS and CSS"] if name == "JS and CSS" else None


def main(*words: str) -> int:
    """Measure and report; return 1 if a goal is missed."""
    found, flags = chromium()
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), pace=0.0) as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=found, args=flags)
        figures = measure(browser, site)
        browser.close()
    missed = 0
    lines = []
    for what, values in figures.items():
        for name, value in values.items():
            goal = goal_of(what, name)
            met = "" if goal is None else "met" if value <= goal else "MISSED"
            missed += met == "MISSED"
            bound = "" if goal is None else f"≤ {goal:.0f}"
            lines.append(f"{what:<28} {name:<16} {value:8.1f}  {bound:<8} {met}")
    print(json.dumps(figures, indent=2) if "--json" in words else "\n".join(lines))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
