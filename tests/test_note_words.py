"""Notes of a table in words: one set of sentences for terminal and page."""

from typing import get_args

import msgspec
import pytest

from stichwerk.locale import LANGUAGES
from stichwerk.narration import TableReader, note_words
from stichwerk.narration.table_notes import NARRATORS
from stichwerk.server import wire

ADA = TableReader(
    seat=0,
    person="a",
    names=("Ada", "Ben", ""),
    people={"a": "Ada", "b": "Ben"},
    lang="de",
)
STRANGER = msgspec.structs.replace(ADA, seat=None, person=None)

# Notes as Ada reads them: German, English.
READ: list[tuple[wire.Notes, str, str]] = [
    (
        wire.Joined(person="b", name="Ben", seat=1),
        "Ben setzt sich an den Tisch.",
        "Ben takes a seat.",
    ),
    (
        wire.Joined(person="a", name="Ada", seat=0),
        "Du setzt dich an den Tisch.",
        "You take a seat.",
    ),
    (
        wire.Joined(person="b", name="Ben", seat=None),
        "Ben ist dazugekommen.",
        "Ben has joined.",
    ),
    (
        wire.Moved(seat=1, place=wire.Place(level="easy")),
        "Ein Bot spielt jetzt auf Platz B.",
        "A bot now plays in seat B.",
    ),
    (
        wire.Moved(seat=1, place=wire.Place(person="b")),
        "Ben sitzt jetzt auf Platz B.",
        "Ben is now in seat B.",
    ),
    (
        wire.Moved(seat=0, place=wire.Place(person="a")),
        "Du sitzt jetzt auf Platz A.",
        "You are now in seat A.",
    ),
    (wire.Moved(seat=1, place=wire.Place()), "Platz B ist frei.", "Seat B is free."),
    (
        wire.Renamed(person="b", name="Benno"),
        "Neuer Name am Tisch: Benno.",
        "New name at the table: Benno.",
    ),
    (wire.Renamed(person="a", name="Adi"), "Du heißt jetzt Adi.", "Your name is now Adi."),
    (
        wire.Changed(),
        "Der Tisch hat neue Einstellungen.",
        "The table has new settings.",
    ),
    (
        wire.Away(seat=1),
        "Ben ist gerade weg. Solange spielt ein Bot.",
        "Ben is away. A bot is filling in.",
    ),
    (wire.Back(seat=0), "Du bist wieder da.", "You are back."),
    (
        wire.Sealing(match="m"),
        "Die Karten werden gemischt, alle mischen mit.",
        "The cards are being shuffled; everyone helps.",
    ),
    (wire.Sealed(seat=1), "", ""),
    (wire.Opened(seat=1), "", ""),
    (
        wire.Aborted(match="m", seats=(0, 1)),
        "Das Mischen ist gescheitert. Anteil nicht geöffnet: du, Ben.",
        "The shuffle failed. Share not opened: you, Ben.",
    ),
    (wire.Aborted(match="m", seats=()), "Das Mischen ist gescheitert.", "The shuffle failed."),
    (
        wire.Agreed(seat=1),
        "Ben ist einverstanden, neu auszuteilen.",
        "Ben agrees to deal again.",
    ),
    (wire.Begun(match="m"), "Die Karten sind verteilt.", "The cards are dealt."),
    (wire.Published(round=1, seed=""), "", ""),
    (
        wire.Asked(seat=1),
        "Ben möchte den letzten Zug zurücknehmen.",
        "Ben would like to take back the last move.",
    ),
    (
        wire.Declined(seat=0),
        "Du möchtest das nicht zurücknehmen lassen.",
        "You would rather not take it back.",
    ),
    (
        wire.TookBack(seat=1, events=1),
        "Ben nimmt den letzten Zug zurück.",
        "Ben takes back the last move.",
    ),
    (wire.Hinted(seat=1), "Ben hat sich einen Tipp geholt.", "Ben asked for a hint."),
    (
        wire.StoodIn(seat=1, why="clock"),
        "Die Zeit von Ben war um: ein Bot hat gezogen.",
        "Ben ran out of time: a bot made the move.",
    ),
    (
        wire.StoodIn(seat=0, why="bot"),
        "Der Bot kam nicht weiter, darum wurde für dich gezogen.",
        "The bot got stuck, so a move was made for you.",
    ),
    (wire.Said(person="b", text="hi", name="Ben"), "", ""),
    (wire.Hosts(person="b"), "Ben leitet jetzt den Tisch.", "Ben is the host now."),
    (
        wire.Hosts(person="a", for_good=True),
        "Der Tisch gehört jetzt dir.",
        "The table belongs to you now.",
    ),
    (
        wire.Removed(person="x", name="Eva", blocked=True),
        "Eva wurde vom Tisch entfernt.",
        "Eva was removed from the table.",
    ),
    (
        wire.Muted(person="b", muted=True),
        "Ben darf gerade nicht chatten.",
        "Ben cannot chat for now.",
    ),
    (wire.Muted(person="x", muted=False), "Jemand darf wieder chatten.", "Someone can chat again."),
    (
        wire.Back(seat=2),
        "Jemand ist wieder da.",
        "Someone is back.",
    ),
    (
        wire.Away(seat=7),
        "Jemand ist gerade weg. Solange spielt ein Bot.",
        "Someone is away. A bot is filling in.",
    ),
]


@pytest.mark.parametrize(("note", "german", "english"), READ)
def test_notes_are_worded(note: wire.Notes, german: str, english: str) -> None:
    assert note_words(note, ADA) == german
    assert note_words(note, msgspec.structs.replace(ADA, lang="en")) == english


def test_every_kind_of_note_is_known() -> None:
    kinds = {kind.__struct_config__.tag for kind in get_args(wire.Notes)}
    assert kinds == set(NARRATORS) == {note.__struct_config__.tag for note, _, _ in READ}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_spectator_is_never_addressed(lang: str) -> None:
    """Every note about Ada names her to others, and both sentences exist."""
    stranger = msgspec.structs.replace(STRANGER, lang=lang)
    for note, _, _ in READ:
        facts = {"seat": 0, "person": "a", "name": "Ada"}
        own = {name: facts[name] for name in facts if hasattr(note, name)}
        if not own or isinstance(note, wire.Moved):
            continue
        about_ada = msgspec.structs.replace(note, **own)
        told = note_words(about_ada, stranger)
        assert ("Ada" in told) == bool(told), note
        own_words = note_words(about_ada, msgspec.structs.replace(ADA, lang=lang))
        assert not told.startswith("note-")
        assert not own_words.startswith("note-")


def test_names_from_outside_stay_on_one_line() -> None:
    reader = msgspec.structs.replace(ADA, names=("Ada", "B\x1b[2J\n"))
    assert note_words(wire.Away(seat=1), reader).isprintable()
    assert note_words(wire.Aborted(match="m", seats=(1,)), reader).isprintable()
