"""The protocol as a page, `docs/protocol.md`."""

import json
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from stichwerk.games.events import KINDS
from stichwerk.server import wire
from stichwerk.server.network.limits import Limits
from stichwerk.server.protocol_generator.conversation import conversation_part
from stichwerk.server.protocol_generator.endpoints import (
    CLOSINGS,
    ENDPOINTS,
    LIMITS,
    SOCKET,
    STATUSES,
    Endpoint,
    Struct,
    responses,
)
from stichwerk.server.protocol_generator.paths import COMMAND, TYPES
from stichwerk.server.protocol_generator.schema import (
    aliases,
    http_structs,
    info,
    members,
    sent,
    shared,
    sparse,
)
from stichwerk.server.protocol_generator.wording import (
    default_of,
    filled,
    in_words,
    link,
    overview,
    paragraphs,
    prose,
    quoted,
)

NOTE_ORDERS: dict[str, tuple[str, ...]] = {
    "the last share is opened": ("opened", "begun", "published"),
    "a match is set up, and all shares are the server's": ("sealing", "begun", "published"),
    "the server generates the only share that is not its own": ("sealed", "begun", "published"),
    "a move made for someone ends a round": ("stood-in", "published"),
    "a move is made for someone while a take-back is pending": ("stood-in", "declined"),
    "a move ends a round while a take-back is pending": ("published", "declined"),
    "the same, and the move is made for someone": ("stood-in", "published", "declined"),
    "the seat that asked for a take-back is vacated": ("moved", "declined"),
    "the last seat that has to agree is vacated": ("moved", "took-back"),
    "the last person who has to agree goes away": ("away", "took-back"),
    "someone asks for a take-back, and nobody has to agree": ("asked", "took-back"),
}
"""The notes of steps that have several, by what happened."""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |" for cells in lines
    )


def field_table(struct: Struct) -> str:
    """Return a table of all fields; with defaults for what clients send and what is sent
    sparsely."""
    with_defaults = struct in sent() or sparse(struct)
    rows = []
    for field in info(struct).fields:
        left_out = "must be there" if field.required else default_of(field)
        row = [f"`{field.encode_name}`", in_words(field.type), left_out]
        rows.append(row if with_defaults else row[:2])
    head = ("Field", "What it holds", "If left out")
    return table(head if with_defaults else head[:2], rows)


def struct_section(struct: Struct) -> Iterator[str]:
    """Yield heading, docstring, tag and fields."""
    struct_type = info(struct)
    yield f"### {struct.__name__}"
    yield prose(paragraphs(struct))
    if struct_type.tag_field:
        yield f"Known by `{json.dumps(struct_type.tag_field)}: {json.dumps(struct_type.tag)}`."
    if struct_type.fields:
        yield field_table(struct)
    elif struct_type.tag_field:
        yield "It has no other fields."


def sections(structs: Iterable[Struct]) -> Iterator[str]:
    """Yield a section for each."""
    for struct in structs:
        yield from struct_section(struct)


def alias_sections() -> Iterator[str]:
    """Yield the named literals."""
    for name, values in aliases().items():
        yield f"### {name}"
        yield "One of " + ", ".join(map(quoted, values)) + "."


def directory(structs: Iterable[Struct]) -> str:
    """Return links to all of them."""
    return filled(" · ".join(link(struct.__name__) for struct in structs))


def messages_part() -> Iterator[str]:
    """Yield every message, note and struct."""
    yield "## FromClient"
    yield filled(
        "What a client may send. Fields with a default may be omitted; unknown fields are refused."
    )
    yield directory(members(wire.FromClient))
    yield from sections(members(wire.FromClient))
    yield "## FromServer"
    yield filled(
        "What the server sends. All fields are always present. A client should ignore unknown "
        "fields and messages: later versions may add some."
    )
    yield directory(members(wire.FromServer))
    yield from sections(members(wire.FromServer))
    yield "## Notes"
    yield filled("What happens at a table outside the play. Notes come in " + link("Step") + "s.")
    yield from note_order_part()
    yield directory(members(wire.Notes))
    yield from sections(members(wire.Notes))
    yield "## Event"
    yield filled(
        "What happens in a match. `kind` distinguishes the events. `to` names the seats that may "
        "see an event; it is omitted if everyone may. Which games and sheets of the "
        "calendar emit which events, and in which order, is in [Events, views, phases and "
        "moves](events-and-views.md#events)."
    )
    yield directory(KINDS)
    yield from sections(KINDS)
    yield "## Structs in messages"
    yield filled(
        "Cards and options are written as in [records](record-format.md). The kinds of events, "
        "the keys of `table` and `mine` in a view, the phases and the forms of moves are listed "
        "in [Events, views, phases and moves](events-and-views.md). Where a table has a column for "
        "omitted fields, fields with that value are omitted."
    )
    yield directory(shared())
    yield from sections(shared())
    yield from alias_sections()


def note_order_part() -> Iterator[str]:
    """Yield the order of steps and notes, and when a step has several."""
    yield filled(
        "Steps come in the order of their `seq`, each once; those caused by a request come in an "
        "`update` before its answer. Process the notes of a step before its events: `begun` means "
        "that the match has no events yet, `took-back` that the last ones are void. Within a step "
        "notes are in causal order: first what someone did, then `begun`, `published`, `declined` "
        "and `took-back`, which follow from it. Most steps have one note or none; several occur in "
        "these cases:"
    )
    rows = [
        (words[0].upper() + words[1:], ", ".join(f"`{tag}`" for tag in tags))
        for words, tags in NOTE_ORDERS.items()
    ]
    yield table(("What happened", "Notes, in this order"), rows)


