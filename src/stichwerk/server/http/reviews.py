"""Reviews of finished matches, each computed by a worker process (`stichwerk.review.worker`) and
cached for a while. A client receives the progress and asks again.

Two reviews run at a time, one per address, so that one client's long reviews do not block
another's. The others wait; the address served longest ago is next.
"""

import asyncio
import hashlib
import sys
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from stichwerk.record import decode
from stichwerk.server import wire
from stichwerk.server.bots.bot_pool import (
    BotFailedError,
    WorkerProcess,
    pipe_in,
    read_line,
    started,
    within,
)
from stichwerk.server.http.responses import (
    AGAIN_AFTER,
    ServerBusyError,
    address,
    json,
    language,
    seat_of,
)
from stichwerk.server.network.limits import counted_as
from stichwerk.server.tables.lobby import TableLobby

COMMAND = (sys.executable, "-P", "-m", "stichwerk.review.worker")
MOST_KEPT = 32
MOST_FAILED = 32  # remembered until someone asks again
SILENCE = 180.0  # seconds without output from the worker before it is given up
LONGEST = 600.0  # seconds for a complete review
SLOTS = 2
MOST_WAITING = 32
MOST_WAITING_EACH = 4  # per address
PATIENCE = 60.0  # seconds without a request before a review is abandoned

Found = dict[str, wire.Review]


class ReviewStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the worker: its progress, the result by language, or why there is none."""

    done: int = 0
    of: int = 0
    found: Found | None = None
    error: str | None = None


class ReviewJob:
    """A review in progress or waiting."""

    def __init__(self, key: str, request: bytes, address: str) -> None:
        self.key = key
        self.request = request
        self.address = address
        self.asked = 0.0  # when a client last asked for it
        self.done = self.of = 0
        self.task: asyncio.Task[None] | None = None


class Reviews:
    """Computes reviews and caches the last ones. `close` it at the end."""

    def __init__(
        self,
        lobby: TableLobby,
        *,
        command: Sequence[str] = COMMAND,
        silence: float = SILENCE,
        longest: float = LONGEST,
    ) -> None:
        self.lobby = lobby
        self.command = command
        self.silence = silence
        self.longest = longest
        self.kept: OrderedDict[str, Found] = OrderedDict()
        self.failed: OrderedDict[str, None] = OrderedDict()
        self.running: dict[str, ReviewJob] = {}
        self.waiting: dict[str, ReviewJob] = {}
        self._served: OrderedDict[str, None] = OrderedDict()  # addresses, most recent last
        self._closed = False

    async def review(self, request: Request) -> Response:
        """Return the review of a match, or its progress."""
        match = request.path_params["id"]
        raw = await self.lobby.record(match)
        seat = seat_of(request, decode(raw).seats)
        key = hashlib.sha256(f"{match} {seat} ".encode() + raw).hexdigest()
        if key in self.kept:
            self.kept.move_to_end(key)
            return json(self.kept[key][language(request)])
        if key in self.failed:
            del self.failed[key]  # asking again starts another attempt
            raise ServerBusyError("review-failed")
        work = self._wanted(key, match, raw, seat, counted_as(address(request)))
        answer = json(wire.ReviewProgress(done=work.done, of=work.of), 202)
        answer.headers["retry-after"] = AGAIN_AFTER
        return answer

    async def close(self) -> None:
        """Stop reviews in progress, in bounded time, as stopping a worker is bounded."""
        self._closed = True
        self.waiting.clear()
        tasks = [work.task for work in self.running.values() if work.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # -- The queue ---------------------------------------------------------------------------------

    def _wanted(
        self, key: str, match: str, raw: bytes, seat: int | None, requester: str
    ) -> ReviewJob:
        """Return the work on this review; start or queue it if necessary."""
        work = self.running.get(key) or self.waiting.get(key)
        if work is None:
            self._give_up_abandoned()
            of_asker = sum(one.address == requester for one in self.waiting.values())
            full = len(self.waiting) >= MOST_WAITING or of_asker >= MOST_WAITING_EACH
            if full or self._closed:
                raise ServerBusyError("review-busy")
            request_data = {"match": match, "record": raw.decode(), "seat": seat}
            work = self.waiting[key] = ReviewJob(key, msgspec.json.encode(request_data), requester)
        work.asked = self.lobby.clock.monotonic()
        self._begin_next()
        return work

    def _give_up_abandoned(self) -> None:
        edge = self.lobby.clock.monotonic() - PATIENCE
        for key in [key for key, work in self.waiting.items() if work.asked < edge]:
            del self.waiting[key]

    def _begin_next(self) -> None:
        """Fill the slots: one review per address."""
        self._give_up_abandoned()
        while len(self.running) < SLOTS:
            busy = {work.address for work in self.running.values()}
            ready = [work for work in self.waiting.values() if work.address not in busy]
            if not ready:
                return
            served = {address: turn for turn, address in enumerate(self._served)}
            work = min(ready, key=lambda one: served.get(one.address, -1))
            del self.waiting[work.key]
            self.running[work.key] = work
            self._note_served(work.address)
            work.task = asyncio.create_task(self._make(work))
            # A task that is cancelled before it runs never reaches its own end.
            work.task.add_done_callback(partial(self._ended, work))

    def _note_served(self, address: str) -> None:
        self._served[address] = None
        self._served.move_to_end(address)
        if len(self._served) > MOST_WAITING:
            self._served.popitem(last=False)

    def _ended(self, work: ReviewJob, _: object = None) -> None:
        if self.running.get(work.key) is work:
            del self.running[work.key]
            self._begin_next()

    # -- One review --------------------------------------------------------------------------------

    async def _make(self, work: ReviewJob) -> None:
        """Compute a review and cache it."""
        try:
            async with self.lobby.clock.timeout(self.longest):
                self._keep(work.key, await self._found(work))
        except Exception as error:  # a BotFailedError, the timeout, or a bug here
            self.lobby.log.warn("review-failed", why=why_of(error))
            self.failed[work.key] = None
            while len(self.failed) > MOST_FAILED:
                self.failed.popitem(last=False)
        finally:
            self._ended(work)

    async def _found(self, work: ReviewJob) -> Found:
        """Return the worker's result, and note its progress meanwhile."""
        clock = self.lobby.clock
        worker = WorkerProcess(self.command, clock)
        try:
            worker.process = await started(self.command)
            pipe_in(worker.process).write(work.request + b"\n")
            while True:
                line = await within(clock, self.silence, read_line(worker.process))
                said = read_said(line)
                if said.error is not None:
                    raise BotFailedError("error", said.error)
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
    """Return what went wrong, for the log."""
    if isinstance(error, BotFailedError):
        return error.why
    return "slow" if isinstance(error, TimeoutError) else "error"


def read_said(line: bytes) -> ReviewStatus:
    """Parse a line of the worker."""
    try:
        said = msgspec.json.decode(line, type=ReviewStatus)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BotFailedError("error", "garbage") from None
    if said.found is not None and set(said.found) != {"de", "en"}:
        raise BotFailedError("error", "languages")
    return said
