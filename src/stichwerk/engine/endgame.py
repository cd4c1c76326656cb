"""Exact endgames: with few cards left, every deal that fits is solved.

A deal with open cards is solved by max^n: each seat makes the move that is worth most to itself;
among equals the first one listed. With hidden cards all deals that fit are solved with equal
weight, and a move is worth the mean. The work is bounded by a number of positions, never by a
clock: if all deals would take more, as many as possible are drawn at random; if those would be too
few to be meaningful, there is no result.
"""

from stichwerk.engine.constants import NONE
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits, Demand, Lock
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Tactics

DEEPEST = 96  # plies of look-ahead
HOLDERS = 14  # hands, cards set aside, and the stock
ENOUGH = 40  # random deals for a meaningful result
PILOTS = 4  # deals solved to estimate the cost of one
MOST_DEALS = 2_000  # more add nothing
MANY = 1_000_000_000  # too many deals to enumerate
PLAIN = __file__.endswith(".py")  # compiled lists need no allocation


class Budget:
    """The number of positions that may still be visited, shared by all levels."""

    def __init__(self) -> None:
        self.left = 0


class Level:
    """One ply of a solution: the position, its moves, and its value to each seat."""

    def __init__(self, deeper: int) -> None:
        self.state = State()
        self.moves = Moves()
        if deeper:
            self.below = Level(deeper - 1)
        if PLAIN:
            self.values = [0.0] * 6

    def solve(self, game: Game, tactics: Tactics, budget: Budget) -> None:
        """Compute the values of this position under perfect play; meaningless once the budget is
        spent."""
        self.pass_forced(game)
        budget.left -= 1
        if self.state.owes == 0:
            for seat in range(game.seats):
                self.values[seat] = tactics.worth(self.state, seat)
            return
        seat = Bits.lowest(self.state.owes)
        for at in range(self.moves.size):
            if budget.left < 0:
                return
            self.below.state.assign(self.state)
            game.apply(self.below.state, seat, self.moves.items[at])
            self.below.solve(game, tactics, budget)
            if at == 0 or self.below.values[seat] > self.values[seat]:
                for other in range(game.seats):
                    self.values[other] = self.below.values[other]

    def pass_forced(self, game: Game) -> None:
        """Make forced moves; then list the moves to choose from."""
        while self.state.owes:
            seat = Bits.lowest(self.state.owes)
            game.legal(self.state, seat, self.moves)
            Demand.moves(game, self.state, seat, self.moves.size)
            if self.moves.size > 1:
                return
            game.apply(self.state, seat, self.moves.items[0])


