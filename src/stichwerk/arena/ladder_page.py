"""The page about the bots: how each one thinks, and every figure of the ladder with its command.

Parameters are read from the registry and the classes, figures from the file of the ladder: nothing
here is typed by hand that could deviate from what is played.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from stichwerk import bots, locale
from stichwerk.arena.ladder import (
    CLEAR,
    GAMES,
    MISSED,
    PARTS,
    POOL,
    RESULTS,
    SEATS,
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
from stichwerk.arena.ladder_bots import parameters, thinking
from stichwerk.arena.ladder_ratings import RATED, Rated, rated
from stichwerk.arena.ladder_text import milliseconds, paragraph, percent, points, span, table
from stichwerk.bots import search
from stichwerk.errors import UnknownBotError
from stichwerk.svg import Scale, dot, line, picture, text

PAGE = "bots.md"
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
    "ladder-pool.svg": (
        "Cross-tables of the pool, one for each game: the win share of the row's bot against "
        "those of the column, greener above an equal share, redder below. All figures stand in "
        "the tables."
    ),
}


def game_name(game: str) -> str:
    """Return the title of a game."""
    return locale.game_name(game, "en")


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
    "levels": ("Levels", "One of each level against three of the level below."),
    "master": (
        "Master",
        "One `master`, net and search together, against three `expert-1`, three `ismcts` that\n"
        "think as long as those, and three `greedy-1`, with a time limit for each move.",
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
ORDER = ("greedy", "flat", "tree", "choices", "levels", "master", "sheets", "seats")


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


def place(rung: LadderContest) -> str:
    """Return the game of a contest, and what is special about it."""
    if rung.part == "sheets" and rung.sheet:
        return rung.sheet
    seats = f", {rung.seats} seats" if rung.seats != SEATS else ""
    return game_name(rung.game) + (f", {rung.sheet}" if rung.sheet else "") + seats


def goal_text(rung: LadderContest) -> str:
    """Format the goal for a table cell."""
    if rung.goal is None:
        return ""
    said = {"share": f"≥ {100 * rung.goal.number:.0f} %", "gap": "gap > 0", "no loss": "no loss"}
    slowest = f", ≤ {rung.slowest} s" if rung.slowest is not None else ""
    return said[rung.goal.kind] + slowest


def command(rung: LadderContest, figures: Figures | None, names: Sequence[str] = ()) -> str:
    """Return the command for these figures: with the bots as measured, else as they are now."""
    if figures and not names:
        names = figures.plan.bots
    asked = ",".join(map(versioned, names or (rung.a, rung.b)))
    deals = figures.deals if figures else rung.deals
    parts = [f"stichwerk arena {rung.game} --bots {asked} --deals {deals} --seed {SEED}"]
    parts += [f"--seats {rung.seats}"] if rung.seats != SEATS else []
    parts += [f'--sheet "{rung.sheet}"'] if rung.sheet else []
    return " ".join(parts)


def versioned(name: str) -> str:
    """Return a name with its version; of a bot that does not exist yet, just its name."""
    try:
        return bots.full_name(name)
    except UnknownBotError:
        return name


def commands(lines: Iterable[str]) -> str:
    """Write a block of commands, each once."""
    return "```sh\n" + "\n".join(dict.fromkeys(lines)) + "\n```"


# -- The cross-table -------------------------------------------------------------------------------


def pool_section(known: Known) -> Iterator[str]:
    """Write a cross-table for each game, with the command for the whole table."""
    yield "### Cross-table"
    yield paragraph(
        "Win share of the row's bot against three of the column's, in percent. The same deals "
        "for all; few of them, for it is the order that counts here: an interval is about ± "
        "10 points or more wide. One command gives a whole table."
    )
    yield shown_picture("ladder-pool.svg")
    for game in GAMES:
        yield f"**{game_name(game)}**"
        yield cross_table(game, known)
        yield commands(pool_commands(game, known))


def pool_of(game: str) -> dict[tuple[str, str], LadderContest]:
    """Return the pairs of a game's pool."""
    return {(rung.a, rung.b): rung for rung in PARTS["pool"]() if rung.game == game}


def cross_table(game: str, known: Known) -> str:
    """Write A in rows, B in columns."""
    rungs = pool_of(game)

    def cell(a: str, b: str) -> str:
        if a == b:
            return "·"
        figures = known.get(rungs[a, b].key)
        return f"{100 * figures.win_share:.0f}" if figures else UNMEASURED

    rows = [(f"`{a}`", *(cell(a, b) for b in POOL)) for a in POOL]
    return table(("A \\ B", *(f"`{b}`" for b in POOL)), rows, words=1)


def pool_commands(game: str, known: Known) -> Iterator[str]:
    """Yield one command for the table, or several if its cells have different numbers of deals."""
    rungs = list(pool_of(game).values())
    measured = {
        figures.deals: (rung, figures)
        for rung in rungs
        if (figures := known.get(rung.key)) is not None
    }
    for rung, figures in measured.values():
        yield command(rung, figures, POOL)
    if not measured:
        yield command(rungs[0], None, POOL)


# -- Strangers -------------------------------------------------------------------------------------


