"""The word that all randomness of the tests derives from."""

import os

WORD = os.environ.get("STICHWERK_TEST_SEED", "")
"""Empty: the same cards and examples in every run, so that a failure is caused by a change.
Any other word: different ones, to find what nobody has thought of."""
