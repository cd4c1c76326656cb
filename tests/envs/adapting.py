"""What the tests of the adapters share: all settings, our example game, other worlds."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from stichwerk.cards import card_text
from stichwerk.engine.state import State
from stichwerk.envs.episode_state import EpisodeState
from stichwerk.envs.spec import Spec
from stichwerk.fairness import Deal
from stichwerk.games import registry
from stichwerk.match import SeededDeals, Setting

EXAMPLES = Path(__file__).parents[2] / "docs/examples"

TABLES = [(game, seats) for game, kind in registry.GAMES.items() for seats in kind.seat_counts]
"""Every game at every number of seats."""

DAYS = ["01-10", "02-18", "03-21", "04-26", "06-32", "07-07", "08-14", "09-39", "11-05", "12-24"]
"""Dates on which every kind of choice, draw and secret of the calendar comes up."""


def example(name: str) -> ModuleType:
    """Return one of the programs of the documentation."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def own_game() -> Iterator[str]:
    """Register the example of a game in plain Python for the block; yield its name."""
    ours = dict(registry.GAMES)
    registry._build.cache_clear()
    try:
        example("own_game")
        yield "odd-even"
    finally:
        registry.GAMES.clear()
        registry.GAMES.update(ours)
        registry._build.cache_clear()


def spec_of(setting: Setting) -> Spec:
    """Return the spaces of a setting."""
    return Spec(setting.name, setting.seats, setting.options)


def begun(setting: Setting, episode: str = "round", seed: int = 7) -> EpisodeState:
    """Return an episode whose first round is dealt from a seed."""
    episode_state = EpisodeState(setting, episode)
    go_on(episode_state, SeededDeals(setting, seed))
    return episode_state


def go_on(episode_state: EpisodeState, deals: SeededDeals) -> None:
    """Deal the next round, if one is due."""
    if episode_state.dealing:
        starter = deals.first_starter() if episode_state.starter is None else episode_state.starter
        deal = deals.deal(len(episode_state.scores) + 1, starter)
        assert deal is not None
        episode_state.begin(deal)


def deal_of(setting: Setting, state: State) -> Deal:
    """Return the deal of a state in which nobody has moved yet."""
    rules = setting.rules
    hands = tuple(rules.hand(state, seat) for seat in range(rules.seats))
    stock = tuple(card_text(state.stock[at]) for at in range(state.stock_size))
    return Deal(state.starter, hands, stock)


def fields(state: State) -> dict[str, Any]:
    """Return all numbers of a state."""
    names = [name for name in dir(state) if not name.startswith("_")]
    return {name: getattr(state, name) for name in names if not callable(getattr(state, name))}


@contextmanager
def exchanged(state: State, other: State) -> Iterator[None]:
    """Make the state look like the other one for the duration of the block."""
    own = fields(state)
    try:
        for name, value in fields(other).items():
            setattr(state, name, value)
        yield
    finally:
        for name, value in own.items():
            setattr(state, name, value)
