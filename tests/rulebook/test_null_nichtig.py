"""Null & nichtig by the book."""

import re
from itertools import pairwise, permutations
from typing import Any

import pytest

import stichwerk
from stichwerk.errors import BadOptionError
from tests.rulebook.table import Round, Table, random_match, rounds_of, table

FOUR = "Jan Laura Lukas Hannah"


def deck_colour(card: str) -> int:
    """Return the position of the card's colour in the deck."""
    return "RYGBL".index(card[0])


# -- What is needed --------------------------------------------------------------------------------


def test_deck_has_0_to_11_in_five_colours_and_every_zero_twice() -> None:
    deck = stichwerk.game("null-nichtig", seats=4).rules.deck.texts
    assert len(deck) == 65
    assert " ".join(deck[:13]) == "R0 R0 R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11"
    assert "".join(dict.fromkeys(card[0] for card in deck)) == "RYGBL"
    assert [deck.count(f"{colour}0") for colour in "RYGBL"] == [2] * 5


@pytest.mark.parametrize(
    ("seats", "hand", "lays", "tricks", "left_over"),
    [(3, 13, 3, 10, 26), (4, 13, 3, 10, 13), (5, 13, 3, 10, 0), (6, 10, 2, 8, 5)],
)
def test_hands_laid_cards_and_tricks_by_seats(
    seats: int, hand: int, lays: int, tricks: int, left_over: int
) -> None:
    match = random_match("null-nichtig", seats, seed=seats)
    for one in rounds_of(match):
        assert [len(cards) for cards in one.hands] == [hand] * seats
        assert one.stock == left_over
        assert [choice.count(",") + 1 for choice in one.choices] == [lays] * seats
        assert len(one.tricks) == tricks


def test_left_over_cards_are_hidden_and_out_of_play() -> None:
    match = stichwerk.game("null-nichtig", seats=3).new(seed=1)
    stock = match.rounds[0].deal.stock
    assert match.view(None).stock == match.view(1).stock == len(stock) == 26
    seen = [event.cards for event in match.view(1).history if event.cards]
    assert seen == [match.rounds[0].deal.hands[1]]


# -- Laying out ------------------------------------------------------------------------------------


def test_n2_all_lay_out_secretly_at_once_then_it_is_revealed() -> None:
    """N2: nobody knows of another's cards until the last seat has chosen."""
    match = stichwerk.game("null-nichtig", seats=3).new(seed=5, names=["Jan", "Laura", "Lukas"])
    assert match.view(None).phase == "lay"
    assert list(match.waiting_for) == [0, 1, 2]
    laid = {seat: match.moves(seat)[seat].text for seat in range(3)}
    for seat in (2, 0):
        match.play(seat, laid[seat])
        assert match.objection(seat, laid[seat]) is not None
    assert list(match.waiting_for) == [1]
    assert match.view(0).mine["laid"] == laid[0].split(",")
    assert match.view(1).mine == {}
    assert match.view(0).table["piles"] == [[None] * 5] * 3
    assert match.view(0).hand_sizes == (13, 13, 13)
    events = match.play(1, laid[1])
    (revealed,) = [event for event in events if event.kind == "revealed"]
    assert revealed.choices == (laid[0], laid[1], laid[2])
    assert match.view(None).hand_sizes == (10, 10, 10)


def test_n2_order_inside_a_colour_is_the_players_choice() -> None:
    """N2: the last one laid of a colour is on top; colours are listed in deck order."""
    for laid, piles in (("R9,R3,R0", "R0/3"), ("R3,R0,R9", "R9/3"), ("R0,R9,R3", "R3/3")):
        assert table("null-nichtig", FOUR, choices={"Jan": laid}).piles("Jan") == piles
    made = table("null-nichtig", FOUR, choices={"Jan": "L5,R9,R3"})
    assert made.events("revealed")[0].choices[0] == "R9,R3,L5"
    assert made.piles("Jan") == "R3/2 L5/1"


def test_n2_laid_cards_leave_the_hand_and_twins_may_both_lie() -> None:
    made = table("null-nichtig", FOUR, choices={"Jan": "R0,R0,Y7"})
    assert made.piles("Jan") == "R0/2 Y7/1"
    assert not {"R0", "Y7"} & set(made.match.view(0).hand)
    made = table("null-nichtig", FOUR, choices={"Jan": "R0,Y7,L1"}, hands={"Jan": "R0 R0"})
    assert made.match.view(0).hand.count("R0") == 1


