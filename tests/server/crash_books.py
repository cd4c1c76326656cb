"""The books of a crash test: what was acknowledged, compared with the file."""

import asyncio
import random
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import msgspec

from stichwerk.record import encode
from stichwerk.server import wire
from stichwerk.server.clients.table_client import RequestRefusedError, TableClient
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.audience import LogStep
from stichwerk.server.tables.live_table import without_history
from stichwerk.server.tables.table_state import TableState
from tests import fixed_random

START_SECONDS = 300.0  # more than any step takes on a machine however busy


# -- Books -----------------------------------------------------------------------------------------


class Move(NamedTuple):
    """The place of a move."""

    match: str
    seat: int
    ply: int


class Books:
    """What all players asked for and received."""

    def __init__(self) -> None:
        self.asked: dict[Move, str] = {}
        self.acknowledged: set[Move] = set()
        self.finished: set[str | None] = set()
        self.faults: list[str] = []
        self.refused: Counter[str] = Counter()
        self.resumed_at: float | None = None


class Player(TableClient):
    """A client that keeps playing and records everything."""

    def __init__(self, url: str, table: str, books: Books, token: str | None = None) -> None:
        super().__init__(
            url, table, token=token, on_message=self.note, rng=fixed_random.of_test("guest ")
        )
        self.books = books
        self.received: dict[int, bytes] = {}
        self.open_moves: dict[int, Move] = {}
        self.stopping = False
        self.pausing: Callable[[], bool] = lambda: False  # owes a move, but does not make it
        self.just_joined = False
        self.came_back = 0

    # Messages from the server

    def note(self, message: wire.FromServer) -> None:
        """Write it down."""
        if isinstance(message, wire.Done):
            move = self.open_moves.pop(message.id, None)
            if move is not None:
                self.books.acknowledged.add(move)
        elif isinstance(message, wire.JoinDone):
            self.just_joined = True
        elif isinstance(message, wire.Welcome):
            if self.seq is not None and not self.just_joined:
                self.came_back += 1
                self.books.resumed_at = self.books.resumed_at or time.monotonic()
            self.just_joined = False
            self._note_steps(message, fresh=message.fresh)
        elif isinstance(message, wire.Update):
            self._note_steps(message, fresh=False)
            if message.table is not None and message.table.stage == "over":
                self.books.finished.add(message.table.match)

    def _note_steps(self, message: wire.Welcome | wire.Update, *, fresh: bool) -> None:
        """Check that steps follow without a gap, and are the same each time they are sent."""
        numbers = [step.seq for step in message.steps]
        first = message.seq + 1 - len(numbers) if fresh else (self.seq or 0) + 1
        if numbers != list(range(first, message.seq + 1)):
            self.books.faults.append(f"{self.table_id}: received {numbers} after {self.seq}")
        for step in message.steps:
            if self.received.setdefault(step.seq, digest(step)) != digest(step):
                self.books.faults.append(f"{self.table_id}: {step.seq} was sent differently before")

    @property
    def failure(self) -> Exception | None:
        """Why this player has given up."""
        return self._failure

    # What is done

    async def keep_playing(self) -> None:
        """Whatever there is to do, until it is enough."""
        while True:
            await self.until(
                lambda: self.stopping or self._may_begin() or (self.owes and not self.pausing())
            )
            if self.stopping:
                return
            try:
                await (self._begin() if self._may_begin() else self.move())
            except RequestRefusedError as refused:
                self.books.refused[refused.id] += 1
                await asyncio.sleep(0.01)

    def go_on(self) -> None:
        """Stop pausing."""
        self.pausing = lambda: False
        self._changed.set()

    def stop(self) -> None:
        """Stop playing."""
        self.stopping = True
        self._changed.set()

    def _may_begin(self) -> bool:
        table = self.table
        between = table is not None and table.stage in ("gathering", "over")
        return between and table is not None and table.host == self.person

    @property
    def owes(self) -> bool:
        """Whether the table waits for this player."""
        return self.playing and self.view is not None and bool(self.view.moves)

    async def _begin(self) -> None:
        """Begin the match; a refusal is fine if it began before the server died."""
        assert self.table is not None
        stage = self.table.stage
        await self.ask(lambda id: wire.Begin(id=id))
        await self.until(lambda: self.stopping or (self.table and self.table.stage) != stage)

    async def move(self) -> None:
        """Make any move, the same again if it was refused; it is stored when this returns."""
        assert self.view is not None
        assert self.table is not None
        assert self.table.match is not None
        assert self.seat is not None
        move = Move(self.table.match, self.seat, self.ply)
        # Once refused it is tried again with the same: it may have been stored after all.
        chosen = self.books.asked.setdefault(move, random.choice(self.view.moves))

        def request(id: int) -> wire.Play:
            self.open_moves[id] = move
            return wire.Play(id=id, match=move.match, ply=move.ply, move=chosen)

        await self.ask(request)
        if self.seat == move.seat and self.ply <= move.ply:
            self.books.faults.append(f"{self.table_id}: {move} acknowledged before it was sent")

    @property
    def at_rest(self) -> bool:
        """Whether nothing is under way."""
        return not self._open and self.table is not None and self.table.stage != "dealing"


