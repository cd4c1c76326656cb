"""The sheet red 9."""

from stichwerk.engine.state import State
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.texts import texts_of


class Red9(Sheet):
    """Upside down: the lowest number wins."""

    name = "red 9"
    replaces = ("low",)
    origin = "own"
    title, symbol_name, short, long, notes = texts_of("red_9")

    def lowest_wins(self, state: State) -> bool:
        """Always."""
        return True
