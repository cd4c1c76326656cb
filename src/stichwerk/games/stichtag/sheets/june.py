"""The sheet June."""

from stichwerk.engine.state import State
from stichwerk.games.stichtag.seat_facts import facts_of
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.texts import drawing_of, texts_of


class June(Sheet):
    """Flower: each further one is worth more."""

    name = "June"
    extends = ("points",)
    values = (4,)
    origin = "own"
    symbols_help = 1
    tally = "tally-flowers"
    title, symbol_name, short, long, notes = texts_of("june")
    drawing = drawing_of("june")
    facts = facts_of("june")

    def own_points(self, state: State, seat: int) -> int:
        """n flowers are worth n * (n + 1) / 2."""
        flowers = self.won_symbols(state, seat)
        return flowers * (flowers + 1) // 2

    def table(self, state: State) -> dict[str, object]:
        """Return the flowers that each seat has won: they are face up in front of it."""
        return {"flowers": [self.won_symbols(state, seat) for seat in range(self.seats)]}

    def trick_worth(self, state: State, seat: int, left: int) -> float:
        """What the flowers add to those the seat has."""
        symbols = self.symbols(state)
        flowers = self.won_symbols(state, seat)
        return 1.0 + symbols * flowers + symbols * (symbols + 1) * 0.5
