"""How long bots think, so that the time they take betrays no cards.

A bot with only one legal move answers at once, and one with few answers sooner than one with many.
Shown as it is, that time would tell what it holds. So the pool keeps how long recent thoughts took,
by what everyone at the table can see, and makes the others take as long:

- A forced move keeps its worker for a time drawn from those of free moves in the same position.
- No move is shown sooner after its thought began than nearly all thoughts there take.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator

from stichwerk.view import View

Key = tuple[object, ...]

KEPT = 64  # times of one kind of position
MOST_KINDS = 2000
FEW = 8  # times that say something about their kind
MOST_THOUGHTS = 0.9  # of them are not longer than `usual`, before its margin
MARGIN = 1.25


class ThinkTimes:
    """The seconds that recent free moves took, by bot and public position."""

    def __init__(self) -> None:
        self._recent: OrderedDict[Key, deque[float]] = OrderedDict()

    def note(self, bot: str, view: View, seconds: float) -> None:
        """Keep how long a thought about several moves took."""
        for key in keys(bot, view):
            times = self._recent.setdefault(key, deque(maxlen=KEPT))
            times.append(seconds)
            self._recent.move_to_end(key)
        while len(self._recent) > MOST_KINDS:
            self._recent.popitem(last=False)

    def drawn(self, bot: str, view: View, fraction: Callable[[], float]) -> float:
        """One of the times kept, at random; 0 before there is any."""
        times = self._fitting(bot, view)
        return times[int(fraction() * len(times))] if times else 0.0

    def usual(self, bot: str, view: View) -> float:
        """A time that few thoughts exceed; 0 before there is any."""
        times = sorted(self._fitting(bot, view))
        return MARGIN * times[int(MOST_THOUGHTS * (len(times) - 1))] if times else 0.0

    def _fitting(self, bot: str, view: View) -> list[float]:
        """The times of the narrowest kind of which there are enough."""
        found: list[float] = []
        for key in keys(bot, view):
            found = list(self._recent.get(key, ())) or found
            if len(found) >= FEW:
                break
        return found


def keys(bot: str, view: View) -> Iterator[Key]:
    """Kinds of positions from narrow to wide: by public facts only, never by hands or moves."""
    lying = sum(len(trick.plays) for trick in view.tricks)
    yield bot, view.game, view.seats, view.phase, view.hand_sizes, lying
    yield bot, view.game, view.seats, view.phase, sum(view.hand_sizes)
    yield bot, view.game, view.seats, view.phase
    yield bot, view.game
    yield (bot,)
