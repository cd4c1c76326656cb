"""Does one address slow everyone else down? `python -m tests.attack.fairness [--short]`

Nineteen tables with expert bots from one address, and one from another: how long its bots take,
alone and with the others. Then what a QR code and a file of the page cost the server.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from stichwerk.server.http import static_files
from stichwerk.server.network.limits import Limits
from tests.attack.bot_tables import Asker, BotTable, Served, playing, quantile, served
from tests.attack.verdict import verdict

FLOOD = 19
MOST_RATIO = 2.0  # of p50 with the crowd and alone; with one queue for all it is more than 4
CROWD, NEIGHBOUR = "127.0.0.2", "127.0.0.1"


class Report(msgspec.Struct, frozen=True):
    """What was measured: seconds of bots' answers, CPU milliseconds, and what was refused."""

    alone_p50: float
    alone_p95: float
    beside_p50: float
    beside_p95: float
    beside_answers: int
    crowd_p50: float
    qr_ms: float
    qr_drawn_of_100: int
    file_ms: float
    files_of_4000: int

    def lines(self) -> list[str]:
        """Return a small table."""
        return [
            f"bots of a neighbour, alone       p50 {self.alone_p50:5.2f} s  "
            f"p95 {self.alone_p95:5.2f} s",
            f"beside {FLOOD} expert tables          p50 {self.beside_p50:5.2f} s  "
            f"p95 {self.beside_p95:5.2f} s  ({self.beside_answers} answers)",
            f"bots of these {FLOOD} tables          p50 {self.crowd_p50:5.2f} s",
            f"a QR code asked for again        {self.qr_ms:5.2f} ms of CPU",
            f"100 different QR codes at once   {self.qr_drawn_of_100} drawn",
            f"a file of the page               {self.file_ms:5.2f} ms of CPU",
            f"4000 files at once               {self.files_of_4000} sent",
        ]

    def broken(self, short: bool) -> list[str]:
        """Return the broken promises; a short run has too few answers of bots."""
        found = []
        ratio = self.beside_p50 / max(self.alone_p50, 0.01)
        if not short and ratio > MOST_RATIO:
            found.append(f"bots of a neighbour take {ratio:.1f} times as long")
        if self.qr_drawn_of_100 == 100:
            found.append("QR codes are drawn without a limit")
        if self.files_of_4000 == 4000:
            found.append("files are sent without a limit")
        return found


def run(short: bool) -> Report:
    """Measure everything, in some 40 seconds, or 12."""
    return asyncio.run(measured(short))


async def measured(short: bool) -> Report:
    """Measure everything."""
    with tempfile.TemporaryDirectory() as folder:
        async with served(Path(folder), workers=1) as here:
            alone, beside, crowd = await bots(here, *((3, 5) if short else (10, 18)))
        async with served(Path(folder), workers=1, limits=Limits()) as here:
            again, drawn = await qr_codes(here.port)
            file, sent = await files(here.port)
    return Report(
        alone_p50=quantile(alone, 0.5),
        alone_p95=quantile(alone, 0.95),
        beside_p50=quantile(beside, 0.5),
        beside_p95=quantile(beside, 0.95),
        beside_answers=len(beside),
        crowd_p50=quantile(crowd, 0.5),
        qr_ms=again,
        qr_drawn_of_100=drawn,
        file_ms=file,
        files_of_4000=sent,
    )


async def bots(
    here: Served, alone_seconds: float, beside_seconds: float
) -> tuple[list[float], list[float], list[float]]:
    """Return how long bots took: at the neighbour's table alone, with the crowd, and the crowd's
    own."""
    neighbour = await BotTable.made(here, NEIGHBOUR)
    async with playing([neighbour]):
        await asyncio.sleep(alone_seconds)
        alone = [one.seconds for one in neighbour.decisions]
        crowd = [await BotTable.made(here, CROWD) for _ in range(FLOOD)]
        async with playing(crowd):
            await asyncio.sleep(beside_seconds / 4)  # until all of them have begun
            neighbour.decisions.clear()
            await asyncio.sleep(beside_seconds)
            beside = [one.seconds for one in neighbour.decisions]
    return alone, beside, [one.seconds for table in crowd for one in table.decisions]


async def cost(times: int, deed: Callable[[], Awaitable[object]]) -> float:
    """Return milliseconds of CPU for one; server and client are one process."""
    begin = time.process_time()
    for _ in range(times):
        await deed()
    return 1000 * (time.process_time() - begin) / times


async def qr_codes(port: int) -> tuple[float, int]:
    """Return the cost of a cached QR code, and how many different ones are drawn at once."""
    async with Asker(port, "127.0.0.3") as requester:

        async def ask(number: int) -> int:
            text = f"http://127.0.0.1:{port}/t/{number:016}#{'x' * 43}"
            return (await requester.post("/api/qr", {"text": text}))[0]

        await ask(0)
        again = await cost(50, lambda: ask(0))
        return again, sum([await ask(number) == 200 for number in range(1, 101)])


async def files(port: int) -> tuple[float, int]:
    """Return what the largest file costs, and how many are sent to one address at once."""
    assets = (static_files.STATIC / "assets").iterdir()
    largest = max((path for path in assets if path.suffix == ".js"), key=lambda p: p.stat().st_size)
    async with Asker(port, "127.0.0.4") as requester:
        each = await cost(200, lambda: requester.get(f"/assets/{largest.name}"))
        sent = sum([await requester.get("/manifest.webmanifest") == 200 for _ in range(3800)])
    return each, sent + 200


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true")
    short = parser.parse_args().short
    found = run(short)
    print(*found.lines(), sep="\n")
    return verdict(found.broken(short))


if __name__ == "__main__":
    sys.exit(main())
