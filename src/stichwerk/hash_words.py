"""Six words for a long hash, so that people can compare it by voice.

The list is part of `stichwerk-deal-v1` and frozen: 1,024 words that German and English
speakers both know, one file for all languages. Words and their positions must never change.
"""

from functools import cache
from pathlib import Path

from stichwerk.errors import BadDealError

COUNT = 6  # words of a fingerprint
BITS = 10  # of each word
_LENGTH = 32  # bytes of a hash
_FILE = Path(__file__).with_suffix(".txt")


@cache
def word_list() -> tuple[str, ...]:
    """Return all words, by their number."""
    return tuple(_FILE.read_text("ascii").split())


def fingerprint(transcript: bytes) -> tuple[str, ...]:
    """Return the words of a hash of 32 bytes: its first 60 bits, ten per word, most significant
    first."""
    if len(transcript) != _LENGTH:
        raise BadDealError("not-32-bytes", field="transcript", length=len(transcript))
    first = int.from_bytes(transcript, "big") >> (8 * _LENGTH - COUNT * BITS)
    shifts = range((COUNT - 1) * BITS, -1, -BITS)
    return tuple(word_list()[first >> shift & 2**BITS - 1] for shift in shifts)
