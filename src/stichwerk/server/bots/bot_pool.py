"""The pool of bot workers: computes bot moves outside the event loop.

A few worker processes (`bot_worker.py`) answer one question at a time each; questions wait in a
fair queue (`fair_queue.py`). A forced move takes the same path and the same time as a free one
(`think_times.py`). Whatever a bot or its worker does, a table gets a legal move in bounded time: a
worker that hangs, dies, raises or cheats is replaced, the first listed move is played, and the
failure is logged.
"""

import asyncio
import hashlib
import logging
import math
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TypeVar

import msgspec

from stichwerk.bots.advice import Advice
from stichwerk.server.bots.bot_worker import READY, WorkerAnswer, WorkerQuestion
from stichwerk.server.bots.fair_queue import FairQueue, Path
from stichwerk.server.bots.think_times import ThinkTimes
from stichwerk.server.clock import SYSTEM, Clock
from stichwerk.server.metrics import Metrics
from stichwerk.server.random_source import RandomSource
from stichwerk.view import View

Found = TypeVar("Found")

MOST_WORKERS = 4
USUAL_SECONDS = 10.0
START_SECONDS = 30.0  # to load Python and the engine before a worker is ready
LONGEST_ANSWER = 2**20
STOP_SECONDS = 1.0  # to exit once its input is closed
KILL_SECONDS = 0.5  # from the request to terminate to the kill
REAP_SECONDS = 10.0  # from the kill to giving up: only a system in trouble takes that long
# `-P`: modules in the folder the server was started from must not shadow Python's.
COMMAND = (sys.executable, "-P", "-m", "stichwerk.server.bots.bot_worker")
NO_REQUESTER: Path = ("", "", "")
"""The requester (address, table and seat) where it does not matter."""


class BotMove(msgspec.Struct, frozen=True, kw_only=True):
    """A legal move; `failed` says why it is only the first listed one, otherwise None."""

    move: str
    failed: str | None = None


class BotFailedError(Exception):
    """No usable answer: `slow`, `died`, `illegal` or `error`. Never leaves this module.

    `facts` are for the log.
    """

    def __init__(self, why: str, detail: str = "", **facts: str) -> None:
        super().__init__(why)
        self.why = why
        self.facts = {key: fact for key, fact in {"detail": detail, **facts}.items() if fact}


class PoolJob:
    """A queued question and the future of its answer."""

    def __init__(self, question: WorkerQuestion, requester: Path) -> None:
        self.question = question
        self.requester = requester
        self.asked = self.begun = 0.0  # when it was queued, and when a worker began
        self.line = msgspec.json.encode(question) + b"\n"
        self.answer: asyncio.Future[WorkerAnswer | BotFailedError] = (
            asyncio.get_running_loop().create_future()
        )


def default_workers() -> int:
    """Return the number of workers: one core stays free for the event loop, if there are
    several."""
    return max(1, min(MOST_WORKERS, (os.cpu_count() or 1) - 1))


def log_by_logging(event: str, **facts: object) -> None:
    """Log through `logging`, where the server provides no other log."""
    text = " ".join(f"{key}={value}" for key, value in facts.items())
    logging.getLogger("stichwerk.server").warning("%s %s", event, text)


# -- The pool --------------------------------------------------------------------------------------


