"""The conversation, the order of notes, limits and HTTP: the protocol's page says what is sent."""

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import msgspec
import pytest

from stichwerk.fairness import client_commit
from stichwerk.hash_words import word_list
from stichwerk.server import wire
from stichwerk.server.network import socket_client, socket_sessions
from stichwerk.server.network.limits import Limits
from stichwerk.server.protocol_generator import (
    conversation,
    endpoints,
    markdown,
)
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.table_people import TakeBackRequest
from tests.server.protocol_files import OPENAPI, PAGE, ROOT, Notes

GOLDEN = sorted((ROOT / "tests/golden").rglob("*.json*"))

DOCUMENT: dict[str, Any] = json.loads(OPENAPI)

every_endpoint = pytest.mark.parametrize(
    "endpoint", endpoints.ENDPOINTS, ids=lambda endpoint: endpoint.name
)


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
    """Return a function that checks values against a schema of the document."""
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
