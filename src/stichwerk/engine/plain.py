"""The engine uncompiled: for games written in plain Python, debugging and comparison.

A custom game extends the `Game` of this module and overrides what it needs; every rule is then an
ordinary Python method. It runs in matches, views, bots and tables like the compiled ones, only
slower. `twin` returns the uncompiled form of any compiled module, from the very same source.
"""

import builtins
import importlib
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from stichwerk.engine.codes import (
    above,
    all_below,
    argument_of,
    below,
    bit_of,
    card_at,
    card_in,
    card_of,
    choice_of,
    choice_slot,
    colour_of,
    colour_slot,
    half_of,
    half_slot,
    has,
    kind_of,
    move_of,
    only,
    place_of,
    play_at,
    sum_of,
    trick_slot,
    value_of,
    values_in,
    won_count,
    won_values,
)
from stichwerk.engine.events import EventType

# Packages with compiled modules.
WITH_TWINS = (
    "stichwerk.engine.",
    "stichwerk.games.",
    "stichwerk.bots.tactics.",
    "stichwerk.bots.nets.",
    "stichwerk.envs.",
)

_loaded: dict[str, ModuleType] = {}


def twin(name: str) -> ModuleType:
    """Return the module of this name, run from its source instead of its compiled form."""
    if name not in _loaded:
        module = importlib.import_module(name)
        _loaded[name] = _run_source(name, module) if _has_twin(module) else module
    return _loaded[name]


def _has_twin(module: ModuleType) -> bool:
    """Return whether it is compiled, or a module that declares that it re-exports compiled
    classes."""
    is_compiled = not (module.__file__ or "").endswith(".py")
    return is_compiled or getattr(module, "PASSES_COMPILED_ON", False)


def _run_source(name: str, module: ModuleType) -> ModuleType:
    """Run the source of a compiled module; its imports are uncompiled as well.

    Several modules may share one compiled file, so the source is found by the module's name.
    """
    package, _, own = name.rpartition(".")
    source = Path(importlib.import_module(package).__path__[0], own + ".py")
    plain = ModuleType(name, module.__doc__)
    plain.__file__ = str(source)
    changed = {"__import__": _import, "__build_class__": _class_builder(module)}
    plain.__dict__["__builtins__"] = {**vars(builtins), **changed}
    exec(compile(source.read_text("utf-8"), source, "exec"), plain.__dict__)
    return plain


def _import(name: str, *details: Any) -> ModuleType:
    """Import for uncompiled sources: absolute, and of our own modules only what they name."""
    if name.startswith(WITH_TWINS):
        module = twin(name)
        if not hasattr(module, "__path__"):
            return module
    return builtins.__import__(name, *details)


def _class_builder(module: ModuleType) -> Any:
    """Return what defines the classes of an uncompiled source. Kinds of events are data: those of
    the compiled module serve both forms, so that each understands the other's."""

    def build(body: Any, name: str, *bases: Any, **settings: Any) -> Any:
        known = vars(module).get(name)
        if isinstance(known, EventType):
            return known
        return builtins.__build_class__(body, name, *bases, **settings)

    return build


if TYPE_CHECKING:
    from stichwerk.engine.frame import Game
    from stichwerk.engine.generator import Generator
    from stichwerk.engine.machine import Bits
    from stichwerk.engine.round_rules import Moves
    from stichwerk.engine.state import State
    from stichwerk.engine.tactics import Tactics
else:
    Game = twin("stichwerk.engine.frame").Game
    Moves = twin("stichwerk.engine.round_rules").Moves
    Generator = twin("stichwerk.engine.generator").Generator
    Bits = twin("stichwerk.engine.machine").Bits
    State = twin("stichwerk.engine.state").State
    Tactics = twin("stichwerk.engine.tactics").Tactics

__all__ = [
    "Bits",
    "Game",
    "Generator",
    "Moves",
    "State",
    "Tactics",
    "above",
    "all_below",
    "argument_of",
    "below",
    "bit_of",
    "card_at",
    "card_in",
    "card_of",
    "choice_of",
    "choice_slot",
    "colour_of",
    "colour_slot",
    "half_of",
    "half_slot",
    "has",
    "kind_of",
    "move_of",
    "only",
    "place_of",
    "play_at",
    "sum_of",
    "trick_slot",
    "twin",
    "value_of",
    "values_in",
    "won_count",
    "won_values",
]
