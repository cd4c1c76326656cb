"""The protocol told to people and to programs: files that are all made from `wire`.

    python -m stichwerk.server.protocol_generator           # write them
    python -m stichwerk.server.protocol_generator --check   # are they up to date?

`docs/protocol.md` is for reading, `frontend/src/protocol.ts` for the client, `docs/openapi.json`
for users of the HTTP API, `frontend/src/games/games.json` for a page without a server. Nothing in
them is typed that could come to differ from what is sent: types, limits and docstrings are read
from the code, examples are real messages.
"""

import argparse
import inspect
import json
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import inspect as kinds

from stichwerk import __version__
from stichwerk.fairness import (
    Deal,
    Setup,
    Stream,
    client_commit,
    deal_key,
    options_text,
    server_commit,
    transcript,
)
from stichwerk.hash_words import fingerprint
from stichwerk.match import Match, Setting, deal_from
from stichwerk.server import wire
from stichwerk.server.http.game_catalogue import our_games
from stichwerk.server.network.limits import Limits

Struct = type[msgspec.Struct]
Json = dict[str, Any]

WIDE = 100
PAGE = "docs/protocol.md"
OPENAPI = "docs/openapi.json"
TYPES = "frontend/src/protocol.ts"
GAMES = "frontend/src/games/games.json"
COMMAND = "python -m stichwerk.server.protocol_generator"
SOCKET = "/ws"
RECORD_SCHEMA = Path(__file__).parent.parent / "schema" / "stichwerk-game-1.json"


# -- What there is ---------------------------------------------------------------------------------


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """One thing the HTTP API does: what it takes, what it answers, and how it may refuse.

    `answers` is a struct, or `Record` (a record in JSON), `text`, `json` or `svg`. `query` names
    what may stand behind the question mark. `refusals` holds all other answers.
    """

    method: Literal["GET", "POST"]
    path: str
    name: str
    summary: str
    query: Mapping[str, str] = {}
    asks: Struct | None = None
    answers: Struct | Literal["Record", "text", "json", "svg"]
    status: int = 200
    refusals: Mapping[int, Struct]

    @property
    def place_holders(self) -> list[str]:
        """What is to be filled in in the path."""
        return re.findall(r"{(\w+)}", self.path)

    @property
    def worded(self) -> bool:
        """Whether its words come in the language asked for."""
        return self.path.startswith("/api/")


def problems(*statuses: int) -> dict[int, Struct]:
    """Refusals that say why; too many requests are refused everywhere."""
    return dict.fromkeys(sorted({429, *statuses}), wire.Problem)


ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        method="GET",
        path="/api/health",
        name="health",
        summary="Is all well?",
        answers=wire.Health,
        refusals={429: wire.Problem, 503: wire.Health},
    ),
    Endpoint(
        method="GET",
        path="/api/version",
        name="version",
        summary="What runs here.",
        answers=wire.VersionInfo,
        refusals=problems(),
    ),
    Endpoint(
        method="GET",
        path="/api/lobby",
        name="lobby",
        summary="The tables that strangers may come to.",
        answers=wire.Lobby,
        refusals=problems(),
    ),
    Endpoint(
        method="GET",
        path="/api/bots",
        name="bots",
        summary="The bots there are.",
        answers=wire.Bots,
        refusals=problems(),
    ),
    Endpoint(
        method="GET",
        path="/api/games",
        name="games",
        summary="The games there are, with their options.",
        answers=wire.Games,
        refusals=problems(),
    ),
    Endpoint(
        method="POST",
        path="/api/tables",
        name="create",
        summary="Make a table, and be its host.",
        asks=wire.NewTable,
        answers=wire.TableMade,
        status=201,
        refusals=problems(400, 408, 413, 503),
    ),
    Endpoint(
        method="GET",
        path="/api/rules/{game}",
        name="rules",
        summary="The rules of a game.",
        query={"seats": "Tables in the rules tell only of so many."},
        answers=wire.Rules,
        refusals=problems(400, 404),
    ),
    Endpoint(
        method="GET",
        path="/api/lessons/{game}",
        name="lesson",
        summary="The lesson of a game, and examples of its rules, step by step.",
        answers="json",
        refusals=problems(404),
    ),
    Endpoint(
        method="GET",
        path="/api/calendar",
        name="calendar",
        summary="The sheets of the calendar.",
        answers=wire.Calendar,
        refusals=problems(),
    ),
    Endpoint(
        method="GET",
        path="/api/calendar/{date}",
        name="day",
        summary="One day of the calendar: `MM-DD`, `today` or `random`.",
        query={"seats": "Tables in the rules tell only of so many."},
        answers=wire.Day,
        refusals=problems(400, 404),
    ),
    Endpoint(
        method="POST",
        path="/api/qr",
        name="qr",
        summary="A link of this server as a QR code.",
        asks=wire.QrText,
        answers="svg",
        refusals=problems(400, 403, 408, 413),
    ),
    Endpoint(
        method="GET",
        path="/api/matches",
        name="matches",
        summary="The finished matches of a table that anyone may watch.",
        query={"table": "The table; it must be there."},
        answers=wire.Matches,
        refusals=problems(400, 403, 404, 503),
    ),
    Endpoint(
        method="GET",
        path="/api/matches/{id}",
        name="record",
        summary="The record of a finished match.",
        answers="Record",
        refusals=problems(404, 503),
    ),
    Endpoint(
        method="GET",
        path="/api/matches/{id}/replay",
        name="replay",
        summary="A finished match, step by step.",
        query={
            "seat": "The seat that looks on, or `open` (the default): all cards are shown.",
            "from": "The first step wanted, if there are more than 4,000.",
        },
        answers=wire.Replay,
        refusals=problems(400, 404, 503),
    ),
    Endpoint(
        method="GET",
        path="/api/matches/{id}/review",
        name="review",
        summary="What the moves of a finished match cost. It takes a while: ask until it is there.",
        query={"seat": "The seat that is reviewed; left out: all, which takes longer."},
        answers=wire.Review,
        refusals={202: wire.ReviewProgress, **problems(400, 404, 503)},
    ),
    Endpoint(
        method="POST",
        path="/api/matches/{id}/fork",
        name="fork",
        summary="Make a table on which a finished match is played on, against bots.",
        asks=wire.NewFork,
        answers=wire.TableMade,
        status=201,
        refusals=problems(400, 404, 408, 413, 503),
    ),
    Endpoint(
        method="GET",
        path="/metrics",
        name="metrics",
        summary="Figures for Prometheus, for programs on the same machine unless set otherwise.",
        answers="text",
        refusals=problems(403, 404),
    ),
    Endpoint(
        method="GET",
        path="/openapi.json",
        name="openapi",
        summary="This API, described for programs (OpenAPI 3.1).",
        answers="json",
        refusals=problems(),
    ),
)

