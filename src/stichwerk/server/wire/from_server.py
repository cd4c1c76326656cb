"""Messages from the server."""

import msgspec

from stichwerk.outlook.structs import Effect, One, SeatTally, Situation, TableNow
from stichwerk.server.wire.table_facts import MoveEstimate, Step, StepWords, Table
from stichwerk.view import View


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


class LanguageDone(Outgoing, frozen=True, tag="language"):
    """The answer to `language`: the words of the last steps, at most 600 and 256 KiB, in the new
    language. Steps without words are left out."""

    id: int
    steps: tuple[StepWords, ...]


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
    | LanguageDone
    | Pong
    | Refused
    | Bye
)
