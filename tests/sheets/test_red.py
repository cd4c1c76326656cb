"""The red sheets: how tricks are played."""

from typing import cast

import pytest

import stichwerk
from stichwerk.engine.generator import Generator
from stichwerk.view import knowledge, sample
from tests.sheets.desk import FOUR, desk, play_round, played, rounds, run_on

pytestmark = pytest.mark.game("stichtag")

# -- Red 0 in version 1 of the rules: trump of the round; version 2 is in test_trump_choice.py -----


def test_red_0_the_drawn_colour_is_trump() -> None:
    made = desk("red 0", "Ada G9, Ben R8, Cem B0", rules=1, trump="B")
    assert made.fact("trump") == "B"
    assert made.trick == ("Cem", "G9 R8 B0")
    assert desk("red 0", "Ada G9, Ben R8, Cem B0", rules=1, trump="S").winner == "Ada"
    assert desk("red 0", "Ada G9, Ben R8, Cem B0", rules=1, trump="R").winner == "Ben"


def test_red_0_trump_does_not_free_from_following() -> None:
    made = desk("red 0", "Ada G9", hands={"Ben": "G1 B8"}, rules=1, trump="B")
    assert made.objection("Ben", "B8") == "must-follow"


def test_red_0_all_six_colours_are_drawn_anew_each_round_and_lie_open() -> None:
    drawn = set()
    for seed in range(40):
        match = stichwerk.game("stichtag", 3, rules=1, sheets=["red 0"]).new(seed=seed)
        drawn.add(match.view(None).table["trump"])
        trumps = [event for event in match.view(None).history if event.kind == "trump"]
        assert [event.move for event in trumps] == [match.view(None).table["trump"]]
    assert drawn == set("RYGBLS")
    made = rounds("red 0", (4, 4, 4), (4, 4, 4), rules=1, trump="R")
    play_round(made, (4, 4, 4))
    assert len(made.events("trump")) == 2


# -- Red 1: face down ------------------------------------------------------------------------------


def test_red_1_leader_names_the_colour_then_all_choose_at_once() -> None:
    """The example of the sheet: G4, G7, R1."""
    made = desk("red 1", "Ada G4", hands={"Ben": "G7", "Cem": "R1"}, without={"Cem": "G"})
    assert made.fact("named") == "G"
    assert made.waiting == "Ben Cem"
    made.play("Cem R1")
    assert made.waiting == "Ben"
    assert not [trick for trick in made.view.tricks if trick.plays]
    for seat in (None, 0, 1):
        assert "R1" not in [event.move for event in made.match.view(seat).history]
    made.play("Ben G7")
    assert made.trick == ("Cem", "G4 G7 R1")
    assert made.next == "Cem"
    assert made.fact("named") is None


def test_red_1_the_card_stays_secret_until_all_are_played() -> None:
    made = desk("red 1", "Ada G4")
    assert made.secret("Ada", "face_down") == "G4"
    assert "face_down" not in made.match.view(1).mine
    assert all(event.move != "G4" for event in made.match.view(1).history)
    assert made.objection("Ada", "G5") == "already-chosen"


def test_red_1_duty_to_follow_the_named_colour() -> None:
    made = desk("red 1", "Ada G4", hands={"Ben": "G7 R1", "Cem": "Y2"}, without={"Cem": "G"})
    assert made.objection("Ben", "R1") == "must-follow"
    assert {card[0] for card in made.may("Ben").split()} == {"G"}
    assert made.may("Cem") == made.hand("Cem")


def test_red_1_cards_are_in_clockwise_order_from_the_leader() -> None:
    made = desk("red 1", "Ben G4, Ada G7, Cem G1", starter="Ben")
    assert made.trick == ("Ada", "G4 G1 G7")
    plays = [(event.seat, event.move) for event in made.events("play")]
    assert plays == [(1, "G4"), (2, "G1"), (0, "G7")]
    assert made.match.rounds[0].plays == [[1, "G4"], [2, "G1"], [0, "G7"]]


def test_red_1_a_whole_round_of_twelve_tricks() -> None:
    made = played("red 1", (3, 4, 5))
    assert made.scores() == (3, 4, 5)


