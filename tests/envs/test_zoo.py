"""PettingZoo: its own tests for every game and number of seats, and what they do not look at."""

import re
import warnings
from typing import Any

import numpy as np
import pytest

import stichwerk
from stichwerk.engine.generator import Generator
from stichwerk.envs import BadActionError, zoo
from stichwerk.envs.episode_state import EpisodeState
from stichwerk.envs.settings import BadSettingError
from stichwerk.errors import BadOptionError
from stichwerk.games import registry
from tests.envs.adapting import DAYS, TABLES, deal_of, exchanged, own_game

pytestmark = pytest.mark.game

with warnings.catch_warnings():
    # PettingZoo's tests import one of its games in a way that it deprecates.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, seed_test

# PettingZoo knows its own environments with a mask in the observation by name, and no others.
MASKED = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
)


def play_out(env: Any, seed: int) -> list[tuple[str, float]]:
    """Play a random episode; return each agent with its reward."""
    random = np.random.default_rng(seed)
    env.reset(seed=seed)
    ends = []
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            ends.append((agent, reward))
            env.step(None)
        else:
            assert reward == 0
            env.step(int(random.choice(np.flatnonzero(seen["action_mask"]))))
    return ends


# -- Its own tests ---------------------------------------------------------------------------------


@MASKED
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_pettingzoos_api_test_passes(game: str, seats: int) -> None:
    api_test(zoo.env(game, seats=seats), num_cycles=60)
    api_test(zoo.env(game, seats=seats, episode="match"), num_cycles=60)


@pytest.mark.slow
@MASKED
@pytest.mark.parametrize("day", DAYS)
def test_pettingzoos_api_test_passes_on_every_kind_of_day(day: str) -> None:
    api_test(zoo.env("stichtag", seats=4, date=day), num_cycles=60)
    seed_test(lambda: zoo.env("stichtag", seats=4, date=day), num_cycles=60)


@MASKED
def test_pettingzoos_api_test_passes_for_a_custom_game() -> None:
    with own_game() as name:
        api_test(zoo.env(name, seats=4), num_cycles=20)
        seed_test(lambda: zoo.env(name, seats=3), num_cycles=20)
        max_cycles_test(zoo.module(name, seats=5, illegal="random"))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_pettingzoos_seed_test_passes(game: str, seats: int) -> None:
    seed_test(lambda: zoo.env(game, seats=seats), num_cycles=60)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_pettingzoos_max_cycles_test_passes(game: str, seats: int) -> None:
    """The test hands in any actions at all: those that are not open are replaced."""
    max_cycles_test(zoo.module(game, seats=seats, illegal="random"))


@pytest.mark.parametrize("game", registry.GAMES)
def test_pettingzoos_parallel_api_test_passes(game: str) -> None:
    parallel_api_test(zoo.parallel_env(game, illegal="random", episode="round"), num_cycles=80)


# -- What they do not look at ----------------------------------------------------------------------


def test_seeds_give_different_deals() -> None:
    env = zoo.env("sticheln")
    hands = set()
    for seed in range(10):
        env.reset(seed=seed)
        hands.add(env.observe("seat_0")["observation"].tobytes())
    assert len(hands) == 10


def test_without_a_seed_episodes_continue_the_sequence() -> None:
    one, other = zoo.env("sticheln"), zoo.env("sticheln")
    for env in (one, other):
        env.reset(seed=5)
        env.reset()
    assert np.array_equal(*(env.observe("seat_1")["observation"] for env in (one, other)))
    one.reset(seed=5)
    assert not np.array_equal(*(env.observe("seat_1")["observation"] for env in (one, other)))


def test_a_round_pays_its_points_at_the_end() -> None:
    env = zoo.env("sticheln", episode="round")
    ends = dict(play_out(env, 3))
    points = env.unwrapped.batch.state(0).points[:4]
    assert ends == {f"seat_{seat}": float(points[seat]) for seat in range(4)}
    assert len(set(ends.values())) > 1


def test_a_match_pays_its_ranking_at_the_end() -> None:
    env = zoo.env("stichling", seats=3, episode="match")
    ends = dict(play_out(env, 3))
    assert sum(ends.values()) == pytest.approx(0)
    totals = np.sum(env.unwrapped.batch.scores(0), axis=0)
    assert max(ends, key=lambda agent: ends[agent]) == f"seat_{totals.argmax()}"


