"""The packages Stichwerk depends on, their versions and licences.

Python packages are described by their own metadata; the page carries a list of the npm packages
whose code or typefaces are in it, with the notices their licences ask us to pass on.
"""

import ast
import operator
import os
import platform
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from stichwerk.errors import BadOptionError, StichwerkError

OURSELVES = "stichwerk"
NOTICES = Path(__file__).parent / "web/notices.json"
LONGEST_NAME = 60
"""A longer text in the field of the licence's name is the licence itself."""

Use = Literal["run", "extra", "page"]


class NotInstalledError(StichwerkError):
    """Stichwerk runs from a bare folder, so nothing says what it needs."""


class Part(msgspec.Struct, frozen=True):
    """A third-party package: what it is for, its installed version, its licence."""

    name: str
    use: Use
    version: str | None = None
    """None: not installed."""
    licence: str | None = None
    """None: unknown."""
    needed_by: tuple[str, ...] = ()
    """Packages that require it, or our extras."""


class LicenceNotice(msgspec.Struct, frozen=True):
    """A package in the built page, and the text its licence asks to pass on."""

    name: str
    version: str
    licence: str
    text: str


class Requirement(NamedTuple):
    """A requirement: a package with some of its extras."""

    name: str
    extras: frozenset[str]


def parts(extras: tuple[str, ...] = ()) -> list[Part]:
    """Return what the run time needs, then what these extras add, then what is in the page."""
    for extra in extras:
        check_extra(extra)
    run = reached(Requirement(OURSELVES, frozenset()))
    more = reached(Requirement(OURSELVES, frozenset(map(plain_name, extras))))
    run_parts = [described(name, "run", by) for name, by in sorted(run.items())]
    more_parts = [described(name, "extra", by) for name, by in sorted(more.items())]
    page = [Part(found.name, "page", found.version, found.licence) for found in notices()]
    return [*run_parts, *(part for part in more_parts if plain_name(part.name) not in run), *page]


def unknown(found: list[Part]) -> list[Part]:
    """Return installed packages that do not state a licence."""
    return [part for part in found if part.version is not None and part.licence is None]


def notices() -> list[LicenceNotice]:
    """Return the npm packages whose code or typefaces are in the page."""
    return msgspec.json.decode(NOTICES.read_bytes(), type=list[LicenceNotice])


# -- What needs what -------------------------------------------------------------------------------


def extras_offered() -> list[str]:
    """Return our extras, by name."""
    return sorted(ourselves().metadata.get_all("Provides-Extra") or [])


def check_extra(extra: str) -> None:
    """Refuse an extra we do not have."""
    if plain_name(extra) not in extras_offered():
        raise BadOptionError("no-such-extra", extra=extra, known=", ".join(extras_offered()))


def ourselves() -> Distribution:
    """Return our own metadata."""
    try:
        return distribution(OURSELVES)
    except PackageNotFoundError:
        raise NotInstalledError("not-installed") from None


def reached(start: Requirement) -> dict[str, set[str]]:
    """Return every package that these requirements lead to, by name, with those that need it."""
    ourselves()
    found: dict[str, set[str]] = {}
    seen: set[Requirement] = set()
    waiting = [start]
    while waiting:
        requirement = waiting.pop()
        if requirement in seen:
            continue
        seen.add(requirement)
        for needed in requirements(requirement):
            if needed.name != OURSELVES:
                found.setdefault(needed.name, set()).add(requirement.name)
            waiting.append(needed)
    return found


def requirements(requirement: Requirement) -> Iterator[Requirement]:
    """Yield what a package requires on this machine; nothing if it is not installed."""
    try:
        lines = distribution(requirement.name).requires or []
    except PackageNotFoundError:
        return
    for line in lines:
        text, _, marker = line.partition(";")
        if any(holds(marker, extra) for extra in ("", *requirement.extras)):
            yield read_requirement(text)


