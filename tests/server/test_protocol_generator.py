"""The protocol's files: up to date, complete, and true to what is really sent."""

import re
from pathlib import Path
from typing import Annotated

import msgspec
import pytest
from msgspec import Meta
from msgspec import inspect as kinds

from stichwerk import story
from stichwerk.engine.events import MoveParts
from stichwerk.games.events import KINDS
from stichwerk.outlook import structs
from stichwerk.server import wire
from stichwerk.server.protocol_generator import (
    files,
    markdown,
    paths,
    schema,
    typescript,
    wording,
)
from stichwerk.view import Trick, View
from tests.server.protocol_files import MADE, PAGE, ROOT, TYPES

BASES = {wire.Incoming, wire.Outgoing, wire.Note}

STRUCTS = list(
    dict.fromkeys(
        kind
        for module in (wire, structs, story)
        for kind in (*vars(module).values(), *KINDS)
        if isinstance(kind, type)
        and issubclass(kind, msgspec.Struct)
        and kind not in {*BASES, msgspec.Struct}
    )
)


every_struct = pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)


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
    assert set(schema.everything()) == {*STRUCTS, View, Trick, MoveParts}


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
    """By clients what has a default, by the server nothing, except in events and parts of moves."""
    assert "readonly seat?: number | null;" in interface("Join")
    assert "readonly settings?: SettingsSent | null;" in interface("Change")
    assert "readonly clock?: number | null;" in interface("SettingsSent")
    assert "readonly clock: number | null;" in interface("Settings")
    assert "readonly seat?: number | null;" in interface("TrickTaken")
    assert "readonly seat: number;" in interface("CardPlayed")
    assert "readonly cards?: readonly string[];" in interface("MoveParts")
    for struct in schema.received() - {*KINDS, MoveParts}:
        assert "?:" not in interface(struct.__name__)


def test_braces_and_comments_close() -> None:
    assert TYPES.count("{\n") == TYPES.count("\n}\n")
    assert TYPES.count("/**") == TYPES.count("*/")
    assert f"export const PROTOCOL_VERSION = {wire.VERSION};" in TYPES


def test_every_type_that_is_named_is_exported() -> None:
    code = re.sub(r"/\*\*.*?\*/|//[^\n]*|\"[^\"]*\"", "", TYPES, flags=re.DOTALL)
    exported = set(re.findall(r"^export (?:interface|type) (\w+)", code, re.MULTILINE))
    used = set(re.findall(r"\b[A-Z]\w+\b", code)) - {
        "PROTOCOL_VERSION",
        "LARGEST_MESSAGE",
        "SETTLING",
    }
    assert used - {"Readonly", "Record"} == exported
