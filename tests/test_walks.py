"""The walks in docs/architecture.md name files and methods that exist.

The second walk is played: every method of a sheet that it names is reached.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import stichwerk
from stichwerk.engine import plain
from tests.play_to_end import match_end

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
CALLED = re.compile(r"`(?:[A-Z]\w+\.)?([a-z]\w+)`")


class Hop(NamedTuple):
    """A line of a walk: files, separated by commas, and what happens there."""

    where: str
    what: str


def hops() -> Iterator[Hop]:
    """Yield all lines of both walks."""
    section = PAGE.read_text("utf-8").split("## Two walks")[1].split("\n## ")[0]
    for line in section.splitlines():
        if line.startswith("| `"):
            where, what = line.strip("| ").split(" | ", 1)
            yield Hop(where, what)


def files(hop: Hop) -> list[Path]:
    """Return the files or folders of a hop; `…` stands for any folder."""
    found: list[Path] = []
    for name in re.findall(r"`([^`]+)`", hop.where):
        base = ROOT if name.startswith("frontend/") else ROOT / "src" / "stichwerk"
        found += base.glob(name.replace("…", "*").rstrip("/"))
    return found


@pytest.mark.parametrize("hop", [*hops()], ids=lambda hop: hop.where.replace("`", ""))
def test_every_hop_is_where_the_walk_says(hop: Hop) -> None:
    assert files(hop), "no such file"
    source = "".join(path.read_text("utf-8") for path in files(hop) if path.is_file())
    for name in CALLED.findall(hop.what) if source else ():
        assert name in source or name in sheet_source(hop), name


def sheet_source(hop: Hop) -> str:
    """Return the module of the sheet that a hop names, `July.may_win`."""
    names = re.findall(r"`([A-Z]\w+)\.\w+`", hop.what)
    folder = ROOT / "src" / "stichwerk" / "games" / "stichtag" / "sheets"
    paths = [folder / f"{name.lower()}.py" for name in names]
    return "".join(path.read_text("utf-8") for path in paths if path.exists())


def test_the_walk_of_a_sheet_reaches_every_method_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    walked = [hop.what for hop in hops() if "games/stichtag" in hop.where]
    named = {name for what in walked for name in re.findall(r"`July\.(\w+)`", what)}
    assert named
    july = plain.twin("stichwerk.games.stichtag.sheets.july").July
    reached = set()

    def spied(name: str) -> None:
        method = getattr(july, name)

        def call(*args: object) -> object:
            reached.add(name)
            return method(*args)

        monkeypatch.setattr(july, name, call)

    for name in named:
        spied(name)
    setting = stichwerk.game("stichtag", 4, date="07-05")
    setting.rules = plain.twin("stichwerk.games.stichtag.game").Stichtag(4, setting.options)
    for _ in match_end(setting.new(seed=1)):
        pass
    assert reached == named
