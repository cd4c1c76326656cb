"""What a play would do, in whole sentences: first what matters most."""

import pytest

from stichwerk import outlook
from tests.rulebook.table import Table, table
from tests.sheets.desk import desk

pytestmark = pytest.mark.game

FOUR = "Ada Ben Cleo Dan"


def said(made: Table, name: str, move: str, lang: str = "en") -> tuple[str, str]:
    found = outlook.effects(made.match.view(made.seat(name)), lang)
    effect = next(effect for effect in found if effect.move == move)
    return effect.verdict, effect.sentence


def sticheln(plays: str, name: str, hand: str) -> Table:
    pain = {"Ada": "Y2", "Ben": "R0", "Cleo": "L5", "Dan": "B1"}
    return table("sticheln", FOUR, choices=pain, plays=plays, hands={name: hand})


def test_sticheln_needles_gives_and_hurts() -> None:
    made = sticheln("Ada R5, Ben L7", "Cleo", "R6 G8 L9")
    assert said(made, "Cleo", "R6") == (
        "Needles Ben.",
        "Ben keeps the trick and your R6: −10 as it stands. Dan is still to come.",
    )
    assert said(made, "Cleo", "L9") == (
        "That hurts.",
        "You are winning: −15 as it stands. Dan is still to come.",
    )
    assert said(made, "Cleo", "R6", "de") == (
        "Das piekst Ben.",
        "Ben behält den Stich samt R6: −10, wie er liegt. Dan kommt noch.",
    )


def test_sticheln_says_what_a_full_trick_brings() -> None:
    made = sticheln("Ada R5, Ben G2, Cleo Y7", "Dan", "R6 B9 L8 G9")
    assert said(made, "Dan", "R6") == ("A gift for Cleo.", "Cleo takes the trick and your R6: +4.")
    assert said(made, "Dan", "L8") == ("You take the trick.", "That is +4 for you.")
    assert said(made, "Dan", "B9") == ("That hurts.", "You take the trick: −6.")


def test_sticheln_says_once_who_takes_it() -> None:
    made = sticheln("Ada R5, Ben L7", "Cleo", "G3 Y1")
    assert said(made, "Cleo", "G3") == (
        "Ben keeps it.",
        "That is −3 for Ben. Dan is still to come.",
    )


def test_null_nichtig_counts_the_piles() -> None:
    made = table(
        "null-nichtig",
        FOUR,
        choices={"Ada": "R3,G4,B5", "Dan": "G9,B2,L1"},
        plays="Ada Y9, Ben L2, Cleo G0",
        hands={"Dan": "R6 Y10"},
    )
    assert said(made, "Dan", "R6") == (
        "Ada takes it: 12 → 22.",
        "Ada's piles: R3→R6, Y9 new, G0 voids G4, L2 new.",
    )
    assert said(made, "Dan", "Y10", "de") == (
        "Du nimmst ihn: 12 → 13.",
        "Deine Stapel: Y9 neu, G0 macht G9 nichtig, L1→L2.",
    )


def test_stichling_names_the_trick() -> None:
    made = table(
        "stichling",
        "Ada Ben",
        choices={"Ada": "3,2,1", "Ben": "1,2,3"},
        plays="Ada Y3>new, Ben Y4>1, Ada Y2>1",
        hands={"Ben": "B1 Y1 Y5"},
    )
    assert said(made, "Ben", "B1>new") == (
        "Opens trick 2.",
        "It is yours for now. 3 more cards fill it.",
    )
    assert said(made, "Ben", "Y5>1") == (
        "Fills trick 1.",
        "It is yours: one trick now, worth 1.",
    )


def test_stichtag_stays_clean_where_the_fewest_points_win() -> None:
    for sheets, verdict in (("green 1", "You stay clean."), ("", "Ben keeps it.")):
        made = desk(sheets, "Ada B4, Ben B7", players=FOUR, hands={"Cleo": "B2 B9"})
        assert said(made, "Cleo", "B2")[0] == verdict
        assert said(made, "Cleo", "B9")[0] == "You overtake Ben."
    assert said(made, "Cleo", "B2")[1] == "Dan is still to come."
