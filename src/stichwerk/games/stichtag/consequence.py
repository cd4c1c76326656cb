"""What a sheet makes of a trick, as ids of sentences; the outlook puts them into words."""

from typing import NamedTuple


class Consequence(NamedTuple):
    """Something that happens.

    `seat`: who it is about; then `own` is the sentence for that seat itself, `id` that for all
    others.
    """

    id: str
    own: str = ""
    seat: int | None = None
    number: int | None = None  # the fact `count` of the sentence
