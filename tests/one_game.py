"""Which tests are about one game: `pytest --game sticheln`, and `make test-game GAME=sticheln`.

A test is about the games that its name, its file or its parameters name. One that names none is
about those of its marker: `@pytest.mark.game("stichtag")`, or `@pytest.mark.game` for all of them.
"""

import re
from collections.abc import Iterable

import pytest

from stichwerk.games import registry


def choose(items: list[pytest.Item], game: str) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Return the tests about a game, and all others."""
    chosen = [item for item in items if is_about(item, game)]
    return chosen, [item for item in items if not is_about(item, game)]


def is_about(item: pytest.Item, game: str) -> bool:
    """Return whether a test is about this game, perhaps among others."""
    named = set(games_in([item.nodeid, *parameters(item)]))
    if named:
        return game in named
    return any(not mark.args or game in mark.args for mark in item.iter_markers("game"))


def parameters(item: pytest.Item) -> Iterable[str]:
    """Yield the parameters of a test that may name a game."""
    callspec = getattr(item, "callspec", None)
    for value in callspec.params.values() if callspec else ():
        for part in value if isinstance(value, tuple | list) else [value]:
            name = getattr(part, "name", part)
            if isinstance(name, str):
                yield name


def games_in(texts: Iterable[str]) -> Iterable[str]:
    """Return the games that these texts name, as `null-nichtig`, `null_nichtig` or
    `NullNichtig`."""
    whole = re.sub(r"[-_]", "", " ".join(texts)).lower()
    return (name for name in registry.GAMES if name.replace("-", "") in whole)
