"""Bad input to the library: always a typed error with a stable id, never a bare Python one."""

from typing import Any

import pytest

import stichwerk
from stichwerk.errors import (
    BadOptionError,
    BadSeatsError,
    BadSeedError,
    UnknownBotError,
    UnknownGameError,
)
from stichwerk.games import registry
from stichwerk.locale import text
from tests.bad_input_setup import HUGE, refused

ALL_SHEETS = "green 0-3, red 0-9, January-December"

DATES = "none, MM-DD"


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
    assert caught.value.data["known"] == ", ".join(registry.GAMES)


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
