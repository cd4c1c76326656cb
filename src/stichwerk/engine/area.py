"""The area of a state that a game and its parts reserve by name.

The engine's own fields serve every game. What only one game or one of its parts needs (a counter, a
seat that holds something, a set of cards) is reserved here when the game object is created:

    self.holder = self.area.number("holder", NONE)
    self.marks = self.area.number("marks", 0, count=SEATS)
    self.pool = self.area.cards("pool")

Each call returns a position: rules read `state.numbers[self.holder]` and
`state.numbers[self.marks + seat]`; a set of cards is two masks, `state.sets[self.pool]` and
`state.sets[self.pool + 1]`. Compiled, that is one array access. A new round starts with the values
given here. Python code outside inner loops reads the same by name, `state.holder` and
`state.marks`.
"""

from typing import Any, NamedTuple

from stichwerk.engine.constants import NOBODY
from stichwerk.errors import BadGameError

# As declared in `State`.
NUMBERS = 64  # integers from -32768 to 32767
SETS = 32  # 64-bit masks, two for each set of cards


class Field(NamedTuple):
    """Where a name is stored: in `numbers` or `sets`, the first position, and how many."""

    name: str
    kind: str
    at: int
    size: int


Fields = tuple[Field, ...]

_layouts: list[dict[str, Field]] = [{}]
_ids: dict[Fields, int] = {(): 0}


def layout_id(fields: Fields) -> int:
    """Return the id of this layout in this process; a state carries it instead of the names."""
    if fields not in _ids:
        _ids[fields] = len(_layouts)
        _layouts.append({field.name: field for field in fields})
    return _ids[fields]


def layout(id: int) -> dict[str, Field]:
    """Return the fields of a layout by name."""
    return _layouts[id]


def read(state: Any, name: str) -> Any:
    """Return the value of a reserved name; a list for several numbers and for a set of cards."""
    field = _layouts[state.layout].get(name)
    if field is None:
        raise AttributeError(f"no field {name!r}: neither of every state nor reserved by its game")
    values = getattr(state, field.kind)[field.at : field.at + field.size]
    return values[0] if field.kind == "numbers" and field.size == 1 else values


class Area:
    """Reserves positions for one game, and writes their initial values into its blank state."""

    def __init__(self, game: str, blank: Any) -> None:
        self.game = game
        self.blank = blank
        self.fields: Fields = ()

    def number(self, name: str, start: int = 0, count: int = 1) -> int:
        """Reserve an integer, or several in a row; return the first position."""
        at = self._reserve(name, "numbers", count, NUMBERS)
        numbers = list(self.blank.numbers)
        numbers[at : at + count] = [start] * count
        self.blank.numbers = numbers
        return at

    def cards(self, name: str, count: int = 1) -> int:
        """Reserve a set of cards, or several: two masks each; return the first position."""
        return self._reserve(name, "sets", 2 * count, SETS)

    def find(self, name: str) -> int:
        """Return the position of a name; NOBODY if it is not reserved."""
        field = layout(self.blank.layout).get(name)
        return NOBODY if field is None else field.at

    def _reserve(self, name: str, kind: str, count: int, most: int) -> int:
        taken = [field.size for field in self.fields if field.kind == kind]
        at = sum(taken)
        if self.find(name) != NOBODY or hasattr(self.blank, name):
            raise BadGameError("own-game-field-twice", game=self.game, name=name)
        if at + count > most:
            raise BadGameError("own-game-fields", game=self.game, name=name, most=most)
        self.fields = (*self.fields, Field(name, kind, at, count))
        self.blank.layout = layout_id(self.fields)
        return at
