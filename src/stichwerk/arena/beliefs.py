"""How well a search guesses who holds which card: `python -m stichwerk.arena.beliefs`.

Matches of bots of one kind are played, and at some decisions the seat to move draws deals as a
search would. The log-loss of the true holders is compared with that of deals that merely fit: below
1 the belief knows something, above 1 it is worse than knowing nothing.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from math import log
from statistics import fmean

import msgspec

from stichwerk import bots, locale
from stichwerk.arena.ladder import GAMES, LEVELS, STYLES
from stichwerk.arena.ladder_text import table
from stichwerk.arena.statistics import RunningMean
from stichwerk.bots.position import Position
from stichwerk.bots.tactics import tactics_of
from stichwerk.cards import card_code
from stichwerk.engine.belief import Belief
from stichwerk.engine.codes import bit_of, half_of, half_slot
from stichwerk.engine.state import State
from stichwerk.errors import StichwerkError
from stichwerk.match import Match, Setting

SEED = 1
SEATS = 4
DEALS = 100  # that are drawn at a decision
HALF = 0.5  # added to every count: a deal that was never drawn is not impossible
CARDS_LEFT = (9, 6, 4)  # in the largest hand
EVERY = 3  # decisions with so many cards, between two that are looked at
KINDS = {"sure": (16, False), "careful": (4, True)}
"""Beliefs that are compared: steps from deal to deal, and whether they allow for strangers."""


class BeliefLoss(msgspec.Struct, frozen=True):
    """The log-loss of beliefs relative to deals that merely fit, half of its 95 % interval with the
    match as unit, and on how many decisions."""

    decisions: int
    loss: dict[str, float]
    margin: dict[str, float]


def measure(game: str, bot: str, matches: int, seats: int = SEATS) -> BeliefLoss:
    """Measure all beliefs at tables of one bot, on the first rounds of matches."""
    sums: dict[str, list[float]] = {kind: [] for kind in ("none", *KINDS)}
    setting = Setting(game, seats, {})
    count = 0
    for number in range(matches):
        found = [losses_at(match, seat) for match, seat in decisions(setting, bot, SEED + number)]
        count += len(found)
        for kind, summed in sums.items():
            summed.append(sum(losses[kind] for losses in found))
    return BeliefLoss(
        count,
        {kind: ratio(sums[kind], sums["none"]) for kind in KINDS},
        {kind: ratio_margin(sums[kind], sums["none"]) for kind in KINDS},
    )


def ratio(parts: Sequence[float], wholes: Sequence[float]) -> float:
    """Return the ratio of two sums; 1 where there was nothing to guess."""
    return sum(parts) / sum(wholes) if sum(wholes) else 1.0


def ratio_margin(parts: Sequence[float], wholes: Sequence[float]) -> float:
    """Return half of the 95 % interval of the ratio of two sums, by linearisation."""
    mean, spread = ratio(parts, wholes), RunningMean()
    for part, whole in zip(parts, wholes, strict=True):
        spread.add(part - mean * whole)
    return (spread.margin or 0.0) * len(parts) / sum(wholes) if sum(wholes) else 0.0


def decisions(setting: Setting, bot: str, seed: int) -> Iterator[tuple[Match, int]]:
    """Play a round; yield it at some decisions, with the seat to move."""
    match = setting.new(seed=seed)
    players = [bots.build(bot, seed * SEATS + seat) for seat in range(setting.seats)]
    seen = seed
    while match.waiting_for and not match.scores:
        seat = match.waiting_for[0]
        view = match.view(seat)
        if view.phase == "play" and max(view.hand_sizes) in CARDS_LEFT and len(view.moves) > 1:
            seen += 1
            if seen % EVERY == 0:
                yield match, seat
        match.play(seat, players[seat].choose(view))


def losses_at(match: Match, seat: int) -> dict[str, float]:
    """Return the log-loss of each belief of a seat, a mean over all cards that it does not see."""
    position = Position(match.view(seat))
    hands = {other: match.view(other).hand for other in range(match.setting.seats) if other != seat}
    second = tactics_of(position.rules, "small")
    trail = position.trail()
    found = {"none": loss_of(Belief(position.tactics), position, hands)}
    for kind, (steps, careful) in KINDS.items():
        belief = Belief(position.tactics, second, careful)
        if trail:
            belief.remember(*trail, steps)
        found[kind] = loss_of(belief, position, hands)
    return found


def loss_of(belief: Belief, position: Position, hands: dict[int, tuple[str, ...]]) -> float:
    """Return the log-loss of the true holders in the deals that a belief draws."""
    deals = belief.drawn(position.known, position.seat, position.seed(SEED), DEALS)
    holders = [(seat, card_code(card)) for seat, hand in hands.items() for card in set(hand)]
    rivals = len(hands)
    return fmean(
        -log((sum(map(partial(holds, seat, card), deals)) + HALF) / (DEALS + HALF * rivals))
        for seat, card in holders
    )


def holds(seat: int, card: int, deal: State) -> bool:
    """Return whether the seat has the card in this deal."""
    return deal.hands[half_slot(seat, half_of(card))] & bit_of(card) != 0


def main(args: Sequence[str] | None = None) -> int:
    """Print a table of all games and tables."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--games", nargs="+", default=GAMES, choices=GAMES)
    parser.add_argument("--bots", nargs="+", default=("greedy-1", *LEVELS[1:], *STYLES))
    parser.add_argument("--matches", type=int, default=12)
    asked = parser.parse_args(args)
    if asked.matches < 1:
        parser.error("--matches: at least 1")
    try:
        for bot in asked.bots:
            bots.find(bot)
    except StichwerkError as error:
        parser.error(locale.text(error.id, "en", **error.data))
    rows = []
    for game in asked.games:
        for bot in asked.bots:
            found = measure(game, bot, asked.matches)
            shown = [f"{found.loss[kind]:.2f}" for kind in KINDS]
            rows.append((game, f"`{bot}`", str(found.decisions), *shown))
            print(*rows[-1], file=sys.stderr, flush=True)
    print(table(("game", "table of", "decisions", *KINDS), rows, words=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
