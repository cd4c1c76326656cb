"""No bot peeks: exchange all that a seat cannot know, and every bot chooses as before.

The other world is made as the conformance suite makes it: a whole match with other hidden cards and
secret choices, in which the seat has seen the very same.
"""

import pytest

import stichwerk
from stichwerk import bots
from stichwerk.bots import Listing
from stichwerk.bots.registry import BUILT_IN
from stichwerk.match import Match, Setting
from stichwerk.testing.other_worlds import another_world
from stichwerk.testing.trial import Trial
from stichwerk.testing.views import encoded
from tests.strategies import setting_id

FEW = 20  # iterations: enough to look at the cards, few enough to be quick
GLANCES = 6
SETTINGS = [
    stichwerk.game("stichling", seats=4),
    stichwerk.game("stichling", seats=3, discard="hand"),
    stichwerk.game("null-nichtig", seats=4),
    stichwerk.game("sticheln", seats=4),
    stichwerk.game("stichtag", seats=4),
    *(stichwerk.game("stichtag", seats=4, date=date) for date in ("09-14", "02-28", "07-36")),
]

every_bot = pytest.mark.parametrize("listing", BUILT_IN, ids=lambda listing: listing.full_name)
every_setting = pytest.mark.parametrize("setting", SETTINGS, ids=setting_id)


def worlds(setting: Setting, seed: int) -> list[tuple[int, Match, Match]]:
    """Return a few positions of a match, each with a seat to move and another world that looks the
    same from there."""
    trial = Trial(setting, seed)
    found: list[tuple[int, Match, Match]] = []
    while trial.match.waiting_for and len(found) < GLANCES:
        if not trial.log[-1] or trial.pick(6) == 0:
            seat = trial.match.waiting_for[0]
            replayed = setting.new(seed=seed)
            for made in (made for moves in trial.log for made in moves):
                replayed.play(made.seat, made.move)
            found.append((seat, replayed, another_world(trial, trial.match.view(seat))))
        trial.advance()
    return found


def hidden(match: Match, seat: int) -> list[tuple[str, ...]]:
    """Return the hands that a seat does not see."""
    others = [other for other in range(match.setting.seats) if other != seat]
    return [match.view(other).hand for other in others]


def choice(listing: Listing, match: Match, seat: int) -> str:
    name = f"{listing.full_name}@{FEW}" if listing.iterations else listing.full_name
    bot = bots.build(name, 11)
    try:
        return bot.choose(match.view(seat))
    finally:
        bots.close(bot)


@pytest.mark.slow
@every_setting
@every_bot
def test_hidden_cards_change_no_choice(listing: Listing, setting: Setting) -> None:
    for seat, match, other in worlds(setting, seed=3):
        assert encoded(match.view(seat)) == encoded(other.view(seat))
        assert choice(listing, match, seat) == choice(listing, other, seat)


@every_setting
def test_the_compared_states_differ(setting: Setting) -> None:
    """Otherwise the test above could not fail."""
    looks = worlds(setting, seed=3)
    assert len(looks) == GLANCES
    assert any(hidden(match, seat) != hidden(other, seat) for seat, match, other in looks)
