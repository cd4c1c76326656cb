"""The commands around the server, as they are typed."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

import stichwerk
from stichwerk.record import encode, record
from stichwerk.server.clients import load_test
from stichwerk.server.protocol_generator.endpoints import CLOSINGS
from stichwerk.server.storage.addresses import STORE_FILE
from stichwerk.server.storage.folder_lock import only_server
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.storage.store import FinishedMatch
from stichwerk.simulate import play_match

pytestmark = pytest.mark.slow  # with a real server, or thousands of cases

ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8"}


def typed(*words: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command as a person would."""
    command = [sys.executable, "-m", "stichwerk", *map(str, words)]
    return subprocess.run(
        command,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=ENVIRONMENT,
    )


def with_matches(folder: Path, count: int) -> list[bytes]:
    """Return a data folder with some finished matches."""
    setting = stichwerk.game("stichling", seats=2)
    lines = [encode(record(play_match(setting, ["random"] * 2, seed))) for seed in range(count)]

    async def fill() -> None:
        store = SqliteStore(folder / STORE_FILE)
        await store.open()
        found = [FinishedMatch(f"m{at}", "stichling", line) for at, line in enumerate(lines)]
        await store.add_matches(found)
        await store.close()

    asyncio.run(fill())
    return lines


def test_export_and_import(tmp_path: Path) -> None:
    lines = with_matches(tmp_path / "one", 3)
    file = tmp_path / "out.jsonl"
    result = typed("export", file, "--data", tmp_path / "one", "--lang", "en")
    assert (result.returncode, result.stdout) == (0, f"3 records are in {file}.\n"), result.stderr
    assert file.read_bytes().splitlines() == lines
    assert typed("verify", file).returncode == 0
    result = typed("import", file, "--data", tmp_path / "two", "--lang", "de")
    assert (result.returncode, result.stdout) == (0, f"3 Partien aus {file} sind neu, von 3.\n")
    again = typed("import", file, "--data", tmp_path / "two", "--lang", "en")
    assert again.stdout == f"0 matches from {file} are new, of 3.\n"


def test_export_into_a_pipe_and_import_from_one(tmp_path: Path) -> None:
    lines = with_matches(tmp_path / "one", 3)
    result = typed("export", "-", "--data", tmp_path / "one", "--lang", "en")
    assert (result.returncode, result.stderr) == (0, "3 records are in -.\n")
    assert result.stdout.encode().splitlines() == lines
    again = typed("import", "-", "--data", tmp_path / "two", "--lang", "en", stdin=result.stdout)
    assert (again.returncode, again.stdout) == (0, "3 matches from - are new, of 3.\n")


def test_a_mistyped_folder_is_refused_and_not_created(tmp_path: Path) -> None:
    result = typed("export", tmp_path / "out.jsonl", "--data", tmp_path / "nowhere", "--lang", "en")
    assert (result.returncode, result.stdout) == (2, "")
    assert str(tmp_path / "nowhere") in result.stderr
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    result = typed("serve", "--port", 0, "--data", tmp_path / "file", "--lang", "en")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == f"{tmp_path / 'file'} is not a folder; --data needs one.\n"


def test_a_folder_has_one_server(tmp_path: Path) -> None:
    first = only_server(tmp_path)
    result = typed("serve", "--port", 0, "--no-open", "--data", tmp_path, "--lang", "en")
    first.close()
    assert result.returncode == 1
    assert result.stderr.startswith(f"A server runs in {tmp_path} already.")


def test_broken_records_are_not_imported(tmp_path: Path) -> None:
    (line,) = with_matches(tmp_path / "one", 1)
    file = tmp_path / "in.jsonl"
    file.write_bytes(line.replace(b'"totals":[', b'"totals":[9'))
    result = typed("import", file, "--data", tmp_path / "two", "--lang", "en")
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_backup_writes_a_copy(tmp_path: Path) -> None:
    with_matches(tmp_path, 2)
    copy = tmp_path / "copy.db"
    assert typed("backup", copy, "--data", tmp_path).returncode == 0
    again = typed("backup", copy, "--data", tmp_path, "--lang", "de")
    assert (again.returncode, again.stdout) == (2, "")
    assert str(copy) in again.stderr
    nothing = typed("backup", tmp_path / "no.db", "--data", tmp_path / "nowhere")
    assert nothing.returncode == 2
    assert "Traceback" not in nothing.stderr


