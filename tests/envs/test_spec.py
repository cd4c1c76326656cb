"""The spaces: fixed, dense, the same for all options and days, and documented."""

import itertools
import subprocess
import sys
from pathlib import Path

import pytest

import stichwerk
from stichwerk.engine.constants import KIND, NONE
from stichwerk.envs import BadActionError, Spec
from stichwerk.envs.blocks import ALL
from stichwerk.games import registry
from stichwerk.games.stichtag.sheets.december import GIVE
from stichwerk.games.stichtag.sheets.red_7 import STRIKE
from tests.strategies import all_settings, some_days, tables

pytestmark = pytest.mark.game

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("name", "seats"), tables())
def test_ids_and_engine_actions_are_one_to_one(name: str, seats: int) -> None:
    spec = Spec(name, seats)
    for seat in range(seats):
        actions = [spec.action(code, seat) for code in range(spec.actions)]
        assert len(set(actions)) == spec.actions
        assert [spec.code(action, seat) for action in actions] == list(range(spec.actions))


@pytest.mark.parametrize(("name", "seats"), tables())
def test_every_action_has_a_text_of_its_own(name: str, seats: int) -> None:
    spec = Spec(name, seats)
    assert len({spec.action_text(code) for code in range(spec.actions)}) == spec.actions


def test_action_texts() -> None:
    assert [Spec("sticheln").action_text(code) for code in (0, 1, 60)] == [
        "play R0",
        "play R1",
        "pick R0",
    ]
    stichling = Spec("stichling", 3)
    assert stichling.action_text(1) == "play Y1>2"
    assert stichling.action_text(stichling.actions - 1) == "order 3,2,1"
    stichtag = Spec("stichtag", 3)
    found = {text.split()[0] for text in map(stichtag.action_text, range(stichtag.actions))}
    assert found == {
        "play",
        "pick",
        "pair",
        "announce",
        "veto",
        "discard",
        "give",
        "points",
        "trump",
    }
    assert stichtag.action_text(stichtag.code(GIVE * KIND + 32 + 128 * 2, 1)) == "give G0 to +1"
    assert stichtag.action_text(stichtag.code(STRIKE * KIND + NONE, 2)) == "veto pass"


def test_seats_are_named_by_steps_to_the_left() -> None:
    """Seat 3 vetoes seat 1 of four: two steps; so does seat 0 with seat 2."""
    spec = Spec("stichtag", 4)
    assert spec.code(STRIKE * KIND + 1, 3) == spec.code(STRIKE * KIND + 2, 0)
    assert spec.code(GIVE * KIND + 16 + 128 * 1, 3) == spec.code(GIVE * KIND + 16 + 128 * 2, 0)


@pytest.mark.parametrize("code", [-1, 120, 10**9])
def test_ids_out_of_range_are_refused(code: int) -> None:
    spec = Spec("sticheln", 4)
    with pytest.raises(BadActionError, match="0 to 119"):
        spec.action(code, 0)
    with pytest.raises(BadActionError, match="There is no action"):
        spec.action_text(code)
    with pytest.raises(BadActionError, match="has no number"):
        spec.code(STRIKE * KIND, 0)


def test_options_change_nothing_about_the_spaces() -> None:
    found: dict[tuple[str, int], tuple[object, ...]] = {}
    for setting in [*all_settings(), *some_days(97)]:
        spec = Spec(setting.name, setting.seats, setting.options)
        spaces = (spec.actions, spec.engine_actions(), spec.width, spec.layout)
        assert found.setdefault((setting.name, setting.seats), spaces) == spaces
    assert len(found) == len({(it.name, it.seats) for it in all_settings()})


@pytest.mark.parametrize(("name", "seats"), tables())
def test_the_layout_has_no_gaps(name: str, seats: int) -> None:
    spec = Spec(name, seats)
    ends = [0, *(part.stop for part in spec.layout.values())]
    assert [part.start for part in spec.layout.values()] == ends[:-1]
    assert ends[-1] == spec.width
    assert set(spec.layout) <= {block.name for block in ALL.values()}


def test_bad_settings_are_refused() -> None:
    with pytest.raises(stichwerk.errors.UnknownGameError):
        Spec("skat")
    with pytest.raises(stichwerk.errors.BadSeatsError):
        Spec("sticheln", 9)
    with pytest.raises(stichwerk.errors.BadOptionError):
        Spec("sticheln", 4, {"rounds": 99})


def test_documented_tables_are_up_to_date(tmp_path: Path) -> None:
    """`python -m stichwerk.envs docs` would write what is there."""
    page = ROOT / "docs/environments.md"
    copy = tmp_path / page.name
    copy.write_text(page.read_text("utf-8"), "utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "stichwerk.envs", str(tmp_path)], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert copy.read_text("utf-8") == page.read_text("utf-8")


def test_every_game_and_block_is_in_the_documentation() -> None:
    page = (ROOT / "docs/environments.md").read_text("utf-8")
    for name, seats in [it for it in tables() if it[0] in registry.OURS]:
        spec = Spec(name, seats)
        assert f"| {name} | {seats} | {spec.actions} | {spec.width} |" in page
    for name, block in itertools.product(("stichtag",), Spec("stichtag").layout):
        assert f"`{block}`" in page, f"{name}: {block}"
