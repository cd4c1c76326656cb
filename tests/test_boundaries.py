"""The engine names no game and no sheet; what belongs to a sheet is in its module alone."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import stichwerk
from stichwerk.engine import events
from stichwerk.engine.area import NUMBERS, SETS, Area, Field
from stichwerk.engine.codes import MOVE_LIMIT, kind_of
from stichwerk.engine.state import State
from stichwerk.errors import BadGameError
from stichwerk.games import registry
from stichwerk.games.stichtag.calendar import SHEETS, all_dates
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.sheets import file_of, module_of
from stichwerk.games.stichtag.texts import reference_of

SOURCE = Path(__file__).parents[1] / "src/stichwerk"
SHEET_FOLDER = SOURCE / "games/stichtag/sheets"
SHEET_WORDS = (
    *("sunstroke", "sonnenstich", "veto", "gift", "egg", "eggs", "lantern", "lanterns", "partner"),
    *("partners", "announce", "announcement", "strike", "discard", "trace_card", "trace_mask"),
)

NUMBERS_OF_SHEETS = ("red_number", "month_number", "green_number")

# Files outside the sheets that still name sheets in tables of their own, and how often. The list
# may only become shorter.
STILL_NAMING = {
    "games/info/stichtag.py": 2,
}


def engine_files() -> Iterator[Path]:
    yield from (path for path in (SOURCE / "engine").iterdir() if path.suffix in (".py", ".pxd"))


def words_of(path: Path) -> Counter[str]:
    """Return the words of a file, those that names are made of as well."""
    return Counter(re.findall(r"[a-z]+(?:_[a-z]+)*", path.read_text("utf-8").lower()))


def test_the_engine_names_no_game() -> None:
    games = {word for name in registry.GAMES for word in (name, name.replace("-", "_"))}
    found = {path.name: games & set(words_of(path)) for path in engine_files()}
    assert {name: words for name, words in found.items() if words} == {}


def test_the_engine_names_no_sheet() -> None:
    months = {name.lower() for name in SHEETS if " " not in name and name not in ("March", "May")}
    colours = re.compile(r"\b(?:red|green) [0-9]\b")
    for path in engine_files():
        text = path.read_text("utf-8").lower()
        assert not {*months, *SHEET_WORDS} & set(words_of(path)), path.name
        assert not colours.search(text), path.name


def test_every_sheet_is_one_module_with_texts() -> None:
    modules = {path.stem for path in SHEET_FOLDER.glob("*.py") if path.stem[0] != "_"}
    texts = {path.stem for path in SHEET_FOLDER.glob("texts/*.json")}
    named = {module_of(name).rpartition(".")[2] for name in SHEETS}
    assert modules == texts == named


def test_no_two_sheets_share_a_number_of_a_phase_or_move() -> None:
    for attribute in ("asks", "kinds"):
        named = [getattr(sheet, attribute) for sheet in SHEETS.values()]
        numbers = Counter(number for one in named for number in one)
        assert set(numbers.values()) == {1}, attribute
        assert max(numbers) < kind_of(MOVE_LIMIT), attribute


# -- Comparisons of sheets outside their modules ---------------------------------------------------


def is_number_of_sheet(node: ast.expr) -> bool:
    """`x.red_number` and the like, or a name of the calendar."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and node.value in SHEETS
    return isinstance(node, ast.Attribute) and node.attr in NUMBERS_OF_SHEETS


def comparisons(path: Path) -> int:
    """Return how often a module compares a sheet's number or name."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    compared = [node for node in nodes if isinstance(node, ast.Compare)]
    return sum(any(map(is_number_of_sheet, (node.left, *node.comparators))) for node in compared)


def test_only_sheets_compare_sheets() -> None:
    found = {
        str(path.relative_to(SOURCE)): comparisons(path)
        for path in SOURCE.rglob("*.py")
        if SHEET_FOLDER not in path.parents
    }
    assert {name: count for name, count in found.items() if count} == {}


def names(path: Path) -> int:
    """Return how often a module names a sheet in a string of its own."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return sum(isinstance(node, ast.Constant) and is_number_of_sheet(node) for node in nodes)


def test_only_sheets_name_sheets() -> None:
    found = {
        str(path.relative_to(SOURCE)): names(path)
        for path in SOURCE.rglob("*.py")
        if SHEET_FOLDER not in path.parents and path.name != "months.py"
    }
    assert {name: count for name, count in found.items() if count} == STILL_NAMING


# -- Tables of sheets in clients -------------------------------------------------------------------

PAGE = SOURCE.parents[1] / "frontend/src"
FACTS = {fact.name for sheet in SHEETS.values() for fact in sheet.facts}
# A sheet's or a fact's name as a key of an object or in a list; a table by a sheet's number.
PAGE_TABLES = (
    re.compile(rf"['\"](?:{'|'.join(SHEETS)})['\"]"),
    re.compile(rf"(?:\[|^\s*)['\"]?(?:{'|'.join(sorted(FACTS))})['\"]?\s*[:,]", re.MULTILINE),
    re.compile(r"\[[^\]\n]*\.number\b"),
)
# The key of a choice that has the name of a fact, in the table of components.
PAGE_CHOICES = {"games/stichtag/parts.ts": ["    veto:"]}


def page_tables(source: str) -> list[str]:
    """Return where a file of the page has a table of sheets, or of what one sheet shows."""
    return [found[0] for pattern in PAGE_TABLES for found in pattern.finditer(source)]


