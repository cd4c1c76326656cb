"""The learner of the documentation, in miniature: it must get clearly better than chance."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.game

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[1] / "docs/examples/train_batch.py"


def result(*command: str) -> str:
    """Return what a program prints."""
    run = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, timeout=600, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.slow
def test_a_short_training_beats_random() -> None:
    """After a few batches it leads three random seats by points that chance does not give."""
    found = json.loads(result(str(HERE / "learning.py"), "points"))
    untaught, taught = found["untaught"], found["taught"]
    assert abs(untaught["lead"]) < 2 * untaught["interval"]
    assert taught["lead"] - taught["interval"] > 1.0
    assert taught["wins"] > untaught["wins"] + 0.03


@pytest.mark.slow
def test_training_on_noise_does_not_improve_play() -> None:
    """With rewards that have nothing to do with play the same training leads nowhere: so the test
    above can fail."""
    taught = json.loads(result(str(HERE / "learning.py"), "noise"))["taught"]
    assert taught["lead"] - taught["interval"] < 1.0


def test_the_training_example_runs() -> None:
    request = "--game stichling --seats 3 --updates 2 --tables 16 --rounds 50"
    assert "learned against random" in result(str(EXAMPLE), *request.split())
