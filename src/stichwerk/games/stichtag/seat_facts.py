"""What a seat has in front of it on a sheet's days: which facts of a view, and how they are shown.

A sheet describes its facts in its file in `sheets/texts`. Terminal and page show them from that
description, so neither knows a fact by name.
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from stichwerk.games.stichtag.texts import Text, read_texts, with_pairs

Form = Literal["signs", "number", "holder", "count", "own"]

FORMS: tuple[Form, ...] = ("signs", "number", "holder", "count", "own")
"""The order in which a seat's facts are listed."""


class SeatFact(msgspec.Struct, frozen=True, kw_only=True):
    """A fact of the view's `table`, or of `mine` for the form `own`, under the key `name`.

    The form says what its value is: `signs` by seat how many are left, with those lost at the key
    `lost`; `number` by seat a number, None until all are known; `holder` the seat that has it, or
    None; `count` by seat how many, shown from 1 on; `own` a seat that only the viewing seat knows.
    Texts are German and English; `short` is for little room, `long` for the terminal, `none` for no
    sign; `sentence` says what an `own` fact means to the viewing seat, with the `{name}` of the
    other. `symbols`: a `count` of the sheet's symbols, whose name a custom sheet may change.
    """

    name: str
    form: Form
    text: Text
    short: Text | None = None
    long: Text | None = None
    none: Text = ("", "")
    sentence: Text = ("", "")
    most: int = 0  # the highest number: room is reserved for it
    signs: tuple[str, str] = ("", "")  # one that is left, one that is lost
    lost: str = ""
    symbols: bool = False

    def count(self, table: Mapping[str, Any], seat: int) -> int:
        """Return the number of a seat; 0 while it is unknown."""
        numbers = table.get(self.name)
        return numbers[seat] if numbers else 0


def facts_of(sheet: str) -> tuple[SeatFact, ...]:
    """Return the facts of the sheet of this module."""
    return tuple(
        msgspec.convert({"name": name, **with_pairs(read)}, SeatFact)
        for name, read in read_texts(sheet)["facts"].items()
    )


def renamed_symbols(facts: tuple[SeatFact, ...], symbol: Text) -> tuple[SeatFact, ...]:
    """Return facts that count symbols by another name, the others as they are."""
    return tuple(
        msgspec.structs.replace(fact, text=(_counted(symbol[0]), _counted(symbol[1])))
        if fact.symbols
        else fact
        for fact in facts
    )


def _counted(name: str) -> str:
    """Return a template with a name whose plural is unknown; without one that is no plain text."""
    return "{count}" if set("{}|") & set(name) else f"{name}: {{count}}"


def in_order(facts: list[SeatFact]) -> list[SeatFact]:
    """Return facts of several sheets in the order in which they are listed."""
    return sorted(facts, key=lambda fact: FORMS.index(fact.form))
