"""The table's setting `memory`: which put-away tricks of a running round may still be looked at.

Bots, hints and outlooks know the whole history. Clients of people get the events of older tricks
without their cards, whatever they ask for, until the round is over; an outlook sent to them says
nothing about a last trick that is put away.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from stichwerk.engine.events import Event, RoundScored, RoundStarted
from stichwerk.outlook.structs import TableNow
from stichwerk.server import wire
from stichwerk.server.tables.audience import LogStep, hidden
from stichwerk.view import View

Place = tuple[int, int]
"""The number of a step, and of one of its events."""


class KeptEvent(msgspec.Struct):
    """An event of the last two rounds. `trick`: the number of the trick it belongs to, once that is
    settled; 0 before, and for events that belong to none. `void`: it was taken back."""

    step: LogStep
    at: int
    round: int
    trick: int = 0
    void: bool = False

    @property
    def event(self) -> Event:
        """The event itself."""
        return self.step.events[self.at]

    @property
    def place(self) -> Place:
        """Where it is in the log."""
        return self.step.seq, self.at


class SettledTrick(NamedTuple):
    """A settled trick: the step that settled it, and its events."""

    seq: int
    events: list[KeptEvent]


class TrickMemory:
    """Follows the tricks of a match."""

    def __init__(self) -> None:
        self.seq = 0  # of the last step with events
        self.kept: list[KeptEvent] = []
        self.dropped = range(0)  # the steps of rounds that are not kept any more
        self._start_match()

    def _start_match(self) -> None:
        """Start with another match."""
        self._drop(self.kept)
        self.tricks: list[SettledTrick] = []  # of this round
        self.round = 0
        self.over = True  # no round is being played

    # -- Following the match -----------------------------------------------------------------------

    def follow(self, step: LogStep) -> None:
        """Take in a step of the log."""
        for note in step.notes:
            if isinstance(note, wire.Begun):
                self._start_match()
        if step.removed is not None:
            self._take_back(len(step.removed))
        if step.events:
            self.seq = step.seq
        for at, event in enumerate(step.events):
            self._add(KeptEvent(step, at, self.round), event)

    def _add(self, one: KeptEvent, event: Event) -> None:
        if isinstance(event, RoundStarted):
            self.round = one.round = event.round
            self._drop([kept for kept in self.kept if kept.round < event.round - 1])
            self.tricks, self.over = [], False
        elif isinstance(event, RoundScored):
            self.over = True
        self.kept.append(one)
        if event.settles:
            self._settle(one)
        elif event.names_taken and self.tricks:
            self.tricks[-1].events.append(one)
            one.trick = len(self.tricks)

    def _drop(self, old: list[KeptEvent]) -> None:
        """Keep these events no longer."""
        if old:
            first = self.dropped.start if self.dropped else old[0].step.seq
            self.dropped = range(first, old[-1].step.seq)
            self.kept = self.kept[len(old) :]

    def _settle(self, end: KeptEvent) -> None:
        """Put the events of a trick together: those at its place since the last one there."""
        number = len(self.tricks) + 1
        found = [
            one for one in self._unsettled() if (one.event.place or 0) == (end.event.place or 0)
        ]
        for one in (*found, end):
            one.trick = number
        self.tricks.append(SettledTrick(end.step.seq, [*found, end]))

    def _unsettled(self) -> Iterator[KeptEvent]:
        for one in self.kept:
            if one.round == self.round and not one.trick and (one.event.in_trick or one.void):
                yield one

    def _take_back(self, count: int) -> None:
        """Mark the last events as void; a trick they settled is open again."""
        for one in [one for one in self.kept if not one.void][-count or len(self.kept) :]:
            one.void = True
            if one.event.settles and self.tricks:
                for other in self.tricks.pop().events:
                    other.trick = 0

    # -- What may be looked at ---------------------------------------------------------------------

    def closed(self, memory: wire.Memory, live: bool = False) -> frozenset[Place]:
        """Return the events whose cards may not be looked at now. `live`: for those who are
        watching, the trick that was settled just now is still there."""
        if memory == "open" or self.over:
            return frozenset()
        put_away = self.tricks[:-1] if memory == "last trick" else self.tricks
        return frozenset(
            one.place
            for trick in put_away
            if not (live and trick.seq == self.seq)
            for one in trick.events
            if hidden(one.event) != one.event
        )

    def view(self, view: View, memory: wire.Memory, live: bool = False) -> View:
        """Return a view as the client of a person may keep it."""
        closed = self.closed(memory, live)
        history = tuple(self._history(view, closed)) if closed and view.history else view.history
        table = view.table
        if table.get("last_trick") and self._closes_last(memory, live):
            table = {**table, "last_trick": None}
        return msgspec.structs.replace(view, history=history, table=table)

    def standing(self, standing: TableNow, memory: wire.Memory) -> TableNow:
        """Return what an outlook says about the table, for the client of a person."""
        if self.tricks and self._closes_last(memory, live=True):
            return msgspec.structs.replace(standing, last=None, collected=())
        return standing

    def _closes_last(self, memory: wire.Memory, live: bool) -> bool:
        """Return whether the last trick may not be looked at now."""
        settled_now = live and self.tricks and self.tricks[-1].seq == self.seq
        return memory == "none" and not (settled_now or self.over)

    def _history(self, view: View, closed: frozenset[Place]) -> Iterator[Event]:
        kept = [one for one in self.kept if not one.void and one.event.visible(view.seat)]
        yield from view.history[: len(view.history) - len(kept)]
        for one in kept[-len(view.history) :]:
            yield hidden(one.event) if one.place in closed else one.event

    # -- What clients know already -----------------------------------------------------------------

    def since(self, seq: int) -> frozenset[Place] | None:
        """Return all events of tricks up to a step, which a client may know in another form; None
        if it was in a round that is not kept any more."""
        if seq in self.dropped:
            return None
        return frozenset(one.place for one in self.kept if one.step.seq <= seq and one.trick)

    def renewed(
        self,
        places: Iterable[Place],
        closed: frozenset[Place],
        seat: int | None,
        lang: str,
        names: Mapping[str, str],
    ) -> tuple[wire.Renewed, ...]:
        """Return events that were sent before, as a seat may see them now."""
        wanted, found, back = set(places), list[wire.Renewed](), 0
        if not wanted:  # the usual case, at every move
            return ()
        for one in reversed(self.kept):
            visible = one.event.visible(seat)
            back += visible and not one.void
            if visible and one.place in wanted:
                events = one.step.events[: one.at]
                event, words = one.step.describe_event(
                    one.at, seat, lang, names, closed=one.place in closed
                )
                found.append(
                    wire.Renewed(
                        seq=one.step.seq,
                        nth=sum(other.visible(seat) for other in events),
                        back=0 if one.void else back,
                        event=event,
                        words=words,
                    )
                )
        return tuple(reversed(found))
