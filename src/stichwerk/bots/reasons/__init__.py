"""Why a move is good, in the words of card players: an id, and the facts of its sentence.

A reason says only what its seat can know for certain. "Takes the trick" is used when nothing can
change that any more; otherwise the seat "goes for" it. A contrast says what another move would
lead to; that comes from play-outs, so it speaks of chances and of about how many points.
"""

from collections.abc import Callable, Sequence

from stichwerk import locale
from stichwerk.bots.advice import Advice, AdviceReason, Alternative
from stichwerk.bots.position import Position
from stichwerk.bots.reasons import contrast
from stichwerk.engine.events import Move
from stichwerk.games import registry
from stichwerk.locale import precision

Speaker = Callable[[Position, Move], AdviceReason]
Contrast = Callable[
    [contrast.Consequences, contrast.Consequences, Alternative | None], AdviceReason | None
]

MOST_TOSSED = 2  # moves that may be as good as the best one, to speak of a coin toss
CHANCES = ("chance", "usual")  # facts that are shares of all deals
SIGNED = ("worth",)  # facts that are shown with their sign


def reason_for(position: Position, move: Move) -> AdviceReason:
    """Return the most specific of the reasons that apply."""
    if len(position.view.moves) == 1:
        return AdviceReason("advice-only-move")
    info = registry.info_of(position.view.game)
    if not info.reasons:
        return AdviceReason("advice-best")
    speak: Speaker = info.load(info.reasons)
    return speak(position, move)


def contrast_for(
    best: contrast.Consequences, other: contrast.Consequences, gap: Alternative | None
) -> AdviceReason | None:
    """Return what speaks against another move; None if nothing can be said."""
    info = registry.info_of(best.position.view.game)
    speak: Contrast = info.load(info.contrast) if info.contrast else contrast.general
    return speak(best, other, gap)


def advice_text(advice: Advice, lang: str) -> str:
    """Return reason and contrast, to follow the move; without the last full stop."""
    said = sentence(advice.reason, lang)
    if advice.contrast is None:
        return said
    against = sentence(advice.contrast, lang)
    return f"{said}. {against[0].upper()}{against[1:]}"


def verdict(alternatives: Sequence[Alternative], lang: str) -> str:
    """Say how clear the first move is, to introduce the others; empty if none was valued."""
    others = [one for one in alternatives[1:] if one.behind is not None]
    close = [one.move for one in others if one.too_close]
    if not others:
        return ""
    if min(one.behind or 0.0 for one in others) >= precision.NEAR and not close:
        return locale.text("verdict-clear", lang)
    if not 1 <= len(close) <= MOST_TOSSED:
        return locale.text("verdict-usual", lang)
    moves = locale.enumerated([alternatives[0].move, *close], lang)
    return locale.text("verdict-toss", lang, moves=moves)


def worded(one: Alternative, lang: str) -> str:
    """Return a compared move and how far it is behind the best one."""
    assert one.behind is not None, "only moves that were valued are shown"
    return f"{one.move} {precision.behind(one.behind, one.behind_error or 0.0, lang)}"


def sentence(grounds: AdviceReason, lang: str) -> str:
    """Return a reason in words, to follow the move."""
    return locale.text(
        grounds.id, lang, **{key: fact_text(key, it, lang) for key, it in grounds.data.items()}
    )


def fact_text(key: str, value: object, lang: str) -> object:
    """Return a fact for the sentence: gains and losses with their sign, chances in words."""
    if isinstance(value, int | float) and key in CHANCES:
        return precision.chance(value, lang)
    if isinstance(value, int | float) and key == "about":
        return precision.points(value, 0.0, lang)
    if key in SIGNED and isinstance(value, int):
        return f"{value:+d}".replace("-", "−") if value else "0"
    return value
