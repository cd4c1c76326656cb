"""The entries of a table's log. The log is authoritative: a table's state follows from its entries.

Entries are written once and must stay readable: a field may be added with a default, but none may
change its meaning. Entries contain secrets (the server's seeds, hashes of tokens), so they never
leave the server; messages for clients are in `wire`.
"""

from collections.abc import Iterable

import msgspec

from stichwerk.games.options import Value
from stichwerk.record import Record
from stichwerk.server.wire import Settings


class Entry(msgspec.Struct, frozen=True, kw_only=True, tag_field="entry", omit_defaults=True):
    """Base of all log entries."""


class TableCreated(Entry, frozen=True, tag="made"):
    """The first entry of every table. `salt` is used for the hashes of its tokens."""

    table: str
    salt: str
    game: str
    seats: int
    options: dict[str, Value]
    settings: Settings


class PersonJoined(Entry, frozen=True, tag="joined"):
    """Someone joined; the first person owns the table and is its host. `token`: its salted hash."""

    person: str
    name: str
    token: str
    seat: int | None = None


class PersonRenamed(Entry, frozen=True, tag="renamed"):
    """Someone changed their name."""

    person: str
    name: str


class HostPassed(Entry, frozen=True, tag="host"):
    """Another person got the host's rights; `for_good`: and owns the table."""

    person: str
    for_good: bool = False


class PersonRemoved(Entry, frozen=True, tag="removed"):
    """The host removed someone. `block`: they may not join again, nor may anyone from `addresses`
    (salted hashes; addresses of people who are not blocked are never stored)."""

    person: str
    block: bool = False
    addresses: tuple[str, ...] = ()


class PersonUnblocked(Entry, frozen=True, tag="unblocked"):
    """Someone was unblocked."""

    person: str


class PersonForgotten(Entry, frozen=True, tag="forgotten"):
    """A person without a seat and without a connection was removed to make room for others."""

    person: str


class Seated(Entry, frozen=True, tag="seated"):
    """The occupant of a seat changed: a person, a bot of some level or a character, or, with
    neither, nobody."""

    seat: int
    person: str | None = None
    level: str | None = None


class TableChanged(Entry, frozen=True, tag="changed"):
    """The settings or the game changed."""

    settings: Settings
    game: str
    seats: int
    options: dict[str, Value]


class BotTookOver(Entry, frozen=True, tag="away"):
    """A bot took over for a person."""

    seat: int


class PlayerReturned(Entry, frozen=True, tag="back"):
    """A person took their seat back from a bot."""

    seat: int


class ShuffleStarted(Entry, frozen=True, tag="set-up"):
    """A match is set up: the server's seeds, and its shares (hex) for seats that send none.

    `turn`: everyone first moves on by one seat. `bots`: names for bots that need one. `rules`: the
    version of the game's rules; logs written before there were several do not have it.
    """

    match: str
    server_seeds: tuple[str, ...]
    shares: tuple[str | None, ...]
    turn: bool = False
    bots: tuple[str, ...] = ()
    rules: int = 1


class ShareDrawn(Entry, frozen=True, tag="drawn"):
    """The server generated a share for someone whose client sent none in time."""

    seat: int
    seed: str


class ShareSealed(Entry, frozen=True, tag="sealed"):
    """Someone's share of the shuffle, as a hash."""

    seat: int
    commit: str


class ShareOpened(Entry, frozen=True, tag="opened"):
    """Someone's share of the shuffle, opened."""

    seat: int
    seed: str


class SetUpFailed(Entry, frozen=True, tag="failed"):
    """These seats did not open their shares in time."""

    seats: tuple[int, ...]


class DealAgainAgreed(Entry, frozen=True, tag="deal-again"):
    """Someone agreed to another set-up after too many failed."""

    seat: int


class Forked(Entry, frozen=True, tag="forked"):
    """A match continues a finished one: the first `moves` of it are replayed; rounds that had not
    begun by then are dealt from a seed. `bots`: their names."""

    match: str
    record: Record
    moves: int
    seed: int
    bots: tuple[str, ...] = ()


class MovePlayed(Entry, frozen=True, tag="played"):
    """A move. `by`: empty for the person, otherwise `bot`, `clock`, or `failed` (for a failed
    bot)."""

    seat: int
    move: str
    by: str = ""


class TakeBackAsked(Entry, frozen=True, tag="ask"):
    """Someone asked to take back their last move; it is taken back at once if nobody has to
    agree."""

    seat: int


class TakeBackAnswered(Entry, frozen=True, tag="answer"):
    """Someone agreed to a take-back or declined it."""

    seat: int
    agree: bool


class HintTaken(Entry, frozen=True, tag="hint"):
    """Someone asked for a hint."""

    seat: int


class ChatSent(Entry, frozen=True, tag="chat"):
    """A chat message: free text or a preset."""

    person: str
    text: str | None = None
    preset: str | None = None


class MuteSet(Entry, frozen=True, tag="mute"):
    """Someone was muted or unmuted."""

    person: str
    muted: bool


Entries = (
    TableCreated
    | PersonJoined
    | PersonRenamed
    | HostPassed
    | PersonRemoved
    | PersonUnblocked
    | PersonForgotten
    | Seated
    | TableChanged
    | BotTookOver
    | PlayerReturned
    | ShuffleStarted
    | ShareDrawn
    | ShareSealed
    | ShareOpened
    | SetUpFailed
    | DealAgainAgreed
    | Forked
    | MovePlayed
    | TakeBackAsked
    | TakeBackAnswered
    | HintTaken
    | ChatSent
    | MuteSet
)

_decoder: msgspec.json.Decoder[Entries] = msgspec.json.Decoder(Entries)
_encoder = msgspec.json.Encoder()


def encode(entry: Entries) -> bytes:
    """Encode an entry for storage."""
    return _encoder.encode(entry)


def decode_all(raw: Iterable[bytes]) -> list[Entries]:
    """Decode stored entries."""
    return [_decoder.decode(one) for one in raw]
