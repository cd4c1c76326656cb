"""axe-core finds nothing: in both languages and themes, in each game at each kind of moment."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.web.pages import Site, open_table, person
from tests.web.players import Player
from tests.web.test_matches import SHORT

AXE = (Path(__file__).parents[2] / "frontend/node_modules/axe-core/axe.min.js").read_text()
LANGUAGES = ("de", "en")
THEMES = ("light", "dark")
every_language = pytest.mark.parametrize("lang", LANGUAGES)
SEATS = {"stichling": 5, "null-nichtig": 4, "sticheln": 6, "stichtag": 5}
DAY = {"date": "07-14"}
"""A day with an announcement and with symbols."""


@contextmanager
def examined(browser: Browser, lang: str, **more: Any) -> Iterator[Page]:
    """A page that axe may be put into."""
    settings = {"hold": 0, **more.pop("settings", {})}
    with person(browser, lang=lang, settings=settings, bypass_csp=True, **more) as page:
        yield page


def examine(page: Page, where: str) -> None:
    """Neither light nor dark there is anything to find."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    for theme in THEMES:
        page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        found = page.evaluate(
            "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"
            ".map(one => [one.id, one.nodes.map(node => [node.html, node.failureSummary])])"
        )
        assert found == [], f"{where}, {theme}: {json.dumps(found, indent=1)[:3000]}"


@every_language
@pytest.mark.parametrize("game", SEATS)
def test_each_moment_of_each_game(browser: Browser, site: Site, game: str, lang: str) -> None:
    options = DAY if game == "stichtag" else SHORT[game]
    made = site.table(game, SEATS[game] if game != "stichling" else 2, options=options)
    with examined(browser, lang) as page:
        player = Player(page, "swift")
        open_table(page, made)
        wanted = {"choose", "turn", "raised", "held", "round", "end"}
        for scene in player.scenes():
            wanted.discard(scene)
            examine(page, f"{game}: {scene}")
        assert wanted == set()


@every_language
@pytest.mark.parametrize("game", SEATS)
def test_each_game_on_a_phone(browser: Browser, site: Site, game: str, lang: str) -> None:
    made = site.table(game, SEATS[game], options=DAY if game == "stichtag" else {})
    with examined(browser, lang, size="small") as page:
        player = Player(page, "swift")
        open_table(page, made)
        for scene in player.scenes():
            examine(page, f"{game}: {scene}")
            if scene == "held":
                break


@every_language
def test_everything_that_opens_at_the_table(browser: Browser, site: Site, lang: str) -> None:
    made = site.table("sticheln", 4)
    with examined(browser, lang, size="phone") as page:
        player = Player(page, "swift")
        open_table(page, made)
        player.play_moves(3)
        player.look()
        for key in ("l", "?", "h", "t"):
            page.keyboard.press(key)
            if key in "l?":
                page.locator("dialog[open]").wait_for()
                examine(page, f"key {key}")
                page.keyboard.press("Escape")
                page.locator("dialog[open]").wait_for(state="detached")
        examine(page, "hint and typed line")
        for at in range(4, 7):
            page.locator(".actions button").nth(at).click()
            page.locator("dialog[open]").wait_for()
            examine(page, f"action {at}")
            page.keyboard.press("Escape")
            page.locator("dialog[open]").wait_for(state="detached")
        page.locator("header.bar button").click()
        for at in range(page.locator("dialog[open] .menu > button[aria-expanded]").count()):
            page.locator("dialog[open] .menu > button[aria-expanded]").nth(at).click()
            page.locator("dialog[open] .menu .part").first.wait_for()
            examine(page, f"menu {at}")
        page.locator("dialog[open] .menu > button.keys").dispatch_event("click")
        page.locator("dialog[open] .menu").wait_for(state="detached")
        examine(page, "keys")


@every_language
def test_a_table_before_the_match(browser: Browser, site: Site, lang: str) -> None:
    made = site.table("stichtag", 4)
    with examined(browser, lang) as page:
        open_table(page, made)
        page.locator("button.begin").wait_for()
        for one in page.locator("main summary").all():
            one.click()
        examine(page, "host")
    with examined(browser, lang) as page:
        page.goto(f"{site.url}/t/{made['table']}")
        page.locator("main input").first.wait_for()
        examine(page, "stranger")


PAGES = ["/", "/calendar", "/stichtag/09-14", "/stichtag/02-30", "/settings"]


@every_language
@pytest.mark.parametrize("path", PAGES)
def test_pages_beside_the_table(browser: Browser, site: Site, path: str, lang: str) -> None:
    with examined(browser, lang) as page:
        page.goto(site.url + path)
        page.locator("h1").wait_for()
        page.wait_for_load_state("networkidle")
        examine(page, path)
        if path == "/":
            for one in page.locator("main article summary").all():
                one.click()
            examine(page, "options of the games")
            page.locator("main article .ways button:not(.primary)").first.click()
            page.locator("dialog[open]").wait_for()
            examine(page, "a table for friends")


@every_language
@pytest.mark.parametrize("game", SEATS)
def test_rules_and_lessons(browser: Browser, site: Site, game: str, lang: str) -> None:
    with examined(browser, lang) as page:
        for path in (f"/rules/{game}", f"/learn/{game}"):
            page.goto(site.url + path)
            page.locator("main h1, header h1").first.wait_for()
            page.wait_for_load_state("networkidle")
            examine(page, path)


@every_language
def test_a_replay(browser: Browser, site: Site, lang: str) -> None:
    made = site.table("sticheln", 3, options={"rounds": 1})
    with examined(browser, lang) as page:
        player = Player(page, "swift")
        open_table(page, made)
        player.play()
        closed = page.locator(".end details:not([open]) > summary")
        while closed.count():
            closed.first.click()
        page.wait_for_load_state("networkidle")
        examine(page, "end, all open")
        page.goto(f"{site.url}/replay/{player.talk.match}/12")
        page.locator("main.replay").wait_for()
        examine(page, "replay")
