"""The calendar: which sheets a date means, and which sheets may be combined.

A sheet is named by its place, `January`, or, if it is a custom one, by its place and the hash of
its file: `January@…`. See `own` for those.
"""

import re
from collections.abc import Mapping
from functools import cache
from itertools import combinations
from typing import NamedTuple

from stichwerk.engine.codes import only
from stichwerk.engine.constants import CHOOSE, NOBODY, OVER, PLAY
from stichwerk.errors import BadOptionError
from stichwerk.games.stichtag import sheets
from stichwerk.games.stichtag.sheet import PARTS, Sheet
from stichwerk.games.stichtag.sheets import (
    GREEN_NAMES,
    MONTH_NAMES,
    RED_NAMES,
    file_of,
    load,
    module_of,
)

NEWEST = sheets.NEWEST
VERSIONS = tuple(range(1, NEWEST + 1))
GREEN: tuple[type[Sheet], ...] = tuple([load(name, NEWEST) for name in GREEN_NAMES])
REDS: tuple[type[Sheet], ...] = tuple([load(name, NEWEST) for name in RED_NAMES])
MONTHS: tuple[type[Sheet], ...] = tuple([load(name, NEWEST) for name in MONTH_NAMES])
SHEETS: dict[str, type[Sheet]] = {sheet.name: sheet for sheet in (*GREEN, *REDS, *MONTHS)}
SHEETS_OF: dict[int, dict[str, type[Sheet]]] = {
    version: {name: load(file_of(name), version) for name in SHEETS} for version in VERSIONS
}
# Every version of every sheet, in the order of the calendar.
ALL_SHEETS = tuple(
    dict.fromkeys([SHEETS_OF[version][name] for name in SHEETS for version in VERSIONS])
)
DATE = r"(0[1-9]|1[0-2])-[0-3][0-9]"
SHEET = f"({'|'.join(SHEETS)})(@[0-9a-f]{{64}})?"
KINDS = {"green": GREEN, "red": REDS, "month": MONTHS}
# Extra choices in records by their name; choices before play are stored separately there.
ASKED = {
    name: sheet for sheet in ALL_SHEETS for phase, name in sheet.asks.items() if phase != CHOOSE
}
ASKERS = {name: sheet for sheet in ALL_SHEETS for name in sheet.asks.values()}  # by phase
DRAWN = {kind: sheet for sheet in ALL_SHEETS for kind in sheet.specials}  # in this order
DAYS_OF_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _phases() -> tuple[str, ...]:
    """Return the phases of all sheets by number, after those of every game."""
    asked = {number: name for sheet in ALL_SHEETS for number, name in sheet.asks.items()}
    numbered = {OVER: "over", PLAY: "play", **asked}
    return tuple([numbered.get(number, "") for number in range(max(numbered) + 1)])


PHASES = _phases()
SEAT_SEPARATORS = {
    phase: separator for sheet in ALL_SHEETS for phase, separator in sheet.seat_separators.items()
}


def sheets_of_date(date: str) -> tuple[str, str, str]:
    """Return the three sheets of a date MM-DD: tens digit, ones digit, month."""
    month, tens, ones = int(date[:2]), int(date[3]), int(date[4])
    return f"green {tens}", f"red {ones}", MONTHS[month - 1].name


def is_date(date: object) -> bool:
    """Return whether this is a date of the calendar, impossible ones included: 01-00 to 12-39."""
    return isinstance(date, str) and bool(re.fullmatch(DATE, date))


def is_real(date: str) -> bool:
    """Return whether the date exists in a real calendar, leap years included."""
    return 1 <= int(date[3:]) <= DAYS_OF_MONTH[int(date[:2]) - 1]


def all_dates() -> list[str]:
    """Return all 480 settings."""
    return [f"{month:02}-{day:02}" for month in range(1, 13) for day in range(40)]


def sheet_place(name: str) -> str:
    """Return the place of a sheet in the calendar: `January` for `January@…`."""
    return name.partition("@")[0]


def sheet_kind(name: str) -> str:
    """Return the kind of a sheet: green, red or month."""
    return name.partition(" ")[0] if " " in name else "month"


RED_PHASES = sum(
    {only(phase) for one in ALL_SHEETS if sheet_kind(one.name) == "red" for phase in one.asks}
)


def is_goal(name: object) -> bool:
    """Return whether this names a green sheet: the goal of a match."""
    return isinstance(name, str) and sheet_kind(name) == "green"


def is_own(name: str) -> bool:
    """Return whether this names a custom sheet."""
    return "@" in name


