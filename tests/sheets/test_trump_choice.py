"""Red 0 in version 2 of the rules: two trump colours are drawn, the round's starter chooses one."""

import json
from itertools import permutations
from typing import Any

import msgspec
import pytest

import stichwerk
from stichwerk.engine.generator import Generator
from stichwerk.games.stichtag.sheets.red_0 import TrumpChosen, TrumpsDrawn
from stichwerk.locale import text
from stichwerk.match import Match
from stichwerk.record import decode, encode, record, replay, verify
from stichwerk.view import knowledge, sample
from tests.record_setup import fits, play_on
from tests.sheets.desk import desk, play_round, rounds

pytestmark = pytest.mark.game("stichtag")

DAYS: list[dict[str, Any]] = [
    {"sheets": ["red 0"]},
    {"sheets": ["red 0", "April"]},
    {"sheets": ["green 2", "red 0"]},
    {"date": "02-20"},
    {"date": "04-10"},
]


def game(seats: int = 3, **options: Any) -> stichwerk.match.Setting:
    return stichwerk.game("stichtag", seats, **(options or {"sheets": ["red 0"]}))


def extra_of(match: Match) -> list[Any]:
    """Return the entries of the last round, as its record has them."""
    entries: list[Any] = json.loads(encode(record(match)))["rounds"][-1].get("extra", [])
    return entries


# -- Who, when, what -------------------------------------------------------------------------------


def test_the_starter_is_asked_before_the_first_card() -> None:
    made = desk("red 0", starter="Ben", trumps="LB")
    assert made.phase == "trump"
    assert made.waiting == "Ben"
    assert made.fact("trumps") == ["L", "B"]
    assert made.fact("trump") is None
    assert [made.may(name) for name in made.names] == ["", "B L", ""]
    made.play("Ben L")
    assert made.phase == "play"
    assert made.waiting == "Ben"
    assert made.fact("trump") == "L"
    assert made.fact("trumps") == ["L", "B"]


@pytest.mark.parametrize("day", DAYS, ids=str)
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_round_begins_with_its_starters_choice(seats: int, day: dict[str, Any]) -> None:
    match = game(seats, **day).new(seed=5)
    for number in range(2):
        assert match.phase == "trump"
        assert match.view(None).table["trump"] is None
        assert match.waiting_for == (match.view(None).starter,)
        while len(match.scores) == number and match.waiting_for:
            seat = match.waiting_for[0]
            match.play(seat, match.moves(seat)[0])
            if match.phase == "trump":
                break
    draws = [event for event in match.events if isinstance(event, TrumpsDrawn)]
    choices = [event for event in match.events if isinstance(event, TrumpChosen)]
    assert (len(draws), len(choices)) == (3, 2) if len(match.rounds) == 3 else (2, 2)


@pytest.mark.parametrize("drawn", [*permutations("RYGBLS", 2)], ids="".join)
def test_moves_are_the_two_letters_in_the_order_of_colours(drawn: tuple[str, str]) -> None:
    made = desk("red 0", trumps="".join(drawn))
    assert made.may("Ada").split() == sorted(drawn, key="RYGBLS".index)
    for letter in "RYGBLS":
        wrong = None if letter in drawn else "not-a-drawn-trump"
        assert made.objection("Ada", letter) == wrong
        assert made.objection("Ada", letter.lower()) == wrong


@pytest.mark.parametrize("typed", ["b", "B", " b ", "blue", "Blau"])
def test_the_letter_is_typed_in_either_case_or_as_a_word(typed: str) -> None:
    made = desk("red 0", trumps="BR")
    (event,) = made.match.play(0, typed)
    assert event == TrumpChosen(0, "B")
    assert made.fact("trump") == "B"
    assert extra_of(made.match)[-1] == [0, 0, "trump", "B"]


@pytest.mark.parametrize(
    "typed", ["pass", "", "leave", "BR", "B0", "0", "ſ", "Ｓ", "X", "rot", "blaugrau"]
)
def test_it_cannot_be_declined_and_nothing_else_is_a_choice(typed: str) -> None:
    made = desk("red 0", trumps="SB")
    assert made.objection("Ada", typed) == "not-a-drawn-trump"
    assert made.waiting == "Ada"


def test_a_refusal_names_the_two_colours_in_both_languages() -> None:
    made = desk("red 0", trumps="SB")
    reason = made.match.objection(0, "R")
    assert reason is not None
    assert reason.data == {"trump": "B", "other_trump": "S"}
    for lang in ("de", "en"):
        sentence = text(reason.id, lang, **reason.data)
        assert sentence != reason.id
        assert text("colour-B", lang) in sentence
        assert text("colour-S", lang) in sentence


