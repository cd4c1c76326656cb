"""Scripts as they are written: scenes with their cards, and steps with their words."""

from functools import lru_cache
from pathlib import Path
from typing import Literal

import msgspec

from stichwerk.games import registry
from stichwerk.games.options import Value

GAMES = tuple(info.name for info in registry.OUR_GAMES if info.lesson)
_HERE = Path(__file__).parent / "scripts"


class ScriptPart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What stands in a script; a slip of the pen is refused."""


class Words(ScriptPart, frozen=True, kw_only=True):
    """A text in both languages."""

    de: str
    en: str


class LessonReply(ScriptPart, frozen=True, kw_only=True):
    """What is said to moves that are legal, but not the one in mind. `moves`: by spaces."""

    moves: str
    de: str
    en: str


class LessonStep(ScriptPart, frozen=True, kw_only=True):
    """Moves of the others, then words, then perhaps a question.

    `moves` are written `1 G7`: seat and move. `good`: the move that goes on; every other legal one
    is answered by its reply, or by `otherwise`. `praise` is said after the good one. `look`: the
    part of the table that is meant.
    """

    moves: tuple[str, ...] = ()
    de: str
    en: str
    good: str = ""
    praise: Words | None = None
    replies: tuple[LessonReply, ...] = ()
    otherwise: Words | None = None
    look: Literal["", "seats", "middle", "own", "hand"] = ""


class Scene(ScriptPart, frozen=True, kw_only=True):
    """A deal and what happens. `seat`: who learns; left out, one looks on.

    `hands`: the cards that matter, by seat and spaces; each seat also gets what it will play, and
    the rest of the deck fills up, but no colour that the seat `lacks`. `before`: moves that are
    made before one begins to look. `section`: of the rules, where an example belongs.
    """

    title: Words
    seat: int | None = None
    starter: int = 0
    options: dict[str, Value] = {}
    hands: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    section: str = ""
    step: tuple[LessonStep, ...]


class Script(ScriptPart, frozen=True, kw_only=True):
    """A game's lesson, scene by scene, and the examples of its rules."""

    game: str
    names: tuple[str, ...]
    scene: tuple[Scene, ...]
    example: tuple[Scene, ...]


@lru_cache(maxsize=16)
def read(game: str) -> Script:
    """The script of a game."""
    info = registry.info_of(game)
    return msgspec.toml.decode(
        ((info.folder or _HERE) / info.lesson).read_text("utf-8"), type=Script
    )
