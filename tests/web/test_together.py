"""Several people at one table: two who play, one who watches."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.pages import PATIENCE, Site, open_table, person
from tests.web.players import Player

CARD = re.compile(r'"[RYGBLS]\d+["+>,]')


class Company:
    """Ada, the host, and Ben at a table of three, and Cleo, who watches."""

    def __init__(self, browser: Browser, site: Site, stack: ExitStack, **table: Any) -> None:
        self.site = site
        self.made = site.table("sticheln", 3, **{"options": {"rounds": 1}, **table})
        self.ada, self.ben, self.cleo = (
            stack.enter_context(person(browser, strict=False)) for _ in range(3)
        )
        self.first = Player(self.ada, "swift", seed=1)
        self.second = Player(self.ben, "swift", seed=2)
        self.watcher = Player(self.cleo, "swift")
        open_table(self.ada, self.made)
        self.ada.locator("button.begin").wait_for()
        self.ben.goto(self.link)
        self.ben.locator("main form input").fill("Ben")
        self.ben.locator("main form button.primary").click()
        expect(self.ada.locator("main")).to_contain_text("Ben", timeout=PATIENCE)
        self.cleo.goto(self.link)
        self.cleo.locator("main").wait_for()

    @property
    def link(self) -> str:
        """The link for friends."""
        return f"{self.site.url}/t/{self.made['table']}"

    def begin(self) -> None:
        """The match begins."""
        self.ada.locator("button.begin").click()
        for page in (self.ada, self.ben, self.cleo):
            page.locator(".table .seats").wait_for()

    def play(self, moves: int) -> None:
        """Both play, turn by turn."""
        wanted = len(self.first.talk.moves) + len(self.second.talk.moves) + moves
        for _ in range(PATIENCE // 10):
            if len(self.first.talk.moves) + len(self.second.talk.moves) >= wanted or self.is_over():
                return
            for player in (self.first, self.second):
                if player.page.locator(READY).count():
                    player.step(player.look())
            self.ada.wait_for_timeout(15)
        raise AssertionError("nobody plays")

    def is_over(self) -> bool:
        """Both see the end."""
        return all(page.locator(".end h2").count() for page in (self.ada, self.ben))


READY = ".hand button.legal, .ask button.primary:enabled, dialog[open] button.primary"


@pytest.fixture
def company(browser: Browser, site: Site) -> Iterator[Company]:
    with ExitStack() as stack:
        yield Company(browser, site, stack)


def hand(page: Page) -> set[str]:
    """The cards that someone holds."""
    found: list[str] = page.eval_on_selector_all(
        ".hand [data-card]", "all => all.map(one => one.dataset.card)"
    )
    return set(found)


def shown(page: Page) -> set[str]:
    """The cards that a page shows anywhere: as cards, and in its texts."""
    found: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('[data-colour]')].map(one => one.dataset.card"
        " ?? one.dataset.colour + one.querySelector('.seen')?.textContent)"
    )
    return set(found)


def test_whoever_watches_sees_everything_but_hands(company: Company) -> None:
    company.begin()
    company.ada.locator(".hand button").first.wait_for()
    company.ben.locator(".hand button").first.wait_for()
    assert not shown(company.cleo)
    assert not CARD.findall(" ".join(company.watcher.talk.heard)), (
        "the cards are dealt: all are secret"
    )
    for _ in range(6):
        company.play(2)
        seen = shown(company.cleo)
        for _ in range(100):  # a card that was played may still leave the hand
            secret = seen & (hand(company.ada) | hand(company.ben))
            if not secret:
                break
            company.ada.wait_for_timeout(100)
        assert not secret
        assert not company.cleo.locator(".hand").count()
    for text in company.watcher.talk.heard:
        view = json.loads(text).get("view")
        assert not view or view["hand"] == view["moves"] == []
    company.play(200)
    company.watcher.play()


def test_chat_with_presets_and_own_words(company: Company) -> None:
    company.begin()
    company.ada.locator("#chat input").fill("Schön, dass ihr da seid!")
    company.ada.locator("#chat form button").click()
    company.ben.locator("#chat select").select_option("well-played")
    for page in (company.ada, company.ben, company.cleo):
        expect(page.locator("#chat ol")).to_contain_text("Schön, dass ihr da seid!")
        expect(page.locator("#chat ol")).to_contain_text("Well played!")
    assert not company.cleo.locator("#chat form").count(), "strangers have no name to talk with"


PRESS = "one => one.getAttribute('aria-disabled') === 'false' && (one.click(), true)"


def test_a_take_back_needs_consent(company: Company) -> None:
    company.begin()
    company.play(2)  # both have chosen
    for _ in range(30):
        company.play(1)
        for page, other in ((company.ada, company.ben), (company.ben, company.ada)):
            before = page.locator(".hand button").count()
            agree = other.locator(".ask.panel .primary")
            if page.get_by_role("button", name="Take back").evaluate(PRESS):
                other.wait_for_timeout(300)
            if agree.count():
                agree.click()
                expect(page.locator(".hand button")).to_have_count(before + 1)
                return
    raise AssertionError("nothing could be taken back")


def test_a_rematch_turns_the_seats(company: Company) -> None:
    company.begin()
    company.play(200)
    company.ben.locator(".end h2").first.wait_for()
    company.ada.get_by_role("button", name="Rematch").click()
    for page in (company.ada, company.ben):
        page.locator(".table .seats").wait_for()
    company.play(200)
    for page in (company.ada, company.ben):
        page.locator(".end h2").first.wait_for()
    first, second = (
        json.loads(company.site.get(f"/api/matches/{match}"))
        for match in company.first.talk.matches
    )
    assert first["names"][0] == "Ada"
    assert second["names"][1] == "Ada"


def test_a_bot_plays_for_whoever_leaves_until_the_return(browser: Browser, site: Site) -> None:
    with ExitStack() as stack:
        company = Company(browser, site, stack, settings={"away": 5}, options={"rounds": 12})
        company.begin()
        company.play(2)
        token = company.ben.evaluate("Object.entries(localStorage).find(([k]) => /seat/.test(k))")
        company.ben.goto("about:blank")
        mark = company.ada.locator(".seat").filter(has_text="Ben").locator(".mark[role=img]")
        expect(mark).to_have_attribute("aria-label", "bot plays", timeout=PATIENCE)
        company.first.play_moves(3)  # the bot plays on: nobody waits
        company.ben.goto(company.link)
        company.ben.locator(".table .hand").wait_for()
        expect(mark).to_have_count(0, timeout=PATIENCE)
        company.play(2)
        assert token is not None


def test_what_a_host_can_do(company: Company) -> None:
    company.begin()
    company.ada.locator("header.bar button").click()
    company.ada.get_by_role("button", name="Who is at the table").click()
    company.ada.get_by_role("button", name="Block from chat").click()
    expect(company.ben.locator("#chat form")).to_have_count(0, timeout=PATIENCE)
    company.ada.get_by_role("button", name="Allow to chat").click()
    company.ben.locator("#chat form").wait_for()
    company.ada.locator("dialog select").first.select_option("hard")
    company.ada.get_by_role("button", name="Give the seat to a bot").click()
    company.ada.get_by_role("button", name="Really give it to a bot").click()
    expect(company.ben.locator(".hand")).to_have_count(0, timeout=PATIENCE)
    company.ada.keyboard.press("Escape")
    company.first.play()


def test_the_personal_link_has_the_seat_in_another_browser(
    browser: Browser, company: Company
) -> None:
    company.begin()
    company.play(4)
    with person(browser, size="phone") as phone:
        phone.goto(company.made["personal"])
        phone.locator(".hand button").first.wait_for()
        assert hand(phone) == hand(company.ada)
        assert "#" not in phone.url, "nobody who looks over the shoulder learns the token"
