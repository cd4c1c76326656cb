"""Sentences about what happens at a web table outside the play."""

from collections.abc import Iterator, Mapping

from stichwerk.first_names import CHARACTER_NAMES
from stichwerk.locale import game_name, one_line, text
from stichwerk.narration import TableReader, note_words
from stichwerk.server import wire
from stichwerk.server.clients.deal_check import DealNotice
from stichwerk.server.clients.deal_messages import DealViolationError

PRESETS: Mapping[str, str] = {
    "again": "preset-again",
    "bye": "preset-bye",
    "hello": "preset-hello",
    "hurry": "preset-hurry",
    "oops": "preset-oops",
    "thanks": "preset-thanks",
    "thinking": "preset-thinking",
    "well-played": "preset-well-played",
}
LEVELS: Mapping[str, str] = {
    "easy": "level-easy",
    "medium": "level-medium",
    "hard": "level-hard",
    "expert": "level-expert",
}
WHAT: Mapping[str, str] = {
    "client_commits": "deal-what-client-commits",
    "client_seeds": "deal-what-client-seeds",
    "deck": "deal-what-deck",
    "events": "deal-what-events",
    "fairness": "deal-what-fairness",
    "hands": "deal-what-hands",
    "match": "deal-what-match",
    "options": "deal-what-options",
    "rounds": "deal-what-rounds",
    "rules": "deal-what-rules",
    "server_commits": "deal-what-server-commits",
    "server_seeds": "deal-what-server-seeds",
    "transcript": "deal-what-transcript",
    "trusted": "deal-what-trusted",
}
"""Parts of a deal that may have been changed."""

HINTS: Mapping[type, str] = {wire.Asked: "asked-hint", wire.Changed: "changed-hint"}
"""What to press after a note."""

CHUNK = 150  # characters of a chat line cleaned at a time


class TableNotes:
    """Texts for the notes of a table, addressed to one person."""

    def __init__(self, table: wire.Table, person: str | None, lang: str) -> None:
        self.table = table
        self.person = person
        self.lang = lang

    def say(self, id: str, /, **data: object) -> str:
        """Return a text."""
        return text(id, self.lang, **data)

    def name(self, person: str | None) -> str:
        """Return someone's name."""
        found = [one.name for one in self.table.people if one.id == person]
        return one_line(found[0]) if found else "?"

    def at(self, seat: int) -> str:
        """Return who sits there: a name, or a bot by its level, or nobody."""
        if not 0 <= seat < len(self.table.places):
            return "?"
        return self.holder(self.table.places[seat])

    def holder(self, place: wire.Place) -> str:
        """Return who has a seat."""
        if place.person is not None:
            return self.name(place.person)
        if place.level in CHARACTER_NAMES:
            return CHARACTER_NAMES[place.level]
        if place.level is not None:
            return self.say("a-bot", level=self.say(LEVELS.get(place.level, "level-medium")))
        return self.say("a-free-seat")

    # -- Notes -------------------------------------------------------------------------------------

    def of(self, note: wire.Notes) -> list[str]:
        """Return the sentences for a note, with the key that answers it; many need none."""
        if isinstance(note, wire.Said):
            return [self.said(note)]
        sentence = "" if self.is_known_already(note) else note_words(note, self.reader)
        if not sentence:
            return []
        hint = HINTS.get(type(note))
        asks_oneself = isinstance(note, wire.Asked) and note.seat == self.reader.seat
        return [sentence if hint is None or asks_oneself else f"{sentence} {self.say(hint)}"]

    def is_known_already(self, note: wire.Notes) -> bool:
        """Return whether the person sees it anyway: their own doing, or by the deal check."""
        match note:
            case wire.Joined():
                return note.person == self.person
            case wire.Hinted():
                return note.seat == self.reader.seat
        return isinstance(note, wire.Aborted)

    @property
    def reader(self) -> TableReader:
        """The person as a reader of notes."""
        places = self.table.places
        people = {one.id: one.name for one in self.table.people}
        held = [one.person for one in places]
        return TableReader(
            seat=held.index(self.person) if self.person and self.person in held else None,
            person=self.person,
            names=[people.get(one.person or "") or self.holder(one) for one in places],
            people=people,
            lang=self.lang,
            write_seat=str,
        )

    def said(self, note: wire.Said) -> str:
        words = note.text or ""
        if note.preset is not None:
            words = self.say(PRESETS.get(note.preset, "preset-hello"))
        return self.say("note-said", name=self.speaker(note)) + " " + fit_to_show(words)

    def speaker(self, note: wire.Said) -> str:
        """Return who said it; for people who have left, their name at the time."""
        known = any(one.id == note.person for one in self.table.people)
        return self.name(note.person) if known or not note.name else one_line(note.name)

    # -- The deal ----------------------------------------------------------------------------------

    def words(self, words: tuple[str, ...]) -> str:
        """Return the six words that everyone at the table should compare."""
        return self.say("the-six-words", words=" ".join(words))

    def deal(self, notice: DealNotice) -> str:
        """Return the text of a notice of the deal check."""
        if notice.id != "deal-aborted":
            return self.say(notice.id, **notice.data)
        count, seats = notice.data["count"], notice.data["seats"]
        names = ", ".join(map(self.at, seats if isinstance(seats, tuple) else ()))
        if not names:
            return self.say("deal-aborted-by-nobody", count=count)
        return self.say("deal-aborted", count=count, names=names)

    # -- The table as a whole ----------------------------------------------------------------------

    def people_lines(self) -> Iterator[str]:
        """Yield who sits where, who watches, and what the table waits for."""
        table = self.table
        yield self.say("at-the-table", game=game_name(table.game, self.lang), seats=table.seats)
        here = {one.id for one in table.people if one.here}
        for seat, place in enumerate(table.places):
            marks = [
                self.say("is-you") if place.person == self.person and self.person else "",
                self.say("is-host") if place.person == table.host else "",
                self.say("is-gone") if place.person and place.person not in here else "",
            ]
            marked = "".join(f", {mark}" for mark in marks if mark)
            yield f"  {seat}  {self.holder(place)}{marked}"
        seated = {place.person for place in table.places}
        beside = [self.name(one.id) for one in table.people if one.here and one.id not in seated]
        if beside:
            yield self.say("who-watches", names=", ".join(beside))
        if table.blocked:
            blocked = ", ".join(one_line(one.name) for one in table.blocked)
            yield self.say("who-is-blocked", names=blocked)

    def person_called(self, name: str) -> str | None:
        """Return the person with this name, or in the seat with this number."""
        if len(name) == 1 and name.isdecimal() and int(name) < len(self.table.places):
            return self.table.places[int(name)].person
        wanted = name.casefold()
        found = [one.id for one in self.table.people if one.name.casefold() == wanted]
        return found[0] if found else None

    def blocked_called(self, name: str) -> str | None:
        """Return the blocked person with this name."""
        wanted = name.casefold()
        found = [one.id for one in self.table.blocked if one.name.casefold() == wanted]
        return found[0] if found else None


def fit_to_show(words: str) -> str:
    """Return a chat text on one line, without control characters, whatever its length."""
    chunks = [words[at : at + CHUNK] for at in range(0, len(words), CHUNK)]
    return "".join(one_line(chunk) for chunk in chunks)


def violation_text(error: DealViolationError, lang: str) -> str:
    """Return what is wrong with a deal, and the consequences."""
    data = dict(error.data)
    if "what" in data:
        data["what"] = text(WHAT[str(data["what"])], lang)
    return f"{text(error.id, lang, **data)} {text('deal-stopped', lang)}"
