"""German or English, at any time, and nothing is lost by it."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.language import must_speak, wrong
from tests.web.pages import PATIENCE, Site, open_table, person, until
from tests.web.players import Player
from tests.web.test_matches import SHORT

OTHER = {"de": "en", "en": "de"}


def switch(page: Page, lang: str) -> None:
    """Change the language in the menu, and close it."""
    page.locator("header.bar .menu").click()
    menu = page.locator("dialog[open] .menu")
    menu.locator(f"button[lang={lang}]").click()
    expect(page.locator("html")).to_have_attribute("lang", lang, timeout=PATIENCE)
    must_speak(page, lang, "the menu is")
    page.keyboard.press("Escape")
    menu.wait_for(state="detached")


@pytest.mark.parametrize("game", SHORT)
def test_every_word_changes_and_nothing_else(browser: Browser, site: Site, game: str) -> None:
    """In the choice before the first card, with a card raised, and after the match."""
    made = site.table(game, 4, options=SHORT[game])
    with person(browser) as page:
        player = Player(page, "swift", seed=8)
        open_table(page, made)
        lang = "en"
        for scene in player.scenes():
            must_speak(page, lang, f"{scene} is")
            if scene not in ("choose", "turn", "raised", "end"):
                continue
            cards = hand(page)
            lang = OTHER[lang]
            switch(page, lang)
            must_speak(page, lang, f"{scene} becomes")
            assert hand(page) == cards, "also which of them is raised"
            if scene == "raised":
                play_raised(player)
        assert wrong(page, OTHER[lang]), "the test can tell languages"


def hand(page: Page) -> list[list[str]]:
    """Return the person's cards, each with its state."""
    found: list[list[str]] = page.eval_on_selector_all(
        ".hand button",
        "all => all.map(one => [one.querySelector('[data-card]').dataset.card,"
        " ...['legal', 'illegal', 'raised'].filter(name => one.classList.contains(name))])",
    )
    return found


def play_raised(player: Player) -> None:
    """Play the card that was raised before, with one tap."""
    page = player.page
    card = page.locator(".hand button.raised [data-card]").get_attribute("data-card")
    moves = len(player.talk.moves)
    target = page.locator("button.choose, .targets button")
    (target.first if target.count() else page.locator(".hand button.raised")).click()
    until(page, lambda: len(player.talk.moves) > moves, "it is played")
    assert card is not None
    assert card in player.talk.moves[-1]


PAGES = ["/", "/settings", "/calendar", "/stichtag/09-14", "/rules/sticheln", "/learn/stichling"]


@pytest.mark.parametrize("path", PAGES)
def test_every_word_of_a_page_changes(page: Page, site: Site, path: str) -> None:
    page.goto(site.url + path)
    page.locator("h1").first.wait_for()
    must_speak(page, "en", path)
    page.locator("header button[lang=de]").first.click()
    expect(page.locator("html")).to_have_attribute("lang", "de", timeout=PATIENCE)
    must_speak(page, "de", path)
    page.reload()
    page.locator("h1").first.wait_for()
    must_speak(page, "de", f"{path} after a reload")
