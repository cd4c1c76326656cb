"""Seats that are left, freed and taken again at an honest table: nobody is accused."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from stichwerk.server import wire
from stichwerk.server.clients.table_client import TableClient
from tests.server.harness import Quick, RunningServer, begin, first, run, running_server, stage

pytestmark = pytest.mark.slow  # with a real server


async def lose_seat(ada: TableClient, ben: TableClient, how: str) -> None:
    """Leave a seat in the middle of a match: voluntarily, or removed by the host."""
    seat = ben.seat
    assert seat is not None
    if how == "leave":
        await ben.ask(lambda id: wire.Leave(id=id))
    else:
        await ada.ask(lambda id: wire.FreeSeat(id=id, seat=seat))
    await ben.until(lambda: ben.seat is None)


async def sit_again(ada: TableClient, ben: TableClient, seat: int) -> None:
    """Sit down again after the match; the bot gives way."""
    await ada.ask(lambda id: wire.FreeSeat(id=id, seat=seat))
    await ben.ask(lambda id: wire.Sit(id=id, seat=seat))
    await ben.until(lambda: ben.seat == seat)


async def play_matches(
    home: RunningServer, watch: Any, how: str, matches: str
) -> tuple[list[str], bool]:
    """Matches that Ben plays (p), and some in which Ben loses the seat (l): what the client
    reported, and whether it asks before the next one."""
    said: list[str] = []
    made = await home.table(seats=3, options={"rounds": 1}, settings={"watch": watch})
    ben = home.guest(made.table, notices=lambda notice: said.append(notice.id))
    async with home.guest(made) as ada, ben:
        await ben.join("Ben")
        for match in matches:
            await begin(ada, ben)
            seat = ben.seat
            assert seat is not None
            if match == "l":
                await lose_seat(ada, ben, how)
                await ada.play_on(first)
                await sit_again(ada, ben, seat)
            else:
                await asyncio.gather(ada.play_on(first), ben.play_on(first))
                assert ben.deal.has_own_share
        assert stage(ben) == "over"
    return said, ben.deal.must_ask


@pytest.mark.parametrize("watch", ["all", "none"])
@pytest.mark.parametrize("how", ["leave", "free-seat"])
def test_a_seat_lost_in_a_match_is_counted(watch: str, how: str, tmp_path: Path) -> None:
    async def test() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            said, asks = await play_matches(home, watch, how, "lplp")
        assert said.count("deal-seat-lost") == (0 if how == "leave" else 2)
        assert set(said) <= {"the-six-words", "deal-seat-lost"}
        assert not asks

    run(test())


@pytest.mark.parametrize(("how", "asks"), [("leave", False), ("free-seat", True)])
def test_a_seat_lost_twice_in_a_row_needs_consent(how: str, asks: bool, tmp_path: Path) -> None:
    """Those who leave by themselves know why; those who are sent away twice are asked."""

    async def test() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            assert (await play_matches(home, "none", how, "ll"))[1] == asks

    run(test())
