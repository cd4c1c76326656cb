"""German or English, at any time, and nothing is lost by it."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.pages import Site, open_table, person
from tests.web.players import Player
from tests.web.test_matches import SHORT

SAME = {"", "Stichling", "Sticheln", "Stichtag", "Null & nichtig", "Chat", "OK", "Name"}
"""What both languages call the same."""


def switch(page: Page) -> None:
    """Change the language in the menu, and close it."""
    page.locator("header.bar button").click()
    menu = page.locator("dialog[open] .menu")
    menu.locator("button[lang]").click()
    page.keyboard.press("Escape")
    menu.wait_for(state="detached")


def words(page: Page) -> list[str]:
    """What the buttons of the frame say."""
    found: list[str] = page.eval_on_selector_all(
        ".actions button, header.bar button",
        "all => all.map(one => one.getAttribute('aria-label'))",
    )
    return found


@pytest.mark.parametrize("game", SHORT)
def test_the_language_changes_and_the_raised_card_stays(
    browser: Browser, site: Site, game: str
) -> None:
    made = site.table(game, 4)
    with person(browser) as page:
        player = Player(page, "swift", seed=8)
        open_table(page, made)
        for scene in player.scenes():
            if scene == "raised":
                break
        raised = page.locator(".hand button.raised [data-card]").get_attribute("data-card")
        english = words(page)
        switch(page)
        expect(page.locator("html")).to_have_attribute("lang", "de")
        expect(page.locator(f".hand button.raised [data-card={raised}]")).to_have_count(1)
        for before, after in zip(english, words(page), strict=True):
            assert before in SAME or before != after, f"still {before}"
        switch(page)
        expect(page.locator("html")).to_have_attribute("lang", "en")
        expect(page.locator(f".hand button.raised [data-card={raised}]")).to_have_count(1)
        assert words(page) == english


@pytest.mark.parametrize("path", ["/", "/settings", "/calendar", "/rules/sticheln"])
def test_every_button_of_a_page_changes(page: Page, site: Site, path: str) -> None:
    page.goto(site.url + path)
    page.locator("h1").first.wait_for()
    page.wait_for_load_state("networkidle")
    heading = page.locator("h1").inner_text()
    page.locator("header .tools button[lang=de]").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    if path in ("/", "/settings"):
        expect(page.locator("h1")).not_to_have_text(heading)
    text = page.locator("main").inner_text()
    assert not re.search(r"\b(the|and|your|with|when)\b", text, re.I), "English is left"
