"""Everything Stichwerk refuses, by kind.

An error names what happened (`id`) and the facts (`data`); the sentences a person reads live in
`locale/`, so that one refusal reads well in every language and programs can rely on the id.
"""

import os
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from stichwerk import locale


def shown(value: object, most: int = 40) -> str:
    """Return a value from outside as a short text; this never fails or grows long."""
    try:
        text = str(value)
    except Exception:  # a number of too many digits, or an object with a broken `__str__`
        text = type(value).__name__
    return text[:most]


class _Quoted:
    """A value whose text is its Python form."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __str__(self) -> str:
        return repr(self.value)


class Reason:
    """Why a move is refused: a stable id and the facts; compares by value."""

    __slots__ = ("data", "id")

    def __init__(self, id: str, /, **data: object) -> None:
        self.id = id
        self.data = data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reason) and (self.id, self.data) == (other.id, other.data)

    def __hash__(self) -> int:
        return hash((self.id, tuple(sorted(self.data.items(), key=lambda item: item[0]))))

    def __repr__(self) -> str:
        facts = "".join(f", {key}={value!r}" for key, value in self.data.items())
        return f"Reason({self.id!r}{facts})"


class StichwerkError(Exception):
    """A refusal with a stable id and the facts: `BadCardError("bad-card", card="X9")`.

    The keys of `data` become keywords of `locale.text(id, lang, **data)`: never call one `lang`.
    """

    id: str
    data: dict[str, object]

    def __init__(self, id: str, /, **data: object) -> None:
        super().__init__(id)
        self.id = id
        self.data = data

    def __str__(self) -> str:
        """Return the id and its facts, for logs and for ids that have no sentence yet."""
        facts = ", ".join(f"{key}={shown(_Quoted(value), 200)}" for key, value in self.data.items())
        return f"{self.id}: {facts}" if facts else self.id


class BadCardError(StichwerkError):
    """A text or code that names no card."""


class BadOptionError(StichwerkError):
    """An option the game does not have, or a value outside its domain."""


class BadSeatsError(StichwerkError):
    """A number of seats the game cannot be played with, or a seat that is not there."""


class UnknownGameError(StichwerkError):
    """A game name that is not in the registry."""


class UnknownBotError(StichwerkError):
    """A bot name that is not in the registry."""


class BadGameError(StichwerkError):
    """A custom game whose class or rules are invalid: it names the method to look at."""

    def __str__(self) -> str:
        """Return the id and the English sentence: designers see it in a traceback."""
        return f"{self.id}: {locale.text(self.id, 'en', **self.data)}"


class ContradictionError(BadGameError):
    """No deal fits what a seat has seen: the game's rules contradict one another."""


class IllegalMoveError(StichwerkError):
    """A move the rules forbid; id and data are those of the objection."""


class BadRecordError(StichwerkError):
    """A record that is not in our format or breaks a rule."""


class BadSeedError(StichwerkError):
    """A seed outside 0 … 2**53-1, the whole numbers every JSON reader keeps exactly."""


class BadDealError(StichwerkError):
    """An impossible deck or deal: wrong cards, wrong sizes, wrong seeds or commitments."""


class BadFileError(StichwerkError):
    """A file that cannot be read or written."""


class CannotPickleError(StichwerkError, TypeError):
    """Something that cannot be copied or pickled, or not unpickled in this process.

    For programmers: its text is the message itself.
    """

    def __str__(self) -> str:
        return locale.text(self.id, locale.language(os.environ), **self.data)


def renamed(module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a module's `__getattr__` for renamed names: the old ones work, with a warning.

    Assign it under `if not TYPE_CHECKING`, so that mypy still finds misspelt names.
    """

    def get(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        message = f"{module}.{name} is now called {names[name]}"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return getattr(sys.modules[module], names[name])

    return get


if not TYPE_CHECKING:
    _ENDING = len("Error")
    __getattr__ = renamed(
        __name__,
        {
            kind.__name__[:-_ENDING]: kind.__name__
            for kind in list(globals().values())
            if isinstance(kind, type)
            and issubclass(kind, StichwerkError)
            and kind is not StichwerkError
        },
    )
