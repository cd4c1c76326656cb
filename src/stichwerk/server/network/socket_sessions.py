"""WebSocket sessions: from the handshake to the last message of a connection."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec
from starlette.types import Receive, Scope, Send

from stichwerk import outlook
from stichwerk.bots import best_bot
from stichwerk.bots.advice import Alternative
from stichwerk.bots.reasons import advice_text, verdict
from stichwerk.errors import StichwerkError
from stichwerk.server import wire
from stichwerk.server.network.limits import (
    RequestLimits,
    TokenBucket,
    counted_as,
    host_allowed,
    origin_allowed,
)
from stichwerk.server.network.socket_client import TOO_MANY, SocketClient
from stichwerk.server.tables import joining, requests
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.live_table import LiveTable
from stichwerk.server.tables.lobby import NotFoundError, TableLobby
from stichwerk.server.tables.refusal import RefusalError
from stichwerk.view import View

LONGEST_PAUSE = 0.02  # seconds between two messages of one socket

# WebSocket close codes of our own; docs/protocol.md lists them.
UNREADABLE, BAD_TOKEN, NO_TABLE, TOO_LATE, FAILED = 4400, 4403, 4404, 4408, 4500


class CloseConnectionError(Exception):
    """The connection has to be closed."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code = code
        self.why = why


class ClientGoneError(Exception):
    """The client has disconnected."""


class SocketApp:
    """The ASGI app for WebSockets."""

    def __init__(
        self, lobby: TableLobby, request_limits: RequestLimits, origins: tuple[str, ...]
    ) -> None:
        self.lobby = lobby
        self.request_limits = request_limits
        self.origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        address = scope["client"][0] if scope.get("client") else None
        await receive()  # websocket.connect
        if not self._is_known(scope):
            self.lobby.metrics.refused.add("foreign-origin")
            await _deny(scope, send, 403)
        elif not self.request_limits.request(address, self.lobby.clock.monotonic()):
            # Otherwise a client disconnected for too many messages could send as many again at
            # once.
            self.lobby.metrics.refused.add("too-many-requests")
            await _deny(scope, send, 429)
        elif not self.request_limits.enter(address):
            self.lobby.metrics.refused.add("too-many-sockets")
            await _deny(scope, send, 429)
        else:
            try:
                await self._serve(receive, send, address)
            finally:
                self.request_limits.leave(address)

    def _is_known(self, scope: Scope) -> bool:
        """Return whether the requesting page may open a socket."""
        headers = dict(scope["headers"])
        origin, host = _text(headers.get(b"origin")), _text(headers.get(b"host"))
        return host_allowed(host, self.origins) and origin_allowed(origin, host, self.origins)

    async def _serve(self, receive: Receive, send: Send, address: str | None) -> None:
        await send({"type": "websocket.accept"})
        self.lobby.metrics.connections.add()
        connection = SocketSession(self.lobby, self.request_limits, receive, send, address)
        await connection.run()


