"""Read what was asked for on the command line: a game, its options, a day, bots, a name."""

import datetime
import os
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

from stichwerk import own_games
from stichwerk.cli.click_extensions import say
from stichwerk.errors import BadOptionError, BadSeatsError
from stichwerk.games import registry
from stichwerk.match import Setting

if TYPE_CHECKING:
    from stichwerk.bots.hosting import Hosting


SHEET_FOLDER = "STICHWERK_SHEETS"  # the folder of own sheets, in the environment
LONGEST_NAME = 40


def read_setting(
    game: str,
    seats: int,
    options: Sequence[str],
    date: str | None,
    sheets: Sequence[str],
    rules: int | None = None,
) -> Setting:
    """Return the game with its seats and options; date and sheets have their own flags. `rules`:
    the version of its rules."""
    chosen: dict[str, object] = {}
    name = own_games.named(game)
    known = {option.name: option for option in registry.options_of(name, seats, rules)}
    for option in options:
        key, sign, value = option.partition("=")
        if not (key and sign):
            raise BadOptionError("not-an-option", text=option)
        if key in chosen:
            raise BadOptionError("option-twice", option=key)
        takes_list = key in known and known[key].members
        chosen[key] = read_list(value) if takes_list else read_value(value)
    for key, wish in read_day(game, date, sheets).items():
        if key in chosen:
            raise BadOptionError("option-twice", option=key)
        chosen[key] = wish
    return Setting(name, seats, chosen, rules)


def read_day(game: str, date: str | None, sheets: Sequence[str]) -> dict[str, object]:
    """Return the date, and the sheets one by one or comma-separated; only what was given."""
    day: dict[str, object] = {}
    if date is not None:
        day["date"] = read_date(game, date)
    if sheets:
        day["sheets"] = [name for names in sheets for name in read_list(names)]
    if _has_calendar(game) and os.environ.get(SHEET_FOLDER):
        put_own_sheets(day)
    return day


def put_own_sheets(day: dict[str, object]) -> None:
    """Put custom sheets of the folder in place of ours, on a date as well as alone."""
    from stichwerk.games.stichtag.own import option_for, own_sheets

    mine = {name: sheet.option for name, sheet in own_sheets().items()}
    date, alone = day.get("date"), day.get("sheets")
    if isinstance(alone, list):
        day["sheets"] = [mine.get(name, name) for name in alone]
    elif isinstance(date, str) and (own := option_for(date)):
        day["sheets"] = own


def read_date(game: str, date: str) -> str:
    """Parse a date of Stichtag's calendar; other games refuse it themselves."""
    from stichwerk.games.stichtag.dates import parse_date

    if not _has_calendar(game):
        return date
    return parse_date(date, datetime.date.today(), secrets.choice)


def _has_calendar(game: str) -> bool:
    from stichwerk.games.registry import has_calendar

    return has_calendar(game)


def read_value(text: str) -> object:
    """Parse a value: `none` is None, digits are a number, anything else is text."""
    if text.lower() == "none":
        return None
    number = text.removeprefix("-")
    if number.isascii() and number.isdigit() and len(number) < 20:
        return int(text)
    return text


def read_list(text: str) -> list[str]:
    """Split a comma-separated list; an empty text is an empty list."""
    return [part.strip() for part in text.split(",")] if text.strip() else []


def read_bots(bots: str, hosting: "Hosting", seats: int) -> tuple[str, ...]:
    """Return the bots for these seats, in order."""
    from stichwerk.simulate import fill_seats

    return fill_seats([name.strip() for name in bots.split(",")], seats, hosting)


def drawn_seed() -> int:
    """Draw a seed if none is given."""
    return secrets.randbelow(2**32)


def read_name(name: str | None) -> str:
    """Return the person's name at the table."""
    own = say("guest") if name is None else name.strip()
    if not (own.isprintable() and 0 < len(own) <= LONGEST_NAME):
        raise BadSeatsError("bad-name", most=LONGEST_NAME)
    return own
