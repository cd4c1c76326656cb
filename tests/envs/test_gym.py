"""Gymnasium: `check_env` for every game and number of seats, bots, seeds, masks, honesty."""

import inspect
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env

from stichwerk import own_games
from stichwerk.engine.generator import Generator
from stichwerk.envs import BadActionError, Batch, gym, observation, rgb_image, spiel, zoo
from stichwerk.envs.extras import MissingLibraryError
from stichwerk.envs.settings import BadSettingError
from stichwerk.errors import BadSeatsError, UnknownBotError
from stichwerk.view import View
from tests.envs.adapting import DAYS, EXAMPLES, TABLES, fields, own_game

pytestmark = pytest.mark.game


def made(game: str, **settings: Any) -> gym.SeatEnv:
    """Return an environment as Gymnasium makes it, out of its wrappers."""
    env = gymnasium.make(gym.environment_id(game), **settings).unwrapped
    assert isinstance(env, gym.SeatEnv)
    return env


def play_out(env: gym.SeatEnv, seed: int) -> tuple[list[bytes], float, dict[str, Any]]:
    """Play a random episode; return everything seen, the reward and the last info."""
    random = np.random.default_rng(seed)
    seen, info = env.reset(seed=seed)
    rows, rewards, over = [seen.tobytes()], [0.0], False
    while not over:
        assert rewards[-1] == 0
        action = int(random.choice(np.flatnonzero(info["action_mask"])))
        seen, reward, over, truncated, info = env.step(action)
        assert not truncated
        rows.append(seen.tobytes())
        rewards.append(reward)
    return rows, rewards[-1], info


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_check_env_passes_for_every_game(game: str, seats: int) -> None:
    """Warnings are errors here."""
    check_env(made(game, seats=seats, episode="match"))
    check_env(made(game, seats=seats, seat=None, bots=["greedy", "easy"][: seats - 1]))


@pytest.mark.parametrize("day", DAYS)
def test_check_env_passes_for_every_kind_of_day(day: str) -> None:
    env = made("stichtag", seats=4, date=day, episode="match")
    check_env(env)
    _, _, info = play_out(env, 2)
    assert len(info["scores"]) > 1


def test_check_env_passes_for_a_custom_game() -> None:
    with own_game() as name:
        gym.register(name)
        check_env(made(name, seats=3))
        _, _, info = play_out(made(name, seats=3, episode="match"), 2)
        assert len(info["scores"]) == 3


def test_importing_the_module_registers_the_games() -> None:
    names = {"Stichling", "NullNichtig", "Sticheln", "Stichtag"}
    assert {f"Stichwerk/{name}-v0" for name in names} <= set(gymnasium.registry)
    assert gymnasium.make("Stichwerk/Sticheln-v0").unwrapped.observation_space.shape == (940,)
    env = gymnasium.make("stichwerk.envs.gym:Stichwerk/Sticheln-v0", seats=3)
    seen, info = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    assert info["action_mask"].sum() == 15


@pytest.mark.parametrize("mode", ["sync", pytest.param("async", marks=pytest.mark.slow)])
def test_vector_environments_work(mode: str) -> None:
    """Side by side, and in worker processes that are spawned and have imported nothing."""
    spawned = {"context": "spawn"} if mode == "async" else None
    name = gym.environment_id("sticheln")
    envs = gymnasium.make_vec(name, 3, vectorization_mode=mode, vector_kwargs=spawned)
    seen, info = envs.reset(seed=1)
    ends = 0
    for _ in range(40):
        assert seen.shape == (3, 940)
        actions = [
            int(np.flatnonzero(mask)[0]) if mask.any() else 0 for mask in info["action_mask"]
        ]
        seen, _, over, _, info = envs.step(np.array(actions))
        ends += int(over.sum())
    assert ends == 6
    envs.close()


WORKER = """
import gymnasium
env = gymnasium.make({id!r}, seats=3, render_mode="rgb_array")
env.reset(seed=1)
print(env.spec.kwargs["game"], env.render().shape)
"""


def run_afresh(program: str) -> str:
    """Return what a fresh process prints that shares only the environment variables."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_full_id_works_in_a_process_that_imports_only_gymnasium() -> None:
    """As workers of Stable-Baselines3's SubprocVecEnv do."""
    assert run_afresh(WORKER.format(id=gym.environment_id("sticheln"))).startswith("sticheln (")


@pytest.mark.slow
def test_the_full_id_of_a_game_from_a_file_works_in_another_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(own_games.VARIABLE, str(EXAMPLES / "own_game.py"))
    assert run_afresh(WORKER.format(id=gym.environment_id("odd-even"))).startswith("odd-even (")


