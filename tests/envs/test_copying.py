"""Copies and pickles of environments in the middle of an episode: spaces, batches, PettingZoo,
Gymnasium and OpenSpiel, here and in other processes."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest

import stichwerk
from stichwerk.envs import Batch, Spec, gym, spiel, zoo
from stichwerk.errors import CannotPickleError
from tests.envs.adapting import own_game
from tests.play_to_end import outcome_hash
from tests.test_copying import WAYS, ended_elsewhere, every_way

pytestmark = pytest.mark.game

DAY = {"date": "02-18"}  # cards are passed on, and one choice is secret
TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("stichling", 2, {}),
    ("null-nichtig", 3, {}),
    ("sticheln", 4, {}),
    ("stichtag", 4, DAY),
    ("stichtag", 3, {"sheets": ["green 3"]}),
]
every_table = pytest.mark.parametrize(
    ("game", "seats", "options"),
    [pytest.param(*it, marks=() if it[0] == "sticheln" else pytest.mark.slow) for it in TABLES],
)


def stepped(batch: Batch, steps: int = 90) -> Batch:
    for _ in range(steps):
        batch.step(batch.random_actions())
    return batch


def agents(make: Callable[..., Any], game: str, seats: int, **settings: Any) -> Any:
    """Return a PettingZoo environment in the middle of an episode."""
    env = make(game, seats, render_mode="ansi", illegal="random", **settings)
    env.reset(seed=4)
    for _ in range(2 * seats + 1):  # which is in the middle of a move of several actions
        env.step(0 if hasattr(env, "agent_selection") else dict.fromkeys(env.agents, 0))
    return env


def seat(game: str, seats: int, **settings: Any) -> Any:
    """Return a Gymnasium environment, as it is made there, in the middle of an episode."""
    env = gymnasium.make(gym.environment_id(game), seats=seats, render_mode="ansi", **settings)
    env.reset(seed=4)
    for _ in range(4):
        env.step(np.int64(0))
    return env


def spiel_state(game: str, seats: int, moves: int, **parameters: Any) -> Any:
    """Return a state of OpenSpiel after this many draws and actions."""
    state = pyspiel.load_game(spiel.spiel_name(game), {"seats": seats, **parameters})
    state = state.new_initial_state()
    for _ in range(moves):
        rng = state.is_chance_node()
        state.apply_action(state.chance_outcomes()[-1][0] if rng else state.legal_actions()[0])
    return state


def assert_independent(thing: Any, way: Callable[[Any], Any]) -> None:
    """Play the copy to its end, then the original: both must end alike."""
    end = outcome_hash(way(thing))
    assert outcome_hash(way(thing)) == end
    assert outcome_hash(thing) == end


@every_way
@every_table
def test_specs_can_be_copied_and_pickled(
    game: str, seats: int, options: Any, way: Callable[[Any], Any]
) -> None:
    assert_independent(Spec(game, seats, options), way)


@every_way
@every_table
@pytest.mark.parametrize("episode", ["round", "match"])
def test_batches_can_be_copied_and_pickled(
    game: str, seats: int, options: Any, episode: Any, way: Callable[[Any], Any]
) -> None:
    spec = Spec(game, seats, options)
    assert_independent(stepped(Batch(spec, 3, seed=5, episode=episode)), way)


@every_way
def test_other_kinds_of_batches_can_be_copied_and_pickled(way: Callable[[Any], Any]) -> None:
    """Some matches over and waiting, no observations, and arrays that belong to one batch alone."""
    spec = Spec("sticheln", 3)
    waiting = Batch(spec, 2, seed=1, auto_reset=False)
    stepped(waiting, 48)
    assert waiting.done.all()
    assert_independent(waiting, way)
    assert_independent(stepped(Batch(spec, 2, observations=False)), way)
    batch = Batch(spec, 2)
    twin = way(batch)
    twin.step(twin.random_actions())
    for name in ("seats", "masks", "rewards", "done", "observations"):
        assert not np.shares_memory(getattr(batch, name), getattr(twin, name))


@every_way
@every_table
@pytest.mark.parametrize("make", [zoo.env, zoo.raw_env, zoo.parallel_env])
def test_pettingzoo_environments_can_be_copied_and_pickled(
    make: Callable[..., Any], game: str, seats: int, options: Any, way: Callable[[Any], Any]
) -> None:
    assert_independent(agents(make, game, seats, **options), way)


@every_way
@every_table
def test_gymnasium_environments_can_be_copied_and_pickled(
    game: str, seats: int, options: Any, way: Callable[[Any], Any]
) -> None:
    """Bots continue from where they are, a drawn seat stays, and later episodes are the same."""
    env = seat(game, seats, seat=None, bots=["random", "easy"][: seats - 1], **options)
    if way is copy.copy:  # Gymnasium's wrappers copy half of themselves; ours does not
        env = env.unwrapped
    assert_independent(env, way)


def test_a_seat_with_a_search_bot() -> None:
    env = seat("sticheln", 3, bots=["random", "tree@5"])
    for way in WAYS[1:]:
        assert_independent(env, way)
        env.reset(seed=5)


def test_a_program_bot_cannot_be_copied_mid_episode() -> None:
    env = gymnasium.make(gym.environment_id("sticheln"), bots=["program:true"])
    for way in WAYS[1:]:
        assert way(env).unwrapped.bots == ["program:true"]
    players = env.unwrapped.players  # type: ignore[attr-defined]
    players[1] = stichwerk.bot("program:true")
    for way in WAYS[1:]:
        with pytest.raises(CannotPickleError, match=r"program|Programm"):
            way(env)


@every_way
@every_table
def test_openspiel_games_and_states_can_be_copied_and_pickled(
    game: str, seats: int, options: Any, way: Callable[[Any], Any]
) -> None:
    """Games, and states during and after the deal, also resampled ones."""
    written = ";".join(
        f"{key}:{'+'.join(it) if key == 'sheets' else it}" for key, it in options.items()
    )
    for moves, episode in ((20, "round"), (90, "match")):
        state = spiel_state(game, seats, moves, options=written, episode=episode)
        if state.current_player() >= 0:
            assert_independent(state.resample_from_infostate(state.current_player()), way)
        assert_independent(state.get_game(), way)
        assert_independent(state, way)


def everything() -> list[Any]:
    made: list[Any] = []
    for game, seats, options in TABLES:
        spec = Spec(game, seats, options)
        made += [spec, stepped(Batch(spec, 2, seed=3, episode="match"))]
        made += [agents(make, game, seats, **options) for make in (zoo.env, zoo.parallel_env)]
        made.append(seat(game, seats, bots=["random"], **options))
    state = spiel_state("sticheln", 3, 80)
    return [*made, state, state.get_game()]


@pytest.mark.slow
def test_another_process_continues_identically() -> None:
    things = everything()
    there = ended_elsewhere(things)
    assert there == [outcome_hash(thing) for thing in things]
    assert len(set(there)) == len(things)


@pytest.mark.slow
@every_way
def test_custom_games_can_be_copied_and_pickled(way: Callable[[Any], Any]) -> None:
    with own_game() as name:
        gym.register(name)
        spiel.register(name)
        spec = Spec(name, 3)
        assert_independent(spec, way)
        assert_independent(stepped(Batch(spec, 2)), way)
        assert_independent(agents(zoo.env, name, 3), way)
        assert_independent(seat(name, 3).unwrapped, way)
        assert_independent(spiel_state(name, 3, 50), way)


def test_environment_factories_can_be_pickled() -> None:
    module = pickle.loads(pickle.dumps(zoo.module("sticheln", seats=3)))
    assert module.env().unwrapped.spec.seats == 3
