"""Every message between a client and the server, defined once.

One WebSocket belongs to one person (or spectator) at one table. The first message is `hello`; each
later request carries an `id` of the client's choice and is answered by `done` or `refused` with the
same `id`. `done` comes only after what was asked for is stored for good. What happens at the table
comes as `update`, numbered: whoever says `hello` with the last `seq` he saw gets what he missed.

`docs/protocol.md` and the TypeScript types of the client are made from this module
(`python -m stichwerk.server.protocol_generator`). Docstrings here are documentation there.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from stichwerk.engine.events import Event
from stichwerk.errors import StichwerkError
from stichwerk.games.options import Value
from stichwerk.outlook.structs import (
    Effect,
    One,
    SeatTally,
    Situation,
    TableNow,
)
from stichwerk.view import Trick, View

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


# -- From the client -------------------------------------------------------------------------------


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
    | Chat
    | Mute
    | HandOver
    | Remove
    | Unblock
    | Ping
)
FromClient = Hello | Requests


# -- What messages tell about a table --------------------------------------------------------------


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
    receiver may know."""

    seq: int
    notes: tuple[Notes, ...] = ()
    events: tuple[Event, ...] = ()


class MoveEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """A move with what it is worth, in points above the others' mean, and how sure that is."""

    move: str
    value: float | None = None
    error: float | None = None


# -- From the server -------------------------------------------------------------------------------


