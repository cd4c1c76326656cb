"""The smallest game there is, to change one rule of it at a time."""

from collections.abc import Mapping

import stichwerk
from stichwerk.cards import Deck
from stichwerk.engine.plain import Game
from stichwerk.games import registry
from stichwerk.games.options import Option, Value, starter_option
from stichwerk.match import Setting

DEAL = {
    "starter": 0,
    "hands": [["R1", "Y1"], ["Y2", "G2"], ["R3", "B3"]],
    "stock": ["R2", "R4", "Y3", "Y4", "G1", "G3", "G4", "B1", "B2", "B4"],
}


class Small(Game):
    """Two cards each, any of which may be played; the leader takes the trick."""

    name = "small"
    seat_counts = (2, 3, 4, 5, 6, 7)
    dealt = 2
    cards_used = Deck("RYGB", 1, 4)

    def __init__(self, seats: int, options: Mapping[str, Value]) -> None:
        super().__init__(seats, hand_size=self.dealt, deck=self.cards_used)

    @staticmethod
    def options(seats: int) -> tuple[Option, ...]:
        """Return who starts."""
        return (starter_option(seats),)


def small(seats: int = 3, **changes: object) -> Setting:
    """Return a changed game, registered in place of the original."""
    registry.GAMES["small"] = type("Small", (Small,), changes)  # type: ignore[assignment]
    registry._build.cache_clear()
    return stichwerk.game("small", seats=seats)
