"""The library reference as plain Markdown, from signatures and docstrings in the source.

A heading that is only a dotted name in backticks, such as "### `stichwerk.match.Match`", gets the
signature and the docstring of that name, and a class its public members one level below. A comment
in the next paragraph chooses other members: `<!-- members: play, view -->` or
`<!-- members: none -->`. Everything is read with `ast`, as compiled modules keep no signatures.
"""

import ast
import inspect
import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

SOURCES = Path(__file__).parents[1] / "src"
HEADING = re.compile(
    r"^(?P<marks>#+) `(?P<name>stichwerk(?:\.\w+)+)`$"
    r"(?:\n\n<!-- members: (?P<members>[\w, ]+) -->$)?",
    re.MULTILINE,
)
WIDTH = 88
Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


class FoundDefinition(NamedTuple):
    """A definition and the module it is in."""

    module: str
    node: Definition


class UnknownNameError(Exception):
    """A page names something that the source does not define."""


def documented(pages: Mapping[str, str]) -> dict[str, str]:
    """Return the address of every documented function and class, by the last part of its name."""
    return {
        name["name"].rpartition(".")[2]: f"{uri}#{name['name']}"
        for uri, text in pages.items()
        for name in HEADING.finditer(text)
    }


def with_signatures(text: str, uri: str, addresses: Mapping[str, str]) -> str:
    """Return a page with signatures and docstrings below the headings that name something."""

    def described(heading: re.Match[str]) -> str:
        return "\n\n".join(entry(heading, uri, addresses))

    return HEADING.sub(described, text)


def entry(heading: re.Match[str], uri: str, addresses: Mapping[str, str]) -> Iterator[str]:
    """Yield the paragraphs about a name and its members."""
    name, marks, chosen = heading["name"], heading["marks"], heading["members"]
    found = find(name)
    yield from headed(name, f"{marks} `{name}`", found.node)
    types = sorted(named_types(found.node) & addresses.keys() - {name.rpartition(".")[2]})
    if types:
        folder = posixpath.dirname(uri) or "."
        links = [f"[`{one}`]({posixpath.relpath(addresses[one], folder)})" for one in types]
        yield f"Types: {', '.join(links)}"
    if isinstance(found.node, ast.ClassDef):
        for member in members(found, chosen):
            yield from headed(f"{name}.{member.name}", f"{marks}# `{member.name}`", member)


def headed(anchor: str, heading: str, node: Definition) -> Iterator[str]:
    """Yield anchor, heading, signature and docstring of one definition."""
    yield f'<a id="{anchor}"></a>'
    yield heading
    yield f"```python\n{signature(node)}\n```"
    docstring = ast.get_docstring(node)
    if docstring:
        yield docstring


# -- Finding definitions ---------------------------------------------------------------------------


def find(name: str) -> FoundDefinition:
    """Return the definition of a dotted name, through the imports of packages."""
    module, _, last = name.rpartition(".")
    for node in statements(module):
        if isinstance(node, Definition) and node.name == last:
            return FoundDefinition(module, node)
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if (alias.asname or alias.name) == last:
                    return find(f"{node.module}.{alias.name}")
    raise UnknownNameError(name)


def statements(module: str) -> Iterator[ast.stmt]:
    """Yield the statements at the top of a module, those inside `if` and `try` too."""
    stem = SOURCES.joinpath(*module.split("."))
    path = next((p for p in (stem / "__init__.py", stem.with_suffix(".py")) if p.is_file()), None)
    if path is None:
        raise UnknownNameError(module)
    waiting = list(reversed(parsed(path.read_text("utf-8")).body))
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.If | ast.Try):
            waiting += reversed([*node.body, *node.orelse])


@lru_cache(maxsize=256)
def parsed(source: str) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(source)


def members(found: FoundDefinition, chosen: str | None) -> Iterator[Function]:
    """Yield the chosen members of a class, inherited ones too; by default its own public ones."""
    if chosen == "none":
        return
    if chosen is None:
        yield from (node for node in functions(found) if is_public(node))
        return
    known: dict[str, Function] = {}
    for node in inherited(found):
        known.setdefault(node.name, node)
    for name in re.split(r",\s*", chosen):
        if name not in known:
            raise UnknownNameError(f"{found.module}.{found.node.name}.{name}")
        yield known[name]


