"""Custom sheets that take the rule of a sheet which version 2 of the rules has changed: a setting,
and so a record, of version 1 still plays the rule of version 1."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import stichwerk
from stichwerk import record
from stichwerk.games import registry
from stichwerk.games.stichtag import own
from stichwerk.match import Match, Setting
from tests.record_setup import play_on
from tests.sheets.desk import Desk, desk

pytestmark = pytest.mark.game("stichtag")

RED = "from stichwerk.games.stichtag.red import {0}\nclass Mine({0}):\n    name = '{1}'\n"
MONTH = RED.replace(".red ", ".months ")
EGGS = [0, 1, 1, 2, 2, 3]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of custom sheets."""
    monkeypatch.setenv(own.VARIABLE, str(tmp_path))
    monkeypatch.setattr(own, "_known", {})
    registry._build.cache_clear()
    yield tmp_path
    registry._build.cache_clear()


def option(name: str) -> str:
    return own.own_sheets()[name].option


def custom(name: str, other: str = "") -> str:
    """Return the custom sheet, alone or beside one of ours, as a desk takes it."""
    return " + ".join(filter(None, (option(name), other)))


def checked(setting: Setting) -> Match:
    """Return a whole match whose record holds."""
    match = play_on(setting.new(seed=3))
    assert record.verify(record.decode(record.encode(record.record(match)))).status == "holds"
    return match


# -- Data files ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "winner"), [(1, "Cem"), (2, "Ben")])
def test_a_red_sheet_like_red_9(folder: Path, rules: int, winner: str) -> None:
    (folder / "low.toml").write_text('sheet = "red 3"\nlike = "red 9"\n')
    assert desk(custom("red 3"), "Ada G4, Ben R9, Cem R3", rules=rules).winner == winner
    ghost = "Ada G5, Ben R2, Cem R8"
    assert desk(custom("red 3", "October"), ghost, rules=rules).winner == winner


@pytest.mark.parametrize("rules", [1, 2])
def test_a_red_sheet_like_red_0(folder: Path, rules: int) -> None:
    (folder / "trump.toml").write_text('sheet = "red 3"\nlike = "red 0"\n')
    setting = stichwerk.game("stichtag", 3, rules=rules, sheets=[option("red 3")])
    assert setting.rules.specials == (("trump",) if rules == 1 else ("trumps",))
    match = setting.new(seed=7)
    assert match.phase == ("play" if rules == 1 else "trump")
    assert checked(setting).over


@pytest.mark.parametrize(("rules", "target"), [(1, 12), (2, 10)])
def test_a_goal_like_green_2(folder: Path, rules: int, target: int) -> None:
    (folder / "exact.toml").write_text('sheet = "green 0"\nlike = "green 2"\n')
    setting = stichwerk.game("stichtag", 5, rules=rules, sheets=[option("green 0")])
    for total in range(8, 14):
        assert setting.rules.match_over([(total, 0, 0, 1, 0)]) == (total == target)
    tied = [(target - 1, target - 2, 0, 0, 0), (1, 2, 0, 0, 0)]
    first = [[0, 1], [2, 3, 4]] if rules == 1 else [[1], [0], [2, 3, 4]]
    assert setting.rules.ranking(tied) == first
    assert checked(setting).over


@pytest.mark.parametrize("rules", [1, 2])
@pytest.mark.parametrize("values", ["", "values = [1, 8]\n"])
def test_a_month_like_april(folder: Path, rules: int, values: str) -> None:
    """Values of its own are the same in both versions."""
    (folder / "eggs.toml").write_text(f'sheet = "May"\nlike = "April"\n{values}')
    made = desk(custom("May"), "Ada G1, Ben G9, Cem G0", rules=rules, eggs=EGGS)
    assert made.fact("eggs") == ([0, 0, 0] if rules == 2 and not values else [0, 1, 0])


# -- Python files ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "winner"), [(1, "Cem"), (2, "Ben")])
def test_a_class_that_extends_red_9(folder: Path, rules: int, winner: str) -> None:
    """Every second trick is upside down, as red 9 has it in that version."""
    (folder / "low.py").write_text(
        RED.format("Red9", "red 9")
        + "    def lowest_wins(self, state):\n"
        + "        return state.tricks_done % 2 == 0 and super().lowest_wins(state)\n"
    )
    assert desk(custom("red 9"), "Ada G4, Ben R9, Cem R3", rules=rules).winner == winner
    assert desk(custom("red 9"), "Ada G4, Ben G9, Cem G3", rules=rules).winner == "Cem"
    second = "Ada G1, Ben G2, Cem G3, Ada Y4, Ben Y9, Cem Y3"
    assert desk(custom("red 9"), second, rules=rules).winner == "Ben"
    checked(stichwerk.game("stichtag", 3, rules=rules, sheets=[option("red 9")]))


