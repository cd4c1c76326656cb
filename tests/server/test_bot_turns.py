"""Whose turn it is when a bot thinks at a table, and when somebody wants a hint."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from stichwerk.server import wire
from stichwerk.server.bots.bot_pool import NO_REQUESTER, BotAdvice, BotMove
from stichwerk.server.bots.fair_queue import Path as Turn
from stichwerk.server.clients.table_client import TableClient
from stichwerk.view import View
from tests.server.harness import Quick, begin, run, running_server
from tests.server.manual_clock import until

pytestmark = pytest.mark.slow  # with a real server

HOST, FRIEND, ONLOOKER = "127.0.0.2", "127.0.0.3", "127.0.0.4"


class Noting(Quick):
    """Records the requester."""

    def __init__(self) -> None:
        super().__init__()
        self.askers: set[Turn] = set()
        self.load: dict[str, int] = {}

    def waiting_for(self, address: str) -> int:
        return self.load.get(address, 0)

    async def move(
        self, bot: str, seed: int, view: View, requester: Turn = NO_REQUESTER
    ) -> BotMove:
        self.askers.add(requester)
        return await super().move(bot, seed, view, requester)

    async def advise(
        self, bot: str, seed: int, view: View, requester: Turn = NO_REQUESTER
    ) -> BotAdvice | None:
        self.askers.add(requester)
        return BotAdvice(move=view.moves[0], reason="only-move", data={}, alternatives=())


@asynccontextmanager
async def host_and_friend(path: Path, pool: Noting) -> AsyncIterator[TableClient]:
    """Begin a match of a host, a friend at another address, and a bot; yield the host."""
    async with running_server(path, pool=pool) as home:
        made = await home.table("sticheln", 3)
        async with (
            home.guest(made, local_address=HOST) as host,
            home.guest(made.table, local_address=FRIEND) as friend,
        ):
            await friend.join("Bo")
            await begin(host, friend)
            yield host


def test_bots_use_the_queue_of_the_players_address(tmp_path: Path) -> None:
    pool = Noting()

    async def play() -> None:
        async with running_server(tmp_path, pool=pool) as home:
            made = await home.table("sticheln", 3)
            async with (
                home.guest(made, local_address=HOST) as host,
                home.guest(made.table, local_address=ONLOOKER),
            ):
                await begin(host)
                await until(lambda: len(pool.askers) == 2, "both bots")
                assert pool.askers == {(HOST, made.table, str(seat)) for seat in (1, 2)}

    run(play())


def test_a_table_counts_for_the_player_with_the_shortest_queue(tmp_path: Path) -> None:
    pool = Noting()
    pool.load = {HOST: 19, FRIEND: 1}

    async def play() -> None:
        async with host_and_friend(tmp_path, pool) as host:
            await until(lambda: bool(pool.askers), "the bot")
            assert pool.askers == {(FRIEND, host.table_id, "2")}

    run(play())


def test_a_hint_uses_the_queue_of_its_requester(tmp_path: Path) -> None:
    pool = Noting()

    async def play() -> None:
        async with host_and_friend(tmp_path, pool) as host:
            await host.until(lambda: bool(host.view and host.view.moves))
            assert host.table is not None
            match = host.table.match or ""
            pool.askers.clear()
            await host.ask(lambda id: wire.Hint(id=id, match=match))
            assert (HOST, host.table_id, "0") in pool.askers

    run(play())
