"""Sheets of one's own: whoever has the box writes its sheets down, in a folder of his.

A data file, `*.toml`, takes the rule of one of our sheets with other symbols, rounds or texts. It
is data and runs no code. A Python file, `*.py`, holds a class of its own; the plain engine plays
it. In options and records such a sheet is `January@…`, with the sha256 of the file's bytes: what is
named is found by its content, and only in the folder that the environment variable
`STICHWERK_SHEETS` names (or that was given here as `folder`). `docs/own-sheets.md` tells it all.
"""

import ast
import builtins
import hashlib
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from functools import wraps
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

from stichwerk.engine.constants import COLOURS, NOBODY, NONE
from stichwerk.engine.plain import twin
from stichwerk.errors import BadFileError, BadOptionError, StichwerkError, renamed, shown
from stichwerk.games.misspelt import misspelt, suggestion
from stichwerk.games.stichtag.calendar import (
    SHEETS,
    kind_of,
    sheets_like,
    sheets_of_date,
)
from stichwerk.games.stichtag.sheet import PARTS, Sheet

VARIABLE = "STICHWERK_SHEETS"
OLD = "old"  # a folder in the folder: found by hash for old records, otherwise not offered
LARGEST_FILE = 1_000_000
HIGHEST_VALUE = 11
MOST_ROUNDS = 20
MOST_POINTS = 9999
ORIGINS = ("box", "documented", "partly", "own")
ALL_SHEETS = "green 0-3, red 0-9, January-December"
LANGUAGES = ("de", "en")

TEXTS = {"title": "title", "symbol": "symbol_name", "short": "short", "long": "long"}
KEYS = ("sheet", "like", "values", "rounds", "origin", *TEXTS)

# What the game asks of which kind of sheet, and the part to be declared where it is answered.
HOOKS: dict[str, dict[str, str]] = {
    "green": {"score": "goal", "over": "goal", "standing": "goal"},
    "red": {
        "after_deal": "",
        "legal": "",
        "choose": "",
        "trump": "trump",
        "lowest_wins": "low",
        "may_win": "win",
        "asks_veto": "",
        "after_trick": "",
        "before_lead": "",
        "asks_at_end": "",
        "settle_points": "points",
    },
    "month": {
        "after_deal": "",
        "legal": "",
        "choose": "",
        "lowest_wins": "low",
        "may_win": "win",
        "stays": "trick",
        "leader": "lead",
        "after_trick": "",
        "before_lead": "",
        "own_points": "points",
    },
}
ASKED_BY_RULE = {"red 2": "number", "green 3": "hearts"}  # only where the sheet extends this one
ALL_HOOKS = {"draw", *ASKED_BY_RULE.values(), *(hook for hooks in HOOKS.values() for hook in hooks)}


class BadSheetError(BadFileError):
    """A file with an own sheet that is wrong: which file, which line, what."""


class OwnSheet:
    """An own sheet that was read and checked."""

    def __init__(self, path: Path, digest: str, name: str, rule: str) -> None:
        self.path = path
        self.digest = digest
        self.name = name  # in whose place it lies
        self.rule = rule  # our sheet whose rule it has or extends; empty for none
        self.code: type[Sheet] | None = None  # the class of a Python file
        self.changes: dict[str, object] = {}  # what a data file changes

    @property
    def option(self) -> str:
        """What the option `sheets` calls it: `January@…`."""
        return f"{self.name}@{self.digest}"

    def sheet(self, blank: type[Sheet] = Sheet) -> type[Sheet]:
        """Its class; that of a data file compiled or plain, as the blank sheet is."""
        if self.code is not None:
            return self.code
        rule = sheets_like(blank)[self.rule]
        return type(rule.__name__, (rule,), {**self.changes, "__module__": rule.__module__})


# -- The folder ------------------------------------------------------------------------------------

_known: dict[str, OwnSheet] = {}  # by hash: no file is run twice


def folder_named(folder: str | os.PathLike[str] | None = None) -> Path | None:
    """The folder that was given, or that the environment variable names."""
    named = folder if folder is not None else os.environ.get(VARIABLE)
    return Path(named) if named else None


