"""A worker process with one bot of another package in it; `python_bot.py` is the other side.

Requests come in as JSON, or pickled where JSON would not give the bot the same types as it sees in
the process of the match; answers go out as lines of JSON. What the bot prints goes to standard
error, and its standard input is empty. The worker ends when its own input does, even while the
bot thinks, and by an alarm if the bot blocks the whole interpreter.
"""

import faulthandler
import linecache
import math
import os
import pickle
import queue
import signal
import struct
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import NoneType, TracebackType
from typing import BinaryIO, cast

import msgspec

from stichwerk import own_games
from stichwerk.bots import registry
from stichwerk.bots.advice import Advice
from stichwerk.errors import BadFileError, StichwerkError, UnknownBotError, shown
from stichwerk.view import View

GRACE = 2.0  # seconds beyond the limit after which a worker ends itself
STOP_SECONDS = 0.5  # seconds for the bot's `close` once the input has ended
MOST_LINES = 12  # of a traceback
LONGEST_TEXT = 160  # of one of its lines


class Build(msgspec.Struct, tag="build", tag_field="kind"):
    """Make the bot anew, for another match; a move of it may take this many seconds."""

    id: int
    seed: int
    seconds: float


class AskMove(msgspec.Struct, tag="ask", tag_field="kind"):
    """Ask for a move for the seat of this view, or for advice."""

    id: int
    view: View
    advice: bool = False


class Close(msgspec.Struct, tag="close", tag_field="kind"):
    """Close the bot after the match; it may take this many seconds."""

    id: int
    seconds: float


class Ready(msgspec.Struct, tag="ready", tag_field="kind"):
    """The bot is loaded; what the registry says about it."""

    full_name: str
    version: int
    iterations: bool
    summary: str


class BotRefused(msgspec.Struct, tag="refused", tag_field="kind"):
    """There is no such bot, or it cannot be loaded."""

    id: str
    data: dict[str, str | int]
    unknown: bool


class WorkerReply(msgspec.Struct, omit_defaults=True):
    """The result of a request: a move, advice, something that is not a move, or an exception."""

    id: int
    move: str | None = None
    advice: Advice | None = None
    odd: str = ""
    error: str = ""
    trace: tuple[str, ...] = ()


Request = Build | AskMove | Close
SIZE = struct.Struct(">I")  # before each request


def packed(request: Request) -> bytes:
    """Encode a request."""
    if isinstance(request, AskMove) and not (
        is_json(request.view.table) and is_json(request.view.mine)
    ):
        data = pickle.dumps(request, pickle.HIGHEST_PROTOCOL)
    else:
        data = msgspec.json.encode(request)
    return SIZE.pack(len(data)) + data


def unpacked(data: bytes) -> Request:
    """Decode a request."""
    plain = data.startswith(b"{")
    request: Request = msgspec.json.decode(data, type=Request) if plain else pickle.loads(data)
    return request


def is_json(value: object) -> bool:
    """Return whether JSON preserves a value: a game may put anything on the table."""
    kind = type(value)
    if kind is list:
        return all(map(is_json, cast("list[object]", value)))
    if kind is dict:
        facts = cast("dict[object, object]", value)
        return all(type(key) is str for key in facts) and all(map(is_json, facts.values()))
    return kind in (str, int, bool, NoneType)


def main(name: str, seconds: float) -> None:
    """Load the bot within the limit, and answer until the input ends."""
    source, answers = private_pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process of the match
    faulthandler.enable()
    end_after(seconds + GRACE)
    with suppress(BadFileError):  # the match process has reported it
        own_games.load()
    requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(source, requests), daemon=True).start()
    found = loaded(name, seconds)
    say(answers, msgspec.json.encode(found if isinstance(found, BotRefused) else found.ready))
    end_after(0)
    while (request := requests.get()) is not None:
        if not isinstance(found, BotRefused):
            say(answers, found.answer(unpacked(request)))
    if not isinstance(found, BotRefused):
        with suppress(BaseException):  # nobody reads any more
            found.close()
    leave()


def private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return the pipes to the match process, out of the bot's reach."""
    source, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return source, answers


def listen(source: BinaryIO, requests: "queue.SimpleQueue[bytes | None]") -> None:
    """Read requests; at the end of the input exit soon, whatever the bot does."""
    while len(size := source.read(SIZE.size)) == SIZE.size:
        requests.put(source.read(*SIZE.unpack(size)))
    requests.put(None)
    time.sleep(STOP_SECONDS)
    leave()


def leave() -> None:
    """Exit without waiting for threads of the bot."""
    with suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(0)


