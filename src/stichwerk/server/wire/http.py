"""Requests and answers of the HTTP API."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from stichwerk.games.events import AnyEvent
from stichwerk.games.options import Value
from stichwerk.server.wire.field_types import Lang, Level, Name, Seat, Settings
from stichwerk.server.wire.table_facts import MoveEstimate
from stichwerk.view import Trick, View


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
    """How clients present a game. `page`: the table component that draws it; `generic` draws any
    game. `picture`: the subject of its picture on the page, or empty. `round`: the name of a round.
    `counts`: whether progress in a round is counted in tricks or in cards played. `places`: how
    many tricks can be open at once. `calendar`: whether the options `date` and `sheets` change
    the rules. `lesson`, `rules`: whether the game has them. `first_choice`: whether it is suggested
    to people who have not chosen a game yet."""

    page: str
    picture: str
    round: str
    counts: Literal["trick", "card"]
    places: int
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
    it. With the last move of a round the next one is dealt: `view` shows that already. `words`: for
    each event what happened, as spectators read it, or an empty text where there is nothing to say.
    `hands`: all of them, for `open` only."""

    index: int
    seat: int | None
    move: str | None
    round: int
    trick: int | None
    events: tuple[AnyEvent, ...]
    words: tuple[str, ...]
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
