"""The cross-table of the pool on the page of the ladder: everyone against everyone."""

from collections.abc import Iterator
from functools import cache
from html import escape

from stichwerk.arena.ladder import (
    GAMES,
    SEATS,
    Figures,
    Known,
    LadderContest,
    pool,
    pool_rungs,
    stranger_rungs,
)
from stichwerk.arena.ladder_text import (
    command,
    commands,
    game_name,
    paragraph,
    percent,
    span,
    table,
)
from stichwerk.svg import picture, text

LEFT, TOP, CELL, LABEL = 24, 130, 42, 92


def picture_of(game: str) -> str:
    """Return the file name of the picture of a game."""
    return f"ladder-pool-{game}.svg"


PICTURES = {
    picture_of(game): (
        f"Cross-table of {game_name(game)}, strangers included: the win share of the row's bot "
        "against those of the column, greener above an equal share, redder below. All figures "
        "stand in the table."
    )
    for game in GAMES
}


def pool_section(known: Known) -> Iterator[str]:
    """Write a cross-table for each game, with the command for the whole table."""
    yield "### Cross-table"
    yield paragraph(
        "Win share of the row's bot against three of the column's, in percent. The same deals "
        "for all; few of them, for it is the order that counts here: an interval is about ± "
        "10 points or more wide. One command gives a whole table, except for the rows that are "
        "measured against strangers with more deals, below. A dash: not measured."
    )
    for game in GAMES:
        yield f"**{game_name(game)}**"
        yield f"![{PICTURES[picture_of(game)]}](img/{picture_of(game)})"
        yield cross_table(game, known)
        yield commands(pool_commands(game, known))


@cache
def cells_of(game: str) -> dict[tuple[str, str], LadderContest]:
    """Return the contests of a game's cross-table, those of the part `strangers` included."""
    bots = pool(game)
    return {
        (rung.a, rung.b): rung
        for rung in (*pool_rungs(), *stranger_rungs())
        if rung.game == game and rung.a in bots
    }


def cross_table(game: str, known: Known) -> str:
    """Write A in rows, B in columns."""
    bots, rungs = pool(game), cells_of(game)

    def cell(a: str, b: str) -> str:
        if a == b:
            return "·"
        figures = known.get(rungs[a, b].key)
        return f"{100 * figures.win_share:.0f}" if figures else "–"

    rows = [(f"`{a}`", *(cell(a, b) for b in bots)) for a in bots]
    return table(("A \\ B", *(f"`{b}`" for b in bots)), rows, words=1)


def pool_commands(game: str, known: Known) -> Iterator[str]:
    """Yield one command for the table, or several if its cells have different numbers of deals."""
    rungs = [rung for rung in pool_rungs() if rung.game == game]
    measured = {
        figures.deals: (rung, figures)
        for rung in rungs
        if (figures := known.get(rung.key)) is not None
    }
    for rung, figures in measured.values():
        yield command(rung, figures, pool(game))
    if not measured:
        yield command(rungs[0], None, pool(game))


# -- Pictures --------------------------------------------------------------------------------------


def pictures(known: Known) -> dict[str, str]:
    """Return a heat map for each game, by file name."""
    return {picture_of(game): heat_map(game, known) for game in GAMES}


def heat_map(game: str, known: Known) -> str:
    """Draw the cross-table of a game."""
    bots = pool(game)
    heading = f"{game_name(game)}: win share of the row against three of the column, %"
    marks = [text(LEFT, 30, heading, "ink bold")]
    for at, bot in enumerate(bots):
        middle = (at + 0.5) * CELL
        x = LEFT + LABEL + middle
        marks.append(
            f'<text x="{x:.1f}" y="{TOP - 8}" class="ink small" '
            f'transform="rotate(-45 {x:.1f} {TOP - 8})">{escape(bot)}</text>'
        )
        marks.append(text(LEFT + LABEL - 8, TOP + middle + 4, bot, "ink small end"))
    for (a, b), rung in cells_of(game).items():
        x, y = LEFT + LABEL + bots.index(b) * CELL, TOP + bots.index(a) * CELL
        marks += heat_cell(known.get(rung.key), f"{a} – {b}", x, y)
    size = CELL * len(bots)
    return picture(
        heading, PICTURES[picture_of(game)], 2 * LEFT + LABEL + size + 40, TOP + size + 24, marks
    )


def heat_cell(figures: Figures | None, pair: str, x: float, y: float) -> Iterator[str]:
    """Draw one cell: greener the more above an equal share."""
    middle = (x + CELL / 2, y + CELL / 2 + 4)
    if figures is None:
        yield text(*middle, "–", "soft middle")
        return
    share, equal = figures.win_share, 1 / SEATS
    strength = (share - equal) / (1 - equal) if share > equal else (equal - share) / equal
    colour = "green" if share > equal else "red"
    said = escape(f"{pair}: {percent(share)} ({span(figures)})")
    yield (
        f'<rect x="{x + 1:.1f}" y="{y + 1:.1f}" width="{CELL - 2}" height="{CELL - 2}" rx="4" '
        f'class="{colour}" opacity="{0.1 + 0.6 * strength:.2f}"><title>{said}</title></rect>'
    )
    yield text(*middle, f"{100 * share:.0f}", "ink bold middle")