class BotPool:
    """A bounded pool of worker processes, started on demand.

    Its methods belong to one event loop, which they never block. `close` it at the end.
    """

    def __init__(
        self,
        *,
        workers: int | None = None,
        seconds: float = USUAL_SECONDS,
        log: Callable[..., None] = log_by_logging,
        command: Sequence[str] | None = None,
        clock: Clock = SYSTEM,
        rng: RandomSource | None = None,
    ) -> None:
        self.metrics = Metrics()
        """Where thinking times and failures are counted; the server sets its own."""
        self.hide_think_time = True
        """Whether moves are delayed so that their timing reveals nothing."""
        self.workers = default_workers() if workers is None else workers
        self.seconds = seconds
        self.busy = 0
        """Questions being answered."""
        self._log = log
        self._clock = clock
        self._command = COMMAND if command is None else tuple(command)
        self._rng = rng or RandomSource()
        self._times = ThinkTimes()
        self._queue: FairQueue[PoolJob] = FairQueue()
        self._arrivals = asyncio.Semaphore(0)
        self._worker_tasks: set[asyncio.Task[None]] = set()
        self._asked = 0
        self._closed = False

    @property
    def waiting(self) -> int:
        """The number of queued questions."""
        return len(self._queue)

    def waiting_for(self, address: str) -> int:
        """Return how many of them come from an address."""
        return self._queue.waiting(address)

    async def move(
        self, bot: str, seed: int, view: View, requester: Path = NO_REQUESTER
    ) -> BotMove:
        """Return a move for this view's seat, whose turn it is: the bot's, or else the first listed
        one.

        A seat with only one legal move is asked like any other, so that it is delayed like any
        other.
        """
        usual = self._times.usual(bot, view) if self.hide_think_time else 0.0
        job = self._asked_by(requester, bot, seed, view)
        answer = await self._answer(job)
        if self.hide_think_time:
            await self._until(job.begun + usual)
        if isinstance(answer, BotFailedError):
            return BotMove(move=view.moves[0], failed=answer.why)
        assert answer.move is not None, "a move was asked for"
        return BotMove(move=answer.move)

    async def advise(
        self, bot: str, seed: int, view: View, requester: Path = NO_REQUESTER
    ) -> Advice | None:
        """Return what the bot would play and why; None if it gives no advice or failed."""
        answer = await self._answer(self._asked_by(requester, bot, seed, view, advice=True))
        if isinstance(answer, BotFailedError) or answer.move is None:
            return None
        return Advice(answer.move, answer.alternatives, answer.reason, answer.contrast)

    async def close(self) -> None:
        """Stop all workers. Pending requests are cancelled: nothing is played for them.

        Takes bounded time: each worker gets a moment to exit, a moment to terminate, and is killed.
        """
        self._closed = True
        for worker_task in self._worker_tasks:
            worker_task.cancel()
        while self._queue:
            self._queue.take().answer.cancel()
        await asyncio.gather(*self._worker_tasks, return_exceptions=True)

    # -- The queue ---------------------------------------------------------------------------------

    def _asked_by(
        self, requester: Path, bot: str, seed: int, view: View, *, advice: bool = False
    ) -> PoolJob:
        self._asked += 1
        question = WorkerQuestion(
            id=self._asked, bot=bot, seed=seed, seconds=self.seconds, advice=advice, view=view
        )
        return PoolJob(question, requester)

    async def _answer(self, job: PoolJob) -> WorkerAnswer | BotFailedError:
        """Queue a job. Cancelling removes it; a question already being answered is finished."""
        if self._closed:
            raise asyncio.CancelledError
        job.asked = self._clock.monotonic()
        self._queue.put(job.requester, job)
        self._arrivals.release()
        self._start_workers()
        try:
            return await job.answer
        finally:
            self._queue.discard(job.requester, job)

    def _start_workers(self) -> None:
        """Start another worker if all are busy and there may be more."""
        idle = len(self._worker_tasks) - self.busy
        if self.waiting > idle and len(self._worker_tasks) < self.workers:
            worker_task = asyncio.create_task(self._serve())
            self._worker_tasks.add(worker_task)
            worker_task.add_done_callback(self._worker_tasks.discard)

    async def _serve(self) -> None:
        """Keep one worker busy: take the next question, answer it, and so on."""
        worker = WorkerProcess(self._command, self._clock)
        try:
            while True:
                await self._arrivals.acquire()
                if self._queue:  # the job may have been cancelled meanwhile
                    await self._serve_one(worker, self._queue.take())
        finally:
            await worker.end()

    async def _serve_one(self, worker: "WorkerProcess", job: PoolJob) -> None:
        """Answer a question; after a failure the next one starts with a new process."""
        self.busy += 1
        try:
            set_answer(job, await self._ask_worker(worker, job))
        except Exception as error:  # a BotFailedError, or a bug here: no table may hang
            failed = (
                error
                if isinstance(error, BotFailedError)
                else BotFailedError("error", type(error).__name__)
            )
            worker.kill()
            set_answer(job, failed)
            self._log_failure(job, failed)
            await worker.end()
        finally:
            self.busy -= 1
            job.answer.cancel()  # when the pool is closed; harmless if it is done

    async def _ask_worker(self, worker: "WorkerProcess", job: PoolJob) -> WorkerAnswer:
        """Ask a worker. A forced move occupies it for as long as a free one might have."""
        question = job.question
        self.metrics.thoughts.add()
        await worker.ready()
        job.begun = self._clock.monotonic()
        self.metrics.waits.observe(job.begun - job.asked)
        if question.advice:
            return await worker.answer(job)
        if len(question.view.moves) == 1:
            seconds = self._times.drawn(question.bot, question.view, self._rng.fraction)
            answer = await worker.answer(job)
            if self.hide_think_time:
                await self._until(job.begun + seconds)
            return answer
        try:
            return await worker.answer(job)
        finally:  # also after a failure: a bot that hangs also hangs at forced moves
            spent = self._clock.monotonic() - job.begun
            self._times.note(question.bot, question.view, spent)

    async def _until(self, moment: float) -> None:
        """Wait until a time of the clock, unless it has passed."""
        if (rest := moment - self._clock.monotonic()) > 0:
            await self._clock.sleep(rest)

    def _log_failure(self, job: PoolJob, failed: BotFailedError) -> None:
        """Log which bot failed, at which game, table and seat, and how; nothing of what it saw."""
        self.metrics.failures.add()
        question, view = job.question, job.question.view
        facts: dict[str, object] = {"bot": question.bot, "game": view.game, "seat": view.seat}
        if len(job.requester) > 1 and job.requester[1]:
            facts["table"] = job.requester[1]
        facts["why"] = failed.why
        facts |= failed.facts
        with suppress(Exception):  # a failing log must not stop the tables
            self._log("hint-failed" if question.advice else "bot-failed", **facts)


