"""A worker process that thinks for bots: `python -m stichwerk.server.bots.bot_worker`.

One question a line comes in, one answer a line goes out, as JSON; `bot_pool.py` is the other side.
It ends by itself when its input is closed, however that came about: no server, no worker.
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
from stichwerk.bots.advice import Advice
from stichwerk.bots.registry import PROGRAM, BadBotError
from stichwerk.errors import BadFileError, BadGameError
from stichwerk.view import View

READY = b"ready\n"
KEPT = 16  # bots that stay built; one more or less costs little, but a search holds memory
NICENESS = 5
GRACE = 2  # seconds beyond the limit, after which a worker ends itself if nobody else did

Alternatives = tuple[tuple[str, float | None, float | None], ...]
"""Moves, each with its value and the error of that; both None from bots that do not look ahead."""


class WorkerQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A move for the seat of this view, please; or advice, with a reason."""

    id: int
    bot: str
    seed: int
    seconds: float
    """How long an answer will be waited for."""
    advice: bool = False
    view: View


class WorkerAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A move, as advice with its reason; or what went wrong, told without a word about cards.

    Neither of them: this bot gives no advice.
    """

    id: int
    move: str | None = None
    reason: str = ""
    data: dict[str, object] = {}
    alternatives: Alternatives = ()
    error: str | None = None
    game_fault: str = ""
    """The id of a `BadGameError`, and in `method` the methods of the game to look at."""
    method: str = ""


def main() -> None:
    """Answer until the input ends."""
    answers = reserve_stdout()
    set_up_process()
    with suppress(BadFileError):  # the server has said what is wrong with it; other games go on
        own_games.load()
    questions: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(sys.stdin.buffer, questions), daemon=True).start()
    say(answers, READY)
    cache = BotCache()
    while True:
        say(answers, cache.answer(questions.get()) + b"\n")


def reserve_stdout() -> BinaryIO:
    """The real output; whatever else is printed here, by a bot say, goes nowhere."""
    answers = os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    return answers


def set_up_process() -> None:
    """Ctrl-C is for the server, and the server goes first when there is not enough for all."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)


def listen(source: BinaryIO, questions: "queue.SimpleQueue[bytes]") -> None:
    """Take questions in; at the end of the input leave at once, even in the middle of a thought."""
    for line in source:
        questions.put(line)
    os._exit(0)


def say(answers: BinaryIO, line: bytes) -> None:
    """Send a line; exit if nobody reads it any more."""
    try:
        answers.write(line)
        answers.flush()
    except OSError:
        os._exit(0)


class BotCache:
    """The bots that were asked last, each with its seed, and their answers."""

    def __init__(self) -> None:
        self.kept: OrderedDict[tuple[str, int], bots.Bot] = OrderedDict()

    def answer(self, line: bytes) -> bytes:
        """The answer to a question, whatever the bot does, unless it takes too long."""
        question = msgspec.json.decode(line, type=WorkerQuestion)
        end_after(question.seconds + GRACE)
        try:
            return msgspec.json.encode(self.think(question))
        except Exception as error:  # whatever a bot may raise
            return msgspec.json.encode(failure(question.id, error))
        finally:
            end_after(0)

    def think(self, question: WorkerQuestion) -> WorkerAnswer:
        """What the bot says."""
        bot = self.bot(question.bot, question.seed)
        if not question.advice:
            return WorkerAnswer(id=question.id, move=bot.choose(question.view))
        advise = getattr(bot, "advise", None)
        if advise is None:
            return WorkerAnswer(id=question.id)
        return advised(question.id, advise(question.view))

    def bot(self, name: str, seed: int) -> bots.Bot:
        """A bot as it was left, or a new one."""
        key = (name, seed)
        if key not in self.kept:
            self.kept[key] = build(name, seed)
            if len(self.kept) > KEPT:
                _, oldest = self.kept.popitem(last=False)
                bots.close(oldest)
        self.kept.move_to_end(key)
        return self.kept[key]


def build(name: str, seed: int) -> bots.Bot:
    """A bot of the registry. No programs: a name that came over the wire must not run commands."""
    if name.startswith(PROGRAM):
        raise BadBotError("no-programs-here")
    return bots.build(name, seed)


def advised(id: int, advice: Advice) -> WorkerAnswer:
    """Advice as an answer."""
    compared = tuple((one.move, one.value, one.error) for one in advice.alternatives)
    reason = advice.reason
    return WorkerAnswer(
        id=id, move=advice.move, reason=reason.id, data=reason.data, alternatives=compared
    )


def fault(error: BaseException) -> str:
    """What was raised and where. Not its text, which may speak of cards."""
    trace: Any = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    file = Path(trace.tb_frame.f_code.co_filename).name
    return f"{type(error).__name__} in {file}:{trace.tb_lineno}"


def failure(id: int, error: BaseException) -> WorkerAnswer:
    """What went wrong, as an answer; of a broken game also its fault and the methods to look at."""
    if not isinstance(error, BadGameError):
        return WorkerAnswer(id=id, error=fault(error))
    method = str(error.data.get("method", ""))
    return WorkerAnswer(id=id, error=fault(error), game_fault=error.id, method=method)


def end_after(seconds: float) -> None:
    """Have the system end this process, even in the middle of compiled code; 0: not any more.

    The server ends a worker that hangs. This is for when the server itself is gone.
    """
    if hasattr(signal, "alarm"):
        signal.alarm(math.ceil(seconds))


if __name__ == "__main__":
    main()
