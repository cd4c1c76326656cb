"""Sheets side by side: cross-notes, the lines that settle many pairs, and the order of events."""

import pytest

import stichwerk
from stichwerk.games.stichtag.calendar import all_dates, sheets_of_date, unsettled
from tests.sheets.desk import FOUR, desk, play_round, played, rounds, run_on, split_plays
from tests.sheets.pairs import PAIR_HANDS, SIX_PAIRS

pytestmark = pytest.mark.game("stichtag")

ODD = "G7 G1 G3 G5 G9 Y1 Y3 Y5 Y7 Y9"


def announce(*numbers: int) -> dict[str, str]:
    return {
        f"announce {name}": str(number)
        for name, number in zip(("Ada", "Ben", "Cem"), numbers, strict=True)
    }


def test_no_date_is_left_unsettled() -> None:
    assert not [date for date in all_dates() if unsettled(sheets_of_date(date))]
    assert unsettled(("red 0", "red 5")) == ["trump"]
    assert unsettled(("red 9", "October")) == []


# -- Cross-notes of red sheets for green digits ----------------------------------------------------


def test_red_4_green_1_an_exact_announcement_is_minus_five() -> None:
    made = played("red 4 + green 1", (3, 4, 5), answers=announce(3, 5, 5))
    assert made.scores() == (-2, 4, 0)
    assert played("09-14", (3, 4, 5), answers=announce(3, 5, 2)).scores() == (-2, 4, 5)


@pytest.mark.parametrize("green", ["green 0", "green 3"])
def test_red_4_plus_five_with_other_goals(green: str) -> None:
    made = played(f"red 4 + {green}", (3, 4, 5), answers=announce(3, 5, 5))
    assert made.scores() == (8, 4, 10)


def test_red_4_green_2_who_hit_takes_or_leaves_and_there_is_no_bonus() -> None:
    answers = announce(3, 4, 6) | {"take Ada": "take", "take Ben": "leave"}
    made = played("red 4 + green 2", (3, 4, 5), answers=answers)
    assert made.scores() == (3, 0, 5)
    assert made.match.rounds[0].extra == [[36, 0, "take", True], [36, 1, "take", False]]


def test_red_4_green_2_asked_secretly_and_all_at_once() -> None:
    made = rounds("red 4 + green 2", (3, 4, 5))
    made.play("Ada 3, Ben 4, Cem 6")
    for seat, card in split_plays(0, (3, 4, 5)):
        made.match.play(seat, card)
    assert made.phase == "take"
    assert made.waiting == "Ada Ben"
    assert made.may("Ada") == "take leave"
    made.play("Ben leave")
    assert made.waiting == "Ada"
    assert "leave" not in [event.move for event in made.match.view(0).history]
    assert made.objection("Ben", "take") == "already-chosen"
    assert made.objection("Cem", "take") == "not-your-turn"
    made.play("Ada take")
    assert made.events("revealed")[-1].choices == ("take", "leave", "")
    assert made.scores() == (3, 0, 5)


def test_red_4_green_2_nobody_is_asked_if_nobody_hit() -> None:
    made = played("red 4 + green 2", (3, 4, 5), answers=announce(4, 5, 6))
    assert made.scores() == (3, 4, 5)
    assert not made.match.rounds[0].extra


def test_red_4_green_2_points_that_are_taken_may_lead_back() -> None:
    answers = announce(9, 1, 1) | {"take Ada": "take", "take Ben": "take"}
    made = rounds("red 4 + green 2", (9, 1, 2), (4, 5, 3))
    play_round(made, (9, 1, 2), answers)
    play_round(made, (4, 5, 3), announce(4, 0, 0) | {"take Ada": "take"})
    assert made.match.scores == ((9, 1, 2), (-4, 5, 3))
    made = rounds("red 4 + green 2", (9, 1, 2), (4, 5, 3))
    play_round(made, (9, 1, 2), answers)
    play_round(made, (4, 5, 3), announce(4, 0, 0) | {"take Ada": "leave"})
    assert made.match.scores == ((9, 1, 2), (0, 5, 3))


def test_red_3_green_3_hearts_look_at_the_points_after_consolation() -> None:
    made = played("red 3 + green 3", (6, 4, 2))
    assert made.scores() == (6, 4, 8)
    assert made.fact("hearts") == [2, 1, 2]
    made = played("red 3 + green 3", (0, 6, 6))
    assert made.scores() == (6, 6, 6)
    assert made.fact("hearts") == [2, 2, 2]


