"""Bots of other packages in worker processes: whatever they do, the match continues.

A worker (`python_worker.py`) holds one bot for one seat at a time, so no bot can look into the
memory of another seat. It is kept after the match and reused for the next: importing a
package takes much longer than a move. Faults are treated like those of a program (`program.py`).
"""

import atexit
import json
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import msgspec

from stichwerk import own_games
from stichwerk.bots import registry
from stichwerk.bots.advice import Advice
from stichwerk.bots.faults import BotError, Listener, tell_on_stderr
from stichwerk.bots.program import (
    KILL_SECONDS,
    LATE_IN_A_ROW,
    USUAL_LIMIT,
    BotProcess,
    ProcessBot,
)
from stichwerk.bots.python_worker import (
    AskMove,
    BotRefused,
    Build,
    Close,
    Ready,
    WorkerReply,
    packed,
)
from stichwerk.bots.registry import BadBotError, Listing
from stichwerk.errors import StichwerkError, UnknownBotError, shown
from stichwerk.view import View

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

START_SECONDS = 30.0  # for importing a package, and for making its bot
CLOSE_SECONDS = 5.0  # for its `close`
MOST_IDLE = 12  # workers that are kept for the next match: two full tables
MOST_WORDS = 4096  # bytes of what a bot printed last
MOST_LINES = 8  # of these, in a fault
LONGEST_TEXT = 160
SHEETS = "STICHWERK_SHEETS"  # custom sheets of Stichtag are found by it

# The worker can import the same modules as this process, whatever `sys.path` is.
_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from stichwerk.bots.python_worker import main; main(sys.argv[2], float(sys.argv[3]))"
)


class PythonBotProcess(BotProcess):
    """A worker process with a bot of this name."""

    longest_line = 2**20  # advice may compare many moves

    def __init__(self, name: str) -> None:
        self.name = name
        self.key = _key(name)
        self.clean = True
        """Whether it owes no answer: only then can another match use it."""
        self._words = b""
        self._ready: Ready | BotRefused | None = None
        path = json.dumps([str(folder) for folder in sys.path])
        argv = [sys.executable, "-P", "-c", _BOOT, path, name, str(START_SECONDS)]
        # Sets of texts have the same order in every worker, unless the environment says otherwise.
        super().__init__(argv, {"PYTHONHASHSEED": "0", **os.environ})

    @property
    def last_output(self) -> tuple[str, ...]:
        """The last lines that the bot printed."""
        lines = self._words.decode(errors="replace").splitlines()
        return tuple(line[:LONGEST_TEXT] for line in lines[-MOST_LINES:])

    def _read_stderr(self, data: bytes) -> None:
        self._words = (self._words + data)[-MOST_WORDS:]

    def ready(self, deadline: float) -> Ready:
        """Return what the worker says about its bot once it is loaded; raise if there is none."""
        if self._ready is None:
            self._ready = msgspec.json.decode(self.line(deadline), type=Ready | BotRefused)
        if isinstance(self._ready, BotRefused):
            kind = UnknownBotError if self._ready.unknown else BadBotError
            raise kind(self._ready.id, **self._ready.data)
        return self._ready

    def exchange(self, request: Build | Close, deadline: float) -> WorkerReply:
        """Send a request and wait for its answer."""
        self.clean = False
        self.unsent += packed(request)
        reply = msgspec.json.decode(self.line(deadline), type=WorkerReply)
        self.clean = True
        return reply

    def closed(self) -> WorkerReply:
        """Let the bot close, and wait for it."""
        return self.exchange(Close(0, CLOSE_SECONDS), time.monotonic() + CLOSE_SECONDS)

    def forget(self) -> None:
        """Discard the output of the previous bot."""
        self._words = b""


def _key(name: str) -> tuple[object, ...]:
    """Return what a worker depends on: one with the same key can be reused."""
    environment = (os.environ.get(own_games.VARIABLE), os.environ.get(SHEETS))
    return name, tuple(sys.path), environment


# -- Workers between two matches -------------------------------------------------------------------


