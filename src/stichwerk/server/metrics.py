"""Metrics of the running server, in the text format of Prometheus.

Written by hand, as it is small: counters, gauges and one kind of histogram. The values of a label
are bounded, so that nobody can fill the memory by sending unknown types. Every metric is
thread-safe.
"""

import asyncio
import math
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from threading import Lock
from typing import Literal, get_args

from stichwerk.server import wire

OTHER = "other"
MOST_VALUES = 200  # of one label, where they are not listed
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
SIZES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0)
UNSEEN = (wire.Look, wire.AskTally, wire.SetLanguage)
"""Requests that nobody else sees. Counting them would tell an opponent when somebody
ponders."""
MESSAGE_TYPES = frozenset(
    str(kind.__struct_config__.tag) for kind in get_args(wire.FromClient) if kind not in UNSEEN
)
_PAUSE = 0.05

MetricsFor = Literal["local", "public", "off"]
"""Who may read the metrics: programs on this machine, everyone, or nobody."""


class Counter:
    """A counter; with a label, one per value.

    `known` lists the values of the label; without it the first two hundred are kept. All others
    count as `other`.
    """

    def __init__(
        self, name: str, help: str, label: str | None = None, known: Collection[str] | None = None
    ) -> None:
        self.name, self.help, self.label = name, help, label
        self._known = known
        self._counts: dict[str, float] = {} if label else {"": 0}
        self._lock = Lock()

    def add(self, value: str = "", by: float = 1) -> None:
        """Increment the counter; `value` is that of the label."""
        with self._lock:
            kept = self._kept(value) if self.label else ""
            self._counts[kept] = self._counts.get(kept, 0) + by

    def count(self, value: str = "") -> float:
        """Return the count so far."""
        return self._counts.get(value, 0)

    def lines(self) -> Iterator[str]:
        """Yield the lines for Prometheus."""
        yield from heading(self.name, self.help, "counter")
        with self._lock:
            counts = sorted(self._counts.items())
        for value, count in counts:
            yield sample(self.name, count, **({self.label: value} if self.label else {}))

    def _kept(self, value: str) -> str:
        if value in self._counts:
            return value
        if self._known is not None:
            return value if value in self._known else OTHER
        return value if len(self._counts) < MOST_VALUES else OTHER


class Gauge:
    """A value that goes up and down: set, or read on demand."""

    def __init__(self, name: str, help: str) -> None:
        self.name, self.help = name, help
        self._value = 0.0
        self._read: Callable[[], float] | None = None
        self._lock = Lock()

    def set(self, value: float) -> None:
        """Set the value."""
        self._value = value

    def add(self, by: float) -> None:
        """Change the value by this much."""
        with self._lock:
            self._value += by

    def read_by(self, read: Callable[[], float]) -> None:
        """Read the value from this function from now on."""
        self._read = read

    @property
    def value(self) -> float:
        """Return the value; NaN if it cannot be read, never an error."""
        if self._read is None:
            return self._value
        try:
            return float(self._read())
        except Exception:  # a broken metric must not break the others
            return math.nan

    def lines(self) -> Iterator[str]:
        """Yield the lines for Prometheus."""
        yield from heading(self.name, self.help, "gauge")
        yield sample(self.name, self.value)


class Histogram:
    """A distribution of values in fixed buckets."""

    def __init__(self, name: str, help: str, steps: Sequence[float]) -> None:
        self.name, self.help, self.steps = name, help, tuple(steps)
        self._counts = [0] * (len(self.steps) + 1)
        self._sum = 0.0
        self._lock = Lock()

    def observe(self, value: float) -> None:
        """Add a value."""
        with self._lock:
            self._counts[bisect_left(self.steps, value)] += 1
            self._sum += value

    @property
    def count(self) -> int:
        """Return the number of values."""
        return sum(self._counts)

    def lines(self) -> Iterator[str]:
        """Yield the lines for Prometheus: buckets are cumulative."""
        yield from heading(self.name, self.help, "histogram")
        with self._lock:
            counts, total = list(self._counts), self._sum
        below = 0
        for step, count in zip((*self.steps, math.inf), counts, strict=True):
            below += count
            yield sample(f"{self.name}_bucket", below, le=number(step))
        yield sample(f"{self.name}_sum", total)
        yield sample(f"{self.name}_count", below)


