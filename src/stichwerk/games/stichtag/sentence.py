"""What sheets have to say, as data: ids of sentences, and the facts in them.

Narration, outlook and advice put it into words, each for its reader.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Name(NamedTuple):
    """A fact of a sentence: the name of a seat."""

    seat: int


class Cards(NamedTuple):
    """A fact of a sentence: cards, in a list."""

    cards: tuple[str, ...]


class Points(NamedTuple):
    """A fact of a sentence: points with their sign."""

    points: int


class EachSeat(NamedTuple):
    """A fact of a sentence: something about every seat, each after `sign`."""

    facts: tuple[object, ...]
    sign: str = ""


class Sentence(NamedTuple):
    """Something to say.

    `seat`: who it is about; then `own` is the sentence for that seat itself, `id` that for all
    others. A fact may be one of the classes above, which depend on the reader.
    """

    id: str
    own: str = ""
    seat: int | None = None
    facts: Mapping[str, object] = {}
