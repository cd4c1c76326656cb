"""One-trick tactics of each game: how greedy bots choose and how searches play rounds out.

Compiled like the rules: next to each module is a `.pxd` with the C types.
"""

import importlib
from functools import lru_cache

from stichwerk.bots import nets
from stichwerk.engine import plain
from stichwerk.engine.frame import Game
from stichwerk.engine.tactics import Tactics
from stichwerk.games import registry

RANDOM = "stichwerk.engine.tactics:Tactics"  # for games without tactics


def tactics_of(rules: Game, style: str = "full", points: bool = False) -> Tactics:
    """Return the tactics of a style for these rules, compiled or plain as they are.

    `small` is what `greedy-1` plays by, `full` is everything learned since, `none` is random play;
    `net` is the newest trained net, `net-0` that of a version, or `full` for a game without one.
    With `points` a round is worth its points alone, without a bonus for being the best.
    """
    name, _, version = style.partition("-")
    if name == "net":
        return net_tactics(rules, int(version or nets.NEWEST), points)
    info = registry.info_of(rules.name)
    known = {"full": info.tactics, "small": info.small_tactics or info.tactics, "none": None}
    return made_once(rules, *info.parts_of(known[style] or RANDOM), points)


@lru_cache(maxsize=256)
def made_once(rules: Game, module: str, name: str, points: bool) -> Tactics:
    """Return one object for each tactics of these rules, whatever styles they serve."""
    load = importlib.import_module if isinstance(rules, Game) else plain.twin
    found: Tactics = getattr(load(module), name)(rules)
    if points:
        found.victory = 0.0
    return found


@lru_cache(maxsize=256)
def net_tactics(rules: Game, version: int, points: bool) -> Tactics:
    """Return the tactics of a net of these rules."""
    full = tactics_of(rules, "full", points)
    if not nets.has_net(rules.name, version):
        return full
    net = nets.trained_net(rules.name, version, isinstance(rules, Game))
    return nets.tactics_with(net, rules, full, tactics_of(rules, "small"))
