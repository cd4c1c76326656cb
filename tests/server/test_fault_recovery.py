"""After storage fails, clocks, shares and tables recover without a restart."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path

import pytest

from stichwerk.server import wire
from stichwerk.server.clients.deal_shares import Action
from stichwerk.server.clients.table_client import RequestRefusedError, TableClient
from stichwerk.server.tables.named_timers import AGAIN_SECONDS
from tests.server.crash_books import Books, Player, compare
from tests.server.storage_scene import Scene, T, bounded, scene

pytestmark = pytest.mark.slow  # with a real server, or thousands of cases


class Silent(TableClient):
    """Sends no share of the shuffle."""

    async def _take_part(self, actions: list[Action]) -> None:
        pass


def test_missing_shares_are_drawn_once_storage_works(tmp_path: Path) -> None:
    async def run() -> None:
        async with scene(tmp_path) as this:
            this.made = made = await this.running_server.table("stichling", 2)
            async with (
                this.running_server.guest(made) as host,
                Silent(this.running_server.ws, made.table) as silent,
            ):
                await silent.join("Ben", 1)
                await host.ask(lambda id: wire.Begin(id=id))
                await host.until(lambda: sealed(host)[0])
                with this.disk.failing_as("broken"):
                    await this.time_is_up("shares")
                    await this.until_unwell()
                    assert sealed(host) == [True, False]
                await this.time_is_up("shares")
                await host.until(lambda: host.playing)
                assert host.table is not None
                assert host.table.dealing is not None
                assert host.table.dealing.trusted == (True, False)

    def sealed(guest: TableClient) -> list[bool]:
        dealing = guest.table.dealing if guest.table else None
        return [commit is not None for commit in dealing.client_commits] if dealing else [False]

    bounded(run())


@pytest.mark.slow
def test_the_move_clock_is_retried(tmp_path: Path) -> None:
    async def run() -> None:
        async with scene(tmp_path) as this:
            await this.gather(settings={"clock": 5})
            await this.begin()
            (before,) = await this.received_seqs()
            with this.disk.failing_as("read-only"):
                await this.time_is_up("clock")
                await this.until_unwell()
                assert await this.received_seqs() == {before}
            await this.running_server.clock.expire(AGAIN_SECONDS)
            await this.players[0].until(lambda: this.players[0].seq != before)
            assert await this.health() == (200, "ok")

    bounded(run())


# Coming in


def test_an_unreadable_table_can_be_joined_later(tmp_path: Path) -> None:
    """The store does not answer: that is no reason to believe the table is gone."""

    async def run() -> None:
        async with scene(tmp_path) as this:
            this.made = made = await this.running_server.table("stichling", 2)
            await this.at_rest()
            this.running_server.lobby.live_tables.pop(made.table).close()
            host, failures = Player(this.running_server.ws, made.table, this.books, made.token), 0

            def lost(error: Exception | None) -> None:
                nonlocal failures
                failures += 1

            host.lost = lost
            with this.disk.failing_as("broken"):
                entering = asyncio.create_task(this.stack.enter_async_context(host))
                while failures < 2 and not entering.done():
                    await asyncio.sleep(0.002)
                assert not entering.done()
            await entering
            assert host.seat == 0

    bounded(run())


# Every call


@pytest.mark.slow
@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
def test_a_failure_at_every_storage_call_of_a_conversation(tmp_path: Path, late: bool) -> None:
    """Whichever call fails: books and file agree in the end, and nobody had to reconnect."""
    refused: list[int] = []

    async def run() -> None:
        async with scene(tmp_path) as this:
            passing = asyncio.create_task(time_passes(this))
            for k in count():
                this.books, this.players = Books(), []
                async with AsyncExitStack() as this.stack:
                    await conversation(this, k)
                    refused.append(this.books.refused.total())
                    this.running_server.lobby.live_tables.pop(this.made.table).close()
                    if not this.disk.struck:
                        break
            passing.cancel()

    async def conversation(this: Scene, k: int) -> None:
        if not late:  # who joins twice, as the first time was stored after all, is there twice
            this.disk.arm(k)
        this.made = await ask_until_granted(
            lambda: this.running_server.table("stichling", 2), AssertionError
        )
        host = await this.come(this.made.token)
        other = await this.come()
        await ask_until_granted(lambda: other.join("Ben", 1), RequestRefusedError)
        watcher = await this.come()
        if late:
            this.disk.arm(k, late=True)
        playing = [asyncio.create_task(player.keep_playing()) for player in (host, other)]
        await ask_until_granted(
            lambda: other.ask(lambda id: wire.Chat(id=id, preset="hello")), RequestRefusedError
        )
        await watcher.until(lambda: watcher.playing)
        await other.until(lambda: other.playing and other.ply >= 2)
        for player in (host, other):
            player.stop()
        await asyncio.gather(*playing)
        struck = list(this.disk.struck)
        this.disk.failing = range(0)
        await other.ask(lambda id: wire.Chat(id=id, preset="bye"))  # this is stored, so all is well
        await this.at_rest()
        found = compare(this.disk.path, this.books, this.players, at_rest=True)
        assert found.faults + this.books.faults == [], (k, struck)
        assert [player.came_back for player in this.players] == [0, 0, 0], (k, struck)
        assert await this.running_server.lobby.healthy()
        assert set(this.books.refused) <= {"storage-failed", "not-during-a-match"}

    bounded(run(), 900)
    assert len(refused) > 60
    assert sum(map(bool, refused)) > 10


async def time_passes(this: Scene) -> None:
    """Let time pass: retries are due, and missing shares are drawn once nothing moves."""
    before, unmoved = (0, 0), 0
    while True:
        await asyncio.sleep(0.002)
        this.try_again()
        for live_table in this.running_server.lobby.live_tables.values():
            if "shares" in live_table.timers:
                now = (id(live_table), live_table.table.seq)
                before, unmoved = now, unmoved + 1 if now == before else 0
                if unmoved > 50:
                    await this.running_server.time_is_up(live_table.table.id, "shares")
                    break


async def ask_until_granted(ask: Callable[[], Awaitable[T]], refusal: type[Exception]) -> T:
    """Ask until it is granted."""
    while True:
        try:
            return await ask()
        except refusal:
            await asyncio.sleep(0.002)
