"""A table in use: its clients, timers and bots. Every change goes through one method.

`change` decides, stores, applies and announces, one change at a time. So whatever a client has
received is stored, and whatever could not be stored has not been applied.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from stichwerk.errors import BadGameError, StichwerkError
from stichwerk.record import encode
from stichwerk.server import wire
from stichwerk.server.network.limits import TokenBucket
from stichwerk.server.network.socket_client import REMOVED, SocketClient
from stichwerk.server.storage.store import FinishedMatch, LogAppend, StorageError
from stichwerk.server.tables import joining
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.absences import Absences
from stichwerk.server.tables.audience import Audience, LogStep
from stichwerk.server.tables.bot_turns import BotTurns
from stichwerk.server.tables.move_clock import MoveClock
from stichwerk.server.tables.named_timers import AGAIN_SECONDS, NamedTimers, Work
from stichwerk.server.tables.share_deadline import ShareDeadline
from stichwerk.server.tables.table_description import described_people
from stichwerk.server.tables.table_people import hash_address
from stichwerk.server.tables.table_state import TableState
from stichwerk.view import View

if TYPE_CHECKING:
    from stichwerk.server.tables.lobby import TableLobby

CHATS, CHAT_SECONDS = 8, 20.0  # chat messages per person
ASK_SECONDS = 30.0  # until a missing answer declines a take-back
MOST_ADDRESSES = 8  # per person
MOST_BYTES = 256 * 1024  # of steps in one welcome

Decide = Callable[[], list[log.Entries]]


class LiveTable:
    """One table and all clients connected to it."""

    def __init__(self, lobby: "TableLobby", table: TableState, epoch: int = 0) -> None:
        self.lobby = lobby
        self.epoch = epoch
        self.clock = lobby.clock
        self.table = table
        self.limits = lobby.limits
        self.clients: set[SocketClient] = set()
        self.outside: dict[SocketClient, bytes] = {}  # may not watch: the last message sent
        self.addresses: dict[str, list[str]] = {}  # by person, as salted hashes; not stored
        self.entering: list[str | None] = []  # people between hello and welcome
        self.lock = asyncio.Lock()
        self.unsure = False
        self.timers = NamedTimers(lobby.clock, self.start)
        self.tasks: set[asyncio.Task[Any]] = set()
        self.said: dict[str, list[float]] = {}
        self.changes: dict[str, TokenBucket] = {}
        self.recorded: str | None = None
        self.closed = table.memory.closed(table.settings.memory, live=True)  # as clients know it
        self.last_used = self.clock.monotonic()
        self.absences = Absences(self)
        self.share_deadline = ShareDeadline(self)
        self.move_clock = MoveClock(self)
        self.bot_turns = BotTurns(self)
        self.wake()

    # -- Changes -----------------------------------------------------------------------------------

    async def change(self, decide: Decide) -> int:
        """Decide on a change, store it and apply it; return the table's sequence number.

        The requester may disconnect before it is done: a stored change must be applied regardless.
        """
        task = asyncio.get_running_loop().create_task(self._change(decide))
        self._keep(task)
        return await asyncio.shield(task)

    async def _change(self, decide: Decide) -> int:
        async with self.lock:
            self.last_used = self.clock.monotonic()
            await self._reload_if_unsure()
            new_entries = decide()
            if new_entries:
                await self._store(new_entries)
                self._apply_entries(new_entries)
            return self.table.seq

    async def _reload_if_unsure(self) -> None:
        """Read the log again after a storage failure, in case the entries were stored after all."""
        if not self.unsure:
            return
        stored = log.decode_all(await self.lobby.store.read(self.table.id))
        self.unsure = False
        if len(stored) > self.table.seq:
            self._apply_entries(stored[self.table.seq :])

    async def _retry_reload(self) -> None:
        """Resolve the doubt about a failed write even if no further request comes."""
        await self.change_or_retry(lambda: [], "doubt", self._retry_reload)

    async def change_or_retry(self, decide: Decide, name: str, again: Work) -> None:
        """Make a change; if it cannot be stored now, try again later."""
        try:
            await self.change(decide)
        except StorageError:
            self.timers.later(name, AGAIN_SECONDS, again)

    async def _store(self, new_entries: list[log.Entries]) -> None:
        change = LogAppend(
            table=self.table.id,
            first=self.table.seq + 1,
            entries=tuple(log.encode(entry) for entry in new_entries),
            at=self.clock.milliseconds(),
            finished=self._finished(),  # the next entries may replace this match
            behind=self._needs_summary(new_entries),
            epoch=self.epoch,
        )
        try:
            await self.lobby.store.append(change)
        except StorageError as error:
            if error.id == "storage-fenced":
                self.lobby.on_fenced(self)
            else:
                self.unsure = True
                self.timers.later("doubt", AGAIN_SECONDS, self._retry_reload)
            raise
        self._note_recorded(change)

    def _apply_entries(self, new_entries: list[log.Entries]) -> None:
        """Apply stored entries and announce them to everyone."""
        before = self.table.stage
        steps = [self.table.apply(entry) for entry in new_entries]
        for entry in new_entries:
            if isinstance(entry, log.PersonRemoved | log.PersonForgotten):
                self._disconnect_person(entry.person)
        self.wake()
        self.broadcast(steps)
        if self.table.stage != before or any(step.table_changed for step in steps):
            self.start(self.update_summary())

    def _needs_summary(self, new_entries: list[log.Entries]) -> bool:
        """Return whether lobby or records may need an update: not after a move in the middle of a
        round, nor after a chat message."""
        running = self.table.running
        return any(
            running is None or running.match.ends_round(entry.seat, entry.move)
            if isinstance(entry, log.MovePlayed)
            else not isinstance(entry, log.ChatSent | log.HintTaken)
            for entry in new_entries
        )

    async def update_summary(self, at: int | None = None) -> None:
        """Update lobby and records; if that fails, the next start does it.

        `at`: when the table last changed, if not just now.
        """
        table = self.table
        self.lobby.note_summary(self)
        change = LogAppend(
            table=table.id,
            first=table.seq + 1,
            entries=(),
            at=self.clock.milliseconds() if at is None else at,
            summary=msgspec.json.encode(self.summary()),
            open=table.stage != "over",
            finished=self._finished(),
            epoch=self.epoch,
        )
        try:
            await self.lobby.store.append(change)
        except StorageError as error:
            self.lobby.log.warn("not-summed-up", error=error.id, table=table.id)
            if error.id == "storage-fenced":
                self.lobby.on_fenced(self)
            return
        self._note_recorded(change)

    def _finished(self) -> tuple[FinishedMatch, ...]:
        running = self.table.running
        if running is None or not running.match.over or running.id == self.recorded:
            return ()
        return (FinishedMatch(running.id, self.table.game, encode(running.record())),)

    def _note_recorded(self, change: LogAppend) -> None:
        for match in change.finished:
            self.recorded = match.id

    def summary(self) -> wire.LobbyTable:
        """Return the table as the lobby lists it."""
        table = self.table
        shown = described_people(table, set(), table.audience(None))
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
            people=tuple(one.name for one in shown),
            listed=table.settings.listed,
            memory=table.settings.memory,
        )

    def start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run work in the background, independent of the task that started it."""
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
        refused = isinstance(error, StichwerkError) and not isinstance(error, BadGameError)
        if error is not None and not refused:
            self.unsure = True
            self.lobby.log.error("table-failed", error, table=self.table.id)

    # -- Broadcasting ------------------------------------------------------------------------------

    def broadcast(self, steps: Iterable[LogStep]) -> None:
        """Send everyone what they may see of these steps."""
        new_steps = list(steps)
        changed_tricks = self._changed_tricks()
        receivers = [(client, self.table.audience(client.person)) for client in self.clients]
        views = self.table.views({audience.eyes for _, audience in receivers if audience.sees})
        written: dict[tuple[Audience, str], bytes] = {}
        tables: dict[tuple[bool, bool], wire.Table] = {}
        changed = (
            any(step.table_changed for step in new_steps) or self.table.settings.clock is not None
        )
        for client, audience in receivers:
            # They may see more, or less, from now on.
            if audience.inside == (client in self.outside):
                self.send_snapshot(client)
                continue
            message = written.get((audience, client.lang))
            if message is None:
                # Only the host sees who is blocked; the rest is the same for all seats.
                alike = (audience.sees, audience.runs and bool(self.table.blocked))
                if changed and audience.inside and alike not in tables:
                    tables[alike] = self.describe(audience)
                message = self.update(
                    new_steps, changed_tricks, tables.get(alike), views, audience, client.lang
                )
                written[audience, client.lang] = message
            if audience.inside:
                client.send(message)
            elif self.outside[client] != message:  # the timing of moves is private, too
                self.outside[client] = message
                client.send(message)

    def _changed_tricks(self) -> frozenset[tuple[int, int]]:
        """Return the events that clients know in another form than they may be seen now."""
        before = self.closed
        self.closed = self.table.memory.closed(self.table.settings.memory, live=True)
        return before ^ self.closed

    def update(
        self,
        steps: list[LogStep],
        changed_tricks: frozenset[tuple[int, int]],
        table: wire.Table | None,
        views: Mapping[int | None, View],
        audience: Audience,
        lang: str,
    ) -> bytes:
        """Return the update for all clients with the same audience and language."""
        if not audience.inside:
            return self._outside_update(audience)
        names = self.table.people_names()
        new = {step.seq for step in steps}
        old = (place for place in changed_tricks if place[0] not in new)
        return wire.write(
            wire.Update(
                seq=self.table.seq,
                steps=tuple(
                    step.describe(audience.seat, lang, names, self.closed) for step in steps
                ),
                renewed=self.table.memory.renewed(old, self.closed, audience.seat, lang, names),
                seat=audience.seat,
                ply=self.table.ply(audience.seat),
                table=table,
                view=views.get(audience.eyes) if audience.sees else None,
                take_back=self.table.can_take_back(audience.seat),
            )
        )

    def describe(self, audience: Audience) -> wire.Table:
        """Return the table as this receiver may see it now."""
        deadline, bot_at = self.move_clock.deadline, self.absences.bot_at()
        return self.table.describe(self.here(), deadline, audience, bot_at)

    def _outside_update(self, audience: Audience) -> bytes:
        """Return the table for someone who may not watch: it reveals nothing about the match."""
        table = self.table.describe(self.here(), None, audience)
        return wire.write(wire.Update(seq=0, steps=(), seat=None, ply=0, table=table))

    def send_snapshot(self, client: SocketClient, since: int | None = None) -> None:
        """Send a client everything it may see, and remember its audience."""
        audience = self.table.audience(client.person)
        if audience.inside:
            self.outside.pop(client, None)
        else:
            self.outside[client] = self._outside_update(audience)
        client.send(self.welcome(client, since))

    def welcome(self, client: SocketClient, since: int | None) -> bytes:
        """Return the welcome message: everything a client needs after connecting."""
        audience = self.table.audience(client.person)
        table = self.describe(audience)
        fresh, steps = self._missed(client, since) if audience.inside else (True, [])
        view = self.table.shown_view(client.person)
        hand = self.table.changed_hand(audience) if fresh else None
        return wire.write(
            wire.Welcome(
                version=wire.VERSION,
                seq=self.seq_for(client.person),
                fresh=fresh,
                person=client.person,
                seat=audience.seat,
                ply=self.table.ply(audience.seat),
                table=table,
                view=view if fresh else without_history(view),
                steps=tuple(steps),
                renewed=() if fresh else self._renewed(client, since),
                take_back=self.table.can_take_back(audience.seat),
                hand=hand,
            )
        )

    def seq_for(self, person: str | None) -> int:
        """Return the number of the last step; 0 for outsiders, as it would reveal how much
        happens."""
        return self.table.seq if self.table.audience(person).inside else 0

    def _missed(self, client: SocketClient, since: int | None) -> tuple[bool, list[wire.Step]]:
        """Return the steps that someone missed; start afresh if they are too many or too long."""
        if since is not None and self._known(since) is None:
            since = None
        fresh, steps = self.table.steps_since(since)
        visible = self._visible_steps(steps, client)
        kept = newest(visible, MOST_BYTES)
        if len(kept) < len(visible) and not fresh:
            return self._missed(client, None)
        return fresh, kept

    def _visible_steps(self, steps: Iterable[LogStep], client: SocketClient) -> list[wire.Step]:
        """Return what a client may see of missed steps, by the seat they had at the time."""
        person, names, found = client.person, self.table.people_names(), []
        closed = self.table.memory.closed(self.table.settings.memory)
        for step in steps:
            seat = step.seat_of(person)
            if seat is not None or not step.private:
                found.append(step.describe(seat, client.lang, names, closed))
        return found

    def _known(self, since: int) -> frozenset[tuple[int, int]] | None:
        """Return the events that a client may know in another form; None if it has to start
        afresh."""
        if self.table.settings.memory == "open":
            return frozenset()
        return self.table.memory.since(since)

    def _renewed(self, client: SocketClient, since: int | None) -> tuple[wire.Renewed, ...]:
        """Return what a client that resumes knows of tricks, as it may be seen now."""
        memory, seat = self.table.memory, self.table.audience(client.person).seat
        closed, names = memory.closed(self.table.settings.memory), self.table.people_names()
        return memory.renewed(self._known(since or 0) or (), closed, seat, client.lang, names)

    def last_words(self, client: SocketClient) -> tuple[wire.StepWords, ...]:
        """Return the words of the last steps, earlier matches too, in the client's language."""
        if not self.table.audience(client.person).inside:
            return ()
        seen = newest(self._visible_steps(self.table.last_steps(), client), MOST_BYTES)
        return tuple(
            wire.StepWords(seq=step.seq, words=step.words, note_words=step.note_words)
            for step in seen
            if step.words or step.note_words
        )

    def here(self) -> set[str]:
        """Return the people who are connected."""
        return {client.person for client in self.clients if client.person is not None}

    def is_connected(self, person: str) -> bool:
        """Return whether someone is connected."""
        return any(client.person == person for client in self.clients)

    def broadcast_presence(self) -> None:
        """Announce who is connected; strangers at a private table are not counted."""
        audiences = {client: self.table.audience(client.person) for client in self.clients}
        watching = sum(audience.inside and audience.seat is None for audience in audiences.values())
        message = wire.write(
            wire.Presence(
                here=tuple(sorted(self.here())),
                watching=watching,
                bot_at=self.absences.bot_at(),
            )
        )
        for client, audience in audiences.items():
            if audience.inside or audience.runs:
                client.send(message)

    # -- Connecting and disconnecting --------------------------------------------------------------

    async def enter(self, client: SocketClient, since: int | None) -> None:
        """Add a client; a person who was away takes their seat back."""
        with self._entering(client.person):
            if client.person is not None:
                await self.absences.return_seat(client.person)
            async with self.lock:  # nothing may happen between welcome and first update
                if client.person not in self.table.people:  # removed just now
                    client.person = None
                self.clients.add(client)
                self.note_address(client)
                self.timers.cancel(
                    f"gone {client.person}"
                )  # another tab may have been closed just now
                self.send_snapshot(client, since)
        self.wake()
        self.broadcast_presence()

    @contextmanager
    def _entering(self, person: str | None) -> Iterator[None]:
        """Mark a person as present while they are connecting, before they are among the clients."""
        self.timers.cancel(f"gone {person}")
        self.entering.append(person)
        try:
            yield
        finally:
            self.entering.remove(person)

    def leave(self, client: SocketClient) -> None:
        """Remove a client; its person may come back."""
        self.clients.discard(client)
        self.outside.pop(client, None)
        self.last_used = self.clock.monotonic()
        person = client.person
        if person is not None and person not in self.here():
            self.timers.cancel(f"back {person}")
            self.absences.expect_back(person)
        self.absences.expect_host()
        self.broadcast_presence()

    def _disconnect_person(self, person: str) -> None:
        """Close a removed person's connections and delete what is known of them."""
        for client in [one for one in self.clients if one.person == person]:
            self.clients.discard(client)
            self.outside.pop(client, None)
            client.person = None
            client.close(REMOVED, "removed")
        self.absences.forget(person)
        for kept in (self.addresses, self.said, self.changes):
            kept.pop(person, None)

    # -- Addresses ---------------------------------------------------------------------------------

    def note_address(self, client: SocketClient) -> None:
        """Remember a person's address as long as the table is in memory."""
        if client.person is not None:
            known, address = self.addresses.setdefault(client.person, []), self.address_of(client)
            known[:] = [*(one for one in known if one != address), address][-MOST_ADDRESSES:]

    def address_of(self, client: SocketClient) -> str:
        """Return the salted hash of a client's address."""
        return hash_address(self.table.salt, client.address)

    def join_context(self, client: SocketClient) -> joining.JoinContext:
        """Return what has to be known about someone who wants to join."""
        address = self.address_of(client)
        near = [person for person, known in self.addresses.items() if address in known]
        here = self.here().union(one for one in self.entering if one is not None)
        return joining.JoinContext(address, near, here, self.limits.beside_per_address)

    # -- Attendance --------------------------------------------------------------------------------

    def attended(self) -> bool:
        """Return whether the play may go on: someone who takes part in it is connected. A spectator
        counts where everyone may watch and no player is left; a stranger at a private table never
        does."""
        table = self.table
        seated = {place.person for place in table.places if place.person is not None}
        if any(client.person in seated for client in self.clients):
            return True
        if self.is_connected(table.host) and (not seated or table.stage != "playing"):
            return True
        return not seated and table.settings.watch == "all" and bool(self.clients)

    # -- Due work ----------------------------------------------------------------------------------

    def wake(self) -> None:
        """Start whatever is due now: away timers, shares of a shuffle, an answer, a clock, bots."""
        self.absences.expect_people()
        self.absences.expect_host()
        self.share_deadline.update()
        self._expect_answer()
        self.move_clock.update()
        self.bot_turns.start_due_moves()

    def close(self) -> None:
        """Stop all timers and bots."""
        self.timers.cancel_all()
        for task in self.tasks:
            task.cancel()

    def _expect_answer(self) -> None:
        """Start the timer for answers to a take-back request."""
        if self.table.ask is None:
            self.timers.cancel("answer")
        elif "answer" not in self.timers and self.attended():
            self.timers.later("answer", ASK_SECONDS, self._answer_missing)

    async def _answer_missing(self) -> None:
        def decide() -> list[log.Entries]:
            ask = self.table.ask
            return [log.TakeBackAnswered(seat=min(ask.waiting), agree=False)] if ask else []

        await self.change_or_retry(decide, "answer", self._answer_missing)

    # -- Limits ------------------------------------------------------------------------------------

    def may_speak(self, person: str) -> bool:
        """Return whether someone is within the chat limit."""
        moment = self.clock.monotonic()
        recent = [one for one in self.said.get(person, []) if one > moment - CHAT_SECONDS]
        allowed = len(recent) < CHATS
        self.said[person] = [*recent, moment] if allowed else recent
        return allowed

    def may_change(self, person: str) -> bool:
        """Return whether someone is within the limit for changes other than moves."""
        if person not in self.changes:
            self.changes[person] = TokenBucket(self.limits.changes, self.limits.change_seconds)
        return self.changes[person].allow(self.clock.monotonic())

    @property
    def idle(self) -> bool:
        """Return whether nothing keeps the table in memory."""
        return not self.clients and not self.tasks and not self.lock.locked()


def newest(steps: list[wire.Step], most: int) -> list[wire.Step]:
    """Return the last steps, as many as fit into `most` bytes."""
    size = 0
    for number, step in enumerate(reversed(steps)):
        size += len(msgspec.json.encode(step))
        if size > most:
            return steps[len(steps) - number :]
    return steps


def without_history(view: View | None) -> View | None:
    """Return a view without the events, which the receiver already has."""
    return None if view is None else msgspec.structs.replace(view, history=())