@contextmanager
def served(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run a server as a process; yield it and its port."""
    command = [sys.executable, "-m", "stichwerk", "serve", "--port", "0", "--no-open"]
    with subprocess.Popen(
        [*command, "--data", str(folder)], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT
    ) as process:
        try:
            assert process.stdout is not None
            ports = (re.search(r"http://[\w.]+:(\d+)", line) for line in process.stdout)
            yield process, int(next(found[1] for found in ports if found))
        finally:
            process.kill()


def until_closed(socket: ClientConnection) -> tuple[list[str], int]:
    """Return the types of all remaining messages, and the close code."""
    received = []
    with suppress(ConnectionClosed):
        while True:
            received.append(str(json.loads(socket.recv(60))["type"]))
    assert socket.close_code is not None
    return received, socket.close_code


def until_done(socket: ClientConnection) -> list[str]:
    """Return the types of all messages up to the answer to a request."""
    received = [""]
    while received[-1] != "done":
        received.append(str(json.loads(socket.recv(60))["type"]))
    return received


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_stopping_server_sends_messages_and_codes_in_order(tmp_path: Path) -> None:
    """What a request brings about comes before its answer. At the end 1001 after a `bye` for those
    at a table, 1012 without one for those who said no `hello`."""
    requested = json.dumps({"game": "stichling", "seats": 2, "name": "Ada"}).encode()
    with served(tmp_path) as (process, port):
        kind = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"http://127.0.0.1:{port}/api/tables", requested, kind)
        with urllib.request.urlopen(request, timeout=60) as answer:
            made = json.load(answer)
        address = f"ws://127.0.0.1:{port}/ws"
        hello = {"type": "hello", "version": 1, "table": made["table"], "token": made["token"]}
        with (
            connect(address, compression=None) as mute,
            connect(address, compression=None) as guest,
        ):
            guest.send(json.dumps(hello))
            assert json.loads(guest.recv(60))["type"] == "welcome"
            guest.send(json.dumps({"type": "rename", "id": 1, "name": "Eva"}))
            assert until_done(guest).count("update") == 1
            process.send_signal(signal.SIGTERM)
            received, code = until_closed(guest)
            assert (received[-1], code) == ("bye", 1001)
            assert until_closed(mute) == ([], 1012)
        assert process.wait(60) == 0
    assert {1001, 1012} <= set(CLOSINGS)


@pytest.mark.slow
def test_the_load_test_measures() -> None:
    """A little of it: all figures are there. How large they are is the benchmark's affair."""
    run_options = ("--tables", 6, "--rate", 12, "--seconds", 1, "--runs", 2)
    result = typed("bench", "server", "--json", *run_options)
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert (found["tables"], found["sockets"], len(found["runs"])) == (6, 24, 2)
    for run in found["runs"]:
        assert run["moves_per_second"] > 0
        assert 0 < run["p50_ms"] <= run["p99_ms"] <= run["most_ms"]
    assert found["saturation"]["moves_per_second"] > 0
    assert found["echo"]["p50_ms"] > 0


@pytest.mark.parametrize("nap", [0.01, 0.3], ids=["usual", "late"])
def test_moves_are_due_at_an_even_pace(nap: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the load itself comes late to its turn."""
    run_options = load_test.LoadOptions(tables=6, rate=12.0, seconds=2.0, runs=1)
    made, now = load_test.Load(run_options), 0.0
    pushed: list[tuple[float, int]] = []

    class Table:
        def __init__(self, number: int) -> None:
            self.number = number

        def push(self) -> None:
            pushed.append((now, self.number))
            made.latencies.append(0.25)

    async def sleep(seconds: float) -> None:
        nonlocal now
        now += nap

    made.tables = [Table(number) for number in range(6)]  # type: ignore[misc]
    monkeypatch.setattr(load_test, "time", SimpleNamespace(perf_counter=lambda: now))
    monkeypatch.setattr(load_test, "asyncio", SimpleNamespace(sleep=sleep))
    result = asyncio.run(made.steady())
    assert [number for _, number in pushed] == [at % 6 for at in range(len(pushed))]
    for at, (moment, _) in enumerate(pushed):
        assert at / 12 <= moment <= at / 12 + nap + 1e-9
    assert result.moves_per_second == len(pushed) / 2
    assert result.p99_ms == 250


def test_a_cancelled_request_closes_its_connection() -> None:
    """Otherwise the warning of an unclosed transport fails some random other test."""

    async def test() -> None:
        asked, gone = asyncio.Event(), asyncio.Event()

        async def never_answers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            asked.set()
            await reader.read()  # until the client closes
            gone.set()
            writer.close()

        server = await asyncio.start_server(never_answers, "127.0.0.1")
        async with server:
            http = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            request = asyncio.create_task(load_test.request(http, "GET /", "127.0.0.1", b""))
            await asked.wait()
            request.cancel()
            async with asyncio.timeout(60):
                await gone.wait()

    asyncio.run(test())


def test_unknown_benchmarks_are_refused() -> None:
    result = typed("bench", "everything", "--lang", "en")
    assert result.returncode == 2
    assert "everything" in result.stderr
