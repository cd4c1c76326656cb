"""What one sees coming: cases of the rulebooks worked by hand, and predictions that come true."""

from typing import Any

import msgspec
import pytest

import stichwerk
from stichwerk import outlook
from stichwerk.engine.generator import Generator
from stichwerk.locale import text
from stichwerk.outlook.queries import MOST_CHOICES
from stichwerk.outlook.structs import Effect, Gain, PileChange, Rung
from tests.outlook_setup import came_true, gains
from tests.rulebook.table import Table, table
from tests.sheets.desk import desk
from tests.strategies import play_on

pytestmark = pytest.mark.game

MAFIA = "Mia Jakob Greta Linus"

PAIN = {"Mia": "Y2", "Jakob": "R0", "Greta": "B5", "Linus": "B1"}


def seen(made: Table, name: str, move: str, lang: str = "en") -> Effect:
    """Return what a player reads about one of their moves."""
    found = outlook.effects(made.match.view(made.seat(name)), lang)
    return next(effect for effect in found if effect.move == move)


def lines(made: Table, name: str | None = None, lang: str = "en") -> tuple[str, ...]:
    """Return the words about the table."""
    seat = None if name is None else made.seat(name)
    return outlook.standing(made.match.view(seat), lang).lines


# -- Null & nichtig, by the book -------------------------------------------------------------------


FOUR = "Jan Laura Lukas Hannah"


def test_n_a_the_piles_of_jan() -> None:
    made = table(
        "null-nichtig",
        FOUR,
        choices={"Jan": "R3,G4,B5"},
        plays="Jan Y9, Laura L2, Lukas Y0",
        hands={"Hannah": "R6"},
    )
    effect = seen(made, "Hannah", "R6")
    assert (effect.winner, effect.complete, effect.takes_over) == (0, True, False)
    assert effect.changes == (
        Gain(
            seat=0,
            points=5,
            piles=(
                PileChange(colour="R", before="R3", after="R6", points=3),
                PileChange(colour="Y", before=None, after="Y0", points=0),
                PileChange(colour="L", before=None, after="L2", points=2),
            ),
        ),
    )
    assert effect.text == "Jan takes the trick · +5 for Jan (R3→R6 +3, Y0 0, L2 +2)"
    assert seen(made, "Hannah", "R6", "de").text.startswith(
        "Jan nimmt den Stich · +5 für Jan (R3→R6"
    )


def test_n_b_collected_from_the_winner_on() -> None:
    made = table(
        "null-nichtig",
        FOUR,
        choices={"Lukas": "G5,B5,L5"},
        plays="Jan R5, Laura R2, Lukas Y9",
        hands={"Hannah": "R7 Y10"},
    )
    stays = seen(made, "Hannah", "R7")
    assert (stays.winner, gains(stays)) == (2, [(2, 11)])
    assert [(pile.colour, pile.after) for pile in stays.changes[0].piles] == [
        ("R", "R2"),
        ("Y", "Y9"),
    ]
    assert seen(made, "Hannah", "Y10").takes_over
    (now,) = outlook.standing(made.view, "en").tricks
    assert (now.winner, now.card) == (2, "Y9")
    assert [(gain.seat, gain.points) for gain in now.worth] == [(2, 11)]  # as it stands: Y9, R5, R2
    assert now.text == "Lukas is winning with Y9: the highest number"
    assert now.order == (2, 0, 1)  # the winner's, Hannah's is to come, then Jan's and Laura's
    assert outlook.standing(made.view, "en").collected == ()
    made.play("Hannah R7")
    assert outlook.standing(made.view, "en").collected == ("Y9", "R7", "R5", "R2")


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_order_of_collecting_is_right_for_every_trick(seats: int) -> None:
    """The winner's own card first, then clockwise; also when the round is over with that trick."""
    match, generator = stichwerk.game("null-nichtig", seats=seats).new(seed=1), Generator(1)
    tricks = 0
    while match.waiting_for:
        known = len(match.events)
        play_on(match, generator, 1)
        for at, event in enumerate(match.events[known:], known):
            if event.kind == "trick":
                plays = [one for one in match.events[:at] if one.kind == "play"][-seats:]
                first = [one.seat for one in plays].index(event.seat)
                expected = (*event.cards[first:], *event.cards[:first])
                assert outlook.standing(match.view(None), "en").collected == expected
                tricks += 1
    assert tricks == seats * (8 if seats == 6 else 10)


