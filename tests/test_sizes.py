"""Modules and functions stay short enough to be read in one go."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
CODE = ("src", "tools", "tests", "examples")
MOST_LINES = 600  # of a module
MOST_FUNCTION_LINES = 60  # from its `def` on
REASON = "Long because "  # in the docstring of a module that may be longer


def modules(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def has_reason(module: ast.Module) -> bool:
    return REASON in (ast.get_docstring(module) or "")


def functions(body: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    """Yield the functions in these statements with their lines, methods and inner ones included."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1
        if not isinstance(node, ast.expr):  # no function stands in an expression
            yield from functions(ast.iter_child_nodes(node))


def test_no_module_is_too_long_without_a_reason() -> None:
    sources = {path: path.read_text("utf-8") for path in modules(*CODE)}
    found = {
        str(path.relative_to(ROOT))
        for path, source in sources.items()
        if len(source.splitlines()) > MOST_LINES and not has_reason(ast.parse(source))
    }
    assert not found, f"split it, or begin a paragraph with {REASON!r}"


def test_no_function_is_too_long() -> None:
    found = {}
    for path in modules(*CODE):
        for name, lines in functions(ast.parse(path.read_text("utf-8")).body):
            if lines > MOST_FUNCTION_LINES:
                found[f"{path.relative_to(ROOT)}::{name}"] = lines
    assert found == {}


def test_a_reason_stands_in_the_docstring_of_the_module() -> None:
    assert has_reason(ast.parse('"""A table.\n\nLong because each row is a rule.\n"""'))
    assert not has_reason(ast.parse('"""A table."""\n# Long because nobody looked.\n'))


def test_inner_functions_and_methods_are_counted() -> None:
    source = "class A:\n @cache\n def f(self):\n  if self:\n   def g():\n    pass\n"
    assert dict(functions(ast.parse(source).body)) == {"f": 4, "g": 2}
