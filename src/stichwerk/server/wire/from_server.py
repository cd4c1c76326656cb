"""Messages from the server."""

import msgspec

from stichwerk.outlook.structs import Effect, SeatTally, Situation, TableNow, TypedMove
from stichwerk.server.wire.table_facts import (
    HandChange,
    MoveEstimate,
    Renewed,
    Step,
    StepWords,
    Table,
)
from stichwerk.view import View


class Outgoing(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Base of all messages from the server."""


class Welcome(Outgoing, frozen=True, tag="welcome"):
    """The answer to `hello`; sent again when the client may see more, or less, than before.
    `person` and `seat`: who the client is here. `steps`: what was missed since `since`. With
    `fresh`, discard everything known before: `view` contains the history of the match, and `steps`
    are the most recent ones, at most 600 and 256 KiB. They contain private events of finished
    rounds only if the person had the seat then. Without a seat at a table with `watch: none`, `seq`
    is 0 and there are no `steps`. `ply`: the number of your next move. `take_back`: whether your
    last move can still be taken back if the others agree. `hand`: how your hand differs from the
    cards dealt to you in this round; None if it does not, or with `fresh` false: the steps say what
    changed since. `renewed`: with `fresh` false, events of tricks that you know already, as they
    may be seen now."""

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
    hand: HandChange | None = None
    renewed: tuple[Renewed, ...] = ()


class Update(Outgoing, frozen=True, tag="update"):
    """Something happened. `view` is what the client may see now, without its history: the events
    are in `steps`. `renewed`: events sent before that may be seen in another form from now on.
    `table` is None if it did not change. `take_back` is as in `welcome`."""

    seq: int
    steps: tuple[Step, ...]
    seat: int | None
    ply: int
    table: Table | None = None
    view: View | None = None
    take_back: bool = False
    renewed: tuple[Renewed, ...] = ()


class Presence(Outgoing, frozen=True, tag="presence"):
    """Who is connected now. Not numbered, and never missed: `welcome` contains it too. `bot_at`: as
    in [Person](#person), by the ids of absent people."""

    here: tuple[str, ...]
    watching: int
    bot_at: dict[str, int] = {}


class Done(Outgoing, frozen=True, tag="done"):
    """The request is carried out and stored. `seq`: the table's number afterwards."""

    id: int
    seq: int


class JoinDone(Outgoing, frozen=True, tag="joined"):
    """The answer to `join`: the person's id and the personal token."""

    id: int
    seq: int
    person: str
    seat: int | None
    token: str


class HintDone(Outgoing, frozen=True, tag="hint"):
    """The answer to `hint`: a move, the reason, and the moves it was compared with. `text`: the
    reason, and what another natural move would lead to; `verdict`: how clear it is, to go before
    the list of the others."""

    id: int
    move: str
    reason: str
    text: str
    alternatives: tuple[MoveEstimate, ...]
    verdict: str = ""


class Outlook(Outgoing, frozen=True, tag="outlook"):
    """The answer to `look`, valid at `seq`. `effects`: of every legal move; empty if there are
    too many (ask for one with `move`) or if it is not your turn. `reasons`: for each card of the
    hand that cannot be played now, why; empty if it is not your turn. `one`: about the `move`
    asked for."""

    id: int
    seq: int
    effects: tuple[Effect, ...]
    reasons: dict[str, str]
    standing: TableNow
    situation: Situation
    one: TypedMove | None = None


class TallyDone(Outgoing, frozen=True, tag="tallied"):
    """The answer to `tally`: how each seat's points of the round came about."""

    id: int
    round: int
    seats: tuple[SeatTally, ...]


class LanguageDone(Outgoing, frozen=True, tag="language"):
    """The answer to `language`: the words of the last steps, at most 600 and 256 KiB, in the new
    language. Steps without words are left out."""

    id: int
    steps: tuple[StepWords, ...]


class Pong(Outgoing, frozen=True, tag="pong"):
    """The answer to `ping`."""

    id: int


class Refused(Outgoing, frozen=True, tag="refused"):
    """The request is refused. `error` is a stable id, `text` is in the person's language. `id` is
    None if the message could not be read."""

    id: int | None
    error: str
    text: str
    data: dict[str, object] = {}


class Bye(Outgoing, frozen=True, tag="bye"):
    """The server closes the connection, with the reason."""

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
    | LanguageDone
    | Pong
    | Refused
    | Bye
)
