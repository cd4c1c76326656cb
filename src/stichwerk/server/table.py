"""A table: what its log adds up to. Entries go in, what everyone may be told comes out.

No input or output, no clock, no chance: the same entries make the same table, today and after a
crash. Whether an entry may be written is decided before, in `decisions.py`; here it has happened.
"""

import hashlib
from collections.abc import Iterable, Sequence
from functools import singledispatchmethod
from typing import Literal

import msgspec

from stichwerk.engine.events import Event
from stichwerk.match import Deals, Match, Setting
from stichwerk.record import Record, record
from stichwerk.server import entries as log
from stichwerk.server import wire
from stichwerk.server.dealing import ForkedDeals, Shuffle
from stichwerk.view import View

Stage = Literal["gathering", "dealing", "playing", "over"]

# After these and no other events a move can still be taken back: they show nothing that was hidden
# but the mover's own card.
HARMLESS = frozenset({"play", "trick", "choice", "chosen"})


class Person(msgspec.Struct):
    """Someone who takes part."""

    id: str
    name: str
    token: str
    muted: bool = False


class Place(msgspec.Struct):
    """A seat. With a person and a level the bot plays until the person is back."""

    person: str | None = None
    level: str | None = None

    @property
    def free(self) -> bool:
        """Whether nobody has it."""
        return self.person is None and self.level is None


class Ask(msgspec.Struct):
    """A take-back that waits for others to agree."""

    seat: int
    waiting: set[int]


