"""A program in any language as a bot: views go to its standard input, moves come from its output.

One JSON object per line, see docs/writing-bots.md. Whatever the program does, the match continues:
if no legal move comes in time, the first listed one is played, and the fault is counted.
`python_bot.py` treats bots of other packages in the same way.
"""

import os
import re
import selectors
import shlex
import shutil
import signal
import subprocess
import time
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from io import FileIO
from types import TracebackType
from typing import ClassVar, Generic, NoReturn, Protocol, Self, TypeVar, cast

import msgspec

from stichwerk.bots.faults import BotError, FaultNotes, Listener, pass_on, tell_on_stderr
from stichwerk.bots.registry import PROGRAM, BadBotError
from stichwerk.errors import CannotPickleError, shown
from stichwerk.view import View

POSIX = os.name == "posix"  # elsewhere waiting for pipes needs threads
PROTOCOL = 1
USUAL_LIMIT = 5.0
SHORTEST_LIMIT, LONGEST_LIMIT = 0.01, 3600.0
RESTARTS = 3
LATE_IN_A_ROW = 3  # after this many missing answers in a row the program counts as hung
LONGEST_LINE = 65_536
MOST_NOISE = 65_536  # bytes of its standard error that are passed on per run
SEEDS = 2**53  # whole numbers below this survive every JSON reader
STOP_SECONDS = 1.0  # seconds to exit once its input is closed
KILL_SECONDS = 0.5  # seconds from the request to terminate to the kill
GLANCE = 0.005
# For three pipes a plain `select` is faster than what scales to thousands.
Selector = getattr(selectors, "PollSelector", selectors.DefaultSelector)

_TEXT = re.compile(r"program:(?:(?P<limit>\d{1,9}(?:\.\d{1,9})?)s:)?(?P<command>.*)", re.DOTALL)


class ProgramHello(msgspec.Struct, tag="hello", tag_field="kind"):
    """The first line to a program."""

    protocol: int
    seed: int
    limit: float


class Choose(msgspec.Struct, tag="choose", tag_field="kind"):
    """The request for a move for the seat of this view."""

    id: int
    view: View


class ProgramAnswer(msgspec.Struct):
    """The answer of a program; further fields are allowed and ignored."""

    id: int
    move: str


def from_text(
    name: str,
    seed: int,
    usual_limit: float = USUAL_LIMIT,
    on_fault: Listener = tell_on_stderr,
    match_seed: int | None = None,
) -> "ProgramBot":
    """Return the bot for `program:COMMAND LINE` or `program:2.5s:COMMAND LINE`."""
    parsed = _TEXT.fullmatch(name)
    assert parsed, "the registry sends nothing else here"
    limit = usual_limit if parsed["limit"] is None else float(parsed["limit"])
    bot = ProgramBot(parsed["command"], seed, limit, on_fault, match_seed)
    bot.name = name
    return bot


class Numbered(Protocol):
    """An answer to the request with this number."""

    id: int


Answered = TypeVar("Answered", bound=Numbered)
Kind = TypeVar("Kind", bound="BotProcess")


