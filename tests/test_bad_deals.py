"""Bad deals and moves: always a typed error with a stable id, never a bare Python one."""

from typing import Any

import pytest

import stichwerk
from stichwerk.errors import (
    BadDealError,
    BadOptionError,
    BadSeatsError,
    BadSeedError,
    StichwerkError,
    UnknownBotError,
    UnknownGameError,
)
from stichwerk.locale import text
from tests.bad_input_setup import HUGE, refused

# -- Deals -----------------------------------------------------------------------------------------


def good_deal(game: str = "stichtag") -> dict[str, Any]:
    """Return a deal as a record writes it."""
    deal = stichwerk.game(game, seats=3).new(seed=1).rounds[0].deal
    hands = [list(hand) for hand in deal.hands]
    return {"starter": deal.starter, "hands": hands, "stock": list(deal.stock)}


def changed(**fields: Any) -> dict[str, Any]:
    """Return the good deal with other fields."""
    return good_deal() | fields


def missing_card() -> dict[str, Any]:
    deal = good_deal()
    deal["stock"].pop()
    return deal


def card_twice() -> dict[str, Any]:
    deal = good_deal()
    deal["hands"][0][0] = deal["hands"][1][0]
    return deal


def foreign_card() -> dict[str, Any]:
    deal = good_deal()
    deal["hands"][0][0] = "R11"
    return deal


def moved_card() -> dict[str, Any]:
    deal = good_deal()
    deal["hands"][0].append(deal["stock"].pop())
    return deal


def odd_hand(card: object) -> dict[str, Any]:
    deal = good_deal()
    deal["hands"][0][0] = card
    return deal


@pytest.mark.parametrize(
    ("deal", "id"),
    [
        (missing_card(), "not-the-deck"),
        (card_twice(), "not-the-deck"),
        (foreign_card(), "not-the-deck"),
        (changed(stock=[]), "not-the-deck"),
        (moved_card(), "bad-hand"),
        (changed(hands=[[], [], []]), "bad-hand"),
        (changed(hands=good_deal()["hands"][:2]), "bad-hands"),
        (changed(hands=good_deal()["hands"] * 2), "bad-hands"),
        (changed(hands=None), "bad-hands"),
        (changed(hands="R1"), "bad-hands"),
        (changed(hands={0: [], 1: [], 2: []}), "bad-hands"),
        (changed(hands=["R1", "R2", "R3"]), "bad-cards"),
        (changed(hands=[None, None, None]), "bad-cards"),
        (changed(stock=None), "bad-cards"),
        (changed(stock="R1"), "bad-cards"),
        (odd_hand(17), "bad-cards"),
        (odd_hand(None), "bad-cards"),
        (odd_hand("X9"), "bad-card"),
        (odd_hand("R1 "), "bad-card"),
        (odd_hand("R１"), "bad-card"),
        (odd_hand("R" * 10**5), "bad-card"),
        (changed(starter=3), "bad-starter"),
        (changed(starter=-1), "bad-starter"),
        (changed(starter=True), "bad-starter"),
        (changed(starter=None), "bad-starter"),
        (changed(starter="0"), "bad-starter"),
        pytest.param(changed(starter=HUGE), "bad-starter"),
        ({}, "bad-deal"),
        ({"starter": 0}, "bad-deal"),
        ({"hands": good_deal()["hands"], "stock": good_deal()["stock"]}, "bad-deal"),
        (changed(trump="B"), "bad-deal"),
        (good_deal("sticheln"), "bad-hand"),
        pytest.param(None, "bad-deal"),
        pytest.param(5, "bad-deal"),
        pytest.param("R1", "bad-deal"),
        pytest.param([], "bad-deal"),
    ],
)
def test_bad_deal(deal: Any, id: str) -> None:
    setting = stichwerk.game("stichtag", seats=3)
    for deals in ([deal], [good_deal(), deal]):
        with pytest.raises(BadDealError) as caught:
            setting.new(deals=deals)
        assert refused(caught.value, id)


@pytest.mark.parametrize(
    ("deal", "missing", "surplus"),
    [
        (card_twice(), good_deal()["hands"][0][0], good_deal()["hands"][1][0]),
        (foreign_card(), good_deal()["hands"][0][0], "R11"),
        (missing_card(), good_deal()["stock"][-1], "-"),
        (changed(stock=good_deal()["stock"] + ["R11"]), "-", "R11"),
    ],
)
def test_a_wrong_deck_is_reported_card_by_card(deal: Any, missing: str, surplus: str) -> None:
    """Never "60 cards instead of 60"."""
    with pytest.raises(BadDealError) as caught:
        stichwerk.game("stichtag", seats=3).new(deals=[deal])
    sentence = text(caught.value.id, "en", **caught.value.data)
    assert sentence.endswith(f"Missing: {missing}; too many: {surplus}.")
    assert "60" not in sentence


