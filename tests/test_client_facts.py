"""What views tell for clients that know no rule is what the rules say, in whole random matches."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

import stichwerk
from stichwerk.cards import COLOURS
from stichwerk.engine.events import Event
from stichwerk.engine.generator import Generator
from stichwerk.match import Match, Setting
from stichwerk.view import View
from tests.strategies import play_on

NO_CARDS: list[list[str]] = [[], [], [], [], []]


def views_of(setting: Setting, seed: int) -> Iterator[tuple[Match, View, tuple[Event, ...]]]:
    """Yield each position of a random match as seat 0 sees it, and the last move's events."""
    match, generator = setting.new(seed=seed), Generator(seed)
    known = 0
    while True:
        yield match, match.view(0), match.events[known:]
        if not match.waiting_for:
            return
        known = len(match.events)
        play_on(match, generator, 1)


def number(card: str) -> int:
    return int(card[1:])


# -- Null & nichtig --------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_null_nichtig_piles_heaps_and_points_agree(seats: int) -> None:
    for _, view, _ in views_of(stichwerk.game("null-nichtig", seats=seats), 3):
        table: Any = view.table
        for seat in range(seats):
            tops = [pile["top"] for pile in table["piles"][seat] if pile]
            assert table["points"][seat] == sum(map(number, tops))
            shown = [(pile["top"], pile["size"]) if pile else None for pile in table["piles"][seat]]
            heaps = table["heaps"][seat]
            assert shown == [(heap[-1], len(heap)) if heap else None for heap in heaps]
            assert all(card[0] == COLOURS[at] for at, heap in enumerate(heaps) for card in heap)


def test_null_nichtig_heaps_grow_by_the_last_trick_from_the_taker_on() -> None:
    taken = 0
    walk = views_of(stichwerk.game("null-nichtig", seats=4), 5)
    for (_, before, _), (_, view, events) in pairwise(walk):
        tricks = [event for event in events if event.kind == "trick"]
        if not tricks:
            assert view.table["last_trick"] == before.table["last_trick"]
            continue
        last: Any = view.table["last_trick"]
        assert last["cards"] == list(tricks[0].cards)
        order = [step["play"] for step in last["collected"]]
        first = max(range(4), key=lambda play: (number(last["cards"][play]), -play))
        assert order == [(first + step) % 4 for step in range(4)]
        taker, old = tricks[0].seat, before.table
        heaps: Any = old["heaps"]
        grown = [[*heap] for heap in heaps[taker]]
        for step in last["collected"]:
            card = last["cards"][step["play"]]
            grown[step["pile"]].append(card)
            assert step["pile"] == COLOURS.index(card[0])
            assert step["size"] == len(grown[step["pile"]])
            assert step["points"] == sum(number(heap[-1]) for heap in grown if heap)
        new: Any = view.table["heaps"]
        assert new == [NO_CARDS] * 4 if view.round > before.round else new[taker] == grown
        taken += 1
    assert taken == 4 * 10


def test_null_nichtig_shows_how_an_open_trick_would_be_collected() -> None:
    for _, view, _ in views_of(stichwerk.game("null-nichtig", seats=5), 1):
        plays = view.tricks[0].plays if view.tricks else ()
        order: Any = view.table["order"]
        assert sorted(order) == list(range(len(plays)))
        if plays:
            assert plays[order[0]][0] == view.tricks[0].winning
            assert order == [*range(order[0], len(plays)), *range(order[0])]


def test_null_nichtig_shows_the_piles_of_a_secret_choice_to_its_seat_alone() -> None:
    match = stichwerk.game("null-nichtig", seats=4).new(seed=2)
    match.play(0, match.moves(0)[7])
    mine: Any = match.view(0).mine
    tops = [pile["top"] for pile in mine["piles"] if pile]
    assert mine["points"] == sum(map(number, tops))
    assert set(tops) <= set(mine["laid"])
    assert match.view(1).mine == match.view(None).mine == {}


def test_null_nichtig_shows_teams_and_their_totals() -> None:
    setting = stichwerk.game("null-nichtig", seats=6, teams=3)
    for _, view, _ in views_of(setting, 4):
        assert view.table["teams"] == [[0, 3], [1, 4], [2, 5]]
        totals = [view.totals[team] + view.totals[team + 3] for team in range(3)]
        assert view.table["team_totals"] == totals
    alone = stichwerk.game("null-nichtig", seats=4).new(seed=1).view(0)
    assert alone.table["teams"] == alone.table["team_totals"] == []


# -- Stichling -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 5])
def test_stichling_shows_which_card_holds_or_took_a_trick(seats: int) -> None:
    taken = 0
    for _, view, events in views_of(stichwerk.game("stichling", seats=seats), 6):
        best: list[str | None] = [None] * 4
        for trick in view.tricks:
            in_colour = [play for play in trick.plays if play[1][0] == trick.led]
            owner, best[trick.place] = max(in_colour, key=lambda play: number(play[1]))
            assert owner == trick.winning
        assert view.table["best_cards"] == best
        free = [place for place, card in enumerate(best) if card is None]
        assert view.table["new_place"] == (free[0] if free else None)
        for event in events:
            if event.kind == "trick":
                led = [card for card in event.cards if card[0] == event.cards[0][0]]
                cards, best_card = list(event.cards), max(led, key=number)
                assert view.table["last_trick"] == {"cards": cards, "best_card": best_card}
                assert len(cards) == view.table["full"]
                taken += 1
    assert taken > 10


def test_stichling_shows_a_seat_what_its_tricks_are_worth() -> None:
    for match, view, _ in views_of(stichwerk.game("stichling", seats=3), 8):
        if not view.mine:
            assert 0 in view.waiting_for
            continue
        worth, order, won = view.mine["worth"], view.mine["order"], view.taken[0]
        assert isinstance(worth, list)
        assert isinstance(order, list)
        assert worth == [0, *(order[at % 3] for at in range(len(worth) - 1))]
        assert len(worth) > won + 2
        if match.over:
            assert match.scores[-1][0] == worth[won]


# -- Sticheln, Stichtag ----------------------------------------------------------------------------


def test_sticheln_shows_pain_colours_once_all_have_chosen() -> None:
    for _, view, _ in views_of(stichwerk.game("sticheln", seats=3), 1):
        pain: Any = view.table["pain"]
        assert view.table["pain_colours"] == (pain and [card[0] for card in pain])
        own: Any = view.mine.get("pain")
        assert view.mine.get("pain_colour") == (own and own[0])


def test_stichtag_shows_whose_cards_are_face_down_and_who_gets_a_passed_card() -> None:
    setting = stichwerk.game("stichtag", seats=4, sheets=["red 1", "February"])
    seen = set()
    for _, view, _ in views_of(setting, 2):
        assert view.table["passes_to"] == [1, 2, 3, 0]
        down: Any = view.table["face_down"]
        assert bool(down) == (view.table["named"] is not None)
        assert not set(down) & set(view.waiting_for)
        assert ("face_down" in view.mine) == (0 in down)
        seen.add(len(down))
    assert seen == {0, 1, 2, 3}


def test_stichtag_shows_lost_hearts_beside_those_left() -> None:
    for _, view, _ in views_of(stichwerk.game("stichtag", seats=3, sheets=["green 3"]), 2):
        left, lost = view.table["hearts"], view.table["lost_hearts"]
        assert isinstance(left, list)
        assert isinstance(lost, list)
        assert [one + other for one, other in zip(left, lost, strict=True)] == [2, 2, 2]
