"""Training of nets: it teaches something, its result depends on the seed alone, it can go on."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from stichwerk import cli
from stichwerk.bots import nets
from stichwerk.engine import frame
from stichwerk.games import registry
from stichwerk.training import checkpoint, trainer
from stichwerk.training.checkpoint import CheckpointError
from stichwerk.training.learner import Learner
from stichwerk.training.trainer import Trainer

COMPILED = not str(frame.__file__).endswith(".py")
pytestmark = pytest.mark.skipif(not COMPILED, reason="takes far too long uncompiled")

SEED = 3


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Train on little, so that a test takes a second."""
    monkeypatch.setattr(trainer, "SHARDS", 4)
    monkeypatch.setattr(trainer, "ROOM", 2048)
    monkeypatch.setattr(trainer, "BATCH", 512)
    monkeypatch.setattr(trainer, "EVERY", 2)


def trained(iterations: int, threads: int = 2, until: int = 0, seed: int = SEED) -> Trainer:
    made = Trainer("sticheln", seed, iterations, threads)
    for _ in range(until or iterations):
        made.iterate()
    return made


def tables(made: Trainer) -> list[list[int]]:
    return [table.tolist() for table in made.learner.tables()]


def test_a_short_training_beats_random_play() -> None:
    before, after = Trainer("sticheln", SEED, 8), trained(8)
    shares = [dict(made.measure(400))["random"].share for made in (before, after)]
    assert shares[1] > 0.6
    assert shares[1] > shares[0] + 0.2


def test_threads_do_not_change_the_result() -> None:
    assert tables(trained(3, threads=1)) == tables(trained(3, threads=3))


def test_another_seed_gives_another_net() -> None:
    assert tables(trained(1)) != tables(trained(1, seed=SEED + 1))


def test_a_training_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.npz"
    checkpoint.save(trained(5, until=3), path)
    again = Trainer("sticheln", SEED, 5)
    checkpoint.load(again, path)
    assert again.done == 3
    assert len(again.earlier) == 1  # a rival from the second iteration
    for _ in range(2):
        again.iterate()
    assert tables(again) == tables(trained(5))


def test_a_checkpoint_of_another_training_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.npz"
    checkpoint.save(Trainer("sticheln", SEED, 5), path)
    with pytest.raises(CheckpointError, match="other-checkpoint"):
        checkpoint.load(Trainer("sticheln", SEED + 1, 5), path)
    with pytest.raises(CheckpointError, match="other-checkpoint"):
        checkpoint.load(Trainer("stichling", SEED, 5), path)
    path.write_bytes(b"nonsense")
    with pytest.raises(CheckpointError, match="bad-checkpoint"):
        checkpoint.load(Trainer("sticheln", SEED, 5), path)


def test_the_command_writes_weights_that_can_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["train", "sticheln", "--iterations", "4", "--folder", str(tmp_path), "--lang", "en"]
    assert cli.main([*command, "--until", "1"]) == 0
    assert cli.main(command) == 0
    said = capsys.readouterr()
    assert "after 1 iterations" in said.err
    making, read = nets.read_weights((tmp_path / "sticheln.net").read_bytes())
    assert making.command == "stichwerk train sticheln --iterations 4 --until 4 --seed 1"
    assert [len(table) for table in read] == [len(table) for table in tables(trained(1))]
    assert len((tmp_path / "curve.jsonl").read_text().splitlines()) == 2


def test_a_smaller_net_can_be_trained(tmp_path: Path) -> None:
    command = ["train", "sticheln", "--until", "1", "--hidden", "8", "--second", "4"]
    assert cli.main([*command, "--folder", str(tmp_path), "--lang", "en"]) == 0
    making, read = nets.read_weights((tmp_path / "sticheln.net").read_bytes())
    assert making.sizes[1:] == (8, 4)
    assert making.command.endswith("--until 1 --seed 1 --hidden 8 --second 4")
    assert [len(table) for table in read] == [8 * making.inputs, 32, 4, 8, 4]


def test_an_unknown_game_cannot_be_trained(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["train", "nosuch", "--lang", "en"]) == cli.BAD_INPUT
    assert "no game 'nosuch'" in capsys.readouterr().err


def test_a_game_without_a_net_cannot_be_trained(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without = msgspec.structs.replace(registry.info_of("sticheln"), training=None)
    monkeypatch.setattr(registry, "info_of", lambda name: without)
    assert cli.main(["train", "sticheln", "--lang", "en"]) == cli.BAD_INPUT
    assert "no net for" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_named_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_text("")
    assert cli.main(["train", "sticheln", "--folder", str(path), "--lang", "en"]) != 0
    assert str(path) in capsys.readouterr().err


def error_of(learner: Learner, data: tuple[Any, ...]) -> float:
    """Return half of the mean squared error of the weights, computed with matrices."""
    items, starts, counts, returns = data
    on = np.zeros((len(counts), learner.sizes[0]))
    for row, (start, count) in enumerate(zip(starts, counts, strict=True)):
        on[row, items[start : start + count]] = 1
    weights = {name: table.astype(float) for name, table in learner.weights.items()}
    one = np.clip(on @ weights["first"] + weights["first_bias"], 0, 511 / 64)
    two = np.clip(one @ weights["second"].T + weights["second_bias"], 0, 511 / 64)
    error = two @ weights["last"] + weights["last_bias"] - returns
    return float(np.mean(error * error) / 2)


def test_gradients_agree_with_small_steps() -> None:
    learner = Learner(30, 8, 4, 1)
    random = np.random.default_rng(2)
    counts = np.full(40, 6, np.int32)
    starts = np.arange(0, 240, 6, dtype=np.int64)
    picks = [random.choice(30, 6, replace=False) for _ in counts]
    items = np.concatenate(picks).astype(np.uint16)
    returns = random.normal(size=40).astype(np.float32)
    data = (items, starts, counts, returns)
    found, squares = learner.part(items, starts, counts, returns)()
    assert squares / 40 == pytest.approx(2 * error_of(learner, data), rel=1e-4)
    for name, table in learner.weights.items():
        for at in random.integers(table.size, size=6):
            before = table.flat[at]
            errors = []
            for step in (1e-4, -1e-4):
                table.flat[at] = before + step
                errors.append(error_of(learner, data))
            table.flat[at] = before
            slope = (errors[0] - errors[1]) / 2e-4
            assert found[name].flat[at] / 40 == pytest.approx(slope, abs=2e-3)