def test_nobody_else_chooses_and_nobody_plays_before() -> None:
    made = desk("red 0", trumps="SB")
    assert made.objection("Ben", "B") == "not-your-turn"
    assert made.objection("Cem", made.hand("Cem").split()[0]) == "not-your-turn"
    assert made.objection("Ada", made.hand("Ada").split()[0]) == "not-a-drawn-trump"
    made.play("Ada S")
    assert made.objection("Ada", "B") is not None  # no second thoughts
    assert made.may("Ada") == made.hand("Ada")


# -- What the choice does --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trumps", "chosen", "winner"), [("BR", "B", "Cem"), ("BR", "R", "Ben"), ("SB", "S", "Ada")]
)
def test_the_chosen_colour_is_trump(trumps: str, chosen: str, winner: str) -> None:
    made = desk("red 0", f"Ada {chosen}, Ada G9, Ben R8, Cem B0", trumps=trumps)
    assert made.trick == (winner, "G9 R8 B0")
    assert made.next == winner


def test_red_is_no_trump_unless_it_is_chosen() -> None:
    assert desk("red 0", "Ada Y, Ada G9, Ben R8, Cem R9", trumps="RY").winner == "Ada"
    assert desk("red 0", "Ada Y, Ada R1, Ben R8, Cem Y0", trumps="RY").winner == "Cem"


def test_trump_does_not_free_from_following() -> None:
    made = desk("red 0", "Ada B, Ada G9", hands={"Ben": "G1 B8"}, trumps="BR")
    assert made.objection("Ben", "B8") == "must-follow"


def test_it_lasts_for_the_round_and_is_chosen_anew_by_the_next_starter() -> None:
    made = rounds("red 0", (4, 4, 4), (4, 4, 4), trumps="RB")
    play_round(made, (4, 4, 4), {"trump Ada": "R"})
    assert made.phase == "trump"
    assert made.waiting == "Ben"
    assert made.fact("trump") is None
    play_round(made, (4, 4, 4), {"trump Ben": "R"})
    chosen = [event for event in made.match.events if isinstance(event, TrumpChosen)]
    assert chosen == [TrumpChosen(0, "R"), TrumpChosen(1, "R")]
    for log, seat in zip(made.match.rounds, (0, 1), strict=True):
        assert log.extra == [[0, None, "trumps", ["R", "B"]], [0, seat, "trump", "R"]]


# -- Draws -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "pairs"), [(3, "YB YL BR"), (4, "YB YL BR"), (5, "RS LY LS")])
@pytest.mark.parametrize("day", DAYS[:2], ids=str)
def test_the_draws_of_seed_7(seats: int, pairs: str, day: dict[str, Any]) -> None:
    match = play_on(game(seats, **day).new(seed=7))
    drawn = [event.colours for event in match.events if isinstance(event, TrumpsDrawn)]
    assert ["".join(colours) for colours in drawn] == pairs.split()
    for log, colours in zip(match.rounds, drawn, strict=True):
        assert log.deal.specials[0] == ("trumps", colours)


def test_all_pairs_are_drawn_and_open_to_all() -> None:
    found = set()
    for seed in range(220):
        match = game().new(seed=seed)
        views = [match.view(seat) for seat in (None, 0, 1, 2)]
        seen = [event for view in views for event in view.history]
        (drawn,) = {event.colours for event in seen if isinstance(event, TrumpsDrawn)}
        assert len([event for event in seen if event.kind == "trumps"]) == 4
        assert [view.table["trumps"] for view in views] == [list(drawn)] * 4
        found.add(drawn)
    assert found == set(permutations("RYGBLS", 2))


# -- Records ---------------------------------------------------------------------------------------


def test_a_record_has_all_draws_then_the_choice() -> None:
    match = game(sheets=["red 0", "April"]).new(seed=7)
    draws = extra_of(match)
    assert [entry[:3] for entry in draws] == [[0, None, "trumps"], [0, None, "eggs"]]
    assert draws[0][3] == ["Y", "B"]
    starter = match.view(None).starter
    match.play(starter, "y")
    assert extra_of(match) == [*draws, [0, starter, "trump", "Y"]]
    play_on(match)
    written = record(match)
    assert verify(written).status == "holds"
    assert replay(written).events == match.events


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_an_unfinished_record_may_stop_before_or_after_the_choice(day: dict[str, Any]) -> None:
    match = game(**day).new(seed=3)
    for phase in ("trump", "play"):
        assert match.phase == phase
        written = record(match)
        assert written.rules == 2
        assert verify(written).status == "unfinished"
        assert fits(json.loads(encode(written)))
        again = replay(decode(encode(written)))
        assert (again.phase, again.waiting_for) == (phase, match.waiting_for)
        assert record(again) == written
        play_on(match, 1)


