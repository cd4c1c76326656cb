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
    Name,
    Opponent,
    Pace,
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
    """Base of all messages from a client."""


class Hello(Incoming, frozen=True, tag="hello"):
    """The first message. Without a `token` the client is a stranger, who may watch if the table
    allows it, or `join`. `since`: the last `seq` seen, to resume; without it the server sends
    everything again."""

    version: int
    table: Id
    token: Token | None = None
    since: Count | None = None
    lang: Lang = "en"


class Join(Incoming, frozen=True, tag="join"):
    """Take part under this name, in this seat, or in any free one. The answer contains the personal
    token, which is the only proof of identity, on this device or another. A client may generate its
    own `token` of 256 random bits; it can then resend this message without joining twice."""

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
    """Give up your seat; a bot takes over."""

    id: Request


class Rename(Incoming, frozen=True, tag="rename"):
    """Change your name; a running match keeps the old one."""

    id: Request
    name: Name


class PlaceBot(Incoming, frozen=True, tag="place-bot"):
    """Host: place a bot in a free seat, or another one instead of a bot: one of some level, or a
    character."""

    id: Request
    seat: Seat
    level: Opponent


class FreeSeat(Incoming, frozen=True, tag="free-seat"):
    """Host: remove a bot or a person from a seat, before a match or between two. During a match a
    bot takes over the person's seat permanently."""

    id: Request
    seat: Seat


class Change(Incoming, frozen=True, tag="change"):
    """Host: change the settings (send all of them), or the game, before a match or between two.
    Omitted fields stay as they are."""

    id: Request
    settings: Settings | None = None
    game: Annotated[str, Meta(max_length=40)] | None = None
    seats: Annotated[int, Meta(ge=2, le=6)] | None = None
    options: dict[str, Value] | None = None


class SetPace(Incoming, frozen=True, tag="pace"):
    """Host: change how long bots seem to think, at any time."""

    id: Request
    pace: Pace


class WaitForMe(Incoming, frozen=True, tag="wait-for-me"):
    """Let bots wait, or go on, while you read something. Lasts as long as the connection, and
    counts only while you are the only person who plays: nobody can hold up others. Nothing is
    stored, and nobody else learns of it."""

    id: Request
    wait: bool


class Begin(Incoming, frozen=True, tag="begin"):
    """Host: begin a match; bots of the table's level take the free seats. After a match: a rematch,
    in which everyone moves on by one seat."""

    id: Request


class DealAgain(Incoming, frozen=True, tag="deal-again"):
    """Agree to another set-up after two in a row failed (`aborts` of [Table](#table)). The server
    deals again when every seated person who is not replaced by a bot has agreed. `begin` from a
    seated host counts as the host's own agreement only."""

    id: Request


class Commit(Incoming, frozen=True, tag="commit"):
    """Your share of the shuffle, sealed: SHA-256 as the verifiable deal defines it."""

    id: Request
    match: Id
    commit: Hash


class Reveal(Incoming, frozen=True, tag="reveal"):
    """Your share of the shuffle, opened, once all shares are sealed."""

    id: Request
    match: Id
    seed: Hash


class Play(Incoming, frozen=True, tag="play"):
    """Make a move. `ply` counts the moves this seat has made in this match, including those taken
    back: a move that is sent twice is answered twice but made only once."""

    id: Request
    match: Id
    ply: Count
    move: Annotated[str, Meta(min_length=1, max_length=200)]


class TakeBack(Incoming, frozen=True, tag="take-back"):
    """Ask to take back your last move. Possible only while nobody has moved since and the move
    revealed nothing hidden."""

    id: Request
    match: Id


class Consent(Incoming, frozen=True, tag="consent"):
    """Agree to another player's take-back, or decline it."""

    id: Request
    match: Id
    agree: bool


class Hint(Incoming, frozen=True, tag="hint"):
    """Ask what a strong bot would play in your position. Everyone learns that a hint was
    requested."""

    id: Request
    match: Id


class Look(Incoming, frozen=True, tag="look"):
    """Ask about the current position. Answered by `outlook`: effects of moves, reasons, what the
    trick means, the rule that applies now. `move`: a choice, typed or incomplete, to be judged as
    well. Changes nothing and is not announced. Spectators may ask too, where they may watch. `lang`
    sets the language of all later answers; without it, the language does not change."""

    id: Request
    match: Id
    lang: Lang | None = None
    move: Annotated[str, Meta(max_length=200)] | None = None


class AskTally(Incoming, frozen=True, tag="tally"):
    """Ask how the points of a finished round (from 1) came about. Answered by `tallied`. Changes
    nothing and is not announced. Without `lang`, the language of `hello` is used."""

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
    """Send a chat message to everyone at the table: free text, or a preset that everyone reads in
    their own language."""

    id: Request
    text: Text | None = None
    preset: Preset | None = None


class Mute(Incoming, frozen=True, tag="mute"):
    """Host: mute someone in the chat, or unmute them."""

    id: Request
    person: Id
    muted: bool


class HandOver(Incoming, frozen=True, tag="hand-over"):
    """Owner: make another seated person the owner and host of the table."""

    id: Request
    person: Id


class Remove(Incoming, frozen=True, tag="remove"):
    """Host: remove someone from the table: the seat is freed as by `free-seat`, the personal token
    becomes invalid, and the connections are closed. The owner cannot be removed. With `block` the
    person cannot join again, neither with the same token nor from the same network address."""

    id: Request
    person: Id
    block: bool = False


class Unblock(Incoming, frozen=True, tag="unblock"):
    """Host: let someone from the table's `blocked` list join again."""

    id: Request
    person: Id


class Ping(Incoming, frozen=True, tag="ping"):
    """Check the connection. Answered by `pong`."""

    id: Request


Requests = (
    Join
    | Sit
    | Leave
    | Rename
    | PlaceBot
    | FreeSeat
    | Change
    | SetPace
    | WaitForMe
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
