"""What all tests of the server share."""

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def garbage_is_its_own() -> Iterator[None]:
    """Collect what a test leaves, so that what it has not closed fails this test and no other."""
    yield
    gc.collect()