def test_n_c_and_n_d_the_first_of_equals() -> None:
    three = "Jan Laura Lukas"
    zeros = table("null-nichtig", three, plays="Jan L0, Laura R0", hands={"Lukas": "Y0"})
    assert seen(zeros, "Lukas", "Y0").winner == 0
    elevens = table("null-nichtig", three, plays="Jan R4, Laura B11", hands={"Lukas": "G11"})
    assert seen(elevens, "Lukas", "G11").winner == 1


def test_a_lead_holds_the_trick_so_far() -> None:
    made = table("null-nichtig", FOUR, hands={"Jan": "Y9"}, choices={"Jan": "R3,Y4,B5"})
    effect = seen(made, "Jan", "Y9")
    assert (effect.winner, effect.takes_over, effect.complete) == (0, False, False)
    assert effect.text == "yours, if nobody goes higher · +5 for you (Y4→Y9 +5)"


def test_three_cards_to_lay_out() -> None:
    match = stichwerk.game("null-nichtig", seats=4).new(seed=3)
    view = match.view(0)
    assert len(view.moves) > MOST_CHOICES
    assert outlook.effects(view, "en") == ()
    a, b, c = "R8", "R7", "L0"
    assert {a, b, c} <= set(view.hand)
    whole = outlook.one(view, f"{a},{b},{c}", "en")
    assert (whole.legal, whole.error) == (True, None)
    assert whole.text == "R7 L0 on top, 7 in all"
    half = outlook.one(view, f"{b},{a}", "en")
    assert (half.legal, half.error) == (False, "wrong-number")
    assert half.effect is not None
    assert half.effect.text == "R8 on top, 8 in all · one more card"
    assert gains(half.effect) == [(0, 8)]
    assert outlook.one(view, "", "en").effect == Effect(
        move="", text="3 more cards", changes=(Gain(seat=0, points=0),)
    )
    assert outlook.one(view, f"{a},{a}", "de").effect is None


# -- Sticheln, by the book -------------------------------------------------------------------------


def test_s_a_what_the_trick_is_worth_to_each() -> None:
    made = table(
        "sticheln",
        MAFIA,
        choices=PAIN,
        plays="Mia B3, Jakob B10, Greta Y0",
        hands={"Linus": "B7 R9"},
    )
    view = made.match.view(made.seat("Linus"))
    (now,) = outlook.standing(view, "en").tricks
    assert (now.winner, now.card) == (1, "B10")
    assert [(gain.seat, gain.points) for gain in now.worth] == [(0, 2), (1, 3), (2, -12), (3, -12)]
    assert now.text == "Jakob is winning with B10: the highest in blue"
    assert seen(made, "Linus", "B7").text == "Jakob takes the trick · +4 for Jakob"
    assert seen(made, "Linus", "B7", "de").text == "Jakob nimmt den Stich · +4 für Jakob"
    own_trick = seen(made, "Linus", "R9")
    assert (own_trick.winner, own_trick.takes_over) == (3, True)
    assert own_trick.text == "you take the trick · −11 for you"
    assert lines(made) == ("Start colour blue · every other colour trumps · 0 never wins",)


@pytest.mark.parametrize(
    ("plays", "name", "card", "winner", "points"),
    [
        ("Jakob Y9, Greta G5, Linus R6", "Mia", "B4", "Linus", -1),  # S-b
        ("Linus G11, Mia R5, Jakob Y5", "Greta", "G8", "Mia", -2),  # S-c
        ("Mia B0, Jakob R0, Greta G3", "Linus", "B9", "Greta", -7),  # S-g, and Greta's pain is blue
        ("Mia B0, Jakob G0, Greta Y0", "Linus", "B2", "Linus", 0),  # S-h
    ],
)
def test_s_b_to_s_h(plays: str, name: str, card: str, winner: str, points: int) -> None:
    pain = {**PAIN, "Jakob": "R11" if "R0" in plays else "R0"}
    made = table(
        "sticheln",
        MAFIA,
        choices=pain,
        plays=plays,
        hands={name: card},
        starter=plays.split()[0],
    )
    effect = seen(made, name, card)
    assert (effect.winner, gains(effect)) == (made.seat(winner), [(made.seat(winner), points)])


