"""Only a game's own files name it: all others ask its description (`stichwerk.games.info`)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from stichwerk.games import registry
from stichwerk.games.info import GameDescription
from stichwerk.games.stichtag.calendar import SHEETS
from tests.doc_pages import ROOT
from tests.game_places import described, places, spellings

SOURCE, PAGE = ROOT / "src" / "stichwerk", ROOT / "frontend" / "src"
NAMES = frozenset(registry.OURS)
CLASSES = frozenset(info.rules.__name__ for info in registry.OUR_GAMES)
ASKING = {"get", "index", "count", "startswith", "endswith", "pop", "setdefault"}
QUOTED = rf"['\"`](?:{'|'.join(NAMES)})['\"`]"
IN_TYPESCRIPT = re.compile(
    rf"[=!]==?\s*{QUOTED}|{QUOTED}\s*[=!]==?|\bcase\s+{QUOTED}|\[\s*{QUOTED}|,\s*{QUOTED}\s*\]"
    rf"|{QUOTED}\s*:|[{{,]\s*(?:{'|'.join(NAMES - {'null-nichtig'})})\s*:|{QUOTED}\s+in\b"
    rf"|^\s*(?:{'|'.join(NAMES - {'null-nichtig'})})\s*:",
    re.MULTILINE,
)


def is_own(path: Path, root: Path) -> bool:
    """Return whether a file belongs to one game: it, or a folder above it, has its name."""
    parts = {part.partition(".")[0].replace("_", "-") for part in path.relative_to(root).parts}
    return not parts.isdisjoint(NAMES)


# -- Python ----------------------------------------------------------------------------------------


def names_in(node: ast.AST | None) -> list[str]:
    """Return the games that an expression names, itself or in a tuple, list or set."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return [name for part in node.elts for name in names_in(part)]
    if isinstance(node, ast.Constant) and node.value in NAMES:
        return [str(node.value)]
    is_name = isinstance(node, ast.Attribute) and node.attr == "name"
    if is_name and isinstance(node.value, ast.Name) and node.value.id in CLASSES:  # type: ignore[union-attr]
        return [node.value.id]  # type: ignore[union-attr]
    return []


def compared(tree: ast.AST) -> Iterator[tuple[int, list[str]]]:
    """Yield where a game is compared or used as a key, or games are listed."""
    for node in ast.walk(tree):
        found: list[str] = []
        if isinstance(node, ast.Compare):
            found = [name for part in (node.left, *node.comparators) for name in names_in(part)]
        elif isinstance(node, ast.Dict):
            found = [name for key in node.keys for name in names_in(key)]
        elif isinstance(node, ast.Subscript):
            found = names_in(node.slice)
        elif isinstance(node, ast.MatchValue):
            found = names_in(node.value)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ASKING:
            found = [name for argument in node.args for name in names_in(argument)]
        elif isinstance(node, ast.Tuple | ast.List | ast.Set):
            found = names_in(node)
            found = found if len(set(found)) > 1 else []
        if found:
            yield node.lineno, found  # type: ignore[attr-defined]


def test_no_game_is_compared_in_python() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} {names}"
        for path in sorted(SOURCE.rglob("*.py"))
        if not is_own(path, SOURCE)
        for line, names in compared(ast.parse(path.read_text("utf-8")))
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        'game == "stichling"',
        'view.game not in ("sticheln", "odd-even")',
        'TABLE = {"stichtag": 1}',
        'TABLE["null-nichtig"]',
        'TABLE.get("sticheln", 0)',
        "game != Stichtag.name",
        'GAMES = ("sticheln", "stichling")',
        'match game:\n    case "stichtag":\n        pass',
    ],
)
def test_a_comparison_in_python_is_found(line: str) -> None:
    assert list(compared(ast.parse(line)))


@pytest.mark.parametrize("line", ['play("sticheln", 4)', 'GAME = "sticheln"', '"""sticheln"""'])
def test_a_setting_in_python_is_allowed(line: str) -> None:
    assert not list(compared(ast.parse(line)))


# -- The page --------------------------------------------------------------------------------------


