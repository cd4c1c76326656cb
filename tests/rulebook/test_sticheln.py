"""Sticheln by the book."""

from typing import Any

import pytest

import stichwerk
from stichwerk.errors import BadOptionError
from tests.rulebook.table import Round, Table, random_match, rounds_of, table

FOUR = "Mia Jakob Greta Linus"
SIX = ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn"]
PAIN = {"Mia": "Y2", "Jakob": "R0", "Greta": "B1", "Linus": "B5"}


def trick(*cards: str, **options: Any) -> Table:
    """Play one trick, led by the first of as many players as there are cards."""
    players = SIX[: len(cards)]
    plays = ", ".join(f"{name} {card}" for name, card in zip(players, cards, strict=True))
    return table("sticheln", " ".join(players), plays=plays, **options)


# -- What is needed --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "colours", "highest", "cards"),
    [(3, "RYGBL", 8, 45), (4, "RYGBL", 11, 60), (5, "RYGBL", 14, 75), (6, "RYGBLS", 14, 90)],
)
def test_s1_deck_by_seats(seats: int, colours: str, highest: int, cards: int) -> None:
    """S1: with four 0-11, not 0-13; everything is dealt, 15 each, 14 tricks after the pain card."""
    setting = stichwerk.game("sticheln", seats=seats)
    deck = [f"{colour}{value}" for colour in colours for value in range(highest + 1)]
    assert list(setting.rules.deck.texts) == deck
    assert len(deck) == cards
    for one in rounds_of(random_match("sticheln", seats, seed=seats, rounds=2)):
        assert sorted(card for hand in one.hands for card in hand) == sorted(deck)
        assert [len(hand) for hand in one.hands] == [15] * seats
        assert one.stock == 0
        assert len(one.tricks) == 14


# -- The pain colour -------------------------------------------------------------------------------


def test_pain_cards_are_laid_face_down_and_turned_up_together() -> None:
    match = stichwerk.game("sticheln", seats=4).new(seed=3, names=FOUR.split())
    assert match.view(None).phase == "pain"
    assert list(match.waiting_for) == [0, 1, 2, 3]
    assert [move.text for move in match.moves(1)] == list(match.view(1).hand)
    cards = [match.view(seat).hand[seat] for seat in range(4)]
    for seat in (3, 1, 0):
        match.play(seat, cards[seat])
    assert list(match.waiting_for) == [2]
    assert match.view(1).table == {"pain": None, "pain_colours": None}
    assert match.view(1).mine["pain"] == cards[1]
    assert match.view(2).mine == {}
    assert match.view(None).hand_sizes == (15,) * 4
    match.play(2, cards[2])
    assert match.view(None).table["pain"] == cards
    assert match.view(None).hand_sizes == (14,) * 4
    assert cards[1] not in match.view(1).hand


def test_two_may_have_the_same_pain_colour() -> None:
    """Mia yellow, Jakob red, Greta and Linus both blue."""
    made = table("sticheln", FOUR, choices=PAIN)
    assert made.view.table["pain"] == ["Y2", "R0", "B1", "B5"]


# -- Playing ---------------------------------------------------------------------------------------


def test_n8_any_card_may_be_played() -> None:
    """N8: there is no duty to follow."""
    made = table("sticheln", FOUR, hands={"Jakob": "R5 Y5 G5 B5 L5"}, plays="Mia B3")
    assert made.may("Jakob") == " ".join(made.match.view(1).hand)
    assert len(made.match.moves(1)) == 14


def test_play_goes_clockwise() -> None:
    made = table("sticheln", FOUR, plays="Linus B3, Mia B4", starter="Linus")
    assert made.next == "Jakob"


# -- Who wins the trick: the three tricks of the book ----------------------------------------------


def test_s_a_only_the_led_colour_counts_and_zeros_are_ignored() -> None:
    """S-a: Mia B3, Jakob B10, Greta Y0, Linus B7 → Jakob."""
    made = table("sticheln", FOUR, choices=PAIN, plays="Mia B3, Jakob B10, Greta Y0, Linus B7")
    assert made.last_trick == ("Jakob", "B3 B10 Y0 B7")
    assert made.next == "Jakob"


