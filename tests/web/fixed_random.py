"""Reproducible randomness: a test of the page has the same cards whenever and wherever it runs.

The server's ids, tokens and seeds and the browsers' shares follow from the name of the test, so
that failures can be reproduced. `seed_word.py` says how to get others.
"""

import atexit
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tests import seed_word
from tests.fixed_random import FixedRandomSource, NamedStream

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
"""A generator (mulberry32) that replaces the browser's own, on every page of a person."""


@cache
def file() -> Path:
    """Return the file in which the servers of these tests find the name of the current test."""
    folder = tempfile.mkdtemp(prefix="stichwerk-random-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder) / "name"


def call(name: str) -> None:
    """Derive randomness from this test from now on."""
    file().write_text(f"{seed_word.WORD} {name}")


@contextmanager
def called(name: str) -> Iterator[None]:
    """Give something that several tests share its own randomness, whichever of them comes first."""
    before = file().read_text()
    call(name)
    yield
    file().write_text(before)


def whose() -> str:
    """Return the test that randomness is derived from now."""
    return _name_in(file())


def _name_in(place: Path) -> str:
    return place.read_text() if place.exists() else ""


def server_random_source(place: Path, who: str = "") -> FixedRandomSource:
    """Return the random source of a server for the test named in this file."""
    return FixedRandomSource(NamedStream(lambda: _name_in(place), who))


_people = cache(lambda: NamedStream(whose))


def give_to(context: "BrowserContext") -> None:
    """Seed a person's browser; each person of a test gets a different seed."""
    context.add_init_script(BROWSER % int.from_bytes(_people().bytes(4)))
