"""Learn Null & nichtig at one seat, with bots at the others, through Gymnasium.

    python docs/examples/train_gymnasium.py [ROUNDS]

The learner sits at a drawn seat and plays against `random`; any other bot would do.
"""

import sys
from time import process_time
from typing import Any

import gymnasium
from small_learner import Decision, SmallLearner, before_and_after

import stichwerk.envs.gym  # registers the environments


def train(env: Any, learner: SmallLearner, rounds: int, seed: int = 0) -> None:
    """Play rounds, learn from each."""
    for number in range(rounds):
        seen, info = env.reset(seed=seed + number)
        decisions: list[Decision] = []
        over, reward = False, 0.0
        while not over:
            action = learner.explore(seen, info["action_mask"])
            decisions.append((seen, info["action_mask"], action))
            seen, reward, over, _, info = env.step(action)
        learner.learn(decisions, reward)


def compare(env: Any, learner: SmallLearner, rounds: int, seed: int = 10**6) -> tuple[float, float]:
    """Points a round of the learner, and of the bots at the other seats."""
    own = others = 0.0
    for number in range(rounds):
        seen, info = env.reset(seed=seed + number)
        over = False
        while not over:
            seen, _, over, _, info = env.step(learner.best(seen, info["action_mask"]))
        points = info["scores"][0]
        own += points[info["seat"]] / rounds
        others += (sum(points) - points[info["seat"]]) / (len(points) - 1) / rounds
    return own, others


def main(rounds: int = 8000, trials: int = 1000) -> tuple[float, float]:
    """By how many points a round the learner is ahead of `random`, before and after."""
    name = stichwerk.envs.gym.environment_id("null-nichtig")
    env = gymnasium.make(name, seats=3, bots=["random"], seat=None, episode="round")
    spec = env.unwrapped.game_spec  # type: ignore[attr-defined]
    learner = SmallLearner(spec.actions, spec.width)
    return before_and_after(
        rounds,
        lambda stage: train(env, learner, stage),
        lambda: compare(env, learner, trials),
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
    print(f"{process_time():.0f} s of processor time")
