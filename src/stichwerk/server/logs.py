"""Logs: one JSON object per line, or a short human form on a terminal. Never a secret.

Tokens, seeds, cards, chat and names must not get into a log by accident. So a log accepts only the
fields listed here, each with values of one kind, and of exceptions only their class and where they
were raised: their texts may contain anything.
"""

import json
import logging
import math
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import PurePath
from threading import Lock
from typing import Literal, TextIO

from stichwerk.errors import StichwerkError
from stichwerk.server.clock import SYSTEM, Clock
from stichwerk.server.network.limits import TokenBucket, shortened

Level = Literal["info", "warn", "error"]
Shown = int | float | bool | str | list[str]

MOST_LINES = 300  # at once, or per minute: strangers must not be able to fill the disk
DEEPEST = 12  # frames of a traceback
FOREIGN = ("uvicorn", "uvicorn.error", "asyncio", "websockets", "starlette", "concurrent.futures")
_WORD = re.compile(r"[a-z]+[0-9]?(-[a-z0-9]+)*")
_RAISED = re.compile(r"([A-Za-z]+)(?: in [a-z_]{1,40}\.py:[0-9]{1,6})?")
_METHODS = re.compile(r"[a-z]+(_[a-z]+)*(, [a-z]+(_[a-z]+)*)*")
_VERSION = re.compile(r"[0-9]+(\.[0-9a-z+]+){0,4}")


class BadFieldError(ValueError):
    """A field that must not get into a log."""


# -- Kinds of values -------------------------------------------------------------------------------


def whole(value: object) -> int:
    """Check a count; too small to be a seed or a key."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**40:
        return value
    raise BadFieldError


def seconds(value: object) -> float:
    """Check a time, and round it to the microsecond."""
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return round(float(value), 6)
    raise BadFieldError


def yes_no(value: object) -> bool:
    """Check a boolean."""
    if isinstance(value, bool):
        return value
    raise BadFieldError


def word(value: object) -> str:
    """Check one of our own words: the id of an error, a type of message, a game, a level."""
    if isinstance(value, str) and len(value) <= 40 and _WORD.fullmatch(value):
        return value
    raise BadFieldError


def version(value: object) -> str:
    """Check a version number."""
    if isinstance(value, str) and len(value) <= 40 and _VERSION.fullmatch(value):
        return value
    raise BadFieldError


def class_name(value: object) -> str:
    """Check the name of an existing exception class: no secret can look like one."""
    if isinstance(value, str) and any(kind.__name__ == value for kind in _kinds(BaseException)):
        return value
    raise BadFieldError


def raised(value: object) -> str:
    """Check an exception class with the file and line where it was raised."""
    found = _RAISED.fullmatch(value) if isinstance(value, str) else None
    if found and class_name(found[1]):
        return found[0]
    raise BadFieldError


def methods(value: object) -> str:
    """Check names of a game's methods: no card looks like one."""
    if isinstance(value, str) and len(value) <= 80 and _METHODS.fullmatch(value):
        return value
    raise BadFieldError


def _kinds(kind: type[BaseException]) -> Iterator[type[BaseException]]:
    """Yield an exception class and all its subclasses."""
    yield kind
    for narrower in kind.__subclasses__():
        yield from _kinds(narrower)


def mark(value: object) -> str:
    """Return a hash of a table id, as knowing the id itself is enough to join the table."""
    if isinstance(value, str):
        return sha256(value.encode("utf-8", "replace")).hexdigest()[:8]
    raise BadFieldError


def address(value: object) -> str:
    """Return a shortened address."""
    if value is None or isinstance(value, str):
        return shortened(value)
    raise BadFieldError


FIELDS: Mapping[str, Callable[[object], Shown]] = {
    "address": address,
    "batch": whole,
    "bot": word,
    "bytes": whole,
    "code": whole,
    "count": whole,
    "days": whole,
    "deleted": whole,
    "detail": raised,
    "entries": whole,
    "error": word,
    "exception": class_name,
    "game": word,
    "kind": word,
    "lag": seconds,
    "level": word,
    "line": whole,
    "match": mark,
    "matches": whole,
    "messages": whole,
    "method": methods,
    "pid": whole,
    "ply": whole,
    "point": word,
    "port": whole,
    "public": yes_no,
    "schema": whole,
    "seat": whole,
    "seats": whole,
    "seconds": seconds,
    "signal": whole,
    "sockets": whole,
    "stage": word,
    "status": whole,
    "table": mark,
    "tables": whole,
    "version": version,
    "why": word,
    "workers": whole,
}
"""The allowed fields and their kinds."""


# -- The log ---------------------------------------------------------------------------------------


