"""The HTTP API as an OpenAPI document, `docs/openapi.json`."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec

from stichwerk import __version__
from stichwerk.server import wire
from stichwerk.server.protocol_generator.endpoints import (
    ENDPOINTS,
    STATUSES,
    Endpoint,
    Struct,
    responses,
)
from stichwerk.server.protocol_generator.schema import answered, asked, reachable
from stichwerk.server.protocol_generator.wording import paragraphs

Json = dict[str, Any]

RECORD_SCHEMA = Path(__file__).parents[2] / "schema" / "stichwerk-game-1.json"


@cache
def openapi() -> Json:
    """Return the HTTP API as an OpenAPI document; cached, so do not modify it."""
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
    """Return the schemas of all structs of the API, and of records."""
    _, components = msgspec.json.schema_components(
        [*asked(), *answered()],
        schema_hook=lambda kind: {"description": "Anything."},
        ref_template="#/components/schemas/{name}",
    )
    for struct in reachable([*asked(), *answered()]):
        components[struct.__name__]["description"] = "\n\n".join(paragraphs(struct))
    return {**components, "Record": record_schema()}


def record_schema() -> Json:
    """Return the schema of records, embedded in this document: few tools follow a nested `$id`."""
    text = RECORD_SCHEMA.read_text("utf-8").replace(
        '"#/$defs/', '"#/components/schemas/Record/$defs/'
    )
    return {key: part for key, part in json.loads(text).items() if key not in ("$id", "$schema")}


def operation(endpoint: Endpoint) -> Json:
    """Return one endpoint."""
    described: Json = {"operationId": endpoint.name, "summary": endpoint.summary}
    if parameters := list(parameters_of(endpoint)):
        described["parameters"] = parameters
    if endpoint.asks:
        described["requestBody"] = {"required": True, "content": content(endpoint.asks)}
    described["responses"] = {
        str(status): {"description": STATUSES[status], "content": content(answer)}
        for status, answer in responses(endpoint).items()
    }
    return described


def parameters_of(endpoint: Endpoint) -> Iterator[Json]:
    """Yield the path and query parameters."""
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
    """Return a body by its media type."""
    if answer == "text":
        return {"text/plain": {"schema": {"type": "string"}}}
    if answer == "svg":
        return {"image/svg+xml": {"schema": {"type": "string"}}}
    if answer == "json":
        return {"application/json": {"schema": {"type": "object"}}}
    name = answer if isinstance(answer, str) else answer.__name__
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
