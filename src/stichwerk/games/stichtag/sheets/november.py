"""The sheet November."""

from stichwerk.engine.area import Area
from stichwerk.engine.constants import SEATS
from stichwerk.engine.state import State
from stichwerk.games.stichtag.seat_facts import facts_of
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.texts import drawing_of, texts_of


class November(Sheet):
    """Lantern: a point for the seat that played it, if another wins the trick."""

    name = "November"
    extends = ("after", "points")
    values = (3,)
    origin = "own"
    tally = "tally-lanterns"
    title, symbol_name, short, long, notes = texts_of("november")
    drawing = drawing_of("november")
    facts = facts_of("november")

    def reserve(self, area: Area) -> None:
        """Reserve the lanterns of each seat that others won."""
        self.lanterns = area.number("lanterns", 0, count=SEATS)

    def after_trick(self, state: State, winner: int) -> None:
        """Each lantern card counts for the seat that gave it away."""
        for play in range(state.trick_size[0]):
            seat = state.trick_seat[play]
            if seat != winner:
                state.numbers[self.lanterns + seat] += self.symbols_of(state, play)

    def own_points(self, state: State, seat: int) -> int:
        """The lanterns that others won."""
        return state.numbers[self.lanterns + seat]

    def given_points(self, state: State, play: int) -> int:
        """Return its lanterns."""
        return self.symbols_of(state, play)

    def table(self, state: State) -> dict[str, object]:
        """Return the lanterns of each seat that others won."""
        return {"lanterns": [self.own_points(state, seat) for seat in range(self.seats)]}

    def tally_count(self, state: State, seat: int) -> int:
        """The lanterns that others won."""
        return state.numbers[self.lanterns + seat]
