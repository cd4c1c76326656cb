"""Descriptions of types and docstrings."""

import inspect
import json
import re
import textwrap
from collections.abc import Iterable

import msgspec
from msgspec import inspect as kinds

from stichwerk.engine.events import BaseEvent
from stichwerk.games.events import facts_of, meaning_of
from stichwerk.server import wire
from stichwerk.server.protocol_generator.paths import PAGE
from stichwerk.server.protocol_generator.schema import alias_of, union_of, values_of

WIDE = 100


def paragraphs(documented: object) -> list[str]:
    """Return a docstring, one line per paragraph; Python's None becomes JSON's null."""
    if isinstance(documented, type) and issubclass(documented, BaseEvent):
        facts = (f"`{name}`: {words}" for name, words in facts_of(documented).items())
        return [meaning_of(documented), "; ".join(facts) + "."]
    text = inspect.getdoc(documented) or ""
    return [" ".join(re.sub(r"\bNone\b", "null", part).split()) for part in text.split("\n\n")]


def filled(words: str, before: str = "") -> str:
    """Return prose wrapped into lines."""
    return textwrap.fill(
        words,
        WIDE,
        initial_indent=before,
        subsequent_indent=before,
        break_long_words=False,
        break_on_hyphens=False,
    )


def prose(words: Iterable[str]) -> str:
    """Return paragraphs."""
    return "\n\n".join(map(filled, words))


def overview() -> list[str]:
    """Return what all messages have in common, without how the page is generated."""
    return [words for words in paragraphs(wire) if PAGE not in words]


def span(low: int | float | None, high: int | float | None, unit: str = "") -> str:
    """Return a range in words, or nothing."""
    after = f" {unit}" if unit else ""
    if low is not None and high is not None:
        return f"{low:,} to {high:,}{after}"
    if low is not None:
        return f"at least {low:,}{after}"
    return f"at most {high:,}{after}" if high is not None else ""


def bounds(kind: kinds.Type) -> list[str]:
    """Return the constraints on a value, in words."""
    constraints: list[str] = []
    if isinstance(kind, kinds.IntType | kinds.FloatType):
        constraints = [span(kind.ge, kind.le), above_below(kind)]
    elif isinstance(kind, kinds.StrType):
        pattern = f"matches `{kind.pattern}`" if kind.pattern else ""
        constraints = [span(kind.min_length, kind.max_length, "characters"), pattern]
    elif isinstance(kind, kinds.VarTupleType | kinds.ListType | kinds.DictType):
        constraints = [span(kind.min_length, kind.max_length, "entries")]
    return [words for words in constraints if words]


def above_below(kind: kinds.IntType | kinds.FloatType) -> str:
    """Return exclusive bounds and multiples in words."""
    bounds_by_name = {"above": kind.gt, "below": kind.lt, "a multiple of": kind.multiple_of}
    return ", ".join(
        f"{words} {number}" for words, number in bounds_by_name.items() if number is not None
    )


def quoted(value: object) -> str:
    """Return a value in JSON, as code."""
    return f"`{json.dumps(value, ensure_ascii=False)}`"


PLAIN_WORDS: dict[type[kinds.Type], str] = {
    kinds.IntType: "whole number",
    kinds.FloatType: "number",
    kinds.StrType: "text",
    kinds.BoolType: "true or false",
    kinds.NoneType: "null",
    kinds.CustomType: "anything",
    kinds.AnyType: "anything",
}


def in_words(kind: kinds.Type) -> str:
    """Return a type in words, with links to the types in it."""
    if type(kind) in PLAIN_WORDS:
        return bounded(PLAIN_WORDS[type(kind)], kind)
    if isinstance(kind, kinds.StructType):
        return link(kind.cls.__name__)
    if isinstance(kind, kinds.LiteralType):
        alias = alias_of(kind)
        return link(alias) if alias else " or ".join(map(quoted, values_of(kind)))
    if isinstance(kind, kinds.UnionType):
        name = union_of(kind)
        return link(name) if name else " or ".join(in_words(part) for part in kind.types)
    return collection_in_words(kind)


def bounded(words: str, kind: kinds.Type) -> str:
    """Return words followed by the constraints in brackets."""
    kept = ", ".join(bounds(kind))
    return f"{words} ({kept})" if kept else words


def collection_in_words(kind: kinds.Type) -> str:
    """Return a list, a tuple or an object in words."""
    if isinstance(kind, kinds.TupleType):
        return f"list of {len(kind.item_types)}: " + ", then ".join(map(in_words, kind.item_types))
    if isinstance(kind, kinds.DictType):
        return bounded(f"object, its values: {in_words(kind.value_type)}", kind)
    if isinstance(kind, kinds.VarTupleType | kinds.ListType):
        inside = in_words(kind.item_type)
        compound = " or " in inside or inside.startswith("list")
        return bounded(f"list of ({inside})" if compound else f"list of {inside}", kind)
    raise TypeError(f"no words for {kind}")


def link(name: str) -> str:
    """Return a link to the heading of a type."""
    return f"[{name}](#{name.lower()})"


def default_of(field: kinds.Field) -> str:
    """Return the default of a field that is left out, in JSON."""
    if field.default_factory is not msgspec.NODEFAULT:
        return quoted(msgspec.to_builtins(field.default_factory()))
    default = field.default
    if isinstance(default, msgspec.Struct) and default == type(default)():
        return "`{}`"
    return quoted(msgspec.to_builtins(default))
