"""What a sheet does to a trick, as ids of sentences; the outlook turns them into text."""

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
