"""Whole matches, in a real browser: each game, with every number of seats, in each way to play."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser

from stichwerk import record
from tests.length import by_length
from tests.web.pages import PATIENCE, Site, open_table, person
from tests.web.players import Player, Way

SHORT: dict[str, dict[str, Any]] = {
    "stichling": {},
    "null-nichtig": {"target": 1},
    "sticheln": {"rounds": 1},
    "stichtag": {"rounds": 2},
}
FEWEST_AND_MOST: list[tuple[str, int, Way]] = [
    ("stichling", 2, "click"),
    ("stichling", 5, "typed"),
    ("null-nichtig", 3, "touch"),
    ("null-nichtig", 6, "keys"),
    ("sticheln", 3, "keys"),
    ("sticheln", 6, "touch"),
    ("stichtag", 3, "typed"),
    ("stichtag", 5, "touch"),
    ("stichtag", 4, "click"),
]
BETWEEN: list[tuple[str, int, Way]] = [
    ("stichling", 3, "touch"),
    ("stichling", 4, "keys"),
    ("null-nichtig", 4, "click"),
    ("null-nichtig", 5, "typed"),
    ("sticheln", 4, "typed"),
    ("sticheln", 5, "click"),
    ("stichtag", 4, "keys"),
]
"""In the long version each game is played in each way, and with each number of seats."""


def screen(way: Way) -> dict[str, Any]:
    """Return what people see who play in this way."""
    return {"size": "small", "has_touch": True, "is_mobile": True} if way == "touch" else {}


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "seats", "way"), by_length(FEWEST_AND_MOST, FEWEST_AND_MOST + BETWEEN)
)
def test_a_match_can_be_played_to_its_end(
    browser: Browser, site: Site, game: str, seats: int, way: Way
) -> None:
    made = site.table(game, seats, options=SHORT[game])
    with person(browser, worker=True, **screen(way)) as page:
        player = Player(page, way, seed=seats)
        open_table(page, made)
        player.play()
        headline = page.locator(".end h2").first
        headline.wait_for(timeout=PATIENCE)
        assert re.search(r"\b[Yy]ou|\bwins?\b", headline.inner_text())
    check_record(site, player)


def check_record(site: Site, player: Player) -> None:
    """Check that the stored match is valid, and is the one that was played, move by move."""
    kept = record.decode(site.get(f"/api/matches/{player.talk.match}"))
    record.verify(kept)
    own = [move for seat, move in record.moves_of(kept) if seat == 0]
    assert own == player.talk.moves
    for at, move in enumerate(own):
        cards = {card for made, card in player.touched if made == at}
        assert not cards or set(move.split(">")[0].replace("+", ",").split(",")) & cards
