"""What another move would lead to, from play-outs of it and the best move on the same deals.

Nothing here is certain, so every sentence speaks of how often and about how many points. Effects on
the trick that the moves belong to come first; what shows only later comes last.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from statistics import fmean

from stichwerk.bots.advice import AdviceReason, Alternative
from stichwerk.bots.position import Position
from stichwerk.engine.constants import PLAY
from stichwerk.engine.events import Move
from stichwerk.engine.state import State
from stichwerk.locale.precision import rounded

OFTEN = 0.15  # difference between two chances that is worth a word
HALF = 0.5  # points that are worth a word

Ends = Sequence[tuple[State, State]]


class Consequences:
    """What became of a move: states at the end of its trick and of its round, deal by deal."""

    def __init__(self, position: Position, move: Move, ends: Ends) -> None:
        self.position = position
        self.rules = position.rules
        self.seat = position.seat
        self.move = move
        self.tricks = [trick for trick, _ in ends]
        self.rounds = [end for _, end in ends]

    @property
    def is_play(self) -> bool:
        """Return whether a card was played."""
        return self.position.known.phase == PLAY

    @cached_property
    def taken(self) -> list[State]:
        """Return the ends of the trick in which the seat took it."""
        return [trick for trick in self.tricks if trick.last_winner == self.seat]

    @property
    def takes(self) -> float:
        """Return how often the seat takes the trick."""
        return len(self.taken) / len(self.tricks)

    @cached_property
    def before(self) -> list[int]:
        """Return what the round would count before the move."""
        return self.rules.points_now(self.position.known)

    def gain(self, trick: State) -> int:
        """Return what a trick brought the seat."""
        return self.rules.points_now(trick)[self.seat] - self.before[self.seat]

    def gain_of_others(self, trick: State) -> float:
        """Return what a trick brought each of the others on average."""
        now = self.rules.points_now(trick)
        others = [seat for seat in range(self.rules.seats) if seat != self.seat]
        return fmean(now[seat] - self.before[seat] for seat in others)

    def mean(self, gain: Callable[[State], float], tricks: Sequence[State] | None = None) -> float:
        """Return the mean over all ends of the trick, or some of them; 0 of none."""
        chosen = self.tricks if tricks is None else tricks
        return fmean(map(gain, chosen)) if chosen else 0.0


def general(
    best: Consequences, other: Consequences, gap: Alternative | None
) -> AdviceReason | None:
    """Say what holds in any game: who gets the trick, and what that is worth in the end."""
    if gap is None or gap.behind is None:
        return None
    facts: dict[str, object] = {"move": other.move.text}
    about = {"about": rounded(gap.behind, gap.behind_error or 0.0)}
    if not other.is_play:
        return AdviceReason("advice-other-choice", facts | about)
    if other.takes - best.takes >= OFTEN:
        return AdviceReason("advice-other-takes", facts | chance(other.takes) | about)
    if best.takes - other.takes >= OFTEN:
        return AdviceReason("advice-other-misses", facts | chance(1 - other.takes) | about)
    return AdviceReason("advice-other-later", facts | about)


def by_points(
    best: Consequences, other: Consequences, gap: Alternative | None
) -> AdviceReason | None:
    """Say what the trick itself brings, where its points are the seat's at once."""
    if not other.is_play:
        return general(best, other, gap)
    own = best.mean(best.gain) - other.mean(other.gain)
    theirs = other.mean(other.gain_of_others) - best.mean(best.gain_of_others)
    if own >= max(HALF, theirs):
        return own_trick(best, other) or general(best, other, gap)
    if theirs >= HALF:
        facts = {"move": other.move.text, "about": whole(theirs * (other.rules.seats - 1))}
        return AdviceReason("advice-other-helps", facts)
    return general(best, other, gap)


def own_trick(best: Consequences, other: Consequences) -> AdviceReason | None:
    """Say what the seat would take, or miss, in this trick."""
    facts: dict[str, object] = {"move": other.move.text}
    if other.takes >= OFTEN:
        cost = -other.mean(other.gain, other.taken)
        if cost >= HALF:
            facts |= chance(other.takes) | {"about": whole(cost)}
            return AdviceReason("advice-other-costs", facts)
    if best.takes - other.takes >= OFTEN:
        missed = best.mean(best.gain, best.taken)
        if missed >= HALF:
            facts |= chance(1 - other.takes) | {"about": whole(missed)}
            return AdviceReason("advice-other-leaves", facts)
    return None


def chance(share: float) -> dict[str, object]:
    """Return how often something happens, as a fact."""
    return {"chance": round(share, 2)}


def whole(points: float) -> float:
    """Return points of one trick as a fact: whole, or a half."""
    return float(round(points)) if points >= 1 else HALF