class Log:
    """Writes events to a stream, standard error by default; thread-safe.

    `strict` (in tests): a field that is not allowed raises an error. Otherwise it is left out, and
    `dropped` says how many were.
    """

    def __init__(
        self,
        stream: TextIO | None = None,
        *,
        human: bool | None = None,
        strict: bool = False,
        clock: Clock = SYSTEM,
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._human = is_terminal(self._stream) if human is None else human
        self._strict = strict
        self._clock = clock
        self._rate = TokenBucket(MOST_LINES, 60)
        self._unsaid = 0
        self._lock = Lock()

    def info(self, event: str, **fields: object) -> None:
        """Log something worth knowing."""
        self._tell("info", event, fields)

    def warn(self, event: str, **fields: object) -> None:
        """Log something odd that was handled."""
        self._tell("warn", event, fields)

    def error(
        self, event: str, exception: BaseException | None = None, /, **fields: object
    ) -> None:
        """Log a failure; of the exception only its class and where it was raised."""
        self._tell("error", event, fields, exception)

    def _tell(
        self,
        level: Level,
        event: str,
        fields: Mapping[str, object],
        exception: BaseException | None = None,
    ) -> None:
        self.write(
            level, {"event": self._event(event), **self._allowed(fields), **shown(exception)}
        )

    def write(self, level: Level, fields: dict[str, Shown]) -> None:
        """Write fields that are known to contain no secret."""
        with self._lock, suppress(OSError, ValueError):  # nobody reads it: carry on
            if not self._rate.allow(self._clock.monotonic()):
                self._unsaid += 1
                return
            if self._unsaid:
                fields["suppressed"], self._unsaid = self._unsaid, 0
            moment = datetime.fromtimestamp(self._clock.milliseconds() / 1000, UTC)
            written = (for_people if self._human else for_programs)(moment, level, fields)
            self._stream.write(written + "\n")
            self._stream.flush()

    def _event(self, event: str) -> str:
        try:
            return word(event)
        except BadFieldError:
            if self._strict:
                raise BadFieldError("an event is a word with hyphens") from None
            return "unnamed"

    def _allowed(self, fields: Mapping[str, object]) -> dict[str, Shown]:
        """Return the fields in their allowed form."""
        allowed: dict[str, Shown] = {}
        for name, value in fields.items():
            try:
                allowed[name] = FIELDS[name](value)
            except (KeyError, BadFieldError):
                if self._strict:  # the name only: the value may be the secret
                    raise BadFieldError(
                        f"{name} is not allowed in a log, or not with this value"
                    ) from None
        if dropped := len(fields) - len(allowed):
            allowed["dropped"] = dropped
        return allowed


def shown(exception: BaseException | None) -> dict[str, Shown]:
    """Return what may be logged of an exception: its class, our id if it is ours, and its
    traceback."""
    if exception is None:
        return {}
    facts: dict[str, Shown] = {"exception": type(exception).__qualname__[:80]}
    if isinstance(exception, StichwerkError):
        with suppress(BadFieldError):
            facts["error"] = word(exception.id)
    # The source lines are left out: they do not contain the values that failed, but a reader of
    # this format should not have to rely on that.
    frames = traceback.extract_tb(exception.__traceback__)[-DEEPEST:]
    facts["trace"] = [place(frame.filename, frame.lineno or 0, frame.name) for frame in frames]
    return facts


def place(file: str, line: int, function: str) -> str:
    """Return a place in the code, without the folders of this machine."""
    return f"{'/'.join(PurePath(file).parts[-2:])}:{line} {function}"


def for_programs(moment: datetime, level: Level, fields: Mapping[str, Shown]) -> str:
    """Return one line of JSON."""
    time = moment.isoformat(timespec="milliseconds")
    return json.dumps({"time": time.replace("+00:00", "Z"), "level": level, **fields})


def for_people(moment: datetime, level: Level, fields: Mapping[str, Shown]) -> str:
    """Return one readable line, followed by the traceback of an exception."""
    facts = [f"{name}={value}" for name, value in fields.items() if name not in ("event", "trace")]
    way = fields.get("trace")
    below = [f"    {step}" for step in way] if isinstance(way, list) else []
    line = f"{moment.astimezone():%H:%M:%S} {level:5} {fields['event']}"
    return "\n".join([" ".join([line, *facts]), *below])


def is_terminal(stream: TextIO) -> bool:
    """Return whether the stream is a terminal."""
    try:
        return stream.isatty()
    except (OSError, ValueError, AttributeError):
        return False


# -- Logs of libraries -----------------------------------------------------------------------------


class LibraryLogHandler(logging.Handler):
    """Handles log records of libraries. Their texts are not trusted: only the logger and the class
    of an exception are logged."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Log one record."""
        exception = record.exc_info[1] if record.exc_info else None
        said = place(record.pathname, record.lineno, record.funcName)
        level: Level = "error" if record.levelno >= logging.ERROR else "warn"
        self._log.write(level, {"event": "library", "at": said, **shown(exception)})


@contextmanager
def library_logs_to(log: Log) -> Iterator[None]:
    """Route warnings and errors of libraries through our log while the block runs."""
    handler = LibraryLogHandler(log)
    loggers = [logging.getLogger(name) for name in FOREIGN]
    before = [(logger.handlers, logger.level, logger.propagate) for logger in loggers]
    for logger in loggers:
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        for logger, (handlers, level, propagate) in zip(loggers, before, strict=True):
            logger.handlers, logger.propagate = handlers, propagate
            logger.setLevel(level)