def test_s_b_highest_of_the_other_colours() -> None:
    """S-b: Jakob Y9, Greta G5, Linus R6, Mia B4 → Linus."""
    made = table(
        "sticheln",
        FOUR,
        choices=PAIN,
        plays="Jakob Y9, Greta G5, Linus R6, Mia B4",
        starter="Jakob",
    )
    assert made.last_trick == ("Linus", "Y9 G5 R6 B4")
    assert made.next == "Linus"


def test_s_c_among_equals_the_first_played() -> None:
    """S-c: Linus G11, Mia R5, Jakob Y5, Greta G8 → Mia."""
    made = table(
        "sticheln",
        FOUR,
        choices=PAIN,
        plays="Linus G11, Mia R5, Jakob Y5, Greta G8",
        starter="Linus",
    )
    assert made.last_trick == ("Mia", "G11 R5 Y5 G8")
    assert made.next == "Mia"


def test_s_abc_in_one_round() -> None:
    """The book's three tricks follow one another: each winner leads to the next."""
    made = table(
        "sticheln",
        FOUR,
        choices=PAIN,
        plays="Mia B3, Jakob B10, Greta Y0, Linus B7,"
        "Jakob Y9, Greta G5, Linus R6, Mia B4,"
        "Linus G11, Mia R5, Jakob Y5, Greta G8",
    )
    takers = [event.seat for event in made.events("trick")]
    assert [made.names[seat or 0] for seat in takers] == ["Jakob", "Linus", "Mia"]
    assert made.view.taken == (1, 1, 0, 1)
    assert made.next == "Mia"


# -- Scoring: the two results of the book ----------------------------------------------------------


def ducking(made: Table, who: str) -> None:
    """Play the round to its end: this player plays low, all others high and off the led colour."""
    while made.match.waiting_for:
        seat = made.match.waiting_for[0]
        hand = list(made.match.view(seat).hand)
        led = made.view.tricks[0].led if made.view.tricks else ""
        if made.names[seat] == who:
            card = min(hand, key=lambda card: int(card[1:]))
        else:
            card = max(hand, key=lambda card: (card[0] != led, int(card[1:])))
        made.match.play(seat, card)


def test_s_d_mia_scores_minus_5() -> None:
    """S-d: Mia (pain Y2) took Y5, Y4 and six others → −5."""
    made = table(
        "sticheln",
        FOUR,
        choices=PAIN,
        hands={"Mia": "G0 B0 L0 R1 Y1 G1 L1 R2 G2 B2 L2"},
        plays="Greta Y5, Linus L3, Mia R11, Jakob L4,"
        "Mia Y0, Jakob L5, Greta L6, Linus L7,"
        "Linus Y4, Mia G11, Jakob L8, Greta R10",
        starter="Greta",
    )
    ducking(made, "Mia")
    assert made.takings("Mia") == "Y5 L3 R11 L4 Y4 G11 L8 R10"
    assert made.score("Mia") == -(2 + 5 + 4) + 6 == -5


def test_s_e_jakob_scores_2() -> None:
    """S-e: Jakob (pain R0) took R2, R4, R1 and nine others → +2."""
    made = table(
        "sticheln",
        FOUR,
        choices=PAIN,
        hands={"Jakob": "B0 L0 Y1 G1 L1 G2 B2 L2 B3"},
        plays="Mia R2, Jakob G11, Greta L3, Linus L4,"
        "Jakob Y0, Greta Y3, Linus Y4, Mia L9,"
        "Mia R4, Jakob B11, Greta L5, Linus L6,"
        "Jakob G0, Greta G3, Linus G4, Mia L8,"
        "Mia R1, Jakob Y11, Greta L7, Linus B4",
    )
    ducking(made, "Jakob")
    assert made.takings("Jakob") == "R2 G11 L3 L4 R4 B11 L5 L6 R1 Y11 L7 B4"
    assert made.score("Jakob") == -(0 + 2 + 4 + 1) + 9 == 2


# -- Zeros -----------------------------------------------------------------------------------------


def test_s_f_a_trick_of_zeros_goes_to_nobody() -> None:
    """S-f, S3: R0 G0 B0 → nobody; the cards are out of play, the same seat leads again."""
    made = trick("R0", "G0", "B0")
    assert made.last_trick == (None, "R0 G0 B0")
    assert made.view.taken == (0, 0, 0)
    assert made.view.tricks == ()
    assert made.next == "Ada"
    assert made.may("Ada").split() == list(made.match.view(0).hand)


