"""Who may learn what: how much a receiver sees of a table, and of each step of its log."""

from collections.abc import Iterable, Iterator

import msgspec

from stichwerk.engine.events import Event
from stichwerk.server import wire


class Audience(msgspec.Struct, frozen=True):
    """How much of a table one receiver learns.

    `eyes`: the seat whose view of the match he gets; None: a spectator's. `inside`: notes, chat,
    presence. `sees`: the match, its id and its seeds. `runs`: he is the host.
    """

    seat: int | None = None
    eyes: int | None = None
    inside: bool = True
    sees: bool = True
    runs: bool = False


WATCHING = Audience()


class LogStep(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What an entry brought, before anyone is told: events with those who may know of them.

    `removed`: events that are void now, after a take-back. `seating`: who sat where then; who is
    told of it later has perhaps another seat by now. `private`: only they may be told.
    """

    seq: int
    seating: tuple[str | None, ...] = ()
    notes: tuple[wire.Notes, ...] = ()
    events: tuple[Event, ...] = ()
    removed: tuple[Event, ...] | None = None
    table_changed: bool = True
    private: bool = False

    def seat_of(self, person: str | None) -> int | None:
        """Where someone sat."""
        return self.seating.index(person) if person and person in self.seating else None

    def describe(self, seat: int | None) -> wire.Step:
        """For this seat, or a spectator."""
        events = tuple(event for event in self.events if event.visible(seat))
        notes = self.notes
        if self.removed is not None:
            void = sum(event.visible(seat) for event in self.removed)
            notes = tuple(
                msgspec.structs.replace(note, events=void)
                if isinstance(note, wire.TookBack)
                else note
                for note in notes
            )
        return wire.Step(seq=self.seq, notes=notes, events=events)


def of_rounds(history: Iterable[Event], known: set[int]) -> Iterator[Event]:
    """A history without the private events of other rounds than these."""
    round = 0
    for event in history:
        round = event.round if event.kind == "round" and event.round else round
        if event.to is None or round in known:
            yield event
