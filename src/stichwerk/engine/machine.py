"""Plain twin of the compiled `machine.pyx`: what a processor does in one instruction.

The only place of the engine that exists twice. It holds no rule, so the rules keep one source.
"""

from collections.abc import Callable
from math import sqrt
from typing import Any


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


class Demand:
    """What rules in plain Python are asked to keep; compiled ones are tested for it instead."""

    @staticmethod
    def winner(game: Any, state: object, winner: int) -> None:
        """Somebody wins the trick."""
        if winner < 0:
            raise game.no_winner(state)

    @staticmethod
    def moves(game: Any, state: object, seat: int, count: int) -> None:
        """A seat that owes a move has one."""
        if count == 0:
            raise game.no_move(state, seat)


class Real:
    """Numbers that are not whole."""

    @staticmethod
    def root(number: float) -> float:
        """The square root of a number that is not negative."""
        return sqrt(number)


class Caller:
    """A function in Python that work without the interpreter lock may call."""

    def __init__(self, function: Callable[[Any, int, Any, Any], None]) -> None:
        self.function = function
        self.error: BaseException | None = None

    def call(self, first: object, number: int, second: object, third: object) -> None:
        """Call the function; what it raises waits for `check`, since nobody here can catch it."""
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
