"""How the page asks for the choices of a sheet: with which widget, in which words.

A sheet describes it in its file in `sheets/texts`, under `panels`, by phase. A choice without a
panel is offered as a list of its moves.
"""

from typing import Literal

import msgspec

from stichwerk.games.stichtag.texts import Text, read_texts, with_pairs

Widget = Literal["number", "card", "cards", "colour", "give", "strike", "buttons"]

NO_TEXT = ("", "")


class ChoicePanel(msgspec.Struct, frozen=True, kw_only=True):
    """The panel for the choices of a phase.

    The widget says what is picked: `number` one of several, then confirmed; `card` one of the hand,
    which goes to the seat that the table has for the chooser under the key `receivers`; `cards`
    several of the hand; `colour` one of several; `give` a card and then the seat that gets it;
    `strike` a play of the trick, or none; `buttons` one of a few moves, each with its effect.

    Texts are German and English: `title` is the question, `note` a sentence below it; `which` asks
    which of several cards; `action` is on the button that makes the choice, `idle` while nothing is
    picked; `hint` says what to do until then. They contain `{count}`, `{card}`, `{cards}` and
    `{name}`, as far as the widget knows them. `moves` names single moves. `chosen` repeats a secret
    choice, `{choice}`, to the seat that made it.
    """

    phase: str
    widget: Widget
    title: Text
    note: Text = NO_TEXT
    which: Text = NO_TEXT
    action: Text = NO_TEXT
    idle: Text = NO_TEXT
    hint: Text = NO_TEXT
    chosen: Text = NO_TEXT
    moves: dict[str, Text] = {}
    receivers: str = ""


def panels_of(sheet: str) -> tuple[ChoicePanel, ...]:
    """Return the panels of the sheet of this module."""
    return tuple(
        msgspec.convert({"phase": phase, **with_pairs(read)}, ChoicePanel)
        for phase, read in read_texts(sheet)["panels"].items()
    )
