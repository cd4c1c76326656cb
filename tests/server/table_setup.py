"""Programs as guests at tables of a real server."""

import asyncio
from typing import Any

import msgspec

from stichwerk.games.options import Value
from stichwerk.server import wire
from stichwerk.server.bots.bot_pool import NO_REQUESTER, BotMove
from stichwerk.server.bots.fair_queue import Path as Turn
from stichwerk.server.clients.table_client import TableClient
from stichwerk.view import View
from tests.server.harness import (
    Quick,
)

GAMES: dict[str, tuple[int, dict[str, Value]]] = {
    "sticheln": (4, {"rounds": 2}),
    "null-nichtig": (3, {"target": 40}),
    "stichling": (2, {}),
    "stichtag": (4, {"date": "08-12"}),
}

SHORT: dict[str, Any] = {"game": "sticheln", "seats": 3, "options": {"rounds": 1}}


_decoder: msgspec.json.Decoder[wire.FromServer] = msgspec.json.Decoder(wire.FromServer)


class Held(Quick):
    """Bots that think until they are let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()
        self.asked = 0

    async def move(
        self, bot: str, seed: int, view: View, requester: Turn = NO_REQUESTER
    ) -> BotMove:
        self.asked += 1
        await self.go.wait()
        return await super().move(bot, seed, view)


class MessageLog:
    """Everything a client has received, and the resulting state by number."""

    def __init__(self) -> None:
        self.messages: list[wire.FromServer] = []

    def __call__(self, message: wire.FromServer) -> None:
        self.messages.append(message)

    def steps(self) -> list[wire.Step]:
        found: list[wire.Step] = []
        for message in self.messages:
            if isinstance(message, wire.Welcome) and message.fresh:
                found = []
            if isinstance(message, wire.Welcome | wire.Update):
                found += message.steps
        return found

    def notes(self) -> list[wire.Notes]:
        return [note for step in self.steps() for note in step.notes]

    def views(self) -> list[View]:
        updates = [one for one in self.messages if isinstance(one, wire.Welcome | wire.Update)]
        return [one.view for one in updates if one.view is not None]


async def level(*guests: TableClient) -> None:
    """Wait until all have received what the first has."""
    seq = guests[0].seq or 0
    for guest in guests:
        await guest.until(lambda: (guest.seq or 0) >= seq)  # noqa: B023


def match_id(guest: TableClient) -> str:
    assert guest.table is not None
    assert guest.table.match is not None
    return guest.table.match


def view(guest: TableClient) -> View:
    assert guest.view is not None
    return guest.view
