"""The disk is full, read-only, locked or broken: a clear refusal, no false acknowledgement; then it
continues, with the same people, without a restart."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.client import connect

from stichwerk import locale
from stichwerk.server import wire
from stichwerk.server.clients.table_client import RequestRefusedError, TableClient
from tests.server.crash_books import Player, compare
from tests.server.harness import RunningServer
from tests.server.storage_scene import Scene, bounded, scene

pytestmark = pytest.mark.slow  # with a real server, or thousands of cases


FAULTS = {
    "full": "storage-full",
    "read-only": "storage-read-only",
    "locked": "storage-locked",
    "broken": "storage-failed",
}


# A move, a table, a word


@pytest.mark.parametrize("fault", FAULTS)
def test_a_move_that_cannot_be_stored_is_refused_and_not_applied(
    tmp_path: Path, fault: str
) -> None:
    async def run() -> None:
        async with scene(tmp_path) as this:
            await this.gather()
            await this.begin()
            await this.moves(4)
            assert len(await this.received_seqs()) == 1
            with this.disk.failing_as(fault):
                assert (await this.refusal()).id == FAULTS[fault]
                (seq,) = await this.received_seqs()
                assert seq == this.disk.entries(this.made.table)
                assert await this.health() == (503, "storage")
                await no_table(this.running_server, FAULTS[fault])
                await refused_in_german(this, FAULTS[fault])
                await this.come()  # a new client sees the same
                assert await this.received_seqs() == {seq}
                assert this.disk.entries(this.made.table) == seq
            await this.play_to_the_end()
            await this.check()
            assert this.people[0].table is not None
            record = await this.running_server.get(f"/api/matches/{this.people[0].table.match}")
            assert record.status_code == 200

    bounded(run())


async def no_table(running_server: RunningServer, id: str) -> None:
    """Check that no new table is made, and why, in the asker's language."""
    body = msgspec.json.encode({"game": "stichling", "seats": 2, "name": "Eve"})
    for lang in locale.LANGUAGES:
        async with running_server.client() as client:
            for _ in range(50):
                headers = {"accept-language": lang}
                answer = await client.post("/api/tables", content=body, headers=headers)
                if answer.status_code != 201:  # a full disk may have room for one more
                    break
        problem = msgspec.json.decode(answer.content, type=wire.Problem)
        assert (answer.status_code, problem.error) == (503, id)
        assert problem.text == locale.text(id, lang, **problem.data)


async def refused_in_german(this: Scene, id: str) -> None:
    """Let the host chat from another tab, in German; it is refused."""
    decoder: msgspec.json.Decoder[wire.FromServer] = msgspec.json.Decoder(wire.FromServer)
    table, token = this.made.table, this.made.token
    hello = wire.Hello(version=wire.VERSION, table=table, token=token, lang="de")
    chat = wire.Chat(id=7, text="Hallo! " * 39)
    async with connect(this.running_server.ws) as socket:
        for message in (hello, chat):
            await socket.send(msgspec.json.encode(message).decode())
        async for raw in socket:
            answer = decoder.decode(raw)
            if isinstance(answer, wire.Refused):
                break
    assert isinstance(answer, wire.Refused)
    assert (answer.id, answer.error) == (7, id)
    assert answer.text == locale.text(id, "de", **answer.data) != locale.text(id, "en")


