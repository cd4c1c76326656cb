"""Several people at one table: two who play, one who watches."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.web.pages import PATIENCE, Site, open_table, person, until
from tests.web.players import Player
from tests.web.table import hand_of, log_lines

CARD = re.compile(r'"[RYGBLS]\d+["+>,]')


class Company:
    """Ada, the host, and Ben at a table, and Cleo, who watches; a bot in the third seat."""

    def __init__(
        self,
        browser: Browser,
        site: Site,
        stack: ExitStack,
        game: str = "sticheln",
        seats: int = 3,
        **table: Any,
    ) -> None:
        self.site = site
        options = {"rounds": 1} if game == "sticheln" else {}
        self.made = site.table(game, seats, **{"options": options, **table})
        self.ada, self.ben, self.cleo = (stack.enter_context(person(browser)) for _ in range(3))
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

    @property
    def moves(self) -> int:
        """How many moves both have made."""
        return len(self.first.talk.moves) + len(self.second.talk.moves)

    def begin(self) -> None:
        """Begin the match."""
        self.ada.locator("button.begin").click()
        for page in (self.ada, self.ben, self.cleo):
            page.locator(".table .seats").wait_for()

    def play(self, moves: int) -> None:
        """Both play, turn by turn, until this many moves are made or the match is over."""
        wanted = self.moves + moves
        while self.moves < wanted and not self.is_over():
            now = self.moves
            until(self.ada, lambda: self._step(now), "somebody plays")  # noqa: B023

    def _step(self, moves: int) -> bool:
        """Wait for one more move, or the end of the match."""
        for player in (self.first, self.second):
            if self.moves == moves:
                player.turn()
        return self.moves > moves or self.is_over()

    def on_turn(self) -> tuple[Player, Player]:
        """Return who is to play a card, and the other person, after the choices."""
        found: list[Player] = []

        def is_found() -> bool:
            for player in (self.first, self.second):
                cards = player.page.locator(".hand button.legal").count()
                if cards and player.talk.view["phase"] == "play":
                    found.append(player)
                    return True
                if cards or player.page.locator(".middle .choice button").count():
                    player.turn()
            return False

        until(self.ada, is_found, "somebody is on turn")
        other = self.second if found[0] is self.first else self.first
        return found[0], other

    def is_over(self) -> bool:
        """Both see the end."""
        return all(page.locator(".end h2").count() for page in (self.ada, self.ben))


@pytest.fixture
def company(browser: Browser, site: Site) -> Iterator[Company]:
    with ExitStack() as stack:
        yield Company(browser, site, stack)


@pytest.fixture
def couple(browser: Browser, site: Site) -> Iterator[Company]:
    """Ada and Ben alone, in a match that has begun: nothing happens but what they do."""
    with ExitStack() as stack:
        company = Company(browser, site, stack, "stichling", 2)
        company.begin()
        yield company


def play_card(player: Player) -> str:
    """Play a card by clicking; which one it was."""
    page = player.page
    moves = len(player.talk.moves)
    page.locator(".hand button.legal").first.click()
    page.locator(".hand button.raised").wait_for()
    target = page.locator("button.choose, .targets button")
    (target.first if target.count() else page.locator(".hand button.raised")).click()
    until(page, lambda: len(player.talk.moves) > moves, "it goes out")
    player.forget()
    return player.talk.moves[-1].split(">")[0]


def shown(page: Page) -> set[str]:
    """Return the cards that a page shows anywhere: as cards, and in its texts."""
    found: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('[data-colour]')].map(one => one.dataset.card"
        " ?? one.dataset.colour + one.querySelector('.seen')?.textContent)"
    )
    return set(found)


def secrets(company: Company) -> set[str]:
    """Return all cards that are in hands."""
    return {card for page in (company.ada, company.ben) for card in hand_of(page)}


def held(page: Page, card: str) -> Locator:
    """Return a card of the hand."""
    return page.locator(f".hand button:has([data-card={card}])")


# -- Watching --------------------------------------------------------------------------------------


def test_spectators_see_everything_but_hands(company: Company) -> None:
    company.begin()
    company.ada.locator(".hand button").first.wait_for()
    company.ben.locator(".hand button").first.wait_for()
    assert not shown(company.cleo)
    assert not CARD.findall(" ".join(company.watcher.talk.received)), (
        "the cards are dealt: all are secret"
    )
    for _ in range(6):
        company.play(2)
        seen = shown(company.cleo)
        # A card that was played may still leave the hand.
        until(company.ada, lambda: not seen & secrets(company), "nothing of a hand is shown")  # noqa: B023
        assert not company.cleo.locator(".hand").count()
    for text in company.watcher.talk.received:
        view = json.loads(text).get("view")
        assert not view or view["hand"] == view["moves"] == []
    company.play(200)
    company.watcher.play()
    plays = [line for line in company.watcher.talk.received if '"kind":"play"' in line]
    assert plays, "all plays were sent"


def test_a_watcher_gets_a_name_and_talks(company: Company) -> None:
    company.begin()
    expect(company.ada.locator("header.bar")).to_contain_text("1 watching", timeout=PATIENCE)
    assert not company.cleo.locator("#chat form").count(), "strangers have no name to talk with"
    watch = company.cleo.locator(".watch")
    watch.get_by_role("button", name="Join").click()
    watch.get_by_label("Your name").fill("Cleo")
    watch.locator("form button").click()
    company.cleo.locator("#chat input").fill("Hello from the gallery")
    company.cleo.locator("#chat form button").click()
    for page in (company.ada, company.ben, company.cleo):
        expect(page.locator("#chat ol")).to_contain_text(
            "Cleo Hello from the gallery", timeout=PATIENCE
        )


# -- Talk ------------------------------------------------------------------------------------------


def test_chat_with_presets_own_words_and_hidden_ones(company: Company) -> None:
    company.begin()
    company.ada.locator("#chat input").fill("Schön, dass ihr da seid!")
    company.ada.locator("#chat form button").click()
    company.ben.locator("#chat").get_by_role("button", name="Well played!").click()
    for page in (company.ada, company.ben, company.cleo):
        chat = page.locator("#chat ol")
        expect(chat).to_contain_text("Schön, dass ihr da seid!", timeout=PATIENCE)
        expect(chat).to_contain_text("Well played!", timeout=PATIENCE)
    company.ada.locator("header.bar .menu").click()
    company.ada.get_by_role("button", name="At the table").click()
    company.ada.get_by_role("button", name="Hide here").click()
    company.ada.keyboard.press("Escape")
    chat = company.ada.locator("#chat ol")
    expect(chat).not_to_contain_text("Well played!", timeout=PATIENCE)
    expect(chat).to_contain_text("Hidden: one message")
    company.ben.locator("#chat input").fill("Can you hear me?")
    company.ben.locator("#chat form button").click()
    expect(chat).to_contain_text("Hidden: 2 messages", timeout=PATIENCE)
    expect(company.cleo.locator("#chat ol")).to_contain_text("Can you hear me?", timeout=PATIENCE)


# -- Taking back -----------------------------------------------------------------------------------


def test_a_take_back_by_consent(couple: Company) -> None:
    player, other = couple.on_turn()
    page = player.page
    before = hand_of(page)
    card = play_card(player)
    expect(held(page, card)).to_have_count(0, timeout=PATIENCE)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".ask.panel")).to_contain_text("You asked to take back", timeout=PATIENCE)
    other.page.locator(".ask.panel").get_by_role("button", name="Agree").click()
    expect(held(page, card)).to_have_count(1, timeout=PATIENCE)
    assert hand_of(page) == before
    for one in (couple.ada, couple.ben, couple.cleo):
        expect(one.locator(".ask.panel")).to_have_count(0, timeout=PATIENCE)
        expect(
            one.locator(f".places [data-card={card}], .middle [data-card={card}]")
        ).to_have_count(0, timeout=PATIENCE)
    assert "You take back your last move." in log_lines(page)
    again = play_card(player)
    expect(held(page, again)).to_have_count(0, timeout=PATIENCE)


def test_a_take_back_that_is_refused(couple: Company) -> None:
    player, other = couple.on_turn()
    page = player.page
    card = play_card(player)
    expect(held(page, card)).to_have_count(0, timeout=PATIENCE)
    page.keyboard.press("u")
    other.page.locator(".ask.panel").get_by_role("button", name="No").click()
    expect(page.locator(".ask.panel")).to_have_count(0, timeout=PATIENCE)
    until(
        page,
        lambda: any("would rather not take it back" in line for line in log_lines(page)),
        "the refusal is shown",
    )
    expect(held(page, card)).to_have_count(0)
    assert other.talk.view["moves"], "the other one is on turn as before"


# -- Beforehand ------------------------------------------------------------------------------------


def test_a_card_can_be_preselected_before_ones_turn(company: Company) -> None:
    company.begin()
    waits, plays = None, None
    while waits is None:
        now, other = company.on_turn()
        if other.talk.view["phase"] == "play" and not other.talk.view["moves"]:
            waits, plays = other, now
        else:
            company.play(1)
    assert plays is not None
    page = waits.page
    sent = len(waits.talk.moves)
    cards = page.locator(".hand button")
    cards.nth(0).click()
    expect(cards.nth(0)).to_have_class(re.compile("queued"), timeout=PATIENCE)
    cards.nth(1).click()
    card = hand_of(page)[1]
    expect(page.locator(".hand .queued [data-card]")).to_have_attribute("data-card", card)
    expect(page.locator(".status")).to_contain_text("will be played on your turn")
    assert len(waits.talk.moves) == sent, "the server does not know of it"
    play_card(plays)
    until(page, lambda: waits.talk.moves[sent:] == [card], "it is played by itself")
    expect(held(page, card)).to_have_count(0, timeout=PATIENCE)
    assert f"You play {card}." in log_lines(page)


# -- Seats -----------------------------------------------------------------------------------------


def test_a_rematch_turns_the_seats(company: Company) -> None:
    company.begin()
    company.play(200)
    company.ben.locator(".end h2").first.wait_for()
    expect(company.ben.get_by_role("button", name="Rematch")).to_have_count(0)
    company.ada.get_by_role("button", name="Rematch").click()
    for page in (company.ada, company.ben):
        page.locator(".table .seats").wait_for()
    company.first.forget()
    company.second.forget()
    company.play(200)
    for page in (company.ada, company.ben):
        page.locator(".end h2").first.wait_for()
    first, second = (
        json.loads(company.site.get(f"/api/matches/{match}"))
        for match in company.first.talk.matches
    )
    assert first["names"][0] == "Ada"
    assert second["names"][1] == "Ada"


def test_a_bot_plays_for_an_absent_person_until_they_return(browser: Browser, site: Site) -> None:
    with ExitStack() as stack:
        company = Company(browser, site, stack, settings={"away": 5}, options={"rounds": 12})
        company.begin()
        company.play(2)
        company.ben.goto("about:blank")
        mark = company.ada.locator(".seat").filter(has_text="Ben").locator(".mark[role=img]")
        expect(mark).to_have_attribute("aria-label", "bot plays", timeout=PATIENCE)
        company.first.play_moves(3)  # the bot plays on: nobody waits
        assert "Ben is away. A bot is filling in." in log_lines(company.ada)
        company.ben.goto(company.link)
        company.ben.locator(".table .hand").wait_for()
        expect(mark).to_have_count(0, timeout=PATIENCE)
        company.second.forget()
        company.play(2)
        assert "Ben is back." in log_lines(company.ada)


def test_a_person_who_gives_up_a_seat_can_watch(company: Company) -> None:
    company.begin()
    company.play(2)
    company.ben.locator("header.bar .menu").click()
    company.ben.get_by_role("button", name="Give up your seat").click()
    company.ben.get_by_role("button", name="Yes, give it up").click()
    expect(company.ben).to_have_url(company.site.url + "/", timeout=PATIENCE)
    expect(company.ada.locator(".seat .mark[aria-label=bot]")).to_have_count(2, timeout=PATIENCE)
    company.ben.goto(company.link)
    expect(company.ben.locator(".watch")).to_contain_text("You are watching", timeout=PATIENCE)
    expect(company.ben.locator(".hand")).to_have_count(0)
    company.first.play()


def test_what_a_host_can_do(company: Company) -> None:
    company.begin()
    company.ada.locator("header.bar .menu").click()
    company.ada.get_by_role("button", name="At the table").click()
    company.ada.get_by_role("button", name="Block from chat").click()
    expect(company.ben.locator("#chat form")).to_have_count(0, timeout=PATIENCE)
    company.ada.get_by_role("button", name="Allow to chat").click()
    company.ben.locator("#chat form").wait_for()
    level = company.ada.locator("dialog .do").get_by_role("radio", name="strong").first
    level.check()
    expect(level).to_be_checked()
    company.ada.get_by_role("button", name="Give the seat to a bot").click()
    company.ada.get_by_role("button", name="Yes, give it to a bot").click()
    expect(company.ben.locator(".hand")).to_have_count(0, timeout=PATIENCE)
    company.ada.keyboard.press("Escape")
    company.first.play()


def test_a_private_table_hides_everything_from_strangers_and_removed_people(
    browser: Browser, site: Site
) -> None:
    with ExitStack() as stack:
        company = Company(browser, site, stack, settings={"watch": "none"})
        company.ada.locator("button.begin").click()
        company.ada.locator(".table .seats").wait_for()
        closed = "A match is on, and nobody may watch here."
        expect(company.cleo.locator("main")).to_contain_text(closed, timeout=PATIENCE)
        company.ada.locator("header.bar .menu").click()
        company.ada.get_by_role("button", name="At the table").click()
        company.ada.get_by_role("button", name="Remove and block: Ben").click()
        company.ada.get_by_role("button", name="Yes, block Ben").click()
        gone = "You were removed from the table."
        expect(company.ben.locator("main")).to_contain_text(gone, timeout=PATIENCE)
        company.ben.reload()
        expect(company.ben.locator("main")).to_contain_text(closed, timeout=PATIENCE)
        expect(company.ada.locator("dialog")).to_contain_text("Unblock", timeout=PATIENCE)
        assert not CARD.findall(" ".join(company.watcher.talk.received))


def test_the_personal_link_has_the_seat_in_another_browser(
    browser: Browser, company: Company
) -> None:
    company.begin()
    while company.on_turn()[0] is not company.first:
        company.play(1)
    player = company.first
    with person(browser, size="phone") as phone:
        hand = hand_of(player.page)
        phone.goto(company.made["personal"])
        phone.locator(".hand button").first.wait_for()
        assert hand_of(phone) == hand
        assert "#" not in phone.url, "nobody who looks over the shoulder learns the token"
        there = Player(phone, "swift")
        phone.reload()
        phone.locator(".hand button.legal").first.wait_for()
        card = play_card(there)
        for page in (phone, player.page):
            expect(held(page, card)).to_have_count(0, timeout=PATIENCE)


# -- Looking back, words, absence ------------------------------------------------------------------


def test_older_tricks_are_closed_in_the_log_and_after_a_reload(company: Company) -> None:
    company.begin()
    company.play(14)
    for _ in range(2):
        log = company.ada.locator("ol[aria-label='Log']")
        closed = log.locator("button.closed")
        expect(closed.first).to_be_visible(timeout=PATIENCE)
        assert "takes the trick" in log_text(company.ada) or "You take" in log_text(company.ada)
        closed.first.hover()
        expect(company.ada.locator(".log .picture")).to_contain_text("Older tricks stay face down")
        closed.first.blur()
        assert closed.locator("[data-colour]").count() == 0, "no card is named"
        company.ada.reload()
        company.ada.locator(".table .seats").wait_for()


def log_text(page: Page) -> str:
    return page.locator("ol[aria-label='Log']").inner_text()


def test_the_six_words_stay_in_the_menu_for_everyone(company: Company) -> None:
    company.begin()
    found = []
    for page in (company.ada, company.ben):
        page.locator("header.bar .menu").click()
        words = page.locator("dialog ol.words li")
        expect(words).to_have_count(6, timeout=PATIENCE)
        found.append(words.all_inner_texts())
        page.keyboard.press("Escape")
    assert found[0] == found[1]


def test_a_seat_counts_down_until_a_bot_takes_over(company: Company) -> None:
    company.begin()
    company.ben.goto("about:blank")
    seat = company.ada.locator(".seat").filter(has_text="Ben")
    expect(seat).to_contain_text(re.compile(r"bot takes over in \d+ s"), timeout=PATIENCE)
    voice = company.ada.locator("[role=status][aria-live=polite]")
    expect(voice).to_contain_text("Ben is away. A bot takes over in", timeout=PATIENCE)
    company.ben.goto(company.link)
    expect(seat).not_to_contain_text("bot takes over", timeout=PATIENCE)


def marks_of(page: Page) -> dict[str, str]:
    """Return the marks of people at the table, by name."""
    found: dict[str, str] = page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('.seats li.seat')].map(one => ["
        "one.querySelector('.name').textContent,"
        " one.querySelector('.patch .mark').dataset.seat]))"
    )
    return found


def test_people_keep_their_marks_in_a_rematch(company: Company) -> None:
    company.begin()
    until(company.cleo, lambda: len(marks_of(company.cleo)) == 3, "all seats are there")
    before = marks_of(company.cleo)
    company.play(200)
    company.cleo.get_by_role("button", name="See the result").click()
    end = company.cleo.locator(".end h2")
    end.first.wait_for()
    company.ada.get_by_role("button", name="Rematch").click()
    expect(end).to_have_count(0, timeout=PATIENCE)
    until(company.cleo, lambda: len(marks_of(company.cleo)) == 3, "the next match has begun")
    after = marks_of(company.cleo)
    people = {name for name in before if name in after}
    assert len(people) >= 2
    assert {name: before[name] for name in people} == {name: after[name] for name in people}
