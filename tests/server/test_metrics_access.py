"""Who may read /metrics, what it shows, and that the alarms of docs/hosting.md can go off."""

import re
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from stichwerk.locale import LANGUAGES, text
from stichwerk.server import wire
from stichwerk.server.bots.bot_pool import BotPool
from stichwerk.server.metrics import Metrics, MetricsFor
from tests.server.harness import Quick, begin, refused, run, running_server
from tests.server.manual_clock import until

pytestmark = pytest.mark.slow  # with a real server

OUR_NAME = "cards.example.org"  # what people type, with a proxy on this machine
HOSTING = Path(__file__).parents[2] / "docs" / "hosting.md"


def status(
    folder: Path, metrics_for: MetricsFor, headers: Mapping[str, str] | None = None
) -> tuple[int, str]:
    async def ask() -> tuple[int, str]:
        async with (
            running_server(
                folder, pool=Quick(), metrics_for=metrics_for, origins=(OUR_NAME,)
            ) as home,
            home.client(headers) as http,
        ):
            answer = await http.get("/metrics")
            return answer.status_code, answer.text

    return run(ask())


def test_local_programs_may_read_metrics(tmp_path: Path) -> None:
    code, result = status(tmp_path, "local")
    assert code == 200
    assert "stichwerk_bot_failures_total 0\n" in result
    assert status(tmp_path, "local", {"Host": "localhost:8420"})[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-For": "203.0.113.5"},
        {"X-Forwarded-For": "127.0.0.1"},
        {"Forwarded": "for=203.0.113.5"},
        {"X-Real-IP": "203.0.113.5"},
        {"Via": "1.1 proxy"},
        {"Host": OUR_NAME},
    ],
    ids=lambda headers: next(iter(headers)),
)
def test_remote_clients_may_not_read_metrics_even_through_a_proxy(
    tmp_path: Path, headers: dict[str, str]
) -> None:
    for lang in LANGUAGES:
        asked = {**headers, "Accept-Language": lang}
        code, result = status(tmp_path, "local", asked)
        assert code == 403
        assert text("metrics-local", lang) in result
    assert status(tmp_path, "public", headers)[0] == 200


def test_metrics_can_be_turned_off(tmp_path: Path) -> None:
    assert status(tmp_path, "off")[0] == 404


def test_a_failing_bot_is_counted(tmp_path: Path) -> None:
    """The counter that docs/hosting.md names, from a worker that dies to the page."""
    named = re.search(r"rising\s+`(stichwerk_bot_failures_total)`", HOSTING.read_text())
    assert named is not None

    def count(result: str, name: str) -> int:
        found = re.search(rf"^{name} (\d+)$", result, re.MULTILINE)
        assert found is not None
        return int(found[1])

    async def play() -> None:
        dying = BotPool(workers=1, command=(sys.executable, "-S", "-c", "pass"))
        async with (
            running_server(tmp_path, pool=dying) as home,
            home.party(["Ada"], "sticheln", 3) as (ada,),
        ):
            assert count((await home.get("/metrics")).text, named[1]) == 0
            await begin(ada)
            running = home.live_table(ada.table_id).table.running
            assert running is not None
            await until(lambda: all(running.made[1:]), "moves in place of both bots")
            result = (await home.get("/metrics")).text
            assert count(result, named[1]) >= 2
            assert count(result, "stichwerk_bot_thoughts_total") >= count(result, named[1])

    run(play())


def test_bot_moves_and_queue_times_are_counted(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_server(tmp_path) as home, home.party(["Ada"], "sticheln", 3) as (ada,):
            await begin(ada)
            await until(lambda: home.metrics.thoughts.count() >= 2, "thoughts of both bots")
            await until(lambda: home.metrics.waits.count >= 2, "both waits")
            assert home.metrics.failures.count() == 0

    run(play())


def test_looks_are_not_counted(tmp_path: Path) -> None:
    """Not by any figure: the page is the same before and after, but for times."""

    def figures(metrics: Metrics) -> list[str]:
        return [line for line in metrics.text().splitlines() if "_seconds" not in line]

    async def play() -> None:
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada"], "sticheln", 3) as (ada,),
        ):
            await begin(ada)
            assert ada.table is not None
            match = ada.table.match or ""
            before = figures(home.metrics)
            await ada.ask(lambda id: wire.Look(id=id, match=match))
            asking = ada.ask(lambda id: wire.AskTally(id=id, match=match, round=9))
            assert await refused(asking) == "round-not-over"
            assert figures(home.metrics) == before
            await ada.ask(lambda id: wire.Ping(id=id))
            assert figures(home.metrics) != before

    run(play())
