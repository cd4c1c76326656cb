"""The sheet July."""

from typing import Any

from stichwerk.engine.area import Area
from stichwerk.engine.constants import NONE
from stichwerk.engine.events import BaseEvent, Event
from stichwerk.engine.state import State
from stichwerk.games.stichtag.seat_facts import facts_of
from stichwerk.games.stichtag.sentence import Sentence
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.texts import drawing_of, texts_of

SUNSTROKE = 0.38  # the cost of the Sonnenstich card for each trick to come


class SunstrokeMoved(BaseEvent, frozen=True, tag="sunstroke"):
    """The winner of a trick took the Sonnenstich card, from the stock of cards or from its holder.

    `seat`: who holds it now
    `giver`: who held it before; absent where nobody did
    """

    repeats = True
    after_trick = True
    reveals = False

    seat: int
    giver: int | None = None


class July(Sheet):
    """Sunstroke: the seat that takes one can win no trick until someone else takes one."""

    name = "July"
    replaces = ("win",)
    extends = ("after",)
    values = (9,)
    origin = "documented"
    emits = (SunstrokeMoved,)
    symbols_help = -1
    title, symbol_name, short, long, notes = texts_of("july")
    drawing = drawing_of("july")
    facts = facts_of("july")

    def reserve(self, area: Area) -> None:
        """Reserve the seat that holds the Sonnenstich card."""
        self.holder = area.number("sunstroke", NONE)

    def may_win(self, state: State, play: int) -> bool:
        """Not the holder of the Sonnenstich card."""
        return state.trick_seat[play] != state.numbers[self.holder]

    def is_barred(self, state: State, seat: int) -> bool:
        """The holder of the Sonnenstich card."""
        return seat == state.numbers[self.holder]

    def trick_worth(self, state: State, seat: int, left: int) -> float:
        """A sunstroke keeps the seat from winning later."""
        return 1.0 - SUNSTROKE * left if self.symbols(state) else 1.0

    def after_trick(self, state: State, winner: int) -> None:
        """A trick with a sunstroke brings its winner the Sonnenstich card."""
        if self.symbols(state):
            state.numbers[self.holder] = winner

    # -- At the table ------------------------------------------------------------------------------

    def trick_events(self, before: State, after: State) -> list[Event]:
        """Return that the Sonnenstich card moves, when another seat takes it."""
        giver, holder = before.numbers[self.holder], after.numbers[self.holder]
        if giver == holder:
            return []
        return [SunstrokeMoved(holder, None if giver == NONE else giver)]

    @classmethod
    def narrate(cls, event: Any, reader: int | None) -> Sentence | None:
        """Say who gets the Sonnenstich card."""
        return Sentence("gets-sunstroke", "you-get-sunstroke", event.seat)

    def table(self, state: State) -> dict[str, object]:
        """Return the seat that holds the Sonnenstich card."""
        holder = state.numbers[self.holder]
        return {"sunstroke": None if holder == NONE else holder}

    def for_winner(self, lying: State, after: State) -> list[Sentence]:
        """Return the Sonnenstich card, if another seat held it."""
        if after.numbers[self.holder] == lying.numbers[self.holder]:
            return []
        return [Sentence("then-sunstroke", "then-your-sunstroke", seat=after.last_winner)]

    def note_matters(self, state: State, other: str) -> bool:
        """Return whether someone holds the Sonnenstich card."""
        return state.numbers[self.holder] != NONE
