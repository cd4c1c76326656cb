"""Bots with a version play the moves they always played."""

import pytest

from tests.frozen import regenerate


def test_every_bot_is_pinned() -> None:
    without = set(regenerate.names()) - set(regenerate.pinned())
    assert not without, "python -m tests.frozen.regenerate adds them"


def test_every_sheet_is_asked_about() -> None:
    asked = regenerate.asked()
    assert len(asked) == 4 + 26
    assert all(len(views) >= 4 for views in asked.values())


@pytest.mark.parametrize("name", sorted(regenerate.pinned()))
def test_a_version_plays_as_it_always_did(name: str) -> None:
    assert regenerate.moves_of(name) == regenerate.pinned()[name]