LIMITS = {
    "frame_bytes": "bytes of a message from a client",
    "messages": "messages of one connection, at once or in `seconds`",
    "control_frames": (
        "pings, pongs, empty frames and fragments of one connection, at once or in `seconds`"
    ),
    "frames_per_address": "frames of any kind from one address, at once or in `seconds`",
    "bytes_per_socket": "bytes received over one connection, at once or in `seconds`",
    "bytes_per_address": "bytes received from one address, at once or in `seconds`",
    "seconds": "seconds for these five",
    "sockets_per_address": "WebSockets of one address",
    "sockets": "WebSockets of all addresses together",
    "connections_per_address": "connections of one address, over HTTP or as WebSockets",
    "connections": "connections of all addresses together",
    "header_bytes": "bytes of all headers of a request",
    "header_seconds": "seconds until the headers of a request must be here",
    "idle_seconds": "seconds that a connection over HTTP stays open between two requests",
    "stalled_seconds": "seconds in which a client takes nothing, then it is cut off",
    "http_requests": "requests over HTTP of one address, at once or in `http_seconds`",
    "http_seconds": "seconds for that",
    "creates": "tables made by one address, at once or in `create_seconds`",
    "create_seconds": "seconds for that",
    "body_bytes": "bytes of a request's body over HTTP",
    "body_seconds": "seconds until that body must be here",
    "queue": "messages that may wait for a client that does not take them",
    "queue_bytes": "bytes of these messages; a single one may be larger",
    "hello_seconds": "seconds until the first message must be here",
    "joins": "people who join tables from one address, at once or in `join_seconds`",
    "join_seconds": "seconds for that",
    "beside_per_address": "people of one address without a seat at one table",
    "changes": "requests of one person at a table, moves aside, at once or in `change_seconds`",
    "address_changes": "the same for one address at all tables",
    "change_seconds": "seconds for both",
    "beside": "entries of one person in a table's log from match to match, moves aside",
    "host_seconds": "seconds until a seated person stands in for a host who is gone",
    "files": "files of the page for one address, at once or in `file_seconds`",
    "file_seconds": "seconds for that",
    "qrs": "QR codes drawn for one address, at once or in `qr_seconds`",
    "qr_seconds": "seconds for that",
}
"""Each limit in words; the numbers are those of `guards.Limits`."""

STATUSES = {
    200: "Here it is",
    201: "It is made",
    202: "It is being worked on: ask again in a moment",
    400: "What was asked for cannot be read, or is not possible",
    403: "That may not be asked for, or not from there",
    404: "There is no such thing",
    408: "The body came too slowly",
    413: "The body is too large",
    421: "The server is not known by the name in `Host`",
    429: "Too many requests: wait a little",
    503: "Nothing can be stored now, or others are being served: try again later",
}

NOTE_ORDERS: dict[str, tuple[str, ...]] = {
    "the last share is opened": ("opened", "begun", "published"),
    "a match is set up, and all shares are the server's": ("sealing", "begun", "published"),
    "the server draws the only share that is not its own": ("sealed", "begun", "published"),
    "a move made for someone ends a round": ("stood-in", "published"),
    "a move is made for someone while a take-back is asked for": ("stood-in", "declined"),
    "a move ends a round while a take-back is asked for": ("published", "declined"),
    "the same, and the move is made for someone": ("stood-in", "published", "declined"),
    "the seat that asks to take back is left": ("moved", "declined"),
    "the last seat to be asked about it is left": ("moved", "took-back"),
    "the last person to be asked about it goes away": ("away", "took-back"),
    "someone asks to take back, and nobody has to be asked": ("asked", "took-back"),
}
"""The notes of a step that has several of them, by what happened."""

