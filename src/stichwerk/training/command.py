"""The train command: train a net, show its progress, keep what it learned."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from typing import Protocol

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from stichwerk import locale
from stichwerk.bots import nets
from stichwerk.errors import StichwerkError
from stichwerk.games import registry
from stichwerk.training import checkpoint
from stichwerk.training.trainer import Trainer

SAVE_EVERY = 20  # iterations between two checkpoints, each with a measurement
ROUNDS = 1600  # of a measurement, against each rival


class TrainingError(StichwerkError):
    """A net that cannot be trained."""


class TrainOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of the command besides the game."""

    iterations: int
    until: int | None
    seed: int
    threads: int
    folder: str
    commit: str
    hidden: int | None = None
    second: int | None = None

    def command(self, game: str, done: int) -> str:
        """Return the command that makes the same net again."""
        asked = {
            "iterations": self.iterations,
            "until": done,
            "seed": self.seed,
            "hidden": self.hidden,
            "second": self.second,
        }
        flags = [f"--{name} {said}" for name, said in asked.items() if said is not None]
        return " ".join(["stichwerk train", game, *flags])


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """A point of the training curve: how far, the mean error, and win shares by rival."""

    iteration: int
    decisions: int
    error: float
    shares: dict[str, float]


class Tell(Protocol):
    """Shows the progress."""

    def __call__(self, done: int, point: Point | None) -> None:
        """Show how many iterations are done, and a new point of the curve."""


def run(game: str, options: TrainOptions, lang: str) -> None:
    """Train the net of a game, or go on where an earlier training stopped."""
    registry.kind(game)  # refuses an unknown game
    if not registry.info_of(game).training:
        raise TrainingError("no-net-here", game=game)
    folder = Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)  # before any work, so that nothing is lost
    units = (options.hidden, options.second)
    trainer = Trainer(game, options.seed, options.iterations, options.threads, units)
    kept = folder / "checkpoint.npz"
    if kept.exists():
        checkpoint.load(trainer, kept)
        click.echo(locale.text("train-goes-on", lang, file=kept, done=trainer.done), err=True)
    with showing(trainer, lang) as tell:
        train(trainer, min(options.until or options.iterations, options.iterations), folder, tell)
    path = folder / f"{game}.net"
    path.write_bytes(weights(trainer, options))
    click.echo(locale.text("train-written", lang, file=path))


def train(trainer: Trainer, until: int, folder: Path, tell: Tell) -> None:
    """Iterate up to here; every few iterations keep a checkpoint and measure."""
    errors = []
    while trainer.done < until:
        errors.append(trainer.iterate())
        point = None
        if trainer.done % SAVE_EVERY == 0 or trainer.done == until:
            point = Point(
                iteration=trainer.done,
                decisions=trainer.decisions,
                error=round(fmean(errors), 4),
                shares={name: round(one.share, 4) for name, one in trainer.measure(ROUNDS)},
            )
            checkpoint.save(trainer, folder / "checkpoint.npz")
            with (folder / "curve.jsonl").open("ab") as file:
                file.write(msgspec.json.encode(point) + b"\n")
            errors = []
        tell(trainer.done, point)


def weights(trainer: Trainer, options: TrainOptions) -> bytes:
    """Return the trained net as a file, with the command that makes it again."""
    inputs, hidden, second = trainer.learner.sizes
    making = nets.Making(
        game=trainer.game,
        inputs=inputs,
        hidden=hidden,
        second=second,
        command=options.command(trainer.game, trainer.done),
        commit=options.commit,
    )
    return nets.written_weights(making, [table.tolist() for table in trainer.learner.tables()])


@contextmanager
def showing(trainer: Trainer, lang: str) -> Iterator[Tell]:
    """Show a bar on a terminal, and a line for each point of the curve."""
    console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    with bar:
        task = bar.add_task(trainer.game, total=trainer.iterations, completed=trainer.done)

        def tell(done: int, point: Point | None) -> None:
            bar.update(task, completed=done)
            if point is not None:
                bar.console.print(line(point, lang), markup=False, highlight=False)

        yield tell


def line(point: Point, lang: str) -> str:
    """Return a point of the curve in words."""
    shares = ", ".join(f"{name} {share:.1%}" for name, share in point.shares.items())
    return locale.text(
        "train-point", lang, done=point.iteration, error=f"{point.error:.3f}", shares=shares
    )
