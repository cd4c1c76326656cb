"""One-trick tactics of each game: what greedy bots play by and searches play rounds out with.

Compiled like the rules: beside each module stands a `.pxd` with the C types.
"""

import importlib
from functools import lru_cache

from stichwerk.engine import plain
from stichwerk.engine.frame import Game
from stichwerk.engine.tactics import Tactics

SMALL = "stichwerk.bots.tactics.small"
RANDOM = ("stichwerk.engine.tactics", "Tactics")  # for games that nobody wrote tactics for

# Style → game → (module, class). `small` is what `greedy-1` plays by, `full` is all we know.
STYLES = {
    "full": {
        "sticheln": ("stichwerk.bots.tactics.sticheln", "StichelnTactics"),
        "null-nichtig": ("stichwerk.bots.tactics.null_nichtig", "NullNichtigTactics"),
        "stichling": ("stichwerk.bots.tactics.stichling", "StichlingTactics"),
        "stichtag": ("stichwerk.bots.tactics.stichtag", "StichtagTactics"),
    },
    "small": {
        "sticheln": (SMALL, "SmallSticheln"),
        "null-nichtig": (SMALL, "SmallNullNichtig"),
        "stichling": (SMALL, "SmallStichling"),
        "stichtag": ("stichwerk.bots.tactics.stichtag", "StichtagTactics"),
    },
}


def tactics_of(rules: Game, style: str = "full", points: bool = False) -> Tactics:
    """The tactics of a style for these rules, compiled or plain as they are.

    With `points` a round is worth its points alone, and nothing besides for being the best.
    """
    return made_once(rules, *STYLES[style].get(rules.name, RANDOM), points)


@lru_cache(maxsize=256)
def made_once(rules: Game, module: str, name: str, points: bool) -> Tactics:
    """One object for each tactics of these rules, whatever styles they serve."""
    load = importlib.import_module if isinstance(rules, Game) else plain.twin
    found: Tactics = getattr(load(module), name)(rules)
    if points:
        found.victory = 0.0
    return found
