"""The sheet October."""

from stichwerk.engine.state import State
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.texts import drawing_of, texts_of

UPSIDE_DOWN = 9  # red 9


class October(Sheet):
    """Ghost: the lowest number wins a trick with a ghost."""

    name = "October"
    replaces = ("low",)
    values = (8,)
    origin = "own"
    title, symbol_name, short, long, notes = texts_of("october")
    drawing = drawing_of("october")

    def lowest_wins(self, state: State) -> bool:
        """In a trick with a ghost. Cross-note red 9: they cancel each other out."""
        return (self.symbols(state) != 0) != (self.red_number == UPSIDE_DOWN)
