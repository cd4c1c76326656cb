"""Learn Sticheln through PettingZoo by playing against oneself, then play against `random`.

    python docs/examples/train_pettingzoo.py [ROUNDS]

One set of weights plays all four seats: observations are relative to the seat.
"""

import sys
from time import process_time
from typing import Any

import numpy as np
from small_learner import Decision, SmallLearner, before_and_after

from stichwerk.envs import zoo


def train(env: Any, learner: SmallLearner, rounds: int, seed: int = 0) -> None:
    """Every seat plays by the same weights, and every seat teaches them."""
    for number in range(rounds):
        env.reset(seed=seed + number)
        decisions: dict[str, list[Decision]] = {agent: [] for agent in env.agents}
        for agent in env.agent_iter():
            seen, reward, over, _, _ = env.last()
            if over:
                learner.learn(decisions[agent], reward)
                env.step(None)
                continue
            action = learner.explore(seen["observation"], seen["action_mask"])
            decisions[agent].append((seen["observation"], seen["action_mask"], action))
            env.step(action)


def compare(env: Any, learner: SmallLearner, rounds: int, seed: int = 10**6) -> tuple[float, float]:
    """Points a round of the learner at seat 0, and of random players at the others."""
    random = np.random.default_rng(seed)
    points = dict.fromkeys(env.possible_agents, 0.0)
    for number in range(rounds):
        env.reset(seed=seed + number)
        for agent in env.agent_iter():
            seen, reward, over, _, _ = env.last()
            if over:
                points[agent] += reward
                env.step(None)
            elif agent == "seat_0":
                env.step(learner.best(seen["observation"], seen["action_mask"]))
            else:
                env.step(int(random.choice(np.flatnonzero(seen["action_mask"]))))
    own, *others = (points[agent] / rounds for agent in env.possible_agents)
    return own, sum(others) / len(others)


def main(rounds: int = 6000, trials: int = 1000) -> tuple[float, float]:
    """By how many points a round the learner is ahead of `random`, before and after."""
    env = zoo.env("sticheln", seats=4, episode="round")
    spec = env.unwrapped.spec
    learner = SmallLearner(spec.actions, spec.width)
    return before_and_after(
        rounds,
        lambda stage: train(env, learner, stage),
        lambda: compare(env, learner, trials),
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
    print(f"{process_time():.0f} s of processor time")
