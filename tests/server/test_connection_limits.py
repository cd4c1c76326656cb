"""Limits of connections: bytes, slow readers, headers and places."""

import asyncio
import socket
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from stichwerk.server import wire as wire_messages
from stichwerk.server.network.connection_limits import (
    CONNECTION_BYTES,
    CONNECTIONS_OF_ALL,
)
from stichwerk.server.network.connection_transport import (
    LINGER,
    PACKET_BYTES,
    ConnectionTransport,
)
from stichwerk.server.network.connections import (
    REFUSED_AT_ONCE,
    Listener,
    SocketProtocol,
)
from stichwerk.server.network.limits import Limits
from tests.server.connection_setup import (
    FLOODS,
    HANDSHAKE,
    PING,
    TEXT,
    Place,
    Wire,
    frame,
    inside,
    settle,
)
from tests.server.harness import Quick, run, running_server
from tests.server.hostile_server import Socket, hello

REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


# -- Bytes -----------------------------------------------------------------------------------------


def test_bytes_of_one_socket_are_counted() -> None:
    async def test() -> None:
        place = Place(Limits(bytes_per_socket=65_536, messages=10**6))
        wire = await place.socket()
        for _ in range(1000):
            wire.arrives(frame(TEXT, b"x" * 120))
            await settle()
        assert wire.close_code == 4429
        assert place.metrics.refused.count("too-many-bytes") == 1

    inside(test)


def test_small_reads_cost_as_much_as_larger_ones() -> None:
    async def test() -> None:
        place = Place(Limits(bytes_per_socket=65_536))
        wire = await place.socket()
        sent = 0
        for byte in frame(TEXT, b"{}") * 100:
            sent += wire.arrives(bytes([byte]))
            await settle()
        assert wire.ended
        sent -= wire.protocol.line._discarded
        assert sent == 65_536 / PACKET_BYTES + 1

    inside(test)


def test_bytes_of_one_address_are_counted_over_http_too() -> None:
    async def test() -> None:
        place = Place(Limits(bytes_per_address=100_000, connections_per_address=99))
        answers = []
        for _ in range(40):
            wire = place.connect()
            wire.arrives(REQUEST)
            await settle()
            answers.append(wire.sent[9:12])
            wire.lost()
        assert set(answers) == {b"200", b"429"}
        assert answers == sorted(answers)
        other = place.connect("192.0.2.2")
        other.arrives(REQUEST)
        await settle()
        assert other.sent[9:12] == b"200"

    inside(test)


def test_pipelined_requests_are_not_answered() -> None:
    async def test() -> None:
        place = Place(Limits())
        wire = place.connect()
        wire.arrives(REQUEST * 100)
        await settle()
        assert wire.sent.count(b"HTTP/1.1 200 ") == 1
        assert wire.ended
        patient = place.connect()
        for _ in range(5):
            patient.arrives(REQUEST)
            await settle()
        assert patient.sent.count(b"HTTP/1.1 200 ") == 5

    inside(test)


# -- A client that does not read -------------------------------------------------------------------


def test_nothing_is_read_from_a_client_that_does_not_read() -> None:
    async def test() -> None:
        place = Place(Limits(stalled_seconds=20))
        wire = await place.socket()
        wire.stuck = 1
        wire.protocol.pause_writing()
        assert not wire.reading
        cut = []
        for seconds in (19, 1):
            place.clock.advance(seconds)
            cut.append(wire.cut)
        assert cut == [False, True]
        assert [line["why"] for line in place.lines] == ["stalled"]

    inside(test)


def test_a_client_that_is_only_slow_stays() -> None:
    async def test() -> None:
        place = Place(Limits(stalled_seconds=20))
        wire = await place.socket()
        wire.stuck = 5000
        wire.protocol.pause_writing()
        for _ in range(40):
            wire.stuck -= 100
            place.clock.advance(20)
        assert not wire.cut
        wire.stuck = 0
        wire.protocol.resume_writing()
        assert wire.reading
        place.clock.advance(1000)
        assert not wire.cut

    inside(test)


def test_nothing_is_read_from_an_http_client_that_does_not_read() -> None:
    async def test() -> None:
        place = Place(Limits(stalled_seconds=20, header_seconds=9999))
        wire = place.connect()
        wire.arrives(REQUEST)
        await settle()
        wire.stuck = 5000
        wire.protocol.pause_writing()
        wire.protocol.transport.close()
        place.clock.advance(20)
        assert wire.cut, "although it waits to be closed"

    inside(test)


def test_reading_stays_paused_until_all_reasons_are_gone() -> None:
    place = Place(Limits())
    inner = Wire()
    line = ConnectionTransport(inner, place.connection_limits)
    line.pause("app")
    line.pause("writing")
    line.resume("app")
    assert not inner.reading
    line.resume("writing")
    assert inner.reading


# -- Headers ---------------------------------------------------------------------------------------


def with_headers(size: int) -> bytes:
    """Return a request whose head has this many bytes."""
    head = b"GET / HTTP/1.1\r\nHost: x\r\n"
    lines = [b"X%d: " % number + b"x" * 900 + b"\r\n" for number in range(size // 1000)]
    rest = size - len(head) - sum(map(len, lines)) - len(b"Y: \r\n\r\n")
    return head + b"".join(lines) + b"Y: " + b"y" * rest + b"\r\n\r\n"


@pytest.mark.parametrize("step", [1000, 4096, 100_000])
def test_headers_are_limited_however_they_are_split(step: int) -> None:
    async def answer(size: int) -> bytes:
        place = Place(Limits(header_bytes=16_384))
        wire = place.connect()
        data = with_headers(size)
        assert len(data) == size
        for at in range(0, size, step):
            wire.arrives(data[at : at + step])
        await settle()
        return wire.sent[9:12]

    async def test() -> None:
        assert await answer(16_384) == b"200"
        assert await answer(16_385) == b"431"
        assert await answer(70_000) == b"431"

    inside(test)


def test_slow_headers_time_out() -> None:
    async def test() -> None:
        place = Place(Limits(header_seconds=10))
        wire = place.connect()
        for byte in REQUEST[:9]:
            wire.arrives(bytes([byte]))
            place.clock.advance(1)
        assert wire.sent == b""
        place.clock.advance(1)
        assert wire.sent.startswith(b"HTTP/1.1 408 ")
        assert wire.ended
        assert [line["why"] for line in place.lines] == ["headers-too-slow"]

    inside(test)


def test_an_unused_connection_is_closed_silently() -> None:
    async def test() -> None:
        place = Place(Limits(header_seconds=10))
        wire = place.connect()
        place.clock.advance(10)
        assert wire.closed
        assert (wire.sent, place.lines) == (b"", [])

    inside(test)


def test_keep_alive_connections_time_out() -> None:
    async def test() -> None:
        place = Place(Limits(header_seconds=10))
        wire = place.connect()
        wire.arrives(REQUEST)
        await settle()
        assert wire.sent.startswith(b"HTTP/1.1 200 ")
        place.clock.advance(1000)
        assert not wire.is_closing(), "uvicorn closes it when it is idle"
        wire.arrives(REQUEST[:5])
        place.clock.advance(10)
        assert b"HTTP/1.1 408 " in wire.sent

    inside(test)


def test_malformed_requests_are_answered_but_rarely_logged() -> None:
    async def test() -> None:
        place = Place(Limits())
        for _ in range(20):
            wire = place.connect()
            wire.arrives(b"\x16\x03\x01 hello, I am TLS\r\n\r\n")
            assert wire.sent.startswith(b"HTTP/1.1 400 ")
            wire.lost()
        assert [line["why"] for line in place.lines] == ["bad-request"]
        assert place.metrics.refused.count("bad-request") == 20

    inside(test)


def test_a_handshake_that_only_one_parser_accepts_is_closed() -> None:
    async def test() -> None:
        place = Place(Limits())
        many = b"".join(b"X%d: y\r\n" % number for number in range(300))
        wire = place.connect()
        wire.arrives(HANDSHAKE[:-2] + many + b"\r\n")
        await settle()
        assert wire.sent.startswith(b"HTTP/1.1 431 ")
        assert wire.ended

    inside(test)


async def refusing(scope: Any, receive: Any, send: Any) -> None:
    """Refuse every handshake."""
    await receive()
    await send({"type": "websocket.http.response.start", "status": 429, "headers": []})
    await send({"type": "websocket.http.response.body", "body": b""})


def test_a_refused_handshake_writes_no_error(caplog: pytest.LogCaptureFixture) -> None:
    """Strangers could fill the log with them."""

    async def test() -> None:
        place = Place(Limits(), refusing)
        wire = place.connect()
        wire.arrives(HANDSHAKE)
        await settle()
        assert wire.sent.startswith(b"HTTP/1.1 429 ")
        assert wire.is_closing()
        assert [
            record.getMessage() for record in caplog.records if record.levelname == "ERROR"
        ] == []

    inside(test)


# -- Places ----------------------------------------------------------------------------------------


def test_connections_are_limited_by_address_and_in_total() -> None:
    async def test() -> None:
        place = Place(Limits(connections_per_address=3, connections=5))
        first = [place.connect() for _ in range(4)]
        assert [wire.sent[9:12] for wire in first] == [b"", b"", b"", b"429"]
        others = [place.connect(f"192.0.2.{2 + number}") for number in range(3)]
        assert [wire.sent[9:12] for wire in others] == [b"", b"", b"429"]
        for wire in (*first, *others):
            wire.lost()
        assert place.connection_limits.traffic.connections.open == 0
        assert place.connect().sent == b""

    inside(test)


def test_a_listener_refuses_before_asyncio_makes_anything_for_a_connection() -> None:
    place = Place(Limits(connections_per_address=1, bytes_per_address=3 * CONNECTION_BYTES // 2))
    connection_limits, key = place.connection_limits, "127.0.0.1"
    bound = socket.create_server((key, 0))
    with Listener.taking_over(bound, connection_limits) as listener, ExitStack() as stack:

        def knock() -> socket.socket:
            return stack.enter_context(socket.create_connection(listener.getsockname(), 60))

        assert connection_limits.traffic.connections.enter(key)
        refused = [knock() for _ in range(REFUSED_AT_ONCE + 1)]
        for count in (REFUSED_AT_ONCE, REFUSED_AT_ONCE + 1):  # then others have their turn
            with pytest.raises(BlockingIOError):
                listener.accept()
            assert place.refusals("too-many-connections") == count
        connection_limits.traffic.connections.leave(key)
        knock()
        stack.enter_context(listener.accept()[0])  # which does not count it, so the next is free
        assert connection_limits.traffic.allow_bytes(key, CONNECTION_BYTES, place.clock.monotonic())
        refused.append(knock())
        with pytest.raises(BlockingIOError):
            listener.accept()
        assert place.refusals("too-many-bytes") == 1
        assert all(each.recv(100).startswith(b"HTTP/1.1 429 ") for each in refused)


def test_a_socket_does_not_keep_the_headers_of_its_handshake() -> None:
    async def test() -> None:
        wire = await Place(Limits()).socket()
        assert isinstance(wire.protocol, SocketProtocol)
        assert not wire.protocol.request.headers
        assert not wire.protocol.response.headers

    inside(test)


def test_a_socket_counts_until_it_is_gone() -> None:
    async def test() -> None:
        place = Place(Limits(connections_per_address=1))
        wire = await place.socket()
        assert place.connect().sent[9:12] == b"429"
        wire.arrives(frame(PING) * 500)
        assert place.connect().sent[9:12] == b"429", "it is not gone yet"
        wire.lost()
        assert place.connect().sent == b""

    inside(test)


def test_behind_a_proxy_visitors_count_and_the_proxy_does_not() -> None:
    def visitor(address: str) -> bytes:
        return HANDSHAKE[:-2] + f"X-Forwarded-For: {address}\r\n\r\n".encode()

    async def test() -> None:
        limits = Limits(
            connections_per_address=1, control_frames=100, frames_per_address=150, connections=6
        )
        place = Place(limits, proxies=("10.0.0.0/8",))
        loud = [await place.socket("10.0.0.1", visitor("192.0.2.7")) for _ in range(3)]
        quiet = await place.socket("10.0.0.1", visitor("192.0.2.8"))
        for wire in (*loud, quiet):
            wire.arrives(frame(PING) * 70)
        assert [wire.close_code for wire in (*loud, quiet)] == [None, None, 4429, None]
        assert [place.connect("10.0.0.1").sent[9:12] for _ in range(3)] == [b"", b"", b"429"]

    inside(test)


# -- A real server ---------------------------------------------------------------------------------


@pytest.mark.parametrize("greeted", [True, False], ids=["at a table", "before hello"])
def test_a_flooder_is_closed_and_others_play_on(tmp_path: Path, greeted: bool) -> None:
    async def test() -> None:
        async with running_server(tmp_path, pool=Quick(), limits=Limits()) as home:
            made = await home.table()
            port = int(home.http.rpartition(":")[2])
            async with home.guest(made, local_address="127.0.0.2") as ada:
                for flood in FLOODS.values():
                    eve = await Socket.open(port)
                    if greeted:
                        eve.say(hello(made.table))
                    eve.put(frame(TEXT, b"[", fin=False) if flood == FLOODS["fragments"] else b"")
                    eve.put(flood * 2000)
                    _, closed = await eve.until_closed()
                    assert (closed.code, closed.reason) == (4429, "too-many-frames")
                    home.clock.advance(LINGER)
                    pong = await ada.ask(lambda id: wire_messages.Ping(id=id))
                    assert isinstance(pong, wire_messages.Pong)
                assert ada.resumed == 0
            assert home.metrics.refused.count("too-many-frames") == len(FLOODS)

    run(test())


def test_large_headers_are_refused_and_the_answer_arrives(tmp_path: Path) -> None:
    async def test() -> None:
        async with running_server(tmp_path, pool=Quick(), limits=Limits()) as home:
            port = int(home.http.rpartition(":")[2])
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(with_headers(70_000))
            assert (await reader.readline()).startswith(b"HTTP/1.1 431 ")
            writer.close()
            await writer.wait_closed()
            assert (await home.get("/api/version")).status_code == 200

    run(test())


# -- The log ---------------------------------------------------------------------------------------


def test_refusals_cannot_fill_the_log() -> None:
    place = Place(Limits())
    for number in range(2000):
        place.connection_limits.refused(f"198.51.{number % 200}.{number // 200}", "bad-frame", 1002)
        place.connection_limits.refused("192.0.2.1", "bad-frame", 1002)
    assert len(place.lines) == CONNECTIONS_OF_ALL
    assert place.metrics.refused.count("bad-frame") == 4000
    place.clock.advance(60)
    for _ in range(10):
        place.connection_limits.refused("192.0.2.1", "bad-frame", 1002)
    assert len(place.lines) == CONNECTIONS_OF_ALL + 1