class SocketSession:
    """The session of an accepted socket."""

    def __init__(
        self,
        lobby: TableLobby,
        request_limits: RequestLimits,
        receive: Receive,
        send: Send,
        address: str | None = None,
    ) -> None:
        self.lobby = lobby
        self.request_limits = request_limits
        self.address = address
        self.limits = request_limits.limits
        self.receive = receive
        self.rate = TokenBucket(self.limits.messages, self.limits.seconds)
        # A burst is read far above the sustained rate, but not all at once: others get their turn.
        self.pause = min(LONGEST_PAUSE, self.limits.seconds / self.limits.messages / 10)
        self.client = SocketClient(sender(send), self.limits.queue, self.limits.queue_bytes)
        self.client.address = counted_as(address)
        self.raw_send = send
        self.live_table: LiveTable | None = None

    async def run(self) -> None:
        """Read until either side ends the connection."""
        pump = asyncio.create_task(self.client.pump())
        reading = asyncio.create_task(self._read())
        ending = self.client.ending
        try:
            await asyncio.wait({pump, reading, ending}, return_when=asyncio.FIRST_COMPLETED)
            await _cancel(reading)
            if self.live_table is not None:  # before the goodbye: a stalled client is not present
                self.live_table.leave(self.client)
                self.live_table = None
            await self._close(pump)
        finally:
            await _cancel(pump, reading)
            if self.live_table is not None:
                self.live_table.leave(self.client)

    async def _close(self, pump: asyncio.Task[None]) -> None:
        """Send what is left to send. For a client that does not read, this lasts as long as it
        keeps the connection open, which is counted until then."""
        if self.client.closing is None:
            return
        self.lobby.closing_clients.add(self.client)
        try:
            with suppress(TimeoutError):
                async with self.lobby.clock.timeout(self.limits.hello_seconds):
                    await asyncio.wait({pump})
            await _cancel(pump)
            with suppress(Exception):  # it may be gone already
                code, why = self.client.closing
                await self.raw_send({"type": "websocket.close", "code": code, "reason": why})
        finally:
            self.lobby.closing_clients.discard(self.client)

    async def _read(self) -> None:
        try:
            await self._hello()
            while True:
                await self._one()
                await asyncio.sleep(self.pause)
        except ClientGoneError:
            return
        except CloseConnectionError as closing:
            self.lobby.metrics.refused.add(closing.why)
            self.client.close(closing.code, closing.why)
        except Exception as error:  # affects this connection only
            self.lobby.log.error("connection-failed", error)
            self.client.close(FAILED, "internal-error")

    async def _message(self) -> tuple[float, bytes | str]:
        """Return the next message and its arrival time, to measure the response time."""
        message = await self.receive()
        if message["type"] != "websocket.receive":
            raise ClientGoneError
        moment = time.monotonic()
        if not self.rate.allow(self.lobby.clock.monotonic()):
            raise CloseConnectionError(TOO_MANY, "too-many-messages")
        return moment, message.get("text") or message.get("bytes") or b""

    # -- Hello -------------------------------------------------------------------------------------

    async def _hello(self) -> None:
        """Handle the first message: who connects, and to which table."""
        try:
            async with self.lobby.clock.timeout(self.limits.hello_seconds):
                _, raw = await self._message()
        except TimeoutError:
            raise CloseConnectionError(TOO_LATE, "no-hello") from None
        try:
            hello = wire.read(raw)
        except wire.BadMessageError as error:
            self.client.refuse(None, error)
            raise CloseConnectionError(UNREADABLE, "no-hello") from None
        if not isinstance(hello, wire.Hello):
            raise CloseConnectionError(UNREADABLE, "no-hello")
        self.client.lang = hello.lang
        self.lobby.metrics.messages.add("hello")
        if hello.version != wire.VERSION:
            raise CloseConnectionError(UNREADABLE, "wrong-version")
        await self._enter(hello)

    async def _enter(self, hello: wire.Hello) -> None:
        try:
            live_table = await self.lobby.live_table(hello.table)
        except NotFoundError as error:
            raise CloseConnectionError(NO_TABLE, error.id) from None
        except StichwerkError as error:  # the store does not answer
            self.client.refuse(None, error)
            raise CloseConnectionError(FAILED, "internal-error") from None
        if hello.token is not None:
            person = live_table.table.person_with(hello.token)
            if person is None:
                raise CloseConnectionError(BAD_TOKEN, "bad-token")
            self.client.person = person.id
        self.live_table = live_table
        await live_table.enter(self.client, hello.since)

    # -- Requests ----------------------------------------------------------------------------------

    async def _one(self) -> None:
        """Read one request and answer it."""
        moment, raw = await self._message()
        try:
            request = wire.read(raw)
        except wire.BadMessageError as error:
            self.lobby.metrics.refused.add(error.id)
            self.client.refuse(request_id(raw), error)
            return
        self.lobby.metrics.received(request)
        if isinstance(request, wire.Hello):
            self.client.refuse(None, wire.BadMessageError("hello-twice"))
            return
        try:
            await self._answer(request, moment)
        except StichwerkError as error:
            self.lobby.metrics.refuse(request, error.id)
            self.client.refuse(request.id, error)

    async def _answer(self, request: wire.Requests, moment: float) -> None:
        assert self.live_table is not None, "requests come after hello"
        if isinstance(request, wire.Ping):
            self.client.tell(wire.Pong(id=request.id))
            return
        if isinstance(request, wire.Join):
            await self._join(self.live_table, request)
            return
        if isinstance(request, wire.Look):
            self._look(self.live_table, request)
            return
        if isinstance(request, wire.AskTally):
            self._tally(self.live_table, request)
            return
        if isinstance(request, wire.SetLanguage):
            self._set_language(self.live_table, request)
            return
        if isinstance(request, wire.WaitForMe):
            self._let_bots_wait(self.live_table, request)
            return
        person = self.client.person
        if person is None:
            raise RefusalError("not-taking-part")
        self._count(self.live_table, request, person)
        seq = await self._change(self.live_table, request, person)
        if isinstance(request, wire.Hint):
            await self._advise(self.live_table, request, person)
            return
        seen = min(seq, self.live_table.seq_for(self.client.person))
        self.client.tell(wire.Done(id=request.id, seq=seen))
        if isinstance(request, wire.Play):
            self.lobby.metrics.acknowledged.add()
            self.lobby.metrics.acknowledgement.observe(time.monotonic() - moment)

    def _count(self, live_table: LiveTable, request: wire.Requests, person: str) -> None:
        """Limit stored entries other than moves."""
        if isinstance(request, wire.Play | wire.Commit | wire.Reveal):
            return
        if isinstance(request, wire.Chat) and not live_table.may_speak(person):
            raise RefusalError("said-too-much")
        moment = self.lobby.clock.monotonic()
        if not (live_table.may_change(person) and self.request_limits.change(self.address, moment)):
            raise RefusalError("too-many-changes")

    async def _change(self, live_table: LiveTable, request: wire.Requests, person: str) -> int:
        rng = self.lobby.rng

        def decide() -> list[log.Entries]:
            if person not in live_table.table.people:  # removed just now
                raise RefusalError("not-taking-part")
            requester = requests.Requester(live_table.table, person)
            if isinstance(request, wire.Remove):
                return requests.removal(
                    request, requester, live_table.addresses.get(request.person, ())
                )
            entries = requests.decide(request, requester, rng)
            return requests.within_quota(request, requester, entries, self.limits.beside)

        return await live_table.change(decide)

    async def _join(self, live_table: LiveTable, request: wire.Join) -> None:
        """Let a new person join; from now on this connection is theirs."""
        if self.client.person is not None:
            raise RefusalError("taking-part-already")
        token = request.token or self.lobby.rng.token()

        def decide() -> list[log.Entries]:
            if live_table.table.person_with(token) is not None:
                return []  # already joined
            if not self.request_limits.join(self.address, self.lobby.clock.monotonic()):
                raise RefusalError("too-many-joins")
            requests.must_be_room_in_log(live_table.table, self.limits.beside)
            join_context = live_table.join_context(self.client)
            new = joining.join(live_table.table, request, token, self.lobby.rng, join_context)
            return [*new.forgotten, new.entry]

        seq = await live_table.change(decide)
        new = live_table.table.person_with(token)
        if new is None:  # removed just now
            raise RefusalError("not-taking-part")
        self.client.person = new.id
        live_table.note_address(self.client)
        await live_table.absences.return_seat(
            new.id
        )  # it may be the token of someone who was here before
        seat = live_table.table.seat_of(new.id)
        self.client.tell(
            wire.JoinDone(id=request.id, seq=seq, person=new.id, seat=seat, token=token)
        )
        live_table.send_snapshot(self.client)
        live_table.broadcast_presence()
        live_table.wake()

    async def _advise(self, live_table: LiveTable, request: wire.Hint, person: str) -> None:
        """Ask a strong bot what it would play, given what this seat knows."""
        view = live_table.table.view_of(person)
        if view is None or not view.moves:
            raise RefusalError("no-hint-now")
        requester = (
            self.client.address,
            live_table.table.id,
            str(live_table.table.seat_of(person)),
        )
        bot = best_bot(view.game)
        found = await self.lobby.pool.advise(bot, live_table.table.seq, view, requester)
        if found is None:
            raise RefusalError("no-hint-found")
        lang = self.client.lang
        self.client.tell(
            wire.HintDone(
                id=request.id,
                move=found.move,
                reason=found.reason.id,
                text=advice_text(found, lang),
                verdict=verdict(found.alternatives, lang),
                alternatives=tuple(map(estimate, found.alternatives)),
            )
        )

    # -- Queries: nothing changes, nothing is stored, nobody else sees them -----------------------

    def _look(self, live_table: LiveTable, request: wire.Look) -> None:
        """Answer what this client may know about the effects of its moves."""
        view = self._own_view(live_table, request.match)
        self.client.lang = request.lang or self.client.lang  # refusals follow the page's language
        table = live_table.table
        settings = table.settings
        seen = outlook.look(view, self.client.lang, request.move, running=settings.running_score)
        self.client.tell(
            wire.Outlook(
                id=request.id,
                seq=table.seq,
                effects=seen.effects,
                reasons=seen.reasons,
                standing=table.memory.standing(seen.standing, settings.memory),
                situation=seen.situation,
                one=seen.one,
            )
        )

    def _set_language(self, live_table: LiveTable, request: wire.SetLanguage) -> None:
        """Send the words of the last steps again, in another language; not too often, as they may
        be long."""
        if not self.request_limits.change(self.address, self.lobby.clock.monotonic()):
            raise RefusalError("too-many-changes")
        self.client.lang = request.lang
        self.client.tell(wire.LanguageDone(id=request.id, steps=live_table.last_words(self.client)))

    def _let_bots_wait(self, live_table: LiveTable, request: wire.WaitForMe) -> None:
        """Note whether the person is reading; bots that have waited go on."""
        self.client.reads = request.wait
        live_table.bot_turns.start_due_moves()
        seen = live_table.seq_for(self.client.person)
        self.client.tell(wire.Done(id=request.id, seq=seen))

    def _tally(self, live_table: LiveTable, request: wire.AskTally) -> None:
        """Answer how the points of a round came about."""
        view = self._own_view(live_table, request.match)
        if request.round > len(view.scores):
            raise RefusalError("round-not-over", round=request.round)
        lang = request.lang or self.client.lang
        seats = outlook.tally(view, request.round, lang)
        self.client.tell(wire.TallyDone(id=request.id, round=request.round, seats=seats))

    def _own_view(self, live_table: LiveTable, match: str) -> View:
        """Return this client's view of the match: its seat's, or a spectator's."""
        if not live_table.table.audience(self.client.person).sees:
            raise RefusalError("not-to-be-watched")
        requests.match_of(live_table.table, match)
        view = live_table.table.view_of(self.client.person)
        assert view is not None, "there is a match"
        return view


class _Numbered(msgspec.Struct):
    """The id of an invalid request, so that it can be refused."""

    id: wire.Request


_numbered = msgspec.json.Decoder(_Numbered)


def request_id(raw: bytes | str) -> int | None:
    """Return the id of a message that cannot be read otherwise."""
    try:
        return _numbered.decode(raw).id
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
        return None


def sender(send: Send) -> Callable[[str], Awaitable[None]]:
    """Return a function that sends a text over this socket."""

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


def estimate(one: Alternative) -> wire.MoveEstimate:
    """Return what an adviser says about a move."""
    return wire.MoveEstimate(
        move=one.move,
        value=one.value,
        error=one.error,
        behind=one.behind,
        behind_error=one.behind_error,
    )
