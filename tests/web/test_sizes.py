"""That nothing is wrong at any size (`test_looks.py`) means something: faults are found."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.looks import WIDE, measured_now, next_frame, watched
from tests.web.pages import SIZES, Site, open_table
from tests.web.players import Player

FAULTS = {
    "overflow": (".table", "min-width: 364px"),
    "sticks out": ("header.bar h1", "width: 20px; white-space: nowrap"),
    "cut": ("header.bar p", "height: 4px; overflow: hidden"),
    "in pieces": (
        "[data-colour]",
        "display: inline; white-space: normal; overflow-wrap: anywhere; font-size: 99px",
    ),
    "own plate": ("main > .own > :last-child", "min-width: 500px; flex: none"),
    "small": (".actions button", "min-width: 0; width: 20px; flex: none; min-height: 20px"),
    "overlap": (".actions button:nth-child(2)", "margin-left: -30px"),
    "outside": (".actions button:first-child", "translate: -60px 0"),
    "covered": ("header.bar", "pointer-events: none"),
    "hand: of": (".hand button:nth-child(3)", "margin-left: -30px; z-index: 9"),
    "not in sight": (".bottom", "position: relative; top: 300px"),
    "hidden: div.plate": (".seats", "position: relative; top: -200px"),
    "hidden: div.status": ("header.bar", "position: absolute; inset: 0; z-index: 99"),
}
"""The expected finding, and the part of the table and the style that cause it."""


def plant(page: Page, where: str, style: str) -> None:
    """Plant a fault, until the next one."""
    page.evaluate(
        "rule => { document.querySelector('#planted')?.remove();"
        " const style = document.createElement('style'); style.id = 'planted';"
        " style.textContent = rule; document.head.append(style) }",
        f"{where} {{ {'; '.join(f'{one} !important' for one in style.split('; '))} }}",
    )
    next_frame(page)


PATCH_FAULTS = {
    "hidden: button.chip": (".seats", "position: relative; top: -200px"),
    "overlap: li.seat": (".seats .seat:nth-child(2)", "margin-left: -20px"),
    "small: button.chip": (".seats .chip", "min-height: 0; height: 40px"),
}
"""As above, where seats are only patches."""


@contextmanager
def faultless(browser: Browser, site: Site, seats: int) -> Iterator[Page]:
    """Open a small phone at a table where nothing is wrong."""
    with watched(browser, "en", size="small") as watch:
        player = Player(watch.page, "swift")
        open_table(watch.page, site.table("sticheln", seats))
        player.play_moves(1)
        player.look()
        assert watch.page.viewport_size == SIZES["small"]
        assert measured_now(watch.page) == []
        yield watch.page


@pytest.mark.parametrize(("seats", "faults"), [(4, FAULTS), (6, PATCH_FAULTS)])
def test_faults_are_found(
    browser: Browser, site: Site, seats: int, faults: dict[str, tuple[str, str]]
) -> None:
    with faultless(browser, site, seats) as page:
        for message, (where, style) in faults.items():
            plant(page, where, style)
            found = measured_now(page, settling=0.0)
            assert any(one.startswith(message) for one in found), (message, found)
        plant(page, ".actions button", "min-height: 30px; height: 30px; flex: none")
        assert any("not 44" in one for one in measured_now(page, settling=0.0))
        plant(page, ".nothing", "color: red")
        assert measured_now(page) == []


QUESTION_FAULTS = {
    "question: 3 seats are not shown": (".seats", "display: none"),
    "question: button.chip": (".seats", "position: relative; top: -200px"),
    "question: button.held": (".hand", "position: relative; top: 150px"),
    "px of it are out of sight": ("main > .middle", "max-height: 90px"),
}
"""As above, beside a question on a low screen."""


def test_faults_beside_a_question_are_found(browser: Browser, site: Site) -> None:
    with watched(browser, "en") as watch:
        page = watch.page
        open_table(page, site.table("sticheln", 4))
        Player(page, "swift").look()
        page.locator("button.begin").click()
        page.locator("main.urgent .choice").wait_for()
        page.set_viewport_size(WIDE["smallest"])
        expect(page.locator(".seats .chip")).to_have_count(3)
        assert measured_now(page) == []
        for message, (where, style) in QUESTION_FAULTS.items():
            plant(page, where, style)
            found = measured_now(page, settling=0.0)
            assert any(message in one for one in found), (message, found)
