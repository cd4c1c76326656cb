"""Metrics, read back by a strict reader of the format."""

import asyncio
import math
import re
from threading import Thread

import pytest

from stichwerk.server.metrics import (
    MESSAGE_TYPES,
    MOST_VALUES,
    OTHER,
    Counter,
    Gauge,
    Histogram,
    Metrics,
    number,
    watch_loop,
)

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (\S+)")
Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def parsed(text: str) -> tuple[dict[str, str], Samples]:
    """Return kinds and samples of a page; anything the format forbids fails."""
    assert text.endswith("\n")
    kinds: dict[str, str] = {}
    helped: set[str] = set()
    samples: Samples = {}
    current = ""
    for line in text[:-1].split("\n"):
        if found := re.fullmatch(rf"# HELP ({NAME}) ((?:[^\\\n]|\\\\|\\n)+)", line):
            current = found[1]
            assert current not in helped, f"{current} has two HELP lines"
            helped.add(current)
        elif found := re.fullmatch(rf"# TYPE ({NAME}) (counter|gauge|histogram)", line):
            assert found[1] == current, "the type follows the help"
            assert found[1] not in kinds
            kinds[found[1]] = found[2]
        else:
            found = SAMPLE.fullmatch(line)
            assert found, line
            endings = ("_bucket", "_sum", "_count") if kinds[current] == "histogram" else ("",)
            assert found[1] in [current + ending for ending in endings], line
            key = (found[1], tuple((a, unescaped(b)) for a, b in re.findall(LABEL, found[2] or "")))
            assert key not in samples, f"{key} is there twice"
            samples[key] = float(found[found.re.groups])
    assert helped == set(kinds)
    for name in [name for name, kind in kinds.items() if kind == "histogram"]:
        check_histogram(name, samples)
    return kinds, samples


def unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda sign: {"n": "\n"}.get(sign[1], sign[1]), text)


def check_histogram(name: str, samples: Samples) -> None:
    buckets = [
        (float(labels[0][1]), value)
        for (sample, labels), value in samples.items()
        if sample == f"{name}_bucket"
    ]
    assert buckets == sorted(buckets), "steps rise, and so do their counts"
    assert [count for _, count in buckets] == sorted(count for _, count in buckets)
    assert buckets[-1] == (math.inf, samples[f"{name}_count", ()])
    assert (f"{name}_sum", ()) in samples


def test_a_fresh_page_is_well_formed() -> None:
    kinds, samples = parsed(Metrics().text())
    assert all(name.startswith("stichwerk_") for name in kinds)
    assert all(name.endswith("_total") == (kind == "counter") for name, kind in kinds.items())
    assert samples["stichwerk_connections_total", ()] == 0
    assert samples["stichwerk_tables", ()] == 0


def test_events_are_counted_on_the_page() -> None:
    metrics = Metrics()
    metrics.connections.add()
    metrics.sockets.add(3)
    metrics.sockets.add(-1)
    metrics.tables.read_by(lambda: 7)
    metrics.messages.add("play")
    metrics.messages.add("play")
    metrics.messages.add("no-such-type")
    metrics.refused.add("must-follow")
    metrics.acknowledged.add()
    metrics.acknowledgement.observe(0.004)
    metrics.committed(3)
    metrics.thoughts.add()
    metrics.failures.add()
    metrics.late(0.2)
    metrics.late(0.1)
    _, samples = parsed(metrics.text())
    assert samples["stichwerk_connections_total", ()] == 1
    assert samples["stichwerk_sockets", ()] == 2
    assert samples["stichwerk_tables", ()] == 7
    assert samples["stichwerk_messages_total", (("type", "play"),)] == 2
    assert samples["stichwerk_messages_total", (("type", OTHER),)] == 1
    assert samples["stichwerk_refused_total", (("error", "must-follow"),)] == 1
    assert samples["stichwerk_moves_acknowledged_total", ()] == 1
    assert samples["stichwerk_acknowledgement_seconds_bucket", (("le", "0.0025"),)] == 0
    assert samples["stichwerk_acknowledgement_seconds_bucket", (("le", "0.005"),)] == 1
    assert samples["stichwerk_commits_total", ()] == 1
    assert samples["stichwerk_commit_entries_sum", ()] == 3
    assert samples["stichwerk_bot_thoughts_total", ()] == 1
    assert samples["stichwerk_bot_failures_total", ()] == 1
    assert samples["stichwerk_loop_lag_seconds", ()] == 0.1
    assert samples["stichwerk_loop_lag_max_seconds", ()] == 0.2


