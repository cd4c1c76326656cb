"""Results as a chart: gaps with their intervals, and their history.

Two bots get the history of their gap over the deals, a pool gets its cross-table as a heat map.
"""

import math
from collections.abc import Iterator, Sequence
from html import escape

from stichwerk import locale
from stichwerk.arena import formatting
from stichwerk.arena.deals import Plan
from stichwerk.arena.statistics import RunningMean
from stichwerk.arena.tournament import Result
from stichwerk.svg import Scale, dot, line, picture, text

LEFT, TOP, ROW = 24, 96, 24
NAMES, PLOT, FIGURES = 250, 400, 150
WIDTH = LEFT + NAMES + PLOT + FIGURES
COURSE, CELL, LONGEST = 220, 74, 22
MOST_POINTS = 400  # in the history chart: more would not be visible


def draw(plan: Plan, results: Sequence[Result], lang: str) -> str:
    """Return the whole chart as SVG."""
    heading = formatting.title(plan, lang)
    marks = [text(LEFT, 30, heading, "ink bold"), text(LEFT, 50, locale.text("arena-gap", lang))]
    marks += interval_rows(results, lang)
    below = TOP + ROW * len(results) + 16
    if len(plan.bots) == 2:
        marks += course(results[0], below, lang)
        width, height = WIDTH, below + COURSE + 40
    else:
        marks += heat_map(plan, results, below + 20, lang)
        width = max(WIDTH, LEFT + NAMES + CELL * len(plan.bots) + LEFT)
        height = below + 50 + CELL * len(plan.bots)
    said = "; ".join(spoken(result, lang) for result in results)
    return picture(heading, said, width, height, marks)


def spoken(result: Result, lang: str) -> str:
    """Describe a pair in words, for people who cannot see the chart."""
    return f"{versus(result)}: {formatting.gap(result, lang)}, {formatting.win_share(result, lang)}"


def versus(result: Result) -> str:
    """Return A and B in short."""
    return " – ".join(map(short, result.names))


def short(name: str) -> str:
    """Shorten a name that does not fit; a command line can be long."""
    name = locale.one_line(name)
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


# -- Intervals -------------------------------------------------------------------------------------


def interval_rows(results: Sequence[Result], lang: str) -> Iterator[str]:
    """Draw a row for each pair: a dot for the gap, a bar for its interval, a dashed line at 0."""
    scale = gap_scale([end for result in results for end in ends(result)], LEFT + NAMES, PLOT - 30)
    bottom = TOP + ROW * (len(results) - 1) + 10
    yield text(scale.at(0), TOP - 20, "0", "soft small middle")
    yield line(scale.at(0), TOP - 14, scale.at(0), bottom, "soft-line dash")
    for at, result in enumerate(results):
        y = TOP + at * ROW
        low, high = ends(result)
        colour = verdict(result)
        yield text(LEFT, y + 4, versus(result))
        yield line(scale.left, y, scale.left + scale.width, y, "rule-line")
        yield line(scale.at(low), y, scale.at(high), y, f"{colour}-line span")
        yield dot(scale.at(result.gaps.mean), y, colour)
        yield text(WIDTH - LEFT, y + 4, formatting.gap(result, lang), "soft small end")


def ends(result: Result) -> tuple[float, float]:
    """Return the interval of a gap; the point itself while there is none."""
    return result.gaps.interval or (result.gaps.mean, result.gaps.mean)


def verdict(result: Result) -> str:
    """Return green if surely ahead, red if surely behind."""
    low, high = ends(result)
    return "green" if low > 0 else "red" if high < 0 else "base"


def gap_scale(values: Sequence[float], left: float, width: float) -> Scale:
    """Return a scale that shows all these gaps, and 0."""
    lowest, highest = min(0.0, *values), max(0.0, *values)
    room = 0.05 * (highest - lowest) or 1.0
    return Scale(left, width, lowest - room, highest + room)


