"""The page about the bots: how each one thinks, and every figure of the ladder with its command.

Parameters are read from the registry and the classes, figures from the file of the ladder: nothing
here is typed by hand that could deviate from what is played.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from stichwerk.arena import ladder_beliefs, ladder_pool, training_curves
from stichwerk.arena.ladder import (
    CLEAR,
    GAMES,
    MEASURED,
    MISSED,
    PARTS,
    RESULTS,
    SEED,
    UNMEASURED,
    Figures,
    Known,
    LadderContest,
    LadderGoal,
    all_rungs,
    read_results,
    verdict,
)
from stichwerk.arena.ladder_beliefs import KnownBeliefs, belief_section
from stichwerk.arena.ladder_bots import parameters, thinking
from stichwerk.arena.ladder_calendar import alone_section, date_section
from stichwerk.arena.ladder_matches import match_section
from stichwerk.arena.ladder_ratings import GOAL, RATED, START, Rated, rated
from stichwerk.arena.ladder_text import (
    command,
    commands,
    game_name,
    goal_text,
    milliseconds,
    paragraph,
    percent,
    place,
    points,
    span,
    table,
)
from stichwerk.arena.training_curves import Curves
from stichwerk.bots import search
from stichwerk.svg import Scale, dot, line, picture, text

PAGE = "bots.md"
WORST_GOAL = 0.3
COMMANDS = (
    "python -m stichwerk.arena.ladder run    # play what is not measured yet: docs/ladder.json\n"
    "python -m stichwerk.arena.ladder page   # this page and its pictures from it"
)
PICTURES = {
    "ladder-goals.svg": (
        "Win shares of one bot against bots of another kind on all other seats, a row for each "
        "contest with a goal: a dot with its 95 % interval and a mark at the goal. All figures "
        "stand in the tables."
    ),
    "ladder-sheets.svg": (
        "Win shares of the tree search against random players with each sheet of Stichtag's "
        "calendar alone, with 95 % intervals and a mark at the goal. All figures stand in the "
        "table."
    ),
    **ladder_pool.PICTURES,
    **training_curves.PICTURES,
}
NO_CURVES = Curves()


# -- The text around the figures -------------------------------------------------------------------


def promises() -> Iterator[str]:
    """Write what holds for all bots."""
    threads = parameters("flat")["threads"]
    yield "## What all of them promise"
    yield paragraph(
        "**Honesty.** A bot gets a view of its seat and nothing else; what it cannot see "
        "is not there. A [test](../tests/test_honest_bots.py) swaps all hidden "
        "cards and checks that no choice changes, and an import rule keeps bots away from the "
        "match."
    )
    yield paragraph(
        "**Reproducibility.** Budgets are iterations, never seconds: the same name, version "
        "and seed choose the same moves on any machine. The random numbers of a decision "
        "follow from the seed of the bot and the position in the match, so a bot rebuilt in "
        "the middle continues as if it had always been there. All searches here run on "
        f"{threads} thread; with more, each thread has its own random numbers and share of the "
        "iterations, and the result depends only on their number. Without a C "
        f"compiler, rules run uncompiled and searches get 1/{search.SLOWER} of their "
        "iterations: these figures do not apply to them."
    )
    yield paragraph(
        "**Versions.** `NAME-VERSION` always means the same bot, `NAME@500` one with "
        "another budget; see [writing bots](writing-bots.md)."
    )
    yield paragraph(
        "**Plugging in a network.** Searches ask [tactics](../src/stichwerk/engine/tactics.py) "
        "three things: a move for play-outs (`move`), weights that say which moves "
        "to try first (`weigh`, a policy) and, if they can, what a position is worth "
        "without playing it out (`judge`, a value). `PolicyTactics` in that module takes the last "
        "two as Python functions: a trained network needs no more than that."
    )


# -- The figures -----------------------------------------------------------------------------------

HEADINGS = {
    "greedy": ("Tactics against random play", "One `greedy` against three `random`."),
    "flat": (
        "Flat search",
        "One `flat` against three `greedy-1`; besides the win share, there is a time limit for\n"
        "each move on one core.",
    ),
    "tree": (
        "Tree search against flat search",
        "One `tree` against three `flat`. The goal is no significant loss: the interval of the\n"
        "gap must not be entirely below 0. Its lower end says how large a loss the deals played\n"
        "cannot rule out.",
    ),
    "choices": (
        "Choices before the round",
        "One `chooser` against three `greedy` of the same version: they differ only in\n"
        "these choices.\n"
        "Stichtag's base game has none, so it is played with a sheet on which tricks are\n"
        "announced.",
    ),
    "levels": (
        "Levels",
        "One of each level, with those of the level below on all other seats, at every number of\n"
        "seats. The goal is 1.4 times an equal share.",
    ),
    "master": (
        "Master",
        "One `master`, net and search together, against three `expert-1`, three `ismcts` that\n"
        "think as long as those, and three `greedy-1`, with a time limit for each move.",
    ),
    "grand": (
        "Grandmaster",
        "One `grandmaster` against three `master`.",
    ),
    "sheets": (
        "Every sheet of Stichtag's calendar",
        "One `tree@200` against three `random`, each sheet alone over the base rules.",
    ),
    "seats": (
        "Other numbers of seats",
        "No goals; an equal share is 1 divided by the number of seats.",
    ),
}
ORDER = ("greedy", "flat", "tree", "choices", "levels", "master", "grand", "sheets", "seats")


def figures_intro(known: Known) -> Iterator[str]:
    """Explain the figures, and count the goals that are met."""
    rungs = all_rungs()
    goals = Counter(verdict(rung, known.get(rung.key)) for rung in rungs if rung.goal)
    summary = "; ".join(f"{said}: {count}" for said, count in sorted(goals.items()))
    measured = [known[rung.key] for rung in rungs if rung.key in known]
    states = sorted({figures.code for figures in measured})
    minutes = sum(figures.took for figures in measured) / 60
    yield "## The figures"
    yield paragraph(
        "A deal is played once with A in every seat, the same cards and starter each time; "
        "all other seats are B. It is a round, in Stichtag a match. *Win share* is A's share "
        "of the victories (shared by k it counts 1/k; among equals it would be 25 % at four "
        "seats), *gap* its points above the mean of the others. Intervals are of 95 %, with "
        "the deal as unit. A goal is *met, clear* if the whole interval is beyond it, and "
        "its verdict is *preliminary* if fewer deals than planned were played. Time "
        "is for a move of A on one core, and depends on the machine; nothing else here does. All "
        f"deals come from seed {SEED}."
    )
    yield f"**Goals.** {summary}."
    yield (
        f"{len(measured)} of {len(rungs)} contests are measured, in {minutes:.0f} minutes, with "
        + (f"{len(states)} different states" if len(states) > 1 else "one state")
        + " of the\ncode of bots, engine and games"
        + (f" (`{'`, `'.join(states)}`)." if states else ".")
    )


def part_section(part: str, known: Known) -> Iterator[str]:
    """Write heading, figures and commands of one part."""
    heading, said = HEADINGS[part]
    rungs = list(PARTS[part]())
    yield f"### {heading}"
    yield said
    head = ("game", "A – B", "deals", "win share", "gap", "time", "goal", "")
    yield table(head, [row(rung, known.get(rung.key)) for rung in rungs], words=2)
    yield commands(command(rung, known.get(rung.key)) for rung in rungs)


def row(rung: LadderContest, figures: Figures | None) -> tuple[str, ...]:
    """Write one contest as a table row."""
    names = f"{rung.a} – {rung.b}"
    measured = (
        (
            f"{figures.deals:,}",
            f"{percent(figures.win_share)} ({span(figures)})",
            f"{points(figures.gap)} ({points(figures.gap_ci[0])} to {points(figures.gap_ci[1])})",
            milliseconds(figures.seconds_per_move),
        )
        if figures
        else ("", "", "", "")
    )
    return (place(rung), names, *measured, goal_text(rung), verdict(rung, figures))


# -- Strangers -------------------------------------------------------------------------------------


def stranger_section(known: Known) -> Iterator[str]:
    """Write what our bots are worth against styles that nothing of ours models."""
    yield "### Against strangers"
    yield paragraph(
        "Win share of the row's bot against three of the column's, in percent with its interval; "
        "25 would be equal. Searches expect the others to play by our tactics. These do not: a "
        "plain tree search with random play-outs, which takes about as long for a move as "
        "`expert-1` does, styles that people have, and early nets. What counts is the worst cell "
        f"of a row; these are all of them. `master` should have at least {100 * WORST_GOAL:.0f} % "
        "in its worst. These are rounds; where a reckless style wins many "
        "of them, as `lowest` does in Null & nichtig, see the whole matches above. With ≤ not all "
        "cells of the row are measured."
    )
    yield worst_table(known)
    for game in GAMES:
        yield f"**{game_name(game)}**"
        rungs = [rung for rung in PARTS["strangers"]() if rung.game == game]
        yield stranger_table(rungs, known)
        yield commands(command(rung, known.get(rung.key)) for rung in rungs)


def worst_table(known: Known) -> str:
    """Write the worst cell of each bot and game."""
    found = {
        (rung.a, rung.game): {
            other.b: known.get(other.key)
            for other in PARTS["strangers"]()
            if (other.a, other.game) == (rung.a, rung.game)
        }
        for rung in PARTS["strangers"]()
    }
    rows = [(f"`{a}`", *(worst_of(found[a, game]) for game in GAMES)) for a in MEASURED]
    return table(("worst cell of", *map(game_name, GAMES)), rows, words=1)


def stranger_table(rungs: Sequence[LadderContest], known: Known) -> str:
    """Write our bots in rows, strangers in columns, and the worst cell of each row."""
    rows = []
    for a in dict.fromkeys(rung.a for rung in rungs):
        found = {rung.b: known.get(rung.key) for rung in rungs if rung.a == a}
        cells = [
            f"{100 * figures.win_share:.0f} ({span(figures)})" if figures else UNMEASURED
            for figures in found.values()
        ]
        rows.append((f"`{a}`", *cells, worst_of(found)))
    strangers = dict.fromkeys(rung.b for rung in rungs)
    return table(("A \\ B", *(f"`{b}`" for b in strangers), "worst"), rows, words=1)


def worst_of(found: Mapping[str, Figures | None]) -> str:
    """Return against whom a bot does worst; with ≤ before all are measured."""
    shares = {b: figures.win_share for b, figures in found.items() if figures}
    if not shares:
        return UNMEASURED
    worst = min(shares, key=lambda b: shares[b])
    at_most = "≤ " if len(shares) < len(found) else ""
    return f"{at_most}{100 * shares[worst]:.0f}, `{worst}`"


# -- Characters ------------------------------------------------------------------------------------


def character_section(known: Known) -> Iterator[str]:
    """Write how strong characters and levels are, for people, and the contests that say so."""
    yield "### Characters"
    yield paragraph(
        "How strong characters and levels are, on a scale that people see: 0 plays like "
        f"`{START}`, 1000 like `{GOAL}`. The strengths are the likeliest ones for all win shares "
        "at four seats (Plackett and Luce's model) in the sections tactics, levels, cross-table "
        "and this one; in brackets half of the 95 % interval. The scale is for people, not "
        "for decisions. `python -m stichwerk.arena.ladder_ratings` puts it into the package."
    )
    points = {game: rated(game, known) for game in GAMES}
    rows = [
        (f"`{name}`", *(rating_text(points[game].get(name)) for game in GAMES)) for name in RATED
    ]
    yield table(("bot", *map(game_name, GAMES)), rows, words=1)
    rungs = list(PARTS["characters"]())
    yield table(
        ("game", "A – B", "deals", "win share", "gap", "time", "", ""),
        [row(rung, known.get(rung.key)) for rung in rungs],
        words=2,
    )
    yield commands(command(rung, known.get(rung.key)) for rung in rungs)


def rating_text(found: Rated | None) -> str:
    """Format the points of a bot for a table cell."""
    if found is None:
        return UNMEASURED
    shown = str(found.shown).replace("-", "−")
    return f"{shown} (± {round(found.margin, -1):.0f})" if found.margin else shown


# -- The page --------------------------------------------------------------------------------------


def shown_picture(name: str) -> str:
    """Embed a picture in the page."""
    return f"![{PICTURES[name]}](img/{name})"


def page(
    known: Known, known_beliefs: KnownBeliefs | None = None, curves: Curves = NO_CURVES
) -> str:
    """Return the whole page as Markdown."""
    parts = [
        "# The bots",
        "How each of our bots thinks, and how strong it is. This page is made, not typed: anyone\n"
        "can repeat every figure with the command beneath it, and all of them with two (the first\n"
        "takes a while and can be interrupted; `make ladder` does both):",
        f"```sh\n{COMMANDS}\n```",
        *thinking(),
        *promises(),
        *figures_intro(known),
        shown_picture("ladder-goals.svg"),
    ]
    for part in ORDER:
        parts += part_section(part, known)
        parts += [shown_picture("ladder-sheets.svg")] if part == "sheets" else []
    parts += alone_section(known)
    parts += date_section(known)
    parts += match_section(known)
    parts += ladder_pool.pool_section(known)
    parts += stranger_section(known)
    parts += belief_section(known_beliefs or {})
    parts += training_curves.training_section(curves)
    parts += training_curves.exploiter_section(curves)
    parts += character_section(known)
    return "\n\n".join(parts) + "\n"


# -- Pictures --------------------------------------------------------------------------------------

LEFT, TOP, ROW = 24, 78, 22
NAMES, PLOT, ASIDE = 300, 360, 150
WIDTH = LEFT + NAMES + PLOT + ASIDE


def share_picture(name: str, heading: str, rungs: Sequence[LadderContest], known: Known) -> str:
    """Draw a row for each contest: win share, interval, and a mark at the goal."""
    scale = Scale(LEFT + NAMES, PLOT, 0.0, 1.0)
    bottom = TOP + ROW * len(rungs)
    marks = [text(LEFT, 30, heading, "ink bold")]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        marks.append(line(scale.at(tick), TOP - 14, scale.at(tick), bottom, "rule-line"))
        marks.append(text(scale.at(tick), TOP - 20, f"{100 * tick:.0f} %", "soft small middle"))
    for at, rung in enumerate(rungs):
        marks += share_row(rung, known.get(rung.key), TOP + ROW * at, scale)
    return picture(heading, PICTURES[name], WIDTH, bottom + 16, marks)


def share_row(
    rung: LadderContest, figures: Figures | None, y: float, scale: Scale
) -> Iterator[str]:
    """Draw the marks of one contest."""
    yield text(LEFT, y + 4, place(rung), "ink")
    yield text(LEFT + 130, y + 4, f"{rung.a} – {rung.b}", "soft small")
    goal = scale.at((rung.goal or LadderGoal("share")).number)
    yield line(goal, y - 8, goal, y + 8, "ink-line")
    if figures is None:
        yield text(WIDTH - LEFT, y + 4, UNMEASURED, "soft small end")
        return
    low, high = figures.win_share_ci
    colour = verdict_colour(verdict(rung, figures))
    yield line(scale.at(low), y, scale.at(high), y, f"{colour}-line span")
    yield dot(scale.at(figures.win_share), y, colour)
    shown = f"{percent(figures.win_share)} ({span(figures)})"
    yield text(WIDTH - LEFT, y + 4, shown, "soft small end")


def verdict_colour(said: str) -> str:
    """Return green for a goal surely met, red for one missed."""
    return "green" if said == CLEAR else "red" if said.startswith(MISSED) else "base"


# -- Writing ---------------------------------------------------------------------------------------


def made(
    known: Known, known_beliefs: KnownBeliefs | None = None, curves: Curves = NO_CURVES
) -> dict[str, str]:
    """Return the page and its pictures, by path."""
    goals = [rung for rung in all_rungs() if rung.goal and rung.goal.kind == "share"]
    sheets = [rung for rung in goals if rung.part == "sheets"]
    others = [rung for rung in goals if rung.part != "sheets"]
    return {
        PAGE: page(known, known_beliefs, curves),
        "img/ladder-goals.svg": share_picture("ladder-goals.svg", "Win shares", others, known),
        "img/ladder-sheets.svg": share_picture(
            "ladder-sheets.svg", "Win shares with each sheet", sheets, known
        ),
    } | {
        f"img/{name}": drawn
        for name, drawn in (ladder_pool.pictures(known) | training_curves.made(curves)).items()
    }


def made_in(folder: Path) -> dict[str, str]:
    """Return the page and its pictures, by path, from the files in a folder and beside it."""
    return made(
        read_results(folder / RESULTS),
        ladder_beliefs.read_results(folder / ladder_beliefs.RESULTS),
        training_curves.read_curves(folder.absolute().parent / training_curves.TRAINING),
    )


def write(folder: Path) -> None:
    """Write page and pictures into the folder of the figures."""
    (folder / "img").mkdir(parents=True, exist_ok=True)
    for name, written in made_in(folder).items():
        (folder / name).write_text(written, "utf-8")
