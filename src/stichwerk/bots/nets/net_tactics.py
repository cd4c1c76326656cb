"""`NetTactics`: play by a trained net. As tactics it also serves searches."""

from stichwerk.bots.nets.features import Features
from stichwerk.bots.nets.inputs import FULL, SMALL
from stichwerk.engine.generator import Generator
from stichwerk.engine.net import Net
from stichwerk.engine.net_format import SCORE_SCALE
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Tactics


class NetTactics(Tactics):
    """Makes the move that its net values most."""

    def __init__(self, net: Net, features: Features, full: Tactics, small: Tactics) -> None:
        Tactics.__init__(self, full.game)
        self.net = net
        self.features = features
        self.full = full
        self.small = small
        self.victory = full.victory

    def move(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """Return the most valuable move; the first one among equals."""
        return self.best_move(state, seat, generator, moves)

    def best_move(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """Return the move with the highest score."""
        facts = [0] * 64
        inputs = [0] * 512
        sums = [0] * 128
        full = self.full.move(state, seat, generator, moves)
        small = self.small.move(state, seat, generator, moves)
        self.game.legal(state, seat, moves)
        if moves.size == 1:
            return moves.items[0]
        self.features.position(state, seat, facts, inputs)
        self.net.begin(inputs, sums)
        best = 0
        found = -1
        for at in range(moves.size):
            inputs[0] = 0
            self.describe(state, seat, moves.items[at], full, small, facts, inputs)
            score = self.net.score(inputs, sums)
            if found < 0 or score > best:
                best = score
                found = at
        return moves.items[found]

    def foresee(self, state: State, seat: int, generator: Generator, moves: Moves) -> float:
        """Return the score of the best move, in spreads of a round."""
        return self.best_score(state, seat, generator, moves) / SCORE_SCALE

    def best_score(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """Return the highest score of a move."""
        facts = [0] * 64
        inputs = [0] * 512
        sums = [0] * 128
        full = self.full.move(state, seat, generator, moves)
        small = self.small.move(state, seat, generator, moves)
        self.game.legal(state, seat, moves)
        self.features.position(state, seat, facts, inputs)
        self.net.begin(inputs, sums)
        best = 0
        for at in range(moves.size):
            inputs[0] = 0
            self.describe(state, seat, moves.items[at], full, small, facts, inputs)
            score = self.net.score(inputs, sums)
            if at == 0 or score > best:
                best = score
        return best

    def describe(
        self,
        state: State,
        seat: int,
        move: int,
        full: int,
        small: int,
        facts: list[int],
        inputs: list[int],
    ) -> None:
        """Turn the inputs of a move on, given what the tactics would do."""
        if move == full:
            self.features.on(inputs, FULL)
        if move == small:
            self.features.on(inputs, SMALL)
        self.features.move(state, seat, move, facts, inputs)

    def record(
        self,
        state: State,
        seat: int,
        move: int,
        generator: Generator,
        moves: Moves,
        inputs: list[int],
    ) -> None:
        """Turn on all inputs of a position and a move in it: what training learns from."""
        facts = [0] * 64
        full = self.full.move(state, seat, generator, moves)
        small = self.small.move(state, seat, generator, moves)
        inputs[0] = 0
        self.features.position(state, seat, facts, inputs)
        self.describe(state, seat, move, full, small, facts, inputs)

    # -- As the tactics of the game ----------------------------------------------------------------

    def worth(self, state: State, seat: int) -> float:
        """Evaluate a round as the tactics of the game do."""
        return self.full.worth(state, seat)

    def match_share(self, state: State, seat: int) -> float:
        """Evaluate a match as the tactics of the game do."""
        return self.full.match_share(state, seat)

    def parties(self) -> int:
        """Answer as the tactics of the game do."""
        return self.full.parties()

    def standing(self, state: State, seat: int) -> float:
        """Evaluate a match as the tactics of the game do."""
        return self.full.standing(state, seat)

    def missing(self, state: State) -> float:
        """Answer as the tactics of the game do."""
        return self.full.missing(state)

    def hides(self, state: State) -> bool:
        """Answer as the tactics of the game do."""
        return self.full.hides(state)

    def countable(self, state: State) -> bool:
        """Answer as the tactics of the game do."""
        return self.full.countable(state)

    def more_is_hidden(self, state: State) -> bool:
        """Answer as the tactics of the game do."""
        return self.full.more_is_hidden(state)

    # -- For callers in Python ---------------------------------------------------------------------

    def scores(self, state: State, seat: int, generator: Generator) -> dict[int, float]:
        """Return what the net thinks of each action of the seat; only differences mean anything."""
        inputs = [0] * 512
        sums = [0] * 128
        found = {}
        for action in self.game.actions(state, seat):
            self.record(state, seat, action, generator, Moves(), inputs)
            self.net.begin(inputs, sums)
            inputs[0] = 0
            found[action] = self.net.score(inputs, sums) / SCORE_SCALE
        return found

    def inputs_of(self, state: State, seat: int, move: int, generator: Generator) -> list[int]:
        """Return the inputs that are on for a move."""
        inputs = [0] * 512
        self.record(state, seat, move, generator, Moves(), inputs)
        return [inputs[at] for at in range(1, inputs[0] + 1)]
