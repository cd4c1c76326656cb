"""Learn Sticheln through OpenSpiel by playing against oneself, then play against `random`.

    python docs/examples/train_openspiel.py [ROUNDS]

States, chance nodes and tensors are OpenSpiel's; any of its algorithms finds the same there.
"""

import random
import sys
from time import process_time
from typing import Any

import numpy as np
import pyspiel
from small_learner import Decision, Mask, Row, SmallLearner, before_and_after

import stichwerk.envs.spiel  # registers the games


def seen_by(state: Any, player: int) -> tuple[Row, Mask]:
    """What a player sees, and what is open to it."""
    seen = np.array(state.observation_tensor(player), np.float32)
    return seen, np.array(state.legal_actions_mask(player), np.int8)


def dealt(game: Any, rng: random.Random) -> Any:
    """A new round with all cards drawn."""
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(outcomes, chances)[0])
    return state


def train(game: Any, learner: SmallLearner, rounds: int, seed: int = 0) -> None:
    """Every player plays by the same weights, and every player teaches them."""
    for number in range(rounds):
        state = dealt(game, random.Random(seed + number))
        decisions: list[list[Decision]] = [[] for _ in range(game.num_players())]
        while not state.is_terminal():
            player = state.current_player()
            seen, mask = seen_by(state, player)
            action = learner.explore(seen, mask)
            decisions[player].append((seen, mask, action))
            state.apply_action(action)
        for player, outcome in enumerate(state.returns()):
            learner.learn(decisions[player], outcome)


def compare(
    game: Any, learner: SmallLearner, rounds: int, seed: int = 10**6
) -> tuple[float, float]:
    """Points a round of the learner as player 0, and of random players."""
    points = np.zeros(game.num_players())
    for number in range(rounds):
        rng = random.Random(seed + number)
        state = dealt(game, rng)
        while not state.is_terminal():
            if state.current_player() == 0:
                state.apply_action(learner.best(*seen_by(state, 0)))
            else:
                state.apply_action(rng.choice(state.legal_actions()))
        points += state.returns()
    own, *others = points / rounds
    return float(own), float(np.mean(others))


def main(rounds: int = 6000, trials: int = 1000) -> tuple[float, float]:
    """By how many points a round the learner is ahead of `random`, before and after."""
    game = pyspiel.load_game(stichwerk.envs.spiel.spiel_name("sticheln"), {"seats": 4})
    learner = SmallLearner(game.num_distinct_actions(), game.observation_tensor_size())
    return before_and_after(
        rounds,
        lambda stage: train(game, learner, stage),
        lambda: compare(game, learner, trials),
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
    print(f"{process_time():.0f} s of processor time")
