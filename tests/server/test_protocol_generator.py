"""The protocol's files: up to date, complete, and true to what is really sent."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import jsonschema
import msgspec
import pytest
from msgspec import Meta
from msgspec import inspect as kinds

import stichwerk
from stichwerk.fairness import client_commit
from stichwerk.games.events import KINDS
from stichwerk.hash_words import word_list
from stichwerk.outlook import structs
from stichwerk.server import wire
from stichwerk.server.network import socket_client, socket_sessions
from stichwerk.server.network.limits import Limits
from stichwerk.server.protocol_generator import (
    conversation,
    endpoints,
    files,
    markdown,
    paths,
    schema,
    typescript,
    wording,
)
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.shuffle import seeds_needed
from stichwerk.server.tables.table_people import TakeBackRequest
from stichwerk.server.tables.table_state import TableState
from stichwerk.view import Trick, View

ROOT = Path(__file__).parents[2]
GOLDEN = sorted((ROOT / "tests/golden").rglob("*.json*"))
BASES = {wire.Incoming, wire.Outgoing, wire.Note}
STRUCTS = list(
    dict.fromkeys(
        kind
        for module in (wire, structs)
        for kind in (*vars(module).values(), *KINDS)
        if isinstance(kind, type)
        and issubclass(kind, msgspec.Struct)
        and kind not in {*BASES, msgspec.Struct}
    )
)
MADE = files.made()
PAGE, OPENAPI, TYPES = (MADE[name] for name in (paths.PAGE, paths.OPENAPI, paths.TYPES))
DOCUMENT: dict[str, Any] = json.loads(OPENAPI)

every_struct = pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
every_endpoint = pytest.mark.parametrize(
    "endpoint", endpoints.ENDPOINTS, ids=lambda endpoint: endpoint.name
)


# -- The files -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MADE)
def test_generated_files_are_up_to_date(name: str) -> None:
    written = (ROOT / name).read_text("utf-8")
    assert written == MADE[name], f"stale: {paths.COMMAND}"


def test_writing_and_checking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(files, "checkout", lambda: tmp_path)
    assert files.main(["--check"]) == 1
    assert capsys.readouterr().err.count("stale") == len(MADE)
    assert files.main([]) == 0
    assert files.main(["--check"]) == 0
    (tmp_path / paths.PAGE).write_text("something else", "utf-8")
    assert files.main(["--check"]) == 1
    assert paths.PAGE in capsys.readouterr().err


def test_without_a_checkout_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installed = tmp_path / "lib/python/site-packages/stichwerk/server/protocol_generator/files.py"
    monkeypatch.setattr(files, "__file__", str(installed))
    assert files.main([]) == 2
    assert "checkout" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_tests_run_in_a_checkout() -> None:
    assert files.checkout() == ROOT


# -- All of wire -----------------------------------------------------------------------------------


def section(name: str) -> str:
    """Return the text under the heading of a type."""
    found = re.search(rf"^### {name}$(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"{name} is not documented"
    return found[1]


def interface(name: str) -> str:
    """Return the fields of an interface."""
    found = re.findall(rf"^export interface {name} {{$(.*?)^}}$", TYPES, re.MULTILINE | re.DOTALL)
    assert len(found) == 1, name
    return str(found[0])


def test_every_message_is_documented() -> None:
    assert set(schema.everything()) == {*STRUCTS, View, Trick}


@every_struct
def test_the_page_documents_every_field(struct: type[msgspec.Struct]) -> None:
    described = section(struct.__name__)
    assert struct.__doc__
    assert " ".join(wording.paragraphs(struct)[0].split()) in " ".join(described.split())
    fields = re.findall(r"^\| `(\w+)` \|", described, re.MULTILINE)
    assert fields == list(struct.__struct_encode_fields__)


@every_struct
def test_the_client_knows_every_field(struct: type[msgspec.Struct]) -> None:
    info = schema.info(struct)
    fields = re.findall(r"^  readonly (\w+)\??:", interface(struct.__name__), re.MULTILINE)
    assert fields == [
        *([info.tag_field] if info.tag_field else []),
        *struct.__struct_encode_fields__,
    ]
    if info.tag_field:
        assert f'readonly {info.tag_field}: "{info.tag}";' in interface(struct.__name__)


@pytest.mark.parametrize("name", ["FromClient", "FromServer", "Notes", "Event"])
def test_unions_list_every_member(name: str) -> None:
    found = re.search(rf"^export type {name} =([^;]*);", TYPES, re.MULTILINE)
    assert found
    structs = schema.members(schema.UNIONS[name])
    assert re.findall(r"\w+", found[1]) == [struct.__name__ for struct in structs]
    assert all(f"[{struct.__name__}](#{struct.__name__.lower()})" in PAGE for struct in structs)
    tags = [schema.info(struct).tag for struct in structs]
    assert len(set(tags)) == len(tags)


def test_headings_are_unique() -> None:
    prose = re.sub(r"^```.*?^```$", "", PAGE, flags=re.MULTILINE | re.DOTALL)
    headings = [heading.lower() for heading in re.findall(r"^#+ (.*)$", prose, re.MULTILINE)]
    assert len(set(headings)) == len(headings)


def test_links_lead_to_headings() -> None:
    headings = {heading.lower() for heading in re.findall(r"^#+ (\w+)$", PAGE, re.MULTILINE)}
    links = set(re.findall(r"\]\(#([^)]*)\)", PAGE))
    assert len(links) > len(STRUCTS) / 2
    assert links <= headings


def test_the_page_contains_no_python_types() -> None:
    """What Python calls None is null in JSON; names of its types do not appear."""
    assert re.findall(r"\b(?:None|True|False|NODEFAULT|msgspec|Annotated)\b", PAGE + TYPES) == []


# -- Types -----------------------------------------------------------------------------------------


class Odd(msgspec.Struct):
    """Everything that can be in a message."""

    count: Annotated[int, Meta(ge=2, le=2000)]
    least: Annotated[int, Meta(ge=2)]
    most: Annotated[float, Meta(le=5)]
    above: Annotated[int, Meta(gt=0)]
    word: Annotated[str, Meta(min_length=1, max_length=9, pattern="^a|b$")]
    pair: tuple[int, str]
    many: tuple[str | None, ...]
    some: Annotated[list[int], Meta(max_length=3)]
    by_name: dict[str, bool]
    anything: object
    nested: tuple[tuple[int, ...], ...]


def field_type(name: str) -> kinds.Type:
    return next(field.type for field in schema.info(Odd).fields if field.name == name)


@pytest.mark.parametrize(
    ("name", "words"),
    {
        "count": "whole number (2 to 2,000)",
        "least": "whole number (at least 2)",
        "most": "number (at most 5)",
        "above": "whole number (above 0)",
        "word": "text (1 to 9 characters, matches `^a|b$`)",
        "pair": "list of 2: whole number, then text",
        "many": "list of (text or null)",
        "some": "list of whole number (at most 3 entries)",
        "by_name": "object, its values: true or false",
        "anything": "anything",
        "nested": "list of (list of whole number)",
    }.items(),
)
def test_types_in_words(name: str, words: str) -> None:
    assert wording.in_words(field_type(name)) == words


@pytest.mark.parametrize(
    ("name", "typed"),
    {
        "count": "number",
        "word": "string",
        "pair": "readonly [number, string]",
        "many": "readonly (string | null)[]",
        "some": "readonly number[]",
        "by_name": "Readonly<Record<string, boolean>>",
        "anything": "unknown",
        "nested": "readonly (readonly number[])[]",
    }.items(),
)
def test_types_in_typescript(name: str, typed: str) -> None:
    assert typescript.ts_type(field_type(name), by_client=False) == typed


@pytest.mark.parametrize("kind", [kinds.BytesType(), kinds.DateType()])
def test_types_without_words_are_refused(kind: kinds.Type) -> None:
    """A new kind of field needs a description."""
    with pytest.raises(TypeError):
        wording.in_words(kind)
    with pytest.raises(TypeError):
        typescript.ts_type(kind, by_client=True)


def test_pipes_are_escaped_in_table_cells() -> None:
    assert markdown.table(("a",), [("b|c",)]).endswith(r"| b\|c |")


def test_literals_keep_their_order() -> None:
    assert 'export type Level = "easy" | "medium" | "hard" | "expert";' in TYPES
    assert 'One of `"easy"`, `"medium"`, `"hard"`, `"expert"`.' in section("Level")
    assert '`"gathering"` or `"dealing"` or `"playing"` or `"over"`' in section("Table")


def test_optional_fields_are_marked() -> None:
    """By clients what has a default, by the server nothing, except in events."""
    assert "readonly seat?: number | null;" in interface("Join")
    assert "readonly settings?: SettingsSent | null;" in interface("Change")
    assert "readonly clock?: number | null;" in interface("SettingsSent")
    assert "readonly clock: number | null;" in interface("Settings")
    assert "readonly seat?: number | null;" in interface("TrickTaken")
    assert "readonly seat: number;" in interface("CardPlayed")
    for struct in schema.received() - {*KINDS}:
        assert "?:" not in interface(struct.__name__)


def test_braces_and_comments_close() -> None:
    assert TYPES.count("{\n") == TYPES.count("\n}\n")
    assert TYPES.count("/**") == TYPES.count("*/")
    assert f"export const PROTOCOL_VERSION = {wire.VERSION};" in TYPES


def test_every_type_that_is_named_is_exported() -> None:
    code = re.sub(r"/\*\*.*?\*/|//[^\n]*|\"[^\"]*\"", "", TYPES, flags=re.DOTALL)
    exported = set(re.findall(r"^export (?:interface|type) (\w+)", code, re.MULTILINE))
    used = set(re.findall(r"\b[A-Z]\w+\b", code)) - {"PROTOCOL_VERSION", "LARGEST_MESSAGE"}
    assert used - {"Readonly", "Record"} == exported


# -- The conversation ------------------------------------------------------------------------------


def examples() -> list[Any]:
    """Return the messages on the page."""
    return [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```$", PAGE, re.M | re.S)]


def test_the_example_conversation_is_real() -> None:
    made = [
        msgspec.json.decode(conversation.encoded(said.message))
        for said in conversation.conversation()
    ]
    assert examples() == made
    kinds_shown = [example["type"] for example in examples()]
    wanted = (
        "hello welcome join joined begin update commit done reveal done update play update done"
    )
    assert kinds_shown == wanted.split()


def test_examples_can_be_read() -> None:
    for said, example in zip(conversation.conversation(), examples(), strict=True):
        raw = json.dumps(example).encode()
        if said.sender == "server":
            read = msgspec.json.decode(raw, type=wire.FromServer)
        else:
            read = wire.read(raw)
        assert read == said.message


def test_examples_are_numbered_consecutively() -> None:
    numbers = [example["seq"] for example in examples() if "seq" in example]
    assert numbers == sorted(numbers)


def test_the_deal_of_the_conversation_is_real() -> None:
    """In the example, seal, share, words and cards must belong together."""
    story = conversation.ExampleConversation()
    seal, share = [example for example in examples() if example["type"] in ("commit", "reveal")]
    assert client_commit(seal["match"], 1, bytes.fromhex(share["seed"])).hex() == seal["commit"]
    words = re.search(r"six words: \*(.*?)\*", " ".join(PAGE.split()))
    assert words
    first = int.from_bytes(story.transcript[:8], "big") >> 4
    numbers = [first // 1024**power % 1024 for power in range(5, -1, -1)]
    assert words[1].split() == [word_list()[number] for number in numbers]
    view = examples()[-2]["view"]
    assert sorted(view["hand"]) == sorted(story.deal().hands[1])


# -- The order of notes ----------------------------------------------------------------------------


class Notes:
    """A table of two people, Ada and Ben, at which things happen; `last` are the notes of the last
    step, as they are sent."""

    match = "m"
    shares = ("aa" * 32, "bb" * 32)

    def __init__(self, people: int = 2) -> None:
        options = stichwerk.game("stichling", seats=2, starter=0).options
        settings = wire.Settings()
        self.table = TableState(
            log.TableCreated(
                table="t", salt="s", game="stichling", seats=2, options=options, settings=settings
            )
        )
        for seat in range(2):
            if seat < people:
                self.add(log.PersonJoined(person=f"p{seat}", name="AB"[seat], token="", seat=seat))
            else:
                self.add(log.Seated(seat=seat, level="easy"))

    def add(self, *entries: log.Entries) -> tuple[str, ...]:
        for entry in entries:
            step = self.table.apply(entry).describe(None)
        return tuple(str(note.__struct_config__.tag) for note in step.notes)

    def set_up(self, drawn: int) -> tuple[str, ...]:
        """Let the server draw the shares of this many last seats."""
        seeds = tuple(f"{number:064x}" for number in range(seeds_needed(self.table.setting)))
        shares = (*[None] * (2 - drawn), *self.shares[2 - drawn :])
        return self.add(log.SetUp(match=self.match, server_seeds=seeds, shares=shares))

    def begun(self) -> tuple[str, ...]:
        """Ada and Ben seal and open their shares."""
        self.set_up(0)
        for seat, share in enumerate(self.shares):
            commit = client_commit(self.match, seat, bytes.fromhex(share)).hex()
            self.add(log.ShareSealed(seat=seat, commit=commit))
        return self.add(
            *[log.ShareOpened(seat=seat, seed=share) for seat, share in enumerate(self.shares)]
        )

    def play(self, by: str = "", stop: int = 0) -> tuple[str, ...]:
        """Ada and Ben play until the round has ended, or this many moves."""
        added: tuple[str, ...] = ()
        moves = 0
        while self.table.running and not self.table.running.rounds_over and moves != (stop or -1):
            match = self.table.running.match
            seat = match.waiting_for[0]
            added = self.add(log.MovePlayed(seat=seat, move=match.moves(seat)[0].text, by=by))
            moves += 1
        return added

    def asked(self) -> "Notes":
        """Ada has made the first move, and asks to take it back."""
        self.begun()
        self.play(stop=1)
        self.add(log.TakeBackAsked(seat=0))
        return self


def asked_alone() -> tuple[str, ...]:
    """Ada sits alone with a bot, and asks to take back."""
    notes = Notes()
    notes.begun()
    notes.add(log.BotTookOver(seat=1))
    notes.play(stop=1)
    return notes.add(log.TakeBackAsked(seat=0))


def ends_a_round(by: str, asking: bool) -> tuple[str, ...]:
    """Return the last move of a round, made by someone else or while a take-back is pending."""
    notes = Notes()
    notes.begun()
    added: tuple[str, ...] = ()
    while notes.table.running and not notes.table.running.rounds_over:
        if asking:
            notes.table.ask = TakeBackRequest(0, {1})
        added = notes.play(by, stop=1)
    return added


def drawn_for_the_last() -> tuple[str, ...]:
    """Ada sits with a bot, and her share does not come."""
    notes = Notes(1)
    notes.set_up(1)
    return notes.add(log.ShareDrawn(seat=0, seed=Notes.shares[0]))


NOTED = {
    "the last share is opened": lambda: Notes().begun(),
    "a match is set up, and all shares are the server's": lambda: Notes(0).set_up(2),
    "the server generates the only share that is not its own": drawn_for_the_last,
    "a move made for someone ends a round": lambda: ends_a_round("clock", asking=False),
    "a move is made for someone while a take-back is pending": lambda: (
        Notes().asked().play("clock", stop=1)
    ),
    "a move ends a round while a take-back is pending": lambda: ends_a_round("", asking=True),
    "the same, and the move is made for someone": lambda: ends_a_round("clock", asking=True),
    "the seat that asked for a take-back is vacated": lambda: (
        Notes().asked().add(log.Seated(seat=0, level="easy"))
    ),
    "the last seat that has to agree is vacated": lambda: (
        Notes().asked().add(log.Seated(seat=1, level="easy"))
    ),
    "the last person who has to agree goes away": lambda: (
        Notes().asked().add(log.BotTookOver(seat=1))
    ),
    "someone asks for a take-back, and nobody has to agree": asked_alone,
}


@pytest.mark.parametrize("words", markdown.NOTE_ORDERS)
def test_notes_follow_the_order_of_the_page(words: str) -> None:
    assert NOTED[words]() == markdown.NOTE_ORDERS[words]
    listed = ", ".join(f"`{tag}`" for tag in markdown.NOTE_ORDERS[words])
    assert f"| {words[0].upper()}{words[1:]} | {listed} |" in PAGE


def test_the_conversation_has_the_notes_in_their_order() -> None:
    steps = [step for example in examples() for step in example.get("steps", ())]
    orders = [tuple(note["note"] for note in step["notes"]) for step in steps]
    assert [order for order in orders if len(order) > 1] == [
        markdown.NOTE_ORDERS["the last share is opened"]
    ]


def test_defaults_are_left_out_by_clients_only() -> None:
    hello = wire.Hello(version=1, table="x", lang="de")
    assert json.loads(conversation.encoded(hello)) == {
        **{"type": "hello", "version": 1, "table": "x"},
        "lang": "de",
    }
    refused = wire.Refused(id=None, error="e", text="t")
    assert json.loads(conversation.encoded(refused))["data"] == {}


# -- Limits ----------------------------------------------------------------------------------------


def test_every_limit_is_documented() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| ([\d,.]+) \|", PAGE, re.MULTILINE))
    assert {name: float(figure.replace(",", "")) for name, figure in rows.items()} == (
        msgspec.structs.asdict(Limits())
    )


def test_every_close_code_is_documented() -> None:
    named = [*vars(socket_sessions).items(), *vars(socket_client).items()]
    codes = {code for name, code in named if name.isupper() and isinstance(code, int)}
    ours = {code for code in codes if 1000 <= code < 5000}
    # 1012 is said by uvicorn: `test_serving.py` hears it from a server that stops.
    assert {*ours, 1012} == set(endpoints.CLOSINGS)
    for code, words in endpoints.CLOSINGS.items():
        assert f"| {code} | {words} |" in PAGE


# -- HTTP ------------------------------------------------------------------------------------------

SHAPE = {
    "type": "object",
    "required": ["openapi", "info", "paths", "components"],
    "properties": {
        "openapi": {"const": "3.1.0"},
        "info": {"type": "object", "required": ["title", "version"]},
        "paths": {
            "type": "object",
            "propertyNames": {"pattern": "^/"},
            "additionalProperties": {
                "type": "object",
                "propertyNames": {"enum": ["get", "post"]},
                "additionalProperties": {"$ref": "#/$defs/operation"},
            },
        },
    },
    "$defs": {
        "operation": {
            "type": "object",
            "required": ["operationId", "summary", "responses"],
            "properties": {
                "parameters": {"type": "array", "items": {"$ref": "#/$defs/parameter"}},
                "requestBody": {"$ref": "#/$defs/body"},
                "responses": {
                    "type": "object",
                    "minProperties": 1,
                    "propertyNames": {"pattern": "^[2-5][0-9][0-9]$"},
                    "additionalProperties": {
                        "allOf": [{"$ref": "#/$defs/body"}, {"required": ["description"]}]
                    },
                },
            },
            "additionalProperties": {"type": "string"},
        },
        "parameter": {
            "type": "object",
            "required": ["name", "in", "schema"],
            "if": {"properties": {"in": {"const": "path"}}},
            "then": {"required": ["required"], "properties": {"required": {"const": True}}},
            "else": {"properties": {"in": {"const": "query"}}},
        },
        "body": {
            "type": "object",
            "required": ["content"],
            "properties": {
                "content": {
                    "type": "object",
                    "minProperties": 1,
                    "additionalProperties": {"type": "object", "required": ["schema"]},
                }
            },
        },
    },
}


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method.upper(), path, operation)
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
    ]


def references(value: object) -> Iterator[str]:
    """Yield every reference in the document."""
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from references(part)


def validator(name: str) -> Any:
    """Checks values against a schema of the document."""
    return jsonschema.Draft202012Validator({**DOCUMENT, "$ref": f"#/components/schemas/{name}"})


def test_the_document_has_the_right_shape() -> None:
    jsonschema.Draft202012Validator(SHAPE).validate(DOCUMENT)
    ids = [operation["operationId"] for _, _, operation in operations()]
    assert len(set(ids)) == len(ids)


def test_references_lead_somewhere() -> None:
    found = set(references(DOCUMENT))
    assert len(found) > 20
    for reference in found:
        place: Any = DOCUMENT
        for step in reference.removeprefix("#/").split("/"):
            assert step in place, reference
            place = place[step]


@pytest.mark.parametrize("name", DOCUMENT["components"]["schemas"])
def test_schemas_are_schemas(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(DOCUMENT["components"]["schemas"][name])


@every_endpoint
def test_every_endpoint_is_described(endpoint: endpoints.Endpoint) -> None:
    operation = DOCUMENT["paths"][endpoint.path][endpoint.method.lower()]
    assert list(operation["responses"]) == [str(endpoint.status), *map(str, endpoint.refusals)]
    assert ("requestBody" in operation) == (endpoint.method == "POST")
    in_path = [one["name"] for one in operation.get("parameters", []) if one["in"] == "path"]
    assert in_path == re.findall(r"{(\w+)}", endpoint.path)
    assert f"### {endpoint.method} {endpoint.path}\n\n{endpoint.summary}" in PAGE


def test_nothing_else_is_described() -> None:
    documented = [(method, path) for method, path, _ in operations()]
    assert documented == [(endpoint.method, endpoint.path) for endpoint in endpoints.ENDPOINTS]


def test_promised_endpoints_exist() -> None:
    found = {(one.method, one.path): one for one in endpoints.ENDPOINTS}
    create = found["POST", "/api/tables"]
    assert (create.asks, create.answers, create.status) == (wire.NewTable, wire.TableMade, 201)
    assert {400, 413, 429, 503} <= set(create.refusals)
    assert found["GET", "/api/health"].refusals[503] is wire.Health
    assert found["GET", "/api/matches/{id}"].refusals[404] is wire.Problem


VALUES: list[tuple[str, msgspec.Struct]] = [
    ("NewTable", wire.NewTable(game="stichling", name="Anna", options={"sheets": ["Red 0"]})),
    ("NewFork", wire.NewFork(name="Anna", seat=0, moves=12)),
    ("Problem", wire.Problem(error="e", text="t", data={"most": 3, "why": None})),
    ("Health", wire.Health(status="storage")),
    ("Bots", wire.Bots(bots=(wire.BotInfo(name="tree", version=1, level=False),))),
]


@pytest.mark.parametrize(("name", "value"), VALUES, ids=[name for name, _ in VALUES])
def test_values_fit_their_schema(name: str, value: msgspec.Struct) -> None:
    validator(name).validate(json.loads(msgspec.json.encode(value)))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NewTable", {"name": "Anna"}),
        ("NewTable", {"game": "stichling", "name": "Anna", "seats": 7}),
        ("NewTable", {"game": "stichling", "name": "Anna", "colour": "red"}),
        ("NewTable", {"game": "stichling", "name": "Anna", "settings": {"level": "divine"}}),
        ("Health", {"status": "fine"}),
        ("Record", {"format": "stichwerk-game/1"}),
    ],
)
def test_wrong_values_do_not_fit_their_schema(name: str, value: object) -> None:
    assert not validator(name).is_valid(value)


def test_records_fit_their_schema() -> None:
    lines = GOLDEN[0].read_text("utf-8").splitlines()
    record = json.loads(lines[0] if GOLDEN[0].suffix == ".jsonl" else "\n".join(lines))
    validator("Record").validate(record)
