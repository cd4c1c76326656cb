"""A review as text and as JSON."""

from collections.abc import Iterator

import msgspec
from rich.console import RenderableType
from rich.table import Table

from stichwerk import locale
from stichwerk.locale import precision
from stichwerk.locale.signs import Shown
from stichwerk.review import formatting
from stichwerk.review.account import MatchReview, RoundAccount, SeatAccount
from stichwerk.review.decisions import Judgement

FORMAT = "stichwerk-review/1"
HEADS = (  # the ids of the columns
    *("review-points", "review-result", "review-luck"),
    *("review-own", "review-rest", "review-mistakes"),
)


# -- For people ------------------------------------------------------------------------------------


def pages(found: MatchReview, top: int, lang: str) -> Iterator[RenderableType]:
    """Yield the accounts of all seats, what the columns mean, then the moments seat by seat."""
    yield Shown(formatting.title(found, lang), style="bold")
    if not found.finished:
        yield Shown(locale.text("review-unfinished", lang))
    yield accounts_table(found, lang)
    yield Shown(locale.text("review-meaning", lang))
    for account in found.accounts:
        yield from moments(found, account, top, lang)


def accounts_table(found: MatchReview, lang: str) -> Table:
    """Return a table with one line per seat."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(Shown(locale.text("review-seat", lang)))
    for id in HEADS:
        table.add_column(Shown(locale.text(id, lang)), justify="right")
    for account in found.accounts:
        table.add_row(*map(Shown, account_row(account, lang)))
    return table


def account_row(account: SeatAccount, lang: str) -> tuple[str, ...]:
    """Return the figures of a seat, as exactly as they are known."""
    return (
        f"{account.seat} {locale.one_line(account.name)}",
        str(account.points).replace("-", "−"),
        formatting.figure(account.result, lang),
        precision.signed(account.luck.mean, account.luck.error, lang),
        precision.signed(-account.cost, account.cost_error, lang),
        precision.signed(account.rest, account.rest_error, lang),
        f"{len(account.mistakes)} / {account.decisions}",
    )


def moments(found: MatchReview, account: SeatAccount, top: int, lang: str) -> Iterator[Shown]:
    """Yield the costliest decisions of a seat."""
    name = locale.one_line(account.name)
    if top == 0:
        return
    yield Shown("")
    if not account.mistakes:
        yield Shown(locale.text("review-no-mistake", lang, seat=account.seat, name=name))
        return
    yield Shown(locale.text("review-costliest", lang, seat=account.seat, name=name), style="bold")
    for one in account.mistakes[:top]:
        yield from moment(found, one, lang)


def moment(found: MatchReview, one: Judgement, lang: str) -> Iterator[Shown]:
    """Yield when it was, what it cost, what was seen and played, what was better and why."""
    view = one.decision.view
    yield Shown(f"  {formatting.when(one, found, lang)}: {formatting.cost(one, lang)}")
    facts = {"hand": " ".join(view.hand), "table": formatting.table_shown(one)}
    yield Shown("    " + locale.text("review-seen", lang, **facts), style="dim")
    yield Shown("    " + locale.text("review-played", lang, move=one.decision.move))
    yield Shown("    " + formatting.better(one, lang))


# -- For programs ----------------------------------------------------------------------------------


def to_json(found: MatchReview, top: int) -> str:
    """Return one object; its keys are promises, see docs/review.md."""
    facts: dict[str, object] = {
        "format": FORMAT,
        "game": found.game,
        "seats": found.seats,
        "names": found.names,
        "options": found.options,
        "bot": found.bot,
        "seed": found.seed,
        "rounds": found.rounds,
        "finished": found.finished,
        "players": [account_facts(account, top) for account in found.accounts],
    }
    return msgspec.json.encode(facts).decode()


def account_facts(account: SeatAccount, top: int) -> dict[str, object]:
    """Return the account of a seat. Errors are standard errors."""
    return {
        "seat": account.seat,
        "name": account.name,
        "points": account.points,
        "result": account.result,
        "luck": account.luck.mean,
        "luck_error": account.luck.error,
        "cost": account.cost,
        "cost_error": account.cost_error,
        "rest": account.rest,
        "decisions": account.decisions,
        "mistakes": len(account.mistakes),
        "rounds": [round_facts(round) for round in account.rounds],
        "moments": [moment_facts(one) for one in account.mistakes[:top]],
    }


def round_facts(round: RoundAccount) -> dict[str, object]:
    """Return the account of one round."""
    return {**msgspec.structs.asdict(round), "rest": round.rest}


def moment_facts(one: Judgement) -> dict[str, object]:
    """Return one decision: what was seen, done and better, and the alternatives."""
    decision, view = one.decision, one.decision.view
    return {
        "round": decision.round,
        "trick": decision.trick,
        "phase": view.phase,
        "hand": view.hand,
        "tricks": view.tricks,
        "played": decision.move,
        "better": one.advice.move,
        "cost": one.cost,
        "error": one.error,
        "reason": one.advice.reason,
        "contrast": one.advice.contrast,
        "alternatives": one.advice.alternatives,
    }
