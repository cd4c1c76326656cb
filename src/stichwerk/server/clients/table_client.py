"""A Python client of a table, using the same messages as everyone: for load and crash tests, and a
model for your own clients.

A client takes part in the shuffle and checks it, reconnects by itself, and resends a move until it
is answered.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from stichwerk.errors import StichwerkError
from stichwerk.server import wire
from stichwerk.server.clients.deal_check import DealCheck, DealNotice
from stichwerk.server.clients.deal_shares import Action, CommitShare, ShareStore
from stichwerk.server.random_source import RandomSource
from stichwerk.view import View

LARGEST = 4 * 2**20  # of a message from the server: the history of a long match
AGAIN_SECONDS = (0.05, 2.0)  # between attempts to connect: at first, and at most
FINAL = frozenset({4400, 4403, 4404, 4410})  # closed for good: reconnecting would not help

_decoder: msgspec.json.Decoder[wire.FromServer] = msgspec.json.Decoder(wire.FromServer)
Answer = (
    wire.Done
    | wire.JoinDone
    | wire.HintDone
    | wire.Outlook
    | wire.TallyDone
    | wire.LanguageDone
    | wire.Pong
)


class RequestRefusedError(StichwerkError):
    """The server does not let us in, or refused a request; `text` is the server's text."""

    text = ""


