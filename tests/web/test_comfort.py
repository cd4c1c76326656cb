"""Every setting takes effect: hand, letters, taps, theme, motion, how long a trick stays,
sound, haptics, the whole screen."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.web.pages import PATIENCE, Site, open_table, person
from tests.web.players import Player

SENSES = """
globalThis.tones = 0;
globalThis.audio = null;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  tones += 1;
  audio = this.context;
  return start.apply(this, when);
};
globalThis.buzzes = [];
Navigator.prototype.vibrate = (pattern) => { buzzes.push(pattern); return true; };
"""
"""Counts what is heard and felt."""

MOVEMENTS = """
globalThis.flights = 0;
globalThis.moving = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  flights += 1;
  return animate.apply(this, how);
};
const watch = () => {
  moving += document.getAnimations().filter((one) =>
    one.playState === 'running' && one.effect.getComputedTiming().duration > 10).length;
  requestAnimationFrame(watch);
};
requestAnimationFrame(watch);
"""
"""Counts cards that fly, and everything that moves in any frame."""

LYING = """
globalThis.lay = 0;
globalThis.pauses = [];
const begin = globalThis.setTimeout;
globalThis.setTimeout = (task, pause, ...more) => {
  pauses.push(pause);
  return begin(task, pause, ...more);
};
let lies = false;
new MutationObserver(() => {
  const now = document.querySelector('.status .crown') !== null;
  if (lies && !now) lay += 1;
  lies = now;
}).observe(document, {childList: true, subtree: true});
"""
"""How many finished tricks lay there and went, and after how many milliseconds the page wants to go
on with something. Not how long they lay: a busy machine is late with everything."""


def at_table(page: Page, site: Site, **more: Any) -> Player:
    """Return a table of Sticheln at which a card is to be played."""
    player = Player(page, "swift", seed=4)
    open_table(page, site.table("sticheln", 3, options={"rounds": 1}, **more))
    player.play_moves(1)
    player.look()
    return player


def cards(page: Page) -> list[str]:
    """Return the cards of the hand, in order."""
    found: list[str] = page.eval_on_selector_all(
        ".hand [data-card]", "all => all.map(one => one.dataset.card)"
    )
    return found


def menu(page: Page, *, opens: str) -> Locator:
    """Return a part of the menu."""
    page.locator("header.bar .menu").click()
    page.locator("dialog[open] .menu").get_by_role("button", name=opens, exact=True).click()
    part = page.locator("dialog[open] .menu .part")
    part.locator("h2").first.wait_for()
    return part


def close(page: Page) -> None:
    page.keyboard.press("Escape")
    page.locator("dialog[open]").wait_for(state="detached")


def test_hand_settings_take_effect(page: Page, site: Site) -> None:
    at_table(page, site)
    before = cards(page)
    buttons = page.locator(".actions button:visible")
    first = buttons.first.bounding_box()
    settings = menu(page, opens="Settings")
    settings.get_by_role("switch", name="Left-handed").check()
    settings.get_by_role("switch", name="Letters on the cards").check()
    settings.get_by_role("switch", name="Play with one tap").check()
    close(page)
    assert cards(page) == before[::-1]
    mirrored = buttons.first.bounding_box()
    assert first is not None
    assert mirrored is not None
    assert mirrored["x"] > first["x"], "what was at one end is at the other"
    letters = page.eval_on_selector_all(
        ".hand .letter", "all => all.map(one => getComputedStyle(one, '::before').content)"
    )
    assert letters == [f'"{card[0]}"' for card in before[::-1]]
    legal = page.locator(".hand button.legal").first
    card = legal.locator("[data-card]").get_attribute("data-card")
    legal.click()
    expect(page.locator(f".hand [data-card={card}]")).to_have_count(0, timeout=PATIENCE)
    page.reload()
    page.locator(".hand .letter").first.wait_for()
    assert page.locator(".table.left").count(), "it is kept"


def test_light_or_dark(page: Page, site: Site) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto(f"{site.url}/settings")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.emulate_media(color_scheme="light")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    light = page.evaluate(ground)
    assert light != dark, "same as device"
    page.get_by_role("radio", name="dark").check()
    assert page.evaluate(ground) == dark
    page.reload()
    page.locator("h1").wait_for()
    assert page.evaluate(ground) == dark, "it is kept"
    page.emulate_media(color_scheme="dark")
    page.get_by_role("radio", name="light").check()
    assert page.evaluate(ground) == light
    page.get_by_role("group", name="Light or dark").get_by_role(
        "radio", name="same as device"
    ).check()
    assert page.evaluate(ground) == dark


@pytest.mark.parametrize("asked", ["by the setting", "by the device"])
def test_reduced_motion_stops_all_motion(browser: Browser, site: Site, asked: str) -> None:
    still = asked == "by the setting"
    motion = "off" if still else "auto"
    device = "no-preference" if still else "reduce"
    with person(browser, settings={"motion": motion}, reduced_motion=device) as page:
        page.add_init_script(MOVEMENTS)
        player = at_table(page, site)
        player.play_moves(4)
        player.look()
        assert page.evaluate("[flights, moving]") == [0, 0]


def test_cards_are_animated_by_default(browser: Browser, site: Site) -> None:
    with person(browser, settings={"motion": "auto"}) as page:
        page.add_init_script(MOVEMENTS)
        player = at_table(page, site)
        player.play_moves(2)
        player.look()
        page.wait_for_function("() => flights > 0 && moving > 0")
        settings = menu(page, opens="Settings")
        settings.get_by_role("group", name="Motion").get_by_role("radio", name="off").check()
        close(page)
        page.wait_for_function("() => document.getAnimations().length === 0")
        page.evaluate("flights = moving = 0")
        player.forget()
        player.play_moves(2)
        assert page.evaluate("[flights, moving]") == [0, 0]


@pytest.mark.parametrize("seconds", [0.9, 2])
def test_the_time_a_trick_stays_is_a_setting(browser: Browser, site: Site, seconds: float) -> None:
    with person(browser, settings={"hold": seconds}) as page:
        page.add_init_script(LYING)
        player = at_table(page, site)
        player.play_moves(1)  # with three at the table every trick has a card of ours
        page.wait_for_function("() => lay > 0")
        assert 1000 * seconds in page.evaluate("pauses")


def test_a_trick_stays_until_it_is_tapped(browser: Browser, site: Site) -> None:
    with person(browser, settings={"hold": 0}) as page:
        player = at_table(page, site)
        player.play(lambda: page.locator(".go-on").count() > 0)
        lying = page.locator(".middle [data-card]")
        before = lying.count()
        assert before == 3
        page.wait_for_timeout(700)
        assert lying.count() == before
        assert page.locator(".go-on").count() == 1
        page.locator("main > .middle").click(position={"x": 5, "y": 5})
        page.locator(".go-on").wait_for(state="detached")


@pytest.mark.parametrize("wanted", [True, False])
def test_sound_and_haptics(browser: Browser, site: Site, *, wanted: bool) -> None:
    with person(browser, settings={"sound": wanted, "haptics": wanted}) as page:
        page.add_init_script(SENSES)
        player = at_table(page, site)
        player.way = "click"
        player.play_moves(2)
        if wanted:
            page.wait_for_function("() => tones > 1 && buzzes.length > 1")
            page.wait_for_function("() => audio.state === 'running'")
            page.reload()  # and once more without a hand on the page so far
            player.forget()
            player.look()
            player.play_moves(1)
            page.wait_for_function("() => tones > 0 && audio.state === 'running'")
        else:
            expect(page.locator(".hand button")).to_have_count(12, timeout=PATIENCE)
            assert page.evaluate("[tones, buzzes.length, audio]") == [0, 0, None]


def test_the_whole_screen(page: Page, site: Site) -> None:
    at_table(page, site)
    assert page.evaluate("document.fullscreenEnabled")
    page.locator("header.bar .menu").click()
    page.get_by_role("button", name="Full screen").click()
    page.wait_for_function("() => document.fullscreenElement !== null")
    leave = page.get_by_role("button", name="Leave full screen")
    leave.click()
    page.wait_for_function("() => document.fullscreenElement === null")
