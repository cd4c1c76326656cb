"""Plain twin of the compiled `machine.pyx`: what a processor does in one instruction.

The only place of the engine that exists twice. It holds no rule, so the rules keep one source.
"""


class Bits:
    """A set of small numbers, kept as the bits of one whole number below 2**64."""

    @staticmethod
    def bit(at: int) -> int:
        """The set that holds only `at`."""
        return 1 << at

    @staticmethod
    def count(mask: int) -> int:
        """How many numbers are in the set."""
        return mask.bit_count()

    @staticmethod
    def lowest(mask: int) -> int:
        """The smallest number of a set that is not empty."""
        return (mask & -mask).bit_length() - 1

    @staticmethod
    def highest(mask: int) -> int:
        """The largest number of a set that is not empty."""
        return mask.bit_length() - 1

    @staticmethod
    def nth(mask: int, k: int) -> int:
        """The k-th smallest number of the set, counting from 0."""
        for _ in range(k):
            mask &= mask - 1
        return (mask & -mask).bit_length() - 1


class Lock:
    """Python's interpreter lock: let go in long compiled work, so that threads run at once."""

    @staticmethod
    def release() -> int:
        """Let go of the lock; plain Python cannot, and needs not."""
        return 0

    @staticmethod
    def take(token: int) -> None:
        """Take the lock again with what `release` gave."""