def page_files() -> Iterator[Path]:
    for path in sorted((*PAGE.rglob("*.ts"), *PAGE.rglob("*.svelte"))):
        is_test = any(word in path.name for word in (".test.", "testing", "fixture"))
        if not is_test and not is_own(path, PAGE):
            yield path


def test_no_game_is_compared_in_the_page() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match[0].strip()}"
        for path in page_files()
        for match in IN_TYPESCRIPT.finditer(path.read_text("utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "game === 'stichling'",
        "if ('stichtag' !== game)",
        "case 'sticheln':",
        "const TABLE = { stichling: 1 }",
        "  'null-nichtig': () => import('./null-nichtig/parts'),",
        "new Set(['stichling', 'sticheln'])",
        "const table = {\n  stichtag: 'announced',\n};",
    ],
)
def test_a_comparison_in_the_page_is_found(line: str) -> None:
    assert IN_TYPESCRIPT.search(line)


def test_a_setting_in_the_page_is_allowed() -> None:
    assert not IN_TYPESCRIPT.search("play('stichtag', seats)")


# -- Keys of views and phases ----------------------------------------------------------------------

# What only some games have in their views, and their phases; those of sheets are in
# tests/test_boundaries.py.
KEYS = {
    key
    for info in registry.OUR_GAMES
    if info.reference
    for part in (info.reference.table, info.reference.mine, info.reference.phases)
    for key, it in part.items()
    if not it.where
} - {"play", "over"}


def keys_asked(tree: ast.AST) -> set[str]:
    """Return the keys and phases of single games that are compared, looked up, or keys of a
    table."""
    found: list[ast.AST | None] = []
    for node in ast.walk(tree):
        match node:
            case ast.Compare():
                found += [node.left, *node.comparators]
            case ast.Subscript() | ast.MatchValue():
                found.append(node.slice if isinstance(node, ast.Subscript) else node.value)
            case ast.Dict():
                found += node.keys
            case ast.Call(func=ast.Attribute(attr="get")):
                found += node.args[:1]
    inner = [part for node in found if node for part in ast.walk(node)]
    return KEYS & {str(part.value) for part in inner if isinstance(part, ast.Constant)}


def test_the_terminal_does_not_tell_games_apart_by_their_views() -> None:
    """Except for the day of a calendar, in its own file: tests/test_boundaries.py looks there."""
    asked = {
        str(path.relative_to(SOURCE)): keys_asked(ast.parse(path.read_text("utf-8")))
        for path in (SOURCE / "terminal").rglob("*.py")
        if not is_own(path, SOURCE) and path.name != "day.py"
    }
    assert "terminal/table.py" in asked
    assert {name: keys for name, keys in asked.items() if keys} == {}


@pytest.mark.parametrize(
    "line",
    [
        'if "piles" in table: pass',
        'order = view.mine.get("order")',
        'if view.phase in ("lay", "play"): pass',
        'ASK = {"play": "ask-play", "pain": "ask-pain"}',
        'table["scoring"][seat]',
        'match view.phase:\n  case "order": pass',
    ],
)
def test_telling_games_apart_by_their_views_is_found(line: str) -> None:
    assert len(keys_asked(ast.parse(line))) == 1


# -- What descriptions name ------------------------------------------------------------------------


@pytest.mark.parametrize("info", registry.OUR_GAMES, ids=lambda info: info.name)
def test_everything_a_description_names_exists(info: GameDescription) -> None:
    code = (info.tactics, info.small_tactics, info.reasons, info.outlook, info.drawer, info.lines)
    for reference in filter(None, code):
        assert callable(info.load(reference)), reference
    assert (PAGE / "games" / info.page / "parts.ts").is_file()
    assert info.page == "generic" or (PAGE / "games" / info.page / "Picture.svelte").is_file()
    lesson = {
        SOURCE / "lessons/scripts" / f"{info.name}.toml",
        PAGE / "learn/lessons" / f"{info.name}.json",
        PAGE / "rules/examples" / f"{info.name}.json",
    }
    assert {path for path in lesson if path.is_file()} == (lesson if info.lesson else set())


