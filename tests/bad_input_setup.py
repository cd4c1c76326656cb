"""Helpers for tests of bad input."""

from stichwerk.errors import (
    StichwerkError,
)

HUGE = 10**5000  # more digits than Python turns into text


def refused(error: StichwerkError, id: str) -> bool:
    """Return whether the error has this id and can be put into words."""
    return error.id == id and id in str(error)
