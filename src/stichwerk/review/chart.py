"""A review as a chart: for each seat luck, own moves and the rest, and what each round cost."""

from collections.abc import Iterator
from html import escape

from stichwerk import locale
from stichwerk.review import formatting
from stichwerk.review.account import MatchReview, SeatAccount
from stichwerk.svg import Scale, dot, line, picture, text

LEFT, TOP, ROW, BAR = 24, 104, 66, 12
NAMES, BARS, GAP, COSTS = 150, 360, 70, 220
WIDTH = LEFT + NAMES + BARS + GAP + COSTS + LEFT
HIGH = 44  # of the columns of costs
LONGEST = 18
PARTS = (  # colour, and the id of its label
    ("month", "review-luck"),
    ("red", "review-own"),
    ("base", "review-rest"),
)


def draw(found: MatchReview, lang: str) -> str:
    """Return the whole chart as SVG."""
    heading = formatting.title(found, lang)
    marks = [text(LEFT, 30, heading, "ink bold"), *legend(lang)]
    ends = [value for account in found.accounts for value in (*parts(account), account.result)]
    scale = around_zero(ends)
    most = max([1e-9, *(round.cost for account in found.accounts for round in account.rounds)])
    bottom = TOP + ROW * len(found.accounts) - 16
    marks += [
        text(scale.at(0), TOP - 18, "0", "soft small middle"),
        line(scale.at(0), TOP - 12, scale.at(0), bottom, "soft-line dash"),
        text(columns_left(), TOP - 18, locale.text("review-costs-by-round", lang), "soft small"),
    ]
    for at, account in enumerate(found.accounts):
        y = TOP + ROW * at
        marks += bars(account, scale, y, lang)
        marks += columns(account, most, y, lang)
    said = "; ".join(spoken(account, lang) for account in found.accounts)
    return picture(heading, said, WIDTH, bottom + 30, marks)


def parts(account: SeatAccount) -> tuple[float, float, float]:
    """Return the parts of a result: luck, own moves, the rest."""
    return account.luck.mean, -account.cost, account.rest


def spoken(account: SeatAccount, lang: str) -> str:
    """Describe a seat in words, for people who cannot see the chart."""
    words = [locale.text(id, lang) for _, id in PARTS]
    figures = [formatting.figure(value, lang) for value in parts(account)]
    facts = ", ".join(f"{word} {value}" for word, value in zip(words, figures, strict=True))
    result = f"{locale.text('review-result', lang)} {formatting.figure(account.result, lang)}"
    return f"{short(account.name)}: {result} ({facts})"


def short(name: str) -> str:
    """Shorten a name that does not fit."""
    name = locale.one_line(name)
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def around_zero(values: list[float]) -> Scale:
    """Return a scale that shows all these values, and 0."""
    lowest, highest = min(0.0, *values), max(0.0, *values)
    room = 0.05 * (highest - lowest) or 1.0
    return Scale(LEFT + NAMES, BARS, lowest - room, highest + room)


def legend(lang: str) -> Iterator[str]:
    """Explain the colours."""
    x = float(LEFT)
    for colour, id in PARTS:
        word = locale.text(id, lang)
        yield rectangle(x, 50, 10, 10, colour, word)
        yield text(x + 16, 59, word, "soft small")
        x += 40 + 6.5 * len(word)
    yield dot(x + 5, 55, "ink")
    yield text(x + 16, 59, locale.text("review-result", lang), "soft small")


def rectangle(x: float, y: float, width: float, height: float, colour: str, said: str) -> str:
    """Draw a bar labelled with its figure."""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'class="{colour}"><title>{escape(said)}</title></rect>'
    )


def bars(account: SeatAccount, scale: Scale, y: float, lang: str) -> Iterator[str]:
    """Draw three bars from 0 below one another, and a dot for their sum."""
    yield text(LEFT, y + 14, short(account.name), "ink bold")
    yield text(LEFT, y + 30, formatting.figure(account.result, lang), "soft")
    for at, (value, (colour, id)) in enumerate(zip(parts(account), PARTS, strict=True)):
        ends = sorted((scale.at(0), scale.at(value)))
        said = f"{locale.text(id, lang)}: {formatting.figure(value, lang)}"
        yield rectangle(ends[0], y + at * (BAR + 2), ends[1] - ends[0], BAR, colour, said)
    yield dot(scale.at(account.result), y + 1.5 * BAR + 2, "ink")


def columns_left() -> float:
    """Return where the costs by round begin."""
    return LEFT + NAMES + BARS + GAP


def columns(account: SeatAccount, most: float, y: float, lang: str) -> Iterator[str]:
    """Draw what the seat's moves cost in each round, as columns."""
    left, floor = columns_left(), y + HIGH - 4
    step = COSTS / len(account.rounds)
    yield line(left, floor, left + COSTS, floor, "rule-line")
    for at, round in enumerate(account.rounds):
        height = HIGH * max(0.0, round.cost) / most
        said = f"{round.round}: {formatting.figure(-round.cost, lang)}"
        wide = min(30.0, 0.7 * step)
        yield rectangle(left + at * step, floor - height, wide, height, "red", said)
        if step >= 14:
            yield text(
                left + at * step + wide / 2, floor + 12, str(round.round), "soft small middle"
            )
