"""Whole matches on the page of the ladder: matches and rounds won, beside each other."""

from collections.abc import Iterator

from stichwerk.arena.ladder import (
    UNMEASURED,
    Figures,
    Known,
    LadderContest,
    match_rungs,
    verdict,
)
from stichwerk.arena.ladder_text import (
    command,
    commands,
    game_name,
    goal_text,
    paragraph,
    percent,
    points,
    span,
    table,
)


def match_section(known: Known) -> Iterator[str]:
    """Write what bots win in whole matches."""
    yield "### Whole matches"
    yield paragraph(
        "Elsewhere a deal of Sticheln, Null & nichtig and Stichling is one round. Here it is a "
        "match, played once with A in every seat. *Matches* is A's share of the matches won, "
        "*rounds* its share of the rounds in them, each ranked as if it had been the only one. "
        "They differ: who is a little ahead in every round, but seldom the best, wins matches. In "
        "Null & nichtig, where a reckless player now and then has a splendid round, matches are "
        "the fairer measure. The gap is that of the final points. The goals of `master` are those "
        "for rounds, above, asked of whole matches as well."
    )
    rungs = list(match_rungs())
    head = ("game", "A – B", "deals", "matches", "rounds", "gap", "goal", "")
    yield table(head, [match_row(rung, known.get(rung.key)) for rung in rungs], words=2)
    yield commands(command(rung, known.get(rung.key)) for rung in rungs)


def match_row(rung: LadderContest, figures: Figures | None) -> tuple[str, ...]:
    """Write one contest as a table row."""
    names = (game_name(rung.game), f"{rung.a} – {rung.b}")
    if figures is None:
        return (*names, "", UNMEASURED, UNMEASURED, "", goal_text(rung), verdict(rung, None))
    return (
        *names,
        f"{figures.deals:,}",
        f"{percent(figures.win_share)} ({span(figures)})",
        rounds_won(figures),
        f"{points(figures.gap)} ({points(figures.gap_ci[0])} to {points(figures.gap_ci[1])})",
        goal_text(rung),
        verdict(rung, figures) if rung.goal else "",
    )


def rounds_won(figures: Figures) -> str:
    """Format the share of rounds with its interval."""
    if figures.round_share is None or figures.round_share_ci is None:
        return UNMEASURED
    low, high = figures.round_share_ci
    return f"{percent(figures.round_share)} ({100 * low:.1f}–{100 * high:.1f})"
