"""What all tests share."""

import gc
import signal
from collections.abc import Iterator
from importlib.util import find_spec

import pytest
from hypothesis import settings

from stichwerk.games import registry
from tests import one_game, seed_word

# No time limits: machines are noisy.
settings.register_profile("stichwerk", deadline=None, derandomize=not seed_word.WORD)
settings.load_profile("stichwerk")

# They need PyTorch, which only the environment of `make test-learners` has.
collect_ignore = [] if find_spec("torch") else ["learners"]

# A shell that runs the tests in the background switches Ctrl+C off, for all processes they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Thousands of tests are collected, and all of them stay: nothing there is garbage.
gc.disable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--game", choices=list(registry.GAMES), help="only tests about this game")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    game = config.getoption("--game")
    if game:
        items[:], others = one_game.choose(items, game)
        config.hook.pytest_deselected(items=others)


def pytest_collection_finish() -> None:
    """Freeze what thousands of collected tests hold: no garbage collection visits it."""
    gc.enable()
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def own_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test leaves a match in the folder of the one who runs it, nor finds one there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield
