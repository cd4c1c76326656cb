"""What to draw: a view, the picked cards, the cursor, and tricks that stay for a moment."""

from dataclasses import dataclass, field
from functools import cached_property

import msgspec

from stichwerk import outlook
from stichwerk.engine.events import CardPlayed, RoundStarted
from stichwerk.errors import UnknownGameError
from stichwerk.locale import text
from stichwerk.outlook.queries import OutlookResult
from stichwerk.outlook.structs import Situation, TableNow, TypedMove
from stichwerk.server import wire
from stichwerk.terminal.day import SYMBOL
from stichwerk.terminal.full.picking import MovePicker, Pick
from stichwerk.terminal.looking_back import lacks_cards
from stichwerk.view import Trick, View

SETTLED = ("trick", "stays")


@dataclass(frozen=True)
class Cursor:
    """The position of the cursor: on an item (a card or another choice), or on a target (a place or
    a person)."""

    zone: str = "items"
    at: int = 0


@dataclass(frozen=True)
class BoardState:
    """Everything the picture of the table depends on. `rest` are tricks that have just been taken
    and stay visible for a moment; `said` is the last answer to the person; `hint` a move
    recommended by a bot; `typed` the text in the input line; `memory` which put-away tricks may be
    looked at."""

    view: View
    lang: str
    pick: Pick = field(default_factory=Pick)
    cursor: Cursor = field(default_factory=Cursor)
    rest: tuple[Trick, ...] = ()
    said: str = ""
    hint: str | None = None
    hint_text: str = ""
    typed: str = ""
    notices: tuple[str, ...] = ()
    memory: wire.Memory = "open"

    @cached_property
    def asked(self) -> MovePicker:
        """What is asked for, and how it is picked."""
        return MovePicker(self.view)

    @cached_property
    def look(self) -> OutlookResult:
        """The outlook; empty for a custom game that only the host of a table knows, and where the
        cards of earlier tricks are unknown."""
        if lacks_cards(self.view):
            return empty_outlook(self.view, self.lang)
        try:
            return outlook.look(self.view, self.lang)
        except UnknownGameError:
            return empty_outlook(self.view, self.lang)

    @property
    def turn(self) -> bool:
        """Whether the person has to move."""
        return bool(self.view.moves)

    @property
    def targets(self) -> tuple[str, ...]:
        """Where the picked cards may go; before any is picked, those under the cursor."""
        return self.asked.targets(self.considered)

    @property
    def considered(self) -> Pick:
        """What is picked; if nothing is, what the cursor is on."""
        if self.pick.items or self.cursor.zone != "items" or not self.asked.items:
            return self.pick
        pick = Pick((min(self.cursor.at, len(self.asked.items) - 1),))
        return self.asked.aimed(pick)

    @cached_property
    def outcome(self) -> TypedMove | None:
        """What the typed, picked or considered move would do, or why it cannot be made."""
        if not self.turn or lacks_cards(self.view):
            return None
        move = self.typed.strip() or self.asked.text(self.considered)
        try:
            return outlook.one(self.view, move.replace(SYMBOL, ""), self.lang) if move else None
        except UnknownGameError:
            return None


def empty_outlook(view: View, lang: str) -> OutlookResult:
    """Return the outlook of a game whose rules are unknown here: only whose turn it is."""
    names = ", ".join(view.names[seat] for seat in view.waiting_for)
    heading = text("waiting-for", lang, names=names, count=len(view.waiting_for))
    if view.moves:
        heading = text("do-choose", lang)
    elif not view.waiting_for:
        heading = text("match-is-over", lang)
    moment = Situation(heading=heading, sentences=(), section="", anchor="")
    return OutlookResult(effects=(), reasons={}, standing=TableNow(), situation=moment, one=None)


def resting(before: View, after: View) -> tuple[Trick, ...]:
    """Return tricks that were open or completed and have been taken since, as they were when
    full."""
    if len(before.history) >= len(after.history):
        return ()
    ends = [at for at in range(len(before.history), len(after.history)) if settles(after, at)]
    return tuple(trick for at in ends[-1:] if (trick := settled_trick(after, at)))


def settles(view: View, at: int) -> bool:
    """Return whether a trick is cleared at this point of the history."""
    return view.history[at].kind in SETTLED


def settled_trick(view: View, at: int) -> Trick | None:
    """Return the trick cleared at this point: its plays are found backwards."""
    event = view.history[at]
    missing = list(event.cards)
    plays: list[tuple[int, str]] = []
    for earlier in reversed(view.history[:at]):
        if isinstance(earlier, RoundStarted) or not missing:
            break
        if isinstance(earlier, CardPlayed) and earlier.cards and {*earlier.cards} <= {*missing}:
            for card in earlier.cards:
                missing.remove(card)
            plays.append((earlier.seat, "+".join(earlier.cards)))
    if not plays:
        return None
    plays.reverse()
    return Trick(event.place or 0, plays[0][1][0], tuple(plays), event.seat)


def last_settled(view: View) -> Trick | None:
    """Return the trick cleared last; None before the first."""
    ends = [at for at in range(len(view.history)) if settles(view, at)]
    return settled_trick(view, ends[-1]) if ends else None


def without_moves(view: View) -> View:
    """Return a view without moves: nothing is asked for while a taken trick is still shown."""
    return msgspec.structs.replace(view, moves=())


def resting_view(before: View, after: View, rest: tuple[Trick, ...]) -> View:
    """Return the view around a resting trick: if it ended the round, the table of that round."""
    if after.round == before.round and len(after.scores) == len(before.scores):
        return without_moves(after)
    hand = list(before.hand)
    for seat, play in (play for trick in rest for play in trick.plays):
        for card in play.split("+") if seat == before.seat else ():
            if card in hand:
                hand.remove(card)
    return msgspec.structs.replace(before, hand=tuple(hand), moves=(), waiting_for=())