class IdleWorkers:
    """Workers between two matches, the most recently used last."""

    def __init__(self) -> None:
        self._workers: deque[PythonBotProcess] = deque()
        self._lock = threading.Lock()
        self._owner = os.getpid()

    def take(self, name: str) -> PythonBotProcess:
        """Return an idle worker with this bot, or a new one."""
        key = _key(name)
        with self._lock:
            self._disown_in_a_fork()
            found = next((one for one in self._workers if one.key == key), None)
            if found is not None:
                self._workers.remove(found)
        if found is None:
            return PythonBotProcess(name)
        if found.has_ended:
            found.end(0)
            return self.take(name)
        found.forget()
        return found

    def stock(self, name: str, count: int) -> None:
        """Provide this many workers with this bot: missing ones start in parallel."""
        key = _key(name)
        with self._lock:
            self._disown_in_a_fork()
            missing = count - sum(one.key == key for one in self._workers)
            with suppress(OSError):  # reported when the bot is used
                self._workers.extend(PythonBotProcess(name) for _ in range(missing))

    def put(self, worker: PythonBotProcess) -> None:
        """Keep a worker for the next match; if there are too many, end the oldest."""
        with self._lock:
            self._disown_in_a_fork()
            self._workers.append(worker)
            surplus = self._workers.popleft() if len(self._workers) > MOST_IDLE else None
        if surplus is not None:
            surplus.end()

    def end(self) -> None:
        """End all of them."""
        with self._lock:
            self._disown_in_a_fork()
            ending, self._workers = self._workers, deque()
        for worker in ending:
            worker.stdin.close()  # so that they all end at the same time
        for worker in ending:
            worker.end()

    def _disown_in_a_fork(self) -> None:
        """Drop all workers in a fork: it has copies of the pipes, but does not own them."""
        if self._owner != os.getpid():
            self._owner = os.getpid()
            for worker in self._workers:
                worker.process.returncode = 0  # nothing to wait for here
            self._workers.clear()


idle = IdleWorkers()
atexit.register(idle.end)


# -- The bot ---------------------------------------------------------------------------------------


class PythonBot(ProcessBot[PythonBotProcess, WorkerReply]):
    """A bot of another package in its own worker, from its first request to `close`."""

    version: int = 0
    """Known once the worker is ready."""
    faults_begin = "python"
    named_as = "bot"

    def __init__(
        self,
        name: str,
        seed: int,
        limit: float = USUAL_LIMIT,
        on_fault: Listener = tell_on_stderr,
        match_seed: int | None = None,
    ) -> None:
        super().__init__(name, shown(name, 100), seed, limit, on_fault, match_seed)
        self._unprepared: BotError | None = None

    def prepare(self) -> None:
        """Make the bot now: the time for it does not count for the first move."""
        try:
            self._start()
        except BotError as fault:
            self._unprepared = fault  # reported with the first request, when the seat is known

    def advise(self, view: View) -> Advice | None:
        """Return the bot's advice; None if it gives none, or failed."""
        try:
            reply = self._asked(view, self._question_for_advice)
            if reply.error:
                raise self._raised(reply)
            if reply.advice is not None and reply.advice.move not in view.moves:
                raise self._fault("illegal-move", move=shown(reply.advice.move))
        except BotError as fault:
            self._note(fault, view)
            return None
        return reply.advice

    def _question(self, number: int, view: View) -> bytes:
        return self._packed(AskMove(number, view))

    def _question_for_advice(self, number: int, view: View) -> bytes:
        return self._packed(AskMove(number, view, advice=True))

    def _packed(self, question: AskMove) -> bytes:
        if self._running:
            self._running.clean = False
        return packed(question)

    def _read(self, line: bytes) -> WorkerReply:
        try:
            reply = msgspec.json.decode(line, type=WorkerReply)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise self._fault("garbage", line=shown(line.decode(errors="replace"))) from None
        if self._running and reply.id == self._questions:
            self._running.clean = True
        return reply

    def _legal_move(self, answer: WorkerReply, view: View) -> str:
        if answer.error:
            raise self._raised(answer)
        if answer.move is None or answer.move not in view.moves:
            move = answer.odd if answer.move is None else shown(answer.move)
            raise self._fault("illegal-move", move=move)
        return answer.move

    def _raised(self, reply: WorkerReply) -> BotError:
        return self._fault("raised", error=reply.error, said=reply.trace)

    # -- Beginning and end -------------------------------------------------------------------------

    def _process(self, view: View) -> PythonBotProcess:
        if self._unprepared is not None:
            fault, self._unprepared = self._unprepared, None
            raise fault
        return super()._process(view)

    def _new_process(self) -> PythonBotProcess:
        return idle.take(self.name)

    def _send_hello(self, running: PythonBotProcess) -> None:
        """Make the bot; loading and making it does not count against the limit of a move."""
        try:
            built = self._built(running)
        except TimeoutError:
            said = running.last_output
            self._stop(patience=0)
            raise self._fault("starts-late", limit=f"{START_SECONDS:g}", said=said) from None
        except EOFError:
            raise self._ended() from None
        except (msgspec.DecodeError, UnicodeDecodeError, OverflowError, StichwerkError) as error:
            self._stop(patience=0)
            raise self._fault("no-start", why=registry.worded(error)) from None
        if built.error:
            self._release()
            idle.put(running)
            raise self._raised(built)

    def _built(self, running: PythonBotProcess) -> WorkerReply:
        deadline = time.monotonic() + START_SECONDS
        self.version = running.ready(deadline).version
        seconds = LATE_IN_A_ROW * self.limit
        return running.exchange(Build(0, self.seed, seconds), deadline)

    def close(self) -> None:
        """Let the bot close after the match, and return its worker."""
        self._closed = True
        running = self._release()
        if running is None:
            return
        try:
            if running.clean and not running.has_ended:
                self._close_bot(running)
        except BotError as fault:
            self._note_close(fault)
        finally:
            _give_back(running)

    def _close_bot(self, running: PythonBotProcess) -> None:
        """Let the bot close; raise BotError if it does not."""
        try:
            reply = running.closed()
        except TimeoutError:
            limit = f"{CLOSE_SECONDS:g}"
            raise self._fault("close-late", limit=limit, said=running.last_output) from None
        except EOFError:
            code = running.end(KILL_SECONDS)
            raise self._fault("close-ended", code=code, said=running.last_output) from None
        except (msgspec.DecodeError, UnicodeDecodeError, OverflowError):
            return  # it wrote to the answer pipe: its worker is not reused
        if reply.error:
            raise self._fault("close-raised", error=reply.error, said=reply.trace)