# -- Red 2: pairs ----------------------------------------------------------------------------------


def test_red_2_values_add_up_and_equal_sums_go_to_the_first() -> None:
    """The example of the sheet: 7, 8 and again 8."""
    made = desk("red 2", "Ada G3+G4, Ben G8, Cem G2+G6")
    assert made.trick == ("Ben", "G3 G4 G8 G2 G6")
    assert desk("red 2", "Ada G3+G4, Ben G8, Cem G9").winner == "Cem"
    assert desk("red 2", "Ada G3+G6, Ben G8, Cem G0+G9").winner == "Ada"
    assert desk("red 2", "Ada G1+G2, Ben G0+G3, Cem R0").winner == "Cem"
    assert desk("red 2", "Ada G3, Ben Y8+Y9, Cem S8+S9").winner == "Ada"


def test_red_2_pairs_are_of_one_colour_and_two_cards_at_most() -> None:
    made = desk("red 2", hands={"Ada": "G3 G4 Y1 Y2"})
    assert made.objection("Ada", "G3+Y1") == "one-colour"
    assert made.objection("Ada", "G3+G4+Y1") == "two-cards"
    assert made.objection("Ada", "G3+G3") == "card-twice"
    assert made.objection("Ada", "G4+G3") is None
    made.play("Ada G4+G3")
    assert made.events("play")[0].move == "G3+G4"


def test_red_2_a_seat_that_can_follow_plays_only_the_led_colour() -> None:
    made = desk("red 2", "Ada G3", hands={"Ben": "G1 G5 Y1 Y2"}, without={"Ben": "G"})
    assert made.may("Ben") == "G1 G5 G1+G5"
    assert made.objection("Ben", "Y1+Y2") == "must-follow"
    assert made.objection("Ben", "Y1") == "must-follow"


def test_red_2_a_single_card_of_the_colour_is_played_alone() -> None:
    made = desk("red 2", "Ada G3+G4", hands={"Ben": "G1 Y1 Y2"}, without={"Ben": "G"})
    assert made.may("Ben") == "G1"


def test_red_2_without_the_colour_any_card_or_pair() -> None:
    hand = "Y1 Y2 Y3 S0 S1 L5 B2 R0 R1 R2 R3 R4"
    made = desk("red 2", "Ada G3+G4", hands={"Ben": hand})
    singles = made.hand("Ben").split()
    pairs = "R0+R1 R0+R2 R0+R3 R0+R4 R1+R2 R1+R3 R1+R4 R2+R3 R2+R4 R3+R4 Y1+Y2 Y1+Y3 Y2+Y3 S0+S1"
    assert made.may("Ben").split() == [*singles, *pairs.split()]


SIX_PAIRS = ", ".join(
    f"Ada {pair}, Ben G{at}, Cem S{at}"
    for at, pair in enumerate(["Y0+Y1", "Y2+Y3", "Y4+Y5", "Y6+Y7", "Y8+Y9", "L0+L1"])
)
PAIR_HANDS = {
    "Ada": "Y0 Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 L0 L1",
    "Ben": "G0 G1 G2 G3 G4 G5 G6 G7 G8 G9 B0 B1",
    "Cem": "S0 S1 S2 S3 S4 S5 S6 S7 S8 S9 R0 R1",
}


def test_red_2_a_seat_without_cards_is_skipped_and_the_next_one_leads() -> None:
    made = desk("red 2", SIX_PAIRS, hands=PAIR_HANDS)
    assert made.trick == ("Ada", "L0 L1 G5 S5")
    assert made.hand("Ada") == ""
    assert made.next == "Ben"
    made.play("Ben G6, Cem S6")
    assert made.trick == ("Ben", "G6 S6")
    made.play("Ben G7, Cem R0")
    assert made.next == "Cem"
    made.play("Cem S7, Ben G8")
    assert made.trick == ("Cem", "S7 G8")


def test_red_2_the_round_ends_when_fewer_than_two_hold_cards() -> None:
    made = desk("red 2", SIX_PAIRS, hands=PAIR_HANDS)
    made.play("Ben G6+G7, Cem S6, Ben G8+G9, Cem S7, Ben B0+B1")
    assert not made.match.scores
    made.play("Cem S8")
    assert made.scores() == (6, 3, 0)  # Cem's S9, R0 and R1 count nothing