CLOSINGS = {
    1001: (
        "The server stops, and says so in its `bye` (`server-stops`). Come back, and resume with "
        "`since`."
    ),
    1012: (
        "The server stops, without a `bye`: no `hello` had come, or the client took no messages. "
        "Come back, and resume with `since`."
    ),
    4400: "The first message was no `hello` that can be read, or of another version.",
    4403: "Nobody at this table has this token.",
    4404: "There is no such table.",
    4408: "No `hello` came in time.",
    4410: "The host removed this person from the table.",
    4413: "The client took its messages too slowly. Come back, and resume with `since`.",
    4429: "Too many messages, frames or bytes. Wait a little before coming back.",
    4500: "Something broke on the server. Come back, and resume with `since`.",
}
"""Why the server ends a connection, as codes of WebSockets."""


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


UNIONS = {"FromClient": wire.FromClient, "FromServer": wire.FromServer, "Notes": wire.Notes}


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
    messages = [*members(wire.FromClient), *members(wire.FromServer), *members(wire.Notes)]
    return [struct for struct in reachable(messages) if struct not in messages]


def http_structs() -> list[Struct]:
    """What stands in requests and answers over HTTP, and nowhere else."""
    return [struct for struct in reachable([*asked(), *answered()]) if struct not in shared()]


def everything() -> list[Struct]:
    """Every struct of the protocol."""
    unions = [struct for union in UNIONS.values() for struct in members(union)]
    return distinct([*unions, *shared(), *http_structs()])


def sparse(struct: Struct) -> bool:
    """Whether fields that have their default are not even sent."""
    return struct.__struct_config__.omit_defaults


# -- Literals, in the order in which they were written ---------------------------------------------


def aliases() -> dict[str, tuple[str, ...]]:
    """The literals that `wire` gives a name to."""
    named = vars(wire).items()
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


# -- Words -----------------------------------------------------------------------------------------


def paragraphs(documented: object) -> list[str]:
    """The docstring, each paragraph in one line; what Python calls None, JSON calls null."""
    text = inspect.getdoc(documented) or ""
    return [" ".join(re.sub(r"\bNone\b", "null", part).split()) for part in text.split("\n\n")]


def filled(words: str, before: str = "") -> str:
    """Prose in lines that fit."""
    return textwrap.fill(
        words,
        WIDE,
        initial_indent=before,
        subsequent_indent=before,
        break_long_words=False,
        break_on_hyphens=False,
    )


def prose(words: Iterable[str]) -> str:
    """Paragraphs."""
    return "\n\n".join(map(filled, words))


def overview() -> list[str]:
    """What the messages have in common; how this page is made is said elsewhere."""
    return [words for words in paragraphs(wire) if PAGE not in words]


def span(low: int | float | None, high: int | float | None, unit: str = "") -> str:
    """A range in words, or nothing."""
    after = f" {unit}" if unit else ""
    if low is not None and high is not None:
        return f"{low:,} to {high:,}{after}"
    if low is not None:
        return f"at least {low:,}{after}"
    return f"at most {high:,}{after}" if high is not None else ""


def bounds(kind: kinds.Type) -> list[str]:
    """What a value must keep to, in words."""
    told: list[str] = []
    if isinstance(kind, kinds.IntType | kinds.FloatType):
        told = [span(kind.ge, kind.le), above_below(kind)]
    elif isinstance(kind, kinds.StrType):
        pattern = f"matches `{kind.pattern}`" if kind.pattern else ""
        told = [span(kind.min_length, kind.max_length, "characters"), pattern]
    elif isinstance(kind, kinds.VarTupleType | kinds.ListType | kinds.DictType):
        told = [span(kind.min_length, kind.max_length, "entries")]
    return [words for words in told if words]


def above_below(kind: kinds.IntType | kinds.FloatType) -> str:
    """Bounds that a number must not touch, and steps."""
    told = {"above": kind.gt, "below": kind.lt, "a multiple of": kind.multiple_of}
    return ", ".join(f"{words} {number}" for words, number in told.items() if number is not None)


def quoted(value: object) -> str:
    """A value in JSON, as code."""
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
    """A type as people read it, with links to the types in it."""
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
    """With what a value must keep to in brackets."""
    kept = ", ".join(bounds(kind))
    return f"{words} ({kept})" if kept else words


def collection_in_words(kind: kinds.Type) -> str:
    """A list, a tuple or an object, as people read it."""
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
    """A link to the heading of a type."""
    return f"[{name}](#{name.lower()})"


def default_of(field: kinds.Field) -> str:
    """What stands for a field that is left out, in JSON."""
    if field.default_factory is not msgspec.NODEFAULT:
        return quoted(msgspec.to_builtins(field.default_factory()))
    default = field.default
    if isinstance(default, msgspec.Struct) and default == type(default)():
        return "`{}`"
    return quoted(msgspec.to_builtins(default))


# -- The page: types -------------------------------------------------------------------------------


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |" for cells in lines
    )


