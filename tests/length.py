"""How much a test does: what every run can afford, or all of it (`make test-long`).

Both find the same kinds of faults; the long version finds the rarer ones. A test with a long
version has the marker `long`.
"""

import os
from typing import TypeVar

T = TypeVar("T")

LONG = bool(os.environ.get("STICHWERK_TEST_LONG"))


def by_length(usual: T, long: T) -> T:
    """Return the amount for this kind of run."""
    return long if LONG else usual
