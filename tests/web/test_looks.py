"""Every moment of every game and every other page, in both languages and themes, at many sizes (at
all of them in `make test-long`): nothing overflows, is cut, covered or too small to hit, and axe
finds nothing."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from stichwerk import record
from stichwerk.games import registry
from stichwerk.lessons import GAMES as LESSONS
from tests.length import by_length
from tests.web.looks import LANGUAGES, Moments, Watch, watched
from tests.web.pages import SIZES, Site, open_table, person, pick
from tests.web.players import Player


@pytest.fixture
def browser(painting_browser: Browser) -> Browser:
    """A picture is kept of every page on which something is wrong."""
    return painting_browser


every_language = pytest.mark.parametrize("lang", LANGUAGES)
# Where many pages are opened: in German, whose words are longer, and in both when there is time.
longer_words = pytest.mark.parametrize("lang", by_length(("de",), LANGUAGES))

PLAY = {"turn", "raised", "held"}
ALL = PLAY | {"round", "end"}
WALKS: dict[str, tuple[str, int, dict[str, Any], set[str]]] = {
    "stichling, most seats": ("stichling", 5, {}, {*ALL, "order!"}),
    "null-nichtig, most cards": ("null-nichtig", 5, {"target": 1}, {*ALL, "lay", "lay!"}),
    "null-nichtig, most seats": ("null-nichtig", 6, {}, {"lay!", "raised"}),
    "sticheln, most of both": ("sticheln", 6, {"rounds": 1}, {*ALL, "pain", "pain!"}),
    "stichtag, most seats": (
        "stichtag",
        5,
        {"date": "02-24"},
        {*ALL, "sheet", "announce", "announce!", "pass", "pass!"},
    ),
    "stichtag, most cards": ("stichtag", 3, {"date": "12-07"}, {"gift", "veto!", "raised"}),
    "stichtag, discarding": ("stichtag", 4, {"date": "08-12"}, {"discard", "discard!", "raised"}),
}
"""A game, its seats and options, and the moments that are to be seen."""


MATCHES = 10
"""Enough that a gift or a veto comes up, and that one of five people hits an announcement."""


def wanted_in(walk: str, lang: str) -> set[str]:
    """Return all moments in German, whose words are longer. In English the end of a round and of a
    match are seen in one game: whole matches take time."""
    *_, wanted = WALKS[walk]
    whole = lang == "de" or walk.startswith("sticheln")
    return by_length(wanted if whole else wanted - {"round", "end"}, wanted)


def walks() -> list[tuple[str, str]]:
    """Return what is walked in which language: in English, one table of each game is enough."""
    games = {game: walk for walk, (game, *_) in reversed(WALKS.items())}
    english = by_length(list(games.values()), list(WALKS))
    return [*((walk, "de") for walk in WALKS), *((walk, "en") for walk in english)]


@pytest.mark.long
@pytest.mark.parametrize(("walk", "lang"), walks())
def test_each_state_of_a_table_looks_right(
    browser: Browser, site: Site, walk: str, lang: str
) -> None:
    game, seats, options, _ = WALKS[walk]
    wanted = wanted_in(walk, lang)
    with watched(browser, lang) as watch:
        moments = Moments(watch.page)
        for _ in range(MATCHES):
            open_table(watch.page, site.table(game, seats, options=options))
            for moment in moments.walk():
                if moment == "end":
                    unfold(watch.page)
                if moment == "round":  # Enter goes on
                    expect(watch.page.locator("dialog[open] button.primary")).to_be_focused()
                if moment in wanted:
                    watch.look(f"{walk}: {moment}")
                if wanted <= moments.seen:
                    return
        raise AssertionError(f"only {moments.seen} in {MATCHES} matches")


def unfold(page: Page, where: str = "main") -> None:
    """Open everything that can be opened."""
    closed = page.locator(f"{where} details:not([open]) > summary")
    while closed.count():
        closed.first.click()
    page.wait_for_load_state("networkidle")


@pytest.mark.long
@longer_words
def test_an_exact_announcement_looks_right(browser: Browser, site: Site, lang: str) -> None:
    """That is random, so a match in which someone did is continued from there."""
    with watched(browser, lang) as watch:
        player = Player(watch.page, "swift", seed=1)
        for _ in range(MATCHES):
            open_table(watch.page, site.table("stichtag", 5, options={"date": "02-24"}))
            player.play()
            kept = record.decode(site.get(f"/api/matches/{player.talk.match}"))
            moves = list(record.moves_of(kept))
            hits = [at for at, (_, move) in enumerate(moves) if move in ("take", "leave")]
            if hits:
                break
        request = {"name": "Ada", "seat": moves[hits[0]][0], "moves": hits[0], "level": "easy"}
        open_table(watch.page, site.post(f"/api/matches/{player.talk.match}/fork", request))
        watch.page.locator(".choice .ask button:not([aria-expanded])").first.wait_for()
        watch.look("take or leave")


@pytest.mark.long
@longer_words
def test_everything_that_opens_at_the_table(browser: Browser, site: Site, lang: str) -> None:
    with watched(browser, lang) as watch:
        page = watch.page
        player = Player(page, "swift")
        open_table(page, site.table("sticheln", 6))
        player.play_moves(3)
        player.look()
        dialog = page.locator("dialog[open]")
        for key in ("l", "?"):
            page.keyboard.press(key)
            dialog.wait_for()
            page.wait_for_load_state("networkidle")
            watch.look(f"key {key}")
            page.keyboard.press("Escape")
            dialog.wait_for(state="detached")
        page.keyboard.press("h")
        page.locator(".hints > *").first.wait_for()
        page.keyboard.press("t")
        page.locator(".typed input").wait_for()
        watch.look("hint and typed line")
        page.keyboard.press("Escape")
        page.set_viewport_size(SIZES["phone"])
        for at in range(3, 6):
            page.locator(".actions button").nth(at).click()
            dialog.wait_for()
            watch.look(f"action {at}")
            page.keyboard.press("Escape")
            dialog.wait_for(state="detached")
            page.set_viewport_size(SIZES["phone"])
        page.locator("header.bar .menu").click()
        parts = page.locator("dialog[open] .menu > button[aria-expanded]")
        for at in range(parts.count()):
            parts.nth(at).click()
            page.locator("dialog[open] .menu .part > *").first.wait_for()
            page.wait_for_load_state("networkidle")
            watch.look(f"menu {at}")
        page.locator("dialog[open] .menu > button.keys").click()
        page.locator("dialog[open] .menu").wait_for(state="detached")
        watch.look("keys")


@pytest.mark.long
@longer_words
def test_what_a_game_opens_at_its_table(browser: Browser, site: Site, lang: str) -> None:
    with watched(browser, lang) as watch:
        page = watch.page
        player = Player(page, "swift")
        dialog = page.locator("dialog[open]")
        open_table(page, site.table("null-nichtig", 6))
        player.play_moves(6)
        player.look()
        page.locator(".own button:enabled").first.click()
        dialog.wait_for()
        watch.look("own piles")
        open_table(page, site.table("stichtag", 4, options={"date": "02-24"}))
        player.play_moves(2)
        player.look()
        page.locator(".desk button").first.click()
        dialog.wait_for()
        watch.look("a sheet")


@every_language
def test_many_seats_on_a_phone_are_a_row_of_patches(
    browser: Browser, site: Site, lang: str
) -> None:
    with watched(browser, lang) as watch:
        page = watch.page
        player = Player(page, "swift")
        open_table(page, site.table("null-nichtig", 6))
        player.play_moves(2)
        player.look()
        page.set_viewport_size(SIZES["phone"])
        patches, plate = page.locator(".seats .chip"), page.locator(".seats .plate:visible")
        expect(patches).to_have_count(5)
        boxes = [box for one in patches.all() if (box := one.bounding_box())]
        assert all(box["y"] < boxes[0]["y"] + boxes[0]["height"] / 2 for box in boxes)
        expect(plate).to_have_count(0)
        for at in (0, 4):
            patches.nth(at).click()
            expect(plate).to_have_count(1)
            expect(patches.nth(at)).to_have_attribute("aria-expanded", "true")
        watch.look("the last patch is open")
        page.set_viewport_size(SIZES["phone"])
        expect(plate).to_have_count(1)  # the page takes a moment for its new size
        plate.locator("button").click()
        page.locator("dialog[open]").wait_for()
        page.keyboard.press("Escape")
        page.locator("dialog[open]").wait_for(state="detached")
        expect(plate).to_have_count(1)
        page.keyboard.press("Escape")
        expect(plate).to_have_count(0)


@every_language
def test_a_table_before_the_match(browser: Browser, site: Site, lang: str) -> None:
    made = site.table("stichtag", 5)
    with watched(browser, lang) as watch:
        open_table(watch.page, made)
        watch.page.locator("button.begin").wait_for()
        unfold(watch.page)
        watch.look("host")
        with watched(browser, lang) as other:
            other.page.goto(f"{site.url}/t/{made['table']}")
            other.page.locator("main input").first.wait_for()
            other.look("stranger")
            watch.page.locator("button.begin").click()
            other.page.locator(".table .seats").wait_for()
            other.look("spectator")


@every_language
def test_the_start_page_looks_right(browser: Browser, site: Site, lang: str) -> None:
    site.table("sticheln", 4, settings={"listed": True})
    with watched(browser, lang) as watch:
        page = watch.page
        for name in ("null-nichtig", "stichtag"):  # something to resume
            open_table(page, site.table(name, 4))
            page.locator("button.begin").wait_for()
        page.goto(site.url)
        page.locator("section[aria-labelledby=continue] a").first.wait_for()
        page.wait_for_load_state("networkidle")
        watch.look("start")
        friends = ".ways button:not(.primary)"
        for game, opens in (("stichling", ".setup"), ("stichtag", ".setup"), ("stichtag", friends)):
            page.locator(f"article[aria-labelledby=game-{game}]").locator(opens).click()
            page.locator("dialog[open]").wait_for()
            unfold(page, "dialog[open]")
            watch.look(f"{game}: {opens}")
            page.keyboard.press("Escape")
            page.locator("dialog[open]").wait_for(state="detached")


BESIDE = [
    "/calendar",
    "/stichtag/09-14",
    "/stichtag/02-30",
    "/settings",
    "/rules",
    "/nowhere",
    "/t/0000000000",
    *(f"/rules/{game}" for game in registry.GAMES),
    *(f"/learn/{game}" for game in LESSONS),
]


@pytest.mark.long
@longer_words
def test_pages_beside_the_table(browser: Browser, site: Site, lang: str) -> None:
    with watched(browser, lang, strict=False) as watch:
        for path in BESIDE:
            watch.page.goto(site.url + path)
            watch.page.locator("h1").first.wait_for()
            watch.page.wait_for_load_state("networkidle")
            watch.look(path)


@every_language
def test_the_table_without_a_connection_looks_right(
    browser: Browser, site: Site, lang: str
) -> None:
    with watched(browser, lang, strict=False, worker=True) as watch:
        page = watch.page
        player = Player(page, "swift")
        open_table(page, site.table("sticheln", 4))
        player.play_moves(2)
        player.look()
        page.context.set_offline(True)
        page.locator(".lost").wait_for()
        watch.look("lost")
        page.context.set_offline(False)
        page.route("**/api/**", lambda route: route.abort())
        page.goto(site.url)
        page.locator("#offline").wait_for()
        watch.look("offline")


def test_a_replay_looks_right(browser: Browser, site: Site) -> None:
    with person(browser) as page:
        player = Player(page, "swift")
        open_table(page, site.table("sticheln", 6, options={"rounds": 1}))
        player.play()
    for lang in LANGUAGES:
        with watched(browser, lang) as watch:
            look_at_replay(watch, f"{site.url}/replay/{player.talk.match}/12")


def look_at_replay(watch: Watch, address: str) -> None:
    page = watch.page
    page.goto(address)
    page.locator("main.replay").wait_for()
    watch.look("replay")
    page.locator("header [role=combobox]").click()
    page.locator("[role=listbox]").wait_for()
    watch.look("replay, list of views")
    page.keyboard.press("Escape")
    pick(page.locator("header [role=combobox]"), 1)
    page.locator("main.replay .mine").wait_for()
    unfold(page)
    page.locator("#verify button.primary").click()
    page.locator("#verify .checks li").first.wait_for()
    watch.look("replay as a seat saw it, everything open")
    page.locator(".foot button:not([aria-label], [role=combobox])").first.click()
    page.locator("dialog[open]").wait_for()
    watch.look("play on")
