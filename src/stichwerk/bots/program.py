"""A program in any language as a bot: views go to its standard input, moves come from its output.

One JSON object a line, as docs/writing-bots.md tells. Whatever the program does, a match goes on:
where no legal move comes in time, the first listed one is played, and the fault is told once.
"""

import os
import re
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import time
import weakref
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import FileIO
from types import TracebackType
from typing import ClassVar, Self, cast

import msgspec

from stichwerk import locale
from stichwerk.bots.registry import PROGRAM, BadBot
from stichwerk.errors import Reason, StichwerkError, shown
from stichwerk.view import View

POSIX = os.name == "posix"  # elsewhere there is no waiting for pipes without threads
PROTOCOL = 1
USUAL_LIMIT = 5.0
SHORTEST_LIMIT, LONGEST_LIMIT = 0.01, 3600.0
RESTARTS = 3
LATE_IN_A_ROW = 3  # so often in a row without an answer, and the program counts as hung
LONGEST_LINE = 65_536
MOST_NOISE = 65_536  # of what it says on standard error, so much is passed on each time it runs
SEEDS = 2**53  # whole numbers below this survive every JSON reader
FAREWELL = 1.0  # seconds to end by itself once its input is closed
LAST_WORD = 0.5  # seconds from the request to terminate to the kill
GLANCE = 0.005

_TEXT = re.compile(r"program:(?:(?P<limit>\d{1,9}(?:\.\d{1,9})?)s:)?(?P<command>.*)", re.DOTALL)

Listener = Callable[[Reason], None]


class Hello(msgspec.Struct, tag="hello", tag_field="kind"):
    """The first line to a program."""

    protocol: int
    seed: int
    limit: float


class Choose(msgspec.Struct, tag="choose", tag_field="kind"):
    """The question: a move for the seat of this view."""

    id: int
    view: View


class Answer(msgspec.Struct):
    """What a program says; more fields than these are allowed and not looked at."""

    id: int
    move: str


class Fault(StichwerkError):  # noqa: N818  (as in errors.py)
    """The program did not do its part; never leaves this module."""


def from_text(name: str, seed: int) -> "ProgramBot":
    """The bot that `program:COMMAND LINE` or `program:2.5s:COMMAND LINE` asks for."""
    wish = _TEXT.fullmatch(name)
    assert wish, "the registry sends nothing else here"
    limit = USUAL_LIMIT if wish["limit"] is None else float(wish["limit"])
    bot = ProgramBot(wish["command"], seed, limit)
    bot.name = name
    return bot


_told: set[tuple[str, str]] = set()


def tell_on_stderr(reason: Reason) -> None:
    """One line for each kind of fault of a program, however many matches it plays in."""
    key = (str(reason.data["program"]), reason.id)
    if key not in _told:
        _told.add(key)
        _pass_on(locale.text(reason.id, locale.language(os.environ), **reason.data) + "\n")


def _pass_on(text: str) -> None:
    with suppress(OSError, ValueError):  # nobody there to hear it
        sys.stderr.write(text)
        sys.stderr.flush()


class ProgramBot:
    """Asks a program, which is started with the first question and ended by `close`."""

    version: ClassVar[int] = PROTOCOL

    def __init__(
        self,
        command: str,
        seed: int,
        limit: float = USUAL_LIMIT,
        on_fault: Listener = tell_on_stderr,
    ) -> None:
        self.argv = read_command(command)
        if not SHORTEST_LIMIT <= limit <= LONGEST_LIMIT:
            raise BadBot(
                "bad-program-limit", limit=limit, lowest=SHORTEST_LIMIT, highest=LONGEST_LIMIT
            )
        self.name = f"{PROGRAM}{command}"
        self.label = shown(command, 100)
        self.seed = seed
        self.limit = limit
        self.on_fault = on_fault
        self.faults: list[Reason] = []
        """The first fault of each kind."""
        self.fault_counts: Counter[str] = Counter()
        """How often each kind of fault has happened, by its id."""
        self._running: Running | None = None
        self._starts = 0
        self._questions = 0
        self._late = 0

    def choose(self, view: View) -> str:
        """The program's move, or the first listed one where none came."""
        try:
            return self._asked(view)
        except Fault as fault:
            self._note(fault)
            return view.moves[0]

    def _note(self, fault: Fault) -> None:
        """Count a fault; the first of its kind is told."""
        self.fault_counts[fault.id] += 1
        if self.fault_counts[fault.id] == 1:
            reason = Reason(fault.id, **fault.data)
            self.faults.append(reason)
            self.on_fault(reason)

    # -- Question and answer -----------------------------------------------------------------------

    def _asked(self, view: View) -> str:
        running = self._program()
        self._questions += 1
        question = msgspec.json.encode(Choose(self._questions, view)) + b"\n"
        running.unsent += question
        try:
            answer = self._answer(running, time.monotonic() + self.limit)
        except TimeoutError:
            running.withdraw(question)
            raise self._too_late() from None
        except EOFError:
            raise self._ended() from None
        except OverflowError:  # where the next answer would begin, nobody can tell
            self._stop(patience=0)
            raise Fault("program-endless-line", program=self.label, longest=LONGEST_LINE) from None
        self._late = 0
        if answer.move not in view.moves:
            raise Fault("program-illegal-move", program=self.label, move=shown(answer.move))
        return answer.move

    def _answer(self, running: "Running", deadline: float) -> Answer:
        """The answer to the newest question; late ones to older questions are skipped."""
        while True:
            line = running.line(deadline)
            try:
                answer = msgspec.json.decode(line, type=Answer)
            except (msgspec.DecodeError, UnicodeDecodeError):
                said = line.decode(errors="replace")
                raise Fault("program-garbage", program=self.label, line=shown(said)) from None
            if answer.id == self._questions:
                return answer
            if not 0 < answer.id < self._questions:
                raise Fault(
                    "program-wrong-id",
                    program=self.label,
                    number=answer.id,
                    expected=self._questions,
                )

    # -- Faults ------------------------------------------------------------------------------------

    def _too_late(self) -> Fault:
        self._late += 1
        if self._late == LATE_IN_A_ROW:
            self._late = 0
            self._stop(patience=0)
        return Fault("program-late", program=self.label, limit=f"{self.limit:g}")

    def _ended(self) -> Fault:
        code = self._stop(patience=LAST_WORD)
        return Fault("program-ended", program=self.label, code=code, restarts=RESTARTS)

    # -- Beginning and end -------------------------------------------------------------------------

    def _program(self) -> "Running":
        """The program at work; a dead one is started again, but not for ever."""
        if self._running and self._running.has_ended:
            self._note(self._ended())  # costs no move: it is started again before the next
        if self._running is None:
            self._running = self._started()
        return self._running

    def _started(self) -> "Running":
        if self._starts > RESTARTS:
            raise Fault("program-given-up", program=self.label, starts=self._starts)
        self._starts += 1
        try:
            running = Running(self.argv)
        except OSError as error:
            raise Fault(
                "program-no-start", program=self.label, why=error.strerror or str(error)
            ) from None
        self._ending = weakref.finalize(self, running.end)  # also when Python itself ends
        hello = Hello(protocol=PROTOCOL, seed=self.seed % SEEDS, limit=self.limit)
        running.unsent += msgspec.json.encode(hello) + b"\n"
        return running

    def _stop(self, patience: float) -> int | None:
        """End the program; the answer is its exit code."""
        running, self._running = self._running, None
        if running is None:
            return None
        self._ending.detach()
        return running.end(patience)

    def close(self) -> None:
        """End the program, politely first."""
        self._stop(FAREWELL)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def read_command(command: str) -> list[str]:
    """The words of a command line, as a shell would split them; its program must be there."""
    if not POSIX:
        raise BadBot("no-programs-here")
    try:
        argv = shlex.split(command)
    except ValueError as error:
        raise BadBot("bad-command", command=shown(command), why=str(error)) from None
    if "\0" in command:
        raise BadBot("bad-command", command=shown(command), why="NUL")
    if not argv:
        raise BadBot("no-command")
    if shutil.which(argv[0]) is None:
        raise BadBot("no-program", program=shown(argv[0], 100))
    return argv


