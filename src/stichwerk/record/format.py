"""The format `stichwerk-game/1`: what a record contains, and how it is written as JSON."""

import msgspec
from msgspec import UNSET, UnsetType

from stichwerk.games.options import Value

FORMAT = "stichwerk-game/1"
LARGEST = 8 * 2**20
"""The maximum size of a record in bytes; the longest possible match needs a fiftieth of it."""


Choice = str | int | tuple[str | int, ...]


Play = tuple[int | str | tuple[str, str], ...]


Extra = tuple[int, int | None, str, object]


class RoundRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One round: `hands` in dealing order, `stock` from the top; without `scores` it is
    unfinished."""

    starter: int
    hands: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]
    choices: tuple[Choice, ...]
    plays: tuple[Play, ...]
    extra: tuple[Extra, ...] | UnsetType = UNSET
    scores: tuple[int, ...] | UnsetType = UNSET


class Fairness(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The proof of a verifiable deal, hashes and seeds in lower-case hex."""

    match: str
    server_commits: tuple[str, ...]
    client_commits: tuple[str, ...]
    client_seeds: tuple[str, ...]
    server_seeds: tuple[str, ...]
    transcript: str


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A recorded match; `totals` and `ranking` are None while it is unfinished.

    `rules` is the version of the game's rules; a record without it is version 1.
    """

    format: str = FORMAT
    game: str
    rules: int = 1
    seats: int
    names: tuple[str, ...]
    options: dict[str, Value]
    seed: int | UnsetType = UNSET
    rounds: tuple[RoundRecord, ...]
    totals: tuple[int, ...] | None
    ranking: tuple[tuple[int, ...], ...] | None
    fairness: Fairness | UnsetType = UNSET


def encode(record: Record) -> bytes:
    """Encode a record as one line of JSON, without the line break."""
    return msgspec.json.encode(record)


def schema() -> bytes:
    """Return the published JSON Schema of the format."""
    from importlib.resources import files

    return files("stichwerk").joinpath("schema/stichwerk-game-1.json").read_bytes()
