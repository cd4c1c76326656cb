"""Replays of finished matches, step by step: what each seat saw, or everything; and their stories.

A match is replayed in a thread, so that tables go on meanwhile, and the result is cached compressed
for a while. A finished match never changes (except for names, after 90 days), so browsers may cache
it, too.
"""

import asyncio
import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from stichwerk import __version__, narration
from stichwerk.engine.events import Event
from stichwerk.errors import BadSeatsError
from stichwerk.games import registry
from stichwerk.games.options import Value
from stichwerk.hash_words import fingerprint
from stichwerk.match import Match
from stichwerk.record import Record, decode, replay_with_moves
from stichwerk.server import wire
from stichwerk.server.http.bot_list import LEVELS
from stichwerk.server.http.responses import (
    BadRequestError,
    ForbiddenError,
    ServerBusyError,
    json,
    language,
    number,
)
from stichwerk.server.storage.store import FinishedMatch
from stichwerk.server.tables.lobby import NotFoundError, TableLobby
from stichwerk.story import Story, tell
from stichwerk.view import View

MOST_STEPS = 4000  # in one response; only a custom game could have more
MOST_KEPT = 16 * 2**20  # bytes of compressed replays in memory
MOST_WAITING = 16  # replays requested but not finished
MOST_LISTED = 50  # matches of a table
KEEP = "private, max-age=86400, immutable"
OPEN = "open"


class StoryRequest(msgspec.Struct, frozen=True):
    """Which story: of a match, told to a seat (None: to spectators), in a language."""

    match: str
    seat: int | None
    lang: wire.Lang


class ReplayRequest(msgspec.Struct, frozen=True):
    """Which replay: of a match, as a seat saw it (None: open), from a step on, in a language.

    `you`: the seat that the words address in the second person; None: nobody's.
    """

    match: str
    seat: int | None
    first: int
    lang: wire.Lang = "en"
    you: int | None = None


# -- Over HTTP -------------------------------------------------------------------------------------


class Replays:
    """Builds replays, one at a time, and caches the last ones."""

    def __init__(self, lobby: TableLobby) -> None:
        self.lobby = lobby
        self.kept: OrderedDict[str, bytes] = OrderedDict()
        self._making: dict[str, asyncio.Task[bytes]] = {}
        self._turn = asyncio.Lock()

    async def replay(self, request: Request) -> Response:
        """Return a finished match, step by step."""
        query = ReplayRequest(
            request.path_params["id"],
            watcher(request),
            number(request, "from") or 0,
            language(request),
            number(request, "you"),
        )
        return await self._answer(request, query)

    async def story(self, request: Request) -> Response:
        """Return a finished match in a few sentences."""
        match = request.path_params["id"]
        return await self._answer(request, StoryRequest(match, watcher(request), language(request)))

    async def _answer(self, request: Request, query: ReplayRequest | StoryRequest) -> Response:
        """Return what is asked about a match, compressed if the client accepts it."""
        raw = await self.lobby.record(query.match)
        tag = tag_of(raw, query)
        headers = {"ETag": tag, "Cache-Control": KEEP, "Vary": "Accept-Encoding, Accept-Language"}
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        packed = await self.packed(tag, raw, query)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
        else:
            packed = await asyncio.to_thread(gzip.decompress, packed)
        return Response(packed, headers=headers, media_type="application/json")

    async def matches(self, request: Request) -> Response:
        """Return the finished matches of a table to someone who has its link and could have watched
        them.

        There is no list of all matches: knowing the id of a match is what grants access to it.
        """
        table = request.query_params.get("table")
        if not table:
            raise BadRequestError("no-table-named")
        live_table = await self.lobby.live_table(table)
        if live_table.table.settings.watch != "all":
            raise ForbiddenError("matches-hidden")
        latest = await self.lobby.store.latest_of(table, MOST_LISTED)
        found = [(when, one) for when, one in latest if one.id not in live_table.table.private]
        infos = await asyncio.to_thread(listed, found)
        return json(wire.Matches(table=table, matches=infos))

    async def packed(self, tag: str, raw: bytes, query: ReplayRequest | StoryRequest) -> bytes:
        """Return a compressed answer: cached, in progress, or built now."""
        if tag in self.kept:
            self.kept.move_to_end(tag)
            return self.kept[tag]
        if tag not in self._making:
            if len(self._making) >= MOST_WAITING:
                raise ServerBusyError("replays-busy")
            making = asyncio.create_task(self._make(tag, raw, query))
            self._making[tag] = making
            making.add_done_callback(lambda _: self._making.pop(tag, None))
        return await asyncio.shield(self._making[tag])

    async def _make(self, tag: str, raw: bytes, query: ReplayRequest | StoryRequest) -> bytes:
        async with self._turn:
            made = await asyncio.to_thread(pack, raw, query)
        self.kept[tag] = made
        while sum(map(len, self.kept.values())) > MOST_KEPT:
            self.kept.popitem(last=False)
        return made