Metric = Counter | Gauge | Histogram


class Metrics:
    """All metrics of a server."""

    def __init__(self) -> None:
        self.connections = Counter(
            "stichwerk_connections_total", "WebSocket connections accepted since the start"
        )
        self.sockets = Gauge("stichwerk_sockets", "WebSockets open now")
        self.tables = Gauge("stichwerk_tables", "Tables in memory")
        self.messages = Counter(
            "stichwerk_messages_total", "Messages from clients, by type", "type", MESSAGE_TYPES
        )
        self.refused = Counter(
            "stichwerk_refused_total", "Refusals, by the id of the error", "error"
        )
        self.acknowledged = Counter(
            "stichwerk_moves_acknowledged_total", "Moves stored and acknowledged"
        )
        self.acknowledgement = Histogram(
            "stichwerk_acknowledgement_seconds",
            "Time from the receipt of a move to its acknowledgement",
            SECONDS,
        )
        self.commits = Counter("stichwerk_commits_total", "Commits of the store")
        self.batch = Histogram("stichwerk_commit_entries", "Entries stored by one commit", SIZES)
        self.thoughts = Counter(
            "stichwerk_bot_thoughts_total", "Moves and hints that bots were asked for"
        )
        self.failures = Counter(
            "stichwerk_bot_failures_total", "Bots that hung, died or chose no legal move"
        )
        self.waits = Histogram(
            "stichwerk_bot_wait_seconds", "Time until a worker began to think about it", SECONDS
        )
        self.clock_doubted = Gauge(
            "stichwerk_clock_doubted", "1 while old tables are kept because the clock may be wrong"
        )
        self.lag = Gauge("stichwerk_loop_lag_seconds", "How late the event loop woke up last")
        self.most_lag = Gauge(
            "stichwerk_loop_lag_max_seconds", "How late the event loop woke up at most"
        )

    def received(self, message: wire.FromClient) -> None:
        """Count a message from a client, except for private requests."""
        if not isinstance(message, UNSEEN):
            self.messages.add(str(type(message).__struct_config__.tag))

    def refuse(self, message: wire.FromClient, error: str) -> None:
        """Count a refused message, by reason."""
        if not isinstance(message, UNSEEN):
            self.refused.add(error)

    def late(self, seconds: float) -> None:
        """Note how late the event loop woke up."""
        self.lag.set(seconds)
        if seconds > self.most_lag.value:
            self.most_lag.set(seconds)

    def committed(self, entries: int) -> None:
        """Count a commit of the store with this many entries."""
        self.commits.add()
        self.batch.observe(entries)

    def text(self) -> str:
        """Return the page that Prometheus fetches."""
        metrics = [value for value in vars(self).values() if isinstance(value, Metric)]
        return "".join(f"{line}\n" for metric in metrics for line in metric.lines())


async def watch_loop(metrics: Metrics, pause: float = _PAUSE) -> None:
    """Measure, forever, how late the event loop wakes up from short pauses."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + pause
        await asyncio.sleep(pause)
        metrics.late(max(0.0, loop.time() - due))


# -- The text format -------------------------------------------------------------------------------


def heading(name: str, help: str, kind: str) -> Iterator[str]:
    """Yield the two lines before the samples of a metric."""
    escaped_help = help.replace("\\", r"\\").replace("\n", r"\n")
    yield f"# HELP {name} {escaped_help}"
    yield f"# TYPE {name} {kind}"


def sample(name: str, value: float, **labels: str) -> str:
    """Return one sample."""
    listed = ",".join(f'{label}="{escaped(text)}"' for label, text in labels.items())
    return f"{name}{{{listed}}} {number(value)}" if listed else f"{name} {number(value)}"


def escaped(text: str) -> str:
    """Escape the value of a label."""
    plain = text.encode("utf-8", "replace").decode("utf-8")
    return plain.replace("\\", r"\\").replace("\n", r"\n").replace('"', r"\"")


def number(value: float) -> str:
    """Format a number as Go does."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(float(value))
