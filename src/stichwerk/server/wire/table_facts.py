"""What messages say about a table: people, seats, notes and steps."""

from typing import Literal

import msgspec

from stichwerk.games.events import AnyEvent
from stichwerk.games.options import Value
from stichwerk.server.wire.field_types import Settings


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A person at the table. `here`: connected now. `bot_at`: when a bot takes over the seat of an
    absent person, in milliseconds since 1970; None if it has, or if nobody waits for them."""

    id: str
    name: str
    here: bool = False
    muted: bool = False
    bot_at: int | None = None


class Blocked(msgspec.Struct, frozen=True, kw_only=True):
    """A person who was removed and may not join again; `name` is the one they had then."""

    id: str
    name: str


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A seat: taken by a `person`, by a bot, or free. `level`: that of the bot, or the character
    that plays. With both, the bot plays until the person returns. `mark`: the number of the colour
    and letter by which the table knows who sits there; people keep it when they move on for a
    rematch."""

    person: str | None = None
    level: str | None = None
    mark: int = 0


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """A pending take-back request and the seats that have not agreed yet."""

    seat: int
    waiting: tuple[int, ...]


class Dealing(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of the verifiable deal.

    `server_commits` are sealed first, then everyone's share (`client_commits`, None where missing).
    `trusted` says for each seat whether a person's own client generated its share: shares generated
    by the server add no trust. When all are sealed, `transcript` and its six `words` are final;
    then the players' shares are opened (`client_seeds`), and the server's, round by round
    (`server_seeds`).
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
    milliseconds since 1970. `aborts`: how many set-ups have failed since the last match began
    because a share was not opened. After one the server deals again by itself; after two or more it
    waits, in the stage `gathering`, for `deal-again` from every seat played by a person. `agreed`:
    the seats that have sent it. `owner`: the person who owns the table; `host`: the person with the
    host's rights now: the owner, or a seated person during a long absence of the owner. `blocked`:
    sent to the host only.

    Without a seat at a table with `watch: none` a client gets what an invitation needs: of `people`
    only the host and those in seats, all of them as `here`; no bot that plays for a person; and
    neither `match`, `dealing`, `ask`, `deadline`, `aborts` nor `agreed`. Someone who takes a seat
    there after a match gets no `match` and no `dealing` of it.
    """

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
    """Something that happened at the table outside the play."""


class Joined(Note, frozen=True, tag="joined"):
    """Someone joined, possibly in a seat."""

    person: str
    name: str
    seat: int | None


class Moved(Note, frozen=True, tag="moved"):
    """The occupant of a seat changed: a person, a bot, or nobody."""

    seat: int
    place: Place


class Renamed(Note, frozen=True, tag="renamed"):
    """Someone changed their name."""

    person: str
    name: str


class Changed(Note, frozen=True, tag="changed"):
    """The host changed the settings or the game."""


class Away(Note, frozen=True, tag="away"):
    """Someone is away: a bot plays for them."""

    seat: int


class Back(Note, frozen=True, tag="back"):
    """Someone is back and plays for themselves again."""

    seat: int


class Sealing(Note, frozen=True, tag="sealing"):
    """A match is being set up: all shares of the shuffle must be sealed."""

    match: str


class Sealed(Note, frozen=True, tag="sealed"):
    """A share was sealed; with the last one the words are final."""

    seat: int


class Opened(Note, frozen=True, tag="opened"):
    """A share was opened."""

    seat: int


class Aborted(Note, frozen=True, tag="aborted"):
    """The set-up failed because these seats did not open their shares; the next one has a new
    id."""

    match: str
    seats: tuple[int, ...]


class Agreed(Note, frozen=True, tag="agreed"):
    """Someone agreed to deal again after two failed set-ups."""

    seat: int


class Begun(Note, frozen=True, tag="begun"):
    """The cards are dealt."""

    match: str


class Published(Note, frozen=True, tag="published"):
    """A round is over (0: the draw of the first starter); `seed` is the server's share for it."""

    round: int
    seed: str


class Asked(Note, frozen=True, tag="asked"):
    """Someone asked to take back their last move."""

    seat: int


class Declined(Note, frozen=True, tag="declined"):
    """Someone declined the take-back, or another move was made first."""

    seat: int


class TookBack(Note, frozen=True, tag="took-back"):
    """The last move was taken back. `events`: how many of the events the receiver saw of this match
    are void."""

    seat: int
    events: int


class Hinted(Note, frozen=True, tag="hinted"):
    """Someone asked for a hint."""

    seat: int


class StoodIn(Note, frozen=True, tag="stood-in"):
    """A move was made for someone: the `clock` ran out, or a `bot` failed."""

    seat: int
    why: Literal["clock", "bot"]


class Said(Note, frozen=True, tag="said"):
    """A chat message: free text or a preset. `name`: the sender's name then, in case they have
    left."""

    person: str
    text: str | None = None
    preset: str | None = None
    name: str = ""


class Muted(Note, frozen=True, tag="muted"):
    """Someone was muted or unmuted."""

    person: str
    muted: bool


class Hosts(Note, frozen=True, tag="hosts"):
    """Someone else has the host's rights. `for_good`: the table was handed over; otherwise the
    owner is away, or is back."""

    person: str
    for_good: bool = False


class Removed(Note, frozen=True, tag="removed"):
    """The host removed someone from the table. `name`: the one they had then."""

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


class HandChange(msgspec.Struct, frozen=True, kw_only=True):
    """Cards that left your hand and cards that entered it, by whatever rule."""

    left: tuple[str, ...] = ()
    entered: tuple[str, ...] = ()


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one entry of the table's log: notes, and the match events the receiver may
    see. `words`: one sentence for each event, in the receiver's language; empty if there is
    nothing to say. Cards are codes. `note_words`: the same for each note; none at all if there is
    nothing to say about any. `hand`: how the step changed your hand; None if it did not. For a step
    that dealt a round: how your hand differs from the cards dealt."""

    seq: int
    notes: tuple[Notes, ...] = ()
    events: tuple[AnyEvent, ...] = ()
    words: tuple[str, ...] = ()
    note_words: tuple[str, ...] = ()
    hand: HandChange | None = None


class Renewed(msgspec.Struct, frozen=True, kw_only=True):
    """An event sent before, as you may see it now: without its cards once its trick is put away
    (`memory` of [Settings](#settings)), with them when the round is over. `seq` and `nth`: which
    event of which step. `back`: its place in the history of the match after the steps of this
    message, from the end: 1 is the last event; 0 if it was taken back. `words`: those of the
    event."""

    seq: int
    nth: int
    back: int
    event: AnyEvent
    words: str = ""


class StepWords(msgspec.Struct, frozen=True, kw_only=True):
    """The `words` and `note_words` of a step once more, in another language."""

    seq: int
    words: tuple[str, ...]
    note_words: tuple[str, ...] = ()


class MoveEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """A move and its estimated value, in points above the others' mean, with its standard error.
    `behind` is how much less than the best move it is worth, with an error of its own."""

    move: str
    value: float | None = None
    error: float | None = None
    behind: float | None = None
    behind_error: float | None = None
