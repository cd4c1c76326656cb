"""The arena command: run a tournament, show its progress and its results."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from stichwerk import locale
from stichwerk.arena import formatting
from stichwerk.arena.chart import draw
from stichwerk.arena.deals import Plan, make_plan
from stichwerk.arena.journal import Journal, journal_seed
from stichwerk.arena.ratings import rate
from stichwerk.arena.report import to_json
from stichwerk.arena.runner import workplace
from stichwerk.arena.statistics import read_test
from stichwerk.arena.text_tables import tables
from stichwerk.arena.tournament import Result, Tournament
from stichwerk.bots.faults import FaultBook, write_on_stderr
from stichwerk.bots.hosting import Hosting
from stichwerk.locale import signs
from stichwerk.match import Setting

WIDE = 132  # columns of a table that goes to a file


class ArenaOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of the command besides the game."""

    bots: str
    seed: int | None
    deals: int
    unit: str | None
    sprt: str | None
    jobs: int | None
    where: str
    resume: str | None
    picture: str | None
    as_json: bool
    hosting: Hosting


def run(
    setting: Setting, run_options: ArenaOptions, drawn_seed: Callable[[], int], lang: str
) -> None:
    """Run the requested tournament, then show it."""
    plan = requested_plan(setting, run_options, drawn_seed)
    results = hold(plan, run_options, lang)
    ratings = rate(plan, results)
    if run_options.picture:
        Path(run_options.picture).write_text(draw(plan, results, lang), "utf-8")
    if run_options.as_json:
        click.echo(to_json(plan, results, ratings))
        return
    console = Console(width=None if sys.stdout.isatty() else WIDE)
    for part in tables(plan, results, ratings, lang):
        console.print(part)


def requested_plan(
    setting: Setting, run_options: ArenaOptions, drawn_seed: Callable[[], int]
) -> Plan:
    """Return the plan; without a seed it uses the journal's, or a new one."""
    seed = run_options.seed
    if seed is None and run_options.resume:
        seed = journal_seed(run_options.resume)
    names = [name.strip() for name in run_options.bots.split(",")]
    seed = drawn_seed() if seed is None else seed
    return make_plan(setting, names, seed, run_options.unit, run_options.hosting)


def hold(plan: Plan, run_options: ArenaOptions, lang: str) -> list[Result]:
    """Play the tournament; deals in the journal from an earlier run are counted and reported."""
    test = read_test(run_options.sprt) if run_options.sprt is not None else None
    with ExitStack() as stack:
        faults = FaultBook(partial(write_on_stderr, lang=lang))
        place = workplace(
            run_options.where, plan, run_options.jobs, run_options.hosting, faults.note
        )
        journal = (
            stack.enter_context(Journal(run_options.resume, plan)) if run_options.resume else None
        )
        contest = Tournament(plan=plan, deals=run_options.deals, test=test, journal=journal)
        try:
            watch = stack.enter_context(watching(plan, run_options.deals, lang))
            return contest.results(stack.enter_context(place), also_noting(faults, watch))
        except KeyboardInterrupt:
            if journal:
                kept = {"file": journal.path, "count": len(journal.known)}
                signs.echo("\n" + locale.text("arena-kept", lang, **kept), err=True)
            raise


def also_noting(faults: FaultBook, watch: Callable[[Result], object]) -> Callable[[Result], object]:
    """Also record the faults of a deal when it is counted: a cluster reports none earlier."""

    def watch_and_note(result: Result) -> None:
        for fault in result.outcomes[-1].faults:
            faults.note(fault.first, fault.count)
        watch(result)

    return watch_and_note


@contextmanager
def watching(plan: Plan, deals: int, lang: str) -> Iterator[Callable[[Result], object]]:
    """Show a bar with the running figures if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield lambda result: None
        return
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[figures]}", markup=False),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        tasks = {
            pair: bar.add_task("", total=deals, visible=False, start=False, figures="")
            for pair in plan.pairs
        }

        def watch(result: Result) -> None:
            task, names = tasks[result.a, result.b], map(locale.one_line, result.names)
            if result.gaps.count == 1:
                bar.start_task(task)
                bar.update(task, description=" – ".join(names), visible=True)
            bar.update(task, completed=result.gaps.count, figures=formatting.progress(result, lang))

        yield watch
