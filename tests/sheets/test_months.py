"""The month sheets: what the symbols do."""

from typing import Any

import pytest

import stichwerk
from stichwerk.engine.codes import won_count
from stichwerk.games.stichtag.sheets.april import EggsShown
from tests.sheets.desk import FOUR, THREE, desk, play_round, played, rounds, run_on, split_plays

pytestmark = pytest.mark.game("stichtag")

SYMBOLS = {
    "January": (7,),
    "February": (6,),
    "March": (2,),
    "April": (8,),
    "May": (3,),
    "June": (4,),
    "July": (9,),
    "August": (2, 7),
    "September": (6,),
    "October": (8,),
    "November": (3,),
    "December": (0,),
}
EGGS = [3, 0, 1, 2, 1, 2]


@pytest.mark.parametrize(("month", "values"), SYMBOLS.items())
def test_symbols_are_on_these_values(month: str, values: tuple[int, ...]) -> None:
    rules: Any = stichwerk.game("stichtag", sheets=[month]).rules
    assert rules.month.values == values
    first: Any = stichwerk.game("stichtag", rules=1, sheets=[month]).rules
    assert first.month.values == ((1, 8) if month == "April" else values)


# -- January ---------------------------------------------------------------------------------------


def test_january_a_point_for_each_clover() -> None:
    """Y7, G7 and S7 fall in a trick of Cem's, or in one of Ada's."""
    assert played("January", (4, 4, 4)).scores() == (4, 4, 7)
    assert played("January", (8, 1, 3)).scores() == (11, 1, 3)


# -- February --------------------------------------------------------------------------------------

MASK = "Ada G6, Ben G1, Cem G2"
GIVEN = "Ada gives Y5, Ben gives B3, Cem gives L4"


def test_february_everyone_gives_a_card_to_the_left() -> None:
    made = desk("February", f"{MASK}, {GIVEN}")
    assert "Y5" in made.hand("Ben")
    assert "B3" in made.hand("Cem")
    assert "L4" in made.hand("Ada")
    assert made.view.hand_sizes == (11, 11, 11)
    assert made.next == "Ada"
    assert made.match.rounds[0].extra == [
        [3, 0, "pass", "Y5"],
        [3, 1, "pass", "B3"],
        [3, 2, "pass", "L4"],
    ]


def test_february_all_at_once_and_secretly() -> None:
    made = desk("February", f"{MASK}, Cem gives L4", hands={"Ada": "Y5"})
    assert made.phase == "pass"
    assert made.waiting == "Ada Ben"
    assert made.may("Ada") == made.hand("Ada")
    assert "L4" not in made.hand("Ada")
    assert made.secret("Cem", "chosen") == "L4"
    assert made.objection("Ada", "L4") == "not-in-hand"  # not what one is just getting
    assert made.objection("Cem", "L4") == "already-chosen"
    for seat in (None, 0, 1):
        assert "L4" not in [event.move for event in made.match.view(seat).history]


def test_february_only_the_neighbour_learns_the_card() -> None:
    made = desk("February", f"{MASK}, {GIVEN}")
    received = [event for event in made.match.events if event.kind == "received"]
    assert [(event.seat, event.cards, event.to) for event in received] == [
        (1, ("Y5",), (1,)),
        (2, ("B3",), (2,)),
        (0, ("L4",), (0,)),
    ]


def test_february_several_masks_pass_once_and_without_a_mask_nothing() -> None:
    made = desk("February", f"Ada G6, Ben R6, Cem G2, {GIVEN}")
    assert made.phase == "play"
    assert made.next == "Ben"
    assert desk("February", "Ada G5, Ben G7, Cem G2").phase == "play"


def test_february_no_passing_after_the_last_trick() -> None:
    """Line 5: Y6, G6 and S6 are the last trick."""
    made = played("February", (4, 4, 4), order="0123456789".replace("6", "") + "6")
    assert made.scores() == (4, 4, 4)
    assert not made.events("passed")


# -- March -----------------------------------------------------------------------------------------


def test_march_a_kite_turns_the_direction() -> None:
    """The example of the sheet: Ben takes it, then it continues via Ada to Cem."""
    made = desk("March", "Ada G2, Ben G5, Cem G1")
    assert made.fact("direction") == -1
    made = desk("March", "Ada G2, Ben G5, Cem G1, Ben Y4, Ada Y5, Cem Y6")
    assert made.trick == ("Cem", "Y4 Y5 Y6")
    assert made.next == "Cem"
    made.play(f"Cem {made.may('Cem').split()[0]}")
    assert made.next == "Ben"


