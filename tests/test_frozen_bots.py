"""Bots with a version play the moves they always played."""

import pytest

from stichwerk.arena.positions.command import GAMES
from tools import frozen_bots


def test_every_bot_is_pinned() -> None:
    without = set(frozen_bots.names()) - set(frozen_bots.pinned())
    assert not without, "python -m tools.frozen_bots adds them"


def test_pins_cover_every_sheet() -> None:
    asked = frozen_bots.asked()
    assert len(asked) == len(GAMES) + 26 + 5  # five sheets have changed in rules version 2
    assert all(len(views) >= 4 for views in asked.values())


@pytest.mark.parametrize("name", sorted(frozen_bots.pinned()))
def test_a_frozen_bot_plays_its_pinned_moves(name: str) -> None:
    assert frozen_bots.moves_of(name) == frozen_bots.pinned()[name]