def test_of_many_wrong_cards_a_few_are_named() -> None:
    with pytest.raises(BadDealError) as caught:
        stichwerk.game("stichtag", seats=3).new(deals=[changed(stock=[])])
    assert len(str(caught.value.data["missing"]).split(", ")) == 6
    assert str(caught.value.data["missing"]).endswith("…")


def drawn(*extra: object) -> dict[str, Any]:
    """Return the good deal with these draws."""
    return changed(extra=[[0, None, *entry] for entry in extra])  # type: ignore[misc]


@pytest.mark.parametrize(
    ("sheets", "extra", "id"),
    [
        ([], [("trumps", ["B", "R"])], "wrong-specials"),
        (["red 0"], [], "wrong-specials"),
        (["red 0"], [("eggs", [0, 1, 1, 2, 2, 3])], "wrong-specials"),
        (["red 0"], [("trump", "B")], "wrong-specials"),
        (["red 0"], [("trumps", ["B", "R"]), ("trumps", ["B", "R"])], "wrong-specials"),
        (["red 0"], [("trumps", ["B", "R"]), ("trump", "B")], "wrong-specials"),
        (
            ["red 0", "April"],
            [("eggs", [0, 1, 1, 2, 2, 3]), ("trumps", ["B", "R"])],
            "wrong-specials",
        ),
        (
            ["red 6", "April"],
            [("eggs", [0, 1, 1, 2, 2, 3]), ("partners", [1, 2, 0])],
            "wrong-specials",
        ),
        (["red 0"], [("trumps", ["B", "B"])], "bad-special"),
        (["red 0"], [("trumps", ["B", "X"])], "bad-special"),
        (["red 0"], [("trumps", ["b", "r"])], "bad-special"),
        (["red 0"], [("trumps", ["B"])], "bad-special"),
        (["red 0"], [("trumps", ["B", "R", "Y"])], "bad-special"),
        (["red 0"], [("trumps", [])], "bad-special"),
        (["red 0"], [("trumps", [["B"], ["R"]])], "bad-special"),
        (["red 0"], [("trumps", [1, 2])], "bad-special"),
        (["red 0"], [("trumps", "BR")], "bad-special"),
        (["red 0"], [("trumps", None)], "bad-special"),
        (["red 0"], [("trumps", HUGE)], "bad-special"),
        (["red 0"], [("trumps", {"B": "R"})], "bad-special"),
        (["red 6"], [("partners", [0, 2, 1])], "bad-special"),
        (["red 6"], [("partners", [1, 1, 0])], "bad-special"),
        (["red 6"], [("partners", [1, 0])], "bad-special"),
        (["red 6"], [("partners", [1, 2, 3, 0])], "bad-special"),
        (["red 6"], [("partners", [True, 2, 0])], "bad-special"),
        (["red 6"], [("partners", ["1", "2", "0"])], "bad-special"),
        (["red 6"], [("partners", [])], "bad-special"),
        (["red 6"], [("partners", "120")], "bad-special"),
        (["April"], [("eggs", [0, 1, 1, 2, 2])], "bad-special"),
        (["April"], [("eggs", [0, 1, 2, 2, 2, 3])], "bad-special"),
        (["April"], [("eggs", [0.0, 1, 1, 2, 2, 3])], "bad-special"),
        (["April"], [("eggs", {0: 1})], "bad-special"),
        (["April"], [("eggs", HUGE)], "bad-special"),
        (["April"], [(7, [0, 1, 1, 2, 2, 3])], "bad-special"),
        (["April"], [(None, [0, 1, 1, 2, 2, 3])], "bad-special"),
    ],
)
def test_impossible_draws_are_refused(sheets: list[str], extra: list[Any], id: str) -> None:
    with pytest.raises(BadDealError) as caught:
        stichwerk.game("stichtag", 3, sheets=sheets).new(deals=[drawn(*extra)])
    assert refused(caught.value, id)


@pytest.mark.parametrize(
    ("sheets", "extra", "id"),
    [
        ([], [("trump", "B")], "wrong-specials"),
        (["red 0"], [], "wrong-specials"),
        (["red 0"], [("trumps", ["B", "R"])], "wrong-specials"),
        (["red 0"], [("trump", "B"), ("trump", "B")], "wrong-specials"),
        (["red 0"], [("trump", "X")], "bad-special"),
        (["red 0"], [("trump", "")], "bad-special"),
        (["red 0"], [("trump", "RY")], "bad-special"),
        (["red 0"], [("trump", ["R", "Y"])], "bad-special"),
        (["red 0"], [("trump", None)], "bad-special"),
        (["red 0"], [("trump", 1)], "bad-special"),
    ],
)
def test_impossible_draws_of_version_1_are_refused(
    sheets: list[str], extra: list[Any], id: str
) -> None:
    with pytest.raises(BadDealError) as caught:
        stichwerk.game("stichtag", 3, rules=1, sheets=sheets).new(deals=[drawn(*extra)])
    assert refused(caught.value, id)