def set_answer(job: PoolJob, outcome: WorkerAnswer | BotFailedError) -> None:
    """Set the answer of a job, if somebody still waits for it."""
    if not job.answer.done():
        job.answer.set_result(outcome)


# -- Workers ---------------------------------------------------------------------------------------


class WorkerProcess:
    """A worker process, started on demand."""

    def __init__(self, command: Sequence[str], clock: Clock = SYSTEM) -> None:
        self.command = command
        self.clock = clock
        self.process: Process | None = None

    async def answer(self, job: PoolJob) -> WorkerAnswer:
        """Return the answer to a question; raise BotFailedError if there is no valid one."""
        process = await self.ready()
        line = await within(self.clock, job.question.seconds, exchange(process, job.line))
        answer = read_answer(line)
        if answer.id != job.question.id:
            raise BotFailedError("error", "wrong id")
        if answer.error is not None:
            raise BotFailedError(
                "error", answer.error, error=answer.game_fault, method=answer.method
            )
        return legal(answer, job.question)

    async def ready(self) -> Process:
        """Return the running process; start one if necessary."""
        if self.process is not None and has_ended(self.process):
            await self.end()
        if self.process is None:
            self.process = await started(self.command)
            if await within(self.clock, START_SECONDS, read_line(self.process)) != READY:
                raise BotFailedError("error", "not ready")
        return self.process

    def kill(self) -> None:
        """Kill it without waiting for its end."""
        if self.process is not None:
            send(self.process, "kill")

    async def end(self) -> None:
        """Close its input, terminate it, kill it, with a wait after each; then forget it."""
        if self.process is None:
            return
        pipe_in(self.process).close()
        if not await ends_within(self.clock, STOP_SECONDS, self.process):
            send(self.process, "terminate")
            if not await ends_within(self.clock, KILL_SECONDS, self.process):
                send(self.process, "kill")
                await ends_within(self.clock, REAP_SECONDS, self.process)
        self.process = None  # only now: if this is cancelled before, the next call ends it


async def started(command: Sequence[str]) -> Process:
    """Start a process in its own session: an interrupt at the terminal is for the server.

    Its standard error is discarded: it may contain cards.
    """
    try:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            limit=LONGEST_ANSWER,
            start_new_session=True,
        )
    except OSError as error:
        raise BotFailedError("died", f"no start: {error.strerror}") from None