def in_place(date: str, own: tuple[str, ...]) -> tuple[str, ...]:
    """Return the three sheets of a date, with custom ones in place of ours."""
    by_place = {sheet_place(name): name for name in own}
    return tuple([by_place.get(name, name) for name in sheets_of_date(date)])


class Found(NamedTuple):
    """A sheet in play: its class, and the name of our sheet whose rule it has, if any."""

    sheet: type[Sheet]
    rule: str


def find_sheet(name: str, version: int = NEWEST, blank: type[Sheet] = Sheet) -> Found:
    """Return the sheet of this name in a version of the rules, for the engine that the blank sheet
    belongs to."""
    if not is_own(name):
        return Found(sheets_like(blank, version)[name], name)
    from stichwerk.games.stichtag import own  # which needs our sheets first

    found = own.find(name)
    return Found(found.sheet(blank, version), found.rule)


def needs_plain(names: list[str]) -> bool:
    """Return whether one of these sheets is written in Python, so that the plain engine must play
    it."""
    if not any(map(is_own, names)):
        return False
    from stichwerk.games.stichtag import own

    return any(own.find(name).code is not None for name in names if is_own(name))


def sheets_like(blank: type[Sheet], version: int = NEWEST) -> Mapping[str, type[Sheet]]:
    """Return our sheets, compiled or plain like this blank one."""
    return SHEETS_OF[version] if blank is Sheet else _plain_sheets(version)


@cache
def _plain_sheets(version: int) -> Mapping[str, type[Sheet]]:
    from stichwerk.engine.plain import twin  # slow, and rarely needed

    ours = SHEETS_OF[version]
    return {name: getattr(twin(module_of(name)), sheet.__name__) for name, sheet in ours.items()}


class Sheets:
    """The sheets in play: each knows the numbers of the other two.

    `blank` is the blank sheet of the engine that plays, compiled or plain.
    """

    def __init__(
        self, seats: int, names: tuple[str, ...], version: int, blank: type[Sheet] = Sheet
    ) -> None:
        found = {sheet_kind(name): find_sheet(name, version, blank) for name in names}
        none = Found(blank, "")
        numbers = [_number(found.get(kind, none).rule) for kind in KINDS]
        self.green, self.red, self.month = [
            found.get(kind, none).sheet(seats, *numbers) for kind in KINDS
        ]

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter((self.green, self.red, self.month))


def _number(rule: str) -> int:
    """Return the number of one of our sheets: its digit, its month from 1, NOBODY for none."""
    if not rule:
        return NOBODY
    kind = KINDS[sheet_kind(rule)]
    return kind.index(SHEETS[rule]) + int(kind is MONTHS)


def check_sheets(names: list[str], has_date: bool) -> None:
    """Check the sheets: without a date one or two; with a date only custom sheets in place of
    ours."""
    if has_date and not all(map(is_own, names)):
        raise BadOptionError("sheets-and-date", sheets=", ".join(names))
    kinds = [sheet_kind(name) for name in names]
    if len(names) > (3 if has_date else 2) or len(set(kinds)) < len(kinds):
        raise BadOptionError("bad-sheets", sheets=", ".join(names))


def check_own_sheets(names: list[str], date: str | None) -> None:
    """Check custom sheets: they must exist, belong to this date, and be compatible with the
    others."""
    if not any(map(is_own, names)):
        return
    today = tuple(names)
    if date is not None:
        for name in names:
            if sheet_place(name) not in sheets_of_date(date):
                raise BadOptionError("own-sheet-not-today", sheet=sheet_place(name), date=date)
        today = in_place(date, today)
    parts = unsettled(today)
    if parts:
        raise BadOptionError(
            "own-sheets-clash", sheets=", ".join(map(sheet_place, today)), part=parts[0]
        )


def unsettled(names: tuple[str, ...]) -> list[str]:
    """Return the parts that two of these sheets replace without a cross-note; there must be
    none."""
    found = {name: find_sheet(name) for name in names}
    return [
        part
        for part in PARTS
        for one, other in combinations(names, 2)
        if part in found[one].sheet.replaces
        and part in found[other].sheet.replaces
        and not _has_note(one, found[one], other, found[other])
        and not _has_note(other, found[other], one, found[one])
    ]


def _has_note(name: str, found: Found, other: str, found_other: Found) -> bool:
    """Return whether a sheet has a cross-note for another. Ours name rules, a custom one also
    places."""
    known = {found_other.rule, sheet_place(other)} if is_own(name) else {found_other.rule}
    return not known.isdisjoint(found.sheet.notes)
