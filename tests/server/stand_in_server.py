"""The server as a process, with a stand-in for the tables.

`python -m tests.server.stand_in_server KIND PORT` runs it.
"""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from stichwerk.errors import StichwerkError
from stichwerk.server import run
from stichwerk.server.logs import Log
from stichwerk.server.metrics import Metrics
from stichwerk.server.network.limits import Limits
from stichwerk.server.run import serve
from stichwerk.server.serve_options import ServeOptions

ROOT = Path(__file__).parents[2]


# -- A stand-in for the tables ---------------------------------------------------------------------


async def client_of(request: Request) -> PlainTextResponse:
    return PlainTextResponse(f"{request.client.host if request.client else None}")


async def echo(websocket: WebSocket) -> None:
    await websocket.accept()
    sockets: set[WebSocket] = websocket.app.state.sockets
    sockets.add(websocket)
    try:
        while True:
            await websocket.send_text(await websocket.receive_text())
    except WebSocketDisconnect:
        sockets.discard(websocket)


def stand_in(kind: str) -> run.Make:
    """Yield an app that tells on standard output what is done with it; `kind` says what goes
    wrong."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if kind == "refuses":
            raise StichwerkError("storage-stand-in", file="x")
        if kind == "breaks":
            raise RuntimeError("the secret reason")
        yield
        print("app closed", flush=True)

    async def disconnect_all() -> None:
        if kind == "stalls":
            print("stalled", flush=True)
            await asyncio.sleep(3600)
        for websocket in list(app.state.sockets):
            await websocket.send_text("bye")
        if kind == "forgets":
            raise RuntimeError

    app = Starlette(
        routes=[Route("/client", client_of), WebSocketRoute("/echo", echo)], lifespan=lifespan
    )
    app.state.sockets = set()
    app.state.disconnect_all = disconnect_all

    @asynccontextmanager
    async def made(
        options: ServeOptions, limits: Limits, log: Log, metrics: Metrics
    ) -> AsyncIterator[ASGIApp]:
        if kind == "signal":
            os.kill(os.getpid(), signal.SIGTERM)  # before there is a server
        try:
            yield app
        finally:
            await asyncio.sleep(0)
            print("store closed", flush=True)

    return made


def main(kind: str, port: str, *flags: str) -> int:
    options = ServeOptions(
        port=int(port),
        data="somewhere",
        public="public" in flags,
        proxies=("127.0.0.1",) if "proxy" in flags else (),
    )
    run.STOP_SECONDS = 0.2 if kind == "stalls" and "patient" not in flags else 3600
    run.SAME_SIGNAL = 3600
    return serve(options, "en", make=stand_in(kind), limits=Limits(frame_bytes=100))


class Running:
    """A server in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.said: list[str] = []

    def until(self, words: str) -> str:
        """Read on to the line with these words."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            if words in line:
                return line
        assert self.process.stderr is not None
        raise AssertionError((self.said, self.process.stderr.read()))

    @property
    def port(self) -> int:
        line = self.until("Stichwerk is open")
        return int(line.rstrip().rstrip("/").rpartition(":")[2])

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str, str]:
        """Send a signal: exit code, and all it said."""
        self.process.send_signal(number)
        return self.ended()

    def ended(self) -> tuple[int, str, str]:
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        # Not `communicate`: it would miss what was read ahead.
        out, err = self.process.stdout.read(), self.process.stderr.read()
        return self.process.wait(120), "".join(self.said) + out, err


@contextmanager
def running(kind: str = "usual", port: int = 0, *flags: str) -> Iterator[Running]:
    command = [sys.executable, "-m", "tests.server.stand_in_server", kind, str(port), *flags]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        watchdog = threading.Timer(300, process.kill)  # one that hangs fails
        watchdog.start()
        try:
            yield Running(process)
        finally:
            watchdog.cancel()
            if process.poll() is None:
                process.kill()


def fetch(port: int, path: str = "/client", **headers: str) -> tuple[str, dict[str, str]]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=named)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read().decode(), dict(answer.headers)


# -- What a person reads ---------------------------------------------------------------------------


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
