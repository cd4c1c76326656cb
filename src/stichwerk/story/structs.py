"""What a story contains, as the table server sends it."""

from typing import Literal

import msgspec


class StoryMoment(msgspec.Struct, frozen=True, kw_only=True):
    """A trick worth a second look. `kind`: the best trick of the reader (for spectators: of the
    winner), the sharpest one of the match, or the one that decided it. `index`: the replay step
    that completed it; `trick`: counted in its `round`, from 1; `cards`: in the order played. `seat`
    took it, with `card`; both are absent if nobody did. `changes`: by seat, what it did to the
    points of the round. `title` and `text` are for people."""

    kind: Literal["best", "sharpest", "decided"]
    index: int
    round: int
    trick: int
    cards: tuple[str, ...]
    seat: int | None
    card: str | None
    changes: tuple[int, ...]
    title: str
    text: str


class Story(msgspec.Struct, frozen=True, kw_only=True):
    """A finished match, told to a seat, or to spectators (`seat` None). `sentences`: how it ended
    and what decided it. `places`: by seat; teams share one place, and so do seats that are level.
    `lead_changes`: how often another seat or team took the lead. `swing_round`: the round that set
    the players furthest apart."""

    game: str
    seat: int | None
    places: tuple[int, ...]
    lead_changes: int
    swing_round: int
    sentences: tuple[str, ...]
    moments: tuple[StoryMoment, ...]
