"""Plain twin of the compiled `machine.pyx`: what a processor does in one instruction.

The only part of the engine that exists twice. It contains no rule, so the rules have a single
source.
"""

from collections.abc import Callable
from math import sqrt
from typing import Any


class Bits:
    """A set of small numbers, stored as the bits of an integer below 2**64."""

    @staticmethod
    def bit(at: int) -> int:
        """Return the set that contains only `at`."""
        return 1 << at

    @staticmethod
    def count(mask: int) -> int:
        """Return how many numbers are in the set."""
        return mask.bit_count()

    @staticmethod
    def lowest(mask: int) -> int:
        """Return the smallest number of a non-empty set."""
        return (mask & -mask).bit_length() - 1

    @staticmethod
    def highest(mask: int) -> int:
        """Return the largest number of a non-empty set."""
        return mask.bit_length() - 1

    @staticmethod
    def nth(mask: int, k: int) -> int:
        """Return the k-th smallest number of the set, counting from 0."""
        for _ in range(k):
            mask &= mask - 1
        return (mask & -mask).bit_length() - 1


class Lock:
    """Python's interpreter lock: released in long compiled work, so that threads run in
    parallel."""

    @staticmethod
    def release() -> int:
        """Release the lock; plain Python cannot, and need not."""
        return 0

    @staticmethod
    def take(token: int) -> None:
        """Take the lock again with the token from `release`."""


class Demand:
    """Checks of rules in plain Python; compiled rules are covered by tests instead."""

    @staticmethod
    def winner(game: Any, state: object, winner: int) -> None:
        """Check that somebody wins the trick."""
        if winner < 0:
            raise game.no_winner(state)

    @staticmethod
    def moves(game: Any, state: object, seat: int, count: int) -> None:
        """Check that a seat that has to move has a move."""
        if count == 0:
            raise game.no_move(state, seat)


class Real:
    """Floating-point functions."""

    @staticmethod
    def root(number: float) -> float:
        """Return the square root of a non-negative number."""
        return sqrt(number)


class Caller:
    """A Python function that can be called without holding the interpreter lock."""

    def __init__(self, function: Callable[[Any, int, Any, Any], None]) -> None:
        self.function = function
        self.error: BaseException | None = None

    def call(self, first: object, number: int, second: object, third: object) -> None:
        """Call the function; what it raises is kept for `check`, since nothing here can catch
        it."""
        if self.error is None:
            try:
                self.function(first, number, second, third)
            except BaseException as error:
                self.error = error

    def check(self) -> None:
        """Raise what a call raised."""
        if self.error is not None:
            error, self.error = self.error, None
            raise error
