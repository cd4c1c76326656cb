"""The command that lists the packages we depend on, and their licences."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click
import msgspec

from stichwerk.cli.click_extensions import LocalizedCommand, everywhere, flag, say
from stichwerk.locale import signs

if TYPE_CHECKING:
    from stichwerk.licences import Part

UNKNOWN_LICENCE = 1  # exit code


@click.command(cls=LocalizedCommand, help="help-licences")
@flag("--extra", "extras", multiple=True, metavar="NAME", help="flag-extra")
@flag("--notices", "with_notices", is_flag=True, help="flag-notices")
@flag("--json", "as_json", is_flag=True, help="flag-json")
@everywhere
def licences(extras: Sequence[str], with_notices: bool, as_json: bool) -> int:
    """List every installed package, its version and its licence."""
    from stichwerk.licences import notices, parts, unknown

    if with_notices:
        for notice in notices():
            signs.echo(f"{notice.name} {notice.version} ({notice.licence})\n\n{notice.text}\n")
        return 0
    found = parts(tuple(extras))
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    else:
        for line in table(found):
            signs.echo(line)
        signs.echo(say("licences-own"))
    return UNKNOWN_LICENCE if unknown(found) else 0


def table(found: "Sequence[Part]") -> Iterator[str]:
    """Yield one package per line: name, version, licence, what for."""
    rows = [tuple(map(say, ("part-name", "part-version", "part-licence", "part-use")))]
    rows += [(part.name, version(part), licence(part), use(part)) for part in found]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:3], widths, strict=True)]
        yield "  ".join([*cells, row[3]]).rstrip()


def version(part: "Part") -> str:
    return part.version or say("part-not-installed")


def licence(part: "Part") -> str:
    """Return the licence; unknown is fine for a package that is not installed."""
    return "" if part.version is None else part.licence or say("part-licence-unknown")


def use(part: "Part") -> str:
    """Return what it is used for, and what requires it."""
    words = {"run": "part-runs", "extra": "part-of-extra", "page": "part-of-page"}
    return say(words[part.use], by=", ".join(part.needed_by))
