"""How long a restart takes with many unfinished tables, and how much memory they need.

`python -m tests.attack.restart [--short] [--tables N] [--seconds S]`: a server is started on a
store with many interrupted matches. It measures the seconds until it answers, and its memory
then and after it had time to look at all tables.
"""

import argparse
import asyncio
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import msgspec

from stichwerk.server.clients.table_client import TableClient
from stichwerk.server.wire import Begin, TableMade
from tests.attack.bot_tables import Asker, served
from tests.attack.verdict import verdict

TABLES, FEW = 20_000, 2000
MOST_MB = 120.0  # of a server that has loaded no table: about 50
SETTLE_SECONDS, SHORT_SECONDS = 60.0, 6.0


class Report(msgspec.Struct, frozen=True):
    """What was measured."""

    tables: int
    ready_seconds: float
    ready_mb: float
    settled_seconds: float
    settled_mb: float

    def lines(self) -> list[str]:
        """Return a small table."""
        return [
            f"{self.tables} unfinished tables: ready after {self.ready_seconds:.2f} s "
            f"with {self.ready_mb:.0f} MB",
            f"{self.settled_seconds:.0f} s later: {self.settled_mb:.0f} MB",
        ]

    def broken(self) -> list[str]:
        """Return the broken promises."""
        if self.settled_mb <= MOST_MB:
            return []
        return [f"tables that nobody visits take memory: {self.settled_mb:.0f} MB"]


def run(short: bool, tables: int | None = None, seconds: float | None = None) -> Report:
    """Measure, in about 90 seconds, or 15."""
    seconds = seconds or (SHORT_SECONDS if short else SETTLE_SECONDS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asyncio.run(one_table(folder))
        count = tables or (FEW if short else TABLES)
        copy_table(folder / "tables.sqlite", count)
        return restarted(folder, count, seconds)


async def one_table(folder: Path) -> None:
    """Make the model for all tables: a match that was left after a move."""
    async with served(folder, workers=1) as here:
        requested = {"game": "sticheln", "name": "Ada", "seats": 4, "settings": {"level": "easy"}}
        async with Asker(here.port) as requester:
            _, raw = await requester.post("/api/tables", requested)
        made = msgspec.json.decode(raw, type=TableMade)
        url = f"ws://127.0.0.1:{here.port}/ws"
        async with TableClient(url, made.table, token=made.token) as guest:
            await guest.ask(lambda id: Begin(id=id))
            await guest.until(lambda: bool(guest.view and guest.view.moves))
            assert guest.view is not None
            await guest.play(guest.view.moves[0])


def copy_table(file: Path, tables: int) -> None:
    """Store the same table under many names."""
    with closing(sqlite3.connect(file)) as store:
        (id,) = store.execute("SELECT id FROM tables").fetchone()
        entries = store.execute("SELECT seq, at, entry FROM log").fetchall()
        columns = [row[1] for row in store.execute("PRAGMA table_info(tables)") if row[1] != "id"]
        listed = ", ".join(columns)
        for number in range(1, tables):
            new = f"{number:016}"
            store.execute(
                f"INSERT INTO tables (id, {listed}) SELECT ?, {listed} FROM tables WHERE id = ?",
                (new, id),
            )
            store.executemany(
                "INSERT INTO log (table_id, seq, at, entry) VALUES (?, ?, ?, ?)",
                [
                    (new, seq, at, entry.replace(id.encode(), new.encode()))
                    for seq, at, entry in entries
                ],
            )
        store.commit()


def restarted(folder: Path, tables: int, seconds: float) -> Report:
    """Start a server of its own on this folder, and watch it."""
    command = (sys.executable, "-m", "stichwerk", "serve", "--port", "0", "--no-open")
    begin = time.monotonic()
    with subprocess.Popen(
        (*command, "--data", str(folder)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as server:
        try:
            port = port_of(server)
            while not answers(port):
                time.sleep(0.01)
            ready, memory = time.monotonic() - begin, megabytes(server.pid)
            time.sleep(seconds)
            return Report(tables, ready, memory, seconds, megabytes(server.pid))
        finally:
            server.terminate()


def port_of(server: "subprocess.Popen[bytes]") -> int:
    """Return the port it listens on, from its log."""
    assert server.stderr is not None
    for line in server.stderr:
        if found := re.search(rb'"port": (\d+)', line):
            return int(found[1])
    raise AssertionError("the server did not start")


def answers(port: int) -> bool:
    """Return whether its health check passes."""
    asking = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        asking.request("GET", "/api/health")
        return asking.getresponse().status == 200
    except OSError:
        return False
    finally:
        asking.close()


def megabytes(pid: int) -> float:
    """Return the memory of a process, if the system tells."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return float("nan")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else float("nan")


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--tables", type=int)
    parser.add_argument("--seconds", type=float, help="to look at the tables, after the start")
    run_options = parser.parse_args()
    found = run(run_options.short, run_options.tables, run_options.seconds)
    print(*found.lines(), sep="\n")
    return verdict(found.broken())


if __name__ == "__main__":
    sys.exit(main())