def is_public(node: Function) -> bool:
    """Return whether a method is documented and not private."""
    return not node.name.startswith("_") and ast.get_docstring(node) is not None


def functions(found: FoundDefinition) -> Iterator[Function]:
    """Yield the functions of a class; a setter or overload after the first is left out."""
    seen: set[str] = set()
    for node in found.node.body:
        if isinstance(node, Function) and node.name not in seen:
            seen.add(node.name)
            yield node


def inherited(found: FoundDefinition) -> Iterator[Function]:
    """Yield the functions of a class, then those of its bases in this library."""
    yield from functions(found)
    for base in found.node.bases if isinstance(found.node, ast.ClassDef) else ():
        try:
            above = find(f"{found.module}.{ast.unparse(base).partition('[')[0]}")
        except UnknownNameError:
            continue  # from another package
        yield from inherited(above)


# -- Writing signatures ----------------------------------------------------------------------------


def signature(node: Definition) -> str:
    """Return a definition without its body: a function, a property, or a class with its fields."""
    if isinstance(node, ast.ClassDef):
        return class_signature(node)
    if is_property(node):
        return f"{node.name}: {annotation(node.returns)}"
    return call(node.name, node.args, node.returns)


def class_signature(node: ast.ClassDef) -> str:
    """Return how a class is called if it has `__init__`; otherwise its fields."""
    made = next(
        (one for one in node.body if isinstance(one, Function) and one.name == "__init__"), None
    )
    if made is not None:
        return call(node.name, made.args, None)
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    fields = list(field_lines(node))
    top = f"class {node.name}({bases})" if bases else f"class {node.name}"
    return "\n".join([f"{top}:", *fields]) if fields else top


def field_lines(node: ast.ClassDef) -> Iterator[str]:
    """Yield the public fields of a class, each after what its docstring says."""
    for field, following in pairwise([*node.body, ast.Pass()]):
        if isinstance(field, ast.AnnAssign) and not ast.unparse(field.target).startswith("_"):
            for line in docstring_lines(following):
                yield f"    # {line}"
            yield f"    {ast.unparse(field)}"


def docstring_lines(node: ast.stmt) -> list[str]:
    """Return the lines of a text that stands alone."""
    match node:
        case ast.Expr(ast.Constant(str(text))):
            return inspect.cleandoc(text).splitlines()
    return []


def is_property(node: Function) -> bool:
    """Return whether a method is read like an attribute."""
    names = {ast.unparse(one).rpartition(".")[2] for one in node.decorator_list}
    return bool(names & {"property", "cached_property"})


def call(name: str, args: ast.arguments, returns: ast.expr | None) -> str:
    """Return a function with its parameters, on one line where they fit."""
    parts = list(parameters(args))
    parts = parts[1:] if parts[:1] in (["self"], ["cls"]) else parts
    end = f" -> {annotation(returns)}" if returns else ""
    line = f"{name}({', '.join(parts)}){end}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){end}"])


def parameters(args: ast.arguments) -> Iterator[str]:
    """Yield every parameter with its type and its default, and the marks `/` and `*`."""
    positional = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(positional) - len(args.defaults)) + list(args.defaults)
    for index, (arg, default) in enumerate(zip(positional, defaults, strict=True)):
        yield parameter(arg, default)
        if index + 1 == len(args.posonlyargs):
            yield "/"
    if args.vararg:
        yield f"*{parameter(args.vararg, None)}"
    elif args.kwonlyargs:
        yield "*"
    for arg, given in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        yield parameter(arg, given)
    if args.kwarg:
        yield f"**{parameter(args.kwarg, None)}"


def parameter(arg: ast.arg, default: ast.expr | None) -> str:
    """Return one parameter."""
    typed = f"{arg.arg}: {annotation(arg.annotation)}" if arg.annotation else arg.arg
    if default is None:
        return typed
    return (
        f"{typed} = {ast.unparse(default)}" if arg.annotation else f"{typed}={ast.unparse(default)}"
    )


def annotation(node: ast.expr | None) -> str:
    """Return a type; one written as a text without its quotes."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return ast.unparse(node) if node else "object"


def named_types(node: Definition) -> set[str]:
    """Return the classes that a signature names."""
    return set(re.findall(r"\b[A-Z]\w+", signature(node)))
