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
    """A part of a script; unknown keys are refused."""


class Words(ScriptPart, frozen=True, kw_only=True):
    """A text in both languages."""

    de: str
    en: str


class LessonReply(ScriptPart, frozen=True, kw_only=True):
    """The reply to moves that are legal, but not the intended one. `moves`: separated by spaces."""

    moves: str
    de: str
    en: str


class LessonStep(ScriptPart, frozen=True, kw_only=True):
    """Moves of the others, then words, then possibly a question.

    `moves` are written `1 G7`: seat and move. `good`: the move that continues; every other legal
    one gets its reply, or `otherwise`. `praise` follows the good one. `look`: the part of the table
    to point at.
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
    """A deal and what happens. `seat`: the learner; without it, everyone just watches.

    `hands`: the cards that matter, by seat, separated by spaces; each seat also gets what it will
    play, and the rest of the deck fills it up, without colours that the seat `lacks`. `before`:
    moves that are made before the scene starts. `section`: of the rules, where an example belongs.
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
    """Read the script of a game."""
    info = registry.info_of(game)
    return msgspec.toml.decode(
        ((info.folder or _HERE) / info.lesson).read_text("utf-8"), type=Script
    )
