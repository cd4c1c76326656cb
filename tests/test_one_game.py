"""`--game` chooses the tests of one game, and leaves out none of them."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

import stichwerk
from stichwerk.games import registry
from tests.one_game import choose, is_about


def item(nodeid: str, *marks: pytest.MarkDecorator, **params: object) -> pytest.Item:
    """Return a test with this name, these markers and parameters."""
    named = [one.mark for one in marks if one.name == "game"]
    callspec = SimpleNamespace(params=params)
    made: Any = SimpleNamespace(nodeid=nodeid, callspec=callspec, iter_markers=lambda name: named)
    return cast(pytest.Item, made)


def games_of(one: pytest.Item) -> set[str]:
    return {game for game in registry.GAMES if is_about(one, game)}


@pytest.mark.parametrize(
    ("one", "games"),
    [
        (item("tests/rulebook/test_null_nichtig.py::test_a"), {"null-nichtig"}),
        (item("tests/test_perft.py::test_a[sticheln-4]"), {"sticheln"}),
        (item("tests/test_conformance.py::test_a[NullNichtig]"), {"null-nichtig"}),
        (item("test_a", setting=stichwerk.game("stichling", seats=3)), {"stichling"}),
        (item("test_a", case=("stichtag", 4)), {"stichtag"}),
        (item("test_a", pytest.mark.game("stichtag")), {"stichtag"}),
        (item("test_a", pytest.mark.game), set(registry.GAMES)),
        (item("test_a[sticheln]", pytest.mark.game), {"sticheln"}),
        (item("test_a", pytest.mark.slow, number=10**5000), set()),
    ],
)
def test_a_test_is_about_the_games_that_it_names(one: pytest.Item, games: set[str]) -> None:
    assert games_of(one) == games


def test_no_test_is_lost() -> None:
    items = [item(f"test_a[{name}]") for name in (*registry.GAMES, "none")]
    chosen, others = choose(items, "sticheln")
    assert [one.nodeid for one in chosen] == ["test_a[sticheln]"]
    assert len(chosen) + len(others) == len(items)
