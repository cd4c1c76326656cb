"""Limits as settings of `stichwerk serve`: `--limit messages=200`."""

import math
from collections.abc import Iterable
from difflib import get_close_matches

import msgspec

from stichwerk.errors import StichwerkError, shown
from stichwerk.server import wire
from stichwerk.server.network.limits import Limits

HIGHEST = 1_000_000_000
LOWEST = {
    "bytes_per_address": 65_536,  # less would not let a page load
    "bytes_per_socket": 65_536,
    "header_bytes": 1024,
    "queue_bytes": 65_536,
}
"""Lower values would refuse what every client does; all other limits can be 1."""


class BadLimitError(StichwerkError):
    """An unknown limit, or a value that it cannot have."""


def read_limits(texts: Iterable[str], usual: Limits) -> Limits:
    """Return the default limits, updated by settings such as `messages=200`; the last one wins."""
    changed: dict[str, float] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip().replace("-", "_")
        if not equals:
            raise BadLimitError("limit-without-value", text=shown(text))
        if name not in Limits.__struct_fields__:
            near = get_close_matches(name, Limits.__struct_fields__, 3, 0.5)
            known = ", ".join(near or Limits.__struct_fields__)
            raise BadLimitError("no-such-limit", name=shown(name), known=known)
        changed[name] = read_value(name, value.strip())
    return msgspec.structs.replace(usual, **changed)


def read_value(name: str, text: str) -> float:
    """Return the value of a limit; a time may be a fraction of a second."""
    lowest, highest = LOWEST.get(name, 1), highest_value(name)
    whole = not name.endswith("seconds")
    number = as_number(text, whole)
    if whole and number is not None and lowest <= number <= highest:
        return int(number)
    if not whole and number is not None and 0 < number <= highest:
        return number
    id = "bad-limit" if whole else "bad-limit-seconds"
    raise BadLimitError(id, name=name, value=shown(text), lowest=lowest, highest=highest)


def highest_value(name: str) -> int:
    """Return the largest value of a limit."""
    return wire.LARGEST if name == "frame_bytes" else HIGHEST


def as_number(text: str, whole: bool) -> float | None:
    """Return a number from its text, or None."""
    if not text.isascii() or len(text) > 15:
        return None
    if whole:
        plain = text.replace("_", "")
        return int(plain) if plain.isdigit() else None
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
