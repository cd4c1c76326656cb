"""Judge a typed move: shared by `Match` and the outlook.

`Match` judges with the true state, an outlook with what one seat knows. Both get the same answer:
the rules judge a seat's move by what that seat knows.
"""

from collections.abc import Sequence

from stichwerk.engine.events import Move
from stichwerk.engine.frame import Game
from stichwerk.engine.state import State
from stichwerk.errors import Reason, shown

LONGEST_MOVE = 200  # characters of a typed move
SHOWN_OF_MOVE = 20  # characters shown of one that is too long


def judge_typed(
    rules: Game,
    state: State,
    seat: int,
    text: object,
    *,
    waiting_for: Sequence[int],
    names: Sequence[str],
    over: bool,
) -> Move | Reason:
    """Return the move that a typed text means, or why the seat cannot make it now."""
    if not waiting_for:
        return Reason("match-over" if over else "no-deal-yet")
    if seat not in waiting_for:
        if rules.has_chosen(state, seat):
            return Reason("already-chosen")
        return Reason("not-your-turn", turn=names[waiting_for[0]])
    if not isinstance(text, str) or len(text) > LONGEST_MOVE:
        return Reason("not-a-move", text=shown(text, SHOWN_OF_MOVE))
    separator = rules.seat_separators.get(rules.phases[state.phase])
    return rules.judge(state, seat, with_seat_number(separator, names, text) if separator else text)


def with_seat_number(separator: str, names: Sequence[str], text: str) -> str:
    """Replace a name by its seat number in a move that names a seat after this separator."""
    before, sign, who = text.strip().partition(separator)
    wanted = who.strip().lower()
    named = [seat for seat, name in enumerate(names) if name.lower() == wanted]
    return f"{before}{sign}{named[0]}" if len(named) == 1 and not wanted.isdigit() else text
