"""A custom sheet in Python, in place of our May, with a rule that none of our sheets has."""

from stichwerk.engine.state import State
from stichwerk.games.stichtag.sheet import Sheet


class Rainbow(Sheet):
    """An odd number of rainbows is worth 3 points; after one the winner's left neighbour leads."""

    name = "May"
    replaces = ("lead",)
    extends = ("points",)
    values = (0, 5)
    origin = "own"
    title = ("Regenbogen", "Rainbow")
    symbol_name = ("Regenbogen", "rainbow")
    short = (
        "Eine ungerade Zahl Regenbögen bringt 3 Punkte. Nach einem Regenbogen spielt aus, wer "
        "links von der Person sitzt, die den Stich nimmt.",
        "An odd number of rainbows is 3 points. After a rainbow the left neighbour of the winner "
        "leads.",
    )
    long = (
        "Hast du am Ende der Runde eine ungerade Zahl Regenbögen in deinen Stichen, bekommst du 3 "
        "Punkte dazu; eine gerade Zahl bringt nichts. Nach einem Stich, in dem ein Regenbogen "
        "liegt, spielt aus, wer links von der Person sitzt, die ihn nimmt.",
        "If you have an odd number of rainbows in your tricks at the end of the round, you get 3 "
        "more points; an even number brings nothing. After a trick with a rainbow in it the left "
        "neighbour of the player who takes it leads.",
    )

    def own_points(self, state: State, seat: int) -> int:
        """Return 3 for an odd number."""
        return 3 * (self.won_symbols(state, seat) % 2)

    def leader(self, state: State, winner: int) -> int:
        """Return the winner's left neighbour after a rainbow, otherwise the winner."""
        return (winner + 1) % self.seats if self.symbols(state) else winner
