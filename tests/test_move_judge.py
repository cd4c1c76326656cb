"""`Match` and the outlook judge a typed move alike: legal, illegal, out of turn and nonsense."""

import pytest

import stichwerk
from stichwerk import locale
from stichwerk.cards import COLOURS
from stichwerk.engine.events import Move
from stichwerk.engine.generator import Generator
from stichwerk.errors import Reason
from stichwerk.match import Match, Setting
from stichwerk.move_judge import with_card_codes, with_seat_number
from stichwerk.outlook.position import OutlookPosition
from tests.strategies import play_on, setting_id

SETTINGS = [
    stichwerk.game("stichling", seats=3),
    stichwerk.game("sticheln", seats=4),
    stichwerk.game("null-nichtig", seats=4),
    stichwerk.game("stichtag", seats=4, sheets=["red 7", "February"]),
    stichwerk.game("stichtag", seats=3, sheets=["red 1", "December"]),
]
NAMES = ["Ada", "Ben", "cleo 2", "3"]
NONSENSE = [
    "",
    "x?",
    "R1,",
    "99",
    "pass",
    "take",
    "G7\n",
    "R1" * 150,
    "veto ADA",
    "veto 3",
    "né>new",
]
STEPS = (0, 1, 2, 3, 5, 8, 13)  # moves between two positions that are looked at


def answer_of_match(match: Match, seat: int, text: str) -> Move | Reason:
    return match._judge(seat, text)


def typed_texts(match: Match, generator: Generator) -> list[str]:
    """Cards of the deck in every form, moves of every seat, names of seats, and nonsense."""
    deck = match.rules.deck.texts
    card, other = (deck[generator.number(len(deck))] for _ in range(2))
    cards = [card, f"{card}>1", f"{card}>new", f"{card}>cleo 2", f"{card}>3", f"{card},{other}"]
    moves = [str(move) for seat in match.waiting_for for move in match.moves(seat)]
    return [*cards, *NONSENSE, *(moves[generator.number(len(moves))] for _ in moves[:3])]


def check_alike(match: Match, generator: Generator) -> set[str]:
    """Compare the two judges; return which kinds of answers there were."""
    kinds = set()
    for seat in range(match.setting.seats):
        position = OutlookPosition(match.view(seat), "en")
        for text in typed_texts(match, generator):
            answer = answer_of_match(match, seat, text)
            assert position.judge(text) == answer, (seat, text)
            kinds.add("legal" if isinstance(answer, Move) else answer.id)
    return kinds


@pytest.mark.parametrize("setting", SETTINGS, ids=setting_id)
def test_match_and_outlook_judge_a_typed_move_alike(setting: Setting) -> None:
    generator = Generator(7)
    match = setting.new(seed=7, names=NAMES[: setting.seats])
    kinds = set()
    for step in STEPS:
        play_on(match, generator, step)
        kinds |= check_alike(match, generator)
    assert {"legal", "not-your-turn", "not-a-move"} <= kinds


def test_match_and_outlook_read_the_name_of_a_seat_alike() -> None:
    setting = stichwerk.game("stichtag", seats=4, sheets=["red 7"])
    match, generator = setting.new(seed=3, names=NAMES), Generator(3)
    while match.phase != "veto":
        play_on(match, generator, 1)
    seat = match.waiting_for[0]
    name = next(NAMES[int(move.text[5:])] for move in match.moves(seat) if move.text != "pass")
    answer = answer_of_match(match, seat, f"veto {name.upper()}")
    assert isinstance(answer, Move)
    assert OutlookPosition(match.view(seat), "en").judge(f"veto {name.upper()}") == answer


def test_a_name_that_two_seats_have_means_neither() -> None:
    names = ["Ada", "Ben", "ada"]
    assert with_seat_number(" ", names, "veto ADA") == "veto ADA"
    assert with_seat_number(">", names, "G0>ada") == "G0>ada"
    assert with_seat_number(">", names, "G0>ben") == "G0>1"


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("yellow 1", "Y1"),
        ("gelb 1", "Y1"),
        ("Gelb1", "Y1"),
        ("y1", "Y1"),
        ("Y 1", "Y1"),
        ("red 0", "R0"),
        ("ROT 0", "R0"),
        ("Grün 12", "G12"),
        ("Gru\u0308n 12", "G12"),  # as some keyboards compose it
        ("green 12", "G12"),
        ("blau 7", "B7"),
        ("blue 7", "B7"),
        ("lila 3", "L3"),
        ("lilac 3", "L3"),
        ("purple 3", "L3"),
        ("grau 5", "S5"),
        ("gray 5", "S5"),
        ("gelb", "Y"),
        ("grün 8>new", "G8>new"),
        ("gelb 3,rot 9,blue 0", "Y3,R9,B0"),
        ("green 3+green 4", "G3+G4"),
    ],
)
def test_colours_may_be_typed_as_words_of_either_language(typed: str, code: str) -> None:
    assert with_card_codes(typed) == code


@pytest.mark.parametrize("lang", locale.LANGUAGES)
def test_every_colour_may_be_typed_as_it_is_shown(lang: str) -> None:
    for letter in COLOURS:
        word = locale.text(f"colour-{letter}", lang)
        assert with_card_codes(f"{word} 4") == f"{letter}4"


@pytest.mark.parametrize("text", ["veto 2", "pass", "4,6,2", "blues 3", "G08", "ſ3", "redo", ""])
def test_texts_without_a_colour_stay_as_they_are(text: str) -> None:
    assert with_card_codes(text) == text


@pytest.mark.parametrize("setting", SETTINGS, ids=setting_id)
def test_every_move_may_be_typed_in_words(setting: Setting) -> None:
    words = {"R": "rot ", "Y": "Yellow ", "G": "grün ", "B": "BLUE ", "L": "Lila ", "S": "grey "}
    generator = Generator(5)
    match = setting.new(seed=5, names=NAMES[: setting.seats])
    for step in STEPS:
        play_on(match, generator, step)
        for seat in match.waiting_for:
            move = match.moves(seat)[-1]
            head, sign, target = move.text.partition(">")
            typed = "".join(words.get(letter, letter) for letter in head) + sign + target
            assert answer_of_match(match, seat, typed) == move, typed


def test_a_person_may_be_called_like_a_card() -> None:
    setting = stichwerk.game("stichtag", seats=4, sheets=["red 7"])
    names = ["Red 3", "Blau 1", "Ada", "Y2"]
    match, generator = setting.new(seed=3, names=names), Generator(3)
    while match.phase != "veto":
        play_on(match, generator, 1)
    seat = match.waiting_for[0]
    for move in match.moves(seat):
        typed = "pass" if move.text == "pass" else f"veto {names[int(move.text[5:])]}"
        assert answer_of_match(match, seat, typed) == move


def test_match_and_outlook_refuse_every_move_alike_when_nothing_is_owed() -> None:
    setting = stichwerk.game("stichling", seats=2)
    over, generator = setting.new(seed=1), Generator(1)
    play_on(over, generator, 10_000)
    assert check_alike(over, generator) == {"match-over"}
    first = setting.new(seed=1)
    waiting = setting.new(deals=[first.rounds[0].deal])
    play_on(waiting, generator, 10_000)
    assert check_alike(waiting, generator) == {"no-deal-yet"}