def test_march_the_next_kite_turns_it_back() -> None:
    made = desk("March", "Ada G2, Ben G5, Cem G1, Ben Y4, Ada Y2, Cem Y6, Cem S4, Ada S5, Ben S6")
    assert made.fact("direction") == 1
    assert made.winner == "Ben"


def test_march_several_kites_turn_once_and_no_kite_not_at_all() -> None:
    assert desk("March", "Ada G2, Ben R2, Cem G1").fact("direction") == -1
    assert desk("March", "Ada G3, Ben R1, Cem G1").fact("direction") == 1


def test_march_four_seats_go_round_the_other_way() -> None:
    made = desk("March", "Ada G2, Ben G1, Cem G0, Dan G3, Dan Y1", players=FOUR)
    assert made.next == "Cem"
    made = desk("March", "Ada G2, Ben G1, Cem G0, Dan L3, Ada Y1", players=FOUR)
    assert made.next == "Dan"


def test_march_each_round_starts_clockwise_and_first_lead_moves_clockwise() -> None:
    """Line 6."""
    setting = stichwerk.game("stichtag", 3, sheets=["March"], starter=0)
    turned = 0
    for seed in range(6):
        match = setting.new(seed=seed)
        while match.waiting_for and match.view(None).round == 1:
            turned += match.view(None).table["direction"] == -1
            match.play(match.waiting_for[0], match.moves(match.waiting_for[0])[0])
        assert match.waiting_for == (1,)
        assert match.view(None).table["direction"] == 1
    assert turned


# -- April -----------------------------------------------------------------------------------------


def test_april_the_winner_takes_one_egg_card_unseen() -> None:
    made = desk("April", "Ada G1, Ben G9, Cem G8", eggs=EGGS)
    assert made.fact("eggs") == [0, 1, 0]
    assert "eggs" not in made.match.view(1).mine
    assert [event.seat for event in made.events("egg")] == [1]
    assert not made.events("egg")[0].value
    assert desk("April", "Ada G2, Ben G9, Cem G0", eggs=EGGS).fact("eggs") == [0, 0, 0]
    assert desk("April", "Ada G2, Ben G9, Cem S8", eggs=EGGS).fact("eggs") == [0, 1, 0]


@pytest.mark.parametrize(("rules", "eggs"), [(1, [0, 1, 0]), (2, [0, 0, 0])])
def test_april_the_egg_is_on_the_8_only(rules: int, eggs: list[int]) -> None:
    """In version 1 of the rules the 1 has one, too."""
    assert desk("April", "Ada G1, Ben G9, Cem G0", rules=rules, eggs=EGGS).fact("eggs") == eggs
    assert desk("April", "Ada G2, Ben G9, Cem S1", rules=rules, eggs=EGGS).fact("eggs") == eggs


def test_april_two_eggs_in_a_trick_bring_one_egg_card() -> None:
    made = desk("April", "Ada G8, Ben G9, Cem S8", eggs=EGGS)
    assert made.fact("eggs") == [0, 1, 0]
    assert len(made.events("egg")) == 1


@pytest.mark.parametrize(
    ("rules", "scores"), [(1, (4 + 3, 4 + 0, 4 + 1 + 2)), (2, (4, 4 + 3, 4 + 0 + 1))]
)
def test_april_eggs_are_added_at_the_end_of_the_round(rules: int, scores: tuple[int, ...]) -> None:
    """Egg tricks: B1 B8 (Ben), L1 L8 and 8 (Cem); in version 1 first of all 1 (Ada)."""
    made = played("April", (4, 4, 4), rules=rules, eggs=EGGS)
    assert made.scores() == scores
    assert made.events("eggs")[0].counts == tuple(EGGS)


@pytest.mark.parametrize(("rules", "takers"), [(1, (0, 1, 2, 2)), (2, (1, 2, 2))])
def test_april_eggs_that_nobody_took_have_no_taker(rules: int, takers: tuple[int, ...]) -> None:
    (shown,) = played("April", (4, 4, 4), rules=rules, eggs=EGGS).events("eggs")
    assert isinstance(shown, EggsShown)
    assert shown.takers == takers