def test_a_wrong_draw_is_named_without_python() -> None:
    setting = stichwerk.game("stichtag", seats=3, sheets=["red 6"])
    for value, named in (([0, 2, 1], "0,2,1"), (None, "none"), ([True, 2, 0], "true,2,0")):
        with pytest.raises(BadDealError) as caught:
            setting.new(deals=[drawn(("partners", value))])
        assert caught.value.data["value"] == named


@pytest.mark.parametrize(("rules", "draw"), [(1, ["trump", "B"]), (2, ["trumps", ["B", "R"]])])
def test_draws_belong_to_the_start_of_the_round(rules: int, draw: list[object]) -> None:
    setting = stichwerk.game("stichtag", 3, rules=rules, sheets=["red 0"])
    assert setting.new(deals=[changed(extra=[[0, None, *draw]])]).waiting_for
    with pytest.raises(BadDealError) as caught:
        setting.new(deals=[changed(extra=[[1, None, *draw]])])
    assert refused(caught.value, "bad-special")


@pytest.mark.parametrize(
    "extra",
    [None, 5, "trumps", [5], [[0, None, "trumps"]], [[0, 1, "trumps", ["B", "R"]]]],
)
def test_draws_of_a_wrong_form_are_missing_draws(extra: Any) -> None:
    with pytest.raises(BadDealError) as caught:
        stichwerk.game("stichtag", 3, sheets=["red 0"]).new(deals=[changed(extra=extra)])
    assert refused(caught.value, "wrong-specials")


@pytest.mark.parametrize(
    "deals",
    [[], (), *(pytest.param(deals) for deals in (5, "deal", good_deal()))],
)
def test_bad_list_of_deals(deals: Any) -> None:
    with pytest.raises(BadDealError):
        stichwerk.game("stichtag", seats=3).new(deals=deals)


def test_deal_must_start_where_the_option_says() -> None:
    deal = good_deal()
    other = (deal["starter"] + 1) % 3
    with pytest.raises(BadDealError) as caught:
        stichwerk.game("stichtag", seats=3, starter=other).new(deals=[deal])
    assert refused(caught.value, "wrong-starter")
    assert caught.value.data == {"starter": deal["starter"], "expected": other}
    setting = stichwerk.game("stichtag", seats=3, starter=deal["starter"])
    assert setting.new(deals=[deal]).view(None).starter == deal["starter"]


def test_wrong_starter_of_a_later_round_leaves_no_half_made_move() -> None:
    """Either refused at once, or the move that ends round 1 does not happen."""
    deal = good_deal()
    try:
        match = stichwerk.game("stichtag", seats=3).new(deals=[deal, deal])
    except BadDealError:
        return
    while not match.scores:
        seat = match.waiting_for[0]
        move, before = match.moves(seat)[0], match.events
        try:
            match.play(seat, move)
        except BadDealError:
            assert match.events == before
            return


def test_a_match_waiting_for_its_next_deal_is_not_over() -> None:
    match = stichwerk.game("stichtag", seats=3).new(deals=[good_deal()])
    while match.waiting_for:
        match.play(match.waiting_for[0], match.moves(match.waiting_for[0])[0])
    reason = match.objection(0, "R1")
    assert reason is not None
    assert match.over == (reason.id == "match-over")


def test_lower_case_cards_of_a_deal_are_read() -> None:
    deal = good_deal()
    deal["hands"][0] = [card.lower() for card in deal["hands"][0]]
    match = stichwerk.game("stichtag", seats=3).new(deals=[deal])
    assert list(match.rounds[0].deal.hands[0]) == good_deal()["hands"][0]


# -- Moves -----------------------------------------------------------------------------------------


def test_a_huge_number_as_a_move_is_an_objection() -> None:
    match = stichwerk.game("stichtag", seats=3, starter=0).new(seed=1)
    reason = match.objection(0, HUGE)  # type: ignore[arg-type]
    assert reason is not None
    assert reason.id == "not-a-move"


def test_all_errors_share_a_base_class() -> None:
    for kind in (
        BadDealError,
        BadOptionError,
        BadSeatsError,
        BadSeedError,
        UnknownBotError,
        UnknownGameError,
    ):
        assert issubclass(kind, StichwerkError)


def test_changing_what_a_view_shows_changes_no_rules() -> None:
    """Views are values: their options are not the match's own."""
    match = stichwerk.game("sticheln", seats=3).new(seed=1)
    match.view(0).options["rounds"] = 99
    assert match.view(1).options["rounds"] == 3
