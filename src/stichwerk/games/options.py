"""Options of games: a name, a default and a declared set of allowed values."""

import re
from collections.abc import Mapping

import msgspec

from stichwerk.errors import BadOptionError, shown

Value = None | int | str | list[str]


class Option(msgspec.Struct, frozen=True):
    """One option: `values` lists what is allowed, `lowest` to `highest` are allowed numbers.

    `pattern` allows texts that match it, `members` lists of such texts; `form` describes it to
    people. `since`: the first version of the game's rules that has it.
    """

    name: str
    default: Value
    values: tuple[Value, ...] = ()
    lowest: int | None = None
    highest: int | None = None
    pattern: str = ""
    members: str = ""
    form: str = ""
    since: int = 1

    def allows(self, value: object) -> bool:
        """Return whether the value is allowed; True and 3.0 are not integers here."""
        if type(value) is int and self.lowest is not None and self.highest is not None:
            return self.lowest <= value <= self.highest
        if type(value) is str and self.pattern:
            return bool(re.fullmatch(self.pattern, value))
        if type(value) is list and self.members:
            return all(map(self._allows_member, value))
        return any(type(value) is type(allowed) and value == allowed for allowed in self.values)

    def refusal(self, value: object) -> BadOptionError:
        """Return why this value is not allowed; for a list its first member that is not."""
        wrong, allowed = value, self.domain
        if self.members and type(value) is list:
            wrong = next(member for member in value if not self._allows_member(member))
        elif self.members:
            allowed = f"[{allowed}]"
        return BadOptionError("bad-option", option=self.name, value=worded(wrong), allowed=allowed)

    def _allows_member(self, member: object) -> bool:
        return type(member) is str and bool(re.fullmatch(self.members, member))

    @property
    def domain(self) -> str:
        """Return the allowed values in words: `none, 1-500`."""
        words = [worded(value) for value in self.values]
        if self.lowest is not None:
            words.append(f"{self.lowest}-{self.highest}")
        if self.form:
            words.append(self.form)
        return ", ".join(words)


def worded(value: object) -> str:
    """Return a value as people write it after `--option`: `none`, `true`, `red 4,March`."""
    if isinstance(value, list | tuple):
        return shown(",".join(map(_word, value)) or "[]")
    return _word(value)


def _word(value: object) -> str:
    return str(value).lower() if value is None or isinstance(value, bool) else shown(value)


def whole_number(value: Value) -> int:
    """Return the value of an option that is always an integer."""
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is not an integer")  # options have been checked before
    return value


def number_or_none(value: Value) -> int | None:
    """Return the value of an option that is an integer or not set."""
    return None if value is None else whole_number(value)


def starter_option(seats: int) -> Option:
    """Return the option for who starts the first round: drawn, or a fixed seat. Every game has
    it."""
    return Option("starter", None, (None,), 0, seats - 1)


def complete_options(options: tuple[Option, ...], given: Mapping[str, object]) -> dict[str, Value]:
    """Return all options of a game: the given ones, checked, and defaults for the rest."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise BadOptionError(
                "unknown-option", option=shown(name), known=", ".join(sorted(known))
            )
    chosen: dict[str, Value] = {}
    for name, option in sorted(known.items()):
        value = given.get(name, option.default)
        if not option.allows(value):
            raise option.refusal(value)
        chosen[name] = value  # type: ignore[assignment]
    return chosen
