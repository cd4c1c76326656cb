"""Options that several commands share."""

import os
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from stichwerk.cli.click_extensions import flag, number, seconds
from stichwerk.cli.inputs import SHEET_FOLDER
from stichwerk.fairness import HIGHEST_SEED
from stichwerk.games import registry

MOST_GAMES = 100_000_000
SHORTEST_LIMIT, LONGEST_LIMIT = 0.01, 3600  # seconds for a move, as in bots/program.py


def use_folder(_ctx: click.Context, _param: click.Parameter, folder: str | None) -> None:
    """Take custom sheets of Stichtag from this folder, as if the environment had said so."""
    if folder is not None:
        os.environ[SHEET_FOLDER] = folder


def sheet_folder(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option of commands that may need custom sheets."""
    settings: dict[str, Any] = {"is_eager": True, "expose_value": False}
    folder = flag(
        "--sheet-folder", callback=use_folder, metavar="DIR", help="flag-sheet-folder", **settings
    )
    return folder(command)  # type: ignore[no-any-return]


def table_flags(
    command: Callable[..., Any], bots_help: str = "flag-bots", bots: str = "random"
) -> Callable[..., Any]:
    """Add the options of commands that set up a match."""
    usual = str(registry.USUAL_SEATS)
    for declare in (
        sheet_folder,
        flag("--sheet", "--sheets", "sheets", multiple=True, metavar="NAME", help="flag-sheet"),
        flag("--date", metavar="MM-DD", help="flag-date"),
        number("--rules", 1, 99, metavar="N", help="flag-rules-version"),
        flag("--option", "options", multiple=True, metavar="K=V", help="flag-option"),
        number("--seed", 0, HIGHEST_SEED, metavar="S", help="flag-seed"),
        flag("--bots", default=bots, metavar="A,B", help=bots_help),
        number("--seats", 0, 99, default=usual, metavar="N", help="flag-seats"),
    ):
        command = declare(command)
    return command


def bot_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of commands that run external bots; they become one `hosting`."""

    @wraps(command)
    def with_hosting(*args: Any, in_process: bool, time_limit: float, **settings: Any) -> Any:
        from stichwerk.bots.hosting import Hosting

        hosting = Hosting(in_process=in_process, limit=time_limit)
        return command(*args, hosting=hosting, **settings)

    limit = {"default": "5", "metavar": "S", "help": "flag-time-limit"}
    for declare in (
        flag("--in-process", is_flag=True, help="flag-in-process"),
        seconds("--time-limit", SHORTEST_LIMIT, LONGEST_LIMIT, **limit),
    ):
        with_hosting = declare(with_hosting)
    return with_hosting
