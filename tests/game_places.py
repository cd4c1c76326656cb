"""The places that a new game takes, as CONTRIBUTING.md lists them for a game called `mine`."""

import re

from tests.doc_pages import ROOT


def described(heading: str) -> dict[str, str]:
    """Return the numbered places of a section, each with its text, by the path that it begins
    with."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = text.partition(f"### {heading}\n")[2].partition("\n##")[0]
    items = re.split(r"^\d+\. (?=`)", section.partition("\nThen ")[0], flags=re.MULTILINE)[1:]
    return {item.split("`")[1]: item for item in items}


def places(heading: str) -> list[str]:
    """Return the paths of a section's places."""
    return list(described(heading))


def spellings(name: str) -> tuple[str, str]:
    """Return how files spell the name of a game: in Python with underscores."""
    return name, name.replace("-", "_")


def is_at(path: str, place: str, name: str) -> bool:
    """Return whether a file of this game is at a place: the file it names, its `.pxd`, or a file
    with the game's name in the folder it names."""
    if place.endswith("/"):
        return path.startswith(place) and any(word in path for word in spellings(name))
    named = [place.replace("mine", word) for word in spellings(name)]
    return path in named or path.replace(".pxd", ".py") in named
