"""Figures of the ladder as text: percentages, intervals, times, tables in Markdown."""

import textwrap
from collections.abc import Iterable, Sequence

from stichwerk import bots, locale
from stichwerk.arena.ladder import SEATS, SEED, Figures, LadderContest
from stichwerk.errors import UnknownBotError

WIDE = 100


def percent(share: float) -> str:
    """Format a share as a percentage."""
    return f"{100 * share:.1f} %"


def span(figures: Figures) -> str:
    """Format the interval of a win share."""
    low, high = figures.win_share_ci
    return f"{100 * low:.1f}–{100 * high:.1f}"


def points(value: float) -> str:
    """Format a gap with its sign."""
    return ("+" if value >= 0 else "−") + f"{abs(value):.2f}"


def milliseconds(seconds: float) -> str:
    """Format the time of a move."""
    return f"{1000 * seconds:.1f} ms"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], words: int) -> str:
    """Write a Markdown table; columns after the first `words` are figures, aligned right."""
    rules = ["---"] * words + ["--:"] * (len(head) - words)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rules, *rows))


def paragraph(words: str) -> str:
    """Wrap prose."""
    return textwrap.fill(words, WIDE, break_long_words=False, break_on_hyphens=False)


# -- Contests --------------------------------------------------------------------------------------


def game_name(game: str) -> str:
    """Return the title of a game."""
    return locale.game_name(game, "en")


def place(rung: LadderContest) -> str:
    """Return the game of a contest, and what is special about it."""
    if rung.part in ("sheets", "alone") and rung.sheet:
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
    parts += [f"--date {rung.date}"] if rung.date else []
    parts += [f"--unit {rung.unit}"] if rung.unit else []
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
