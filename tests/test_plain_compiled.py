"""One source, two engines: uncompiled and compiled they give the same answers, move for move."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import stichwerk
from stichwerk.engine import frame
from stichwerk.match import Setting
from tests.strategies import all_rules, all_settings, setting_id

PROGRAM = Path(__file__).with_name("playthrough.py")
SOURCE = Path(stichwerk.__file__).parent
COMPILED = not frame.__file__.endswith(".py")


def digests(package: Path, settings: Sequence[Setting], matches: int) -> dict[str, Any]:
    """What the program prints when it runs with the engine in this package."""
    told = [(setting.name, setting.seats, setting.options) for setting in settings]
    run = subprocess.run(
        [sys.executable, "-B", str(PROGRAM)],
        input=json.dumps({"settings": told, "matches": matches}),
        env={**os.environ, "PYTHONPATH": str(package.parent)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr
    answer: dict[str, Any] = json.loads(run.stdout)
    assert Path(answer["file"]).parents[1] == package
    return answer


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """The package once more, without anything compiled."""
    copy = tmp_path / "stichwerk"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    return copy


def assert_same(plain: Path, settings: Sequence[Setting], matches: int) -> None:
    """Both engines see the same; where none was compiled, that must have been the wish."""
    uncompiled = digests(plain, settings, matches)
    assert uncompiled["file"].endswith(".py")
    if not COMPILED:
        wish = os.environ.get("STICHWERK_PURE")
        assert wish == "1", "there is no compiled engine, and nobody asked for that"
        return
    compiled = digests(SOURCE, settings, matches)
    assert not compiled["file"].endswith(".py")
    assert compiled["digests"] == uncompiled["digests"]


def test_both_engines_play_the_same(plain: Path) -> None:
    assert_same(plain, all_rules(), matches=4)


@pytest.mark.slow
@pytest.mark.parametrize("setting", all_rules(), ids=setting_id)
def test_both_engines_play_the_same_over_thousands_of_matches(
    plain: Path, setting: Setting
) -> None:
    assert_same(plain, [setting], matches=150)


@pytest.mark.slow
def test_both_engines_play_every_setting_the_same(plain: Path) -> None:
    assert_same(plain, all_settings(), matches=2)


@pytest.mark.parametrize(
    ("file", "line", "fault"),
    [
        ("games/sticheln.py", "return 16 + (card & 15)", "return card & 15"),
        ("engine/generator.py", "b << 9", "b << 8"),
        ("engine/machine.py", "in range(k):", "in range(k // 2):"),
    ],
)
def test_a_difference_shows(plain: Path, file: str, line: str, fault: str) -> None:
    """A slip in one of the two would change the digest."""
    settings = [setting for setting in all_rules() if setting_id(setting) == "sticheln-3"]
    before = digests(plain, settings, 4)
    source = (plain / file).read_text("utf-8")
    assert line in source
    (plain / file).write_text(source.replace(line, fault), "utf-8")
    assert digests(plain, settings, 4)["digests"] != before["digests"]
