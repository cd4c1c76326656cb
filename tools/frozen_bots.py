"""Pin moves where there are no pins yet, of a new bot or game: `python -m tools.frozen_bots`.

Pins stay: a bot that plays another move is another version. Each bot is asked at the 160
decisions of `stichwerk positions` and at some of a match with each calendar sheet.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import stichwerk
from stichwerk import bots
from stichwerk.arena.positions.command import GAMES
from stichwerk.arena.positions.decisions import decisions_with_views
from stichwerk.bots.registry import BUILT_IN
from stichwerk.engine.generator import Generator
from stichwerk.games.stichtag.calendar import SHEETS, SHEETS_OF, VERSIONS
from stichwerk.match import Setting
from stichwerk.view import View

FILE = Path(__file__).parents[1] / "tests/frozen/moves.json"
SEED = 7
SEATS = 4  # of the matches with a sheet
EVERY = 11  # decisions of such a match between two that are asked
MOST = 6  # decisions of one such match
ITERATIONS = {
    "chooser": 200,
    "flat": 40,
    "tree": 100,
    "ismcts": 100,
    "master": 40,
    "grandmaster": 40,
}
SLOW = {"expert"}  # asked at every fourth decision

Moves = dict[str, dict[str, list[str]]]


def names() -> list[str]:
    """Return every version of every built-in bot; those that search, with few iterations."""
    return [
        one.full_name + (f"@{ITERATIONS[one.name]}" if one.name in ITERATIONS else "")
        for one in BUILT_IN
    ]


@cache
def asked() -> dict[str, list[View]]:
    """Return the decisions, by game or sheet."""
    found = {game: [view for _, view in decisions_with_views(game)] for game in GAMES}
    for version in VERSIONS:  # new ones last: a bot draws its random numbers in this order
        for name in SHEETS:
            if version == 1 or SHEETS[name] is not SHEETS_OF[1][name]:
                found[pin_name(name, version)] = list(on_the_way(alone(name, version)))
    return found


def alone(sheet: str, version: int) -> Setting:
    """Return the setting with this sheet alone."""
    return stichwerk.game("stichtag", SEATS, rules=version, sheets=[sheet])


def pin_name(sheet: str, version: int) -> str:
    """Return the name of the pins of a sheet; those of rules version 1 came first."""
    newer = f"-rules-{version}" if version > 1 else ""
    return f"stichtag-{SEATS}{newer}-sheets-{sheet.replace(' ', '')}"


def on_the_way(setting: Setting) -> Iterator[View]:
    """Yield decisions of a random match, early and late ones."""
    match, generator, seen, given = setting.new(seed=SEED), Generator(SEED), 0, 0
    while match.waiting_for and given < MOST:
        seat = match.waiting_for[generator.number(len(match.waiting_for))]
        moves = match.moves(seat)
        if len(moves) > 1:
            seen += 1
            if seen % EVERY == 1:
                given += 1
                yield match.view(seat)
        match.play(seat, moves[generator.number(len(moves))])


def moves_of(name: str) -> dict[str, list[str]]:
    """Return what a bot plays at all decisions."""
    bot = bots.build(name, SEED)
    step = 4 if bot.name in SLOW else 1
    return {where: [bot.choose(view) for view in views[::step]] for where, views in asked().items()}


def pinned() -> Moves:
    """Return what is in the file."""
    found: Moves = json.loads(FILE.read_text()) if FILE.exists() else {}
    return found


def main() -> None:
    """Ask for the moves that have no pin and write the file."""
    known = pinned()
    for name in names():
        pins = known.setdefault(name, {})
        # All are asked in order, since a bot's random numbers depend on what it was asked before.
        pins |= {where: made for where, made in moves_of(name).items() if where not in pins}
    lines = [f"{json.dumps(name)}: {json.dumps(known[name])}" for name in sorted(known)]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