@pytest.mark.parametrize(("option", "winner"), [("nobody", None), ("leader", 0)])
def test_s_f_only_zeros(option: str, winner: int | None) -> None:
    made = table(
        "sticheln",
        "Mia Jakob Greta",
        choices={"Mia": "Y2", "Jakob": "Y3", "Greta": "Y4"},
        plays="Mia R0, Jakob G0",
        hands={"Greta": "B0 L1"},
        all_zero=option,
    )
    (now,) = outlook.standing(made.view, "en").tricks
    assert (now.winner, now.card, now.text) == (None, None, "Nobody is winning the trick yet.")
    situation = outlook.situation(made.view, "en")
    assert situation.section == "Only zeros"
    assert ("nobody gets" in situation.sentences[0]) == (winner is None)
    effect = seen(made, "Greta", "B0")
    assert (effect.winner, effect.complete) == (winner, True)
    assert effect.text.startswith("nobody gets the trick" if winner is None else "Mia takes")
    taken = seen(made, "Greta", "L1")
    assert taken.text == "you take the trick · +3 for you"
    assert not taken.takes_over  # nobody had it


def test_s_j_the_first_of_equal_other_colours() -> None:
    three = "Mia Jakob Greta"
    pain = {"Mia": "L2", "Jakob": "L3", "Greta": "L4"}
    hands = {"Greta": "B3 B4 Y8"}
    made = table("sticheln", three, choices=pain, plays="Mia Y3, Jakob G3", hands=hands)
    assert [seen(made, "Greta", card).winner for card in ("B3", "B4", "Y8")] == [1, 2, 1]


def test_a_pain_card() -> None:
    match = stichwerk.game("sticheln", seats=4).new(seed=3)
    view = match.view(0)
    found = {effect.move: effect for effect in outlook.effects(view, "en")}
    assert list(found) == list(view.moves)
    assert [card for card in view.hand if card[0] == "L"] == ["L5", "L7"]
    assert found["L5"].text == "pain colour lilac, −5 at once · one more card of it in hand"
    assert gains(found["L5"]) == [(0, -5)]
    assert outlook.one(view, "l5", "de").text.startswith("Ärgerfarbe Lila, −5 sofort")


def test_the_running_score_appears_only_on_request_and_after_pain_cards_are_revealed() -> None:
    made = table(
        "sticheln",
        MAFIA,
        choices=PAIN,
        plays="Mia B3, Jakob B10, Greta Y0, Linus B7",
    )
    for seat in (0, 1, 2, 3, None):
        view = made.match.view(seat)
        assert outlook.look(view, "en").standing.running == ()
        found = outlook.look(view, "de", running=True)
        assert found.standing.running == (-2, 4, -5, -1)
        plain = msgspec.structs.replace(found.standing, running=())
        assert plain == outlook.standing(view, "de"), "nothing else is other"
    match = stichwerk.game("sticheln", seats=4).new(seed=3)
    match.play(0, match.view(0).moves[0])
    assert outlook.look(match.view(0), "en", running=True).standing.running == ()


def test_the_running_score_ends_at_the_score_of_the_round() -> None:
    match, generator = stichwerk.game("sticheln", seats=3, rounds=1).new(seed=5), Generator(2)
    running: tuple[int, ...] = ()
    while match.waiting_for:
        running = outlook.look(match.view(None), "en", running=True).standing.running
        play_on(match, generator, 1)
    last = [event for event in match.events if event.kind == "trick"][-1]
    after = outlook.look(match.view(None), "en", running=True).standing.running
    assert list(after) == list(match.scores[0])
    assert [seat for seat in range(3) if running[seat] != after[seat]] in ([last.seat], [])