def test_secret_choices_are_asked_one_after_the_other_and_not_shown() -> None:
    """Sticheln: whatever seats 0 and 1 have chosen, seat 2 sees the same."""
    seen = []
    for choice in (0, -1):
        env = zoo.env("sticheln")
        env.reset(seed=8)
        for agent in ("seat_0", "seat_1"):
            assert env.agent_selection == agent
            mask = env.observe(agent)["action_mask"]
            env.step(int(np.flatnonzero(mask)[choice]))
        assert env.agent_selection == "seat_2"
        seen.append(env.observe("seat_2")["observation"])
        for agent in ("seat_2", "seat_3"):
            env.step(int(np.flatnonzero(env.observe(agent)["action_mask"])[0]))
        seen.append(env.observe("seat_2")["observation"])
    assert np.array_equal(seen[0], seen[2])
    assert not np.array_equal(seen[1], seen[3])


def test_only_the_agent_to_act_has_legal_actions() -> None:
    env = zoo.env("stichling")
    env.reset(seed=1)
    masks = {agent: env.observe(agent)["action_mask"].sum() for agent in env.agents}
    assert masks == {"seat_0": 6, "seat_1": 0, "seat_2": 0, "seat_3": 0}


@pytest.mark.parametrize("wrong", [-1, 10_000, None, "closed"])
def test_a_wrong_action_is_refused_and_changes_nothing(wrong: Any) -> None:
    env = zoo.env("sticheln")
    env.reset(seed=1)
    before = env.observe("seat_0")
    action = int(np.flatnonzero(before["action_mask"] == 0)[0]) if wrong == "closed" else wrong
    with pytest.raises(BadActionError):
        env.step(action)
    assert np.array_equal(env.observe("seat_0")["observation"], before["observation"])
    assert env.agent_selection == "seat_0"
    env.step(int(np.flatnonzero(before["action_mask"])[0]))


def test_a_wrong_action_can_be_replaced() -> None:
    env = zoo.env("sticheln", illegal="random")
    env.reset(seed=1)
    closed = int(np.flatnonzero(env.observe("seat_0")["action_mask"] == 0)[0])
    env.step(closed)
    assert env.infos["seat_0"] == {"illegal_action": closed}
    assert env.agent_selection == "seat_1"


def test_a_truncated_episode_gives_no_reward() -> None:
    env = zoo.env("sticheln", max_cycles=3)
    assert play_out(env, 1) == [(f"seat_{seat}", 0.0) for seat in range(4)]
    assert all(count == 3 for count in env.unwrapped._asked.values())


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_parallel_masks_are_never_empty(game: str, seats: int) -> None:
    """The asked agent has its own actions, the others only the no-op, also at the end."""
    env = zoo.parallel_env(game, seats=seats)
    beside = zoo.raw_env(game, seats=seats)
    seen, _ = env.reset(seed=2)
    beside.reset(seed=2)
    random = np.random.default_rng(2)
    while env.agents:
        asked = beside.agent_selection
        for agent in env.agents:
            mask = seen[agent]["action_mask"]
            assert env.observation_space(agent).contains(seen[agent])
            if agent == asked:
                assert np.array_equal(mask[:-1], beside.observe(agent)["action_mask"])
                assert mask[env.no_op] == 0
            else:
                assert np.flatnonzero(mask).tolist() == [env.no_op]
        actions = {
            agent: env.action_space(agent).sample(seen[agent]["action_mask"]) for agent in seen
        }
        actions[asked] = random.choice(np.flatnonzero(seen[asked]["action_mask"]))
        seen, rewards, terminations, _, _ = env.step(actions)
        beside.step(int(actions[asked]))
    assert all(seen[agent]["action_mask"][env.no_op] for agent in env.possible_agents)
    assert all(terminations.values())
    assert rewards == {
        f"seat_{seat}": float(beside.batch.rewards[0, seat]) for seat in range(seats)
    }
    assert env.step({}) == ({}, {}, {}, {}, {})


def test_parallel_actions_of_other_agents_are_ignored() -> None:
    env = zoo.parallel_env("sticheln")
    seen, _ = env.reset(seed=2)
    steps = 0
    while env.agents:
        agent = env.table.agent_selection
        actions = dict.fromkeys(env.agents, 0)  # of the others anything will do
        actions[agent] = int(np.flatnonzero(seen[agent]["action_mask"])[0])
        seen, rewards, terminations, _, _ = env.step(actions)
        steps += 1
    assert steps == 60
    assert all(terminations.values())
    assert any(rewards.values())


@pytest.mark.parametrize("wrong", ["no_op", "missing"])
def test_parallel_no_op_of_the_agent_to_act_is_refused(wrong: str) -> None:
    env = zoo.parallel_env("sticheln")
    before, _ = env.reset(seed=2)
    actions = {agent: env.no_op for agent in env.agents if wrong == "no_op" or agent != "seat_0"}
    with pytest.raises(BadActionError) as caught:
        env.step(actions)
    assert (caught.value.id, caught.value.data["agent"]) == ("asked-must-act", "seat_0")
    assert env.table.agent_selection == "seat_0"
    assert np.array_equal(
        env.table.observe("seat_0")["observation"], before["seat_0"]["observation"]
    )