def test_options_of_reset_are_refused() -> None:
    env = made("sticheln")
    env.reset(seed=1, options={})
    for nonsense in ({"seed": 3}, {"episode": "match"}, ["episode"], "match", 0):
        with pytest.raises(BadSettingError, match="takes no options"):
            env.reset(options=nonsense)  # type: ignore[arg-type]


def test_the_default_episode_is_the_same_in_all_adapters() -> None:
    usual = {
        inspect.signature(Batch).parameters["episode"].default,
        inspect.signature(gym.SeatEnv).parameters["episode"].default,
        inspect.signature(zoo.TrickTakingEnv).parameters["episode"].default,
        pyspiel.load_game("stichwerk_sticheln").episode,
        spiel.game_type("sticheln").parameter_specification["episode"],
    }
    assert usual == {"round"}
    _, _, info = play_out(made("sticheln"), 1)
    assert len(info["scores"]) == 1


@pytest.mark.parametrize("episode", ["round", "match"])
def test_a_seed_determines_deals_seat_and_bots(episode: str) -> None:
    ones, other = (made("sticheln", seat=None, bots=["easy"], episode=episode) for _ in range(2))
    play_out(ones, 1)  # nothing is left over from an earlier episode
    assert play_out(ones, 5)[:2] == play_out(other, 5)[:2]
    seats = [made("sticheln", seat=None).reset(seed=seed)[1]["seat"] for seed in range(30)]
    assert set(seats) == {0, 1, 2, 3}


def test_other_seeds_give_other_bots() -> None:
    """The same deal, the same own play: bots of another seed play something else."""
    env = made("sticheln", bots=["random"], episode="round")
    finals = []
    for seed in (1, 2):
        env.reset(seed=4)
        env._seat_bots(seed)
        while not env.episode_state.over:
            env.step(int(np.flatnonzero(env.action_masks())[0]))
        finals.append(env.episode_state.scores)
    assert finals[0] != finals[1]


