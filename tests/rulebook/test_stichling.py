"""Stichling by the book."""

from typing import Any

import pytest

import stichwerk
from stichwerk.errors import BadOptionError
from tests.rulebook.table import Round, Table, random_match, rounds_of, table

FOUR = "Orange Red White Grey"


# -- What is needed --------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "highest"), [(2, 6), (3, 9), (4, 12), (5, 15)])
def test_deck_by_seats(seats: int, highest: int) -> None:
    """Four colours, values from 1; all cards are dealt, twelve each."""
    deck = [f"{colour}{value}" for colour in "YGBL" for value in range(1, highest + 1)]
    assert list(stichwerk.game("stichling", seats=seats).rules.deck.texts) == deck
    for one in rounds_of(random_match("stichling", seats, seed=seats)):
        assert sorted(card for hand in one.hands for card in hand) == sorted(deck)
        assert [len(hand) for hand in one.hands] == [12] * seats
        assert one.stock == 0


# -- The scoring cards -----------------------------------------------------------------------------


def test_l3_everyone_lays_their_order_at_once_face_down() -> None:
    """L3: six orders of 1, 2, 3; each seat knows only its own."""
    match = stichwerk.game("stichling", seats=3).new(seed=4)
    assert match.view(None).phase == "order"
    assert list(match.waiting_for) == [0, 1, 2]
    orders = ["1,2,3", "1,3,2", "2,1,3", "2,3,1", "3,1,2", "3,2,1"]
    assert [move.text for move in match.moves(0)] == orders
    match.play(2, "3,1,2")
    match.play(0, "1,3,2")
    assert list(match.waiting_for) == [1]
    match.play(1, "2,3,1")
    assert [match.view(seat).mine["order"] for seat in range(3)] == [
        [1, 3, 2],
        [2, 3, 1],
        [3, 1, 2],
    ]
    hidden = {"turned": [None, None, None], "face_up": None}
    assert match.view(0).table["scoring"] == [hidden] * 3
    assert match.view(0).table["values"] == [1, 2, 3]
    assert "2,3,1" not in [event.move for event in match.view(0).history]
    assert not [event for event in match.view(0).history if event.kind == "revealed"]


def test_values_are_doubled_in_round_2_and_tripled_in_round_3() -> None:
    """1, 2, 3, then 2, 4, 6, then 3, 6, 9."""
    match = random_match("stichling", 4, seed=1)
    for number, one in enumerate(rounds_of(match), 1):
        for choice in one.choices:
            values = sorted(int(value) for value in choice.split(","))
            assert values == [number, 2 * number, 3 * number]


# -- Where a card may go: the first example --------------------------------------------------------


def book_table(**more: Any) -> Table:
    """Return the book's picture: [G8 Orange, two lower greens], [G7 Red], [Y1, Y4 Grey]; White is
    next."""
    plays = "Orange G8>new, Red G7>new, White Y1>new, Grey Y4>3, Orange G3>1, Red G2>1"
    return table("stichling", FOUR, plays=plays + more.pop("then", ""), **more)


def test_l_a_three_open_tricks_of_the_book() -> None:
    """L-a: green may go to the first, second or new; yellow to the third or new; lilac and blue
    only new."""
    made = book_table(hands={"White": "G5 G12 Y3 Y9 L2 B7"})
    assert made.trick_at(1) == ("G8 G3 G2", "Orange")
    assert made.trick_at(2) == ("G7", "Red")
    assert made.trick_at(3) == ("Y1 Y4", "Grey")
    assert made.next == "White"
    assert made.may("White", "G5 G12") == "G5>1 G5>2 G5>new G12>1 G12>2 G12>new"
    assert made.may("White", "Y3 Y9") == "Y3>3 Y3>new Y9>3 Y9>new"
    assert made.may("White", "L2 B7") == "B7>new L2>new"
    assert made.objection("White", "G5>3") is not None
    assert made.objection("White", "Y3>1") is not None
    assert made.objection("White", "L2>2") is not None
    assert made.objection("White", "B7>4") is not None


def fourth_trick(**more: Any) -> Table:
    """Continue the example: White leads a fourth trick; Red, with only blue and lilac, is next."""
    return book_table(
        then=", White Y9>new, Grey Y5>3, Orange G1>2" + more.pop("then", ""),
        without={"Red": "GY"},
        **more,
    )