def field_table(struct: Struct) -> str:
    """All fields; for what clients send, and for what is sent sparsely, with defaults."""
    with_defaults = struct in sent() or sparse(struct)
    rows = []
    for field in info(struct).fields:
        left_out = "must be there" if field.required else default_of(field)
        row = [f"`{field.encode_name}`", in_words(field.type), left_out]
        rows.append(row if with_defaults else row[:2])
    head = ("Field", "What it holds", "If left out")
    return table(head if with_defaults else head[:2], rows)


def struct_section(struct: Struct) -> Iterator[str]:
    """Heading, docstring, tag and fields."""
    told = info(struct)
    yield f"### {struct.__name__}"
    yield prose(paragraphs(struct))
    if told.tag_field:
        yield f"Known by `{json.dumps(told.tag_field)}: {json.dumps(told.tag)}`."
    if told.fields:
        yield field_table(struct)
    elif told.tag_field:
        yield "It has no other fields."


def sections(structs: Iterable[Struct]) -> Iterator[str]:
    """A section for each."""
    for struct in structs:
        yield from struct_section(struct)


def alias_sections() -> Iterator[str]:
    """The literals that have a name."""
    for name, values in aliases().items():
        yield f"### {name}"
        yield "One of " + ", ".join(map(quoted, values)) + "."


def directory(structs: Iterable[Struct]) -> str:
    """Links to all of them."""
    return filled(" · ".join(link(struct.__name__) for struct in structs))


def messages_part() -> Iterator[str]:
    """Every message, note and struct."""
    yield "## FromClient"
    yield filled(
        "What a client may send. Whatever has a default may be left out; a field that is not "
        "listed is refused."
    )
    yield directory(members(wire.FromClient))
    yield from sections(members(wire.FromClient))
    yield "## FromServer"
    yield filled(
        "What the server sends. All fields are always there. A client should pass over fields "
        "and messages that it does not know: later versions may add some."
    )
    yield directory(members(wire.FromServer))
    yield from sections(members(wire.FromServer))
    yield "## Notes"
    yield filled("What happens at a table besides the play. Notes come in " + link("Step") + "s.")
    yield from note_order_part()
    yield directory(members(wire.Notes))
    yield from sections(members(wire.Notes))
    yield "## What stands in messages"
    yield filled(
        "Cards and options are written as in [records](record-format.md). The kinds of events, "
        "the keys of `table` and `mine` in a view, the phases and the forms of moves are listed "
        "in [Events, views, phases and moves](events-and-views.md). Where a last column tells "
        "what a field is when left out, such fields are really left out."
    )
    yield directory(shared())
    yield from sections(shared())
    yield from alias_sections()


def note_order_part() -> Iterator[str]:
    """In which order steps and notes come, and when a step has several."""
    yield filled(
        "Steps come in the order of their `seq`, each once; those that a request brings about come "
        "in an `update` before its answer. Take the notes of a step before its "
        "events: `begun` means that the match has no events yet, `took-back` that the last ones "
        "are void. Inside a step notes stand in the order in which they came about: first what "
        "someone did, then `begun`, `published`, `declined` and `took-back`, which follow from it. "
        "Most steps have a single note or none; several come in these cases:"
    )
    rows = [
        (words[0].upper() + words[1:], ", ".join(f"`{tag}`" for tag in tags))
        for words, tags in NOTE_ORDERS.items()
    ]
    yield table(("What happened", "Notes, in this order"), rows)


# -- The page: around the types --------------------------------------------------------------------


def intro_part() -> Iterator[str]:
    """What it is about."""
    yield "# The protocol of a table"
    yield filled(
        f"This page is made from the code (`{COMMAND}`), so it tells what is really sent. "
        "The same types for TypeScript are in "
        f"[{TYPES}](../{TYPES}), the HTTP API for programs in "
        "[openapi.json](openapi.json)."
    )
    yield prose(overview())
    yield filled(
        f"Connect to `{SOCKET}` of the server (`ws://` or `wss://`) and send each message as a "
        f"text of JSON. This is version {wire.VERSION}: `hello` must name it."
    )
    yield "## Four habits of a good client"
    yield "\n".join(
        filled(words, "  ").replace("  ", "- ", 1)
        for words in (
            "**Count.** Remember the highest `seq`. After a broken connection, say `hello` with "
            "it as `since`, and nothing is missed.",
            "**Repeat.** A request without an answer may be sent again after coming back. A move "
            "carries its `ply`, so it is never made twice.",
            "**Draw your own share.** Take 32 bytes from a good source of chance for each match, "
            "seal them, and check what the server tells: that your seal stands, that nothing "
            "changes afterwards, that the cards follow from all shares. One honest share is "
            "enough.",
            "**Trust ids, show texts.** `error` never changes its meaning; `text` is for people.",
        )
    )


