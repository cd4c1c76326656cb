"""The timers of a table, by name."""

from collections.abc import Callable, Coroutine, Iterator, Mapping

from stichwerk.server.clock import Clock, Timer

AGAIN_SECONDS = 1.0  # until a failed write is retried

Work = Callable[[], Coroutine[None, None, None]]
Start = Callable[[Coroutine[None, None, None]], object]


class NamedTimers(Mapping[str, Timer]):
    """Pending timers, at most one per name. `start` runs the work of a timer that has fired."""

    def __init__(self, clock: Clock, start: Start) -> None:
        self._clock = clock
        self._start = start
        self._waiting: dict[str, Timer] = {}

    def later(self, name: str, seconds: float, work: Work) -> None:
        """Start a timer, replacing any other of this name."""
        self.cancel(name)

        def fire() -> None:
            self._waiting.pop(name, None)
            self._start(work())

        self._waiting[name] = self._clock.call_later(seconds, fire)

    def cancel(self, name: str) -> None:
        """Cancel a timer if it is pending."""
        timer = self._waiting.pop(name, None)
        if timer is not None:
            timer.cancel()

    def cancel_all(self) -> None:
        """Cancel all timers."""
        for name in list(self._waiting):
            self.cancel(name)

    def __getitem__(self, name: str) -> Timer:
        return self._waiting[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._waiting)

    def __len__(self) -> int:
        return len(self._waiting)
