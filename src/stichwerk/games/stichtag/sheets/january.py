"""The sheet January."""

from stichwerk.engine.state import State
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.texts import drawing_of, texts_of


class January(Sheet):
    """Clover: a point for each you won."""

    name = "January"
    extends = ("points",)
    values = (7,)
    origin = "partly"
    symbols_help = 1
    tally = "tally-clovers"
    title, symbol_name, short, long, notes = texts_of("january")
    drawing = drawing_of("january")

    def own_points(self, state: State, seat: int) -> int:
        """One for each clover card."""
        return self.won_symbols(state, seat)

    def trick_worth(self, state: State, seat: int, left: int) -> float:
        """A point for each clover card."""
        return 1.0 + self.symbols(state)
