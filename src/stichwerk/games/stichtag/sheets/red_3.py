"""The sheet red 3."""

from stichwerk.engine.constants import OVER
from stichwerk.engine.state import State
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.texts import cancels_of, texts_of


class Red3(Sheet):
    """Consolation: the last also get what the best has."""

    name = "red 3"
    extends = ("points",)
    origin = "documented"
    lifts_last = True
    tally = "tally-consolation"
    title, symbol_name, short, long, notes = texts_of("red_3")
    cancels = cancels_of("red_3")

    def settle_points(self, state: State) -> None:
        """All with the fewest points also get the best one's; nobody does if all are tied."""
        fewest = state.points[0]
        best = state.points[0]
        for seat in range(1, self.seats):
            fewest = min(fewest, state.points[seat])
            best = max(best, state.points[seat])
        for seat in range(self.seats):
            if fewest < best and state.points[seat] == fewest:
                state.points[seat] += best

    def note_matters(self, state: State, other: str) -> bool:
        """Return whether the round is at its end."""
        return state.phase == OVER
