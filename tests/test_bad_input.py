"""Bad input to the library: always a typed error with a stable id, never a bare Python one."""

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

ALL_SHEETS = "green 0-3, red 0-9, January-December"
DATES = "none, MM-DD"
HUGE = 10**5000  # more digits than Python turns into text


def refused(error: StichwerkError, id: str) -> bool:
    """Return whether the error has this id and can be put into words."""
    return error.id == id and id in str(error)


# -- Games, bots, seats ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Sticheln",
        "poker",
        "sticheln ",
        "stichén",
        pytest.param("x" * 10**5, id="long"),
        None,
        4,
        [],
        b"sticheln",
    ],
)
def test_unknown_game(name: Any) -> None:
    with pytest.raises(UnknownGameError) as caught:
        stichwerk.game(name)
    assert refused(caught.value, "unknown-game")
    assert caught.value.data["known"] == "stichling, null-nichtig, sticheln, stichtag"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Random",
        "expert!",
        None,
        4,
        pytest.param("x" * 10**5, id="long"),
        pytest.param([]),
    ],
)
def test_unknown_bot(name: Any) -> None:
    with pytest.raises(UnknownBotError) as caught:
        stichwerk.bot(name)
    assert refused(caught.value, "unknown-bot")


@pytest.mark.parametrize("seed", [pytest.param(seed) for seed in ("7", None, 1.5)])
def test_bot_with_a_bad_seed(seed: Any) -> None:
    with pytest.raises(BadSeedError):
        stichwerk.bot("random", seed=seed)


@pytest.mark.parametrize(
    ("game", "allowed"),
    [
        ("stichling", "2, 3, 4, 5"),
        ("null-nichtig", "3, 4, 5, 6"),
        ("sticheln", "3, 4, 5, 6"),
        ("stichtag", "3, 4, 5"),
    ],
)
def test_number_of_seats(game: str, allowed: str) -> None:
    fitting = [int(seats) for seats in allowed.split(", ")]
    for seats in range(-2, 10):
        if seats in fitting:
            assert stichwerk.game(game, seats=seats).seats == seats
        else:
            with pytest.raises(BadSeatsError) as caught:
                stichwerk.game(game, seats=seats)
            assert refused(caught.value, "bad-seats")
            assert caught.value.data["allowed"] == allowed


@pytest.mark.parametrize("seats", [True, None, "4", 4.0, [], 2**64, pytest.param(HUGE, id="huge")])
def test_seats_of_a_wrong_type(seats: Any) -> None:
    with pytest.raises(BadSeatsError) as caught:
        stichwerk.game("sticheln", seats=seats)
    assert refused(caught.value, "bad-seats")


@pytest.mark.parametrize("seat", [-1, 4, 2**64, True, "0", 0.0, pytest.param(HUGE, id="huge")])
def test_an_unknown_seat_is_refused(seat: Any) -> None:
    match = stichwerk.game("sticheln", seats=4).new(seed=1)
    before = match.events
    for ask in (
        match.moves,
        match.view,
        lambda at: match.objection(at, "R1"),
        lambda at: match.play(at, "R1"),
    ):
        with pytest.raises(BadSeatsError) as caught:
            ask(seat)
        assert refused(caught.value, "no-such-seat")
        assert caught.value.data["highest"] == 3
    assert match.events == before


def test_a_spectator_cannot_move() -> None:
    match = stichwerk.game("sticheln", seats=4).new(seed=1)
    with pytest.raises(BadSeatsError):
        match.play(None, "R1")  # type: ignore[arg-type]
    with pytest.raises(BadSeatsError):
        match.moves(None)  # type: ignore[arg-type]


# -- Options ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "option"),
    [
        ("sticheln", "discard"),
        ("sticheln", "Rounds"),
        ("stichling", "rounds"),
        ("stichling", "log"),
        ("null-nichtig", "all_zero"),
        ("stichtag", "teams"),
    ],
)
def test_unknown_option(game: str, option: str) -> None:
    with pytest.raises(BadOptionError) as caught:
        stichwerk.game(game, 4, **{option: None})
    assert refused(caught.value, "unknown-option")
    assert caught.value.data["option"] == option
    assert "starter" in str(caught.value.data["known"])


