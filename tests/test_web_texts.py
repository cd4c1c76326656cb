"""The page's texts: both languages have the same ids, and every one of them is said somewhere."""

import json
import os
import re
from pathlib import Path

import pytest

from tests.web.language import WORDS

SOURCES = Path(__file__).parent.parent / "frontend" / "src"
TEXTS = sorted(SOURCES.rglob("*.en.json"))
CODE = {
    path: path.read_text()
    for ending in ("*.svelte", "*.ts")
    for path in sorted(SOURCES.rglob(ending))
    if not path.name.endswith(".test.ts")
}
IMPORTED = re.compile(r"""(?:from|import\()\s*['"](\.[^'"]+)['"]""")
VALUE = re.compile(r"\$\{[^}]+\}")

every_pair = pytest.mark.parametrize("file", TEXTS, ids=lambda path: path.stem)


def imports(path: Path) -> set[Path]:
    """Return the files of ours that a file imports, as far as their names are written there."""
    named = [os.path.normpath(path.parent / name) for name in IMPORTED.findall(CODE[path])]
    endings = ("", ".ts", ".svelte.ts")
    return {Path(name + ending) for name in named for ending in endings}


def users_of(file: Path) -> str:
    """Return the code that can say the texts of a file: what imports it, and what imports that."""
    makers = [path for path in CODE if file in imports(path)]
    assert makers, f"nobody imports {file.name}"
    users = [path for path in CODE if path in makers or imports(path).intersection(makers)]
    return "\n".join(CODE[path] for path in users)


def said(code: str) -> re.Pattern[str]:
    """Return all ids that the code names: whole, as keys of a table, or put together from parts."""
    whole = re.findall(r"""['"`]([\w-]+)['"`]""", code) + re.findall(r"^\s*(\w+):", code, re.M)
    made = [text for text in re.findall(r"`([\w-]*\$\{[^`]+)`", code) if VALUE.sub("", text)]
    forms = [".+".join(map(re.escape, VALUE.split(text))) for text in made]
    return re.compile("|".join((*map(re.escape, whole), *forms)))


@every_pair
def test_every_text_is_used(file: Path) -> None:
    known = said(users_of(file))
    assert not [id for id in json.loads(file.read_text()) if not known.fullmatch(id)]


def german(file: Path) -> dict[str, str]:
    """Return the other file of a pair."""
    found: dict[str, str] = json.loads(file.with_name(f"{file.stem[:-3]}.de.json").read_text())
    return found


@every_pair
def test_texts_are_in_order_and_in_both_languages(file: Path) -> None:
    ids = list(json.loads(file.read_text()))
    assert ids == sorted(ids)
    assert list(german(file)) == ids


@every_pair
def test_both_languages_have_the_same_places_for_data(file: Path) -> None:
    for id, text in json.loads(file.read_text()).items():
        places = [set(re.findall(r"\{(\w+)\}", words)) for words in (text, german(file)[id])]
        assert places[0] == places[1], id


@every_pair
def test_no_text_is_in_the_other_language(file: Path) -> None:
    english: dict[str, str] = json.loads(file.read_text())
    for texts, other in ((english, "de"), (german(file), "en")):
        for id, text in texts.items():
            assert not WORDS[other].search(re.sub(r"\{\w+\}", "", text)), id
