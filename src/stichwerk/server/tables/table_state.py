"""The state of a table, as computed from its log. Entries go in, steps for clients come out.

No I/O, no clock, no randomness: the same entries always produce the same table, also after a crash.
Whether an entry may be written is decided before, in `requests.py`; here it is only applied.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import singledispatchmethod
from typing import Literal

import msgspec

from stichwerk.engine.events import Event
from stichwerk.first_names import CHARACTER_NAMES, character_name
from stichwerk.match import Setting
from stichwerk.server import wire
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.audience import WATCHING, Audience, LogStep, of_rounds
from stichwerk.server.tables.running_match import RunningMatch
from stichwerk.server.tables.shuffle import ForkedDeals, Shuffle
from stichwerk.server.tables.table_description import NO_TIMES, described
from stichwerk.server.tables.table_people import (
    BlockedPerson,
    TablePerson,
    TableSeat,
    TakeBackRequest,
    empty_seats,
    hash_token,
)
from stichwerk.server.tables.trick_memory import TrickMemory
from stichwerk.view import View

Stage = Literal["gathering", "dealing", "playing", "over"]

MOST_ABORTS = 2  # set-ups that may fail in a row before people have to agree to go on
MOST_STEPS = 3000  # kept for clients that resume
MOST_BLOCKED = 100  # people; beyond that the oldest block is dropped
MOST_TOLD = 600  # steps sent at once; a client that missed more starts afresh


class TableState:
    """The state of one table."""

    def __init__(self, made: log.TableCreated) -> None:
        self.id = made.table
        self.salt = made.salt
        self.game = made.game
        self.seats = made.seats
        self.options = made.options
        self.settings = made.settings
        self.people: dict[str, TablePerson] = {}
        self.blocked: dict[str, BlockedPerson] = {}
        self.owner = ""
        self.host = ""  # the owner, or a stand-in
        self.places = empty_seats(made.seats)
        self.shuffle: Shuffle | None = None
        self.running: RunningMatch | None = None
        self.bot_names: tuple[str, ...] = ()  # for the match being set up or running
        self.failed_to_open: tuple[int, ...] = ()  # since the last match, in any set-up
        self.aborts = 0  # failed set-ups since the last match began
        self.agreed: set[int] = set()  # seats that agreed to deal again after too many of these
        self.ask: TakeBackRequest | None = None
        self.seq = 1
        self.match_seq = 1  # where the current or last match began
        self.steps: list[LogStep] = []
        self.memory = TrickMemory()
        self.private: set[str] = set()  # matches that could not be watched
        # Entries by person since a match began, without moves; "": of all people without a seat.
        self.beside: Counter[str] = Counter()
        self.arrivals = 0  # entries for joining and being forgotten since a match began

    @classmethod
    def replay(cls, stored: Iterable[log.Entries]) -> "TableState":
        """Return the table that results from these entries."""
        first, *rest = stored
        assert isinstance(first, log.TableCreated), "a log begins with the making of its table"
        table = cls(first)
        for entry in rest:
            table.apply(entry)
        return table

    # -- Queries -----------------------------------------------------------------------------------

    @property
    def next_setting(self) -> Setting:
        """The game that a new match plays, by the newest version of its rules."""
        return Setting(self.game, self.seats, self.options)

    @property
    def stage(self) -> Stage:
        """The stage of the table, from gathering to over."""
        if self.shuffle is not None:
            return "dealing"
        if self.running is None:
            return "gathering"
        return "over" if self.running.match.over else "playing"

    @property
    def match_id(self) -> str | None:
        """The id of the match being dealt or played, or of the last one."""
        if self.shuffle is not None:
            return self.shuffle.match
        return self.running.id if self.running else None

    def seat_of(self, person: str | None) -> int | None:
        """Return the seat of a person."""
        if person is not None:
            for seat, place in enumerate(self.places):
                if place.person == person:
                    return seat
        return None

    def person_with(self, token: str) -> TablePerson | None:
        """Return the person this token belongs to."""
        hashed = hash_token(self.salt, token)
        return next((one for one in self.people.values() if one.token == hashed), None)

    def is_played_by_person(self, seat: int) -> bool:
        """Return whether a person, not a bot, moves for this seat."""
        place = self.places[seat]
        return place.person is not None and place.level is None

    @property
    def must_agree(self) -> bool:
        """Return whether so many set-ups failed that everyone must agree to the next one."""
        return self.shuffle is None and self.aborts >= MOST_ABORTS

    def not_agreed(self) -> tuple[int, ...]:
        """Return the seats whose agreement is missing."""
        players = (seat for seat in range(self.seats) if self.is_played_by_person(seat))
        return tuple(seat for seat in players if seat not in self.agreed)

    @property
    def deals_again(self) -> bool:
        """Return whether a set-up failed and the next one is due now."""
        if self.shuffle is not None or self.running is not None or not self.aborts:
            return False
        return not self.must_agree or (bool(self.agreed) and not self.not_agreed())

    def ply(self, seat: int | None) -> int:
        """Return the number of a seat's next move."""
        return len(self.running.made[seat]) if self.running and seat is not None else 0

    def can_take_back(self, seat: int | None) -> bool:
        """Return whether a seat may ask to take back its last move now."""
        if self.running is None or seat is None or self.stage != "playing" or self.ask is not None:
            return False
        return self.settings.take_back and self.running.can_be_taken_back(seat)

    def audience(self, person: str | None) -> Audience:
        """Return how much this person, or a stranger (None), may see of the table."""
        seat = self.seat_of(person)
        runs = person is not None and person == self.host
        if self.settings.watch == "none" and seat is None:
            return Audience(inside=False, sees=False, runs=runs)
        running = self.running
        if running is None or (person, seat) in running.sat:
            return Audience(seat=seat, eyes=seat, runs=runs)
        # The seat belonged to someone else during this match.
        sees = running.id not in self.private or running.had_seat(person)
        return Audience(seat=seat, sees=sees, runs=runs)

    def _clear_quotas(self) -> None:
        """Reset the quotas when a match begins."""
        self.beside.clear()
        self.arrivals = 0

    def is_without_seat(self, person: str) -> bool:
        """Return whether someone has neither a seat nor the host's rights."""
        return person not in (self.host, self.owner) and self.seat_of(person) is None

    def view(self, seat: int | None) -> View | None:
        """Return what this seat, or a spectator, may know of the match."""
        return self.running.match.view(seat) if self.running else None

    def view_of(self, person: str | None) -> View | None:
        """Return what this person may know of the match: private events only from rounds in which
        they had the seat."""
        audience = self.audience(person)
        view = self.view(audience.eyes) if audience.sees else None
        if view is None or self.running is None or person is None or audience.eyes is None:
            return view
        known = self.running.sat[person, audience.eyes]
        if len(known) == len(self.running.match.rounds):
            return view
        return msgspec.structs.replace(view, history=tuple(of_rounds(view.history, known)))

    def shown_view(self, person: str | None) -> View | None:
        """Return what the client of this person may keep of the match: put-away tricks as far as
        `memory` allows."""
        view = self.view_of(person)
        return view and self.memory.view(view, self.settings.memory)

    def changed_hand(self, audience: Audience) -> wire.HandChange | None:
        """Return how the hand that this receiver sees differs from the cards dealt."""
        if self.running is None or audience.eyes is None or not audience.sees:
            return None
        return self.running.changed_since_deal(audience.eyes)

    def views(self, seats: Iterable[int | None]) -> dict[int | None, View]:
        """Return views for several seats at once, without history, for clients that are
        watching."""
        found = self.running.match.views(seats) if self.running else {}
        memory = self.settings.memory
        return {seat: self.memory.view(view, memory, live=True) for seat, view in found.items()}

    def describe(
        self,
        here: Iterable[str] = (),
        deadline: int | None = None,
        audience: Audience = WATCHING,
        bot_at: Mapping[str, int] = NO_TIMES,
    ) -> wire.Table:
        """Return the table as this receiver may see it. `bot_at`: when a bot takes over for absent
        people."""
        return described(self, set(here), deadline, audience, bot_at)

    def people_names(self) -> dict[str, str]:
        """Return the names of people, by their ids."""
        return {one.id: one.name for one in self.people.values()}

    def steps_since(self, since: int | None) -> tuple[bool, list[LogStep]]:
        """Return the steps after this number, and whether the client has to start afresh because
        they are no longer kept, or too many. A fresh start includes the end of the last match."""
        first = self.steps[0].seq if self.steps else self.seq + 1
        first = max(first, self.seq + 1 - MOST_TOLD)
        if since is None or since < first - 1 or since > self.seq:
            return True, [step for step in self.steps if step.seq >= max(first, self.match_seq)]
        return False, [step for step in self.steps if step.seq > since]

    def last_steps(self) -> list[LogStep]:
        """Return as many steps as a client may get at once."""
        return self.steps[-MOST_TOLD:]

    # -- Applying entries --------------------------------------------------------------------------

    def apply(self, entry: log.Entries) -> LogStep:
        """Apply a stored log entry."""
        self.seq += 1
        self._count(entry)
        step = self._do(entry)
        if self.running is not None:
            self.running.note_seating(self.places)
        self.steps.append(step)
        self.memory.follow(step)
        if len(self.steps) > 2 * MOST_STEPS:  # rarely, since deleting moves all the others
            del self.steps[:-MOST_STEPS]
        return step

    def _count(self, entry: log.Entries) -> None:
        """Count entries other than moves until the next match begins."""
        by: str | None = None
        match entry:
            case log.PersonRenamed() | log.ChatSent():
                by = entry.person
            case log.Seated():
                by = entry.person or self.places[entry.seat].person
            case log.TakeBackAsked() | log.TakeBackAnswered() | log.HintTaken():
                by = self.places[entry.seat].person
            case log.TableChanged() | log.MuteSet() | log.PersonUnblocked():
                by = self.host
            case log.HostPassed(for_good=True):
                by = self.host
            case log.PersonJoined() | log.PersonForgotten():
                self.arrivals += 1
                return
            case _:
                return
        person = by or self.host
        self.beside[person] += 1
        if self.is_without_seat(person):
            self.beside[""] += 1

    def _step(self, *notes: wire.Notes, **more: object) -> LogStep:
        return LogStep(
            seq=self.seq,
            seating=tuple([place.person for place in self.places]),
            marks=tuple([place.mark for place in self.places]),
            notes=notes,
            private=self.settings.watch == "none",
            facts=self.running.facts if self.running else None,
            hands=self.running.hand_changes() if self.running else (),
            **more,  # type: ignore[arg-type]
        )

    @singledispatchmethod
    def _do(self, entry: log.Entries) -> LogStep:
        raise TypeError(f"not an entry of a running table: {type(entry).__name__}")

    @_do.register
    def _(self, entry: log.PersonJoined) -> LogStep:
        self.people[entry.person] = TablePerson(entry.person, entry.name, entry.token)
        self.owner = self.owner or entry.person
        self.host = self.host or entry.person
        if entry.seat is not None:
            self.places[entry.seat] = TableSeat(self.places[entry.seat].mark, person=entry.person)
            self._forget_shares_of(entry.seat)
        return self._step(wire.Joined(person=entry.person, name=entry.name, seat=entry.seat))

    @_do.register
    def _(self, entry: log.PersonRenamed) -> LogStep:
        self.people[entry.person].name = entry.name
        return self._step(wire.Renamed(person=entry.person, name=entry.name))

    @_do.register
    def _(self, entry: log.HostPassed) -> LogStep:
        self.host = entry.person
        if entry.for_good:
            self.owner = entry.person
        return self._step(wire.Hosts(person=entry.person, for_good=entry.for_good))

    @_do.register
    def _(self, entry: log.PersonRemoved) -> LogStep:
        person = self._drop(entry.person)
        if entry.block:
            self.blocked[entry.person] = BlockedPerson(person.name, person.token, entry.addresses)
            for oldest in list(self.blocked)[:-MOST_BLOCKED]:
                del self.blocked[oldest]
        return self._step(wire.Removed(person=person.id, name=person.name, blocked=entry.block))

    @_do.register
    def _(self, entry: log.PersonUnblocked) -> LogStep:
        del self.blocked[entry.person]
        return self._step()

    @_do.register
    def _(self, entry: log.PersonForgotten) -> LogStep:
        self._drop(entry.person)
        return self._step()

    def _drop(self, person: str) -> TablePerson:
        """Remove a person from the table."""
        self.beside.pop(person, None)
        return self.people.pop(person)

    @_do.register
    def _(self, entry: log.Seated) -> LogStep:
        mark = self.places[entry.seat].mark
        if entry.person is not None:
            before = self.seat_of(entry.person)
            if before is not None:
                own = self.places[before].mark
                self.places[before] = TableSeat(mark)
                self._forget_shares_of(before)
                mark = own
        self._forget_shares_of(entry.seat)
        self.places[entry.seat] = TableSeat(mark, person=entry.person, level=entry.level)
        place = wire.Place(person=entry.person, level=entry.level, mark=mark)
        notes: list[wire.Notes] = [wire.Moved(seat=entry.seat, place=place)]
        if self.ask is not None and self.ask.seat == entry.seat:  # the requester left the seat
            notes.append(wire.Declined(seat=entry.seat))
            self.ask = None
        removed = self._agreed(entry.seat, notes)
        return self._step(*notes, removed=removed)

    @_do.register
    def _(self, entry: log.TableChanged) -> LogStep:
        self.settings = entry.settings
        if (entry.game, entry.seats) != (self.game, self.seats) or entry.options != self.options:
            self.running = None  # the last match was of another game
            self.match_seq = self.seq
            self.agreed = set()  # the agreement was about another match
        self.game, self.seats, self.options = entry.game, entry.seats, entry.options
        missing = empty_seats(max(0, entry.seats - len(self.places)), self.places)
        self.places = [*self.places, *missing][: entry.seats]
        return self._step(wire.Changed())

    @_do.register
    def _(self, entry: log.BotTookOver) -> LogStep:
        self.places[entry.seat].level = self.settings.level
        self.agreed.discard(entry.seat)
        notes: list[wire.Notes] = [wire.Away(seat=entry.seat)]
        removed = self._agreed(entry.seat, notes)
        return self._step(*notes, removed=removed)

    @_do.register
    def _(self, entry: log.PlayerReturned) -> LogStep:
        self.places[entry.seat].level = None
        return self._step(wire.Back(seat=entry.seat))

    # -- Dealing -----------------------------------------------------------------------------------

    @_do.register
    def _(self, entry: log.ShuffleStarted) -> LogStep:
        if entry.turn:
            self.places = [self.places[-1], *self.places[:-1]]
        self.match_seq = self.seq
        self.running = None
        self.agreed = set()
        self._note_private(entry.match)
        self.bot_names = entry.bots
        shares = [share and bytes.fromhex(share) for share in entry.shares]
        seeds = [bytes.fromhex(seed) for seed in entry.server_seeds]
        setting = Setting(self.game, self.seats, self.options, entry.rules)
        self.options = setting.options
        self.shuffle = Shuffle(entry.match, setting, seeds, [one or None for one in shares])
        notes: list[wire.Notes] = [wire.Sealing(match=entry.match)]
        return self._dealt(notes)

    @_do.register
    def _(self, entry: log.ShareDrawn) -> LogStep:
        assert self.shuffle is not None
        self.shuffle.draw_for(entry.seat, bytes.fromhex(entry.seed))
        return self._dealt([wire.Sealed(seat=entry.seat)])

    @_do.register
    def _(self, entry: log.ShareSealed) -> LogStep:
        assert self.shuffle is not None
        self.shuffle.seal(entry.seat, bytes.fromhex(entry.commit))
        return self._dealt([wire.Sealed(seat=entry.seat)])

    @_do.register
    def _(self, entry: log.ShareOpened) -> LogStep:
        assert self.shuffle is not None
        self.shuffle.open(entry.seat, bytes.fromhex(entry.seed))
        return self._dealt([wire.Opened(seat=entry.seat)])

    @_do.register
    def _(self, entry: log.SetUpFailed) -> LogStep:
        assert self.shuffle is not None
        aborted = wire.Aborted(match=self.shuffle.match, seats=entry.seats)
        self.shuffle = None
        self.failed_to_open = tuple(sorted({*self.failed_to_open, *entry.seats}))
        self.aborts += 1
        return self._step(aborted)

    @_do.register
    def _(self, entry: log.DealAgainAgreed) -> LogStep:
        self.agreed.add(entry.seat)
        return self._step(wire.Agreed(seat=entry.seat))

    def _forget_shares_of(self, seat: int) -> None:
        """Forget failures and agreement of a seat's former occupant."""
        self.failed_to_open = tuple(one for one in self.failed_to_open if one != seat)
        self.agreed.discard(seat)

    def _note_private(self, match: str) -> None:
        """Remember a private match, which stays private when later ones may be watched."""
        if self.settings.watch == "none":
            self.private.add(match)

    def _dealt(self, notes: list[wire.Notes]) -> LogStep:
        """Begin the match if all shares are open."""
        shuffle = self.shuffle
        if shuffle is None or not shuffle.opened:
            return self._step(*notes)
        self.shuffle = None
        self.failed_to_open = ()
        self.aborts = 0
        self._clear_quotas()
        self.running = RunningMatch(shuffle.match, shuffle.setting, shuffle, self.names(), shuffle)
        notes.append(wire.Begun(match=shuffle.match))
        notes.append(wire.Published(round=0, seed=shuffle.server_seeds[0].hex()))
        return self._step(*notes, events=self.running.match.events)

    @_do.register
    def _(self, entry: log.Forked) -> LogStep:
        setting = Setting(self.game, self.seats, self.options, entry.record.rules)
        deals = ForkedDeals(setting, entry.record, entry.moves, entry.seed)
        self.match_seq = self.seq
        self._note_private(entry.match)
        self._clear_quotas()
        self.bot_names = entry.bots
        self.running = RunningMatch(entry.match, setting, deals, self.names(), None)
        for seat, move in deals.moves:
            self.running.play(seat, move, "record")
        return self._step(wire.Begun(match=entry.match), events=self.running.match.events)

    def names(self) -> list[str]:
        """Return the names by seat. Characters have their own, other bots the names stored for
        them; logs of older versions have none, and a bot is named after its level."""
        noted = iter(self.bot_names)
        taken = [one.name for one in self.people.values()]
        found = []
        for place in self.places:
            person = self.people.get(place.person or "")
            level = place.level or self.settings.level
            if person:
                found.append(person.name)
            elif level in CHARACTER_NAMES:
                taken.append(character_name(level, taken))
                found.append(taken[-1])
            else:
                found.append(next(noted, level))
        return found

    # -- Playing -----------------------------------------------------------------------------------

    @_do.register
    def _(self, entry: log.MovePlayed) -> LogStep:
        running = self.running
        assert running is not None
        rounds_before = running.rounds_over
        events = running.play(entry.seat, entry.move, entry.by)
        notes: list[wire.Notes] = []
        if entry.by == "clock":
            notes.append(wire.StoodIn(seat=entry.seat, why="clock"))
        elif entry.by == "failed":
            notes.append(wire.StoodIn(seat=entry.seat, why="bot"))
        if running.rounds_over > rounds_before and running.shuffle is not None:
            seed = running.shuffle.server_seeds[running.rounds_over].hex()
            notes.append(wire.Published(round=running.rounds_over, seed=seed))
        changed = bool(notes) or self.ask is not None or running.match.over
        if self.ask is not None:
            notes.append(wire.Declined(seat=entry.seat))
            self.ask = None
        return self._step(*notes, events=events, table_changed=changed)

    @_do.register
    def _(self, entry: log.TakeBackAsked) -> LogStep:
        seats = set(range(self.seats)) - {entry.seat}
        others = {seat for seat in seats if self.is_played_by_person(seat)}
        self.ask = TakeBackRequest(entry.seat, others)
        notes: list[wire.Notes] = [wire.Asked(seat=entry.seat)]
        removed = self._agreed(None, notes)  # at once, if there is nobody to ask
        return self._step(*notes, removed=removed)

    @_do.register
    def _(self, entry: log.TakeBackAnswered) -> LogStep:
        if not entry.agree:
            self.ask = None
            return self._step(wire.Declined(seat=entry.seat))
        notes: list[wire.Notes] = []
        removed = self._agreed(entry.seat, notes)
        return self._step(*notes, removed=removed)

    def _agreed(self, seat: int | None, notes: list[wire.Notes]) -> tuple[Event, ...] | None:
        """Count an agreement (also of a seat that no longer has to be asked); take back after the
        last one."""
        if self.ask is None:
            return None
        if seat is not None:
            self.ask.waiting.discard(seat)
        if self.ask.waiting or self.running is None:
            return None
        notes.append(wire.TookBack(seat=self.ask.seat, events=0))
        self.ask = None
        return self.running.take_back()

    @_do.register
    def _(self, entry: log.HintTaken) -> LogStep:
        return self._step(wire.Hinted(seat=entry.seat), table_changed=False)

    # -- Chat --------------------------------------------------------------------------------------

    @_do.register
    def _(self, entry: log.ChatSent) -> LogStep:
        name = self.people[entry.person].name
        said = wire.Said(person=entry.person, text=entry.text, preset=entry.preset, name=name)
        return self._step(said, table_changed=False)

    @_do.register
    def _(self, entry: log.MuteSet) -> LogStep:
        self.people[entry.person].muted = entry.muted
        return self._step(wire.Muted(person=entry.person, muted=entry.muted))
