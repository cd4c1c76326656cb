"""The server as a process: it starts, prints its address, answers, and stops without losing
anything.

`python -m tests.server.stand_in_server KIND PORT` runs it with a stand-in for the tables.
"""

import asyncio
import io
import os
import signal
import socket
import sys
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.applications import Starlette
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from stichwerk.locale import text
from stichwerk.server import run
from stichwerk.server.http.terminal_qr import qr_lines
from stichwerk.server.logs import Log
from stichwerk.server.metrics import Metrics
from stichwerk.server.network import listening as addresses
from stichwerk.server.network.connection_limits import ConnectionLimits
from stichwerk.server.network.connections import Listener
from stichwerk.server.network.limits import Limits
from stichwerk.server.network.listening import lan_addresses, listening, url
from stichwerk.server.run import ServerRun, configured, counting_commits, has_screen, serve
from stichwerk.server.serve_options import CannotServeError, ServeOptions, check, named_origins
from tests.server.manual_clock import ManualClock
from tests.server.stand_in_server import fetch, running

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


# -- The process -----------------------------------------------------------------------------------


@pytest.mark.slow
@posix_only
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_server_starts_answers_and_stops(number: int) -> None:
    with running() as server:
        port = server.port
        body, headers = fetch(port)
        assert body == "127.0.0.1"
        assert "server" not in {name.lower() for name in headers}
        with connect(f"ws://127.0.0.1:{port}/echo", compression=None) as websocket:
            websocket.send("hello")
            assert websocket.recv(60) == "hello"
            server.process.send_signal(number)
            assert websocket.recv(60) == "bye", "clients are notified"
            with pytest.raises(ConnectionClosed) as closed:
                websocket.recv(60)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
        code, out, err = server.ended()
    assert code == 0, err
    steps = ("Stopping", "app closed", "store closed", "Stopped.")
    assert [step for line in out.splitlines() for step in steps if step in line] == list(steps)
    assert "somewhere" in out
    assert '"event": "started"' in err
    assert '"level": "error"' not in err
    assert "Traceback" not in err


@posix_only
def test_a_second_signal_ends_at_once() -> None:
    with running("stalls", 0, "patient") as server:
        assert server.port
        server.process.send_signal(signal.SIGTERM)
        server.until("stalled")
        code, out, _ = server.stop(signal.SIGINT)
    assert code == 128 + signal.SIGINT
    assert "store closed" not in out


@posix_only
def test_a_doubled_signal_counts_once() -> None:
    """A whole process group gets the signal, and `make` passes it on once more."""
    with running("stalls") as server:
        assert server.port
        server.process.send_signal(signal.SIGTERM)
        server.until("stalled")  # else both could be taken for one before they reach us
        code, out, _ = server.stop(signal.SIGTERM)
    assert code == 0
    assert "store closed" in out


@pytest.mark.slow
@posix_only
@pytest.mark.parametrize("kind", ["stalls", "forgets", "signal"])
def test_the_server_stops_whatever_the_app_does(kind: str) -> None:
    with running(kind) as server:
        assert server.port
        if kind != "signal":
            server.process.send_signal(signal.SIGTERM)
        code, out, err = server.ended()
    assert code == 0
    assert out.index("app closed") < out.index("store closed")
    assert ("farewell-failed" in err) == (kind != "signal")


@posix_only
def test_a_later_second_sigterm_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    clock = ManualClock()
    with listening(ServeOptions(port=0)) as sockets:
        server = ServerRun(ServeOptions(port=0), "en", io.StringIO(), sockets, clock)
        server._stop(signal.SIGTERM, None)
        clock.advance(0.9 * run.SAME_SIGNAL)
        server._stop(signal.SIGTERM, None)
        assert ended == []
        clock.advance(0.2 * run.SAME_SIGNAL)
        server._stop(signal.SIGTERM, None)
    assert ended == [128 + signal.SIGTERM]


@posix_only
def test_a_client_that_does_not_read_does_not_delay_shutdown() -> None:
    with running() as server:
        port = server.port
        with socket.create_connection(("127.0.0.1", port)) as stalled:
            stalled.sendall(b"GET /client HTTP/1.1\r\nHost: x")
            code, _, _ = server.stop()
    assert code == 0


