"""Worker processes for tests: real ones and fake ones."""

import asyncio
import gc
import os
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

import stichwerk
from stichwerk.server.bots.bot_pool import (
    KILL_SECONDS,
    STOP_SECONDS,
    BotPool,
)
from stichwerk.server.bots.bot_worker import WorkerQuestion
from stichwerk.view import View
from tests.server.manual_clock import ManualClock, until

Found = TypeVar("Found")


# A worker that behaves as the bot's name says. Its advice says which process it is. With
# `gate:FOLDER` it makes a file there and waits for another, which the test makes: see `Gate`.
FAKE = """
import json, os, sys, time
print("ready", flush=True)
for line in sys.stdin:
    question = json.loads(line)
    bot, moves = question["bot"], question["view"]["moves"]
    answer = {"id": question["id"], "move": moves[-1]}
    reason = {"id": "r", "data": {"pid": os.getpid()}}
    if bot == "sleep": time.sleep(1000)
    if bot == "die": os._exit(3)
    if bot == "die-later":
        print(json.dumps({**answer, "reason": reason}), flush=True)
        os._exit(0)
    if bot == "illegal": answer["move"] = "X99"
    if bot == "none": del answer["move"]
    if bot == "error": answer["error"] = "ValueError in bot.py:1"
    if bot == "wrong-id": answer["id"] += 1
    if bot == "large": answer["alternatives"] = [{"move": moves[0], "value": 1.0}] * 5000
    if bot == "endless": print("x" * 3_000_000)
    if bot.startswith("gate:"):
        begun, opened = (f"{bot[5:]}/{word}-{answer['id']}" for word in ("begun", "opened"))
        open(begun, "w").close()
        end = time.monotonic() + 60
        while not os.path.exists(opened):
            if time.monotonic() > end: os._exit(4)
            time.sleep(0.002)
    if question["advice"] and bot != "mute": answer["reason"] = reason
    if question["advice"] and bot == "mute": del answer["move"]
    print("{]" if bot == "garbage" else json.dumps(answer), flush=True)
"""

FAKE_COMMAND = (sys.executable, "-S", "-c", FAKE)

SECONDS = 20.0  # for a move, by the manual clock: unlike any other time-out of the pool


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    """After each test all workers are gone, waited for, and no pipe is open."""
    gc.collect()
    before, pipes = children(), open_pipes()
    yield
    gc.collect()
    assert children() <= before
    assert open_pipes() <= pipes


def children(pid: str = "self") -> set[int]:
    """Return the child processes of a process that are not reaped, if the system tells."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return {int(child) for task in tasks for child in task.read_text().split()}


def open_pipes() -> set[str]:
    """Return the open pipes of this process, if the system tells."""
    folder = Path("/proc/self/fd")
    links = list(folder.iterdir()) if folder.exists() else []
    return {target for link in links if (target := target_of(link)).startswith("pipe:")}


def target_of(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:  # closed while we looked: the folder itself was read through one
        return ""


class Log(list[dict[str, object]]):
    """What was logged."""

    def __call__(self, event: str, **facts: object) -> None:
        self.append({"event": event, **facts})


def with_pool(work: Callable[[BotPool], Coroutine[Any, Any, Found]], **settings: Any) -> Found:
    """Do something with a pool that is closed afterwards."""

    async def run() -> Found:
        clock = settings.pop("clock", ManualClock())
        pool = BotPool(clock=clock, **settings)
        async with asyncio.timeout(600):
            try:
                found = await work(pool)
            except BaseException:
                await closed(pool, clock)  # a worker may hang
                raise
            await pool.close()
            return found

    return asyncio.run(run())


def with_fakes(
    work: Callable[[BotPool], Coroutine[Any, Any, Found]], **settings: Any
) -> tuple[Found, Log]:
    """Return the same with workers that misbehave on request."""
    log = Log()
    usual: dict[str, Any] = {"workers": 1, "seconds": SECONDS, "command": FAKE_COMMAND, "log": log}
    return with_pool(work, **(usual | settings)), log


class Gate:
    """Lets fake workers answer one by one; questions are counted from 1."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bot = f"gate:{folder}"

    async def begun(self, *questions: int) -> None:
        """Wait until workers think about just these, or have done so."""

        def found() -> set[int]:
            return {int(file.name[6:]) for file in self.folder.glob("begun-*")}

        await until(lambda: found() == set(questions), f"the beginning of {questions}")

    def open(self, question: int) -> None:
        """Let this one be answered."""
        (self.folder / f"opened-{question}").touch()


def some_view() -> View:
    """Return a seat that may play any of fifteen cards as its pain card."""
    return stichwerk.game("sticheln", seats=4).new(seed=1).view(0)


VIEW = some_view()

FIRST, LAST = VIEW.moves[0], VIEW.moves[-1]


async def worker_pid(pool: BotPool) -> object:
    """Return which process the only fake worker is."""
    counsel = await pool.advise("honest", 0, VIEW)
    assert counsel is not None
    return counsel.reason.data["pid"]


# -- The end ---------------------------------------------------------------------------------------


async def closed(pool: BotPool, clock: ManualClock) -> None:
    """Close a pool; time passes as soon as it waits for workers to end by themselves."""
    closing = asyncio.create_task(pool.close())

    def is_done() -> bool:
        if any(timer.seconds in (STOP_SECONDS, KILL_SECONDS) for timer in clock.timers):
            clock.advance(KILL_SECONDS)
        return closing.done()

    await until(is_done, "the end of the workers")
    await closing


def has_ended(pid: int) -> bool:
    """Return whether a process is gone, or is a zombie."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except (ProcessLookupError, FileNotFoundError):
        return True


def question(id: int, bot: str, seconds: float = 600) -> bytes:
    asked = WorkerQuestion(id=id, bot=bot, seed=1, seconds=seconds, view=VIEW)
    return msgspec.json.encode(asked) + b"\n"
