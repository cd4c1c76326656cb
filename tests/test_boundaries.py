"""The engine names no game and no sheet; what belongs to a sheet is in its module alone."""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
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
PAGE = Path(__file__).parents[1] / "frontend/src"
SHEET_FOLDER = SOURCE / "games/stichtag/sheets"
# Words that belong to sheets of Stichtag. Not among them: `second`, `aside` and `carried`, which
# any game may use (docs/decisions.md, 43).
SHEET_WORDS = {
    *("sunstroke", "sonnenstich", "veto", "gift", "gifts", "egg", "eggs", "lantern", "lanterns"),
    *("partner", "partners", "announce", "announced", "announcement", "strike", "struck"),
    *("discard", "discarded", "trace", "pair", "pairs", "calendar", "sheet", "sheets"),
}
# A word on its own may be English; of each game only those that can be nothing else.
GAME_WORDS = {"stichling", "sticheln", "stichtag", "nichtig"}
SHEET_NAMES = re.compile(r"(?<![a-z])(?:red|green)[ _-]?[0-9]\b")
MONTHS = {name.lower() for name in SHEETS if " " not in name} - {"may"}  # a verb


def engine_files() -> Iterator[Path]:
    suffixes = (".py", ".pxd", ".pyx")
    yield from (path for path in (SOURCE / "engine").iterdir() if path.suffix in suffixes)