def limits_part() -> Iterator[str]:
    """How much is allowed, and what happens beyond it."""
    yield "## Limits"
    yield filled(
        "These are the defaults; whoever runs a server may set others. A message that cannot be "
        "read is refused. One that is too long ends the connection, and so do too many of them. "
        "Browsers may connect only from pages of the server itself, or of an origin that it was "
        "told to trust."
    )
    defaults = msgspec.structs.asdict(Limits())
    rows = [(f"`{name}`", f"{defaults[name]:,}", words) for name, words in LIMITS.items()]
    yield table(("Limit", "Default", "What it bounds"), rows)
    yield f"No setting allows messages from a client above {wire.LARGEST:,} bytes."
    yield "## When the server hangs up"
    yield filled(
        "A handshake is refused with HTTP status 403 for a foreign origin, and with 429 for too "
        "many connections. Later the server says " + link("Bye") + " and closes with one of "
        "these codes; 1012 comes without it, and 4429 may. After 1001, 1012, 4413, 4500 and a "
        "connection that is lost without a code, come back after a moment, and wait longer from "
        "time to time. "
        "What breaks a rule of WebSockets is closed without a `bye`, too: 1002 for a frame "
        "that is none, 1007 for a text that is not UTF-8, 1009 for a message that is too long; and "
        "so is, with 4429, a connection that sends too many frames or bytes. A client that takes "
        "nothing of what is sent to it is cut off."
    )
    yield table(("Code", "Why"), [(str(code), words) for code, words in CLOSINGS.items()])


def deal_part() -> Iterator[str]:
    """What the verifiable deal promises, and what it does not."""
    yield "## The deal"
    yield filled(
        "Everyone has a share in the shuffle: 32 bytes of chance. The server seals its shares "
        "first, then every client does; only when all are sealed are they opened. So neither "
        "server nor player, nor both together, can choose the deck. With the last seal the "
        "`transcript` stands, and its six words: if all at the table read the same words, all "
        "have the same seals before them. After each round the server opens its share for that "
        "round, and anyone can deal the cards again."
    )
    yield filled(
        "It does *not* stop whoever runs the server from looking at the cards, and shares that "
        "the server draws (for bots, or for clients that draw none) add no trust. Sealing is "
        '`SHA-256` over `"stichwerk-deal-v1"`, `"client-commit"`, the id of the match, the seat '
        "(four bytes, most significant first) and the share, each after its length in four bytes."
    )
    yield filled(
        "A share that is not opened in time spoils the set-up, and the next one has another id. "
        "After two in a row the server waits for " + link("DealAgain") + " of everyone who plays. "
        "What a client has to check, so that a dishonest host cannot choose the cards after all, "
        "is in [The verifiable deal](verifiable-deal.md)."
    )


def http_part() -> Iterator[str]:
    """The HTTP API and its structs."""
    yield "## Over HTTP"
    yield filled(
        "Bodies are JSON. Texts come in German or English, by `?lang=de`, `?lang=en` or the "
        "header `Accept-Language`. Whatever is refused says why in a " + link("Problem") + "."
    )
    for endpoint in ENDPOINTS:
        yield f"### {endpoint.method} {endpoint.path}"
        yield endpoint.summary
        yield endpoint_lines(endpoint)
    yield "### What requests and answers hold"
    yield directory(http_structs())
    for struct in http_structs():
        yield from struct_section(struct)


def endpoint_lines(endpoint: Endpoint) -> str:
    """What goes in and what comes out."""
    lines = [f"- `?{name}=`: {words}" for name, words in endpoint.query.items()]
    lines += [f"- takes {link(endpoint.asks.__name__)}"] if endpoint.asks else []
    lines += [
        f"- {status}, {answer_link(answer)}: {STATUSES[status]}."
        for status, answer in responses(endpoint).items()
    ]
    return "\n".join(lines)


def responses(endpoint: Endpoint) -> dict[int, Struct | str]:
    """What can come back, by status."""
    return {endpoint.status: endpoint.answers, **endpoint.refusals}


def answer_link(answer: Struct | str) -> str:
    """What an answer holds."""
    words = {
        "Record": "a [record](record-format.md), `stichwerk-game/1`",
        "text": "plain text",
        "json": "a document in JSON",
        "svg": "a picture in SVG",
    }
    return words[answer] if isinstance(answer, str) else link(answer.__name__)


def page() -> str:
    """The whole page in Markdown."""
    parts = [
        *intro_part(),
        *limits_part(),
        *deal_part(),
        *conversation_part(),
        *messages_part(),
        *http_part(),
    ]
    return "\n\n".join(parts) + "\n"


# -- The page: a conversation ----------------------------------------------------------------------


class ConversationMessage(msgspec.Struct, frozen=True):
    """A message of the conversation: what it is about, who sends it, and itself."""

    words: str
    sender: Literal["Anna", "Ben", "server"]
    message: wire.FromClient | wire.FromServer


