"""One-trick tactics of each game: what greedy bots play by and searches play rounds out with.

Compiled like the rules: beside each module stands a `.pxd` with the C types.
"""

import importlib
from functools import lru_cache

from stichwerk.engine import plain
from stichwerk.engine.frame import Game
from stichwerk.engine.tactics import Tactics
from stichwerk.games import registry

RANDOM = "stichwerk.engine.tactics:Tactics"  # for games that nobody wrote tactics for


def tactics_of(rules: Game, style: str = "full", points: bool = False) -> Tactics:
    """The tactics of a style for these rules, compiled or plain as they are.

    `small` is what `greedy-1` plays by, `full` is all we know.
    With `points` a round is worth its points alone, and nothing besides for being the best.
    """
    info = registry.info_of(rules.name)
    named = info.tactics if style == "full" else info.small_tactics or info.tactics
    return made_once(rules, *info.parts_of(named or RANDOM), points)


@lru_cache(maxsize=256)
def made_once(rules: Game, module: str, name: str, points: bool) -> Tactics:
    """One object for each tactics of these rules, whatever styles they serve."""
    load = importlib.import_module if isinstance(rules, Game) else plain.twin
    found: Tactics = getattr(load(module), name)(rules)
    if points:
        found.victory = 0.0
    return found
