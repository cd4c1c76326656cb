"""How totals decide matches: the learned numbers behind a seat's chance to win.

Fitted to matches; `python -m stichwerk.training.prospects` writes the file.
"""

import importlib
from functools import cache
from importlib.resources import files
from types import ModuleType

import msgspec

from stichwerk.bots import nets
from stichwerk.engine import plain
from stichwerk.engine.frame import Game
from stichwerk.engine.prospects import Prospects
from stichwerk.engine.tactics import Tactics

FORMAT = "stichwerk-prospects/1"
FILE = "prospects.json"


class Fitted(msgspec.Struct, frozen=True):
    """The numbers for one game and number of seats, in spreads of a round: how much surer a lead
    makes the match, and how fast the best total grows."""

    sharpness: float
    pace: float
    matches: int = 0


class ProspectsFile(msgspec.Struct, frozen=True):
    """The whole file: by game and seats, as in `sticheln-4`."""

    format: str
    command: str
    fitted: dict[str, Fitted]


USUAL = Fitted(1.3, 1.0)  # for games that nobody has fitted


@cache
def read_fitted() -> dict[str, Fitted]:
    """Return what was fitted, by game and seats."""
    raw = files(__package__).joinpath(FILE).read_bytes()
    return msgspec.json.decode(raw, type=ProspectsFile).fitted


def fitted_for(rules: Game) -> Fitted:
    """Return the numbers of a game with so many seats."""
    return read_fitted().get(f"{rules.name}-{rules.seats}", USUAL)


def prospects_of(rules: Game, tactics: Tactics) -> Prospects:
    """Return the model for these rules, compiled or plain as they are."""
    fitted = fitted_for(rules)
    name = "stichwerk.engine.prospects"
    module: ModuleType = (
        importlib.import_module(name) if isinstance(rules, Game) else plain.twin(name)
    )
    made: Prospects = module.Prospects(
        tactics, fitted.sharpness, fitted.pace, nets.spread_of(rules, tactics)
    )
    return made
