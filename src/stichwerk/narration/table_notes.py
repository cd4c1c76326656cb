"""What happens at a table outside the play, in words: joining, moving, dealing, taking back.

A note is a struct of the server's protocol (`stichwerk.server.wire`), which belongs to a higher
layer; here it is known by its tag and its facts. `NARRATORS` has an entry for every tag.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from stichwerk import locale
from stichwerk.first_names import CHARACTER_NAMES

SEAT_LETTERS = "ABCDEF"


def seat_letter(seat: int) -> str:
    """Return the name of a seat on the page."""
    return SEAT_LETTERS[seat]


class TableReader(msgspec.Struct, frozen=True, kw_only=True):
    """Who reads: a person in a seat, addressed in the second person, or a spectator.

    It has nothing but public facts of the table. `names`: by seat; empty where nobody is known.
    `people`: names by the ids of people. `write_seat`: how a seat is written; the terminal counts.
    """

    seat: int | None
    person: str | None
    names: Sequence[str]
    people: Mapping[str, str]
    lang: str
    write_seat: Callable[[int], str] = seat_letter

    def say(self, id: str, /, **facts: object) -> str:
        """Return a sentence."""
        return locale.text(id, self.lang, **facts)

    def at_seat(self, seat: int, other: str, own: str) -> str:
        """Return a sentence about a seat: `own`, in the second person, if it is the reader's."""
        if seat == self.seat:
            return self.say(own)
        return self._named(other, self.names[seat] if 0 <= seat < len(self.names) else "")

    def about(self, person: str, other: str, own: str, /, name: str = "", **facts: object) -> str:
        """Return a sentence about a person: `own`, in the second person, if it is the reader.

        `name`: the one they had then; without it, the one they have now.
        """
        if person == self.person:
            return self.say(own, name=name, **facts)
        return self._named(other, name or self.people.get(person, ""), **facts)

    def _named(self, id: str, name: str, /, **facts: object) -> str:
        """Return a sentence with a name; of those who have left the table it may be unknown."""
        if name:
            return self.say(id, name=name, **facts)
        sentence = self.say(id, name=self.say("someone"), **facts)
        return sentence[:1].upper() + sentence[1:]

    def listed(self, seats: Iterable[int]) -> str:
        """List the names of seats: `you, Ben`."""
        known = {
            **dict(enumerate(self.names)),
            **({} if self.seat is None else {self.seat: self.say("reader")}),
        }
        names = [locale.one_line(known.get(seat, "") or self.say("someone")) for seat in seats]
        return locale.Listed(", ".join(names))


def note_words(note: msgspec.Struct, reader: TableReader) -> str:
    """Return the sentence for one note; empty where there is nothing to say."""
    return NARRATORS[str(note.__struct_config__.tag)](note, reader)


def joined(note: Any, reader: TableReader) -> str:
    """Say who joins, in a seat or to watch."""
    if note.seat is None:
        return reader.about(note.person, "note-watches", "note-watches-you", name=note.name)
    return reader.about(note.person, "note-joined", "note-joined-you", name=note.name)


def moved(note: Any, reader: TableReader) -> str:
    """Say who has a seat now: a person, a bot, or nobody."""
    place = reader.write_seat(note.seat)
    if note.place.person is not None:
        return reader.about(note.place.person, "note-sits", "note-sits-you", place=place)
    if note.place.level in CHARACTER_NAMES:
        return reader.say("note-sits", name=CHARACTER_NAMES[note.place.level], place=place)
    id = "note-seat-free" if note.place.level is None else "note-bot-sits"
    return reader.say(id, place=place)


def renamed(note: Any, reader: TableReader) -> str:
    """Name someone's new name."""
    return reader.about(note.person, "note-renamed", "note-renamed-you", name=note.name)


def aborted(note: Any, reader: TableReader) -> str:
    """Name the seats whose shares were not opened."""
    if not note.seats:
        return reader.say("note-aborted-by-nobody")
    return reader.say("note-aborted", names=reader.listed(note.seats))


def stood_in(note: Any, reader: TableReader) -> str:
    """Say for whom a move was made, and why."""
    if note.why == "clock":
        return reader.at_seat(note.seat, "note-stood-in-clock", "note-stood-in-clock-you")
    return reader.at_seat(note.seat, "note-stood-in-bot", "note-stood-in-bot-you")


def hosts(note: Any, reader: TableReader) -> str:
    """Say who has the host's rights now, or the table."""
    if note.for_good:
        return reader.about(note.person, "note-owns", "note-owns-you")
    return reader.about(note.person, "note-hosts", "note-hosts-you")


def muted(note: Any, reader: TableReader) -> str:
    """Say who may not chat, or may again."""
    if note.muted:
        return reader.about(note.person, "note-muted", "note-muted-you")
    return reader.about(note.person, "note-unmuted", "note-unmuted-you")


NoteNarrator = Callable[[Any, TableReader], str]


def by_seat(other: str, own: str) -> NoteNarrator:
    """Return a narrator for what the person in one seat does."""
    return lambda note, reader: reader.at_seat(note.seat, other, own)


def of_table(id: str) -> NoteNarrator:
    """Return a narrator for what concerns everyone."""
    return lambda note, reader: reader.say(id)


def silent(note: Any, reader: TableReader) -> str:
    """Say nothing: it is shown elsewhere, such as the chat and the six words of a deal."""
    return ""


NARRATORS: Mapping[str, NoteNarrator] = {
    "joined": joined,
    "moved": moved,
    "renamed": renamed,
    "changed": of_table("note-changed"),
    "away": by_seat("note-away", "note-away-you"),
    "back": by_seat("note-back", "note-back-you"),
    "sealing": of_table("note-sealing"),
    "sealed": silent,
    "opened": silent,
    "aborted": aborted,
    "agreed": by_seat("note-agreed", "note-agreed-you"),
    "begun": of_table("note-begun"),
    "published": silent,
    "asked": by_seat("note-asked", "note-asked-you"),
    "declined": by_seat("note-declined", "note-declined-you"),
    "took-back": by_seat("note-took-back", "note-took-back-you"),
    "hinted": by_seat("note-hinted", "note-hinted-you"),
    "stood-in": stood_in,
    "said": silent,
    "hosts": hosts,
    "removed": lambda note, reader: reader.say("note-removed", name=note.name),
    "muted": muted,
}