class Endgame:
    """The workspace for exact endgames with one kind of tactics, which only evaluate results.

    Belongs to one thread, and releases the interpreter lock while it works.
    """

    def __init__(self, tactics: Tactics, seed: int) -> None:
        self.tactics = tactics
        self.game = tactics.game
        self.generator = Generator(seed)
        self.spare = Moves()
        self.moves = Moves()
        self.known = State()
        self.deal = State()
        self.top = Level(DEEPEST)
        self.budget = Budget()
        self.seat = 0
        self.deals = 0
        self.stuck = False  # no deal fits what is known
        self.unseen_size = 0
        if PLAIN:
            self.sums = [0.0] * 192
            self.squares = [0.0] * 192
            self.unseen = [0] * 96
            self.placed = [0] * 96
            self.room = [0] * 14

    # -- For callers in Python ---------------------------------------------------------------------

    def open_values(self, state: State) -> list[float]:
        """Return the value of a position with open cards to each seat under perfect play."""
        self.top.state.assign(state)
        self.run_open()
        return [self.top.values[seat] for seat in range(self.game.seats)]

    def values(
        self, known: State, seat: int, positions: int
    ) -> dict[int, tuple[int, float, float]]:
        """Return (deals, mean value, sum of squares) for each action of the seat; empty if too
        costly."""
        self.known.assign(known)
        self.known.unknown = 0
        self.seat = seat
        self.game.legal(self.known, seat, self.moves)
        self.run(positions)
        if self.stuck:
            raise self.game.contradiction(self.known, seat)
        if self.deals == 0:
            return {}
        return {
            self.moves.items[at]: (self.deals, self.sums[at] / self.deals, self.squares[at])
            for at in range(self.moves.size)
        }

    def count(self, known: State, seat: int) -> int:
        """Return an upper bound of the number of deals; voids and the like may rule some out."""
        self.known.assign(known)
        self.seat = seat
        self.list_unseen()
        return self.most_deals()

    # -- All deals, or some of them ----------------------------------------------------------------

    def run_open(self) -> None:
        """Solve without the interpreter lock."""
        token = Lock.release()
        self.budget.left = MANY
        self.top.solve(self.game, self.tactics, self.budget)
        Lock.take(token)

    def run(self, positions: int) -> None:
        """Solve without the interpreter lock."""
        token = Lock.release()
        self.stuck = False
        cost = self.pilot(positions)
        self.deals = 0
        if not self.stuck and cost * ENOUGH <= positions:
            self.solve_deals(positions, positions // cost)
        Lock.take(token)

    def pilot(self, positions: int) -> int:
        """Return how many positions a deal takes, estimated from a few of them."""
        self.begin(positions)
        while self.deals < PILOTS and self.budget.left >= 0 and not self.stuck:
            self.draw()
        return 0 if self.stuck else 1 + (positions - self.budget.left) // self.deals

    def begin(self, positions: int) -> None:
        """Reset the counts."""
        self.budget.left = positions
        self.deals = 0
        for at in range(self.moves.size):
            self.sums[at] = 0.0
            self.squares[at] = 0.0

    def solve_deals(self, positions: int, affordable: int) -> None:
        """Solve all deals, or as many as are affordable.

        If more than cards is hidden, such as a choice made in secret, that is drawn at random,
        repeatedly for each deal as long as it is affordable.
        """
        self.list_unseen()
        count = self.most_deals()
        if count > min(affordable, MOST_DEALS) or not self.tactics.countable(self.known):
            self.begin(positions)
            enough = positions // ENOUGH
            while self.deals < MOST_DEALS and self.budget.left > enough and not self.stuck:
                self.draw()
            return
        self.begin(MANY)
        passes = 1
        if self.tactics.more_is_hidden(self.known):
            passes = min(affordable, MOST_DEALS) // count
        for _ in range(passes):
            self.place(0)

    def draw(self) -> None:
        """Solve a random deal."""
        self.deal.assign(self.known)
        if self.game.fill(self.deal, self.seat, self.generator, self.spare):
            self.solve_deal()
        else:
            self.stuck = True

    def list_unseen(self) -> None:
        """List the cards this seat does not see, and how many of them each holder has."""
        self.game.gather_unseen(self.known, self.generator)
        self.game.assign_holders(self.known, self.seat, self.generator)
        self.unseen_size = self.generator.size
        for holder in range(HOLDERS):
            self.room[holder] = 0
        for at in range(self.unseen_size):
            self.unseen[at] = self.generator.cards[at]
            holder = self.generator.holders[at]
            self.room[HOLDERS - 1 if holder == NONE else holder] += 1

    def most_deals(self) -> int:
        """Return in how many ways the unseen cards can be distributed, ignoring voids."""
        ways = 1
        cards = 0
        for holder in range(HOLDERS):
            for at in range(self.room[holder]):
                cards += 1
                ways = ways * cards // (at + 1)
                if ways > MANY:
                    return MANY
        return ways

    def place(self, at: int) -> None:
        """Try every way to place the unseen cards from this one on."""
        if at == self.unseen_size:
            self.hand_out()
            self.solve_deal()
            return
        for slot in range(HOLDERS):
            holder = NONE if slot == HOLDERS - 1 else slot
            if self.room[slot] and self.game.fits(self.known, holder, self.unseen[at]):
                self.room[slot] -= 1
                self.placed[at] = holder
                self.place(at + 1)
                self.room[slot] += 1

    def hand_out(self) -> None:
        """Deal the cards as placed."""
        self.deal.assign(self.known)
        for at in range(self.unseen_size):
            self.game.hand_over(self.deal, self.placed[at], self.unseen[at])
        self.game.fill_choices(self.deal, self.generator, self.spare)

    def solve_deal(self) -> None:
        """Compute the value of each move of the seat in this deal."""
        self.deals += 1
        for at in range(self.moves.size):
            self.top.state.assign(self.deal)
            self.game.apply(self.top.state, self.seat, self.moves.items[at])
            self.top.solve(self.game, self.tactics, self.budget)
            worth = self.top.values[self.seat]
            self.sums[at] += worth
            self.squares[at] += worth * worth
