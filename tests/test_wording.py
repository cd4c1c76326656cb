"""Docstrings, comments and docs contain none of the words that mark a translated sentence."""

import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doc_pages import ROOT

TELL_TALE = re.compile(
    r"\b(?:whoever|for ever|(?:the|an) own|(?:is|are|was|were) told|he|his|him|himself)\b", re.I
)

ALLOWED = {
    "frontend/src/after/narration.ts": 1,
    "frontend/src/table/news.ts": 5,
    "src/stichwerk/terminal/event_text.py": 4,
}
"""How many may be left, by file or folder. Lower a number when you have removed some."""

RULE_TEXTS = re.compile(r"\.de\.md$|docs/rules/|docs/(?:calendar|yearbook)\.en\.md$")
"""German pages, and rules for players, where "whoever" is the usual word."""

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


def area(path: str) -> str:
    """Return the entry of `ALLOWED` a file belongs to, or the file itself."""
    return next((name for name in ALLOWED if path == name or path.startswith(f"{name}/")), path)


def found() -> tuple[Counter[str], list[str]]:
    """Return the number of tell-tale words by area, and where each is."""
    counts: Counter[str] = Counter()
    places = []
    for path in checked_files():
        name = path.relative_to(ROOT).as_posix()
        if path == SELF or RULE_TEXTS.search(name):
            continue
        for line in prose(path):
            for match in TELL_TALE.finditer(line):
                counts[area(name)] += 1
                places.append(f"{name}: {match[0]!r} in {line.strip()}")
    return counts, places


def test_prose_has_no_tell_tale_words() -> None:
    counts, places = found()
    too_many = {name for name, count in counts.items() if count > ALLOWED.get(name, 0)}
    listed = [place for place in places if area(place.partition(":")[0]) in too_many]
    assert not listed, "\n".join(listed)


def test_every_allowance_names_something() -> None:
    assert [name for name in ALLOWED if not (ROOT / name).exists()] == []


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


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / "src/stichwerk/lessons/scripts").glob("*.toml")),
    ids=lambda path: path.stem,
)
def test_lessons_have_no_tell_tale_words(path: Path) -> None:
    """Lessons name people, so pronouns are fine in them."""
    english = re.findall(r'\ben = "(.*?)"', path.read_text("utf-8"))
    assert len(english) > 10
    words = [match for line in english for match in TELL_TALE.findall(line)]
    assert set(map(str.lower, words)) <= {"he", "his", "him", "himself"}


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
