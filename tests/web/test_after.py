"""After a match: hands, tricks, chart, replay, proof, review, playing on; rules and lessons."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from stichwerk import record
from tests.web.pages import PATIENCE, Site, open_table, person
from tests.web.players import Player


@pytest.fixture
def ended(browser: Browser, site: Site) -> Iterator[tuple[Page, str]]:
    """A page at the end of a short match, and that match."""
    with person(browser) as page:
        player = Player(page, "swift", seed=4)
        open_table(page, site.table("sticheln", 3, options={"rounds": 1}))
        player.play()
        yield page, player.talk.match


def opened(page: Page, title: str) -> None:
    """Open a fold of the page."""
    page.locator("summary").filter(has_text=title).click()


def test_all_hands_and_every_trick(ended: tuple[Page, str]) -> None:
    page, _ = ended
    opened(page, "All hands and every trick")
    page.locator(".tricks [data-card]").first.wait_for()
    assert page.locator(".tricks [data-card]").count() == 42, "15 each, without the pain cards"
    assert page.locator(".hands > li").count() >= 3


def test_scores_as_table_and_chart(ended: tuple[Page, str]) -> None:
    page, _ = ended
    assert page.locator(".end table").count()
    assert page.locator(".end svg [d], .end svg polyline").count()


def test_the_replay_goes_step_by_step(ended: tuple[Page, str], site: Site) -> None:
    page, match = ended
    page.get_by_role("link", name="Watch the replay").click()
    page.locator("main.replay").wait_for()
    for step in range(1, 6):
        page.get_by_role("button", name="One play forward").click()
        expect(page.locator("header .where")).to_contain_text(f"play {step}", timeout=PATIENCE)
    expect(page).to_have_url(re.compile(rf"/replay/{match}/5$"), timeout=PATIENCE)
    page.reload()
    expect(page.locator("header .where")).to_contain_text("play 5", timeout=PATIENCE)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("header .where")).to_contain_text("play 4", timeout=PATIENCE)
    open_cards = page.locator("main.replay .left [data-card]").count()
    page.locator("header select").select_option("1")
    page.wait_for_function(
        "open => document.querySelectorAll('main.replay .left [data-card]').length < open",
        arg=open_cards,
    )


def test_the_record_can_be_downloaded(ended: tuple[Page, str], site: Site) -> None:
    page, match = ended
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download record").click()
    told = waiting.value.path().read_bytes()
    record.verify(record.decode(told))
    assert json.loads(told) == json.loads(site.get(f"/api/matches/{match}"))


def test_the_deal_is_verified_in_the_browser(ended: tuple[Page, str]) -> None:
    page, _ = ended
    words = page.locator("ol.words li").all_inner_texts()
    assert len(words) == 6
    opened(page, "Verify the deal")
    page.get_by_role("button", name="Recompute it here").click()
    expect(page.locator("main")).to_contain_text("Everything holds", timeout=PATIENCE)
    told = page.locator("#verify").inner_text()
    assert all(word in told for word in words)


def test_a_review_tells_the_costliest_decisions(ended: tuple[Page, str]) -> None:
    page, _ = ended
    opened(page, "Review")
    page.get_by_role("button", name="Review the match").click()
    expect(page.locator("main")).to_contain_text(
        re.compile("Luck of the deal|Luck and skill"), timeout=4 * PATIENCE
    )


def test_one_can_play_on_from_any_point(ended: tuple[Page, str], site: Site) -> None:
    page, match = ended
    page.goto(f"{site.url}/replay/{match}/9")
    page.get_by_role("button", name="Play on from here").click()
    page.locator("dialog[open] button.primary").click()
    page.locator(".table .hand button").first.wait_for()
    player = Player(page, "swift")
    page.reload()
    player.play()
    assert player.talk.match != match


@pytest.mark.parametrize("game", ["stichling", "null-nichtig", "sticheln", "stichtag"])
def test_each_lesson_can_be_gone_through(page: Page, site: Site, game: str) -> None:
    page.goto(f"{site.url}/learn/{game}")
    page.locator("section.coach").wait_for()
    done = page.get_by_role("button", name="Play now").or_(page.locator("button.big"))
    for _ in range(300):
        if done.count():
            break
        show = page.get_by_role("button", name="Show me")
        go = page.locator("section.coach button.primary:not(.fold)")
        if show.count() and show.is_enabled():
            show.click()
        elif go.count() and go.is_enabled():
            go.click()
        else:
            page.wait_for_timeout(50)
    done.first.wait_for()


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("game", ["stichling", "null-nichtig", "sticheln", "stichtag"])
def test_rules_with_cards_and_examples(browser: Browser, site: Site, game: str, lang: str) -> None:
    with person(browser, lang=lang) as page:
        page.goto(f"{site.url}/rules/{game}")
        page.locator("main h2").first.wait_for()
        page.locator("main [data-card], main [data-colour]").first.wait_for()
