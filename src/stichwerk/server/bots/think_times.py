"""Thinking times that reveal no cards.

A bot with only one legal move answers at once, and one with few moves answers sooner than one with
many. Shown as it is, that time would reveal its hand. So the pool remembers how long recent free
moves took, by what everyone at the table can see, and makes the others take as long:

- A forced move occupies its worker for a time drawn from those of free moves in the same position.
- No move is shown sooner after its start than nearly all moves there take.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator

from stichwerk.view import View

Key = tuple[object, ...]

KEPT = 64  # times of one kind of position
MOST_KINDS = 2000
FEW = 8  # times needed for a kind to be used
MOST_THOUGHTS = 0.9  # are not longer than `usual`, before its margin
MARGIN = 1.25


class ThinkTimes:
    """The seconds that recent free moves took, by bot and public position."""

    def __init__(self) -> None:
        self._recent: OrderedDict[Key, deque[float]] = OrderedDict()

    def note(self, bot: str, view: View, seconds: float) -> None:
        """Remember how long a decision between several moves took."""
        for key in keys(bot, view):
            times = self._recent.setdefault(key, deque(maxlen=KEPT))
            times.append(seconds)
            self._recent.move_to_end(key)
        while len(self._recent) > MOST_KINDS:
            self._recent.popitem(last=False)

    def drawn(self, bot: str, view: View, fraction: Callable[[], float]) -> float:
        """Return one of the remembered times at random; 0 if there is none."""
        times = self._fitting(bot, view)
        return times[int(fraction() * len(times))] if times else 0.0

    def usual(self, bot: str, view: View) -> float:
        """Return a time that few decisions exceed; 0 if there is none."""
        times = sorted(self._fitting(bot, view))
        return MARGIN * times[int(MOST_THOUGHTS * (len(times) - 1))] if times else 0.0

    def _fitting(self, bot: str, view: View) -> list[float]:
        """Return the times of the narrowest kind that has enough of them."""
        found: list[float] = []
        for key in keys(bot, view):
            found = list(self._recent.get(key, ())) or found
            if len(found) >= FEW:
                break
        return found


def keys(bot: str, view: View) -> Iterator[Key]:
    """Yield kinds of positions from narrow to wide: by public facts only, never by hands or
    moves."""
    lying = sum(len(trick.plays) for trick in view.tricks)
    yield bot, view.game, view.seats, view.phase, view.hand_sizes, lying
    yield bot, view.game, view.seats, view.phase, sum(view.hand_sizes)
    yield bot, view.game, view.seats, view.phase
    yield bot, view.game
    yield (bot,)
