"""The levels people choose from: the same bots, with fewer or more slips."""

from stichwerk.bots.advice import Advice
from stichwerk.bots.greedy import GreedyBot
from stichwerk.bots.position import Position, generator_for
from stichwerk.bots.search import SearchBot
from stichwerk.games import registry
from stichwerk.games.info import MEDIUM_SLIPS
from stichwerk.view import View

HUNDRED = 100
SLIP = 0x51  # separates the random numbers of slips from those of the search

# How many of a hundred moves are slips. One slip costs more in one game than in another, and the
# levels should differ as clearly in each.
EASY = {"": 90}
MEDIUM = {"": MEDIUM_SLIPS} | {
    info.name: info.medium_slips for info in registry.OUR_GAMES if info.medium_slips != MEDIUM_SLIPS
}
NEVER = {"": 0}


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


def easy(seed: int) -> LevelBot:
    """Return a bot by the small tactics that slips nearly always."""
    return LevelBot(seed, name="easy", thinks=GreedyBot(seed, version=1), slips=EASY)


def medium(seed: int) -> LevelBot:
    """Return a bot by the small tactics, with slips."""
    return LevelBot(seed, name="medium", thinks=GreedyBot(seed, version=1), slips=MEDIUM)


def hard(seed: int) -> LevelBot:
    """Return a bot by the full tactics, without slips; it looks no further than the trick."""
    return LevelBot(seed, name="hard", thinks=GreedyBot(seed, version=2), slips=NEVER)


def expert(seed: int) -> LevelBot:
    """Return a bot that looks ahead and infers what the others hold."""
    search = SearchBot(seed, name="expert", plays="flat", effort=16, endgames=False)
    return LevelBot(seed, name="expert", thinks=search, slips=NEVER)
