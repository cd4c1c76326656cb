"""Every kind of choice that a day of Stichtag asks for."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser

from stichwerk import record
from tests.web.pages import Site, open_table, person
from tests.web.players import Player

DAYS: dict[str, tuple[dict[str, Any], str]] = {
    "announcement": ({"sheets": ["red 4"]}, r"announce \d+"),
    "passing": ({"sheets": ["February"]}, r"pass [RYGBLS]\d+"),
    "gifts": ({"sheets": ["December"]}, r"gift [RYGBLS]\d+>\d"),
    "veto": ({"sheets": ["red 7"]}, r"veto veto \d"),
    "no veto": ({"sheets": ["red 7"]}, r"veto pass"),
    "discarding": ({"sheets": ["August"]}, r"discard .*"),
    "pairs": ({"sheets": ["red 2"]}, r"play [RYGBLS]\d+\+[RYGBLS]\d+"),
    "face down": ({"sheets": ["red 1"]}, "play .*"),
    "taking points or leaving them": ({"sheets": ["red 4", "green 2"]}, "take (take|leave)"),
    "partners": ({"sheets": ["red 6"]}, "play .*"),
    "eggs": ({"sheets": ["April"]}, "play .*"),
    "hearts": ({"sheets": ["green 3"]}, "play .*"),
    "odd later": ({"sheets": ["red 8"]}, "play .*"),
    "sunstroke": ({"sheets": ["July"]}, "play .*"),
    "harvest": ({"sheets": ["September"]}, "play .*"),
    "all at once": ({"date": "12-07"}, "play .*"),
    "an impossible date": ({"date": "02-37"}, "play .*"),
}
"""For each kind the options that bring it about, and how such a choice looks: phase and move."""

MATCHES = 12
"""Whether some choices come up is a matter of luck: so many matches are enough for that."""


@pytest.mark.parametrize("kind", DAYS)
def test_a_day_with_its_choices(browser: Browser, site: Site, kind: str) -> None:
    options, wanted = DAYS[kind]
    with person(browser) as page:
        player = Player(page, "click", seed=len(kind))
        player.announces = "4"

        def is_made() -> bool:
            return any(re.fullmatch(wanted, " ".join(one)) for one in player.talk.choices)

        for _ in range(MATCHES):
            open_table(page, site.table("stichtag", 3, options=options))
            player.play_moves(14)
            if wanted.startswith("take"):
                player.way = "swift"
            player.play(is_made)
            if is_made():
                break
        player.way = "swift"
        player.play()
        assert is_made(), player.talk.choices
    kept = record.decode(site.get(f"/api/matches/{player.talk.match}"))
    record.verify(kept)
