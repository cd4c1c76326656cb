"""Custom sheets in Python files: checked when they are read, guarded while they are played."""

import ast
import builtins
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial, wraps
from operator import attrgetter
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NoReturn

from stichwerk.engine.constants import COLOURS, NOBODY, NONE
from stichwerk.engine.plain import twin
from stichwerk.errors import StichwerkError, shown
from stichwerk.games.misspelt import misspelt, suggestion
from stichwerk.games.stichtag.calendar import NEWEST, SHEETS, sheet_kind, sheets_like
from stichwerk.games.stichtag.choice_panels import ChoicePanel
from stichwerk.games.stichtag.own_sheet import (
    HIGHEST_VALUE,
    MOST_ROUNDS,
    ORIGINS,
    BadSheetError,
    OwnSheet,
    are_values,
    choices,
    decoded,
    is_number,
    quoted,
)
from stichwerk.games.stichtag.seat_facts import SeatFact
from stichwerk.games.stichtag.sheet import PARTS, Sheet
from stichwerk.games.stichtag.table_facts import TableFact
from stichwerk.games.stichtag.trick_marks import TrickMark

MOST_POINTS = 9999
# Attributes with descriptions for terminal and page, and what each of them is.
PRESENTATION = {"facts": SeatFact, "shown": TableFact, "marks": TrickMark, "panels": ChoicePanel}


# What the game asks of which kind of sheet, and the part that must be declared to answer it.
HOOKS: dict[str, dict[str, str]] = {
    "green": {"score": "goal", "over": "goal", "standing": "goal"},
    "red": {
        "after_deal": "",
        "legal": "",
        "choose": "",
        "trump": "trump",
        "lowest_wins": "low",
        "lowest_trump_wins": "low",
        "may_win": "win",
        "asks_before_settling": "",
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
        "lowest_trump_wins": "low",
        "may_win": "win",
        "stays": "trick",
        "leader": "lead",
        "after_trick": "",
        "before_lead": "",
        "own_points": "points",
    },
}

# Names that custom sheets may still use.
OLD_HOOKS = {"asks_veto": "asks_before_settling"}
OLD_NUMBERS = {"green": "green_number", "red": "red_number", "month": "month_number"}

# Only if the sheet extends this one.
ASKED_BY_RULE = {name: sheet.own_hook for name, sheet in SHEETS.items() if sheet.own_hook}

ALL_HOOKS = {"draw", *ASKED_BY_RULE.values(), *(hook for hooks in HOOKS.values() for hook in hooks)}


def _import(version: int, name: str, *details: Any) -> ModuleType:
    """Import for a custom sheet: modules of our engine and games in their plain form, our sheets as
    this version of the rules has them."""
    names = details[2] if len(details) > 2 else None
    if names and name.startswith(("stichwerk.engine.", "stichwerk.games.")):
        module = twin(name)
        if not hasattr(module, "__path__"):
            return module if version == NEWEST else _with_older_sheets(module, version)
    return builtins.__import__(name, *details)


def _with_older_sheets(module: ModuleType, version: int) -> ModuleType:
    """Return a copy of a plain module in which our sheets are those of an older version."""
    older = _replaced_sheets(version)
    copy = ModuleType(module.__name__)
    for name, value in vars(module).items():
        copy.__dict__[name] = older.get(value, value) if isinstance(value, type) else value
    return copy


def _replaced_sheets(version: int) -> dict[type, type[Sheet]]:
    """Return our plain sheets that this version of the rules has in another form, by the newest."""
    blank: type[Sheet] = twin(Sheet.__module__).Sheet
    newest, asked = sheets_like(blank), sheets_like(blank, version)
    return {newest[name]: asked[name] for name in newest if newest[name] is not asked[name]}


