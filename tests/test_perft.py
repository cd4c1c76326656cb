"""Node counts and move order from fixed deals stay what they are."""

from pathlib import Path

import pytest

from tests.perft.positions import FOLDER, Count, Position, divide, listed, read, setting_of
from tests.strategies import tables

pytestmark = pytest.mark.game

FILES = sorted(FOLDER.glob("*.txt"))


def test_every_game_and_number_of_seats_has_a_file() -> None:
    assert {path.stem for path in FILES} == {f"{name}-{seats}" for name, seats in tables()}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_node_counts(path: Path) -> None:
    found = list(read(path))
    assert len(found) >= 12
    for count in found:
        assert_count(count)


def assert_count(count: Count) -> None:
    """Check the number of nodes; if it differs, say how they divide."""
    position, depth, nodes = count
    made = position.setting.rules.perft(position.state, depth)
    if made != nodes:
        where = f"seed {position.seed}, after {position.after}, depth {depth}"
        pytest.fail(f"{where}: {made} nodes, not {nodes}\n{divide(position, depth)}", pytrace=False)


def test_a_wrong_count_prints_a_divide() -> None:
    count = next(read(FOLDER / "stichtag-3.txt"))
    with pytest.raises(pytest.fail.Exception, match=r"12 nodes, not 13\nR\d+ 1\n"):
        assert_count(count._replace(nodes=count.nodes + 1))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_order_of_moves(path: Path) -> None:
    setting, after, lists = setting_of(path, "starter=0"), 0, 0
    for line in path.with_suffix(".moves").read_text("utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if word == "options":
            setting = setting_of(path, *rest.split())
        elif word == "after":
            after = int(rest)
        elif word.isdecimal():
            assert listed(Position(setting, after, int(word))) == rest
            lists += 1
    assert lists >= 9