def read_requirement(requirement: str) -> Requirement:
    """Parse a requirement: `uvicorn[standard]>=0.34` is uvicorn with one extra."""
    found = re.match(r"\s*([\w.-]+)\s*(?:\[([^\]]*)\])?", requirement)
    assert found, requirement
    extras = [plain_name(extra) for extra in (found[2] or "").split(",") if extra.strip()]
    return Requirement(plain_name(found[1]), frozenset(extras))


def plain_name(name: str) -> str:
    """Normalise dashes, dots and capitals of a name."""
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


# -- Conditions of requirements --------------------------------------------------------------------


def holds(marker: str, extra: str) -> bool:
    """Return whether a condition such as `python_version < "3.13" and extra == "dev"` is met."""
    if not marker.strip():
        return True
    try:
        return judge(ast.parse(marker.strip(), mode="eval").body, environment() | {"extra": extra})
    except SyntaxError:  # `~=` is not Python: rather list a package too many than one too few
        return True


def environment() -> dict[str, str]:
    """Return the facts about this machine that conditions may use."""
    return {
        "implementation_name": sys.implementation.name,
        "implementation_version": platform.python_version(),
        "os_name": os.name,
        "platform_machine": platform.machine(),
        "platform_python_implementation": platform.python_implementation(),
        "platform_release": platform.release(),
        "platform_system": platform.system(),
        "platform_version": platform.version(),
        "python_full_version": platform.python_version(),
        "python_version": ".".join(map(str, sys.version_info[:2])),
        "sys_platform": sys.platform,
    }


def judge(node: ast.expr, facts: Mapping[str, str]) -> bool:
    """Evaluate a condition of ands, ors and comparisons."""
    if isinstance(node, ast.BoolOp):
        together = all if isinstance(node.op, ast.And) else any
        return together([judge(value, facts) for value in node.values])
    if isinstance(node, ast.Compare):
        left, right = value_of(node.left, facts), value_of(node.comparators[0], facts)
        return compared(type(node.ops[0]), left, right)
    return True


def value_of(node: ast.expr, facts: Mapping[str, str]) -> str:
    """Return a literal, or the fact of that name."""
    if isinstance(node, ast.Name):
        return facts.get(node.id, "")
    return str(ast.literal_eval(node))


COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def compared(sign: type[ast.cmpop], left: str, right: str) -> bool:
    """Compare versions by their numbers, everything else as text."""
    if sign in (ast.In, ast.NotIn):
        return (left in right) == (sign is ast.In)
    if all(re.match(r"\d+(\.\d+)*", text) for text in (left, right)):
        return COMPARISONS[sign](numbers(left), numbers(right))
    return COMPARISONS[sign](left, right)


def numbers(version: str) -> list[int]:
    """Parse `3.11.7` as 3, 11, 7, and `3.11.0` as 3, 11: it is the same version as `3.11`."""
    found = [int(part) for part in re.findall(r"\d+", version)]
    while found and found[-1] == 0:
        found.pop()
    return found


# -- What a package says about itself --------------------------------------------------------------


def described(name: str, use: Use, needed_by: set[str]) -> Part:
    """Return a package as it is installed here, or that it is not."""
    asking = tuple(sorted(needed_by))
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return Part(name, use, needed_by=asking)
    return Part(found.metadata["Name"], use, found.version, licence_of(found), asking)


def licence_of(found: Distribution) -> str | None:
    """Return the licence by expression, else by name, else by classifiers."""
    metadata = found.metadata
    named = [*(metadata.get_all("License-Expression") or []), *(metadata.get_all("License") or [])]
    for name in map(str.strip, named):
        if name and name.upper() != "UNKNOWN" and "\n" not in name and len(name) <= LONGEST_NAME:
            return name
    classifiers = metadata.get_all("Classifier") or []
    names = [line.rpartition(" :: ")[2] for line in classifiers if line.startswith("License :: ")]
    return ", ".join(name for name in names if name != "OSI Approved") or None