@pytest.mark.parametrize(
    ("game", "option", "value", "allowed"),
    [
        ("stichling", "discard", "Card", "card, hand"),
        ("stichling", "discard", None, "card, hand"),
        ("stichling", "discard", True, "card, hand"),
        ("stichling", "discard", ["card"], "card, hand"),
        ("stichling", "starter", 4, "none, 0-3"),
        ("stichling", "starter", -1, "none, 0-3"),
        ("stichling", "starter", False, "none, 0-3"),
        ("stichling", "starter", "0", "none, 0-3"),
        ("stichling", "starter", 1.0, "none, 0-3"),
        ("null-nichtig", "target", 0, "none, 1-500"),
        ("null-nichtig", "target", 501, "none, 1-500"),
        ("null-nichtig", "target", True, "none, 1-500"),
        ("null-nichtig", "target", "100", "none, 1-500"),
        ("null-nichtig", "target", float("nan"), "none, 1-500"),
        ("null-nichtig", "teams", 3, "none, 2"),
        ("null-nichtig", "teams", "2", "none, 2"),
        ("null-nichtig", "teams", True, "none, 2"),
        pytest.param("null-nichtig", "teams", 2.0, "none, 2"),
        ("sticheln", "all_zero", "", "nobody, leader"),
        ("sticheln", "all_zero", 0, "nobody, leader"),
        ("sticheln", "rounds", 0, "1-12"),
        ("sticheln", "rounds", 13, "1-12"),
        ("sticheln", "rounds", None, "1-12"),
        ("sticheln", "rounds", True, "1-12"),
        ("sticheln", "rounds", {}, "1-12"),
        pytest.param("sticheln", "rounds", HUGE, "1-12", id="huge"),
        ("stichtag", "rounds", 1, "3, 2"),
        ("stichtag", "rounds", 5, "3, 2"),
        ("stichtag", "rounds", None, "3, 2"),  # only with a goal, see below
        pytest.param("stichtag", "rounds", 3.0, "3, 2"),
        ("stichtag", "sheets", "red 4", f"[{ALL_SHEETS}]"),
        ("stichtag", "sheets", (), f"[{ALL_SHEETS}]"),
        ("stichtag", "sheets", None, f"[{ALL_SHEETS}]"),
        ("stichtag", "sheets", [4], ALL_SHEETS),
        ("stichtag", "sheets", ["red 4", None], ALL_SHEETS),
        ("stichtag", "sheets", ["red 10"], ALL_SHEETS),
        ("stichtag", "sheets", ["green 4"], ALL_SHEETS),
        ("stichtag", "sheets", ["Red 4"], ALL_SHEETS),
        ("stichtag", "sheets", ["july"], ALL_SHEETS),
        ("stichtag", "sheets", ["red 4 "], ALL_SHEETS),
        ("stichtag", "sheets", ["red 4\n"], ALL_SHEETS),
        ("stichtag", "sheets", [""], ALL_SHEETS),
        ("stichtag", "date", 704, DATES),
        ("stichtag", "date", "31 June", DATES),
        ("stichtag", "date", "7-4", DATES),
        ("stichtag", "date", "13-01", DATES),
        ("stichtag", "date", "00-01", DATES),
        ("stichtag", "date", "01-40", DATES),
        ("stichtag", "date", "07-04\n", DATES),
        ("stichtag", "date", "07-0４", DATES),
        ("stichtag", "date", "2026-07-04", DATES),
        ("stichtag", "date", "", DATES),
        ("stichtag", "date", ["07-04"], DATES),
    ],
)
def test_option_outside_its_domain(game: str, option: str, value: Any, allowed: str) -> None:
    stichwerk.game(game)  # a game set up before must not lend its rules to a wrong value
    with pytest.raises(BadOptionError) as caught:
        stichwerk.game(game, **{option: value})
    assert refused(caught.value, "bad-option")
    assert caught.value.data["option"] == option
    assert caught.value.data["allowed"] == allowed


@pytest.mark.parametrize(
    ("option", "value", "named"),
    [
        ("sheets", ["red 44"], "red 44"),
        ("sheets", ["July", "red 44"], "red 44"),
        ("sheets", ["red 4", None], "none"),
        ("sheets", (), "[]"),
        ("sheets", ("red 4", "May"), "red 4,May"),
        ("date", ["07-04"], "07-04"),
        ("starter", False, "false"),
        ("starter", 9, "9"),
    ],
)
def test_a_wrong_value_is_named_as_it_is_typed(option: str, value: Any, named: str) -> None:
    """Not as Python writes it."""
    with pytest.raises(BadOptionError) as caught:
        stichwerk.game("stichtag", **{option: value})
    assert caught.value.data["value"] == named
    sentence = text(caught.value.id, "en", **caught.value.data)
    assert sentence.startswith(f"The option {option} cannot be '{named}'; allowed: ")


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        ({}, "3, 2"),
        ({"sheets": ["red 4"]}, "3, 2"),
        ({"sheets": ["red 4", "green 0"]}, "none"),
        ({"date": "07-04"}, "none"),
    ],
)
def test_listed_allowed_values_are_accepted(options: Any, allowed: str) -> None:
    with pytest.raises(BadOptionError) as caught:
        stichwerk.game("stichtag", rounds=5, **options)
    assert caught.value.data["allowed"] == allowed
    for word in allowed.split(", "):
        stichwerk.game("stichtag", rounds=None if word == "none" else int(word), **options)


