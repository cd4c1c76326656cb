"""What moves lead to, on deals that are plausible for one seat.

A search drops moves that look bad; here every move is tried on every deal, so that two moves can be
compared deal by deal, and said what becomes of the trick. Like a search it belongs to one thread,
and plays without the interpreter lock.
"""

from stichwerk.engine.belief import Belief
from stichwerk.engine.constants import MOST_MOVES
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits, Lock
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.search import real_zeros, zeros
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Tactics
from stichwerk.errors import BadGameError

ROOM = 4096  # results that one run can keep
MOST = 192  # moves that can be compared
LONG = 16  # actions in one of them
PLAIN = __file__.endswith(".py")  # compiled lists need no allocation


class Foresight:
    """Tries moves on the deals of a belief: the others play as it expects, the seat by its own
    tactics."""

    def __init__(self, belief: Belief, own: Tactics) -> None:
        self.belief = belief
        self.own = own
        self.tactics = belief.tactics
        self.game = own.game
        self.generator = Generator(0)
        self.table = State()
        self.spare = Moves()
        self.seat = 0
        self.count = 0
        self.done = 0  # tricks complete before the move
        self.endless = False  # a play-out did not end
        if PLAIN:
            self.steps = zeros(MOST * LONG)
            self.found = real_zeros(ROOM)

    # -- For callers in Python ---------------------------------------------------------------------

    def begin(self, known: State, seat: int, seed: int) -> None:
        """Set who thinks, and what that seat knows."""
        self.seat = seat
        self.generator = Generator(seed)
        self.belief.take_in(known, seat)

    def worths(self, moves: list[tuple[int, ...]], deals: int) -> list[list[float]]:
        """Return what the round was worth after each move, deal by deal."""
        self.take_in(moves)
        found: list[list[float]] = [[] for _ in moves]
        while deals > 0:
            part = min(deals, max(1, ROOM // self.count))
            self.run(part)
            self.check()
            for at, worths in enumerate(found):
                worths.extend([self.found[at * part + deal] for deal in range(part)])
            deals -= part
        return found

    def ends(
        self, moves: list[tuple[int, ...]], places: list[int], deals: int
    ) -> list[list[tuple[State, State]]]:
        """Return for each move, deal by deal, the states at the end of its trick and of its round.

        `places` are where their tricks lie if several are open, -1 for the only one.
        """
        self.take_in(moves)
        found: list[list[tuple[State, State]]] = [[] for _ in moves]
        for _ in range(deals):
            self.draw()
            self.check()
            for at in range(self.count):
                self.begin_with(at)
                self.play_on(places[at])
                trick = self.table.copy()
                self.play_on(MOST)
                self.check()
                found[at].append((trick, self.table.copy()))
        return found

    def take_in(self, moves: list[tuple[int, ...]]) -> None:
        """Set the moves, each given as its actions."""
        self.endless = False
        self.count = len(moves)
        for at, steps in enumerate(moves):
            for step in range(LONG):
                self.steps[LONG * at + step] = steps[step] if step < len(steps) else -1

    def draw(self) -> None:
        """Draw the next deal."""
        self.belief.draw(self.generator)

    def check(self) -> None:
        """Raise the error that ended a run early."""
        self.tactics.check()
        self.belief.check()
        if self.endless:
            phase = self.game.phases[self.table.phase]
            raise BadGameError(
                "own-game-endless", game=self.game.name, moves=MOST_MOVES, phase=phase
            )

    # -- Playing -----------------------------------------------------------------------------------

    def run(self, deals: int) -> None:
        """Try all moves on some deals, without the interpreter lock."""
        token = Lock.release()
        for deal in range(deals):
            self.belief.draw(self.generator)
            if self.belief.stuck:
                break
            for at in range(self.count):
                self.begin_with(at)
                self.play_on(MOST)
                self.found[at * deals + deal] = self.tactics.worth(self.table, self.seat)
        Lock.take(token)

    def begin_with(self, at: int) -> None:
        """Put the deal on the table and make a move."""
        self.table.assign(self.belief.deal)
        self.done = self.table.tricks_done
        step = LONG * at
        while step < LONG * at + LONG and self.steps[step] >= 0:
            self.game.apply(self.table, self.seat, self.steps[step])
            step += 1

    def play_on(self, place: int) -> None:
        """Play to the end of a trick: that of a place, -1 for the only one; MOST for the round."""
        left = MOST_MOVES
        while self.table.owes and not self.endless:
            if place < 0 and self.table.tricks_done > self.done:
                return
            if place >= 0 and place < MOST and self.table.trick_size[place] == 0:
                return
            left -= 1
            if left < 0:
                self.endless = True
                return
            self.move()

    def move(self) -> None:
        """Make the next move by the tactics that its seat seems to follow."""
        seat = Bits.lowest(self.table.owes)
        if seat == self.seat:
            move = self.own.move(self.table, seat, self.generator, self.spare)
        elif self.belief.plays_second[seat]:
            move = self.belief.second.move(self.table, seat, self.generator, self.spare)
        else:
            move = self.tactics.move(self.table, seat, self.generator, self.spare)
        self.game.apply(self.table, seat, move)