@pytest.mark.parametrize("discard", ["card", "hand"])
def test_l_b_a_discard_fills_the_trick_and_its_owner_takes_it(discard: str) -> None:
    """L-b: B9 onto the first fills it; Orange wins it though 9 is highest; Orange's next scoring
    card turns up; three tricks stay; the left neighbour of Red is next."""
    made = fourth_trick(hands={"Red": "B9"}, choices={"Orange": "2,3,1"}, discard=discard)
    assert made.next == "Red"
    assert made.may("Red", "B9") == "B9>1 B9>2 B9>3 B9>4"
    made.play("Red B9>1")
    assert made.last_trick == ("Orange", "G8 G3 G2 B9")
    assert made.view.taken == (1, 0, 0, 0)
    scoring: Any = made.view.table["scoring"]
    assert scoring[0] == {"turned": [2, None, None], "face_up": 0}
    assert scoring[1] == {"turned": [None, None, None], "face_up": None}
    assert [trick.place for trick in made.view.tricks] == [1, 2, 3]
    assert made.next == "White"


def test_l2_a_freed_place_is_the_next_new_one() -> None:
    """L2: `>new` takes the lowest free place; then nothing may be thrown off any more."""
    made = fourth_trick(
        hands={"Red": "B9", "White": "B1"}, then=", Red B9>1", choices={"White": "1,2,3"}
    )
    assert made.may("White", "B1") == "B1>new"
    made.play("White B1>new")
    assert made.trick_at(1) == ("B1", "White")


def test_l_d_a_card_may_be_discarded_although_another_could_follow() -> None:
    """L-d, L1: four open led G, G, Y, Y, hand G3, B9: `card`: B9 anywhere; `hand`: B9 illegal."""
    plays = "Orange G8>new, Red G7>new, White Y1>new, Grey Y4>new"
    free = table("stichling", FOUR, hands={"Orange": "G3 B9"}, plays=plays, discard="card")
    assert free.may("Orange", "G3 B9") == "G3>1 G3>2 B9>1 B9>2 B9>3 B9>4"
    strict = table("stichling", FOUR, hands={"Orange": "G3 B9"}, plays=plays, discard="hand")
    assert strict.may("Orange", "G3 B9") == "G3>1 G3>2"
    assert strict.objection("Orange", "B9>1") == "could-follow"
    assert strict.objection("Orange", "B9") == "could-follow"


def test_l1_a_hand_without_any_open_colour_may_discard() -> None:
    """L1, `hand`: only when no card in hand matches any open trick, at any place."""
    plays = "Orange G8>new, Red G7>new, White G1>new, Grey Y4>new"
    made = table(
        "stichling",
        FOUR,
        hands={"Orange": "B9"},
        without={"Orange": "GY"},
        plays=plays,
        discard="hand",
    )
    assert made.may("Orange", "B9") == "B9>1 B9>2 B9>3 B9>4"
    made = table(
        "stichling",
        FOUR,
        hands={"Orange": "B9 Y2"},
        without={"Orange": "GY"},
        plays=plays,
        discard="hand",
    )
    assert made.may("Orange") == "Y2>4"


def test_l1_card_is_the_default() -> None:
    assert stichwerk.game("stichling").options["discard"] == "card"
    for discard in ("card", "hand"):
        assert stichwerk.game("stichling", discard=discard).options["discard"] == discard
    with pytest.raises(BadOptionError):
        stichwerk.game("stichling", discard="never")


def test_l1_a_card_whose_colour_is_open_must_go_there() -> None:
    """L1: with four open a green card follows green and is thrown on nothing else."""
    plays = "Orange G8>new, Red L7>new, White Y1>new, Grey B4>new"
    made = table("stichling", FOUR, hands={"Orange": "G3 L9"}, plays=plays)
    assert made.may("Orange", "G3 L9") == "G3>1 L9>2"
    assert made.objection("Orange", "G3>2") == "colour-is-open"


@pytest.mark.parametrize("discard", ["card", "hand"])
def test_l_e_never_a_discard_while_a_place_is_free(discard: str) -> None:
    """L-e, L2: three open G, G, Y, hand B9 → only new."""
    made = table(
        "stichling",
        FOUR,
        hands={"Grey": "B9"},
        plays="Orange G8>new, Red G7>new, White Y1>new",
        discard=discard,
    )
    assert made.may("Grey", "B9") == "B9>new"
    for place in "1234":
        assert made.objection("Grey", f"B9>{place}") is not None


def test_l2_any_colour_may_open_also_one_that_is_open() -> None:
    """L2: and nobody must follow while a place is free."""
    made = table("stichling", FOUR, hands={"Red": "G1 Y1 B1 L1"}, plays="Orange G8>new")
    assert made.may("Red", "G1 Y1 B1 L1") == "Y1>new G1>1 G1>new B1>new L1>new"
    made.play("Red G1>new")
    assert made.trick_at(2) == ("G1", "Red")


