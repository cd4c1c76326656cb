"""Who may connect: every combination of origin, token, table, version and first message."""

import asyncio
from collections.abc import Coroutine, Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from stichwerk.server import wire
from stichwerk.server.network.limits import Limits
from tests.server.harness import RunningServer, running_server
from tests.server.hostile_server import DeniedError, Socket, ask_http, check_words, framed, hello

pytestmark = pytest.mark.slow  # with a real server

USUAL = Limits(
    creates=99,
    http_requests=99_999,
    sockets_per_address=50,
    frames_per_address=99_999,
    bytes_per_address=10**12,
)


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run it with a time limit."""
    asyncio.run(asyncio.wait_for(work, 300))


def port_of(one: RunningServer) -> int:
    """Return the address a server listens on."""
    return int(one.http.rpartition(":")[2])


# -- The matrix ------------------------------------------------------------------------------------


class Refused(NamedTuple):
    """The handshake is refused, or the connection closed and why."""

    code: int
    reason: str = ""


class Case(NamedTuple):
    """A part of a handshake and what it leads to: None where it is as it should be."""

    value: object
    refused: Refused | None


FOREIGN = Refused(403)
UNREADABLE = Refused(4400, "no-hello")
STALE = Refused(4400, "wrong-version")
NOWHERE = Refused(4404, "no-such-table")
UNKNOWN = Refused(4403, "bad-token")

# `{port}` stands for the port of the server; its host is 127.0.0.1.
ORIGINS = (
    Case(None, None),  # no browser
    Case("http://127.0.0.1:{port}", None),
    Case("HTTP://127.0.0.1:{port}", None),  # schemes and hosts have no case
    Case("https://127.0.0.1:{port}", None),  # behind a proxy that speaks TLS
    Case("http://127.0.0.1:1", FOREIGN),
    Case("http://127.0.0.1", FOREIGN),  # port 80
    Case("http://evil.example", FOREIGN),
    Case("http://evil.example:{port}", FOREIGN),
    Case("http://127.0.0.1.evil.example:{port}", FOREIGN),
    Case("http://127.0.0.1:{port}.evil.example", FOREIGN),
    Case("http://127.0.0.1:{port}@evil.example", FOREIGN),
    Case("http://evil.example/http://127.0.0.1:{port}", FOREIGN),
    Case("http://127.0.0.1:{port}/", FOREIGN),  # no browser writes a path
    Case("file://127.0.0.1:{port}", FOREIGN),
    Case("null", FOREIGN),
    Case("", FOREIGN),
)
VERSIONS = (
    Case(wire.VERSION, None),
    Case(0, STALE),
    Case(2, STALE),
    Case("1", UNREADABLE),
    Case(None, UNREADABLE),
)
TABLES = (
    Case("{table}", None),
    Case("{other}", None),  # another table that is there; its own tokens count
    Case("A" * 16, NOWHERE),
    Case("no table!", UNREADABLE),
    Case("", UNREADABLE),
    Case(["{table}"], UNREADABLE),
)
TOKENS = (
    Case(None, None),
    Case("{token}", None),
    Case("{stranger}", UNKNOWN),  # of nobody
    Case("short", UNREADABLE),
    Case("{token}=", UNREADABLE),
    Case(7, UNREADABLE),
)


class Cell(NamedTuple):
    """One field of the matrix."""

    origin: Case
    version: Case
    table: Case
    token: Case

    @property
    def tells(self) -> bool:
        """Whether it is worth trying: of a foreign origin nothing is read, so one row will do."""
        return self.origin.refused is None or self.version.refused is None

    @property
    def expected(self) -> Refused | None:
        """The first thing that is wrong, in the order in which they are looked at."""
        if self.origin.refused is not None:
            return self.origin.refused
        said = (self.version.refused, self.table.refused, self.token.refused)
        if UNREADABLE in said:
            return UNREADABLE
        of_another = (self.table.value, self.token.value) == ("{other}", "{token}")
        return next((one for one in said if one is not None), UNKNOWN if of_another else None)

    @property
    def hello(self) -> dict[str, object]:
        """The first message."""
        said = {"version": self.version.value, "table": self.table.value}
        return {"type": "hello", **said, "token": self.token.value}


class Known(NamedTuple):
    """The values of the placeholders."""

    port: int
    words: dict[str, str]

    def fill(self, value: object) -> object:
        """Return a value of the table above, for this server."""
        if isinstance(value, list):
            return [self.fill(one) for one in value]
        if isinstance(value, str):
            for word, meant in self.words.items():
                value = value.replace(f"{{{word}}}", meant)
        return value


async def knock(known: Known, origin: Case, said: dict[str, object]) -> Refused | wire.Welcome:
    """Try to come in."""
    given = known.fill(origin.value)
    headers = [] if given is None else [("Origin", str(given))]
    try:
        one = await Socket.open(known.port, headers=headers)
    except DeniedError as denied:
        return Refused(denied.status)
    one.say({key: known.fill(value) for key, value in said.items()})
    return await outcome(one)


async def outcome(one: Socket) -> Refused | wire.Welcome:
    """Return a welcome, or the refusal and the close code."""
    first = await one.receive()
    if isinstance(first, wire.Welcome):
        one.cut()
        return first
    rest, closed = await one.until_closed()
    bye = [first, *rest][-1]
    assert isinstance(bye, wire.Bye)
    assert bye.error == closed.reason
    check_words(bye.error, bye.text)
    return Refused(closed.code, closed.reason)


async def try_cell(known: Known, cell: Cell) -> Refused | None:
    """Check one cell of the matrix and return its result."""
    came = await knock(known, cell.origin, cell.hello)
    if cell.expected is None:
        assert isinstance(came, wire.Welcome), (cell, came)
        mine = cell.token.value is not None
        assert came.person == (known.words["person"] if mine else None)
        assert came.seat == (0 if mine else None)
    else:
        assert came == cell.expected, cell
    return cell.expected


def batched(cells: list[Cell], count: int) -> Iterator[list[Cell]]:
    """Yield this many at a time."""
    for first in range(0, len(cells), count):
        yield cells[first : first + count]


def test_origin_and_host_matrix(tmp_path: Path) -> None:
    async def all_of_it() -> None:
        async with running_server(tmp_path, limits=USUAL) as here:
            made, other = await here.table(), await here.table()
            words = {"table": made.table, "other": other.table, "token": made.token}
            words |= {"stranger": "s" * 43, "person": made.person, "port": str(port_of(here))}
            known = Known(port_of(here), words)
            cells = [Cell(*cell) for cell in product(ORIGINS, VERSIONS, TABLES, TOKENS)]
            seen = set()
            for some in batched([cell for cell in cells if cell.tells], 24):
                seen.update(await asyncio.gather(*(try_cell(known, cell) for cell in some)))
            assert seen == {None, FOREIGN, UNREADABLE, STALE, NOWHERE, UNKNOWN}
            assert here.lobby.live_tables.keys() == {made.table, other.table}

    run(all_of_it())


FIRST: tuple[tuple[bytes, Refused], ...] = (
    (framed(b'{"type":"ping","id":1}'), UNREADABLE),
    (framed(b'{"type":"join","id":1,"name":"Eve"}'), UNREADABLE),
    (framed(b'{"type":"leave","id":1}'), UNREADABLE),
    (framed(b'{"type":"hello"}'), UNREADABLE),
    (framed(b"hello"), UNREADABLE),
    (framed(b""), UNREADABLE),
    (framed(b"\x00\xff", 2), UNREADABLE),
    (framed(b"[" * 4000), UNREADABLE),
)


def test_the_first_message_must_be_hello(tmp_path: Path) -> None:
    async def others() -> None:
        async with running_server(tmp_path, limits=USUAL) as here:
            for frames, wanted in FIRST:
                one = await Socket.open(port_of(here))
                one.put(frames)
                assert await outcome(one) == wanted, frames

    run(others())


@pytest.mark.parametrize("begun", [b"", framed(b'{"type":"hello"', fin=False)])
def test_the_first_message_has_a_time_limit(tmp_path: Path, begun: bytes) -> None:
    async def wait() -> None:
        async with running_server(tmp_path, limits=USUAL) as here:
            one = await Socket.open(port_of(here))
            one.put(begun)
            await here.clock.expire(USUAL.hello_seconds)
            assert await outcome(one) == Refused(4408, "no-hello")

    run(wait())


def test_a_second_hello_is_refused(tmp_path: Path) -> None:
    async def twice() -> None:
        async with running_server(tmp_path, limits=USUAL) as here:
            made, other = await here.table(), await here.table()
            one = await Socket.open(port_of(here))
            one.say(hello(made.table))
            for again in (hello(made.table), hello(other.table, other.token)):
                one.say(again)
                answer = await one.answer()
                assert isinstance(answer, wire.Refused)
                assert (answer.id, answer.error) == (None, "hello-twice")
            one.say({"type": "leave", "id": 5})
            answer = await one.answer()
            assert isinstance(answer, wire.Refused)
            assert (answer.id, answer.error) == (5, "not-taking-part")
            one.cut()

    run(twice())


def test_named_origins_are_accepted(tmp_path: Path) -> None:
    async def named() -> None:
        origins = ("https://cards.example",)
        async with running_server(tmp_path, limits=USUAL, origins=origins) as here:
            made = await here.table()
            known = Known(port_of(here), {"table": made.table})
            said = hello("{table}")
            good = await knock(known, Case("https://cards.example", None), said)
            assert isinstance(good, wire.Welcome)
            for origin in ("http://cards.example", "https://cards.example.evil.example", "null"):
                assert await knock(known, Case(origin, FOREIGN), said) == FOREIGN

    run(named())


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "a b", ""])
def test_a_public_host_name_is_refused(tmp_path: Path, host: str) -> None:
    """Against DNS rebinding: to the browser such a page has the same origin as the server."""

    async def rebound() -> None:
        async with running_server(tmp_path, limits=USUAL) as here:
            place = f"{host}:{port_of(here)}"
            headers = [("Host", place), ("Origin", f"http://{place}")]
            with pytest.raises(DeniedError, match="403"):
                await Socket.open(port_of(here), headers=headers)

    run(rebound())


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/ws/", "/ws/x", "/api/health", "/api/tables"])
def test_only_one_path_accepts_websockets(tmp_path: Path, path: str) -> None:
    async def elsewhere() -> None:
        async with running_server(tmp_path, limits=USUAL) as here:
            with pytest.raises(DeniedError) as denied:
                await Socket.open(port_of(here), path=path)
            assert 300 < denied.value.status < 500

    run(elsewhere())


def test_a_refused_handshake_has_the_headers_of_every_answer(tmp_path: Path) -> None:
    async def foreign() -> None:
        async with running_server(tmp_path, limits=USUAL) as here:
            with pytest.raises(DeniedError) as denied:
                await Socket.open(port_of(here), headers=[("Origin", "null")])
            assert b"nosniff" in denied.value.head

    run(foreign())


# -- Limits ----------------------------------------------------------------------------------------


def test_sockets_are_counted_by_address(tmp_path: Path) -> None:
    async def many() -> None:
        async with running_server(tmp_path, limits=Limits(sockets_per_address=3)) as here:
            port = port_of(here)
            ours = [await Socket.open(port, address="127.0.0.2") for _ in range(3)]
            with pytest.raises(DeniedError, match="429"):
                await Socket.open(port, address="127.0.0.2")
            theirs = [await Socket.open(port, address="127.0.0.3") for _ in range(3)]
            with pytest.raises(DeniedError, match="429"):
                await Socket.open(port, address="127.0.0.3")
            ours.pop().cut()
            ours.append(await let_in(port, "127.0.0.2"))
            with pytest.raises(DeniedError, match="429"):
                await Socket.open(port, address="127.0.0.2")
            for one in (*ours, *theirs):
                one.cut()

    run(many())


async def let_in(port: int, address: str) -> Socket:
    """Come in, once the server has noticed that another has gone."""
    while True:
        try:
            return await Socket.open(port, address=address)
        except DeniedError:
            await asyncio.sleep(0.01)


def test_refused_origins_do_not_count_as_sockets(tmp_path: Path) -> None:
    async def foreign() -> None:
        async with running_server(tmp_path, limits=Limits(sockets_per_address=1)) as here:
            for _ in range(5):
                with pytest.raises(DeniedError, match="403"):
                    await Socket.open(port_of(here), headers=[("Origin", "http://evil.example")])
            (await Socket.open(port_of(here))).cut()

    run(foreign())


def test_messages_are_counted_by_socket(tmp_path: Path) -> None:
    async def flood() -> None:
        async with running_server(tmp_path, limits=Limits(messages=10, seconds=3600)) as here:
            made = await here.table()
            quiet = await Socket.open(port_of(here))
            quiet.say(hello(made.table))
            one = await Socket.open(port_of(here))
            one.say(hello(made.table, lang="de"))
            for id in range(9):
                one.say({"type": "ping", "id": id})
                assert await one.answer() == wire.Pong(id=id)
            one.say({"type": "ping", "id": 9})
            received, closed = await one.until_closed()
            assert (closed.code, closed.reason) == (4429, "too-many-messages")
            assert isinstance(received[-1], wire.Bye)
            assert received[-1].error == "too-many-messages"
            assert not any(isinstance(message, wire.Pong) for message in received)
            quiet.say({"type": "ping", "id": 1})
            assert await quiet.answer() == wire.Pong(id=1)
            quiet.cut()

    run(flood())


def test_handshakes_count_as_requests(tmp_path: Path) -> None:
    """Otherwise a client closed for too many messages could send as many again at once."""

    async def again() -> None:
        limits = Limits(http_requests=3, http_seconds=3600)
        async with running_server(tmp_path, limits=limits) as here:
            for _ in range(3):
                (await Socket.open(port_of(here), address="127.0.0.2")).cut()
            with pytest.raises(DeniedError, match="429"):
                await Socket.open(port_of(here), address="127.0.0.2")
            (await Socket.open(port_of(here), address="127.0.0.3")).cut()

    run(again())


def test_requests_are_counted_by_address(tmp_path: Path) -> None:
    async def many() -> None:
        limits = Limits(http_requests=3, http_seconds=3600, creates=99)
        async with running_server(tmp_path, limits=limits) as here:
            port = port_of(here)
            answers = [await ask_http(port, "GET", "/api/version") for _ in range(5)]
            assert [one.status for one in answers] == [200, 200, 200, 429, 429]
            other = await ask_http(port, "GET", "/api/version", address="127.0.0.9")
            assert other.status == 200

    run(many())