class Running:
    """A program at work and its three pipes. Nothing here waits longer than it may."""

    def __init__(self, argv: Sequence[str]) -> None:
        # In a session of its own: what it starts can be ended with it, and an interrupt at the
        # terminal is ours to deal with.
        self.process = subprocess.Popen(
            argv,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
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
    def has_ended(self) -> bool:
        """Whether the process is gone."""
        return self.process.poll() is not None

    def line(self, deadline: float) -> bytes:
        """The next line; TimeoutError, EOFError, or OverflowError where it has no end."""
        while b"\n" not in self.unread:
            if len(self.unread) > LONGEST_LINE:
                raise OverflowError
            if self.stdout not in self.open:
                raise EOFError
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._pump(left)
        line, _, self.unread = self.unread.partition(b"\n")
        if len(line) > LONGEST_LINE:
            raise OverflowError
        return bytes(line)

    def withdraw(self, question: bytes) -> None:
        """Do not send a question any more of which nothing is sent yet: a program that does not
        read would have them heap up."""
        if len(self.unsent) >= len(question):
            del self.unsent[-len(question) :]

    def _pump(self, seconds: float) -> None:
        """Move what can be moved; wait so long for anything to be movable."""
        with selectors.DefaultSelector() as waiting:
            for pipe in self.open:
                waiting.register(pipe, selectors.EVENT_READ)
            if self.unsent:
                waiting.register(self.stdin, selectors.EVENT_WRITE)
            ready = [key.fileobj for key, _ in waiting.select(seconds)]
        if self.stdin in ready:
            self._send()
        for pipe in (self.stdout, self.stderr):
            if pipe in ready:
                self._receive(pipe)

    def _send(self) -> None:
        try:
            sent = os.write(self.stdin.fileno(), self.unsent)
        except BlockingIOError:
            return
        except OSError:  # it does not listen any more, but may still have something to say
            self.unsent.clear()
            return
        del self.unsent[:sent]

    def _receive(self, pipe: FileIO) -> None:
        try:
            data = os.read(pipe.fileno(), LONGEST_LINE)
        except BlockingIOError:
            return
        if not data:
            self.open.remove(pipe)
        elif pipe is self.stdout:
            self.unread += data
        else:
            self._overhear(data)

    def _overhear(self, data: bytes) -> None:
        """What it says on standard error is for people; so much of it, and no more."""
        heard = data[: MOST_NOISE - self.noise]
        self.noise += len(heard)
        if heard:
            _pass_on(heard.decode(errors="replace"))

    def end(self, patience: float = FAREWELL) -> int:
        """Close its input, ask it to end, kill it, each with some patience; the exit code."""
        self.unsent.clear()
        self.stdin.close()
        if not self._ends_within(patience):
            self._signal(signal.SIGTERM)
            if not self._ends_within(LAST_WORD):
                self._signal(signal.SIGKILL)
        code = self.process.wait()
        self._pump(0)  # its last words may still be in the pipe
        self.stdout.close()
        self.stderr.close()
        return code

    def _ends_within(self, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while not self.has_ended:
            if time.monotonic() >= deadline:
                return False
            self._pump(GLANCE)  # a program that cannot get rid of its output cannot end
            self.unread.clear()
        return True

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)
