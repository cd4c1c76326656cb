"""Bots at tables: who thinks for them outside the event loop, and how long they seem to think.

A few worker processes (`bot_worker.py`) answer one question each at a time; questions wait by fair
turns (`fair_queue.py`). A forced move takes the same way and the same time as a free one
(`think_times.py`).
Whatever a bot or its worker does, a table gets a legal move in bounded time: a worker that hangs,
dies, raises or cheats is replaced, the first listed move is played, and the log is told.
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

from stichwerk.server.bots.bot_worker import READY, Alternatives, WorkerAnswer, WorkerQuestion
from stichwerk.server.bots.fair_queue import FairQueue, Path
from stichwerk.server.bots.think_times import ThinkTimes
from stichwerk.server.clock import SYSTEM, Clock
from stichwerk.server.metrics import Metrics
from stichwerk.server.random_source import RandomSource
from stichwerk.view import View

Found = TypeVar("Found")

MOST_WORKERS = 4
USUAL_SECONDS = 10.0
START_SECONDS = 30.0  # Python and the engine are loaded before a worker is ready
LONGEST_ANSWER = 2**20
STOP_SECONDS = 1.0  # seconds to end by itself once its input is closed
KILL_SECONDS = 0.5  # seconds from the request to terminate to the kill
REAP_SECONDS = 10.0  # from the kill to giving up: only a system in trouble needs them
# `-P`: no module in the folder the server was started from takes the place of one of Python's.
COMMAND = (sys.executable, "-P", "-m", "stichwerk.server.bots.bot_worker")
NO_REQUESTER: Path = ("", "", "")
"""Who asks, as address, table and seat, where that is of no interest."""


class BotMove(msgspec.Struct, frozen=True, kw_only=True):
    """A legal move; `failed` says why it is only the first listed one, else it is None."""

    move: str
    failed: str | None = None


class BotAdvice(msgspec.Struct, frozen=True, kw_only=True):
    """A hint: the move, the id of its reason with what that speaks of, and all that was compared.

    Each alternative is a move, its value and the error of that, as in `bots/advice.py`.
    """

    move: str
    reason: str
    data: dict[str, object]
    alternatives: Alternatives


class BotFailedError(Exception):
    """No answer: `slow`, `died`, `illegal` or `error`. Never leaves this module.

    `facts` are for the log.
    """

    def __init__(self, why: str, detail: str = "", **facts: str) -> None:
        super().__init__(why)
        self.why = why
        self.facts = {key: fact for key, fact in {"detail": detail, **facts}.items() if fact}


class PoolJob:
    """A question in line, and where its answer goes."""

    def __init__(self, question: WorkerQuestion, requester: Path) -> None:
        self.question = question
        self.requester = requester
        self.asked = self.begun = 0.0  # when it was asked, and when a worker began to think
        self.line = msgspec.json.encode(question) + b"\n"
        self.answer: asyncio.Future[WorkerAnswer | BotFailedError] = (
            asyncio.get_running_loop().create_future()
        )


def default_workers() -> int:
    """A core stays free for the event loop, if there is more than one."""
    return max(1, min(MOST_WORKERS, (os.cpu_count() or 1) - 1))


def log_by_logging(event: str, **facts: object) -> None:
    """The log, where the server gives no other."""
    told = " ".join(f"{key}={value}" for key, value in facts.items())
    logging.getLogger("stichwerk.server").warning("%s %s", event, told)


# -- The pool --------------------------------------------------------------------------------------


class BotPool:
    """A bounded pool of worker processes, started when they are first needed.

    Its methods belong to one event loop, which they never block. `close` it in the end.
    """

    def __init__(
        self,
        *,
        workers: int | None = None,
        seconds: float = USUAL_SECONDS,
        log: Callable[..., None] = log_by_logging,
        command: Sequence[str] | None = None,
        clock: Clock = SYSTEM,
        chance: RandomSource | None = None,
    ) -> None:
        self.metrics = Metrics()
        """Where thoughts and failures are counted; the server puts its own here."""
        self.hide_think_time = True
        """Whether moves are delayed so that their time betrays nothing."""
        self.workers = default_workers() if workers is None else workers
        self.seconds = seconds
        self.busy = 0
        """Questions that are being thought about."""
        self._log = log
        self._clock = clock
        self._command = COMMAND if command is None else tuple(command)
        self._chance = chance or RandomSource()
        self._times = ThinkTimes()
        self._queue: FairQueue[PoolJob] = FairQueue()
        self._arrivals = asyncio.Semaphore(0)
        self._worker_tasks: set[asyncio.Task[None]] = set()
        self._asked = 0
        self._closed = False

    @property
    def waiting(self) -> int:
        """Questions that nobody thinks about yet."""
        return len(self._queue)

    def waiting_for(self, address: str) -> int:
        """How many of them an address has asked."""
        return self._queue.waiting(address)

    async def move(
        self, bot: str, seed: int, view: View, requester: Path = NO_REQUESTER
    ) -> BotMove:
        """A move for the seat of this view, which owes one: the bot's, else the first listed.

        A seat with one legal move is asked like any other: who is not asked is not delayed.
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
    ) -> BotAdvice | None:
        """What the bot would do and why; None, if it gives no advice or that failed."""
        answer = await self._answer(self._asked_by(requester, bot, seed, view, advice=True))
        if isinstance(answer, BotFailedError) or answer.move is None:
            return None
        return BotAdvice(
            move=answer.move,
            reason=answer.reason,
            data=answer.data,
            alternatives=answer.alternatives,
        )

    async def close(self) -> None:
        """End all workers. Who still waits for an answer is cancelled: nothing is played for them.

        In bounded time: a worker has a moment to leave, a moment to obey, and is killed.
        """
        self._closed = True
        for worker_task in self._worker_tasks:
            worker_task.cancel()
        while self._queue:
            self._queue.take().answer.cancel()
        await asyncio.gather(*self._worker_tasks, return_exceptions=True)

    # -- The line ----------------------------------------------------------------------------------

    def _asked_by(
        self, requester: Path, bot: str, seed: int, view: View, *, advice: bool = False
    ) -> PoolJob:
        self._asked += 1
        question = WorkerQuestion(
            id=self._asked, bot=bot, seed=seed, seconds=self.seconds, advice=advice, view=view
        )
        return PoolJob(question, requester)

    async def _answer(self, job: PoolJob) -> WorkerAnswer | BotFailedError:
        """Stand in line. Who is cancelled leaves it; a thought that has begun is finished."""
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
        """One more worker, if all are busy and there may be more."""
        idle = len(self._worker_tasks) - self.busy
        if self.waiting > idle and len(self._worker_tasks) < self.workers:
            worker_task = asyncio.create_task(self._serve())
            self._worker_tasks.add(worker_task)
            worker_task.add_done_callback(self._worker_tasks.discard)

    async def _serve(self) -> None:
        """Keep one worker busy: the next question, its answer, and so on."""
        worker = WorkerProcess(self._command, self._clock)
        try:
            while True:
                await self._arrivals.acquire()
                if self._queue:  # who asked may have left the line
                    await self._serve_one(worker, self._queue.take())
        finally:
            await worker.end()

    async def _serve_one(self, worker: "WorkerProcess", job: PoolJob) -> None:
        """Have a question answered; where that fails, the next one begins with a new process."""
        self.busy += 1
        try:
            set_answer(job, await self._ask_worker(worker, job))
        except Exception as error:  # a BotFailedError, or a fault here: no table may wait for ever
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
            job.answer.cancel()  # when the pool is closed; no harm to one that is settled

    async def _ask_worker(self, worker: "WorkerProcess", job: PoolJob) -> WorkerAnswer:
        """Ask a worker. A forced move keeps it for as long as a free one might have."""
        question = job.question
        self.metrics.thoughts.add()
        await worker.ready()
        job.begun = self._clock.monotonic()
        self.metrics.waits.observe(job.begun - job.asked)
        if question.advice:
            return await worker.answer(job)
        if len(question.view.moves) == 1:
            seconds = self._times.drawn(question.bot, question.view, self._chance.fraction)
            answer = await worker.answer(job)
            if self.hide_think_time:
                await self._until(job.begun + seconds)
            return answer
        try:
            return await worker.answer(job)
        finally:  # also when it failed: a bot that hangs hangs at forced moves, too
            spent = self._clock.monotonic() - job.begun
            self._times.note(question.bot, question.view, spent)

    async def _until(self, moment: float) -> None:
        """Wait for a moment of the clock, unless it has passed."""
        if (rest := moment - self._clock.monotonic()) > 0:
            await self._clock.sleep(rest)

    def _log_failure(self, job: PoolJob, failed: BotFailedError) -> None:
        """Which bot failed, at which game, table and seat, and how; nothing of what it saw."""
        self.metrics.failures.add()
        question, view = job.question, job.question.view
        facts: dict[str, object] = {"bot": question.bot, "game": view.game, "seat": view.seat}
        if len(job.requester) > 1 and job.requester[1]:
            facts["table"] = job.requester[1]
        facts["why"] = failed.why
        facts |= failed.facts
        with suppress(Exception):  # a log that fails must not stop the tables
            self._log("hint-failed" if question.advice else "bot-failed", **facts)


