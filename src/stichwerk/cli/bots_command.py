"""`stichwerk bots`: the bots there are."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from stichwerk import locale
from stichwerk.cli.click_extensions import LocalizedCommand, everywhere, flag, say
from stichwerk.locale import signs

if TYPE_CHECKING:
    from stichwerk.bots import BadBotError, Listing


@click.command(cls=LocalizedCommand, help="help-bots")
@flag("--json", "as_json", is_flag=True, help="flag-json")
@everywhere
def bots(as_json: bool) -> None:
    """List the bots; a broken one of another package is reported, the rest is listed."""
    from stichwerk.bots import BadBotError
    from stichwerk.bots.hosting import listings

    found = list(listings())
    facts = [bot_facts(listing) for listing in found if not isinstance(listing, BadBotError)]
    broken = [listing for listing in found if isinstance(listing, BadBotError)]
    if as_json:
        listed = [*facts, *map(broken_bot_facts, broken)]
        click.echo(json.dumps(listed, ensure_ascii=False))
    else:
        signs.echo("\n".join(bot_table(facts)))
    for error in broken:
        signs.echo(say(error.id, **error.data), err=True)


def bot_facts(listing: "Listing") -> dict[str, object]:
    """Return the facts about a bot. A package describes its own bot, in any language."""
    words = listing.summary if listing.package else say(listing.description)
    return {
        "name": listing.name,
        "version": listing.version,
        "kind": listing.kind,
        "iterations": listing.iterations,
        "package": listing.package,
        "description": locale.one_line(words),
        "problem": None,
    }


def broken_bot_facts(error: "BadBotError") -> dict[str, object]:
    """Return the facts about a bot that cannot be used."""
    return {
        "name": error.data["bot"],
        "version": None,
        "kind": "package",
        "iterations": None,
        "package": error.data.get("package", error.data.get("packages")),
        "description": "",
        "problem": {"id": error.id, "text": say(error.id, **error.data)},
    }


def bot_table(facts: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """Yield one bot per line: its name, its kind, where it comes from, what it does."""
    from stichwerk.bots import KINDS

    rows = [("program:…", "", say("from-outside"), say("bot-program"))]
    for fact in reversed(facts):
        name = f"{fact['name']}-{fact['version']}{'[@N]' if fact['iterations'] else ''}"
        origin = fact["package"] or say("built-in")
        rows.insert(0, (name, say(KINDS[str(fact["kind"])]), str(origin), str(fact["description"])))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:3], widths, strict=True)]
        yield "  ".join([*cells, row[3]]).rstrip()
