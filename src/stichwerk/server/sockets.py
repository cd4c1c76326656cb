"""WebSockets: from the handshake to the last message of one connection."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec
from starlette.types import Receive, Scope, Send

from stichwerk import locale, outlook
from stichwerk.errors import StichwerkError
from stichwerk.server import decisions, wire
from stichwerk.server import entries as log
from stichwerk.server.client import TOO_MANY, Client
from stichwerk.server.guards import Doors, Rate, counted_as, host_allowed, origin_allowed
from stichwerk.server.hall import Hall, NoSuchThing
from stichwerk.server.room import Room
from stichwerk.view import View

ADVISER = "expert"
LONGEST_BREATH = 0.02  # seconds between two messages of one socket

# Why a connection is closed, as WebSocket codes of our own; docs/protocol.md lists them.
UNREADABLE, BAD_TOKEN, NO_TABLE, TOO_LATE, FAILED = 4400, 4403, 4404, 4408, 4500


class Farewell(Exception):  # noqa: N818
    """The connection has to end."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code = code
        self.why = why


class Gone(Exception):  # noqa: N818
    """The other end is gone."""


class Sockets:
    """The door for WebSockets, as an ASGI app."""

    def __init__(self, hall: Hall, doors: Doors, origins: tuple[str, ...]) -> None:
        self.hall = hall
        self.doors = doors
        self.origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection."""
        address = scope["client"][0] if scope.get("client") else None
        await receive()  # websocket.connect
        if not self._is_known(scope):
            self.hall.metrics.refused.add("foreign-origin")
            await _deny(scope, send, 403)
        elif not self.doors.request(address, self.hall.clock.monotonic()):
            # Else whoever is thrown out for too many messages could send as many again at once.
            self.hall.metrics.refused.add("too-many-requests")
            await _deny(scope, send, 429)
        elif not self.doors.enter(address):
            self.hall.metrics.refused.add("too-many-sockets")
            await _deny(scope, send, 429)
        else:
            try:
                await self._serve(receive, send, address)
            finally:
                self.doors.leave(address)

    def _is_known(self, scope: Scope) -> bool:
        """Whether the page that asks may do so."""
        headers = dict(scope["headers"])
        origin, host = _text(headers.get(b"origin")), _text(headers.get(b"host"))
        return host_allowed(host, self.origins) and origin_allowed(origin, host, self.origins)

    async def _serve(self, receive: Receive, send: Send, address: str | None) -> None:
        await send({"type": "websocket.accept"})
        self.hall.metrics.connections.add()
        connection = Connection(self.hall, self.doors, receive, send, address)
        await connection.run()


class Connection:
    """One socket that was let in."""

    def __init__(
        self,
        hall: Hall,
        doors: Doors,
        receive: Receive,
        send: Send,
        address: str | None = None,
    ) -> None:
        self.hall = hall
        self.doors = doors
        self.address = address
        self.limits = doors.limits
        self.receive = receive
        self.rate = Rate(self.limits.messages, self.limits.seconds)
        # A burst is read far above the lasting rate, yet not at once: others have their turn.
        self.breath = min(LONGEST_BREATH, self.limits.seconds / self.limits.messages / 10)
        self.client = Client(sender(send), self.limits.queue, self.limits.queue_bytes)
        self.client.address = counted_as(address)
        self.raw_send = send
        self.room: Room | None = None

    async def run(self) -> None:
        """Read until one of both ends goes."""
        pump = asyncio.create_task(self.client.pump())
        reading = asyncio.create_task(self._read())
        ending = self.client.ending
        try:
            await asyncio.wait({pump, reading, ending}, return_when=asyncio.FIRST_COMPLETED)
            await _cancel(reading)
            if self.room is not None:  # before the goodbye: whoever takes nothing is not here
                self.room.leave(self.client)
                self.room = None
            await self._farewell(pump)
        finally:
            await _cancel(pump, reading)
            if self.room is not None:
                self.room.leave(self.client)

    async def _farewell(self, pump: asyncio.Task[None]) -> None:
        """Say what is left to say. To one who does not listen this takes as long as he keeps the
        connection; it is counted until then."""
        if self.client.closing is None:
            return
        self.hall.parting.add(self.client)
        try:
            with suppress(TimeoutError):
                async with self.hall.clock.timeout(self.limits.hello_seconds):
                    await asyncio.wait({pump})
            await _cancel(pump)
            with suppress(Exception):  # it may be gone already
                code, why = self.client.closing
                await self.raw_send({"type": "websocket.close", "code": code, "reason": why})
        finally:
            self.hall.parting.discard(self.client)

    async def _read(self) -> None:
        try:
            await self._greet()
            while True:
                await self._one()
                await asyncio.sleep(self.breath)
        except Gone:
            return
        except Farewell as farewell:
            self.hall.metrics.refused.add(farewell.why)
            self.client.close(farewell.code, farewell.why)
        except Exception as error:  # of this connection alone
            self.hall.log.error("connection-failed", error)
            self.client.close(FAILED, "internal-error")

    async def _message(self) -> tuple[float, bytes | str]:
        """The next message and when it came, to measure how long the answer takes."""
        message = await self.receive()
        if message["type"] != "websocket.receive":
            raise Gone
        moment = time.monotonic()
        if not self.rate.allow(self.hall.clock.monotonic()):
            raise Farewell(TOO_MANY, "too-many-messages")
        return moment, message.get("text") or message.get("bytes") or b""

    # -- Hello -------------------------------------------------------------------------------------

    async def _greet(self) -> None:
        """Who is it, and where does he want to go?"""
        try:
            async with self.hall.clock.timeout(self.limits.hello_seconds):
                _, raw = await self._message()
        except TimeoutError:
            raise Farewell(TOO_LATE, "no-hello") from None
        try:
            hello = wire.read(raw)
        except wire.BadMessage as error:
            self.client.refuse(None, error)
            raise Farewell(UNREADABLE, "no-hello") from None
        if not isinstance(hello, wire.Hello):
            raise Farewell(UNREADABLE, "no-hello")
        self.client.lang = hello.lang
        self.hall.metrics.messages.add("hello")
        if hello.version != wire.VERSION:
            raise Farewell(UNREADABLE, "wrong-version")
        await self._enter(hello)

    async def _enter(self, hello: wire.Hello) -> None:
        try:
            room = await self.hall.room(hello.table)
        except NoSuchThing as error:
            raise Farewell(NO_TABLE, error.id) from None
        except StichwerkError as error:  # the store does not answer
            self.client.refuse(None, error)
            raise Farewell(FAILED, "internal-error") from None
        if hello.token is not None:
            person = room.table.person_with(hello.token)
            if person is None:
                raise Farewell(BAD_TOKEN, "bad-token")
            self.client.person = person.id
        self.room = room
        await room.enter(self.client, hello.since)

    # -- Requests ----------------------------------------------------------------------------------

    async def _one(self) -> None:
        """Read one request and answer it."""
        moment, raw = await self._message()
        try:
            request = wire.read(raw)
        except wire.BadMessage as error:
            self.hall.metrics.refused.add(error.id)
            self.client.refuse(request_id(raw), error)
            return
        self.hall.metrics.received(request)
        if isinstance(request, wire.Hello):
            self.client.refuse(None, wire.BadMessage("hello-twice"))
            return
        try:
            await self._answer(request, moment)
        except StichwerkError as error:
            self.hall.metrics.refuse(request, error.id)
            self.client.refuse(request.id, error)

    async def _answer(self, request: wire.Requests, moment: float) -> None:
        assert self.room is not None, "requests come after hello"
        if isinstance(request, wire.Ping):
            self.client.tell(wire.Pong(id=request.id))
            return
        if isinstance(request, wire.Join):
            await self._join(self.room, request)
            return
        if isinstance(request, wire.Look):
            self._look(self.room, request)
            return
        if isinstance(request, wire.AskTally):
            self._tally(self.room, request)
            return
        person = self.client.person
        if person is None:
            raise decisions.Refusal("not-taking-part")
        self._count(self.room, request, person)
        seq = await self._change(self.room, request, person)
        if isinstance(request, wire.Hint):
            await self._advise(self.room, request, person)
            return
        seen = min(seq, self.room.seq_for(self.client.person))
        self.client.tell(wire.Done(id=request.id, seq=seen))
        if isinstance(request, wire.Play):
            self.hall.metrics.acknowledged.add()
            self.hall.metrics.acknowledgement.observe(time.monotonic() - moment)

    def _count(self, room: Room, request: wire.Requests, person: str) -> None:
        """What is no part of the play is stored as well: not too much of it."""
        if isinstance(request, wire.Play | wire.Commit | wire.Reveal):
            return
        if isinstance(request, wire.Chat) and not room.may_speak(person):
            raise decisions.Refusal("said-too-much")
        moment = self.hall.clock.monotonic()
        if not (room.may_change(person) and self.doors.change(self.address, moment)):
            raise decisions.Refusal("too-many-changes")

    async def _change(self, room: Room, request: wire.Requests, person: str) -> int:
        chance = self.hall.chance

        def decide() -> list[log.Entries]:
            if person not in room.table.people:  # removed just now
                raise decisions.Refusal("not-taking-part")
            asker = decisions.Asker(room.table, person)
            if isinstance(request, wire.Remove):
                return decisions.removal(request, asker, room.addresses.get(request.person, ()))
            entries = decisions.decide(request, asker, chance)
            return decisions.within_quota(request, asker, entries, self.limits.beside)

        return await room.change(decide)

    async def _join(self, room: Room, request: wire.Join) -> None:
        """Someone new; from now on this connection is his."""
        if self.client.person is not None:
            raise decisions.Refusal("taking-part-already")
        token = request.token or self.hall.chance.token()

        def decide() -> list[log.Entries]:
            if room.table.person_with(token) is not None:
                return []  # sent again
            if not self.doors.join(self.address, self.hall.clock.monotonic()):
                raise decisions.Refusal("too-many-joins")
            decisions.must_be_room_in_log(room.table, self.limits.beside)
            arrival = room.arrival(self.client)
            new = decisions.join(room.table, request, token, self.hall.chance, arrival)
            return [*new.forgotten, new.entry]

        seq = await room.change(decide)
        new = room.table.person_with(token)
        if new is None:  # removed just now
            raise decisions.Refusal("not-taking-part")
        self.client.person = new.id
        room.note_address(self.client)
        await room.give_back(new.id)  # it may be the token of someone who was here before
        seat = room.table.seat_of(new.id)
        self.client.tell(
            wire.JoinDone(id=request.id, seq=seq, person=new.id, seat=seat, token=token)
        )
        room.greet(self.client)
        room.tell_presence()
        room.wake()

    async def _advise(self, room: Room, request: wire.Hint, person: str) -> None:
        """Ask a strong bot what it would do with what this seat knows."""
        view = room.table.view_of(person)
        if view is None or not view.moves:
            raise decisions.Refusal("no-hint-now")
        asker = (self.client.address, room.table.id, str(room.table.seat_of(person)))
        found = await self.hall.thinkers.advise(ADVISER, room.table.seq, view, asker)
        if found is None:
            raise decisions.Refusal("no-hint-found")
        data = wire.plain(found.data)
        self.client.tell(
            wire.HintDone(
                id=request.id,
                move=found.move,
                reason=found.reason,
                text=locale.text(found.reason, self.client.lang, **data),
                alternatives=tuple(
                    wire.Alternative(move=move, value=value, error=error)
                    for move, value, error in found.alternatives
                ),
            )
        )

    # -- Looking: nothing changes, nothing is stored, and nobody else learns of it -----------------

    def _look(self, room: Room, request: wire.Look) -> None:
        """What this client may see coming."""
        view = self._own_view(room, request.match)
        self.client.lang = request.lang or self.client.lang  # refusals follow the page's language
        running = room.table.settings.running_score
        seen = outlook.look(view, self.client.lang, request.move, running=running)
        self.client.tell(
            wire.Outlook(
                id=request.id,
                seq=room.table.seq,
                effects=seen.effects,
                reasons=seen.reasons,
                standing=seen.standing,
                situation=seen.situation,
                one=seen.one,
            )
        )

    def _tally(self, room: Room, request: wire.AskTally) -> None:
        """How the points of a round came about."""
        view = self._own_view(room, request.match)
        if request.round > len(view.scores):
            raise decisions.Refusal("round-not-over", round=request.round)
        lang = request.lang or self.client.lang
        seats = outlook.tally(view, request.round, lang)
        self.client.tell(wire.TallyDone(id=request.id, round=request.round, seats=seats))

    def _own_view(self, room: Room, match: str) -> View:
        """What this client may know of the match: its seat's view, or a spectator's."""
        if not room.table.reach(self.client.person).sees:
            raise decisions.Refusal("not-to-be-watched")
        decisions.match_of(room.table, match)
        view = room.table.view_of(self.client.person)
        assert view is not None, "there is a match"
        return view


class _Numbered(msgspec.Struct):
    """All that can be said of a request that breaks a rule: its id, so that it can be answered."""

    id: wire.Request


_numbered = msgspec.json.Decoder(_Numbered)


def request_id(raw: bytes | str) -> int | None:
    """The id of a message that cannot be read otherwise."""
    try:
        return _numbered.decode(raw).id
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
        return None


def sender(send: Send) -> Callable[[str], Awaitable[None]]:
    """Sends a text over this socket."""

    async def text(message: str) -> None:
        await send({"type": "websocket.send", "text": message})

    return text


async def _cancel(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("latin-1")


async def _deny(scope: Scope, send: Send, status: int) -> None:
    """Refuse the handshake."""
    if "websocket.http.response" in scope.get("extensions", {}):
        start = {"type": "websocket.http.response.start", "status": status, "headers": []}
        await send(start)
        await send({"type": "websocket.http.response.body", "body": b""})
    else:
        await send({"type": "websocket.close"})
