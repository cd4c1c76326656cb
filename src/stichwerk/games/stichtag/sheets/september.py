"""The sheet September."""

from typing import Any

from stichwerk.engine.events import BaseEvent, Event
from stichwerk.engine.state import State
from stichwerk.games.stichtag.sentence import Sentence
from stichwerk.games.stichtag.sheet import Sheet, mask_texts
from stichwerk.games.stichtag.storage import CARRIED_TRICKS, LAST_TRICK
from stichwerk.games.stichtag.table_facts import shown_by
from stichwerk.games.stichtag.texts import drawing_of, texts_of

LEAF = -0.66  # the value of winning a trick that stays on the table


class TrickStays(BaseEvent, frozen=True, tag="stays"):
    """A trick is complete and stays on the table.

    `seat`: who won it, and leads
    `cards`: its cards in the order played
    """

    after_trick = True
    settles = True

    seat: int
    cards: tuple[str, ...]


class September(Sheet):
    """Leaf: the trick stays on the table until a trick without one."""

    name = "September"
    replaces = ("trick",)
    values = (6,)
    origin = "own"
    emits = (TrickStays,)
    title, symbol_name, short, long, notes = texts_of("september")
    shown = shown_by("september")
    drawing = drawing_of("september")

    def stays(self, state: State) -> bool:
        """A trick with a leaf stays, unless it is the last."""
        return self.symbols(state) != 0 and not state.numbers[LAST_TRICK]

    def trick_worth(self, state: State, seat: int, left: int) -> float:
        """The tricks on the table, unless this one stays there too."""
        if left and self.symbols(state):
            return LEAF
        return 1.0 + state.numbers[CARRIED_TRICKS]

    def trick_event(self, before: State, after: State, cards: tuple[str, ...]) -> Event:
        """Return that the trick stays, if it does."""
        if after.numbers[CARRIED_TRICKS] > before.numbers[CARRIED_TRICKS]:
            return TrickStays(after.last_winner, cards)
        return Sheet.trick_event(self, before, after, cards)

    def table(self, state: State) -> dict[str, object]:
        """Return the cards that stay on the table, and from how many tricks they come."""
        return {
            "lying": mask_texts(state.carried[0], state.carried[1]),
            "lying_tricks": state.numbers[CARRIED_TRICKS],
        }

    @classmethod
    def narrate(cls, event: Any, reader: int | None) -> Sentence | None:
        """Say that a trick stays on the table."""
        return Sentence("trick-stays", "your-trick-stays", event.seat)

    def note_matters(self, state: State, other: str) -> bool:
        """Return whether a leaf is in the trick, or tricks stay on the table."""
        return self.symbols(state) != 0 or state.numbers[CARRIED_TRICKS] > 0