class Step(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What an entry brought, before anyone is told: events with those who may know of them.

    `removed`: events that are void now, after a take-back. `seating`: who sat where then; who is
    told of it later has perhaps another seat by now.
    """

    seq: int
    seating: tuple[str | None, ...] = ()
    notes: tuple[wire.Notes, ...] = ()
    events: tuple[Event, ...] = ()
    removed: tuple[Event, ...] | None = None
    table_changed: bool = True

    def seat_of(self, person: str | None) -> int | None:
        """Where someone sat."""
        return self.seating.index(person) if person and person in self.seating else None

    def told(self, seat: int | None, may_see: bool = True) -> wire.Step:
        """For this seat, or a spectator; who may not watch learns of no event of the match."""
        events = tuple(event for event in self.events if may_see and event.visible(seat))
        notes = self.notes
        if self.removed is not None:
            void = sum(may_see and event.visible(seat) for event in self.removed)
            notes = tuple(
                msgspec.structs.replace(note, events=void)
                if isinstance(note, wire.TookBack)
                else note
                for note in notes
            )
        return wire.Step(seq=self.seq, notes=notes, events=events)


class Running:
    """A match at the table, from its first card on."""

    def __init__(
        self, id: str, setting: Setting, deals: Deals, names: Sequence[str], shuffle: Shuffle | None
    ) -> None:
        self.id = id
        self.setting = setting
        self.deals = deals
        self.names = names
        self.shuffle = shuffle
        self.match = Match(setting, deals, names)
        self.moves: list[tuple[int, str]] = []
        self.made: list[list[str]] = [[] for _ in range(setting.seats)]  # taken back ones too
        self.last: tuple[Event, ...] = ()
        self.last_by = ""

    def play(self, seat: int, move: str, by: str) -> tuple[Event, ...]:
        """Make a move."""
        self.last = self.match.play(seat, move)
        self.last_by = by
        self.moves.append((seat, move))
        self.made[seat].append(move)
        return self.last

    def can_be_taken_back(self, seat: int) -> bool:
        """Whether the last move is this seat's own, and nothing hidden was shown by it."""
        if not self.moves or self.moves[-1][0] != seat or self.last_by:
            return False
        return bool(self.last) and all(harmless(event, seat) for event in self.last)

    def take_back(self) -> tuple[Event, ...]:
        """Undo the last move; the answer is what is void."""
        void = self.last
        self.moves.pop()
        self.match = Match(self.setting, self.deals, self.names)
        for seat, move in self.moves:
            self.match.play(seat, move)
        self.last = ()  # only one move can be taken back
        return void

    @property
    def made_in_all(self) -> int:
        """How many moves were made, those taken back included."""
        return sum(map(len, self.made))

    @property
    def rounds_over(self) -> int:
        """How many rounds are finished."""
        return len(self.match.scores)

    def record(self) -> Record:
        """The match written down."""
        return record(self.match, self.shuffle.proof(self.rounds_over) if self.shuffle else None)


def harmless(event: Event, seat: int) -> bool:
    """Whether an event after a move of this seat shows nothing hidden: cards that all play at once
    are the others' too."""
    return event.kind in HARMLESS and (event.kind != "play" or event.seat == seat)


class Table:
    """One table."""

    def __init__(self, made: log.Made) -> None:
        self.id = made.table
        self.salt = made.salt
        self.game = made.game
        self.seats = made.seats
        self.options = made.options
        self.settings = made.settings
        self.people: dict[str, Person] = {}
        self.host = ""
        self.places = [Place() for _ in range(made.seats)]
        self.shuffle: Shuffle | None = None
        self.running: Running | None = None
        self.bot_names: tuple[str, ...] = ()  # for the match that is set up, or runs
        self.failed_to_open: tuple[int, ...] = ()  # since the last match, in any set-up
        self.ask: Ask | None = None
        self.seq = 1
        self.match_seq = 1  # where the match that runs, or ran last, began
        self.steps: list[Step] = []

    @classmethod
    def replay(cls, stored: Iterable[log.Entries]) -> "Table":
        """The table that these entries add up to."""
        first, *rest = stored
        assert isinstance(first, log.Made), "a log begins with the making of its table"
        table = cls(first)
        for entry in rest:
            table.apply(entry)
        return table

    # -- Asking ------------------------------------------------------------------------------------

    @property
    def setting(self) -> Setting:
        """The game that is, or will be, played."""
        return Setting(self.game, self.seats, self.options)

    @property
    def stage(self) -> Stage:
        """How far it is."""
        if self.shuffle is not None:
            return "dealing"
        if self.running is None:
            return "gathering"
        return "over" if self.running.match.over else "playing"

    @property
    def match_id(self) -> str | None:
        """The match that is dealt or played, or was last."""
        if self.shuffle is not None:
            return self.shuffle.match
        return self.running.id if self.running else None

    def seat_of(self, person: str | None) -> int | None:
        """Where someone sits."""
        for seat, place in enumerate(self.places):
            if person is not None and place.person == person:
                return seat
        return None

    def person_with(self, token: str) -> Person | None:
        """Who this token belongs to."""
        hashed = hash_token(self.salt, token)
        return next((one for one in self.people.values() if one.token == hashed), None)

    def plays_himself(self, seat: int) -> bool:
        """Whether a person moves for this seat, not a bot."""
        place = self.places[seat]
        return place.person is not None and place.level is None

    def ply(self, seat: int | None) -> int:
        """The number of the next own move of a seat."""
        return len(self.running.made[seat]) if self.running and seat is not None else 0

    def can_take_back(self, seat: int | None) -> bool:
        """Whether a seat may ask to take back its last move now."""
        if self.running is None or seat is None or self.stage != "playing" or self.ask is not None:
            return False
        return self.settings.take_back and self.running.can_be_taken_back(seat)

    def view(self, seat: int | None) -> View | None:
        """What this seat, or a spectator, may know of the match."""
        return self.running.match.view(seat) if self.running else None

    def views(self, seats: Iterable[int | None]) -> dict[int | None, View]:
        """Views for several at once, without history."""
        return self.running.match.views(seats) if self.running else {}

    def told(self, here: Iterable[str] = (), deadline: int | None = None) -> wire.Table:
        """The table as everyone sees it."""
        present = set(here)
        shuffle = self.shuffle or (self.running.shuffle if self.running else None)
        rounds_over = self.running.rounds_over if self.running and not self.shuffle else 0
        return wire.Table(
            id=self.id,
            game=self.game,
            seats=self.seats,
            options=self.options,
            settings=self.settings,
            host=self.host,
            people=tuple(
                wire.Person(id=one.id, name=one.name, here=one.id in present, muted=one.muted)
                for one in self.people.values()
            ),
            places=tuple(wire.Place(person=one.person, level=one.level) for one in self.places),
            stage=self.stage,
            match=self.match_id,
            dealing=shuffle.told(rounds_over) if shuffle else None,
            ask=wire.Ask(seat=self.ask.seat, waiting=tuple(sorted(self.ask.waiting)))
            if self.ask
            else None,
            deadline=deadline,
        )

    def steps_since(self, since: int | None) -> tuple[bool, list[Step]]:
        """What happened after this number; and whether that is not known any more, so that one has
        to begin afresh, with the last match."""
        first = self.steps[0].seq if self.steps else self.seq + 1
        if since is None or since < first - 1 or since > self.seq:
            return True, [step for step in self.steps if step.seq >= self.match_seq]
        return False, [step for step in self.steps if step.seq > since]

    # -- What an entry does ------------------------------------------------------------------------

    def apply(self, entry: log.Entries) -> Step:
        """It has happened."""
        self.seq += 1
        step = self._do(entry)
        self.steps.append(step)
        return step

    def _step(self, *notes: wire.Notes, **more: object) -> Step:
        seating = tuple([place.person for place in self.places])
        return Step(seq=self.seq, seating=seating, notes=notes, **more)  # type: ignore[arg-type]

    @singledispatchmethod
    def _do(self, entry: log.Entries) -> Step:
        raise TypeError(f"no entry of a running table: {type(entry).__name__}")

    @_do.register
    def _(self, entry: log.PersonJoined) -> Step:
        self.people[entry.person] = Person(entry.person, entry.name, entry.token)
        self.host = self.host or entry.person
        if entry.seat is not None:
            self.places[entry.seat] = Place(person=entry.person)
        return self._step(wire.Joined(person=entry.person, name=entry.name, seat=entry.seat))

    @_do.register
    def _(self, entry: log.PersonRenamed) -> Step:
        self.people[entry.person].name = entry.name
        return self._step(wire.Renamed(person=entry.person, name=entry.name))

    @_do.register
    def _(self, entry: log.HostPassed) -> Step:
        self.host = entry.person
        return self._step(wire.Changed())

    @_do.register
    def _(self, entry: log.Seated) -> Step:
        if entry.person is not None:
            before = self.seat_of(entry.person)
            if before is not None:
                self.places[before] = Place()
        self.places[entry.seat] = Place(person=entry.person, level=entry.level)
        place = wire.Place(person=entry.person, level=entry.level)
        notes: list[wire.Notes] = [wire.Moved(seat=entry.seat, place=place)]
        if self.ask is not None and self.ask.seat == entry.seat:  # who asked has left
            notes.append(wire.Declined(seat=entry.seat))
            self.ask = None
        removed = self._agreed(entry.seat, notes)
        return self._step(*notes, removed=removed)

    @_do.register
    def _(self, entry: log.TableChanged) -> Step:
        self.settings = entry.settings
        if (entry.game, entry.seats) != (self.game, self.seats) or entry.options != self.options:
            self.running = None  # the last match is not of this game
            self.match_seq = self.seq
        self.game, self.seats, self.options = entry.game, entry.seats, entry.options
        missing = [Place() for _ in range(entry.seats - len(self.places))]
        self.places = [*self.places, *missing][: entry.seats]
        return self._step(wire.Changed())

    @_do.register
    def _(self, entry: log.WentAway) -> Step:
        self.places[entry.seat].level = self.settings.level
        notes: list[wire.Notes] = [wire.Away(seat=entry.seat)]
        removed = self._agreed(entry.seat, notes)
        return self._step(*notes, removed=removed)

    @_do.register
    def _(self, entry: log.CameBack) -> Step:
        self.places[entry.seat].level = None
        return self._step(wire.Back(seat=entry.seat))

    # -- Dealing -----------------------------------------------------------------------------------

    @_do.register
    def _(self, entry: log.SetUp) -> Step:
        if entry.turn:
            self.places = [self.places[-1], *self.places[:-1]]
        self.match_seq = self.seq
        self.running = None
        self.bot_names = entry.bots
        shares = [share and bytes.fromhex(share) for share in entry.shares]
        seeds = [bytes.fromhex(seed) for seed in entry.server_seeds]
        self.shuffle = Shuffle(entry.match, self.setting, seeds, [one or None for one in shares])
        notes: list[wire.Notes] = [wire.Sealing(match=entry.match)]
        return self._dealt(notes)

    @_do.register
    def _(self, entry: log.ShareDrawn) -> Step:
        assert self.shuffle is not None
        self.shuffle.draw_for(entry.seat, bytes.fromhex(entry.seed))
        return self._dealt([wire.Sealed(seat=entry.seat)])

    @_do.register
    def _(self, entry: log.ShareSealed) -> Step:
        assert self.shuffle is not None
        self.shuffle.seal(entry.seat, bytes.fromhex(entry.commit))
        return self._dealt([wire.Sealed(seat=entry.seat)])

    @_do.register
    def _(self, entry: log.ShareOpened) -> Step:
        assert self.shuffle is not None
        self.shuffle.open(entry.seat, bytes.fromhex(entry.seed))
        return self._dealt([wire.Opened(seat=entry.seat)])

    @_do.register
    def _(self, entry: log.SetUpFailed) -> Step:
        assert self.shuffle is not None
        aborted = wire.Aborted(match=self.shuffle.match, seats=entry.seats)
        self.shuffle = None
        self.failed_to_open = tuple(sorted({*self.failed_to_open, *entry.seats}))
        return self._step(aborted)

    def _dealt(self, notes: list[wire.Notes]) -> Step:
        """Begin the match, if all shares are open."""
        shuffle = self.shuffle
        if shuffle is None or not shuffle.opened:
            return self._step(*notes)
        self.shuffle = None
        self.failed_to_open = ()
        self.running = Running(shuffle.match, self.setting, shuffle, self.names(), shuffle)
        notes.append(wire.Begun(match=shuffle.match))
        notes.append(wire.Published(round=0, seed=shuffle.server_seeds[0].hex()))
        return self._step(*notes, events=self.running.match.events)

    @_do.register
    def _(self, entry: log.Forked) -> Step:
        deals = ForkedDeals(self.setting, entry.record, entry.moves, entry.seed)
        self.match_seq = self.seq
        self.bot_names = entry.bots
        self.running = Running(entry.match, self.setting, deals, self.names(), None)
        for seat, move in deals.moves:
            self.running.play(seat, move, "record")
        return self._step(wire.Begun(match=entry.match), events=self.running.match.events)

    def names(self) -> list[str]:
        """Everyone's name, by seat. Bots have those that were noted for them; in logs of older
        programs there are none, and a bot goes by its level."""
        noted = iter(self.bot_names)
        found = []
        for place in self.places:
            person = self.people.get(place.person or "")
            level = place.level or self.settings.level
            found.append(person.name if person else next(noted, level))
        return found

    # -- Playing -----------------------------------------------------------------------------------

    @_do.register
    def _(self, entry: log.Played) -> Step:
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
    def _(self, entry: log.TakeBackAsked) -> Step:
        seats = set(range(self.seats)) - {entry.seat}
        others = {seat for seat in seats if self.plays_himself(seat)}
        self.ask = Ask(entry.seat, others)
        notes: list[wire.Notes] = [wire.Asked(seat=entry.seat)]
        removed = self._agreed(None, notes)  # at once, if there is nobody to ask
        return self._step(*notes, removed=removed)

    @_do.register
    def _(self, entry: log.TakeBackAnswered) -> Step:
        if not entry.agree:
            self.ask = None
            return self._step(wire.Declined(seat=entry.seat))
        notes: list[wire.Notes] = []
        removed = self._agreed(entry.seat, notes)
        return self._step(*notes, removed=removed)

    def _agreed(self, seat: int | None, notes: list[wire.Notes]) -> tuple[Event, ...] | None:
        """One more agrees (or is not there to be asked); with the last one it is done."""
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
    def _(self, entry: log.HintTaken) -> Step:
        return self._step(wire.Hinted(seat=entry.seat), table_changed=False)

    # -- Talking -----------------------------------------------------------------------------------

    @_do.register
    def _(self, entry: log.Spoken) -> Step:
        said = wire.Said(person=entry.person, text=entry.text, preset=entry.preset)
        return self._step(said, table_changed=False)

    @_do.register
    def _(self, entry: log.MuteSet) -> Step:
        self.people[entry.person].muted = entry.muted
        return self._step(wire.Muted(person=entry.person, muted=entry.muted))


def hash_token(salt: str, token: str) -> str:
    """What is stored of a token: 256 random bits need no slow hash."""
    return hashlib.sha256(f"{salt}:{token}".encode()).hexdigest()
