"""Chance that comes again: a test of the page has the same cards whenever and wherever it runs.

The server's ids, tokens and seeds and the browsers' shares follow from the name of the test, so
that what fails can be had again. `luck.py` says how to get others.
"""

import atexit
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tests import luck
from tests.chance import ChanceAgain, Drawing

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


def whose() -> str:
    """The test whose chance it is now."""
    return _name_in(file())


def _name_in(place: Path) -> str:
    return place.read_text() if place.exists() else ""


def server_chance(place: Path, who: str = "") -> ChanceAgain:
    """What a server draws for the test that is named in this file."""
    return ChanceAgain(Drawing(lambda: _name_in(place), who))


_people = cache(lambda: Drawing(whose))


def give_to(context: "BrowserContext") -> None:
    """The chance of a person's browser; each person of a test has another."""
    context.add_init_script(BROWSER % int.from_bytes(_people().bytes(4)))
