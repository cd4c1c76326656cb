"""The calendar in words: complete in both languages, and the pages say what the sheets say."""

import re
from pathlib import Path

import pytest

from stichwerk import cli
from stichwerk.games.stichtag.calendar import (
    GREEN,
    MONTHS,
    SHEETS,
    SHEETS_OF,
    VERSIONS,
    all_dates,
    sheets_of_date,
)
from stichwerk.games.stichtag.sheet import PARTS, Sheet
from stichwerk.games.stichtag.yearbook import (
    CANCELLED,
    date_words,
    day_rules,
    language_at,
    long_today,
    main,
    notes_of,
    pages,
    sheet_title,
    short_today,
)
from stichwerk.games.stichtag.yearbook_lines import BASE, LINES, NEEDS, ORIGINS, ROUND, TRICK, Line
from stichwerk.locale import LANGUAGES

pytestmark = pytest.mark.game("stichtag")

DOCS = Path(__file__).parents[2] / "docs"
NOTES = {
    ("red 4", "green 1"),
    ("red 4", "green 2"),
    ("red 3", "green 1"),
    ("red 3", "green 3"),
    ("October", "red 9"),
    ("March", "red 1"),
    ("July", "red 7"),
    ("September", "red 4"),
    ("February", "red 2"),
    ("February", "red 8"),
    ("August", "red 8"),
    ("December", "red 6"),
}

every_sheet = pytest.mark.parametrize("sheet", SHEETS.values(), ids=list(SHEETS))
every_language = pytest.mark.parametrize("lang", LANGUAGES)


def flat(text: str) -> str:
    """Return a text without line breaks, list marks and wrapping."""
    return re.sub(r"\s+", " ", text)


def section(text: str, heading: str) -> str:
    """Return the text under a second-level heading."""
    _, found, rest = text.partition(f"\n## {heading}\n")
    assert found, heading
    return rest.partition("\n## ")[0]


# -- The sheets ------------------------------------------------------------------------------------


@every_sheet
def test_every_sheet_has_all_texts_in_both_languages(sheet: type[Sheet]) -> None:
    for pair in (sheet.title, sheet.short, sheet.long, *sheet.notes.values()):
        assert len(pair) == 2
        assert all(text and text == flat(text).strip() for text in pair)
    for short, long in zip(sheet.short, sheet.long, strict=True):
        assert short[-1] == long[-1] == "."
        assert len(short) < len(long)
    assert sheet.short[0] != sheet.short[1]
    assert sheet.long[0] != sheet.long[1]
    assert sheet.origin in ORIGINS


@every_sheet
def test_months_have_a_symbol_and_only_they(sheet: type[Sheet]) -> None:
    assert all(sheet.symbol_name) == (sheet in MONTHS)
    assert sheet not in MONTHS or sheet.values


def test_titles_differ() -> None:
    for at in range(2):
        assert len({sheet.title[at] for sheet in SHEETS.values()}) == len(SHEETS)


def test_cross_notes_are_those_of_the_calendar() -> None:
    found = {(name, other) for name, sheet in SHEETS.items() for other in sheet.notes}
    assert found == NOTES
    assert {other for _, other in found} <= set(SHEETS)


def test_a_note_belongs_to_red_for_a_green_digit_and_to_the_month_for_any() -> None:
    order = list(SHEETS)
    assert all(order.index(other) < order.index(name) for name, other in NOTES)
    assert not any(sheet.notes for sheet in GREEN)


# -- One day ---------------------------------------------------------------------------------------


@every_language
@pytest.mark.parametrize("date", all_dates())
def test_the_rules_of_every_day(date: str, lang: str) -> None:
    at, names = language_at(lang), sheets_of_date(date)
    text = flat(day_rules(names, lang, date=date))
    for name in names:
        assert f"{SHEETS[name].title[at]}" in text
        assert flat(long_today(name, names, lang)) in text
        assert ORIGINS[SHEETS[name].origin][at] in text
    applying = {(name, other) for name, other in NOTES if name in names and other in names}
    for name, other in NOTES:
        assert (flat(SHEETS[name].notes[other][at]) in text) == ((name, other) in applying)
    assert ("## Querverweise", "## Cross-notes")[at] in text or not applying
    assert "{" not in text


CANCELLED_BY = {
    ("red 3", "green 1"),
    ("red 3", "green 3"),
    ("red 4", "green 1"),
    ("red 4", "green 2"),
    ("March", "red 1"),
    ("October", "red 9"),
}
"""Cross-notes that cancel sentences of one of the two sheets."""


