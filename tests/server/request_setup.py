"""A table without sockets and without a clock."""

from collections.abc import Iterator, Mapping, Sequence

import pytest

from stichwerk import locale
from stichwerk.errors import StichwerkError
from stichwerk.fairness import client_commit
from stichwerk.games.options import Value
from stichwerk.server import wire
from stichwerk.server.random_source import RandomSource
from stichwerk.server.tables import joining
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.audience import LogStep
from stichwerk.server.tables.requests import Requester, decide
from stichwerk.server.tables.table_state import TableState
from stichwerk.view import View

SHORT: dict[str, tuple[int, dict[str, Value]]] = {
    "sticheln": (3, {"rounds": 2}),
    "null-nichtig": (3, {"target": 60}),
    "stichling": (2, {}),
    "stichtag": (3, {"rounds": 3}),
}

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")


class Bench:
    """A table and the people at it; seat i is that of person i until seats turn."""

    def __init__(
        self,
        game: str = "sticheln",
        seats: int = 3,
        people: int = 3,
        settings: wire.Settings | None = None,
        options: Mapping[str, Value] | None = None,
        **more: Value,
    ) -> None:
        self.rng = RandomSource()
        request = wire.NewTable(
            game=game,
            name=NAMES[0],
            seats=seats,
            options={**(options or {}), **more},
            settings=settings or wire.Settings(),
        )
        _, host, made = joining.make_table(request, self.rng)
        self.log = [log.encode(entry) for entry in made]
        self.table = TableState.replay(log.decode_all(self.log))
        self.people = [host.id]
        self.shares: dict[tuple[str, int], bytes] = {}
        for name in NAMES[1:people]:
            self.join(name)

    def happen(self, entries: list[log.Entries]) -> list[LogStep]:
        raw = [log.encode(entry) for entry in entries]
        self.log += raw
        return [self.table.apply(entry) for entry in log.decode_all(raw)]

    def join(
        self,
        name: str,
        seat: int | None = None,
        *,
        here: Sequence[str] = (),
        near: Sequence[str] = (),
        most: int = 99,
        address: str = "",
        token: str = "",
    ) -> str:
        request = wire.Join(id=0, name=name, seat=seat)
        join_context = joining.JoinContext(address, tuple(near), here, most)
        token = token or self.rng.token()
        new = joining.join(self.table, request, token, self.rng, join_context)
        self.people.append(new.id)
        self.happen([*new.forgotten, new.entry])
        return new.id

    def ask(self, who: int, request: wire.Requests) -> list[LogStep]:
        return self.happen(decide(request, Requester(self.table, self.people[who]), self.rng))

    def refusal(self, who: int, request: wire.Requests) -> str:
        """Return why this is refused; nothing has changed then."""
        before = len(self.log)
        with pytest.raises(StichwerkError) as caught:
            self.ask(who, request)
        assert len(self.log) == before
        texts = {locale.text(caught.value.id, lang, **caught.value.data) for lang in ("de", "en")}
        assert len(texts) == 2, f"{caught.value.id} has no text of its own in each language"
        return caught.value.id

    @property
    def match(self) -> str:
        assert self.table.match_id is not None
        return self.table.match_id

    def seal(self, who: int) -> None:
        seat = self.table.seat_of(self.people[who])
        assert seat is not None
        share = self.shares.setdefault((self.match, seat), bytes([who]) * 32)
        commit = client_commit(self.match, seat, share).hex()
        self.ask(who, wire.Commit(id=0, match=self.match, commit=commit))

    def open(self, who: int) -> None:
        seed = (bytes([who]) * 32).hex()
        self.ask(who, wire.Reveal(id=0, match=self.match, seed=seed))

    def begin(self) -> None:
        self.ask(0, wire.Begin(id=0))
        self.share()
        assert self.table.stage == "playing"

    def share(self) -> None:
        """Let everyone do their part of the shuffle."""
        sharing = [who for who in range(len(self.people)) if self.shares_here(who)]
        for who in sharing:
            self.seal(who)
        for who in sharing:
            self.open(who)

    def shares_here(self, who: int) -> bool:
        seat = self.table.seat_of(self.people[who])
        assert self.table.shuffle is not None
        return seat is not None and self.table.shuffle.trusted[seat]

    def view(self, who: int) -> View:
        seat = self.table.seat_of(self.people[who])
        found = self.table.view(seat)
        assert found is not None
        return found

    def turn(self) -> int:
        """Return a person who owes a move."""
        assert self.table.running is not None
        seat = self.table.running.match.waiting_for[0]
        return self.people.index(self.table.places[seat].person or "")

    def play(self, who: int, move: str | None = None, ply: int | None = None) -> list[LogStep]:
        seat = self.table.seat_of(self.people[who])
        number = self.table.ply(seat) if ply is None else ply
        move = self.view(who).moves[0] if move is None else move
        return self.ask(who, wire.Play(id=0, match=self.match, ply=number, move=move))

    def take_back(self, who: int) -> list[LogStep]:
        return self.ask(who, wire.TakeBack(id=0, match=self.match))

    def answer(self, who: int, agree: bool) -> list[LogStep]:
        return self.ask(who, wire.Consent(id=0, match=self.match, agree=agree))

    def why_no_take_back(self, who: int) -> str:
        return self.refusal(who, wire.TakeBack(id=0, match=self.match))

    def everything(self) -> list[object]:
        """Return everything anyone could receive about the table now."""
        seats = [None, *range(self.table.seats)]
        return [
            self.table.describe(),
            self.table.seq,
            *(self.table.view(seat) for seat in seats),
            *(step.describe(seat) for seat in seats for step in self.table.steps),
            *(self.table.ply(seat) for seat in seats),
        ]

    def again(self) -> "Bench":
        """Rebuild the table from its log alone."""
        other = Bench.__new__(Bench)
        other.rng, other.people = self.rng, self.people
        other.log = list(self.log)
        other.table = TableState.replay(log.decode_all(other.log))
        return other


def notes(steps: list[LogStep]) -> list[wire.Notes]:
    return [note for step in steps for note in step.notes]


# -- Taking back -----------------------------------------------------------------------------------


def playing(game: str = "sticheln", people: int = 3, **options: Value) -> Bench:
    """Return a match with all choices made: the first card is to be played."""
    bench = Bench(game, max(people, 3), people, options=options)
    bench.begin()
    while bench.view(0).phase != "play":
        bench.play(bench.turn())
    return bench


def settings() -> Iterator[tuple[str, int, dict[str, Value]]]:
    for game, (seats, options) in SHORT.items():
        yield game, seats, options
    for sheet in ("green 1", "red 0", "red 1", "red 4", "red 6", "red 8", "April", "August"):
        yield "stichtag", 4, {"sheets": [sheet]}
