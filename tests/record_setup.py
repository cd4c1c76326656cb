"""Records to read, change and break."""

import json
from functools import lru_cache
from typing import Any

import jsonschema

import stichwerk
from stichwerk.engine.generator import Generator
from stichwerk.match import Match
from stichwerk.record import (
    encode,
    record,
    schema,
)

Json = dict[str, Any]


def play_on(match: Match, moves: int = 10_000) -> Match:
    """Play this many moves at random, the same ones every time."""
    generator = Generator(len(match.events))
    while match.waiting_for and moves:
        seat = match.waiting_for[0]
        listed = match.moves(seat)
        match.play(seat, listed[generator.number(len(listed))])
        moves -= 1
    return match


@lru_cache
def finished(name: str, seats: int) -> bytes:
    return encode(record(play_on(stichwerk.game(name, seats=seats).new(seed=7))))


def record_json(name: str = "sticheln", seats: int = 4) -> Json:
    """Return a finished record as plain JSON, to be changed."""
    loaded: Json = json.loads(finished(name, seats))
    return loaded


@lru_cache
def validator() -> Any:
    loaded = json.loads(schema())
    jsonschema.Draft202012Validator.check_schema(loaded)
    return jsonschema.Draft202012Validator(loaded)


def fits(changed: Json) -> bool:
    return bool(validator().is_valid(changed))
