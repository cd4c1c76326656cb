"""The library reference: signatures and docstrings below the headings that name something."""

import ast
import re

import pytest

from tests.doc_pages import ROOT
from tools.api_pages import UnknownNameError, documented, signature, with_signatures
from tools.site import pages

MATCH_PAGE = "### `stichwerk.match.Match`\n\n<!-- members: over, play -->\n\nMore.\n"


def test_a_heading_gets_signature_docstring_and_types() -> None:
    page = "## Text\n\n### `stichwerk.view.sample`\n\nMore.\n"
    addresses = {"View": "reference/view.md#stichwerk.view.View", "sample": "x.md#y"}
    assert with_signatures(page, "reference/other.md", addresses) == (
        '## Text\n\n<a id="stichwerk.view.sample"></a>\n\n### `stichwerk.view.sample`\n\n'
        "```python\nsample(view: View, generator: Generator) -> State\n```\n\n"
        "Return a complete state that looks exactly like this view: a uniformly drawn deal that\n"
        "fits.\n\nTypes: [`View`](view.md#stichwerk.view.View)\n\nMore.\n"
    )


def test_only_the_chosen_members_of_a_class_are_listed() -> None:
    text = with_signatures(MATCH_PAGE, "x.md", {})
    assert re.findall(r"^#### `(\w+)`$", text, re.MULTILINE) == ["over", "play"]
    assert "```python\nover: bool\n```" in text
    assert "members:" not in text
    none = with_signatures(MATCH_PAGE.replace("over, play", "none"), "x.md", {})
    assert "####" not in none


def test_members_of_compiled_and_of_base_classes_are_found() -> None:
    page = "### `stichwerk.engine.frame.Game`\n\n<!-- members: may_play -->\n"
    assert "may_play(state: State, seat: int) -> int" in with_signatures(page, "x.md", {})


@pytest.mark.parametrize(
    "page",
    [
        "### `stichwerk.match.Gone`\n",
        "### `stichwerk.gone.Match`\n",
        MATCH_PAGE.replace("over", "gone"),
    ],
)
def test_an_unknown_name_is_an_error(page: str) -> None:
    with pytest.raises(UnknownNameError, match=r"gone|Gone"):
        with_signatures(page, "x.md", {})


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(a, /, b: int = 1, *c: str, d, **e): ...", "f(a, /, b: int = 1, *c: str, d, **e)"),
        ("def f(self, *, a=2) -> 'View': ...", "f(*, a=2) -> View"),
        ("class C: ...", "class C"),
        ("class C(B):\n x: int\n 'Why.'\n _y: int", "class C(B):\n    # Why.\n    x: int"),
        ("class C(B):\n def __init__(self, x: int): ...", "C(x: int)"),
        (f"def f({'a' * 50}, {'b' * 50}): ...", f"f(\n    {'a' * 50},\n    {'b' * 50},\n)"),
    ],
)
def test_signatures_are_written_as_in_the_source(source: str, expected: str) -> None:
    [node] = ast.parse(source).body
    assert isinstance(node, ast.FunctionDef | ast.ClassDef)
    assert signature(node) == expected


def test_every_page_of_the_reference_is_plain_markdown() -> None:
    for path in sorted((ROOT / "docs/reference").glob("*.md")):
        assert ":::" not in path.read_text("utf-8"), path.name


def test_every_documented_name_has_a_docstring_on_the_site() -> None:
    written = pages()
    names = documented(written)
    assert {"Match", "View", "Bot", "Record", "check_game"} <= names.keys()
    for address in names.values():
        uri, _, name = address.partition("#")
        entry = written[uri].partition(f'<a id="{name}"></a>')[2]
        assert re.match(
            rf"\n\n### `{re.escape(name)}`\n\n```python\n.+?\n```\n\n\w", entry, re.DOTALL
        ), name
