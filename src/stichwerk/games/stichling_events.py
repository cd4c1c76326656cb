"""Events that only Stichling has."""

from typing import ClassVar

from stichwerk.engine.events import BaseEvent


class ScoringCardTurned(BaseEvent, frozen=True, tag="turned"):
    """The winner of a trick turned up a scoring card.

    `seat`: who did it
    `position`: which one from the left, from 0
    `value`: its value
    """

    after_trick: ClassVar[bool] = True
    follows: ClassVar[bool] = True
    seat: int
    position: int
    value: int