@pytest.mark.parametrize(("seats", "lays"), [(4, 3), (6, 2)])
def test_n2_every_choice_is_listed_once(seats: int, lays: int) -> None:
    """N2: any cards, inside a colour in any order; colours in deck order, twins as one."""
    made = table("null-nichtig", "J B C D E F"[: 2 * seats], hands={"J": "R0 R0 R7 L0 L0"})
    deal = made.match.rounds[0].deal
    match = stichwerk.game("null-nichtig", seats=seats).new(deals=[deal])
    hand = match.view(0).hand
    assert hand.count("R0") == hand.count("L0") == 2
    possible = {",".join(sorted(cards, key=deck_colour)) for cards in permutations(hand, lays)}
    listed = [move.text for move in match.moves(0)]
    assert len(listed) == len(possible)
    assert set(listed) == possible


def test_six_seats_lay_out_two() -> None:
    """Variant for six: ten cards each, two of them laid out."""
    made = table("null-nichtig", "A B C D E F", choices={"A": "R9,R3"})
    assert made.piles("A") == "R3/2"
    assert made.view.hand_sizes == (8,) * 6


# -- Playing ---------------------------------------------------------------------------------------


def test_n8_any_card_may_be_played() -> None:
    """N8: no duty to follow, and twins are one move."""
    made = table("null-nichtig", FOUR, hands={"Laura": "R5 Y5 G5 B5 L5 L0 L0"}, plays="Jan R4")
    hand = made.match.view(1).hand
    assert len(hand) == 10
    assert hand.count("L0") == 2
    assert made.may("Laura") == " ".join(dict.fromkeys(hand))


def test_left_neighbour_is_next_and_play_goes_clockwise() -> None:
    made = table("null-nichtig", FOUR, plays="Lukas R4", starter="Lukas")
    assert made.next == "Hannah"
    made = table("null-nichtig", FOUR, plays="Lukas R4, Hannah Y4", starter="Lukas")
    assert made.next == "Jan"


# -- Who gets the trick, and how it is collected ---------------------------------------------------


def test_n_a_jan_collects_the_trick_of_the_book() -> None:
    """N-a: Jan has piles R[3], B, G; Y9, L2, Y0, R6 → Jan takes, lays Y9, L2, Y0, R6: tops Y0, L2,
    R6; five piles; Jan leads."""
    made = table(
        "null-nichtig",
        FOUR,
        choices={"Jan": "R3,G8,B5"},
        plays="Jan Y9, Laura L2, Lukas Y0, Hannah R6",
    )
    assert made.last_trick == ("Jan", "Y9 L2 Y0 R6")
    assert made.piles("Jan") == "R6/2 Y0/2 G8/1 B5/1 L2/1"
    assert made.tricks("Jan") == 1
    assert made.next == "Jan"


CLOCKWISE: list[dict[str, Any]] = [{}, {"collect": "clockwise"}, {"rules": 1}]
PLAYED: list[dict[str, Any]] = [{"collect": "played"}]


def n_b(order: str, **options: Any) -> Table:
    """Return case N-b, seats 0 to 3; seat 2 has no red and no yellow pile."""
    laid = {"s2": "G1,B1,L1"}
    return table("null-nichtig", "s0 s1 s2 s3", choices=laid, plays=order, **options)


@pytest.mark.parametrize("options", CLOCKWISE, ids=str)
def test_n_b_winner_lays_their_own_card_first_then_clockwise(options: dict[str, Any]) -> None:
    """N-b, N1: R5, R2, Y9, R7 → seat 2; laid Y9, R7, R5, R2; red top 2."""
    made = n_b("s0 R5, s1 R2, s2 Y9, s3 R7", **options)
    assert made.last_trick == ("s2", "R5 R2 Y9 R7")
    assert made.piles("s2") == "R2/3 Y9/1 G1/1 B1/1 L1/1"
    assert laid_order(made) == "Y9 R7 R5 R2"
    assert made.next == "s2"


def test_n_e_winner_lays_their_own_card_first_then_all_others_as_played() -> None:
    """N-e, N1: N-b with `collect=played`: laid Y9, R5, R2, R7; red top 7."""
    made = n_b("s0 R5, s1 R2, s2 Y9, s3 R7", collect="played")
    assert made.last_trick == ("s2", "R5 R2 Y9 R7")
    assert made.piles("s2") == "R7/3 Y9/1 G1/1 B1/1 L1/1"
    assert laid_order(made) == "Y9 R5 R2 R7"
    assert made.next == "s2"


def laid_order(made: Table) -> str:
    """Return the cards of the last trick in the order in which its winner laid them."""
    trick: Any = made.view.table["last_trick"]
    return " ".join(trick["cards"][one["play"]] for one in trick["collected"])


