"""Judge a typed move: shared by `Match` and the outlook.

`Match` judges with the true state, an outlook with what one seat knows. Both get the same answer:
the rules judge a seat's move by what that seat knows.
"""

import re
from collections.abc import Sequence
from functools import cache
from unicodedata import normalize

from stichwerk.cards import COLOURS
from stichwerk.engine.events import Move
from stichwerk.engine.frame import Game
from stichwerk.engine.state import State
from stichwerk.errors import Reason, shown

LONGEST_MOVE = 200  # characters of a typed move
SHOWN_OF_MOVE = 20  # characters shown of one that is too long

COLOUR_WORDS = {
    "R": "red rot",
    "Y": "yellow gelb",
    "G": "green grün gruen",
    "B": "blue blau",
    "L": "lilac lila purple violet violett",
    "S": "grey gray grau",
}
"""How people type colours. Logs of tables contain moves as they were typed: add words, but never
remove one."""


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
    if separator:  # before colours: someone may be called "Red 3"
        text = with_seat_number(separator, names, text)
    answer = rules.judge(state, seat, text)
    if isinstance(answer, Reason) and (coded := with_card_codes(text)) != text:
        return rules.judge(state, seat, coded)
    return answer


def with_seat_number(separator: str, names: Sequence[str], text: str) -> str:
    """Replace a name by its seat number in a move that names a seat after this separator."""
    before, sign, who = text.strip().partition(separator)
    wanted = who.strip().lower()
    named = [seat for seat, name in enumerate(names) if name.lower() == wanted]
    return f"{before}{sign}{named[0]}" if len(named) == 1 and not wanted.isdigit() else text


def with_card_codes(text: str) -> str:
    """Write cards and colours as codes: `yellow 1`, `Gelb 1` and `Y 1` become `Y1`, in either
    language."""
    words, pattern = colour_words()
    # By lower(), not casefold(): that would take U+017F, the long s, for an S.
    return pattern.sub(lambda found: words.get(found[1].lower(), found[0]), normalize("NFC", text))


@cache
def colour_words() -> tuple[dict[str, str], re.Pattern[str]]:
    """Return the letter of each word for a colour, and a pattern that finds such a word: alone, or
    before a number with the space between them."""
    letters = {letter.lower(): letter for letter in COLOURS}
    words = letters | {word: letter for letter in COLOURS for word in COLOUR_WORDS[letter].split()}
    longest_first = "|".join(sorted(words, key=len, reverse=True))
    pattern = rf"(?<![^\W_])({longest_first})(?:[^\S\n]*(?=\d)|(?![^\W_]))"
    return words, re.compile(pattern, re.IGNORECASE)
