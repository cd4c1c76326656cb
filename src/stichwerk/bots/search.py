"""Bots that look ahead: flat search, tree search, exact endgames, and choices before the round."""

import importlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from statistics import fmean, variance
from types import ModuleType
from typing import Any, TypeVar

from stichwerk.bots.advice import Advice, Alternative
from stichwerk.bots.position import ODD, Position, generator_for
from stichwerk.bots.tactics import tactics_of
from stichwerk.engine import frame, plain
from stichwerk.engine.constants import PLAY
from stichwerk.engine.events import Move
from stichwerk.engine.frame import Game
from stichwerk.engine.search import Search
from stichwerk.view import View

Result = tuple[int, float, float]  # tries, mean, sum of squares
Found = TypeVar("Found")
FEW = 48  # more moves than these are searched action by action
ENDGAME_CARDS = 3  # from here on deals are solved instead of played out
POSITIONS = 200  # positions an endgame may look at for each iteration of a search
BATCHES = 16  # parts of a measurement, whose spread gives its uncertainty
SECOND = {"full": "small", "small": "full", "none": "none"}  # the second model of a seat
SLOWER = 20  # divides the iterations of uncompiled rules


class SearchBot:
    """Compares its moves by playing many deals that fit what it knows.

    `plays` says how cards are played: by `flat` or `tree` search, or `greedy`; choices are always
    searched. `style` names the tactics that others are expected to play by (see `bots/tactics`)
    until they show that they do not, `effort` how many steps a deal is changed towards a plausible
    one, `careful` whether seats may play by no tactics at all (see `engine/belief`), `endgames`
    whether the last cards are solved, `points` whether only points count, not being the best.
    """

    def __init__(
        self,
        seed: int,
        *,
        name: str = "flat",
        version: int = 1,
        iterations: int = 1000,
        threads: int = 1,
        plays: str = "flat",
        style: str = "full",
        effort: int = 0,
        careful: bool = False,
        endgames: bool = True,
        points: bool = False,
    ) -> None:
        self.name = name
        self.version = version
        self.seed = seed
        self.iterations = iterations
        self.threads = threads
        self.plays = plays
        self.style = style
        self.endgames = endgames
        self.points = points
        self.effort = effort
        self.careful = careful
        self.kept: list[Search] = []

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the work space: every decision starts from its own seed."""
        return {**vars(self), "kept": []}

    def choose(self, view: View) -> str:
        """Return the best move found."""
        position = Position(view, self.style, self.points)
        if len(view.moves) == 1:
            return view.moves[0]
        if self.plays == "greedy" and position.known.phase == PLAY:
            return position.tactical_move(generator_for(position, self.seed)).text
        return self.compare(position)[0][0].text

    def advise(self, view: View, than: str = "") -> Advice:
        """Return the best move found, what the others are worth in points, and why; the reasons
        compare it with the move `than`, or with the one that comes first to mind."""
        from stichwerk.bots import advising  # which needs the bots

        return advising.advise(self, Position(view, self.style, True), than)

    # -- Choosing a search -------------------------------------------------------------------------

    def compare(self, position: Position) -> list[tuple[Move, Result]]:
        """Return the moves with their results, the best first."""
        moves = position.moves()
        if position.known.phase == PLAY and position.rules.steps(position.known) == 1:
            if self.endgames and position.cards_left <= ENDGAME_CARDS:
                found = self.solved(position, moves)
                if found:
                    return found
            if self.plays == "tree":
                return self.grown(position, moves)
        moves = position.tactics.shortlist(position.known, position.seat, moves)
        if len(moves) <= FEW:
            return self.tried(position, moves)
        return self.tried_by_steps(position)

    def tried(self, position: Position, moves: Sequence[Move]) -> list[tuple[Move, Result]]:
        """Run flat search: the best mean among those that stayed to the end."""
        steps = [move.steps for move in moves]

        def work(search: Search, share: int) -> list[Result]:
            return search.flat(position.known, position.seat, steps, share)

        runs = self.run(position, work)
        results = [merged(list(one)) for one in zip(*runs, strict=True)]
        most = max(tries for tries, _, _ in results)
        found = list(zip(moves, results, strict=True))
        return sorted(found, key=lambda one: (2 * one[1][0] < most, -one[1][1]))

    def tried_by_steps(self, position: Position) -> list[tuple[Move, Result]]:
        """Search a move of many actions one action at a time; the tactics do the rest."""
        begun: tuple[int, ...] = ()
        found: list[tuple[Move, Result]] = []
        generator = generator_for(position, self.seed)
        for _ in range(position.rules.steps(position.known)):
            state = position.after(begun)
            actions = position.rules.actions(state, position.seat)
            partial = [Move("", (*begun, action)) for action in actions]
            found = self.tried(position, partial)
            begun = found[0][0].steps
        return [(position.finish_move(move.steps, generator), result) for move, result in found]

    def grown(self, position: Position, moves: Sequence[Move]) -> list[tuple[Move, Result]]:
        """Run tree search: the move visited most."""

        def work(search: Search, share: int) -> dict[int, Result]:
            return search.tree(position.known, position.seat, share)

        runs = self.run(position, work)
        nothing = (0, 0.0, 0.0)
        found = [
            (move, merged([run.get(move.steps[0], nothing) for run in runs])) for move in moves
        ]
        return sorted(found, key=lambda one: (-one[1][0], -one[1][1]))

    def solved(self, position: Position, moves: Sequence[Move]) -> list[tuple[Move, Result]]:
        """Solve the endgame: the best mean over all deals; None if that is too much work."""
        make = part(position.rules, "endgame").Endgame
        endgame = make(position.tactics, position.seed(self.seed))
        values = endgame.values(position.known, position.seat, POSITIONS * self.iterations)
        if not values:
            return []
        found = [(move, values[move.steps[0]]) for move in moves]
        return sorted(found, key=lambda one: -one[1][1])

    # -- The cost of a move ------------------------------------------------------------------------

    def gap(self, view: View, better: str, worse: str) -> tuple[float, float]:
        """Return how much more one move is worth than another, and the standard error of that.

        Both are tried on the same deals: the luck of a deal cancels out of the difference.
        """
        position = Position(view, self.style, self.points)
        moves = {move.text: move for move in position.moves()}
        both = [moves[better], moves[worse]]
        solved = self.solved_gaps(position, both)
        gaps = solved or self.tried_gaps(position, both)
        # A few deals that happen to agree prove nothing: assume one more that differs by a point.
        least = 0.0 if solved else 1 / (BATCHES * self.batch(position) + 1)
        return fmean(gaps), max(sqrt(variance(gaps) / len(gaps)), least)

    def batch(self, position: Position) -> int:
        """Return how many deals each part of a comparison by flat search has."""
        return max(2, self.budget(position.rules) // BATCHES)

    def tried_gaps(self, position: Position, both: Sequence[Move]) -> list[float]:
        """Return the difference of two moves by flat search, in parts."""
        search, steps = self.searches(position)[0], [move.steps for move in both]
        gaps = []
        for _ in range(BATCHES):
            one, other = search.flat(position.known, position.seat, steps, self.batch(position))
            gaps.append(one[1] - other[1])
        return gaps

    def solved_gaps(self, position: Position, both: Sequence[Move]) -> list[float]:
        """Return the same by exact endgames: no spread if all deals are solved; None before."""
        known = position.known
        if not self.endgames or position.cards_left > ENDGAME_CARDS or known.phase != PLAY:
            return []
        make = part(position.rules, "endgame").Endgame
        endgame = make(position.tactics, position.seed(self.seed))
        gaps, budget = [], POSITIONS * self.iterations // BATCHES
        for _ in range(BATCHES):
            values = endgame.values(known, position.seat, budget)
            if not values:
                return []
            gaps.append(values[both[0].steps[0]][1] - values[both[1].steps[0]][1])
        return gaps

    # -- Where the work is done --------------------------------------------------------------------

    def run(self, position: Position, work: Callable[[Search, int], Found]) -> list[Found]:
        """Share the iterations between threads; each has its own random numbers."""
        share = max(1, self.budget(position.rules) // self.threads)
        searches = self.searches(position)
        if self.threads == 1:
            return [work(searches[0], share)]
        with ThreadPoolExecutor(self.threads) as pool:
            return list(pool.map(work, searches, [share] * self.threads))

    def budget(self, rules: Game) -> int:
        """Return the iterations for a decision."""
        return self.iterations // SLOWER if is_slow(rules) else self.iterations

    def searches(self, position: Position) -> list[Search]:
        """Return the work space of each thread, kept from move to move."""
        if not self.kept or self.kept[0].tactics is not position.tactics:
            self.kept = [self.new_search(position) for _ in range(self.threads)]
        trail = position.trail() if self.effort else None
        for thread, search in enumerate(self.kept):
            search.reseed(position.seed(self.seed) + thread * ODD)
            if trail:
                search.belief.remember(*trail, self.effort)
            else:
                search.belief.forget()
        return self.kept

    def new_search(self, position: Position) -> Search:
        """Make a search in which the seat itself plays by full tactics, or as it will really play,
        and the others by one of two models; without tactics all play at random."""
        make: type[Search] = part(position.rules, "search").Search
        own = self.style if self.plays == "greedy" or self.style == "none" else "full"
        own_tactics = tactics_of(position.rules, own, self.points)
        second = tactics_of(position.rules, SECOND[self.style], self.points)
        return make(position.tactics, 0, own_tactics, second, self.careful)


def part(rules: Game, name: str) -> ModuleType:
    """Return a module of the engine, compiled or plain as the rules are."""
    full = f"stichwerk.engine.{name}"
    return importlib.import_module(full) if isinstance(rules, Game) else plain.twin(full)


def is_slow(rules: Game) -> bool:
    """Return whether the rules run uncompiled."""
    return not isinstance(rules, Game) or str(frame.__file__).endswith(".py")


def merged(results: Sequence[Result]) -> Result:
    """Combine what several threads found about one move."""
    tries = sum(one[0] for one in results)
    total = sum(one[0] * one[1] for one in results)
    return tries, total / tries if tries else 0.0, sum(one[2] for one in results)


def alternative(move: Move, result: Result) -> Alternative:
    """Return one move as an alternative of an advice."""
    tries, mean, squares = result
    if not tries:
        return Alternative(move.text)
    variance = max(0.0, squares / tries - mean * mean)
    return Alternative(move.text, mean, sqrt(variance / tries), tries)