def set_answer(job: PoolJob, outcome: WorkerAnswer | BotFailedError) -> None:
    """Give a job its answer, if somebody still waits for it."""
    if not job.answer.done():
        job.answer.set_result(outcome)


# -- One worker ------------------------------------------------------------------------------------


class WorkerProcess:
    """A process that thinks, started with a question whenever there is none."""

    def __init__(self, command: Sequence[str], clock: Clock = SYSTEM) -> None:
        self.command = command
        self.clock = clock
        self.process: Process | None = None

    async def answer(self, job: PoolJob) -> WorkerAnswer:
        """The answer to a question; BotFailedError, if there is none that counts."""
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
        """The process at work."""
        if self.process is not None and has_ended(self.process):
            await self.end()
        if self.process is None:
            self.process = await started(self.command)
            if await within(self.clock, START_SECONDS, read_line(self.process)) != READY:
                raise BotFailedError("error", "not ready")
        return self.process

    def kill(self) -> None:
        """End it at once, without waiting until it is gone."""
        if self.process is not None:
            send(self.process, "kill")

    async def end(self) -> None:
        """Close its input, ask it to end, kill it, each with some patience; then forget it."""
        if self.process is None:
            return
        pipe_in(self.process).close()
        if not await ends_within(self.clock, STOP_SECONDS, self.process):
            send(self.process, "terminate")
            if not await ends_within(self.clock, KILL_SECONDS, self.process):
                send(self.process, "kill")
                await ends_within(self.clock, REAP_SECONDS, self.process)
        self.process = None  # only now: whoever is cancelled in between ends it once more