@pytest.mark.parametrize(
    ("rules", "scores"), [(1, (7 + 3, 4 + 0 + 1, 1 + 2)), (2, (7, 4 + 3 + 0, 1 + 1))]
)
def test_april_eggs_in_the_last_trick(rules: int, scores: tuple[int, ...]) -> None:
    """Line 5: with 7, 4, 1 the last trick is L1 L8 L0. Eggs: B, 8, L; in version 1 first of all
    1."""
    assert played("April", (7, 4, 1), rules=rules, eggs=EGGS).scores() == scores


REDS = ["R9", "R7", "R6", "R5", "R4", "R3", "R2"]
YELLOWS = ["Y0", "Y2", "Y3", "Y4", "Y5", "Y6", "Y7"]


def egg_tricks(eggs: list[str], reds: list[str]) -> str:
    tricks = zip(reds, eggs, YELLOWS, strict=False)
    return ", ".join(f"Ada {red}, Ben {egg}, Cem {other}" for red, egg, other in tricks)


def test_april_in_version_1_eggs_are_taken_until_all_six_are_gone() -> None:
    plays = egg_tricks(["Y1", "Y8", "G1", "G8", "B1", "B8", "L1"], REDS)
    made = desk("April", plays, rules=1, eggs=EGGS)
    assert made.tricks("Ada") == 7
    assert made.fact("eggs") == [6, 0, 0]
    assert len(made.events("egg")) == 6


def test_april_six_tricks_with_an_egg_take_them_all() -> None:
    """There are six 8s: no trick with an egg can come too late any more."""
    plays = egg_tricks(["Y8", "G8", "B8", "L8", "S8"], ["R9", "R7", "R6", "R5", "R4"])
    made = desk("April", f"{plays}, Ada R8, Ben Y1, Cem Y6", eggs=EGGS)
    assert made.fact("eggs") == [6, 0, 0]
    run_on(made)
    (shown,) = made.events("eggs")
    assert isinstance(shown, EggsShown)
    assert shown.takers == (0,) * 6


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_april_eggs_may_be_left_over(seats: int) -> None:
    """Some 8s stay in the stock, and two may be in one trick."""
    left = []
    for seed in range(12):
        match = stichwerk.game("stichtag", seats, sheets=["April"]).new(seed=seed)
        bot = stichwerk.bot("random", seed=seed)
        while len(match.scores) < 1:
            seat = match.waiting_for[0]
            match.play(seat, bot.choose(match.view(seat)))
        tricks = [event for event in match.events if event.kind == "trick"]
        with_egg = [trick.seat for trick in tricks if any(card[1:] == "8" for card in trick.cards)]
        (shown,) = [event for event in match.events if isinstance(event, EggsShown)]
        assert list(shown.takers) == with_egg
        assert len(shown.counts) == 6
        left.append(6 - len(with_egg))
        points = [len([trick for trick in tricks if trick.seat == seat]) for seat in range(seats)]
        for taker, egg in zip(shown.takers, shown.counts, strict=False):
            points[taker] += egg
        assert list(match.scores[0]) == points
    assert max(left) > 0


def test_april_shuffled_anew_each_round() -> None:
    draws = set()
    for seed in range(20):
        match = stichwerk.game("stichtag", 3, sheets=["April"]).new(seed=seed)
        ((kind, eggs),) = match.rounds[0].deal.specials
        assert kind == "eggs"
        assert isinstance(eggs, tuple)
        assert sorted(eggs) == [0, 1, 1, 2, 2, 3]
        draws.add(eggs)
    assert len(draws) > 10
    made = rounds("April", (4, 4, 4), (4, 4, 4), eggs=EGGS)
    play_round(made, (4, 4, 4))
    assert made.fact("eggs") == [0, 0, 0]


# -- May -------------------------------------------------------------------------------------------


def test_may_the_first_seat_that_played_a_bang_leads() -> None:
    """The example of the sheet: G3, G9, Y3."""
    made = desk("May", "Ada G3, Ben G9, Cem Y3")
    assert made.winner == "Ben"
    assert made.next == "Ada"
    assert made.tricks("Ben") == 1
    assert desk("May", "Ada G1, Ben G3, Cem G9").next == "Ben"
    assert desk("May", "Ben G1, Cem S3, Ada R3", starter="Ben").next == "Cem"


