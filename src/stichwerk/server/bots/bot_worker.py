"""A worker process that computes bot moves: `python -m stichwerk.server.bots.bot_worker`.

It reads one question per line and writes one answer per line, as JSON; `bot_pool.py` is the other
side. It exits when its input is closed for any reason, so that no worker outlives its server.
"""

import math
import os
import queue
import signal
import sys
import threading
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from stichwerk import bots, own_games
from stichwerk.bots.advice import Advice, AdviceReason, Alternative
from stichwerk.bots.registry import PROGRAM, BadBotError
from stichwerk.errors import BadFileError, BadGameError
from stichwerk.view import View

READY = b"ready\n"
KEPT = 16  # cached bots; they are cheap to build, but a search needs memory
NICENESS = 5
GRACE = 2  # seconds beyond the limit, after which a worker ends itself if nobody else did

NO_REASON = AdviceReason("")


class WorkerQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A request for a move for this view's seat, or for advice with a reason."""

    id: int
    bot: str
    seed: int
    seconds: float
    """How long the pool waits for an answer."""
    advice: bool = False
    view: View


class WorkerAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A move, as advice with its reason; or what went wrong, without a word about cards.

    Neither of them: this bot gives no advice.
    """

    id: int
    move: str | None = None
    reason: AdviceReason = NO_REASON
    contrast: AdviceReason | None = None
    alternatives: tuple[Alternative, ...] = ()
    error: str | None = None
    game_fault: str = ""
    """The id of a `BadGameError`; `method` names the game's methods to look at."""
    method: str = ""


def main() -> None:
    """Answer questions until the input ends."""
    answers = reserve_stdout()
    set_up_process()
    with suppress(BadFileError):  # the server has reported it; other games work
        own_games.load()
    questions: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(sys.stdin.buffer, questions), daemon=True).start()
    say(answers, READY)
    cache = BotCache()
    while True:
        say(answers, cache.answer(questions.get()) + b"\n")


def reserve_stdout() -> BinaryIO:
    """Return the real standard output; everything else printed here, such as by a bot, is
    discarded."""
    answers = os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    return answers


def set_up_process() -> None:
    """Leave Ctrl-C to the server, and give the server priority when resources are short."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)


def listen(source: BinaryIO, questions: "queue.SimpleQueue[bytes]") -> None:
    """Read questions; exit at once at the end of the input, even while a bot is thinking."""
    for line in source:
        questions.put(line)
    os._exit(0)


def say(answers: BinaryIO, line: bytes) -> None:
    """Write a line; exit if nobody reads it any more."""
    try:
        answers.write(line)
        answers.flush()
    except OSError:
        os._exit(0)


class BotCache:
    """The most recently used bots, each with its seed, and their answers."""

    def __init__(self) -> None:
        self.kept: OrderedDict[tuple[str, int], bots.Bot] = OrderedDict()

    def answer(self, line: bytes) -> bytes:
        """Return the answer to a question, whatever the bot does, unless it takes too long."""
        question = msgspec.json.decode(line, type=WorkerQuestion)
        end_after(question.seconds + GRACE)
        try:
            return msgspec.json.encode(self.think(question))
        except Exception as error:  # a bot may raise anything
            return msgspec.json.encode(failure(question.id, error))
        finally:
            end_after(0)

    def think(self, question: WorkerQuestion) -> WorkerAnswer:
        """Ask the bot."""
        bot = self.bot(question.bot, question.seed)
        if not question.advice:
            return WorkerAnswer(id=question.id, move=bot.choose(question.view))
        advise = getattr(bot, "advise", None)
        if advise is None:
            return WorkerAnswer(id=question.id)
        return advised(question.id, advise(question.view))

    def bot(self, name: str, seed: int) -> bots.Bot:
        """Return a cached bot, or a new one."""
        key = (name, seed)
        if key not in self.kept:
            self.kept[key] = build(name, seed)
            if len(self.kept) > KEPT:
                _, oldest = self.kept.popitem(last=False)
                bots.close(oldest)
        self.kept.move_to_end(key)
        return self.kept[key]


def build(name: str, seed: int) -> bots.Bot:
    """Build a bot of the registry. No programs: a name from the network must not run commands."""
    if name.startswith(PROGRAM):
        raise BadBotError("no-programs-here")
    return bots.build(name, seed)


def advised(id: int, advice: Advice) -> WorkerAnswer:
    """Return advice as an answer."""
    return WorkerAnswer(
        id=id,
        move=advice.move,
        reason=advice.reason,
        contrast=advice.contrast,
        alternatives=advice.alternatives,
    )


def fault(error: BaseException) -> str:
    """Return what was raised and where. Not its text, which may contain cards."""
    trace: Any = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    file = Path(trace.tb_frame.f_code.co_filename).name
    return f"{type(error).__name__} in {file}:{trace.tb_lineno}"


def failure(id: int, error: BaseException) -> WorkerAnswer:
    """Return a failure as an answer; for a broken game also its fault and the methods to look
    at."""
    if not isinstance(error, BadGameError):
        return WorkerAnswer(id=id, error=fault(error))
    method = str(error.data.get("method", ""))
    return WorkerAnswer(id=id, error=fault(error), game_fault=error.id, method=method)


def end_after(seconds: float) -> None:
    """Have the system end this process, even in compiled code; 0 cancels that.

    The server ends a worker that hangs. This is for the case that the server itself is gone.
    """
    if hasattr(signal, "alarm"):
        signal.alarm(math.ceil(seconds))


if __name__ == "__main__":
    main()
