"""Figures formatted for people, in their language."""

from stichwerk import locale
from stichwerk.arena.deals import Plan
from stichwerk.arena.tournament import Result


def title(plan: Plan, lang: str) -> str:
    """Return what was played, in one line."""
    game = locale.game_name(plan.game, lang)
    return locale.text("arena-title", lang, game=game, seats=plan.seats, seed=plan.seed)


def explanation(plan: Plan, lang: str) -> str:
    """Explain what a deal is, and what the figures mean."""
    return locale.text("arena-unit-match" if plan.unit == "match" else "arena-unit-round", lang)


def points(value: float, lang: str) -> str:
    """Format a gap in points with its sign; one that rounds to zero has none."""
    shown = locale.number(abs(value), lang, 2)
    if not shown.strip("0.,"):
        return shown
    return ("+" if value > 0 else "−") + shown


def gap(result: Result, lang: str) -> str:
    """Format the gap and its margin, if known."""
    mean, margin = points(result.gaps.mean, lang), result.gaps.margin
    if margin is None:
        return locale.text("arena-no-margin", lang, gap=mean)
    return f"{mean} {locale.margin(margin, lang, 2)}"


def win_share(result: Result, lang: str) -> str:
    """Format the share of victories and its interval, in per cent."""
    return share(result.win_shares.mean, result.win_share_interval, lang)


def round_share(result: Result, lang: str) -> str:
    """Format the share of the rounds of matches and its interval, in per cent."""
    return share(result.round_shares.mean, result.round_share_interval, lang)


def share(mean: float, interval: tuple[float, float], lang: str) -> str:
    """Format a share and its interval, in per cent."""
    low, high = (locale.number(100 * end, lang, 1) for end in interval)
    return f"{locale.number(100 * mean, lang, 1)} % ({low}–{high})"


def time_per_move(result: Result, lang: str) -> str:
    """Format the mean time of a move, in milliseconds."""
    return f"{locale.number(1000 * result.seconds_per_move, lang, 2)} ms"


def decision(result: Result, lang: str) -> str:
    """Say what the sequential test decided."""
    if not result.test:
        return ""
    ratio = locale.number(result.test.ratio(result.gaps), lang, 2).replace("-", "−")
    if result.decision == "open":
        return locale.text("arena-open", lang, ratio=ratio)
    chosen = result.test.high if result.decision == "h1" else result.test.low
    return locale.text("arena-decided", lang, gap=points(chosen, lang), ratio=ratio)


def progress(result: Result, lang: str) -> str:
    """Return the running figures next to the progress bar."""
    facts = {"gap": gap(result, lang), "share": win_share(result, lang)}
    return locale.text("arena-running", lang, **facts)
