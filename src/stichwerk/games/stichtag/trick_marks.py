"""What the plays of a trick look like on a sheet's days, besides their cards.

A sheet describes it in its file in `sheets/texts`, under `marks`. The page draws it from that
description, so it knows no such mark by name.
"""

from typing import Literal

import msgspec

from stichwerk.games.stichtag.texts import Text, read_texts, with_pairs

Look = Literal["crossed", "covered"]


class TrickMark(msgspec.Struct, frozen=True, kw_only=True):
    """A mark on the plays of some seats: `crossed` crosses out what was played, `covered` shows the
    back of a card that is not in the trick yet.

    The seats, one or a list, are at the key `name` of the view's `table`. With `event` they are
    that fact of the event of this kind just before a trick is complete, and marked while the trick
    still rests on the table. The viewing seat knows its own covered card: it is at the same key of
    `mine`. `led`: the kind of event whose seat led the covered cards. `text` names the mark.
    """

    name: str
    look: Look
    text: Text
    event: str = ""
    led: str = ""


def marks_of(sheet: str) -> tuple[TrickMark, ...]:
    """Return the marks of the sheet of this module."""
    return tuple(
        msgspec.convert({"name": name, **with_pairs(read)}, TrickMark)
        for name, read in read_texts(sheet)["marks"].items()
    )
