"""Everything Stichwerk refuses, by kind.

An error names what happened (`id`) and the facts (`data`); the sentences a person reads live in
`locale/`, so that one refusal reads well in every language and programs can rely on the id.
"""

# Named by what is wrong, as one reads them in an except line: no suffix.
# ruff: noqa: N818

import os

from stichwerk import locale


def shown(value: object, most: int = 40) -> str:
    """A value from outside as a short text; nothing about it can go wrong or grow long."""
    try:
        text = str(value)
    except Exception:  # a number of too many digits, or an object with a broken text of its own
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
    """A refusal with a stable id and the facts to word it with: `BadCard("bad-card", card="X9")`.

    The keys of `data` become keywords of `locale.text(id, lang, **data)`: never call one `lang`.
    """

    id: str
    data: dict[str, object]

    def __init__(self, id: str, /, **data: object) -> None:
        super().__init__(id)
        self.id = id
        self.data = data

    def __str__(self) -> str:
        """The id and its facts, for logs and for ids that have no sentence yet."""
        facts = ", ".join(f"{key}={shown(_Quoted(value), 200)}" for key, value in self.data.items())
        return f"{self.id}: {facts}" if facts else self.id


class BadCard(StichwerkError):
    """A text or code that names no card."""


class BadOption(StichwerkError):
    """An option the game does not have, or a value outside its domain."""


class BadSeats(StichwerkError):
    """A number of seats the game cannot be played with, or a seat that is not there."""


class UnknownGame(StichwerkError):
    """A game name that is not in the registry."""


class UnknownBot(StichwerkError):
    """A bot name that is not in the registry."""


class BadGame(StichwerkError):
    """A game of one's own whose class or rules cannot be: it names the method to look at."""

    def __str__(self) -> str:
        """The id and the English sentence: designers meet it in a traceback."""
        return f"{self.id}: {locale.text(self.id, 'en', **self.data)}"


class Contradiction(BadGame):
    """No deal fits what a seat has seen: the game's rules contradict one another."""


class IllegalMove(StichwerkError):
    """A move the rules forbid; id and data are those of the objection."""


class BadRecord(StichwerkError):
    """A record that is not in our format or breaks a rule."""


class BadSeed(StichwerkError):
    """A seed outside 0 … 2**53-1, the whole numbers every JSON reader keeps exactly."""


class BadDeal(StichwerkError):
    """A deck or a deal that cannot be: wrong cards, wrong sizes, wrong seeds or commitments."""


class BadFile(StichwerkError):
    """A file that cannot be read or written."""


class CannotPickle(StichwerkError, TypeError):
    """Something that cannot be copied or pickled, or not be unpickled in this process.

    Programmers read it: its text is the sentence itself.
    """

    def __str__(self) -> str:
        return locale.text(self.id, locale.language(os.environ), **self.data)
