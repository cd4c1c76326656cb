# cython: boundscheck=False, wraparound=False
"""Rounds played for training, and what a net can learn from them, compiled.

A learner plays some seats, a rival the others. Each decision of the learner is kept as the inputs
that were on, with what the round was worth to its seat in the end.
"""

from array import array

from stichwerk.bots.nets.inputs import CERTAIN
from stichwerk.bots.nets.net_tactics import NetTactics
from stichwerk.engine.codes import has
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits, Lock
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Tactics

MOST_DECISIONS = 256  # of one round
MOST_KEPT = 256  # inputs of one decision


class SelfPlay:
    """Plays rounds and keeps the decisions of the learner. Belongs to one thread.

    `items` are the inputs that were on, decision after decision, `counts` how many of them belong
    to each, `returns` what its round was worth; `decisions` of them are kept. `results` counts the
    rounds of its seats, `wins` those that were worth most (shared ones by parts), `gain` their
    worth.
    """

    def __init__(self, learner: NetTactics, seed: int, room: int) -> None:
        self.learner = learner
        self.game = learner.game
        self.generator = Generator(seed)
        self.state = State()
        self.moves = Moves()
        self.room = room
        self.items = array("H", bytes(2 * MOST_KEPT * room))
        self.counts = array("i", bytes(4 * room))
        self.seats = array("i", bytes(4 * room))
        self.returns = array("f", bytes(4 * room))
        self.clear()

    def clear(self) -> None:
        """Forget all decisions and results."""
        self.decisions = 0
        self.used = 0
        self.results = 0
        self.wins = 0.0
        self.gain = 0.0

    def has_room(self) -> bool:
        """Return whether there is room for another round."""
        return self.decisions + MOST_DECISIONS <= self.room

    def play(self, rival: Tactics, rivals: int, explore: int, rounds: int) -> int:
        """Play rounds while there is room; return how many.

        `rivals`: seats of the rival, as bits. `explore`: how often the
        learner moves at random, in fractions of CERTAIN.
        """
        token = Lock.release()
        played = 0
        while played < rounds and self.has_room():
            self.play_round(rival, rivals, explore)
            played += 1
        Lock.take(token)
        return played

    def play_round(self, rival: Tactics, rivals: int, explore: int) -> None:
        """Play one round and keep its decisions."""
        self.state.round = 1
        self.state.starter = self.generator.below(self.game.seats)
        self.game.deal(self.state, self.generator)
        first = self.decisions
        while self.state.owes:
            seat = Bits.lowest(self.state.owes)
            if has(rivals, seat):
                move = rival.move(self.state, seat, self.generator, self.moves)
            else:
                move = self.learners_move(seat, explore)
            self.game.apply(self.state, seat, move)
        self.count_results(rivals)
        for at in range(first, self.decisions):
            self.returns[at] = self.learner.full.worth(self.state, self.seats[at])

    def count_results(self, rivals: int) -> None:
        """Count a finished round for each seat of the learner: its part of the win, what it was
        worth."""
        worths = [0.0] * 6
        best = 0.0
        winners = 0
        for seat in range(self.game.seats):
            worths[seat] = self.learner.full.worth(self.state, seat)
            if seat == 0 or worths[seat] > best:
                best = worths[seat]
                winners = 0
            if worths[seat] == best:
                winners += 1
        for seat in range(self.game.seats):
            if not has(rivals, seat):
                self.results += 1
                self.gain += worths[seat]
                if worths[seat] == best:
                    self.wins += 1.0 / winners

    def learners_move(self, seat: int, explore: int) -> int:
        """Choose a move for the learner, and keep the decision if there was one."""
        if self.generator.below(CERTAIN) < explore:
            self.game.legal(self.state, seat, self.moves)
            move = self.moves.items[self.generator.below(self.moves.size)]
        else:
            move = self.learner.move(self.state, seat, self.generator, self.moves)
        if self.moves.size > 1:
            self.keep(seat, move)
        return move

    def keep(self, seat: int, move: int) -> None:
        """Keep a decision."""
        inputs = [0] * 512
        self.learner.record(self.state, seat, move, self.generator, self.moves, inputs)
        count = min(inputs[0], MOST_KEPT)
        for at in range(count):
            self.items[self.used + at] = inputs[at + 1]
        self.used += count
        self.counts[self.decisions] = count
        self.seats[self.decisions] = seat
        self.decisions += 1