def say(answers: BinaryIO, line: bytes) -> None:
    """Send a line, or exit if the match process is gone."""
    with suppress(Exception):  # the bot may have replaced it
        sys.stdout.flush()  # keep the order of the output
    try:
        answers.write(line + b"\n")
        answers.flush()
    except OSError:
        os._exit(0)


def plain(data: Mapping[str, object]) -> dict[str, str | int]:
    """Return facts of an error as JSON values."""
    return {key: value if isinstance(value, int) else str(value) for key, value in data.items()}


def loaded(name: str, seconds: float) -> "BotHost | BotRefused":
    """Import the bot; making it may take this many seconds."""
    try:
        return BotHost(*registry.find(name), seconds)
    except StichwerkError as error:
        return BotRefused(error.id, plain(error.data), isinstance(error, UnknownBotError))


class BotHost:
    """The bot and its answers."""

    def __init__(self, listing: registry.Listing, iterations: int | None, seconds: float) -> None:
        self.listing = listing
        self.iterations = iterations
        self.building = self.thinking = seconds
        self.bot: registry.Bot | None = None

    @property
    def ready(self) -> Ready:
        """Return what the registry says about the bot."""
        full_name = registry.full_name_of(self.listing, self.iterations)
        one = self.listing
        return Ready(full_name, one.version, one.iterations, one.summary)

    def answer(self, request: Request) -> bytes:
        """Carry out a request, whatever the bot does."""
        end_after(self.seconds_for(request) + GRACE)
        try:
            return msgspec.json.encode(self.done(request))
        except BaseException as error:  # also SystemExit: a bot that exits does not end the worker
            return msgspec.json.encode(raised(request.id, error))
        finally:
            end_after(0)

    def seconds_for(self, request: Request) -> float:
        """Return how long a request may take."""
        if isinstance(request, Close):
            return request.seconds
        return self.building if isinstance(request, Build) else self.thinking

    def done(self, request: Request) -> WorkerReply:
        """Carry out a request: make the bot, ask it or close it."""
        if isinstance(request, Build):
            return self.built(request)
        if isinstance(request, AskMove):
            return self.thought(request)
        self.close()
        return WorkerReply(request.id)

    def built(self, request: Build) -> WorkerReply:
        """Make the bot."""
        self.thinking = request.seconds
        self.bot = registry.built(self.listing, self.iterations, request.seed)
        return WorkerReply(request.id)

    def thought(self, request: AskMove) -> WorkerReply:
        """Ask the bot for a move or for advice."""
        assert self.bot is not None, "it is built before it is asked"
        if not request.advice:
            return chosen(request.id, self.bot.choose(request.view))
        advise = getattr(self.bot, "advise", None)
        if not callable(advise):
            return WorkerReply(request.id)
        return WorkerReply(request.id, advice=msgspec.convert(advise(request.view), Advice))

    def close(self) -> None:
        """Let the bot release what it holds."""
        bot, self.bot = self.bot, None
        if bot is not None:
            registry.close(bot)


def chosen(id: int, move: object) -> WorkerReply:
    """Return a move, if it is a text at all."""
    if isinstance(move, str):
        return WorkerReply(id, move=encodable(str.__str__(move)))
    return WorkerReply(id, odd=encodable(shown(move)) or type(move).__name__)


def raised(id: int, error: BaseException) -> WorkerReply:
    """Return what was raised and where in the bot, without the values of variables."""
    cause = (
        error.__cause__ if isinstance(error, registry.BadBotError) and error.__cause__ else error
    )
    linecache.checkcache()
    lines = traceback.format_exception(type(cause), cause, own_part(cause.__traceback__))
    shown_lines = encodable("".join(lines)).splitlines()[-MOST_LINES:]
    trace = tuple(line[:LONGEST_TEXT] for line in shown_lines)
    return WorkerReply(id, error=encodable(registry.worded(cause)), trace=trace)


def encodable(text: str) -> str:
    """Return a text that can be encoded, whatever surrogates the bot has put into it."""
    return text.encode(errors="replace").decode()


def own_part(trace: TracebackType | None) -> TracebackType | None:
    """Return the traceback from where the bot's code begins."""
    ours = (__file__, registry.__file__)
    while trace and trace.tb_next and trace.tb_frame.f_code.co_filename in ours:
        trace = trace.tb_next
    return trace


def end_after(seconds: float) -> None:
    """Have the system end this process, even inside compiled code; 0 cancels that."""
    if hasattr(signal, "alarm"):
        signal.alarm(math.ceil(seconds))