def test_may_without_a_bang_the_winner_leads() -> None:
    assert desk("May", "Ada G1, Ben G9, Cem G4").next == "Ben"


# -- June ------------------------------------------------------------------------------------------


def test_june_flowers_are_worth_more_together() -> None:
    """Three flowers are 6; Y4, G4, S4 fall in a trick of Ben's."""
    assert played("June", (4, 4, 4)).scores() == (4, 10, 4)


@pytest.mark.parametrize("seed", range(6))
def test_june_any_number_of_flowers(seed: int) -> None:
    match = stichwerk.game("stichtag", 3, sheets=["June"]).new(seed=seed)
    while not match.scores:
        match.play(match.waiting_for[0], match.moves(match.waiting_for[0])[seed % 2 - 1])
    taken = [event for event in match.events if event.kind == "trick"]
    for seat in range(3):
        cards = [card for event in taken if event.seat == seat for card in event.cards]
        worth = {0: 0, 1: 1, 2: 3, 3: 6, 4: 10, 5: 15, 6: 21}
        flowers = len([card for card in cards if card[1:] == "4"])
        assert match.scores[0][seat] == len(cards) // 3 + worth[flowers]


# -- July ------------------------------------------------------------------------------------------


def test_july_the_taker_of_a_sunstroke_cannot_win_a_trick() -> None:
    made = desk("July", "Ada G9, Ben G4, Cem G2")
    assert made.winner == "Ada"
    assert made.fact("sunstroke") == 0
    assert made.next == "Ada"  # leads after taking it
    made = desk("July", "Ada G9, Ben G4, Cem G2, Ada R8, Ben R1, Cem R0")
    assert made.winner == "Ben"
    assert made.fact("sunstroke") == 0


def test_july_someone_else_takes_the_card() -> None:
    """The example of the sheet: the holder leads G9, Ben takes the trick and the card."""
    made = desk("July", "Ada Y9, Ben Y4, Cem Y2, Ada G9, Ben G4, Cem G2")
    assert made.winner == "Ben"
    assert made.fact("sunstroke") == 1
    made = desk("July", "Ada Y9, Ben Y4, Cem Y2, Ada G9, Ben G4, Cem G2, Ben S7, Cem S1, Ada S5")
    assert made.winner == "Ada"


def test_july_the_holders_led_card_sets_the_colour() -> None:
    made = desk("July", "Ada Y9, Ben Y4, Cem Y2, Ada G8, Ben S7, Cem G0")
    assert made.winner == "Cem"
    made = desk("July", "Ada Y9, Ben Y4, Cem Y2, Ada G8", hands={"Ben": "G1"})
    assert made.objection("Ben", "Y4") == "not-in-hand"
    assert {card[0] for card in made.may("Ben").split()} == {"G"}


def test_july_line_1_the_highest_of_those_that_may_win() -> None:
    lead = "Ada Y9, Ben Y4, Cem Y2, Ada G8, "
    assert desk("July", lead + "Ben S3, Cem L7").winner == "Cem"
    assert desk("July", lead + "Ben S7, Cem L7").winner == "Ben"
    assert desk("July", lead + "Ben S7, Cem R0").winner == "Cem"


def test_july_several_sunstrokes_are_one_and_without_one_nothing() -> None:
    assert desk("July", "Ada G8, Ben G4, Cem G2").fact("sunstroke") is None
    assert desk("July", "Ada G9, Ben R9, Cem G2").fact("sunstroke") == 1


def test_july_the_card_is_taken_in_the_last_trick_and_starts_anew() -> None:
    """Lines 5 and 6: Y9, G9 and S9 are the last trick."""
    assert played("July", (4, 4, 4)).fact("sunstroke") == 2
    made = rounds("July", (4, 4, 4), (4, 4, 4))
    play_round(made, (4, 4, 4))
    assert made.fact("sunstroke") is None


# -- August ----------------------------------------------------------------------------------------


