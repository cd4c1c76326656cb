"""The trick that was taken last: who won it, why, and what it was worth.

The table has been swept by the time a view shows it. The moment before is reached by learning the
same history again, up to the move that settled the trick.
"""

import msgspec

from stichwerk.engine.constants import NOBODY
from stichwerk.engine.events import Event
from stichwerk.engine.state import State
from stichwerk.outlook.game_outlook import outlook_for
from stichwerk.outlook.position import OutlookPosition, plain_knowledge
from stichwerk.outlook.structs import TrickNow
from stichwerk.view import View

ENDS = ("trick", "stays")
BEGINS = ("round", "hand", "scored", "ended")


def last_trick(view: View, lang: str) -> TrickNow | None:
    """Return the last finished trick of the match; None before the first one."""
    ends = [at for at, event in enumerate(view.history) if event.kind in ENDS]
    if not ends:
        return None
    end = view.history[ends[-1]]
    for at in range(ends[-1] - 1, -1, -1):
        if view.history[at].move:
            return told(view, at, end, lang)
    return None


def told(view: View, at: int, end: Event, lang: str) -> TrickNow | None:
    """Describe the trick that the move at this point of the history settled."""
    place = end.place or 0
    before = OutlookPosition(view_before(view, at), lang)
    after = plain_knowledge(before.view)
    before.rules.learn(after, view.history[at])
    for event in view.history[at + 1 :]:
        if event.move or event.kind in BEGINS:
            break
        before.rules.learn(after, event)
    plays = before.known.trick_size[place] + (view.history[at].kind == "play")
    full = OutlookPosition(before.view, lang)
    full.known = with_trick(before.known, after, place, plays)
    speaks = outlook_for(before)
    return speaks.done(end, place, full, after)


def view_before(view: View, at: int) -> View:
    """Return the view as it was before an event of its history."""
    history = view.history[:at]
    begun = next(event for event in reversed(history) if event.kind == "round")
    return msgspec.structs.replace(
        view, round=begun.round or 0, starter=begun.starter or 0, history=history
    )


def with_trick(before: State, after: State, place: int, plays: int) -> State:
    """Return the moment at which all cards of the trick are on the table, and nobody has it yet."""
    state = before.copy()
    state.trick_card = list(after.trick_card)
    state.trick_seat = list(after.trick_seat)
    state.second = list(after.second)
    state.trick_size[place] = plays
    state.last_winner = NOBODY
    return state
