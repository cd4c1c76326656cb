"""The sheet red 5."""

from typing import Any

from stichwerk.engine.area import Area
from stichwerk.engine.constants import NONE
from stichwerk.engine.events import BaseEvent, Event
from stichwerk.engine.state import State
from stichwerk.games.stichtag.constants import RED
from stichwerk.games.stichtag.sentence import Sentence
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.storage import LAST_TRICK
from stichwerk.games.stichtag.texts import drawing_of, texts_of


class SwitchFlipped(BaseEvent, frozen=True, tag="switch"):
    """The switch flipped: from the next trick on red is trump, or no colour is.

    `on`: true if red is trump now
    """

    repeats = True
    after_trick = True
    reveals = False

    on: bool


class Red5(Sheet):
    """On-off switch: a 5 switches the trump off and on."""

    name = "red 5"
    replaces = ("trump",)
    extends = ("after",)
    values = (5,)
    origin = "own"
    emits = (SwitchFlipped,)
    title, symbol_name, short, long, notes = texts_of("red_5")
    drawing = drawing_of("red_5")

    def reserve(self, area: Area) -> None:
        """Reserve the current trump, and whether the trick flips the switch."""
        self.trump_now = area.number("trump", RED)
        self.flips = area.number("switch_flips")

    def after_deal(self, state: State) -> None:
        """Each round starts with the switch on."""
        state.numbers[self.trump_now] = RED

    def trump(self, state: State) -> int:
        """Red while the switch is on, otherwise none."""
        return state.numbers[self.trump_now]

    def after_trick(self, state: State, winner: int) -> None:
        """A trick that contains a 5 will flip the switch once."""
        state.numbers[self.flips] = 1 if self.symbols(state) else 0

    def before_lead(self, state: State) -> None:
        """The switch is flipped after everything else is settled."""
        if state.numbers[self.flips]:
            state.numbers[self.trump_now] = NONE if self.trump(state) == RED else RED

    # -- At the table ------------------------------------------------------------------------------

    def change_events(self, before: State, after: State) -> list[Event]:
        """Return that the switch flips; after the last trick of a round that changes nothing."""
        if after.numbers[LAST_TRICK] or self.trump(before) == self.trump(after):
            return []
        return [SwitchFlipped(self.trump(after) == RED)]

    @classmethod
    def narrate(cls, event: Any, reader: int | None) -> Sentence | None:
        """Say whether trump is switched on or off."""
        return Sentence("switch-on" if event.on else "switch-off")
