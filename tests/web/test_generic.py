"""A game of one's own, without a component of its own: the plain table shows it, and it is played
to its end by clicking."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import served
from tests.web.pages import PATIENCE, Site, open_table, person
from tests.web.players import Player

OWN_GAME = Path(__file__).parents[2] / "docs/examples/own_game.py"


@pytest.fixture(scope="module")
def running_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that has the example game besides its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STICHWERK_TEST_GAME", str(OWN_GAME))
        with served(tmp_path_factory.mktemp("house"), pace=0.0) as site:
            yield site


def test_it_is_on_the_start_page(page: Page, running_server: Site) -> None:
    page.goto(running_server.url)
    article = page.locator("article").filter(has_text=re.compile("odd-even", re.I))
    expect(article).to_have_count(1, timeout=PATIENCE)
    expect(article).to_contain_text(re.compile(r"3\D+5"))
    article.locator("button.primary").click()
    page.locator(".table .hand button").first.wait_for()


@pytest.mark.parametrize(("size", "seats"), [("desktop", 5), ("small", 3)])
def test_it_is_played_to_its_end(
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
