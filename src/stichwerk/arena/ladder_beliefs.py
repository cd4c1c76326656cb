"""The part `beliefs` of the ladder: how well searches guess cards at tables of every kind of bot.

Its figures are kept in a file of their own, `docs/ladder-beliefs.json`. What was measured before
the code of bots, engine or games changed counts as not measured, as for contests.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from stichwerk import bots
from stichwerk.arena import beliefs
from stichwerk.arena.ladder import (
    CLEAR,
    DIGITS,
    GAMES,
    LEVELS,
    MISSED,
    PRELIMINARY,
    UNCLEAR,
    UNMEASURED,
    LadderOptions,
    code_state,
    strangers,
)
from stichwerk.arena.ladder_text import commands, game_name, paragraph, table

RESULTS = "ladder-beliefs.json"
FORMAT = "stichwerk-ladder-beliefs/1"
FEWEST = 2  # matches: one alone has no interval
MATCHES = 8
MET_LEVELS = tuple(bots.full_name(level) for level in LEVELS[1:])  # that people meet
FIRST_LEVELS = tuple(f"{level}-1" for level in LEVELS[1:])  # these play by tactics
NETS = ("net", "master")
GOAL, LEVEL_GOAL = 1.0, 0.9  # the log-loss at most: of any style, of a level


class BeliefRung(msgspec.Struct, frozen=True):
    """Tables of one bot, at which beliefs are measured."""

    game: str
    bot: str

    @property
    def key(self) -> str:
        """The key of its figures in the file."""
        return f"{self.game}-{beliefs.SEATS}/{self.bot}"

    @property
    def goal(self) -> float:
        """The log-loss that a belief may have."""
        return LEVEL_GOAL if self.bot in MET_LEVELS else GOAL


class BeliefFigures(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured there: the log-loss of each kind of belief, and half of its interval."""

    code: str
    matches: int
    decisions: int
    loss: dict[str, float]
    margin: dict[str, float]
    took: float


KnownBeliefs = dict[str, BeliefFigures]


class BeliefFile(msgspec.Struct, frozen=True):
    """The whole file."""

    format: str
    tables: KnownBeliefs


def rungs() -> Iterator[BeliefRung]:
    """Yield all tables: tactics, levels, nets, and strangers."""
    for game in GAMES:
        for bot in ("greedy-1", *FIRST_LEVELS, *MET_LEVELS, *NETS, *strangers(game)):
            yield BeliefRung(game, bot)


# -- Measuring -------------------------------------------------------------------------------------


def read_results(path: Path) -> KnownBeliefs:
    """Read the measured figures by key; none if there is no file yet."""
    if not path.exists():
        return {}
    return msgspec.json.decode(path.read_bytes(), type=BeliefFile).tables


def write_results(path: Path, known: KnownBeliefs) -> None:
    """Replace the file atomically."""
    order = {rung.key: place for place, rung in enumerate(rungs())}
    ordered = dict(sorted(known.items(), key=lambda one: order.get(one[0], len(order))))
    data = msgspec.json.format(msgspec.json.encode(BeliefFile(FORMAT, ordered)), indent=1)
    beside = path.with_suffix(".new")
    beside.write_bytes(data + b"\n")
    beside.replace(path)


def climb(folder: Path, run_options: LadderOptions, tell: Callable[[str], object]) -> KnownBeliefs:
    """Measure what is not measured yet, and store each table when it is finished."""
    path = folder / RESULTS
    known = read_results(path)
    matches = max(FEWEST, round(MATCHES * run_options.scale))
    minutes = run_options.minutes
    end = time.monotonic() + 60 * minutes if minutes is not None else None
    missing = [rung for rung in rungs() if is_due(known.get(rung.key), matches, run_options.new)]
    tell(f"beliefs: {len(missing)} of {len(list(rungs()))} tables to be measured")
    for rung in missing:
        if end is not None and time.monotonic() > end:
            break
        known[rung.key] = found = measured(rung, matches)
        write_results(path, known)
        tell(f"{rung.key}: {found.loss}, {found.took} s")
    return known


def is_due(figures: BeliefFigures | None, matches: int, new: bool) -> bool:
    """Return whether a table is to be measured now."""
    if figures is None:
        return True
    return not new and (figures.matches < matches or figures.code != code_state())


