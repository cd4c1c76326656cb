"""What a bot says about a position: a move, what the others are worth, and why."""

from typing import TYPE_CHECKING, Any

import msgspec

from stichwerk.errors import renamed


class AdviceReason(msgspec.Struct, frozen=True):
    """Why a move is good: the stable id of a sentence, with its facts."""

    id: str
    data: dict[str, Any] = {}


class Alternative(msgspec.Struct, frozen=True):
    """A move and its value at the end of the round.

    That is points above the mean of the others, plus a bonus for being the best with most bots.

    `error` is the standard error of the value, 0 for an exact one; both are None from bots that do
    not look ahead. `tries` says on how many deals the value is based.
    """

    move: str
    value: float | None = None
    error: float | None = None
    tries: int = 0


class Advice(msgspec.Struct, frozen=True):
    """The move, all compared moves with the best first, and the reason."""

    move: str
    alternatives: tuple[Alternative, ...]
    reason: AdviceReason


if not TYPE_CHECKING:
    __getattr__ = renamed(__name__, {"Grounds": "AdviceReason"})
