"""`Tactics`: how a seat plays without looking ahead, and what a position is worth to it.

Searches use tactics in three ways: `move` plays rounds out, `weigh` says which moves to try first
(a policy), `judge` may evaluate a position without playing it out (a value). This is the baseline,
random play; better tactics for each game are in `bots/tactics/`. A trained network is another
subclass, or two Python functions, see `PolicyTactics`.

Tactics may use what the seat itself can see, never the hidden cards of a state.
"""

from collections.abc import Callable, Sequence
from math import isfinite

from stichwerk.engine.constants import CHOOSE
from stichwerk.engine.events import Move
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits, Caller
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State

NEVER = 1e9  # points that nobody ever gets
SURE = 0.5  # share of the weight for the move that the tactics choose
PLAIN = __file__.endswith(".py")  # compiled lists need no allocation


class Numbers:
    """A number for each move of a list, or for each seat."""

    def __init__(self) -> None:
        if PLAIN:
            self.items = [0.0] * 192

    def listed(self, size: int) -> list[float]:
        """Return the first numbers as a Python list."""
        return [self.items[at] for at in range(size)]

    def put(self, numbers: list[float]) -> None:
        """Set the numbers from a Python list."""
        for at, number in enumerate(numbers):
            self.items[at] = number


class Tactics:
    """Random play, for any game. Immutable, so it can be shared freely."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.victory = 0.0  # the value of being the best of a round, in points

    def move(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """Return what the seat does now; `moves` is a buffer for listing moves."""
        return self.game.random_move(state, seat, generator, moves)

    def play_out(self, state: State, generator: Generator, moves: Moves) -> int:
        """Play to the end of the round; return the number of moves made."""
        made = 0
        while state.owes:
            seat = Bits.lowest(state.owes)
            self.game.apply(state, seat, self.move(state, seat, generator, moves))
            made += 1
        return made

    def worth(self, state: State, seat: int) -> float:
        """Return what a finished round is worth to the seat.

        The seat's points above the mean of the others, plus a bonus for being the best of all,
        since any lead wins.
        """
        total = 0.0
        best = state.points[0]
        sharing = 0
        for other in range(self.game.seats):
            total += state.points[other]
            if state.points[other] > best:
                best = state.points[other]
                sharing = 0
            if state.points[other] == best:
                sharing += 1
        own = state.points[seat]
        gap = own - (total - own) / (self.game.seats - 1)
        if own == best:
            gap += self.victory / sharing
        return gap

    def match_share(self, state: State, seat: int) -> float:
        """Return the seat's share of winning the match, if this round was its last."""
        best = state.totals[0] + state.points[0]
        sharing = 0
        for other in range(self.game.seats):
            total = state.totals[other] + state.points[other]
            if total > best:
                best = total
                sharing = 0
            if total == best:
                sharing += 1
        return 1.0 / sharing if state.totals[seat] + state.points[seat] == best else 0.0

    def parties(self) -> int:
        """Return how many seats or teams compete for the match; 0 if not by their totals alone.

        Seats of one remainder are a team.
        """
        return self.game.seats

    def standing(self, state: State, seat: int) -> float:
        """Return what seats or teams are compared by at the end of a match, larger is better."""
        return state.totals[seat] + state.points[seat]

    def missing(self, state: State) -> float:
        """Return how many points are missing until the match ends: fewer than 0 if it is over."""
        return NEVER

    def hides(self, state: State) -> bool:
        """Return whether the others see only later what is done now."""
        return state.phase == CHOOSE

    def countable(self, state: State) -> bool:
        """Return whether all deals that fit can be listed by placing the unseen cards one by
        one."""
        return True

    def more_is_hidden(self, state: State) -> bool:
        """Return whether something besides cards is hidden."""
        return False

    def surprised(
        self, state: State, seat: int, move: int, generator: Generator, moves: Moves
    ) -> bool:
        """Return whether these tactics would have moved otherwise here."""
        return self.move(state, seat, generator, moves) != move

    # -- Policy and value for searches -------------------------------------------------------------

    def weigh(
        self,
        state: State,
        seat: int,
        generator: Generator,
        moves: Moves,
        spare: Moves,
        weights: Numbers,
    ) -> None:
        """Weight each of the listed moves, 1 in total; the choice of the tactics weighs most.

        `spare` is a buffer for another list of moves.
        """
        own = self.move(state, seat, generator, spare)
        for at in range(moves.size):
            weights.items[at] = (1.0 - SURE) / moves.size
            if moves.items[at] == own:
                weights.items[at] += SURE

    def judge(self, state: State, values: Numbers) -> bool:
        """Compute the value of the position to every seat, or return False if it must be played
        out."""
        return False

    def foresee(self, state: State, seat: int, generator: Generator, moves: Moves) -> float:
        """Return what the position is worth to a seat that owes a move, without playing it out.

        For tactics that value what is beyond the horizon of a search, in units of their own.
        """
        return 0.0

    def failed(self) -> bool:
        """Return whether something went wrong that `check` will raise: a search need not go on."""
        return False

    # -- For callers in Python ---------------------------------------------------------------------

    def pick(self, state: State, seat: int, generator: Generator) -> int:
        """Call `move` from Python."""
        return self.move(state, seat, generator, Moves())

    def value(self, state: State, seat: int) -> float:
        """Call `worth` from Python."""
        return self.worth(state, seat)

    def shortlist(self, state: State, seat: int, moves: list[Move]) -> list[Move]:
        """Return the moves worth a search, where there are too many to search them all."""
        return moves

    def check(self) -> None:
        """Raise what went wrong while a search called Python."""