def measured(rung: BeliefRung, matches: int) -> BeliefFigures:
    """Measure one table."""
    begin = time.monotonic()
    found = beliefs.measure(rung.game, rung.bot, matches)
    return BeliefFigures(
        code=code_state(),
        matches=matches,
        decisions=found.decisions,
        loss={kind: round(loss, DIGITS) for kind, loss in found.loss.items()},
        margin={kind: round(margin, DIGITS) for kind, margin in found.margin.items()},
        took=round(time.monotonic() - begin, 1),
    )


# -- On the page -----------------------------------------------------------------------------------


def belief_section(known: KnownBeliefs) -> Iterator[str]:
    """Write how well searches guess, by game and table."""
    yield "### What searches believe"
    yield paragraph(
        "A search guesses who holds which card from how the others played. Log-loss of the true "
        "holders relative to that of deals that merely fit, at tables of one kind of bot: below 1 "
        "the guess knows something, above 1 it is worse than knowing nothing. *Sure* beliefs, of "
        "`flat`, `tree` and `expert-1`, take everyone for a player by known tactics; *careful* "
        "ones, of `master-1`, allow for strangers. Intervals are of 95 %, with the match as unit. "
        f"The goal is for careful beliefs: {LEVEL_GOAL} at most at tables of the levels that "
        f"people meet, {GOAL:.1f} at all others. The worst table of each game comes last."
    )
    head = ("game", "table of", "matches", "decisions", *beliefs.KINDS, "goal", "")
    rows = [belief_row(rung, known.get(rung.key)) for rung in rungs()]
    for game in GAMES:
        at_tables = [rung for rung in rungs() if rung.game == game and rung.key in known]
        rows += worst_rows(game, at_tables, known)
    yield table(head, rows, words=2)
    yield commands(
        f"python -m stichwerk.arena.beliefs --games {game} --matches {matches} --bots "
        + " ".join(rung.bot for rung in rungs() if rung.game == game)
        for game in GAMES
        for matches in played_matches(game, known)
    )


def played_matches(game: str, known: KnownBeliefs) -> list[int]:
    """Return how many matches were played at the tables of a game."""
    found = {known[rung.key].matches for rung in rungs() if rung.game == game and rung.key in known}
    return sorted(found) or [MATCHES]


def belief_row(rung: BeliefRung, figures: BeliefFigures | None) -> tuple[str, ...]:
    """Write one table of bots as a table row."""
    name, bot, goal = game_name(rung.game), f"`{rung.bot}`", f"≤ {rung.goal:.1f}"
    if figures is None:
        return (name, bot, "", "", *("" for _ in beliefs.KINDS), goal, UNMEASURED)
    shown = [
        f"{figures.loss[kind]:.2f} ± {figures.margin[kind]:.2f}" if kind in figures.loss else ""
        for kind in beliefs.KINDS
    ]
    counts = f"{figures.matches}", f"{figures.decisions:,}"
    return (name, bot, *counts, *shown, goal, verdict(rung, figures))


def verdict(rung: BeliefRung, figures: BeliefFigures) -> str:
    """Return whether careful beliefs reach the goal, and how certain that is."""
    kind = list(beliefs.KINDS)[-1]
    if kind not in figures.loss:
        return UNMEASURED
    loss, margin = figures.loss[kind], figures.margin[kind]
    said = CLEAR if loss + margin < rung.goal else UNCLEAR if loss <= rung.goal else MISSED
    return said if figures.matches >= MATCHES else PRELIMINARY + said


def worst_rows(
    game: str, at_tables: list[BeliefRung], known: KnownBeliefs
) -> Iterator[tuple[str, ...]]:
    """Name the table at which each kind of belief is worst."""
    worst = []
    for kind in beliefs.KINDS:
        found = {one.bot: known[one.key].loss.get(kind, 0.0) for one in at_tables}
        bot = max(found, key=lambda bot: found[bot]) if found else ""
        worst.append(f"{found[bot]:.2f}, `{bot}`" if found else UNMEASURED)
    yield (game_name(game), "*worst*", "", "", *worst, "", "")