@pytest.mark.parametrize("options", CLOCKWISE, ids=str)
def test_n1_cards_after_the_winner_go_below_those_before(options: dict[str, Any]) -> None:
    """N1: the card played right before the winner's is on top, also when the last seat wins."""
    assert n_b("s0 R7, s1 R8, s2 R9, s3 R2", **options).piles("s2").startswith("R8/4 ")
    assert n_b("s0 Y7, s1 R3, s2 Y9, s3 R6", **options).piles("s2").startswith("R3/2 Y7/2 ")


def test_n1_as_played_the_last_card_is_on_top() -> None:
    assert n_b("s0 R7, s1 R8, s2 R9, s3 R2", collect="played").piles("s2").startswith("R2/4 ")
    made = n_b("s0 Y7, s1 R3, s2 Y9, s3 R6", collect="played")
    assert made.piles("s2").startswith("R6/2 Y7/2 ")


@pytest.mark.parametrize("options", [*CLOCKWISE, *PLAYED], ids=str)
@pytest.mark.parametrize(
    ("plays", "taker", "laid"),
    [
        ("s0 R7, s1 R8, s2 R5, s3 R9", "s3", "R9 R7 R8 R5"),  # the last seat wins
        ("s0 R9, s1 R8, s2 R5, s3 R7", "s0", "R9 R8 R5 R7"),  # the leader wins
        ("s0 R0, s1 R0, s2 L0, s3 B0", "s0", "R0 R0 L0 B0"),
    ],
)
def test_n1_both_agree_if_the_leader_or_the_last_seat_wins(
    plays: str, taker: str, laid: str, options: dict[str, Any]
) -> None:
    made = table("null-nichtig", "s0 s1 s2 s3", choices={taker: "G1,B1,L1"}, plays=plays, **options)
    assert made.last_trick[0] == taker
    assert laid_order(made) == laid


def test_n1_while_a_trick_is_open_its_order_is_shown() -> None:
    """Seat 2 would win so far: first its card, then clockwise past the leader, or as played."""
    open_trick = "s1 R5, s2 Y9, s3 R7"
    for options, order in [(one, [1, 2, 0]) for one in CLOCKWISE] + [(PLAYED[0], [1, 0, 2])]:
        made = n_b(open_trick, starter="s1", **options)
        assert made.view.table["order"] == order


def test_n1_the_option_belongs_to_version_2() -> None:
    assert stichwerk.game("null-nichtig").options["collect"] == "clockwise"
    assert "collect" not in stichwerk.game("null-nichtig", rules=1).options
    for wrong in ({"rules": 1, "collect": "clockwise"}, {"collect": "left"}, {"collect": None}):
        with pytest.raises(BadOptionError):
            stichwerk.game("null-nichtig", **wrong)


def test_n_c_among_zeros_the_first_wins() -> None:
    """N-c, N6: L0, R0, Y0 → first."""
    made = table("null-nichtig", "A B C", plays="A L0, B R0, C Y0")
    assert made.last_trick == ("A", "L0 R0 Y0")
    assert made.next == "A"


def test_n_d_among_equal_numbers_the_first_wins() -> None:
    """N-d, N6: R4, B11, G11 → second."""
    made = table("null-nichtig", "A B C", plays="A R4, B B11, C G11")
    assert made.last_trick == ("B", "R4 B11 G11")
    assert made.next == "B"


def test_highest_number_wins_whatever_its_colour() -> None:
    assert table("null-nichtig", "A B C", plays="A R4, B R5, C L6").last_trick[0] == "C"
    assert table("null-nichtig", "A B C", plays="A R6, B R5, C L4").last_trick[0] == "A"
    assert table("null-nichtig", "A B C", plays="A R0, B R0, C L1").last_trick[0] == "C"


def test_n7_top_card_and_height_of_every_pile_are_seen_by_all() -> None:
    """N7: top card and pile size; colours without a pile are empty."""
    made = table(
        "null-nichtig", FOUR, choices={"Jan": "R3,R9,B5", "Laura": "G0,G0,G7"}, plays="Jan Y1"
    )
    for seat in (None, 0, 3):
        shown: Any = made.match.view(seat).table["piles"]
        red, blue = {"top": "R9", "size": 2}, {"top": "B5", "size": 1}
        assert shown[0] == [red, None, None, blue, None]
        assert shown[1] == [None, None, {"top": "G7", "size": 3}, None, None]


# -- The end of the round --------------------------------------------------------------------------


