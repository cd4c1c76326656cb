"""Decisions as they are kept: a place in a record, and what each move is worth there."""

from collections.abc import Iterator
from importlib.resources import files
from math import hypot

import msgspec
from msgspec import UNSET, UnsetType

from stichwerk.match import Match
from stichwerk.record import Extra, Record, RoundRecord, decode, replay
from stichwerk.view import View

HERE = files("stichwerk.arena.positions")
ALIKE = 2.0  # standard errors within which a move is as good as the best one


class RecordPoint(msgspec.Struct, frozen=True, kw_only=True):
    """How far a match had come: the round, and what its record held of it."""

    round: int
    choices: int
    plays: int
    extra: int


class JudgedDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A seat had to choose, and each of these moves is worth so much: (value, standard error).

    Values are points above the mean of the others at the end of the round.
    """

    record: int
    place: RecordPoint
    seat: int
    values: dict[str, tuple[float, float]]

    @property
    def best(self) -> str:
        """The move that is worth most."""
        return max(self.values, key=lambda move: self.values[move][0])

    def regret(self, move: str) -> float:
        """Return what this move gives away; one that was never judged counts like the worst of
        them."""
        found = [value for value, _ in self.values.values()]
        return max(found) - self.values.get(move, (min(found), 0.0))[0]

    def is_best(self, move: str) -> bool:
        """Return whether the long search could not tell this move from the best one."""
        if move not in self.values:
            return False
        error = hypot(self.values[move][1], self.values[self.best][1])
        return self.regret(move) <= ALIKE * error


def record_point(match: Match) -> RecordPoint:
    """Return the state of a match now, without secret moves that are not revealed yet."""
    log = match.rounds[-1]
    return RecordPoint(
        round=len(match.rounds),
        choices=len(log.choices),
        plays=len(log.plays),
        extra=len(log.extra),
    )


def cut(record: Record, place: RecordPoint) -> Record:
    """Return the record as it was at this point."""
    whole = record.rounds[place.round - 1]
    begun = msgspec.structs.replace(
        whole,
        choices=whole.choices[: place.choices],
        plays=whole.plays[: place.plays],
        extra=_first(whole, place.extra),
        scores=UNSET,
    )
    rounds = (*record.rounds[: place.round - 1], begun)
    return msgspec.structs.replace(record, rounds=rounds, totals=None, ranking=None)


def _first(whole: RoundRecord, count: int) -> tuple[Extra, ...] | UnsetType:
    return UNSET if whole.extra is UNSET or not count else whole.extra[:count]


def records(game: str) -> list[Record]:
    """Return the matches the decisions of a game are taken from."""
    return [decode(line) for line in _lines(f"{game}.records.jsonl")]


def decisions(game: str) -> list[JudgedDecision]:
    """Return the decisions of a game."""
    return [
        msgspec.json.decode(line, type=JudgedDecision) for line in _lines(f"{game}.decisions.jsonl")
    ]


def _lines(name: str) -> list[bytes]:
    return HERE.joinpath(name).read_bytes().splitlines()


def decisions_with_views(game: str) -> Iterator[tuple[JudgedDecision, View]]:
    """Yield every decision with what its seat saw."""
    known = records(game)
    for decision in decisions(game):
        match = replay(cut(known[decision.record], decision.place))
        yield decision, match.view(decision.seat)