class ProcessBot(FaultNotes, ABC, Generic[Kind, Answered]):
    """Asks a process for moves; if no legal one comes in time, plays the first listed one."""

    def __init__(
        self,
        name: str,
        label: str,
        seed: int,
        limit: float,
        on_fault: Listener,
        match_seed: int | None,
    ) -> None:
        if not SHORTEST_LIMIT <= limit <= LONGEST_LIMIT:
            raise BadBotError(
                "bad-program-limit", limit=limit, lowest=SHORTEST_LIMIT, highest=LONGEST_LIMIT
            )
        super().__init__(name, label, on_fault, match_seed)
        self.seed = seed
        self.limit = limit
        self._running: Kind | None = None
        self._starts = 0
        self._questions = 0
        self._late = 0
        self._closed = False

    def __reduce__(self) -> NoReturn:
        raise CannotPickleError("running-program", program=self.label)

    def choose(self, view: View) -> str:
        """Return the move of the process, or the first listed one."""
        try:
            return self._legal_move(self._asked(view, self._question), view)
        except BotError as fault:
            self._note(fault, view)
            return view.moves[0]

    def _note(self, fault: BotError, view: View) -> None:
        """Count a fault, unless another thread has closed the bot meanwhile."""
        if not self._closed:
            super()._note(fault, view)

    # -- Request and answer ------------------------------------------------------------------------

    @abstractmethod
    def _question(self, number: int, view: View) -> bytes:
        """Return the request for a move, encoded."""

    @abstractmethod
    def _read(self, line: bytes) -> Answered:
        """Parse an answer; raise BotError if the line is none."""

    @abstractmethod
    def _legal_move(self, answer: Answered, view: View) -> str:
        """Return the move of an answer; raise BotError if the view does not list it."""

    def _asked(self, view: View, question_of: Callable[[int, View], bytes]) -> Answered:
        self._last_view = view
        running = self._process(view)
        self._questions += 1
        question = question_of(self._questions, view)
        running.unsent += question
        try:
            answer = self._answer(running, time.monotonic() + self.limit)
        except TimeoutError:
            running.withdraw(question)
            raise self._too_late() from None
        except EOFError:
            raise self._ended() from None
        except OverflowError:  # the start of the next answer is unknown
            self._stop(patience=0)
            raise self._fault("endless-line", longest=running.longest_line) from None
        self._late = 0
        return answer

    def _answer(self, running: Kind, deadline: float) -> Answered:
        """Return the answer to the newest request; late answers to older ones are skipped."""
        while True:
            answer = self._read(running.line(deadline))
            if answer.id == self._questions:
                return answer
            if not 0 < answer.id < self._questions:
                raise self._fault("wrong-id", number=answer.id, expected=self._questions)

    # -- Faults ------------------------------------------------------------------------------------

    def _too_late(self) -> BotError:
        self._late += 1
        said = self._last_output()
        if self._late == LATE_IN_A_ROW:
            self._late = 0
            self._stop(patience=0)
        return self._fault("late", limit=f"{self.limit:g}", said=said)

    def _ended(self) -> BotError:
        running = self._running
        code = self._stop(patience=KILL_SECONDS)
        said = running.last_output if running else ()
        return self._fault("ended", code=code, restarts=RESTARTS, said=said)

    def _last_output(self) -> tuple[str, ...]:
        return self._running.last_output if self._running else ()

    # -- Beginning and end -------------------------------------------------------------------------

    def _process(self, view: View) -> Kind:
        """Return the running process; a dead one is restarted a few times."""
        if self._running and self._running.has_ended:
            self._note(self._ended(), view)  # costs no move: it is restarted before the next
        if self._running is None:
            self._start()
        assert self._running is not None
        return self._running

    def _start(self) -> None:
        if self._starts > RESTARTS:
            raise self._fault("given-up", starts=self._starts)
        self._starts += 1
        try:
            running = self._new_process()
        except OSError as error:
            raise self._fault("no-start", why=error.strerror or str(error)) from None
        self._running = running
        self._ending = weakref.finalize(self, running.end)  # also when Python exits
        self._send_hello(running)

    @abstractmethod
    def _new_process(self) -> Kind:
        """Start a process for this bot alone; raise OSError if the system cannot run it."""

    @abstractmethod
    def _send_hello(self, running: Kind) -> None:
        """Send what comes before the first request."""

    def _stop(self, patience: float) -> int | None:
        """End the process and return its exit code."""
        running = self._release()
        return None if running is None else running.end(patience)

    def _release(self) -> Kind | None:
        """Return the process, which no longer belongs to this bot."""
        running, self._running = self._running, None
        if running is not None:
            self._ending.detach()
        return running

    def close(self) -> None:
        """End the process, politely first."""
        self._closed = True
        self._stop(STOP_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class ProgramBot(ProcessBot["BotProcess", ProgramAnswer]):
    """Asks a program, which is started with the first request and ended by `close`."""

    version: ClassVar[int] = PROTOCOL
    faults_begin = named_as = "program"

    def __init__(
        self,
        command: str,
        seed: int,
        limit: float = USUAL_LIMIT,
        on_fault: Listener = tell_on_stderr,
        match_seed: int | None = None,
    ) -> None:
        self.argv = read_command(command)
        name, label = f"{PROGRAM}{command}", shown(command, 100)
        super().__init__(name, label, seed, limit, on_fault, match_seed)

    def _new_process(self) -> "BotProcess":
        return BotProcess(self.argv)

    def _send_hello(self, running: "BotProcess") -> None:
        hello = ProgramHello(protocol=PROTOCOL, seed=self.seed % SEEDS, limit=self.limit)
        running.unsent += msgspec.json.encode(hello) + b"\n"

    def _question(self, number: int, view: View) -> bytes:
        return msgspec.json.encode(Choose(number, view)) + b"\n"

    def _read(self, line: bytes) -> ProgramAnswer:
        try:
            return msgspec.json.decode(line, type=ProgramAnswer)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise self._fault("garbage", line=shown(line.decode(errors="replace"))) from None

    def _legal_move(self, answer: ProgramAnswer, view: View) -> str:
        if answer.move not in view.moves:
            raise self._fault("illegal-move", move=shown(answer.move))
        return answer.move


def read_command(command: str) -> list[str]:
    """Split a command line as a shell would; its program must exist."""
    if not POSIX:
        raise BadBotError("no-programs-here")
    try:
        argv = shlex.split(command)
    except ValueError as error:
        raise BadBotError("bad-command", command=shown(command), why=str(error)) from None
    if "\0" in command:
        raise BadBotError("bad-command", command=shown(command), why="NUL")
    if not argv:
        raise BadBotError("no-command")
    if shutil.which(argv[0]) is None:
        raise BadBotError("no-program", program=shown(argv[0], 100))
    return argv


class BotProcess:
    """A running program and its three pipes. Nothing here waits longer than allowed."""

    longest_line: ClassVar[int] = LONGEST_LINE

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        # In its own session: what it starts can be ended with it, and we handle
        # interrupts at the terminal.
        self.process = subprocess.Popen(
            argv,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
        self.owner = os.getpid()
        self.stdin = cast(FileIO, self.process.stdin)
        self.stdout = cast(FileIO, self.process.stdout)
        self.stderr = cast(FileIO, self.process.stderr)
        for pipe in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(pipe.fileno(), False)
        self.open = {self.stdout, self.stderr}
        self.unsent = bytearray()
        self.unread = bytearray()
        self.noise = 0

    @property
    def last_output(self) -> tuple[str, ...]:
        """What it printed, for a fault. Empty for a program: its standard error is passed on."""
        return ()

    @property
    def has_ended(self) -> bool:
        """Whether the process is gone. Its id stays reserved until `end`, where possible."""
        if self.process.returncode is not None or not hasattr(os, "waitid"):
            return self.process.poll() is not None
        try:
            seen = os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # in a fork
            return self.process.poll() is not None
        return seen is not None

    def line(self, deadline: float) -> bytes:
        """Return the next line; raise TimeoutError, EOFError, or OverflowError if it has no end."""
        while b"\n" not in self.unread:
            if len(self.unread) > self.longest_line:
                raise OverflowError
            if self.stdout not in self.open:
                raise EOFError
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._pump(left)
        line, _, self.unread = self.unread.partition(b"\n")
        if len(line) > self.longest_line:
            raise OverflowError
        return bytes(line)

    def withdraw(self, question: bytes) -> None:
        """Drop a request of which nothing has been sent yet: they would pile up for a program that
        does not read."""
        if len(self.unsent) >= len(question):
            del self.unsent[-len(question) :]

    def _pump(self, seconds: float) -> None:
        """Move what can be moved; wait this long for anything to be movable."""
        try:
            ready = self._movable(seconds)
            if self.stdin in ready:
                self._send()
            for pipe in (self.stdout, self.stderr):
                if pipe in ready:
                    self._receive(pipe)
        except (OSError, ValueError):
            if not self.stdout.closed:
                raise
            raise EOFError from None  # another thread has ended it

    def _movable(self, seconds: float) -> list[object]:
        """Return the pipes that are ready."""
        with Selector() as waiting:
            for pipe in tuple(self.open):
                waiting.register(pipe, selectors.EVENT_READ)
            if self.unsent:
                waiting.register(self.stdin, selectors.EVENT_WRITE)
            return [key.fileobj for key, _ in waiting.select(seconds)]

    def _send(self) -> None:
        try:
            sent = os.write(self.stdin.fileno(), self.unsent)
        except BlockingIOError:
            return
        except OSError:  # it no longer reads, but may still write
            self.unsent.clear()
            return
        del self.unsent[:sent]

    def _receive(self, pipe: FileIO) -> None:
        try:
            data = os.read(pipe.fileno(), LONGEST_LINE)
        except BlockingIOError:
            return
        if not data:
            self.open.discard(pipe)
        elif pipe is self.stdout:
            self.unread += data
        else:
            self._read_stderr(data)

    def _read_stderr(self, data: bytes) -> None:
        """Pass on its standard error, which is for people, up to a limit."""
        shown = data[: MOST_NOISE - self.noise]
        self.noise += len(shown)
        if shown:
            pass_on(shown.decode(errors="replace"))

    def end(self, patience: float = STOP_SECONDS) -> int:
        """Close its input, ask it to end, then kill it, each with a delay; return the exit code.

        Processes it has started are ended with it, even if it has ended by itself.
        """
        if self.stdout.closed:  # done already: the id may belong to another process by now
            return self.process.returncode or 0
        self.unsent.clear()
        self.stdin.close()
        if self.owner != os.getpid():  # a fork has copies of the pipes, but no such child
            self._close_pipes()
            return 0
        self._wait_until(lambda: self.has_ended, patience)
        self._signal(signal.SIGTERM)
        # If the process has ended, its open pipes are held by processes it has started.
        self._wait_until(lambda: self.has_ended and not self.open, KILL_SECONDS)
        self._signal(signal.SIGKILL)  # before `wait`, which frees the id of the group
        code = self.process.wait()
        if self.open:
            self._pump(0)  # its last output may still be in the pipe
        self._close_pipes()
        return code

    def _close_pipes(self) -> None:
        self.open.clear()
        self.stdout.close()
        self.stderr.close()

    def _wait_until(self, done: Callable[[], bool], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not done() and time.monotonic() < deadline:
            self._pump(GLANCE)  # a program that cannot flush its output cannot end
            self.unread.clear()

    def _signal(self, number: signal.Signals) -> None:
        """Signal the process and everything it has started in its group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)
