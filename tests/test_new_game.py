"""A fifth game takes the places that CONTRIBUTING.md lists for rules only, and no others.

`new_game` is put into a copy of the tree, where nothing is compiled and nothing else is changed.
`new_game/program.py` plays it there and says what each part of the package makes of it.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.doc_pages import ROOT
from tests.game_places import is_at, places

NAME = "hot-number"
NEW = Path(__file__).with_name("new_game")
LEFT_OUT = ("*.so", "*.pyd", "__pycache__", "static")
COPIED = ("src/stichwerk", "tests/rulebook")
FILES = {
    "rules.py": "src/stichwerk/games/hot_number.py",
    "rules.pxd": "src/stichwerk/games/hot_number.pxd",
    "info.py": "src/stichwerk/games/info/hot_number.py",
    "texts.de.json": "src/stichwerk/locale/hot-number.de.json",
    "texts.en.json": "src/stichwerk/locale/hot-number.en.json",
    "rules.de.md": "src/stichwerk/locale/rules/hot-number.de.md",
    "rules.en.md": "src/stichwerk/locale/rules/hot-number.en.md",
    "rulebook.py": "tests/rulebook/test_hot_number.py",
}
REGISTRY = "src/stichwerk/games/registry.py"
SCHEMA = "src/stichwerk/schema/stichwerk-game-1.json"


def add_game(root: Path) -> None:
    """Add the game to a tree: its files, two lines of the registry, its part of the schema."""
    for name, path in FILES.items():
        shutil.copy(NEW / name, root / path)
    registry = (root / REGISTRY).read_text("utf-8")
    added = registry.replace("import GameDescription, ", "import GameDescription, hot_number, ", 1)
    added = added.replace("    stichtag.INFO,\n", "    stichtag.INFO,\n    hot_number.INFO,\n", 1)
    (root / REGISTRY).write_text(added, "utf-8")
    schema = json.loads((root / SCHEMA).read_text("utf-8"))
    schema["properties"]["game"]["enum"].append(NAME)
    is_it = {"properties": {"game": {"const": NAME}}}
    schema["allOf"].append({"if": is_it, "then": {"$ref": f"#/$defs/{NAME}"}})
    schema["$defs"] |= json.loads((NEW / "schema.json").read_text("utf-8"))
    (root / SCHEMA).write_text(json.dumps(schema), "utf-8")


def contents(root: Path) -> dict[str, bytes]:
    """Return all files of a tree."""
    files = [path for path in root.rglob("*") if path.is_file()]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, set[str]]:
    """A copy of the tree with the game, and the files that were touched."""
    root = tmp_path_factory.mktemp("new")
    for folder in COPIED:
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for test in (root / "tests/rulebook").glob("test_*.py"):
        test.unlink()
    before = contents(root)
    add_game(root)
    after = contents(root)
    return root, {path for path in after if after[path] != before.get(path)}


@pytest.fixture(scope="module")
def answers(tree: tuple[Path, set[str]]) -> dict[str, Any]:
    """What the program prints, once the rules and samples of the game have been checked."""
    root, _ = tree
    run = subprocess.run(
        [sys.executable, "-B", str(NEW / "program.py")],
        cwd=root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(root / "src"), str(root)))},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    answer: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    assert Path(answer["package"]).parent == root / "src/stichwerk"
    assert answer["rulebook"] == 0, run.stdout
    return answer


def test_it_touches_the_places_that_contributing_lists(tree: tuple[Path, set[str]]) -> None:
    listed = places("Rules only")
    _, touched = tree
    found = {path: [place for place in listed if is_at(path, place, NAME)] for path in touched}
    assert [path for path, at in found.items() if len(at) != 1] == []
    assert {place for at in found.values() for place in at} == set(listed)


def test_bots_play_it_and_its_record_holds(answers: dict[str, Any]) -> None:
    assert answers["recorded"] == {"rounds": 4, "record": "holds", "refused": [], "checked": True}


def test_it_is_asked_and_shown_in_general_words(answers: dict[str, Any]) -> None:
    assert answers["asked"] == {
        "phase": "heat",
        "title": "Heiße Zahl · Runde 1 von 3",
        "choices": True,
        "heading": "Your turn: choose",
        "reason": "advice-best",
        "shown": True,
        "told": True,
    }


def test_it_is_played_by_typing(answers: dict[str, Any]) -> None:
    match = answers["typed"]
    assert match["finished"]
    assert match["over"]
    assert match["points"] == match["scores"]
    assert match["braces"] == []


def test_environments_know_it(answers: dict[str, Any]) -> None:
    assert answers["in_environments"] == {
        "agents": 0,
        "kinds": ["play", "pick"],
        "batch": [True, True],
        "documented": 3,
    }


def test_server_reference_and_generators_describe_it(answers: dict[str, Any]) -> None:
    assert answers["described"] == {
        "last": NAME,
        "title": "Heiße Zahl",
        "sentence": "Stiche kosten wenig, Karten deiner heißen Zahl viel.",
        "options": ["Eine heiße Karte kostet", "Wer beginnt"],
        "page": ["generic", False, True],
        "generated": ["docs/openapi.json", "frontend/src/games/games.json"],
        "reference": True,
        "lesson": False,
        "rules": 0,
    }