def stranger_section(known: Known) -> Iterator[str]:
    """Write what our bots are worth against styles that nothing of ours models."""
    yield "### Against strangers"
    yield paragraph(
        "Win share of the row's bot against three of the column's, in percent with its interval; "
        "25 would be equal. Searches expect the others to play by our tactics. These do not: a "
        "plain tree search with random play-outs, which takes about as long for a move as "
        "`expert-1` does, and styles that people have. What counts is the worst cell of a row."
    )
    for game in GAMES:
        yield f"**{game_name(game)}**"
        rungs = [rung for rung in PARTS["strangers"]() if rung.game == game]
        yield stranger_table(rungs, known)
        yield commands(command(rung, known.get(rung.key)) for rung in rungs)


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
    """Return against whom a bot does worst; nothing before all are measured."""
    shares = {b: figures.win_share for b, figures in found.items() if figures}
    if len(shares) < len(found):
        return UNMEASURED
    worst = min(shares, key=lambda b: shares[b])
    return f"{100 * shares[worst]:.0f}, `{worst}`"


# -- Characters ------------------------------------------------------------------------------------


def character_section(known: Known) -> Iterator[str]:
    """Write how strong characters and levels are, for people, and the contests that say so."""
    yield "### Characters"
    yield paragraph(
        "How strong characters and levels are, on a scale that people see: 0 plays like "
        "`random-1`, 1000 like `expert-1`. The strengths are the likeliest ones for all win shares "
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


def page(known: Known) -> str:
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
    parts += pool_section(known)
    parts += stranger_section(known)
    parts += character_section(known)
    return "\n\n".join(parts) + "\n"


# -- Pictures --------------------------------------------------------------------------------------

LEFT, TOP, ROW = 24, 78, 22
NAMES, PLOT, ASIDE = 300, 360, 150
WIDTH = LEFT + NAMES + PLOT + ASIDE
CELL, LABEL, GAP = 62, 70, 40


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


def pool_picture(known: Known) -> str:
    """Draw four heat maps, two by two."""
    size = LABEL + CELL * len(POOL)
    marks = [text(LEFT, 30, "Win share of the row against three of the column, %", "ink bold")]
    for at, game in enumerate(GAMES):
        x, y = LEFT + (at % 2) * (size + GAP), 50 + (at // 2) * (size + GAP)
        marks += heat_map(game, known, x, y)
    width, height = 2 * LEFT + 2 * size + GAP, 50 + 2 * (size + GAP)
    return picture("Cross-tables", PICTURES["ladder-pool.svg"], width, height, marks)


def heat_map(game: str, known: Known, left: float, top: float) -> Iterator[str]:
    """Draw the cross-table of a game."""
    rungs = pool_of(game)
    yield text(left, top + 14, game_name(game), "ink bold")
    for at, bot in enumerate(POOL):
        middle = (at + 0.5) * CELL
        yield text(left + LABEL + middle, top + 36, bot, "soft small middle")
        yield text(left, top + 44 + middle, bot, "ink small")
    for (a, b), rung in rungs.items():
        x, y = left + LABEL + POOL.index(b) * CELL, top + 42 + POOL.index(a) * CELL
        yield from heat_cell(known.get(rung.key), f"{a} – {b}", x, y)


def heat_cell(figures: Figures | None, pair: str, x: float, y: float) -> Iterator[str]:
    """Draw one cell: greener the more above an equal share."""
    if figures is None:
        yield text(x + CELL / 2, y + CELL / 2 + 4, "–", "soft middle")
        return
    share, equal = figures.win_share, 1 / SEATS
    strength = (share - equal) / (1 - equal) if share > equal else (equal - share) / equal
    colour = "green" if share > equal else "red"
    said = escape(f"{pair}: {percent(share)} ({span(figures)})")
    yield (
        f'<rect x="{x + 1:.1f}" y="{y + 1:.1f}" width="{CELL - 2}" height="{CELL - 2}" rx="4" '
        f'class="{colour}" opacity="{0.1 + 0.6 * strength:.2f}"><title>{said}</title></rect>'
    )
    yield text(x + CELL / 2, y + CELL / 2 + 4, f"{100 * share:.0f}", "ink bold middle")


# -- Writing ---------------------------------------------------------------------------------------


def made(known: Known) -> dict[str, str]:
    """Return the page and its pictures, by path."""
    goals = [rung for rung in all_rungs() if rung.goal and rung.goal.kind == "share"]
    sheets = [rung for rung in goals if rung.part == "sheets"]
    others = [rung for rung in goals if rung.part != "sheets"]
    return {
        PAGE: page(known),
        "img/ladder-goals.svg": share_picture("ladder-goals.svg", "Win shares", others, known),
        "img/ladder-sheets.svg": share_picture(
            "ladder-sheets.svg", "Win shares with each sheet", sheets, known
        ),
        "img/ladder-pool.svg": pool_picture(known),
    }


def write(folder: Path) -> None:
    """Write page and pictures into the folder of the figures."""
    (folder / "img").mkdir(parents=True, exist_ok=True)
    for name, written in made(read_results(folder / RESULTS)).items():
        (folder / name).write_text(written, "utf-8")
