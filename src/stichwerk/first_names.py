"""Names for bots at a table with people."""

from collections.abc import Collection, Iterator

FIRST_NAMES = ("Ben", "Ada", "Mia", "Jonas", "Lotte", "Emil")


def free_names(taken: Collection[str]) -> Iterator[str]:
    """Yield names that nobody at the table has: enough for all of its seats."""
    known = {name.casefold() for name in taken}
    yield from (name for name in FIRST_NAMES if name.casefold() not in known)
    yield from (f"{name} II" for name in FIRST_NAMES)