def own_sheets(folder: str | os.PathLike[str] | None = None) -> dict[str, OwnSheet]:
    """All own sheets of the folder by the sheet they stand for. This runs its Python files."""
    where = folder_named(folder)
    if where is None:
        return {}
    if not where.is_dir():
        raise BadFileError("own-sheets-no-folder", folder=str(where))
    found: dict[str, OwnSheet] = {}
    for path in _files(where):
        sheet = _load(path, _read(path))
        if sheet.name in found:
            other = found[sheet.name]
            raise BadSheetError(
                "own-sheet-same" if other.digest == sheet.digest else "own-sheet-twice",
                file=str(path),
                line=1,
                sheet=sheet.name,
                other=str(other.path),
            )
        found[sheet.name] = sheet
    return {name: found[name] for name in SHEETS if name in found}


def option_for(date: str, folder: str | os.PathLike[str] | None = None) -> list[str]:
    """The option `sheets` that puts all own sheets of the folder in place of ours on this date."""
    mine = own_sheets(folder)
    return [mine[name].option for name in sheets_of_date(date) if name in mine]


def find(name: str, folder: str | os.PathLike[str] | None = None) -> OwnSheet:
    """The own sheet that an option names, by its hash; no other file is run."""
    place, _, digest = name.partition("@")
    where = folder_named(folder)
    known = _known.get(digest)
    if known is None or not _holds(known.path, digest):
        known = None
        for path in (*_files(where), *_files(where / OLD)) if where else ():
            if _holds(path, digest):
                known = _load(path, _read(path))
                break
    if known is None:
        told = VARIABLE if where is None else str(where)
        raise BadOptionError("own-sheet-missing", sheet=place, hash=digest, folder=told)
    if known.name != place:
        raise BadOptionError(
            "own-sheet-elsewhere", sheet=place, file=str(known.path), name=known.name
        )
    return known


def _files(folder: Path) -> list[Path]:
    """The files of a folder that can be sheets, in the order of their names."""
    try:
        inside = sorted(folder.iterdir())
    except OSError:
        return []
    return [
        path
        for path in inside
        if path.suffix in (".toml", ".py") and path.name[0] not in "._" and path.is_file()
    ]


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_FILE + 1)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise BadSheetError("own-sheet-unreadable", file=str(path), line=1, why=why) from None
    if len(raw) > LARGEST_FILE:
        raise BadSheetError("own-sheet-too-long", file=str(path), line=1, most=LARGEST_FILE)
    return raw


def _holds(path: Path, digest: str) -> bool:
    """Whether this is the content of the file."""
    try:
        return hashlib.sha256(_read(path)).hexdigest() == digest
    except BadSheetError:
        return False


def _load(path: Path, raw: bytes) -> OwnSheet:
    """Read a sheet and check it, once."""
    digest = hashlib.sha256(raw).hexdigest()
    if digest not in _known:
        read = _read_data if path.suffix == ".toml" else _read_code
        _known[digest] = read(path, raw, digest)
    elif _known[digest].path != path:  # a copy of a file, or one that was moved
        _known[digest] = copy(_known[digest])
        _known[digest].path = path
    return _known[digest]