def test_a_taken_port_is_reported_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with running("usual", port) as server:
            code, out, err = server.ended()
    assert (code, out) == (1, "")
    assert err == text("port-taken", "en", port=port) + "\n"


def test_an_app_that_refuses_to_start_is_reported_in_one_line() -> None:
    with running("refuses") as server:
        code, out, err = server.ended()
    assert code == 1
    assert err.splitlines()[-1] == "storage-stand-in: file=x"
    assert out == "store closed\n"


def test_an_app_that_crashes_at_start_is_reported_without_its_text() -> None:
    with running("breaks") as server:
        code, _, err = server.ended()
    assert code == 1
    assert err.splitlines()[-1] == text("serve-failed", "en", kind="RuntimeError")
    assert '"exception": "RuntimeError"' in err
    assert "secret" not in err


def test_a_frame_that_is_too_large_closes_the_socket() -> None:
    with (
        running() as server,
        connect(f"ws://127.0.0.1:{server.port}/echo", compression="deflate") as websocket,
    ):
        websocket.send("x" * 100)
        assert websocket.recv(60) == "x" * 100
        assert not websocket.protocol.extensions
        websocket.send("x" * 101)
        with pytest.raises(ConnectionClosed) as closed:
            websocket.recv(60)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


@pytest.mark.parametrize(("flags", "seen"), [((), "127.0.0.1"), (("proxy",), "192.0.2.9")])
def test_a_proxy_is_trusted_only_if_named(flags: tuple[str, ...], seen: str) -> None:
    with running("usual", 0, *flags) as server:
        assert fetch(server.port, X_Forwarded_For="192.0.2.9")[0] == seen


@posix_only
def test_public_explains_its_risks() -> None:
    with running("usual", 0, "public") as server:
        server.until("Stop with")
        code, out, _ = server.stop()
    assert code == 0
    assert text("serve-public", "en") in out
    assert "▀" not in out, "no picture where there is no terminal"


# -- Sockets ---------------------------------------------------------------------------------------


def test_the_server_listens_on_loopback_by_default() -> None:
    assert ServeOptions().host == "127.0.0.1"
    with listening(ServeOptions(port=0)) as sockets:
        assert [each.getsockname()[0] for each in sockets] == ["127.0.0.1"]


def test_public_listens_everywhere_on_one_port() -> None:
    with listening(ServeOptions(port=0, public=True)) as sockets:
        assert sockets[0].getsockname()[0] == "0.0.0.0"
        assert len({each.getsockname()[1] for each in sockets}) == 1
    assert all(each.fileno() == -1 for each in sockets)


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid", "a" * 300])
def test_an_unknown_host_is_reported(host: str) -> None:
    with pytest.raises(CannotServeError) as refused, listening(ServeOptions(host=host, port=0)):
        pass
    assert refused.value.id == "host-not-here"


def test_a_forbidden_port_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> socket.socket:
        raise PermissionError(13, "no")

    monkeypatch.setattr(socket, "create_server", forbidden)
    with pytest.raises(CannotServeError) as refused, listening(ServeOptions(port=80)):
        pass
    assert refused.value.id == "port-forbidden"


@pytest.mark.parametrize(
    ("options", "id"),
    [
        (ServeOptions(origin=("https://a.example/path",)), "bad-origin"),
        (ServeOptions(origin=("*",)), "bad-origin"),
        (ServeOptions(url="cards.example.org"), "bad-url"),
        (ServeOptions(url="https://cards.example.org/table"), "bad-url"),
        (ServeOptions(url="ftp://cards.example.org"), "bad-url"),
        (ServeOptions(proxies=("*",)), "bad-proxy"),
    ],
)
def test_odd_options_are_refused(
    options: ServeOptions, id: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CannotServeError) as refused:
        check(options)
    assert refused.value.id == id
    assert serve(options, "de") == 1
    assert capsys.readouterr().err == text(id, "de", **refused.value.data) + "\n"


def test_valid_options_are_accepted() -> None:
    check(ServeOptions())
    options = ServeOptions(
        origin=("https://a.example", "b.example:8443"),
        url="https://cards.example.org/",
        proxies=("10.0.0.0/8", "::1"),
    )
    check(options)
    assert named_origins(options)[-1] == "https://cards.example.org"