class Outgoing(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """What every message from the server has."""


class Welcome(Outgoing, frozen=True, tag="welcome"):
    """The answer to `hello`, and sent again when one may know more, or less, than before. `person`
    and `seat`: who one is here. `steps`: what was missed since `since`. With `fresh` all known
    before is void: `view` has the history of the match, and `steps` are the last of it that the
    server sends at once, at most 600 and 256 KiB. Private events of finished rounds are in them
    only if one had the seat then. Without a seat at a table with `watch: none`, `seq` is 0 and
    there are no `steps`. `ply`: the number of your next move. `take_back`: whether your last
    move can still be taken back, if those agree who have to."""

    version: int
    seq: int
    fresh: bool
    person: str | None
    seat: int | None
    ply: int
    table: Table
    view: View | None
    steps: tuple[Step, ...]
    take_back: bool = False


class Update(Outgoing, frozen=True, tag="update"):
    """Something happened. `view` is what one may know now, its history left out: the events are in
    `steps`. `table` is None where it did not change. `take_back` as in `welcome`."""

    seq: int
    steps: tuple[Step, ...]
    seat: int | None
    ply: int
    table: Table | None = None
    view: View | None = None
    take_back: bool = False


class Presence(Outgoing, frozen=True, tag="presence"):
    """Who is connected now. Not numbered, and never missed: `welcome` tells it too."""

    here: tuple[str, ...]
    watching: int


class Done(Outgoing, frozen=True, tag="done"):
    """What was asked for is done, and stored. `seq`: of the table after it."""

    id: int
    seq: int


class JoinDone(Outgoing, frozen=True, tag="joined"):
    """The answer to `join`: who one is, and the personal token."""

    id: int
    seq: int
    person: str
    seat: int | None
    token: str


class HintDone(Outgoing, frozen=True, tag="hint"):
    """The answer to `hint`: a move, why, and what was compared."""

    id: int
    move: str
    reason: str
    text: str
    alternatives: tuple[MoveEstimate, ...]


class Outlook(Outgoing, frozen=True, tag="outlook"):
    """The answer to `look`, true at `seq`. `effects`: of every move one can make now; none where
    there are too many (then ask for one with `move`) and out of turn. `reasons`: for each card of
    the hand that cannot be played now, why; none out of turn. `one`: about the `move` asked for.
    """

    id: int
    seq: int
    effects: tuple[Effect, ...]
    reasons: dict[str, str]
    standing: TableNow
    situation: Situation
    one: One | None = None


class TallyDone(Outgoing, frozen=True, tag="tallied"):
    """The answer to `tally`: for each seat how its points of the round came about."""

    id: int
    round: int
    seats: tuple[SeatTally, ...]


class Pong(Outgoing, frozen=True, tag="pong"):
    """The answer to `ping`."""

    id: int


class Refused(Outgoing, frozen=True, tag="refused"):
    """What was asked for is not done, and why: `error` is stable, `text` in the person's language.
    `id` is None where the message could not be read."""

    id: int | None
    error: str
    text: str
    data: dict[str, object] = {}


class Bye(Outgoing, frozen=True, tag="bye"):
    """The server closes the connection, and why."""

    error: str
    text: str


FromServer = (
    Welcome
    | Update
    | Presence
    | Done
    | JoinDone
    | HintDone
    | Outlook
    | TallyDone
    | Pong
    | Refused
    | Bye
)


# -- HTTP ------------------------------------------------------------------------------------------


class NewTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a new table is to be. `name`: of the host. `bots`: levels for some seats at once."""

    game: Annotated[str, Meta(max_length=40)]
    name: Name
    seats: Annotated[int, Meta(ge=2, le=6)] = 4
    options: dict[str, Value] = {}
    settings: Settings = Settings()
    seat: Seat | None = 0
    bots: dict[str, Level] = {}


class TableMade(msgspec.Struct, frozen=True, kw_only=True):
    """The new table: `link` is for friends, `personal` only for the host, as it holds the token."""

    table: str
    person: str
    token: str
    link: str
    personal: str


class NewFork(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Play on from a finished match: `moves` of it are made, then `seat` is one's own, and bots
    have the others."""

    name: Name
    seat: Seat
    moves: Annotated[int, Meta(ge=0, le=100_000)]
    level: Level = "medium"


class LobbyTable(msgspec.Struct, frozen=True, kw_only=True):
    """An open table: `free` seats of `seats`, `stage` as in `table`."""

    table: str
    game: str
    seats: int
    options: dict[str, Value]
    free: int
    stage: str
    host: str
    watch: str
    people: tuple[str, ...]
    listed: bool = False


class Lobby(msgspec.Struct, frozen=True, kw_only=True):
    """The open tables, the newest first."""

    tables: tuple[LobbyTable, ...]


class BotInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A bot of the registry."""

    name: str
    version: int
    level: bool


class Bots(msgspec.Struct, frozen=True, kw_only=True):
    """The bots there are; a table takes those that are levels."""

    bots: tuple[BotInfo, ...]


class OptionInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An option of a game. `values` are allowed, and whole numbers from `lowest` to `highest`;
    `labels` name the values, in their order. `kind` says how it is best asked for: `choice` of the
    values, `number` (or one of the values), `date` (`MM-DD`) or `sheets` (names of sheets)."""

    name: str
    title: str
    text: str
    kind: Literal["choice", "number", "date", "sheets"]
    default: Value
    values: tuple[Value, ...]
    labels: tuple[str, ...]
    lowest: int | None = None
    highest: int | None = None


class Presentation(msgspec.Struct, frozen=True, kw_only=True):
    """How clients present a game. `page`: which of the page's own tables draws it, `generic` for
    any game. `picture`: what its picture on the page shows; empty, if it has none. `round`: what a
    round is called. `counts`: whether a moment of a round is told by its trick or by the card of
    the seat. `places`: how many tricks can be open at once. `revealed`: the sentence for secret
    choices that are shown, with `{facts}` for them. `events`: by kind, what is said of an event
    instead of the usual, with `{name}`, `{cards}` and `{count}`. `calendar`: the options `date` and
    `sheets` change the rules. `lesson`, `rules`: whether there are any to read. `first_choice`:
    shown first to people who have not chosen a game yet."""

    page: str
    picture: str
    round: str
    counts: Literal["trick", "card"]
    places: int
    revealed: str
    events: dict[str, str]
    calendar: bool
    lesson: bool
    rules: bool
    first_choice: bool


class GameInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A game: for how many, in one sentence, how long it takes with the usual options (`minutes`:
    from, to), by whom it is, and its options by number of seats. `hides_score`: its rules hide
    what everyone has until a round is over, unless the table's `running_score` is on."""

    name: str
    title: str
    sentence: str
    minutes: tuple[int, int]
    authors: tuple[str, ...]
    seats: tuple[int, ...]
    options: dict[str, tuple[OptionInfo, ...]]
    hides_score: bool
    presentation: Presentation


class Games(msgspec.Struct, frozen=True, kw_only=True):
    """The games there are."""

    games: tuple[GameInfo, ...]


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a text under its heading: `id` is for links and the same in all languages where it
    can be, `level` 1 to 3 that of the heading, `markdown` what stands under it."""

    id: str
    heading: str
    level: int
    markdown: str


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of a game, part by part. With `seats` the tables tell only of so many."""

    game: str
    title: str
    lang: Lang
    seats: int | None
    sections: tuple[Section, ...]


class CrossNote(msgspec.Struct, frozen=True, kw_only=True):
    """What a sheet says about another, where both lie side by side."""

    sheet: str
    other: str
    heading: str
    text: str


class SheetInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A sheet of the calendar. `name` is for options; `label` and `title` for people, `short` one
    sentence, `text` the whole rule by paragraphs. `symbol` and the `values` of the cards that carry
    it are those of months (red 5 has a value without one). `replaces` and `extends` name parts of
    the base rules."""

    name: str
    kind: Literal["green", "red", "month"]
    number: int
    label: str
    title: str
    short: str
    text: tuple[str, ...]
    symbol: str | None
    values: tuple[int, ...]
    origin: Literal["documented", "partly", "own"]
    origin_text: str
    replaces: tuple[str, ...]
    extends: tuple[str, ...]
    notes: tuple[CrossNote, ...]


class PartInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the base rules, which sheets may change."""

    name: str
    title: str
    text: str


class Calendar(msgspec.Struct, frozen=True, kw_only=True):
    """All sheets of the calendar, and the parts of the base rules. `today` is the server's date."""

    lang: Lang
    today: str
    sheets: tuple[SheetInfo, ...]
    parts: tuple[PartInfo, ...]


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """One day of the calendar. `real`: whether the date is in a real calendar, too. `notes` are
    those that apply today; `sections` the whole rules of the day; `previous` and `next` dates."""

    lang: Lang
    date: str
    words: str
    real: bool
    previous: str
    next: str
    sheets: tuple[SheetInfo, ...]
    notes: tuple[CrossNote, ...]
    sections: tuple[Section, ...]


class ReplayStep(msgspec.Struct, frozen=True, kw_only=True):
    """A match after a move: by whom, in which round and trick (where several are open: with which
    card of the seat; None before play), what happened, and what could be seen then. The first step
    is the deal, without a move. `move` is None, too, where the seat that looks on could not know
    it. With the last move of a round the next one is dealt: `view` shows that already. `hands`: all
    of them, for `open` only."""

    index: int
    seat: int | None
    move: str | None
    round: int
    trick: int | None
    events: tuple[Event, ...]
    view: View
    hands: tuple[tuple[str, ...], ...] | None


class ReplayRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round of a finished match, told whole whoever looks on: the cards as dealt, the choices,
    what it scored, and the `index` of the step with which it begins."""

    round: int
    index: int
    starter: int
    hands: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]
    choices: tuple[str, ...]
    scores: tuple[int, ...]


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A finished match, step by step, as `seat` saw it, or open to all (`seat` None). `fairness`:
    the six words of the verifiable deal. `of`: how many steps there are; more than 4,000 come in
    several answers, each from step `first` on (ask with `from`)."""

    match: str
    game: str
    rules: int
    seats: int
    options: dict[str, Value]
    names: tuple[str, ...]
    seat: int | None
    fairness: tuple[str, ...] | None
    rounds: tuple[ReplayRound, ...]
    totals: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    of: int
    first: int
    steps: tuple[ReplayStep, ...]


class ReviewMoment(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that cost something, seen from what its seat could know. `index`: of the step of
    the replay that it led to. `played` cost `cost` points (± two `error`s) against `better`, and
    `why`. `when` is for people."""

    index: int
    round: int
    trick: int | None
    when: str
    phase: str
    hand: tuple[str, ...]
    tricks: tuple[Trick, ...]
    played: str
    better: str
    cost: float
    error: float
    cost_text: str
    why: str
    alternatives: tuple[MoveEstimate, ...]


class ReviewRound(msgspec.Struct, frozen=True, kw_only=True):
    """The account of a seat for one round: result = luck - cost + rest."""

    round: int
    points: int
    result: float
    luck: float
    luck_error: float
    cost: float
    cost_error: float
    rest: float


class ReviewPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """The account of a seat, in points above the mean of the others; errors are standard errors.
    `mistakes` of its `decisions` were clear ones; `moments` are the costliest of them."""

    seat: int
    name: str
    points: int
    result: float
    luck: float
    luck_error: float
    cost: float
    cost_error: float
    rest: float
    decisions: int
    mistakes: int
    rounds: tuple[ReviewRound, ...]
    moments: tuple[ReviewMoment, ...]


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """A finished match, judged by a bot. `title` and `meaning` are for people: what was reviewed,
    and what the figures mean."""

    match: str
    game: str
    seats: int
    bot: str
    title: str
    meaning: str
    players: tuple[ReviewPlayer, ...]


class ReviewProgress(msgspec.Struct, frozen=True, kw_only=True):
    """A review that is not ready: so many decisions `of` so many are judged. Ask again soon. `of`
    is 0 as long as they are not counted."""

    done: int
    of: int


class MatchInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A finished match of a table; `finished` in milliseconds since 1970, if known."""

    match: str
    game: str
    seats: int
    options: dict[str, Value]
    names: tuple[str, ...]
    rounds: int
    totals: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    finished: int | None


class Matches(msgspec.Struct, frozen=True, kw_only=True):
    """The finished matches of a table, the newest first."""

    table: str
    matches: tuple[MatchInfo, ...]


class QrText(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A link of this server that is to be drawn as a QR code."""

    text: Annotated[str, Meta(min_length=1, max_length=400)]


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """`ok`, or `storage` if nothing can be stored now."""

    status: Literal["ok", "storage"]


class VersionInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The versions of the program, of these messages, and of the engine that runs."""

    program: str
    protocol: int
    engine: Literal["compiled", "plain"]


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why a request over HTTP was refused."""

    error: str
    text: str
    data: dict[str, object] = {}


# -- Reading and writing ---------------------------------------------------------------------------

# A type annotation, not a class: mypy has no name for that.
_decoder: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)
_encoder = msgspec.json.Encoder()


class BadMessageError(StichwerkError):
    """A message that cannot be read, or does not come in its place."""


def read(raw: bytes | str) -> FromClient:
    """A message from a client; whatever is wrong with it is a BadMessageError."""
    size = len(raw) if isinstance(raw, bytes) else len(raw.encode("utf-8", "surrogatepass"))
    if size > LARGEST:
        raise BadMessageError("message-too-large", most=LARGEST)
    try:
        return _decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError) as error:
        raise BadMessageError("message-unreadable", why=str(error)[:100]) from None


def write(message: FromServer) -> bytes:
    """A message from the server."""
    return _encoder.encode(message)


def plain(data: Mapping[str, object]) -> dict[str, object]:
    """Facts of a refusal, as JSON can say them."""
    kinds = (str, int, float, bool, type(None))
    return {key: value if isinstance(value, kinds) else str(value) for key, value in data.items()}
