"""Results for people: tables in the terminal."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table

from stichwerk import locale
from stichwerk.arena import formatting
from stichwerk.arena.deals import Plan
from stichwerk.arena.ratings import Rating
from stichwerk.arena.tournament import Result
from stichwerk.bots.faults import FaultBook
from stichwerk.locale.signs import Shown


def tables(
    plan: Plan, results: Sequence[Result], ratings: Sequence[Rating] | None, lang: str
) -> Iterator[RenderableType]:
    """Yield all tables, from top to bottom."""
    yield Shown(formatting.title(plan, lang), style="bold")
    yield Shown(formatting.explanation(plan, lang))
    yield pair_table(results, lang)
    yield from map(Shown, fault_lines(results, lang))
    if len(plan.bots) > 2:
        yield cross_table(plan, results, lang)
    if ratings is None:
        yield Shown(locale.text("arena-no-openskill", lang))
    else:
        yield rating_table(ratings, lang)


def fault_lines(results: Sequence[Result], lang: str) -> Iterator[str]:
    """Return a line for each bot that had faults."""
    book = FaultBook()
    for result in results:
        for fault in result.faults.counted:
            book.note(fault.first, fault.count)
    return book.summary(lang)


def pair_table(results: Sequence[Result], lang: str) -> Table:
    """Return a table with a line for each pair."""
    tested = any(result.test for result in results)
    matches = any(result.round_shares.count for result in results)
    heads = ["arena-deals", "arena-gap", "arena-share"]
    heads += ["arena-rounds", "arena-time"] if matches else ["arena-time"]
    table = Table(locale.text("arena-a", lang), locale.text("arena-b", lang))
    for id in [*heads, *(["arena-test"] if tested else [])]:
        table.add_column(Shown(locale.text(id, lang)), justify="right")
    for result in results:
        cells = [
            *result.names,
            locale.number(result.gaps.count, lang),
            formatting.gap(result, lang),
            formatting.win_share(result, lang),
            *([formatting.round_share(result, lang)] if matches else []),
            formatting.time_per_move(result, lang),
            *([formatting.decision(result, lang)] if tested else []),
        ]
        table.add_row(*(Shown(locale.one_line(cell)) for cell in cells))
    return table


def cross_table(plan: Plan, results: Sequence[Result], lang: str) -> Table:
    """Return A in rows, B in columns: gap and win share of A, green where it is surely ahead."""
    played = {(result.a, result.b): result for result in results}
    table = Table(locale.text("arena-cross", lang))
    for bot in plan.bots:
        table.add_column(Shown(locale.one_line(bot)), justify="right")
    for a, bot in enumerate(plan.bots):
        cells = [cross_cell(played.get((a, b)), lang) for b in range(len(plan.bots))]
        table.add_row(Shown(locale.one_line(bot)), *cells)
    return table


def cross_cell(result: Result | None, lang: str) -> Shown:
    """Format what A did against B; no bot plays against itself."""
    if result is None:
        return Shown("·", style="dim")
    low, high = result.gaps.interval or (0.0, 0.0)
    style = "green" if low > 0 else "red" if high < 0 else ""
    share = locale.number(100 * result.win_shares.mean, lang, 1)
    return Shown(f"{formatting.gap(result, lang)}\n{share} %", style=style)


def rating_table(ratings: Sequence[Rating], lang: str) -> Table:
    """Return the bots from strongest to weakest."""
    table = Table(locale.text("arena-rating", lang))
    for id in ("arena-mu", "arena-sigma", "arena-ordinal"):
        table.add_column(Shown(locale.text(id, lang)), justify="right")
    for rating in ratings:
        figures = (rating.mu, rating.sigma, rating.cautious)
        shown = [locale.number(figure, lang, 2).replace("-", "−") for figure in figures]
        table.add_row(Shown(locale.one_line(rating.bot)), *map(Shown, shown))
    return table
