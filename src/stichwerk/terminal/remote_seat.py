"""A seat at a web table: the same messages as the browser, by a `TableClient` in its own thread.

The client seals and opens our share of the shuffle, checks the deal, comes back by itself when
the line is cut and asks again what was not answered; a move carries its number, so that it is made
once. Here its news become what a session shows: a view with its history, and sentences. A deal that
does not hold ends the place: whatever is asked of it afterwards is that `DealViolationError`.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
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
from stichwerk.terminal.remote_input import cleaned, fetch, why_not
from stichwerk.terminal.seat import MoveHint, NoHintError, PlayerSeat
from stichwerk.terminal.table_notes import TableNotes, violation_text
from stichwerk.view import View

PING_SECONDS = 20.0
PATIENCE = 4.0  # seconds without a line until a move is left to itself
LOOK_SECONDS = 0.5  # between two looks whether there is still a line
SETTLING = 5.0  # seconds until what was answered must be seen
OLD_CHAT = 10  # lines of it that one who comes sees
LONGEST_NAME = 24
OWN_WORDS = {"wrong-version": "table-wrong-version"}  # the server's are for browsers

HOST_COMMANDS: Mapping[str, Callable[[int, str], wire.Requests]] = {
    "remove": lambda id, person: wire.Remove(id=id, person=person),
    "block": lambda id, person: wire.Remove(id=id, person=person, block=True),
    "unblock": lambda id, person: wire.Unblock(id=id, person=person),
    "handover": lambda id, person: wire.HandOver(id=id, person=person),
}


class NoTableError(StichwerkError):
    """The table cannot be reached, or does not let us in; `text` are the server's words, if any."""

    text = ""


class PendingError(StichwerkError):
    """There is no line now: what was asked for is done as soon as there is one."""