def test_parallel_no_op_of_the_agent_to_act_can_be_replaced() -> None:
    env = zoo.parallel_env("sticheln", illegal="random")
    env.reset(seed=2)
    *_, infos = env.step(dict.fromkeys(env.agents, env.no_op))
    assert infos["seat_0"]["illegal_action"] == env.no_op


@pytest.mark.parametrize("make", [zoo.env, zoo.raw_env, zoo.parallel_env])
def test_options_of_reset_are_refused(make: Any) -> None:
    """But for those with which PettingZoo's tests find out whether `reset` takes any."""
    env = make("sticheln")
    env.reset(seed=1, options={"options": 1})
    env.reset(seed=1, options={})
    wrong: list[Any] = [
        {"episode": "match"},
        {"options": 2},
        {"options": 1, "seed": 1},
        [],
        "match",
    ]
    for nonsense in wrong:
        with pytest.raises(BadSettingError, match="takes no options"):
            env.reset(options=nonsense)


@pytest.mark.slow
@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_render_ansi_shows_the_table(game: str, seats: int, episode: str) -> None:
    """Before every step the table with the hand of the agent that is asked; then the ranking."""
    env = zoo.env(game, seats=seats, episode=episode, render_mode="ansi", lang="de")
    random = np.random.default_rng(1)
    env.reset(seed=1)
    rules = env.unwrapped.spec.rules
    for agent in env.agent_iter():
        seen, _, over, _, _ = env.last()
        table = env.render()
        if over:
            assert re.search(r"^1\. (du|seat_\d)", table, re.MULTILINE)
            env.step(None)
            continue
        own = rules.hand(env.unwrapped.batch.state(0), int(agent[-1]))
        assert all(card in table for card in own)
        assert "zum Beispiel  (" not in table
        env.step(int(random.choice(np.flatnonzero(seen["action_mask"]))))


def test_render_human_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    env = zoo.env("sticheln", render_mode="human", episode="round")
    play_out(env, 1)
    printed = capsys.readouterr().out
    assert printed.count("Choose your pain card") == 4
    assert printed.count("Your turn") == 56
    assert env.render() is None
    filmed = zoo.env("sticheln", render_mode="rgb_array")
    filmed.reset(seed=1)
    assert filmed.render().shape[2] == 3
    quiet = zoo.env("sticheln")
    quiet.reset(seed=1)
    assert quiet.unwrapped.render() is None


def test_wrong_settings_are_refused_in_one_line() -> None:
    with pytest.raises(BadSettingError, match=r"episode: game .* round, match"):
        zoo.env("sticheln", episode="game")
    with pytest.raises(BadSettingError, match="illegal"):
        zoo.env("sticheln", illegal="never")
    with pytest.raises(BadSettingError, match="render_mode"):
        zoo.env("sticheln", render_mode="rgb")
    with pytest.raises(BadOptionError, match="unexpected keyword argument 'jokers'") as refused:
        zoo.env("sticheln", jokers=3)
    assert isinstance(refused.value, TypeError)
    with pytest.raises(BadOptionError, match="rounds"):
        zoo.env("sticheln", rounds=99)


# -- Honesty ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "options"),
    [("stichling", {}), ("null-nichtig", {}), ("sticheln", {}), ("stichtag", {"date": "02-04"})],
)
def test_observations_do_not_depend_on_hidden_cards(game: str, options: dict[str, Any]) -> None:
    """A trail follows the environment and says which other worlds fit what an agent has seen."""
    env = zoo.raw_env(game, episode="round", **options)
    setting = stichwerk.game(game, **options)
    generator, random = Generator(3), np.random.default_rng(3)
    env.reset(seed=11)
    episode_state = EpisodeState(setting, "round")
    episode_state.begin(deal_of(setting, env.batch.state(0)))
    moved = 0
    while not episode_state.over:
        agent, seat = env.agent_selection, episode_state.asked
        seen = env.observe(agent)
        other = episode_state.resampled(seat, generator).state
        moved += other.hands != env.batch.state(0).hands
        with exchanged(env.batch.state(0), other):
            again = env.observe(agent)
        assert np.array_equal(again["observation"], seen["observation"])
        assert np.array_equal(again["action_mask"], seen["action_mask"])
        action = int(random.choice(np.flatnonzero(seen["action_mask"])))
        episode_state.play(env.spec.action(action, seat))
        env.step(action)
    assert moved > 20
