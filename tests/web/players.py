"""Someone who plays: by clicking, by touch, with keys only, or with typed moves only.

No rule is known here. What can be done is read from the page (buttons, cards, fields, dialogs), one
of it is picked, and it is done in the way of this player, until the match is over.
"""

import json
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import ElementHandle, Error, Page
from playwright.sync_api import TimeoutError as TookTooLong

from tests.web.pages import PATIENCE, Talk

Way = Literal["click", "touch", "keys", "typed", "swift"]
"""`swift` is no way of people: for tests of what comes after some plays."""

State = dict[str, Any]
Offer = dict[str, Any]

MOST_SECONDS = 400.0
"""For a whole match: not how long it takes, but when something must be wrong."""

EFFECT = 1.0
"""Seconds after which what is the same is taken to stay the same."""

LOOK = Path(__file__).with_name("look.js").read_text()


class StuckError(AssertionError):
    """A match does not go on."""


class Player:
    """Plays at the table that a page shows."""

    def __init__(self, page: Page, way: Way = "click", seed: int = 0) -> None:
        self.page = page
        self.way = way
        self.talk = Talk(page)
        self.dice = random.Random(seed)
        self.asked: set[str] = set()
        """The questions that were answered besides plays."""
        self.announces = ""
        """A number that is announced wherever one can."""
        self.touched: list[tuple[int, str]] = []
        """Cards that were touched, each with the number of moves made before."""
        self._before = ""

    # -- A match -----------------------------------------------------------------------------------

    def play(self, until: Callable[[], bool] = lambda: False) -> None:
        """Play until the match is over, or something is so."""
        deadline = time.monotonic() + MOST_SECONDS
        state: State = {}
        while not until():
            if time.monotonic() > deadline:
                raise StuckError(f"{self.way}: {json.dumps(state)} after {self.talk.moves}")
            state = self.look(until)
            if state["over"]:
                return
            self.step(state)

    def play_moves(self, count: int) -> None:
        """Play until so many more moves are made."""
        wanted = len(self.talk.moves) + count
        self.play(lambda: len(self.talk.moves) >= wanted)

    def look(self, until: Callable[[], bool] = lambda: False) -> State:
        """What can be done now: waits until something can, and until it is something new.

        What has no effect is not waited for long: then something else is done.
        """
        begun = time.monotonic()
        while time.monotonic() < begun + PATIENCE / 1000:
            if until():
                return {"over": True, "offers": [], "asks": "", "dialog": ""}
            text = self.page.evaluate(LOOK)
            is_new = text != self._before or time.monotonic() > begun + EFFECT
            if text and is_new:
                self._before = text
                state: State = json.loads(text)
                return state
            self.page.wait_for_timeout(15)  # lets the page's events come in, too
        shown = self.page.locator("body").inner_text()
        raise StuckError(f"{self.way}: nothing can be done: {shown[:2000]}")

    def step(self, state: State) -> None:
        """Do one of the things that can be done."""
        try:
            if self.way == "typed":
                self._type(state)
            else:
                self._do(self._pick(state))
        except (Error, TookTooLong) as error:
            # Something else came up meanwhile: look again. A page that is gone stays gone.
            if self.page.is_closed() or "Target closed" in str(error):
                raise
            self._before = ""

    def scenes(self) -> Iterator[str]:
        """Play on, and stop at each kind of moment that has not been seen yet: `choose`, `turn`,
        `raised`, `held`, `round`, `sheet`, `end`. For `held` the setting `hold` has to be 0.
        """
        seen: set[str] = set()
        while "end" not in seen:
            state = self.look()
            scene = _scene_of(state)
            if scene and scene not in seen:
                seen.add(scene)
                yield scene
                self._before = ""
                state = self.look()
            if not state["over"]:
                self.step(state)

    # -- What is done ------------------------------------------------------------------------------

    def _pick(self, state: State) -> Offer:
        """Which of the offers it is to be."""
        offers: list[Offer] = state["offers"]
        kinds: dict[str, list[Offer]] = {}
        for one in offers:
            kinds.setdefault(one["kind"], []).append(one)
        for kind in ("dialog", "begin", "go-on", "target"):
            if kind in kinds:
                return self.dice.choice(kinds[kind])
        hand = kinds.get("hand", [])
        if state["asks"] and kinds.get("choice", []) + kinds.get("radio", []):
            self.asked.add(state["asks"].split("\n")[0])
            return self._choose(state, kinds.get("choice", []), kinds.get("radio", []), hand)
        raised = [one for one in hand if one["on"] == "true"]
        if raised:
            return self.dice.choice([*raised, *kinds.get("play", [])])
        if hand:
            return self.dice.choice(hand)
        return offers[0]

    def _choose(
        self, state: State, buttons: list[Offer], radios: list[Offer], hand: list[Offer]
    ) -> Offer:
        """Answer a question: pick what is missing, then confirm; now and then pick anew."""
        confirm = [one for one in buttons if one["primary"]]
        others = [one for one in buttons if not one["primary"]]
        if confirm:
            return self.dice.choice(confirm * 2 + others)
        if state.get("waits"):
            if radios:
                liked = [one for one in radios if one["text"] == self.announces]
                return (
                    self.dice.choice(liked)
                    if liked
                    else self.dice.choice([one for one in radios if one["on"] != "true"])
                )
            down = [one for one in hand if one["on"] != "true"]
            return self.dice.choice(down or others)
        return self.dice.choice([one for one in others if not one["hold"]] or others)

    def _do(self, offer: Offer) -> None:
        """Click, touch or reach it with keys."""
        if offer["kind"] == "hand":
            self.touched.append((len(self.talk.moves), offer["card"]))
        if self.way == "swift":
            self.page.evaluate("at => globalThis.offered[at].click()", offer["at"])
            return
        element = self._element(offer)
        if self.way == "keys":
            self._press(element, offer)
            return
        if offer["kind"] == "radio":  # the field itself is too small to be seen
            label = element.evaluate_handle("one => one.closest('label')").as_element()
            assert label is not None
            element = label
        if self.way == "touch":
            element.tap(timeout=5000)
        else:
            element.click(timeout=5000)

    def _element(self, offer: Offer) -> ElementHandle:
        found = self.page.evaluate_handle("at => globalThis.offered[at]", offer["at"]).as_element()
        assert found is not None
        return found

    # -- Keys only ---------------------------------------------------------------------------------

    def _press(self, element: ElementHandle, offer: Offer) -> None:
        keys = self.page.keyboard
        if offer["kind"] == "target" and offer.get("place"):
            keys.press("n" if offer["place"] == "new" else offer["place"])
            return
        if offer["kind"] == "hand":
            self._tab_to("at => document.activeElement.closest('.hand') !== null", 0)
            self._arrow_to(element)
        elif offer["kind"] == "radio":
            self._tab_to("at => document.activeElement.type === 'radio'", 0)
            keys.press("Space")
            self._arrow_to(element)
            return
        else:
            self._tab_to("at => document.activeElement === globalThis.offered[at]", offer["at"])
        keys.press("Enter")

    def _tab_to(self, there: str, at: int) -> None:
        for _ in range(200):
            if self.page.evaluate(there, at):
                return
            self.page.keyboard.press("Tab")
        raise StuckError("keys: it cannot be reached with the tab key")

    def _arrow_to(self, element: ElementHandle) -> None:
        way = "ArrowRight"
        for _ in range(60):
            if element.evaluate("one => document.activeElement === one"):
                return
            here = self.page.evaluate_handle("document.activeElement")
            self.page.keyboard.press(way)
            if self.page.evaluate("one => document.activeElement === one", here):
                way = "ArrowLeft"
        raise StuckError("keys: it cannot be reached with arrows")

    # -- Typed moves only --------------------------------------------------------------------------

    def _type(self, state: State) -> None:
        """Moves are written into the line; what is no move is done with keys."""
        offers: list[Offer] = state["offers"]
        keys = self.page.keyboard
        for kind in ("dialog", "begin", "go-on"):
            for one in offers:
                if one["kind"] == kind:
                    self._press(self._element(one), one)
                    return
        if state["asks"]:
            self.asked.add(state["asks"].split("\n")[0])
        if not state["line"]:
            keys.press("t")
            return
        moves = [one["move"] for one in offers if one["kind"] == "move"]
        if not moves:
            return
        if not state["typing"]:
            self._tab_to("at => document.activeElement.matches('.typed input')", 0)
        move = self.dice.choice(moves)
        keys.type(move if self.dice.random() < 0.5 else move.lower())
        keys.press("Enter")


def _scene_of(state: State) -> str:
    """What kind of moment it is."""
    kinds = {one["kind"] for one in state["offers"]}
    if state["over"]:
        return "end"
    if state["dialog"]:
        return "sheet" if state["walk"] else "round"
    if "go-on" in kinds:
        return "held"
    if state["asks"]:
        return "choose"
    if any(one["kind"] == "hand" and one["on"] == "true" for one in state["offers"]):
        return "raised"
    return "turn" if "hand" in kinds else ""