def intro_part() -> Iterator[str]:
    """Yield the introduction."""
    yield "# The protocol of a table"
    yield filled(
        f"This page is generated from the code (`{COMMAND}`), so it describes what is really sent. "
        "The TypeScript types are in "
        f"[{TYPES}](../{TYPES}), the OpenAPI description of the HTTP API in "
        "[openapi.json](openapi.json)."
    )
    yield prose(overview())
    yield filled(
        f"Connect to `{SOCKET}` of the server (`ws://` or `wss://`) and send each message as "
        f"JSON text. This is version {wire.VERSION}: `hello` must name it."
    )
    yield "## Four rules for clients"
    yield "\n".join(
        filled(words, "  ").replace("  ", "- ", 1)
        for words in (
            "**Count.** Remember the highest `seq`. After a lost connection, send it as `since` in "
            "`hello`, and you miss nothing.",
            "**Repeat.** A request without an answer may be sent again after reconnecting. A move "
            "carries its `ply`, so it is never made twice.",
            "**Generate your own share.** Take 32 bytes from a secure random source for each "
            "match, seal them, and check what the server announces: that your seal is "
            "included, that nothing changes afterwards, that the cards follow from all "
            "shares. One honest share is enough.",
            "**Rely on ids, show texts.** `error` never changes its meaning; `text` is for people.",
        )
    )


def limits_part() -> Iterator[str]:
    """Yield the limits, and what happens beyond them."""
    yield "## Limits"
    yield filled(
        "These are the defaults; the operator of a server can change them. A message that cannot "
        "be read is refused. One that is too long ends the connection, and so do too many "
        "messages. Browsers may connect only from pages of the server itself, or of an "
        "origin that it is configured to trust."
    )
    defaults = msgspec.structs.asdict(Limits())
    rows = [(f"`{name}`", f"{defaults[name]:,}", words) for name, words in LIMITS.items()]
    yield table(("Limit", "Default", "What it bounds"), rows)
    yield f"No setting allows messages from a client above {wire.LARGEST:,} bytes."
    yield "## When the server closes a connection"
    yield filled(
        "A handshake is refused with HTTP status 403 for a foreign origin, and with 429 for too "
        "many connections. Later the server sends " + link("Bye") + " and closes with one of "
        "these codes; 1012 comes without it, and 4429 may. After 1001, 1012, 4413, 4500 and a "
        "connection lost without a code, reconnect with increasing delays. "
        "A violation of the WebSocket protocol is closed without a `bye`, too: 1002 for an invalid "
        "frame, 1007 for a text that is not UTF-8, 1009 for a message that is too long; and "
        "so is, with 4429, a connection that sends too many frames or bytes. A client that does "
        "not read is cut off."
    )
    yield table(("Code", "Why"), [(str(code), words) for code, words in CLOSINGS.items()])


def deal_part() -> Iterator[str]:
    """Yield what the verifiable deal guarantees, and what it does not."""
    yield "## The deal"
    yield filled(
        "Everyone contributes a share to the shuffle: 32 random bytes. The server seals its shares "
        "first, then every client does; shares are opened only when all are sealed. So neither "
        "the server nor a player, nor both together, can choose the deck. With the last seal the "
        "`transcript` and its six words are final: if everyone at the table reads the same words, "
        "everyone has the same seals. After each round the server opens its share for that "
        "round, and anyone can reproduce the deal."
    )
    yield filled(
        "It does *not* prevent the server's operator from looking at the cards, and shares "
        "generated by the server (for bots, or for clients that send none) add no trust. Sealing "
        'is `SHA-256` over `"stichwerk-deal-v1"`, `"client-commit"`, the id of the match, the seat '
        "(four bytes, most significant first) and the share, each after its length in four bytes."
    )
    yield filled(
        "A share that is not opened in time makes the set-up fail, and the next one has a new id. "
        "After two in a row the server waits for " + link("DealAgain") + " from every player. "
        "What a client has to check, so that a dishonest host cannot choose the cards after all, "
        "is in [The verifiable deal](verifiable-deal.md)."
    )


def http_part() -> Iterator[str]:
    """Yield the HTTP API and its structs."""
    yield "## Over HTTP"
    yield filled(
        "Bodies are JSON. Texts come in German or English, by `?lang=de`, `?lang=en` or the "
        "header `Accept-Language`. A refusal says why in a " + link("Problem") + "."
    )
    for endpoint in ENDPOINTS:
        yield f"### {endpoint.method} {endpoint.path}"
        yield endpoint.summary
        yield endpoint_lines(endpoint)
    yield "### Structs in requests and responses"
    yield directory(http_structs())
    for struct in http_structs():
        yield from struct_section(struct)


def endpoint_lines(endpoint: Endpoint) -> str:
    """Return the input and output of an endpoint."""
    lines = [f"- `?{name}=`: {words}" for name, words in endpoint.query.items()]
    lines += [f"- takes {link(endpoint.asks.__name__)}"] if endpoint.asks else []
    lines += [
        f"- {status}, {answer_link(answer)}: {STATUSES[status]}."
        for status, answer in responses(endpoint).items()
    ]
    return "\n".join(lines)


def answer_link(answer: Struct | str) -> str:
    """Return a link to the content of a response."""
    words = {
        "Record": "a [record](record-format.md), `stichwerk-game/1`",
        "text": "plain text",
        "json": "a JSON document",
        "svg": "an SVG image",
    }
    return words[answer] if isinstance(answer, str) else link(answer.__name__)


def page() -> str:
    """Return the whole page in Markdown."""
    parts = [
        *intro_part(),
        *limits_part(),
        *deal_part(),
        *conversation_part(),
        *messages_part(),
        *http_part(),
    ]
    return "\n\n".join(parts) + "\n"
