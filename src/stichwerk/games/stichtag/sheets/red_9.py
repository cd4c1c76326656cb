"""The sheet red 9."""

from stichwerk.engine.state import State
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.texts import texts_of


class Red9(Sheet):
    """Upside down: the lowest number wins in the led colour, the highest among trumps."""

    name = "red 9"
    replaces = ("low",)
    origin = "own"
    trumps_apart = True
    title, symbol_name, short, long, notes = texts_of("red_9")

    def lowest_wins(self, state: State) -> bool:
        """Always in the colours."""
        return True

    def lowest_trump_wins(self, state: State) -> bool:
        """Never: trumps stay as they are."""
        return False


class Red9V1(Red9):
    """In version 1 of the rules the lowest trump wins too."""

    trumps_apart = False
    title, symbol_name, short, long, notes = texts_of("red_9", version=1)

    def lowest_trump_wins(self, state: State) -> bool:
        """Always."""
        return True