def test_red_2_the_round_ends_when_the_last_two_run_out_together() -> None:
    made = desk("red 2", SIX_PAIRS, hands=PAIR_HANDS)
    made.play("Ben G6+G7, Cem S6+S7, Ben G8+G9, Cem S8+S9, Ben B0+B1, Cem R0+R1")
    assert made.scores() == (6, 2, 1)


def test_red_2_the_next_who_has_a_card_may_sit_further_on() -> None:
    """Two in a row without cards: the lead moves on around the table."""
    made = desk(
        "red 2",
        ", ".join(
            f"Ada {pair}, Ben {other}, Cem S{at}"
            for at, (pair, other) in enumerate(
                [
                    ("Y0+Y1", "G0+G1"),
                    ("Y2+Y3", "G2+G3"),
                    ("Y4+Y5", "G4+G5"),
                    ("Y6+Y7", "G6+G7"),
                    ("Y8+Y9", "G8+G9"),
                ]
            )
        ),
        hands=PAIR_HANDS,
    )
    made.play("Ada L0+L1, Ben B0, Cem R0, Cem S5")
    assert made.next == "Ben"


# -- Red 3: consolation ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tricks", "points"),
    [
        ((6, 4, 2), (6, 4, 8)),
        ((4, 4, 4), (4, 4, 4)),
        ((6, 3, 3), (6, 9, 9)),
        ((2, 5, 5), (7, 5, 5)),
    ],
)
def test_red_3_the_last_get_the_best_ones_points_too(
    tricks: tuple[int, ...], points: tuple[int, ...]
) -> None:
    assert played("red 3", tricks).scores() == points


def test_red_3_looks_at_the_round_not_at_the_total() -> None:
    """Line 2."""
    made = played("red 3", (9, 2, 1), (2, 4, 6))
    assert made.match.scores == ((9, 2, 10), (8, 4, 6))


# -- Red 4: announcement ---------------------------------------------------------------------------


def test_red_4_an_exact_announcement_brings_five() -> None:
    answers = {"announce Ada": "3", "announce Ben": "5", "announce Cem": "0"}
    assert played("red 4", (3, 4, 5), answers=answers).scores() == (8, 4, 5)
    answers = {"announce Ada": "0", "announce Ben": "6", "announce Cem": "7"}
    assert played("red 4", (0, 6, 6), answers=answers).scores() == (5, 11, 6)


def test_red_4_from_0_to_12_secretly_and_revealed_together() -> None:
    made = desk("red 4")
    assert made.phase == "announce"
    assert made.waiting == "Ada Ben Cem"
    assert made.may("Ben") == "0 1 2 3 4 5 6 7 8 9 10 11 12"
    made.play("Cem 12, Ada 0")
    assert made.fact("announced") is None
    assert made.secret("Cem", "chosen") == "12"
    assert "chosen" not in made.match.view(1).mine
    assert all(event.move != "12" for event in made.match.view(1).history)
    assert made.objection("Cem", "3") == "already-chosen"
    made.play("Ben 4")
    assert made.fact("announced") == [0, 4, 12]
    assert made.next == "Ada"
    assert made.match.rounds[0].choices == [0, 4, 12]


# -- Red 5: on-off switch --------------------------------------------------------------------------


def test_red_5_a_five_flips_the_switch_after_the_trick() -> None:
    """The example of the sheet: G5, G8, R1."""
    made = desk("red 5", "Ada G5, Ben G8, Cem R1", hands={"Cem": "R7 L1", "Ada": "L2", "Ben": "L5"})
    assert made.winner == "Cem"
    assert made.fact("trump") is None
    made.play("Cem L1, Ada L2, Ben L5")
    assert made.winner == "Ben"
    assert made.fact("trump") == "R"


def test_red_5_off_means_no_trump_at_all() -> None:
    made = desk("red 5", "Ada G5, Ben G8, Cem G0, Ben Y1, Cem R9, Ada S9")
    assert made.winner == "Ben"


def test_red_5_two_fives_flip_once_and_others_do_not() -> None:
    assert desk("red 5", "Ada G5, Ben Y5, Cem G0").fact("trump") is None
    assert desk("red 5", "Ada G4, Ben G6, Cem G0").fact("trump") == "R"


