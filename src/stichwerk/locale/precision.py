"""Figures with an uncertainty, as people say them: no more digits than are known.

The page does the same (`frontend/src/texts/precision.ts`); `tests/precision.json` has examples for
both.
"""

from math import floor

from stichwerk import locale

SURE = 2.0  # errors that a figure must be away from zero
STEPS = (0.1, 0.5, 1.0, 5.0, 10.0, 50.0, 100.0)
FINEST = 25  # parts of a figure that are worth telling apart
NEAR = 1.0  # points: less than that is no difference to speak of, where it is not sure
TINY = 0.15  # points: less than that never is
SHARES = (  # up to this share the id of its words
    (0.06, "chance-hardly"),
    (0.15, "chance-tenth"),
    (0.225, "chance-fifth"),
    (0.29, "chance-quarter"),
    (0.41, "chance-third"),
    (0.59, "chance-half"),
    (0.71, "chance-two-thirds"),
    (0.775, "chance-three-quarters"),
    (0.85, "chance-four-fifths"),
    (0.94, "chance-nine-tenths"),
    (1.0, "chance-nearly"),
)


def rounded(value: float, error: float) -> float:
    """Round to what the standard error allows, and large figures to what people would say; not to
    0 what is surely above it."""
    coarse = max(error, abs(value) / FINEST)
    step = next((step for step in STEPS if step >= coarse), STEPS[-1])
    shown = floor(abs(value) / step + 0.5) * step
    if not shown and abs(value) > SURE * error:
        shown = max(STEPS[0], floor(abs(value) / STEPS[0] + 0.5) * STEPS[0])
    return round(shown, 1) if value >= 0 else -round(shown, 1)


def plain(value: float, lang: str) -> str:
    """Write a rounded figure, with a decimal only if it has one: `2`, `0.5`."""
    return locale.number(value, lang, 0 if value == round(value) else 1).replace("-", "−")


def signed(value: float, error: float, lang: str) -> str:
    """Write a gain or loss in a table: rounded, with its sign, 0 if it may be nothing."""
    if abs(value) <= SURE * error:
        return "0"
    shown = rounded(value, error)
    return f"{'+' if shown > 0 else ''}{plain(shown, lang)}" if shown else "0"


def points(value: float, error: float, lang: str) -> str:
    """Say how many points that are: `about 2 points`, `about half a point`."""
    shown = rounded(abs(value), error)
    if shown == 0.5:
        return locale.text("points-half", lang)
    return locale.text("points-about", lang, points=plain(shown, lang), count=shown)


def behind(value: float, error: float, lang: str) -> str:
    """Say how far a move is behind the best one: `about 2 points worse`, `practically equal`."""
    if is_clear(value, error):
        return locale.text("points-worse", lang, points=points(value, error, lang))
    id = "points-equal" if value + SURE * error <= NEAR else "points-unsure"
    return locale.text(id, lang)


def is_clear(value: float, error: float) -> bool:
    """Return whether a difference is sure and worth a word."""
    return value > max(SURE * error, TINY)


def chance(share: float, lang: str) -> str:
    """Say how often something happens: `in about two of three deals`."""
    return locale.text(next(id for limit, id in SHARES if share <= limit), lang)