async def come_to_rest(players: Sequence[Player], pause: float = 0.3) -> None:
    """Wait until everyone at a table has received the same, and nothing more comes."""

    def received_seqs() -> dict[str, set[int | None]]:
        seen: dict[str, set[int | None]] = {}
        for player in players:
            seen.setdefault(player.table_id, set()).add(player.seq)
        return seen

    before: dict[str, set[int | None]] = {}
    edge = time.monotonic() + START_SECONDS
    while True:
        after = received_seqs()
        same = all(len(seen) == 1 for seen in after.values())
        if same and after == before and all(player.at_rest for player in players):
            return
        if time.monotonic() > edge:
            busy = [f"{one.table_id} {one.seat}" for one in players if not one.at_rest]
            raise AssertionError(f"never at rest: {busy}, {after}")
        before = after
        await asyncio.sleep(pause)


def digest(step: wire.Step) -> bytes:
    """Return a step in short, without the words of its notes: they name people as they are called
    when the step is sent."""
    nameless = msgspec.structs.replace(step, note_words=())
    return blake2b(msgspec.json.encode(nameless), digest_size=8).digest()


# -- The books and the file ------------------------------------------------------------------------


class Findings:
    """What a comparison brought."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.moves = 0
        self.entries = 0
        self.matches = 0
        self.without_record: set[str] = set()


def compare(
    path: Path, books: Books, players: Iterable[Player], *, at_rest: bool = False
) -> Findings:
    """Return whether every acknowledged move is in the file, once, unchanged, in its place;
    and whether each log agrees with what was sent about it. `at_rest`: nothing came after that."""
    found = Findings()
    by_table: dict[str, list[Player]] = {}
    for player in players:
        by_table.setdefault(player.table_id, []).append(player)
    with closing(sqlite3.connect(path)) as file:
        for (verdict,) in file.execute("PRAGMA integrity_check").fetchall():
            if verdict != "ok":
                found.faults.append(f"integrity: {verdict}")
        records = dict(file.execute("SELECT id, record FROM matches").fetchall())
        made: dict[Move, str] = {}
        for table, here in by_table.items():
            entries = _entries(file, table, found)
            made.update(_moves(entries))
            _replay(entries, here, records, found, at_rest)
    _compare_moves(made, books, found)
    return found


def _entries(file: sqlite3.Connection, table: str, found: Findings) -> list[log.Entries]:
    query = "SELECT seq, entry FROM log WHERE table_id = ? ORDER BY seq"
    rows = file.execute(query, (table,)).fetchall()
    if [seq for seq, _ in rows] != list(range(1, len(rows) + 1)):
        found.faults.append(f"{table}: a gap in the log")
    found.entries += len(rows)
    return log.decode_all(entry for _, entry in rows)


def _moves(entries: Iterable[log.Entries]) -> dict[Move, str]:
    """Return every move in a log, counted without the help of the rules."""
    match = ""
    plies: Counter[int] = Counter()
    made: dict[Move, str] = {}
    for entry in entries:
        if isinstance(entry, log.ShuffleStarted):
            match = entry.match
            plies.clear()
        elif isinstance(entry, log.MovePlayed):
            made[Move(match, entry.seat, plies[entry.seat])] = entry.move
            plies[entry.seat] += 1
    return made


def _compare_moves(made: dict[Move, str], books: Books, found: Findings) -> None:
    found.moves = len(made)
    for move in books.acknowledged - made.keys():
        found.faults.append(f"lost: {move} {books.asked[move]}")
    for move, text in made.items():
        asked = books.asked.get(move)
        if asked is None:
            found.faults.append(f"doubled: {move} {text} was never asked for")
        elif asked != text:
            found.faults.append(f"altered: {move} {asked} became {text}")


def _replay(
    entries: list[log.Entries],
    players: list[Player],
    records: dict[str, bytes],
    found: Findings,
    at_rest: bool,
) -> None:
    """Replay a log, and compare it with the clients that were there."""
    name = players[0].table_id
    try:
        first, *rest = entries
        assert isinstance(first, log.TableCreated)
        table = TableState(first)
        for entry in rest:
            step = table.apply(entry)
            if any(_received_differently(player, table, step) for player in players):
                found.faults.append(f"{name}: {step.seq} is not what was sent")
            if isinstance(entry, log.MovePlayed) and table.stage == "over":
                _compare_record(table, records, found)
            for player in players:
                if player.seq == table.seq and not _looks_so(player, table):
                    found.faults.append(f"{name}: at {table.seq} it does not look as last seen")
        if TableState.replay(entries).describe() != table.describe():
            found.faults.append(f"{name}: two replays differ")
    except Exception as error:
        found.faults.append(f"{name}: cannot be replayed: {error!r}")
        return
    for player in players:
        if (player.seq or 0) > table.seq or (at_rest and player.seq != table.seq):
            found.faults.append(f"{name}: {player.seq} was sent, the log ends with {table.seq}")


def _received_differently(player: Player, table: TableState, step: LogStep) -> bool:
    received = player.received.get(step.seq)
    return received is not None and received != digest(step.describe(table.seat_of(player.person)))


def _looks_so(player: Player, table: TableState) -> bool:
    """Return whether a client last saw the table like this."""
    if player.table is None or player.table.stage != table.stage:
        return False
    seat = table.seat_of(player.person)
    seen = without_history(player.view) if player.playing else None
    view = without_history(table.view(seat))
    return (
        player.table.match == table.match_id
        and (player.seat, player.ply) == (seat, table.ply(seat))
        and msgspec.json.encode(seen) == msgspec.json.encode(view)
    )


def _compare_record(table: TableState, records: dict[str, bytes], found: Findings) -> None:
    assert table.running is not None
    found.matches += 1
    record = records.get(table.running.id)
    if record is None:
        found.without_record.add(table.running.id)
    elif record != encode(table.running.record()):
        found.faults.append(f"{table.id}: the record of {table.running.id} is another")
