"""Pin moves where there are no pins yet, of a new bot or game: `python -m tools.frozen_bots`.

Pins stay: a bot that plays another move is another version. Each bot is asked at the 160
decisions of `stichwerk positions` and at some of a match with each calendar sheet.
"""

import json
from collections.abc import Container, Iterator
from functools import cache
from pathlib import Path

from stichwerk import bots
from stichwerk.arena.positions.command import GAMES
from stichwerk.arena.positions.decisions import decisions_with_views
from stichwerk.bots.registry import BUILT_IN
from stichwerk.engine.generator import Generator
from stichwerk.match import Setting
from stichwerk.view import View
from tests.strategies import all_sheets, setting_id

FILE = Path(__file__).parents[1] / "tests/frozen/moves.json"
SEED = 7
SEATS = 4  # of the matches with a sheet
EVERY = 11  # decisions of such a match between two that are asked
MOST = 6  # decisions of one such match
ITERATIONS = {"chooser": 200, "flat": 40, "tree": 100}
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
    for setting in all_sheets():
        if setting.seats == SEATS:
            found[setting_id(setting)] = list(on_the_way(setting))
    return found


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


def moves_of(name: str, without: Container[str] = ()) -> dict[str, list[str]]:
    """Return what a bot plays at all decisions, but for those of some games and sheets."""
    bot = bots.build(name, SEED)
    step = 4 if bot.name in SLOW else 1
    return {
        where: [bot.choose(view) for view in views[::step]]
        for where, views in asked().items()
        if where not in without
    }


def pinned() -> Moves:
    """Return what is in the file."""
    found: Moves = json.loads(FILE.read_text()) if FILE.exists() else {}
    return found


def main() -> None:
    """Ask for the moves that have no pin and write the file."""
    known = pinned()
    for name in names():
        pins = known.setdefault(name, {})
        pins |= moves_of(name, without=pins)
    lines = [f"{json.dumps(name)}: {json.dumps(known[name])}" for name in sorted(known)]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