def test_s3_the_leader_takes_a_trick_of_zeros_with_the_option() -> None:
    """S3, `all_zero` = `leader`: the leader takes it and leads again."""
    made = trick("R0", "G0", "B0", all_zero="leader")
    assert made.last_trick == ("Ada", "R0 G0 B0")
    assert made.view.taken == (1, 0, 0)
    assert made.next == "Ada"
    second = table(
        "sticheln",
        "Ada Ben Cleo",
        plays="Cleo R0, Ada G0, Ben B0",
        starter="Cleo",
        all_zero="leader",
    )
    assert second.last_trick[0] == second.next == "Cleo"


@pytest.mark.parametrize(("all_zero", "points"), [("nobody", 0), ("leader", 3)])
def test_s3_zeros_out_of_play_count_for_nobody(all_zero: str, points: int) -> None:
    """S3, S4: with `leader` they count like any card: 0 in the seat's pain colour, 1 in any other.

    Ada (pain R1) leads R0 and takes nothing else: −1 for the pain card, and the zeros.
    """
    made = table(
        "sticheln",
        "Ada Ben Cleo Dan",
        choices={"Ada": "R1"},
        hands={"Ada": "L0 Y1 G1 B1 L1 R2 Y2 G2 B2 L2 R3 Y3 G3"},
        plays="Ada R0, Ben G0, Cleo B0, Dan Y0",
        all_zero=all_zero,
    )
    ducking(made, "Ada")
    assert made.takings("Ada") == ("R0 G0 B0 Y0" if all_zero == "leader" else "")
    assert made.score("Ada") == points - 1


def test_s2_a_led_zero_names_the_start_colour() -> None:
    """S2: its colour is the start colour, and it cannot win itself."""
    assert trick("B0", "B4", "B7").last_trick[0] == "Cleo"
    assert trick("B0", "R1", "B7").last_trick[0] == "Ben"
    assert trick("B0", "B1", "R0").last_trick[0] == "Ben"


def test_s_g_zero_led_another_colour_beats_its_colour() -> None:
    """S-g: B0, R0, G3, B9 → G3."""
    assert trick("B0", "R0", "G3", "B9").last_trick == ("Cleo", "B0 R0 G3 B9")


def test_s_h_the_only_card_that_is_no_zero_wins() -> None:
    """S-h: B0, R0, Y0, B1 → B1."""
    made = trick("B0", "R0", "Y0", "B1")
    assert made.last_trick == ("Dan", "B0 R0 Y0 B1")
    assert made.next == "Dan"


def test_s_i_zero_of_the_pain_colour_counts_nothing() -> None:
    """S-i, S4: pain R1, took 16 cards with R0, R2, R8 → +2."""
    made = table(
        "sticheln",
        FOUR,
        choices={"Jakob": "R1"},
        hands={"Jakob": "L0 Y1 G1 B1 L1 Y2 G2"},
        plays="Mia R8, Jakob G11, Greta R0, Linus L4,"
        "Jakob Y0, Greta Y3, Linus Y4, Mia L9,"
        "Mia R2, Jakob B11, Greta L3, Linus L5,"
        "Jakob G0, Greta G3, Linus G4, Mia L8,"
        "Mia L10, Jakob Y11, Greta L6, Linus L7,"
        "Jakob B0, Greta B3, Linus B4, Mia Y8,"
        "Mia G9, Jakob L11, Greta G5, Linus G6",
    )
    ducking(made, "Jakob")
    cards = made.takings("Jakob").split()
    assert len(cards) == 16
    assert {card for card in cards if card[0] == "R"} == {"R0", "R2", "R8"}
    assert made.score("Jakob") == -(1 + 0 + 2 + 8) + 13 == 2


def test_s4_zero_of_another_colour_brings_a_point() -> None:
    """S4: Mia (pain Y2) takes one trick with Y0 and G0: Y0 nothing, three others 1 each."""
    made = table(
        "sticheln",
        FOUR,
        choices=PAIN,
        hands={"Mia": "B0 L0 R1 Y1 G1 L1 R2 G2 B2 L2 R3 G3 L3"},
        plays="Jakob Y0, Greta G0, Linus R4, Mia L11",
        starter="Jakob",
    )
    ducking(made, "Mia")
    assert made.takings("Mia") == "Y0 G0 R4 L11"
    assert made.score("Mia") == -2 + 3


