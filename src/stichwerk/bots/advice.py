"""What a bot says about a position: a move, what the others are worth, and why."""

from typing import TYPE_CHECKING, Any

import msgspec

from stichwerk.errors import renamed
from stichwerk.locale.precision import is_clear


class AdviceReason(msgspec.Struct, frozen=True):
    """Why a move is good: the stable id of a sentence, with its facts."""

    id: str
    data: dict[str, Any] = {}


class Alternative(msgspec.Struct, frozen=True):
    """A move and its value at the end of the round, in points above the mean of the others.

    `error` is the standard error of the value, 0 for an exact one; both are None from bots that do
    not look ahead. `tries` says on how many deals the value is based. `behind` is how much less
    than the best move it is worth, `behind_error` the error of that: smaller than
    those of the values, for both moves were tried on the same deals.
    """

    move: str
    value: float | None = None
    error: float | None = None
    tries: int = 0
    behind: float | None = None
    behind_error: float | None = None

    @property
    def too_close(self) -> bool:
        """Whether it may be as good as the best move, for all that is known."""
        return self.behind is not None and not is_clear(self.behind, self.behind_error or 0.0)


class Advice(msgspec.Struct, frozen=True):
    """The move, all compared moves with the best first, and the reason.

    `contrast` says what another natural move would lead to.
    """

    move: str
    alternatives: tuple[Alternative, ...]
    reason: AdviceReason
    contrast: AdviceReason | None = None


if not TYPE_CHECKING:
    __getattr__ = renamed(__name__, {"Grounds": "AdviceReason"})
