"""Events in words: one set of sentences for terminal and page."""

from typing import Any

import msgspec
import pytest

import stichwerk
from stichwerk.engine import events as common
from stichwerk.engine.events import Event
from stichwerk.games import registry, stichling_events
from stichwerk.games.events import KINDS
from stichwerk.games.info import GameDescription
from stichwerk.games.stichtag.sheets.april import EggsShown, EggTaken
from stichwerk.games.stichtag.sheets.august import CardsDiscarded, CardsDrawn
from stichwerk.games.stichtag.sheets.december import GiftGiven
from stichwerk.games.stichtag.sheets.july import SunstrokeMoved
from stichwerk.games.stichtag.sheets.march import DirectionTurned
from stichwerk.games.stichtag.sheets.red_0 import TrumpChosen, TrumpDrawn, TrumpsDrawn
from stichwerk.games.stichtag.sheets.red_1 import ColourNamed
from stichwerk.games.stichtag.sheets.red_5 import SwitchFlipped
from stichwerk.games.stichtag.sheets.red_6 import PartnerDrawn, PartnersShown
from stichwerk.games.stichtag.sheets.red_7 import VetoAnswered
from stichwerk.games.stichtag.sheets.red_8 import AsideChanged
from stichwerk.games.stichtag.sheets.september import TrickStays
from stichwerk.locale import LANGUAGES, text
from stichwerk.narration import COMMON, Reader, sentences, words
from stichwerk.narration.calendar import NARRATORS

ADA = Reader(
    seat=0,
    names=("Ada", "Ben", "Cleo"),
    game="stichtag",
    options={"date": None, "sheets": []},
    rounds=3,
    lang="de",
)

