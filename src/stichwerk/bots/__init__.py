"""Bots: a view in, a move out. They never touch the true state."""

from typing import TYPE_CHECKING

from stichwerk.bots.registry import (
    BOTS,
    KINDS,
    Adviser,
    BadBotError,
    Bot,
    Listing,
    adviser,
    best_bot,
    build,
    close,
    find,
    full_name,
    listings,
)
from stichwerk.errors import renamed

__all__ = [
    "BOTS",
    "KINDS",
    "Adviser",
    "BadBotError",
    "Bot",
    "Listing",
    "adviser",
    "best_bot",
    "build",
    "close",
    "find",
    "full_name",
    "listings",
]


if not TYPE_CHECKING:  # names of earlier versions
    __getattr__ = renamed(__name__, {"BadBot": "BadBotError"})
