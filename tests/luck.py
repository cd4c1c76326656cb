"""Whether the tests try their luck, or do the same every time."""

import os

WORD = os.environ.get("STICHWERK_TEST_LUCK", "")
"""Empty: the same cards and examples in every run, so that what fails is the fault of a change.
Any word: others, to look for what nobody has thought of."""