def test_red_3_green_2_consolation_comes_before_the_goal() -> None:
    made = played("red 3 + green 2", (7, 4, 1))
    assert made.scores() == (7, 4, 8)
    made = played("red 3 + green 2", (10, 1, 1))
    assert made.scores() == (10, 11, 11)
    made = played("red 3 + green 2", (2, 4, 6), (4, 5, 3))
    assert made.match.scores == ((8, 4, 6), (4, 5, -8))  # 6 + 3 + 5 would be 14


def test_red_4_green_1_order_bonus_before_the_goal() -> None:
    made = played("red 4 + green 1", (3, 4, 5), answers=announce(0, 0, 5))
    assert made.scores() == (3, 4, 0)


# -- Cross-notes of months -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plays", "winner", "before"),
    [
        ("Ada G5, Ben G9, Cem S8", "Ben", "Ben"),  # a ghost: highest of the led colour ...
        ("Ada G5, Ben G9, Cem G8", "Ben", "Ben"),
        ("Ada G5, Ben R8, Cem R2", "Cem", "Ben"),  # ... lowest trump; in version 1 the highest
        ("Ada R5, Ben R8, Cem R2", "Cem", "Ben"),
        ("Ada G8, Ben R9, Cem R2", "Cem", "Ben"),
        ("Ada G5, Ben G9, Cem S0", "Ada", "Ada"),  # no ghost: red 9 alone
        ("Ada G5, Ben R9, Cem R2", "Ben", "Cem"),
        ("Ada R5, Ben R9, Cem R2", "Ben", "Cem"),
    ],
)
def test_october_red_9_turn_each_other_round(plays: str, winner: str, before: str) -> None:
    assert desk("October + red 9", plays).winner == winner
    assert desk("October + red 9", plays, rules=1).winner == before


def test_october_alone_is_the_same_in_both_versions() -> None:
    """A ghost: the lowest trump, else the lowest of the led colour."""
    for rules in (1, 2):
        assert desk("October", "Ada G5, Ben R8, Cem R2", rules=rules).winner == "Cem"
        assert desk("October", "Ada G5, Ben G8, Cem G9", rules=rules).winner == "Ada"
        assert desk("October", "Ada G5, Ben R9, Cem R2", rules=rules).winner == "Ben"


def test_march_red_1_the_winners_left_neighbour_leads() -> None:
    made = desk("March + red 1", "Ada G2, Ben G7, Cem G1")
    assert made.winner == "Ben"
    assert made.next == "Cem"
    assert made.fact("direction") == 1
    made = desk("March + red 1", "Ada G2, Ben G5, Cem G9")
    assert made.next == "Ada"
    assert desk("March + red 1", "Ada G3, Ben G7, Cem G1").next == "Ben"
    made = desk("March + red 1", "Ada G2, Ben G7, Cem G1, Cem Y1, Ada Y2, Ben Y3")
    assert made.trick == ("Ben", "Y1 Y2 Y3")


def test_july_red_7_the_sonnenstich_holder_cannot_be_struck() -> None:
    made = desk("July + red 7", "Ada G4, Ben G9, Cem G6, Ada pass, Ben Y1, Cem Y2, Ada Y3")
    assert made.fact("sunstroke") == 1
    assert made.may("Ada") == "veto 2 pass"
    assert made.objection("Ada", "veto Ben") == "cannot-be-struck"
    made.play("Ada veto Cem")
    assert made.winner == "Ada"


def test_july_red_7_the_holder_may_strike() -> None:
    made = desk("July + red 7", "Ada G9, Ben G4, Cem G6, Ada pass, Ada R1, Ben R2, Cem R3")
    assert made.fact("sunstroke") == 0
    assert made.may("Ada") == "veto 1 veto 2 pass"
    made.play("Ada veto Cem")
    assert made.winner == "Ben"


def test_september_red_4_every_single_trick_of_a_pile_counts() -> None:
    """Line 9. Ben wins a fourth trick, but it stays, and Cem takes it."""
    made = played("September + red 4", (4, 4, 4), answers=announce(4, 3, 5))
    assert made.scores() == (9, 8, 10)
    made = played("September + red 4", (4, 4, 4), answers=announce(5, 4, 4))
    assert made.scores() == (4, 3, 5)