# -- Whose trick it is -----------------------------------------------------------------------------


def test_l_f_the_highest_of_the_led_colour_owns_the_trick() -> None:
    """L-f: Y1 X, Y4 Grey: Grey's; Y3 by X: still Grey's; Y6 by Grey: Grey's."""
    made = table("stichling", "X Grey", plays="X Y1>new, Grey Y4>1")
    assert made.trick_at(1) == ("Y1 Y4", "Grey")
    made = table("stichling", "X Grey", plays="X Y1>new, Grey Y4>1, X Y3>1")
    assert made.trick_at(1) == ("Y1 Y4 Y3", "Grey")
    made = table("stichling", "X Grey", plays="X Y1>new, Grey Y4>1, X Y3>1, Grey Y6>1")
    assert made.last_trick == ("Grey", "Y1 Y4 Y3 Y6")
    assert made.next == "X"


def test_one_seat_may_lay_several_cards_to_the_same_trick() -> None:
    made = table("stichling", "X Grey", plays="X Y5>new, Grey G1>new, X Y6>1, Grey G2>2, X Y1>1")
    assert made.trick_at(1) == ("Y5 Y6 Y1", "X")


def test_the_fourth_card_may_take_the_trick() -> None:
    made = table("stichling", FOUR, plays="Orange G8>new, Red G7>1, White G3>1, Grey G9>1")
    assert made.last_trick == ("Grey", "G8 G7 G3 G9")
    assert made.next == "Orange"


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_four_cards_make_a_trick_full_whatever_the_number_of_seats(seats: int) -> None:
    names = list("ABCDE")[:seats]
    plays = [f"{names[at % seats]} G{at + 1}>{1 if at else 'new'}" for at in range(4)]
    made = table("stichling", " ".join(names), plays=", ".join(plays[:3]))
    assert made.trick_at(1) == ("G1 G2 G3", names[2 % seats])
    made = table("stichling", " ".join(names), plays=", ".join(plays))
    assert made.last_trick == (names[3 % seats], "G1 G2 G3 G4")
    assert made.view.tricks == ()
    assert made.next == names[4 % seats]


# -- What the tricks are worth ---------------------------------------------------------------------

FOUR_TRICKS = (
    "Orange Y6>new, Red Y1>1, Orange Y5>1, Red Y2>1,"
    "Orange G6>new, Red G1>1, Orange G5>1, Red G2>1,"
    "Orange B6>new, Red B1>1, Orange B5>1, Red B2>1,"
    "Orange L6>new, Red L1>1, Orange L5>1, Red L2>1,"
)


def test_l_c_four_tricks_turn_up_the_first_card_again() -> None:
    """L-c: order (1,3,2), 4 tricks → 1 point, 0 tricks → 0; L-h: eight cards left count nothing."""
    made = table(
        "stichling",
        "Orange Red",
        choices={"Orange": "1,3,2", "Red": "3,2,1"},
        plays=FOUR_TRICKS + "Orange Y4>new, Red Y3>1, Orange G4>new, Red G3>2,"
        "Orange B4>new, Red B3>3, Orange L4>new, Red L3>4",
    )
    assert (made.tricks("Orange"), made.tricks("Red")) == (4, 0)
    assert (made.score("Orange"), made.score("Red")) == (1, 0)
    assert [made.trick_at(place)[0] for place in (1, 2, 3, 4)] == [
        "Y4 Y3",
        "G4 G3",
        "B4 B3",
        "L4 L3",
    ]
    turned = [(event.position, event.value) for event in made.events("turned")]
    assert turned == [(0, 1), (1, 3), (2, 2), (0, 1)]


def test_l_c_five_tricks_turn_up_the_second_card_again() -> None:
    """L-c: order (1,3,2), 5 tricks → 3 points; L-h: four cards stay on the table."""
    made = table(
        "stichling",
        "Orange Red",
        choices={"Orange": "1,3,2"},
        plays=FOUR_TRICKS + "Orange Y4>new, Red G3>new, Orange G4>new, Red B3>new,"
        "Orange L4>1, Red L3>1, Orange B4>4, Red Y3>1",
    )
    assert (made.tricks("Orange"), made.tricks("Red")) == (5, 0)
    assert (made.score("Orange"), made.score("Red")) == (3, 0)
    assert made.last_trick == ("Orange", "Y4 L4 L3 Y3")
    assert sum(len(trick.plays) for trick in made.view.tricks) == 4


