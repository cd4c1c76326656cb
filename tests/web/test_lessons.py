"""Each lesson played to its end by really making the moves that it asks for: by clicking, with keys
only, by touch on a phone. Wrong cards are answered and can be mended."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.web.pages import PATIENCE, Site, person
from tests.web.players import Player, Way
from tests.web.test_rules import written

LESSONS = Path(__file__).parents[2] / "frontend/src/learn/lessons"
WAYS: dict[str, tuple[Way, str, dict[str, Any]]] = {
    "stichling": ("click", "de", {}),
    "null-nichtig": ("touch", "en", {"size": "small", "has_touch": True, "is_mobile": True}),
    "sticheln": ("keys", "en", {}),
    "stichtag": ("click", "en", {}),
}
GO_ON = {"de": "Weiter", "en": "Continue"}
HURRY = "document.querySelector('main').click()"
"""A tap anywhere on the table: the others play at once."""


class Pupil:
    """Someone who does what a lesson asks for."""

    def __init__(self, page: Page, script: dict[str, Any], way: Way, lang: str) -> None:
        self.page = page
        self.lang = lang
        self.player = Player(page, way)
        self.stops: list[dict[str, Any]] = [
            step for scene in script["scenes"] for step in scene["steps"] if "say" in step
        ]
        self.coach = page.locator("section.coach")
        self.words = self.coach.locator(".words")
        self.voice = page.locator("[role=status]")
        self.wrong = 0
        self.moves = 0

    def learn(self) -> None:
        """Go through the lesson from the first word to the last."""
        for at, stop in enumerate(self.stops):
            self._wait_for(at, stop)
            if not stop.get("good"):
                self.player.press(self.coach.get_by_role("button", name=GO_ON[self.lang]))
                continue
            self._mistake(stop)
            self._make(stop["good"])
            self.moves += 1
        self.page.locator("button.big").wait_for()

    def _wait_for(self, at: int, stop: dict[str, Any]) -> None:
        """Wait for the words of this stop: visible, and in the one region that is read aloud."""
        where = f"{at + 1}/{len(self.stops)}"
        expect(self.coach.locator("h2 small")).to_contain_text(where, timeout=PATIENCE)
        opening = plain(stop["say"][self.lang])[:30]
        spoken = until_a_card(stop["say"][self.lang])[:30]
        for _ in range(PATIENCE // 50):
            if opening in plain(written(self.words)) and spoken in plain(written(self.voice)):
                break
            self.page.evaluate(HURRY)
            self.page.wait_for_timeout(50)
        assert opening in plain(written(self.words)), where
        assert spoken in plain(written(self.voice)), where
        assert self.page.locator("[role=status], [aria-live]").count() == 1, "one voice"

    def _mistake(self, stop: dict[str, Any]) -> None:
        """A wrong move, where the lesson has an answer of its own to one; and a card that is not
        allowed. Both are explained, and nothing is lost by them."""
        but = self.coach.locator(".but")
        forbidden = self.page.locator(".hand button.illegal").first
        if forbidden.count():
            self._until(forbidden, lambda: but.count() > 0)
            assert but.inner_text().strip()
        other = next((one for one in stop.get("replies") or {} if "," not in one), None)
        if other is None:
            return
        self._make(other)
        reply = plain(stop["replies"][other][self.lang])
        expect(but).to_be_visible(timeout=PATIENCE)
        assert reply in plain(written(but))
        spoken = until_a_card(stop["replies"][other][self.lang])
        assert spoken in plain(written(self.voice)), "it is read aloud"
        self.wrong += 1

    # -- Moves -------------------------------------------------------------------------------------

    def _make(self, move: str) -> None:
        card, _, place = move.partition(">")
        if re.fullmatch(r"\d", move):
            self.player.press(self.page.locator(f".choice input[value='{move}']"))
            self._confirm()
        elif re.fullmatch(r"\d(,\d)+", move):
            self._order([int(one) for one in move.split(",")])
        elif "," in move:
            for one in move.split(","):
                self._raise(one)
            self._confirm()
        elif place:
            self._raise(card)
            target = self.page.locator(f"button.choose[data-place='{place}']")
            target.wait_for()
            self.player.press(target)
        else:
            self._raise(card)
            self._confirm()

    def _raise(self, card: str) -> None:
        held = self.page.locator(".hand button").filter(
            has=self.page.locator(f"[data-card={card}]")
        )
        if held.get_attribute("aria-pressed") != "true":
            self._until(held, lambda: held.get_attribute("aria-pressed") == "true")

    def _confirm(self) -> None:
        ready = self.page.locator(".bottom .line button.primary, .choice button.primary:enabled")
        ready.first.wait_for()
        self.player.press(ready.first)

    def _order(self, wanted: list[int]) -> None:
        """Change places until the order is right."""
        cards = self.page.locator(".choice [data-value]")
        for place in range(len(wanted)):
            while True:
                now = [int(one.get_attribute("data-value") or 0) for one in cards.all()]
                at = now.index(wanted[place])
                if at == place:
                    break
                self.player.press(self.page.locator(".choice .between button").nth(at - 1))
        self._confirm()

    def _until(self, what: Locator, is_so: Callable[[], bool]) -> None:
        """Press it, again if the page was too slow."""
        for _ in range(5):
            self.player.press(what)
            for _ in range(20):
                if is_so():
                    return
                self.page.wait_for_timeout(50)
        raise AssertionError(f"nothing comes of {what}")


def plain(text: str) -> str:
    """Return letters and digits only: neither marks nor cards in between matter."""
    return re.sub(r"[^a-zäöüß0-9]", "", re.sub(r"\b[RYGBLS]\d+\b", "", text).lower())


def until_a_card(text: str) -> str:
    """Return the start of a text that is spoken as written: cards are named in words."""
    return plain(re.split(r"\b[RYGBLS]\d+\b", text)[0])


@pytest.mark.parametrize("game", WAYS)
def test_a_lesson_is_played_to_its_end(browser: Browser, site: Site, game: str) -> None:
    way, lang, screen = WAYS[game]
    with person(browser, lang=lang, **screen) as page:
        page.goto(f"{site.url}/learn/{game}")
        script = json.loads((LESSONS / f"{game}.json").read_text())
        pupil = Pupil(page, script, way, lang)
        pupil.coach.wait_for()
        pupil.learn()
        assert 4 <= pupil.moves <= 8, "four to eight guided tricks"
        assert pupil.wrong >= 1
        pupil.player.press(page.locator("button.big"))
        page.locator(
            ".table .hand button, .table .choice button:not([aria-expanded])"
        ).first.wait_for()


def test_a_lesson_resumes_where_it_was_left(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/learn/sticheln")
    coach = page.locator("section.coach")
    forth = coach.get_by_role("button", name=re.compile("Continue|Show me"))
    where = coach.locator("h2 small")
    for step in range(1, 3):
        expect(where).to_contain_text(f"{step}/", timeout=PATIENCE)
        forth.click()
    expect(where).to_contain_text("3/")
    page.reload()
    expect(where).to_contain_text("3/", timeout=PATIENCE)
    coach.get_by_role("button", name="Back").click()
    expect(where).to_contain_text("2/")
    coach.get_by_role("button", name="Skip").click()
    page.locator("button.big").wait_for()