@pytest.mark.parametrize("fault", FAULTS)
def test_bots_retry_after_a_storage_failure(tmp_path: Path, fault: str) -> None:
    async def run() -> None:
        async with scene(tmp_path) as this:
            await this.gather(bots={"1": "easy"})
            await this.begin()
            await this.moves(2)
            this.pool.may.clear()
            while this.people[0].owes:
                await this.moves(1)
            await this.at_rest()  # a bot may still have been thinking
            (before,) = await this.received_seqs()
            with this.disk.failing_as(fault):
                this.pool.may.set()
                await bots_move_or_fail(this)
                (seq,) = await this.received_seqs()
                assert seq == this.disk.entries(this.made.table)
                assert fault == "full" or seq == before
            await this.play_to_the_end()
            (after,) = await this.received_seqs()
            assert (after or 0) > (seq or 0)
            check_bots_alone(this)

    async def bots_move_or_fail(this: Scene) -> None:
        """Let bots move until it fails: a full disk may have room for a few more moves."""
        while (await this.health())[0] == 200:
            try:
                if this.people[0].owes:
                    await this.people[0].move()
            except RequestRefusedError:
                return
            await asyncio.sleep(0.002)

    def check_bots_alone(this: Scene) -> None:
        """Check the books, with the moves of bots that nobody asked for."""
        found = compare(this.disk.path, this.books, this.players, at_rest=True)
        assert [fault for fault in found.faults if not fault.startswith("doubled")] == []
        assert {fault.split("seat=")[1][0] for fault in found.faults} == {"1"}
        assert this.books.faults == []

    bounded(run())


# A commit that fails and was made all the same


def test_a_move_with_unknown_commit_is_announced_to_all(tmp_path: Path) -> None:
    """It was refused; when it turns out to be stored, all learn of it without anyone's doing."""

    async def run() -> None:
        async with scene(tmp_path) as this:
            _, before = await move_with_unknown_commit(this)
            await this.time_is_up("doubt")
            for player in this.players:
                await player.until(lambda: player.seq == before + 1)  # noqa: B023
            assert await this.received_seqs() == {this.disk.entries(this.made.table)}
            await this.play_to_the_end()
            await this.check()

    bounded(run())


def test_a_move_with_unknown_commit_may_be_repeated(tmp_path: Path) -> None:
    """A client that repeats the move before the outcome is known gets an acknowledgement: it is
    made once."""

    async def run() -> None:
        async with scene(tmp_path) as this:
            mover, before = await move_with_unknown_commit(this)
            assert mover.owes
            assert "doubt" in this.running_server.live_table(this.made.table).timers
            await mover.move()
            assert await this.received_seqs() == {before + 1}
            await this.play_to_the_end()
            await this.check()

    bounded(run())


async def move_with_unknown_commit(this: Scene) -> tuple[Player, int]:
    """Make a move that is stored and refused; return its player and the number before it."""
    await this.gather()
    await this.begin()
    await this.moves(3)
    (before,) = await this.received_seqs()
    mover = await this.mover()
    await commit_fails_late(this)
    with pytest.raises(RequestRefusedError, match="storage-failed"):
        await mover.move()
    assert await this.received_seqs() == {before}
    return mover, before or 0


async def commit_fails_late(this: Scene) -> None:
    """Make the next commit succeed and be reported as failed."""
    await this.at_rest()  # nothing else is being written
    this.disk.lying = True


# Timers


def test_leaving_and_returning_are_retried(tmp_path: Path) -> None:
    async def run() -> None:
        async with scene(tmp_path) as this:
            await this.gather(settings={"away": 5})
            await this.begin()
            host, other, watcher = this.players

            def bot_plays(player: TableClient) -> bool:
                assert player.table is not None
                (place,) = (one for one in player.table.places if one.person == other.person)
                return place.level is not None

            with this.disk.failing_as("read-only"):
                await other.__aexit__()
                await this.running_server.away_too_long(this.made.table, other.person)
                await this.until_unwell()
                assert not bot_plays(host)
            await this.running_server.away_too_long(this.made.table, other.person)
            await host.until(lambda: bot_plays(host))
            await watcher.until(lambda: bot_plays(watcher))
            with this.disk.failing_as("read-only"):
                back = await this.come(other.token)
                assert bot_plays(back)
                await this.until_unwell()
                assert bot_plays(host)
            await this.time_is_up(f"back {other.person}")
            await back.until(lambda: not bot_plays(back))
            await host.until(lambda: not bot_plays(host))
            this.players.remove(other)
            this.people[1] = back
            await this.play_to_the_end()
            assert len(await this.received_seqs()) == 1

    bounded(run())
