"""Figures and moments formatted for people, in their language."""

from stichwerk import locale
from stichwerk.bots.reasons import advice_text
from stichwerk.bots.registry import find
from stichwerk.games import registry
from stichwerk.locale import precision
from stichwerk.review.account import MatchReview
from stichwerk.review.decisions import Judgement

CALLED = {"master": "review-by-master", "expert": "review-by-expert"}
"""The bots that people are advised by, see `best_bot`."""
AT = {"trick": "review-at-trick", "card": "review-at-card"}


def figure(value: float, lang: str, digits: int = 1) -> str:
    """Format a gain or a loss in points with its sign."""
    shown = locale.number(abs(value), lang, digits)
    is_nothing = not shown.strip("0.,")
    return shown if is_nothing else ("+" if value > 0 else "−") + shown


def title(found: MatchReview, lang: str) -> str:
    """Return what was reviewed, and by which bot: with its version, as authors of bots need it."""
    return _title(found, locale.text("review-by", lang, bot=found.bot), lang)


def told_title(found: MatchReview, lang: str) -> str:
    """Return the same with the name that people have for the bot."""
    listing, _ = find(found.bot)
    judged = locale.text(CALLED.get(listing.name, "review-by"), lang, bot=found.bot)
    return _title(found, judged, lang)


def _title(found: MatchReview, judged: str, lang: str) -> str:
    game = locale.game_name(found.game, lang)
    facts = {"game": game, "seats": found.seats, "count": found.rounds, "judged": judged}
    return locale.text("review-title", lang, **facts)


def when(one: Judgement, found: MatchReview, lang: str) -> str:
    """Format when it was: `Round 2, trick 5`."""
    decision = one.decision
    word = locale.round_word(found.game, lang)
    if decision.trick is None:
        return locale.text("review-before-play", lang, word=word, round=decision.round)
    id = AT[registry.info_of(found.game).counts]
    return locale.text(id, lang, word=word, round=decision.round, trick=decision.trick)


def cost(one: Judgement, lang: str) -> str:
    """Format the cost of a move, as exactly as it is known."""
    return locale.text("review-cost", lang, cost=precision.points(one.cost, one.error, lang))


def table_shown(one: Judgement) -> str:
    """Format the table: `B7 B3`; several tricks with their places: `1: B7 B3 · 3: Y4`."""
    view = one.decision.view
    tricks = [" ".join(card for _, card in trick.plays) for trick in view.tricks]
    if registry.info_of(view.game).open_tricks > 1:
        tricks = [f"{at.place + 1}: {it}" for at, it in zip(view.tricks, tricks, strict=True)]
    return " · ".join(tricks) or "–"


def better(one: Judgement, lang: str) -> str:
    """Return the better move and why."""
    facts = {"move": one.advice.move, "why": advice_text(one.advice, lang)}
    return locale.text("review-better", lang, **facts)