class ExampleConversation:
    """A table of two that comes to its first move. All of it is real: shares, words and cards."""

    table_id, match_id = "quiet-otter", "quiet-otter-1"
    token = "an-example-of-a-personal-token"
    ben, anna = "p1", "p2"

    def __init__(self) -> None:
        self.setting = Setting("stichling", 2, {"starter": 0})
        rules = self.setting.rules
        self.setup = Setup(
            match=self.match_id,
            rules=f"{rules.name}/{rules.version}",
            options=options_text(self.setting.options),
            deck=rules.deck.text,
            seats=2,
            rounds=rules.most_rounds(),
        )
        # Shares that anyone can type: never do this at a real table.
        self.server_seeds = [bytes([100 + r]) * 32 for r in range(self.setup.rounds + 1)]
        self.shares = [bytes([seat]) * 32 for seat in range(2)]
        self.server_commits = [
            server_commit(self.match_id, r, seed) for r, seed in enumerate(self.server_seeds)
        ]
        self.commits = [
            client_commit(self.match_id, seat, share) for seat, share in enumerate(self.shares)
        ]
        self.transcript = transcript(self.setup, self.server_commits, self.commits)

    def deal(self) -> Deal:
        """The cards of the first round."""
        key = deal_key(self.server_seeds[1], self.transcript, 1, self.shares)
        return deal_from(Stream(key), self.setting.rules, 0)

    def match(self) -> Match:
        """The match, dealt."""
        return self.setting.new(deals=[self.deal()], names=("Ben", "Anna"))

    def table(self, stage: Literal["gathering", "dealing", "playing"], *names: str) -> wire.Table:
        """The table as it is told, with these people in its seats."""
        ids = (self.ben, self.anna)[: len(names)]
        people = [
            wire.Person(id=i, name=name, here=True) for i, name in zip(ids, names, strict=True)
        ]
        places = [wire.Place(person=i) for i in ids] + [wire.Place()] * (2 - len(ids))
        return wire.Table(
            id=self.table_id,
            game=self.setting.name,
            seats=2,
            options=self.setting.options,
            settings=wire.Settings(),
            host=self.ben,
            people=tuple(people),
            places=tuple(places),
            stage=stage,
            match=None if stage == "gathering" else self.match_id,
            dealing=self.dealing() if stage == "dealing" else None,
        )

    def dealing(self) -> wire.Dealing:
        """The deal, when the server has sealed its shares and nobody else."""
        return wire.Dealing(
            match=self.match_id,
            rules=self.setup.rules,
            options=self.setup.options,
            deck=self.setup.deck,
            rounds=self.setup.rounds,
            server_commits=tuple(commit.hex() for commit in self.server_commits),
            client_commits=(None, None),
            trusted=(True, True),
            client_seeds=(None, None),
        )

    def coming_in(self) -> Iterator[ConversationMessage]:
        """From the first message to a seat."""
        hello = wire.Hello(version=wire.VERSION, table=self.table_id)
        welcome = wire.Welcome(
            version=wire.VERSION,
            seq=1,
            fresh=True,
            person=None,
            seat=None,
            ply=0,
            table=self.table("gathering", "Ben"),
            view=None,
            steps=(),
        )
        joined = wire.JoinDone(id=1, seq=2, person=self.anna, seat=1, token=self.token)
        yield ConversationMessage(
            "Ben has made a table. Anna opens his link; nobody knows her yet.", "Anna", hello
        )
        yield ConversationMessage("She may look at the table.", "server", welcome)
        yield ConversationMessage("She takes part.", "Anna", wire.Join(id=1, name="Anna"))
        yield ConversationMessage(
            "She keeps the token: with it in `hello` she comes back as herself. (A `welcome` "
            "follows, with what she may know now.)",
            "server",
            joined,
        )

    def sealing(self) -> Iterator[ConversationMessage]:
        """From the host's word to open shares."""
        begun = wire.Update(
            seq=3,
            steps=(wire.Step(seq=3, notes=(wire.Sealing(match=self.match_id),)),),
            seat=1,
            ply=0,
            table=self.table("dealing", "Ben", "Anna"),
        )
        commit = wire.Commit(id=2, match=self.match_id, commit=self.commits[1].hex())
        reveal = wire.Reveal(id=3, match=self.match_id, seed=self.shares[1].hex())
        words = " ".join(fingerprint(self.transcript))
        yield ConversationMessage("Ben is the host, and begins.", "Ben", wire.Begin(id=7))
        yield ConversationMessage(
            "The server has sealed its shares; now it is Anna's turn.", "server", begun
        )
        yield ConversationMessage("Anna's client draws a share and seals it.", "Anna", commit)
        yield ConversationMessage("It is stored.", "server", wire.Done(id=2, seq=4))
        yield ConversationMessage(
            f"Ben seals too, and both read the same six words: *{words}*. Now Anna opens.",
            "Anna",
            reveal,
        )
        yield ConversationMessage("It is stored.", "server", wire.Done(id=3, seq=6))

    def playing(self) -> Iterator[ConversationMessage]:
        """The cards are dealt, and a first move is made."""
        match = self.match()
        before = match.view(1)
        move = before.moves[0]
        notes = (
            wire.Opened(seat=0),
            wire.Begun(match=self.match_id),
            wire.Published(round=0, seed=self.server_seeds[0].hex()),
        )
        yield ConversationMessage(
            "Ben opens as the last one: the cards are dealt. (What does not change is null here.)",
            "server",
            wire.Update(
                seq=7,
                steps=(wire.Step(seq=7, notes=notes, events=before.history),),
                seat=1,
                ply=0,
                view=msgspec.structs.replace(before, history=()),
            ),
        )
        play = wire.Play(id=4, match=self.match_id, ply=0, move=move)
        yield ConversationMessage("Anna makes one of the `moves` of her view.", "Anna", play)
        events = tuple(event for event in match.play(1, move) if event.visible(1))
        after = msgspec.structs.replace(match.view(1), history=())
        yield ConversationMessage(
            "Once stored, everyone gets what they may know of it; this is what Anna gets.",
            "server",
            wire.Update(seq=8, steps=(wire.Step(seq=8, events=events),), seat=1, ply=1, view=after),
        )
        yield ConversationMessage(
            "Then it is answered, and never lost.", "server", wire.Done(id=4, seq=8)
        )


