"""A sheet that asks a new kind of choice is one module and its texts: nothing else knows about it.

`new_sheet/sheet.py` takes January's place in a copy of the package, and under other names that of
red 3: an open choice after a trick, with the events of every game. `new_sheet/stakes.py`, in place
of red 5, has a secret choice by all after the deal, one before a trick is settled, cards that leave
a hand and come in, kinds of events of its own, and cards in the middle of the table. Nothing else
is changed there and nothing is compiled. `new_sheet/program.py` plays in it and says what each part
makes of them.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import stichwerk

pytestmark = pytest.mark.game("stichtag")

SOURCE = Path(stichwerk.__file__).parent
NEW = Path(__file__).with_name("new_sheet")
LEFT_OUT = ("*.so", "*.pyd", "__pycache__", "static")
AS_RED = {  # what makes the new January a red 3 that can be played beside it
    'name = "January"': 'name = "red 3"',
    "class January": "class Red3",
    '_of("january")': '_of("red_3")',
    "WISH = 9": "WISH = 10",
    "FOR = 10": "FOR = 11",
    "wish": "toss",
    "WISH": "TOSS",
    "FOR": "TO",
}
PHASES = {"January": "wish", "red 3": "toss"}


def add_sheets(sheets: Path) -> None:
    """Put the new sheet in the place of January, and under other names of red 3; that with stakes
    in the place of red 5."""
    for end, folder in (("py", sheets), ("json", sheets / "texts")):
        text = (NEW / f"sheet.{end}").read_text("utf-8")
        (folder / f"january.{end}").write_text(text, "utf-8")
        for old, new in AS_RED.items():
            text = text.replace(old, new)
        (folder / f"red_3.{end}").write_text(text, "utf-8")
        shutil.copy(NEW / f"stakes.{end}", folder / f"red_5.{end}")


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the program prints, once the rules and samples of the sheet have been checked."""
    package = tmp_path_factory.mktemp("new") / "stichwerk"
    shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns(*LEFT_OUT))
    add_sheets(package / "games/stichtag/sheets")
    run = subprocess.run(
        [sys.executable, "-B", str(NEW / "program.py")],
        env={**os.environ, "PYTHONPATH": str(package.parent)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr
    answer: dict[str, Any] = json.loads(run.stdout)
    assert Path(answer["package"]).parent == package
    return answer


@pytest.fixture(params=PHASES)
def sheet(request: pytest.FixtureRequest) -> str:
    """The place of the new sheet."""
    return str(request.param)


def test_it_is_asked_in_its_own_words(answers: dict[str, Any], sheet: str) -> None:
    assert answers[sheet]["asked"] == {
        "moves": ["for 0", "for 1", "for 2"],
        "question": "Wem wünschst du 1 Punkt? Zum Beispiel for 0.",
        "heading": "Give a point away",
        "rule": ["There was a clover in the trick: its winner gives 1 point to any seat."],
        "sheet": sheet,
        "effects": ["for 0", "for 1", "for 2"],
        "reason": "advice-best",
    }


def test_a_wrong_choice_is_refused_and_a_right_one_shown(
    answers: dict[str, Any], sheet: str
) -> None:
    chosen = answers[sheet]["chosen"]
    assert chosen == {
        "refused": "not-a-seat: text='3', highest=2",
        "table": [0, 0, 1],
        "before": f"1 {PHASES[sheet]}",
        "lines": [f"{chosen['chooser']} gives a point away."],
        "chooser": chosen["chooser"],
    }


def test_it_is_counted_and_recorded(answers: dict[str, Any], sheet: str) -> None:
    match = answers[sheet]["recorded"]
    assert match["choices"] > 0
    assert match["points"] == match["tricks"] + match["choices"]
    assert match["record"] == "holds"
    assert [len(specials) for specials in match["drawn"]] == [1, 1, 1]
    assert match["refused"] == []  # by the record schema, generated again
    assert f"1 {PHASES[sheet]}" in match["tally"]


def test_environments_have_its_actions(answers: dict[str, Any], sheet: str) -> None:
    played = answers[sheet]["in_environment"]
    word = PHASES[sheet]
    assert played.pop("choices") > 0
    assert played == {
        "actions": [f"{word} +0", f"{word} +1", f"{word} +2"],
        "of_seat_2": 0,
        "meaning": "give a point to the seat 0, 1, 2 … steps to the left",
    }


def test_a_search_makes_its_choice(answers: dict[str, Any], sheet: str) -> None:
    assert answers[sheet]["searched"] in ("for 0", "for 1", "for 2")


def test_calendar_reference_and_server_describe_it(answers: dict[str, Any], sheet: str) -> None:
    word = PHASES[sheet]
    assert answers[sheet]["described"] == {
        "title": ["Wunsch", "Wish"],
        "where": [[sheet], [sheet]],
        "example": "for 2",
        "drawing": "M12 3a4 4 0 1 0 0 8 4 4 0 1 0 0-8z",
        "facts": [
            {
                "name": f"{word}es",
                "form": "count",
                "text": f"{{count}} {word}||{{count}} {word}es",
                "short": "{count}",
                "sentence": "",
                "most": 6,
                "signs": ["", ""],
                "lost": "",
            }
        ],
    }


def test_a_secret_choice_of_all_stays_secret(answers: dict[str, Any]) -> None:
    assert answers["red 5"]["asked"] == {
        "phase": "stake",
        "is_hand": True,
        "question": "What do you stake? Such as CARD.",
        "effect": True,  # what is left of the colour
        "reason": ["advice-stakes", "Ben"],
        "own": True,
        "others": [False, False],
        "sampled": "stake",
    }


def test_a_choice_before_a_trick_is_settled(answers: dict[str, Any]) -> None:
    shown = answers["red 5"]["shown"]
    assert shown == {
        "again": True,  # its own kind of event, from JSON
        "line": True,
        "table": True,
        "trick": 3,
        "moves": ["raise", "stay"],
        "effects": ["you draw a card", shown["effects"][1]],
        "winner": True,
        "heading": "Raise or stay",
        "drew": [[["You", "raise."], ["You", "draw"]], shown["drew"][1]],
        "names": shown["names"],
        "more": 1,  # a card came into the hand
        "kept_secret": [False],
    }
    assert shown["drew"][1][0] == [shown["names"], "raises."]
    assert "takes the trick" in shown["effects"][1] or "take the trick" in shown["effects"][1]


def test_a_sheet_with_stakes_is_counted_recorded_and_searched(answers: dict[str, Any]) -> None:
    assert answers["red 5"]["played"] == {
        "asked": True,
        "points": True,
        "record": "holds",
        "refused": [],
        "kinds": ["stakes", "raised", "raise-drew"],
        "shown": ["stakes"],
    }
    assert answers["red 5"]["searched"] in ("raise", "stay")
