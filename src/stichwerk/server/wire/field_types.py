"""Field types shared by several messages, with their limits."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

VERSION = 1

LARGEST = 4096  # bytes in a message from a client

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

Opponent = Literal[
    "easy", "medium", "hard", "expert", "rocco", "tilda", "zora", "otto", "luna", "kiki"
]

Pace = Literal["slow", "normal", "fast", "instant"]

Watchers = Literal["all", "none"]

Memory = Literal["last trick", "none", "open"]

Preset = Literal["hello", "well-played", "oops", "thanks", "hurry", "thinking", "again", "bye"]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The host's settings for a table; all of them can be changed between matches, and `pace` at
    any time.

    `clock`: seconds per move, after which a bot moves (None: no clock). `away`: seconds until a bot
    takes over the seat of a disconnected person. `level`: the level of bots that fill seats.
    `listed`: whether the lobby shows the table to strangers. `running_score`: whether everyone sees
    the current scores in a game whose rules hide them until a round is over (`hides_score` of
    [GameInfo](#gameinfo)). `pace`: how long bots seem to think; `instant` is `fast` while several
    people play. `memory`: which put-away tricks of the running round may be looked at: the
    `last trick`, `none`, or all of them (`open`). After the round all are open.
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
    pace: Pace = "normal"
    memory: Memory = "last trick"
