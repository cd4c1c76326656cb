"""Searches over what one seat knows: each draws deals that fit and plays them out.

`flat` compares given moves on the same deals and repeatedly drops the worse half. `tree` grows one
tree over all deals (information-set search): a node is the moves made since, in any deal, so a move
is weighed only against how often it was available. Budgets are iterations, never seconds: the same
seed gives the same result on any machine.

A search belongs to one thread; it releases the interpreter lock while it works.
"""

from stichwerk.engine.belief import Belief
from stichwerk.engine.codes import MOVE_LIMIT
from stichwerk.engine.constants import MOST_MOVES
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits, Demand, Lock, Real
from stichwerk.engine.prospects import Prospects
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Numbers, Tactics
from stichwerk.errors import BadGameError

MOST = 192  # moves that can be compared
LONG = 16  # actions in one of them
NODES = 32_768  # nodes of a tree; when all are used, it stops growing
DEEP = 512  # moves on the longest path down a tree
FIRST = 16  # iterations after which the spread of the results is trusted
EXPLORE = 1.25  # how much a tree explores, in spreads of the results
MATCH = 3.0  # the worth of winning the match, in spreads of a round
ROOT_SURE = 0.5  # at the root this share of the weight is spread evenly over all moves
PLAIN = __file__.endswith(".py")  # compiled lists need no allocation


def zeros(count: int) -> list[int]:
    """Return a Python list of zeros."""
    return [0] * count


def real_zeros(count: int) -> list[float]:
    """Return a Python list of floating-point zeros."""
    return [0.0] * count


