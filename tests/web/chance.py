"""Chance that comes again: a test of the page has the same cards whenever and wherever it runs.

The server's ids, tokens and seeds and the browsers' shares follow from the name of the test, so
that what fails can be had again. `luck.py` says how to get others.
"""

import atexit
import hashlib
import shutil
import tempfile
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from stichwerk.fairness import HIGHEST_SEED
from stichwerk.server.decisions import Chance
from tests import luck

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

BROWSER = """{
  let state = %d;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  Math.random = () => next() / 2 ** 32;
  crypto.getRandomValues = (array) => {
    for (const at of array.keys()) array[at] = next();
    return array;
  };
}"""
"""A generator (mulberry32) in place of the browser's own, for every page of a person."""


@cache
def file() -> Path:
    """Where the servers of these tests read whose chance it is."""
    folder = tempfile.mkdtemp(prefix="stichwerk-chance-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder) / "name"


def call(name: str) -> None:
    """From now on chance is that of this test."""
    file().write_text(f"{luck.WORD} {name}")


@contextmanager
def called(name: str) -> Iterator[None]:
    """For what several tests share: its chance is its own, whichever of them comes first."""
    before = file().read_text()
    call(name)
    yield
    file().write_text(before)


class Drawing:
    """Bytes that follow from a name and from how many were drawn under it before."""

    def __init__(self, place: Path, who: str = "") -> None:
        self.place = place
        self.who = who
        self.drawn: Counter[str] = Counter()

    def bytes(self, count: int) -> bytes:
        """The next ones of whoever's turn it is."""
        name = self.place.read_text() if self.place.exists() else ""
        self.drawn[name] += 1
        return hashlib.shake_256(f"{self.who}{name} {self.drawn[name]}".encode()).digest(count)


class ChanceAgain(Chance):
    """What the server draws, from such bytes."""

    def __init__(self, place: Path, who: str = "") -> None:
        self.drawing = Drawing(place, who)

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


_people = cache(lambda: Drawing(file()))


def give_to(context: "BrowserContext") -> None:
    """The chance of a person's browser; each person of a test has another."""
    context.add_init_script(BROWSER % int.from_bytes(_people().bytes(4)))
