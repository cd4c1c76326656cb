"""Someone who plays: by clicking, by touch, with keys only, or with typed moves only.

No rule is known here. What can be done is read from the page (buttons, cards, fields, dialogs), one
of it is picked, and it is done in the way of this player, until the match is over. Whatever is done
must lead to something: a button that is covered, or that does nothing, ends the test.
"""

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import ElementHandle, Error, Locator, Page, Position
from playwright.sync_api import TimeoutError as TookTooLong

from tests.web.pages import PATIENCE, Talk

Way = Literal["click", "touch", "keys", "typed", "swift"]
"""`swift` is no way of people: it only leads to where a test begins."""

State = dict[str, Any]
Offer = dict[str, Any]

MOST_SECONDS = 400.0
"""For a whole match: not how long it takes, but when something must be wrong."""

GLANCE = 300
"""Milliseconds that the page itself waits for something new."""

REACH = 8_000
"""Milliseconds to reach what is to be clicked: then it is covered, or went away."""

EDGE: Position = {"x": 12, "y": 12}
"""Where a card is hit that others lie on."""

INDEX: Position = {"x": 22, "y": 30}
"""The same for a card of the fanned hand: its index is always free."""

SLOW = 10.0
"""Seconds after which a page that shows no sign of what was done is asked once more."""

MOST_MISSES = 4
"""How often, in a match, something may go away or move while the player reaches for it."""

FINGERS = 0.35
"""Seconds between taps on two cards."""

LOOK = Path(__file__).with_name("look.js").read_text()

TABS = """one => {
  const stops = [...document.querySelectorAll(
      'a[href], button, input, select, textarea, summary, [tabindex]')]
    .filter((stop) => stop.tabIndex >= 0 && !stop.disabled && stop.checkVisibility());
  const from = stops.indexOf(document.activeElement);
  const to = stops.indexOf(one);
  return to < 0 ? 0 : to - from;
}"""
"""About how often the tab key has to be pressed; what radio buttons make of it is seen then."""

BESIDE = """one => {
  const all = [...one.closest('.hand, fieldset').querySelectorAll('button, input')];
  const now = all.indexOf(document.activeElement);
  return now < 0 ? null : all.indexOf(one) - now;
}"""
"""How many arrows away it is; null: from here no arrow leads there."""

REACHABLE = """one => {
  const dialog = [...document.querySelectorAll('dialog:modal')].at(-1);
  return one.isConnected && (!dialog || dialog.contains(one));
}"""

FOCUSED = "one => document.activeElement === one"

GONE = (
    "not attached to the DOM",
    "element was detached",
    "Execution context was destroyed",
    "JSHandle is disposed",
    "Node is detached",
)


class StuckError(AssertionError):
    """A match is stuck."""


class WentAwayError(Exception):
    """What was to be used is not there any more."""


class NotYetError(Exception):
    """Everything is chosen, and what confirms it is about to come."""