def test_february_red_2_an_empty_hand_gives_none_but_receives_and_plays_on() -> None:
    plays = ", ".join(
        f"Ada {pair}, Ben G{at}, Cem S{at}"
        + (", Ada gives L1, Ben gives B1, Cem gives S9" if "6" in pair else "")
        for at, pair in enumerate(SIX_PAIRS[:5])
    )
    made = desk("February + red 2", plays, hands=PAIR_HANDS)
    assert made.hand("Ada") == "L0 S9"
    made.play("Ada L0, Ben L1, Cem S5, Ben G5, Cem S6, Ada S9")
    assert made.phase == "pass"
    assert made.hand("Ada") == ""
    assert made.waiting == "Ben Cem"
    assert made.may("Ada") == ""
    assert made.objection("Ada", "S9") == "not-your-turn"
    made.play("Ben gives G6, Cem gives R0")
    assert made.hand("Ada") == "R0"
    assert "G6" in made.hand("Cem")
    assert made.events("passed")[-1].counts == (0, 1, 1)
    made.play("Ben G7, Cem G6, Ada R0")
    assert made.winner == "Ada"


def test_february_red_2_line_5_the_last_trick_is_decided_before_passing() -> None:
    """Ben runs out with a mask in the trick: only Cem has cards, so nothing is passed."""
    plays = ", ".join(
        f"Ada {pair}, Ben {other}, Cem S{at}"
        + (", Ada gives L1, Ben gives B1, Cem gives S9" if at == 3 else "")
        for at, (pair, other) in enumerate(
            [("Y0+Y1", "G0+G1"), ("Y2+Y3", "G2+G3"), ("Y4+Y5", "G4+G5"), ("Y6+Y7", "G8+G9")]
        )
    )
    made = desk("February + red 2", plays, hands=PAIR_HANDS)
    assert made.hand("Ada") == "Y8 Y9 L0 S9"
    assert made.hand("Ben") == "G6 G7 B0 L1"
    made.play("Ada Y8+Y9, Ben B0, Cem S4, Ada L0, Ben L1, Cem S5, Ben G6+G7, Cem S7, Ada S9")
    assert len(made.events("passed")) == 1
    assert made.scores() == (5, 2, 0)
    assert made.hand("Cem")


def test_february_red_8_aside_cards_are_not_hand_cards() -> None:
    hands = {"Ada": f"G2 R4 {ODD}", "Ben": "B1", "Cem": "L3 L2"}
    made = desk("February + red 8", "Ada G2, Ben G4, Cem G6", hands=hands)
    assert made.phase == "pass"
    assert made.may("Ada") == "R4"
    assert made.objection("Ada", "G7") == "not-in-hand"
    assert made.objection("Cem", "L3") == "not-in-hand"


def test_february_red_8_taken_up_before_the_new_card_comes_in() -> None:
    hands = {"Ada": f"G2 R4 {ODD}", "Cem": "L2 L3 S1 S3 S5 S7 S9 L5 L7 L9 B9 G6"}
    made = desk("February + red 8", "Ada G2, Ben G4, Cem G6, Ada gives R4", hands=hands)
    assert made.hand("Cem") == "L2"
    gift = made.may("Ben").split()[0]
    made.play(f"Ben gives {gift}, Cem gives L2")
    assert made.hand("Ada") == "Y1 Y3 Y5 Y7 Y9 G1 G3 G5 G7 G9 L2"
    assert made.fact("aside")[0] == 0
    assert gift in made.hand("Cem")
    assert "L3" in made.hand("Cem")


def test_red_8_odd_cards_that_come_in_go_aside_until_taken_up() -> None:
    """Ada has taken up and gives an odd card; it goes aside at Ben's, who still has even ones."""
    hands = {"Ada": f"{ODD} S1 S3", "Ben": "G4 B2 B4", "Cem": "G6 L2 L4"}
    made = desk("February + red 8", "Ada G9, Ben G4, Cem G6", hands=hands)
    before = made.fact("aside")
    made.play("Ada gives Y1, Ben gives B2, Cem gives L2")
    assert "Y1" not in made.hand("Ben")
    assert "Y1" in made.secret("Ben", "aside")
    assert made.fact("aside") == [0, before[1] + 1, before[2]]
    assert "L2" in made.hand("Ada")  # even: nothing of Ada's is set aside again
    assert "S1" in made.hand("Ada")


def test_red_8_once_taken_up_nothing_is_set_aside_again() -> None:
    hands = {"Ada": f"{ODD} S1 S3", "Cem": "L1 L3 L5 L7 L9 B1 B3 B5 B7 B9 S5 S7", "Ben": "G4 G6"}
    made = desk("February + red 8", "Ada G9, Ben G6, Cem L1", hands=hands)
    made.play("Ada gives Y1, Ben gives G4, Cem gives B1")
    assert "B1" in made.hand("Ada")
    assert made.fact("aside")[0] == 0


