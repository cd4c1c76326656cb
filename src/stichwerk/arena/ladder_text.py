"""Figures of the ladder as text: percentages, intervals, times, tables in Markdown."""

import textwrap
from collections.abc import Iterable, Sequence

from stichwerk.arena.ladder import Figures

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
