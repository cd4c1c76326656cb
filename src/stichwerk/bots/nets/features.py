"""`Features`: what a net sees of a position and of a move.

One subclass per game. A seat sees its own cards and what is public, never the hidden cards of a
state: `tests/test_nets.py` deals those anew and compares. `facts` is a list of numbers that
`position` leaves for `move`, so that each is computed once per decision.
"""

from stichwerk.engine.frame import Game
from stichwerk.engine.machine import Bits
from stichwerk.engine.state import State


class Features:
    """The inputs of a game's net; see `engine/net.py` for the form of `inputs`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.size = 0  # how many inputs there are

    def position(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn the inputs of the position on."""

    def move(self, state: State, seat: int, move: int, facts: list[int], inputs: list[int]) -> None:
        """Turn the inputs of one of its moves on."""

    # -- Forms of inputs ---------------------------------------------------------------------------

    def on(self, inputs: list[int], at: int) -> None:
        """Turn one input on."""
        inputs[0] += 1
        inputs[inputs[0]] = at

    def one_of(self, inputs: list[int], first: int, number: int, count: int) -> None:
        """Turn on the input of a number from 0 to count - 1; beyond, the nearest of them."""
        self.on(inputs, first + min(max(number, 0), count - 1))

    def up_to(self, inputs: list[int], first: int, number: int, count: int) -> None:
        """Turn as many of these inputs on as the number says, so that near numbers look alike."""
        for at in range(min(number, count)):
            self.on(inputs, first + at)

    def signed(self, inputs: list[int], first: int, number: int, up: int, down: int) -> None:
        """Turn as many of the first `up` inputs on as a positive number says, or as many of the
        `down` ones behind them as a negative one: few are on for small numbers."""
        self.up_to(inputs, first, number, up)
        self.up_to(inputs, first + up, -number, down)

    def each(self, inputs: list[int], first: int, mask: int) -> None:
        """Turn an input on for each number in a small set."""
        while mask:
            self.on(inputs, first + Bits.lowest(mask))
            mask &= mask - 1

    def relative(self, seat: int, other: int) -> int:
        """Return how many seats further on the other one sits."""
        if other >= seat:
            return other - seat
        return other - seat + self.game.seats
