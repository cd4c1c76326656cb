"""The sheet May."""

from stichwerk.engine.state import State
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.texts import drawing_of, texts_of


class May(Sheet):
    """Bang: the seat that played it leads next."""

    name = "May"
    replaces = ("lead",)
    values = (3,)
    origin = "documented"
    title, symbol_name, short, long, notes = texts_of("may")
    drawing = drawing_of("may")

    def leader(self, state: State, winner: int) -> int:
        """The first who played a bang card, otherwise the winner."""
        for play in range(state.trick_size[0]):
            if self.symbols_of(state, play):
                return state.trick_seat[play]
        return winner
