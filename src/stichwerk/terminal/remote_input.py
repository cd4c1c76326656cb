"""Input from a server: texts that are safe for a terminal, records, errors."""

import os
import urllib.request
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from websockets.exceptions import InvalidHandshake, InvalidStatus

from stichwerk.engine.events import Event
from stichwerk.record import LARGEST as LARGEST_RECORD
from stichwerk.server import wire
from stichwerk.terminal.screen import harmless

RECORD_SECONDS = 20.0  # to fetch the record of a match
Struct = TypeVar("Struct", bound=msgspec.Struct)


def fetch(url: str) -> bytes:
    """Fetch a record over HTTP."""
    with urllib.request.urlopen(url, timeout=RECORD_SECONDS) as answer:
        raw: bytes = answer.read(LARGEST_RECORD + 1)
    return raw


def cleaned(message: Struct) -> Struct:
    """Return a copy with texts that are safe to print on a terminal."""
    raw = msgspec.json.encode(message).decode()
    if raw.isprintable() and "\\" not in raw:
        return message
    plain = _printable(msgspec.to_builtins(message))
    return msgspec.convert(plain, type(message))


def with_presence(table: wire.Table | None, here: Sequence[str]) -> wire.Table | None:
    """Return a table with the people who are connected now."""
    if table is None:
        return None
    people = tuple(msgspec.structs.replace(one, here=one.id in here) for one in table.people)
    return msgspec.structs.replace(table, people=people)


def complete(history: list[Event], renewed: Iterable[wire.Renewed]) -> None:
    """Add the cards of events that were unknown until their round was over; forget none."""
    for one in renewed:
        if one.back and one.event.cards:
            history[-one.back] = cleaned(one.event)


def _printable(value: Any) -> Any:
    if isinstance(value, str):
        return harmless(value).replace("\n", " ")
    if isinstance(value, dict):
        return {_printable(key): _printable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_printable(item) for item in value]
    return value


def why_not(error: Exception) -> str:
    """Return why there is no connection, in the system's words."""
    if isinstance(error, InvalidStatus):
        return f"HTTP {error.response.status_code}"
    if isinstance(error, InvalidHandshake | TimeoutError):
        return type(error).__name__
    if isinstance(error, OSError) and error.errno and error.errno > 0:
        return os.strerror(error.errno)
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
