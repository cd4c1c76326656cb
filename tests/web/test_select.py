"""Lists of values that buttons open: by mouse, touch and keys, at the smallest sizes."""

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.web.looks import examined, measured_now, next_frame, watched
from tests.web.pages import Site

SMALLEST: dict[str, ViewportSize] = {
    "upright": {"width": 320, "height": 568},
    "on its side": {"width": 640, "height": 360},
}
FRIENDS = "article[aria-labelledby=game-stichtag] .ways button:not(.primary)"


def open_list(page: Page, field: Locator) -> Locator:
    """Open a list by its button."""
    field.click()
    expect(field).to_have_attribute("aria-expanded", "true")
    return page.get_by_role("listbox")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SMALLEST)
def test_a_list_is_in_the_window(browser: Browser, site: Site, size: str, theme: str) -> None:
    with watched(browser, "en", settings={"theme": theme}) as watch:
        page = watch.page
        page.goto(site.url)
        page.locator(FRIENDS).click()
        page.locator("dialog[open] summary").first.click()
        page.get_by_role("radio", name="No date: base rules only").check()
        page.set_viewport_size(SMALLEST[size])
        next_frame(page)
        for name, least in (("Game", 4), ("Sheet", 27)):
            found = open_list(page, page.get_by_role("combobox", name=name, exact=True))
            assert found.get_by_role("option").count() >= least
            assert measured_now(page) == []
            assert examined(page) == []
            page.keyboard.press("Escape")
            expect(found).to_have_count(0)


def test_keys_choose_and_give_up(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/stichtag/09-14")
    month = page.get_by_role("combobox", name="Month").first
    month.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Home")
    page.keyboard.press("Escape")
    expect(month).to_be_focused()
    expect(month).to_have_text("September")
    page.keyboard.type("de")
    page.keyboard.press("Enter")
    expect(month).to_have_text("December")
    expect(month).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Tab")
    expect(month).to_have_text("November")
    expect(month).not_to_be_focused()


def test_escape_closes_the_list_and_then_the_dialog(page: Page, site: Site) -> None:
    page.goto(site.url)
    page.locator(FRIENDS).click()
    game = page.get_by_role("combobox", name="Game")
    found = open_list(page, game)
    page.keyboard.press("Escape")
    expect(found).to_have_count(0)
    expect(game).to_be_focused()
    open_list(page, game)
    page.locator("dialog[open] h2").click()
    expect(found).to_have_count(0)
    page.keyboard.press("Escape")
    page.locator("dialog[open]").wait_for(state="detached")
