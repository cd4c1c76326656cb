"""Play an object that is in the middle of a match to its end, with reproducible choices.

    python -m tests.play_to_end < PICKLE

reads a list of such objects and prints a hash of each one's outcome. Other processes and other
engines must get the same hashes.
"""

import hashlib
import json
import pickle
import random
import sys
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from stichwerk.engine.area import layout

SEED = 11


def outcome_hash(thing: Any) -> str:
    """Return a hash of everything that happens until the end; this consumes the object."""
    kind = next(kind for kind in type(thing).__mro__ if kind.__name__ in ENDS)
    digest = hashlib.sha256()
    for fact in ENDS[kind.__name__](thing):
        digest.update(fact if isinstance(fact, bytes) else msgspec.json.encode(fact))
    return digest.hexdigest()


def match_end(match: Any) -> Iterable[object]:
    """Yield what each seat has seen, what the next one sees before each move, and all events."""
    rng = random.Random(SEED)
    everyone = (*range(match.rules.seats), None)
    yield [match.view(seat) for seat in everyone]
    while match.waiting_for:
        seat = rng.choice(match.waiting_for)
        yield match.views([seat])[seat]
        match.play(seat, rng.choice(match.moves(seat)))
    yield [match.view(seat) for seat in everyone]
    yield [match.events, match.scores, match.names, [vars(it) for it in match.rounds]]


def generator_end(generator: Any) -> Iterable[object]:
    yield [generator.number(1000) for _ in range(50)]


def state_end(state: Any) -> Iterable[object]:
    """Yield all numbers; the fields of its layout instead of its id, which belongs to a process."""
    names = sorted(name for name in dir(state) if not name.startswith("_") and name != "layout")
    values = [getattr(state, name) for name in names]
    yield [value for value in values if not callable(value)]
    yield [*layout(state.layout).values()]


def rules_end(rules: Any) -> Iterable[object]:
    """Yield the number of moves in random rounds, and which engine plays them."""
    yield [rules.name, rules.version, rules.seats, rules.random_rounds(5, SEED)]


def setting_end(setting: Any) -> Iterable[object]:
    yield [setting.name, setting.seats, setting.options]
    yield from match_end(setting.new(seed=SEED))


def spec_end(spec: Any) -> Iterable[object]:
    texts = [spec.action_text(code) for code in range(spec.actions)]
    yield [repr(spec), texts, {name: str(it) for name, it in spec.layout.items()}, spec.width]


def batch_end(batch: Any) -> Iterable[object]:
    """Yield everything the arrays show during about two episodes of random actions."""
    arrays = (batch.seats, batch.masks, batch.rewards, batch.done, batch.observations)
    for step in range(300):
        yield from (array.tobytes() for array in arrays)
        yield [batch.scores(at) for at in range(batch.size)]
        batch.step(batch.random_actions())
        if step % 70 == 69:
            batch.reset(only=[0])
    yield batch.observe(0, 1).tobytes()


def agents_end(env: Any) -> Iterable[object]:
    """Play the rest of this PettingZoo episode, and the next one."""
    rng = random.Random(SEED)
    for _ in range(2):
        for agent in env.agent_iter():
            seen, reward, over, cut_off, info = env.last()
            yield seen["observation"].tobytes()
            yield [agent, reward, over, cut_off, info, env.render()]
            open_actions = [int(at) for at in seen["action_mask"].nonzero()[0]]
            env.step(None if over or cut_off else rng.choice(open_actions))
        env.reset()


def together_end(env: Any) -> Iterable[object]:
    """Play a parallel PettingZoo environment in the same way."""
    rng = random.Random(SEED)
    seen = {agent: env._observed(agent) for agent in env.agents}
    for _ in range(2):
        while env.agents:
            masks = {agent: seen[agent]["action_mask"] for agent in env.agents}
            actions = {
                agent: rng.choice([int(at) for at in mask.nonzero()[0]])
                for agent, mask in masks.items()
            }
            seen, *fact = env.step(actions)
            yield [actions, fact]
            yield from (one["observation"].tobytes() for one in seen.values())
        seen, _ = env.reset()


def seat_end(env: Any) -> Iterable[object]:
    """Play the rest of this Gymnasium episode, and the next one."""
    rng = random.Random(SEED)
    for _ in range(2):
        over = False
        while not over:
            mask = env.unwrapped.action_masks()
            seen, reward, over, _, info = env.step(rng.choice([*mask.nonzero()[0].tolist()]))
            yield seen.tobytes()
            yield [reward, info["seat"], info["scores"], env.render()]
        env.reset()


def game_end(game: Any) -> Iterable[object]:
    """Play an OpenSpiel game from its start."""
    yield [str(game), game.max_utility(), str(game.get_type().utility)]
    yield from spiel_end(game.new_initial_state())


def spiel_end(state: Any) -> Iterable[object]:
    rng = random.Random(SEED)
    yield [state.history(), str(state)]
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = [outcome for outcome, _ in state.chance_outcomes()]
        else:
            outcomes = state.legal_actions()
            yield [state.information_state_string(), state.observation_tensor()]
        state.apply_action(rng.choice(outcomes))
    yield [state.returns(), state.history()]


ENDS: dict[str, Callable[[Any], Iterable[object]]] = {
    "Match": match_end,
    "Generator": generator_end,
    "State": state_end,
    "Game": rules_end,
    "Setting": setting_end,
    "Spec": spec_end,
    "Batch": batch_end,
    "TrickTakingEnv": agents_end,
    "OrderedAecEnv": agents_end,
    "ParallelTrickTakingEnv": together_end,
    "SeatEnv": seat_end,
    "Wrapper": seat_end,
    "SpielGame": game_end,
    "SpielState": spiel_end,
}
"""By class name, since some classes exist twice, compiled and plain."""


if __name__ == "__main__":
    things = pickle.load(sys.stdin.buffer)
    json.dump([outcome_hash(thing) for thing in things], sys.stdout)