@pytest.mark.parametrize("game", ["stichling", "null-nichtig", "stichtag"])
def test_other_games_hide_no_score(game: str) -> None:
    view = stichwerk.game(game, seats=3).new(seed=5).view(0)
    assert outlook.look(view, "en", running=True) == outlook.look(view, "en")


# -- Stichling, by the book ------------------------------------------------------------------------


COLOURS_OF_SEATS = "Orange Red Grey White"

BOOK = "Orange G8>new, Red G3>1, Grey G2>1, White Y1>new, Orange L1>new, Red G7>new"


def test_l_b_a_full_trick() -> None:
    made = table(
        "stichling",
        COLOURS_OF_SEATS,
        choices={"Orange": "2,3,1"},
        plays="Orange G8>new, Red Y1>new, Grey G3>1, White G2>1, Orange Y2>2, Red Y4>new",
        hands={"Grey": "G9 G1 L5"},
    )
    full = seen(made, "Grey", "G1>1")
    assert (full.winner, full.complete, full.place) == (0, True, 0)
    assert full.text == "full → Orange takes it, their card 1 turns up"
    assert full.changes == ()  # nobody knows yet which card it is
    mine = seen(made, "Grey", "G9>1", "de")
    assert (mine.winner, mine.takes_over) == (2, True)
    assert mine.text.startswith("voll → du nimmst ihn, dein Kärtchen 1 liegt dann offen · ")
    assert [gain.seat for gain in mine.changes] == [2]
    new = seen(made, "Grey", "L5>new")
    assert (new.text, new.place, new.winner) == ("opens a new trick", 3, 2)


def test_l_f_who_owns_the_trick() -> None:
    """L-f: Y1 by X, Y4 by Grey: Grey's; Y3 by X: still; Y6 by Grey: Grey's."""
    made = table("stichling", "X Grey", plays="X Y1>new", hands={"Grey": "Y4 B1", "X": "Y3 Y5"})
    assert seen(made, "Grey", "Y4>1").text == "you take over from X"
    made.play("Grey Y4>1")
    assert seen(made, "X", "Y3>1").text == "stays Grey's"
    assert seen(made, "X", "Y3>1", "de").text == "bleibt bei Grey"
    made.play("X Y3>1")
    (trick,) = outlook.standing(made.match.view(1), "en").tricks
    assert trick.text == ("You are winning with Y4: the highest of the led colour · 3 of 4 cards")


def test_l_c_the_ladder() -> None:
    """L-c: order 1, 3, 2: four tricks 1 point, five 3, none 0."""
    made = table("stichling", "X Grey", choices={"X": "1,3,2"})
    ladder = outlook.standing(made.match.view(0), "en").ladder
    assert [rung.tricks for rung in ladder] == [0, 1, 2, 3, 4]
    assert [rung.points for rung in ladder] == [0, 1, 3, 2, 1]
    assert ladder[0] == Rung(tricks=0, points=0, now=True)
    assert [rung.now for rung in ladder] == [True, False, False, False, False]
    assert outlook.standing(made.view, "en").ladder == ()


def test_an_order() -> None:
    match = stichwerk.game("stichling", seats=3).new(seed=1)
    play_on(match, Generator(1), 3 + 36)  # to the second round
    view = match.view(0)
    assert (view.round, view.phase) == (2, "order")
    whole = outlook.one(view, "4, 6, 2", "en")
    assert (whole.move, whole.text) == ("4,6,2", "1 trick → 4 · 2 → 6 · 3 → 2 · then 4 again")
    half = outlook.one(view, "4", "de")
    assert (half.legal, half.error) == (False, "not-an-order")
    assert half.effect is not None
    assert half.effect.text == "1 Stich → 4 · 2 → ? · 3 → ? · dann wieder 4"
    gap = outlook.one(view, "4,?,2", "en").effect
    assert gap is not None
    assert gap.text == "1 trick → 4 · 2 → ? · 3 → 2 · then 4 again"
    for nonsense in ("4,4", "1,2,3", "4,6,2,4", "x"):
        assert outlook.one(view, nonsense, "en").effect is None