def _line_in(error: BaseException, path: Path, otherwise: int) -> int:
    """Return the line in the file where it happened: the innermost one."""
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
    """A Python file while it is read, for a version of the rules: every error names its line."""

    def __init__(self, path: Path, raw: bytes, version: int) -> None:
        self.path = path
        try:
            tree = ast.parse(decoded(path, raw), str(path))
            program = compile(tree, str(path), "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = getattr(error, "lineno", None) or 1
            why = shown(getattr(error, "msg", error), 100)
            raise BadSheetError("own-sheet-syntax", file=str(path), line=line, why=why) from None
        module = ModuleType(f"stichwerk_own_{path.stem}")
        module.__file__ = str(path)
        importing = partial(_import, version)
        module.__dict__["__builtins__"] = {**vars(builtins), "__import__": importing}
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
        """Return the one class of the file that is a sheet; names that begin with _ are helpers."""
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
        """Return where the class, or a class of the file that it extends, sets this; else where it
        begins."""
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
        """Return whether the file sets this, not one of our sheets."""
        owners = [made for made in sheet.__mro__ if attribute in vars(made)]
        return bool(owners) and owners[0] in self.classes.values()


def read_code(path: Path, raw: bytes, digest: str) -> OwnSheet:
    """Read a Python file and check its class as far as possible without playing.

    A class that extends a sheet which an older version of the rules has in another form is made
    again for that version: it then extends that form.
    """
    made = _checked(path, raw, NEWEST)
    sheet = OwnSheet(path, digest, made.name, _rule_of(made, NEWEST))
    sheet.code = made

    @cache
    def code_in(version: int) -> type[Sheet]:
        unchanged = _replaced_sheets(version).keys().isdisjoint(made.__mro__)
        return made if unchanged else _checked(path, raw, version)

    sheet.code_in = code_in
    return sheet


def _checked(path: Path, raw: bytes, version: int) -> type[Sheet]:
    """Return the class of a Python file for a version of the rules, checked."""
    code = _Code(path, raw, version)
    made = code.the_sheet()
    _keep_old_names(code, made)
    _check_spelling(code, made)
    if not made.name:
        code.wrong("own-sheet-no-name", code.line_of(made, "name"), key='name = "January"')
    rule = _rule_of(made, version)
    _check_place(code, made, rule)
    kind = sheet_kind(made.name)
    _check_attributes(code, made)
    _check_hooks(code, made, kind, rule)
    if not code.sets(made, "origin"):
        made.origin = "box"
    for owner in code.classes.values():
        if issubclass(made, owner):
            _guard(path, owner)
    made(4, NOBODY, NOBODY, NOBODY)
    return made


def _keep_old_names(code: _Code, made: type[Sheet]) -> None:
    """Let a sheet use names that we have changed."""
    for old, new in OLD_HOOKS.items():
        if code.sets(made, old) and not code.sets(made, new):
            setattr(made, new, getattr(made, old))
    for old, new in OLD_NUMBERS.items():
        if not hasattr(made, old):
            setattr(made, old, property(attrgetter(new)))


def _check_spelling(code: _Code, made: type[Sheet]) -> None:
    """Refuse an unused name that is similar to one of ours: it would never be called."""
    found = misspelt(made, (*ALL_HOOKS, "rounds"))
    if found:
        line = code.line_of(made, found.name)
        code.wrong("own-sheet-misspelt", line, name=found.name, meant=found.meant)


def _rule_of(made: type[Sheet], version: int) -> str:
    """Return our sheet that the class extends; empty for none."""
    blank: type[Sheet] = twin(Sheet.__module__).Sheet
    ours = {sheet: name for name, sheet in sheets_like(blank, version).items()}
    return next((ours[base] for base in made.__mro__ if base in ours), "")


def _check_place(code: _Code, made: type[Sheet], rule: str) -> None:
    """Check that the place is one of the calendar, and the class of the kind that belongs there."""
    line = code.line_of(made, "name")
    if not isinstance(made.name, str) or made.name not in SHEETS:
        allowed, meant = choices(tuple(SHEETS)), suggestion(str(made.name), SHEETS)
        id = "own-sheet-word-like" if meant else "own-sheet-word"
        value = quoted(made.name)
        code.wrong(id, line, key="name", value=value, allowed=allowed, meant=meant)
    goal = twin(Sheet.__module__).Goal
    is_goal = sheet_kind(made.name) == "green"
    if is_goal != issubclass(made, goal) or (rule and sheet_kind(rule) != sheet_kind(made.name)):
        code.wrong("own-sheet-kind", line, sheet=made.name, extends=made.__mro__[1].__name__)


def _check_attributes(code: _Code, made: type[Sheet]) -> None:
    for attribute in ("replaces", "extends"):
        parts = getattr(made, attribute)
        line = code.line_of(made, attribute)
        if not isinstance(parts, tuple | list):
            code.wrong(
                "own-sheet-type", line, key=attribute, wanted='("points",)', value=quoted(parts)
            )
        for part in parts:
            if not isinstance(part, str) or part not in PARTS:
                code.wrong("own-sheet-part", line, part=quoted(part), known=", ".join(PARTS))
        setattr(made, attribute, tuple(parts))
    if made.values != () and not are_values(made.values):
        line = code.line_of(made, "values")
        code.wrong(
            "own-sheet-values",
            line,
            key="values",
            value=quoted(made.values),
            highest=HIGHEST_VALUE,
        )
    if code.sets(made, "origin") and made.origin not in ORIGINS:
        line, allowed = code.line_of(made, "origin"), ", ".join(ORIGINS)
        code.wrong("own-sheet-word", line, key="origin", value=quoted(made.origin), allowed=allowed)
    rounds = getattr(made, "rounds", 1)
    if not is_number(rounds, 1, MOST_ROUNDS):
        line, value = code.line_of(made, "rounds"), quoted(rounds)
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
    _check_presentation(code, made)
    _check_notes(code, made)


def _check_presentation(code: _Code, made: type[Sheet]) -> None:
    drawing: object = made.drawing
    if not isinstance(drawing, str):
        line, wanted = code.line_of(made, "drawing"), '"M4 4h16v16z"'
        code.wrong("own-sheet-type", line, key="drawing", wanted=wanted, value=quoted(drawing))
    for key, kind in PRESENTATION.items():
        facts: object = getattr(made, key)
        if not isinstance(facts, tuple) or not all(isinstance(fact, kind) for fact in facts):
            line, wanted = code.line_of(made, key), f"({kind.__name__}(…),)"
            code.wrong("own-sheet-type", line, key=key, wanted=wanted, value=quoted(facts))


def _check_notes(code: _Code, made: type[Sheet]) -> None:
    line = code.line_of(made, "notes")
    notes: object = made.notes
    if not isinstance(notes, Mapping):
        wanted = '{"red 9": ("…", "…")}'
        code.wrong("own-sheet-type", line, key="notes", wanted=wanted, value=quoted(notes))
    for other, text in notes.items():
        if other not in SHEETS:
            allowed = choices(tuple(SHEETS))
            code.wrong("own-sheet-word", line, key="notes", value=quoted(other), allowed=allowed)
        if not _is_pair(text):
            code.wrong("own-sheet-pair", line, key=f"notes, {other}", name=made.__name__)


def _is_pair(text: object) -> bool:
    """Return whether this is a German and an English text."""
    if not isinstance(text, tuple | list) or len(text) != 2:
        return False
    return all(isinstance(words, str) and words.strip() for words in text)


def _check_hooks(code: _Code, made: type[Sheet], kind: str, rule: str) -> None:
    """Check that what the class answers is asked of its kind, and is among the parts it names."""
    asked = {**HOOKS[kind], ASKED_BY_RULE.get(rule, ""): ""}
    for hook in sorted(ALL_HOOKS):
        if not code.sets(made, hook):
            continue
        line = code.line_of(made, hook)
        if hook not in asked:
            known = ", ".join(sorted(filter(None, asked)))
            code.wrong("own-sheet-not-asked", line, method=hook, sheet=made.name, known=known)
        part = asked[hook]
        # The month takes over the question of high or low only where it replaces it.
        named = made.replaces if part == "low" else (*made.replaces, *made.extends)
        if part and part not in named:
            code.wrong("own-sheet-undeclared", line, method=hook, part=part)


def _is_points(sheet: Sheet, value: object) -> bool:
    return is_number(value, -MOST_POINTS, MOST_POINTS)


ANSWERS: dict[str, Callable[[Sheet, object], bool]] = {
    "trump": lambda sheet, value: value == NONE or is_number(value, 0, COLOURS - 1),
    "number": lambda sheet, value: is_number(value, 0, 63),
    "leader": lambda sheet, value: is_number(value, 0, sheet.seats - 1),
    "own_points": _is_points,
    "score": _is_points,
    "hearts": _is_points,
    "standing": lambda sheet, value: (
        isinstance(value, tuple) and all(type(part) is int for part in value)
    ),
}


def _guard(path: Path, owner: type) -> None:
    """Report a fault or a wrong answer in a method of the file, with its line."""
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
            value = quoted(answer)
            raise BadSheetError(
                "own-sheet-answer", file=str(path), line=first, method=name, value=value
            )
        return answer

    return call
