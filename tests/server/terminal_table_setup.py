"""A server, a line that can be cut, and a person at a keyboard."""

import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from stichwerk import cli
from stichwerk.server import wire
from stichwerk.terminal.remote_seat import RemoteSeat

# A server that starts again must not draw the same ids; and a busy machine thinks slowly.
SERVER = """
import sys
from functools import partial
from stichwerk.server.bots import bot_pool
from stichwerk.server.run import serve, tables
from stichwerk.server.serve_options import ServeOptions
from tests import fixed_random
bot_pool.BotPool = partial(bot_pool.BotPool, seconds=600)
make = partial(tables, rng=fixed_random.of_test(f"server {sys.argv[1] != '0'} "))
options = ServeOptions(port=int(sys.argv[1]), data=sys.argv[2], pace=0, open_browser=False)
serve(options, "en", make=make)
"""

ROOT = Path(__file__).parents[2]

PATIENCE = 300.0  # seconds: only what hangs needs them


# -- A server, a line that can be cut, a person at a keyboard --------------------------------------


class Server:
    """`stichwerk serve` in a process of its own, whose bots do not pause."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self.process = self.start()

    def start(self) -> subprocess.Popen[str]:
        """Start on the port it had before, if there was one."""
        args = [sys.executable, "-c", SERVER, str(self.port), str(self.folder)]
        self.process = subprocess.Popen(
            args, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/", line):
                self.port = int(found[1])
                return self.process
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """Stop it as if the power had failed."""
        self.process.kill()
        self.process.communicate()

    def stop(self) -> None:
        """Shut down cleanly."""
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE)

    def ask(self, path: str, body: object = None) -> Any:
        """Return the answer of its API."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def table(self, game: str = "sticheln", seats: int = 3, **more: object) -> wire.TableMade:
        """Return a new table; its host is Ada."""
        answer = self.ask("/api/tables", {"game": game, "name": "Ada", "seats": seats, **more})
        return msgspec.convert(answer, wire.TableMade)

    def record(self, match: str | None) -> bytes:
        """Return a finished match, as the server sends it."""
        url = f"http://127.0.0.1:{self.port}/api/matches/{match}"
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            raw: bytes = answer.read()
        return raw


@pytest.fixture(name="server", scope="module")
def server_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("tables"))
    yield running
    running.stop()


@contextmanager
def sat_down(url: str, name: str | None, lang: str = "en", **more: Any) -> Iterator[RemoteSeat]:
    player_seat = RemoteSeat(url, name, lang, **more)
    try:
        yield player_seat
    finally:
        player_seat.close()


def until(player_seat: RemoteSeat, holds: Callable[[], bool]) -> None:
    """Wait for the table."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, player_seat.notices()
        player_seat.wait(0.5)


def play_on(*places: RemoteSeat, stop: Callable[[], bool] = lambda: False) -> int:
    """Let all play the middle one of their moves to the end; return the number of moves."""
    made = 0
    while not (places[0].over or stop()):
        for player_seat in places:
            if player_seat.playing and player_seat.owes and not player_seat.over:
                moves = player_seat.view.moves
                if moves:
                    player_seat.play(moves[len(moves) // 2])
                    made += 1
        places[0].wait(0.2)
    return made


# -- No table --------------------------------------------------------------------------------------


def complaint(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """Return the error line of a command."""
    assert cli.main(["play", "--lang", "en", *args]) == 2
    output = capsys.readouterr()
    assert output.err.count("\n") == 1, output.err
    return output.err
