"""What the command line calls: bots at the decisions of the bench, as a table or as JSON."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import click
import msgspec
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from stichwerk import locale
from stichwerk.arena.positions.decisions import decisions
from stichwerk.arena.positions.endgame_check import Agreement, agreement
from stichwerk.arena.positions.scoring import Score, scores
from stichwerk.bots.faults import FaultBook, write_on_stderr
from stichwerk.bots.hosting import USUAL, Hosting, vetted
from stichwerk.errors import UnknownGameError, shown
from stichwerk.games import registry
from stichwerk.locale import signs

GAMES = tuple(info.name for info in registry.OUR_GAMES if info.trials.positions)
BOTS = "greedy,flat@200"
WIDE = 132  # columns for a table that goes to a file


def run(game: str | None, names: str, as_json: bool, lang: str, hosting: Hosting = USUAL) -> bool:
    """Measure and show; whether every ending came out as it must."""
    games = requested_games(game)
    wanted = [vetted(name.strip(), hosting) for name in names.split(",")]
    faults = FaultBook(partial(write_on_stderr, lang=lang))
    with watching(games, len(wanted), lang) as watch:
        found = [one for each in games for one in scores(each, wanted, watch, hosting, faults.note)]
        exact = {each: agreement(each) for each in games}
    if as_json:
        click.echo(to_json(found, exact))
    else:
        console = Console(width=None if sys.stdout.isatty() else WIDE)
        for part in parts(found, exact, lang):
            console.print(part)
    for line in faults.summary(lang):
        signs.echo(line, err=True)
    return all(one.equal == one.checked for one in exact.values())


def requested_games(game: str | None) -> Sequence[str]:
    """Return one game, or all."""
    if game in registry.GAMES and game not in GAMES:
        raise UnknownGameError("positions-own-game", game=game, known=", ".join(GAMES))
    if game is not None and game not in GAMES:
        raise UnknownGameError("unknown-game", game=shown(game), known=", ".join(GAMES))
    return GAMES if game is None else (game,)


@contextmanager
def watching(games: Sequence[str], bots: int, lang: str) -> Iterator[Callable[[], object]]:
    """Show a progress bar if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    total = bots * sum(len(decisions(game)) for game in games)
    steps = iter(
        track(
            range(total),
            locale.text("positions-running", lang),
            console=Console(stderr=True),
            transient=True,
        )
    )
    try:
        yield lambda: next(steps, None)
    finally:
        for _ in steps:
            pass


def to_json(found: Sequence[Score], exact: dict[str, Agreement]) -> str:
    """Return the results for programs: one JSON object."""
    endings = {game: one._asdict() for game, one in exact.items()}
    return msgspec.json.encode({"scores": found, "endings": endings}).decode()


def parts(found: Sequence[Score], exact: dict[str, Agreement], lang: str) -> Iterator[Table | Text]:
    """Yield the results for people."""
    yield Text(locale.text("positions-meaning", lang))
    yield table(found, lang)
    for game, one in exact.items():
        facts = {"game": locale.game_name(game, lang), "count": one.checked, "equal": one.equal}
        yield Text(locale.text("positions-endings", lang, **facts))


def table(found: Sequence[Score], lang: str) -> Table:
    """Return a line for each game and bot."""
    made = Table(locale.text("positions-game", lang), locale.text("positions-bot", lang))
    for id in ("positions-decisions", "positions-regret", "positions-best", "arena-time"):
        made.add_column(locale.text(id, lang), justify="right")
    for one in found:
        made.add_row(
            locale.game_name(one.game, lang),
            Text(locale.one_line(one.bot)),
            locale.number(one.decisions, lang),
            locale.number(one.regret, lang, 2),
            f"{locale.number(100 * one.best, lang)} %",
            f"{locale.number(1000 * one.seconds_per_move, lang, 2)} ms",
        )
    return made
