"""Messages from a client."""

from typing import Annotated

import msgspec
from msgspec import Meta

from stichwerk.games.options import Value
from stichwerk.server.wire.field_types import (
    Count,
    Hash,
    Id,
    Lang,
    Level,
    Name,
    Preset,
    Request,
    Seat,
    Settings,
    Text,
    Token,
)


class Incoming(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"
):
    """What every message from a client has."""


class Hello(Incoming, frozen=True, tag="hello"):
    """The first message. Without a `token` one is a stranger, who may watch, if the table allows
    it, or `join`. `since`: the last `seq` seen, to resume; without it all is told anew."""

    version: int
    table: Id
    token: Token | None = None
    since: Count | None = None
    lang: Lang = "en"


class Join(Incoming, frozen=True, tag="join"):
    """Take part under this name, in this seat, or in any that is free. The answer holds the
    personal token: it is all that says who one is, on this device or another. A client may draw
    its own `token`, of 256 random bits: then it can send this again without joining twice."""

    id: Request
    name: Name
    seat: Seat | None = None
    token: (
        Annotated[str, Meta(min_length=43, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")] | None
    ) = None


class Sit(Incoming, frozen=True, tag="sit"):
    """Change to a free seat, before a match or between two."""

    id: Request
    seat: Seat


class Leave(Incoming, frozen=True, tag="leave"):
    """Give up the own seat; a bot plays on."""

    id: Request


class Rename(Incoming, frozen=True, tag="rename"):
    """Change the own name; a match that runs keeps the old one."""

    id: Request
    name: Name


class PlaceBot(Incoming, frozen=True, tag="place-bot"):
    """Host: a bot of this level takes a free seat, or another level plays on in a bot's seat."""

    id: Request
    seat: Seat
    level: Level


class FreeSeat(Incoming, frozen=True, tag="free-seat"):
    """Host: a bot gets up, or someone is asked to leave, before a match or between two. During a
    match the seat of a person goes to a bot for good."""

    id: Request
    seat: Seat


class Change(Incoming, frozen=True, tag="change"):
    """Host: other settings (all of them, as they are to be), or another game, before a match or
    between two. What is left out stays."""

    id: Request
    settings: Settings | None = None
    game: Annotated[str, Meta(max_length=40)] | None = None
    seats: Annotated[int, Meta(ge=2, le=6)] | None = None
    options: dict[str, Value] | None = None


class Begin(Incoming, frozen=True, tag="begin"):
    """Host: begin a match; bots of the table's level take the seats that are free. After a match:
    a rematch, in which everyone moves on by one seat."""

    id: Request


class DealAgain(Incoming, frozen=True, tag="deal-again"):
    """Agree to another set-up after two in a row failed (`aborts` of [Table](#table)). The server
    deals again when all have agreed who sit here and play themselves. `begin` of a host who sits
    is his own agreement, and no more than that."""

    id: Request


class Commit(Incoming, frozen=True, tag="commit"):
    """The own share of the shuffle, sealed: SHA-256 as the verifiable deal defines it."""

    id: Request
    match: Id
    commit: Hash


class Reveal(Incoming, frozen=True, tag="reveal"):
    """The own share of the shuffle, opened, once all shares are sealed."""

    id: Request
    match: Id
    seed: Hash


class Play(Incoming, frozen=True, tag="play"):
    """Make a move. `ply` counts the moves this seat has made in this match, those taken back
    included: sent again, a move is answered again, and made only once."""

    id: Request
    match: Id
    ply: Count
    move: Annotated[str, Meta(min_length=1, max_length=200)]


class TakeBack(Incoming, frozen=True, tag="take-back"):
    """Ask to take back the own last move. Possible only while nobody has moved since and nothing
    hidden was shown by it."""

    id: Request
    match: Id


class Consent(Incoming, frozen=True, tag="consent"):
    """Agree, or not, to what another asked for."""

    id: Request
    match: Id
    agree: bool


class Hint(Incoming, frozen=True, tag="hint"):
    """What would a strong bot do in my place? Everyone learns that a hint was asked for."""

    id: Request
    match: Id


class Look(Incoming, frozen=True, tag="look"):
    """What is there to see for me now? Answered by `outlook`: effects of moves, reasons, what the
    trick means, the rule of the moment. `move`: one choice, typed or half-made, to be judged as
    well. Changes nothing, and nobody learns of it. Spectators may ask, too, where they may watch.
    `lang` is from now on the language of all answers; without it, that of before."""

    id: Request
    match: Id
    lang: Lang | None = None
    move: Annotated[str, Meta(max_length=200)] | None = None


class AskTally(Incoming, frozen=True, tag="tally"):
    """How did the points of a finished round (from 1) come about? Answered by `tallied`. Changes
    nothing, and nobody learns of it. Without `lang` in the language of `hello`."""

    id: Request
    match: Id
    round: Annotated[int, Meta(ge=1, le=1000)]
    lang: Lang | None = None


class SetLanguage(Incoming, frozen=True, tag="language"):
    """Read the words of the server in another language from now on. Answered by `language`, with
    the words of the last steps again."""

    id: Request
    lang: Lang


class Chat(Incoming, frozen=True, tag="chat"):
    """Say something to all at the table: words of one's own, or a preset that everyone reads in
    his language."""

    id: Request
    text: Text | None = None
    preset: Preset | None = None


class Mute(Incoming, frozen=True, tag="mute"):
    """Host: someone may not chat any more, or may again."""

    id: Request
    person: Id
    muted: bool


class HandOver(Incoming, frozen=True, tag="hand-over"):
    """Owner: another seated person owns the table from now on, and is its host."""

    id: Request
    person: Id


class Remove(Incoming, frozen=True, tag="remove"):
    """Host: someone has to leave the table: the seat is freed as by `free-seat`, the personal
    token is void, and the connections are closed. The owner cannot be removed. With `block` the
    person cannot join again, neither with the same token nor from the same network address."""

    id: Request
    person: Id
    block: bool = False


class Unblock(Incoming, frozen=True, tag="unblock"):
    """Host: someone of the `blocked` of the table may join again."""

    id: Request
    person: Id


class Ping(Incoming, frozen=True, tag="ping"):
    """Is anyone there? Answered by `pong`."""

    id: Request


Requests = (
    Join
    | Sit
    | Leave
    | Rename
    | PlaceBot
    | FreeSeat
    | Change
    | Begin
    | DealAgain
    | Commit
    | Reveal
    | Play
    | TakeBack
    | Consent
    | Hint
    | Look
    | AskTally
    | SetLanguage
    | Chat
    | Mute
    | HandOver
    | Remove
    | Unblock
    | Ping
)

FromClient = Hello | Requests