def referee(one: Round, collect: str) -> list[dict[str, list[int]]]:
    """Return every seat's piles at the end of a round, by the book alone."""
    seats = len(one.hands)
    piles: list[dict[str, list[int]]] = [{} for _ in range(seats)]

    def pile_up(seat: int, card: str) -> None:
        piles[seat].setdefault(card[0], []).append(int(card[1:]))

    for seat, choice in enumerate(one.choices):
        for card in choice.split(","):
            pile_up(seat, card)
    leader = one.starter
    for trick in one.tricks:
        played = dict(trick.plays)
        order = [(leader + step) % seats for step in range(seats)]
        assert [seat for seat, _ in trick.plays] == order
        leader = max(order, key=lambda seat: int(played[seat][1:]))  # max keeps the first of equals
        assert trick.taker == leader
        laid = [(leader + step) % seats for step in range(seats)]
        if collect == "played":
            laid = [leader, *[seat for seat in order if seat != leader]]
        for seat in laid:
            pile_up(leader, played[seat])
    return piles


@pytest.mark.parametrize("options", [*CLOCKWISE[1:], *PLAYED], ids=str)
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_only_the_top_card_of_each_pile_counts(seats: int, options: dict[str, Any]) -> None:
    """Whole matches: the sum of the top cards, as many rounds as seats, most points win."""
    for seed in range(4):
        match = random_match("null-nichtig", seats, seed, **options)
        rounds = rounds_of(match)
        assert len(rounds) == seats == match.view(None).rounds
        for one in rounds:
            end = referee(one, options.get("collect", "clockwise"))
            tops = [sum(pile[-1] for pile in piles.values()) for piles in end]
            assert list(one.scores) == tops
        totals = [sum(one.scores[seat] for one in rounds) for seat in range(seats)]
        assert match.totals == tuple(totals)
        assert match.ranking is not None
        best_first = sorted(set(totals), reverse=True)
        levels = [[seat for seat in range(seats) if totals[seat] == total] for total in best_first]
        assert [list(group) for group in match.ranking] == levels


def test_n3_fewest_points_of_the_last_round_start_the_next() -> None:
    """N3: of the last round, not of all; in played matches too."""
    rules = stichwerk.game("null-nichtig", seats=4).rules
    assert rules.next_starter(0, [(30, 20, 10, 25)]) == 2
    assert rules.next_starter(0, [(30, 20, 10, 25), (9, 20, 30, 25)]) == 0
    for seed in range(6):
        rounds = rounds_of(random_match("null-nichtig", 4, seed))
        for one, following in pairwise(rounds):
            assert one.scores[following.starter] == min(one.scores)


def test_n3_tied_the_first_clockwise_from_the_last_starter_inclusive() -> None:
    rules = stichwerk.game("null-nichtig", seats=4).rules
    tied = [(10, 20, 10, 25)]
    assert [rules.next_starter(starter, tied) for starter in range(4)] == [0, 2, 2, 0]
    assert [rules.next_starter(starter, [(7, 7, 7, 7)]) for starter in range(4)] == [0, 1, 2, 3]


def test_a2_starter_is_drawn_or_fixed() -> None:
    """A2: `starter` names a seat, otherwise it is drawn."""
    free = stichwerk.game("null-nichtig", seats=4)
    assert {free.new(seed=seed).view(None).starter for seed in range(40)} == {0, 1, 2, 3}
    for seat in range(4):
        fixed = stichwerk.game("null-nichtig", seats=4, starter=seat)
        for seed in range(5):
            assert fixed.new(seed=seed).view(None).starter == seat


# -- The end of the match --------------------------------------------------------------------------


def test_n4_without_a_target_as_many_rounds_as_seats() -> None:
    for seats in (3, 4, 5, 6):
        rules = stichwerk.game("null-nichtig", seats=seats).rules
        high = [(200,) * seats]
        assert not rules.match_over(high * (seats - 1))
        assert rules.match_over(high * seats)


def test_n4_with_a_target_until_someone_is_above_it() -> None:
    """N4: exactly the target is not above it."""
    rules = stichwerk.game("null-nichtig", seats=3, target=100).rules
    assert not rules.match_over([(50, 20, 10), (50, 20, 10)])
    assert rules.match_over([(50, 20, 10), (51, 20, 10)])
    assert rules.match_over([(10, 20, 50), (10, 20, 51)])
    assert not rules.match_over([(30, 30, 30)] * 3)


