"""A fair queue: a client with many requests delays itself, not everyone else.

Items are queued in nested lines, for example by address, then table, then seat. Lines take turns,
so that a long line delays the others by at most one item per turn.
"""

from collections import deque
from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Generic, TypeVar

Item = TypeVar("Item")

Path = Sequence[str]
"""The names of an item's lines, outermost first."""


class FairQueue(Generic[Item]):
    """Queued items, taken by turns: start-time fair queueing, with the same cost for every item.

    Each line has a due time, which advances by one for each item taken from it. The queue's time
    advances by one whenever every waiting line could have had an item. A line that starts to wait
    is due at once, before those already served; but its own last item counts.
    """

    __slots__ = ("_begun", "_due", "_heap", "_items", "_lines", "_order", "_size", "_time")

    def __init__(self) -> None:
        self._items: deque[Item] = deque()  # of the innermost line
        self._lines: dict[str, FairQueue[Item]] = {}
        self._heap: list[tuple[float, bool, int, str]] = []  # due, served before, order, name
        self._time = 0.0
        self._due: dict[str, float] = {}  # of lines that were served, until that has passed
        self._begun = 0
        self._order = 0  # in the heap of the outer line; any other entry there is void
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def waiting(self, name: str) -> int:
        """Return how many items wait in a line."""
        line = self._lines.get(name)
        return 0 if line is None else len(line)

    def put(self, path: Path, item: Item) -> None:
        """Append an item to its line."""
        self._size += 1
        if not path:
            self._items.append(item)
            return
        name = path[0]
        line = self._lines.get(name)
        if line is None:
            line = self._lines[name] = FairQueue()
            due = self._due.get(name, -1.0)
            self._queue(line, name, max(due, self._time), served=due >= self._time)
        line.put(path[1:], item)

    def take(self) -> Item:
        """Remove and return the item whose turn it is; there must be one."""
        self._size -= 1
        if self._items:
            return self._items.popleft()
        due, name, line = self._next()
        self._time = max(self._time, due) + 1 / len(self._lines)
        self._due[name] = due + 1
        item = line.take()
        if line:
            self._queue(line, name, due + 1, served=True)
        else:
            del self._lines[name]
        self._forget()
        return item

    def discard(self, path: Path, item: Item) -> bool:
        """Remove an item that is no longer needed; return whether it was still queued."""
        if not path:
            if item not in self._items:
                return False
            self._items.remove(item)
        else:
            line = self._lines.get(path[0])
            if line is None or not line.discard(path[1:], item):
                return False
            if not line:
                del self._lines[path[0]]
        self._size -= 1
        return True

    def _queue(self, line: "FairQueue[Item]", name: str, due: float, *, served: bool) -> None:
        self._begun += 1
        line._order = self._begun
        heappush(self._heap, (due, served, self._begun, name))

    def _next(self) -> tuple[float, str, "FairQueue[Item]"]:
        """Return the line whose turn it is; entries of lines emptied meanwhile are dropped."""
        while True:
            due, _, order, name = heappop(self._heap)
            line = self._lines.get(name)
            if line is not None and line._order == order:
                return due, name, line

    def _forget(self) -> None:
        """Forget due times that have passed."""
        if len(self._due) > 2 * len(self._lines) + 16:
            self._due = {name: due for name, due in self._due.items() if due >= self._time}