@pytest.mark.parametrize("rules", [1, 2])
def test_a_class_that_extends_red_0(folder: Path, rules: int) -> None:
    """Trump counts from the second trick on."""
    (folder / "trump.py").write_text(
        "from stichwerk.engine.constants import NONE\n"
        + RED.format("Red0", "red 0")
        + "    def trump(self, state):\n"
        + "        return super().trump(state) if state.tricks_done else NONE\n"
    )
    setting = stichwerk.game("stichtag", 3, rules=rules, sheets=[option("red 0")])
    assert setting.rules.specials == (("trump",) if rules == 1 else ("trumps",))
    assert own.own_sheets()["red 0"].rule == "red 0"
    assert checked(setting).over


def test_a_class_runs_once_for_each_version_that_differs(folder: Path) -> None:
    (folder / "runs").write_text("")
    noted = f"with open({str(folder / 'runs')!r}, 'a') as file:\n    file.write('x')\n"
    (folder / "june.py").write_text(noted + MONTH.format("June", "June"))
    for rules in (1, 2, 1):
        stichwerk.game("stichtag", 3, rules=rules, sheets=[option("June")])
    assert (folder / "runs").read_text() == "x"
    (folder / "june.py").write_text(noted + MONTH.format("April", "April"))
    for rules in (1, 2, 1):
        stichwerk.game("stichtag", 3, rules=rules, sheets=[option("April")])
    assert (folder / "runs").read_text() == "xxx"


# -- Rulings C13 and C14, with what no two of our sheets bring together ----------------------------


def barred(folder: Path) -> None:
    """A red 9 on which the leader cannot win."""
    (folder / "barred.py").write_text(
        RED.format("Red9", "red 9")
        + "    extends = ('win',)\n"
        + "    def may_win(self, state, play):\n        return play != 0\n"
    )


@pytest.mark.parametrize(
    ("plays", "winner"),
    [
        ("Ada G5, Ben S3, Cem L7", "Ben"),  # no ghost: the lowest of those that may win
        ("Ada G5, Ben S8, Cem L7", "Ben"),  # a ghost: the highest of them
        ("Ada G8, Ben S3, Cem L7", "Cem"),
        ("Ada G8, Ben S7, Cem L7", "Ben"),  # among equals the first played
        ("Ada G5, Ben S7, Cem L7", "Ben"),
        ("Ada G8, Ben G3, Cem L7", "Ben"),  # the led colour first
        ("Ada G8, Ben R3, Cem R7", "Ben"),  # trump first: the lowest with a ghost ...
        ("Ada G5, Ben R3, Cem R7", "Cem"),  # ... the highest without
    ],
)
def test_c14_line_1_with_a_ghost_on_red_9(folder: Path, plays: str, winner: str) -> None:
    barred(folder)
    assert desk(custom("red 9", "October"), plays).winner == winner


def test_c14_an_october_of_ones_own_turns_trumps_with_the_colours(folder: Path) -> None:
    """Two ghosts are needed: with one everything stays as it is, trumps too."""
    (folder / "two.py").write_text(
        "from stichwerk.games.stichtag.months import October\n"
        "class Mine(October):\n    name = 'October'\n"
        "    def lowest_wins(self, state):\n        return self.symbols(state) > 1\n"
    )
    sheet = custom("October")
    assert desk(sheet, "Ada G8, Ben R2, Cem R9").winner == "Cem"
    assert desk(sheet, "Ada G8, Ben R2, Cem R8").winner == "Ben"
    assert desk(sheet, "Ada G8, Ben G2, Cem G9").winner == "Cem"
    assert desk(sheet, "Ada G8, Ben G2, Cem S8").winner == "Ben"


def passing(folder: Path) -> None:
    """A February on which everyone passes a card right after the deal, too."""
    (folder / "pass.py").write_text(
        "from stichwerk.games.stichtag.sheets.february import PASS\n"
        + MONTH.format("February", "February")
        + "    def after_deal(self, state):\n        self.ask_everyone(state, PASS)\n"
    )


def asked(made: Desk) -> list[str]:
    """Return what is asked until the first card may be played, and by whom."""
    found = []
    while made.phase != "play":
        found.append(f"{made.phase} {made.waiting}")
        for seat in made.match.waiting_for:
            made.match.play(seat, made.match.moves(seat)[0])
    return found


@pytest.mark.parametrize(
    ("red", "questions"),
    [
        ("", ["pass Ada Ben Cem"]),
        ("red 0", ["trump Ada", "pass Ada Ben Cem"]),
        ("red 4", ["announce Ada Ben Cem", "pass Ada Ben Cem"]),
    ],
)
def test_c13_trump_is_chosen_before_any_other_question(
    folder: Path, red: str, questions: list[str]
) -> None:
    passing(folder)
    made = desk(custom("February", red), trumps="BY")
    assert asked(made) == questions
    assert len(made.events("passed")) == 1
    assert made.fact("trump") == ("Y" if red == "red 0" else "R")
    sheets = [option("February"), *([red] if red else [])]
    checked(stichwerk.game("stichtag", 3, sheets=sheets))