@pytest.mark.parametrize("target", [1, 45, 100])
def test_n4_played_matches_end_right_after_the_target_is_passed(target: int) -> None:
    for seed in range(3):
        match = random_match("null-nichtig", 4, seed, target=target)
        before = [sum(points[seat] for points in match.scores[:-1]) for seat in range(4)]
        assert max(before) <= target < max(match.totals)
        assert match.ranking is not None
        assert match.totals[match.ranking[0][0]] == max(match.totals)


def test_n4_target_match_ends_at_the_latest_after_round_64() -> None:
    rules = stichwerk.game("null-nichtig", seats=3, target=500).rules
    assert rules.most_rounds() == 64
    assert not rules.match_over([(1, 1, 1)] * 63)
    assert rules.match_over([(1, 1, 1)] * 64)


def test_n4_target_domain_is_1_to_500() -> None:
    for target in (None, 1, 100, 500):
        assert stichwerk.game("null-nichtig", target=target).options["target"] == target
    for wrong in (0, 501, -1):
        with pytest.raises(BadOptionError):
            stichwerk.game("null-nichtig", target=wrong)


def test_a1_level_totals_share_the_rank() -> None:
    """A1: nobody breaks a tie that the book does not break."""
    rules = stichwerk.game("null-nichtig", seats=4).rules
    assert rules.ranking([(10, 20, 20, 5), (10, 10, 10, 30)]) == [[3], [1, 2], [0]]
    assert rules.ranking([(9, 9, 9, 9)]) == [[0, 1, 2, 3]]


# -- Teams -----------------------------------------------------------------------------------------


def test_n5_two_teams_of_two_sit_alternately() -> None:
    """N5: seats 0 and 2 against 1 and 3, points added at the end."""
    rules = stichwerk.game("null-nichtig", seats=4, teams=2).rules
    assert rules.ranking([(40, 0, 5, 44)]) == [[0, 2], [1, 3]]
    assert rules.ranking([(10, 0, 5, 44), (10, 5, 5, 0)]) == [[1, 3], [0, 2]]
    assert rules.ranking([(10, 15, 10, 5)]) == [[0, 1, 2, 3]]


def test_n5_six_seats_two_teams_of_three_or_three_of_two() -> None:
    two = stichwerk.game("null-nichtig", seats=6, teams=2).rules
    assert two.ranking([(50, 1, 0, 30, 0, 30)]) == [[1, 3, 5], [0, 2, 4]]
    three = stichwerk.game("null-nichtig", seats=6, teams=3).rules
    assert three.ranking([(50, 1, 0, 30, 0, 30)]) == [[0, 3], [2, 5], [1, 4]]
    assert three.ranking([(10, 1, 10, 0, 0, 0)]) == [[0, 2, 3, 5], [1, 4]]


def test_n5_without_teams_everyone_ranks_alone() -> None:
    rules = stichwerk.game("null-nichtig", seats=4).rules
    assert rules.ranking([(40, 0, 5, 44)]) == [[3], [0], [2], [1]]


def test_n5_with_a_target_single_seats_count() -> None:
    """N5: a team above the target together does not end the match; totals stay per seat."""
    rules = stichwerk.game("null-nichtig", seats=4, teams=2, target=60).rules
    assert not rules.match_over([(60, 10, 60, 10)])
    assert rules.match_over([(0, 61, 0, 0)])
    match = random_match("null-nichtig", 4, 3, teams=2)
    both = [match.totals[0] + match.totals[2], match.totals[1] + match.totals[3]]
    assert match.ranking is not None
    winners = match.ranking[0]
    assert winners == ((0, 2) if both[0] > both[1] else (1, 3))


def test_n5_teams_only_where_they_fit() -> None:
    allowed: dict[int, set[int | None]] = {3: {None}, 4: {None, 2}, 5: {None}, 6: {None, 2, 3}}
    for seats, values in allowed.items():
        for teams in (None, 2, 3, 4):
            if teams in values:
                assert (
                    stichwerk.game("null-nichtig", seats=seats, teams=teams).options["teams"]
                    == teams
                )
            else:
                with pytest.raises(BadOptionError):
                    stichwerk.game("null-nichtig", seats=seats, teams=teams)


def test_a3_all_that_was_public_stays_in_the_history() -> None:
    """A3: a spectator's history holds every play and laid card of every round, but no hand."""
    match = random_match("null-nichtig", 3, 8)
    history = match.view(None).history
    assert [event for event in match.events if event.to is None] == list(history)
    plays = [event.move for event in history if event.kind == "play"]
    assert len(plays) == 3 * 3 * 10
    assert all(re.fullmatch("[RYGBL][0-9]+", move) for move in plays)
    assert sum(event.kind == "revealed" for event in history) == 3
    assert not [event for event in history if event.kind in ("hand", "choice")]
