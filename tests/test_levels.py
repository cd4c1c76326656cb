"""Levels: weaker ones overlook moves, and choose well among those they notice."""

from collections.abc import Iterator
from functools import cache

import pytest

import stichwerk
from stichwerk import bots
from stichwerk.arena.ladder import LEVEL_GOAL, LEVELS, level_rungs
from stichwerk.bots.levels import HUNDRED, AttentiveBot, LevelBot, easy
from stichwerk.bots.random import RandomBot
from stichwerk.games import registry
from stichwerk.view import View

pytestmark = pytest.mark.slow
SEED = 4
EVERY = 5  # decisions between two that are asked
every_game = pytest.mark.parametrize("game", registry.GAMES)


def on_the_way(game: str) -> Iterator[View]:
    """Yield decisions of a random round."""
    match, player, seen = stichwerk.game(game).new(seed=SEED), RandomBot(SEED), 0
    while not match.scores:
        view = match.view(match.waiting_for[0])
        if len(view.moves) > 1:
            seen += 1
            if seen % EVERY == 0:
                yield view
        match.play(match.waiting_for[0], player.choose(view))


@cache
def decisions(game: str) -> tuple[View, ...]:
    return tuple(on_the_way(game))


def attentive(share: int) -> AttentiveBot:
    first = easy(SEED, version=1)
    assert isinstance(first, LevelBot)
    return AttentiveBot(SEED, first=first, notices=share)


@every_game
def test_a_bot_that_notices_everything_plays_by_its_net(game: str) -> None:
    net = bots.build("net-1", SEED)
    for view in decisions(game):
        assert attentive(HUNDRED).choose(view) == net.choose(view)


@every_game
def test_the_more_a_bot_notices_the_more_often_it_plays_by_its_net(game: str) -> None:
    net = bots.build("net-1", SEED)
    found = [
        sum(attentive(share).choose(view) == net.choose(view) for view in decisions(game))
        for share in (0, 50, HUNDRED)
    ]
    assert found[0] < found[1] < found[2]


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_repeats_its_choice_and_another_seed_differs(level: str) -> None:
    moves = [
        [bots.build(level, seed).choose(view) for view in decisions("sticheln")]
        for seed in (SEED, SEED, SEED + 1)
    ]
    assert moves[0] == moves[1]
    assert level == "expert" or moves[0] != moves[2]


@pytest.mark.parametrize("level", LEVELS)
def test_a_game_without_a_net_is_played_by_the_first_version(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stichwerk.bots.nets.has_net", lambda *args: False)
    first, newest = bots.build(f"{level}-1", SEED), bots.build(level, SEED)
    assert newest.version == 2
    for view in decisions("stichtag")[:2]:
        assert newest.choose(view) == first.choose(view)


def test_levels_are_compared_at_every_number_of_seats() -> None:
    found = {(rung.game, rung.seats) for rung in level_rungs()}
    assert found == {(game, n) for game in registry.GAMES for n in registry.kind(game).seat_counts}
    for rung in level_rungs():
        assert rung.goal
        assert rung.goal.number == pytest.approx(LEVEL_GOAL / rung.seats)
