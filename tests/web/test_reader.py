"""For screen readers and keyboards: what is announced, what things are called, and where the focus
is."""

from itertools import combinations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web import greys
from tests.web.looks import next_frame
from tests.web.pages import SIZES, Site, open_table, person
from tests.web.players import Player
from tests.web.test_matches import SHORT

LISTEN = """() => {
  globalThis.announced = [];
  const region = document.querySelector('[aria-live=polite]');
  new MutationObserver(() => announced.push(region.textContent))
    .observe(region, {childList: true, characterData: true, subtree: true});
}"""


def test_the_live_region_announces_plays_and_turns(page: Page, site: Site) -> None:
    player = Player(page, "click", seed=2)
    open_table(page, site.table("sticheln", 3, options={"rounds": 1}))
    player.play_moves(1)
    page.evaluate(LISTEN)
    assert page.locator("[aria-live]").count() == 1
    player.play_moves(3)
    page.wait_for_function(
        "() => announced.some((one) =>"
        " /Your turn: you can play (one card|any of \\d+ cards)/.test(one))"
    )
    page.wait_for_function(
        "() => announced.some((one) => /(red|yellow|green|blue|lilac|grey) \\d+/.test(one))"
    )


@pytest.mark.parametrize("game", SHORT)
def test_roles_and_labels(page: Page, site: Site, game: str) -> None:
    player = Player(page, "swift", seed=2)
    open_table(page, site.table(game, 4))
    player.play_moves(2)
    player.look()
    assert page.get_by_role("main").count() == 1
    assert page.get_by_role("heading", level=1).count() == 1
    hand = page.get_by_role("group", name="Your cards")
    expect(hand).to_be_visible()
    for card in hand.get_by_role("button").all():
        assert card.get_attribute("aria-label")
    assert hand.locator("[tabindex='0']").count() == 1, "one stop of the tab key"
    assert page.get_by_role("list", name="Players").get_by_role("listitem").count() >= 3
    assert page.get_by_role("toolbar").count() == 1


def focus(page: Page) -> str:
    """Return what has the focus; empty when nothing has."""
    found: str = page.evaluate(
        "document.activeElement === document.body ? '' : document.activeElement.className + ' '"
        " + (document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText)"
    )
    return found.strip()


def test_the_focus_is_never_lost(browser: Browser, site: Site) -> None:
    with person(browser) as page:
        player = Player(page, "keys", seed=2)
        open_table(page, site.table("sticheln", 3, options={"rounds": 2}))
        player.play_moves(2)
        for _ in range(5):
            player.play_moves(1)
            player.look()
            page.wait_for_function("() => document.activeElement !== document.body")
            assert focus(page)
        page.locator(".hand button[tabindex='0']").focus()
        for key in ("l", "?"):
            before = focus(page)
            page.keyboard.press(key)
            page.locator("dialog[open]").wait_for()
            page.keyboard.press("Escape")
            page.locator("dialog[open]").wait_for(state="detached")
            assert focus(page) == before


def test_the_order_of_the_tab_key(page: Page, site: Site) -> None:
    player = Player(page, "swift", seed=2)
    open_table(page, site.table("sticheln", 3, options={"rounds": 1}))
    player.play_moves(2)
    player.look()
    page.locator("header.bar .menu").focus()
    order = [0]
    for _ in range(25):
        page.keyboard.press("Tab")
        order.append(
            page.evaluate(
                "['header.bar', '.hand', '.actions', '.side, #chat'].findIndex("
                "one => document.activeElement.closest(one))"
            )
        )
    known = [one for one in order if one >= 0]
    first = {one: known.index(one) for one in set(known)}
    assert first[0] < first[1] < first[2]


CLEARLY = 0.12
"""So much of the shapes of any two colours, laid upon each other, is only in one of them."""

SAME_SHAPE = """() => {
  const shape = document.querySelector('.hand .card svg.shape path').getAttribute('d');
  for (const path of document.querySelectorAll('.hand .card svg.shape path'))
    path.setAttribute('d', shape);
}"""


def shapes_in_grey(page: Page) -> dict[str, greys.Shape]:
    """Return each colour's shape in the hand, its cards upright, in a greyscale screenshot."""
    page.eval_on_selector_all(".hand .held", "all => all.forEach(one => one.style.rotate = 'none')")
    cards = page.locator(".hand .card[data-colour]")
    colours: list[str] = cards.evaluate_all("all => all.map(one => one.dataset.colour)")
    return {
        colour: greys.read(
            page.locator(f".hand .card[data-colour={colour}] svg.shape").last.screenshot()
        ).shape()
        for colour in dict.fromkeys(colours)
    }


def least_apart(shapes: dict[str, greys.Shape]) -> float:
    """Return the difference of the two most similar shapes."""
    return min(greys.unlike(shapes[one], shapes[two]) for one, two in combinations(shapes, 2))


@pytest.mark.parametrize("game", SHORT)
def test_all_colours_are_distinguishable_in_grey(
    painting_browser: Browser, site: Site, game: str
) -> None:
    """In the index of the card, which is all that shows of a fanned one."""
    with person(painting_browser, settings={"seen": ["day 07-14"]}, device_scale_factor=4) as page:
        player = Player(page, "swift", seed=2)
        options = {"date": "07-14"} if game == "stichtag" else {}
        open_table(page, site.table(game, 3, options=options))
        player.play_moves(1)
        player.look()
        for size in ("desktop", "small"):
            page.set_viewport_size(SIZES[size])
            next_frame(page)
            shapes = shapes_in_grey(page)
            assert len(shapes) >= 3
            assert least_apart(shapes) > CLEARLY, size
        page.evaluate(SAME_SHAPE)
        assert least_apart(shapes_in_grey(page)) < 0.1, "the measure is about shapes"
