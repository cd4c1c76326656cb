"""Nets that play: what they see of each game, and their trained weights.

Compiled like the rules. The weights of a version never change: `weights/sticheln-1.net` is what
`net-1` plays Sticheln by, and says how it was made. Version 0 is an early net, small and hardly
trained: an opponent.
"""

import importlib
import sys
from array import array
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from statistics import pstdev
from types import ModuleType
from typing import TYPE_CHECKING

import msgspec

from stichwerk.engine import plain
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.games import registry

if TYPE_CHECKING:
    from stichwerk.bots.nets.features import Features
    from stichwerk.bots.nets.net_tactics import NetTactics
    from stichwerk.engine.net import Net
    from stichwerk.engine.tactics import Tactics

NEWEST = 1  # version of the weights
SPREAD_ROUNDS = 100  # from which the spread of a game is measured


class Making(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a file of weights: the sizes of the net, and how to make it again."""

    game: str
    inputs: int
    hidden: int
    second: int
    command: str
    commit: str

    @property
    def sizes(self) -> tuple[int, int, int]:
        """How many inputs, and units of both layers."""
        return self.inputs, self.hidden, self.second


def has_net(game: str, version: int = NEWEST) -> bool:
    """Return whether there are weights for this game."""
    return files(__package__).joinpath("weights", f"{game}-{version}.net").is_file()


def read_weights(raw: bytes) -> tuple[Making, list[Sequence[int]]]:
    """Return how a net was made, and its tables."""
    head, _, body = raw.partition(b"\n")
    making = msgspec.json.decode(head, type=Making)
    numbers = array("h", body)
    if sys.byteorder == "big":
        numbers.byteswap()
    inputs, hidden, second = making.sizes
    tables: list[Sequence[int]] = []
    start = 0
    for size in (inputs * hidden, hidden * second, second, hidden, second):
        tables.append(numbers[start : start + size])
        start += size
    return making, tables


def written_weights(making: Making, tables: Sequence[Sequence[int]]) -> bytes:
    """Return a file of weights: one line of JSON, then whole numbers of 16 bits, low byte first."""
    numbers = array("h")
    for table in tables:
        numbers.extend(table)
    if sys.byteorder == "big":
        numbers.byteswap()
    return msgspec.json.encode(making) + b"\n" + numbers.tobytes()


def weights_of(game: str, version: int) -> tuple[Making, list[Sequence[int]]]:
    """Return how the net of a version was made, and its tables."""
    return read_weights(
        files(__package__).joinpath("weights", f"{game}-{version}.net").read_bytes()
    )


@lru_cache(maxsize=64)
def trained_net(game: str, version: int, compiled: bool) -> "Net":
    """Return the net of a game, read once."""
    making, tables = weights_of(game, version)
    name = "stichwerk.engine.net"
    module = importlib.import_module(name) if compiled else plain.twin(name)
    made: Net = module.Net(*making.sizes, tables[:3], tables[3:])
    return made


@lru_cache(maxsize=256)
def features_of(rules: Game) -> "Features":
    """Return what a net sees of these rules, compiled or plain as they are."""
    info = registry.info_of(rules.name)
    module, name = info.parts_of(info.features)
    made: Features = getattr(loaded(rules, module), name)(rules)
    return made


def tactics_with(net: "Net", rules: Game, full: "Tactics", small: "Tactics") -> "NetTactics":
    """Return the tactics that a net makes of these rules."""
    make = loaded(rules, "stichwerk.bots.nets.net_tactics").NetTactics
    made: NetTactics = make(net, features_of(rules), full, small)
    return made


@lru_cache(maxsize=256)
def spread_of(rules: Game, tactics: "Tactics") -> float:
    """Return the standard deviation of what a round is worth, among seats that play by tactics: the
    unit of a net's scores."""
    make = Generator if isinstance(rules, Game) else plain.Generator
    generator = make(1)
    worths = []
    for number in range(SPREAD_ROUNDS):
        state = rules.new_state()
        state.round, state.starter = 1, number % rules.seats
        rules.shuffled_round(state, generator)
        while state.owes:
            seat = (state.owes & -state.owes).bit_length() - 1
            rules.play(state, seat, tactics.pick(state, seat, generator))
        worths += [tactics.value(state, seat) for seat in range(rules.seats)]
    return pstdev(worths)


def loaded(rules: Game, module: str) -> ModuleType:
    """Return a module, compiled or plain as the rules are."""
    return importlib.import_module(module) if isinstance(rules, Game) else plain.twin(module)
