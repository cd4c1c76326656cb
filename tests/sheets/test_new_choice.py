"""A sheet that asks a new kind of choice is one module and its texts: nothing else knows about it.

`new_sheet` takes January's place in a copy of the package, in which nothing else is changed and
nothing is compiled. `new_sheet/program.py` plays there and says what each part makes of it.
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


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the program prints, once the rules and samples of the sheet have been checked."""
    package = tmp_path_factory.mktemp("new") / "stichwerk"
    shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns(*LEFT_OUT))
    sheets = package / "games/stichtag/sheets"
    shutil.copy(NEW / "january.py", sheets / "january.py")
    shutil.copy(NEW / "january.json", sheets / "texts/january.json")
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


def test_it_is_asked_in_its_own_words(told: dict[str, Any]) -> None:
    assert told["asked"] == {
        "moves": ["for 0", "for 1", "for 2"],
        "question": "Wem wünschst du 1 Punkt? Zum Beispiel for 0.",
        "heading": "Give a point away",
        "rule": ["There was a clover in the trick: its winner gives 1 point to any seat."],
        "sheet": "January",
        "effects": ["for 0", "for 1", "for 2"],
        "reason": "advice-best",
    }


def test_a_wrong_choice_is_refused_and_a_right_one_shown(told: dict[str, Any]) -> None:
    assert told["chosen"] == {
        "refused": "not-a-seat: text='3', highest=2",
        "table": [0, 0, 1],
        "before": "1 wish",
        "lines": [f"{told['chooser']} gives a point away."],
    }


def test_it_is_counted_and_recorded(told: dict[str, Any]) -> None:
    match = told["recorded"]
    assert match["wishes"] > 0
    assert match["points"] == match["tricks"] + match["wishes"]
    assert match["record"] == "holds"
    assert "1 wish" in match["tally"]


def test_calendar_and_reference_name_it(told: dict[str, Any]) -> None:
    assert told["described"] == {
        "title": ["Wunsch", "Wish"],
        "where": [["January"], ["January"]],
        "example": "for 2",
    }
