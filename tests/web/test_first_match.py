"""What someone new meets: an introduction that bots wait for, tips, scores, a pace to choose."""

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.pages import PATIENCE, Site, begin, open_table, person, until
from tests.web.players import Player

INTRODUCTION = "dialog.walk[open]"

ROOM = """() => {
  const middle = document.querySelector('main .middle .middle');
  const last = middle.querySelector('.words').getBoundingClientRect().bottom;
  return middle.getBoundingClientRect().bottom - last;
}"""
"""Pixels of the table's middle that nothing uses."""


def plays(player: Player) -> list[Any]:
    """Return the cards on the table, as the server has sent them."""
    return [play for trick in player.talk.view["tricks"] for play in trick["plays"]]


@pytest.mark.game("stichtag")
def test_bots_wait_until_the_introduction_is_closed(browser: Browser, site: Site) -> None:
    with person(browser) as page:
        player = Player(page, "swift")
        sent: list[str] = []
        page.on(
            "websocket",
            lambda socket: socket.on(
                "framesent", lambda text: sent.append(json.loads(text)["type"])
            ),
        )
        options = {"sheets": ["September"], "starter": 1}
        open_table(page, site.table("stichtag", 3, options=options))
        begin(page)
        page.locator(INTRODUCTION).wait_for()
        until(page, lambda: player.talk.is_at_rest, "everything has come")
        assert sent.index("wait-for-me") < sent.index("begin"), "not only by luck"
        assert plays(player) == []
        page.locator(INTRODUCTION).get_by_role("button", name="Let’s go").click()
        until(page, lambda: len(plays(player)) == 2, "now both bots play")


@pytest.mark.game("stichtag")
@pytest.mark.parametrize("size", ["phone", "tablet", "desktop"])
def test_sheets_show_their_sentences_where_there_is_room(
    browser: Browser, site: Site, size: str
) -> None:
    with person(browser, size=size, settings={"seen": ["day 11-15"]}) as page:
        open_table(page, site.table("stichtag", 3, options={"date": "11-15", "starter": 0}))
        begin(page)
        page.locator(".desk .leaf").first.wait_for()

        def fits() -> bool:
            sentences = page.locator(".desk .leaf .short:visible").count()
            return sentences == 3 or bool(page.evaluate(ROOM) < 200)

        until(page, fits, "there is not much room left, or the sentences are shown")


@pytest.mark.game("sticheln")
def test_a_newcomer_gets_tips_and_sees_the_score(browser: Browser, site: Site) -> None:
    with person(browser, settings={"coached": 0}) as page:
        player = Player(page, "swift", seed=3)
        page.goto(site.url)
        page.locator("article").filter(has_text="Sticheln").locator("button.primary").click()
        page.locator(".table .choice").or_(page.locator(".table .hand")).first.wait_for()
        expect(page.locator(".so-far").first).to_be_visible(timeout=PATIENCE)
        tip = page.get_by_role("note", name="Tip")
        while not tip.count():
            player.step(player.look())
        expect(tip).to_contain_text("tap it again")
        tip.get_by_role("button", name="Got it").click()
        while not tip.count():
            player.step(player.look())
        expect(tip).to_contain_text("full trick")
        tip.get_by_role("button", name="No tips").click()
        expect(tip).to_have_count(0)
        page.reload()
        page.locator(".table .hand").wait_for()
        player.play_moves(len(player.talk.moves) + 3)
        expect(tip).to_have_count(0)


def pace(page: Page, name: str) -> Any:
    """Return the choice of a pace, in the menu."""
    page.locator("header.bar .menu").click()
    return page.get_by_role("group", name="Speed of the bots").get_by_role("radio", name=name)


@pytest.mark.game("sticheln")
def test_the_speed_of_bots_is_chosen_at_the_table_and_remembered(
    browser: Browser, site: Site
) -> None:
    with person(browser) as page:
        page.goto(site.url)
        for chosen in ("normal", "slow"):
            page.locator("article").filter(has_text="Sticheln").locator("button.primary").click()
            page.locator(".table .choice").or_(page.locator(".table .hand")).first.wait_for()
            expect(pace(page, chosen)).to_be_checked()
            page.get_by_role("radio", name="slow").check()
            page.keyboard.press("Escape")
            page.reload()
            page.locator(".table .choice").or_(page.locator(".table .hand")).first.wait_for()
            expect(pace(page, "slow")).to_be_checked()
            page.goto(site.url)
