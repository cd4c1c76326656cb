"""Every sheet and many dates of the calendar on the page of the ladder: how `master` copes."""

from collections.abc import Iterable, Iterator
from statistics import fmean

from stichwerk.arena.ladder import (
    ALONE_RIVALS,
    DATE_BOTS,
    DATE_RIVAL,
    UNMEASURED,
    Figures,
    Known,
    LadderContest,
    alone_rungs,
    date_rungs,
    is_held_out,
    sheet_rungs,
)
from stichwerk.arena.ladder_text import command, commands, paragraph, percent, span, table
from stichwerk.arena.statistics import RunningMean

WORSE = 0.02  # by which dates that no net has seen may be worse


def alone_section(known: Known) -> Iterator[str]:
    """Write what `master` wins with each sheet alone."""
    yield "### Master with every sheet"
    goals = " and ".join(
        f"{100 * goal:.0f} % against three `{rival}`" for rival, goal in ALONE_RIVALS.items()
    )
    yield paragraph(
        "One `master`, each sheet alone over the base rules. The goals are for the means: "
        f"{goals}; and on no sheet should it do clearly worse against `random` than `tree@200` "
        "does in the table above. Few matches for each sheet, so its own interval is wide."
    )
    rungs = list(alone_rungs())
    by_sheet = {(rung.sheet, rung.b): known.get(rung.key) for rung in rungs}
    before = {rung.sheet: known.get(rung.key) for rung in sheet_rungs()}
    rows = []
    for sheet, tree in before.items():
        found = [by_sheet[sheet, rival] for rival in ALONE_RIVALS]
        worse = is_clearly_worse(found[0], tree)
        rows.append((str(sheet), *map(cell, found), cell(tree), "clearly worse" if worse else ""))
    means = [mean_of(known, [one for one in rungs if one.b == rival]) for rival in ALONE_RIVALS]
    rows.append(("*mean*", *means, mean_of(known, sheet_rungs()), ""))
    head = ("sheet", *(f"against `{rival}`" for rival in ALONE_RIVALS), "`tree@200`", "")
    yield table(head, rows, words=1)
    yield commands(command(rung, known.get(rung.key)) for rung in rungs)


def date_section(known: Known) -> Iterator[str]:
    """Write whether dates that the nets have never seen are played as well as others."""
    yield "### Dates the nets have not seen"
    yield paragraph(
        f"On dates with all their sheets against three `{DATE_RIVAL}`: the 7th, 17th and 27th of "
        "each month are left out of the training, the others are those it uses. The 7th has a "
        f"sheet of its own, so dates differ in themselves: `{DATE_BOTS[1]}`, which learns nothing, "
        f"shows by how much. `{DATE_BOTS[0]}` should lose no more than {100 * WORSE:.0f} points. "
        "Intervals are of 95 %, with the date as unit."
    )
    rows = []
    for bot in DATE_BOTS:
        rungs = [rung for rung in date_rungs() if rung.a == bot]
        held_out = [rung for rung in rungs if is_held_out(rung)]
        trained = [rung for rung in rungs if not is_held_out(rung)]
        rows.append((f"`{bot}`", mean_of(known, held_out), mean_of(known, trained)))
    yield table(("bot", "held out", "trained"), rows, words=1)
    yield commands(command(rung, known.get(rung.key)) for rung in date_rungs())


def cell(figures: Figures | None) -> str:
    """Format a share with its interval."""
    return f"{percent(figures.win_share)} ({span(figures)})" if figures else UNMEASURED


def is_clearly_worse(one: Figures | None, other: Figures | None) -> bool:
    """Return whether one share is below another, beyond both intervals."""
    return bool(one and other and one.win_share_ci[1] < other.win_share_ci[0])


def mean_of(known: Known, rungs: Iterable[LadderContest]) -> str:
    """Format the mean share of contests, with its interval and how many are measured."""
    asked = [known.get(rung.key) for rung in rungs]
    shares = [figures.win_share for figures in asked if figures]
    if not shares:
        return UNMEASURED
    spread = RunningMean()
    for share in shares:
        spread.add(share)
    margin = f" ± {100 * spread.margin:.1f}" if spread.margin is not None else ""
    part = "" if len(shares) == len(asked) else f", {len(shares)} of {len(asked)}"
    return f"{percent(fmean(shares))}{margin}{part}"