def conversation() -> list[ConversationMessage]:
    """A short conversation between two people and the server."""
    story = ExampleConversation()
    return [*story.coming_in(), *story.sealing(), *story.playing()]


def conversation_part() -> Iterator[str]:
    """The conversation, each message in JSON."""
    yield "## A conversation"
    for said in conversation():
        way = f"{said.sender} to server" if said.sender != "server" else "Server to Anna"
        yield filled(f"**{way}.** {said.words}")
        yield f"```json\n{spread(msgspec.json.decode(encoded(said.message)))}\n```"


def encoded(message: wire.FromClient | wire.FromServer) -> bytes:
    """A message as it is sent; what clients may leave out, they leave out here."""
    raw = msgspec.json.encode(message)
    if type(message) not in sent():
        return raw
    optional = {field.encode_name for field in info(type(message)).fields if not field.required}
    held = msgspec.json.decode(raw).items()
    return msgspec.json.encode(
        {key: value for key, value in held if key not in optional or value != default(message, key)}
    )


def default(message: msgspec.Struct, name: str) -> object:
    """The default of a field."""
    fields = {field.encode_name: field for field in info(type(message)).fields}
    return msgspec.to_builtins(fields[name].default)


def spread(value: object, depth: int = 0) -> str:
    """JSON over as few lines as fit."""
    flat = json.dumps(value, ensure_ascii=False)
    if 2 * depth + len(flat) <= WIDE - 8 or not isinstance(value, dict | list):
        return flat
    inner, outer = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict):
        lines = [f"{inner}{json.dumps(key)}: {spread(value[key], depth + 1)}" for key in value]
        return "{\n" + ",\n".join(lines) + f"\n{outer}}}"
    lines = [inner + spread(item, depth + 1) for item in value]
    return "[\n" + ",\n".join(lines) + f"\n{outer}]"


# -- TypeScript ------------------------------------------------------------------------------------

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
    """A type in TypeScript, as the client sends it or as it gets it."""
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
    """A list, a tuple or an object in TypeScript."""
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
    """Values as types."""
    return [json.dumps(value, ensure_ascii=False) for value in values]


def ts_name(struct: Struct, by_client: bool) -> str:
    """What goes both ways has two types: whoever sends may leave defaults out."""
    both = struct in sent() and struct in received()
    return f"{struct.__name__}Sent" if both and by_client else struct.__name__


def ts_comment(lines: Sequence[str], before: str = "") -> str:
    """A documentation comment."""
    text = [part.replace("*/", "* /") for part in lines]
    if len(text) == 1 and len(before) + len(text[0]) + 7 <= WIDE:
        return f"{before}/** {text[0]} */"
    inner = f"\n{before} *\n".join(filled(part, f"{before} * ") for part in text)
    return f"{before}/**\n{inner}\n{before} */"


def ts_interface(struct: Struct, by_client: bool) -> str:
    """A struct as an interface."""
    told = info(struct)
    name = ts_name(struct, by_client)
    again = [f"{struct.__name__} as a client sends it: what is left out has its default."]
    words = paragraphs(struct) if name == struct.__name__ else again
    lines = [ts_comment(words), f"export interface {name} {{"]
    if told.tag_field:
        lines.append(f"  readonly {told.tag_field}: {json.dumps(told.tag)};")
    may_miss = by_client or sparse(struct)
    for field in told.fields:
        lines += ts_field(field, by_client, may_miss and not field.required)
    return "\n".join([*lines, "}"])


def ts_field(field: kinds.Field, by_client: bool, optional: bool) -> Iterator[str]:
    """A field, with what its value must keep to."""
    kept = [words for part in (field.type, *parts_of(field.type)) for words in bounds(part)]
    left_out = [f"left out: {default_of(field)}"] if optional else []
    if kept or left_out:
        yield ts_comment([sentence("; ".join([*kept, *left_out]))], "  ")
    mark = "?" if optional else ""
    yield f"  readonly {field.encode_name}{mark}: {ts_type(field.type, by_client)};"


def sentence(words: str) -> str:
    """With a capital and a full stop."""
    return f"{words[0].upper()}{words[1:]}."


def ts_union(name: str, parts: Sequence[str]) -> str:
    """A union, in one line if it fits."""
    line = f"export type {name} = {' | '.join(parts)};"
    return line if len(line) <= WIDE else f"export type {name} =\n  | " + "\n  | ".join(parts) + ";"


def ts_messages(name: str, union: Any) -> Iterator[str]:
    """Messages, told apart by their tags."""
    yield ts_union(name, [struct.__name__ for struct in members(union)])
    yield from ts_structs(members(union))


