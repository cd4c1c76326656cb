"""What all tests of the server share."""

import gc
from collections.abc import Iterator

import pytest

from tests.server import postgres_setup


@pytest.fixture(scope="session")
def cluster() -> postgres_setup.Cluster:
    """Return the PostgreSQL of this process; each test takes an empty schema of its own."""
    return postgres_setup.shared_cluster()


@pytest.fixture(autouse=True)
def garbage_is_its_own() -> Iterator[None]:
    """Collect what a test leaves, so that what it has not closed fails this test and no other."""
    yield
    gc.collect()
