"""Connections: frames, bytes, headers and places are counted before anything is handled."""

import asyncio
from typing import Any

import pytest

from stichwerk.server.network import connection_transport, connections
from stichwerk.server.network.connection_limits import (
    CONNECTION_BYTES,
)
from stichwerk.server.network.connection_transport import (
    BREACH_BYTES,
    LINGER,
    PACKET_BYTES,
)
from stichwerk.server.network.limits import Limits
from tests.server.connection_setup import (
    CONT,
    FLOODS,
    HANDSHAKE,
    PING,
    PONG,
    TEXT,
    Place,
    frame,
    inside,
    settle,
)
from tests.server.manual_clock import until


async def deaf(scope: Any, receive: Any, send: Any) -> None:
    """Accept, and read nothing."""
    await receive()
    await send({"type": "websocket.accept"})
    await asyncio.Event().wait()


# -- Frames ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("flood", FLOODS)
def test_a_socket_that_floods_frames_is_closed(flood: str) -> None:
    async def test() -> None:
        place = Place(Limits(control_frames=10, bytes_per_socket=10**9, bytes_per_address=10**9))
        wire = await place.socket()
        before = len(wire.sent)
        if flood == "fragments":
            wire.arrives(frame(TEXT, b"[", fin=False))
        for _ in range(20):
            wire.arrives(FLOODS[flood] * 100)
            await settle()
        assert wire.close_code == 4429
        assert len(wire.sent) - before < 2000, "the rest was not answered"
        assert wire.ended
        wire.arrives(bytes(2 * connection_transport.DISCARDED_BYTES))
        assert not wire.reading, "what comes after a bound stays in the system's buffer"
        assert place.metrics.refused.count("too-many-frames") == 1
        (line,) = place.lines
        assert (line["event"], line["why"], line["code"]) == ("hung-up", "too-many-frames", 4429)
        assert line["address"] == "192.0.2.0/24"
        place.clock.advance(LINGER)
        assert wire.cut

    inside(test)


def test_at_most_one_read_is_handled_before_it_is_counted() -> None:
    async def test() -> None:
        place = Place(Limits(control_frames=1))
        wire = await place.socket()
        seen = 0

        def count(frames: Any) -> bool:
            nonlocal seen
            seen += 1
            return True

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(connections, "is_extra", count)
            wire.arrives(frame(PING) * 10_000)
        assert seen <= connections.PIECE_BYTES / len(frame(PING)) + 1

    inside(test)


def test_occasional_pings_are_fine() -> None:
    async def test() -> None:
        place = Place(Limits())
        wire = await place.socket()
        before = len(wire.sent)
        for _ in range(500):
            wire.arrives(frame(PING, b"x") + frame(PONG, b"y") + frame(TEXT, b"{}"))
            await settle()
            place.clock.advance(2.5)
        assert wire.sent[before:] == 500 * b"\x8a\x01x"
        assert not wire.is_closing()
        assert place.lines == []

    inside(test)


def test_many_sockets_of_one_address_count_together() -> None:
    async def test() -> None:
        place = Place(Limits(control_frames=100, frames_per_address=150))
        wires = [await place.socket() for _ in range(4)]
        other = await place.socket("192.0.2.2")
        for wire in (*wires, other):
            wire.arrives(frame(PING) * 60)
        assert [wire.close_code for wire in (*wires, other)] == [None, None, 4429, 4429, None]
        for wire in wires:
            wire.lost()
        again = await place.socket()
        again.arrives(frame(PING) * 60)
        assert again.close_code == 4429, "to come back does not help"

    inside(test)


def test_an_address_is_refused_for_a_while_after_floods() -> None:
    async def test() -> None:
        place = Place(Limits())
        floods = 0
        while not (wire := place.connect()).sent:
            wire.arrives(HANDSHAKE)
            await settle()
            wire.arrives(frame(PING) * 500)
            assert wire.close_code == 4429
            wire.lost()
            floods += 1
        assert wire.sent.startswith(b"HTTP/1.1 429 ")
        assert floods == 2_000_000 // (BREACH_BYTES + CONNECTION_BYTES + 4 * PACKET_BYTES) + 1
        assert place.connect("192.0.2.2").sent == b""
        place.clock.advance(1)
        assert place.connect().sent == b""

    inside(test)


def test_messages_wait_for_the_app() -> None:
    async def test() -> None:
        place = Place(Limits(), deaf)
        wire = await place.socket()
        taken = wire.arrives(frame(TEXT, b"{}") * 10_000)
        assert taken <= 2 * connections.PIECE_BYTES, "one is handled, and one is held"
        assert not wire.reading
        held = wire.protocol.queue.qsize()
        assert held <= connections.PIECE_BYTES / len(frame(TEXT, b"{}")) + 1

    inside(test)


def test_every_message_arrives_in_order() -> None:
    got: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            got.append(message["text"])
            await asyncio.sleep(0)

    async def test() -> None:
        place = Place(Limits(), app)
        wire = await place.socket()
        wanted = [str(number) * 20 for number in range(90)]
        data = b"".join(frame(TEXT, text.encode()) for text in wanted)
        while data:
            data = data[wire.arrives(data) :]
            await settle()
        await until(lambda: len(got) == len(wanted), "the last message")
        assert got == wanted

    inside(test)


def test_frames_before_the_handshake_are_not_read() -> None:
    go = asyncio.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await go.wait()
        await send({"type": "websocket.accept"})
        await receive()

    async def test() -> None:
        place = Place(Limits(control_frames=10), app)
        wire = place.connect()
        wire.arrives(HANDSHAKE)
        await settle()
        assert wire.arrives(frame(PING) * 100) == 0
        assert wire.sent == b""
        go.set()
        await settle()
        assert wire.sent.startswith(b"HTTP/1.1 101 ")
        wire.arrives(frame(PING) * 100)
        assert wire.close_code == 4429

    inside(test)


def test_frames_after_the_close_frame_still_count() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": 4404})

    async def test() -> None:
        place = Place(Limits(control_frames=10), app)
        wire = await place.socket()
        assert wire.close_code == 4404
        wire.arrives(frame(TEXT, b"{}") * 100)
        assert wire.ended
        assert place.metrics.refused.count("too-many-frames") == 1

    inside(test)


@pytest.mark.parametrize("text", [b"\xff\xfe", b"\xc3", b'"\xed\xa0\x80"'])
def test_invalid_utf8_closes_the_socket_without_a_traceback(text: bytes) -> None:
    async def test() -> None:
        place = Place(Limits(bytes_per_address=10**12))
        for number in range(50):
            wire = await place.socket()
            if number % 2:
                wire.arrives(frame(TEXT, text[:1], fin=False) + frame(CONT, text[1:]))
            else:
                wire.arrives(frame(TEXT, text))
            assert wire.close_code == 1007
            wire.lost()
        (line,) = place.lines
        assert (line["level"], line["why"]) == ("warn", "not-utf8")
        assert "trace" not in line

    inside(test)


def test_an_invalid_frame_closes_the_socket_with_its_code() -> None:
    async def test() -> None:
        place = Place(Limits())
        for data, code in ((b"\xf1\x80" + bytes(4), 1002), (b"\x81\xfe\xff\xff", 1009)):
            wire = await place.socket()
            wire.arrives(data + bytes(5000))
            assert wire.close_code == code
            assert wire.ended
        assert place.metrics.refused.count("bad-frame") == 2

    inside(test)
