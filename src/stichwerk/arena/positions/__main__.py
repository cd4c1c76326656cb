"""`python -m stichwerk.arena.positions make [GAME …]`: make the bench anew, in place."""

import sys
import time
from pathlib import Path

from stichwerk.arena.positions.command import GAMES
from stichwerk.arena.positions.generate import make


def main(args: list[str]) -> int:
    """Make the files of these games, of all if none is named."""
    games = args[1:] or list(GAMES)
    if args[:1] != ["make"] or set(games) - set(GAMES):
        print(__doc__, file=sys.stderr)
        return 2
    for game in games:
        begin = time.perf_counter()
        make(game, Path(__file__).parent, lambda step: print(step, file=sys.stderr, flush=True))
        print(f"{game}: {time.perf_counter() - begin:.0f} s", file=sys.stderr)
    return 0


sys.exit(main(sys.argv[1:]))