def test_l_d_why_a_card_cannot_be_discarded() -> None:
    plays = "X G1>new, Grey G2>new, X Y1>new, Grey Y2>new"
    hands = {"X": "G3 B6"}
    free = table("stichling", "X Grey", plays=plays, hands=hands)
    assert seen(free, "X", "B6>3").text == "stays yours · you throw it off"
    assert seen(free, "X", "B6>2").text == "stays Grey's · you throw it off"
    assert outlook.reasons(free.match.view(0), "en") == {}
    bound = table("stichling", "X Grey", plays=plays, hands=hands, discard="hand")
    reasons = outlook.reasons(bound.match.view(0), "en")
    assert reasons["B6"] == text("could-follow", "en", card="B6")
    assert "can follow" in outlook.situation(bound.match.view(0), "en").sentences[0]


# -- Stichtag, by the book and by its sheets -------------------------------------------------------


def test_t_a_and_t_b_the_led_colour() -> None:
    made = desk("", "Ada B1, Ben B8", hands={"Cem": "Y9 R1"}, without={"Cem": "B"})
    thrown = seen(made, "Cem", "Y9")
    assert (thrown.winner, thrown.text) == (1, "Ben takes the trick · you throw it off")
    trumped = seen(made, "Cem", "R1")
    assert (trumped.winner, trumped.takes_over) == (2, True)
    assert trumped.text == "you take the trick · trump"
    bound = desk("", "Ada B1, Ben B8", hands={"Cem": "Y9 B2"})
    reasons = outlook.reasons(bound.match.view(2), "de")
    assert reasons["Y9"] == text("must-follow", "de", card="Y9", colour="B")
    assert "B2" not in reasons


def test_the_veto() -> None:
    made = desk("red 7", "Ada G4, Ben G9, Cem G6")
    struck = seen(made, "Ada", "veto 1")
    assert (struck.winner, struck.complete) == (2, True)
    phrases = ["Ben's G9 does not count", "Cem takes the trick", "the veto card goes to Ben"]
    assert struck.text.split(" · ") == phrases
    assert seen(made, "Ada", "pass").text == "Ben takes the trick"
    named = outlook.one(made.match.view(0), "veto Ben", "en")
    assert (named.legal, named.move) == (True, "veto 1")
    reasons = outlook.reasons(made.match.view(0), "en")
    assert set(reasons.values()) == {"No card is needed right now: Veto or pass."}


@pytest.mark.parametrize(
    ("lang", "preview", "reason", "own"),
    [
        ("en", "Ada's G8 cannot win", ", as Ada's G8 cannot win", ", as your G8 cannot win"),
        (
            "de",
            "G8 von Ada kann nicht gewinnen",
            ", denn G8 von Ada kann nicht gewinnen",
            ", denn deine G8 kann nicht gewinnen",
        ),
    ],
)
def test_a_stronger_card_that_a_sheet_bars_is_part_of_the_reason(
    lang: str, preview: str, reason: str, own: str
) -> None:
    """July: Ada holds the sunstroke card, so Ben's lower card of the led colour has the trick."""
    lead = "Ada Y9, Ben Y4, Cem Y2, Ada G8, Ben G1"
    made = desk("July", lead, hands={"Cem": "G0 G7"})
    assert seen(made, "Cem", "G0", lang).text.endswith(preview)
    taken = seen(made, "Cem", "G7", lang)
    assert (taken.winner, preview in taken.text, preview in taken.sentence) == (2, True, True)
    for seat, words in ((2, reason), (0, own)):
        (now,) = outlook.standing(made.match.view(seat), lang).tricks
        assert now.text.endswith(words)
    made.play("Cem G0")
    for seat, words in ((2, reason), (0, own)):
        last = outlook.standing(made.match.view(seat), lang).last
        assert last is not None
        assert f"{words} · " in last.text
    quiet = desk("July", "Ada Y9, Ben Y4, Cem Y2, Ada G3, Ben G4, Cem G2")
    still = outlook.standing(quiet.match.view(2), lang).last
    assert still is not None
    assert reason[:5] not in still.text, "a card that would not win anyway is no reason"


