"""Ratings of levels and characters from the figures of the ladder, on a scale for people.

The model is Plackett and Luce's, as in `ratings`: one A among k of B wins with the probability
a / (a + k b). What is fitted are the strengths that explain all win shares at one table best. The
scale begins at `random-1` and has a thousand points up to `expert`. `python -m
stichwerk.arena.ladder_ratings` writes them into the package.
"""

from collections.abc import Mapping, Sequence
from math import log, sqrt
from pathlib import Path

import msgspec

from stichwerk import bots
from stichwerk.arena.ladder import (
    CHARACTERS,
    FOLDER,
    GAMES,
    LEVELS,
    RESULTS,
    SEATS,
    Known,
    LadderContest,
    all_rungs,
    read_results,
)
from stichwerk.bots import ratings

PARTS = ("greedy", "levels", "pool", "characters")  # their contests tell
START, GOAL = "random-1", bots.full_name("expert")
RATED = (*LEVELS, *CHARACTERS)
STEP = 50  # points: more precise would not be honest
DOUBT = 0.5  # of a deal: nobody always wins
ROUNDS = 20_000
ENOUGH = 1e-12
WORTH = 1.96  # standard errors of a 95 % interval


class Share(msgspec.Struct, frozen=True):
    """What A won among B on all other seats, in deals."""

    a: str
    b: str
    won: float
    lost: float


class Rated(msgspec.Struct, frozen=True):
    """The points of a bot, and half of their 95 % interval; 0 for both ends of the scale."""

    points: float
    margin: float

    @property
    def shown(self) -> int:
        """The points as people see them."""
        return STEP * round(self.points / STEP)


def shares_of(game: str, known: Known) -> list[Share]:
    """Return the contests of a game that tell how strong the rated bots are."""
    found = []
    for rung in all_rungs(PARTS):
        figures = known.get(rung.key)
        if figures is not None and is_usual(rung, game):
            won = figures.deals * figures.win_share + DOUBT / SEATS
            lost = figures.deals * (1 - figures.win_share) + DOUBT * (1 - 1 / SEATS)
            a, b = figures.plan.bots
            found.append(Share(a, b, won, lost))
    return found


def is_usual(rung: LadderContest, game: str) -> bool:
    """Return whether a contest is of this game as it is usually played."""
    return rung.game == game and rung.seats == SEATS and rung.sheet is None


def strengths(shares: Sequence[Share]) -> dict[str, float]:
    """Return the likeliest strengths, by Hunter's algorithm: each step makes them likelier."""
    names = list(dict.fromkeys(name for share in shares for name in (share.a, share.b)))
    found = dict.fromkeys(names, 1.0)
    for _ in range(ROUNDS):
        won, due = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0)
        for share in shares:
            all_there = found[share.a] + (SEATS - 1) * found[share.b]
            weight = (share.won + share.lost) / all_there
            won[share.a] += share.won
            won[share.b] += share.lost
            due[share.a] += weight
            due[share.b] += (SEATS - 1) * weight
        better = {name: won[name] / due[name] for name in names}
        mean = sum(better.values()) / len(names)
        better = {name: strength / mean for name, strength in better.items()}
        change = max(abs(log(better[name] / found[name])) for name in names)
        found = better
        if change < ENOUGH:
            break
    return found


def rated(game: str, known: Known) -> dict[str, Rated]:
    """Return the rated bots of a game, the strongest first; none before both ends are measured."""
    shares = shares_of(game, known)
    found = strengths(shares) if shares else {}
    if not {START, GOAL} <= set(found):
        return {}
    point = log(found[GOAL] / found[START]) / (ratings.EXPERT - ratings.NOTHING)
    points = {
        name: Rated(log(found[bot] / found[START]) / point, margin(bot, shares, found) / point)
        for name in RATED
        if (bot := bots.full_name(name)) in found
    }
    return dict(sorted(points.items(), key=lambda one: -one[1].points))


def margin(bot: str, shares: Sequence[Share], found: Mapping[str, float]) -> float:
    """Return half of the 95 % interval of the logarithm of a strength, the others given."""
    if bot == GOAL:
        return 0.0
    known = 0.0
    for share in shares:
        if bot in (share.a, share.b):
            a, b = found[share.a], (SEATS - 1) * found[share.b]
            known += (share.won + share.lost) * a * b / (a + b) ** 2
    return WORTH / sqrt(known)


def made(known: Known) -> ratings.RatingsFile:
    """Return the ratings as they are sent to people."""
    games = {game: rated(game, known) for game in GAMES}
    found = {
        name: {game: games[game][name].shown for game in GAMES if name in games[game]}
        for name in RATED
    }
    return ratings.RatingsFile(ratings.FORMAT, found)


def written(known: Known) -> bytes:
    """Return the file of the package."""
    return msgspec.json.format(msgspec.json.encode(made(known)), indent=1) + b"\n"


def main() -> None:
    """Write the file of the package."""
    known = read_results(Path(FOLDER, RESULTS))
    Path(ratings.__file__).with_name(ratings.FILE).write_bytes(written(known))


if __name__ == "__main__":
    main()