# -- The course of two bots ------------------------------------------------------------------------


def course(result: Result, top: float, lang: str) -> Iterator[str]:
    """Draw the mean gap after each deal with its 95 % band; dashed: 0 and the tested gaps."""
    points = list(course_points(result))
    lines = [0.0, *((result.test.low, result.test.high) if result.test else ())]
    wide = [
        mean + sign * margin for _, mean, margin in points[len(points) // 20 :] for sign in (-1, 1)
    ]
    down = gap_scale([*wide, *lines], 0, COURSE)
    across = Scale(LEFT + 46, WIDTH - 2 * LEFT - 46, 1, max(2, result.gaps.count))
    floor = top + COURSE
    upper = [(across.at(n), floor - down.at(mean + margin)) for n, mean, margin in points]
    lower = [(across.at(n), floor - down.at(mean - margin)) for n, mean, margin in points]
    middle = [(across.at(n), floor - down.at(mean)) for n, mean, _ in points]
    yield f'<path d="{path([*upper, *reversed(lower)])}Z" class="month" opacity="0.2"/>'
    yield f'<path d="{path(middle)}" class="month-line outline" stroke-width="2"/>'
    for value in dict.fromkeys(lines):
        y = floor - down.at(value)
        yield line(across.left, y, across.left + across.width, y, "soft-line dash")
        yield text(across.left - 6, y + 4, formatting.points(value, lang), "soft small end")
    label = locale.text("arena-course", lang, deals=locale.number(result.gaps.count, lang))
    yield text(across.left, floor + 20, label, "soft small")


def course_points(result: Result) -> Iterator[tuple[int, float, float]]:
    """Yield number of deals, mean gap and margin from the second deal on, thinned out."""
    running, step = RunningMean(), math.ceil(len(result.outcomes) / MOST_POINTS)
    for number, outcome in enumerate(result.outcomes, 1):
        running.add(outcome.gap)
        if number % step == 0 or number == len(result.outcomes):
            yield number, running.mean, running.margin or 0.0


def path(points: Sequence[tuple[float, float]]) -> str:
    """Return straight lines from point to point."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


# -- The cross-table of a pool ---------------------------------------------------------------------


def heat_map(plan: Plan, results: Sequence[Result], top: float, lang: str) -> Iterator[str]:
    """Draw A in rows, B in columns: win share of A, greener the more above an equal share."""
    yield text(LEFT, top + 4, locale.text("arena-cross", lang), "soft")
    for at, bot in enumerate(plan.bots):
        x, y = LEFT + NAMES + at * CELL, top + 20 + at * CELL
        yield text(x + CELL / 2, top + 4, short(bot)[:11], "soft small middle")
        yield text(LEFT, y + CELL / 2, short(bot))
    for result in results:
        yield from heat_cell(result, top + 20, lang)


def heat_cell(result: Result, top: float, lang: str) -> Iterator[str]:
    """Draw one cell: colour, win share and gap."""
    x, y = LEFT + NAMES + result.b * CELL, top + result.a * CELL
    share, equal = result.win_shares.mean, 1 / result.plan.seats
    strength = (share - equal) / (1 - equal) if share > equal else (equal - share) / equal
    colour = "green" if share > equal else "red"
    said = escape(spoken(result, lang))
    yield (
        f'<rect x="{x + 1:.1f}" y="{y + 1:.1f}" width="{CELL - 2}" height="{CELL - 2}" rx="4" '
        f'class="{colour}" opacity="{0.1 + 0.6 * strength:.2f}"><title>{said}</title></rect>'
    )
    shown = f"{locale.number(100 * share, lang, 1)} %"
    yield text(x + CELL / 2, y + CELL / 2 - 2, shown, "ink bold middle")
    gap = formatting.points(result.gaps.mean, lang)
    yield text(x + CELL / 2, y + CELL / 2 + 16, gap, "ink small middle")
