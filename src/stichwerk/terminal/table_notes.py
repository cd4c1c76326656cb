"""Sentences about what happens at a web table outside the play."""

from collections.abc import Callable, Iterator, Mapping

from stichwerk.locale import game_name, one_line, text
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

BySeat = wire.Agreed | wire.Away | wire.Back | wire.Declined | wire.TookBack
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
        if place.level is not None:
            return self.say("a-bot", level=self.say(LEVELS.get(place.level, "level-medium")))
        return self.say("a-free-seat")

    # -- Notes -------------------------------------------------------------------------------------

    def of(self, note: wire.Notes) -> list[str]:
        """Return the sentences for a note; many need none."""
        teller = NOTE_TEXTS.get(type(note))
        line = teller(self, note) if teller else None
        return [line] if line else []

    def joined(self, note: wire.Joined) -> str | None:
        if note.person == self.person:
            return None
        id = "note-watches" if note.seat is None else "note-joined"
        return self.say(id, name=note.name, seat=note.seat)

    def moved(self, note: wire.Moved) -> str:
        return self.say("note-moved", seat=note.seat, who=self.holder(note.place))

    def renamed(self, note: wire.Renamed) -> str:
        return self.say("note-renamed", name=note.name)

    def by_seat(self, note: BySeat) -> str:
        return self.say(BY_SEAT[type(note)], name=self.at(note.seat))

    def asked(self, note: wire.Asked) -> str:
        own = self.table.places[note.seat].person == self.person
        return self.say("note-asked-own" if own else "note-asked", name=self.at(note.seat))

    def hinted(self, note: wire.Hinted) -> str | None:
        own = self.table.places[note.seat].person == self.person
        return None if own else self.say("note-hinted", name=self.at(note.seat))

    def stood_in(self, note: wire.StoodIn) -> str:
        id = "note-clock" if note.why == "clock" else "note-bot-failed"
        return self.say(id, name=self.at(note.seat))

    def said(self, note: wire.Said) -> str:
        words = note.text or ""
        if note.preset is not None:
            words = self.say(PRESETS.get(note.preset, "preset-hello"))
        return self.say("note-said", name=self.speaker(note)) + " " + fit_to_show(words)

    def speaker(self, note: wire.Said) -> str:
        """Return who said it; for people who have left, their name at the time."""
        known = any(one.id == note.person for one in self.table.people)
        return self.name(note.person) if known or not note.name else one_line(note.name)

    def hosts(self, note: wire.Hosts) -> str:
        if note.person == self.person:
            return self.say("note-owns-you" if note.for_good else "note-hosts-you")
        id = "note-owns" if note.for_good else "note-hosts"
        return self.say(id, name=self.name(note.person))

    def removed(self, note: wire.Removed) -> str:
        return self.say("note-removed", name=one_line(note.name))

    def muted(self, note: wire.Muted) -> str:
        id = "note-muted" if note.muted else "note-unmuted"
        return self.say(id, name=self.name(note.person))

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


BY_SEAT: Mapping[type, str] = {
    wire.Agreed: "note-agreed",
    wire.Away: "note-away",
    wire.Back: "note-back",
    wire.Declined: "note-declined",
    wire.TookBack: "note-took-back",
}

# `Any` note to its own method: the key is the type that the method takes.
NOTE_TEXTS: Mapping[type, Callable[..., str | None]] = {
    wire.Joined: TableNotes.joined,
    wire.Moved: TableNotes.moved,
    wire.Renamed: TableNotes.renamed,
    wire.Changed: lambda self, note: self.say("note-changed"),
    wire.Sealing: lambda self, note: self.say("note-sealing"),
    wire.Begun: lambda self, note: self.say("note-begun"),
    wire.Asked: TableNotes.asked,
    wire.Hinted: TableNotes.hinted,
    wire.StoodIn: TableNotes.stood_in,
    wire.Said: TableNotes.said,
    wire.Muted: TableNotes.muted,
    wire.Hosts: TableNotes.hosts,
    wire.Removed: TableNotes.removed,
    **dict.fromkeys(BY_SEAT, TableNotes.by_seat),
}
