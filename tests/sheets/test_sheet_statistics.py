"""What the sheets do: plausible figures, the same each time, and a page that shows them all."""

import re
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path

import pytest

from stichwerk import sheet_statistics
from stichwerk.games.stichtag.calendar import GREEN, MONTHS, SHEETS
from stichwerk.sheet_statistics import BASE, NAMES, SheetStatistics, effect

pytestmark = pytest.mark.game("stichtag")

DOCS = Path(__file__).parents[2] / "docs"
FEW = 40
TRICKS = 12
MARKED = {"red 5", *(sheet.name for sheet in MONTHS)}

every_name = pytest.mark.parametrize("name", NAMES)


@cache
def few(name: str) -> SheetStatistics:
    return effect(name, FEW)


@every_name
def test_figures_are_plausible(name: str) -> None:
    found = few(name)
    assert FEW <= found.rounds < FEW + 4
    assert 0 < found.starter < 1
    assert sum(found.points.values()) == pytest.approx(1)
    assert sum(got * share for got, share in found.points.items()) == pytest.approx(found.mean)
    assert 1 < found.spread < 6
    assert 0 <= found.early <= 1
    assert 0 <= found.shared < 1
    assert (found.marked is not None) == (name in MARKED)
    assert 2 <= found.match_rounds <= 4


@every_name
def test_statistics_are_reproducible(name: str) -> None:
    assert effect(name, FEW) == few(name)


def test_the_base_game() -> None:
    base = few(BASE)
    assert (base.moves, base.tricks, base.mean) == (48, TRICKS, 3)
    assert (base.match_rounds, base.early) == (3, 0)


def test_known_facts_about_single_sheets_hold() -> None:
    assert few("red 2").moves < 48
    assert few("red 2").tricks < TRICKS
    assert few("red 3").mean > 3  # the last gets what the best has
    assert few("red 4").moves == 52  # four announcements
    assert few("red 6").mean == 6  # everyone's points count twice
    assert few("red 7").moves == 60  # one question a trick
    assert few("February").moves > 48
    assert few("January").mean > 3
    assert few("green 1").winner < few("green 1").loser
    assert few("green 2").early > 0
    assert few("green 2").mean < 3  # what would lead above 12 is subtracted
    assert few("green 2").winner <= TRICKS
    assert few("green 3").early > 0


def test_totals_reach_the_next_round() -> None:
    """Only with them green 2 can subtract."""
    assert min(few("green 2").points) < 0


@pytest.mark.parametrize("name", ["May", "July", "April"])
def test_tricks_with_a_symbol(name: str) -> None:
    """Six cards a value among sixty: more tricks, the more values carry the symbol."""
    marked = few(name).marked or 0
    assert (0.5 if len(SHEETS[name].values) == 2 else 0.25) < marked < 0.75


# -- The page --------------------------------------------------------------------------------------


def committed(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def test_the_page_names_the_command_and_every_sheet() -> None:
    text = committed("sheet-effects.md")
    assert f"```sh\n{sheet_statistics.COMMAND}\n```" in text
    assert "at random" in text
    rows = re.findall(r"^\| (\w+ ?\w*) \| ([^|]+) \| [\d.]+ \|", text, re.MULTILINE)
    labels = [sheet_statistics.label(name) for name in SHEETS]
    assert rows == labels + [sheet_statistics.label(sheet.name) for sheet in GREEN]


@pytest.mark.parametrize("name", sheet_statistics.PICTURES)
def test_pictures_stand_alone(name: str) -> None:
    """Well formed, with text alternatives and colours for dark pages, and every title in them."""
    text = committed(f"img/{name}")
    picture = ET.fromstring(text)
    assert picture.get("role") == "img"
    words = [element.text for element in picture.iter() if element.tag.endswith("}text")]
    labels = {word for name in SHEETS for word in sheet_statistics.label(name)}
    assert labels <= set(words)
    descriptions = [element for element in picture if element.tag.endswith("}desc")]
    assert [element.text for element in descriptions] == [sheet_statistics.PICTURES[name]]
    assert "prefers-color-scheme: dark" in text
    assert f"![{sheet_statistics.PICTURES[name]}](img/{name})" in committed("sheet-effects.md")


def test_the_command_writes_page_and_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheet_statistics, "effects", lambda: (few(name) for name in NAMES))
    sheet_statistics.main(str(tmp_path))
    written = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*")}
    assert written == set(sheet_statistics.files([few(name) for name in NAMES]))


@pytest.mark.slow
def test_the_page_can_be_repeated() -> None:
    for name, text in sheet_statistics.files(list(sheet_statistics.effects())).items():
        assert text == committed(name), f"stale: {sheet_statistics.COMMAND}"
