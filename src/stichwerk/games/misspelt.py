"""Find methods and attributes of a custom class that look like misspelt rules of ours.

Such a method is never called, and the game plays by our rule instead. A name is refused if all of
these hold: it does not begin with an underscore, no class of ours has it, one of ours has a similar
name, and nothing in the file uses it. A helper is used by something, so it may have any name.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cached_property
from inspect import unwrap
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple

ALIKE = 0.75  # of 1, by difflib: two letters swapped in a name of four
OURS = "stichwerk."


class Slip(NamedTuple):
    """A misspelt name: its class, and what was probably meant."""

    owner: type
    name: str
    meant: str

    @property
    def place(self) -> str:
        """Return the file of the class and, for a method, the line."""
        functions = dict(_functions(vars(self.owner)))
        if self.name in functions:
            code = functions[self.name].__code__
            return f"{Path(code.co_filename).name}:{code.co_firstlineno}"
        module = sys.modules.get(self.owner.__module__)
        return Path(getattr(module, "__file__", None) or self.owner.__module__).name


def misspelt(made: type, more: Iterable[str] = ()) -> Slip | None:
    """Return the first misspelt name of a class and of the custom classes it extends.

    `more` are names that are looked up besides those our classes have.
    """
    own = [owner for owner in made.__mro__ if not _is_ours(owner)]
    ours = {name for owner in made.__mro__ if _is_ours(owner) for name in vars(owner)}
    known = sorted(name for name in {*ours, *more} if not name.startswith("_"))
    for owner in own:
        for name in vars(owner):
            if name.startswith("_") or name in known or _is_used(name, own):
                continue
            meant = suggestion(name, known)
            if meant:
                return Slip(owner, name, meant)
    return None


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return the known name that was probably meant, ignoring case; empty for none."""
    by_lower = {one.lower(): one for one in known}
    found = get_close_matches(name.lower(), by_lower, 1, ALIKE)
    return by_lower[found[0]] if found else ""


def _is_ours(owner: type) -> bool:
    return owner is object or owner.__module__.startswith(OURS)


def _is_used(name: str, own: list[type]) -> bool:
    """Return whether any code of these classes or their modules uses this name, apart from
    itself."""
    return any(name in used for where, used in _uses(own) if where != name)


def _uses(own: list[type]) -> Iterator[tuple[str, set[str]]]:
    """Yield every function of these classes and of their modules, with the names in its code."""
    for owner in own:
        around: dict[str, object] = {}  # what else is in the file
        for name, function in _functions(vars(owner)):
            around.update(function.__globals__)
            yield name, _names(function.__code__)
        for _, function in _functions(around):
            if function.__module__ == owner.__module__:
                yield "", _names(function.__code__)
        for thing in around.values():
            if isinstance(thing, type) and thing not in own and not _is_ours(thing):
                for _, function in _functions(vars(thing)):
                    yield "", _names(function.__code__)


def _functions(members: Mapping[str, object]) -> Iterator[tuple[str, FunctionType]]:
    """Yield the functions among members, including static and class methods and properties."""
    for name, member in members.items():
        if isinstance(member, staticmethod | classmethod):
            member = member.__func__
        elif isinstance(member, property):
            member = member.fget
        elif isinstance(member, cached_property):
            member = member.func
        if isinstance(member, FunctionType):
            unwrapped = unwrap(member)
            if isinstance(unwrapped, FunctionType):
                yield name, unwrapped


def _names(code: CodeType) -> set[str]:
    """Return all names in code, and short texts, which may be passed to `getattr`."""
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= _names(constant)
        elif isinstance(constant, str):
            found.add(constant)
    return found
