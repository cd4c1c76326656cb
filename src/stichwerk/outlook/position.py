"""What a view knows, ready to be asked: plain rules, and a state to try moves on.

The rules are the uncompiled form of the very same source: there every rule, however small, is a
method that can be called.
"""

from functools import cached_property, lru_cache
from typing import Any

from stichwerk import locale
from stichwerk.cards import card_text
from stichwerk.engine import plain
from stichwerk.engine.codes import trick_slot
from stichwerk.engine.constants import NOBODY, NONE
from stichwerk.engine.events import Move
from stichwerk.engine.frame import Game
from stichwerk.engine.state import State
from stichwerk.errors import Reason
from stichwerk.games import registry
from stichwerk.move_judge import judge_typed
from stichwerk.view import View, knowledge

FIELDS = tuple(sorted(vars(plain.State())))


def plain_rules(view: View) -> Any:
    """Return the rules of this view, uncompiled. `Any`: each game has its own methods."""
    frozen = tuple(
        (key, tuple(value) if isinstance(value, list) else value)
        for key, value in sorted(view.options.items())
    )
    return _plain_rules(registry.build(view.game, view.seats, view.options, view.rules), frozen)


@lru_cache(maxsize=256)
def _plain_rules(rules: Any, frozen: tuple[tuple[str, object], ...]) -> Any:
    if not isinstance(rules, Game):  # it runs uncompiled anyway
        return rules
    options = {key: list(value) if isinstance(value, tuple) else value for key, value in frozen}
    kind = type(rules)
    made = getattr(plain.twin(kind.__module__), kind.__name__)
    several = len(rules.versions) > 1
    return made(rules.seats, options, rules.version) if several else made(rules.seats, options)


def plain_knowledge(view: View) -> State:
    """Return what the view knows, as a state for plain rules."""
    known = knowledge(view)
    twin = plain.State()
    for name in FIELDS:
        value = getattr(known, name)
        setattr(twin, name, list(value) if isinstance(value, list) else value)
    return twin


class OutlookPosition:
    """A view with its rules, its state of knowledge and its language."""

    def __init__(self, view: View, lang: str) -> None:
        self.view = view
        self.lang = lang
        self.seat = view.seat
        self.rules = plain_rules(view)

    @cached_property
    def known(self) -> State:
        """What the view knows. To be copied before anything is tried."""
        return plain_knowledge(self.view)

    # -- Moves -------------------------------------------------------------------------------------

    @property
    def turn(self) -> bool:
        """Whether this seat owes a move."""
        return self.seat in self.view.waiting_for

    def judge(self, text: str) -> Move | Reason:
        """Return the move a typed text means, or why it is illegal, as the match would answer."""
        if self.seat is None:
            return Reason("no-seat-of-your-own")
        view = self.view
        return judge_typed(
            self.rules,
            self.known,
            self.seat,
            text,
            waiting_for=view.waiting_for,
            names=view.names,
            over=view.ranking is not None,
        )

    def after(self, move: Move) -> State:
        """Return what this seat knows once it has made this move."""
        state = self.known.copy()
        for step in move.steps:
            self.rules.play(state, self.seat, step)
        return state

    # -- Words -------------------------------------------------------------------------------------

    def say(self, id: str, /, **facts: object) -> str:
        """Return a sentence in the reader's language."""
        return locale.text(id, self.lang, **facts)

    def by(self, seat: int, other: str, own: str, /, **facts: object) -> str:
        """Return a sentence about a seat, in the second person for the reader's own."""
        if seat == self.seat:
            return locale.text(own, self.lang, **facts)
        return locale.text(other, self.lang, name=self.view.names[seat], **facts)

    def object(self, reason: Reason) -> str:
        """Return the sentence that says why something cannot be done."""
        return locale.text(reason.id, self.lang, **reason.data)


def signed(points: int) -> str:
    """Return points with their sign: +3, −3, 0."""
    return f"{points:+d}".replace("-", "−") if points else "0"


def bare(points: int) -> str:
    """Return points with a proper minus sign."""
    return str(points).replace("-", "−")


def joined(*phrases: str) -> str:
    """Join phrases, leaving out empty ones."""
    return " · ".join(phrase for phrase in phrases if phrase)


def sentence_of(*phrases: str) -> str:
    """Make one sentence of phrases, leaving out empty ones."""
    words = "; ".join(phrase for phrase in phrases if phrase).replace(" · ", ", ")
    if not words:
        return ""
    return words[0].upper() + words[1:] + ("" if words.endswith((".", "!", "?")) else ".")


def spaced(*sentences: str) -> str:
    """Put sentences one after the other, leaving out empty ones."""
    return " ".join(sentence for sentence in sentences if sentence)


def winner_of(state: State) -> int | None:
    """Return the seat that took the last trick, or None."""
    return None if state.last_winner == NOBODY else state.last_winner


def play_text(state: State, place: int, play: int) -> str:
    """Return a play of an open trick as text: a card, or a pair."""
    card = card_text(state.trick_card[trick_slot(place, play)])
    second = state.second[play] if place == 0 else NONE
    return card if second == NONE else f"{card}+{card_text(second)}"


def play_of(state: State, place: int, seat: int) -> int | None:
    """Return the last play of a seat in a trick (in Stichling a seat may have several)."""
    first = trick_slot(place, 0)
    plays = [
        play for play in range(state.trick_size[place]) if state.trick_seat[first + play] == seat
    ]
    return plays[-1] if plays else None