def test_cancelled_sentences_are_sentences_of_the_two_sheets() -> None:
    assert {(name, other) for name in SHEETS for other in SHEETS[name].cancels} == CANCELLED_BY
    for name, other in CANCELLED_BY:
        texts = [text for one in (name, other) for text in (SHEETS[one].short, SHEETS[one].long)]
        for sentence in SHEETS[name].cancels[other]:
            assert any(
                sentence[0] in german and sentence[1] in english for german, english in texts
            ), sentence[1]


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize(("name", "other"), sorted(CANCELLED_BY))
def test_a_day_does_not_say_what_a_cross_note_cancels(name: str, other: str, lang: str) -> None:
    at, names = language_at(lang), (name, other)
    said = [short_today(one, names, lang) for one in names]
    said += [long_today(one, names, lang) for one in names]
    for sentence in SHEETS[name].cancels[other]:
        assert not any(sentence[at] in text for text in said)
        assert flat(sentence[at]) not in flat(day_rules(names, lang))
    assert all(said), "the cross-note itself, if nothing is left"
    assert any(CANCELLED[at] in text for text in said)
    alone = [long_today(one, (one,), lang) for one in names]
    assert alone == [SHEETS[one].long[at] for one in names]


def test_days_of_rules_version_1_have_their_texts() -> None:
    page = flat(day_rules(("green 2", "red 9", "October"), "en", version=1))
    assert "The lowest number wins. Trump still beats every other colour." not in page
    assert "the lowest trump, otherwise the lowest card of the led colour" in page
    assert "carry you above 12" in page
    assert "with five players" not in page
    newest = flat(day_rules(("green 2", "red 9", "October"), "en"))
    assert "with five players exactly 10" in newest
    assert short_today("red 0", ("red 0",), "en", 1) == SHEETS_OF[1]["red 0"].short[1]


@pytest.mark.parametrize(
    ("date", "german", "english"),
    [
        ("09-14", "14. September", "14 September"),
        ("02-29", "29. Februar", "29 February"),
        ("03-05", "5. März", "5 March"),
        ("01-37", "37. Januar (kein echtes Datum, aber spielbar)", "37 January (not a real date"),
        ("02-30", "30. Februar (kein echtes Datum, aber spielbar)", "30 February (not a real date"),
        ("12-00", "0. Dezember (kein echtes Datum, aber spielbar)", "0 December (not a real date"),
    ],
)
def test_dates_in_words(date: str, german: str, english: str) -> None:
    assert date_words(date, "de") == german
    assert date_words(date, "en").startswith(english)
    assert day_rules(sheets_of_date(date), "de", date=date).startswith(f"# Stichtag: {german}\n")


def test_114_dates_are_marked() -> None:
    marked = [date for date in all_dates() if "not a real date" in date_words(date, "en")]
    assert len(marked) == 480 - 366


def test_symbols_name_their_cards() -> None:
    text = flat(day_rules(("August",), "en"))
    assert "**sunglasses** on every 2 and 7 in all six colours" in text
    assert "R2 Y2 G2 B2 L2 S2, R7 Y7 G7 B7 L7 S7." in text


def test_base_rules_hold_or_are_replaced() -> None:
    text = flat(day_rules(("green 1", "red 7", "July"), "en"))
    assert "**Trump**: Red is trump. -" in text
    assert "**Who may win**: replaced by July (Sunstroke). Extended by Red 7 (Veto)." in text
    assert "**Goal**: replaced by Green 1 (Fewest points)." in text
    both = flat(day_rules(("red 9", "October"), "de"))
    assert "ersetzt durch Rot 9 (Kopfüber) und Oktober (Geisterstunde)." in both


def test_every_part_has_its_sentence() -> None:
    assert list(BASE) == list(PARTS)
    base = flat(day_rules((), "de"))
    assert base.startswith("# Stichtag: Grundspiel Ohne Kalenderblätter.")
    for name, rule in BASE.values():
        assert f"**{name[0]}**: {rule[0]}" in base
    assert "ersetzt" not in base


def test_march_turns_and_changes_the_lead_only_face_down() -> None:
    alone, face_down = (flat(day_rules(names, "en")) for names in (["March"], ["red 1", "March"]))
    assert "the direction of play turns round. 5. The winner of this trick leads" in alone
    assert "**Who leads**: The winner of the trick. Extended by March" not in alone
    assert "**Who leads**: The winner of the trick. Extended by March" in face_down
    assert "if there was a kite in it, the winner's left neighbour does" in face_down
    assert "**Direction**: replaced by March" in alone
    assert "**Direction**: Play goes clockwise." in face_down
    assert "an arrow" in alone
    assert "an arrow" not in face_down


def test_who_wins_is_said_exactly_once() -> None:
    for date in all_dates():
        text = section(day_rules(sheets_of_date(date), "en", date=date), "A trick, step by step")
        assert flat(text).count("Who wins?") == 1
        assert len(re.findall(r"leads? the next", flat(text))) == 1


def test_the_order_of_a_busy_trick() -> None:
    text = flat(section(day_rules(("red 7", "December"), "en"), "A trick, step by step"))
    words = [
        "strikes one or passes",
        "Who wins?",
        "takes the trick",
        "veto card moves",
        "gives all",
    ]
    places = [text.index(word) for word in words]
    assert places == sorted(places)


