"""Repeatable randomness: a test has the same cards whenever and wherever it runs.

Ids, tokens, seeds and shares follow from a name, mostly that of the test, so that what fails can be
had again. `luck.py` says how to get others.
"""

import hashlib
import os
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Callable
from functools import cache

from stichwerk.fairness import HIGHEST_SEED
from stichwerk.server.random_source import RandomSource
from tests import luck


class Drawing:
    """Bytes that follow from a name and from how many were drawn under it before."""

    def __init__(self, name: Callable[[], str], who: str = "") -> None:
        self.name = name
        self.who = who
        self.drawn: Counter[str] = Counter()

    def bytes(self, count: int) -> bytes:
        """The next bytes of the current name."""
        name = self.name()
        self.drawn[name] += 1
        return hashlib.shake_256(f"{self.who}{name} {self.drawn[name]}".encode()).digest(count)


class ChanceAgain(RandomSource):
    """What a server or a guest draws, from such bytes."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing

    def _word(self, count: int) -> str:
        return urlsafe_b64encode(self.drawing.bytes(count)).rstrip(b"=").decode()

    def id(self) -> str:
        """As long as the real one, and so on."""
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
    """The name of the test that runs in this process, or in the one that started it."""
    name = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    return f"{luck.WORD} {name}"


@cache
def of_test(who: str = "") -> ChanceAgain:
    """The randomness of the running test, one for the process: a restart draws new ids."""
    return ChanceAgain(Drawing(running_test, who))