def test_a_struck_card_is_part_of_the_reason() -> None:
    made = desk("red 7", "Ada G4, Ben G9, Cem R6")
    made.play("Ada veto 2")
    last = outlook.standing(made.match.view(1), "en").last
    assert last is not None
    assert "the highest in green, as Cem's R6 cannot win" in last.text
    weak = desk("red 7", "Ada G4, Ben G9, Cem G6")
    weak.play("Ada veto 2")
    last = outlook.standing(weak.match.view(1), "en").last
    assert last is not None
    assert "cannot win" not in last.text


def test_before_the_veto_nothing_is_certain() -> None:
    made = desk("red 7", "Ada G4, Ben G9", hands={"Cem": "G6"})
    last = seen(made, "Cem", "G6")
    assert (last.winner, last.complete) == (1, False)
    assert last.text == "stays Ben's · then Ada may veto"


@pytest.mark.parametrize(
    ("sheets", "expected"),
    [
        ("red 4", "+5 if you take exactly 3 tricks"),
        ("green 1 + red 4", "−5 if you take exactly 3 tricks"),
        ("green 2 + red 4", "if you take exactly 3 tricks, you decide at the end"),
    ],
)
def test_announcements(sheets: str, expected: str) -> None:
    made = desk(sheets)
    assert seen(made, "Ada", "3").text.startswith(expected)
    assert len(outlook.effects(made.match.view(0), "en")) == 13
    notes = outlook.standing(made.match.view(0), "en").notes
    assert len(notes) == ("green" in sheets)


@pytest.mark.parametrize(
    ("sheet", "plays", "card", "expected"),
    [
        ("February", "Ada G4, Ben G9", "G6", "mask · then everyone passes a card to the left"),
        ("March", "Ada G4, Ben G9", "G2", "kite · then the direction turns"),
        ("April", "Ada G4, Ben G9", "G8", "egg · Ben gets an egg card"),
        ("May", "Ada G4, Ben G9", "G3", "bang · you lead next"),
        ("June", "Ada G4, Ben G9", "G3", "+2 for Ben"),  # the G4 is a flower
        ("January", "Ada G4, Ben G9", "G7", "clover · +2 for Ben"),
        ("July", "Ada G4, Ben G8", "G9", "sunstroke · you get the sunstroke card"),
        ("August", "Ada G4, Ben G9", "G7", "sunglasses · Ben exchanges one card"),
        ("September", "Ada G4, Ben G9", "G6", "leaf · the trick stays on the table"),
        ("October", "Ada G4, Ben G9", "G8", "ghost · now the lowest number wins"),
        ("November", "Ada G4, Ben G9", "G3", "lantern · +1 for Ben · +1 for you"),
        ("December", "Ada G4, Ben G9", "G0", "gift · Ben gives one card away"),
        ("red 5", "Ada G4, Ben G9", "G5", "then there is no trump"),
        ("red 9", "Ada G4, Ben G9", "G5", "Ada takes the trick"),
        ("red 2", "Ada G4, Ben G9", "G5+G6", "you take the trick · counts 11"),
    ],
)
def test_sheets_change_the_effect_of_a_card(
    sheet: str, plays: str, card: str, expected: str
) -> None:
    drawn: dict[str, Any] = {"eggs": [0, 1, 1, 2, 2, 3]} if sheet == "April" else {}
    made = desk(sheet, plays, hands={"Cem": card.replace("+", " ")}, **drawn)
    found = seen(made, "Cem", card)
    assert found.text.endswith(expected)
    before = made.match.view(2)
    made.play(f"Cem {card}")
    assert came_true(before, found, made.match.view(2))


def test_direction_and_switch_change_after_extra_choices() -> None:
    made = desk("red 5 + February", "Ada G5, Ben G9", hands={"Cem": "G6"})
    phrases = seen(made, "Cem", "G6").text.split(" · ")
    assert phrases[-2:] == ["then everyone passes a card to the left", "then there is no trump"]


