"""Fuzzed messages, fuzzed requests, floods and stalled clients, against a server in a process of
its own. The long run is `python -m tests.server.hostile`."""

import asyncio
import json
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest

from stichwerk.server import wire
from stichwerk.server.network.limits import Limits, RequestLimits
from stichwerk.server.network.socket_sessions import SocketSession
from tests.length import by_length
from tests.server import hostile, hostile_http, hostile_messages, hostile_server
from tests.server.harness import GENEROUS, running_server
from tests.server.hostile import SENSIBLE
from tests.server.hostile_messages import Fuzz
from tests.server.hostile_server import GAMES, Socket, Victim, hello

pytestmark = pytest.mark.slow  # with a real server, or thousands of cases

MESSAGES = by_length(30_000, 100_000)
REQUESTS = 3_000
STEADY = 1.05  # memory at the end, in times of that in the middle


def run(work: Coroutine[Any, Any, None], seconds: float = 3600) -> None:
    """Run it with a time limit."""
    asyncio.run(asyncio.wait_for(work, seconds))


# -- On the wire -----------------------------------------------------------------------------------


@pytest.mark.long
def test_fuzzed_messages_change_nothing(tmp_path: Path) -> None:
    async def attack() -> None:
        async with hostile_server.serving(tmp_path, still=True) as server:
            targets = [await hostile_server.victim(server, game) for game in GAMES]
            before = await hostile_messages.visible_to_all(server, targets)
            tally = await hostile_messages.attack(server, targets, messages=MESSAGES)
            assert tally.sent == MESSAGES
            assert tally.answers.total() + tally.closes.total() == MESSAGES
            assert await hostile_messages.visible_to_all(server, targets) == before
            assert tally.growth < STEADY, tally.memory
            check_variety(tally)
            assert server.failures() == []
            for target in targets:
                assert await hostile_server.play_to_the_end(server, target)
            assert server.failures() == []

    run(attack())


def check_variety(tally: hostile_messages.Tally) -> None:
    """Check that the fuzz reaches every kind of refusal, not only the first checks."""
    assert set(tally.closes) == {1002, 1007, 1009, 4400, 4403, 4404}
    assert set(tally.answers) >= {
        *("Done", "Pong", "message-unreadable", "hello-twice", "not-taking-part"),
        *("only-the-host", "taking-part-already", "no-free-seat", "not-during-a-match"),
        *("no-such-match", "no-such-set-up", "share-not-as-sealed", "move-made-already"),
        *("move-too-early", "not-your-turn", "not-in-hand", "not-a-card", "no-chat-here"),
        *("said-too-much", "no-hints-here", "no-take-back-here", "nothing-to-agree-to"),
    }
    assert tally.answers["message-unreadable"] < MESSAGES / 2


def test_a_planted_change_is_noticed(tmp_path: Path) -> None:
    """The comparison is worth something: one rightful message makes a difference."""

    async def change() -> None:
        async with hostile_server.serving(tmp_path, still=True) as server:
            target = await hostile_server.victim(server, "stichling", seats=2, moves=3)
            before = await hostile_messages.visible_to_all(server, [target])
            assert await hostile_messages.visible_to_all(server, [target]) == before
            one = await Socket.open(server.port)
            one.say(hello(target.table, target.tokens[1]))
            one.say({"type": "rename", "id": 7, "name": "Eve"})
            assert isinstance(await one.answer(), wire.Done)
            one.cut()
            assert await hostile_messages.visible_to_all(server, [target]) != before

    run(change())


def test_the_fuzz_excludes_only_allowed_requests() -> None:
    target = Victim(
        table="T" * 16,
        match="M" * 16,
        tokens=("a" * 43, "b" * 43),
        people=("p0", "p1"),
        names=("Ada", "Ben"),
        plies=(4, 3),
        moves=((), ("R1", "G2")),
        said=(b"{}",),
    )

    def play(ply: int, move: str, match: str = "M" * 16) -> wire.Play:
        return wire.Play(id=1, match=match, ply=ply, move=move)

    stranger, host, other = (Fuzz(target, seat, 1) for seat in (None, 0, 1))
    assert other.rightful(play(3, "G2"))
    assert not other.rightful(play(3, "B9"))
    assert not other.rightful(play(2, "G2"))
    assert not other.rightful(play(3, "G2", "X" * 16))
    assert not host.rightful(play(4, "G2"))
    assert not stranger.rightful(play(3, "G2"))
    for fuzz, allowed in ((stranger, False), (other, False), (host, True)):
        assert fuzz.rightful(wire.Mute(id=1, person="p1", muted=True)) is allowed
        assert fuzz.rightful(wire.FreeSeat(id=1, seat=1)) is allowed
    for fuzz, allowed in ((stranger, False), (other, True), (host, True)):
        assert fuzz.rightful(wire.Leave(id=1)) is allowed
        assert fuzz.rightful(wire.Rename(id=1, name="Eve")) is allowed
    assert not other.rightful(wire.Rename(id=1, name="Ben"))
    assert not stranger.rightful(wire.Join(id=1, name="Eve", token="T" * 43))
    assert stranger.rightful(wire.Join(id=1, name="Eve", token="a" * 43))


