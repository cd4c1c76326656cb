"""The texts that people read keep to the glossary of their language, and say "you" properly."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doc_pages import ROOT

LANGUAGES = ("de", "en")
SOURCE = ROOT / "src/stichwerk"
SHEETS = SOURCE / "games/stichtag"
THIRD_PERSON = {
    "en": r"(?<!\bof )\b[Yy]ou (?:is|takes|has|plays|wins|gets|was|does|gives|leads|chooses)\b"
    r"|\b[Yy]ou's\b",
    "de": r"\b[Dd]u (?:nimmt|spielt|hat|ist|setzt sich|gewinnt|bekommt|legt|wählt|gibt|führt)\b",
}
SCRIPT_TEXT = {lang: re.compile(rf'\b{lang} = "((?:[^"\\]|\\.)*)"') for lang in LANGUAGES}


def strings(found: object, lang: str | None) -> Iterator[str]:
    """Yield all texts of a JSON value; below a key that names a language only those of `lang`."""
    if isinstance(found, str):
        yield found
    elif isinstance(found, list):
        for one in found:
            yield from strings(one, lang)
    elif isinstance(found, dict):
        for key, one in found.items():
            if key not in (*LANGUAGES, "drawing", "record", "reference") or key == lang:
                yield from strings(one, lang)


def texts(lang: str) -> Iterator[tuple[Path, str]]:
    """Yield every text of a language that people read, with its file."""
    for folder in (SOURCE / "locale", ROOT / "frontend/src", ROOT / "examples"):
        for path in folder.rglob(f"*.{lang}.json"):
            yield from ((path, text) for text in strings(json.loads(path.read_text()), None))
    for path in (*(SHEETS / "sheets/texts").glob("*.json"), SHEETS / "yearbook.json"):
        yield from ((path, text) for text in strings(json.loads(path.read_text()), lang))
    for path in (SOURCE / "locale/rules").glob(f"*.{lang}.md"):
        yield path, path.read_text().replace("\n", " ")
    for path in (SOURCE / "lessons/scripts").glob("*.toml"):
        yield from ((path, text) for text in SCRIPT_TEXT[lang].findall(path.read_text()))


def forbidden(lang: str) -> list[str]:
    """Return the words in the last column of a glossary."""
    page = (ROOT / f"docs/words.{lang}.md").read_text()
    rows = re.findall(r"^\|(?!-)(.*)\|$", page, re.M)[1:]
    cells = [row.split("|")[-1] for row in rows]
    return [word.strip() for cell in cells for word in cell.split(",") if word.strip()]


def variants(lang: str) -> re.Pattern[str]:
    """Return what no text may contain."""
    words = [re.escape(word) for word in forbidden(lang)]
    return re.compile("|".join([rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", THIRD_PERSON[lang]]))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_texts_have_no_forbidden_variant(lang: str) -> None:
    wrong = variants(lang)
    found = [
        f"{path.relative_to(ROOT)}: {match[0]!r} in {text[:80]}"
        for path, text in texts(lang)
        for match in wrong.finditer(text)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_kinds_of_texts_are_read(lang: str) -> None:
    """Every folder with texts is looked at, and the glossary forbids something."""
    seen = {path.relative_to(ROOT).parts[:3] for path, _ in texts(lang)}
    assert {("src", "stichwerk", "locale"), ("src", "stichwerk", "lessons")} <= seen
    assert any(parts[0] == "frontend" for parts in seen)
    assert len(forbidden(lang)) > 10


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("de", "In jedem Durchgang"),
        ("de", "Du setzt sich an den Tisch."),
        ("de", "die eigene Schmerzfarbe"),
        ("de", "Bist du an der Reihe, spielst du aus."),
        ("de", "Ben ist am Zug."),
        ("de", "Dein Sitz bleibt dir."),
        ("de", "Ein Tipp auf den Tisch"),
        ("en", "You is on turn."),
        ("en", "You's points as partner"),
        ("en", "Ben gets the Sonnenstich card."),
    ],
)
def test_wrong_texts_are_found(lang: str, text: str) -> None:
    assert variants(lang).search(text)


def test_the_two_glossaries_agree_on_german_words() -> None:
    """The German column of the code's glossary has no word that the other one rejects."""
    page = (ROOT / "docs/glossary.md").read_text()
    column = [row.split("|")[2].strip() for row in re.findall(r"^\|(?!-).*\|$", page, re.M)]
    assert {"Runde", "dran sein"} <= set(column)
    wrong = re.compile(variants("de").pattern, re.IGNORECASE)
    assert not [words for words in column if wrong.search(words)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_levels_have_one_name(lang: str) -> None:
    for level in ("easy", "medium", "hard", "expert"):
        id = f"level-{level}"
        found = set()
        for folder in (SOURCE / "locale", ROOT / "frontend/src"):
            for path in folder.rglob(f"*.{lang}.json"):
                found.add(json.loads(path.read_text()).get(id))
        assert len(found - {None}) == 1, id
