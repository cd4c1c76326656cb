"""`stichwerk rules`: the rules of a game or a day."""

import sys
from collections.abc import Mapping, Sequence

import click
from rich.console import Console
from rich.markdown import Markdown

from stichwerk import locale, own_games
from stichwerk.cli.click_extensions import LocalizedCommand, everywhere, flag, language
from stichwerk.cli.inputs import read_day
from stichwerk.cli.shared_flags import sheet_folder
from stichwerk.errors import UnknownGameError
from stichwerk.games import registry
from stichwerk.locale import signs


@click.command(cls=LocalizedCommand, help="help-rules")
@click.argument("game")
@flag("--date", metavar="MM-DD", help="flag-date")
@flag("--sheet", "--sheets", "sheets", multiple=True, metavar="NAME", help="flag-sheet")
@sheet_folder
@everywhere
def rules(game: str, date: str | None, sheets: Sequence[str]) -> None:
    """Show the rules of a game or a day: formatted in a terminal, as Markdown into a pipe."""
    game = own_games.named(game)
    registry.kind(game)
    if date is not None or sheets:
        page = rules_of_day(game, read_day(game, date, sheets))
    else:
        page = locale.without_links(rules_of_game(game))
    if sys.stdout.isatty():
        Console().print(Markdown(page))
    else:
        signs.echo(page, nl=False)


def rules_of_game(game: str) -> str:
    """Return the rules of a game; for a custom game those in its file."""
    try:
        return locale.rules_text(game, language())
    except LookupError:
        page = own_games.rules_text(game)
        if not page:
            raise UnknownGameError("no-rules", game=game) from None
        return page


def rules_of_day(game: str, day: Mapping[str, object]) -> str:
    """Return the rules of a date, or of single sheets over the base rules."""
    from stichwerk.games.stichtag.course import sheet_names
    from stichwerk.games.stichtag.yearbook import day_rules

    options = registry.settle_options(game, registry.kind(game).seat_counts[0], day)
    date = options["date"]
    shown = date if isinstance(date, str) else None
    return day_rules(sheet_names(options), language(), date=shown)