def test_s_j_a_later_equal_loses_a_higher_one_wins() -> None:
    """S-j: Y3, G3, then B3 loses and any non-yellow above 3 wins."""
    assert trick("Y3", "G3", "B3").last_trick[0] == "Ben"
    for card in ("R4", "G4", "B5", "L8"):
        assert trick("Y3", "G3", card).last_trick[0] == "Cleo"
    for card in ("Y4", "Y8", "R2", "L0"):
        assert trick("Y3", "G3", card).last_trick[0] == "Ben"


def test_a_low_card_of_another_colour_beats_the_highest_of_the_led_one() -> None:
    assert trick("Y11", "Y10", "R1", "Y9").last_trick[0] == "Cleo"
    assert trick("Y14", "R1", "S2", "Y13", "S0", "B2").last_trick[0] == "Cleo"


# -- The match -------------------------------------------------------------------------------------


def referee(one: Round, leader_takes_zeros: bool) -> list[int]:
    """Return the scores of a round, by the book alone."""
    seats = len(one.hands)
    won: list[list[str]] = [[pain] for pain in one.choices]
    leader = one.starter
    for taken in one.tricks:
        assert [seat for seat, _ in taken.plays] == [(leader + at) % seats for at in range(seats)]
        counting = [(seat, card) for seat, card in taken.plays if card[1:] != "0"]
        others = [play for play in counting if play[1][0] != taken.plays[0][1][0]] or counting
        taker = max(others, key=lambda play: int(play[1][1:]))[0] if others else None
        if taker is None and leader_takes_zeros:
            taker = leader
        assert taken.taker == taker
        if taker is not None:
            won[taker] += [card for _, card in taken.plays]
            leader = taker
    return [sum(-int(card[1:]) if card[0] == cards[0][0] else 1 for card in cards) for cards in won]


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("all_zero", ["nobody", "leader"])
def test_whole_matches(seats: int, all_zero: str) -> None:
    """S5: as many rounds as seats, each starts once, the starter moves left; most points win."""
    match = random_match("sticheln", seats, seed=seats, all_zero=all_zero)
    rounds = rounds_of(match)
    first = rounds[0].starter
    assert [one.starter for one in rounds] == [(first + at) % seats for at in range(seats)]
    for one in rounds:
        assert list(one.scores) == referee(one, all_zero == "leader")
    totals = [sum(one.scores[seat] for one in rounds) for seat in range(seats)]
    assert match.totals == tuple(totals)
    assert match.ranking is not None
    assert [totals[group[0]] for group in match.ranking] == sorted(set(totals), reverse=True)


def test_s5_rounds_are_an_option() -> None:
    """S5: `rounds` 1-12, as many as seats if nothing is said."""
    for seats in (3, 4, 5, 6):
        setting = stichwerk.game("sticheln", seats=seats)
        assert setting.options["rounds"] == setting.rules.most_rounds() == seats
    for rounds in (1, 2, 7, 12):
        match = random_match("sticheln", 3, seed=rounds, rounds=rounds)
        assert len(match.scores) == match.view(None).rounds == rounds
        assert match.over
    for wrong in (0, 13, None):
        with pytest.raises(BadOptionError):
            stichwerk.game("sticheln", rounds=wrong)


def test_a1_level_totals_share_the_rank() -> None:
    """A1: level totals are a shared victory; less than nothing is still compared."""
    rules = stichwerk.game("sticheln", seats=4).rules
    assert rules.ranking([(-5, 2, -9, 2), (0, 1, -2, 1)]) == [[1, 3], [0], [2]]


def test_a2_starter_is_drawn_or_fixed() -> None:
    """A2: `starter` names a seat, otherwise it is drawn."""
    free = stichwerk.game("sticheln", seats=5)
    assert {free.new(seed=seed).view(None).starter for seed in range(60)} == set(range(5))
    for seat in range(5):
        fixed = stichwerk.game("sticheln", seats=5, starter=seat).new(seed=1)
        assert fixed.view(None).starter == seat
        for other in range(5):
            fixed.play(other, fixed.view(other).hand[0])
        assert fixed.waiting_for == (seat,)


def test_a3_taken_tricks_stay_in_the_history() -> None:
    """A3: every seat's history holds every trick of every round."""
    match = random_match("sticheln", 3, 4, rounds=2)
    for seat in (None, 0, 2):
        history = match.view(seat).history
        assert sum(event.kind == "trick" for event in history) == 2 * 14
