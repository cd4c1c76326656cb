"""The review command: review a match, show the progress and the findings."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from stichwerk import locale
from stichwerk.review.account import OnProgress, ignore_progress, review
from stichwerk.review.chart import draw
from stichwerk.review.files import read_record
from stichwerk.review.report import pages, to_json

WIDE = 110  # columns of a table that goes to a file


class ReviewOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of the command besides the file."""

    match: int
    bot: str
    seat: int | None
    top: int
    seed: int
    as_json: bool
    picture: str | None


def run(file: str, run_options: ReviewOptions, lang: str) -> None:
    """Review the requested match, then show the review."""
    record = read_record(file, run_options.match)
    with watching(lang) as watch:
        found = review(record, run_options.bot, run_options.seed, run_options.seat, watch)
    if run_options.picture:
        Path(run_options.picture).write_text(draw(found, lang), "utf-8")
    if run_options.as_json:
        click.echo(to_json(found, run_options.top))
        return
    console = Console(width=None if sys.stdout.isatty() else WIDE)
    for part in pages(found, run_options.top, lang):
        console.print(part)


@contextmanager
def watching(lang: str) -> Iterator[OnProgress]:
    """Show a bar over the decisions if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield ignore_progress
        return
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:

        def watch(total: int) -> Callable[[], object]:
            task = bar.add_task(locale.text("reviewing", lang), total=total)
            return lambda: bar.advance(task)

        yield watch