def test_red_5_each_round_starts_on() -> None:
    """Line 6. One trick of the round holds fives."""
    made = rounds("red 5", (4, 4, 4), (4, 4, 4))
    play_round(made, (4, 4, 4))
    assert made.view.round == 2
    assert made.fact("trump") == "R"


# -- Red 6: team partners --------------------------------------------------------------------------


def test_red_6_add_the_partners_own_points() -> None:
    """The example of the sheet."""
    assert played("red 6", (5, 4, 3), partners=[1, 2, 0]).scores() == (9, 7, 8)
    assert played("red 6", (5, 4, 3), partners=[2, 0, 1]).scores() == (8, 9, 7)


def test_red_6_partners_are_secret_until_the_end_of_the_round() -> None:
    made = rounds("red 6", (5, 4, 3), partners=[1, 2, 0])
    assert [made.secret(name, "partner") for name in made.names] == [1, 2, 0]
    partners = [event for event in made.match.view(1).history if event.kind == "partner"]
    assert [(event.seat, event.value) for event in partners] == [(1, 2)]
    assert not [event for event in made.view.history if event.kind.startswith("partner")]
    play_round(made, (5, 4, 3))
    assert made.events("partners")[0].counts == (1, 2, 0)
    assert made.view.history[-2].kind == "partners"


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_red_6_every_seat_is_drawn_once_and_never_by_itself(seats: int) -> None:
    draws = set()
    for seed in range(60):
        match = stichwerk.game("stichtag", seats, sheets=["red 6"]).new(seed=seed)
        ((kind, partners),) = match.rounds[0].deal.specials
        assert kind == "partners"
        assert isinstance(partners, tuple)
        assert sorted(partners) == list(range(seats))
        assert all(partner != seat for seat, partner in enumerate(partners))
        draws.add(partners)
    assert len(draws) == {3: 2, 4: 9, 5: len(draws)}[seats]
    assert len(draws) >= 2


# -- Red 7: veto -----------------------------------------------------------------------------------


def test_red_7_a_struck_card_counts_as_nothing_but_goes_with_the_trick() -> None:
    """The example of the sheet: G4, G9, G6."""
    made = desk("red 7", "Ada G4, Ben G9, Cem G6")
    assert made.phase == "veto"
    assert made.next == "Ada"
    assert made.may("Ada") == "veto 1 veto 2 pass"
    assert made.fact("veto") == 0
    made.play("Ada veto Ben")
    assert made.trick == ("Cem", "G4 G9 G6")
    assert made.tricks("Cem") == 1
    assert made.next == "Cem"
    assert made.fact("veto") == 1


def test_red_7_pass_is_public_and_the_card_stays() -> None:
    hands = {"Ada": "R2", "Ben": "R0", "Cem": "R1"}
    made = desk("red 7", "Ada G4, Ben G9, Cem G6, Ada pass", hands=hands)
    assert made.winner == "Ben"
    assert made.fact("veto") == 0
    assert [(event.seat, event.move) for event in made.view.history if event.kind == "veto"] == [
        (0, "pass")
    ]
    made.play("Ben R0, Cem R1, Ada R2")
    assert made.next == "Ada"
    assert made.phase == "veto"


def test_red_7_the_struck_seat_is_asked_in_the_next_trick() -> None:
    made = desk("red 7", "Ada G4, Ben G9, Cem G6, Ada veto Ben, Cem Y9, Ada Y1, Ben Y2")
    assert made.next == "Ben"
    made.play("Ben veto Cem")
    assert made.winner == "Ben"
    assert made.fact("veto") == 2


def test_red_7_a_struck_lead_still_sets_the_colour() -> None:
    made = desk("red 7", "Ada Y1, Ben G9, Cem Y0, Ada pass")
    assert made.winner == "Ada"
    made = desk("red 7", "Ben Y9, Cem S9, Ada Y0, Ben pass, Ben G9, Cem S8, Ada G1", starter="Ben")
    assert made.next == "Ben"
    made = desk(
        "red 7",
        "Ada L1, Ben L2, Cem L3, Ada veto Cem, Ben G9, Cem S8, Ada G1, Cem veto Ben",
        without={"Cem": "G"},
    )
    assert made.trick == ("Ada", "G9 S8 G1")


