"""Learn how totals decide matches: `python -m stichwerk.training.prospects`.

Nets play whole matches. After each round but the last, every seat has its total, and in the end
somebody wins: `sharpness` is what makes these winners most likely (see `engine/prospects.py`),
`pace` how fast the best total grows.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from math import exp, log, sqrt
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import msgspec

from stichwerk.bots import nets, prospects
from stichwerk.bots.prospects import FORMAT, Fitted, ProspectsFile
from stichwerk.bots.tactics import tactics_of
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.tactics import Tactics
from stichwerk.games import registry

MATCHES = 800
SEED = 1
LEAST, MOST = 0.1, 5.0  # between which the sharpness is looked for
EXACT = 1e-4
DIGITS = 3


class Midway(NamedTuple):
    """A match after a round: what each seat has, in spreads, and what it wins in the end."""

    standings: list[float]
    left: int
    shares: list[float]


def played_match(rules: Game, tactics: Tactics, generator: Generator) -> list[list[int]]:
    """Play a match; return the points of its rounds."""
    scores: list[list[int]] = []
    starter = generator.number(rules.seats)
    while not scores or not rules.match_over(scores):
        state = rules.new_state()
        state.round, state.starter = len(scores) + 1, starter
        for seat in range(rules.seats):
            state.totals[seat] = sum(points[seat] for points in scores)
        rules.shuffled_round(state, generator)
        while state.owes:
            seat = (state.owes & -state.owes).bit_length() - 1
            rules.play(state, seat, tactics.pick(state, seat, generator))
        scores.append([state.points[seat] for seat in range(rules.seats)])
        starter = rules.next_starter(starter, scores)
    return scores


def midways(scores: Sequence[Sequence[int]], spread: float) -> Iterator[Midway]:
    """Yield a match as it stood after each round but the last."""
    totals = [sum(points) for points in zip(*scores, strict=True)]
    best = max(totals)
    shares = [(total == best) / totals.count(best) for total in totals]
    for done in range(1, len(scores)):
        sums = [sum(points) / spread for points in zip(*scores[:done], strict=True)]
        yield Midway(sums, len(scores) - done, shares)


def surprise(found: Sequence[Midway], sharpness: float) -> float:
    """Return the mean log-loss of the winners."""
    losses = []
    for standings, left, shares in found:
        scale = sharpness / sqrt(left)
        best = max(standings)
        total = log(sum(exp(scale * (own - best)) for own in standings))
        losses.append(
            sum(
                share * (total - scale * (own - best))
                for own, share in zip(standings, shares, strict=True)
            )
        )
    return fmean(losses)


def sharpest(found: Sequence[Midway]) -> float:
    """Return the sharpness with the least surprise, which has a single minimum."""
    low, high = LEAST, MOST
    while high - low > EXACT:
        third = (high - low) / 3
        if surprise(found, low + third) < surprise(found, high - third):
            high -= third
        else:
            low += third
    return (low + high) / 2


def fitted(game: str, seats: int, matches: int) -> tuple[Fitted, list[Midway]]:
    """Play matches of a game, and fit the model to them."""
    rules = registry.build(game, seats, registry.settle_options(game, seats, {}))
    spread = nets.spread_of(rules, tactics_of(rules))
    generator = Generator(SEED)
    tactics = tactics_of(rules, "net")
    played = [played_match(rules, tactics, generator) for _ in range(matches)]
    found = [midway for scores in played for midway in midways(scores, spread)]
    growth = fmean(max(map(sum, zip(*scores, strict=True))) / len(scores) for scores in played)
    return Fitted(round(sharpest(found), DIGITS), round(growth / spread, DIGITS), matches), found


def main(given: Sequence[str] | None = None) -> int:
    """Fit all games and numbers of seats, and write the file."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--folder", default=Path(str(prospects.__file__)).parent, type=Path)
    asked = parser.parse_args(given)
    if asked.matches < 1:
        parser.error("--matches: at least 1")
    known = {}
    for game in registry.GAMES:
        for seats in registry.kind(game).seat_counts:
            one, found = fitted(game, seats, asked.matches)
            known[f"{game}-{seats}"] = one
            loss, chance = surprise(found, one.sharpness), log(seats)
            print(
                f"{game}-{seats}: sharpness {one.sharpness}, pace {one.pace}; "
                f"log-loss {loss:.3f}, {chance:.3f} without the totals",
                file=sys.stderr,
                flush=True,
            )
    command = f"python -m stichwerk.training.prospects --matches {asked.matches}"
    data = msgspec.json.encode(ProspectsFile(FORMAT, command, known))
    (asked.folder / prospects.FILE).write_bytes(msgspec.json.format(data, indent=1) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