def changed(**choice: Any) -> Any:
    """Return a finished record whose first choice is another entry."""
    loaded = json.loads(encode(record(play_on(game().new(seed=7)))))
    extra = loaded["rounds"][0]["extra"]
    (at,) = [at for at, entry in enumerate(extra) if entry[1] is not None]
    entry = dict(zip(("plays", "seat", "kind", "value"), extra[at], strict=True)) | choice
    extra[at] = list(entry.values())
    return loaded


@pytest.mark.parametrize(
    "choice",
    [
        {"value": "R"},  # not drawn: Y and B are
        {"value": "y"},
        {"value": "X"},
        {"value": None},
        {"value": ["Y"]},
        {"value": 1},
        {"seat": 0},  # seat 2 starts
        {"seat": None},
        {"plays": 1},
        {"kind": "trumps"},
        {"kind": "veto"},
    ],
    ids=str,
)
def test_a_wrong_choice_breaks_a_record(choice: dict[str, Any]) -> None:
    assert changed() == json.loads(encode(record(play_on(game().new(seed=7)))))
    loaded = changed(**choice)
    assert not verify(decode(json.dumps(loaded))).ok


@pytest.mark.parametrize("change", ["no choice", "choice first", "twice", "other draw"])
def test_a_choice_is_there_once_and_after_the_draws(change: str) -> None:
    loaded = json.loads(encode(record(play_on(game().new(seed=7)))))
    extra = loaded["rounds"][0]["extra"]
    if change == "no choice":
        del extra[1]
    elif change == "choice first":
        extra.reverse()
    elif change == "twice":
        extra.append(extra[1])
    else:
        extra[0][3] = ["B", "Y"]  # the other order, which the seed did not draw
    assert not verify(decode(json.dumps(loaded))).ok


def test_version_1_has_no_choice_and_version_2_no_single_draw() -> None:
    """A record of one version is none of the other."""
    for rules in (1, 2):
        setting = stichwerk.game("stichtag", 3, rules=rules, sheets=["red 0"])
        loaded = json.loads(encode(record(play_on(setting.new(seed=7)))))
        assert loaded["rules"] == rules
        assert verify(decode(json.dumps(loaded))).status == "holds"
        loaded["rules"] = 3 - rules
        assert not verify(decode(json.dumps(loaded))).ok
        assert not fits(loaded)


def test_without_a_version_a_record_is_of_version_1() -> None:
    setting = stichwerk.game("stichtag", 3, rules=1, sheets=["red 0"])
    loaded = json.loads(encode(record(play_on(setting.new(seed=7)))))
    del loaded["rules"]
    assert fits(loaded)
    assert decode(json.dumps(loaded)).rules == 1
    assert verify(decode(json.dumps(loaded))).status == "holds"


# -- What is seen ----------------------------------------------------------------------------------


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_views_know_the_draw_and_nothing_hidden(day: dict[str, Any]) -> None:
    """The hands of others and the stock change places: no view of the choice sees it."""
    first = game(**day).new(seed=9)
    deal = first.rounds[0].deal
    hands = [list(hand) for hand in deal.hands]
    hands[1], hands[2] = hands[2], hands[1]
    stock = [*deal.stock[1:], deal.stock[0]]
    extra = [[0, None, kind, value] for kind, value in deal.specials]
    swapped = {"starter": deal.starter, "hands": hands, "stock": stock, "extra": extra}
    match = game(**day).new(deals=[deal])
    other = game(**day).new(deals=[swapped])
    for _ in range(2):
        for seat in (None, 0):
            views = [msgspec.json.encode(one.view(seat)) for one in (match, other)]
            assert views[0] == views[1]
        for one in (match, other):
            one.play(deal.starter, one.moves(deal.starter)[0])
        if deal.starter == 0:
            break


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_samples_have_the_draw_and_the_choice(day: dict[str, Any]) -> None:
    match = game(4, **day).new(seed=2)
    rules = match.rules
    for _ in range(2):
        for seat in (None, *range(4)):
            view = match.view(seat)
            known, guess = knowledge(view), sample(view, Generator(1))
            for state in (known, guess):
                table = rules.table(state)
                assert table["trumps"] == view.table["trumps"]
                assert table["trump"] == view.table["trump"]
                assert rules.phases[state.phase] == match.phase
            starter = match.waiting_for[0]
            if match.phase == "trump":
                moves = [move.text for move in rules.moves(guess, starter)]
                assert moves == [move.text for move in match.moves(starter)]
        play_on(match, 1)