async def within(clock: Clock, seconds: float, work: Awaitable[bytes]) -> bytes:
    """Return what arrives in time; raise BotFailedError otherwise."""
    try:
        async with clock.timeout(seconds):
            return await work
    except TimeoutError:
        raise BotFailedError("slow") from None


async def exchange(process: Process, line: bytes) -> bytes:
    """Send a line, receive a line."""
    try:
        pipe_in(process).write(line)
        await pipe_in(process).drain()
    except (OSError, RuntimeError):  # it does not listen; a closed pipe raises either of them
        raise BotFailedError("died") from None
    return await read_line(process)


async def read_line(process: Process) -> bytes:
    """Return the next complete line."""
    try:
        line = await pipe_out(process).readline()
    except ValueError:
        raise BotFailedError("error", "endless line") from None
    except OSError:
        raise BotFailedError("died") from None
    if not line.endswith(b"\n"):
        raise BotFailedError("died")
    return line


def read_answer(line: bytes) -> WorkerAnswer:
    """Parse an answer."""
    try:
        return msgspec.json.decode(line, type=WorkerAnswer)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BotFailedError("error", "garbage") from None


def legal(answer: WorkerAnswer, question: WorkerQuestion) -> WorkerAnswer:
    """Return an answer with a legal move; without a move only if no advice was available."""
    if answer.move in question.view.moves or (question.advice and answer.move is None):
        return answer
    raise BotFailedError("illegal")


def has_ended(process: Process) -> bool:
    """Return whether it has exited, or will not answer any more."""
    return process.returncode is not None or pipe_out(process).at_eof()


async def ends_within(clock: Clock, seconds: float, process: Process) -> bool:
    """Return whether it exits in this time, with its output read: only then its pipes close."""
    try:
        async with clock.timeout(seconds):
            while await pipe_out(process).read(LONGEST_ANSWER):
                pass
            await process.wait()
    except TimeoutError:
        return False
    except OSError:
        return process.returncode is not None
    return True


def send(process: Process, order: str) -> None:
    """Terminate or kill it, and its child processes."""
    with suppress(ProcessLookupError, PermissionError):
        if process.returncode is not None:
            return
        if os.name != "posix":
            getattr(process, order)()
        else:
            numbers = {"terminate": signal.SIGTERM, "kill": signal.SIGKILL}
            os.killpg(process.pid, numbers[order])


def pipe_in(process: Process) -> asyncio.StreamWriter:
    """Return its standard input."""
    assert process.stdin is not None
    return process.stdin


def pipe_out(process: Process) -> asyncio.StreamReader:
    """Return its standard output."""
    assert process.stdout is not None
    return process.stdout


# -- Pacing ----------------------------------------------------------------------------------------

PLAY_SECONDS, PLAY_SPREAD = 0.9, 0.4
CHOICE_SECONDS, CHOICE_SPREAD = 2.2, 0.8


def pause(table: str, seq: int, phase: str, *, factor: float = 1.0) -> float:
    """Return for how many seconds a bot seems to think about a move.

    Depends only on what everyone at the table knows: the table, the number of the event and the
    phase. Choices before a round take longer than plays. The factor is a setting of the table or
    the server; 0 is for tests.
    """
    usual, spread = PLAY_SECONDS, PLAY_SPREAD
    if phase != "play":
        usual, spread = CHOICE_SECONDS, CHOICE_SPREAD
    digest = hashlib.blake2b(f"{table}\n{seq}\n{phase}".encode(), digest_size=8).digest()
    part = int.from_bytes(digest) / 2**64
    return factor * (usual + spread * (2 * part - 1))


async def paced(thinking: Awaitable[Found], seconds: float, clock: Clock = SYSTEM) -> Found:
    """Wait for a move and at least for the pause.

    A move that takes longer is shown after a whole number of pauses: the real thinking time may
    depend on the cards.
    """
    begun = clock.monotonic()
    found = await thinking
    if seconds > 0:
        spent = clock.monotonic() - begun
        await clock.sleep(max(1, math.ceil(spent / seconds)) * seconds - spent)
    return found
