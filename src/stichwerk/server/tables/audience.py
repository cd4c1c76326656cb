"""Visibility: how much a receiver sees of a table and of each step of its log."""

from collections.abc import Container, Iterable, Iterator, Mapping
from types import MappingProxyType

import msgspec

from stichwerk import narration
from stichwerk.engine.events import Event
from stichwerk.games.options import Value
from stichwerk.server import wire


class Audience(msgspec.Struct, frozen=True):
    """How much of a table one receiver sees.

    `eyes`: the seat whose view of the match they get; None: a spectator's. `inside`: notes, chat,
    presence. `sees`: the match, its id and its seeds. `runs`: whether they are the host.
    """

    seat: int | None = None
    eyes: int | None = None
    inside: bool = True
    sees: bool = True
    runs: bool = False


WATCHING = Audience()
NO_NAMES: Mapping[str, str] = MappingProxyType({})


class MatchFacts(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What is public about a match from its beginning, for the words about its events."""

    game: str
    options: Mapping[str, Value]
    names: tuple[str, ...]
    rounds: int


class LogStep(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The result of a log entry before it is filtered: events with the seats that may see them.

    `removed`: events made void by a take-back. `seating`: who sat where at the time, since a
    receiver may have another seat by now; `marks`: of these seats. `private`: only those seated
    then may see it. `facts`: of the match that the events belong to. `hands`: by seat, how its hand
    changed.
    """

    seq: int
    seating: tuple[str | None, ...] = ()
    marks: tuple[int, ...] = ()
    notes: tuple[wire.Notes, ...] = ()
    events: tuple[Event, ...] = ()
    removed: tuple[Event, ...] | None = None
    table_changed: bool = True
    private: bool = False
    facts: MatchFacts | None = None
    hands: tuple[wire.HandChange | None, ...] = ()

    def seat_of(self, person: str | None) -> int | None:
        """Return the seat that a person had at this step."""
        return self.seating.index(person) if person and person in self.seating else None

    def describe(
        self,
        seat: int | None,
        lang: str = "en",
        names: Mapping[str, str] = NO_NAMES,
        closed: Container[tuple[int, int]] = (),
    ) -> wire.Step:
        """Return the step as a seat, or a spectator, sees it. `names`: current names of people.
        `closed`: events whose cards may not be looked at, by step and number."""
        shown = [
            self.describe_event(at, seat, lang, names, closed=(self.seq, at) in closed)
            for at, event in enumerate(self.events)
            if event.visible(seat)
        ]
        notes = self.notes
        if self.removed is not None:
            void = sum(event.visible(seat) for event in self.removed)
            notes = tuple(
                msgspec.structs.replace(note, events=void)
                if isinstance(note, wire.TookBack)
                else note
                for note in notes
            )
        return wire.Step(
            seq=self.seq,
            notes=notes,
            events=tuple([event for event, _ in shown]),
            words=tuple([words for _, words in shown]) if self.facts else (),
            note_words=self._note_words(seat, lang, names),
            hand=self.hands[seat] if self.hands and seat is not None else None,
        )

    def describe_event(
        self, at: int, seat: int | None, lang: str, names: Mapping[str, str], *, closed: bool
    ) -> tuple[Event, str]:
        """Return an event and its words; of a trick that is closed, only who took it."""
        event = self.events[at]
        if not closed:
            return event, self._words(event, seat, lang, names)
        event = hidden(event)
        return event, self._words(event, seat, lang, names) if event.settles else ""

    def _words(self, event: Event, seat: int | None, lang: str, names: Mapping[str, str]) -> str:
        """Return what happened, about the people who sat here then, under their names of now."""
        facts = self.facts
        if facts is None:
            return ""
        reader = narration.Reader(
            seat=seat,
            names=self._names(names),
            game=facts.game,
            options=facts.options,
            rounds=facts.rounds,
            lang=lang,
        )
        return narration.words(event, reader)

    def _note_words(self, seat: int | None, lang: str, names: Mapping[str, str]) -> tuple[str, ...]:
        """What happened outside the play, about the same people."""
        if not self.notes:
            return ()
        reader = narration.TableReader(
            seat=seat,
            person=None if seat is None else self.seating[seat],
            names=self._names(names),
            people=names,
            lang=lang,
            write_seat=lambda at: narration.seat_letter(self.marks[at]),
        )
        found = tuple([narration.note_words(note, reader) for note in self.notes])
        return found if any(found) else ()

    def _names(self, names: Mapping[str, str]) -> tuple[str, ...]:
        """Return the names by seat: those of people now, else those of the match."""
        known = self.facts.names if self.facts else [""] * len(self.seating)
        seated = zip(self.seating, known, strict=True)
        return tuple([names.get(person or "", name) for person, name in seated])


def hidden(event: Event) -> Event:
    """Return an event without its cards."""
    if "cards" not in event.__struct_fields__:
        return event
    fields: dict[str, object] = {"cards": (), "move": ""}
    own = {name: value for name, value in fields.items() if name in event.__struct_fields__}
    return msgspec.structs.replace(event, **own)


def of_rounds(history: Iterable[Event], known: set[int]) -> Iterator[Event]:
    """Yield a history without the private events of rounds not in `known`."""
    round = 0
    for event in history:
        round = event.round if event.kind == "round" and event.round else round
        if event.to is None or round in known:
            yield event
