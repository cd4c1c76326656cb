"""The bots that `/api/bots` lists, and the characters that people may choose as opponents.

Packages may provide bots, and importing one can take long, print, hang or exit: workers import
them, a thread waits for that, and the result is cached as long as the server runs.
"""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import cast

from starlette.requests import Request
from starlette.responses import Response

from stichwerk import locale
from stichwerk.bots import Listing
from stichwerk.bots.hosting import end_workers, listings
from stichwerk.bots.ratings import ratings_of
from stichwerk.bots.registry import BUILT_IN
from stichwerk.first_names import CHARACTER_NAMES
from stichwerk.server import wire
from stichwerk.server.http.responses import json, language

LEVELS = ("easy", "medium", "hard", "expert")


class BotList:
    """Finds the available bots once; concurrent requests wait for the same result."""

    def __init__(self) -> None:
        self._finding: asyncio.Future[wire.Bots] | None = None

    async def bots(self) -> wire.Bots:
        """Return every available bot."""
        if self._finding is None or (self._finding.done() and self._finding.exception()):
            loop = asyncio.get_running_loop()
            self._finding = loop.create_future()
            # A daemon thread: a stopping server does not wait for packages that hang.
            threading.Thread(target=find, args=(loop, self._finding), daemon=True).start()
        return await asyncio.shield(self._finding)


def find(loop: asyncio.AbstractEventLoop, finding: "asyncio.Future[wire.Bots]") -> None:
    """Find the bots, and pass them on to the event loop if it still runs."""
    with suppress(RuntimeError):  # the loop is closed
        try:
            found = wire.Bots(bots=tuple(infos()))
        except Exception as error:
            loop.call_soon_threadsafe(finding.set_exception, error)
        else:
            loop.call_soon_threadsafe(finding.set_result, found)


def infos() -> Iterator[wire.BotInfo]:
    """Yield a description of each bot."""
    for one in listings():
        if isinstance(one, Listing):
            yield wire.BotInfo(
                name=one.name,
                version=one.version,
                level=one.name in LEVELS,
                character=one.kind == "character",
            )
    end_workers()


# -- Characters, which need no worker --------------------------------------------------------------


async def characters(request: Request) -> Response:
    """Return the characters, and how strong they and the levels are."""
    lang = language(request)
    found = tuple(character_info(one, lang) for one in BUILT_IN if one.kind == "character")
    levels = {level: ratings_of(level) for level in LEVELS}
    return json(wire.Characters(characters=found, levels=levels))


def character_info(listing: Listing, lang: wire.Lang) -> wire.CharacterInfo:
    """Describe a character to people."""
    words = locale.text(listing.description, lang)
    return wire.CharacterInfo(
        bot=cast("wire.Opponent", listing.name),
        name=CHARACTER_NAMES[listing.name],
        style=f"{words[:1].upper()}{words[1:]}.",
        ratings=ratings_of(listing.name),
    )