@pytest.mark.parametrize(("tricks", "points"), [(0, 0), (1, 1), (2, 3), (3, 2), (4, 1)])
def test_l3_the_card_turned_up_last_counts(tricks: int, points: int) -> None:
    """L3: order (1,3,2): the (tricks-1) mod 3-th from the left; none won = 0.

    Orange takes one trick a colour; in the other colours Red holds the higher cards.
    """
    plays = ""
    for at, colour in enumerate("YGBL"):
        orange, red = ((6, 5), (1, 2)) if at < tricks else ((1, 2), (6, 5))
        plays += f"Orange {colour}{orange[0]}>new, Red {colour}{red[0]}>1,"
        plays += f"Orange {colour}{orange[1]}>1, Red {colour}{red[1]}>1,"
    rest = "Orange Y4>new, Red Y3>1, Orange G4>new, Red G3>2,"
    rest += "Orange B4>new, Red B3>3, Orange L4>new, Red L3>4"
    choices = {"Orange": "1,3,2", "Red": "1,3,2"}
    made = table("stichling", "Orange Red", choices=choices, plays=plays + rest)
    assert (made.tricks("Orange"), made.tricks("Red")) == (tricks, 4 - tricks)
    assert made.score("Orange") == points


def test_l3_turned_cards_are_known_the_others_only_after_the_match() -> None:
    match = random_match("stichling", 3, seed=2)
    orders = tuple(one.choices for one in rounds_of(match))
    for seat in (None, 1):
        revealed = [event for event in match.view(seat).history if event.kind == "revealed"]
        assert tuple(event.choices for event in revealed) == orders
        kinds = [event.kind for event in match.view(seat).history]
        assert kinds.index("revealed") > kinds.index("ended")
    made = table(
        "stichling",
        "Orange Red",
        choices={"Orange": "2,3,1", "Red": "3,1,2"},
        plays="Orange Y6>new, Red Y1>1, Orange Y5>1, Red Y2>1",
    )
    shown: Any = made.match.view(1).table["scoring"]
    assert shown[0] == {"turned": [2, None, None], "face_up": 0}
    assert made.match.view(1).mine["order"] == [3, 1, 2]
    assert not made.match.over
    assert not [event for event in made.match.view(1).history if event.kind == "revealed"]


# -- The end of the round --------------------------------------------------------------------------


def referee(one: Round, discard: str) -> tuple[list[int], int]:
    """Tricks of each seat and cards left on the table, by the book alone; every play is checked."""
    seats = len(one.hands)
    hands = [set(hand) for hand in one.hands]
    places: list[list[tuple[int, str]]] = [[], [], [], []]
    taken, tricks = [0] * seats, iter(one.tricks)
    for at, (seat, move) in enumerate(one.plays):
        assert seat == (one.starter + at) % seats
        card, _, where = move.partition(">")
        led = [place[0][1][0] if place else "" for place in places]
        if where == "new":
            place = led.index("")
        else:
            place = int(where) - 1
            if led[place] != card[0]:
                assert "" not in led
                assert card[0] not in led
                assert discard == "card" or not {held[0] for held in hands[seat]} & set(led)
        hands[seat].remove(card)
        places[place].append((seat, card))
        if len(places[place]) == 4:
            fitting = [play for play in places[place] if play[1][0] == places[place][0][1][0]]
            owner = max(fitting, key=lambda play: int(play[1][1:]))[0]
            trick = next(tricks)
            assert trick == (owner, tuple(places[place]))
            taken[owner] += 1
            places[place] = []
    assert not any(hands)
    return taken, sum(map(len, places))