def test_august_red_8_aside_cards_are_not_discarded_and_do_not_count() -> None:
    """Two sunglasses, but one hand card: one is discarded, then the odd ones are taken up."""
    hands = {"Ada": f"G2 R4 {ODD}", "Ben": "G0", "Cem": "Y2"}
    made = desk(
        "August + red 8",
        "Ben G0, Cem Y2, Ada G2",
        hands=hands,
        starter="Ben",
        stock="S5 S6",
        without={"Cem": "G"},
    )
    assert made.winner == "Ada"
    assert made.phase == "discard"
    assert made.may("Ada") == "R4"
    made.play("Ada drops R4")
    assert made.hand("Ada") == "Y1 Y3 Y5 Y7 Y9 G1 G3 G5 G7 G9 S5"
    assert made.fact("aside")[0] == 0
    assert made.view.stock == 23
    assert made.view.hand_sizes[0] == 11


def test_august_red_8_odd_draws_go_aside() -> None:
    hands = {"Ada": f"G2 R4 R6 {ODD}".replace(" Y9", ""), "Ben": "G0", "Cem": "G4 L2"}
    made = desk("August + red 8", "Ada G2, Ben G0, Cem G4, Cem drops L2", hands=hands, stock="S5")
    assert "S5" in made.secret("Cem", "aside")
    assert "S5" not in made.hand("Cem")


def test_december_red_6_you_may_give_to_your_partner() -> None:
    made = desk("December + red 6", "Ada G6, Ben G0, Cem S1", partners=[1, 2, 0])
    assert made.may("Ada") == "G0>1 G0>2"
    made = played("December + red 6", (4, 4, 4), partners=[1, 2, 0])
    assert made.scores() == (6 + 7, 7 + 4, 4 + 6)


# -- Lines that settle many pairs ------------------------------------------------------------------


@pytest.mark.parametrize("rules", [1, 2])
def test_line_1_the_lowest_where_the_lowest_wins(rules: int) -> None:
    """On red 9 the Sonnenstich holder led and nobody followed, or a veto struck the only green."""
    start = "Ada Y0, Ben Y9, Cem Y1, Ada G5, Ben S3, Cem L7"
    assert desk("July + red 9", start, rules=rules).winner == "Ben"
    assert desk("July + red 9", start.replace("S3", "S7"), rules=rules).winner == "Ben"
    assert desk("July + red 9", start.replace("S3", "S8"), rules=rules).winner == "Cem"
    veto = "Ada L1, Ben L2, Cem L3, Dan L0, Ada veto Dan, Cem G9, Dan S6, Ada Y8, Ben B7"
    assert desk("October + red 7", veto + ", Dan veto Cem", players=FOUR).winner == "Dan"
    assert desk("October + red 7", veto + ", Dan veto Ada", players=FOUR).winner == "Cem"


def test_line_1_on_red_9_trump_and_led_colour_come_first() -> None:
    """The holder led green: a trump that may win does, then green, then the lowest of any."""
    start = "Ada Y0, Ben Y9, Cem Y8, Dan Y7"
    ada = f"{start}, Ada G5"
    assert desk("July + red 9", f"{ada}, Ben S0, Cem R0, Dan R1", players=FOUR).winner == "Dan"
    assert desk("July + red 9", f"{ada}, Ben S0, Cem G9, Dan L1", players=FOUR).winner == "Cem"
    assert desk("July + red 9", f"{ada}, Ben S4, Cem B2, Dan L2", players=FOUR).winner == "Cem"


def test_line_1_on_red_9_the_holders_trump_wins_nothing() -> None:
    start = "Ada Y0, Ben Y9, Cem Y8, Dan Y7, Ada R5"
    assert desk("July + red 9", f"{start}, Ben S4, Cem B2, Dan L3", players=FOUR).winner == "Cem"
    assert desk("July + red 9", f"{start}, Ben R1, Cem R3, Dan L0", players=FOUR).winner == "Cem"


def test_line_1_trump_that_may_win_still_wins() -> None:
    start = "Ada Y9, Ben Y4, Cem Y2, Ada G8, Ben S7, Cem R0"
    assert desk("July", start).winner == "Cem"


EGGS = [0, 1, 1, 2, 2, 3]

STRUCK = "Ada G4, Ben G{}, Cem G5, Ada veto Ben"


