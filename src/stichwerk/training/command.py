"""The train command: train a net, show its progress, keep what it learned."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from statistics import fmean
from typing import Protocol

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from stichwerk import bots, locale
from stichwerk.bots import nets
from stichwerk.errors import StichwerkError
from stichwerk.games import registry
from stichwerk.training import checkpoint
from stichwerk.training.exploiter import Exploiter
from stichwerk.training.trainer import Trainer

MADE = "made.json"  # in the folder of a training: the command that made it


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
    against: str | None = None
    start: str | None = None
    minutes: int | None = None
    ray: bool = False

    def command(self, game: str, done: int) -> str:
        """Return the command that makes the same net again."""
        asked = {
            "iterations": self.iterations,
            "until": done,
            "seed": self.seed,
            "hidden": self.hidden,
            "second": self.second,
            "against": self.against,
            "from": self.start,
        }
        flags = [f"--{name} {said}" for name, said in asked.items() if said is not None]
        return " ".join(["stichwerk train", game, *flags])


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """A point of the training curve: how far, the mean error since the point before, and by rival
    win shares and leads over the mean, in so many rounds each."""

    iteration: int
    decisions: int
    error: float | None
    shares: dict[str, float]
    leads: dict[str, float]
    rounds: int


class Tell(Protocol):
    """Shows the progress."""

    def __call__(self, done: int, point: Point | None) -> None:
        """Show how many iterations are done, and a new point of the curve."""


def run(game: str, options: TrainOptions, lang: str) -> None:
    """Train the net of a game, or go on where an earlier training stopped."""
    registry.kind(game)  # refuses an unknown game
    if not registry.info_of(game).training:
        raise TrainingError("no-net-here", game=game)
    options = with_versions(game, options)
    folder = Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)  # before any work, so that nothing is lost
    trainer = trainer_of(game, options)
    kept = folder / "checkpoint.npz"
    if kept.exists():
        checkpoint.load(trainer, kept)
        click.echo(locale.text("train-goes-on", lang, file=kept, done=trainer.done), err=True)
    with playing(trainer, options.ray), showing(trainer, lang) as tell:
        train(trainer, options, folder, tell)
    path = folder / f"{game}.net"
    path.write_bytes(weights(trainer, options))
    made = {"command": options.command(game, trainer.done), "commit": options.commit}
    (folder / MADE).write_bytes(msgspec.json.encode(made) + b"\n")
    click.echo(locale.text("train-written", lang, file=path))


def with_versions(game: str, options: TrainOptions) -> TrainOptions:
    """Name the versions of all bots, and refuse what cannot be trained with."""
    against, start = (
        bots.full_name(one) if one else None for one in (options.against, options.start)
    )
    if start is not None:
        listing = bots.find(start)[0]
        if listing.kind != "net" or not nets.has_net(game, listing.version):
            raise TrainingError("no-start", bot=start, game=game)
        if options.hidden or options.second:
            raise TrainingError("start-has-sizes", bot=start)
    return msgspec.structs.replace(options, against=against, start=start)


def trainer_of(game: str, options: TrainOptions) -> Trainer:
    """Return what trains as these options say."""
    first = (game, options.seed, options.iterations, options.threads)
    units = (options.hidden, options.second)
    if options.against is None:
        return Trainer(*first, units, options.start or "")
    return Exploiter(*first, units, options.start or "", against=options.against)


@contextmanager
def playing(trainer: Trainer, ray: bool) -> Iterator[None]:
    """Let the shards be played on a Ray cluster, if asked; else on threads."""
    if not ray:
        yield
        return
    from stichwerk.training.cluster import on_ray

    with on_ray() as trainer.place:
        yield


def train(trainer: Trainer, options: TrainOptions, folder: Path, tell: Tell) -> None:
    """Iterate as far as asked; every few iterations keep a checkpoint and measure."""
    until = min(options.until or options.iterations, options.iterations)
    end = time.monotonic() + 60 * options.minutes if options.minutes is not None else inf
    if trainer.against and trainer.done == 0:
        tell(0, keep(trainer, None, folder))
    errors = []
    while trainer.done < until and time.monotonic() < end:
        errors.append(trainer.iterate())
        point = None
        last = trainer.done == until or time.monotonic() >= end
        if trainer.done % trainer.save_every == 0 or last:
            point = keep(trainer, round(fmean(errors), 4), folder)
            errors = []
        tell(trainer.done, point)


def keep(trainer: Trainer, error: float | None, folder: Path) -> Point:
    """Keep a checkpoint, measure, and add a point to the curve."""
    found = dict(trainer.measure())
    point = Point(
        iteration=trainer.done,
        decisions=trainer.decisions,
        error=error,
        shares={name: round(one.share, 4) for name, one in found.items()},
        leads={name: round(one.lead, 3) for name, one in found.items()},
        rounds=trainer.rounds,
    )
    checkpoint.save(trainer, folder / "checkpoint.npz")
    with (folder / "curve.jsonl").open("ab") as file:
        file.write(msgspec.json.encode(point) + b"\n")
    return point


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
    error = "–" if point.error is None else f"{point.error:.3f}"
    return locale.text("train-point", lang, done=point.iteration, error=error, shares=shares)