def test_the_order_at_the_end_of_a_round() -> None:
    text = flat(section(day_rules(("green 2", "red 4", "June"), "en"), "The end of the round"))
    words = ["for each trick taken", "Add the flowers", "choose secretly", "carry you above"]
    places = [text.index(word) for word in words]
    assert places == sorted(places)
    assert "5 points" not in text
    less = day_rules(("green 1", "red 4", "June"), "en")
    assert "hit exactly: 5 points less" in section(less, "The end of the round")


def test_lines_come_only_where_they_matter() -> None:
    plain = section(day_rules(("green 0", "red 9", "May"), "en"), "In case of doubt")
    lines = [line.split()[1] for line in plain.splitlines() if line.startswith("- ")]
    assert lines == ["Who", "Nobody"]  # who deals first, taken tricks: on every day
    struck = flat(section(day_rules(("red 7", "January"), "en"), "In case of doubt"))
    assert "a struck card is a card like any other and counts: clover." in struck
    assert "no effect in its trick" not in struck


@pytest.mark.parametrize(("seats", "values"), [(3, "0 to 9"), (4, "0 to 9"), (5, "0 to 11")])
def test_the_deck_for_a_number_of_seats(seats: int, values: str) -> None:
    text = section(day_rules(("red 4",), "en", seats), "What you need")
    rows = re.findall(r"^\| (\d) \| ([^|]+) \|", text, re.MULTILINE)
    assert rows == [(str(seats), values)]
    assert len(re.findall(r"^\| \d \|", day_rules((), "en"), re.MULTILINE)) == 3


def test_order_of_the_names_does_not_matter() -> None:
    assert day_rules(("July", "red 4"), "de") == day_rules(("red 4", "July"), "de")
    assert day_rules(("red 4",), "fr") == day_rules(("red 4",), "en")


def test_sentences_name_existing_sheets_and_can_all_be_needed() -> None:
    lines: list[Line] = [
        *NEEDS,
        *LINES,
        *(line for order in (TRICK, ROUND) for step in order for line in step),
    ]
    days = [sheets_of_date(date) for date in all_dates()]
    for line in lines:
        assert {*line.every, *line.never, *line.words} <= set(SHEETS)
        holds = [line.holds(day, version) for day in days for version in VERSIONS]
        assert any(holds), line.text[1]


# -- The pages -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", pages())
def test_pages_say_what_the_sheets_say(name: str) -> None:
    """If not: python -m stichwerk.games.stichtag.yearbook docs"""
    assert (DOCS / name).read_text("utf-8") == pages()[name]


def test_pages_are_written(tmp_path: Path) -> None:
    main(str(tmp_path))
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == pages()


@every_language
def test_every_sheet_is_in_the_calendar_and_in_the_yearbook(lang: str) -> None:
    at, both = language_at(lang), pages()
    calendar, yearbook = flat(both[f"calendar.{lang}.md"]), flat(both[f"yearbook.{lang}.md"])
    for sheet in SHEETS.values():
        assert f"| {sheet.title[at]} |" in calendar
        assert sheet.short[at] in calendar
        assert sheet.long[at] in yearbook
    for _, _, text in notes_of(list(SHEETS)):
        assert text[at] in calendar
        assert text[at] in yearbook
    assert "4 × 10 × 12 = 480" in calendar


@pytest.mark.parametrize("name", pages())
def test_lines_are_not_too_long(name: str) -> None:
    lines = [line for line in pages()[name].splitlines() if not line.startswith("|")]
    assert max(map(len, lines)) <= 100


# -- The command -----------------------------------------------------------------------------------


def printed(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert cli.main(["rules", *args]) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert cli.main(["rules", *args, "--lang", "en"]) == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("date", ["14.9.", "09-14", "14.09."])
def test_rules_of_a_date(capsys: pytest.CaptureFixture[str], date: str) -> None:
    expected = day_rules(sheets_of_date("09-14"), "de", date="09-14")
    assert printed(capsys, "stichtag", "--date", date, "--lang", "de") == expected


@pytest.mark.parametrize(
    "args", [("--sheets", "red 4,July"), ("--sheet", "red 4", "--sheet", "July")]
)
def test_rules_of_single_sheets(capsys: pytest.CaptureFixture[str], args: tuple[str, ...]) -> None:
    text = printed(capsys, "stichtag", *args, "--lang", "en")
    assert text == day_rules(("red 4", "July"), "en")
    assert text.startswith("# Stichtag: Red 4 and July\n")
    assert sheet_title("July", "en") in text


def test_rules_of_unknown_sheets_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no option 'date'" in refused(capsys, "sticheln", "--date", "09-14")
    assert "not a date of the calendar" in refused(capsys, "stichtag", "--date", "14.13.")
    assert "The option sheets cannot be" in refused(capsys, "stichtag", "--sheet", "red 10")
    assert "different kinds" in refused(capsys, "stichtag", "--sheets", "red 4,red 5")
    both = refused(capsys, "stichtag", "--date", "09-14", "--sheet", "red 4")
    assert "do not go together" in both
