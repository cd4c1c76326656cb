"""How a hand changed, as each seat receives it: enough for a page that knows no rules."""

import random
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from stichwerk.games import registry
from stichwerk.games.options import Value
from stichwerk.games.stichtag.calendar import SHEETS
from stichwerk.match import Match, Setting
from stichwerk.server import wire
from stichwerk.server.tables.audience import LogStep
from stichwerk.view import View
from tests.length import by_length
from tests.server.request_setup import SHORT, Bench, playing
from tools import hand_fixture

# A day on which cards are set aside, one on which some are discarded and drawn, and one on which
# cards are passed on.
DAYS = ("02-08", "01-04", "12-05")
CASES = [*SHORT.items(), *[("stichtag", (3, {"date": date})) for date in DAYS]]


class HandFollower:
    """A seat that follows its hand by what the steps say, whatever the events are."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.hand: Counter[str] = Counter()

    def receive(self, step: LogStep) -> None:
        """Apply a step."""
        seen = step.describe(self.seat)
        for event in seen.events:
            if event.kind == "hand":
                self.hand = Counter(event.cards)
        self.hand = changed(self.hand, seen.hand)


def changed(hand: Counter[str], change: wire.HandChange | None) -> Counter[str]:
    """Return a hand after a change; cards that leave must have been there."""
    if change is None:
        return hand
    left = Counter(change.left)
    assert left <= hand
    return hand - left + Counter(change.entered)


def shown(bench: Bench, seat: int) -> Counter[str]:
    """Return the hand in a seat's view."""
    view = bench.table.view(seat)
    assert view is not None
    return Counter(view.hand)


@pytest.mark.parametrize(("game", "setting"), CASES)
def test_dealt_cards_and_changes_add_up_to_the_hand(
    game: str, setting: tuple[int, dict[str, Value]]
) -> None:
    seats, options = setting
    bench = Bench(game, seats, people=seats, options=options)
    bench.begin()
    rng = random.Random(5)
    followers = [HandFollower(seat) for seat in range(seats)]
    known = 0
    for _ in range(120):
        for step in bench.table.steps[known:]:
            for follower in followers:
                follower.receive(step)
            assert step.describe(None).hand is None, "spectators see no hand"
        known = len(bench.table.steps)
        running = bench.table.running
        assert running is not None
        for follower in followers:
            assert follower.hand == shown(bench, follower.seat)
            dealt = Counter(running.match.rounds[-1].deal.hands[follower.seat])
            audience = bench.table.audience(bench.people[follower.seat])
            assert changed(dealt, bench.table.changed_hand(audience)) == follower.hand
        if running.match.over:
            break
        bench.play(bench.turn(), rng.choice(bench.view(bench.turn()).moves))


def test_a_card_taken_back_enters_the_hand_again() -> None:
    bench = playing("sticheln")
    who = bench.turn()
    follower = HandFollower(who)
    follower.hand = before = shown(bench, who)
    (step,) = bench.play(who)
    follower.receive(step)
    assert follower.hand != before
    bench.take_back(who)
    for other in {0, 1, 2} - {who}:
        (step,) = bench.answer(other, agree=True)
        follower.receive(step)
    assert follower.hand == before == shown(bench, who)


def test_a_spectator_is_welcomed_without_a_hand() -> None:
    bench = Bench("stichling", 2, people=3)
    bench.begin()
    for _ in range(6):
        bench.play(bench.turn())
    hands = [bench.table.changed_hand(bench.table.audience(one)) for one in bench.people]
    assert [one is None for one in hands] == [False, False, True]


# -- Cards named to their seat ---------------------------------------------------------------------


def all_settings() -> Iterator[tuple[str, dict[str, Value]]]:
    """Yield our games, each sheet alone, and days."""
    for info in registry.OUR_GAMES:
        yield info.rules.name, {}
    for sheet in SHEETS:
        yield "stichtag", {"sheets": [sheet]}
    for day in range(by_length(12, 336)):
        yield "stichtag", {"date": f"{day % 12 + 1:02}-{day * 5 % 28 + 1:02}"}


def unnamed(match: Match, view: View) -> list[str]:
    """Return the cards that came into a hand or left it without an event that names them."""
    assert view.seat is not None
    begin = max(at for at, event in enumerate(view.history) if event.kind == "round")
    since = [event for event in view.history[begin:] if event.kind != "hand"]
    told = str(since)
    kept = told + str(view.mine)
    dealt, hand = Counter(match.rounds[-1].deal.hands[view.seat]), Counter(view.hand)
    entered = [card for card in hand - dealt if not re.search(rf"\b{card}\b", told)]
    return entered + [card for card in dealt - hand if not re.search(rf"\b{card}\b", kept)]


@pytest.mark.parametrize(("game", "options"), [*all_settings()])
def test_cards_that_come_and_go_are_named_to_their_seat(
    game: str, options: dict[str, Value]
) -> None:
    """The page accuses a server that changes a hand without saying so (`deal/check.ts`)."""
    match = Setting(game, 4, options).new(seed=3)
    rng = random.Random(7)
    while match.waiting_for and len(match.rounds) == 1:
        seat = rng.choice(match.waiting_for)
        match.play(seat, rng.choice(match.moves(seat)))
        if len(match.rounds) == 1:
            assert unnamed(match, match.view(rng.randrange(match.rules.seats))) == []


def test_the_page_tests_rounds_as_they_are_sent_now() -> None:
    assert hand_fixture.FILE.read_text("utf-8") == hand_fixture.text()