def ts_structs(structs: Iterable[Struct]) -> Iterator[str]:
    """Interfaces for structs, for each way they go."""
    for struct in structs:
        goes_in = struct in sent()
        if struct in received() or not goes_in:
            yield ts_interface(struct, by_client=False)
        if goes_in:
            yield ts_interface(struct, by_client=True)


def typescript() -> str:
    """All types of the client."""
    parts = [
        f"// Made from src/stichwerk/server/wire.py by `{COMMAND}`.",
        ts_comment(overview()),
        f"export const PROTOCOL_VERSION = {wire.VERSION};",
        ts_comment(["Bytes of the longest message that a client may send."])
        + f"\nexport const LARGEST_MESSAGE = {wire.LARGEST};",
    ]
    parts += [ts_union(name, ts_literals(values)) for name, values in aliases().items()]
    for name, union in UNIONS.items():
        heading = {"FromClient": "From the client", "FromServer": "From the server"}.get(name, name)
        parts += [f"// -- {heading}", *ts_messages(name, union)]
    parts += ["// -- What stands in messages", *ts_structs(shared())]
    parts += ["// -- Over HTTP", *ts_structs(http_structs())]
    return "\n\n".join(parts) + "\n"


# -- OpenAPI ---------------------------------------------------------------------------------------


@cache
def openapi() -> Json:
    """The HTTP API as an OpenAPI document; made once, and not to be changed by anyone."""
    paths: dict[str, Json] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Stichwerk",
            "version": __version__,
            "summary": "Tables of modern trick-taking games",
            "description": "Beside this API a table speaks over WebSockets: see docs/protocol.md.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [],
        "paths": paths,
        "components": {"schemas": schemas()},
    }


def schemas() -> Json:
    """The schema of every struct of the API, and of records."""
    _, components = msgspec.json.schema_components(
        [*asked(), *answered()],
        schema_hook=lambda kind: {"description": "Anything."},
        ref_template="#/components/schemas/{name}",
    )
    for struct in reachable([*asked(), *answered()]):
        components[struct.__name__]["description"] = "\n\n".join(paragraphs(struct))
    return {**components, "Record": record_schema()}


def record_schema() -> Json:
    """The schema of records, at home in this document: few tools follow an `$id` inside of one."""
    text = RECORD_SCHEMA.read_text("utf-8").replace(
        '"#/$defs/', '"#/components/schemas/Record/$defs/'
    )
    return {key: part for key, part in json.loads(text).items() if key not in ("$id", "$schema")}


def operation(endpoint: Endpoint) -> Json:
    """One endpoint."""
    told: Json = {"operationId": endpoint.name, "summary": endpoint.summary}
    if parameters := list(parameters_of(endpoint)):
        told["parameters"] = parameters
    if endpoint.asks:
        told["requestBody"] = {"required": True, "content": content(endpoint.asks)}
    told["responses"] = {
        str(status): {"description": STATUSES[status], "content": content(answer)}
        for status, answer in responses(endpoint).items()
    }
    return told


def parameters_of(endpoint: Endpoint) -> Iterator[Json]:
    """What stands in path and query."""
    for name in endpoint.place_holders:
        yield {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
    for name, words in endpoint.query.items():
        yield {"name": name, "in": "query", "description": words, "schema": {"type": "string"}}
    if endpoint.worded:
        yield {
            "name": "lang",
            "in": "query",
            "description": "The language of texts; otherwise Accept-Language decides.",
            "schema": {"enum": list(get_args(wire.Lang))},
        }


def content(answer: Struct | str) -> Json:
    """A body by its media type."""
    if answer == "text":
        return {"text/plain": {"schema": {"type": "string"}}}
    if answer == "svg":
        return {"image/svg+xml": {"schema": {"type": "string"}}}
    if answer == "json":
        return {"application/json": {"schema": {"type": "object"}}}
    name = answer if isinstance(answer, str) else answer.__name__
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}


# -- Writing ---------------------------------------------------------------------------------------


def made() -> dict[str, str]:
    """The files, by path."""
    document = json.dumps(openapi(), indent=2, ensure_ascii=False) + "\n"
    return {PAGE: page(), OPENAPI: document, TYPES: typescript(), GAMES: our_games()}


def checkout() -> Path | None:
    """The folder of the repository, if this module runs from one."""
    root = Path(__file__).resolve().parents[3]
    here = root / "src" / "stichwerk" / "server" / Path(__file__).name
    return root if here.exists() and (root / "pyproject.toml").is_file() else None


def stale(root: Path) -> list[str]:
    """The files that are not what would be written now."""
    return [name for name, text in made().items() if read(root / name) != text]


def read(path: Path) -> str | None:
    """What a file holds, if it is there."""
    return path.read_text("utf-8") if path.is_file() else None


def write(root: Path) -> None:
    """Write all files."""
    for name, text in made().items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8", newline="\n")


def main(given: Sequence[str] | None = None) -> int:
    """Write the files, or tell which are stale."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, tell what is stale")
    wish = parser.parse_args(given)
    root = checkout()
    if root is None:
        print("This writes into a checkout of the repository, and runs in none.", file=sys.stderr)
        return 2
    if not wish.check:
        write(root)
        return 0
    old = stale(root)
    for name in old:
        print(f"stale: {name} ({COMMAND})", file=sys.stderr)
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
