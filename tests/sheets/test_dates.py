"""Dates as people type them."""

from collections.abc import Sequence
from datetime import date

import pytest

from stichwerk import cli
from stichwerk.cli.inputs import read_setting
from stichwerk.errors import BadOptionError
from stichwerk.games.stichtag.calendar import all_dates
from stichwerk.games.stichtag.dates import parse_date
from stichwerk.locale import LANGUAGES, text

pytestmark = pytest.mark.game("stichtag")

TODAY = date(2026, 3, 5)


def never(_dates: Sequence[str]) -> str:
    raise AssertionError("nothing is drawn here")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("09-14", "09-14"),
        ("14.9.", "09-14"),
        ("14.09.", "09-14"),
        ("14.9", "09-14"),
        ("14. 9.", "09-14"),
        (" 14.9. ", "09-14"),
        ("4.7.", "07-04"),
        ("04.07.", "07-04"),
        ("37.1.", "01-37"),
        ("0.12.", "12-00"),
        ("00.12.", "12-00"),
        ("02-30", "02-30"),
        ("39.12.", "12-39"),
        ("today", "03-05"),
        ("Heute", "03-05"),
    ],
)
def test_dates_are_parsed(typed: str, expected: str) -> None:
    assert parse_date(typed, TODAY, never) == expected


@pytest.mark.parametrize("typed", ["random", "zufall", "RANDOM"])
def test_random_is_drawn_from_all_480(typed: str) -> None:
    seen: list[Sequence[str]] = []

    def last(dates: Sequence[str]) -> str:
        seen.append(dates)
        return dates[-1]

    assert parse_date(typed, TODAY, last) == "12-39"
    assert seen == [all_dates()]


def test_every_date_can_be_typed_both_ways() -> None:
    for day in all_dates():
        month, number = int(day[:2]), int(day[3:])
        assert parse_date(day, TODAY, never) == day
        assert parse_date(f"{number}.{month}.", TODAY, never) == day


BAD = [
    *("", " ", "nonsense", "yesterday", "todayx", "09-40", "13-01", "00-10", "9-14", "09-1"),
    *("40.1.", "1.13.", "1.0.", "123.1.", "1.123.", "14.9.2026", "2026-09-14", "09/14", "0914"),
    *("14..9", ".9.", "14.", "-1.9.", "²4.9.", "١٤.٩.", "09-14\n09-15", "1" * 5000),
]


@pytest.mark.parametrize("typed", BAD, ids=[repr(typed[:20]) for typed in BAD])
def test_invalid_dates_are_refused(typed: str) -> None:
    with pytest.raises(BadOptionError) as caught:
        parse_date(typed, TODAY, never)
    assert caught.value.id == "bad-date"
    for lang in LANGUAGES:
        sentence = text(caught.value.id, lang, **caught.value.data)
        assert "09-14" in sentence
        assert len(sentence) < 250


@pytest.mark.parametrize("command", ["play", "simulate", "rules"])
def test_commands_refuse_invalid_dates(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert cli.main([command, "stichtag", "--date", "32.13.", "--lang", "en"]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("'32.13.' is not a date of the calendar")
    assert said.out == ""


@pytest.mark.parametrize("command", ["play", "simulate", "rules"])
def test_other_games_have_no_date(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert cli.main([command, "sticheln", "--date", "today", "--lang", "en"]) == 2
    assert "This game has no option 'date'" in capsys.readouterr().err


def test_the_setting_gets_the_date_in_the_one_form() -> None:
    assert read_setting("stichtag", 4, (), "14.9.", ()).options["date"] == "09-14"
    drawn = read_setting("stichtag", 4, (), "random", ()).options["date"]
    assert str(drawn) in all_dates()