def test_the_listening_host_name_is_accepted() -> None:
    assert named_origins(ServeOptions(host="cards.example.org")) == ("cards.example.org",)
    assert named_origins(ServeOptions(host="192.168.1.7")) == ()
    assert named_origins(ServeOptions(host="evil.example", public=True)) == ()


def test_connections_are_limited_by_open_files(capsys: pytest.CaptureFixture[str]) -> None:
    options = ServeOptions(port=0)
    with listening(options) as sockets:
        server = ServerRun(options, "en", io.StringIO(), sockets)
        usual = Limits()
        assert server._within_files(usual, None) is usual
        assert server._within_files(usual, 65_536) is usual
        assert server._within_files(usual, 1024).connections == 1024 - run.SPARE_FILES
    assert "few-files" in capsys.readouterr().err


def test_connections_are_refused_where_they_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[socket.socket] = []

    async def serve(self: object, sockets: list[socket.socket]) -> None:
        served.extend(sockets)

    monkeypatch.setattr(run.Server, "serve", serve)
    options = ServeOptions(port=0)
    with listening(options) as sockets:
        server = ServerRun(options, "en", io.StringIO(), sockets)
        asyncio.run(server._serve(Starlette(), Limits()))
        assert [type(each) for each in served] == [Listener]
        assert served[0].getsockname()[1] == server.port
    assert served[0].fileno() == -1, "it is closed with the others"


def test_uvicorn_is_configured_as_documented() -> None:
    connection_limits = ConnectionLimits(Limits(), Log(io.StringIO()), Metrics())
    config = configured(Starlette(), connection_limits, ServeOptions())
    assert config.ws_max_size == 4096
    assert config.ws_ping_interval == 20
    assert config.limit_concurrency is None
    assert not any([config.access_log, config.proxy_headers, config.server_header])


# -- What a person reads ---------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@contextmanager
def running_server(options: ServeOptions, lang: str, out: io.StringIO) -> Iterator[ServerRun]:
    with listening(options) as sockets:
        yield ServerRun(options, lang, out, sockets)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that were opened in a browser."""
    pages: list[str] = []

    class AtOnce:
        def __init__(self, target: Callable[..., Any], args: tuple[str], daemon: bool) -> None:
            self.start = lambda: target(*args)

    monkeypatch.setattr(run, "Thread", AtOnce)

    def note(url: str) -> bool:
        pages.append(url)
        return True

    monkeypatch.setattr(webbrowser, "open", note)
    monkeypatch.setenv("DISPLAY", ":0")
    return pages


def test_the_browser_opens_for_a_person_at_home(opened: list[str]) -> None:
    with running_server(ServeOptions(port=0), "de", Terminal()) as at_home:
        at_home.print_addresses()
        assert opened == at_home.urls == [f"http://127.0.0.1:{at_home.port}/"]
        assert isinstance(at_home.out, Terminal)
        said = at_home.out.getvalue()
    assert f"Stichwerk ist offen: {opened[0]}" in said
    assert "Strg+C" in said


@pytest.mark.parametrize(
    ("options", "out"),
    [
        (ServeOptions(port=0, open_browser=False), Terminal()),
        (ServeOptions(port=0, public=True), Terminal()),
        (ServeOptions(port=0), io.StringIO()),
    ],
)
def test_the_browser_stays_closed(
    options: ServeOptions, out: io.StringIO, opened: list[str]
) -> None:
    with running_server(options, "en", out) as quiet:
        quiet.print_addresses()
    assert opened == []


def test_open_opens_a_browser_or_says_there_is_none(
    opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = io.StringIO()
    with running_server(ServeOptions(port=0, open_browser=True), "en", out) as wished:
        wished.print_addresses()
        until(lambda: opened == wished.urls)
        monkeypatch.setattr(webbrowser, "open", lambda url: False)
        wished.print_addresses()
        until(lambda: f"Open the address yourself: {wished.urls[0]}" in out.getvalue())
        monkeypatch.delenv("DISPLAY")
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        monkeypatch.setattr(sys, "platform", "linux")
        wished.print_addresses()
    assert out.getvalue().count("Open the address yourself") == 2
    assert len(opened) == 1


def until(holds: Callable[[], bool]) -> None:
    """Wait for a thread, with a time limit."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.002)