def test_august_discard_one_for_each_and_draw_as_many() -> None:
    """The example of the sheet: G2, G7 and G9."""
    made = desk("August", "Ada G2, Ben G7, Cem G9", hands={"Cem": "Y0 L1"}, stock="S5 S6 S7")
    assert made.phase == "discard"
    assert made.next == "Cem"
    assert made.objection("Cem", "Y0") == "wrong-number"
    assert made.objection("Cem", "Y0,Y0") == "card-twice"
    assert len(made.may("Cem").split()) == 11 * 10 // 2
    made.play("Cem drops L1,Y0")
    assert made.fact("discarded") == ["Y0", "L1"]
    assert {"S5", "S6"} <= set(made.hand("Cem").split())
    assert not {"S7", "Y0", "L1"} & set(made.hand("Cem").split())
    assert made.view.hand_sizes == (11, 11, 11)
    assert made.view.stock == 22
    assert made.next == "Cem"
    drawn = made.events("drew")[0]
    assert (drawn.seat, drawn.cards, drawn.to) == (2, ("S5", "S6"), (2,))
    assert made.match.rounds[0].extra == [[3, 2, "discard", ["Y0", "L1"]]]


def test_august_every_set_is_listed_once() -> None:
    made = desk("August", "Ada G2, Ben G7, Cem G9")
    hand = made.hand("Cem").split()
    expected = [f"{low},{high}" for at, low in enumerate(hand) for high in hand[at + 1 :]]
    assert made.may("Cem").split() == expected


def test_august_without_sunglasses_nothing() -> None:
    assert desk("August", "Ada G3, Ben G8, Cem G9").phase == "play"


def test_august_only_as_far_as_the_hand_reaches_and_not_after_the_last_trick() -> None:
    """Three 2s lie in the last trick but one, three 7s in the last. Line 5."""
    made = rounds("August", (4, 4, 4))
    for seat, card in split_plays(0, (4, 4, 4), "0134568927")[:33]:
        made.match.play(seat, card)
    assert made.phase == "discard"
    assert made.may("Cem") == "S7"
    made.play("Cem S7")
    assert made.hand("Cem") == made.match.rounds[0].deal.stock[0] == "R0"
    made.play("Cem R0, Ada Y7, Ben G7")
    assert made.scores() == (4, 4, 4)


def test_august_draws_go_on_through_the_stock() -> None:
    plays = "Ada G2, Ben G0, Cem G9, Cem drops Y0, Cem Y7, Ada Y8, Ben Y1, Ada drops L0"
    made = desk("August", plays, stock="S5 S6")
    assert "S5" in made.hand("Cem")
    assert "S6" in made.hand("Ada")


# -- September -------------------------------------------------------------------------------------


def test_september_a_trick_with_a_leaf_stays_and_its_winner_leads() -> None:
    made = desk("September", "Ada G6, Ben G9, Cem G1")
    assert made.events("trick") == []
    assert made.trick == ("Ben", "G6 G9 G1")
    assert made.fact("lying") == ["G1", "G6", "G9"]
    assert made.fact("lying_tricks") == 1
    assert made.next == "Ben"
    assert [made.tricks(name) for name in THREE.split()] == [0, 0, 0]


def test_september_the_next_winner_without_a_leaf_takes_all() -> None:
    made = desk(
        "September", "Ada G6, Ben G9, Cem G1, Ben Y6, Cem R1, Ada Y2, Cem S3, Ada S4, Ben S5"
    )
    assert [made.tricks(name) for name in THREE.split()] == [0, 3, 0]
    assert made.fact("lying") == []
    assert made.fact("lying_tricks") == 0


def test_september_after_the_last_trick_its_winner_takes_all() -> None:
    """Line 5: Y6, G6 and S6 are the last trick."""
    made = played("September", (4, 4, 4), order="0123457896")
    assert made.scores() == (4, 4, 4)
    assert made.fact("lying") == []
    assert not made.events("stays")


def test_september_a_last_trick_with_a_leaf_takes_the_pile() -> None:
    made = rounds("September", (4, 4, 4))
    plays = split_plays(0, (4, 4, 4), "0123457896")
    mine = {0: "Y6", 1: "G6", 2: "S6"}
    for seat, card in plays[:30]:
        made.match.play(seat, card)
    assert made.next == "Cem"
    made.play("Cem S6, Ada Y9, Ben G9")  # stays
    assert made.fact("lying_tricks") == 1
    made.play(f"Cem S9, Ada {mine[0]}, Ben {mine[1]}")
    assert made.scores() == (4, 4, 4)
    assert made.fact("lying_tricks") == 0


