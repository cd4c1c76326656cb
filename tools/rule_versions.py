"""Compare what the versions of changed calendar sheets do: `python -m tools.rule_versions [N]`.

Matches among four `greedy-1` (or as many as there are seats), N of each kind, from seeds 1 to N:

- green 2: how often the victory is shared, and how often someone reaches the target;
- April: how many of the six egg cards are left at the end of a round;
- red 0: how often the chosen trump is not the starter's longest colour;
- red 9: how often a round scores otherwise than its mirror image in the base game, in which every
  number n of a card is `highest - n`;
- all of them: how often the starter of a round is best in it.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from statistics import fmean
from typing import Any, cast

import stichwerk
from stichwerk.fairness import Deal
from stichwerk.games.stichtag.calendar import VERSIONS
from stichwerk.games.stichtag.sheets.april import EGGS, EggsShown
from stichwerk.match import Match, RoundLog, Setting
from stichwerk.simulate import simulate

BOT = "greedy-1"
MATCHES = 1_000
SEAT_COUNTS = (3, 4, 5)
USUAL_SEATS = 4
SHEETS = ("green 2", "April", "red 0", "red 9")


class Played:
    """Matches with one sheet alone, in one version of the rules."""

    def __init__(self, sheet: str, version: int, seats: int, matches: int) -> None:
        setting = stichwerk.game("stichtag", seats=seats, rules=version, sheets=[sheet])
        self.matches: list[Match] = list(simulate(setting, [BOT] * seats, matches, seed=1))

    def share(self, holds: Callable[[Match], bool]) -> float:
        """Return the share of matches for which something holds."""
        return fmean(holds(match) for match in self.matches)

    def rounds(self) -> Iterator[tuple[Match, RoundLog]]:
        """Yield every round with its match."""
        for match in self.matches:
            for log in match.rounds:
                yield match, log


# -- Figures ---------------------------------------------------------------------------------------


def is_shared(match: Match) -> bool:
    """Return whether more than one seat wins."""
    return match.ranking is not None and len(match.ranking[0]) > 1


def is_hit(match: Match) -> bool:
    """Return whether someone reached the target of green 2 exactly."""
    rules: Any = match.rules
    return rules.goal.exact_total() in match.totals


def eggs_left(match: Match) -> list[int]:
    """Return how many egg cards nobody took, round by round."""
    return [EGGS - len(event.takers) for event in match.events if isinstance(event, EggsShown)]


def entry(log: RoundLog, kind: str) -> list[Any]:
    """Return the first entry of this kind that a record of the round has."""
    return next(entry for entry in log.extra if entry[2] == kind)


def cards_by_colour(log: RoundLog) -> Counter[str]:
    """Return how many cards of each colour the starter was dealt."""
    return Counter(card[0] for card in log.deal.hands[log.deal.starter])


def differs_from_longest(log: RoundLog) -> bool:
    """Return whether the starter has more cards of another colour than of the chosen trump."""
    held = cards_by_colour(log)
    return max(held.values()) > held[entry(log, "trump")[3]]


def is_shorter(log: RoundLog) -> bool:
    """Return whether the starter took the drawn colour of which they have fewer cards."""
    held = cards_by_colour(log)
    return max(held[colour] for colour in entry(log, "trumps")[3]) > held[entry(log, "trump")[3]]


def is_best(log: RoundLog) -> float:
    """Return the starter's share in being best of a round; shared by k it is 1/k."""
    scores = log.scores or ()
    best = [seat for seat, points in enumerate(scores) if points == max(scores)]
    return (log.deal.starter in best) / len(best)


# -- Mirror images ---------------------------------------------------------------------------------


def mirrored(card: str, highest: int) -> str:
    """Return the card of the same colour with the mirrored number."""
    return f"{card[0]}{highest - int(card[1:])}"


def mirror_differs(match: Match, log: RoundLog) -> bool:
    """Return whether the mirrored round, played by the same seats in the base game, scores
    otherwise, or cannot be played at all."""
    highest = match.rules.deck.highest
    deal = Deal(
        log.deal.starter,
        tuple(tuple(mirrored(card, highest) for card in hand) for hand in log.deal.hands),
        tuple(mirrored(card, highest) for card in log.deal.stock),
    )
    base = Setting("stichtag", match.rules.seats, {"starter": log.deal.starter})
    image = base.new(deals=[deal])
    for seat, card in cast(list[tuple[int, str]], log.plays):
        move = mirrored(card, highest)
        if image.waiting_for != (seat,) or image.objection(seat, move):
            return True  # another seat leads
        image.play(seat, move)
    return image.scores != (log.scores,)


# -- The report ------------------------------------------------------------------------------------


def percent(share: float) -> str:
    """Return a share as people read it."""
    return f"{100 * share:.1f} %"


def green_rows(matches: int) -> Iterator[Sequence[str]]:
    """Yield shared victories and hits on green 2."""
    for seats in SEAT_COUNTS:
        played = [Played("green 2", version, seats, matches) for version in VERSIONS]
        yield f"green 2, {seats} seats: shared", *(percent(one.share(is_shared)) for one in played)
        yield f"green 2, {seats} seats: a hit", *(percent(one.share(is_hit)) for one in played)


def sheet_rows(matches: int) -> Iterator[Sequence[str]]:
    """Yield the figures of the other sheets, at four seats."""
    played = {
        (sheet, version): Played(sheet, version, USUAL_SEATS, matches)
        for sheet in SHEETS
        for version in VERSIONS
    }
    eggs = [
        [left for match in played["April", version].matches for left in eggs_left(match)]
        for version in VERSIONS
    ]
    yield "April: egg cards left over in a round", *(f"{fmean(left):.2f}" for left in eggs)
    yield "April: rounds with egg cards left", *(percent(fmean(map(bool, left))) for left in eggs)
    chosen = [log for _, log in played["red 0", 2].rounds()]
    yield (
        "red 0: trump is not the longest colour",
        "-",
        percent(fmean(map(differs_from_longest, chosen))),
    )
    yield (
        "red 0: trump is the shorter one of the two",
        "-",
        percent(fmean(map(is_shorter, chosen))),
    )
    mirrors = [
        fmean(mirror_differs(*one) for one in islice(played["red 9", version].rounds(), matches))
        for version in VERSIONS
    ]
    yield "red 9: differs from the mirrored base game", *map(percent, mirrors)
    for sheet in SHEETS:
        shares = [
            fmean(is_best(log) for _, log in played[sheet, version].rounds())
            for version in VERSIONS
        ]
        yield f"{sheet}: the starter is best in the round", *map(percent, shares)


def main(arguments: Sequence[str]) -> None:
    """Print a table."""
    matches = int(arguments[0]) if arguments else MATCHES
    print(f"{matches} matches among {BOT}, {USUAL_SEATS} seats where none are named\n")
    print("| | rules 1 | rules 2 |\n|---|---|---|")
    for row in (*green_rows(matches), *sheet_rows(matches)):
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
