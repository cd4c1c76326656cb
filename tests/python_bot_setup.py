"""Helpers for tests of bots of other packages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import stichwerk
from stichwerk.bots.hosting import Hosting
from stichwerk.bots.python_bot import idle
from stichwerk.match import Setting
from stichwerk.view import View
from tests.bot_packages import (
    put_many_bots,
)

SHORT = Setting("sticheln", 3, {"rounds": 1})

AT_HOME = Hosting(in_process=True)


@pytest.fixture(scope="module", autouse=True)
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The package with all bots; workers are used again from test to test, and gone at the end."""
    folder = tmp_path_factory.mktemp("bots")
    put_many_bots(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield folder
        workers = [worker.process for worker in idle._workers]
        idle.end()
        assert all(process.returncode is not None for process in workers)


def some_view() -> View:
    """Return a seat that may play any of fifteen cards as its pain card."""
    return stichwerk.game("sticheln", seats=4).new(seed=1).view(0)
