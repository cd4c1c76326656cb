"""Plays the given settings and prints a digest of everything seen; for `test_plain_compiled`.

Run as a program, with the engine that the Python path leads to: reads a JSON object from standard
input, `{"settings": [[name, seats, rules, options], …], "matches": n}`, and writes `{"file": …,
"digests": {…}}`. Nothing here may depend on how the engine was built.
"""

import hashlib
import json
import sys
from typing import Any

import msgspec

import stichwerk
from stichwerk.engine import frame
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.match import Setting
from stichwerk.view import sample

FIELDS = [name for name in dir(State()) if not name.startswith("_")]


class Digest:
    """A hash of everything noted so far, and the last notes in plain text."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self.notes = 0

    def note(self, *facts: Any) -> None:
        self.hash.update(repr(facts).encode())
        self.notes += 1

    def note_state(self, state: State) -> None:
        values = [getattr(state, name) for name in FIELDS]
        numbers = [value for value in values if not callable(value)]
        self.note([value if isinstance(value, list) else int(value) for value in numbers])

    def __str__(self) -> str:
        return f"{self.notes} notes, {self.hash.hexdigest()[:16]}"


def whole_match(setting: Setting, seed: int, digest: Digest) -> None:
    """Play a match through the integer interface: deals, lists, moves, points, ranking."""
    rules, state, generator = setting.rules, State(), Generator(seed)
    scores: list[list[int]] = []
    state.starter = generator.number(setting.seats)
    while not scores or not rules.match_over(scores):
        state.round = len(scores) + 1
        rules.shuffled_round(state, generator)
        digest.note_state(state)
        whole_round(setting, state, seed, generator, digest)
        scores.append(state.points[: setting.seats])
        digest.note(scores[-1])
        state.starter = rules.next_starter(state.starter, scores)
    digest.note(rules.ranking(scores))


def whole_round(
    setting: Setting, state: State, seed: int, generator: Generator, digest: Digest
) -> None:
    """Play one round at random; with odd seeds low cards go first, so that zeros meet."""
    rules = setting.rules
    while state.owes:
        seat = next(seat for seat in range(setting.seats) if state.owes >> seat & 1)
        actions = rules.actions(state, seat)
        action = actions[generator.number(len(actions))]
        if seed % 2 and generator.number(4):
            action = min(actions, key=lambda action: action % 16)
        digest.note(seat, actions, action)
        rules.play(state, seat, action)
    digest.note_state(state)


def compiled_round(setting: Setting, seed: int, digest: Digest) -> None:
    """Let the engine play a round by itself, with its own choice of random moves."""
    state, generator = State(), Generator(seed)
    state.round = 1
    setting.rules.shuffled_round(state, generator)
    digest.note(setting.rules.finish(state, generator), generator.number(10**6))
    digest.note_state(state)
    digest.note(setting.rules.random_rounds(2, seed))


def samples(setting: Setting, seed: int, digest: Digest) -> None:
    """Play a match at the table: texts, events, views, and what is sampled from them."""
    match, generator = setting.new(seed=seed), Generator(seed)
    for _ in range(2 * setting.seats * setting.rules.hand_size):
        if not match.waiting_for:
            break
        seat = match.waiting_for[generator.number(len(match.waiting_for))]
        listed = match.moves(seat)
        digest.note([move.text for move in listed])
        digest.note(match.play(seat, listed[generator.number(len(listed))]))
        viewer = (None, *range(setting.seats))[generator.number(setting.seats + 1)]
        if generator.number(4) == 0:
            view = match.view(viewer)
            digest.note(msgspec.json.encode(view))
            digest.note_state(sample(view, generator))


def counts(setting: Setting, seed: int, digest: Digest) -> None:
    """Count the sequences of moves from a deal, and from near the end of its round."""
    state, generator = State(), Generator(seed)
    state.round = 1
    setting.rules.shuffled_round(state, generator)
    digest.note(setting.rules.perft(state, 2))
    while state.owes and sum(state.hand_size) > setting.seats + 2:
        seat = next(seat for seat in range(setting.seats) if state.owes >> seat & 1)
        actions = setting.rules.actions(state, seat)
        setting.rules.play(state, seat, actions[generator.number(len(actions))])
    digest.note(setting.rules.perft(state, 5))


def digest_of(setting: Setting, matches: int) -> str:
    """Return everything for one setting."""
    digest = Digest()
    for seed in range(matches):
        whole_match(setting, seed, digest)
        compiled_round(setting, seed, digest)
    for seed in range(1 + matches // 30):
        samples(setting, seed, digest)
        counts(setting, seed, digest)
    return str(digest)


def main() -> None:
    """Read, play, print."""
    task = json.load(sys.stdin)
    digests = {}
    for name, seats, rules, options in task["settings"]:
        setting = stichwerk.game(name, seats=seats, rules=rules, **options)
        digests[repr(setting)] = digest_of(setting, task["matches"])
    json.dump({"file": frame.__file__, "digests": digests}, sys.stdout)


if __name__ == "__main__":
    main()
