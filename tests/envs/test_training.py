"""The training examples of the documentation in miniature: they leave `random` behind.

Each plays the same deals before and after. A learner that learns nothing stays a random player,
and its lead does not grow: then these tests fail (the last one shows it).
"""

import sys
from typing import Any

import pytest

from tests.envs.adapting import EXAMPLES, example

pytestmark = [pytest.mark.game, pytest.mark.slow]


@pytest.fixture(autouse=True)
def _beside_the_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    """They import the learner next to them."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.delitem(sys.modules, "small_learner", raising=False)


@pytest.mark.parametrize(
    ("program", "rounds", "trials", "gain"),
    [
        ("train_pettingzoo", 700, 250, 2.0),
        ("train_gymnasium", 900, 250, 1.5),
        ("train_openspiel", 600, 200, 2.0),
    ],
)
def test_the_learner_beats_random(program: str, rounds: int, trials: int, gain: float) -> None:
    before, after = example(program).main(rounds, trials)
    assert after > before + gain
    assert after > gain / 2


def test_without_learning_it_does_not_beat_random(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the tests above can fail."""
    program = example("train_gymnasium")

    def learns_nothing(self: Any, decisions: Any, outcome: float) -> None:
        pass

    monkeypatch.setattr(program.SmallLearner, "learn", learns_nothing)
    before, after = program.main(20, 250)
    assert after < before + 1.5
