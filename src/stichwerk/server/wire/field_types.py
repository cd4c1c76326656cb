"""Types of fields that many messages share, with their limits."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

VERSION = 1

LARGEST = 4096  # bytes of a message from a client

Id = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]

Name = Annotated[str, Meta(min_length=1, max_length=24)]

Text = Annotated[str, Meta(min_length=1, max_length=280)]

Token = Annotated[str, Meta(min_length=16, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]

Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]

Request = Annotated[int, Meta(ge=0, le=2**31 - 1)]

Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]

Seat = Annotated[int, Meta(ge=0, le=5)]

Lang = Literal["de", "en"]

Level = Literal["easy", "medium", "hard", "expert"]

Watchers = Literal["all", "none"]

Preset = Literal["hello", "well-played", "oops", "thanks", "hurry", "thinking", "again", "bye"]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the host decides about a table; all can be changed between matches.

    `clock`: seconds for a move, then a bot makes it (None: no clock). `away`: seconds until a bot
    takes over the seat of someone who is not connected. `level` is that of the bots that fill
    seats. `listed`: whether strangers find the table in the lobby. `running_score`: whether all are
    told what everyone has so far, in a game whose rules hide it until a round is over
    (`hides_score` of [GameInfo](#gameinfo)).
    """

    watch: Watchers = "all"
    clock: Annotated[int, Meta(ge=5, le=3600)] | None = None
    away: Annotated[int, Meta(ge=5, le=86400)] = 60
    level: Level = "medium"
    hints: bool = True
    take_back: bool = True
    chat: bool = True
    listed: bool = False
    running_score: bool = False
