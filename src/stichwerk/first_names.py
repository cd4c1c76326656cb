"""Names for bots at a table with people."""

from collections.abc import Collection, Iterator

FIRST_NAMES = ("Ben", "Ada", "Mia", "Jonas", "Lotte", "Emil")
CHARACTER_NAMES = {
    "rocco": "Rocco",
    "tilda": "Tilda",
    "zora": "Zora",
    "otto": "Otto",
    "luna": "Luna",
    "kiki": "Kiki",
}
"""What characters are called, by bot."""


def free_names(taken: Collection[str]) -> Iterator[str]:
    """Yield names that nobody at the table has: enough for all of its seats."""
    known = {name.casefold() for name in taken}
    yield from (name for name in FIRST_NAMES if name.casefold() not in known)
    yield from (f"{name} II" for name in FIRST_NAMES)


def character_name(bot: str, taken: Collection[str]) -> str:
    """Return what a character is called at a table, with a number if someone has its name."""
    known = {name.casefold() for name in taken}
    name, number = CHARACTER_NAMES[bot], 1
    while name.casefold() in known:
        number += 1
        name = f"{CHARACTER_NAMES[bot]} {number}"
    return name
