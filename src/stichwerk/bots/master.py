"""A search and a trained net that decide together.

The net knows how good moves usually are. Play-outs by tactics pay where the others play by those
tactics. So the less the search understands the others, the more the net counts.
"""

from collections.abc import Sequence
from typing import Any

from stichwerk.bots import nets
from stichwerk.bots.position import Position, generator_for
from stichwerk.bots.search import Result, SearchBot
from stichwerk.bots.tactics import tactics_of
from stichwerk.engine.events import Move

ITERATIONS = 400
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


def master(seed: int, iterations: int = ITERATIONS) -> MasterBot:
    """Return the strongest bot that takes about a hundredth of a second."""
    return MasterBot(
        seed, name="master", iterations=iterations, effort=4, careful=True, endgames=False
    )
