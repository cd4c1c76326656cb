"""The sheet October."""

from stichwerk.engine.state import State
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.texts import cancels_of, drawing_of, texts_of

UPSIDE_DOWN = 9  # red 9


class October(Sheet):
    """Ghost: the lowest number wins a trick with a ghost."""

    name = "October"
    replaces = ("low",)
    values = (8,)
    origin = "own"
    trumps_apart = True
    title, symbol_name, short, long, notes = texts_of("october")
    cancels = cancels_of("october")
    drawing = drawing_of("october")

    def lowest_wins(self, state: State) -> bool:
        """In a trick with a ghost. Cross-note red 9: they cancel each other out."""
        return (self.symbols(state) != 0) != (self.red_number == UPSIDE_DOWN)

    def lowest_trump_wins(self, state: State) -> bool:
        """In a trick with a ghost. Cross-note red 9: it leaves trumps as they are, so only the
        ghost turns them round."""
        return self.lowest_wins(state) != (self.red_number == UPSIDE_DOWN)


class OctoberV1(October):
    """In version 1 of the rules red 9 turns trumps round as well."""

    trumps_apart = False
    title, symbol_name, short, long, notes = texts_of("october", version=1)

    def lowest_trump_wins(self, state: State) -> bool:
        """As in the colours."""
        return self.lowest_wins(state)