class Player:
    """Plays at the table that a page shows."""

    def __init__(self, page: Page, way: Way = "click", seed: int = 0) -> None:
        self.page = page
        self.way = way
        self.talk = Talk(page)
        self.seed = seed
        self.dice = random.Random(seed)
        self._steps: Counter[int] = Counter()
        """How many things were done for each move, by the number of moves before it."""
        self.asked: set[str] = set()
        """The questions that were answered besides plays."""
        self.announces = ""
        """A number that is announced wherever one can."""
        self._tapped = (0.0, "")
        self.touched: list[tuple[int, str]] = []
        """Cards that were touched, each with the number of moves made before."""
        self.misses: list[str] = []
        """What went away, or was covered by something new, before it could be used."""
        self._looked = ""
        self._before = ""
        self._did = ""
        self._vain = ""

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
        """Play until this many more moves are made."""
        wanted = len(self.talk.moves) + count
        self.play(lambda: len(self.talk.moves) >= wanted)

    def look(self, until: Callable[[], bool] = lambda: False) -> State:
        """Wait until something can be done and the last action shows; return what can be done."""
        begun = time.monotonic()
        while time.monotonic() < begun + PATIENCE / 1000:
            if until():
                return {"over": True, "offers": [], "asks": "", "dialog": ""}
            text = self._glance(self._before, GLANCE)
            if not text and self._before and time.monotonic() > begun + SLOW:
                text = self._in_vain()
            if text:
                self._looked = text
                state: State = json.loads(text)
                return state
        shown = self.page.locator("body").inner_text()
        raise StuckError(f"{self.way}: nothing comes of {self._did or 'waiting'}: {shown[:2000]}")

    def _in_vain(self) -> str:
        """Return whether the page is unchanged: then something moved under the finger."""
        text = self._glance("", GLANCE)
        if text != self._before:
            return ""
        if self._did == self._vain:
            raise StuckError(f"{self.way}: twice nothing came of {self._did}: {text}")
        self._vain = self._did
        self._missed("nothing came of it")
        return text

    def turn(self) -> bool:
        """Do something if something can be done just now; for tables with several people."""
        text = self._glance(self._before, 1)
        state: State = json.loads(text or "{}")
        if not state or state["over"]:
            return False
        self._looked = text
        self.step(state)
        return True

    def _glance(self, before: str, most: int) -> str:
        """Return what can be done, if it is not the same as before."""
        try:
            text: str = self.page.evaluate(LOOK, {"before": before, "most": most})
        except Error as error:
            if not any(one in str(error) for one in GONE):
                raise
            self.page.wait_for_load_state()  # another page comes
            return ""
        return text

    def forget(self) -> None:
        """Forget the last step: somebody else has changed the page, and it may look as before."""
        self._before = ""

    def step(self, state: State) -> None:
        """Do one of the things that can be done."""
        self._before = self._looked
        made = len(self.talk.moves)
        self.dice.seed(f"{self.seed} {made} {self._steps[made]}")  # however often one looks
        try:
            self._steps[made] += self._act(state)
        except NotYetError:
            self._did = f"choosing at “{state['asks']}”"
        except WentAwayError as error:
            self._missed(str(error))
        except Error as error:
            if self.page.is_closed() or "Target closed" in str(error):
                raise
            if not any(one in str(error) for one in GONE):
                self._must_have_changed(error)
            self._missed(str(error))

    def _act(self, state: State) -> bool:
        """Do it, and return whether it was part of a move."""
        if self.way == "typed":
            self._type(state)
            return True
        offer = self._pick(state)
        self._do(offer)
        return offer["kind"] not in ("dialog", "begin", "go-on")

    def _must_have_changed(self, error: Error) -> None:
        """Fail unless the page has changed since."""
        if not isinstance(error, TookTooLong) or not self._glance(self._before, GLANCE):
            raise StuckError(f"{self.way}: cannot use {self._did}: {error}") from error

    def _missed(self, why: str) -> None:
        """Count a step that was not done, and look again; that happens, but not often."""
        self.misses.append(f"{self._did}: {why}")
        if len(self.misses) > MOST_MISSES:
            raise StuckError(f"{self.way}: missed too often: {self.misses}")
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
                self.forget()
                state = self.look()
            if not state["over"]:
                self.step(state)

    # -- What is done ------------------------------------------------------------------------------

    def _pick(self, state: State) -> Offer:
        """Choose one of the offers."""
        offers: list[Offer] = state["offers"]
        kinds: dict[str, list[Offer]] = {}
        for one in offers:
            kinds.setdefault(one["kind"], []).append(one)
        for kind in ("dialog", "begin", "go-on", "target"):
            if kind in kinds:
                return self.dice.choice(kinds[kind])
        hand = kinds.get("hand", [])
        answers = [*kinds.get("choice", []), *kinds.get("radio", [])]
        if state["asks"] and (answers or state.get("waits")):
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
        """Answer a question: pick what is missing, then confirm; now and then pick again."""
        confirm = [one for one in buttons if one["primary"]]
        others = [one for one in buttons if not one["primary"] and one["on"] != "true"]
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
        free = [one for one in others if not one["hold"]]
        could = free or others or radios or hand
        if not could:
            raise NotYetError
        return self.dice.choice(could)

    def _do(self, offer: Offer) -> None:
        """Click, touch or reach it with keys."""
        self._did = f"{offer['kind']} “{offer['text']}”"
        if offer["kind"] == "hand":
            self.touched.append((len(self.talk.moves), offer["card"]))
        if self.way == "swift":
            self.page.evaluate("at => globalThis.offered[at].click()", offer["at"])
            return
        if self.way == "keys" and offer.get("place"):
            self.page.keyboard.press("n" if offer["place"] == "new" else offer["place"])
            return
        if self.way == "touch" and offer["kind"] == "hand":
            self._rest(f"{offer['card']} {len(self.talk.moves)}")
        self._use(self._element(offer))

    def _rest(self, card: str) -> None:
        """Wait as a finger would: an immediate second tap belongs to the card of the first."""
        last, before = self._tapped
        if card != before:
            self.page.wait_for_timeout(max(0.0, 1000 * (last + FINGERS - time.monotonic())))
        self._tapped = (time.monotonic(), card)

    def _element(self, offer: Offer) -> ElementHandle:
        found = self.page.evaluate_handle("at => globalThis.offered[at]", offer["at"]).as_element()
        if found is None:
            raise WentAwayError
        return found

    def press(self, what: Locator) -> None:
        """Use something that is there, in the way of this player."""
        self._did = str(what)
        self._before = ""
        handle = what.element_handle(timeout=PATIENCE)
        assert handle is not None
        self._use(handle)

    def _use(self, element: ElementHandle) -> None:
        if self.way in ("keys", "typed"):
            self._press(element)
            return
        if element.evaluate("one => one.type === 'radio'"):  # itself it is too small to be seen
            label = element.evaluate_handle("one => one.closest('label')").as_element()
            assert label is not None
            element = label
        covered = element.evaluate("one => one.matches('.laid')")  # by cards laid on it later
        fanned = element.evaluate("one => one.matches('.hand .held')")  # by the next one
        where: Position | None = EDGE if covered else INDEX if fanned else None
        if self.way == "touch":
            element.tap(timeout=REACH, position=where)
        else:
            element.click(timeout=REACH, position=where)

    # -- Keys only ---------------------------------------------------------------------------------

    def _press(self, element: ElementHandle) -> None:
        keys = self.page.keyboard
        kind = element.evaluate(
            "one => one.type === 'radio' ? 'radio' : one.closest('.hand') ? 'hand' : ''"
        )
        if kind:
            self._tab_beside(element)
            if kind == "radio":
                keys.press("Space")
            self._arrow_to(element)
        else:
            self._tab_to(element)
        if kind != "radio":
            keys.press("Enter")

    def _tab_to(self, element: ElementHandle) -> None:
        self._tab(element, lambda: bool(element.evaluate(FOCUSED)), element.evaluate(TABS))

    def _tab_beside(self, element: ElementHandle) -> None:
        """To whatever has the focus among cards of the hand, or numbers of a choice."""
        stop = element.evaluate_handle(
            "one => one.closest('.hand, fieldset').querySelector('[tabindex=\"0\"], input')"
        ).as_element()
        if stop is None:
            raise WentAwayError
        there = lambda: element.evaluate(BESIDE) is not None  # noqa: E731
        self._tab(element, there, stop.evaluate(TABS))

    def _tab(self, element: ElementHandle, there: Callable[[], bool], steps: int) -> None:
        keys = self.page.keyboard
        if there():
            return
        if not element.evaluate(REACHABLE):
            raise WentAwayError
        for _ in range(abs(steps)):
            keys.press("Tab" if steps > 0 else "Shift+Tab")
        for _ in range(200):
            if there():
                return
            if not element.evaluate(REACHABLE):
                raise WentAwayError
            keys.press("Tab")
        focus = self.page.evaluate("document.activeElement.outerHTML.slice(0, 300)")
        raise StuckError(f"keys: {self._did} cannot be reached with the tab key, but {focus}")

    def _arrow_to(self, element: ElementHandle) -> None:
        keys = self.page.keyboard
        for _ in range(3):
            steps = element.evaluate(BESIDE)
            if steps is None:
                raise WentAwayError
            for _ in range(abs(steps)):
                keys.press("ArrowRight" if steps > 0 else "ArrowLeft")
            if element.evaluate(FOCUSED):
                return
        raise StuckError(f"keys: {self._did} cannot be reached with arrows")

    # -- Typed moves only --------------------------------------------------------------------------

    def _type(self, state: State) -> None:
        """Moves are written into the line; what is no move is done with keys."""
        offers: list[Offer] = state["offers"]
        for kind in ("dialog", "begin", "go-on"):
            for one in offers:
                if one["kind"] == kind:
                    self._did = f"{kind} “{one['text']}”"
                    self._press(self._element(one))
                    return
        if state["asks"]:
            self.asked.add(state["asks"].split("\n")[0])
        moves = [one["move"] for one in offers if one["kind"] == "move"]
        if not state["line"] or moves:
            move = self.dice.choice(moves) if state["line"] else ""
            self.write(move if self.dice.random() < 0.5 else move.lower())

    def write(self, move: str) -> None:
        """Write a move into the line and send it; open the line if it is not there yet."""
        line = self.page.locator(".typed input")
        if not line.count():
            self._did = "key t"
            self.page.keyboard.press("t")
            if not move:
                return
            line.wait_for()
        self._did = f"typing {move}"
        field = line.element_handle()
        assert field is not None
        self._tab_to(field)
        self.page.keyboard.type(move)
        self.page.keyboard.press("Enter")


def _scene_of(state: State) -> str:
    """Return the kind of the current moment."""
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
