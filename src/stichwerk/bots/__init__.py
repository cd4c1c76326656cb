"""Bots: a view in, a move out. They never touch the truth."""

from stichwerk.bots.registry import (
    BOTS,
    KINDS,
    Adviser,
    BadBot,
    Bot,
    Listing,
    adviser,
    build,
    close,
    find,
    full_name,
    listings,
)

__all__ = [
    "BOTS",
    "KINDS",
    "Adviser",
    "BadBot",
    "Bot",
    "Listing",
    "adviser",
    "build",
    "close",
    "find",
    "full_name",
    "listings",
]
