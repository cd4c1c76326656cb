"""`master` and `grandmaster`: what they do besides playing well, which the ladder measures."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

import stichwerk
from stichwerk import bots
from stichwerk.bots.tactics import tactics_of
from stichwerk.engine import plain
from stichwerk.engine.belief import Belief
from stichwerk.engine.foresight import Foresight
from stichwerk.engine.frame import Game
from stichwerk.engine.search import Search
from stichwerk.match import Setting
from stichwerk.view import View
from tests.strategies import plain_rules, plain_state
from tests.test_belief import begun, every_game, position_of

MASTER = "master-2@120"
EVERY = 5  # decisions of a round between two that are asked
LEAD = 60


def decisions(game: str, seats: int, rounds: int, seed: int = 3) -> Iterator[View]:
    """Yield decisions in the last round of a match among `greedy`."""
    match = stichwerk.game(game, seats, rounds=rounds).new(seed=seed)
    greedy = bots.build("greedy")
    count = 0
    while not match.over:
        seat = match.waiting_for[0]
        view = match.view(seat)
        if len(view.moves) > 1 and view.phase == "play" and len(match.scores) == rounds - 1:
            count += 1
            if count % EVERY == 0:
                yield view
        match.play(seat, greedy.choose(view))


def with_lead(view: View, seat: int, lead: int) -> View:
    """Return the view with other totals: this seat has so many points more than all others."""
    first = tuple(lead if other == seat else 0 for other in range(view.seats))
    return replace(view, scores=(first, *view.scores[1:]), totals=first)


def played(bot: bots.Bot, views: list[View], lead: int) -> list[str]:
    """Return the moves with a rival this far ahead."""
    return [bot.choose(with_lead(view, (view.seat or 0) ^ 1, lead)) for view in views]


def test_totals_count_for_master_2_in_the_last_round_only() -> None:
    """Its next version notices them always, see `test_prospects.py`."""
    bot = bots.build(MASTER)
    last = list(decisions("sticheln", 4, 2))
    assert played(bot, last, 0) != played(bot, last, LEAD)
    earlier = [replace(view, rounds=3) for view in last]
    assert played(bot, earlier, 0) == played(bot, earlier, LEAD)


def test_master_1_takes_no_notice_of_totals() -> None:
    """That is what its second version mends; the first one stays as it was."""
    bot = bots.build("master-1@120")
    last = list(decisions("sticheln", 4, 2))
    assert played(bot, last, 0) == played(bot, last, LEAD)


@every_game
@pytest.mark.parametrize("last_round", [False, True])
def test_plain_and_compiled_look_ahead_alike(setting: Setting, last_round: bool) -> None:
    position = position_of(begun(setting, seed=5, moves=14, bot="greedy-2"))
    trail = position.trail()
    assert trail
    start, moves = trail
    steps = [move.steps for move in position.moves()]
    fast = search(position.rules, Search, last_round)
    fast.belief.remember(start, moves, 4)
    slow = search(plain_rules(setting), plain.twin("stichwerk.engine.search").Search, last_round)
    slow.belief.remember(plain_state(start), moves, 4)
    expected = fast.flat(position.known, position.seat, steps, 24)
    assert slow.flat(plain_state(position.known), position.seat, steps, 24) == expected


def search(rules: Game, make: Any, last_round: bool) -> Any:
    """Return a search that looks ahead with the net of the game, as `master` does."""
    full, small = tactics_of(rules, "full"), tactics_of(rules, "small")
    made = make(full, 5, full, small, True, tactics_of(rules, "net"), 10.0)
    made.last_round = last_round
    return made


@every_game
def test_plain_and_compiled_foresight_agree(setting: Setting) -> None:
    """What hints compare moves by."""
    position = position_of(begun(setting, seed=5, moves=14, bot="greedy-2"))
    trail = position.trail()
    assert trail
    start, moves = trail
    steps = [move.steps for move in position.moves()]
    fast = foresight(position.rules, Foresight, Belief)
    slow = foresight(
        plain_rules(setting),
        plain.twin("stichwerk.engine.foresight").Foresight,
        plain.twin("stichwerk.engine.belief").Belief,
    )
    fast.belief.remember(start, moves, 4)
    slow.belief.remember(plain_state(start), moves, 4)
    fast.begin(position.known, position.seat, 11)
    slow.begin(plain_state(position.known), position.seat, 11)
    assert type(slow) is not Foresight
    assert slow.worths(steps, 6) == fast.worths(steps, 6)


def foresight(rules: Game, make: Any, believe: Any) -> Any:
    """Return what tries moves on plausible deals, as hints do."""
    full, small = tactics_of(rules, "full"), tactics_of(rules, "small")
    return make(believe(full, small, True), full)
