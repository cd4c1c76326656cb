"""Stichtag by the book: the base rules."""

from typing import Any

import pytest

import stichwerk
from stichwerk.errors import BadOptionError
from tests.rulebook.table import Round, random_match, rounds_of, table

THREE = "Peter Paul Marie"
FOUR = "Peter Paul Marie Anna"


# -- What is needed --------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "highest", "left_over"), [(3, 9, 24), (4, 9, 12), (5, 11, 12)])
def test_deck_hands_and_stock_by_seats(seats: int, highest: int, left_over: int) -> None:
    """Six colours; 10 and 11 only with five; twelve cards each, the rest is a face-down stock."""
    deck = [f"{colour}{value}" for colour in "RYGBLS" for value in range(highest + 1)]
    setting = stichwerk.game("stichtag", seats=seats)
    assert list(setting.rules.deck.texts) == deck
    match = random_match("stichtag", seats, seed=seats)
    for one, log in zip(rounds_of(match), match.rounds, strict=True):
        assert [len(hand) for hand in one.hands] == [12] * seats
        assert one.stock == len(log.deal.stock) == left_over
        dealt = [card for hand in (*log.deal.hands, log.deal.stock) for card in hand]
        assert sorted(dealt) == sorted(deck)
        assert len(one.tricks) == 12
        assert one.choices == ()


def test_stock_is_counted_but_not_shown() -> None:
    match = stichwerk.game("stichtag", seats=3).new(seed=2)
    hand = match.rounds[0].deal.hands[0]
    assert match.view(0).stock == 24
    assert [event.cards for event in match.view(0).history if event.cards] == [hand]


# -- The calendar ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("date", "sheets", "notes"),
    [
        ("07-04", ("green 0", "red 4", "July"), set()),
        (
            "09-14",
            ("green 1", "red 4", "September"),
            {("red 4", "green 1"), ("September", "red 4")},
        ),
    ],
)
def test_t_e_a_date_names_three_sheets(
    date: str, sheets: tuple[str, ...], notes: set[tuple[str, str]]
) -> None:
    """T-e: 4 July = green 0, red 4, July; 14 September = green 1, red 4, September with two
    cross-notes (red 4 for green 1, September for red 4)."""
    setting = stichwerk.game("stichtag", date=date)
    assert setting.options == {"date": date, "rounds": None, "sheets": [], "starter": None}
    rules: Any = setting.rules
    assert rules.sheet_names == sheets
    today = (rules.green, rules.red, rules.month)
    assert tuple(sheet.name for sheet in today) == sheets
    assert {
        (sheet.name, other) for sheet in today for other in sheet.notes if other in sheets
    } == notes


@pytest.mark.parametrize("date", ["01-00", "02-30", "12-39"])
def test_impossible_dates_are_playable(date: str) -> None:
    assert random_match("stichtag", 3, seed=1, date=date).over


@pytest.mark.parametrize(
    "wrong",
    [
        {"sheets": ["red 4", "red 5"]},
        {"sheets": ["red 4", "red 4"]},
        {"sheets": ["July", "May"]},
        {"sheets": ["green 0", "red 4", "July"]},
        {"sheets": ["red 4"], "date": "07-04"},
        {"sheets": ["red 4", "green 1"], "rounds": 3},
        {"date": "07-04", "rounds": 3},
    ],
)
def test_sheets_that_cannot_be_combined_are_refused(wrong: Any) -> None:
    """One or two sheets of different kinds, and no date; a green sheet sets the rounds."""
    with pytest.raises(BadOptionError):
        stichwerk.game("stichtag", **wrong)


# -- Duty to follow --------------------------------------------------------------------------------


def test_t_a_highest_of_the_led_colour_wins_and_leads() -> None:
    """T-a, T1: Peter B1, Paul B8, Marie (no blue) Y9 → Paul, who leads."""
    made = table("stichtag", THREE, without={"Marie": "B"}, plays="Peter B1, Paul B8, Marie Y9")
    assert made.last_trick == ("Paul", "B1 B8 Y9")
    assert made.tricks("Paul") == 1
    assert made.next == "Paul"


def test_t_b_a_seat_that_can_follow_must() -> None:
    """T-b: with a blue card Y9 is illegal."""
    made = table("stichtag", THREE, hands={"Marie": "Y9 B0"}, plays="Peter B1, Paul B8")
    assert made.objection("Marie", "Y9") == "must-follow"
    assert made.objection("Marie", "B0") is None
    assert {card[0] for card in made.may("Marie").split()} == {"B"}


def test_trump_does_not_free_from_following() -> None:
    """Red may not be played while the led colour is in the hand."""
    made = table("stichtag", THREE, hands={"Paul": "R9 B0"}, plays="Peter B1")
    assert made.objection("Paul", "R9") == "must-follow"
    assert made.may("Paul").split() == [card for card in made.match.view(1).hand if card[0] == "B"]


def test_t2_no_duty_to_trump_or_to_beat() -> None:
    """T2: follow with any card of the colour; without it, any card at all."""
    made = table("stichtag", THREE, hands={"Paul": "B0 B9"}, plays="Peter B5")
    assert made.may("Paul", "B0 B9") == "B0 B9"
    made = table(
        "stichtag", THREE, hands={"Paul": "R9 Y0 S3"}, without={"Paul": "B"}, plays="Peter B5"
    )
    assert made.may("Paul") == " ".join(made.match.view(1).hand)


