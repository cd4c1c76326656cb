"""The list of moves shown by `?`."""

import re
from collections.abc import Iterator, Sequence

from stichwerk.locale import text
from stichwerk.move_judge import with_card_codes
from stichwerk.terminal.table import WIDTH
from stichwerk.view import View

MOST = 60


def move_lines(moves: Sequence[str], wanted: str, lang: str) -> Iterator[str]:
    """Yield the moves in columns, or those with every wanted part; of a long list only the
    start."""
    found = [move for move in moves if has_parts(move, wanted)]
    yield text("moves", lang, count=len(found))
    yield from in_columns(found[:MOST])
    if len(found) > MOST:
        yield text("more-moves", lang, count=len(found) - MOST, example=parts(found[-1])[0])


def has_parts(move: str, wanted: str) -> bool:
    """Return whether each wanted part starts some part of the move: `R` and `R1` match `R11>2`."""
    here, wishes = parts(move.upper()), parts(with_card_codes(wanted).upper())
    return all(any(part.startswith(wish) for part in here) for wish in wishes)


def parts(text: str) -> list[str]:
    """Return the parts of a move: `R3,R9,B0`, `G8>2`, `G3+G4`."""
    return [part for part in re.split(r"[,>+\s]+", text) if part]


def in_columns(words: Sequence[str]) -> Iterator[str]:
    """Yield words in aligned columns, as many per line as fit."""
    width = max(map(len, words), default=0) + 2
    fitting = max(1, WIDTH // width)
    for at in range(0, len(words), fitting):
        yield "  " + "".join(word.ljust(width) for word in words[at : at + fitting]).rstrip()


def is_listed(view: View, line: str) -> bool:
    """Return whether a line is a move that is listed now. It comes before a command of the same
    letter: where a colour is chosen, `s` is grey."""
    return bool(line) and line.casefold() in [move.casefold() for move in view.moves]