class RemoteSeat(PlayerSeat):
    """A seat, or a chair to watch from, at the table of a link.

    With a `name` one joins, in `seat` or in any that is free, unless the link or the `book` says
    who one is already. Extras: all of `PlayerSeat` but saving, and `table_notes` (words about the
    table), `stage`, `match_id`, `ply`, `sit(seat)`, `take_back()`, `asked` and `consent(agree)`,
    `words` (the six of this shuffle), `lost` (no line now, another is looked for) and `gone` (for
    good).
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
        self._compared: str | None = None  # the match whose record was asked for
        self._thread: threading.Thread | None = None
        self._client: TableClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._life: asyncio.Task[None] | None = None
        self._enter(name, seat)

    # -- Coming in ---------------------------------------------------------------------------------

    def _enter(self, name: str | None, seat: int | None) -> None:
        """Find the table; as someone it knows, or else join it."""
        own = self.book.find(self.link, name) if self.book and not self.link.token else None
        try:
            self._open(self.link.token or (own.token if own else None))
        except NoTableError as error:
            if own is None or error.id != "bad-token":
                raise
            self._forget(own.token)  # the table was made anew, or we were sent away
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
        """The thread's work: be a guest until the place is closed or the server has enough."""
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
        """Why it is over with this table, in words."""
        if isinstance(error, DealViolationError):
            error.text = violation_text(error, self.lang)
            return error
        if isinstance(error, msgspec.MsgspecError):
            return NoTableError("table-wrong-version")
        if isinstance(error, RequestRefusedError):
            bye = self._bye
            if error.id == "foreign-origin":  # so an unknown path is answered, too
                return NoTableError("no-table-there", url=self.link.address, why="HTTP 403")
            if bye is None or bye.error in OWN_WORDS:
                return NoTableError(OWN_WORDS.get(error.id, error.id), **error.data)
            told = NoTableError(bye.error)
            told.text = one_line(bye.text)
            return told
        return NoTableError("no-table-there", url=self.link.address, why=why_not(error))

    def _on_lost(self, error: Exception | None) -> None:
        """There is no line: at the start that is the end, later one waits for another."""
        with self._changed:
            if self.table is None:
                self._failure = self._failure_for(error or self._close_reason())
            elif not self.lost:
                self.lost = True
                self._notices.append(text("line-lost", self.lang))
            self._note_change()

    def _close_reason(self) -> Exception:
        """The server hung up, perhaps with a word."""
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
        """Take part under this name; where all seats are taken, one watches."""
        if not (name.strip().isprintable() and 0 < len(name.strip()) <= LONGEST_NAME):
            raise NoTableError("bad-name", most=LONGEST_NAME)
        client = self._client
        assert client is not None
        self._joining = name.strip()  # the table tells everyone who came, us too
        self._finished(client.join(self._joining, seat), patient=True)
        if self.book and client.token:
            self.book.keep(self.link, self._joining, client.token)
        self._until(lambda: self.person is not None)
        self._joining = None

    def close(self) -> None:
        """Get up; the seat stays one's own, and a bot looks after it."""
        with self._changed:
            self._closed = True
            self._note_change()
        loop, life = self._loop, self._life
        if loop is not None and life is not None:
            with suppress(RuntimeError):  # it has ended by itself
                loop.call_soon_threadsafe(life.cancel)
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(SETTLING)

    # -- Hearing: in the guest's thread ------------------------------------------------------------

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
                self._take(message)
            elif isinstance(message, wire.Presence):
                self._present(message.here)
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
            self._view = None  # what may be seen of the match, if anything, comes with the message
            self._restore_state(message, first)
        else:
            self._take_steps(message.steps)
        self._take(message)

    def _restore_state(self, message: wire.Welcome, first: bool) -> None:
        """All is told anew: the history comes with the view; of what was said only the last."""
        self._history = [] if message.view is None else list(cleaned(message.view).history)
        said = [
            note for step in message.steps for note in step.notes if isinstance(note, wire.Said)
        ]
        if first:
            for note in said[-OLD_CHAT:]:
                self._notices += self.table_notes.of(note)

    def _take_steps(self, steps: Iterable[wire.Step]) -> None:
        """Events into the history, notes into sentences, in their order."""
        for step in steps:
            for note in step.notes:
                if isinstance(note, wire.Begun):
                    self._history = []
                if isinstance(note, wire.TookBack) and note.events:
                    del self._history[-note.events :]
                if not (isinstance(note, wire.Joined) and note.name == self._joining):
                    self._notices += self.table_notes.of(note)
            self._history += [cleaned(event) for event in step.events]

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

    def _present(self, here: Sequence[str]) -> None:
        if self.table is not None:
            people = tuple(
                msgspec.structs.replace(one, here=one.id in here) for one in self.table.people
            )
            self.table = msgspec.structs.replace(self.table, people=people)

    # -- The shuffle -------------------------------------------------------------------------------

    def _on_notices(self, notice: DealNotice) -> None:
        """What the deal check has to say about the deal."""
        with self._changed:
            self._notices.append(self.table_notes.deal(notice))
            self._note_change()

    def _compare_record(self) -> None:
        """Once, when a match is over: does its record tell the deal that we saw?"""
        client = self._client
        if client is None or client.deal.told is None or self.seat is None:
            return
        told, rounds, seen = client.deal.told, dict(client.deal.rounds), tuple(self._history)
        share = client.deal.share if client.deal.has_own_share else None
        if self._compared == told.match:
            return
        self._compared = told.match

        def compare() -> None:
            try:
                raw = fetch(record_address(self.link, told.match))
            except (OSError, HTTPException):
                self._on_notices(DealNotice("deal-record-missing"))
                return
            try:
                check_record(decode(raw), told, rounds, seen)
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

    # -- The core of a place -----------------------------------------------------------------------

    @property
    def view(self) -> View:
        """What one sees of the match; there is nothing to see before `playing`."""
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
        """Which match it is; another one after a rematch."""
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
        """What the rules say, asked of what this seat knows; the server has the last word."""
        view = self.view
        try:
            answer = OutlookPosition(view, self.lang).judge(move)
        except UnknownGameError:  # a game of the host's own: only the server knows its rules
            return None
        return text(answer.id, self.lang, **answer.data) if isinstance(answer, Reason) else None

    def play(self, move: str) -> None:
        """Make a move; it is stored when this comes back."""
        with self._changed:
            match, ply = self._match_now(), self._ply
        self._ask(lambda id: wire.Play(id=id, match=match, ply=ply, move=move))
        self._until(lambda: self._ply > ply or self.match_id != match)

    def advise(self) -> MoveHint:
        """The table's own hint, by the bot of the server; everyone learns that it was asked for."""
        if not self.playing or not self.view.moves:
            raise NoHintError("no-hint-now")
        match = self._match_now()
        answer = self._ask(lambda id: wire.Hint(id=id, match=match))
        assert isinstance(answer, wire.HintDone)
        compared = tuple(
            Alternative(one.move, one.value, one.error) for one in cleaned(answer).alternatives
        )
        return MoveHint(
            move=one_line(answer.move), alternatives=compared, text=one_line(answer.text), by=""
        )

    def wait(self, timeout: float | None) -> bool:
        """Until something is new since this was last asked."""
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
        """Words about the table."""
        assert self.table is not None
        return TableNotes(self.table, self.person, self.lang)

    @property
    def may_advise(self) -> bool:
        """As the host wished."""
        return self.table is not None and self.table.settings.hints and self.seat is not None

    @property
    def may_chat(self) -> bool:
        """As the host wished."""
        return self.table is not None and self.table.settings.chat and self.person is not None

    @property
    def may_begin(self) -> bool:
        """Whether one is the host, and no match runs."""
        between = self.stage in ("gathering", "over")
        return self.table is not None and between and self.table.host == self.person

    def notices(self) -> list[str]:
        """Sentences about what happened beside the play."""
        with self._changed:
            told, self._notices = self._notices, []
        return told

    def chat(self, words: str) -> None:
        """Say something to all at the table."""
        self._ask(lambda id: wire.Chat(id=id, text=words[:280]))

    def begin(self) -> None:
        """Host: begin; bots take the seats that are free. After a match: another one."""
        client = self._client
        assert client is not None
        self._finished(client.begin())

    def sit(self, seat: int) -> None:
        """Take a free seat, before a match or between two."""
        self._ask(lambda id: wire.Sit(id=id, seat=seat))

    def host_command(self, line: str) -> Callable[[], None] | None:
        """What a line does that only the host can do, if it is one: `remove`, `block`, `unblock`
        or `handover`, and a name or the number of a seat."""
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
        """Ask to take back the own last move."""
        match = self._match_now()
        self._ask(lambda id: wire.TakeBack(id=id, match=match))

    def consent(self, agree: bool) -> None:
        """Agree, or not, that someone takes back a move, or that cards are dealt once more."""
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
        """The number of the next own move."""
        return self._ply

    @property
    def gone(self) -> bool:
        """Whether it is over with this table for good."""
        return self._failure is not None

    @property
    def asked(self) -> bool:
        """Whether someone waits for the own consent."""
        ask = self.table.ask if self.table else None
        return ask is not None and self.seat in ask.waiting

    @property
    def asked_to_deal(self) -> bool:
        """Whether so many shuffles failed that one must agree to the next."""
        between = self.stage in ("gathering", "dealing")
        return self._client is not None and between and self._client.deal.must_ask

    # -- Asking ------------------------------------------------------------------------------------

    def _match_now(self) -> str:
        match = self.match_id
        if match is None:
            raise NoTableError("no-match-yet")
        return match

    def _ask(self, make: Callable[[int], wire.Requests]) -> Answer:
        """Ask the server for something; a refusal comes with its words."""
        client = self._client
        assert client is not None
        answer: Answer = self._finished(client.ask(make))
        return answer

    def _finished(self, work: Coroutine[Any, Any, Any], patient: bool = False) -> Any:
        """The outcome of something that the guest does. Without a line it is done later."""
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
        """Hand something to the guest's thread; one that has ended takes nothing any more."""
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
        """Wait for the news that an answer promised."""
        with self._changed:
            self._changed.wait_for(lambda: holds() or self._failure is not None, SETTLING)

    def _alive(self) -> None:
        if self._failure is not None:
            raise self._failure
