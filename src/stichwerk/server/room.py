"""A table that is in use: its clients, its clocks, its bots. Everything passes through one door.

`change` is that door: one at a time it decides, stores, and only then lets happen and tells. So
what a client has been told is stored, and what could not be stored has not happened.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import msgspec

from stichwerk.errors import StichwerkError
from stichwerk.record import encode
from stichwerk.server import decisions, wire
from stichwerk.server import entries as log
from stichwerk.server.client import Client
from stichwerk.server.clock import Timer
from stichwerk.server.store import Append, Finished, Storage
from stichwerk.server.table import Step, Table
from stichwerk.server.thinkers import paced, pause
from stichwerk.view import View

if TYPE_CHECKING:
    from stichwerk.server.hall import Hall

SHARE_SECONDS = 15.0  # to seal a share, and to open it
AGAIN_SECONDS = 1.0  # until a bot tries again what could not be stored
CHATS, CHAT_SECONDS = 8, 20.0  # how much one may say
ASK_SECONDS = 30.0  # until who does not answer declines a take-back
MOST_STEPS = 3000  # remembered for those who come back

Decide = Callable[[], list[log.Entries]]
Work = Callable[[], Coroutine[None, None, None]]


class Room:
    """One table with all who are connected to it."""

    def __init__(self, hall: "Hall", table: Table) -> None:
        self.hall = hall
        self.clock = hall.clock
        self.table = table
        self.clients: set[Client] = set()
        self.coming: list[str | None] = []  # people between their hello and their welcome
        self.lock = asyncio.Lock()
        self.doubtful = False
        self.deadline: int | None = None
        self.timers: dict[str, Timer] = {}
        self.expecting = ("", False)  # which shares: of which match, and whether all are sealed
        self.timed: tuple[object, ...] | None = None  # what the clock runs for
        self.thinking: dict[int, tuple[str, int]] = {}
        self.tasks: set[asyncio.Task[Any]] = set()
        self.said: dict[str, list[float]] = {}
        self.recorded: str | None = None
        self.last_used = self.clock.monotonic()
        self.wake()

    # -- The door ----------------------------------------------------------------------------------

    async def change(self, decide: Decide) -> int:
        """Let something happen, if it is decided and stored; the answer is the table's number.

        Whoever asked may be gone before it is done: what is stored must also happen here.
        """
        task = asyncio.get_running_loop().create_task(self._change(decide))
        self._keep(task)
        return await asyncio.shield(task)

    async def _change(self, decide: Decide) -> int:
        async with self.lock:
            self.last_used = self.clock.monotonic()
            await self._be_sure()
            happening = decide()
            if happening:
                await self._store(happening)
                self._happen(happening)
            return self.table.seq

    async def _be_sure(self) -> None:
        """After a failure of the storage: what does it really hold?"""
        if not self.doubtful:
            return
        stored = log.decode_all(await self.hall.store.read(self.table.id))
        self.doubtful = False
        if len(stored) > self.table.seq:
            self._happen(stored[self.table.seq :])

    async def _dispel_doubt(self) -> None:
        """Nobody has to ask for something else first to learn what was stored after all."""
        await self._try(lambda: [], "doubt", self._dispel_doubt)

    async def _store(self, happening: list[log.Entries]) -> None:
        change = Append(
            table=self.table.id,
            first=self.table.seq + 1,
            entries=tuple(log.encode(entry) for entry in happening),
            at=self.clock.milliseconds(),
            finished=self._finished(),  # what comes next may put another match in its place
        )
        try:
            await self.hall.store.append(change)
        except Storage:
            self.doubtful = True
            self.later("doubt", AGAIN_SECONDS, self._dispel_doubt)
            raise
        self._note_recorded(change)

    def _happen(self, happening: list[log.Entries]) -> None:
        """It is stored: now it has happened, and everyone is told."""
        before = self.table.stage
        steps = [self.table.apply(entry) for entry in happening]
        del self.table.steps[:-MOST_STEPS]
        self.wake()
        self.tell(steps)
        if self.table.stage != before or any(step.table_changed for step in steps):
            self.start(self.sum_up())

    async def sum_up(self) -> None:
        """Bring lobby and records up to date; if that fails, it is done at the next start."""
        table = self.table
        self.hall.note_summary(self)
        change = Append(
            table=table.id,
            first=table.seq + 1,
            entries=(),
            at=self.clock.milliseconds(),
            summary=msgspec.json.encode(self.summary()),
            open=table.stage != "over",
            finished=self._finished(),
        )
        try:
            await self.hall.store.append(change)
        except Storage as error:
            self.hall.log.warn("not-summed-up", error=error.id, table=table.id)
            return
        self._note_recorded(change)

    def _finished(self) -> tuple[Finished, ...]:
        running = self.table.running
        if running is None or not running.match.over or running.id == self.recorded:
            return ()
        return (Finished(running.id, self.table.game, encode(running.record())),)

    def _note_recorded(self, change: Append) -> None:
        for match in change.finished:
            self.recorded = match.id

    def summary(self) -> wire.LobbyTable:
        """The table in the lobby."""
        table = self.table
        people = [one.name for one in table.people.values()]
        host = table.people.get(table.host)
        return wire.LobbyTable(
            table=table.id,
            game=table.game,
            seats=table.seats,
            options=table.options,
            free=sum(place.free for place in table.places),
            stage=table.stage,
            host=host.name if host else "",
            watch=table.settings.watch,
            people=tuple(people),
            listed=table.settings.listed,
        )

    def start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Work that goes on whatever becomes of whoever started it."""
        task = asyncio.get_running_loop().create_task(work)
        self._keep(task)
        return task

    def _keep(self, task: asyncio.Task[Any]) -> None:
        self.tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None and not isinstance(error, StichwerkError):
            self.doubtful = True
            self.hall.log.error("room-failed", error, table=self.table.id)

    # -- Telling -----------------------------------------------------------------------------------

    def tell(self, steps: Iterable[Step]) -> None:
        """Everyone learns what he may know of this."""
        told = list(steps)
        changed = any(step.table_changed for step in told) or self.table.settings.clock is not None
        table = self.table.told(self.here(), self.deadline) if changed else None
        receivers = [(client, self._place_of(client)) for client in self.clients]
        views = self.table.views({seat for _, (seat, may_see) in receivers if may_see})
        written: dict[tuple[int | None, bool], bytes] = {}
        for client, place in receivers:
            if place not in written:
                written[place] = self.update(told, table, views, *place)
            client.send(written[place])

    def _place_of(self, client: Client) -> tuple[int | None, bool]:
        """Where a client sits, and whether it may see the cards on the table at all."""
        seat = self.table.seat_of(client.person)
        return seat, seat is not None or self.table.settings.watch == "all"

    def update(
        self,
        steps: list[Step],
        table: wire.Table | None,
        views: Mapping[int | None, View],
        seat: int | None,
        may_see: bool,
    ) -> bytes:
        """What happened, for one seat or for spectators."""
        return wire.write(
            wire.Update(
                seq=self.table.seq,
                steps=told_steps(steps, seat, may_see),
                seat=seat,
                ply=self.table.ply(seat),
                table=table,
                view=views.get(seat) if may_see else None,
                take_back=self.table.can_take_back(seat),
            )
        )

    def welcome(self, client: Client, since: int | None) -> bytes:
        """All that someone needs who is here now."""
        seat, may_see = self._place_of(client)
        fresh, steps = self.table.steps_since(since)
        view = self.table.view(seat) if may_see else None
        return wire.write(
            wire.Welcome(
                version=wire.VERSION,
                seq=self.table.seq,
                fresh=fresh,
                person=client.person,
                seat=seat,
                ply=self.table.ply(seat),
                table=self.table.told(self.here(), self.deadline),
                view=view if fresh else without_history(view),
                steps=tuple([self._told_later(step, client.person) for step in steps]),
                take_back=self.table.can_take_back(seat),
            )
        )

    def _told_later(self, step: Step, person: str | None) -> wire.Step:
        """What someone may know of something that he missed, by where he sat then."""
        seat = step.seat_of(person)
        return step.told(seat, seat is not None or self.table.settings.watch == "all")

    def here(self) -> set[str]:
        """The people who are connected."""
        return {client.person for client in self.clients if client.person is not None}

    def tell_presence(self) -> None:
        """Who is connected has changed."""
        watching = sum(self.table.seat_of(client.person) is None for client in self.clients)
        message = wire.write(wire.Presence(here=tuple(sorted(self.here())), watching=watching))
        for client in self.clients:
            client.send(message)

    # -- Coming and going --------------------------------------------------------------------------

    async def enter(self, client: Client, since: int | None) -> None:
        """Someone is connected; who was away plays himself again."""
        with self._coming(client.person):
            if client.person is not None:
                await self._give_back(client.person)
            async with self.lock:  # nothing happens between the welcome and the first update
                self.clients.add(client)
                self.cancel(f"gone {client.person}")  # another tab may have been closed just now
                client.send(self.welcome(client, since))
        self.tell_presence()
        self.wake()

    @contextmanager
    def _coming(self, person: str | None) -> Iterator[None]:
        """Whoever is coming in is not about to be gone, though not yet among the clients."""
        self.cancel(f"gone {person}")
        self.coming.append(person)
        try:
            yield
        finally:
            self.coming.remove(person)

    async def _give_back(self, person: str) -> None:
        def decide() -> list[log.Entries]:
            seat = self.table.seat_of(person)
            if seat is None or self.table.places[seat].level is None:
                return []
            return [log.CameBack(seat=seat)]

        try:
            await self.change(decide)
        except Storage:  # then a bot plays on until it can be stored
            self.later(f"back {person}", AGAIN_SECONDS, lambda: self._give_back(person))

    def leave(self, client: Client) -> None:
        """A connection has ended; its person may come back."""
        self.clients.discard(client)
        self.last_used = self.clock.monotonic()
        person = client.person
        if person is not None and person not in self.here():
            self.cancel(f"back {person}")
            self.later(f"gone {person}", self.table.settings.away, lambda: self._gone(person))
        self.tell_presence()

    async def _gone(self, person: str) -> None:
        """Someone has been away for long: a bot plays for him, another is the host."""

        def decide() -> list[log.Entries]:
            if person in self.here() or person in self.coming:
                return []
            found: list[log.Entries] = []
            seat = self.table.seat_of(person)
            if seat is not None and self.table.plays_himself(seat) and self.table.stage != "over":
                found.append(log.WentAway(seat=seat))
            heirs = [one for one in self.table.people if one in self.here()]
            if self.table.host == person and heirs:
                found.append(log.HostPassed(person=heirs[0]))
            return found

        try:
            await self.change(decide)
        except Storage:
            self.later(f"gone {person}", AGAIN_SECONDS, lambda: self._gone(person))

    def _expect_people(self) -> None:
        """Whoever has a part here has some time to come: after a restart, or for a rematch."""
        expected = {self.table.host, *(place.person for place in self.table.places)}
        for person in expected - self.here() if self.clients else ():
            if person and f"gone {person}" not in self.timers:
                self.later(f"gone {person}", self.table.settings.away, partial(self._gone, person))

    # -- Timers ------------------------------------------------------------------------------------

    def later(self, name: str, seconds: float, work: Work) -> None:
        """Do something after a while, unless it is called off by its name."""
        self.cancel(name)

        def fire() -> None:
            self.timers.pop(name, None)
            self.start(work())

        self.timers[name] = self.clock.call_later(seconds, fire)

    def cancel(self, name: str) -> None:
        """Call it off."""
        timer = self.timers.pop(name, None)
        if timer is not None:
            timer.cancel()

    def wake(self) -> None:
        """See what is due now: people, shares of a shuffle, an answer, a clock, bots."""
        self._expect_people()
        self._expect_shares()
        self._expect_answer()
        self._set_clock()
        self._let_bots_think()

    def close(self) -> None:
        """No timer and no bot acts any more."""
        for name in list(self.timers):
            self.cancel(name)
        for task in self.tasks:
            task.cancel()

    # -- Shares that do not come -------------------------------------------------------------------

    def _expect_shares(self) -> None:
        """Who does not seal gets a share of the server's; who does not open spoils the set-up."""
        shuffle = self.table.shuffle
        if shuffle is None:
            if self.table.failed_to_open and self.table.running is None:
                self.later("set-up", 0.0, self._set_up_again)
            else:
                self.cancel("shares")
            return
        stage = (shuffle.match, shuffle.sealed)
        if "shares" not in self.timers or self.expecting != stage:
            self.expecting = stage
            self.later("shares", SHARE_SECONDS, self._shares_missing)

    async def _shares_missing(self) -> None:
        def decide() -> list[log.Entries]:
            shuffle = self.table.shuffle
            if shuffle is None or (shuffle.match, shuffle.sealed) != self.expecting:
                return []
            if not shuffle.sealed:
                seed = self.hall.chance.seed
                return [log.ShareDrawn(seat=at, seed=seed()) for at in shuffle.unsealed_seats()]
            return [log.SetUpFailed(seats=shuffle.unopened_seats())]

        await self._try(decide, "shares", self._shares_missing)

    async def _set_up_again(self) -> None:
        """A new set-up with a new id; who spoiled the last one gets a share of the server's."""

        def decide() -> list[log.Entries]:
            table = self.table
            if table.shuffle is not None or table.running is not None or not table.failed_to_open:
                return []
            chance, drawn = self.hall.chance, table.failed_to_open
            return [decisions.set_up(table, chance, turn=False, drawn=drawn)]

        await self._try(decide, "set-up", self._set_up_again)

    async def _try(self, decide: Decide, name: str, again: Work) -> None:
        """What is due has to be done some time, even if it cannot be stored now."""
        try:
            await self.change(decide)
        except Storage:
            self.later(name, AGAIN_SECONDS, again)

    # -- Answers that do not come ------------------------------------------------------------------

    def _expect_answer(self) -> None:
        """A table does not wait for ever for someone's consent."""
        if self.table.ask is None:
            self.cancel("answer")
        elif "answer" not in self.timers:
            self.later("answer", ASK_SECONDS, self._answer_missing)

    async def _answer_missing(self) -> None:
        def decide() -> list[log.Entries]:
            ask = self.table.ask
            return [log.TakeBackAnswered(seat=min(ask.waiting), agree=False)] if ask else []

        await self._try(decide, "answer", self._answer_missing)

    # -- The clock ---------------------------------------------------------------------------------

    def _set_clock(self) -> None:
        """One clock for all who owe a move: it starts anew with every move, with nothing else."""
        seconds, running = self.table.settings.clock, self.table.running
        if seconds is None or running is None or not self._people_owing() or not self.clients:
            self.cancel("clock")
            self.deadline = self.timed = None
            return
        timed = (running.id, len(running.moves), running.made_in_all, self._people_owing())
        if self.timed != timed:
            self.timed = timed
            self.deadline = self.clock.milliseconds() + 1000 * seconds
            self.later("clock", seconds, self._time_is_up)

    def _people_owing(self) -> list[int]:
        running = self.table.running
        if running is None or self.table.stage != "playing":
            return []
        return [seat for seat in running.match.waiting_for if self.table.plays_himself(seat)]

    async def _time_is_up(self) -> None:
        for seat in self._people_owing():
            self.start(self._think(seat, "clock"))

    # -- Bots --------------------------------------------------------------------------------------

    def _let_bots_think(self) -> None:
        """Bots think as long as someone is there to see it."""
        running = self.table.running
        if running is None or self.table.stage != "playing" or self.table.ask or not self.clients:
            return
        for seat in running.match.waiting_for:
            if not self.table.plays_himself(seat):
                self._let_think(seat)

    def _let_think(self, seat: int) -> None:
        running = self.table.running
        assert running is not None
        task = (running.id, len(running.made[seat]))
        if self.thinking.get(seat) != task:
            self.thinking[seat] = task
            self.start(self._think(seat, "bot"))

    async def _think(self, seat: int, by: str) -> None:
        """Find a move for a seat and make it, if it is still wanted then."""
        table, running = self.table, self.table.running
        if running is None or seat not in running.match.waiting_for:
            return
        ply, match = len(running.made[seat]), running.match
        view = match.view(seat)
        level = table.places[seat].level or table.settings.level
        seed = seed_of(table.salt, running.id, seat)
        # For the clock too: how long the thought itself takes may depend on the cards.
        seconds = self._pause(view)
        thought = await paced(self.hall.thinkers.move(level, seed, view), seconds, self.clock)

        def decide() -> list[log.Entries]:
            if table.running is not running or len(running.made[seat]) != ply:
                return []
            if running.match is not match:  # a move was taken back: this thought is of no use now
                return []
            if (by == "clock") != table.plays_himself(seat) or (by == "bot" and table.ask):
                return []
            why = "failed" if thought.failed and by == "bot" else by
            return [log.Played(seat=seat, move=thought.move, by=why)]

        try:
            await self.change(decide)
        except Storage:
            await self.clock.sleep(AGAIN_SECONDS)
            if by == "clock" and self._past_deadline():
                self.start(self._think(seat, by))
        finally:
            if by == "bot" and self.thinking.get(seat) == (running.id, ply):
                del self.thinking[seat]
        self._let_bots_think()

    def _past_deadline(self) -> bool:
        return self.deadline is not None and self.deadline <= self.clock.milliseconds()

    def _pause(self, view: View) -> float:
        """A human pace; only from what everyone knows."""
        return pause(self.table.id, self.table.seq, view.phase, factor=self.hall.pace)

    # -- Limits ------------------------------------------------------------------------------------

    def may_speak(self, person: str) -> bool:
        """Whether someone has not said too much of late."""
        moment = self.clock.monotonic()
        recent = [one for one in self.said.get(person, []) if one > moment - CHAT_SECONDS]
        allowed = len(recent) < CHATS
        self.said[person] = [*recent, moment] if allowed else recent
        return allowed

    @property
    def idle(self) -> bool:
        """Whether nothing keeps the table in memory."""
        return not self.clients and not self.tasks and not self.lock.locked()


def told_steps(steps: Iterable[Step], seat: int | None, may_see: bool) -> tuple[wire.Step, ...]:
    """Steps for one receiver; who may not watch learns of no event of the match."""
    return tuple(step.told(seat, may_see) for step in steps)


def without_history(view: View | None) -> View | None:
    """A view whose events the receiver has already."""
    return None if view is None else msgspec.structs.replace(view, history=())


def seed_of(salt: str, match: str, seat: int) -> int:
    """The seed of a bot at a table: the same before and after a crash, and nobody's to guess."""
    digest = blake2b(f"{salt}/{match}/{seat}".encode(), digest_size=6).digest()
    return int.from_bytes(digest, "big")
