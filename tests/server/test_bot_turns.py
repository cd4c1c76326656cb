"""Whose turn it is when a bot thinks at a table, and when somebody wants a hint."""

from pathlib import Path

import pytest

from stichwerk.server import wire
from stichwerk.server.thinkers import NOBODY, Counsel, Thought
from stichwerk.server.turns import Path as Turn
from stichwerk.view import View
from tests.server.house import Quick, begin, house, run
from tests.server.manual_clock import until

pytestmark = pytest.mark.slow  # with a real server

HOST, FRIEND, ONLOOKER = "127.0.0.2", "127.0.0.3", "127.0.0.4"


class Noting(Quick):
    """Notes who asks."""

    def __init__(self) -> None:
        super().__init__()
        self.askers: set[Turn] = set()
        self.load: dict[str, int] = {}

    def waiting_for(self, address: str) -> int:
        return self.load.get(address, 0)

    async def move(self, bot: str, seed: int, view: View, asker: Turn = NOBODY) -> Thought:
        self.askers.add(asker)
        return await super().move(bot, seed, view, asker)

    async def advise(self, bot: str, seed: int, view: View, asker: Turn = NOBODY) -> Counsel | None:
        self.askers.add(asker)
        return Counsel(move=view.moves[0], reason="only-move", data={}, alternatives=())


def test_bots_think_in_the_turn_of_those_who_play(tmp_path: Path) -> None:
    thinkers = Noting()

    async def play() -> None:
        async with house(tmp_path, thinkers=thinkers) as home:
            made = await home.table("sticheln", 3)
            async with (
                home.guest(made, local_address=HOST) as host,
                home.guest(made.table, local_address=ONLOOKER),
            ):
                await begin(host)
                await until(lambda: len(thinkers.askers) == 2, "both bots")
                assert thinkers.askers == {(HOST, made.table, str(seat)) for seat in (1, 2)}

    run(play())


def test_of_those_who_play_it_is_the_one_who_waits_for_least(tmp_path: Path) -> None:
    thinkers = Noting()
    thinkers.load = {HOST: 19, FRIEND: 1}

    async def play() -> None:
        async with house(tmp_path, thinkers=thinkers) as home:
            made = await home.table("sticheln", 3)
            async with (
                home.guest(made, local_address=HOST) as host,
                home.guest(made.table, local_address=FRIEND) as friend,
            ):
                await friend.join("Bo")
                await begin(host, friend)
                await until(lambda: bool(thinkers.askers), "the bot")
                assert thinkers.askers == {(FRIEND, made.table, "2")}

    run(play())


def test_a_hint_is_the_turn_of_who_asks(tmp_path: Path) -> None:
    thinkers = Noting()

    async def play() -> None:
        async with house(tmp_path, thinkers=thinkers) as home:
            made = await home.table("sticheln", 3)
            async with (
                home.guest(made, local_address=HOST) as host,
                home.guest(made.table, local_address=FRIEND) as friend,
            ):
                await friend.join("Bo")
                await begin(host, friend)
                await host.until(lambda: bool(host.view and host.view.moves))
                assert host.table is not None
                match = host.table.match or ""
                thinkers.askers.clear()
                await host.ask(lambda id: wire.Hint(id=id, match=match))
                assert (HOST, made.table, "0") in thinkers.askers

    run(play())