def test_the_fuzz_depends_on_its_seed_alone() -> None:
    target = Victim("T" * 16, "M" * 16, ("a" * 43,), ("p",), ("Ada",), (1,), ((),), (b"{}",))
    one, again, other = (Fuzz(target, 0, seed) for seed in (1, 1, 2))
    first = [one.shot() for _ in range(50)]
    assert first == [again.shot() for _ in range(50)]
    assert first != [other.shot() for _ in range(50)]


# -- Over HTTP -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_fuzzed_http_requests_get_explained_refusals(tmp_path: Path) -> None:
    async def attack() -> None:
        async with hostile_server.serving(tmp_path, still=True) as server:
            seen = await hostile_http.attack_http(server, REQUESTS)
            assert seen.total() == REQUESTS
            assert set(seen) >= {200, 201, 400, 404, 405, 413}
            answer = await hostile_server.ask_http(server.port, "GET", "/api/health")
            assert answer.status == 200
            assert server.failures() == []

    run(attack())


@pytest.mark.parametrize(("size", "status"), [(16_384, 400), (16_385, 413), (1_000_000, 413)])
def test_a_request_body_has_a_limit(tmp_path: Path, size: int, status: int) -> None:
    async def post() -> None:
        async with hostile_server.serving(tmp_path, still=True) as server:
            answer = await hostile_server.ask_http(
                server.port, "POST", "/api/tables", body=b"x" * size
            )
            assert answer.status == status
            chunk = b"%x\r\n%s\r\n0\r\n\r\n" % (size, b"x" * size)
            head = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            answer = await hostile_server.ask_http(server.port, "", "", raw=head + chunk)
            assert answer.status == status

    run(post())


def test_unknown_paths_get_an_explained_404(tmp_path: Path) -> None:
    async def ask() -> None:
        async with hostile_server.serving(tmp_path, still=True) as server:
            lost = await hostile_server.ask_http(server.port, "GET", "/api/nothing")
            assert lost.status == 404
            assert msgspec.json.decode(lost.body, type=wire.Problem).error == "nothing-here"
            wrong = await hostile_server.ask_http(server.port, "DELETE", "/api/lobby")
            assert wrong.status == 405
            assert b"allow: " in wrong.head.lower()
            assert msgspec.json.decode(wrong.body, type=wire.Problem).error == "nothing-here"

    run(ask())


# -- Floods and stalled clients --------------------------------------------------------------------


@pytest.mark.slow
def test_floods_and_stalled_clients_do_not_stop_others(tmp_path: Path) -> None:
    """Quiet tables keep playing meanwhile. How fast is measured by the long run."""
    loud = {"flood 4429", "half-open", "silent", "busy", "drip answered"}

    async def play() -> None:
        async with (
            hostile_server.serving(tmp_path, SENSIBLE) as server,
            hostile.QuietTables(server, 8) as quiet,
        ):
            async with hostile.assaulted(server) as noise:
                await noise.until(loud)
                await all_move(quiet, 5)
            assert await quiet.nothing_missed()
            assert set(noise.seen) >= loud | {"stalled 4413 too-slow"}
            assert set(noise.seen) <= loud | {"stalled 4413 too-slow", "denied 429"}
            assert server.failures() == []

    run(play())


async def all_move(quiet: hostile.QuietTables, moves: int) -> None:
    """Wait until everyone has made this many more moves."""
    guests = [guest for pair in quiet.pairs for guest in pair]
    before = {guest: guest.made for guest in guests}
    while not all(guest.made >= before[guest] + moves for guest in guests):
        await asyncio.sleep(0.005)