def test_the_leader_may_lead_any_card_red_too() -> None:
    made = table("stichtag", THREE, hands={"Peter": "R9 Y0 S3"})
    assert made.may("Peter") == " ".join(made.match.view(0).hand)


# -- Trump -----------------------------------------------------------------------------------------


def test_t_c_a_single_trump_wins() -> None:
    """T-c: Y7, Y9, B2, R1 → R1."""
    made = table(
        "stichtag",
        FOUR,
        without={"Marie": "Y", "Anna": "Y"},
        plays="Peter Y7, Paul Y9, Marie B2, Anna R1",
    )
    assert made.last_trick == ("Anna", "Y7 Y9 B2 R1")
    assert made.next == "Anna"


def test_t_d_trump_is_led_and_must_be_followed() -> None:
    """T-d: R3 led, R9, Y8 (no red), R5 → R9."""
    made = table(
        "stichtag",
        FOUR,
        hands={"Paul": "Y1", "Anna": "Y2"},
        without={"Marie": "R"},
        plays="Peter R3, Paul R9, Marie Y8, Anna R5",
    )
    assert made.last_trick == ("Paul", "R3 R9 Y8 R5")
    made = table("stichtag", FOUR, hands={"Paul": "R0 Y9"}, plays="Peter R3")
    assert made.objection("Paul", "Y9") == "must-follow"


def test_the_highest_of_several_trumps_wins() -> None:
    made = table(
        "stichtag",
        FOUR,
        without={"Paul": "L", "Marie": "L", "Anna": "L"},
        plays="Peter L9, Paul R2, Marie R8, Anna R0",
    )
    assert made.last_trick[0] == "Marie"


def test_zeros_are_ordinary_low_cards() -> None:
    """A trump 0 beats every other colour; a led 0 beats what cannot win."""
    made = table(
        "stichtag", THREE, without={"Paul": "B", "Marie": "B"}, plays="Peter B9, Paul R0, Marie Y9"
    )
    assert made.last_trick[0] == "Paul"
    made = table(
        "stichtag", THREE, without={"Paul": "B", "Marie": "B"}, plays="Peter B0, Paul S9, Marie Y9"
    )
    assert made.last_trick[0] == "Peter"


# -- Points and the match --------------------------------------------------------------------------


def referee(one: Round) -> list[int]:
    """Tricks of each seat, by the book alone; nobody may have failed to follow."""
    seats = len(one.hands)
    hands = [set(hand) for hand in one.hands]
    points, leader = [0] * seats, one.starter
    for taken in one.tricks:
        assert [seat for seat, _ in taken.plays] == [(leader + at) % seats for at in range(seats)]
        led = taken.plays[0][1][0]
        for seat, card in taken.plays:
            assert card[0] == led or led not in {held[0] for held in hands[seat]}
            hands[seat].remove(card)
        for colour in ("R", led):
            fitting = [play for play in taken.plays if play[1][0] == colour]
            if fitting:
                leader = max(fitting, key=lambda play: int(play[1][1:]))[0]
                break
        assert taken.taker == leader
        points[leader] += 1
    return points


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_whole_matches(seats: int) -> None:
    """A trick is a point; the right to lead moves left; most points win."""
    for seed in range(4):
        match = random_match("stichtag", seats, seed)
        rounds = rounds_of(match)
        first = rounds[0].starter
        assert [one.starter for one in rounds] == [(first + at) % seats for at in range(3)]
        for one in rounds:
            assert list(one.scores) == referee(one)
        totals = [sum(one.scores[seat] for one in rounds) for seat in range(seats)]
        assert match.totals == tuple(totals)
        assert match.ranking is not None
        assert [totals[group[0]] for group in match.ranking] == sorted(set(totals), reverse=True)


def test_t3_three_rounds_or_two_for_practice() -> None:
    """T3: `rounds` = 3 / 2 without a date."""
    assert stichwerk.game("stichtag").options["rounds"] == 3
    for rounds in (3, 2):
        match = random_match("stichtag", 3, seed=1, rounds=rounds)
        assert len(match.scores) == match.view(None).rounds == rounds
        assert match.over
    for wrong in (1, 4, None):
        with pytest.raises(BadOptionError):
            stichwerk.game("stichtag", rounds=wrong)


def test_a1_level_totals_share_the_rank() -> None:
    rules = stichwerk.game("stichtag", seats=3).rules
    assert rules.ranking([(6, 3, 3), (0, 3, 9)]) == [[2], [0, 1]]


def test_a2_starter_is_drawn_or_fixed() -> None:
    """A2: `starter` names a seat, otherwise it is drawn."""
    free = stichwerk.game("stichtag", seats=3)
    assert {free.new(seed=seed).view(None).starter for seed in range(40)} == {0, 1, 2}
    for seat in range(3):
        fixed = stichwerk.game("stichtag", seats=3, starter=seat).new(seed=1)
        assert fixed.waiting_for == (seat,)


def test_a3_taken_tricks_stay_in_the_history() -> None:
    match = random_match("stichtag", 3, 4, rounds=2)
    assert sum(event.kind == "trick" for event in match.view(None).history) == 2 * 12
