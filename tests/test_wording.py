"""Docstrings, comments, docs and English texts have none of the words of a translated sentence."""

import io
import json
import re
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doc_pages import ROOT

TELL_TALE = re.compile(
    r"\b(?:whoever|for ever|lies|(?:the|an) own|(?:is|are|was|were) told(?! apart)"
    r"|he|his|him|himself)\b",
    re.I,
)

GERMAN = re.compile(r"\.de\.md$")

PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md")
SELF = Path(__file__)


def checked_files() -> Iterator[Path]:
    """Yield every file whose prose is checked."""
    yield from (ROOT / page for page in PAGES)
    yield from (ROOT / "docs").rglob("*.md")
    for folder in ("src/stichwerk", "tests", "tools", "examples", "docs/examples"):
        yield from (ROOT / folder).rglob("*.py")
    for ending in ("ts", "svelte"):
        yield from (ROOT / "frontend/src").rglob(f"*.{ending}")


def prose(path: Path) -> Iterator[str]:
    """Yield the lines of a file that people read: a page, or comments and docstrings."""
    text = path.read_text("utf-8")
    if not TELL_TALE.search(text):
        return  # most files: taking them apart would be slow
    if path.suffix == ".md":
        yield from text.split("\n")
    elif path.suffix == ".py":
        yield from python_prose(text)
    else:
        yield from re.findall(r"^\s*(?://|/\*|\*|<!--).*|(?<=\s)// .*", text, re.M)


def python_prose(source: str) -> Iterator[str]:
    """Yield comments and docstrings, which are strings used as statements."""
    starts = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    before = tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and before in starts):
            yield from token.string.split("\n")
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            before = token.type


def test_prose_has_no_tell_tale_words() -> None:
    found = []
    for path in checked_files():
        if path == SELF or GERMAN.search(path.name):
            continue
        for line in prose(path):
            found += [
                f"{path.relative_to(ROOT)}: {match[0]!r} in {line.strip()}"
                for match in TELL_TALE.finditer(line)
            ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "source",
    [
        '"""Whoever asks is answered."""\n',
        "def f():\n    '''The own hand.'''\n",
        "x = 1  # it is told\nHE = 'fine'\n",
        'class A:\n    x: int\n    """What he has."""\n',
    ],
)
def test_a_tell_tale_word_is_found(source: str) -> None:
    assert sum(len(TELL_TALE.findall(line)) for line in python_prose(source)) == 1


def test_texts_in_code_are_not_prose() -> None:
    assert list(python_prose('x = f("whoever", "he")\n')) == []


# -- Texts that players read -----------------------------------------------------------------------


def english(found: object, in_english: bool) -> Iterator[str]:
    """Yield the English texts of decoded data, where `de` and `en` are beside each other."""
    if isinstance(found, str) and in_english:
        yield found
    elif isinstance(found, list):
        for part in found:
            yield from english(part, in_english)
    elif isinstance(found, dict):
        for key, part in found.items():
            if key != "de":
                yield from english(part, in_english or key == "en")


def text_files() -> Iterator[Path]:
    """Yield every data file with English texts."""
    yield ROOT / "docs/openapi.json"
    yield from (ROOT / "src/stichwerk").rglob("*.en.json")
    yield from (ROOT / "src/stichwerk/games").rglob("*.json")
    yield from (ROOT / "src/stichwerk/lessons/scripts").glob("*.toml")
    yield from (ROOT / "examples").rglob("*.toml")
    yield from (ROOT / "examples").rglob("*.en.json")
    yield from (ROOT / "docs/examples").rglob("*.toml")
    yield from (ROOT / "frontend/src").rglob("*.en.json")


def test_english_texts_have_no_tell_tale_words() -> None:
    found, count = [], 0
    for path in text_files():
        text = path.read_text("utf-8")
        loaded = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
        whole = path.name.endswith(".en.json") or path.name == "openapi.json"
        for line in english(loaded, whole):
            count += 1
            if match := TELL_TALE.search(line):
                found.append(f"{path.relative_to(ROOT)}: {match[0]!r} in {line}")
    assert count > 2000
    assert not found, "\n".join(found)


def test_english_is_found_beside_german() -> None:
    data = {"title": {"de": "Wer", "en": "Whoever"}, "steps": [{"en": ["lies"]}], "id": "he"}
    assert list(english(data, in_english=False)) == ["Whoever", "lies"]


# -- Names of page tests ---------------------------------------------------------------------------

PAGE_TEST_NAME = re.compile(
    r"^\s*(?:(?:it|test|describe)(?:\.each\(.*\))?|\]?\))\(\s*(?:'((?:\\.|[^'])*)'|\"([^\"]*)\"|`([^`]*)`)",
    re.M,
)
IN_TEST_NAMES = re.compile(
    r"\btells?\b|\btold\b|\bone’s own\b|\banew\b|\bnought\b|\bis none\b", re.I
)


def page_test_names(source: str) -> list[str]:
    """Return the names of tests and groups in a TypeScript file."""
    return ["".join(parts) for parts in PAGE_TEST_NAME.findall(source)]


def test_names_of_page_tests_have_no_tell_tale_words() -> None:
    paths = sorted((ROOT / "frontend/src").rglob("*.test.ts"))
    names = {path: page_test_names(path.read_text("utf-8")) for path in paths}
    assert [path.name for path in paths if not names[path]] == []
    assert [
        f"{path.name}: {name}"
        for path in paths
        for name in names[path]
        if TELL_TALE.search(name) or IN_TEST_NAMES.search(name)
    ] == []


def test_names_of_page_tests_are_found() -> None:
    source = (
        "test('whoever types', () => {});\n  it.each(ALL)(\"is told\", f);\n"
        "it.each([\n  [1, 2],\n])('an own %d', f);\ndescribe(`him`, f);\n"
    )
    assert page_test_names(source) == ["whoever types", "is told", "an own %d", "him"]
