"""Checkpoints: everything a training needs to go on, in one file."""

from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import msgspec
import numpy as np

from stichwerk.errors import StichwerkError
from stichwerk.training.trainer import Trainer

PARTS = ("weights", "means", "squares", "average")  # of a learner


class CheckpointError(StichwerkError):
    """A checkpoint that cannot be read, or belongs to another training."""


class TrainingProgress(msgspec.Struct, frozen=True, kw_only=True):
    """What identifies a training, and how far it is."""

    game: str
    seed: int
    iterations: int
    done: int
    decisions: int
    steps: int
    sizes: tuple[int, int, int]
    against: str = ""
    start: str = ""


def save(trainer: Trainer, path: Path) -> None:
    """Write a checkpoint; an interrupted write leaves the previous one."""
    learner = trainer.learner
    progress = TrainingProgress(
        game=trainer.game,
        seed=trainer.seed,
        iterations=trainer.iterations,
        done=trainer.done,
        decisions=trainer.decisions,
        steps=learner.steps,
        sizes=learner.sizes,
        against=trainer.against,
        start=trainer.start,
    )
    arrays: dict[str, Any] = {
        f"{part}.{name}": table for part in PARTS for name, table in getattr(learner, part).items()
    }
    for number, tables in enumerate(trainer.earlier):
        for at, table in enumerate(tables):
            arrays[f"earlier.{number}.{at}"] = table
    arrays["progress"] = np.frombuffer(msgspec.json.encode(progress), np.uint8)
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez_compressed(file, **arrays)
    part.replace(path)


def load(trainer: Trainer, path: Path) -> None:
    """Go on from a checkpoint of the same training."""
    try:
        with np.load(path) as arrays:
            tables = {name: arrays[name] for name in arrays.files}
            progress = msgspec.json.decode(tables.pop("progress").tobytes(), type=TrainingProgress)
    except (OSError, EOFError, ValueError, KeyError, BadZipFile, msgspec.MsgspecError) as error:
        raise CheckpointError("bad-checkpoint", file=path) from error
    learner = trainer.learner
    wanted = (trainer.game, trainer.seed, learner.sizes, trainer.against, trainer.start)
    sizes = progress.sizes
    found = (progress.game, progress.seed, sizes, progress.against, progress.start)
    if found != wanted:
        raise CheckpointError("other-checkpoint", file=path, found=found, wanted=wanted)
    for part in PARTS:
        for name in learner.weights:
            getattr(learner, part)[name] = tables[f"{part}.{name}"]
    learner.steps = progress.steps
    trainer.done = progress.done
    trainer.decisions = progress.decisions
    trainer.earlier = []
    while f"earlier.{len(trainer.earlier)}.0" in tables:
        number = len(trainer.earlier)
        trainer.earlier.append([tables[f"earlier.{number}.{at}"] for at in range(5)])