def test_a_trick_that_stays_is_only_won() -> None:
    made = desk("September", "Ada G4, Ben G9", hands={"Cem": "G6 G2"})
    assert seen(made, "Cem", "G6").text.startswith("Ben wins the trick · ")
    assert gains(seen(made, "Cem", "G6")) == []
    assert gains(seen(made, "Cem", "G2")) == [(1, 1)]


def test_face_down() -> None:
    made = desk("red 1", hands={"Ada": "G4 R2", "Ben": "Y8"}, without={"Ben": "G"})
    assert seen(made, "Ada", "G4").text == "face down · you say green"
    made.play("Ada G4")
    assert seen(made, "Ben", "Y8").text == "face down · you throw it off"
    assert lines(made, "Ben")[:2] == ("Trump: red.", "Led face down: green.")
    assert seen(made, "Ben", "Y8").winner is None


def test_odd_cards_are_set_aside() -> None:
    made = desk("red 8", hands={"Ada": "G2 G7"})
    view = made.match.view(0)
    aside = view.mine["aside"]
    assert isinstance(aside, list)
    assert "G7" in aside
    reasons = outlook.reasons(view, "en")
    assert set(reasons) == set(aside)
    assert reasons["G7"] == "G7 is set aside until your last even card is gone."


def test_gifts_passing_discards_and_points() -> None:
    gift = desk("December", "Ada G4, Ben G9, Cem G0")
    assert seen(gift, "Ben", "G0>2").text == "G0 goes to Cem · +1 for Cem"
    assert gains(seen(gift, "Ben", "G0>2")) == [(2, 1)]
    given = desk("February", "Ada G6, Ben G9, Cem G2", hands={"Ada": "Y3"})
    count = sum(card[0] == "Y" for card in given.hand("Ada").split()) - 1
    left = f"{count} left in yellow" if count else "no yellow left"
    assert seen(given, "Ada", "Y3").text == f"then {left}"
    drop = desk("August", "Ada G2, Ben G9, Cem G7", hands={"Ben": "Y0 Y1 L1"})
    view = drop.match.view(1)
    half = outlook.one(view, "Y0", "en")
    assert (half.legal, half.error) == (False, "wrong-number")
    assert half.effect is not None
    assert half.effect.text.startswith("one more card · then ")
    whole = outlook.one(view, "L1,Y0", "en")
    assert whole.text.startswith("you draw 2 new ones · then ")


def test_after_a_lead_the_taker_is_unknown() -> None:
    egg = desk("April", "", hands={"Ada": "G8 G7"}, eggs=[0, 1, 1, 2, 2, 3])
    assert seen(egg, "Ada", "G8").text == "you lead · egg · if you take it: you get an egg card"
    kite = desk("March", "", hands={"Ada": "G2"})
    assert seen(kite, "Ada", "G2").text == "you lead · kite · then the direction turns"


def test_why_a_pair_holds_the_trick() -> None:
    made = desk("red 2", "Ada G4+G5, Ben G8", hands={"Cem": "R1 R2"})
    (now,) = outlook.standing(made.match.view(2), "en").tricks
    assert now.text == "Ada is winning with G4+G5: the highest sum in green"


def test_a_cross_note_is_shown_only_where_it_applies() -> None:
    quiet = desk("red 7 + July", "Ada G4, Ben G8", hands={"Cem": "G9"})
    assert outlook.standing(quiet.match.view(None), "en").notes == ()
    quiet.play("Cem G9, Ada pass")
    (note,) = outlook.standing(quiet.match.view(None), "en").notes
    assert "cannot be struck" in note


def test_the_lowest_wins_where_a_sheet_says_so() -> None:
    for sheets, low in (("red 9", True), ("October", False), ("red 9 + October", True)):
        made = desk(sheets, "Ada G4, Ben G9", hands={"Cem": "G8"})
        assert outlook.standing(made.match.view(2), "en").lowest is low
        said = "In the led colour the lowest number wins, among trumps the highest."
        assert (said in lines(made)) is low
        assert outlook.standing(made.match.view(2), "en").stated == 1 + low
    ghost = desk("October", "Ada G4, Ben G8", hands={"Cem": "G9"})
    assert outlook.standing(ghost.match.view(2), "en").lowest