async def started(command: Sequence[str]) -> Process:
    """A new process, in a session of its own: an interrupt at the terminal is for the server.

    What it says on standard error goes nowhere: it may speak of cards.
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
    """What comes in time."""
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
    except (OSError, RuntimeError):  # it does not listen; a closed pipe is either of them
        raise BotFailedError("died") from None
    return await read_line(process)


async def read_line(process: Process) -> bytes:
    """The next whole line."""
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
    """An answer from its text."""
    try:
        return msgspec.json.decode(line, type=WorkerAnswer)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BotFailedError("error", "garbage") from None


def legal(answer: WorkerAnswer, question: WorkerQuestion) -> WorkerAnswer:
    """An answer with a listed move; without any, if advice was asked for and there is none."""
    if answer.move in question.view.moves or (question.advice and answer.move is None):
        return answer
    raise BotFailedError("illegal")


def has_ended(process: Process) -> bool:
    """Whether it is gone, or will not say anything any more."""
    return process.returncode is not None or pipe_out(process).at_eof()


async def ends_within(clock: Clock, seconds: float, process: Process) -> bool:
    """Whether it is gone in this time, with its last words read: only then its pipes close."""
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
    """Terminate or kill it, and what it may have started."""
    with suppress(ProcessLookupError, PermissionError):
        if process.returncode is not None:
            return
        if os.name != "posix":
            getattr(process, order)()
        else:
            numbers = {"terminate": signal.SIGTERM, "kill": signal.SIGKILL}
            os.killpg(process.pid, numbers[order])


def pipe_in(process: Process) -> asyncio.StreamWriter:
    """Its standard input."""
    assert process.stdin is not None
    return process.stdin


def pipe_out(process: Process) -> asyncio.StreamReader:
    """Its standard output."""
    assert process.stdout is not None
    return process.stdout


# -- A human pace ----------------------------------------------------------------------------------

PLAY_SECONDS, PLAY_SPREAD = 0.9, 0.4
CHOICE_SECONDS, CHOICE_SPREAD = 2.2, 0.8


def pause(table: str, seq: int, phase: str, *, factor: float = 1.0) -> float:
    """For how many seconds a bot seems to think about a move.

    By what everyone at the table knows, and nothing else: the table, the number of the event and
    the phase. Choices before the round take longer than plays. The factor is a setting of the
    table or the server; 0 is for tests.
    """
    usual, spread = PLAY_SECONDS, PLAY_SPREAD
    if phase != "play":
        usual, spread = CHOICE_SECONDS, CHOICE_SPREAD
    digest = hashlib.blake2b(f"{table}\n{seq}\n{phase}".encode(), digest_size=8).digest()
    part = int.from_bytes(digest) / 2**64
    return factor * (usual + spread * (2 * part - 1))


async def paced(thinking: Awaitable[Found], seconds: float, clock: Clock = SYSTEM) -> Found:
    """A thought, and with it the pause.

    A thought that takes longer is shown after whole pauses only: how long a bot really thinks
    may depend on its cards.
    """
    begun = clock.monotonic()
    found = await thinking
    if seconds > 0:
        spent = clock.monotonic() - begun
        await clock.sleep(max(1, math.ceil(spent / seconds)) * seconds - spent)
    return found
