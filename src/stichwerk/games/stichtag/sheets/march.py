"""The sheet March."""

from typing import Any

from stichwerk.engine.area import Area
from stichwerk.engine.events import BaseEvent, Event
from stichwerk.engine.state import State
from stichwerk.games.stichtag.sentence import Sentence
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.storage import LAST_TRICK
from stichwerk.games.stichtag.table_facts import shown_by
from stichwerk.games.stichtag.texts import cancels_of, drawing_of, texts_of

FACE_DOWN = 1  # red 1


class DirectionTurned(BaseEvent, frozen=True, tag="direction"):
    """The direction of play turned round, from the next lead on.

    `direction`: 1 clockwise, -1 the other way
    """

    repeats = True
    after_trick = True
    reveals = False

    direction: int


class March(Sheet):
    """Kite: the direction of play reverses."""

    name = "March"
    replaces = ("direction",)
    extends = ("lead",)
    values = (2,)
    origin = "own"
    emits = (DirectionTurned,)
    title, symbol_name, short, long, notes = texts_of("march")
    cancels = cancels_of("march")
    shown = shown_by("march")
    drawing = drawing_of("march")

    def reserve(self, area: Area) -> None:
        """Reserve whether the trick reverses the direction."""
        self.turns = area.number("kite_turns")

    def after_trick(self, state: State, winner: int) -> None:
        """After a trick with a kite play goes the other way. Cross-note red 1: nothing to turn."""
        state.numbers[self.turns] = 0
        if self.symbols(state) and self.red_number != FACE_DOWN:
            state.numbers[self.turns] = 1

    def before_lead(self, state: State) -> None:
        """The direction reverses last."""
        if state.numbers[self.turns]:
            state.direction = -state.direction

    def leader(self, state: State, winner: int) -> int:
        """The winner. Cross-note red 1: after a trick with a kite their left neighbour."""
        if self.red_number == FACE_DOWN and self.symbols(state):
            return (winner + 1) % self.seats
        return winner

    # -- At the table ------------------------------------------------------------------------------

    def change_events(self, before: State, after: State) -> list[Event]:
        """Return that the direction reverses; after the last trick of a round that changes
        nothing."""
        if after.numbers[LAST_TRICK] or before.direction == after.direction:
            return []
        return [DirectionTurned(after.direction)]

    @classmethod
    def narrate(cls, event: Any, reader: int | None) -> Sentence | None:
        """Play goes the other way round."""
        clockwise = event.direction > 0
        return Sentence("turns-clockwise" if clockwise else "turns-counterclockwise")

    def table(self, state: State) -> dict[str, object]:
        """Return the direction of play."""
        return {"direction": state.direction}

    def note_matters(self, state: State, other: str) -> bool:
        """Return whether a kite is in the trick."""
        return self.symbols(state) != 0
