"""Random numbers for deals in play-outs, for bots and for sampling; never for recorded deals.

xoshiro128++ by Blackman and Vigna: small, fast, and the same numbers compiled and plain. A
generator is also its user's workspace: one per thread, never shared.
"""

from collections.abc import Sequence
from typing import Any

from stichwerk.engine.copying import reduced

WORD = 0xFFFFFFFF


class Generator:
    """A stream of random numbers, fully determined by its seed."""

    def __init__(self, seed: int) -> None:
        self.words = [0] * 4
        self.cards = [0] * 96
        self.holders = [0] * 96
        self.marks = [0] * 96
        self.kept = [0] * 96
        self.size = 0
        for at in range(4):
            seed, word = _scatter(seed)
            self.words[at] = word

    def draw(self) -> int:
        """Return the next 32 random bits."""
        a = self.words[0]
        b = self.words[1]
        c = self.words[2]
        d = self.words[3]
        total = (a + d) & WORD
        answer = ((total << 7 | total >> 25) + a) & WORD
        c ^= a
        d ^= b
        self.words[1] = b ^ c
        self.words[0] = a ^ d
        self.words[2] = c ^ (b << 9 & WORD)
        self.words[3] = (d << 11 | d >> 21) & WORD
        return answer

    def below(self, bound: int) -> int:
        """Return an integer from 0 to bound - 1; the bias is below bound / 2**32."""
        return self.draw() * bound >> 32

    def shuffle(self, count: int) -> None:
        """Shuffle the first `count` entries of `cards`."""
        for last in range(count - 1, 0, -1):
            other = self.below(last + 1)
            card = self.cards[last]
            self.cards[last] = self.cards[other]
            self.cards[other] = card

    def number(self, bound: int) -> int:
        """Call `below` from Python."""
        return self.below(bound)

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self, 0)

    def __getstate__(self) -> list[int]:
        """Return the four words that determine the numbers to come; the workspace is empty between
        calls."""
        return [self.words[at] for at in range(4)]

    def __setstate__(self, words: Sequence[int]) -> None:
        for at in range(4):
            self.words[at] = words[at]


def _scatter(seed: int) -> tuple[int, int]:
    """Do one step of SplitMix64, so that neighbouring seeds start far apart: (next seed, 32
    bits)."""
    wide = (1 << 64) - 1
    seed = (seed + 0x9E3779B97F4A7C15) & wide
    mixed = ((seed ^ seed >> 30) * 0xBF58476D1CE4E5B9) & wide
    mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & wide
    return seed, (mixed ^ mixed >> 31) >> 32
