"""What a sheet shows on the table, or to a seat only: which facts of a view, and how.

A sheet describes it in its file in `sheets/texts`, under `shown`. Terminal and page show it from
that description, so neither knows such a fact by name. What each seat has in front of it is
described in `seat_facts`.
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from stichwerk.games.stichtag.texts import Text, read_texts, with_pairs

Form = Literal["cards", "colour", "colours", "state"]


class TableFact(msgspec.Struct, frozen=True, kw_only=True):
    """A fact of the view's `table`, or of `mine` if it is `own`, under the key `name`.

    The form says what its value is: `cards` a list of them, or one; `colour` a letter; `colours` a
    list of letters, of which one will be chosen; all may be empty or None, and then there is
    nothing to show. `state`: one of the keys of `states`. Texts are German and English. `text` is a
    line of the terminal, with `{cards}`, `{colour}`, `{colours}` and `{count}`: how many cards, or
    the number at the key `counted`; without a text the terminal has no such line. `short` is for
    the page, which draws cards and colours itself.
    """

    name: str
    form: Form
    own: bool = False
    text: Text = ("", "")
    short: Text = ("", "")
    counted: str = ""
    states: dict[str, dict[str, Text]] = {}  # by value: `text`, `short` and `sign`
    instead: str = ""  # not shown where a sheet replaces this part
    until: str = ""  # not shown once the table has something under this key, which takes its place
    event: str = ""  # the kind of event that says whose it is; then the page uses `by`
    by: Text = ("", "")  # `short` with `{name}`; without `event` that of a seat that is waited for
    stock: bool = False  # cards are drawn from the stock: the page shows how many are left
    hides_trick: bool = False  # where it is shown, the table is not empty

    def value(self, table: Mapping[str, Any], mine: Mapping[str, Any]) -> Any:
        """Return what a view has of it; None for nothing."""
        if self.until and table.get(self.until) is not None:
            return None
        return (mine if self.own else table).get(self.name) or None

    def count(self, table: Mapping[str, Any], cards: list[str]) -> int:
        """Return the number in its text."""
        return table[self.counted] if self.counted else len(cards)


def shown_by(sheet: str) -> tuple[TableFact, ...]:
    """Return what the sheet of this module shows."""
    return tuple(
        msgspec.convert({"name": name, **with_pairs(read)}, TableFact)
        for name, read in read_texts(sheet)["shown"].items()
    )