def test_only_known_types_become_labels() -> None:
    assert {"hello", "play", "chat", "take-back"} <= MESSAGE_TYPES
    metrics = Metrics()
    for name in range(10_000):
        metrics.messages.add(f"junk-{name}")
        metrics.refused.add(f"junk-{name}")
    _, samples = parsed(metrics.text())
    named = [labels for (name, labels) in samples if name == "stichwerk_messages_total"]
    assert named == [(("type", OTHER),)]
    assert (
        len([name for name, _ in samples if name == "stichwerk_refused_total"]) <= MOST_VALUES + 1
    )
    assert metrics.refused.count(OTHER) == 10_000 - MOST_VALUES


@pytest.mark.parametrize("value", ['a"b', "a\\b", "a\nb", "ä{}", "\\n", '\\"', "", "a,b=c"])
def test_label_values_are_escaped(value: str) -> None:
    counter = Counter("x_total", "a\nb \\ c", "label")
    counter.add(value)
    _, samples = parsed("".join(f"{line}\n" for line in counter.lines()))
    assert samples == {("x_total", (("label", value),)): 1}


def test_a_lone_surrogate_does_not_break_the_page() -> None:
    counter = Counter("x_total", "x", "label")
    counter.add("\udcff")
    next(line for line in counter.lines() if line.startswith("x_total")).encode()


def test_an_unreadable_gauge_is_nan() -> None:
    gauge = Gauge("x", "x")
    gauge.read_by(lambda: 1 / 0)
    assert math.isnan(parsed("".join(f"{line}\n" for line in gauge.lines()))[1]["x", ()])


def test_histogram_steps_hold_all_that_is_not_larger() -> None:
    histogram = Histogram("x", "x", (1, 2, 4))
    for value in (0, 1, 1.5, 2, 4, 5, 100):
        histogram.observe(value)
    _, samples = parsed("".join(f"{line}\n" for line in histogram.lines()))
    counts = {labels[0][1]: int(n) for (name, labels), n in samples.items() if "bucket" in name}
    assert counts == {"1": 2, "2": 4, "4": 5, "+Inf": 7}
    assert histogram.count == 7
    assert samples["x_sum", ()] == 113.5


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (3.0, "3"),
        (0.25, "0.25"),
        (math.inf, "+Inf"),
        (-math.inf, "-Inf"),
        (1e300, "1e+300"),
    ],
)
def test_numbers(value: float, shown: str) -> None:
    assert number(value) == shown
    assert float(shown) == value
    assert number(math.nan) == "NaN"


def test_threads_lose_no_count() -> None:
    metrics = Metrics()

    def work() -> None:
        for _ in range(5000):
            metrics.committed(1)
            metrics.messages.add("play")
            metrics.sockets.add(1)

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert metrics.commits.count() == metrics.batch.count == metrics.sockets.value == 20_000
    assert metrics.messages.count("play") == 20_000


def test_a_stalled_event_loop_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the loop sleeps for a moment, its own clock advances by half a minute."""

    async def stall(metrics: Metrics) -> None:
        loop = asyncio.get_running_loop()
        usual, lost = loop.time, 0.0
        monkeypatch.setattr(loop, "time", lambda: usual() + lost)
        watch = asyncio.create_task(watch_loop(metrics, 0.001))
        while metrics.most_lag.value == 0:
            await asyncio.sleep(0.001)
        lost = 30.0
        while metrics.most_lag.value < lost - 1:
            await asyncio.sleep(0.001)
        watch.cancel()

    metrics = Metrics()
    asyncio.run(asyncio.wait_for(stall(metrics), 90))
    assert metrics.most_lag.value >= 29