# Every kind of event as Ada reads it: German, English.
READ: list[tuple[Event, str, str]] = [
    (
        common.RoundStarted(round=2, starter=0, stock=0),
        "Runde 2 von 3: Du beginnst.",
        "Round 2 of 3: you start.",
    ),
    (
        common.HandDealt(seat=0, cards=("R1", "R2")),
        "Du bekommst 2 Karten.",
        "You are dealt 2 cards.",
    ),
    (common.HandDealt(seat=1, cards=("R1", "R2")), "", ""),
    (common.CardPlayed(1, "G3", ("G3",)), "Ben spielt G3.", "Ben plays G3."),
    (common.CardPlayed(1, "G3+G4", ("G3", "G4")), "Ben spielt G3+G4.", "Ben plays G3+G4."),
    (
        common.CardPlayed(1, "G3>1", ("G3",), place=0),
        "Ben legt G3 auf Platz 1.",
        "Ben plays G3 in place 1.",
    ),
    (
        common.CardPlayed(0, "G3>new", ("G3",), place=0, opens=True),
        "Du eröffnest mit G3 einen neuen Stich.",
        "You open a new trick with G3.",
    ),
    (common.TrickTaken(seat=0, cards=("G3",)), "Du nimmst den Stich.", "You take the trick."),
    (
        common.TrickTaken(seat=1, place=2, cards=()),
        "Ben nimmt den Stich von Platz 3.",
        "Ben takes the trick from place 3.",
    ),
    (common.TrickTaken(cards=()), "Den Stich bekommt niemand.", "Nobody gets the trick."),
    (common.ChoiceHidden(2), "Cleo hat gewählt.", "Cleo has chosen."),
    (common.ChoiceHidden(0), "Du hast gewählt.", "You have chosen."),
    (common.ChoiceMade(0, "3"), "", ""),
    (
        common.ChoicesRevealed(("3", "0", "1")),
        "Angesagt: du 3 · Ben 0 · Cleo 1.",
        "Announced: you 3 · Ben 0 · Cleo 1.",
    ),
    (
        common.ChoicesRevealed(("3", "0", "1"), round=2),
        "Runde 2 von 3: Angesagt: du 3 · Ben 0 · Cleo 1.",
        "Round 2 of 3: Announced: you 3 · Ben 0 · Cleo 1.",
    ),
    (
        common.ChoicesRevealed(("", "take", "leave")),
        "Ben hat die Ansage getroffen und nimmt die Punkte. "
        "Cleo hat die Ansage getroffen und lässt die Punkte liegen.",
        "Ben hit the announcement and takes the points. "
        "Cleo hit the announcement and leaves the points.",
    ),
    (
        stichling_events.ScoringCardTurned(1, 0, 6),
        "Ben deckt ein Punktekärtchen auf: 6.",
        "Ben turns up a scoring card: 6.",
    ),
    (
        common.RoundScored((3, -4, 0), (3, -4, 0)),
        "Punkte: du 3 · Ben −4 · Cleo 0.",
        "Points: you 3 · Ben −4 · Cleo 0.",
    ),
    (
        common.MatchEnded(((1,), (0,), (2,))),
        "Die Partie ist zu Ende. Ben gewinnt.",
        "The match is over. Ben wins.",
    ),
    (
        common.MatchEnded(((0, 2), (1,))),
        "Die Partie ist zu Ende. Du teilst dir den Sieg mit Cleo!",
        "The match is over. You share the win with Cleo!",
    ),
    (
        common.CardsPassed((1, 1, 1)),
        "Alle geben eine Karte nach links.",
        "Everyone passes a card to the left.",
    ),
    (
        common.CardsPassed((1, 0, 1)),
        "Eine Karte nach links geben: du, Cleo.",
        "These pass a card to the left: you, Cleo.",
    ),
    (common.CardsReceived(0, ("B7",)), "Von Cleo bekommst du B7.", "Cleo passes you B7."),
    (common.CardsReceived(1, ("B7",)), "", ""),
    (TrumpDrawn("B"), "Trumpf ist Blau.", "Trump is blue."),
    (
        PartnerDrawn(0, 2),
        "Dein geheimer Partner in dieser Runde: Cleo.",
        "Your secret partner in this round: Cleo.",
    ),
    (PartnerDrawn(1, 2), "", ""),
    (
        PartnersShown((2, 0, 1)),
        "Partner waren: du → Cleo · Ben → du · Cleo → Ben.",
        "Partners were: you → Cleo · Ben → you · Cleo → Ben.",
    ),
    (
        AsideChanged((1, 2, 0)),
        "Beiseite liegen: du 1 · Ben 2 · Cleo 0.",
        "Cards set aside: you 1 · Ben 2 · Cleo 0.",
    ),
    (
        ColourNamed(1, "G"),
        "Ben legt verdeckt eine Karte und sagt Grün.",
        "Ben lays a card face down and says green.",
    ),
    (
        VetoAnswered(1, "veto 0", 0),
        "Ben legt ein Veto ein: Was du gespielt hast, gilt nicht.",
        "Ben vetoes: what you played does not count.",
    ),
    (
        VetoAnswered(0, "veto 2", 2),
        "Du legst ein Veto ein: Was Cleo gespielt hat, gilt nicht.",
        "You veto: what Cleo played does not count.",
    ),
    (VetoAnswered(2, "pass"), "Cleo legt kein Veto ein.", "Cleo does not use the veto."),
    (
        TrickStays(1, ("G6",)),
        "Ben gewinnt den Stich, aber er bleibt liegen.",
        "Ben wins the trick, but it stays on the table.",
    ),
    (EggTaken(0), "Du nimmst ein Ei.", "You take an egg."),
    (
        EggsShown((3, 2, 1, 1, 2, 0), (1, 2, 1)),
        "Die Eier sind aufgedeckt: du – · Ben 3 + 1 · Cleo 2.",
        "The eggs are turned up: you – · Ben 3 + 1 · Cleo 2.",
    ),
    (
        CardsDiscarded(1, "R3,B0", ("R3", "B0")),
        "Ben legt R3, B0 ab und zieht nach.",
        "Ben discards R3, B0 and draws.",
    ),
    (CardsDrawn(0, ("L4",)), "Du ziehst L4.", "You draw L4."),
    (CardsDrawn(0), "", ""),
    (
        GiftGiven(1, "Y5>0", ("Y5",), 0),
        "Ben schenkt dir die Karte Y5.",
        "Ben gives Y5 to you.",
    ),
    (
        SunstrokeMoved(0, 1),
        "Du bekommst die Sonnenstich-Karte.",
        "You get the sunstroke card.",
    ),
    (
        SwitchFlipped(False),
        "Der Schalter springt um: Jetzt ist nichts Trumpf.",
        "The switch flips: there is no trump now.",
    ),
    (
        DirectionTurned(-1),
        "Die Spielrichtung dreht sich: Jetzt geht es gegen den Uhrzeigersinn weiter.",
        "The direction of play turns: anticlockwise now.",
    ),
    (TrumpsDrawn(("B", "R")), "Gezogen sind Blau und Rot.", "Drawn: blue and red."),
    (TrumpChosen(0, "B"), "Du wählst Blau als Trumpf.", "You choose blue as trump."),
    (TrumpChosen(1, "R"), "Ben wählt Rot als Trumpf.", "Ben chooses red as trump."),
    (common.GameEvent(name="thunder", seat=1), "", ""),
]


