"""The protocol as a page to read, `docs/protocol.md`."""

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


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
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
    yield "## Event"
    yield filled(
        "What happens in a match. `kind` tells the events apart. `to` names the seats that may "
        "know of an event; it is left out where everyone may. Which games and sheets of the "
        "calendar emit which events, and in which order, is in [Events, views, phases and "
        "moves](events-and-views.md#events)."
    )
    yield directory(KINDS)
    yield from sections(KINDS)
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