@pytest.mark.parametrize(
    ("month", "value", "fact", "nothing"),
    [
        ("February", 6, "veto", 1),
        ("March", 2, "direction", 1),
        ("April", 8, "eggs", [0, 0, 0]),
        ("July", 9, "sunstroke", None),
        ("August", 7, "discarded", []),
        ("September", 6, "lying", []),
        ("November", 3, "lanterns", [0, 0, 0]),
    ],
)
def test_line_7_a_struck_cards_symbol_has_no_effect(
    month: str, value: int, fact: str, nothing: object
) -> None:
    made = desk(f"{month} + red 7", STRUCK.format(value), eggs=EGGS)
    assert made.winner == "Cem"
    assert made.phase == "play"
    assert made.next == "Cem"
    assert made.fact(fact) == nothing
    passed = STRUCK.format(value).replace("veto Ben", "pass")
    again = desk(f"{month} + red 7", passed, eggs=EGGS)
    assert again.phase != "play" or again.fact(fact) != nothing


def test_line_5_no_discarding_in_the_last_trick_though_its_winner_has_cards_left() -> None:
    """August × red 2: Ada and Ben run out, Cem takes the last trick with a sunglasses card."""
    tricks = zip(
        ("Y0+Y1", "Y3+Y4", "Y5+Y6", "Y8+Y9", "L0+L1", "L3+L4"),
        ("G0+G1", "G3+G4", "G5+G6", "G8+G9", "B0+B1", "B3+B4"),
        ("S0", "S1", "S3", "S4", "S5", "R7"),
        strict=True,
    )
    plays = ", ".join(f"Ada {ada}, Ben {ben}, Cem {cem}" for ada, ben, cem in tricks)
    made = desk("August + red 2", plays, hands={"Cem": "S6 S8 S9 R0 R1 R3"})
    assert made.winner == "Cem"
    assert made.scores() == (5, 0, 1)
    assert made.fact("discarded") == []


def test_line_7_struck_bang_and_ghost() -> None:
    assert desk("May + red 7", STRUCK.format(3)).next == "Cem"
    assert desk("May + red 7", STRUCK.format(3).replace("veto Ben", "veto Cem")).next == "Ben"
    assert desk("October + red 7", STRUCK.format(8)).winner == "Cem"
    assert desk("October + red 7", STRUCK.format(8).replace("veto Ben", "veto Cem")).winner == "Ada"


def test_line_7_a_struck_gift_is_still_given() -> None:
    made = desk("December + red 7", "Ada G4, Ben G0, Cem G5, Ada veto Ben")
    assert made.phase == "gift"
    assert made.next == "Cem"
    assert made.may("Cem") == "G0>0 G0>1"
    assert made.fact("veto") == 1  # the veto card moves before the month's effect


@pytest.mark.parametrize(("month", "worth"), [("January", 3), ("June", 6)])
def test_line_7_struck_clovers_and_flowers_count(month: str, worth: int) -> None:
    """In every trick the holder strikes the first possible card; symbols still count."""
    setting = stichwerk.game("stichtag", 3, sheets=[month, "red 7"])
    for seed in range(5):
        match = setting.new(seed=seed)
        while not match.scores:
            match.play(match.waiting_for[0], match.moves(match.waiting_for[0])[0])
        taken = [event for event in match.events if event.kind == "trick"]
        assert len([event for event in match.events if event.move == "pass"]) == 0
        for seat in range(3):
            won = [card for event in taken if event.seat == seat for card in event.cards]
            lucky = len([card for card in won if card[1:] == ("7" if worth == 3 else "4")])
            extra = lucky if worth == 3 else lucky * (lucky + 1) // 2
            assert match.scores[0][seat] == len(won) // 3 + extra


def test_line_9_announcements_count_tricks_not_points() -> None:
    """Cem has 4 tricks and 3 clovers."""
    made = played("January + red 4", (4, 4, 4), answers=announce(3, 5, 4))
    assert made.scores() == (4, 4, 12)
    made = played("January + red 4", (4, 4, 4), answers=announce(3, 5, 7))
    assert made.scores() == (4, 4, 7)