def words_in(text: str) -> set[str]:
    """Return the words of a text; a name such as `veto_card` or `VetoCard` is two words."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", text)}


def names_of_games(text: str) -> set[str]:
    """Return what names a game in a text."""
    return words_in(text) & GAME_WORDS


def names_of_sheets(text: str) -> set[str]:
    """Return what names a sheet in a text, or what only a sheet has."""
    return words_in(text) & (SHEET_WORDS | MONTHS) | set(SHEET_NAMES.findall(text.lower()))


def test_every_game_has_a_word() -> None:
    assert all(GAME_WORDS & set(info.name.split("-")) for info in registry.OUR_GAMES)
    assert len(registry.OUR_GAMES) == len(GAME_WORDS)


@pytest.mark.parametrize("find", [names_of_games, names_of_sheets])
def test_the_engine_names_no_game_and_no_sheet(find: Callable[[str], set[str]]) -> None:
    found = {path.name: find(path.read_text("utf-8")) for path in engine_files()}
    assert {"machine.pyx", "state.pxd", "state.py"} <= set(found)
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.parametrize(
    "line", ["stichling_places = 4", "class StichtagRound:", "# as in Null & nichtig", "STICHELN"]
)
def test_the_name_of_a_game_is_found(line: str) -> None:
    assert len(names_of_games(line)) == 1


@pytest.mark.parametrize(
    "line",
    [
        *("sunstroke_holder", "veto_card = 1", "EGGS_TAKEN", "class VetoHolder:", "do(red_7)"),
        *("# as on red 4", "Red7()", "green-2", "# for July", "def pairs_of(self):"),
    ],
)
def test_the_name_of_a_sheet_is_found(line: str) -> None:
    assert len(names_of_sheets(line)) == 1


@pytest.mark.parametrize("line", ["state.aside_size", "may_hold", "hundred 7", "state.second[0]"])
def test_other_words_are_allowed_in_the_engine(line: str) -> None:
    assert not names_of_sheets(line) | names_of_games(line)


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


# -- Sheets that are told apart outside their modules ---------------------------------------------

NUMBERS_OF_SHEETS = {"red_number", "month_number", "green_number"}
# Every name of a sheet: in the calendar, of its file, of its class.
NAMES_OF_SHEETS = {
    *SHEETS,
    *(file_of(name) for name in SHEETS),
    *(sheet.__name__ for sheet in SHEETS.values()),
}
# Where sheets get their numbers, and modules that pass on sheets under their old names.
DEFINES_SHEETS = {
    *("games/stichtag/sheet.py", "games/stichtag/calendar.py"),
    *("games/stichtag/green.py", "games/stichtag/red.py", "games/stichtag/months.py"),
}
# What other files still say of single sheets. The list may only become shorter.
STILL_NAMING = {
    "envs/spec.py": Counter(red_number=1, green_number=1, month_number=1),  # which are in play
    "games/info/stichtag.py": Counter({"red 4": 1, "green 2": 1}),
    # Attributes that sheets of an older form had.
    "games/stichtag/own_code.py": Counter(red_number=1, green_number=1, month_number=1),
}


def python_files(*but: Path) -> Iterator[tuple[str, str]]:
    """Yield name and source of every module that is in none of these folders."""
    for path in SOURCE.rglob("*.py"):
        if not set(but) & set(path.parents):
            yield str(path.relative_to(SOURCE)), path.read_text("utf-8")


def named_sheets(source: str) -> Counter[str]:
    """Return the numbers and names of sheets that a module uses, as a name or in a string."""
    found: Counter[str] = Counter()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(attr=word) | ast.Name(id=word) | ast.Constant(value=str(word)):
                found[word] += word in NUMBERS_OF_SHEETS | NAMES_OF_SHEETS
    return +found


def test_only_sheets_tell_sheets_apart() -> None:
    sources = dict(python_files(SHEET_FOLDER))
    assert set(sources) > DEFINES_SHEETS
    found = {name: named_sheets(source) for name, source in sources.items()}
    others = {name: words for name, words in found.items() if name not in DEFINES_SHEETS}
    assert {name: words for name, words in others.items() if words} == STILL_NAMING


@pytest.mark.parametrize(
    "line",
    [
        "n = rules.month_number\nif n == 6: pass",
        "match rules.red_number:\n  case 7: pass",
        "{7: 1}[rules.red_number]",
        'getattr(rules, "red_number")',
        'file_of(name) == "red_7"',
        'type(sheet).__name__ == "Red7"',
        'sheet.name == "July"',
        "isinstance(sheet, sheets.Red7)",
    ],
)
def test_telling_sheets_apart_is_found(line: str) -> None:
    assert named_sheets(line).total() == 1


# -- Tables of sheets in clients -------------------------------------------------------------------

FACTS = {fact.name for sheet in SHEETS.values() for fact in sheet.facts}


# -- Texts of moves on the page --------------------------------------------------------------------

STRING_METHODS = (
    "split|slice|substring|startsWith|endsWith|includes|indexOf|lastIndexOf|replace|replaceAll|"
    "match|matchAll|charAt|at|search"
)
# A method of strings on a move, or on what was played; one that looks for the signs of a move.
READS_MOVES = (
    re.compile(
        rf"\b(?:move|moves\[\w+\]!?|moves\.at\([^)]*\)!?|hint\.move)\??\.(?:{STRING_METHODS})\("
    ),
    re.compile(rf"plays?(?:\[\w+\]\?*\.?)?\[1\]!?\??\.(?:{STRING_METHODS})\("),
    re.compile(rf"\.(?:{STRING_METHODS})\(\s*(?:['\"`]>|['\"`]\+['\"`]|/\[[+,>]|['\"]veto)"),
    re.compile(r"\.(?:test|exec)\(move\b|\bNumber\((?:move|one\.slice)\b"),
)
OTHER_TEXTS = {
    "calendar/DatePicker.svelte",  # dates
    "deal/fairness.ts",  # base64
    "rules/markdown.ts",  # quotations begin with `>`
}


def moves_read(source: str) -> list[str]:
    """Return where a file of the page takes the text of a move apart."""
    return [found[0] for pattern in READS_MOVES for found in pattern.finditer(source)]


def test_the_page_reads_no_text_of_a_move() -> None:
    sources = [path for end in ("ts", "svelte") for path in PAGE.rglob(f"*.{end}")]
    for_tests = re.compile(r"\.(?:test|testing|fixture)\.")
    found = {
        str(path.relative_to(PAGE)): len(moves_read(path.read_text("utf-8")))
        for path in sources
        if not for_tests.search(path.name)
    }
    reading = {name: count for name, count in found.items() if count and name not in OTHER_TEXTS}
    assert reading == {}


@pytest.mark.parametrize(
    "reading",
    [
        "const where = one.split('>')[1] ?? '';",
        "return move.split(',');",
        "const cards = text.split(/[+,]/);",
        "const strikes = moves.filter((one) => one.startsWith('veto '));",
        "const seat = Number(one.slice(5));",
        "const opens = move?.endsWith(ending);",
        "const first = trick?.plays[0]?.[1].split(sign);",
        "const pairs = moves.some((one) => one.includes('+'));",
        "if (/^[A-Z]/.test(move)) return null;",
        "const target = move.slice(at);",
    ],
)
def test_reading_a_move_on_the_page_is_found(reading: str) -> None:
    assert moves_read(reading)


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

# Every round has trump; a game; an option of Stichling.
ALSO_OTHERS = {"trump", "hearts", "discard"}
# Which words other files use, and why. A new sheet needs an entry in none of them; the lists may
# only become shorter.
STILL_USED = {
    # The fixed layout of observations.
    "envs/batch_observer.py": "gifts lanterns partners sunstroke veto",
    "envs/blocks.py": "announced aside direction eggs face_down gifts lanterns lying named partner "
    "struck sunstroke to_give trumps veto",
    "envs/episode_state.py": "pass",
    "games/info/stichtag.py": "announced aside direction eggs face_down gifts lanterns named "
    "partner struck sunstroke to_give trumps veto",
    # Cards that are set aside.
    "outlook/last_trick.py": "stays",
    "outlook/queries.py": "aside",
    "reference.py": "aside",
    "terminal/full/board_state.py": "stays",
    "terminal/games/stichtag.py": "named",
    "terminal/table.py": "stays",
    # Checks of what sheets do.
    "testing/cards.py": "aside",
    "testing/moves.py": "pass take veto",
    "testing/other_worlds.py": "aside named partners",
    "testing/views.py": "aside eggs partners",
}


def words_of_sheet(sheet: type[Sheet]) -> set[str]:
    """Return its phases, what it draws, its own kinds of events, and the facts it shows."""
    listed = reference_of(file_of(sheet.name))
    kinds = {event.kind for event in sheet.emits if event.__module__ != events.__name__}
    facts = {*listed.get("table", ()), *listed.get("mine", ())}
    return {*sheet.asks.values(), *sheet.specials, *kinds, *facts} - ALSO_OTHERS


def words_of_one_sheet() -> set[str]:
    counts = Counter(word for sheet in SHEETS.values() for word in words_of_sheet(sheet))
    return {word for word, count in counts.items() if count == 1}


def words_used(source: str) -> set[str]:
    """Return the words of single sheets that are a string, or with which one begins: `veto 2`."""
    nodes = ast.walk(ast.parse(source))
    strings = [str(node.value) for node in nodes if isinstance(node, ast.Constant)]
    return words_of_one_sheet() & {word for text in strings for word in (text, text.split(" ")[0])}


def test_words_of_one_sheet_are_used_in_few_other_files() -> None:
    assert {"veto", "announce", "sunstroke", "eggs", "passes_to"} <= words_of_one_sheet()
    used = {name: words_used(source) for name, source in python_files(SOURCE / "games/stichtag")}
    allowed = {name: set(words.split()) for name, words in STILL_USED.items()}
    assert {name: words for name, words in used.items() if words} == allowed


@pytest.mark.parametrize(
    "line",
    [
        'view.phase == "veto"',
        'f"veto {seat}"',
        'move.startswith("veto ")',
        'table["eggs"]',
        'match phase:\n  case "announce": pass',
    ],
)
def test_a_word_of_a_sheet_is_found(line: str) -> None:
    assert len(words_used(line)) == 1


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
