"""What someone new meets: an introduction that bots wait for, tips, scores, a pace to choose."""

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.web.pages import PATIENCE, Site, begin, open_table, person, until
from tests.web.players import Player

INTRODUCTION = "dialog.walk[open]"

COVERED = """() => {
  const boxes = (where) =>
    [...document.querySelectorAll(where)].map((one) => one.getBoundingClientRect());
  const places = boxes('main .middle li.slot > :first-child');
  return boxes('.desk .leaf, main .centre .row > *').filter((a) => places.some((b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)).length;
}"""
"""How many parts of the calendar lie on the place of a card."""


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
@pytest.mark.parametrize(
    ("size", "sentences"),
    [("tablet", 0), ({"width": 1920, "height": 1080}, 3)],
    ids=["tablet", "wide"],
)
def test_sheets_show_their_sentences_where_there_is_room(
    browser: Browser, site: Site, size: str | ViewportSize, sentences: int
) -> None:
    """In German, and on a day of long ones."""
    with person(browser, lang="de", size=size, settings={"seen": ["day 07-27"]}) as page:
        open_table(page, site.table("stichtag", 5, options={"date": "07-27", "starter": 0}))
        page.locator("button.begin").click()
        shown = page.locator(".desk .leaf .short:visible")
        expect(page.locator(".desk .leaf")).to_have_count(3, timeout=PATIENCE)
        expect(shown).to_have_count(sentences, timeout=PATIENCE)
        until(page, lambda: page.evaluate(COVERED) == 0, "no card has to lie on the calendar")


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
