"""The levels people choose from.

Weaker ones err like people: they choose well among the moves they notice, but they overlook some.
Their first version plays any legal move now and then instead; so do they all in a game without a
net.
"""

from typing import TYPE_CHECKING, cast

from stichwerk.bots import nets
from stichwerk.bots.advice import Advice
from stichwerk.bots.greedy import GreedyBot
from stichwerk.bots.master import HorizonBot
from stichwerk.bots.net import NetBot
from stichwerk.bots.position import Position, generator_for
from stichwerk.bots.search import Result, SearchBot
from stichwerk.engine.events import Move
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.games import registry
from stichwerk.games.info import MEDIUM_SLIPS
from stichwerk.view import View

if TYPE_CHECKING:
    from stichwerk.bots.nets.net_tactics import NetTactics

HUNDRED = 100
SLIP = 0x51  # separates the random numbers of slips from those of the search
OVERLOOKED = 0x52  # and those of what is overlooked from both
EXPERT_ITERATIONS = 300

# How many of a hundred moves are slips. One slip costs more in one game than in another, and the
# levels should differ as clearly in each.
EASY = {"": 90}
MEDIUM = {"": MEDIUM_SLIPS} | {
    info.name: info.medium_slips for info in registry.OUR_GAMES if info.medium_slips != MEDIUM_SLIPS
}
NEVER = {"": 0}


# How many of a hundred moves each level notices: so many that at every number of seats one level is
# clearly better than the one below (the part `levels` of the ladder).
EASY_NOTICES, MEDIUM_NOTICES, HARD_NOTICES = 5, 33, 60
NET = "net-1"  # that they judge moves by


class LevelBot:
    """Plays as another bot does, except for slips: then it plays any legal move.

    `slips`: how many of a hundred moves, by game; `""` for all others.
    """

    version = 1

    def __init__(
        self, seed: int, *, name: str, thinks: GreedyBot | SearchBot, slips: dict[str, int]
    ) -> None:
        self.name = name
        self.seed = seed
        self.thinks = thinks
        self.slips = slips

    def choose(self, view: View) -> str:
        """Return the bot's move, or a slip."""
        slips = self.slips.get(view.game, self.slips[""])
        if slips and len(view.moves) > 1:
            generator = generator_for(Position(view), self.seed ^ SLIP)
            if generator.number(HUNDRED) < slips:
                return view.moves[generator.number(len(view.moves))]
        return self.thinks.choose(view)

    def advise(self, view: View) -> Advice:
        """Return the bot's advice, never a slip."""
        return self.thinks.advise(view)


class AttentiveBot:
    """Plays the move that a net values most among those it notices.

    `notices`: how many of a hundred moves. `first`: its first version, which plays where a game has
    no net.
    """

    version = 2

    def __init__(self, seed: int, *, first: LevelBot, notices: int) -> None:
        self.name = first.name
        self.seed = seed
        self.first = first
        self.notices = notices

    def choose(self, view: View) -> str:
        """Return the best move it notices."""
        if not nets.has_net(view.game):
            return self.first.choose(view)
        if len(view.moves) == 1:
            return view.moves[0]
        position = Position(view, NET)
        generator = generator_for(position, self.seed ^ OVERLOOKED)
        state, steps = position.known.copy(), list[int]()
        while len(steps) < position.rules.steps(position.known):
            steps.append(self.action(position, state, generator))
            position.rules.play(state, position.seat, steps[-1])
        return position.rules.move_text(position.known, tuple(steps))

    def action(self, position: Position, state: State, generator: Generator) -> int:
        """Return the best action it notices; it always notices one."""
        actions = position.rules.actions(state, position.seat)
        noticed = [one for one in actions if generator.number(HUNDRED) < self.notices]
        if len(noticed) < 2:
            return noticed[0] if noticed else actions[generator.number(len(actions))]
        scores = cast("NetTactics", position.tactics).scores(state, position.seat, generator)
        return max(noticed, key=scores.__getitem__)

    def advise(self, view: View) -> Advice:
        """Return the advice of its net, which overlooks nothing."""
        if not nets.has_net(view.game):
            return self.first.advise(view)
        return NetBot(self.seed, version=1).advise(view)


class ExpertBot(HorizonBot):
    """Looks ahead with the net of the game; without one, by tactics."""

    def compare(self, position: Position) -> list[tuple[Move, Result]]:
        """Return the moves with their results, the best first."""
        if nets.has_net(position.rules.name):
            return super().compare(position)
        first = looking_ahead(self.seed)
        first.points = self.points
        return first.compare(position)


# -- The levels ------------------------------------------------------------------------------------


def easy(seed: int, *, version: int) -> LevelBot | AttentiveBot:
    """Return a bot that overlooks nearly all moves; its first version slips nearly always."""
    first = LevelBot(seed, name="easy", thinks=GreedyBot(seed, version=1), slips=EASY)
    return first if version == 1 else AttentiveBot(seed, first=first, notices=EASY_NOTICES)


def medium(seed: int, *, version: int) -> LevelBot | AttentiveBot:
    """Return a bot that overlooks every other move; its first version plays by the small tactics,
    with slips."""
    first = LevelBot(seed, name="medium", thinks=GreedyBot(seed, version=1), slips=MEDIUM)
    return first if version == 1 else AttentiveBot(seed, first=first, notices=MEDIUM_NOTICES)


def hard(seed: int, *, version: int) -> LevelBot | AttentiveBot:
    """Return a bot that overlooks few moves; its first version plays by the full tactics."""
    first = LevelBot(seed, name="hard", thinks=GreedyBot(seed, version=2), slips=NEVER)
    return first if version == 1 else AttentiveBot(seed, first=first, notices=HARD_NOTICES)


def expert(seed: int, *, version: int) -> LevelBot | ExpertBot:
    """Return a bot that looks ahead and infers what the others hold."""
    if version == 1:
        return LevelBot(seed, name="expert", thinks=looking_ahead(seed), slips=NEVER)
    return ExpertBot(
        seed,
        name="expert",
        version=2,
        iterations=EXPERT_ITERATIONS,
        effort=4,
        careful=True,
        endgames=False,
    )


def looking_ahead(seed: int) -> SearchBot:
    """Return the search that `expert-1` thinks with."""
    return SearchBot(seed, name="expert", plays="flat", effort=16, endgames=False)