def test_red_7_line_1_no_card_that_may_win_is_trump_or_led() -> None:
    """The highest of those that may win, whatever its colour; among equals the first played."""
    first = "Ada L1, Ben L2, Cem L3, Dan L0, Ada veto Dan, Cem G9, Dan S8, Ada Y7, Ben B6"
    made = desk("red 7", first + ", Dan veto Cem", players=FOUR)
    assert made.winner == "Dan"
    made = desk("red 7", first.replace("S8", "S7") + ", Dan veto Cem", players=FOUR)
    assert made.winner == "Dan"
    made = desk("red 7", first.replace("S8", "S5") + ", Dan veto Cem", players=FOUR)
    assert made.winner == "Ada"
    made = desk("red 7", first.replace("S8", "R8") + ", Dan pass", players=FOUR)
    assert made.winner == "Dan"


def test_red_7_never_against_oneself() -> None:
    made = desk("red 7", "Ada G4, Ben G9, Cem G6")
    assert made.objection("Ada", "veto Ada") == "not-yourself"
    assert made.objection("Ada", "veto 0") == "not-yourself"
    assert made.objection("Ben", "pass") == "not-your-turn"


def test_red_7_the_leader_of_the_first_trick_holds_the_card_anew_each_round() -> None:
    """Line 6."""
    made = rounds("red 7", (4, 4, 4), (4, 4, 4))
    assert made.fact("veto") == 0
    play_round(made, (4, 4, 4))
    assert made.fact("veto") == 1


def test_red_7_also_in_the_last_trick() -> None:
    made = rounds("red 7", (4, 4, 4))
    play_round(made, (4, 4, 4))
    assert len(made.events("veto")) == 12
    assert made.scores() == (4, 4, 4)


def test_red_7_a_veto_holds_for_one_trick_only() -> None:
    made = desk("red 7", "Ada G4, Ben G9, Cem G6, Ada veto Ben, Cem Y1, Ada Y2, Ben Y9, Ben pass")
    assert made.winner == "Ben"
    assert made.fact("struck") is None


# -- Red 8: odd later ------------------------------------------------------------------------------

ODD = "G7 G1 G3 G5 G9 Y1 Y3 Y5 Y7 Y9"


def test_red_8_odd_cards_are_set_aside() -> None:
    made = desk("red 8", hands={"Ada": f"G2 R4 {ODD}"})
    assert made.hand("Ada") == "R4 G2"
    assert " ".join(made.secret("Ada", "aside")) == "Y1 Y3 Y5 Y7 Y9 G1 G3 G5 G7 G9"
    assert made.fact("aside")[0] == 10
    assert made.view.hand_sizes[0] == 2
    assert made.events("aside")[0].counts[0] == 10
    assert "aside" not in made.view.mine
    for name in ("Ben", "Cem"):
        assert all(int(card[1:]) % 2 == 0 for card in made.hand(name).split())


def test_red_8_each_seat_learns_how_many_cards_are_aside() -> None:
    made = desk("red 8", hands={"Ada": f"G2 R4 {ODD}"})
    for seat in range(3):
        known = knowledge(made.match.view(seat))
        assert [known.aside_size[other] for other in range(3)] == made.fact("aside")
        assert tuple(known.hand_size[other] for other in range(3)) == made.view.hand_sizes


def test_red_8_aside_cards_may_not_be_played_and_do_not_bind() -> None:
    made = desk("red 8", "Ben G4, Cem G6", hands={"Ada": f"G2 R4 {ODD}"}, starter="Ben")
    assert made.may("Ada") == "G2"
    assert made.objection("Ada", "G7") == "not-in-hand"
    made = desk("red 8", "Ben Y4, Cem Y6", hands={"Ada": f"G2 R4 {ODD}"}, starter="Ben")
    assert made.may("Ada") == "R4 G2"


