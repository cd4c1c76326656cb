"""Why a move is good, in the words of card players: an id, and the facts of its sentence.

A reason says only what its seat can know for certain. "Takes the trick" is used when nothing can
change that any more; otherwise the seat "goes for" it. What a search thinks a move is worth is not
part of the reason: it is given separately, with its uncertainty.
"""

from collections.abc import Callable

from stichwerk import locale
from stichwerk.bots.advice import AdviceReason
from stichwerk.bots.position import Position
from stichwerk.engine.events import Move
from stichwerk.games import registry

Speaker = Callable[[Position, Move], AdviceReason]

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


def sentence(grounds: AdviceReason, lang: str) -> str:
    """Return a reason in words, to follow the move."""
    return locale.text(
        grounds.id, lang, **{key: fact_text(key, it) for key, it in grounds.data.items()}
    )


def fact_text(key: str, value: object) -> object:
    """Return a fact for the sentence: gains and losses with their sign."""
    if key in SIGNED and isinstance(value, int):
        return f"{value:+d}".replace("-", "−") if value else "0"
    return value
