"""The protocol as TypeScript types of the web client, `frontend/src/protocol.ts`."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import inspect as kinds

from stichwerk.games.events import KINDS
from stichwerk.server import wire
from stichwerk.server.protocol_generator.endpoints import Struct
from stichwerk.server.protocol_generator.paths import COMMAND
from stichwerk.server.protocol_generator.schema import (
    UNIONS,
    alias_of,
    aliases,
    http_structs,
    info,
    members,
    parts_of,
    received,
    sent,
    shared,
    sparse,
    union_of,
    values_of,
)
from stichwerk.server.protocol_generator.wording import (
    WIDE,
    bounds,
    default_of,
    filled,
    overview,
    paragraphs,
)

TS_PLAIN: dict[type[kinds.Type], str] = {
    kinds.IntType: "number",
    kinds.FloatType: "number",
    kinds.StrType: "string",
    kinds.BoolType: "boolean",
    kinds.NoneType: "null",
    kinds.CustomType: "unknown",
    kinds.AnyType: "unknown",
}


def ts_type(kind: kinds.Type, by_client: bool) -> str:
    """Return a type in TypeScript, as the client sends or receives it."""
    if type(kind) in TS_PLAIN:
        return TS_PLAIN[type(kind)]
    if isinstance(kind, kinds.StructType):
        return ts_name(kind.cls, by_client)
    if isinstance(kind, kinds.LiteralType):
        return alias_of(kind) or " | ".join(ts_literals(values_of(kind)))
    if isinstance(kind, kinds.UnionType):
        return union_of(kind) or " | ".join(ts_type(part, by_client) for part in kind.types)
    return ts_collection(kind, by_client)


def ts_collection(kind: kinds.Type, by_client: bool) -> str:
    """Return a list, a tuple or an object in TypeScript."""
    if isinstance(kind, kinds.TupleType):
        inside = ", ".join(ts_type(part, by_client) for part in kind.item_types)
        return f"readonly [{inside}]"
    if isinstance(kind, kinds.DictType):
        return f"Readonly<Record<string, {ts_type(kind.value_type, by_client)}>>"
    if isinstance(kind, kinds.VarTupleType | kinds.ListType):
        inside = ts_type(kind.item_type, by_client)
        return f"readonly {inside}[]" if inside.isidentifier() else f"readonly ({inside})[]"
    raise TypeError(f"no TypeScript for {kind}")


def ts_literals(values: Iterable[object]) -> list[str]:
    """Return values as types."""
    return [json.dumps(value, ensure_ascii=False) for value in values]


def ts_name(struct: Struct, by_client: bool) -> str:
    """Return the name of a struct; one that goes both ways has two types, as a sender may omit
    defaults."""
    both = struct in sent() and struct in received()
    return f"{struct.__name__}Sent" if both and by_client else struct.__name__


def ts_comment(lines: Sequence[str], before: str = "") -> str:
    """Return a documentation comment."""
    text = [part.replace("*/", "* /") for part in lines]
    if len(text) == 1 and len(before) + len(text[0]) + 7 <= WIDE:
        return f"{before}/** {text[0]} */"
    inner = f"\n{before} *\n".join(filled(part, f"{before} * ") for part in text)
    return f"{before}/**\n{inner}\n{before} */"


def ts_interface(struct: Struct, by_client: bool) -> str:
    """Return a struct as an interface."""
    struct_type = info(struct)
    name = ts_name(struct, by_client)
    again = [f"{struct.__name__} as a client sends it: what is left out has its default."]
    words = paragraphs(struct) if name == struct.__name__ else again
    lines = [ts_comment(words), f"export interface {name} {{"]
    if struct_type.tag_field:
        lines.append(f"  readonly {struct_type.tag_field}: {json.dumps(struct_type.tag)};")
    may_miss = by_client or sparse(struct)
    for field in struct_type.fields:
        lines += ts_field(field, by_client, may_miss and not field.required)
    return "\n".join([*lines, "}"])


def ts_field(field: kinds.Field, by_client: bool, optional: bool) -> Iterator[str]:
    """Yield a field, with the constraints on its value."""
    kept = [words for part in (field.type, *parts_of(field.type)) for words in bounds(part)]
    left_out = [f"left out: {default_of(field)}"] if optional else []
    if kept or left_out:
        yield ts_comment([sentence("; ".join([*kept, *left_out]))], "  ")
    mark = "?" if optional else ""
    yield f"  readonly {field.encode_name}{mark}: {ts_type(field.type, by_client)};"


def sentence(words: str) -> str:
    """Return words with a capital and a full stop."""
    return f"{words[0].upper()}{words[1:]}."


def ts_union(name: str, parts: Sequence[str]) -> str:
    """Return a union, on one line if it fits."""
    line = f"export type {name} = {' | '.join(parts)};"
    return line if len(line) <= WIDE else f"export type {name} =\n  | " + "\n  | ".join(parts) + ";"


def ts_messages(name: str, union: Any) -> Iterator[str]:
    """Yield a union of messages, distinguished by their tags."""
    yield ts_union(name, [struct.__name__ for struct in members(union)])
    yield from ts_structs(members(union))


def ts_structs(structs: Iterable[Struct]) -> Iterator[str]:
    """Yield interfaces for structs, one for each direction."""
    for struct in structs:
        goes_in = struct in sent()
        if struct in received() or not goes_in:
            yield ts_interface(struct, by_client=False)
        if goes_in:
            yield ts_interface(struct, by_client=True)


def ts_settling() -> Iterator[str]:
    """Yield which events complete a trick: their type, and their kinds."""
    settling = [kind for kind in KINDS if kind.settles]
    yield (
        ts_comment(["An event that completes a trick."])
        + "\n"
        + ts_union("SettlingEvent", [kind.__name__ for kind in settling])
    )
    kinds_of_them = ", ".join(ts_literals(kind.kind for kind in settling))
    yield (
        ts_comment(["The kinds of events that complete a trick."])
        + f"\nexport const SETTLING: readonly string[] = [{kinds_of_them}];"
    )


def typescript() -> str:
    """Return all types of the client."""
    parts = [
        f"// Made from src/stichwerk/server/wire by `{COMMAND}`.",
        ts_comment(overview()),
        f"export const PROTOCOL_VERSION = {wire.VERSION};",
        ts_comment(["Bytes of the longest message that a client may send."])
        + f"\nexport const LARGEST_MESSAGE = {wire.LARGEST};",
    ]
    parts += [ts_union(name, ts_literals(values)) for name, values in aliases().items()]
    for name, union in UNIONS.items():
        heading = {"FromClient": "From the client", "FromServer": "From the server"}.get(name, name)
        parts += [f"// -- {heading}", *ts_messages(name, union)]
    parts += ts_settling()
    parts += ["// -- Structs in messages", *ts_structs(shared())]
    parts += ["// -- Over HTTP", *ts_structs(http_structs())]
    return "\n\n".join(parts) + "\n"
