"""Stable-Baselines3 and sb3-contrib: environments by id, worker processes, MaskablePPO."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecEnv

import stichwerk.envs.gym
from stichwerk.games import registry

SHORT = "Stichwerk/Sticheln-v0"
EVERYWHERE = f"stichwerk.envs.gym:{SHORT}"


def course(envs: VecEnv, steps: int = 40) -> tuple[list[bytes], list[float]]:
    """Return what two environments show and pay while the lowest legal action is taken."""
    envs.seed(5)
    seen, paid = [np.asarray(envs.reset()).tobytes()], []
    for _ in range(steps):
        actions = get_action_masks(envs).argmax(axis=1)
        rows, rewards, _, _ = envs.step(actions)
        seen.append(np.asarray(rows).tobytes())
        paid += rewards.tolist()
    return seen, paid


@pytest.mark.parametrize("game", registry.GAMES)
def test_stable_baselines_check_env_passes(game: str) -> None:
    check_env(gymnasium.make(stichwerk.envs.gym.environment_id(game)).unwrapped)


@pytest.mark.parametrize("name", [SHORT, EVERYWHERE])
def test_environments_are_made_by_id(name: str) -> None:
    """Which asks for pictures, whether anyone wants them or not."""
    envs = make_vec_env(name, n_envs=2)
    assert envs.render_mode == "rgb_array"
    assert np.asarray(envs.reset()).shape == (2, 940)
    picture = envs.render()
    assert picture is not None
    assert picture.ndim == 3
    envs.close()


@pytest.mark.parametrize("start", ["spawn", "forkserver"])
def test_worker_processes_play_the_same(start: str) -> None:
    here = make_vec_env(EVERYWHERE, n_envs=2, vec_env_cls=DummyVecEnv)
    there = make_vec_env(
        EVERYWHERE,
        n_envs=2,
        vec_env_cls=SubprocVecEnv,
        vec_env_kwargs={"start_method": start},
        env_kwargs={"seats": 4},
    )
    try:
        expected = course(here)
        assert course(there) == expected
        assert any(expected[1])
    finally:
        there.close()


SCRIPT = """
import stichwerk.envs.gym
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import SubprocVecEnv

if __name__ == "__main__":
    for start in ("spawn", "forkserver"):
        workers = {"start_method": start}
        envs = make_vec_env(
            "Stichwerk/Sticheln-v0", vec_env_cls=SubprocVecEnv, vec_env_kwargs=workers
        )
        print(start, envs.reset().shape)
        envs.close()
"""


def test_the_short_id_is_known_to_workers_of_a_script_that_imports_us(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, "utf-8")
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "spawn (1, 940)\nforkserver (1, 940)\n"


def weights(model: Any) -> torch.Tensor:
    return torch.cat([it.detach().flatten() for it in model.policy.parameters()])


@pytest.mark.parametrize(
    ("game", "workers"), [("sticheln", True), ("stichling", False), ("stichtag", False)]
)
def test_maskable_ppo_learns_by_the_masks(game: str, workers: bool) -> None:
    """An action that is not open would be refused, so every one of them was."""
    envs = make_vec_env(
        stichwerk.envs.gym.environment_id(game),
        n_envs=2,
        seed=1,
        vec_env_cls=SubprocVecEnv if workers else DummyVecEnv,
        vec_env_kwargs={"start_method": "spawn"} if workers else None,
        env_kwargs={"illegal": "raise", "bots": ["random"]},
    )
    try:
        model = MaskablePPO("MlpPolicy", envs, n_steps=128, batch_size=64, n_epochs=2, seed=1)
        before = weights(model)
        model.learn(512)
        assert model.num_timesteps == 512
        after = weights(model)
        assert bool(torch.isfinite(after).all())
        assert not torch.equal(before, after)
        rows = np.asarray(envs.reset())
        for _ in range(30):
            masks = get_action_masks(envs)
            actions, _ = model.predict(rows, action_masks=masks, deterministic=True)
            assert masks[np.arange(2), actions].all()
            rows = np.asarray(envs.step(actions)[0])
    finally:
        envs.close()
