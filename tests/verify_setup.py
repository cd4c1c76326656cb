"""Records to tamper with."""

import json
from functools import lru_cache
from typing import Any

import stichwerk
from stichwerk.engine.generator import Generator
from stichwerk.match import Match
from stichwerk.record import (
    Verdict,
    decode,
    encode,
    record,
    verify,
)

Json = dict[str, Any]


def play_on(match: Match) -> Match:
    """Play to the end at random, the same way every time."""
    generator = Generator(5)
    while match.waiting_for:
        seat = match.waiting_for[0]
        moves = match.moves(seat)
        match.play(seat, moves[generator.number(len(moves))])
    return match


@lru_cache
def written(name: str, seats: int) -> str:
    return encode(record(play_on(stichwerk.game(name, seats=seats).new(seed=7)))).decode()


def record_json(name: str, seats: int, seed: bool = False) -> Json:
    """Return a finished record as plain JSON, to be changed; without its seed, unless that is
    wanted."""
    loaded: Json = json.loads(written(name, seats))
    if not seed:
        del loaded["seed"]
    return loaded


def judged(loaded: Json) -> Verdict:
    return verify(decode(json.dumps(loaded)))


def fault(loaded: Json) -> tuple[str, str]:
    """Return where and how a record is broken, in words."""
    verdict = judged(loaded)
    assert verdict.status == "broken"
    assert not verdict.ok
    return str(verdict.place or ""), verdict.id


def unfinished(loaded: Json, round: int, plays: int) -> Json:
    """Return the same match, cut off after this many plays of this round."""
    loaded["rounds"] = loaded["rounds"][: round + 1]
    last = loaded["rounds"][round]
    del last["plays"][plays:], last["scores"]
    return loaded | {"totals": None, "ranking": None}
