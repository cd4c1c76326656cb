"""The page names no sheet and nothing that only sheets bring: it draws what the server sends."""

import re
from pathlib import Path

import pytest

from stichwerk.games.events import OF_SHEETS
from stichwerk.games.stichtag.calendar import SHEETS
from stichwerk.games.stichtag.sheets import file_of
from stichwerk.games.stichtag.texts import reference_of

PAGE = Path(__file__).parents[1] / "frontend/src"


def words_of_sheets() -> set[str]:
    """Return the names of facts, keys of views, phases and events that only sheets bring."""
    found = {kind.kind for kind in OF_SHEETS}
    for sheet in SHEETS.values():
        reference = reference_of(file_of(sheet.name))
        found |= {fact.name for fact in sheet.facts} | set(sheet.asks.values())
        found |= {*reference.get("table", {}), *reference.get("mine", {})}
    return found - {""}


WORDS = "|".join(sorted(words_of_sheets()))
SHEET_NAMES = "|".join(SHEETS)
# A word as a text, as a key of an object, or read from one; a sheet's name; a table by its number.
NAMED = (
    re.compile(rf"(['\"`])(?P<word>{WORDS}|{SHEET_NAMES})\1"),
    re.compile(rf"(?:^|[{{,(\[])\s*(?P<word>{WORDS})\??:(?!:)", re.MULTILINE),
    re.compile(rf"\.(?P<word>{WORDS})\b(?!\()"),
    re.compile(r"\[[^\]\n]*\.(?P<word>number)\b"),
    re.compile(r"\b(?P<word>number)\s*===?\s*\d"),
)
COMMENT = re.compile(r"/\*.*?\*/|(?<![:'\"])//[^\n]*|<!--.*?-->|<style\b.*?</style>", re.DOTALL)

# The same words with another meaning: cards on the table (`lying` is a class of CSS), an ARIA role,
# the way through a replay, games that the server announced, the special cards of a record, what a
# card does, trump as the base rules of Stichtag have it.
OTHER_MEANING = {
    "after/replay.svelte.ts": {"direction"},
    "deal/shuffle.ts": {"eggs", "trump", "trumps"},
    "games/known.svelte.ts": {"announced"},
    "games/null-nichtig/Trick.svelte": {"lying"},
    "games/sticheln/TakerPicture.svelte": {"trumps"},
    "games/stichling/Place.svelte": {"lying"},
    "games/stichtag/TableFacts.svelte": {"trump"},
    "start/Switch.svelte": {"switch"},
    "table/TrickPicture.svelte": {"lying"},
}


def named_words(source: str) -> set[str]:
    """Return the words of sheets that a file of the page names."""
    code = COMMENT.sub(" ", source)
    return {found["word"] for pattern in NAMED for found in pattern.finditer(code)}


def test_the_page_names_nothing_that_only_sheets_bring() -> None:
    sources = [path for end in ("ts", "svelte") for path in PAGE.rglob(f"*.{end}")]
    written = [
        path
        for path in sources
        if not re.search(r"\.(test|testing|fixture)\.|^testing", path.name)
        and path.name != "protocol.ts"
    ]
    found = {
        path.relative_to(PAGE).as_posix(): named_words(path.read_text("utf-8")) for path in written
    }
    named = {name: words for name, words in found.items() if words}
    assert named == OTHER_MEANING


@pytest.mark.parametrize(
    ("planted", "words"),
    [
        ("const SYMBOLS = { 'January': 'M1 1z' };", {"January"}),
        ("return PATHS[sheet.kind === 'month' ? sheet.number : 0];", {"number"}),
        ("if (sheet.number === 7) return;", {"number"}),
        ("const COUNTED = [\n  ['eggs', 'month', 6],\n];", {"eggs"}),
        ("const HELD = {\n  sunstroke: 'month',\n};", {"sunstroke"}),
        ("const all = { a: 1, eggs: 2 };", {"eggs"}),
        ("if (phase === 'veto') show();", {"veto"}),
        ('{#if event.kind == "sunstroke"}', {"sunstroke"}),
        ("switch (kind) {\n  case 'lanterns': return 1;\n}", {"lanterns"}),
        ("const own = view.table.gifts as number[];", {"gifts"}),
        ("const { hearts: left } = view.table;", {"hearts"}),
        ("const cards = view.mine.face_down;", {"face_down"}),
    ],
)
def test_a_word_of_a_sheet_on_the_page_is_found(planted: str, words: set[str]) -> None:
    assert named_words(planted) == words


@pytest.mark.parametrize(
    "harmless",
    [
        "// on days with 'eggs'",
        "<!-- 'veto' -->",
        "<style>\n  .veto { color: red; }\n</style>",
        "const direction = at - 1;",
        "const cards = hand.slice(1);",
    ],
)
def test_other_code_is_not_taken_for_a_table(harmless: str) -> None:
    assert named_words(harmless) == set()