def _give_back(worker: PythonBotProcess) -> None:
    """Keep a worker for another match, unless it still owes an answer."""
    if worker.clean and not worker.has_ended:
        idle.put(worker)
    else:
        worker.end(0)


# -- Describing bots without importing them here ---------------------------------------------------


def vetted(name: str) -> str:
    """Return the full name of an external bot after a worker has made it; else BadBotError."""
    return _tried(name).full_name


def _tried(name: str) -> Ready:
    """Return what a worker says about a bot that it has made; else raise BadBotError."""
    with loading(name) as worker:
        deadline = time.monotonic() + START_SECONDS
        ready = worker.ready(deadline)
        built = worker.exchange(Build(0, 0, START_SECONDS), deadline)
        if not built.error:
            with suppress(TimeoutError, EOFError):  # a fault only in a match
                worker.closed()
    if built.error:
        raise BadBotError("broken-bot", why=built.error, **_whose(name))
    return ready


def described(point: "EntryPoint") -> Listing:
    """Return the listing of an external bot, after a worker has made it."""
    ready = _tried(point.name)
    return Listing(
        name=point.name,
        version=ready.version,
        kind="package",
        source=f"{point.module}:{point.attr}",
        iterations=ready.iterations,
        package=registry.package_of(point),
        summary=ready.summary,
    )


@contextmanager
def loading(name: str) -> Iterator[PythonBotProcess]:
    """Use a worker that is asked about its bot; every failure is the bot's fault."""
    worker: PythonBotProcess | None = None
    try:
        worker = idle.take(name)
        yield worker
    except TimeoutError:
        raise BadBotError("bot-loads-late", limit=f"{START_SECONDS:g}", **_whose(name)) from None
    except EOFError:
        assert worker is not None
        raise BadBotError(
            "bot-dies-loading", code=worker.end(KILL_SECONDS), **_whose(name)
        ) from None
    except (OSError, OverflowError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadBotError("broken-bot", why=registry.worded(error), **_whose(name)) from None
    else:
        _give_back(worker)
        worker = None
    finally:
        if worker is not None:
            worker.end(0)


def _whose(name: str) -> dict[str, str]:
    point = registry.entry_point(name)
    return {"bot": name, "package": registry.package_of(point) if point else ""}
