"""The sheet red 0."""

from typing import Any

from stichwerk.cards import COLOURS as LETTERS
from stichwerk.engine.area import Area
from stichwerk.engine.events import BaseEvent, Event
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.games.stichtag.constants import RED
from stichwerk.games.stichtag.sentence import Sentence
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.texts import texts_of


class TrumpDrawn(BaseEvent, frozen=True, tag="trump"):
    """The trump colour of the round was drawn.

    `move`: the letter of the colour
    """

    listed_after = "hand"

    move: str


class Red0(Sheet):
    """Trump of the round: a drawn trump-colour card."""

    name = "red 0"
    replaces = ("trump",)
    extends = ("deal",)
    origin = "own"
    emits = (TrumpDrawn,)
    specials = ("trump",)
    title, symbol_name, short, long, notes = texts_of("red_0")

    def reserve(self, area: Area) -> None:
        """Reserve the drawn colour."""
        self.drawn = area.number("trump", RED)

    def draw(self, state: State, generator: Generator) -> None:
        """One of the six trump-colour cards is drawn openly."""
        state.numbers[self.drawn] = generator.below(6)

    def trump(self, state: State) -> int:
        """The drawn colour."""
        return state.numbers[self.drawn]

    # -- At the table ------------------------------------------------------------------------------

    def opening_events(self, state: State) -> list[Event]:
        """Show the drawn colour to all."""
        return [TrumpDrawn(LETTERS[state.numbers[self.drawn]])]

    @classmethod
    def narrate(cls, event: Any, reader: int | None) -> Sentence | None:
        """Name the trump colour of the round."""
        return Sentence("trump-drawn", facts={"trump": event.move})

    def learn(self, state: State, event: Event) -> bool:
        """Learn the drawn colour."""
        if type(event) is not TrumpDrawn:
            return False
        state.numbers[self.drawn] = LETTERS.index(event.move)
        return True

    @classmethod
    def draw_special(cls, stream: Any, seats: int) -> Any:
        """Draw one of the six colours."""
        return LETTERS[stream.below(len(LETTERS))]

    @classmethod
    def special_draws(cls, seats: int) -> list[Any]:
        """Return the six colours."""
        return list(LETTERS)

    def is_special(self, value: Any) -> bool:
        """Return whether this is one of the six colours."""
        return isinstance(value, str) and len(value) == 1 and value in LETTERS

    def place_special(self, state: State, value: Any) -> None:
        """Place the drawn colour of a record."""
        state.numbers[self.drawn] = LETTERS.index(value)
