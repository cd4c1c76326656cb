"""The structs of the protocol: which there are, and how their types are built."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from msgspec import inspect as kinds

from stichwerk.games.events import KINDS, AnyEvent
from stichwerk.server import wire
from stichwerk.server.protocol_generator.endpoints import ENDPOINTS, Struct
from stichwerk.server.wire import field_types


def asked() -> list[Struct]:
    """What requests over HTTP hold."""
    return distinct(endpoint.asks for endpoint in ENDPOINTS if endpoint.asks)


def answered() -> list[Struct]:
    """What answers over HTTP hold."""
    told = [[endpoint.answers, *endpoint.refusals.values()] for endpoint in ENDPOINTS]
    return distinct(kind for group in told for kind in group if not isinstance(kind, str))


def members(union: Any) -> list[Struct]:
    """The messages of a union, in their order."""
    return list(get_args(union))


UNIONS = {
    "FromClient": wire.FromClient,
    "FromServer": wire.FromServer,
    "Notes": wire.Notes,
    "Event": AnyEvent,
}


def distinct(items: Iterable[Struct]) -> list[Struct]:
    """Each once, in order."""
    return list(dict.fromkeys(items))


@cache
def info(struct: Struct) -> kinds.StructType:
    """A struct as msgspec sees it."""
    found = kinds.type_info(struct)
    assert isinstance(found, kinds.StructType)
    return found


def structs_in(kind: kinds.Type) -> Iterator[Struct]:
    """The structs that a type names, without those inside them."""
    if isinstance(kind, kinds.StructType):
        yield kind.cls
    for part in parts_of(kind):
        yield from structs_in(part)


def parts_of(kind: kinds.Type) -> tuple[kinds.Type, ...]:
    """The types that a type is made of; a struct is not taken apart."""
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
    """These structs and all that stand in them, each before its parts."""
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
    """All that clients send: there, a field with a default may be left out."""
    return frozenset(reachable([*members(wire.FromClient), *asked()]))


@cache
def received() -> frozenset[Struct]:
    """All that the server sends, with all fields there are."""
    return frozenset(reachable([*members(wire.FromServer), *answered()]))


def shared() -> list[Struct]:
    """What stands inside messages."""
    messages = [struct for union in UNIONS.values() for struct in members(union)]
    return [struct for struct in reachable(messages) if struct not in messages]


def http_structs() -> list[Struct]:
    """What stands in requests and answers over HTTP, and nowhere else."""
    known = {*shared(), *KINDS}
    return [struct for struct in reachable([*asked(), *answered()]) if struct not in known]


def everything() -> list[Struct]:
    """Every struct of the protocol."""
    unions = [struct for union in UNIONS.values() for struct in members(union)]
    return distinct([*unions, *shared(), *http_structs()])


def sparse(struct: Struct) -> bool:
    """Whether fields that have their default are not even sent."""
    return struct.__struct_config__.omit_defaults


def aliases() -> dict[str, tuple[str, ...]]:
    """The literals that `wire` gives a name to."""
    named = vars(field_types).items()
    return {name: get_args(value) for name, value in named if get_origin(value) is Literal}


@cache
def written_order() -> dict[frozenset[object], tuple[object, ...]]:
    """For the values of each literal: as they stand in the code (msgspec sorts them)."""
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
    """The values of a literal, in their own order."""
    return written_order()[frozenset(literal.values)]


def alias_of(literal: kinds.LiteralType) -> str | None:
    """The name of a literal, if it has one."""
    return next((name for name, values in aliases().items() if values == values_of(literal)), None)


def union_of(kind: kinds.UnionType) -> str | None:
    """The name of a union of messages."""
    inside = [part.cls for part in kind.types if isinstance(part, kinds.StructType)]
    return next((name for name, union in UNIONS.items() if members(union) == inside), None)
