"""Requests and responses of the HTTP API."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from stichwerk.games.events import AnyEvent
from stichwerk.games.options import Value
from stichwerk.games.stichtag.choice_panels import Widget
from stichwerk.games.stichtag.seat_facts import Form
from stichwerk.games.stichtag.table_facts import Form as ShownForm
from stichwerk.games.stichtag.trick_marks import Look as MarkLook
from stichwerk.server.wire.field_types import (
    Lang,
    Level,
    Memory,
    Name,
    Opponent,
    Seat,
    Settings,
)
from stichwerk.server.wire.table_facts import MoveEstimate
from stichwerk.view import Trick, View


class NewTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request for a new table. `name`: of the host. `bots`: levels or characters of
    bots to seat at once, by seat."""

    game: Annotated[str, Meta(max_length=40)]
    name: Name
    seats: Annotated[int, Meta(ge=2, le=6)] = 4
    options: dict[str, Value] = {}
    settings: Settings = Settings()
    seat: Seat | None = 0
    bots: dict[str, Opponent] = {}


class TableMade(msgspec.Struct, frozen=True, kw_only=True):
    """The new table. `link` is for friends; `personal` is for the host only, since it contains the
    token."""

    table: str
    person: str
    token: str
    link: str
    personal: str


class NewFork(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Continue a finished match from some point: the first `moves` of it are replayed, then you
    play `seat` and bots play the others."""

    name: Name
    seat: Seat
    moves: Annotated[int, Meta(ge=0, le=100_000)]
    level: Level = "medium"


class LobbyTable(msgspec.Struct, frozen=True, kw_only=True):
    """An open table: `free` of `seats` are free; `stage` is as in `table`."""

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
    memory: Memory = "last trick"


class Lobby(msgspec.Struct, frozen=True, kw_only=True):
    """The open tables, newest first."""

    tables: tuple[LobbyTable, ...]


class BotInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A bot in the registry."""

    name: str
    version: int
    level: bool
    character: bool = False


class Bots(msgspec.Struct, frozen=True, kw_only=True):
    """The available bots; a table accepts those that are levels or characters."""

    bots: tuple[BotInfo, ...]


class CharacterInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A bot with a style of its own. `bot`: what a table accepts; `name`: what people call it;
    `style`: a sentence about it. `ratings`: how strong it is, by game."""

    bot: Opponent
    name: str
    style: str
    ratings: dict[str, int]


class Characters(msgspec.Struct, frozen=True, kw_only=True):
    """The characters, and for comparison the `levels` with their ratings by game: 0 plays at
    random, 1000 like an expert."""

    characters: tuple[CharacterInfo, ...]
    levels: dict[str, dict[str, int]]


class OptionInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An option of a game. Allowed are the `values`, and integers from `lowest` to `highest`;
    `labels` name the values in the same order. `kind` says how to ask for it: a `choice` of the
    values, a `number` (or one of the values), a `date` (`MM-DD`) or `sheets` (names of sheets)."""

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
    """A game: its number of players, one sentence about it, how long it takes with the default
    options (`minutes`: from, to), its authors, and its options by number of seats. `hides_score`:
    its rules hide the scores until a round is over, unless the table's `running_score` is on."""

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
    """The available games."""

    games: tuple[GameInfo, ...]


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """A section of a text. `id` is for links and, where possible, the same in all languages;
    `level` is that of the heading, 1 to 3; `markdown` is the text below it."""

    id: str
    heading: str
    level: int
    markdown: str


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of a game, section by section. With `seats`, tables in the text cover only that
    number."""

    game: str
    title: str
    lang: Lang
    seats: int | None
    sections: tuple[Section, ...]


class CrossNote(msgspec.Struct, frozen=True, kw_only=True):
    """A note of one sheet about another, for days on which both apply."""

    sheet: str
    other: str
    heading: str
    text: str


class FactInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat has in front of it on days of a sheet: at the key `name` of the view's `table`,
    or of `mine` for the form `own`. `form` says what is there: `signs`: by seat how many are left,
    each drawn as the first of `signs`, and those lost, at the key `lost`, as the second; `number`:
    by seat a number, null until all are known; `holder`: the seat that has it, or null; `count`: by
    seat how many, shown from 1 on; `own`: a seat that only you know. Facts of a day are listed in
    this order of forms. `text` and `short` (for little room, if it differs) contain `{count}`, and
    `one||many` where the wording depends on it; `most` is the highest number. `sentence`, if it is
    not empty, says what an `own` fact means to you, with the `{name}` of that seat."""

    name: str
    form: Form
    text: str
    short: str | None
    sentence: str
    most: int
    signs: tuple[str, str]
    lost: str


class StateInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A value that something on the table can have: its `text`, and a `sign` for it."""

    text: str
    sign: str


class ShownInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What is on the table on days of a sheet: at the key `name` of the view's `table`, or of
    `mine` if it is your `own`. `form` says what is there: `cards`: a list of them, or one;
    `colour`: a letter; `colours`: a list of letters, of which one will be chosen; nothing is shown
    where that is empty or null; `state`: a key of `states`. `text` contains `{count}`, and
    `one||many` where the wording depends on it: how many cards, or the number at the key `counted`
    of the `table`; where it is empty, the cards are part of the trick. The seat of the last event
    of the kind `event` is the `{name}` in `by`, which then takes the place of `text`; if `event` is
    empty and `by` is not, it is the seat that is waited for, unless that is yours. Nothing of it is
    shown where a sheet of the day replaces the part `instead`, or once the `table` has something at
    the key `until`. `stock`: the number of cards in the stock matters."""

    name: str
    form: ShownForm
    own: bool
    text: str
    counted: str
    states: dict[str, StateInfo]
    instead: str
    until: str
    event: str
    by: str
    stock: bool


class MarkInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What plays of a trick look like on days of a sheet. `look`: `crossed`: what was played is
    crossed out; `covered`: a card that is not in the trick yet is there face down. The seats, one
    or a list, are at the key `name` of the view's `table`; if `event` is not empty, they are the
    fact `name` of the event of this kind just before the one that completes a trick, and marked
    while that trick rests on the table. Your own covered card is at the key `name` of `mine`. The
    seat of the last event of the kind `led` led the covered cards. `text` is for screen readers."""

    name: str
    look: MarkLook
    text: str
    event: str
    led: str


class PanelInfo(msgspec.Struct, frozen=True, kw_only=True):
    """How to ask for a choice in a `phase`. `widget`: `number`: pick one of several, then confirm;
    `card`: pick one of the hand, which goes to the seat at your place in the list at the key
    `receivers` of the `table`; `cards`: pick several of the hand; `colour`: one of several; `give`:
    a card, and the seat that gets it; `strike`: a play of the trick, or none; `buttons`: one of a
    few moves. `title` is the question, `note` a sentence below it; `which` asks which of several
    cards; `action` is on the button that makes the choice, `idle` while nothing is picked, `hint`
    says what to do until then. They contain `{count}`, `{card}`, `{cards}`, `{name}`, and
    `one||many`. `moves` names single moves. `chosen` repeats your secret choice, `{choice}`. Texts
    that are not needed are empty."""

    phase: str
    widget: Widget
    title: str
    note: str
    which: str
    action: str
    idle: str
    hint: str
    chosen: str
    moves: dict[str, str]
    receivers: str


class SheetInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A sheet of the calendar. `name` is used in options; `label` and `title` are for people,
    `short` is one sentence, `text` the complete rule in paragraphs. Months have a `symbol` and the
    `values` of the cards that carry it (red 5 has a value but no symbol); `drawing` is what such
    cards show, an SVG path in a square of 24 to be filled evenodd, empty if the sheet has none.
    `facts`: what it shows for each seat; `shown`: what else; `marks`: on plays of a trick;
    `panels`: how to ask for its choices, those without one as a list of moves. `replaces` and
    `extends` name parts of the base rules."""

    name: str
    kind: Literal["green", "red", "month"]
    number: int
    label: str
    title: str
    short: str
    text: tuple[str, ...]
    symbol: str | None
    drawing: str
    facts: tuple[FactInfo, ...]
    shown: tuple[ShownInfo, ...]
    marks: tuple[MarkInfo, ...]
    panels: tuple[PanelInfo, ...]
    values: tuple[int, ...]
    origin: Literal["documented", "partly", "own"]
    origin_text: str
    replaces: tuple[str, ...]
    extends: tuple[str, ...]
    notes: tuple[CrossNote, ...]


class PartInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the base rules, which sheets can change."""

    name: str
    title: str
    text: str


class Calendar(msgspec.Struct, frozen=True, kw_only=True):
    """All sheets of the calendar and the parts of the base rules. `today` is the server's date."""

    lang: Lang
    today: str
    sheets: tuple[SheetInfo, ...]
    parts: tuple[PartInfo, ...]


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """One day of the calendar. `real`: whether the date exists in a real calendar. `sheets` are
    without what a cross-note of this day cancels. `notes`: those that apply on this day;
    `sections`: the complete rules of the day; `previous` and `next`: dates."""

    lang: Lang
    date: str
    words: str
    real: bool
    previous: str
    next: str
    sheets: tuple[SheetInfo, ...]
    notes: tuple[CrossNote, ...]
    sections: tuple[Section, ...]


class LeftOver(msgspec.Struct, frozen=True, kw_only=True):
    """Cards left in the hands at the end of a round: those of the viewing seat, how many each seat
    has, and all hands, only for `open`."""

    hand: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...] | None