def test_any_port_uses_another_port_if_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with (
            pytest.raises(CannotServeError, match="port-taken"),
            listening(ServeOptions(port=port)),
        ):
            pass
        out = io.StringIO()
        with running_server(ServeOptions(port=port, any_port=True), "en", out) as moved:
            moved.print_addresses()
            assert moved.port != port
    said = out.getvalue()
    assert f"Port {port} is taken" in said
    assert f"http://127.0.0.1:{moved.port}/" in said


def test_no_browser_takes_over_a_bare_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert not has_screen({})
    assert has_screen({"WAYLAND_DISPLAY": "wayland-0"})
    monkeypatch.setattr(sys, "platform", "darwin")
    assert has_screen({})


def test_public_shows_addresses_and_a_qr_code(
    monkeypatch: pytest.MonkeyPatch, opened: list[str]
) -> None:
    monkeypatch.setattr(run, "lan_addresses", lambda: ["192.168.1.5", "fd00::5"])
    out = Terminal()
    with running_server(ServeOptions(port=0, public=True), "en", out) as public:
        public.print_addresses()
        port = public.port
    said = out.getvalue()
    assert f"http://192.168.1.5:{port}/" in said
    assert f"http://[fd00::5]:{port}/" in said
    assert "\n".join(qr_lines(f"http://192.168.1.5:{port}/")) in said
    assert "plain http" in said


def test_public_without_a_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "lan_addresses", list)
    out = Terminal()
    with running_server(ServeOptions(port=0, public=True), "en", out) as public:
        public.print_addresses()
    assert "no address in a home network" in out.getvalue()


def test_the_public_address_comes_first() -> None:
    out = Terminal()
    with running_server(ServeOptions(port=0, url="https://cards.example.org"), "en", out) as behind:
        assert behind.urls == ["https://cards.example.org/"]


def test_a_host_beyond_this_machine_is_public() -> None:
    with running_server(ServeOptions(port=0, host="0.0.0.0"), "en", Terminal()) as wide:
        assert wide.public
    with running_server(ServeOptions(port=0), "en", Terminal()) as narrow:
        assert not narrow.public


def test_a_closed_output_is_ignored() -> None:
    out = Terminal()
    with running_server(ServeOptions(port=0), "en", out) as unread:
        out.close()
        unread.say("x")


def test_only_home_addresses_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(map(addresses.is_private, lan_addresses()))
    monkeypatch.setattr(addresses, "own_address", lambda family, _: "203.0.113.5")
    found = ["127.0.1.1", "10.1.2.3", "fe80::1", "fd00::1", "192.168.0.9", "10.1.2.3", "8.8.8.8"]
    monkeypatch.setattr(addresses, "resolved", lambda _: [(socket.AF_INET, host) for host in found])
    assert lan_addresses() == ["10.1.2.3", "192.168.0.9", "fd00::1"]


def test_addresses_of_pages() -> None:
    assert url("192.168.1.5", 80) == "http://192.168.1.5:80/"
    assert url("fd00::1", 8420) == "http://[fd00::1]:8420/"


def test_the_printed_qr_code_decodes() -> None:
    import segno

    address = "http://192.168.1.5:8420/"
    signs = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
    rows: list[list[int]] = []
    for line in qr_lines(address, border=0):
        drawn = line.removeprefix("\x1b[38;5;16;48;5;231m").removesuffix("\x1b[0m")
        rows += [[signs[sign][half] for sign in drawn] for half in (0, 1)]
    matrix = [list(row) for row in segno.make_qr(address).matrix]
    assert rows[: len(matrix)] == matrix
    assert not any(map(any, rows[len(matrix) :]))


def test_commits_are_counted_by_their_points() -> None:
    metrics = Metrics()
    passed = counting_commits(metrics)
    for point in ("taken", "begun", "inserted", "taken", "inserted", "inserted", "committed"):
        passed(point)
    assert metrics.commits.count() == 1
    assert "stichwerk_commit_entries_sum 2\n" in metrics.text()