def test_a_flood_does_not_starve_others(tmp_path: Path) -> None:
    """Of one socket, whose next message is always there already, one is read at each turn."""
    most = 1000

    async def count() -> None:
        async with running_server(tmp_path) as home:
            made = await home.table()
            read = 0

            async def receive() -> dict[str, str]:
                nonlocal read
                read += 1
                if read > most:
                    return {"type": "websocket.disconnect"}
                said = hello(made.table) if read == 1 else {"type": "ping", "id": 1}
                return {"type": "websocket.receive", "text": json.dumps(said)}

            async def send(message: object) -> None:
                pass

            flood = SocketSession(home.lobby, RequestLimits(GENEROUS), receive, send)
            reading = asyncio.create_task(flood.run())
            while read < 2:
                await asyncio.sleep(0)
            for turn in range(100):
                assert read <= 2 + turn
                await asyncio.sleep(0)
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    run(count())


def test_a_client_that_does_not_read_is_disconnected(tmp_path: Path) -> None:
    """The table continues, everyone sees that the client is gone, and it learns why when it
    reads."""
    limits = msgspec.structs.replace(GENEROUS, queue=16)

    async def stall() -> None:
        async with hostile_server.serving(tmp_path, limits, still=True) as server:
            target = await hostile_server.victim(server, "stichling", seats=2, moves=3)
            host = await Socket.open(server.port)
            host.say(hello(target.table, target.tokens[0]))
            stalled = await Socket.open(server.port, small=True)
            stalled.writer.transport.pause_reading()  # type: ignore[attr-defined]
            stalled.say(hello(target.table, target.tokens[1]))
            await presence(host, set(target.people))
            await rename_until_alone(host, target)
            stalled.writer.transport.resume_reading()  # type: ignore[attr-defined]
            _, closed = await stalled.until_closed()
            assert (closed.code, closed.reason) == (4413, "too-slow")
            host.say({"type": "ping", "id": 77})
            assert await host.answer() == wire.Pong(id=77)
            host.cut()

    run(stall())


async def presence(one: Socket, people: set[str]) -> None:
    """Wait until these are connected."""
    while True:
        message = await one.receive()
        if isinstance(message, wire.Presence) and set(message.here) == people:
            return


async def rename_until_alone(host: Socket, target: Victim) -> None:
    """Let things happen until the other's queue is full; each is acknowledged meanwhile."""
    alone = False
    for count in range(5000):
        host.say({"type": "rename", "id": count, "name": f"Ada {count}"})
        while not isinstance(message := await host.receive(), hostile_server.Answer):
            alone |= isinstance(message, wire.Presence) and message.here == (target.people[0],)
        assert message == wire.Done(id=count, seq=message.seq)  # type: ignore[union-attr]
        if alone:
            return
    pytest.fail("a client that does not read is still connected")


def test_a_burst_is_read_to_its_limit_and_closed(tmp_path: Path) -> None:
    """Answers to a burst are sent while it is read: it is too much, not too slow."""
    limits = Limits(queue=8, messages=50, creates=99)

    async def burst() -> None:
        async with hostile_server.serving(tmp_path, limits, still=True) as server:
            made = await hostile_server.make_table(
                server.port, game="stichling", name="Ada", seats=2
            )
            one = await Socket.open(server.port)
            one.say(hello(made.table))
            one.put(hostile_server.framed(b'{"type":"ping","id":1}') * 200)
            received, closed = await one.until_closed()
            assert (closed.code, closed.reason) == (4429, "too-many-messages")
            answered = sum(isinstance(message, wire.Pong) for message in received)
            assert answered == 49, "the hello counts too"
            assert isinstance(received[-1], wire.Bye)

    run(burst())


def test_an_endless_message_is_not_buffered(tmp_path: Path) -> None:
    """Pieces of a message count together."""

    async def pieces() -> None:
        async with hostile_server.serving(tmp_path, still=True) as server:
            made = await hostile_server.make_table(
                server.port, game="stichling", name="Ada", seats=2
            )
            one = await Socket.open(server.port)
            one.say(hello(made.table))
            one.put(hostile_server.framed(b"[" * 1000, fin=False))
            for _ in range(3):
                one.put(hostile_server.framed(b"[" * 1000, hostile_server.CONT, fin=False))
            one.put(hostile_server.framed(b"[" * 97, hostile_server.CONT))
            _, closed = await one.until_closed()
            assert closed.code == 1009

    run(pieces())
