"""Every reason to refuse a move: given in a real situation with its facts, changing nothing."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

import stichwerk
from stichwerk.engine.events import Move
from stichwerk.engine.plain import Game, State
from stichwerk.errors import IllegalMoveError, Reason
from stichwerk.games import registry
from stichwerk.match import Match
from tests.own_games.small import DEAL, small
from tests.rulebook.table import random_match, table
from tests.sheets.desk import desk, played, rounds, split_plays

pytestmark = pytest.mark.game

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


def yellow_then_green(self: Game, state: State, seat: int) -> int:
    """Return the rule of a custom game: yellow is led, green is played on it."""
    return 1 << (2 if state.trick_size[0] else 1)


def own_duty() -> Match:
    before = dict(registry.GAMES)
    match = small(may_play=yellow_then_green).new(deals=[DEAL])
    registry.GAMES.clear()
    registry.GAMES.update(before)
    return match


def own_duty_to_follow() -> Match:
    match = own_duty()
    match.play(0, "Y1")
    return match


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


def announcing() -> Match:
    return desk("red 4", "Ben 3").match


def announced() -> Match:
    return desk("red 4", "Ada 1, Ben 3, Cem 2").match


def face_down() -> Match:
    return desk("red 1", "Ada G4", hands={"Ben": "G7 R1"}).match


def face_down_and_one() -> Match:
    return desk("red 1", "Ada G4, Cem G1", hands={"Ben": "G7 R1"}).match


def first_pair_on_another_day() -> Match:
    return desk("red 9", hands={"Ada": "G3 G4 G5"}).match


def pair_day() -> Match:
    return desk("red 2", hands={"Ada": "G3 G4 G5 Y1"}).match


def pair_led() -> Match:
    return desk("red 2", "Ada G3+G4", hands={"Ben": "G1 Y1 Y2", "Cem": "S1"}).match


def odd_aside() -> Match:
    hand = "G2 R4 G7 G1 G3 G5 G9 Y1 Y3 Y5 Y7 Y9"
    return desk("red 8", hands={"Ada": hand}).match


def choosing_trump() -> Match:
    return desk("red 0", trumps="SB").match


def veto() -> Match:
    return desk("red 7", "Ada G4, Ben G9, Cem G6").match


def veto_and_sunstroke() -> Match:
    return desk("July + red 7", "Ada G4, Ben G9, Cem G6, Ada pass, Ben Y1, Cem Y2, Ada Y3").match


def passing() -> Match:
    return desk("February", "Ada G6, Ben G1, Cem G2, Cem gives L4", hands={"Ada": "Y5"}).match


def discarding() -> Match:
    return desk("August", "Ada G2, Ben G7, Cem G9", hands={"Cem": "Y0 L1 S1"}).match


def giving() -> Match:
    return desk("December", "Ada G6, Ben G0, Cem S0").match


def giving_the_second() -> Match:
    return desk("December", "Ada G6, Ben G0, Cem S0, Ada S0>Cem").match


def taking() -> Match:
    made = rounds("red 4 + green 2", (3, 4, 5))
    made.play("Ada 3, Ben 4, Cem 6")
    for seat, card in split_plays(0, (3, 4, 5)):
        made.match.play(seat, card)
    made.play("Ben leave")
    return made.match


def waiting_for_a_deal() -> Match:
    return played("red 3", (3, 4, 5)).match


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
    Case(own_duty, 0, "R1", Reason("cannot-lead", card="R1", playable="Y")),
    Case(own_duty_to_follow, 1, "Y2", Reason("must-play", card="Y2", playable="G")),
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
    # Stichtag's calendar: announcements
    Case(announcing, 0, "13", Reason("not-a-number", lowest=0, highest=12)),
    Case(announcing, 0, "-1", Reason("not-a-number", lowest=0, highest=12)),
    Case(announcing, 0, "", Reason("not-a-number", lowest=0, highest=12)),
    Case(announcing, 0, "three", Reason("not-a-number", lowest=0, highest=12)),
    Case(announcing, 0, "³", Reason("not-a-number", lowest=0, highest=12)),
    Case(announcing, 0, "003", Reason("not-a-number", lowest=0, highest=12)),
    Case(announcing, 0, "G4", Reason("not-a-number", lowest=0, highest=12)),
    Case(announcing, 1, "4", Reason("already-chosen")),
    Case(announced, 1, "4", Reason("not-your-turn", turn="Ada")),
    Case(announced, 0, "4", Reason("not-a-card", text="4")),
    # face down
    Case(face_down, 1, "R1", Reason("must-follow", card="R1", colour="G")),
    Case(face_down, 0, "G5", Reason("already-chosen")),
    Case(face_down_and_one, 0, "G5", Reason("already-chosen")),
    Case(face_down_and_one, 2, "G5", Reason("already-chosen")),
    Case(face_down_and_one, 1, "R1", Reason("must-follow", card="R1", colour="G")),
    Case(face_down_and_one, 1, "G4", Reason("not-in-hand", card="G4")),
    # pairs
    Case(first_pair_on_another_day, 0, "G3+G4", Reason("one-card")),
    Case(first_pair_on_another_day, 0, "G3+G4+G5", Reason("one-card")),
    Case(pair_day, 0, "G3+G4+G5", Reason("two-cards")),
    Case(pair_day, 0, "G3+Y1", Reason("one-colour", first="Y1", second="G3")),
    Case(pair_day, 0, "G3+G3", Reason("card-twice", card="G3")),
    Case(pair_day, 0, "G3+", Reason("not-a-card", text="")),
    Case(pair_day, 0, "G3 G4", Reason("not-a-card", text="G3 G4")),
    Case(pair_day, 1, "G9", Reason("not-your-turn", turn="Ada")),
    Case(pair_led, 1, "Y1+Y2", Reason("must-follow", card="Y1", colour="G")),
    Case(pair_led, 1, "Y1", Reason("must-follow", card="Y1", colour="G")),
    Case(pair_led, 1, "G1+S1", Reason("not-in-hand", card="S1")),
    Case(odd_aside, 0, "G7", Reason("not-in-hand", card="G7")),
    # trump
    Case(choosing_trump, 0, "R", Reason("not-a-drawn-trump", trump="B", other_trump="S")),
    Case(choosing_trump, 0, "pass", Reason("not-a-drawn-trump", trump="B", other_trump="S")),
    Case(choosing_trump, 0, "", Reason("not-a-drawn-trump", trump="B", other_trump="S")),
    Case(choosing_trump, 0, "G5", Reason("not-a-drawn-trump", trump="B", other_trump="S")),
    Case(choosing_trump, 1, "B", Reason("not-your-turn", turn="Ada")),
    # veto
    Case(veto, 0, "strike Ben", Reason("veto-or-pass")),
    Case(veto, 0, "G5", Reason("veto-or-pass")),
    Case(veto, 0, "", Reason("veto-or-pass")),
    Case(veto, 0, "veto", Reason("not-a-seat", text="", highest=2)),
    Case(veto, 0, "veto 3", Reason("not-a-seat", text="3", highest=2)),
    Case(veto, 0, "veto Dan", Reason("not-a-seat", text="Dan", highest=2)),
    Case(veto, 0, "veto -1", Reason("not-a-seat", text="-1", highest=2)),
    Case(veto, 0, "veto ²", Reason("not-a-seat", text="²", highest=2)),
    Case(veto, 0, "veto Ada", Reason("not-yourself")),
    Case(veto, 0, "veto 0", Reason("not-yourself")),
    Case(veto, 1, "pass", Reason("not-your-turn", turn="Ada")),
    Case(veto_and_sunstroke, 0, "veto Ben", Reason("cannot-be-struck", seat=1)),
    # passing
    Case(passing, 0, "L4", Reason("not-in-hand", card="L4")),
    Case(passing, 0, "", Reason("not-a-card", text="")),
    Case(passing, 0, "Y5,Y6", Reason("not-a-card", text="Y5,Y6")),
    Case(passing, 0, "pass", Reason("not-a-card", text="pass")),
    Case(passing, 0, "S11", Reason("not-in-deck", card="S11")),
    Case(passing, 2, "L5", Reason("already-chosen")),
    # discarding
    Case(discarding, 2, "Y0", Reason("wrong-number", needed=2, given=1)),
    Case(discarding, 2, "Y0,L1,S1", Reason("wrong-number", needed=2, given=3)),
    Case(discarding, 2, "Y0,Y0", Reason("card-twice", card="Y0")),
    Case(discarding, 2, "Y0,G9", Reason("not-in-hand", card="G9")),
    Case(discarding, 2, "Y0,", Reason("not-a-card", text="")),
    Case(discarding, 2, "pass", Reason("not-a-card", text="pass")),
    Case(discarding, 0, "Y1,Y2", Reason("not-your-turn", turn="Cem")),
    # gifts
    Case(giving, 0, "G6>Ben", Reason("not-a-gift", text="G6")),
    Case(giving, 0, ">Ben", Reason("not-a-gift", text="")),
    Case(giving, 0, "x" * 30 + ">1", Reason("not-a-gift", text="x" * 20)),
    Case(giving, 0, "G0>Ada", Reason("not-yourself")),
    Case(giving, 0, "G0>0", Reason("not-yourself")),
    Case(giving, 0, "G0>3", Reason("not-a-seat", text="3", highest=2)),
    Case(giving, 0, "G0", Reason("not-a-seat", text="", highest=2)),
    Case(giving, 0, "pass", Reason("not-a-seat", text="", highest=2)),
    Case(giving, 1, "G0>2", Reason("not-your-turn", turn="Ada")),
    Case(giving_the_second, 0, "S0>1", Reason("not-a-gift", text="S0")),
    # taking the points
    Case(taking, 0, "pass", Reason("take-or-leave")),
    Case(taking, 0, "", Reason("take-or-leave")),
    Case(taking, 1, "take", Reason("already-chosen")),
    Case(taking, 2, "take", Reason("not-your-turn", turn="Ada")),
    Case(waiting_for_a_deal, 0, "R1", Reason("no-deal-yet")),
]


def seen(match: Match) -> list[bytes]:
    """Return all views of a match, and all that happened in it, as bytes."""
    views = [match.view(seat) for seat in (None, *range(match.setting.seats))]
    return [msgspec.json.encode(view) for view in views] + [msgspec.json.encode(match.events)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.reason.id}-{case.move!r:.20}")
def test_objection_says_why_and_changes_nothing(case: Case) -> None:
    match = case.situation()
    before = seen(match)
    assert match.objection(case.seat, case.move) == case.reason  # type: ignore[arg-type]
    assert seen(match) == before
    with pytest.raises(IllegalMoveError) as caught:
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
    """A new reason needs a case here. People without a seat: test_outlook_properties.py."""
    text = "".join(path.read_text("utf-8") for path in sorted(SOURCES.rglob("*.py")))
    found = re.findall(r'\bReason\(\s*"([a-z-]+)"(?: if .*? else "([a-z-]+)")?', text)
    given = {id for ids in found for id in ids if id}
    assert {case.reason.id for case in CASES} | {"no-seat-of-your-own"} == given


def test_match_goes_on_after_a_refusal() -> None:
    match = blue_is_led()
    with pytest.raises(IllegalMoveError):
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


@pytest.mark.parametrize(
    ("situation", "seat", "typed", "move"),
    [
        (announcing, 0, " 07 ", "7"),
        (pair_day, 0, " g4 + g3 ", "G3+G4"),
        (veto, 0, "VETO ben", "veto 1"),
        (veto, 0, "veto 1", "veto 1"),
        (veto, 0, " Pass", "pass"),
        (passing, 0, " y5", "Y5"),
        (discarding, 2, "l1, Y0", "Y0,L1"),
        (giving, 0, "g0 > BEN", "G0>1"),
        (giving, 0, "G0>1", "G0>1"),
        (taking, 0, "TAKE", "take"),
    ],
)
def test_extra_choices_are_read_kindly(
    situation: Callable[[], Match], seat: int, typed: str, move: str
) -> None:
    assert situation().objection(seat, typed) is None
    assert situation().play(seat, typed)[0].move == move


def test_reason_names_the_seat_when_players_have_no_names() -> None:
    match = stichwerk.game("stichtag", seats=3, starter=1).new(seed=1)
    assert match.objection(0, "R1") == Reason("not-your-turn", turn="1")
