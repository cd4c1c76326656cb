"""The page at its sizes: nothing overflows, nothing lies on another, everything can be hit."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from tests.web.pages import SIZES, Site, open_table, person
from tests.web.players import Player
from tests.web.test_axe import DAY
from tests.web.test_matches import SHORT

LARGEST = {"stichling": 5, "null-nichtig": 6, "sticheln": 6, "stichtag": 5}
WIDE: dict[str, ViewportSize] = {
    **SIZES,
    "phone on its side": {"width": 640, "height": 360},
    "desktop at 200 %": {"width": 640, "height": 400},
}
MEASURE = Path(__file__).with_name("measure.js").read_text()


def measure(page: Page, where: str) -> list[str]:
    """What is wrong at any of the sizes."""
    before = page.viewport_size
    found = []
    for size, viewport in WIDE.items():
        page.set_viewport_size(viewport)
        page.evaluate("() => new Promise((go) => requestAnimationFrame(() => setTimeout(go, 30)))")
        found += [f"{where}, {size}: {one}" for one in page.evaluate(MEASURE)]
    assert before is not None
    page.set_viewport_size(before)
    return found


@pytest.mark.parametrize("game", LARGEST)
@pytest.mark.parametrize("lang", ["de", "en"])
def test_every_moment_at_every_size(browser: Browser, site: Site, game: str, lang: str) -> None:
    options = DAY if game == "stichtag" else SHORT[game]
    made = site.table(game, LARGEST[game], options=options)
    found: list[str] = []
    with person(browser, lang=lang, settings={"hold": 0}) as page:
        player = Player(page, "swift")
        open_table(page, made)
        for scene in player.scenes():
            found += measure(page, f"{game} {lang}, {scene}")
            if scene == "round":
                break
    assert found == [], json.dumps(found, indent=1)


@pytest.mark.parametrize("lang", ["de", "en"])
def test_pages_beside_the_table_at_every_size(browser: Browser, site: Site, lang: str) -> None:
    made = site.table("stichtag", 5)
    paths = [
        "/",
        "/calendar",
        "/stichtag/09-14",
        "/settings",
        "/rules/stichling",
        "/learn/sticheln",
    ]
    found: list[str] = []
    with person(browser, lang=lang) as page:
        for path in [*(site.url + path for path in paths), made["personal"]]:
            page.goto(path)
            page.locator("h1").first.wait_for()
            page.wait_for_load_state("networkidle")
            found += measure(page, f"{path} {lang}")
    assert found == [], json.dumps(found, indent=1)
