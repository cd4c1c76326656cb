"""What a table's log is made of. The log is the truth: a table is what its entries add up to.

Entries are written once and read for ever: a field may be added with a default, none may change its
meaning. They hold what must stay secret (seeds of the server, hashes of tokens), so they never
leave the server; what people are told is in `wire`.
"""

from collections.abc import Iterable

import msgspec

from stichwerk.games.options import Value
from stichwerk.record import Record
from stichwerk.server.wire import Settings


class Entry(msgspec.Struct, frozen=True, kw_only=True, tag_field="entry", omit_defaults=True):
    """One step in the life of a table."""


class TableCreated(Entry, frozen=True, tag="made"):
    """The first entry of every table. `salt` goes into the hashes of its tokens."""

    table: str
    salt: str
    game: str
    seats: int
    options: dict[str, Value]
    settings: Settings


class PersonJoined(Entry, frozen=True, tag="joined"):
    """Someone takes part; the first owns the table and is its host. `token`: its salted hash."""

    person: str
    name: str
    token: str
    seat: int | None = None


class PersonRenamed(Entry, frozen=True, tag="renamed"):
    """Someone has another name."""

    person: str
    name: str


class HostPassed(Entry, frozen=True, tag="host"):
    """Another person has the rights of the host now; `for_good`: and owns the table."""

    person: str
    for_good: bool = False


class PersonRemoved(Entry, frozen=True, tag="removed"):
    """The host removed someone. `block`: he may not join again, nor may anyone from `addresses`
    (salted hashes; no address is stored of people who are not blocked)."""

    person: str
    block: bool = False
    addresses: tuple[str, ...] = ()


class PersonUnblocked(Entry, frozen=True, tag="unblocked"):
    """Someone may join again."""

    person: str


class PersonForgotten(Entry, frozen=True, tag="forgotten"):
    """Someone without a seat, and not connected, made room for others."""

    person: str


class Seated(Entry, frozen=True, tag="seated"):
    """Who sits here: a person, a bot of some level, or, with neither, nobody."""

    seat: int
    person: str | None = None
    level: str | None = None


class TableChanged(Entry, frozen=True, tag="changed"):
    """Settings or game are others."""

    settings: Settings
    game: str
    seats: int
    options: dict[str, Value]


class BotTookOver(Entry, frozen=True, tag="away"):
    """A bot plays for someone."""

    seat: int


class PlayerReturned(Entry, frozen=True, tag="back"):
    """He plays himself again."""

    seat: int


class SetUp(Entry, frozen=True, tag="set-up"):
    """A match is to be dealt: the server's seeds, and its shares for those who send none (hex).

    `turn`: everyone moves on by one seat first. `bots`: names for those of them that need one.
    """

    match: str
    server_seeds: tuple[str, ...]
    shares: tuple[str | None, ...]
    turn: bool = False
    bots: tuple[str, ...] = ()


class ShareDrawn(Entry, frozen=True, tag="drawn"):
    """The server drew a share for someone whose client sent none in time."""

    seat: int
    seed: str


class ShareSealed(Entry, frozen=True, tag="sealed"):
    """Someone's share of the shuffle, as a hash."""

    seat: int
    commit: str


class ShareOpened(Entry, frozen=True, tag="opened"):
    """The share itself."""

    seat: int
    seed: str


class SetUpFailed(Entry, frozen=True, tag="failed"):
    """These did not open their shares in time."""

    seats: tuple[int, ...]


class DealAgainAgreed(Entry, frozen=True, tag="deal-again"):
    """Someone agrees to another set-up, after too many that failed."""

    seat: int


class Forked(Entry, frozen=True, tag="forked"):
    """A match that goes on from a finished one: so many of its moves are made; rounds that it did
    not begin by then are dealt from a seed. `bots`: names for them."""

    match: str
    record: Record
    moves: int
    seed: int
    bots: tuple[str, ...] = ()


class MovePlayed(Entry, frozen=True, tag="played"):
    """A move. `by`: empty for the person himself, else `bot`, `clock`, or `failed` (a bot's)."""

    seat: int
    move: str
    by: str = ""


class TakeBackAsked(Entry, frozen=True, tag="ask"):
    """Someone wants to take back his last move; without others to agree it is done."""

    seat: int


class TakeBackAnswered(Entry, frozen=True, tag="answer"):
    """Another agrees or does not."""

    seat: int
    agree: bool


class HintTaken(Entry, frozen=True, tag="hint"):
    """Someone asked for a hint."""

    seat: int


class ChatSent(Entry, frozen=True, tag="chat"):
    """Words of someone, or a preset."""

    person: str
    text: str | None = None
    preset: str | None = None


class MuteSet(Entry, frozen=True, tag="mute"):
    """Someone may not chat any more, or may again."""

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
    | SetUp
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
    """An entry as it is stored."""
    return _encoder.encode(entry)


def decode_all(raw: Iterable[bytes]) -> list[Entries]:
    """Stored entries."""
    return [_decoder.decode(one) for one in raw]
