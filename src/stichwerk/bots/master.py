"""Searches and a trained net that decide together.

The net knows how good moves usually are. Play-outs by tactics pay where the others play by those
tactics. So the less the search understands the others, the more the net counts.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Any

from stichwerk.bots import nets
from stichwerk.bots.position import Position, generator_for
from stichwerk.bots.prospects import prospects_of
from stichwerk.bots.search import SECOND, Result, SearchBot, part
from stichwerk.bots.tactics import tactics_of
from stichwerk.engine.events import Move
from stichwerk.engine.frame import Game
from stichwerk.engine.search import Search
from stichwerk.games import registry

ITERATIONS = {1: 400, 2: 300, 3: 250}  # by version
CLEAR = 2.0  # standard errors by which a move must be better than that of the net
BETTER, FAR_BETTER = 1.0, 6.0  # of master-3: among known tactics, and among strangers
GRAND_ITERATIONS = 10_000
# How much a point of the net counts against a point of the play-outs, where all others are
# understood, and where none is.
UNDERSTOOD, STRANGE = 0.1, 1.5


class MasterBot(SearchBot):
    """Compares its moves by playing many deals that fit what it knows, and by what its net thinks.

    Moves of several actions, such as laying out cards, are the net's alone.
    """

    def compare(self, position: Position) -> list[tuple[Move, Result]]:
        """Return the moves with their results, the best first."""
        if not nets.has_net(position.rules.name):
            return super().compare(position)
        net: Any = tactics_of(position.rules, "net", self.points)
        generator = generator_for(position, self.seed)
        if position.rules.steps(position.known) > 1:
            return [(position.finish_move((), generator, net), (0, 0.0, 0.0))]
        scores = net.scores(position.known, position.seat, generator)
        return self.weighed(position, self.tried(position, position.moves()), scores)

    def weighed(
        self,
        position: Position,
        found: Sequence[tuple[Move, Result]],
        scores: dict[int, float],
    ) -> list[tuple[Move, Result]]:
        """Add what the net thinks to the results of the moves that stayed to the end."""
        known = self.kept[0].belief.understood_share()
        share = STRANGE + (UNDERSTOOD - STRANGE) * known
        points = share * nets.spread_of(position.rules, position.tactics)
        most = max(tries for _, (tries, _, _) in found)

        def worth(one: tuple[Move, Result]) -> tuple[bool, float]:
            move, (tries, mean, _) = one
            return 2 * tries < most, -(mean + points * scores[move.steps[0]])

        return sorted(found, key=worth)


class HorizonBot(SearchBot):
    """Plays deals out where all others play as expected; among strangers it plays each deal to its
    next decision, and its net says what that is worth.

    It deviates from its net only where the difference is significant. In the last round of a match
    it plays all deals out, for the match. Moves of several actions, such as laying out cards, are
    the net's alone.
    """

    def compare(self, position: Position) -> list[tuple[Move, Result]]:
        """Return the moves with their results, the best first."""
        rules = position.rules
        if nets.has_net(rules.name) and rules.steps(position.known) > 1:
            generator = generator_for(position, self.seed)
            net = tactics_of(rules, "net", self.points)
            return [(position.finish_move((), generator, net), (0, 0.0, 0.0))]
        return super().compare(position)

    def tried(self, position: Position, moves: Sequence[Move]) -> list[tuple[Move, Result]]:
        """Run the search, and prefer the move of the net if none is clearly better."""
        found = super().tried(position, moves)
        return found if is_last_round(position) else self.deviating(position, found, CLEAR)

    def deviating(
        self, position: Position, found: list[tuple[Move, Result]], errors: float
    ) -> list[tuple[Move, Result]]:
        """Put the move of the net first, if there is a net and no move is better by so many
        standard errors."""
        if not nets.has_net(position.rules.name):
            return found
        net: Any = tactics_of(position.rules, "net", self.points)
        scores = net.scores(position.known, position.seat, generator_for(position, self.seed))
        usual = max(found, key=lambda one: scores[one[0].steps[0]])
        if is_better(found[0][1], usual[1], errors):
            return found
        return [usual, *(one for one in found if one is not usual)]

    def searches(self, position: Position) -> list[Search]:
        """Return the work space of each thread, told whether the match ends with this round."""
        found = super().searches(position)
        for search in found:
            search.last_round = is_last_round(position)
        return found

    def new_search(self, position: Position) -> Search:
        """Make a search that looks ahead with the net of the game, if there is one."""
        make: type[Search] = part(position.rules, "search").Search
        return make(*self.parts_of(position))

    def parts_of(self, position: Position) -> tuple[Any, ...]:
        """Return what a search consists of."""
        rules = position.rules
        net = tactics_of(rules, "net", self.points) if nets.has_net(rules.name) else None
        return (
            position.tactics,
            0,
            tactics_of(rules, "full", self.points),
            tactics_of(rules, SECOND[self.style], self.points),
            self.careful,
            net,
            nets.spread_of(rules, position.tactics),
        )


class MatchBot(HorizonBot):
    """Plays every round for the match: what a deal leads to counts with the chance to win the match
    after it, see `engine/prospects.py`.

    Where all others play by known tactics, the best move is made; among strangers, whom the search
    does not know well, a move must be far better than that of the net.
    """

    def tried(self, position: Position, moves: Sequence[Move]) -> list[tuple[Move, Result]]:
        """Run the search, and prefer the move of the net among strangers."""
        found = SearchBot.tried(self, position, moves)
        understood = self.kept[0].belief.understood_share() == 1.0
        return self.deviating(position, found, BETTER if understood else FAR_BETTER)

    def budget(self, rules: Game) -> int:
        """Return the play-outs for a decision: fewer in a game in which they are long."""
        share = registry.info_of(rules.name).search_share
        return max(1, round(super().budget(rules) * share))

    def searches(self, position: Position) -> list[Search]:
        """Return the work space of each thread, told how many rounds are left."""
        found = SearchBot.searches(self, position)
        for search in found:
            search.prospects.ahead(position.view.rounds - position.view.round)
        return found

    def parts_of(self, position: Position) -> tuple[Any, ...]:
        """Return what a search consists of, with the chances to win the match."""
        parts = super().parts_of(position)
        return (*parts, prospects_of(position.rules, position.tactics))


def is_last_round(position: Position) -> bool:
    """Return whether the match ends with this round, as far as its rules say so."""
    return position.view.round >= position.view.rounds


def is_better(one: Result, other: Result, errors: float) -> bool:
    """Return whether the means of two moves differ by more than so many standard errors."""
    error = 0.0
    for tries, mean, squares in (one, other):
        error += max(0.0, squares / tries - mean * mean) / tries
    return one[1] - other[1] > errors * sqrt(error)


def master(seed: int, *, version: int, iterations: int = 0) -> SearchBot:
    """Return the strongest bot that takes about a hundredth of a second."""
    make = {1: MasterBot, 2: HorizonBot, 3: MatchBot}[version]
    return make(
        seed,
        name="master",
        version=version,
        iterations=iterations or ITERATIONS[version],
        effort=4,
        careful=True,
        endgames=False,
    )


def grandmaster(seed: int, *, version: int = 1, iterations: int = GRAND_ITERATIONS) -> HorizonBot:
    """Return a bot that plays like master, but takes up to a second."""
    make = HorizonBot if version == 1 else MatchBot
    return make(
        seed,
        name="grandmaster",
        version=version,
        iterations=iterations,
        effort=16,
        careful=True,
        endgames=True,
    )
