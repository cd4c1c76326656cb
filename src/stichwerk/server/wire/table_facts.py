"""What messages tell about a table: people, places, notes and steps."""

from typing import Literal

import msgspec

from stichwerk.games.events import AnyEvent
from stichwerk.games.options import Value
from stichwerk.server.wire.field_types import Settings


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Someone who takes part. `here`: connected now."""

    id: str
    name: str
    here: bool = False
    muted: bool = False


class Blocked(msgspec.Struct, frozen=True, kw_only=True):
    """Someone who was removed and may not join again: the id and the name of then."""

    id: str
    name: str


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A seat: of a `person`, of a bot of some `level`, or free. With both, the bot plays until the
    person is back."""

    person: str | None = None
    level: str | None = None


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """A take-back that someone asked for, and the seats that have not agreed yet."""

    seat: int
    waiting: tuple[int, ...]


class Dealing(msgspec.Struct, frozen=True, kw_only=True):
    """How far the verifiable deal has come.

    `server_commits` are sealed first; then everyone's share (`client_commits`, None where it is
    missing). `trusted` tells for each seat whether a person's own client drew its share: the
    server's own add no trust. When all are sealed, `transcript` and its six `words` stand; shares
    are opened (`client_seeds`), then the server's, round by round (`server_seeds`).
    """

    match: str
    rules: str
    options: str
    deck: str
    rounds: int
    server_commits: tuple[str, ...]
    client_commits: tuple[str | None, ...]
    trusted: tuple[bool, ...]
    transcript: str | None = None
    words: tuple[str, ...] = ()
    client_seeds: tuple[str | None, ...] = ()
    server_seeds: tuple[str, ...] = ()


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table. `stage`: `gathering` before the first match, `dealing` while shares of the shuffle
    are exchanged, `playing`, and `over` after a match. `deadline`: when the clock runs out, in
    milliseconds since 1970. `aborts`: how many set-ups have failed since the last match that began,
    as a share was not opened. After one the server deals again by itself; after two or more it
    waits, in the stage `gathering`, for `deal-again` of every seat that a person plays himself.
    `agreed`: the seats that have sent it. `owner`: the person to whom the table belongs; `host`:
    the person with the rights of the host now, which is the owner, or a seated person while the
    owner is away for long. `blocked`: told to the host only.

    Without a seat at a table with `watch: none` a client gets what an invitation needs: of `people`
    only the host and those in seats, all of them as `here`, no bot that plays for someone, and
    neither `match`, `dealing`, `ask`, `deadline`, `aborts` nor `agreed`. Someone who takes a seat
    there after a match gets no `match` and no `dealing` of it."""

    id: str
    game: str
    seats: int
    options: dict[str, Value]
    settings: Settings
    host: str
    people: tuple[Person, ...]
    places: tuple[Place, ...]
    stage: Literal["gathering", "dealing", "playing", "over"]
    match: str | None = None
    dealing: Dealing | None = None
    ask: Ask | None = None
    deadline: int | None = None
    aborts: int = 0
    agreed: tuple[int, ...] = ()
    owner: str = ""
    blocked: tuple[Blocked, ...] = ()


class Note(msgspec.Struct, frozen=True, kw_only=True, tag_field="note", gc=False):
    """Something besides the play that happened at the table."""


class Joined(Note, frozen=True, tag="joined"):
    """Someone takes part now, perhaps in a seat."""

    person: str
    name: str
    seat: int | None


class Moved(Note, frozen=True, tag="moved"):
    """Who sits in a seat has changed: a person, a bot, or nobody."""

    seat: int
    place: Place


class Renamed(Note, frozen=True, tag="renamed"):
    """Someone has another name."""

    person: str
    name: str


class Changed(Note, frozen=True, tag="changed"):
    """The host changed settings or game."""


class Away(Note, frozen=True, tag="away"):
    """Someone is gone for a while: a bot plays for him."""

    seat: int


class Back(Note, frozen=True, tag="back"):
    """Someone is back and plays himself again."""

    seat: int


class Sealing(Note, frozen=True, tag="sealing"):
    """A match is being set up: all shares of the shuffle are to be sealed."""

    match: str


class Sealed(Note, frozen=True, tag="sealed"):
    """A share is in; with the last one the words stand."""

    seat: int


class Opened(Note, frozen=True, tag="opened"):
    """A share was opened."""

    seat: int


class Aborted(Note, frozen=True, tag="aborted"):
    """The set-up failed, as these seats did not open their share; the next one has another id."""

    match: str
    seats: tuple[int, ...]


class Agreed(Note, frozen=True, tag="agreed"):
    """Someone agrees to deal again after two set-ups that failed."""

    seat: int


class Begun(Note, frozen=True, tag="begun"):
    """The cards are dealt."""

    match: str


class Published(Note, frozen=True, tag="published"):
    """A round is over (0: the draw of the first starter): the server's share for it."""

    round: int
    seed: str


class Asked(Note, frozen=True, tag="asked"):
    """Someone asks to take back his last move."""

    seat: int


class Declined(Note, frozen=True, tag="declined"):
    """Someone does not agree, or a move was made meanwhile."""

    seat: int


class TookBack(Note, frozen=True, tag="took-back"):
    """The last move was taken back. `events`: how many of the events one has seen of this match
    are void."""

    seat: int
    events: int


class Hinted(Note, frozen=True, tag="hinted"):
    """Someone asked for a hint."""

    seat: int


class StoodIn(Note, frozen=True, tag="stood-in"):
    """A move was made for someone: the `clock` had run out, or a `bot` had failed."""

    seat: int
    why: Literal["clock", "bot"]


class Said(Note, frozen=True, tag="said"):
    """Someone said something: own words, or a preset. `name`: that of then, for people who are not
    at the table any more."""

    person: str
    text: str | None = None
    preset: str | None = None
    name: str = ""


class Muted(Note, frozen=True, tag="muted"):
    """Someone may not chat any more, or may again."""

    person: str
    muted: bool


class Hosts(Note, frozen=True, tag="hosts"):
    """Someone else has the rights of the host. `for_good`: the table was handed over; otherwise
    the owner is away for long, or is back."""

    person: str
    for_good: bool = False


class Removed(Note, frozen=True, tag="removed"):
    """The host removed someone from the table. `name`: that of then."""

    person: str
    name: str
    blocked: bool


Notes = (
    Joined
    | Moved
    | Renamed
    | Changed
    | Away
    | Back
    | Sealing
    | Sealed
    | Opened
    | Aborted
    | Agreed
    | Begun
    | Published
    | Asked
    | Declined
    | TookBack
    | Hinted
    | StoodIn
    | Said
    | Muted
    | Hosts
    | Removed
)


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """What one entry of the table's log brought: notes, and the events of the match that the
    receiver may know. `words`: for each event what happened, in the receiver's language, or an
    empty text where there is nothing to say; cards are codes."""

    seq: int
    notes: tuple[Notes, ...] = ()
    events: tuple[AnyEvent, ...] = ()
    words: tuple[str, ...] = ()


class StepWords(msgspec.Struct, frozen=True, kw_only=True):
    """The `words` of a step once more, in another language."""

    seq: int
    words: tuple[str, ...]


class MoveEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """A move with what it is worth, in points above the others' mean, and how sure that is."""

    move: str
    value: float | None = None
    error: float | None = None
