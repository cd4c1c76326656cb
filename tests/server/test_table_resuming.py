"""Tables that are resumed: after a cut, without memory, after a restart."""

import asyncio
import random
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from stichwerk import record
from stichwerk.server import wire
from stichwerk.server.clients.table_client import TableClient
from stichwerk.server.tables import lobby
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.bot_turns import seed_of
from stichwerk.server.tables.table_state import TableState
from tests.server.harness import (
    Quick,
    RunningServer,
    begin,
    first,
    refused,
    run,
    running_server,
    stage,
)
from tests.server.table_setup import GAMES, SHORT, Held, MessageLog, level, match_id, view

pytestmark = pytest.mark.slow  # with a real server, or thousands of cases


async def reached(guest: TableClient, seq: int) -> None:
    """Wait until a client has received this step, or the last one."""
    await guest.until(lambda: (guest.seq or 0) >= seq or stage(guest) == "over")


async def cut(guest: TableClient) -> None:
    """Break the connection without a goodbye."""
    socket = guest._socket
    if socket is not None:
        socket.transport.abort()
        await socket.wait_closed()


# -- Resuming --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_reconnecting_client_gets_every_step_exactly_once(game: str, tmp_path: Path) -> None:
    async def play() -> None:
        whole, patched = MessageLog(), MessageLog()
        choice = random.Random(game)
        seats, options = GAMES[game]
        async with running_server(tmp_path, pool=Quick()) as home:
            settings = wire.Settings(memory="open")  # no step is sent in another form later
            made = await home.table(game, seats, options=options, settings=settings)
            async with (
                home.guest(made, on_message=whole) as calm,
                home.guest(made, on_message=patched) as shaky,
            ):
                for guest in (calm, shaky):
                    await guest.until(lambda: guest.seq is not None)  # noqa: B023
                begun = len(whole.steps())

                async def trouble() -> None:
                    while stage(calm) != "over":
                        while shaky._socket is None:
                            await asyncio.sleep(0.002)
                        await cut(shaky)
                        await reached(calm, (calm.seq or 0) + choice.randint(1, 8))
                        await asyncio.sleep(choice.uniform(0, 0.01))

                await calm.ask(lambda id: wire.Begin(id=id))
                await level(calm, shaky)
                cutting = asyncio.create_task(trouble())
                await shaky.play_on(first)
                await cutting
                await level(calm, shaky)
                await shaky.until(lambda: shaky.seq == calm.seq)
                assert shaky.resumed > 1, "the wire was not cut"
                assert msgspec.structs.replace(view(shaky), history=()) == (
                    msgspec.structs.replace(view(calm), history=())
                )
        steps = patched.steps()
        assert steps == whole.steps()
        assert all(one.seq + 1 == other.seq for one, other in pairwise(steps[begun:]))
        fresh = [one for one in patched.messages if isinstance(one, wire.Welcome) and one.fresh]
        assert len(fresh) == 1, "only the first hello"

    run(play())


@pytest.mark.parametrize("since", [0, 2**31 - 1])
def test_an_unknown_sequence_number_gets_a_fresh_snapshot(since: int, tmp_path: Path) -> None:
    async def play() -> None:
        received = MessageLog()
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(**SHORT)
            async with home.guest(made) as ada:
                await begin(ada)
                late = home.guest(made, on_message=received)
                late.seq = since
                async with late:
                    await late.until(lambda: bool(received.views()))
                    welcome = received.messages[0]
                    assert isinstance(welcome, wire.Welcome)
                    assert welcome.fresh
                    assert welcome.view is not None
                    assert welcome.view.history

    run(play())


def test_a_move_from_two_tabs_ten_times_is_made_once(tmp_path: Path) -> None:
    async def play() -> None:
        received = MessageLog()
        async with running_server(tmp_path, pool=Held()) as home:
            made = await home.table(**SHORT)
            async with home.guest(made, on_message=received) as left, home.guest(made) as right:
                await begin(left, right)
                match, (move, other, *_) = match_id(left), view(left).moves
                same = lambda id: wire.Play(id=id, match=match, ply=0, move=move)  # noqa: E731
                answers = await asyncio.gather(
                    *((left, right)[turn % 2].ask(same) for turn in range(10))
                )
                assert all(isinstance(answer, wire.Done) for answer in answers)
                differs = lambda id: wire.Play(id=id, match=match, ply=0, move=other)  # noqa: E731
                assert await refused(right.ask(differs)) == "move-made-already"
                await level(left, right)
                assert (left.ply, right.ply) == (1, 1)
                stored = log.decode_all(await home.lobby.store.read(made.table))
        assert [entry for entry in stored if isinstance(entry, log.MovePlayed)] == [
            log.MovePlayed(seat=0, move=move)
        ]
        chosen = [
            event for step in received.steps() for event in step.events if event.kind == "chosen"
        ]
        assert len(chosen) == 1

    run(play())