def watcher(request: Request) -> int | None:
    """Return the requested seat; None: everything is open."""
    if request.query_params.get("seat", OPEN) == OPEN:
        return None
    return number(request, "seat")


def tag_of(raw: bytes, query: ReplayRequest | StoryRequest) -> str:
    """Return the ETag of an answer before it is built; another version of the program may differ.

    Weak, as it is the same for a compressed one.
    """
    facts = f"{__version__} {wire.VERSION} {query}".encode()
    return f'W/"{hashlib.sha256(facts + raw).hexdigest()[:32]}"'


def pack(raw: bytes, query: ReplayRequest | StoryRequest) -> bytes:
    """Build an answer as it is sent."""
    record = decode(raw)
    made = story(record, query) if isinstance(query, StoryRequest) else replay(record, query)
    return gzip.compress(msgspec.json.encode(made), 6, mtime=0)


# -- The matches of a table ------------------------------------------------------------------------


class RecordSummary(msgspec.Struct, frozen=True):
    """What a list needs of a record; the rounds are only counted."""

    game: str
    seats: int
    names: tuple[str, ...]
    options: dict[str, Value]
    rounds: tuple[msgspec.Raw, ...]
    totals: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]


def listed(found: list[tuple[int | None, FinishedMatch]]) -> tuple[wire.MatchInfo, ...]:
    """Return a summary of each match."""
    return tuple(match_info(finished, match) for finished, match in found)


def match_info(finished: int | None, match: FinishedMatch) -> wire.MatchInfo:
    """Return a summary of one match."""
    summary = msgspec.json.decode(match.record, type=RecordSummary)
    return wire.MatchInfo(
        match=match.id,
        game=summary.game,
        seats=summary.seats,
        options=summary.options,
        names=summary.names,
        rounds=len(summary.rounds),
        totals=summary.totals,
        ranking=summary.ranking,
        finished=finished,
    )


# -- The match in a few sentences ------------------------------------------------------------------


def story(record: Record, query: StoryRequest) -> Story:
    """Return the match of a record, told to a seat or to spectators."""
    if record.ranking is None:
        raise NotFoundError("no-such-match")
    return tell(record, query.seat, query.lang, clear_names(record.names))


# -- The match, step by step -----------------------------------------------------------------------


def replay(record: Record, query: ReplayRequest) -> wire.Replay:
    """Return the match of a record as a seat saw it, or open to all."""
    if record.totals is None or record.ranking is None:
        raise NotFoundError("no-such-match")
    for seat in (query.seat, query.you):
        if seat is not None and seat >= record.seats:
            raise BadSeatsError("no-such-seat", seat=seat, highest=record.seats - 1)
    match, moves = replay_with_moves(record)
    if query.first > len(moves):
        raise BadRequestError("no-such-step", step=query.first, last=len(moves))
    builder = ReplayBuilder(match, query)
    steps = tuple(builder.steps(moves))
    return wire.Replay(
        match=query.match,
        game=record.game,
        rules=record.rules,
        seats=record.seats,
        options=record.options,
        names=record.names,
        seat=query.seat,
        fairness=words_of(record),
        rounds=tuple(builder.rounds()),
        totals=record.totals,
        ranking=record.ranking,
        of=len(moves) + 1,
        first=query.first,
        steps=steps,
    )


def words_of(record: Record) -> tuple[str, ...] | None:
    """Return the words of a verifiable deal."""
    if isinstance(record.fairness, msgspec.UnsetType):
        return None
    return fingerprint(bytes.fromhex(record.fairness.transcript))


