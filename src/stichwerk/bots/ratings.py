"""How strong levels and characters are, for people: 0 plays at random, 1000 like `expert`.

Measured by the ladder; `python -m stichwerk.arena.ladder_ratings` writes the file.
"""

from functools import cache
from importlib.resources import files

import msgspec

FORMAT = "stichwerk-ratings/1"
FILE = "ratings.json"
NOTHING, EXPERT = 0, 1000


class RatingsFile(msgspec.Struct, frozen=True):
    """The whole file: by bot, then by game."""

    format: str
    ratings: dict[str, dict[str, int]]


@cache
def read_ratings() -> dict[str, dict[str, int]]:
    """Return the points of each rated bot, by game."""
    raw = files(__package__).joinpath(FILE).read_bytes()
    return msgspec.json.decode(raw, type=RatingsFile).ratings


def ratings_of(bot: str) -> dict[str, int]:
    """Return the points of a bot by game; none if it is not rated."""
    return read_ratings().get(bot, {})