@pytest.mark.parametrize("info", registry.OUR_GAMES, ids=lambda info: info.name)
def test_every_phase_of_its_own_has_a_prompt(info: GameDescription) -> None:
    sheets = {phase for sheet in SHEETS.values() for phase in sheet.asks.values()}
    phases = set(info.rules.phases) - {"over", "play"} - sheets
    assert set(info.prompts) in (phases, set())  # none: the prompt of any choice


def test_only_some_games_set_these_fields() -> None:
    def those(field: str) -> set[str]:
        return {
            info.name
            for info in registry.OUR_GAMES
            if getattr(info, field, None) or getattr(info.trials, field, None)
        }

    for field in ("hides_score", "only_hands_hidden"):
        assert "sticheln" in those(field)
        assert "stichling" not in those(field)
    assert "stichtag" in those("self_test")
    assert those("calendar") == {"stichtag"}  # there is one calendar, and one first choice
    assert len(those("first_choice")) == 1
    assert all(info.trials.ending_cards in (2, 3) for info in registry.OUR_GAMES)


def test_files_of_the_same_name_beside_two_descriptions_are_two_modules(tmp_path: Path) -> None:
    found = {}
    for game in ("first", "second"):
        folder = tmp_path / game
        folder.mkdir()
        (folder / "words.py").write_text(f'SAYS = "{game}"\n')
        found[game] = GameDescription(rules=None, folder=folder)
    for _ in range(2):  # the second time both are imported
        assert [info.load("words.py:SAYS") for info in found.values()] == list(found)


def test_open_tricks_follow_the_description_and_then_the_rules_class() -> None:
    class Rules:
        places = 3

    assert GameDescription(rules=Rules).open_tricks == 3
    assert GameDescription(rules=Rules, places=2).open_tricks == 2
    assert GameDescription(rules=object).open_tricks == 1


# -- What a new game takes -------------------------------------------------------------------------

RULES_ONLY, EVERYTHING = 6, 12


def field_of(text: str) -> str:
    """Return the field of a description that names this place: the first one in brackets."""
    found = re.search(r"\(`(\w+)`", text)
    assert found, text
    assert found[1] in GameDescription.__struct_fields__, text
    return found[1]


def test_a_new_game_takes_few_places() -> None:
    rules, others = places("Rules only"), places("With everything")
    assert 0 < len(rules) <= RULES_ONLY
    assert len(rules) < len(rules) + len(others) <= EVERYTHING


@pytest.mark.parametrize("info", registry.OUR_GAMES, ids=lambda info: info.name)
def test_our_games_have_all_these_places(info: GameDescription) -> None:
    """A game has those of the second part that its description names."""
    optional = described("With everything")
    default = GameDescription(rules=None)
    named = [
        place
        for place, text in optional.items()
        if getattr(info, field_of(text)) != getattr(default, field_of(text))
    ]
    for place in places("Rules only") + named:
        found = [ROOT / place.replace("mine", word) for word in spellings(info.name)]
        package = ROOT / place.replace("mine.py", info.name)  # Stichtag's rules are a folder
        assert any(path.exists() for path in (*found, package)), place


def test_no_other_file_of_ours_is_named_by_a_game() -> None:
    """A file with a game's name is where the places say, or made from what is there."""
    known = [Path(place).parent for place in places("Rules only") + places("With everything")]
    made = {"learn/lessons", "rules/examples", "arena/positions", "locale/rules", "after/fixtures"}
    for path in (*SOURCE.rglob("*"), *PAGE.rglob("*")):
        is_game = path.name.partition(".")[0].replace("_", "-") in NAMES
        if path.is_dir() or not is_game or "web" in path.parts or path.suffix in (".pyc", ".so"):
            continue
        folder = path.parent.relative_to(ROOT)
        is_made = any(str(folder).endswith(name) for name in made)
        is_own = folder.name in NAMES or folder.name.replace("_", "-") in NAMES
        assert folder in known or is_made or is_own or "locale" in folder.parts, path
