"""The structs of the protocol, and the structure of their types."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from msgspec import inspect as kinds

from stichwerk.games.events import KINDS, AnyEvent
from stichwerk.server import wire
from stichwerk.server.protocol_generator.endpoints import ENDPOINTS, Struct
from stichwerk.server.wire import field_types


def asked() -> list[Struct]:
    """Return the bodies of HTTP requests."""
    return distinct(endpoint.asks for endpoint in ENDPOINTS if endpoint.asks)


def answered() -> list[Struct]:
    """Return the bodies of HTTP responses."""
    bodies = [[endpoint.answers, *endpoint.refusals.values()] for endpoint in ENDPOINTS]
    return distinct(kind for group in bodies for kind in group if not isinstance(kind, str))


def members(union: Any) -> list[Struct]:
    """Return the messages of a union, in order."""
    return list(get_args(union))


UNIONS = {
    "FromClient": wire.FromClient,
    "FromServer": wire.FromServer,
    "Notes": wire.Notes,
    "Event": AnyEvent,
}


def distinct(items: Iterable[Struct]) -> list[Struct]:
    """Return the items without duplicates, in order."""
    return list(dict.fromkeys(items))


@cache
def info(struct: Struct) -> kinds.StructType:
    """Return a struct as msgspec sees it."""
    found = kinds.type_info(struct)
    assert isinstance(found, kinds.StructType)
    return found


def structs_in(kind: kinds.Type) -> Iterator[Struct]:
    """Yield the structs that a type names, without nested ones."""
    if isinstance(kind, kinds.StructType):
        yield kind.cls
    for part in parts_of(kind):
        yield from structs_in(part)


def parts_of(kind: kinds.Type) -> tuple[kinds.Type, ...]:
    """Return the parts of a type; a struct is not taken apart."""
    if isinstance(kind, kinds.UnionType):
        return kind.types
    if isinstance(kind, kinds.VarTupleType | kinds.ListType):
        return (kind.item_type,)
    if isinstance(kind, kinds.TupleType):
        return kind.item_types
    if isinstance(kind, kinds.DictType):
        return (kind.key_type, kind.value_type)
    return ()


def reachable(roots: Iterable[Struct]) -> list[Struct]:
    """Return these structs and all structs in them, each before its parts."""
    found: dict[Struct, None] = {}

    def visit(struct: Struct) -> None:
        if struct not in found:
            found[struct] = None
            for field in info(struct).fields:
                for inner in structs_in(field.type):
                    visit(inner)

    for root in roots:
        visit(root)
    return list(found)


@cache
def sent() -> frozenset[Struct]:
    """Return everything clients send: there, a field with a default may be left out."""
    return frozenset(reachable([*members(wire.FromClient), *asked()]))


@cache
def received() -> frozenset[Struct]:
    """Return everything the server sends, with all its fields."""
    return frozenset(reachable([*members(wire.FromServer), *answered()]))


def shared() -> list[Struct]:
    """Return the structs inside messages."""
    messages = [struct for union in UNIONS.values() for struct in members(union)]
    return [struct for struct in reachable(messages) if struct not in messages]


def http_structs() -> list[Struct]:
    """Return the structs used only over HTTP."""
    known = {*shared(), *KINDS}
    return [struct for struct in reachable([*asked(), *answered()]) if struct not in known]


def everything() -> list[Struct]:
    """Return every struct of the protocol."""
    unions = [struct for union in UNIONS.values() for struct in members(union)]
    return distinct([*unions, *shared(), *http_structs()])


def sparse(struct: Struct) -> bool:
    """Return whether fields with their default value are omitted."""
    return struct.__struct_config__.omit_defaults


def aliases() -> dict[str, tuple[str, ...]]:
    """Return the literals that `wire` names."""
    named = vars(field_types).items()
    return {name: get_args(value) for name, value in named if get_origin(value) is Literal}


@cache
def written_order() -> dict[frozenset[object], tuple[object, ...]]:
    """Return the values of each literal in the order of the code (msgspec sorts them)."""
    found: dict[frozenset[object], tuple[object, ...]] = {}

    def look(hint: object) -> None:
        arguments = get_args(hint)
        if get_origin(hint) is Literal:
            found[frozenset(arguments)] = arguments
            return
        for argument in arguments:
            look(argument)

    for struct in everything():
        for hint in get_type_hints(struct).values():
            look(hint)
    return found


def values_of(literal: kinds.LiteralType) -> tuple[object, ...]:
    """Return the values of a literal, in their own order."""
    return written_order()[frozenset(literal.values)]


def alias_of(literal: kinds.LiteralType) -> str | None:
    """Return the name of a literal, if it has one."""
    return next((name for name, values in aliases().items() if values == values_of(literal)), None)


def union_of(kind: kinds.UnionType) -> str | None:
    """Return the name of a union of messages."""
    inside = [part.cls for part in kind.types if isinstance(part, kinds.StructType)]
    return next((name for name, union in UNIONS.items() if members(union) == inside), None)
