"""TorchRL: its wrappers over PettingZoo and Gymnasium, checks of specs, rollouts, a gradient."""

from typing import Any

import pytest
import torch
from tensordict.nn import TensorDictModule
from torchrl.envs import GymEnv, PettingZooWrapper, check_env_specs
from torchrl.modules import MaskedCategorical

from stichwerk.envs import zoo
from stichwerk.games import registry

TABLES = [(game, seats) for game, kind in registry.GAMES.items() for seats in kind.seat_counts]


def wrapped(env: Any, **settings: Any) -> Any:
    """Return an environment of PettingZoo as TorchRL sees it; masks are used."""
    return PettingZooWrapper(env, use_mask=True, categorical_actions=True, **settings)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_parallel_environments(game: str, seats: int) -> None:
    """Random rollouts to the end: an action that is not open would be refused."""
    env = wrapped(zoo.parallel_env(game, seats), seed=3)
    check_env_specs(env)
    rollout = env.rollout(1000)
    assert rollout["next", "done"].sum() == 1
    assert rollout["next", "seat", "reward"][:-1].count_nonzero() == 0
    assert rollout["next", "seat", "reward"][-1].count_nonzero() > 0
    masks = rollout["seat", "action_mask"]
    assert bool(masks.any(-1).all())
    assert bool((masks[..., :-1].any(-1).sum(-1) == 1).all()), "one seat is asked"


@pytest.mark.parametrize("options", [{"date": "02-18"}, {"date": "12-24"}, {"episode": "match"}])
def test_days_and_whole_matches(options: dict[str, Any]) -> None:
    env = wrapped(zoo.parallel_env("stichtag", 3, **options), seed=3)
    check_env_specs(env)
    assert env.rollout(2000)["next", "done"].sum() == 1


@pytest.mark.parametrize("game", registry.GAMES)
def test_aec_environments(game: str) -> None:
    env = wrapped(zoo.env(game), done_on_any=False, seed=3)
    check_env_specs(env)
    assert env.rollout(1000)["next", "done"].sum() == 1


def test_a_gymnasium_seat_by_its_id() -> None:
    env = GymEnv("stichwerk.envs.gym:Stichwerk/Sticheln-v0", categorical_action_encoding=True)
    check_env_specs(env)
    assert env.rollout(100)["next", "done"].sum() == 1


def test_a_policy_learns_from_rollouts() -> None:
    """One step of REINFORCE for all seats; a seat that is not asked has one choice, and learns
    nothing from it."""
    torch.manual_seed(1)
    table = zoo.parallel_env("sticheln", 4)
    layer = torch.nn.Linear(table.table.spec.width, table.no_op + 1)
    before = layer.weight.detach().clone()
    keys: list[Any] = [("seat", "observation", "observation"), ("seat", "action_mask")]

    def chances(rows: torch.Tensor, masks: torch.Tensor) -> MaskedCategorical:
        return MaskedCategorical(logits=layer(rows), mask=masks)

    def sampled(rows: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        return chances(rows, masks).sample()

    policy = TensorDictModule(sampled, in_keys=keys, out_keys=[("seat", "action")])
    with torch.no_grad():
        rollout = wrapped(table, seed=3).rollout(500, policy)
    masks = rollout["seat", "action_mask"]
    likely = chances(*(rollout[key] for key in keys)).log_prob(rollout["seat", "action"])
    assert bool((likely[masks[..., -1]] == 0).all())
    gains = rollout["next", "seat", "reward"].sum(0).squeeze(-1)
    loss = -(likely * (gains - gains.mean())).mean()
    loss.backward()
    torch.optim.SGD(layer.parameters(), lr=0.1).step()
    assert bool(torch.isfinite(layer.weight).all())
    assert not torch.equal(layer.weight, before)