def reader(**changes: Any) -> Reader:
    """Ada, but for some facts."""
    return msgspec.structs.replace(ADA, **changes)


@pytest.mark.parametrize(("event", "german", "english"), READ, ids=lambda one: str(one)[:40])
def test_an_event_in_words(event: Event, german: str, english: str) -> None:
    assert words(event, ADA) == german
    assert words(event, reader(lang="en")) == english


def test_every_kind_of_event_is_narrated() -> None:
    kinds = {kind.kind for kind in KINDS} - {"game"}  # a game's own words say that one
    assert kinds == {*COMMON, *NARRATORS}
    assert kinds <= {event.kind for event, _, _ in READ}


@pytest.mark.parametrize(
    ("seat", "german", "english"),
    [
        (0, "Du gewinnst zusammen mit Cleo!", "You win together with Cleo!"),
        (1, "Ada und Cleo gewinnen zusammen.", "Ada and Cleo win together."),
    ],
)
def test_partners_win_together_and_share_nothing(seat: int, german: str, english: str) -> None:
    facts: dict[str, Any] = {"names": ("Ada", "Ben", "Cleo", "Dan"), "options": {"teams": 2}}
    team = common.MatchEnded(((0, 2), (1, 3)))
    assert german in words(team, reader(seat=seat, game="null-nichtig", **facts))
    assert english in words(team, reader(seat=seat, game="null-nichtig", lang="en", **facts))


def test_a_spectator_reads_everything_in_the_third_person() -> None:
    watching = reader(seat=None)
    assert words(common.TrickTaken(seat=0, cards=()), watching) == "Ada nimmt den Stich."
    assert words(common.RoundScored((3, -4, 0), (3, -4, 0)), watching).startswith(
        "Punkte: Ada 3 · "
    )
    assert words(common.ChoiceMade(0, "4,6,2"), watching) == "Ada wählt: 4, 6, 2."


@pytest.mark.parametrize(
    ("game", "start"),
    [
        ("null-nichtig", "Ausgelegt: du G3 G4 · Ben R1 · "),
        ("sticheln", "Ärgerkarten: "),
        ("stichling", "Punktekärtchen: "),
        ("unknown", "Gewählt: "),
    ],
)
def test_each_game_names_what_was_chosen_secretly(game: str, start: str) -> None:
    event = common.ChoicesRevealed(("G3,G4", "R1", "B2"))
    assert words(event, reader(game=game, options={})).startswith(start)


def test_a_sentence_of_a_description_addresses_only_the_seat_it_is_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    described = GameDescription(rules=None, events={"chosen": "no-veto", "passed": "no-veto"})
    monkeypatch.setitem(registry.INFOS, "described", described)
    ada = msgspec.structs.replace(ADA, game="described", lang="en")
    spectator = msgspec.structs.replace(ada, seat=None)
    own, other = text("you-no-veto", "en"), text("no-veto", "en", name="Ada")
    assert words(common.ChoiceHidden(0), ada) == own
    assert words(common.ChoiceHidden(0), spectator) == other
    assert words(common.CardsPassed((1, 1, 1)), spectator) == text("no-veto", "en", name="")


def test_long_lists_are_not_cut() -> None:
    names = tuple(f"{letter * 24}" for letter in "ABCDEF")
    event = common.ChoicesRevealed(("G3,G4,G5,G6,R1",) * 6)
    line = words(event, reader(names=names, seat=None, game="null-nichtig", options={}))
    assert line.count("G3 G4 G5 G6 R1") == 6


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", registry.GAMES)
def test_every_event_of_a_match_has_words(game: str, lang: str) -> None:
    """Only the reader's own secret moves and the private cards of others have no words."""
    match = stichwerk.game(game, seats=3).new(seed=3, names=["Ada", "Ben", "Cleo"])
    bot = stichwerk.bot("random", seed=1)
    while match.waiting_for:
        seat = match.waiting_for[0]
        match.play(seat, bot.choose(match.view(seat)))
    view = match.view(0)
    its_reader = reader(game=game, options=view.options, rounds=view.rounds, lang=lang)
    for event in view.history:
        said = sentences(event, its_reader)
        assert bool(said) == (event.kind != "choice"), event
        assert all(one.endswith((".", "!")) and "{" not in one for one in said), said