def test_september_each_harvested_trick_is_a_point() -> None:
    """Y6, G6, S6 fall in the last trick before L1 L8 L0: Cem takes it with that."""
    assert played("September", (4, 4, 4)).scores() == (4, 3, 5)


# -- October ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plays", "winner"),
    [
        ("Ada G5, Ben G9, Cem S8", "Ada"),
        ("Ada G8, Ben G9, Cem G1", "Cem"),
        ("Ada G5, Ben R8, Cem R2", "Cem"),
        ("Ada G5, Ben R9, Cem G8", "Ben"),
        ("Ada G8, Ben S8, Cem G9", "Ada"),
        ("Ada G8, Ben G7, Cem R8", "Cem"),
        ("Ada G5, Ben G9, Cem S7", "Ben"),
    ],
)
def test_october_the_lowest_wins_a_trick_with_a_ghost(plays: str, winner: str) -> None:
    made = desk("October", plays)
    assert made.winner == winner
    assert made.next == winner


# -- November --------------------------------------------------------------------------------------


def test_november_a_lantern_shines_if_another_wins() -> None:
    """The example of the sheet: G3, G7, S3."""
    made = desk("November", "Ada G3, Ben G7, Cem S3")
    assert made.fact("lanterns") == [1, 0, 1]
    assert desk("November", "Ada G3, Ben G1, Cem S3").fact("lanterns") == [0, 0, 1]
    assert desk("November", "Ada G2, Ben G1, Cem S4").fact("lanterns") == [0, 0, 0]


def test_november_lanterns_are_points() -> None:
    """Y3, G3 and S3 fall in a trick of Ada's."""
    assert played("November", (4, 4, 4)).scores() == (4, 5, 5)


# -- December --------------------------------------------------------------------------------------


def test_december_gifts_must_be_given_one_by_one() -> None:
    """The example of the sheet: G6, G0 and S0."""
    made = desk("December", "Ada G6, Ben G0, Cem S0")
    assert made.phase == "gift"
    assert made.next == "Ada"
    assert made.fact("to_give") == ["G0", "S0"]
    assert made.may("Ada") == "G0>1 G0>2 S0>1 S0>2"
    assert made.objection("Ada", "G0>Ada") == "not-yourself"
    made.play("Ada S0>Cem")
    assert made.fact("to_give") == ["G0"]
    assert made.fact("gifts") == [0, 0, 1]
    assert made.may("Ada") == "G0>1 G0>2"
    assert made.objection("Ada", "G6") == "not-a-seat"
    made.play("Ada G0>Ben")
    assert made.fact("gifts") == [0, 1, 1]
    assert made.phase == "play"
    assert made.next == "Ada"
    assert [event.move for event in made.view.history if event.kind == "gift"] == ["S0>2", "G0>1"]


def test_december_the_same_seat_may_get_several() -> None:
    made = desk("December", "Ada G6, Ben G0, Cem S0, Ada G0>Ben, Ada S0>Ben")
    assert made.fact("gifts") == [0, 2, 0]


def test_december_a_gift_is_among_the_cards_of_its_receiver_only() -> None:
    made = desk("December", "Ada G6, Ben G0, Cem S1, Ada G0>Ben")
    assert [won_count(made.match._state, seat) for seat in range(3)] == [2, 1, 0]


def test_december_without_a_gift_nothing() -> None:
    assert desk("December", "Ada G6, Ben G1, Cem S1").phase == "play"


def test_december_gifts_are_points_and_are_given_in_the_last_trick() -> None:
    """Ada gives Y0, G0, S0 to Ben, Ben B0 to Ada, Cem L0 to Ada. Line 5: L0 may come last."""
    assert played("December", (4, 4, 4)).scores() == (4 + 2, 4 + 3, 4)
    assert played("December", (7, 4, 1)).scores() == (7 + 2, 4 + 3, 1)


def test_things_of_the_month_start_anew_each_round() -> None:
    """Line 6."""
    for month, fact, anew in (
        ("November", "lanterns", [0, 0, 0]),
        ("December", "gifts", [0, 0, 0]),
        ("August", "discarded", []),
        ("September", "lying", []),
    ):
        made = rounds(month, (4, 4, 4), (4, 4, 4))
        run_on(made)
        assert made.view.round == 2
        assert made.fact(fact) == anew