class ReplayStep(msgspec.Struct, frozen=True, kw_only=True):
    """A match after a move: who moved, in which round and trick (if several are open: with which
    card of the seat; None before play), the events, and what was visible then. The first step is
    the deal and has no move. `move` is also None if the viewing seat could not know it. The last
    move of a round also deals the next one, which `view` already shows. `words`: one sentence for
    each event, as spectators read it; empty if there is nothing to say. `label`: the move as a list
    shows it, empty without one. `hands`: all hands, only for `open`. `left_over`: for a move that
    ends a round and deals the next one, what was left in the hands."""

    index: int
    seat: int | None
    move: str | None
    round: int
    trick: int | None
    events: tuple[AnyEvent, ...]
    words: tuple[str, ...]
    view: View
    hands: tuple[tuple[str, ...], ...] | None
    label: str = ""
    left_over: LeftOver | None = None


class ReplayRound(msgspec.Struct, frozen=True, kw_only=True):
    """A complete round of a finished match, the same for every viewer: the cards as dealt, the
    choices, the scores, and the `index` of its first step. `choice_labels`: the choices as a list
    shows them."""

    round: int
    index: int
    starter: int
    hands: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]
    choices: tuple[str, ...]
    scores: tuple[int, ...]
    choice_labels: tuple[str, ...] = ()


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A finished match, step by step, as `seat` saw it, or open to all (`seat` None). `fairness`:
    the six words of the verifiable deal. `of`: the number of steps; more than 4,000 come in several
    responses, each starting at step `first` (ask with `from`)."""

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
    """A decision that cost points, judged by what its seat could know. `index`: the replay step
    that it led to. `played` cost `cost` points (± two `error`s) compared with `better`; `why` gives
    the reason. `when` is for people."""

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
    """A seat's account for one round: result = luck - cost + rest."""

    round: int
    points: int
    result: float
    luck: float
    luck_error: float
    cost: float
    cost_error: float
    rest: float


class ReviewPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's account, in points above the mean of the others; errors are standard errors.
    `mistakes` counts the clear ones among its `decisions`; `moments` are the costliest."""

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
    """A finished match, judged by a bot. `title` and `meaning` are for people: what was reviewed
    and what the figures mean."""

    match: str
    game: str
    seats: int
    bot: str
    title: str
    meaning: str
    players: tuple[ReviewPlayer, ...]


class ReviewProgress(msgspec.Struct, frozen=True, kw_only=True):
    """A review in progress: `done` of `of` decisions are judged. Ask again soon. `of` is 0 until
    they are counted."""

    done: int
    of: int


class MatchInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A finished match of a table; `finished` is in milliseconds since 1970, if known."""

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
    """The finished matches of a table, newest first."""

    table: str
    matches: tuple[MatchInfo, ...]


class QrText(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A link to this server, to be drawn as a QR code."""

    text: Annotated[str, Meta(min_length=1, max_length=400)]


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """`ok`, or `storage` if the server currently cannot store anything."""

    status: Literal["ok", "storage"]


class VersionInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The versions of the program and of this protocol, and which engine is running."""

    program: str
    protocol: int
    engine: Literal["compiled", "plain"]


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why an HTTP request was refused."""

    error: str
    text: str
    data: dict[str, object] = {}
