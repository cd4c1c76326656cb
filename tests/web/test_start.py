"""From the start page to a table, alone or with friends, and back to where one was."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.pages import PATIENCE, Site, person, pick
from tests.web.players import Player


def test_two_clicks_lead_into_a_match(page: Page, site: Site) -> None:
    page.goto(site.url)  # the first click is on the link to here
    page.locator("article").filter(has_text="Sticheln").locator("button.primary").click()
    page.locator(".table .hand button").first.wait_for()
    assert re.search(r"/t/[\w-]+$", page.url)


def test_the_start_page_shows_games_and_levels(page: Page, site: Site) -> None:
    page.goto(site.url)
    games = page.locator("article")
    expect(games).to_have_count(4, timeout=PATIENCE)
    for game in games.all():
        assert game.locator("[data-card], svg").count(), "a picture of its cards"
        expect(game).to_contain_text(re.compile(r"\d\D+\d.*min", re.S))  # seats and length
        assert len(game.locator(".sentence").inner_text()) > 30
        game.locator(".setup").click()
        setup = page.locator("dialog[open]")
        setup.get_by_role("group", name="Players").or_(setup.locator("fieldset")).first.wait_for()
        assert setup.locator("p, .hint").count(), "options are explained"
        page.keyboard.press("Escape")
        setup.wait_for(state="detached")
    today = page.locator("section[aria-labelledby=today] li")
    expect(today).to_have_count(3)
    expect(today.locator(".band")).to_have_text(["goal", "tricks", "month"])
    for sheet in today.all():
        expect(sheet.locator("strong")).to_have_text(re.compile(r"\w+"), timeout=PATIENCE)
        expect(sheet.locator("p")).to_have_text(re.compile(r"\w+"))


def test_a_running_match_can_be_resumed(page: Page, site: Site) -> None:
    page.goto(site.url)
    page.locator("article").filter(has_text="Stichtag").locator("button.primary").click()
    page.locator(".table .hand button").first.wait_for()
    table = page.url
    page.goto(site.url)
    page.locator("section[aria-labelledby=continue] a").first.click()
    page.locator(".table .hand button").first.wait_for()
    assert page.url == table


def test_a_finished_match_can_be_seen_again(page: Page, site: Site) -> None:
    made = site.table("sticheln", 3, options={"rounds": 1})
    player = Player(page, "swift")
    page.goto(made["personal"])
    player.play()
    page.goto(site.url)
    page.locator("section[aria-labelledby=replays] a").first.click()
    page.locator("main.replay").wait_for()
    assert player.talk.match in page.url


def test_a_table_for_friends(browser: Browser, page: Page, site: Site) -> None:
    page.goto(site.url)
    article = page.locator("article").filter(has_text="Null & nichtig")
    article.get_by_role("button", name="With friends").click()
    dialog = page.locator("dialog[open]")
    dialog.get_by_label("Your name").fill("Ada")
    dialog.get_by_role("radio", name="4", exact=True).check()
    dialog.get_by_text("Settings of the table").click()
    dialog.locator("label").filter(has_text="Open table").click()
    dialog.get_by_role("button", name="Open the table").click()
    page.locator("button.begin").wait_for()
    field = page.get_by_label("Link for friends", exact=True)
    link = field.input_value()
    assert link == page.url
    picture = page.locator("section[aria-labelledby=gather-invite] img").first
    picture.wait_for()
    assert picture.evaluate("async (one) => { await one.decode(); return one.naturalWidth }") > 0
    pick(page.locator("main ul [role=combobox]").first, "easy")
    with person(browser, lang="de") as friend:
        friend.goto(site.url)
        friend.locator(f"main a[href='/t/{link.rsplit('/', 1)[1]}']").first.click()
        friend.locator("main form input").fill("Ben")
        friend.locator("main form button.primary").click()
        expect(page.locator("main")).to_contain_text("Ben", timeout=PATIENCE)
        page.locator("button.begin").click()
        for one in (page, friend):
            one.locator(".table .seats").wait_for()


@pytest.mark.parametrize("lang", ["de", "en"])
def test_a_day_has_an_address(browser: Browser, site: Site, lang: str) -> None:
    with person(browser, lang=lang) as page:
        page.goto(f"{site.url}/stichtag/09-14")
        page.locator("main section.play button.primary").wait_for()
        expect(page.locator("h1")).to_contain_text("14")
        page.locator("main section.play button.primary").click()
        page.locator(".table .desk button").first.wait_for()
        assert page.locator(".table .desk button").count() == 3


def test_every_page_is_reachable(page: Page, site: Site) -> None:
    page.goto(site.url)
    hrefs = page.eval_on_selector_all("a[href^='/']", "all => all.map(one => one.pathname)")
    for path in sorted(set(hrefs)):
        page.goto(site.url + path)
        page.locator("h1").first.wait_for()
        assert page.locator("main").count() == 1, path
        assert page.locator("h1").count() == 1, path
