"""`Prospects`: a seat's chance to win the match, from the totals and the rounds that are left.

The further ahead a seat is, measured in spreads of what is still to be played, the surer it wins:
the chances are as e ** (sharpness * points / (spread * root of the rounds left)). After the last
round that is the result itself. How sharp, and how fast a match nears its target, was learned from
matches (`bots/prospects.py`).
"""

from stichwerk.engine.machine import Real
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Tactics

SQUARINGS = 10  # e ** x is (1 + x / 1024) ** 1024: the same digits on every machine
POWER = 1024.0
LOWEST = -40.0  # less makes no difference
SOONEST = 1.0  # a match that has not reached its target takes at least another round


class Prospects:
    """The model for one game and number of seats. Immutable but for the rounds that are left."""

    def __init__(self, tactics: Tactics, sharpness: float, pace: float, spread: float) -> None:
        self.tactics = tactics
        self.sharpness = sharpness / spread  # for each point
        self.pace = pace * spread  # points by which the best total grows in a round
        self.rounds_left = 0.0  # after this round, at most

    def ahead(self, rounds_left: int) -> None:
        """Set how many rounds can follow this one."""
        self.rounds_left = rounds_left

    def chance(self, state: State, seat: int, gain: float, unplayed: float) -> float:
        """Return the seat's chance to win the match.

        `gain`: what it is expected to get beside the points of the state; `unplayed`: the share of
        this round that is still to come.
        """
        parties = self.tactics.parties()
        if parties == 0:
            return 0.0
        left = unplayed + self.left(state)
        if left <= 0.0:
            return self.result(state, seat, parties)
        scale = self.sharpness / Real.root(left)
        own = self.tactics.standing(state, seat) + gain
        best = own
        for other in range(parties):
            if other != seat % parties:
                best = max(best, self.tactics.standing(state, other))
        weight = self.power(scale * (own - best))
        total = weight
        for other in range(parties):
            if other != seat % parties:
                total += self.power(scale * (self.tactics.standing(state, other) - best))
        return weight / total

    def result(self, state: State, seat: int, parties: int) -> float:
        """Return the seat's share of a match that is over."""
        own = self.tactics.standing(state, seat)
        sharing = 1
        for other in range(parties):
            standing = self.tactics.standing(state, other)
            if standing > own:
                return 0.0
            if other != seat % parties and standing == own:
                sharing += 1
        return 1.0 / sharing

    def left(self, state: State) -> float:
        """Return how many rounds will follow this one."""
        missing = self.tactics.missing(state)
        if missing < 0.0:
            return 0.0
        left = missing / self.pace
        if left < SOONEST:
            left = SOONEST
        return left if left < self.rounds_left else self.rounds_left

    def power(self, number: float) -> float:
        """Return e to the power of a number, which is 0 or less, nearly."""
        if number < LOWEST:
            number = LOWEST
        found = 1.0 + number / POWER
        for _ in range(SQUARINGS):
            found *= found
        return found

    # -- For callers in Python ---------------------------------------------------------------------

    def share(self, state: State, seat: int) -> float:
        """Call `chance` from Python, after a round."""
        return self.chance(state, seat, 0.0, 0.0)
