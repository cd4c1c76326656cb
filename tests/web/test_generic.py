"""A custom game without its own component: the generic table shows it, and it is played
to its end by clicking."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import served
from tests.web.pages import PATIENCE, Site, open_table, person
from tests.web.players import Player
from tests.web.test_lessons import Pupil

OWN_GAME = Path(__file__).parents[2] / "docs/examples/own_game.py"
HEARTS = Path(__file__).parents[2] / "examples/hearts/hearts.py"
HEARTS_LESSON = Path(__file__).parents[2] / "frontend/src/learn/fixtures/hearts.json"


@pytest.fixture(scope="module")
def running_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that has the example games besides its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STICHWERK_TEST_GAME", os.pathsep.join(map(str, (OWN_GAME, HEARTS))))
        with served(tmp_path_factory.mktemp("house"), pace=0.0) as site:
            yield site


def test_a_custom_game_is_on_the_start_page(page: Page, running_server: Site) -> None:
    page.goto(running_server.url)
    article = page.locator("article").filter(has_text=re.compile("odd-even", re.I))
    expect(article).to_have_count(1, timeout=PATIENCE)
    expect(article).to_contain_text(re.compile(r"3\D+5"))
    article.locator("button.primary").click()
    page.locator(".table .hand button").first.wait_for()


@pytest.mark.parametrize(("size", "seats"), [("desktop", 5), ("small", 3)])
def test_a_custom_game_is_played_to_its_end(
    browser: Browser, running_server: Site, size: str, seats: int
) -> None:
    made = running_server.table("odd-even", seats, options={"wanted": "even"})
    with person(browser, size=size) as page:
        player = Player(page, "click", seed=seats)
        open_table(page, made)
        player.play_moves(3)
        player.look()
        assert page.locator(".middle .trick, .middle .slots, .middle li").count()
        assert page.locator(".seats .seat").count() >= seats - 1
        hand = page.locator(".hand button")
        assert hand.count() == 5, "eight cards, three of which were played"
        player.play()
        page.locator(".end h2").first.wait_for()
        assert page.locator(".end table tbody tr").count() >= seats, "as many rounds as seats"
    assert len(player.talk.moves) == 8 * seats


# -- A game that brings texts, rules and a lesson --------------------------------------------------


def test_hearts_has_title_rules_and_lesson_on_the_start_page(
    page: Page, running_server: Site
) -> None:
    page.goto(running_server.url)
    article = page.locator("article").filter(has_text="Hearts")
    expect(article).to_contain_text("Take no red cards", timeout=PATIENCE)
    article.get_by_role("link", name="Rules").click()
    expect(page.locator("h1")).to_contain_text("Hearts", timeout=PATIENCE)
    expect(page.locator("#passing")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".example")).to_contain_text("Who takes the trick?", timeout=PATIENCE)


def test_the_lesson_of_hearts_is_played_to_its_end(browser: Browser, running_server: Site) -> None:
    with person(browser, lang="en") as page:
        page.goto(f"{running_server.url}/learn/hearts")
        script = json.loads(HEARTS_LESSON.read_text("utf-8"))["lesson"]
        pupil = Pupil(page, script, "click", "en")
        pupil.learn()
        assert pupil.moves == 4


def test_hearts_is_passed_and_played_by_clicking(browser: Browser, running_server: Site) -> None:
    with person(browser, lang="en") as page:
        player = Player(page, "click", seed=3)
        open_table(page, running_server.table("hearts", 4))
        player.play_moves(3)
        player.look()
        expect(page.locator(".bar h1")).to_have_text("Hearts")
        assert page.locator(".hand button").count() == 11, "three were passed, two played"