def test_bots_are_seated_in_order_and_get_views(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []
    asked: set[tuple[str, int | None]] = set()

    class Watched:
        version = 1

        def __init__(self, name: str) -> None:
            self.name = name

        def choose(self, view: View) -> str:
            assert type(view) is View
            asked.add((self.name, view.seat))
            return view.moves[0]

    def build(name: str, seed: int = 0) -> Watched:
        built.append(name)
        return Watched(name)

    monkeypatch.setattr(gym, "build", build)
    env = made("sticheln", bots=["a", "b"], seat=1, episode="round")
    play_out(env, 1)
    assert asked == {("a", 0), ("b", 2), ("a", 3)}


def test_rewards_come_at_the_end() -> None:
    _, reward, info = play_out(made("sticheln", seat=2, episode="round"), 3)
    assert reward == info["scores"][0][2]
    _, reward, info = play_out(made("sticheln", seat=2, episode="match"), 3)
    totals = np.sum(info["scores"], axis=0)
    assert -1 <= reward <= 1
    assert (reward > 0) == (sorted(totals)[1] < totals[2])


def test_the_mask_equals_the_legal_moves() -> None:
    env = made("null-nichtig", seats=3)
    _, info = env.reset(seed=1)
    assert np.array_equal(info["action_mask"], env.action_masks())
    first_cards = {f"pick {move.split(',')[0]}" for move in env.episode_state.view(0).moves}
    texts = {env.game_spec.action_text(int(at)) for at in np.flatnonzero(info["action_mask"])}
    assert texts == first_cards


def test_an_illegal_action_is_replaced_and_reported() -> None:
    env = made("sticheln")
    _, info = env.reset(seed=1)
    closed = int(np.flatnonzero(info["action_mask"] == 0)[0])
    assert env.step(closed)[4]["illegal_action"] == closed
    legal = int(np.flatnonzero(env.action_masks())[0])
    assert "illegal_action" not in env.step(legal)[4]


def test_an_illegal_action_is_refused_if_asked_for() -> None:
    env = made("sticheln", illegal="raise")
    before, info = env.reset(seed=1)
    closed = int(np.flatnonzero(info["action_mask"] == 0)[0])
    with pytest.raises(BadActionError, match=str(closed)):
        env.step(closed)
    assert np.array_equal(env._observation(), before)


def test_a_step_after_the_end_is_refused() -> None:
    env = made("sticheln", episode="round")
    play_out(env, 1)
    with pytest.raises(BadActionError):
        env.step(0)


def test_render_ansi_shows_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    env = made("sticheln", render_mode="ansi", lang="de", episode="round")
    env.reset(seed=1)
    assert "Wähle" in env.render()
    play_out(env, 1)
    assert "1. " in env.render()
    human = made("sticheln", render_mode="human", episode="round")
    play_out(human, 1)
    assert human.render() is None
    assert capsys.readouterr().out.count("Sticheln") == 15  # a table before each decision


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_render_rgb_array_gives_frames(game: str, seats: int) -> None:
    """Pictures of one size, which change as the table does."""
    env = made(game, seats=seats, render_mode="rgb_array")
    _, info = env.reset(seed=1)
    pictures, over = [env.render()], False
    while not over:
        _, _, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        pictures.append(env.render())
    assert {rgb_image.shape for rgb_image in pictures} == {pictures[0].shape}
    assert {rgb_image.dtype for rgb_image in pictures} == {np.dtype(np.uint8)}
    different = {rgb_image.tobytes() for rgb_image in pictures}
    assert len(different) > len(pictures) // 2  # of a move in several actions nothing is shown


def test_a_frame_shows_hand_and_trick() -> None:
    """Each tile has the colour of its card; cards in the trick are in the line of their seat."""
    env = made("sticheln", seats=3, render_mode="rgb_array", bots=["greedy"])
    _, info = env.reset(seed=1)
    while not env.episode_state.view(0).tricks:
        _, _, _, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    view, shown = env.episode_state.view(0), env.render()
    for at, card in enumerate(view.hand):
        left = rgb_image.GAP + at * (rgb_image.TILE_WIDTH + rgb_image.GAP)
        corner = shown[rgb_image.LINE * 3 + 2 * rgb_image.GAP, left]
        assert tuple(corner) == rgb_image.INKS[card[0]][1]
    for seat, card in view.tricks[0].plays:
        corner = shown[rgb_image.LINE * seat + rgb_image.GAP, rgb_image.LAID]
        assert tuple(corner) == rgb_image.INKS[card[0]][1]


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(BadSettingError, match="episode"):
        made("sticheln", episode="day")
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'"):
        made("sticheln", frameskip=4)
    with pytest.raises(UnknownBotError):
        made("sticheln", bots=["nobody"])
    with pytest.raises(BadSeatsError) as refused:
        made("sticheln", bots=["random"] * 4)
    assert refused.value.id == "wrong-bots"
    with pytest.raises(BadSeatsError):
        made("sticheln", seat=4)


def test_program_bots_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[object] = []
    monkeypatch.setattr(gym, "close", closed.append)
    env = made("sticheln")
    built = len(closed)
    env.reset(seed=1)
    assert len(closed) == built
    players = list(env.players.values())
    env.close()
    assert closed[built:] == players
    env.close()
    assert len(closed) == built + 3


# -- Honesty ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_observations_do_not_depend_on_hidden_cards(game: str, seats: int) -> None:
    """Swap everything our seat cannot know: observation, mask and table stay the same. And
    the observation is the one that its view alone gives."""
    env = made(game, seats=seats, seat=None, episode="round", render_mode="ansi")
    generator, moved = Generator(3), 0
    env.reset(seed=6)
    while not env.episode_state.over:
        truth = env.episode_state
        seen, mask, table = env._observation(), env.action_masks(), env.render()
        if not truth.unfinished:
            assert np.array_equal(seen, observation(env.game_spec, truth.view(env.seat)))
        env.episode_state = truth.resampled(env.seat, generator)
        moved += fields(env.episode_state.state) != fields(truth.state)
        assert np.array_equal(env._observation(), seen)
        assert np.array_equal(env.action_masks(), mask)
        assert env.render() == table
        env.episode_state = truth
        env.step(int(np.flatnonzero(mask)[-1]))
    assert moved > 3


# -- Missing libraries -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("adapter", "library", "line"),
    [
        ("gym", "gymnasium", "Gymnasium is not installed: pip install 'stichwerk[envs]'"),
        ("zoo", "pettingzoo", "PettingZoo is not installed: pip install 'stichwerk[envs]'"),
        ("spiel", "pyspiel", "OpenSpiel is not installed: pip install 'stichwerk[spiel]'"),
        ("zoo", "numpy", "NumPy is not installed: pip install 'stichwerk[envs]'"),
    ],
)
def test_a_missing_library_is_reported_in_one_line(
    monkeypatch: pytest.MonkeyPatch, adapter: str, library: str, line: str
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"stichwerk.envs.{adapter}", raising=False)
    with pytest.raises(MissingLibraryError) as missing:
        __import__(f"stichwerk.envs.{adapter}")
    assert str(missing.value) == line
    assert isinstance(missing.value, ImportError)
