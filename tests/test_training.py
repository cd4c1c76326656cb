"""Training of nets: it teaches something, its result depends on the seed alone, it can go on."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import stichwerk
from stichwerk import bots, cli
from stichwerk.bots import nets
from stichwerk.bots.position import Position
from stichwerk.bots.styles import StyleBot
from stichwerk.cli.train_command import default_folder
from stichwerk.engine import frame
from stichwerk.engine.constants import PLAY
from stichwerk.engine.generator import Generator
from stichwerk.games import registry
from stichwerk.training import checkpoint, trainer
from stichwerk.training import exploiter as exploiters
from stichwerk.training.checkpoint import CheckpointError
from stichwerk.training.command import Point
from stichwerk.training.exploiter import Exploiter
from stichwerk.training.frozen_bots import BotRounds, tactics_of_bot
from stichwerk.training.learner import Learner
from stichwerk.training.trainer import Trainer

COMPILED = not str(frame.__file__).endswith(".py")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not COMPILED, reason="takes far too long uncompiled"),
]

SEED = 3
SPREADS = 0.5  # by which the lead of a few rounds may differ from that of many


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Train on little, so that a test takes a second."""
    monkeypatch.setattr(trainer, "SHARDS", 4)
    monkeypatch.setattr(trainer, "ROOM", 2048)
    monkeypatch.setattr(trainer, "BATCH", 512)
    monkeypatch.setattr(trainer, "EVERY", 2)
    monkeypatch.setattr(Trainer, "rounds", 400)


def trained(iterations: int, threads: int = 2, until: int = 0, seed: int = SEED) -> Trainer:
    made = Trainer("sticheln", seed, iterations, threads)
    for _ in range(until or iterations):
        made.iterate()
    return made


def tables(made: Trainer) -> list[list[int]]:
    return [table.tolist() for table in made.learner.tables()]


def test_a_short_training_beats_random_play() -> None:
    before, after = Trainer("sticheln", SEED, 8), trained(8)
    shares = [dict(made.measure())["random"].share for made in (before, after)]
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


# -- Exploiters ------------------------------------------------------------------------------------


def exploiter(against: str, iterations: int, until: int, threads: int = 2) -> Exploiter:
    made = Exploiter("sticheln", SEED, iterations, threads, against=against)
    for _ in range(until):
        made.iterate()
    return made


def test_an_exploiter_learns_to_beat_its_bot() -> None:
    before, after = exploiter("lowest", 6, 0), exploiter("lowest", 6, 6)
    shares = [dict(made.measure())["lowest-1"].share for made in (before, after)]
    assert shares[1] > 0.6
    assert shares[1] > shares[0] + 0.2


@pytest.mark.parametrize("bot", ["greedy-1", "moody"])
def test_an_exploiter_goes_on_where_it_stopped(
    bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against tactics, and against a bot that is asked with views."""
    monkeypatch.setattr(exploiters, "SLOW_DECISIONS", 40)
    path = tmp_path / "checkpoint.npz"
    checkpoint.save(exploiter(bot, 3, 2, threads=1), path)
    again = exploiter(bot, 3, 0)
    checkpoint.load(again, path)
    again.iterate()
    assert tables(again) == tables(exploiter(bot, 3, 3))
    with pytest.raises(CheckpointError, match="other-checkpoint"):
        checkpoint.load(Trainer("sticheln", SEED, 3), path)
    with pytest.raises(CheckpointError, match="other-checkpoint"):
        checkpoint.load(exploiter("greedy-2", 3, 0), path)


def test_each_iteration_of_an_exploiter_plays_other_rounds() -> None:
    made = exploiter("lowest", 3, 0)
    net = made.learner.net()
    first = made.play(net, 0)
    made.done = 1
    assert first[2].tolist() != made.play(net, 0)[2].tolist()


@pytest.mark.parametrize("name", ["lowest", "highest", "hoarder"])
def test_habits_are_those_of_the_style(name: str) -> None:
    bot = bots.build(name)
    assert isinstance(bot, StyleBot)
    match = stichwerk.game("null-nichtig", seats=4).new(seed=SEED)
    seen = 0
    while match.waiting_for and not match.scores:
        seat = match.waiting_for[0]
        position = Position(match.view(seat))
        tactics = tactics_of_bot(name, position.rules)
        assert tactics is not None
        step = tactics.pick(position.known, seat, Generator(1))
        if position.known.phase == PLAY:
            seen += 1
            worth = {move.steps[0]: bot.taste(position, move) for move in position.moves()}
            assert worth[step] == min(worth.values())
        match.play(seat, bot.choose(position.view))
    assert seen > 20


def test_bots_that_play_by_tactics_are_those_tactics() -> None:
    rules = registry.build("null-nichtig", 4, registry.settle_options("null-nichtig", 4, {}))
    for name in ("random-1", "greedy-1", "greedy-2", "hard-1", "net-1", "net-0", "hoarder-1"):
        assert tactics_of_bot(name, rules) is not None
    for name in ("moody-1", "easy-1", "master-1", "tree@50", "program:nothing"):
        assert tactics_of_bot(name, rules) is None


@pytest.mark.parametrize(
    ("game", "bot"),
    [("null-nichtig", "greedy-2"), ("stichling", "net-0"), ("stichtag", "lowest")],
)
def test_a_bot_and_its_tactics_make_the_same_moves(game: str, bot: str) -> None:
    """With views the rounds are others, but worth about as much on average."""
    made = Exploiter(game, SEED, 1, against=bot)
    net = made.learner.net()
    learner = trainer.tactics_with(net, made.rules)
    work = BotRounds(learner, made.setting, made.against, 7)
    for number in range(24):
        work.play(number % 4, 0)
    items, counts, returns = work.kept()
    assert len(counts) == len(returns) > 60
    assert items.max() < made.learner.sizes[0]
    assert counts.sum() == len(items)
    assert made.tactics is not None
    fast = trainer.contest(learner, made.tactics, 400, SEED)
    assert work.gain / work.results == pytest.approx(fast.lead, abs=SPREADS * made.tables[0].spread)


def test_a_training_begins_with_the_weights_of_a_net(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begun = Exploiter("sticheln", SEED, 3, start="net-0", against="net-0")
    _, weights = nets.weights_of("sticheln", 0)
    assert tables(begun) == [list(table) for table in weights]
    command = ["train", "sticheln", "--against", "net-0", "--from", "net-0", "--until", "1"]
    assert cli.main([*command, "--folder", str(tmp_path), "--lang", "en"]) == 0
    lines = (tmp_path / "curve.jsonl").read_bytes().splitlines()
    points = [msgspec.json.decode(line, type=Point) for line in lines]
    assert [point.iteration for point in points] == [0, 1]
    assert points[0].error is None
    assert set(points[1].leads) == {"net-0"}
    made = msgspec.json.decode((tmp_path / "made.json").read_bytes())
    assert made["command"].endswith("--until 1 --seed 1 --against net-0 --from net-0")
    capsys.readouterr()
    for more in (["--hidden", "8"], ["--from", "hard"]):
        assert cli.main([*command, *more, "--folder", str(tmp_path), "--lang", "en"]) != 0
    said = capsys.readouterr().err
    assert "leave out --hidden" in said
    assert "hard-2 has no net" in said


def test_the_folder_of_an_exploiter_names_its_bot() -> None:
    assert default_folder("sticheln", None) == "training/sticheln"
    assert default_folder("sticheln", "net") == "training/exploiters/sticheln-net-1"
    assert default_folder("sticheln", "tree@50") == "training/exploiters/sticheln-tree-1@50"


# -- Gradients -------------------------------------------------------------------------------------


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
