"""What all tests share."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests import luck

# No time limits: machines are noisy.
settings.register_profile("stichwerk", deadline=None, derandomize=not luck.WORD)
settings.load_profile("stichwerk")

# A shell that runs the tests in the background switches Ctrl+C off, for all processes they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def own_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test leaves a match in the folder of the one who runs it, nor finds one there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield
