"""A seat at a web table: the same messages as the browser, by a `TableClient` in its own thread.

The client seals and opens our share of the shuffle, checks the deal, reconnects by itself and
resends unanswered requests; a move carries its number, so that it is made once. This module turns
its messages into what a session shows: a view with its history, and sentences. A violated deal ends
the seat: every later call raises that `DealViolationError`.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping
from concurrent.futures import CancelledError, Future, wait
from contextlib import suppress
from http.client import HTTPException
from typing import Any

import msgspec

from stichwerk.bots.advice import Alternative
from stichwerk.engine.events import Event
from stichwerk.errors import Reason, StichwerkError, UnknownGameError
from stichwerk.locale import one_line, text
from stichwerk.outlook.position import OutlookPosition
from stichwerk.record import decode
from stichwerk.server import wire
from stichwerk.server.clients.deal_check import DealNotice
from stichwerk.server.clients.deal_messages import DealViolationError
from stichwerk.server.clients.dealt_cards import check_record
from stichwerk.server.clients.table_client import Answer, RequestRefusedError, TableClient
from stichwerk.terminal.links import FileShareStore, SeatStore, parse, record_address
from stichwerk.terminal.looking_back import lacks_cards
from stichwerk.terminal.remote_input import cleaned, complete, fetch, why_not, with_presence
from stichwerk.terminal.seat import MoveHint, NoHintError, PlayerSeat
from stichwerk.terminal.table_notes import TableNotes, violation_text
from stichwerk.view import View

PING_SECONDS = 20.0
PATIENCE = 4.0  # seconds without a connection until a move is left pending
LOOK_SECONDS = 0.5  # between two checks of the connection
SETTLING = 5.0  # seconds until an answer's effect must be visible
OLD_CHAT = 10  # lines of old chat shown to someone who joins
LONGEST_NAME = 24
OWN_WORDS = {"wrong-version": "table-wrong-version"}  # the server's texts are for browsers

HOST_COMMANDS: Mapping[str, Callable[[int, str], wire.Requests]] = {
    "remove": lambda id, person: wire.Remove(id=id, person=person),
    "block": lambda id, person: wire.Remove(id=id, person=person, block=True),
    "unblock": lambda id, person: wire.Unblock(id=id, person=person),
    "handover": lambda id, person: wire.HandOver(id=id, person=person),
}


class NoTableError(StichwerkError):
    """The table cannot be reached, or refuses us; `text` is the server's text, if any."""

    text = ""


class PendingError(StichwerkError):
    """There is no connection now: the request is carried out as soon as there is one."""


class RemoteSeat(PlayerSeat):
    """A seat, or a spectator, at the table of a link.

    With a `name` the person joins, in `seat` or in any free one, unless the link or the `book`
    already identifies them. Extras: all of `PlayerSeat` except saving, and `table_notes` (texts
    about the table), `stage`, `match_id`, `ply`, `sit(seat)`, `take_back()`, `asked` and
    `consent(agree)`, `words` (the six of this shuffle), `lost` (no connection now, reconnecting)
    and `gone` (for good).
    """

    def __init__(
        self,
        url: str,
        name: str | None,
        lang: str,
        *,
        seat: int | None = None,
        book: SeatStore | None = None,
        on_message: Callable[[wire.FromServer], None] = lambda message: None,
    ) -> None:
        self.link = parse(url)
        self.lang = lang
        self.book = book
        self.seat: int | None = None
        self.person: str | None = None
        self.table: wire.Table | None = None
        self.lost = False
        self.can_take_back = False
        self.words: tuple[str, ...] = ()
        self._on_message = on_message
        self._view: View | None = None
        self._history: list[Event] = []
        self._ply = 0
        self._joining: str | None = None
        self._notices: list[str] = []
        self._changed = threading.Condition()
        self._changes = 0
        self._seen_changes = 0
        self._closed = False
        self._failure: StichwerkError | None = None
        self._bye: wire.Bye | None = None
        self._compared: str | None = None  # the match whose record was requested
        self._thread: threading.Thread | None = None
        self._client: TableClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._life: asyncio.Task[None] | None = None
        self._enter(name, seat)

    # -- Connecting --------------------------------------------------------------------------------

    def _enter(self, name: str | None, seat: int | None) -> None:
        """Find the table; as a known person, or else join it."""
        own = self.book.find(self.link, name) if self.book and not self.link.token else None
        try:
            self._open(self.link.token or (own.token if own else None))
        except NoTableError as error:
            if own is None or error.id != "bad-token":
                raise
            self._forget(own.token)  # the table was recreated, or we were removed
            self._open(None)
        try:
            if self.person is None and name is not None:
                self.join(name, seat)
            elif self.person is not None and self.book and self._token:
                self.book.keep(self.link, self.table_notes.name(self.person), self._token)
        except BaseException:
            self.close()
            raise

    def _forget(self, token: str) -> None:
        if self.book:
            self.book.forget(token)

    def _open(self, token: str | None) -> None:
        """Connect, and wait for the welcome."""
        self._failure = self._bye = None
        self._closed = False
        self._thread = threading.Thread(
            target=asyncio.run, args=(self._live(token),), name="table", daemon=True
        )
        self._thread.start()
        with self._changed:
            self._changed.wait_for(lambda: self.table is not None or self._failure is not None)
        try:
            self._alive()
        except StichwerkError:
            self.close()
            raise

    async def _live(self, token: str | None) -> None:
        """Run the client in the thread until the seat is closed or the server ends it."""
        self._loop, self._life = asyncio.get_running_loop(), asyncio.current_task()
        self._client = TableClient(
            self.link.socket,
            self.link.table,
            token=token,
            lang="de" if self.lang == "de" else "en",
            ping_seconds=PING_SECONDS,
            shares=FileShareStore(self.book.folder, self.link.address) if self.book else None,
            notices=self._on_notices,
            on_message=self._receive,
            lost=self._on_lost,
        )
        try:
            async with self._client:
                await self._client.until(lambda: self._closed)
        except asyncio.CancelledError:
            return  # closed
        except Exception as error:
            self._fail(self._failure_for(error))

    def _failure_for(self, error: Exception) -> StichwerkError:
        """Return the reason for the end, in words."""
        if isinstance(error, DealViolationError):
            error.text = violation_text(error, self.lang)
            return error
        if isinstance(error, msgspec.MsgspecError):
            return NoTableError("table-wrong-version")
        if isinstance(error, RequestRefusedError):
            bye = self._bye
            if error.id == "foreign-origin":  # an unknown path gets the same answer
                return NoTableError("no-table-there", url=self.link.address, why="HTTP 403")
            if bye is None or bye.error in OWN_WORDS:
                return NoTableError(OWN_WORDS.get(error.id, error.id), **error.data)
            refusal = NoTableError(bye.error)
            refusal.text = one_line(bye.text)
            return refusal
        return NoTableError("no-table-there", url=self.link.address, why=why_not(error))

    def _on_lost(self, error: Exception | None) -> None:
        """Handle a lost connection: fatal at the start, later the client reconnects."""
        with self._changed:
            if self.table is None:
                self._failure = self._failure_for(error or self._close_reason())
            elif not self.lost:
                self.lost = True
                self._notices.append(text("line-lost", self.lang))
            self._note_change()

    def _close_reason(self) -> Exception:
        """Return why the server closed the connection."""
        return RequestRefusedError(self._bye.error) if self._bye else ConnectionResetError()

    def _fail(self, error: StichwerkError) -> None:
        with self._changed:
            self._failure = error
            self._note_change()

    def _note_change(self) -> None:
        self._changes += 1
        self._changed.notify_all()

    @property
    def _token(self) -> str | None:
        return self._client.token if self._client else None

    def join(self, name: str, seat: int | None = None) -> None:
        """Join under this name; as a spectator if all seats are taken."""
        if not (name.strip().isprintable() and 0 < len(name.strip()) <= LONGEST_NAME):
            raise NoTableError("bad-name", most=LONGEST_NAME)
        client = self._client
        assert client is not None
        self._joining = name.strip()  # the table announces everyone who joins, including us
        self._finished(client.join(self._joining, seat), patient=True)
        if self.book and client.token:
            self.book.keep(self.link, self._joining, client.token)
        self._until(lambda: self.person is not None)
        self._joining = None

    def close(self) -> None:
        """Leave the table; the seat is kept, and a bot plays for it."""
        with self._changed:
            self._closed = True
            self._note_change()
        loop, life = self._loop, self._life
        if loop is not None and life is not None:
            with suppress(RuntimeError):  # the thread has already ended
                loop.call_soon_threadsafe(life.cancel)
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(SETTLING)

    # -- Receiving, in the client's thread ---------------------------------------------------------

    def _receive(self, message: wire.FromServer) -> None:
        self._on_message(message)
        with self._changed:
            if isinstance(message, wire.Bye):
                self._bye = message
            elif isinstance(message, wire.Welcome):
                self._welcomed(message)
            elif isinstance(message, wire.Update):
                self.table = message.table or self.table
                self._take_steps(message.steps)
                complete(self._history, message.renewed)
                self._take(message)
            elif isinstance(message, wire.Presence):
                self.table = with_presence(self.table, message.here)
            else:
                return
            self._note_change()

    def _welcomed(self, message: wire.Welcome) -> None:
        if self.lost:
            self.lost = False
            self._notices.append(text("line-back", self.lang))
        self.person = message.person
        first, self.table = self.table is None, message.table
        if message.fresh:
            self._view = None  # a visible match comes with the message
            self._restore_state(message, first)
        else:
            self._take_steps(message.steps)
            complete(self._history, message.renewed)
        self._take(message)

    def _restore_state(self, message: wire.Welcome, first: bool) -> None:
        """Start afresh: the history comes with the view; of the chat only the last lines are
        kept."""
        self._history = [] if message.view is None else list(cleaned(message.view).history)
        said = [
            note for step in message.steps for note in step.notes if isinstance(note, wire.Said)
        ]
        if first:
            for note in said[-OLD_CHAT:]:
                self._notices += self.table_notes.of(note)

    def _take_steps(self, steps: Iterable[wire.Step]) -> None:
        """Add events to the history, and notes as sentences, in their order."""
        for step in steps:
            for note in step.notes:
                if isinstance(note, wire.Begun):
                    self._history = []
                if isinstance(note, wire.TookBack) and note.events:
                    del self._history[-note.events :]
                if not (isinstance(note, wire.Joined) and note.name == self._joining):
                    self._notices += self.table_notes.of(note)
            self._history += [cleaned(event) for event in step.events]

    @property
    def memory(self) -> wire.Memory:
        """Which put-away tricks may be looked at."""
        return self.table.settings.memory if self.table else "open"

    def _take(self, message: wire.Welcome | wire.Update) -> None:
        self._ply, self.seat = message.ply, message.seat
        self.can_take_back = message.take_back
        view = self._view if self._has_match else None
        if message.view is not None:
            view = cleaned(msgspec.structs.replace(message.view, history=()))
        if view is not None:
            view = msgspec.structs.replace(view, history=tuple(self._history))
        self._view = view
        if self._client is not None:
            self.words = self._client.deal.words
        if self.stage == "over":
            self._compare_record()

    # -- The shuffle -------------------------------------------------------------------------------

    def _on_notices(self, notice: DealNotice) -> None:
        """Show a notice of the deal check."""
        with self._changed:
            self._notices.append(self.table_notes.deal(notice))
            self._note_change()

    def _compare_record(self) -> None:
        """Check, once per match, that its record has the deal that we saw."""
        client = self._client
        if client is None or client.deal.announced is None or self.seat is None:
            return
        announced, rounds, seen = (
            client.deal.announced,
            dict(client.deal.rounds),
            tuple(self._history),
        )
        share = client.deal.share if client.deal.has_own_share else None
        if self._compared == announced.match:
            return
        self._compared = announced.match

        def compare() -> None:
            try:
                raw = fetch(record_address(self.link, announced.match))
            except (OSError, HTTPException):
                self._on_notices(DealNotice("deal-record-missing"))
                return
            try:
                check_record(decode(raw), announced, rounds, seen)
            except DealViolationError as error:
                self._fail(self._failure_for(error))
            except StichwerkError:
                self._fail(self._failure_for(DealViolationError("deal-record-broken")))
            else:
                self._on_notices(
                    DealNotice("deal-record-fits", {"share": f"{share.seat}:{share.seed}"})
                    if share is not None
                    else DealNotice("deal-record-fits-without-share")
                )

        threading.Thread(target=compare, name="record", daemon=True).start()

    # -- The core of a seat ------------------------------------------------------------------------

    @property
    def view(self) -> View:
        """What the person sees of the match; available only while `playing`."""
        self._alive()
        view = self._view
        if view is None:
            raise NoTableError("no-match-yet")
        return view

    @property
    def stage(self) -> str:
        """`gathering`, `dealing`, `playing` or `over`."""
        return self.table.stage if self.table else "gathering"

    @property
    def match_id(self) -> str | None:
        """The id of the match; another one after a rematch."""
        return self.table.match if self.table else None

    @property
    def _has_match(self) -> bool:
        return self.stage in ("playing", "over")

    @property
    def playing(self) -> bool:
        """Whether there is a match to see."""
        return self._has_match and self._view is not None

    @property
    def over(self) -> bool:
        """Whether the match has ended; another one may follow."""
        return self.stage == "over"

    def objection(self, move: str) -> str | None:
        """Return the rules' objection, from what this seat knows; the server has the last word."""
        view = self.view
        try:
            if lacks_cards(view):
                return None
            answer = OutlookPosition(view, self.lang).judge(move)
        except UnknownGameError:  # a custom game: only the server knows its rules
            return None
        return text(answer.id, self.lang, **answer.data) if isinstance(answer, Reason) else None

    def play(self, move: str) -> None:
        """Make a move; it is stored when this returns."""
        with self._changed:
            match, ply = self._match_now(), self._ply
        self._ask(lambda id: wire.Play(id=id, match=match, ply=ply, move=move))
        self._until(lambda: self._ply > ply or self.match_id != match)

    def advise(self) -> MoveHint:
        """Return a hint by the server's bot; everyone learns that it was requested."""
        if not self.playing or not self.view.moves:
            raise NoHintError("no-hint-now")
        match = self._match_now()
        answer = self._ask(lambda id: wire.Hint(id=id, match=match))
        assert isinstance(answer, wire.HintDone)
        compared = tuple(
            Alternative(one.move, one.value, one.error, 0, one.behind, one.behind_error)
            for one in cleaned(answer).alternatives
        )
        move, words, verdict = map(one_line, (answer.move, answer.text, answer.verdict))
        return MoveHint(move=move, alternatives=compared, text=words, verdict=verdict)

    def wait(self, timeout: float | None) -> bool:
        """Wait until something has changed since the last call."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._changes != self._seen_changes or self._closed, timeout
            )
            new, self._seen_changes = self._changes != self._seen_changes, self._changes
            if self._failure is not None and not self._closed:
                raise self._failure
            return new and not self._closed

    # -- Extras ------------------------------------------------------------------------------------

    @property
    def table_notes(self) -> TableNotes:
        """Texts about the table."""
        assert self.table is not None
        return TableNotes(self.table, self.person, self.lang)

    @property
    def may_advise(self) -> bool:
        """Whether the host allows hints."""
        return self.table is not None and self.table.settings.hints and self.seat is not None

    @property
    def may_chat(self) -> bool:
        """Whether the host allows chat."""
        return self.table is not None and self.table.settings.chat and self.person is not None

    @property
    def may_begin(self) -> bool:
        """Whether the person is the host, and no match is running."""
        between = self.stage in ("gathering", "over")
        return self.table is not None and between and self.table.host == self.person

    def notices(self) -> list[str]:
        """Return sentences about what happened outside the play."""
        with self._changed:
            new, self._notices = self._notices, []
        return new

    def chat(self, words: str) -> None:
        """Send a chat message to everyone at the table."""
        self._ask(lambda id: wire.Chat(id=id, text=words[:280]))

    def begin(self) -> None:
        """Host: begin; bots take the free seats. After a match: a rematch."""
        client = self._client
        assert client is not None
        self._finished(client.begin())

    def sit(self, seat: int) -> None:
        """Take a free seat, before a match or between two."""
        self._ask(lambda id: wire.Sit(id=id, seat=seat))

    def host_command(self, line: str) -> Callable[[], None] | None:
        """Return the action of a line that only the host may use: `remove`, `block`, `unblock` or
        `handover`, and a name or the number of a seat."""
        action, _, name = line.partition(" ")
        if action.lower() not in HOST_COMMANDS or not name.strip():
            return None
        return lambda: self._do_as_host(action.lower(), name.strip())

    def _do_as_host(self, action: str, name: str) -> None:
        find = (
            self.table_notes.blocked_called
            if action == "unblock"
            else self.table_notes.person_called
        )
        person = find(name)
        if person is None:
            raise NoTableError("nobody-called", name=name)
        self._ask(lambda id: HOST_COMMANDS[action](id, person))

    def take_back(self) -> None:
        """Ask to take back the last move."""
        match = self._match_now()
        self._ask(lambda id: wire.TakeBack(id=id, match=match))

    def consent(self, agree: bool) -> None:
        """Agree to a take-back or another deal, or decline it."""
        client = self._client
        assert client is not None
        if not self.asked and self.asked_to_deal:
            if agree:
                self._finished(client.deal_again())
            else:
                self._on_notices(DealNotice("deal-again-declined"))
            return
        match = self._match_now()
        self._ask(lambda id: wire.Consent(id=id, match=match, agree=agree))

    @property
    def ply(self) -> int:
        """The number of the seat's next move."""
        return self._ply

    @property
    def gone(self) -> bool:
        """Whether the connection to this table has ended for good."""
        return self._failure is not None

    @property
    def asked(self) -> bool:
        """Whether someone waits for our consent."""
        ask = self.table.ask if self.table else None
        return ask is not None and self.seat in ask.waiting

    @property
    def asked_to_deal(self) -> bool:
        """Whether so many shuffles failed that the person must agree to the next one."""
        between = self.stage in ("gathering", "dealing")
        return self._client is not None and between and self._client.deal.must_ask

    # -- Requests ----------------------------------------------------------------------------------

    def _match_now(self) -> str:
        match = self.match_id
        if match is None:
            raise NoTableError("no-match-yet")
        return match

    def _ask(self, make: Callable[[int], wire.Requests]) -> Answer:
        """Send a request; a refusal raises an error with the server's text."""
        client = self._client
        assert client is not None
        answer: Answer = self._finished(client.ask(make))
        return answer

    def _finished(self, work: Coroutine[Any, Any, Any], patient: bool = False) -> Any:
        """Return the result of the client's work. Without a connection it is done later."""
        future = self._started(work)
        since = time.monotonic()
        while not wait([future], LOOK_SECONDS).done:
            self._alive()
            since = since if self.lost else time.monotonic()
            if not patient and time.monotonic() - since > PATIENCE:
                raise PendingError("done-later")
        try:
            return future.result()
        except DealViolationError as error:
            raise self._failure_for(error) from None
        except CancelledError:
            raise NoTableError("table-left") from None

    def _started(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        """Pass work to the client's thread; refuse if it has ended."""
        try:
            self._alive()
            if self._closed or self._loop is None:
                raise NoTableError("table-left")
            return asyncio.run_coroutine_threadsafe(work, self._loop)
        except (StichwerkError, RuntimeError) as error:
            work.close()
            raise (
                error if isinstance(error, StichwerkError) else NoTableError("table-left")
            ) from None

    def _until(self, holds: Callable[[], bool]) -> None:
        """Wait for the update that an answer announced."""
        with self._changed:
            self._changed.wait_for(lambda: holds() or self._failure is not None, SETTLING)

    def _alive(self) -> None:
        if self._failure is not None:
            raise self._failure