# -- Memory ----------------------------------------------------------------------------------------


def test_an_unused_table_is_unloaded(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            left, used = await home.table(**SHORT), await home.table(**SHORT)
            async with home.guest(used):
                while home.live_table(left.table).tasks:
                    await asyncio.sleep(0.002)
                for _ in range(int(lobby.IDLE_SECONDS / lobby.SWEEP_SECONDS)):
                    assert left.table in home.lobby.live_tables
                    await home.clock.expire(lobby.SWEEP_SECONDS)
                for _ in range(2):
                    await home.clock.expire(lobby.SWEEP_SECONDS)
                assert left.table not in home.lobby.live_tables
                assert used.table in home.lobby.live_tables
            async with home.guest(left) as ada:
                assert ada.seat == 0, "it is read from the store again"

    run(play())


# -- Restarts --------------------------------------------------------------------------------------


def everything(table: TableState) -> list[object]:
    seats: list[int | None] = [None, *range(table.seats)]
    described = [step.describe(seat) for seat in seats for step in table.steps]
    return [table.describe(), table.seq, [table.view(seat) for seat in seats], described]


def test_a_restart_continues_matches_of_all_games(tmp_path: Path) -> None:
    async def play() -> None:
        guests: list[tuple[TableClient, MessageLog]] = []
        before: dict[str, list[object]] = {}
        try:
            async with running_server(tmp_path, pool=Quick()) as home:
                for game, (seats, options) in GAMES.items():
                    made = await home.table(game, seats, options=options)
                    guests.append((await connected(home, made), MessageLog()))
                    guests[-1][0].on_message = guests[-1][1]
                for guest, _ in guests:
                    await begin(guest)
                    await guest.until(lambda: bool(view(guest).moves))  # noqa: B023
                    await guest.play(view(guest).moves[0])
                home.lobby.pool = Held()
                for guest, _ in guests:
                    live_table = home.live_table(guest.table_id)
                    while live_table.tasks:  # what is under way
                        await asyncio.sleep(0.01)
                        if all(
                            "make_bot_move" in str(task.get_coro()) for task in live_table.tasks
                        ):
                            break
                    before[guest.table_id] = everything(live_table.table)
            async with running_server(tmp_path, pool=Quick()) as home:
                for guest, _ in guests:
                    live_table = await home.lobby.live_table(guest.table_id)
                    assert everything(live_table.table) == before[guest.table_id]
                for guest, _ in guests:
                    guest.url = home.ws
                await asyncio.gather(*(guest.play_on(first) for guest, _ in guests))
                for guest, received in guests:
                    assert guest.resumed
                    numbers = [step.seq for step in received.steps()]
                    assert numbers == list(range(numbers[0], numbers[-1] + 1))
                    raw = await home.get(f"/api/matches/{match_id(guest)}")
                    assert record.verify(record.decode(raw.content)).status == "holds"
        finally:
            for guest, _ in guests:
                await guest.__aexit__()

    run(play())


async def connected(home: RunningServer, made: wire.TableMade) -> TableClient:
    return await home.guest(made).__aenter__()


def test_a_restart_continues_a_shuffle(tmp_path: Path) -> None:
    async def play() -> None:
        ada = ben = None
        try:
            async with running_server(tmp_path, pool=Quick()) as home:
                made = await home.table(**SHORT)
                ada = await connected(home, made)
                async with home.guest(made.table) as joining:
                    await joining.join("Ben")
                    token = joining.token
                await ada.ask(lambda id: wire.Begin(id=id))
                await ada.until(lambda: sealed(ada) == [True, False, True])
                match = match_id(ada)
            async with running_server(tmp_path, pool=Quick()) as home:
                ada.url = home.ws
                ben = await home.guest(made.table, token=token).__aenter__()
                await ada.until(lambda: stage(ada) == "playing")
                assert match_id(ada) == match, "the same set-up goes on"
                await asyncio.gather(ada.play_on(first), ben.play_on(first))
                assert ada.table is not None
                assert ada.table.dealing is not None
                assert ada.table.dealing.trusted == (True, True, False)
        finally:
            for guest in (ada, ben):
                if guest is not None:
                    await guest.__aexit__()

    run(play())


def sealed(guest: TableClient) -> list[bool]:
    dealing = guest.table.dealing if guest.table else None
    return [one is not None for one in dealing.client_commits] if dealing else []


def test_public_data_does_not_reveal_a_bots_seed() -> None:
    seeds = {seed_of(salt, "match", 1) for salt in ("one", "other")}
    assert len(seeds) == 2, "the salt never leaves the server"
    assert len({seed_of("one", match, seat) for match in "ab" for seat in range(3)}) == 6