@pytest.mark.parametrize(
    ("options", "id", "data"),
    [
        (
            {"date": "07-04", "rounds": 3},
            "bad-option",
            {"option": "rounds", "value": "3", "allowed": "none"},
        ),
        (
            {"sheets": ["green 2"], "rounds": 2},
            "bad-option",
            {"option": "rounds", "value": "2", "allowed": "none"},
        ),
        (
            {"sheets": ["red 4", "July"], "rounds": None},
            "bad-option",
            {"option": "rounds", "value": "none", "allowed": "3, 2"},
        ),
        ({"sheets": ["red 4"], "date": "07-04"}, "sheets-and-date", {"sheets": "red 4"}),
        ({"sheets": ["red 4", "red 5"]}, "bad-sheets", {"sheets": "red 4, red 5"}),
        ({"sheets": ["May", "May"]}, "bad-sheets", {"sheets": "May, May"}),
        (
            {"sheets": ["green 0", "red 4", "July"]},
            "bad-sheets",
            {"sheets": "green 0, red 4, July"},
        ),
    ],
)
def test_incompatible_options_of_stichtag_are_refused(
    options: Any, id: str, data: dict[str, object]
) -> None:
    with pytest.raises(BadOptionError) as caught:
        stichwerk.game("stichtag", **options)
    assert refused(caught.value, id)
    assert caught.value.data == data


@pytest.mark.parametrize(
    ("options", "rounds"),
    [
        ({}, 3),
        ({"rounds": 2}, 2),
        ({"sheets": ["red 4"]}, 3),
        ({"sheets": ["red 4"], "rounds": 2}, 2),
        ({"sheets": ["green 2"]}, None),
        ({"sheets": ["green 2"], "rounds": None}, None),
        ({"date": "07-04"}, None),
        ({"date": "07-04", "rounds": None}, None),
    ],
)
def test_rounds_are_null_only_with_a_goal(options: Any, rounds: int | None) -> None:
    assert stichwerk.game("stichtag", **options).options["rounds"] == rounds


# -- Seeds and names -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "seed", [-1, 2**53, pytest.param(HUGE, id="huge"), True, 1.0, "1", b"1", [1]]
)
def test_bad_seed(seed: Any) -> None:
    with pytest.raises(BadSeedError) as caught:
        stichwerk.game("sticheln").new(seed=seed)
    assert caught.value.id == "bad-seed"


def test_a_huge_seed_has_a_readable_error() -> None:
    with pytest.raises(BadSeedError) as caught:
        stichwerk.game("sticheln").new(seed=HUGE)
    assert refused(caught.value, "bad-seed")


def test_lowest_and_highest_seed() -> None:
    for seed in (0, 2**53 - 1):
        assert stichwerk.game("sticheln").new(seed=seed).deals.seed == seed


@pytest.mark.parametrize(
    "names",
    [
        [],
        ["a", "b", "c"],
        ["a", "b", "c", "d", "e"],
        ["a", "b", "c", ""],
        ["a", "b", "c", " \t"],
        ["a", "b", "c", None],
        ["a", "b", "c", 4],
        ["a", "b", "c", "\ud800"],
        "abcd",
        pytest.param(4),
        pytest.param(True),
    ],
)
def test_bad_names(names: Any) -> None:
    with pytest.raises(BadSeatsError) as caught:
        stichwerk.game("sticheln").new(seed=1, names=names)
    assert refused(caught.value, "bad-names")


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
        ([], [("trump", "B")], "wrong-specials"),
        (["red 0"], [], "wrong-specials"),
        (["red 0"], [("eggs", [0, 1, 1, 2, 2, 3])], "wrong-specials"),
        (["red 0"], [("trump", "B"), ("trump", "B")], "wrong-specials"),
        (
            ["red 6", "April"],
            [("eggs", [0, 1, 1, 2, 2, 3]), ("partners", [1, 2, 0])],
            "wrong-specials",
        ),
        (["red 0"], [("trump", "X")], "bad-special"),
        (["red 0"], [("trump", "")], "bad-special"),
        (["red 0"], [("trump", "RY")], "bad-special"),
        (["red 0"], [("trump", None)], "bad-special"),
        (["red 0"], [("trump", 1)], "bad-special"),
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


def test_a_wrong_draw_is_named_without_python() -> None:
    setting = stichwerk.game("stichtag", seats=3, sheets=["red 6"])
    for value, named in (([0, 2, 1], "0,2,1"), (None, "none"), ([True, 2, 0], "true,2,0")):
        with pytest.raises(BadDealError) as caught:
            setting.new(deals=[drawn(("partners", value))])
        assert caught.value.data["value"] == named


def test_draws_belong_to_the_start_of_the_round() -> None:
    deal = changed(extra=[[1, None, "trump", "B"]])
    with pytest.raises(BadDealError) as caught:
        stichwerk.game("stichtag", 3, sheets=["red 0"]).new(deals=[deal])
    assert refused(caught.value, "bad-special")


@pytest.mark.parametrize(
    "extra", [None, 5, "trump", [5], [[0, None, "trump"]], [[0, 1, "trump", "B"]]]
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