class Search:
    """The workspace of flat and tree searches with one kind of tactics."""

    def __init__(
        self,
        tactics: Tactics,
        seed: int,
        own: Tactics | None = None,
        second: Tactics | None = None,
        careful: bool = False,
        beyond: Tactics | None = None,
        unit: float = 1.0,
        prospects: Prospects | None = None,
    ) -> None:
        self.tactics = tactics
        self.has_horizon = beyond is not None
        self.beyond = tactics if beyond is None else beyond  # values what is beyond the horizon,
        self.unit = unit  # in this many points
        self.last_round = False  # of a match: then the totals count
        self.has_prospects = prospects is not None  # then they always count
        self.prospects = Prospects(tactics, 0.0, 1.0, 1.0) if prospects is None else prospects
        self.usual = 0.0  # what the net expects of this round
        self.own = tactics if own is None else own  # how the searching seat itself plays on
        self.game = tactics.game
        self.belief = Belief(tactics, second, careful)  # remembers the others' moves, if set
        self.generator = Generator(seed)
        self.table = State()
        self.moves = Moves()
        self.spare = Moves()
        self.weights = Numbers()
        self.values = Numbers()
        self.seat = 0
        self.count = 0
        self.size = 0
        self.depth = 0
        self.endless = False  # a play-out did not end
        self.trials = 0
        self.sum = 0.0
        self.square_sum = 0.0
        if PLAIN:
            self._make_lists()

    def _make_lists(self) -> None:
        """Allocate the arrays that a compiled search has as fields."""
        self.steps = zeros(MOST * LONG)
        self.alive = zeros(MOST)
        self.visits = zeros(NODES)
        self.available = zeros(NODES)
        self.sums = real_zeros(NODES)
        self.squares = real_zeros(NODES)
        self.first_child = zeros(NODES)
        self.sibling = zeros(NODES)
        self.move_of = zeros(NODES)
        self.seat_of = zeros(NODES)
        self.child_of = zeros(MOVE_LIMIT)
        self.path = zeros(DEEP)

    # -- For callers in Python ---------------------------------------------------------------------

    def reseed(self, seed: int) -> None:
        """Restart the random numbers."""
        self.generator = Generator(seed)

    def flat(
        self, known: State, seat: int, moves: list[tuple[int, ...]], iterations: int
    ) -> list[tuple[int, float, float]]:
        """Compare moves, each given as its actions; return (play-outs, mean, sum of squares) for
        each."""
        self.take_in(known, seat)
        if self.has_prospects and self.has_horizon:
            self.expect()
        self.count = len(moves)
        for at, steps in enumerate(moves):
            self.alive[at] = 1
            self.visits[at] = 0
            self.sums[at] = 0.0
            self.squares[at] = 0.0
            for step in range(LONG):
                self.steps[LONG * at + step] = steps[step] if step < len(steps) else -1
        self.run_flat(iterations)
        self.check()
        return [self.result(at) for at in range(self.count)]

    def tree(self, known: State, seat: int, iterations: int) -> dict[int, tuple[int, float, float]]:
        """Search from here; return (visits, mean, sum of squares) for each action tried."""
        self.take_in(known, seat)
        self.run_tree(iterations)
        self.check()
        found = {}
        node = self.first_child[0]
        while node:
            found[self.move_of[node]] = self.result(node)
            node = self.sibling[node]
        return found

    def check(self) -> None:
        """Raise the error that ended a search early."""
        self.tactics.check()
        self.belief.check()
        if self.endless:
            phase = self.game.phases[self.table.phase]
            raise BadGameError(
                "own-game-endless", game=self.game.name, moves=MOST_MOVES, phase=phase
            )

    def take_in(self, known: State, seat: int) -> None:
        """Set the searching seat and what it knows."""
        self.seat = seat
        self.belief.take_in(known, seat)

    def expect(self) -> None:
        """Note what the net expects of this round before the move."""
        self.table.assign(self.belief.known)
        self.usual = self.unit * self.beyond.foresee(
            self.table, self.seat, self.generator, self.spare
        )

    def result(self, at: int) -> tuple[int, float, float]:
        """Return visits, mean and sum of squares of one move or node."""
        visits = self.visits[at]
        mean = self.sums[at] / visits if visits else 0.0
        return visits, mean, self.squares[at]

    # -- Flat: the same deals for all moves, the worse half is dropped -----------------------------

    def run_flat(self, iterations: int) -> None:
        """Search without the interpreter lock."""
        token = Lock.release()
        self.halve(iterations)
        Lock.take(token)

    def halve(self, iterations: int) -> None:
        """Run successive halving: the same number of play-outs for every round of comparison."""
        rounds = 1
        while 1 << rounds < self.count:
            rounds += 1
        left = self.count
        spent = 0
        for number in range(rounds):
            deals = (iterations - spent) // (rounds - number) // left
            if deals < 1:
                deals = 1
            for _ in range(deals):
                self.belief.draw(self.generator)
                if self.belief.stuck or self.endless:
                    return
                for at in range(self.count):
                    if self.alive[at] and not self.endless:
                        self.try_out(at)
            spent += deals * left
            if number + 1 < rounds:
                left = self.drop_worse(left)

    def try_out(self, at: int) -> None:
        """Make a move and play the round out."""
        self.table.assign(self.belief.deal)
        step = LONG * at
        while step < LONG * at + LONG and self.steps[step] >= 0:
            self.game.apply(self.table, self.seat, self.steps[step])
            step += 1
        worth = self.outcome()
        self.visits[at] += 1
        self.sums[at] += worth
        self.squares[at] += worth * worth

    def outcome(self) -> float:
        """Return what the position is worth to the searching seat.

        It is played to the end, if the others play as expected in this deal. Among strangers that
        would only add up errors, so it is played to the seat's next decision and valued there. In
        the last round it is always played to the end: what is beyond the horizon knows no totals.
        """
        if self.has_prospects:
            return self.match_outcome()
        if self.has_horizon and not self.last_round and not self.belief.predicts_all():
            return self.foreseen()
        self.play_out()
        worth = self.tactics.worth(self.table, self.seat)
        if self.last_round:
            worth += MATCH * self.unit * self.tactics.match_share(self.table, self.seat)
        return worth

    def match_outcome(self) -> float:
        """Return the same, with the chance to win the match after it.

        The net knows no totals. What it hopes for beyond what it hoped for before the move counts
        as points that the seat will have.
        """
        if self.has_horizon and not self.belief.predicts_all():
            worth = self.foreseen()
        else:
            self.play_out()
            worth = self.tactics.worth(self.table, self.seat)
        gain = unplayed = 0.0
        if self.table.owes:
            gain = worth - self.usual
            unplayed = self.table.hand_size[self.seat] / self.game.hand_size
        chance = self.prospects.chance(self.table, self.seat, gain, unplayed)
        return worth + MATCH * self.unit * chance

    def foreseen(self) -> float:
        """Play to the seat's next decision, and return what that is worth."""
        left = MOST_MOVES
        while self.table.owes and left:
            left -= 1
            seat = Bits.lowest(self.table.owes)
            if seat == self.seat:
                return self.unit * self.beyond.foresee(self.table, seat, self.generator, self.spare)
            self.game.apply(self.table, seat, self.expected(seat))
        self.endless = left == 0
        return self.tactics.worth(self.table, self.seat)

    def play_out(self) -> None:
        """Play to the end of the round: the searching seat by its own tactics."""
        left = MOST_MOVES
        while self.table.owes:
            left -= 1
            if left < 0:
                self.endless = True
                return
            seat = Bits.lowest(self.table.owes)
            if seat == self.seat:
                move = self.own.move(self.table, seat, self.generator, self.spare)
            else:
                move = self.expected(seat)
            self.game.apply(self.table, seat, move)

    def expected(self, seat: int) -> int:
        """Return what another seat will do: by the tactics it seems to follow."""
        if self.belief.plays_second[seat]:
            return self.belief.second.move(self.table, seat, self.generator, self.spare)
        return self.tactics.move(self.table, seat, self.generator, self.spare)

    def drop_worse(self, left: int) -> int:
        """Keep the better half; return how many that are."""
        keep = (left + 1) // 2
        while left > keep:
            worst = -1
            for at in range(self.count):
                if self.alive[at] and (worst < 0 or self.mean(at) <= self.mean(worst)):
                    worst = at
            self.alive[worst] = 0
            left -= 1
        return left

    def mean(self, at: int) -> float:
        """Return the mean of a candidate."""
        return self.sums[at] / self.visits[at]

    # -- Tree: one for all deals -------------------------------------------------------------------

    def run_tree(self, iterations: int) -> None:
        """Search without the interpreter lock."""
        token = Lock.release()
        self.size = 0
        self.trials = 0
        self.sum = 0.0
        self.square_sum = 0.0
        self.add_node(0, 0, 0)
        for _ in range(iterations):
            if self.tactics.failed() or self.endless:
                break
            self.belief.draw(self.generator)
            if self.belief.stuck:
                break
            self.table.assign(self.belief.deal)
            self.descend()
            self.evaluate()
            self.climb()
        Lock.take(token)

    def add_node(self, parent: int, move: int, seat: int) -> int:
        """Add a node for a move at its parent."""
        node = self.size
        self.size += 1
        self.visits[node] = 0
        self.available[node] = 0
        self.sums[node] = 0.0
        self.squares[node] = 0.0
        self.first_child[node] = 0
        self.sibling[node] = 0
        self.move_of[node] = move
        self.seat_of[node] = seat
        if node:
            self.sibling[node] = self.first_child[parent]
            self.first_child[parent] = node
        return node

    def descend(self) -> None:
        """Descend until the tree grows by a node or the round is over.

        Unseen moves of others are not branches of the tree: they follow their tactics.
        """
        node = 0
        self.depth = 1
        self.path[0] = 0
        while self.table.owes and self.depth < DEEP:
            seat = Bits.lowest(self.table.owes)
            if seat != self.seat and self.tactics.hides(self.table):
                self.game.apply(self.table, seat, self.expected(seat))
                continue
            self.game.legal(self.table, seat, self.moves)
            Demand.moves(self.game, self.table, seat, self.moves.size)
            known = self.size
            node = self.step_down(node, seat)
            if node == 0:
                return
            self.path[self.depth] = node
            self.depth += 1
            if self.size > known:
                return

    def step_down(self, node: int, seat: int) -> int:
        """Choose one of the listed moves, make it, and go to its node; 0 if there is no room."""
        self.tactics.weigh(self.table, seat, self.generator, self.moves, self.spare, self.weights)
        child = self.first_child[node]
        while child:
            if self.seat_of[child] == seat:
                self.child_of[self.move_of[child]] = child
            child = self.sibling[child]
        at = self.choose(node)
        move = self.moves.items[at]
        found = self.child_of[move]
        self.forget_children(node)
        if found == 0 and self.size < NODES:
            found = self.add_node(node, move, seat)
        self.game.apply(self.table, seat, move)
        return found

    def forget_children(self, node: int) -> None:
        """Clear the lookup of a node's children by their moves."""
        child = self.first_child[node]
        while child:
            self.child_of[self.move_of[child]] = 0
            child = self.sibling[child]

    def choose(self, node: int) -> int:
        """Return the move with the best mean plus an exploration bonus, which depends on its
        weight.

        The bonus counts how often a move was available, not how often its parent was visited. A
        move never tried is assumed to be as good as the mean of those that were.
        """
        tried = 0
        total = 0.0
        for at in range(self.moves.size):
            child = self.child_of[self.moves.items[at]]
            if child:
                self.available[child] += 1
                tried += self.visits[child]
                total += self.sums[child]
        usual = total / tried if tried else 0.0
        bonus = EXPLORE * self.spread()
        best = 0
        most = 0.0
        for at in range(self.moves.size):
            child = self.child_of[self.moves.items[at]]
            visits = 0
            chances = self.visits[node] + 1
            value = usual
            if child:
                visits = self.visits[child]
                chances = self.available[child]
                if visits:
                    value = self.sums[child] / visits
            weight = self.weights.items[at]
            if node == 0:
                weight = ROOT_SURE / self.moves.size + (1.0 - ROOT_SURE) * weight
            value += bonus * weight * Real.root(chances) / (1 + visits)
            if at == 0 or value > most:
                most = value
                best = at
        return best

    def spread(self) -> float:
        """Return the standard deviation of the round values so far."""
        if self.trials < FIRST:
            return 1.0
        mean = self.sum / self.trials
        variance = self.square_sum / self.trials - mean * mean
        return Real.root(variance) if variance > 0.0 else 1.0

    def evaluate(self) -> None:
        """Compute the value of the current position to each seat: judged, or played out."""
        if self.table.owes and self.tactics.judge(self.table, self.values):
            return
        self.play_out()
        for seat in range(self.game.seats):
            self.values.items[seat] = self.tactics.worth(self.table, seat)

    def climb(self) -> None:
        """Add the result to every node on the path, for the seat that chose it."""
        self.visits[0] += 1
        own = self.values.items[self.seat]
        self.trials += 1
        self.sum += own
        self.square_sum += own * own
        for at in range(1, self.depth):
            node = self.path[at]
            worth = self.values.items[self.seat_of[node]]
            self.visits[node] += 1
            self.sums[node] += worth
            self.squares[node] += worth * worth