class TableClient:
    """A connection to a table, kept alive."""

    def __init__(
        self,
        url: str,
        table: str,
        *,
        token: str | None = None,
        lang: wire.Lang = "en",
        local_address: str | None = None,
        ping_seconds: float | None = None,
        rng: RandomSource | None = None,
        shares: ShareStore | None = None,
        notices: Callable[[DealNotice], None] = lambda notice: None,
        on_message: Callable[[wire.FromServer], None] = lambda message: None,
        lost: Callable[[Exception | None], None] = lambda error: None,
    ) -> None:
        self.url = url
        self.table_id = table
        self.token = token
        self.lang = lang
        self.local_address = local_address
        self.ping_seconds = ping_seconds  # interval of pings on a silent connection; None: never
        self.rng = rng or RandomSource()
        self.on_message = on_message
        self.lost = lost  # called whenever there is no connection (yet)
        self.seq: int | None = None
        self.seat: int | None = None
        self.person: str | None = None
        self.ply = 0
        self.table: wire.Table | None = None
        self.view: View | None = None
        self.resumed = 0
        self.deal = DealCheck(self.rng.seed, shares)
        self.notices = notices  # what a person should know about the deal
        self._actions: dict[int, Action] = {}  # sent and not answered
        self._socket: ClientConnection | None = None
        self._open: dict[int, tuple[bytes, asyncio.Future[Answer]]] = {}
        self._ids = 0
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._failure: Exception | None = None

    # -- Connecting --------------------------------------------------------------------------------

    async def __aenter__(self) -> "TableClient":
        self._task = asyncio.create_task(self._keep_connected())
        await self.until(lambda: self.seq is not None)
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _keep_connected(self) -> None:
        wait = AGAIN_SECONDS[0]
        try:
            while True:
                known = self.seq
                error: Exception | None = None
                try:
                    await self._listen()
                except (OSError, WebSocketException, TimeoutError) as found:
                    error = found
                self._socket = None
                self.lost(error)
                wait = AGAIN_SECONDS[0] if self.seq != known else min(2 * wait, AGAIN_SECONDS[1])
                await asyncio.sleep(wait * (1 + self.rng.fraction()) / 2)  # not all at once
        except Exception as error:
            self._fail(error)

    async def _listen(self) -> None:
        more: dict[str, Any] = {}
        if self.local_address:
            more["local_addr"] = (self.local_address, 0)
        try:
            socket = await connect(
                self.url,
                max_size=LARGEST,
                compression=None,
                ping_interval=self.ping_seconds,
                ping_timeout=self.ping_seconds,
                **more,
            )
        except InvalidStatus as error:
            if error.response.status_code == 403:
                raise RequestRefusedError("foreign-origin") from None
            raise  # 429 and the like are temporary: try again
        async with socket:
            hello = wire.Hello(
                version=wire.VERSION,
                table=self.table_id,
                token=self.token,
                since=self.seq,
                lang=self.lang,
            )
            await socket.send(msgspec.json.encode(hello).decode())
            self._socket = socket
            with suppress(ConnectionClosed):  # the close code is handled below
                async for raw in socket:
                    await self._receive(_decoder.decode(raw))
        if socket.close_code in FINAL:
            raise RequestRefusedError(socket.close_reason or "no-such-table")

    def _fail(self, error: Exception) -> None:
        self._failure = error
        for _, answer in self._open.values():
            if not answer.done():
                answer.set_exception(error)
        self._changed.set()

    # -- Receiving ---------------------------------------------------------------------------------

    async def _receive(self, message: wire.FromServer) -> None:
        actions: list[Action] = []
        if isinstance(message, wire.Welcome | wire.Update):
            actions = self.deal.receive(message)  # before anyone acts on it
        self.on_message(message)
        if isinstance(message, wire.Welcome):
            self._welcomed(message)
            for raw, _ in list(self._open.values()):  # not answered yet: ask again
                await self._say(raw)
        elif isinstance(message, wire.Update):
            self._updated(message)
        elif isinstance(message, wire.Refused):
            refusal = RequestRefusedError(message.error, **message.data)
            refusal.text = message.text
            self._settle(message.id, refusal)
        elif isinstance(message, Answer):
            self._settle(message.id, message)
        await self._take_part(actions)
        self._changed.set()

    def _welcomed(self, message: wire.Welcome) -> None:
        self.resumed += self.seq is not None
        self.seq = message.seq
        self.seat, self.ply, self.person = message.seat, message.ply, message.person
        self.table, self.view = message.table, message.view

    def _updated(self, message: wire.Update) -> None:
        self.seq = message.seq
        self.seat, self.ply = message.seat, message.ply
        self.table = message.table or self.table
        self.view = message.view or (self.view if self.playing else None)

    def _settle(self, id: int | None, outcome: Answer | Exception) -> None:
        action = self._actions.pop(id, None) if id is not None else None
        if action is not None:
            (self.deal.refused if isinstance(outcome, Exception) else self.deal.done)(action)
        waiting = self._open.pop(id, None) if id is not None else None
        if waiting is None or waiting[1].done():
            return
        if isinstance(outcome, Exception):
            waiting[1].set_exception(outcome)
        else:
            waiting[1].set_result(outcome)

    @property
    def playing(self) -> bool:
        """Return whether there is a match to see."""
        return self.table is not None and self.table.stage in ("playing", "over")

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until a condition holds."""
        while not holds():
            if self._failure is not None:
                raise self._failure
            self._changed.clear()
            await self._changed.wait()

    # -- Requests ----------------------------------------------------------------------------------

    async def _say(self, raw: bytes) -> None:
        if self._socket is not None:
            with suppress(OSError, WebSocketException):  # then it is sent again after the welcome
                await self._socket.send(raw.decode())

    async def ask(self, make: Callable[[int], wire.Requests]) -> Answer:
        """Send a request, again after every reconnect, until it is answered."""
        if self._failure is not None:
            raise self._failure
        self._ids += 1
        request = make(self._ids)
        if isinstance(request, wire.Leave):
            self.deal.leave()
        raw = msgspec.json.encode(request)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._open[self._ids] = (raw, answer)
        await self._say(raw)
        return await answer

    async def join(self, name: str, seat: int | None = None) -> None:
        """Join the table."""
        token = self.rng.token()
        answer = await self.ask(lambda id: wire.Join(id=id, name=name, seat=seat, token=token))
        assert isinstance(answer, wire.JoinDone)
        self.token, self.person, self.seat = answer.token, answer.person, answer.seat

    async def play(self, move: str) -> None:
        """Make a move; it is stored when this returns."""
        assert self.table is not None
        assert self.table.match is not None
        match, ply = self.table.match, self.ply
        await self.ask(lambda id: wire.Play(id=id, match=match, ply=ply, move=move))

    async def play_on(
        self, choose: Callable[[View], Awaitable[str] | str], *, rounds: int | None = None
    ) -> None:
        """Play until the match is over, or for this many rounds."""
        while True:
            await self.until(self._something_to_do)
            assert self.table is not None
            assert self.view is not None
            if self.table.stage == "over" or len(self.view.scores) == rounds:
                return
            chosen = choose(self.view)
            move = chosen if isinstance(chosen, str) else await chosen
            seen, ply = self.view, self.ply
            try:
                await self.play(move)
            except RequestRefusedError:
                if self.view is seen:
                    raise
                continue  # a clock or a bot was faster
            await self.until(lambda: self.ply > ply or self.view is not seen)  # noqa: B023

    def _something_to_do(self) -> bool:
        if self.view is None or not self.playing or self.table is None:
            return False
        return bool(self.view.moves) or self.table.stage == "over"

    # -- The shuffle -------------------------------------------------------------------------------

    async def begin(self) -> None:
        """Host: begin a match. After too many failed set-ups this is the host's own consent."""
        if self.deal.must_ask:
            await self._take_part(self.deal.agree())
        await self.ask(lambda id: wire.Begin(id=id))

    async def deal_again(self) -> None:
        """Agree to go on after too many failed set-ups."""
        await self._take_part(self.deal.agree())
        if self.table is not None and self.table.stage == "gathering":
            await self.ask(lambda id: wire.DealAgain(id=id))

    async def _take_part(self, actions: list[Action]) -> None:
        """Seal or open our share; report notices about the deal."""
        for action in actions:
            await self._tell(action)
        for notice in self.deal.notices():
            self.notices(notice)

    async def _tell(self, action: Action) -> None:
        """Send a share, without waiting for the answer."""
        self._ids += 1
        self._actions[self._ids] = action
        await self._say(msgspec.json.encode(request_of(action, self._ids)))


def request_of(action: Action, id: int) -> wire.Commit | wire.Reveal:
    """Return an action as a request."""
    if isinstance(action, CommitShare):
        return wire.Commit(id=id, match=action.match, commit=action.commit)
    return wire.Reveal(id=id, match=action.match, seed=action.seed)
