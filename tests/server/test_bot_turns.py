"""Whose turn it is when a bot thinks at a table, and when somebody wants a hint."""

from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from stichwerk.bots.advice import Advice, AdviceReason
from stichwerk.server import wire
from stichwerk.server.bots.bot_pool import NO_REQUESTER, BotMove
from stichwerk.server.bots.fair_queue import Path as Turn
from stichwerk.server.clients.table_client import TableClient
from stichwerk.view import View
from tests.server.harness import Quick, begin, first, refused, run, running_server, stage
from tests.server.manual_clock import until
from tests.server.table_setup import Held

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
    ) -> Advice | None:
        self.askers.add(requester)
        return Advice(view.moves[0], (), AdviceReason("advice-only-move"))


class Seeing(Quick):
    """Records what bots see."""

    def __init__(self) -> None:
        super().__init__()
        self.views: list[View] = []

    async def move(
        self, bot: str, seed: int, view: View, requester: Turn = NO_REQUESTER
    ) -> BotMove:
        self.views.append(view)
        return await super().move(bot, seed, view, requester)


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


def waits(guest: TableClient, wait: bool) -> Coroutine[Any, Any, object]:
    """Ask the bots to wait, or to go on."""
    return guest.ask(lambda id: wire.WaitForMe(id=id, wait=wait))


def test_bots_wait_while_the_only_person_reads(tmp_path: Path) -> None:
    pool = Noting()

    async def play() -> None:
        async with running_server(tmp_path, pool=pool) as home:
            made = await home.table("sticheln", 3)
            async with home.guest(made) as host:
                await waits(host, True)
                await begin(host)
                await host.until(lambda: stage(host) == "playing")
                await waits(host, True)  # an answer: whatever was due has been started
                assert not pool.askers
                await waits(host, False)
                await until(lambda: len(pool.askers) == 2, "both bots go on")

    run(play())


def test_bots_know_all_tricks_whatever_people_may_look_at(tmp_path: Path) -> None:
    pool = Seeing()
    options = {"rounds": 2}

    async def play() -> None:
        async with running_server(tmp_path, pool=pool) as home:
            made = await home.table("stichtag", 3, options=options, settings={"memory": "none"})
            async with home.guest(made) as host:
                await begin(host)
                await host.play_on(first, rounds=1)

    run(play())
    in_first_round = [view for view in pool.views if view.round == 1]
    tricks = [event.cards for event in in_first_round[-1].history if event.settles]
    assert len(tricks) > 2
    assert all(tricks)


def test_a_bot_that_thinks_already_makes_its_move_afterwards(tmp_path: Path) -> None:
    async def play() -> None:
        pool = Held()
        async with running_server(tmp_path, pool=pool) as home:
            made = await home.table("sticheln", 3)
            async with home.guest(made) as host:
                await begin(host)
                await until(lambda: pool.asked == 2, "both bots think")
                live_table = home.live_table(made.table)
                before = live_table.table.seq
                await waits(host, True)
                pool.go.set()
                await until(lambda: not live_table.bot_turns.thinking, "both have decided")
                assert live_table.table.seq == before, "and neither has moved"
                await waits(host, False)
                await until(lambda: live_table.table.seq == before + 2, "now they move")

    run(play())


def test_among_several_people_nobody_holds_up_the_others(tmp_path: Path) -> None:
    pool = Noting()

    async def play() -> None:
        async with running_server(tmp_path, pool=pool) as home:
            made = await home.table("sticheln", 3)
            async with home.guest(made) as host, home.guest(made.table) as friend:
                await friend.join("Bo")
                await waits(host, True)
                await begin(host, friend)
                await until(lambda: bool(pool.askers), "the bot moves all the same")

    run(play())


PACES: tuple[wire.Pace, ...] = ("slow", "normal", "fast", "instant")


@asynccontextmanager
async def factors(path: Path, friends: int) -> AsyncIterator[dict[wire.Pace, float]]:
    """Yield how much longer bots seem to think at each pace, with so many friends at the table."""
    async with running_server(path) as home:
        home.lobby.pace = 1.0
        made = await home.table("sticheln", 3)
        async with home.guest(made) as host, home.guest(made.table) as friend:
            if friends:
                await friend.join("Bo")
            await begin(host, *[friend][:friends])
            bot_turns = home.live_table(made.table).bot_turns
            found = {}
            for pace in PACES:
                await host.ask(partial(set_pace, pace))
                found[pace] = bot_turns.pace_factor()
            yield found


def set_pace(pace: wire.Pace, id: int) -> wire.SetPace:
    return wire.SetPace(id=id, pace=pace)


def test_the_host_sets_the_pace_of_the_bots_during_a_match(tmp_path: Path) -> None:
    async def play() -> None:
        async with factors(tmp_path, friends=0) as found:
            assert found["slow"] > found["normal"] == 1 > found["fast"] > found["instant"] == 0

    run(play())


def test_the_real_thinking_time_stays_hidden_among_several_people(tmp_path: Path) -> None:
    async def play() -> None:
        async with factors(tmp_path, friends=1) as found:
            assert found["instant"] == found["fast"] > 0

    run(play())


def test_only_the_host_sets_the_pace(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_server(tmp_path) as home:
            made = await home.table("sticheln", 3)
            async with home.guest(made.table) as friend:
                await friend.join("Bo")
                assert await refused(friend.ask(partial(set_pace, "fast"))) == "only-the-host"

    run(play())