def _text(path: Path, raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")  # some editors put a mark in front
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise BadSheetError("own-sheet-not-text", file=str(path), line=line) from None


# -- Data files ------------------------------------------------------------------------------------


class _Data:
    """A data file while it is read: every complaint names its line."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text
        try:
            self.table = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            why, _, place = str(error).partition(" (at ")
            found = re.match(r"line (\d+)", place)
            line = int(found[1]) if found else len(text.rstrip().splitlines()) or 1
            raise BadSheetError(
                "own-sheet-toml", file=str(path), line=line, why=shown(why, 100)
            ) from (None)

    def wrong(self, key: str, id: str, **facts: object) -> NoReturn:
        raise BadSheetError(id, file=str(self.path), line=line_of(self.text, key), key=key, **facts)

    def word(self, key: str, default: str, allowed: Sequence[str]) -> str:
        """One of a few words."""
        value = self.table.get(key, default)
        if not isinstance(value, str):
            self.wrong(key, "own-sheet-type", wanted=f'"{allowed[0]}"', value=_quoted(value))
        if value not in allowed:
            meant = suggestion(value, allowed)
            id = "own-sheet-word-like" if meant else "own-sheet-word"
            self.wrong(key, id, value=shown(value), allowed=_choices(allowed), meant=meant)
        return value

    def pair(self, key: str) -> tuple[str, str]:
        """A text in German and English."""
        given = self.table[key]
        wanted = '{ de = "…", en = "…" }'
        if not isinstance(given, dict):
            self.wrong(key, "own-sheet-type", wanted=wanted, value=_quoted(given))
        for lang in given:
            if lang not in LANGUAGES:
                self.wrong(f"{key}.{lang}", "own-sheet-key", known="de, en")
        for lang in LANGUAGES:
            if not isinstance(given.get(lang), str) or not given[lang].strip():
                self.wrong(f"{key}.{lang}" if lang in given else key, "own-sheet-text", lost=lang)
        return given["de"].strip(), given["en"].strip()


def line_of(text: str, key: str) -> int:
    """The line on which a key of a data file stands, `title.de` also in its table; 1 for none."""
    table = ""
    line_of_table = 1
    for number, line in enumerate(text.split("\n"), 1):
        header = re.match(r"\s*\[+\s*([^\]]*?)\s*\]", line)
        entry = re.match(r"\s*([\w.\-\"' ]+?)\s*=", line)
        if header:
            table = re.sub(r"[\"' ]", "", header[1])
            full = table
        elif entry:
            inside = re.sub(r"[\"' ]", "", entry[1])
            full = f"{table}.{inside}" if table else inside
        else:
            continue
        if full == key:
            return number
        if key.startswith(f"{full}.") or full.startswith(f"{key}."):
            line_of_table = number
    return line_of_table


def _read_data(path: Path, raw: bytes, digest: str) -> OwnSheet:
    """A data file: the rule of one of our sheets with other values, rounds, texts."""
    data = _Data(path, _text(path, raw))
    for key in data.table:
        if key not in KEYS:
            meant = suggestion(key, KEYS)
            id = "own-sheet-key-like" if meant else "own-sheet-key"
            data.wrong(key, id, known=", ".join(KEYS), meant=meant)
    if "sheet" not in data.table:
        raise BadSheetError("own-sheet-no-name", file=str(path), line=1, key='sheet = "January"')
    name = data.word("sheet", "", tuple(SHEETS))
    same_kind = [other for other in SHEETS if kind_of(other) == kind_of(name)]
    sheet = OwnSheet(path, digest, name, data.word("like", name, same_kind))
    sheet.changes = {"name": name, "origin": data.word("origin", "box", ORIGINS)}
    rule = SHEETS[sheet.rule]
    if "values" in data.table:
        if not rule.values:
            data.wrong("values", "own-sheet-no-use", like=sheet.rule)
        values = data.table["values"]
        if not _are_values(values):
            data.wrong("values", "own-sheet-values", value=_quoted(values), highest=HIGHEST_VALUE)
        sheet.changes["values"] = tuple(sorted(values))
    for key, attribute in TEXTS.items():
        if key in data.table:
            sheet.changes[attribute] = data.pair(key)
    if "rounds" in data.table:
        sheet.changes["rounds"] = _rounds(data, sheet)
    return sheet


def _rounds(data: _Data, sheet: OwnSheet) -> int:
    rounds = data.table["rounds"]
    if kind_of(sheet.rule) != "green":
        data.wrong("rounds", "own-sheet-no-use", like=sheet.rule)
    if not _is_number(rounds, 1, MOST_ROUNDS):
        data.wrong(
            "rounds", "own-sheet-number", value=_quoted(rounds), lowest=1, highest=MOST_ROUNDS
        )
    for key in ("short", "long"):  # ours tell another number
        if key not in data.table:
            data.wrong("rounds", "own-sheet-needs", needed=key)
    number: int = rounds
    return number


def _is_number(value: object, lowest: int, highest: int) -> bool:
    return type(value) is int and lowest <= value <= highest


def _are_values(values: object) -> bool:
    """Different values of cards, at least one."""
    if not isinstance(values, list | tuple) or not values:
        return False
    fitting = all(_is_number(value, 0, HIGHEST_VALUE) for value in values)
    return fitting and len(set(values)) == len(values)


def _choices(words: Sequence[str]) -> str:
    return ALL_SHEETS if len(words) == len(SHEETS) else ", ".join(words)


def _quoted(value: object) -> str:
    try:
        return shown(repr(value))
    except Exception:  # a text of its own that fails
        return type(value).__name__


# -- Python files ----------------------------------------------------------------------------------


def _import(name: str, *details: Any) -> ModuleType:
    """The import statement of an own sheet: of our engine and games the plain form."""
    names = details[2] if len(details) > 2 else None
    if names and name.startswith(("stichwerk.engine.", "stichwerk.games.")):
        module = twin(name)
        if not hasattr(module, "__path__"):
            return module
    return builtins.__import__(name, *details)


def _line_in(error: BaseException, path: Path, otherwise: int) -> int:
    """Where in the file it happened: the innermost line that is in it."""
    line = otherwise
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno or line
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _fails(path: Path, error: BaseException, otherwise: int) -> BadSheetError:
    try:
        why = f"{type(error).__name__}: {error}".rstrip(": ")
    except Exception:  # an exception whose text fails
        why = type(error).__name__
    line = _line_in(error, path, otherwise)
    return BadSheetError("own-sheet-fails", file=str(path), line=line, why=shown(why, 150))


class _Code:
    """A Python file while it is read: every complaint names its line."""

    def __init__(self, path: Path, raw: bytes) -> None:
        self.path = path
        try:
            tree = ast.parse(_text(path, raw), str(path))
            program = compile(tree, str(path), "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = getattr(error, "lineno", None) or 1
            why = shown(getattr(error, "msg", error), 100)
            raise BadSheetError("own-sheet-syntax", file=str(path), line=line, why=why) from None
        module = ModuleType(f"stichwerk_own_{path.stem}")
        module.__file__ = str(path)
        module.__dict__["__builtins__"] = {**vars(builtins), "__import__": _import}
        try:
            exec(program, module.__dict__)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # also SystemExit: a sheet does not end the program
            raise _fails(path, error, 1) from None
        self.nodes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        made = {name: module.__dict__.get(name) for name in self.nodes}
        self.classes = {name: made for name, made in made.items() if isinstance(made, type)}

    def wrong(self, id: str, line: int, **facts: object) -> NoReturn:
        raise BadSheetError(id, file=str(self.path), line=line, **facts)

    def the_sheet(self) -> type[Sheet]:
        """The one class of the file that is a sheet; names that begin with _ are helpers."""
        blank = twin(Sheet.__module__).Sheet
        found: list[type[Sheet]] = []
        for name, made in self.classes.items():
            if not issubclass(made, blank) and issubclass(made, Sheet):
                self.wrong("own-sheet-compiled", self.nodes[name].lineno, name=name)
            if issubclass(made, blank) and name[0] != "_":
                found = [*[other for other in found if not issubclass(made, other)], made]
        if not found:
            self.wrong("own-sheet-no-class", 1)
        if len(found) > 1:
            second = self.nodes[found[1].__name__].lineno
            self.wrong("own-sheet-classes", second, one=found[0].__name__, other=found[1].__name__)
        return found[0]

    def line_of(self, sheet: type[Sheet], attribute: str) -> int:
        """Where the class, or one of the file that it extends, sets this; else where it begins."""
        for made in sheet.__mro__:
            node = self.nodes.get(made.__name__)
            if node is None or self.classes.get(made.__name__) is not made:
                continue
            for line in node.body:
                targets = line.targets if isinstance(line, ast.Assign) else []
                if isinstance(line, ast.AnnAssign):
                    targets = [line.target]
                names = [target.id for target in targets if isinstance(target, ast.Name)]
                if attribute in names or getattr(line, "name", "") == attribute:
                    return line.lineno
        return self.nodes[sheet.__name__].lineno

    def sets(self, sheet: type[Sheet], attribute: str) -> bool:
        """Whether the file sets this, not one of our sheets."""
        owners = [made for made in sheet.__mro__ if attribute in vars(made)]
        return bool(owners) and owners[0] in self.classes.values()


def _read_code(path: Path, raw: bytes, digest: str) -> OwnSheet:
    """A Python file: its class is checked as far as one can without playing."""
    code = _Code(path, raw)
    made = code.the_sheet()
    _check_spelling(code, made)
    if not made.name:
        code.wrong("own-sheet-no-name", code.line_of(made, "name"), key='name = "January"')
    _check_place(code, made)
    rule = _rule_of(made)
    kind = kind_of(made.name)
    _check_attributes(code, made)
    _check_hooks(code, made, kind, rule)
    if not code.sets(made, "origin"):
        made.origin = "box"
    for owner in code.classes.values():
        if issubclass(made, owner):
            _guard(path, owner)
    made(4, NOBODY, NOBODY, NOBODY)
    sheet = OwnSheet(path, digest, made.name, rule)
    sheet.code = made
    return sheet


def _check_spelling(code: _Code, made: type[Sheet]) -> None:
    """A name much like one of ours that nothing uses would never be asked."""
    found = misspelt(made, (*ALL_HOOKS, "rounds"))
    if found:
        line = code.line_of(made, found.name)
        code.wrong("own-sheet-misspelt", line, name=found.name, meant=found.meant)


def _rule_of(made: type[Sheet]) -> str:
    """Our sheet that the class extends; empty for none."""
    blank: type[Sheet] = twin(Sheet.__module__).Sheet
    ours = {sheet: name for name, sheet in sheets_like(blank).items()}
    return next((ours[base] for base in made.__mro__ if base in ours), "")


def _check_place(code: _Code, made: type[Sheet]) -> None:
    """The place must be one of the calendar, and the class of the kind that lies there."""
    line = code.line_of(made, "name")
    if not isinstance(made.name, str) or made.name not in SHEETS:
        allowed, meant = _choices(tuple(SHEETS)), suggestion(str(made.name), SHEETS)
        id = "own-sheet-word-like" if meant else "own-sheet-word"
        value = _quoted(made.name)
        code.wrong(id, line, key="name", value=value, allowed=allowed, meant=meant)
    goal = twin(Sheet.__module__).Goal
    rule = _rule_of(made)
    is_goal = kind_of(made.name) == "green"
    if is_goal != issubclass(made, goal) or (rule and kind_of(rule) != kind_of(made.name)):
        code.wrong("own-sheet-kind", line, sheet=made.name, extends=made.__mro__[1].__name__)


def _check_attributes(code: _Code, made: type[Sheet]) -> None:
    for attribute in ("replaces", "extends"):
        parts = getattr(made, attribute)
        line = code.line_of(made, attribute)
        if not isinstance(parts, tuple | list):
            code.wrong(
                "own-sheet-type", line, key=attribute, wanted='("points",)', value=_quoted(parts)
            )
        for part in parts:
            if not isinstance(part, str) or part not in PARTS:
                code.wrong("own-sheet-part", line, part=_quoted(part), known=", ".join(PARTS))
        setattr(made, attribute, tuple(parts))
    if made.values != () and not _are_values(made.values):
        line = code.line_of(made, "values")
        code.wrong(
            "own-sheet-values",
            line,
            key="values",
            value=_quoted(made.values),
            highest=HIGHEST_VALUE,
        )
    if code.sets(made, "origin") and made.origin not in ORIGINS:
        line, allowed = code.line_of(made, "origin"), ", ".join(ORIGINS)
        code.wrong(
            "own-sheet-word", line, key="origin", value=_quoted(made.origin), allowed=allowed
        )
    rounds = getattr(made, "rounds", 1)
    if not _is_number(rounds, 1, MOST_ROUNDS):
        line, value = code.line_of(made, "rounds"), _quoted(rounds)
        code.wrong(
            "own-sheet-number", line, key="rounds", value=value, lowest=1, highest=MOST_ROUNDS
        )
    for attribute in ("title", "short", "long"):
        if not _is_pair(getattr(made, attribute)):
            code.wrong(
                "own-sheet-pair", code.line_of(made, attribute), key=attribute, name=made.__name__
            )
    if made.symbol_name != ("", "") and not _is_pair(made.symbol_name):
        line = code.line_of(made, "symbol_name")
        code.wrong("own-sheet-pair", line, key="symbol_name", name=made.__name__)
    _check_notes(code, made)


def _check_notes(code: _Code, made: type[Sheet]) -> None:
    line = code.line_of(made, "notes")
    notes: object = made.notes
    if not isinstance(notes, Mapping):
        wanted = '{"red 9": ("…", "…")}'
        code.wrong("own-sheet-type", line, key="notes", wanted=wanted, value=_quoted(notes))
    for other, text in notes.items():
        if other not in SHEETS:
            allowed = _choices(tuple(SHEETS))
            code.wrong("own-sheet-word", line, key="notes", value=_quoted(other), allowed=allowed)
        if not _is_pair(text):
            code.wrong("own-sheet-pair", line, key=f"notes, {other}", name=made.__name__)


def _is_pair(text: object) -> bool:
    """A German and an English text."""
    if not isinstance(text, tuple | list) or len(text) != 2:
        return False
    return all(isinstance(words, str) and words.strip() for words in text)


def _check_hooks(code: _Code, made: type[Sheet], kind: str, rule: str) -> None:
    """What the class answers must be asked of its kind, and be among the parts it names."""
    asked = {**HOOKS[kind], ASKED_BY_RULE.get(rule, ""): ""}
    for hook in sorted(ALL_HOOKS):
        if not code.sets(made, hook):
            continue
        line = code.line_of(made, hook)
        if hook not in asked:
            known = ", ".join(sorted(filter(None, asked)))
            code.wrong("own-sheet-not-asked", line, method=hook, sheet=made.name, known=known)
        part = asked[hook]
        # The month takes the question of high or low over only where it replaces it.
        named = made.replaces if part == "low" else (*made.replaces, *made.extends)
        if part and part not in named:
            code.wrong("own-sheet-undeclared", line, method=hook, part=part)


# -- While it is played ----------------------------------------------------------------------------


def _is_points(sheet: Sheet, value: object) -> bool:
    return _is_number(value, -MOST_POINTS, MOST_POINTS)


ANSWERS: dict[str, Callable[[Sheet, object], bool]] = {
    "trump": lambda sheet, value: value == NONE or _is_number(value, 0, COLOURS - 1),
    "number": lambda sheet, value: _is_number(value, 0, 63),
    "leader": lambda sheet, value: _is_number(value, 0, sheet.seats - 1),
    "own_points": _is_points,
    "score": _is_points,
    "hearts": _is_points,
    "standing": lambda sheet, value: (
        isinstance(value, tuple) and all(type(part) is int for part in value)
    ),
}


def _guard(path: Path, owner: type) -> None:
    """What goes wrong in a method of the file is told with its line, and so is a wrong answer."""
    for name, function in list(_functions(owner)):
        if not hasattr(function, "__wrapped__"):
            setattr(owner, name, _guarded(path, name, function))


def _functions(owner: type) -> Iterator[tuple[str, FunctionType]]:
    for name, value in vars(owner).items():
        if isinstance(value, FunctionType):
            yield name, value


def _guarded(path: Path, name: str, function: FunctionType) -> Callable[..., object]:
    answers = ANSWERS.get(name)
    first = function.__code__.co_firstlineno

    @wraps(function)
    def call(self: Sheet, *given: object, **named: object) -> object:
        try:
            answer: object = function(self, *given, **named)
        except StichwerkError:
            raise
        except Exception as error:
            raise _fails(path, error, first) from None
        if answers is not None and not answers(self, answer):
            value = _quoted(answer)
            raise BadSheetError(
                "own-sheet-answer", file=str(path), line=first, method=name, value=value
            )
        return answer

    return call


if not TYPE_CHECKING:  # names of earlier versions
    __getattr__ = renamed(__name__, {"BadSheet": "BadSheetError"})
