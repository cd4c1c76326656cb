"""The calendar: which sheets a date means, and which sheets may lie side by side."""

import re

from stichwerk.engine.constants import NOBODY
from stichwerk.errors import BadOption
from stichwerk.games.stichtag import green, months, red
from stichwerk.games.stichtag.sheet import PARTS, Sheet

GREEN: tuple[type[Sheet], ...] = (green.Green0, green.Green1, green.Green2, green.Green3)
REDS: tuple[type[Sheet], ...] = (
    red.Red0,
    red.Red1,
    red.Red2,
    red.Red3,
    red.Red4,
    red.Red5,
    red.Red6,
    red.Red7,
    red.Red8,
    red.Red9,
)
MONTHS: tuple[type[Sheet], ...] = (
    months.January,
    months.February,
    months.March,
    months.April,
    months.May,
    months.June,
    months.July,
    months.August,
    months.September,
    months.October,
    months.November,
    months.December,
)
SHEETS: dict[str, type[Sheet]] = {sheet.name: sheet for sheet in (*GREEN, *REDS, *MONTHS)}
DATE = r"(0[1-9]|1[0-2])-[0-3][0-9]"
SHEET = "|".join(SHEETS)
DAYS_OF_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def sheets_of_date(date: str) -> tuple[str, str, str]:
    """The three sheets of a date MM-DD: tens digit, ones digit, month."""
    month, tens, ones = int(date[:2]), int(date[3]), int(date[4])
    return f"green {tens}", f"red {ones}", MONTHS[month - 1].name


def is_date(date: object) -> bool:
    """Whether this is a date of the calendar, impossible ones included: 01-00 to 12-39."""
    return isinstance(date, str) and bool(re.fullmatch(DATE, date))


def is_real(date: str) -> bool:
    """Whether the date is in a real calendar, leap years included."""
    return 1 <= int(date[3:]) <= DAYS_OF_MONTH[int(date[:2]) - 1]


def all_dates() -> list[str]:
    """All 480 settings."""
    return [f"{month:02}-{day:02}" for month in range(1, 13) for day in range(40)]


class Sheets:
    """The sheets in play, made for each other: each knows the numbers of the other two."""

    def __init__(self, seats: int, names: tuple[str, ...]) -> None:
        classes = [SHEETS[name] for name in names]
        numbers = [_number(classes, kind) for kind in (GREEN, REDS, MONTHS)]
        self.green = _sheet(GREEN, numbers[0], seats, numbers)
        self.red = _sheet(REDS, numbers[1], seats, numbers)
        self.month = _sheet(MONTHS, numbers[2] - 1 if numbers[2] > 0 else NOBODY, seats, numbers)

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter((self.green, self.red, self.month))


def _number(classes: list[type[Sheet]], kind: tuple[type[Sheet], ...]) -> int:
    """The number of the sheet of this kind: its digit, its month from 1, NOBODY for none."""
    for sheet in classes:
        if sheet in kind:
            return kind.index(sheet) + int(kind is MONTHS)
    return NOBODY


def _sheet(kind: tuple[type[Sheet], ...], at: int, seats: int, numbers: list[int]) -> Sheet:
    return (Sheet if at == NOBODY else kind[at])(seats, *numbers)


def check_sheets(names: list[str], has_date: bool) -> None:
    """Sheets played alone over the base rules: one or two of different kinds, and no date."""
    if names and has_date:
        raise BadOption("sheets-and-date", sheets=", ".join(names))
    kinds = [name.partition(" ")[0] if " " in name else "month" for name in names]
    if len(names) > 2 or len(set(kinds)) < len(kinds):
        raise BadOption("bad-sheets", sheets=", ".join(names))


def unsettled(names: tuple[str, ...]) -> list[str]:
    """The parts that two of these sheets replace without a cross-note; none may be left."""
    classes = [SHEETS[name] for name in names]
    return [
        part
        for part in PARTS
        for at, one in enumerate(classes)
        for other in classes[at + 1 :]
        if part in one.replaces and part in other.replaces and one.name not in other.notes
    ]