def test_the_page_has_no_table_of_sheets() -> None:
    sources = [path for end in ("ts", "svelte") for path in PAGE.rglob(f"*.{end}")]
    written = [path for path in sources if ".test." not in path.name]
    found = {str(path.relative_to(PAGE)): page_tables(path.read_text("utf-8")) for path in written}
    assert {name: tables for name, tables in found.items() if tables} == PAGE_CHOICES


@pytest.mark.parametrize(
    "table",
    [
        "const SYMBOLS = { 'January': 'M1 1z' };",
        "const PATHS = [1];\nreturn PATHS[sheet.kind === 'month' ? sheet.number : 0];",
        "const COUNTED = [\n  ['eggs', 'month', 6],\n];",
        "const HELD = {\n  sunstroke: 'month',\n};",
    ],
)
def test_a_table_of_sheets_on_the_page_is_found(table: str) -> None:
    assert len(page_tables(table)) == 1


def fact_names(path: Path) -> int:
    """Return how often a module names what one sheet shows."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return sum(isinstance(node, ast.Constant) and node.value in FACTS for node in nodes)


def test_terminal_and_server_name_no_facts_of_sheets() -> None:
    found = {
        str(path.relative_to(SOURCE)): fact_names(path)
        for part in ("terminal", "server")
        for path in (SOURCE / part).rglob("*.py")
    }
    assert {name: count for name, count in found.items() if count} == {}


# -- Words of sheets outside their modules ---------------------------------------------------------

ALSO_OTHERS = {
    "trump",
    "hearts",
    "discard",
}  # every round has trump; a game; an option of Stichling
# Files that may use such words, and why. A new sheet needs an entry in none of them.
PRESENTS_STICHTAG = {
    "games/info/stichtag.py",  # which blocks observations of the game have
    "terminal/table.py",
    "terminal/full/board_state.py",
    "outlook/queries.py",  # cards that are set aside belong to the engine's state
    "reference.py",
}
FIXED_LAYOUT = {"envs/blocks.py", "envs/batch_observer.py", "envs/episode_state.py"}
CHECKS_SHEETS = {
    "testing/cards.py",
    "testing/moves.py",
    "testing/other_worlds.py",
    "testing/views.py",
}


def words_of_sheet(sheet: type[Sheet]) -> set[str]:
    """Return its phases, what it draws, its own kinds of events, and the facts it shows."""
    told = reference_of(file_of(sheet.name))
    kinds = {event.kind for event in sheet.emits if event.__module__ != events.__name__}
    facts = {*told.get("table", ()), *told.get("mine", ())}
    return {*sheet.asks.values(), *sheet.specials, *kinds, *facts} - ALSO_OTHERS


def strings_of(path: Path) -> set[str]:
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return {str(node.value) for node in nodes if isinstance(node, ast.Constant)}


def test_words_of_one_sheet_are_used_in_few_other_files() -> None:
    counts = Counter(word for sheet in SHEETS.values() for word in words_of_sheet(sheet))
    words = {word for word, count in counts.items() if count == 1}
    assert {"veto", "announce", "sunstroke", "eggs", "passes_to"} <= words
    used = {
        str(path.relative_to(SOURCE)): words & strings_of(path)
        for path in SOURCE.rglob("*.py")
        if SOURCE / "games/stichtag" not in path.parents
    }
    allowed = PRESENTS_STICHTAG | FIXED_LAYOUT | CHECKS_SHEETS
    assert {name: found for name, found in used.items() if found and name not in allowed} == {}


def imports_of(path: Path) -> set[str]:
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}


def test_only_the_calendar_imports_sheets() -> None:
    modules = {module_of(name) for name in SHEETS}
    outside = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if SOURCE / "games/stichtag" not in path.parents and modules & imports_of(path)
    }
    assert outside == set()


# -- The area of the state -------------------------------------------------------------------------


def fields_of(date: str) -> tuple[Field, ...]:
    fields: tuple[Field, ...] = stichwerk.game("stichtag", 4, date=date).rules.area.fields
    return fields


def test_only_sheets_in_play_reserve_state() -> None:
    names = {field.name for field in fields_of("07-07")}
    assert {"veto", "sunstroke", "struck"} <= names
    assert not {"eggs", "partners", "due"} & names


def test_every_day_fits_the_state() -> None:
    for date in all_dates():
        fields = fields_of(date)
        assert sum(field.size for field in fields if field.kind == "numbers") <= NUMBERS
        assert sum(field.size for field in fields if field.kind == "sets") <= SETS


def test_a_name_is_reserved_once_and_never_one_of_every_state() -> None:
    area = Area("mine", State())
    assert area.number("holder", 7) == 0
    assert area.cards("pool") == 0
    assert (area.blank.holder, area.blank.pool) == (7, [0, 0])
    for name in ("holder", "hands"):
        with pytest.raises(BadGameError, match="own-game-field-twice"):
            area.number(name)


def test_reserving_too_much_state_is_refused() -> None:
    area = Area("mine", State())
    area.number("many", 0, count=NUMBERS)
    with pytest.raises(BadGameError, match="own-game-fields"):
        area.number("one_more")
    with pytest.raises(BadGameError, match="own-game-fields"):
        area.cards("pools", count=SETS // 2 + 1)
