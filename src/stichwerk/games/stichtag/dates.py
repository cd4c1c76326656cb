"""Dates as people type them."""

import re
from collections.abc import Callable, Sequence
from datetime import date

from stichwerk.errors import BadOptionError, shown
from stichwerk.games.stichtag.calendar import all_dates, is_date

TODAY = ("today", "heute")
RANDOM = ("random", "zufall")


def parse_date(text: str, today: date, pick: Callable[[Sequence[str]], str]) -> str:
    """Return a date of the calendar as MM-DD, from `09-14`, `14.9.`, `today` or `random`.

    Impossible dates are dates here; `pick` chooses one of all 480.
    """
    word = text.strip().lower()
    if word in TODAY:
        return f"{today:%m-%d}"
    if word in RANDOM:
        return pick(all_dates())
    found = re.fullmatch(r"([0-9]{1,2})\. ?([0-9]{1,2})\.?", word)
    date_text = f"{found[2]:0>2}-{found[1]:0>2}" if found else word
    if not is_date(date_text):
        raise BadOptionError("bad-date", date=shown(text))
    return date_text
