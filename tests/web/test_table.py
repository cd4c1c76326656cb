"""What a table has besides cards: reasons, hint, last trick, log, score sheet, clock."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.pages import PATIENCE, Site, open_table, person, until
from tests.web.players import Player
from tests.web.table import hand_of, log_lines


@pytest.fixture
def player(browser: Browser, site: Site) -> Iterator[Player]:
    """Someone in the second trick of a match of two rounds, on their turn."""
    with person(browser) as page:
        player = Player(page, "swift", seed=6)
        open_table(page, site.table("sticheln", 3, options={"rounds": 2}))
        player.play_moves(3)
        player.look()
        player.way = "click"
        yield player


def events(player: Player, kind: str) -> list[dict[str, Any]]:
    """Return all events of this kind that the page has received."""
    messages = [json.loads(text) for text in player.talk.received]
    steps = [step for message in messages for step in message.get("steps", [])]
    return [event for step in steps for event in step["events"] if event["kind"] == kind]


def test_a_hint_can_be_played(player: Player) -> None:
    page = player.page
    page.get_by_role("toolbar").get_by_role("button", name="Hint").click()
    box = page.locator("section.hint")
    expect(box).to_contain_text("Hint:", timeout=PATIENCE)
    hinted = page.locator(".hand .hinted [data-card]").get_attribute("data-card")
    box.get_by_role("button", name="Play it").click()
    until(page, lambda: player.talk.moves[-1] == hinted, "the hint is played")
    until(page, lambda: f"You play {hinted}." in log_lines(page), "and the log tells it")
    assert "You asked for a hint." in log_lines(page)


def test_the_last_trick_and_the_tricks_of_the_log(player: Player) -> None:
    page = player.page
    last = events(player, "trick")[-1]
    cards = sorted(last["cards"])
    page.get_by_role("toolbar").get_by_role("button", name="Last trick").click()
    picture = page.locator("dialog[open] figure")
    expect(picture.locator("[data-card]")).to_have_count(3, timeout=PATIENCE)
    assert sorted(cards_of(page, "dialog[open] figure")) == cards
    name = "You" if last["seat"] == 0 else player.talk.view["names"][last["seat"]]
    expect(picture.locator("figcaption")).to_have_text(f"{name} took it.")
    page.keyboard.press("Escape")
    picture.wait_for(state="detached")
    line = page.locator("aside .log button").filter(has_text=re.compile("takes? the trick")).last
    line.hover()
    expect(page.locator("aside .log .picture [data-card]")).to_have_count(3, timeout=PATIENCE)
    assert sorted(cards_of(page, "aside .log .picture")) == cards


def cards_of(page: Page, where: str) -> list[str]:
    """Return the cards at this place."""
    found: list[str] = page.eval_on_selector_all(
        f"{where} [data-card]", "all => all.map(one => one.dataset.card)"
    )
    return found


def test_the_score_sheet_explains_points(player: Player) -> None:
    page = player.page
    sheet = page.locator("aside .scores")
    expect(sheet).to_contain_text("The first round is still going on.")
    player.way = "swift"
    while not (state := player.look())["dialog"]:
        player.step(state)
    dialog = page.locator("dialog[open]")
    expect(dialog.locator(".tallies > li")).to_have_count(3)
    expect(dialog.locator(".tallies > li").first.locator("ul li").first).to_be_visible(
        timeout=PATIENCE
    )
    scores = events(player, "scored")[0]["scores"]
    for seat in dialog.locator(".tallies > li").all():
        items = [points(text) for text in seat.locator("ul .points").all_inner_texts()]
        total = points(seat.locator("h3 .points").inner_text())
        assert sum(items) == total, "the parts make up the whole"
    assert points_at(page, "aside .standings .delta") == scores
    dialog.get_by_role("button", name="Next").click()
    dialog.wait_for(state="detached")
    assert points_at(page, "aside .standings .total") == scores
    sheet.locator("summary").click()
    assert points_at(page, "aside .scores tbody tr:first-child td") == scores
    assert points_at(page, "aside .scores tfoot td") == scores


def points_at(page: Page, where: str) -> list[int]:
    """Return the points that are written at these places."""
    return [points(text) for text in page.locator(where).all_inner_texts()]


def points(text: str) -> int:
    """Points as they are written."""
    return int(text.replace("−", "-").replace("+", "").replace("±", ""))


def test_escape_leads_from_the_typed_line_to_the_hand(player: Player) -> None:
    page = player.page
    page.keyboard.press("t")
    expect(page.get_by_role("combobox", name="Type a move")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".typed")).to_have_count(0)
    expect(page.locator(".hand [tabindex='0']")).to_be_focused()


def test_a_card_may_be_typed_in_words(player: Player) -> None:
    page = player.page
    names = {"R": "Rot", "Y": "gelb", "G": "grün", "B": "blau", "L": "lila"}
    card = page.locator(".hand .legal [data-card]").first.get_attribute("data-card") or ""
    page.keyboard.press("t")
    page.keyboard.type(f"{names[card[0]]} {card[1:]}")
    page.keyboard.press("Enter")
    until(page, lambda: player.talk.moves[-1] == card, "the card is played")


def test_a_card_that_cannot_be_played_says_why(browser: Browser, site: Site) -> None:
    with person(browser, settings={"seen": ["day September"]}) as page:
        player = Player(page, "swift", seed=2)
        open_table(page, site.table("stichtag", 3, options={"sheets": ["September"]}))
        illegal = page.locator(".hand button.illegal")
        while (state := player.look())["dialog"] or not illegal.count():
            player.step(state)
        sent = len(player.talk.moves)
        hand = hand_of(page)
        illegal.first.click()
        expect(page.locator(".status .bad")).to_have_text(re.compile(r"\w+ \w+ \w+"))
        assert hand_of(page) == hand
        assert len(player.talk.moves) == sent


CLOCK = """() => {
  globalThis.clock = [];
  setInterval(() => {
    const shown = document.querySelector('.status .clock');
    if (shown) globalThis.clock.push(Number(shown.innerText));
  }, 100);
}"""


def test_the_clock_runs_and_then_a_bot_plays(browser: Browser, site: Site) -> None:
    with person(browser) as page:
        player = Player(page, "swift", seed=2)
        made = site.table("sticheln", 3, options={"rounds": 1}, settings={"clock": 5})
        open_table(page, made)
        player.step(player.look())
        page.locator(".status .clock").wait_for()
        page.evaluate(CLOCK)
        hand = hand_of(page)
        line = "You ran out of time: a bot made the move."
        until(page, lambda: line in log_lines(page), "a bot plays when the time is up")
        assert player.talk.moves == [], "nobody has played in the page"
        seconds = page.evaluate("globalThis.clock")
        assert min(seconds) < max(seconds) <= 5, "it runs"
        until(page, lambda: len(hand_of(page)) == len(hand) - 1, "the card has left the hand")


def order_of(page: Page) -> list[str]:
    """Return the scoring cards in order."""
    found: list[str] = page.eval_on_selector_all(
        ".choice [data-value]", "all => all.map(one => one.dataset.value)"
    )
    return found


def test_the_scoring_cards_are_ordered_by_keys_and_by_dragging(
    browser: Browser, site: Site
) -> None:
    with person(browser) as page:
        player = Player(page, "swift", seed=2)
        open_table(page, site.table("stichling", 4))
        player.step(player.look())
        player.look()
        one, two, three = order_of(page)
        page.locator(f".choice [data-value='{one}']").focus()
        page.keyboard.press("ArrowRight")
        until(page, lambda: order_of(page) == [two, one, three], "an arrow moves it")
        expect(page.locator(f".choice [data-value='{one}']")).to_be_focused()
        left, right = (
            page.locator(f".choice [data-value='{value}']").bounding_box() for value in (one, three)
        )
        assert left is not None
        assert right is not None
        page.mouse.move(right["x"] + right["width"] / 2, right["y"] + right["height"] / 2)
        page.mouse.down()
        page.mouse.move(left["x"] + left["width"] / 2, left["y"] + left["height"] / 2, steps=8)
        page.mouse.up()
        until(page, lambda: order_of(page) == [two, three, one], "dragging moves it")
        page.locator(".choice button.primary").click()
        until(page, lambda: player.talk.moves == [f"{two},{three},{one}"], "so it is laid")
