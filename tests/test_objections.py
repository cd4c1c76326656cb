"""Every reason to refuse a move: given in a real situation with its facts, changing nothing."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

import stichwerk
from stichwerk.engine.events import Move
from stichwerk.errors import IllegalMove, Reason
from stichwerk.match import Match
from tests.rulebook.table import random_match, table

SOURCES = Path(stichwerk.__file__).parent
FOUR = "Orange Red White Grey"
FOUR_OPEN = "Orange G8>new, Red G7>new, White Y1>new, Grey Y4>new"


class Case(NamedTuple):
    """A situation, a move in it, and the reason that must be given."""

    situation: Callable[[], Match]
    seat: int
    move: object
    reason: Reason


def finished() -> Match:
    return random_match("sticheln", 3, seed=1, rounds=1)


def before_the_pain_cards() -> Match:
    return stichwerk.game("sticheln", seats=3).new(seed=1)


def one_pain_card() -> Match:
    match = before_the_pain_cards()
    match.play(1, match.moves(1)[0])
    return match


def first_trick() -> Match:
    return table("sticheln", "Mia Jakob Greta Linus", plays="Mia B3").match


def blue_is_led() -> Match:
    return table("stichtag", "Peter Paul Marie", hands={"Paul": "B8 Y9"}, plays="Peter B1").match


def laying_out() -> Match:
    hands = [["R3", "R0", "R0", "Y1"], ["R4", "Y0", "Y0"], ["R5", "G0", "G0"]]
    setting = stichwerk.game("null-nichtig", seats=3)
    rest = list(setting.rules.deck.texts)
    for card in (card for hand in hands for card in hand):
        rest.remove(card)
    for hand in hands:
        while len(hand) < 13:
            hand.append(rest.pop())
    return setting.new(deals=[{"starter": 0, "hands": hands, "stock": rest}])


def orders() -> Match:
    return stichwerk.game("stichling", seats=4).new(seed=1)


def one_open() -> Match:
    return table("stichling", FOUR, hands={"Red": "G3 B9"}, plays="Orange G8>new").match


def four_open(discard: str) -> Match:
    return table(
        "stichling", FOUR, hands={"Orange": "G3 B9"}, plays=FOUR_OPEN, discard=discard
    ).match


def loose() -> Match:
    return four_open("card")


def strict() -> Match:
    return four_open("hand")


CASES = [
    Case(finished, 0, "R1", Reason("match-over")),
    Case(finished, 2, None, Reason("match-over")),
    Case(one_pain_card, 1, "R1", Reason("already-chosen")),
    Case(first_trick, 2, "R1", Reason("not-your-turn", turn="Jakob")),
    Case(first_trick, 0, "B3", Reason("not-your-turn", turn="Jakob")),
    Case(first_trick, 1, None, Reason("not-a-move", text="None")),
    Case(first_trick, 1, 17, Reason("not-a-move", text="17")),
    Case(first_trick, 1, b"R1", Reason("not-a-move", text="b'R1'")),
    Case(first_trick, 1, ["R1"], Reason("not-a-move", text="['R1']")),
    Case(first_trick, 1, "R1" * 101, Reason("not-a-move", text="R1" * 10)),
    Case(first_trick, 1, "x" * 10**6, Reason("not-a-move", text="x" * 20)),
    Case(first_trick, 1, "", Reason("not-a-card", text="")),
    Case(first_trick, 1, "X9", Reason("not-a-card", text="X9")),
    Case(first_trick, 1, "R01", Reason("not-a-card", text="R01")),
    Case(first_trick, 1, "R1>1", Reason("not-a-card", text="R1>1")),
    Case(first_trick, 1, "R１", Reason("not-a-card", text="R１")),
    Case(first_trick, 1, "♥7", Reason("not-a-card", text="♥7")),
    Case(first_trick, 1, "R1\x00", Reason("not-a-card", text="R1\x00")),
    Case(first_trick, 1, Move("X9", (1,)), Reason("not-a-card", text="X9")),
    Case(first_trick, 1, "S3", Reason("not-in-deck", card="S3")),
    Case(first_trick, 1, "r12", Reason("not-in-deck", card="R12")),
    Case(first_trick, 1, "B3", Reason("not-in-hand", card="B3")),
    Case(first_trick, 1, Move("B3", (0,)), Reason("not-in-hand", card="B3")),
    Case(before_the_pain_cards, 0, "hello", Reason("not-a-card", text="hello")),
    Case(before_the_pain_cards, 0, "S1", Reason("not-in-deck", card="S1")),
    Case(blue_is_led, 1, "Y9", Reason("must-follow", card="Y9", colour="B")),
    Case(laying_out, 0, "R3", Reason("wrong-number", needed=3, given=1)),
    Case(laying_out, 0, "R3,R0,R0,Y1", Reason("wrong-number", needed=3, given=4)),
    Case(laying_out, 0, "R3,R0,R3", Reason("card-twice", card="R3")),
    Case(laying_out, 0, "R0,R0,R0", Reason("card-twice", card="R0")),
    Case(laying_out, 0, "R3,R0,R4", Reason("not-in-hand", card="R4")),
    Case(laying_out, 0, "R3,R0,S1", Reason("not-in-deck", card="S1")),
    Case(laying_out, 0, "R3,R0,", Reason("not-a-card", text="")),
    Case(orders, 3, "1,2", Reason("not-an-order", values="1, 2, 3")),
    Case(orders, 3, "1,1,2", Reason("not-an-order", values="1, 2, 3")),
    Case(orders, 3, "2,4,6", Reason("not-an-order", values="1, 2, 3")),
    Case(orders, 3, "G8", Reason("not-an-order", values="1, 2, 3")),
    Case(loose, 0, "G3>new", Reason("no-free-place")),
    Case(loose, 0, "G3>5", Reason("not-a-place", text="5")),
    Case(loose, 0, "G3>0", Reason("not-a-place", text="0")),
    Case(loose, 0, "G3>²", Reason("not-a-place", text="²")),
    Case(loose, 0, "G3>", Reason("not-a-place", text="")),
    Case(loose, 0, "G3>1>2", Reason("not-a-place", text="1>2")),
    Case(loose, 0, "G3", Reason("place-needed", card="G3")),
    Case(loose, 0, "B9", Reason("place-needed", card="B9")),
    Case(one_open, 1, "G3", Reason("place-needed", card="G3")),
    Case(one_open, 1, "G3>2", Reason("place-not-open", card="G3", place=2)),
    Case(one_open, 1, "B9>4", Reason("place-not-open", card="B9", place=4)),
    Case(one_open, 1, "B9>1", Reason("open-new-instead", led="G", card="B9", place=1)),
    Case(loose, 0, "G3>3", Reason("colour-is-open", colour="G", card="G3", place=3)),
    Case(strict, 0, "G3>3", Reason("colour-is-open", colour="G", card="G3", place=3)),
    Case(strict, 0, "B9>1", Reason("could-follow", card="B9")),
    Case(strict, 0, "B9", Reason("could-follow", card="B9")),
]


def seen(match: Match) -> list[bytes]:
    """All views of a match, and all that happened in it, as bytes."""
    views = [match.view(seat) for seat in (None, *range(match.setting.seats))]
    return [msgspec.json.encode(view) for view in views] + [msgspec.json.encode(match.events)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.reason.id}-{case.move!r:.20}")
def test_objection_says_why_and_changes_nothing(case: Case) -> None:
    match = case.situation()
    before = seen(match)
    assert match.objection(case.seat, case.move) == case.reason  # type: ignore[arg-type]
    assert seen(match) == before
    with pytest.raises(IllegalMove) as caught:
        match.play(case.seat, case.move)  # type: ignore[arg-type]
    assert (caught.value.id, caught.value.data) == (case.reason.id, case.reason.data)
    assert seen(match) == before


def test_no_listed_move_is_objected_to() -> None:
    for situation in {case.situation for case in CASES}:
        match = situation()
        for seat in range(match.setting.seats):
            for move in match.moves(seat):
                assert match.objection(seat, move) is None
                assert match.objection(seat, move.text) is None


def test_every_reason_of_the_source_is_provoked() -> None:
    """A new reason needs a case here."""
    text = "".join(path.read_text("utf-8") for path in sorted(SOURCES.rglob("*.py")))
    given = set(re.findall(r'Reason\(\s*"([a-z-]+)"', text))
    assert {case.reason.id for case in CASES} == given


def test_match_goes_on_after_a_refusal() -> None:
    match = blue_is_led()
    with pytest.raises(IllegalMove):
        match.play(1, "Y9")
    match.play(1, "B8")
    assert match.waiting_for == (2,)


@pytest.mark.parametrize("typed", ["b8", " B8 ", "B8\n"])
def test_case_and_blanks_around_a_card_are_forgiven(typed: str) -> None:
    match = blue_is_led()
    assert match.objection(1, typed) is None
    assert match.play(1, typed)[0].move == "B8"


@pytest.mark.parametrize(
    ("typed", "move"), [("g3>1", "G3>1"), (" G3 > 1 ", "G3>1"), ("G3>NEW", "G3>new")]
)
def test_places_are_read_kindly(typed: str, move: str) -> None:
    assert one_open().play(1, typed)[0].move == move


def test_place_may_be_left_out_where_there_is_only_one() -> None:
    assert one_open().play(1, "B9")[0].move == "B9>new"
    assert orders().play(2, " 3, 1,2")[0].move == "3,1,2"


def test_reason_names_the_seat_when_players_have_no_names() -> None:
    match = stichwerk.game("stichtag", seats=3, starter=1).new(seed=1)
    assert match.objection(0, "R1") == Reason("not-your-turn", turn="1")