def clear_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names that can be told apart: in old records bots go by their level, which several may
    share."""
    called = ["Bot" if name in LEVELS else name for name in names]
    return tuple(
        f"{name} {called[: seat + 1].count(name)}" if called.count(name) > 1 else name
        for seat, name in enumerate(called)
    )


class ReplayBuilder:
    """Replays a match and describes what a seat sees."""

    def __init__(self, match: Match, query: ReplayRequest) -> None:
        self.match = match
        self.query = query
        self.reader = narration.Reader(
            seat=query.you,
            names=clear_names(match.names),
            game=match.rules.name,
            options=match.setting.options,
            rounds=match.rules.most_rounds(),
            lang=query.lang,
        )
        self.first_steps = [0]
        """For each round the index of its first step."""
        self._tricks = 0  # in this round
        self._has_played = False

    def steps(self, moves: tuple[tuple[int, str], ...]) -> Iterator[wire.ReplayStep]:
        """Yield the deal, then every move, limited to the requested ones."""
        end = self.query.first + MOST_STEPS
        if self.query.first == 0:
            yield self._step(0, 1, None, None, None, self.match.events)
        for index, (seat, move) in enumerate(moves, 1):
            round, trick = len(self.match.rounds), self._trick(seat)
            events = self.match.play(seat, move)
            self._count(index, events)
            if self.query.first <= index < end:
                yield self._step(index, round, trick, seat, move, events)

    def rounds(self) -> Iterator[wire.ReplayRound]:
        """Yield all rounds, once all moves are made."""
        begun = zip(self.first_steps, self.match.rounds, strict=True)
        for round, (index, log) in enumerate(begun, 1):
            assert log.scores is not None, "the match is over"
            choices = tuple(self.match.rules.choice_text(choice) for choice in log.choices)
            yield wire.ReplayRound(
                round=round,
                index=index,
                starter=log.deal.starter,
                hands=log.deal.hands,
                stock=log.deal.stock,
                choices=choices,
                choice_labels=tuple(map(narration.move_words, choices)),
                scores=log.scores,
            )

    def _trick(self, seat: int) -> int | None:
        """Return the trick that the next move belongs to."""
        if self.match.phase != "play" and not self._has_played:
            return None
        if registry.info_of(self.match.rules.name).counts == "card":
            left = self.match.views([None])[None].hand_sizes[seat]
            return self.match.rules.hand_size - left + 1
        return self._tricks + 1

    def _count(self, index: int, events: tuple[Event, ...]) -> None:
        """Count rounds and tricks."""
        for event in events:
            self._has_played = self._has_played or event.kind == "play"
            self._tricks += event.kind == "trick"
            if event.kind == "round":
                self.first_steps.append(index)
                self._tricks, self._has_played = 0, False

    def _step(
        self,
        index: int,
        round: int,
        trick: int | None,
        seat: int | None,
        move: str | None,
        events: tuple[Event, ...],
    ) -> wire.ReplayStep:
        views = self._views()
        seen = self._seen(events)
        known = move if self._knows(seat, move, seen) else None
        return wire.ReplayStep(
            index=index,
            seat=seat,
            move=known,
            label=narration.move_label(known, seen, self.reader) if known else "",
            round=round,
            trick=trick,
            events=seen,
            words=tuple([narration.words(event, self.reader) for event in seen]),
            view=views[self.query.seat],
            hands=self._hands(views),
            left_over=self._left_over(round),
        )

    def _views(self) -> dict[int | None, View]:
        """Return the requested view, and for an open match all seats' views."""
        if self.query.seat is not None:
            return self.match.views([self.query.seat])
        return self.match.views([None, *range(self.match.rules.seats)])

    def _hands(self, views: dict[int | None, View]) -> tuple[tuple[str, ...], ...] | None:
        if self.query.seat is not None:
            return None
        return tuple(views[seat].hand for seat in range(self.match.rules.seats))

    def _left_over(self, round: int) -> wire.LeftOver | None:
        """Return what was left of a round, if the match has gone on to the next one."""
        if round == len(self.match.rounds):
            return None
        hands, seat = self.match.rounds[round - 1].left_over, self.query.seat
        return wire.LeftOver(
            hand=() if seat is None else hands[seat],
            hand_sizes=tuple([len(hand) for hand in hands]),
            hands=hands if seat is None else None,
        )

    def _seen(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """Return the events that the seat may know; for an open match all of them."""
        own = self.query.seat
        return events if own is None else tuple(event for event in events if event.visible(own))

    def _knows(self, seat: int | None, move: str | None, seen: tuple[Event, ...]) -> bool:
        """Return whether the seat saw this move: its own, or one that an event it saw reports."""
        if self.query.seat is None or self.query.seat == seat:
            return True
        return any(event.seat == seat and event.move == move for event in seen)
