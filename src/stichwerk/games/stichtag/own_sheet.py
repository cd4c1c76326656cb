"""A checked custom sheet, and what its readers share."""

from collections.abc import Callable, Sequence
from pathlib import Path

from stichwerk.errors import BadFileError, shown
from stichwerk.games.stichtag.calendar import NEWEST, SHEETS, sheets_like
from stichwerk.games.stichtag.sheet import Sheet

HIGHEST_VALUE = 11

MOST_ROUNDS = 20

ORIGINS = ("box", "documented", "partly", "own")

ALL_SHEETS = "green 0-3, red 0-9, January-December"


class BadSheetError(BadFileError):
    """A file with a custom sheet is wrong: which file, which line, what."""


class OwnSheet:
    """A custom sheet that was read and checked."""

    def __init__(self, path: Path, digest: str, name: str, rule: str) -> None:
        self.path = path
        self.digest = digest
        self.name = name  # whose place it takes
        self.rule = rule  # our sheet whose rule it has or extends; empty for none
        self.code: type[Sheet] | None = None  # the class of a Python file ...
        self.code_in: Callable[[int], type[Sheet]] | None = None  # ... in a version of the rules
        self.changes: dict[str, object] = {}  # what a data file changes

    @property
    def option(self) -> str:
        """Its name in the option `sheets`: `January@…`."""
        return f"{self.name}@{self.digest}"

    def sheet(self, blank: type[Sheet] = Sheet, version: int = NEWEST) -> type[Sheet]:
        """Return its class by the rules of this version; that of a data file compiled or plain,
        like the blank sheet."""
        if self.code_in is not None:
            return self.code_in(version)
        rule = sheets_like(blank, version)[self.rule]
        return type(rule.__name__, (rule,), {**self.changes, "__module__": rule.__module__})


def decoded(path: Path, raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")  # some editors write a byte order mark
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise BadSheetError("own-sheet-not-text", file=str(path), line=line) from None


def is_number(value: object, lowest: int, highest: int) -> bool:
    return type(value) is int and lowest <= value <= highest


def are_values(values: object) -> bool:
    """Return whether these are different values of cards, at least one."""
    if not isinstance(values, list | tuple) or not values:
        return False
    fitting = all(is_number(value, 0, HIGHEST_VALUE) for value in values)
    return fitting and len(set(values)) == len(values)


def choices(words: Sequence[str]) -> str:
    return ALL_SHEETS if len(words) == len(SHEETS) else ", ".join(words)


def quoted(value: object) -> str:
    try:
        return shown(repr(value))
    except Exception:  # its own text fails
        return type(value).__name__