Policy = Callable[[State, int, list[int]], list[float]]
Value = Callable[[State], list[float]]


def checked_weights(answer: Sequence[float], moves: int) -> list[float]:
    """Return the weights of a policy, if they can guide a tree."""
    weights = [float(weight) for weight in answer]
    if len(weights) != moves:
        raise ValueError(f"a policy gave {len(weights)} weights for {moves} moves")
    for weight in weights:
        if not (isfinite(weight) and weight >= 0):
            raise ValueError(f"a policy gave the weight {weight}; weights are finite, 0 or more")
    return weights


def checked_values(answer: Sequence[float], seats: int) -> list[float]:
    """Return the values of a value function, if there is one for each seat."""
    values = [float(value) for value in answer]
    if len(values) != seats:
        raise ValueError(f"a value gave {len(values)} numbers for {seats} seats")
    for value in values:
        if not isfinite(value):
            raise ValueError(f"a value gave {value} for a seat; values are finite")
    return values


class PolicyTactics(Tactics):
    """Tactics with a policy and a value written in Python: the place for a trained network.

    `policy(state, seat, moves)` returns a weight for each move, `value(state)` what the position is
    worth to each seat. The other tactics provide what is left out, and the play-outs. A search
    takes the interpreter lock for each call, so this costs what the functions cost. An exception in
    them, or a ValueError for a wrong result, ends the search and is raised from it.
    """

    def __init__(
        self, base: Tactics, policy: Policy | None = None, value: Value | None = None
    ) -> None:
        Tactics.__init__(self, base.game)
        self.base = base
        self.has_policy = policy is not None
        self.has_value = value is not None
        self.policy = Caller(self._ask_policy)
        self.judgement = Caller(self._ask_value)
        self.functions = (policy, value)
        self.broken = False

    def _ask_policy(self, state: State, seat: int, moves: Moves, weights: Numbers) -> None:
        policy, listed = self.functions[0], moves.listed()
        try:
            weights.put(checked_weights(policy(state, seat, listed) if policy else [], len(listed)))
        except BaseException:
            self.broken = True
            raise

    def _ask_value(self, state: State, seat: int, moves: Moves, values: Numbers) -> None:
        value = self.functions[1]
        try:
            values.put(checked_values(value(state) if value else [], self.game.seats))
        except BaseException:
            self.broken = True
            raise

    def move(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """Move as the other tactics do."""
        return self.base.move(state, seat, generator, moves)

    def worth(self, state: State, seat: int) -> float:
        """Evaluate as the other tactics do."""
        return self.base.worth(state, seat)

    def match_share(self, state: State, seat: int) -> float:
        """Evaluate a match as the other tactics do."""
        return self.base.match_share(state, seat)

    def parties(self) -> int:
        """Answer as the other tactics do."""
        return self.base.parties()

    def standing(self, state: State, seat: int) -> float:
        """Evaluate a match as the other tactics do."""
        return self.base.standing(state, seat)

    def missing(self, state: State) -> float:
        """Answer as the other tactics do."""
        return self.base.missing(state)

    def hides(self, state: State) -> bool:
        """Answer as the other tactics do."""
        return self.base.hides(state)

    def countable(self, state: State) -> bool:
        """Answer as the other tactics do."""
        return self.base.countable(state)

    def more_is_hidden(self, state: State) -> bool:
        """Answer as the other tactics do."""
        return self.base.more_is_hidden(state)

    def weigh(
        self,
        state: State,
        seat: int,
        generator: Generator,
        moves: Moves,
        spare: Moves,
        weights: Numbers,
    ) -> None:
        """Ask the policy."""
        if self.has_policy:
            self.policy.call(state, seat, moves, weights)
        else:
            self.base.weigh(state, seat, generator, moves, spare, weights)

    def judge(self, state: State, values: Numbers) -> bool:
        """Ask the value function."""
        if self.has_value:
            self.judgement.call(state, 0, None, values)
        return self.has_value

    def failed(self) -> bool:
        """Return whether a function has raised something or returned nonsense."""
        return self.broken

    def check(self) -> None:
        """Raise what the functions raised."""
        self.broken = False
        self.policy.check()
        self.judgement.check()