@pytest.mark.parametrize("discard", ["card", "hand"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_whole_matches(seats: int, discard: str) -> None:
    """Three rounds of twelve laps; the left neighbour starts the next; the open card counts."""
    for seed in range(4):
        match = random_match("stichling", seats, seed, discard=discard)
        rounds = rounds_of(match)
        first = rounds[0].starter
        assert [one.starter for one in rounds] == [(first + at) % seats for at in range(3)]
        assert match.view(None).rounds == len(rounds) == 3
        for one in rounds:
            assert len(one.plays) == 12 * seats
            taken, _ = referee(one, discard)
            cards = [[int(value) for value in choice.split(",")] for choice in one.choices]
            expected = [
                order[(tricks - 1) % 3] if tricks else 0
                for order, tricks in zip(cards, taken, strict=True)
            ]
            assert list(one.scores) == expected
        assert match.totals == tuple(sum(points) for points in zip(*match.scores, strict=True))


NOTHING_LEFT = (
    "A B2>new, B L6>new, A B4>1, B L4>2, A L1>new, B B3>1, A Y3>new, B G2>4,"
    "A L5>3, B Y6>4, A G4>2, B B5>1, A B1>new, B Y1>4, A Y5>new, B G3>1,"
    "A G1>4, B G6>1, A Y2>4, B L3>3, A G5>2, B L2>3, A Y4>4, B B6>1"
)
TWELVE_LEFT = (
    "A Y4>new, B B6>new, A G4>new, B G5>3, A Y2>new, B L6>3, A B4>2, B Y3>4,"
    "A L2>1, B Y1>1, A L3>2, B B1>2, A G6>3, B G1>new, A Y6>new, B B2>1,"
    "A B3>new, B G3>2, A L1>3, B B5>1, A L5>1, B L4>3, A Y5>4, B G2>2"
)


@pytest.mark.parametrize(
    ("plays", "left", "tricks"), [(NOTHING_LEFT, 0, (2, 4)), (TWELVE_LEFT, 12, (2, 1))]
)
def test_l_h_unfinished_tricks_count_nothing(
    plays: str, left: int, tricks: tuple[int, int]
) -> None:
    """L-h: unfinished tricks at the end count nothing: two extremes; L-c has left 8 and 4."""
    made = table("stichling", "A B", choices={"A": "1,3,2", "B": "1,3,2"}, plays=plays)
    assert made.view.phase == "over"
    assert sum(len(trick.plays) for trick in made.view.tricks) == left
    assert (made.tricks("A"), made.tricks("B")) == tricks
    assert (made.score("A"), made.score("B")) == (3, 1)


def test_l_h_cards_left_on_the_table_are_a_multiple_of_four() -> None:
    """L-h: 0, 4, 8 or 12, with every number of seats."""
    for seats in (2, 3, 4, 5):
        for seed in range(10):
            for one in rounds_of(random_match("stichling", seats, seed)):
                taken, left = referee(one, "card")
                assert left in (0, 4, 8, 12)
                assert sum(taken) * 4 + left == 12 * seats


# -- The end of the match --------------------------------------------------------------------------


def test_l_g_tie_is_broken_by_round_3_then_round_2() -> None:
    """L-g, L4: 1+6+9 beats 3+4+9 (round 2); 2+4+9 beats 3+6+6 (round 3)."""
    rules = stichwerk.game("stichling", seats=2).rules
    assert rules.ranking([(1, 3), (6, 4), (9, 9)]) == [[0], [1]]
    assert rules.ranking([(3, 1), (4, 6), (9, 9)]) == [[1], [0]]
    assert rules.ranking([(2, 3), (4, 6), (9, 6)]) == [[0], [1]]
    assert rules.ranking([(3, 2), (6, 4), (6, 9)]) == [[1], [0]]


def test_l4_the_total_comes_first_and_full_ties_are_shared() -> None:
    """L4, A1: all three rounds alike is a shared victory."""
    rules = stichwerk.game("stichling", seats=4).rules
    assert rules.ranking([(3, 0, 1, 3), (6, 0, 2, 6), (6, 9, 3, 6)]) == [[0, 3], [1], [2]]


def test_match_lasts_three_rounds() -> None:
    for seats in (2, 3, 4, 5):
        rules = stichwerk.game("stichling", seats=seats).rules
        assert [rules.match_over([(0,) * seats] * rounds) for rounds in (1, 2, 3)] == [
            False,
            False,
            True,
        ]


def test_l5_starter_is_drawn_or_fixed_then_the_left_neighbour() -> None:
    """L5, A2: `starter` names a seat, otherwise it is drawn; then left neighbour each round."""
    free = stichwerk.game("stichling", seats=5)
    assert {free.new(seed=seed).view(None).starter for seed in range(60)} == set(range(5))
    for seat in range(3):
        match = random_match("stichling", 3, seed=1, starter=seat)
        starters = [one.starter for one in rounds_of(match)]
        assert starters == [seat, (seat + 1) % 3, (seat + 2) % 3]
        assert [one.plays[0][0] for one in rounds_of(match)] == starters


def test_a3_taken_tricks_stay_in_the_history() -> None:
    match = random_match("stichling", 4, 4)
    tricks = sum(len(one.tricks) for one in rounds_of(match))
    for seat in (None, 3):
        assert sum(event.kind == "trick" for event in match.view(seat).history) == tricks