def test_red_8_taken_up_when_the_last_even_card_is_played() -> None:
    hands = {"Ada": f"G2 R4 {ODD}", "Ben": "G0", "Cem": "G8"}
    made = desk("red 8", "Ada G2, Ben G4, Cem G6", hands=hands)
    assert made.fact("aside")[0] == 10
    made.play("Cem G8, Ada R4")
    assert made.hand("Ada") == "Y1 Y3 Y5 Y7 Y9 G1 G3 G5 G7 G9"
    assert made.fact("aside")[0] == 0
    assert made.secret("Ada", "aside") == []
    assert made.events("aside")[-1].counts[0] == 0
    made.play("Ben G0")
    assert made.trick == ("Ada", "G8 R4 G0")
    made.play("Ada Y1")


def test_red_8_taken_up_before_the_first_trick_if_dealt_no_even_card() -> None:
    made = desk("red 8", hands={"Ada": f"{ODD} S1 S3"})
    assert made.view.hand_sizes[0] == 12
    assert made.fact("aside")[0] == 0
    assert made.may("Ada") == made.hand("Ada")


def test_red_8_zero_is_even_and_eleven_is_odd() -> None:
    made = desk("red 8", hands={"Ada": "G0 G10 G11 B11"}, players="Ada Ben Cem Dan Eva")
    assert {"G0", "G10"} <= set(made.hand("Ada").split())
    assert {"G11", "B11"} <= set(made.secret("Ada", "aside"))


@pytest.mark.parametrize("seed", [5721, 6094, 10492])
def test_red_8_a_hand_without_even_cards_contradicts_nothing_that_others_know(seed: int) -> None:
    """It has no cards aside, as if it had no odd ones: every seat can still draw deals that fit."""
    match = stichwerk.game("stichtag", seats=5, sheets=["red 8"]).new(seed=seed)
    assert 0 in cast("list[int]", match.view(0).table["aside"])
    generator = Generator(1)
    while match.waiting_for and not match.scores:
        seat = match.waiting_for[0]
        moves = match.view(seat).moves
        match.play(seat, moves[generator.number(len(moves))])
        if not match.scores:
            for viewer in range(5):
                sample(match.view(viewer), generator)


def test_red_8_each_round_sets_aside_anew() -> None:
    made = rounds("red 8", (4, 4, 4), (4, 4, 4))
    assert made.fact("aside") == [6, 6, 5]  # 5 odd in each row, B1 and L1
    assert made.hand("Ada") == "Y0 Y2 Y4 Y6 Y8 L0"
    run_on(made)
    assert made.fact("aside") == [5, 6, 6]
    assert made.hand("Ben") == "Y0 Y2 Y4 Y6 Y8 L0"


# -- Red 9: upside down ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plays", "winner", "before"),
    [
        ("Ada G4, Ben G2, Cem S0", "Ben", "Ben"),
        ("Ada G4, Ben R9, Cem R3", "Ben", "Cem"),  # the highest trump; in version 1 the lowest
        ("Ada G4, Ben R3, Cem R9", "Cem", "Ben"),
        ("Ada R4, Ben R9, Cem R3", "Ben", "Cem"),  # trump led
        ("Ada R9, Ben R4, Cem G0", "Ada", "Ben"),
        ("Ada R4, Ben G0, Cem Y0", "Ada", "Ada"),
        ("Ada G4, Ben R9, Cem G0", "Ben", "Ben"),
        ("Ada G4, Ben R0, Cem G0", "Ben", "Ben"),  # trump still beats colour
        ("Ada G9, Ben S0, Cem Y0", "Ada", "Ada"),
        ("Ada G0, Ben G9, Cem G1", "Ada", "Ada"),
    ],
)
def test_red_9_lowest_in_the_led_colour_and_highest_among_trumps(
    plays: str, winner: str, before: str
) -> None:
    made = desk("red 9", plays)
    assert made.winner == winner
    assert made.next == winner
    assert desk("red 9", plays, rules=1).winner == before


def test_red_9_turns_no_duty_round() -> None:
    made = desk("red 9", "Ada G4", hands={"Ben": "G9 G1 R9"}, without={"Cem": "G"})
    assert made.objection("Ben", "R9") == "must-follow"
    assert {card[0] for card in made.may("Ben").split()} == {"G"}
    made.play("Ben G9")
    assert made.may("Cem") == made.hand("Cem")