def test_line_10_trump_means_the_trump_in_force() -> None:
    assert desk("October + red 0", "Ada G5, Ben B8, Cem B2", rules=1, trump="B").winner == "Cem"
    assert desk("October + red 0", "Ada G5, Ben R8, Cem B2", rules=1, trump="B").winner == "Cem"
    assert desk("October + red 0", "Ada B, Ada G5, Ben B8, Cem B2", trumps="RB").winner == "Cem"
    assert desk("October + red 0", "Ada B, Ada G5, Ben R8, Cem B2", trumps="RB").winner == "Cem"
    assert desk("October + red 0", "Ada R, Ada G5, Ben R8, Cem B2", trumps="RB").winner == "Ben"
    made = desk("July + red 5", "Ada G5, Ben G9, Cem G0, Ben Y1, Cem R8, Ada S6")
    assert made.winner == "Cem"  # no trump, Ben cannot win, so the highest of the others


def test_line_11_pairs_with_symbols() -> None:
    made = desk("August + red 2", "Ada G2+G7, Ben G1, Cem G0")
    assert made.objection("Ada", made.hand("Ada").split()[0]) == "wrong-number"
    assert len(made.may("Ada").split()[0].split(",")) == 2
    for rules in (1, 2):
        made = desk("April + red 2", "Ada G1+G8, Ben G3, Cem G0", rules=rules, eggs=EGGS)
        assert made.fact("eggs") == [1, 0, 0]
        made = desk("April + red 2", "Ada G0+G1, Ben G3, Cem S7", rules=rules, eggs=EGGS)
        assert made.fact("eggs") == ([0, 1, 0] if rules == 1 else [0, 0, 0])
    made = desk("May + red 2", "Ada G1, Ben G2+G3, Cem R1")
    assert made.next == "Ben"
    made = desk("May + red 2", "Ada G1, Ben G3+G4, Cem R1")
    assert made.next == "Ben"
    made = desk("November + red 2", "Ada G1, Ben G2+G3, Cem R1")
    assert made.fact("lanterns") == [0, 1, 0]
    made = desk("September + red 2", "Ada G1, Ben G2+G6, Cem R1")
    assert made.fact("lying") == ["R1", "G1", "G2", "G6"]
    made = desk("December + red 2", "Ada G1, Ben G0+G2, Cem R1")
    assert made.may("Cem") == "G0>0 G0>1"
    made = desk("February + red 2", "Ada G1, Ben G2+G6, Cem R1")
    assert made.phase == "pass"
    made = desk("July + red 2", "Ada G1, Ben G2+G9, Cem R1")
    assert made.fact("sunstroke") == 2


def test_line_11_the_number_of_a_pair_is_its_sum() -> None:
    assert desk("October + red 2", "Ada G8, Ben G3+G4, Cem G9").winner == "Ben"
    assert desk("October + red 2", "Ada G8, Ben G3+G6, Cem G7").winner == "Cem"
    assert desk("October + red 2", "Ada G6, Ben G0+G8, Cem G7").winner == "Ada"
    assert desk("October + red 2", "Ada G3+G5, Ben G7, Cem G6").winner == "Ada"  # a sum is no ghost


def test_pairs_play_and_lead_in_the_turned_direction() -> None:
    """March × red 2: the seat that should lead is empty; the direction has turned before."""
    plays = ", ".join(
        f"Ada {pair}, Ben G{ben}, Cem S{ben}"
        for pair, ben in zip(
            ["Y0+Y1", "Y4+Y3", "Y5+Y6", "Y7+Y8", "Y9+Y2"], [0, 1, 3, 4, 5], strict=True
        )
    )
    made = desk("March + red 2", plays, hands=PAIR_HANDS)
    assert made.fact("direction") == -1
    made.play("Ada L0+L1, Cem S6, Ben G6")
    assert made.winner == "Ada"
    assert made.next == "Cem"
    made.play("Cem S7, Ben G7")
    assert made.next == "Cem"


# -- Order of events -------------------------------------------------------------------------------


def test_the_switch_flips_after_the_months_effect() -> None:
    made = desk("August + red 5", "Ada G5, Ben G7, Cem G1")
    assert made.phase == "discard"
    assert made.fact("trump") == "R"
    run_on(made, 0)
    assert made.fact("trump") is None
    made = desk("December + red 5", "Ada G5, Ben G7, Cem G0")
    assert made.fact("trump") == "R"
    made.play("Ben G0>Ada")
    assert made.fact("trump") is None


def test_own_points_come_before_partners_and_consolation() -> None:
    """Clovers of Cem: 4, 4, 7. Partners add them; the best of the round is 7."""
    made = played("January + red 6", (4, 4, 4), partners=[2, 0, 1])
    assert made.scores() == (11, 8, 11)
    made = played("January + red 3", (5, 3, 4))
    assert made.scores() == (5, 3 + 7, 7)
