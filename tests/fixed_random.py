"""Reproducible randomness: a test has the same cards whenever and wherever it runs.

Ids, tokens, seeds and shares follow from a name, usually that of the test, so that failures can be
reproduced. `seed_word.py` says how to get others.
"""

import hashlib
import os
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Callable
from functools import cache

from stichwerk.fairness import HIGHEST_SEED
from stichwerk.server.random_source import RandomSource
from tests import seed_word


class NamedStream:
    """A stream of bytes that depends on a name and on how many were drawn under it before."""

    def __init__(self, name: Callable[[], str], who: str = "") -> None:
        self.name = name
        self.who = who
        self.drawn: Counter[str] = Counter()

    def bytes(self, count: int) -> bytes:
        """Return the next bytes of the current name."""
        name = self.name()
        self.drawn[name] += 1
        return hashlib.shake_256(f"{self.who}{name} {self.drawn[name]}".encode()).digest(count)


class FixedRandomSource(RandomSource):
    """The random source of a server or a client, from such bytes."""

    def __init__(self, drawing: NamedStream) -> None:
        self.drawing = drawing

    def _word(self, count: int) -> str:
        return urlsafe_b64encode(self.drawing.bytes(count)).rstrip(b"=").decode()

    def id(self) -> str:
        """Return an id as long as the real one."""
        return self._word(12)

    def person(self) -> str:
        return self._word(6)

    def token(self) -> str:
        return self._word(32)

    def seed(self) -> str:
        return self.drawing.bytes(32).hex()

    def number(self) -> int:
        return int.from_bytes(self.drawing.bytes(8)) % (HIGHEST_SEED + 1)

    def fraction(self) -> float:
        return int.from_bytes(self.drawing.bytes(6)) / 2**48


def running_test() -> str:
    """Return the name of the test that runs in this process, or in the one that started it."""
    name = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    return f"{seed_word.WORD} {name}"


@cache
def of_test(who: str = "") -> FixedRandomSource:
    """Return the random source of the running test, one per process: a restart draws new ids."""
    return FixedRandomSource(NamedStream(running_test, who))
