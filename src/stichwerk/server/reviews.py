"""Reviews of finished matches: made by a process of its own (`stichwerk.review.worker`), one at a
time, and kept for a while. Whoever asks is told how far it is, and asks again."""

import asyncio
import hashlib
import sys
from collections import OrderedDict
from collections.abc import Sequence

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from stichwerk.record import decode
from stichwerk.server import wire
from stichwerk.server.answers import AGAIN_AFTER, Busy, json, language, seat_of
from stichwerk.server.hall import Hall
from stichwerk.server.thinkers import Failed, Worker, pipe_in, read_line, started, within

COMMAND = (sys.executable, "-P", "-m", "stichwerk.review.worker")
MOST_KEPT = 32
MOST_FAILED = 32  # that are remembered until someone asks again
SILENCE = 180.0  # seconds without a word from the process, then it is given up
LONGEST = 600.0  # seconds for a whole review

Found = dict[str, wire.Review]


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the process: how far it is, what was found by language, or why nothing was."""

    done: int = 0
    of: int = 0
    found: Found | None = None
    error: str | None = None


class Work:
    """A review that is being made."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.done = self.of = 0
        self.task: asyncio.Task[None] | None = None


class Reviews:
    """Makes reviews and keeps the last ones. `close` it in the end."""

    def __init__(
        self,
        hall: Hall,
        *,
        command: Sequence[str] = COMMAND,
        silence: float = SILENCE,
        longest: float = LONGEST,
    ) -> None:
        self.hall = hall
        self.command = command
        self.silence = silence
        self.longest = longest
        self.kept: OrderedDict[str, Found] = OrderedDict()
        self.failed: OrderedDict[str, None] = OrderedDict()
        self.work: Work | None = None
        self._closed = False

    async def review(self, request: Request) -> Response:
        """What the moves of a match cost; until that is known, how far it is."""
        match = request.path_params["id"]
        raw = await self.hall.record(match)
        seat = seat_of(request, decode(raw).seats)
        key = hashlib.sha256(f"{match} {seat} ".encode() + raw).hexdigest()
        if key in self.kept:
            self.kept.move_to_end(key)
            return json(self.kept[key][language(request)])
        if key in self.failed:
            del self.failed[key]  # who asks again gets another attempt
            raise Busy("review-failed")
        work = self._at_work(key, match, raw, seat)
        answer = json(wire.ReviewProgress(done=work.done, of=work.of), 202)
        answer.headers["retry-after"] = AGAIN_AFTER
        return answer

    async def close(self) -> None:
        """End what is being made. In bounded time, as the worker's end is."""
        self._closed = True
        if self.work is not None and self.work.task is not None:
            self.work.task.cancel()
            await asyncio.gather(self.work.task, return_exceptions=True)

    def _at_work(self, key: str, match: str, raw: bytes, seat: int | None) -> Work:
        """The work on this review, begun now if nobody else is served."""
        if self.work is not None and self.work.key == key:
            return self.work
        if self.work is not None or self._closed:
            raise Busy("review-busy")
        wish = {"match": match, "record": raw.decode(), "seat": seat}
        self.work = Work(key)
        self.work.task = asyncio.create_task(self._make(self.work, msgspec.json.encode(wish)))
        return self.work

    async def _make(self, work: Work, wish: bytes) -> None:
        """Have it made; whatever goes wrong, the next one can begin."""
        try:
            async with self.hall.clock.timeout(self.longest):
                self._keep(work.key, await self._found(work, wish))
        except Exception as error:  # a Failed, the timeout, or a fault here
            self.hall.log.warn("review-failed", why=why_of(error))
            self.failed[work.key] = None
            while len(self.failed) > MOST_FAILED:
                self.failed.popitem(last=False)
        finally:
            self.work = None

    async def _found(self, work: Work, wish: bytes) -> Found:
        """What the process finds, while it says how far it is."""
        clock = self.hall.clock
        worker = Worker(self.command, clock)
        try:
            worker.process = await started(self.command)
            pipe_in(worker.process).write(wish + b"\n")
            while True:
                line = await within(clock, self.silence, read_line(worker.process))
                said = read_said(line)
                if said.error is not None:
                    raise Failed("error", said.error)
                if said.found is not None:
                    return said.found
                work.done, work.of = max(work.done, said.done), said.of
        finally:
            worker.kill()
            await worker.end()

    def _keep(self, key: str, found: Found) -> None:
        self.kept[key] = found
        while len(self.kept) > MOST_KEPT:
            self.kept.popitem(last=False)


def why_of(error: Exception) -> str:
    """What went wrong, for the log."""
    if isinstance(error, Failed):
        return error.why
    return "slow" if isinstance(error, TimeoutError) else "error"


def read_said(line: bytes) -> Said:
    """A line of the process."""
    try:
        said = msgspec.json.decode(line, type=Said)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Failed("error", "garbage") from None
    if said.found is not None and set(said.found) != {"de", "en"}:
        raise Failed("error", "languages")
    return said
