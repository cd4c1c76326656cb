"""Colours, cards and decks, and how they are written. Knows no game.

A card is a text, colour letter and value (`G8`), and an integer code, colour index * 16 + value:
texts for people and records, codes for the engine. Twins are one card in both forms.
"""

from functools import cached_property

import msgspec

from stichwerk.errors import BadCardError, BadDealError

COLOURS = "RYGBLS"
"""All colour letters. Their order is part of the format: decks and moves are listed by it."""

VALUES_PER_COLOUR = 16
"""Room in a code for the values 0 … 15 of one colour."""

_TEXTS = tuple(f"{colour}{value}" for colour in COLOURS for value in range(VALUES_PER_COLOUR))
# Spelled out in both cases: str.upper() would also take U+017F, the long s, for an S.
_CODES = {form: code for code, text in enumerate(_TEXTS) for form in (text, text.lower())}


def card_text(code: int) -> str:
    """Return the text of a card code: 40 is `G8`."""
    if not 0 <= code < len(_TEXTS):
        raise BadCardError("bad-card", card=code)
    return _TEXTS[code]


def card_code(text: str) -> int:
    """Return the code of a card text, upper or lower case; nothing else is forgiven (`G08`, `
    G8`)."""
    code = _CODES.get(text)
    if code is None:
        raise BadCardError("bad-card", card=text)
    return code


def is_card(text: str) -> bool:
    """Return whether a text is that of a card."""
    return text in _CODES


class Deck(msgspec.Struct, frozen=True, dict=True):
    """The cards a round is dealt from, in the one order that shuffles and commitments start from.

    `dict=True` only makes room for the cached listings below.
    """

    colours: str
    lowest: int
    highest: int
    twin_zeros: bool = False

    def __post_init__(self) -> None:
        in_order = "".join(colour for colour in COLOURS if colour in self.colours)
        values_fit = 0 <= self.lowest <= self.highest < VALUES_PER_COLOUR
        zeros_fit = self.lowest == 0 or not self.twin_zeros
        if not (self.colours and self.colours == in_order and values_fit and zeros_fit):
            raise BadDealError("bad-deck", **msgspec.structs.asdict(self))

    @cached_property
    def codes(self) -> tuple[int, ...]:
        """Every card once per copy: colours in the order of COLOURS, values rising, twins
        side by side."""
        values = [0] * self.twin_zeros + list(range(self.lowest, self.highest + 1))
        firsts = [COLOURS.index(colour) * VALUES_PER_COLOUR for colour in self.colours]
        return tuple(first + value for first in firsts for value in values)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The same list as texts."""
        return tuple(card_text(code) for code in self.codes)

    @cached_property
    def text(self) -> str:
        """The deck as one text, the form a verifiable deal commits to."""
        return "\n".join(self.texts)

    @cached_property
    def _members(self) -> frozenset[int | str]:
        return frozenset(self.codes) | frozenset(self.texts)

    def __len__(self) -> int:
        return len(self.codes)

    def __contains__(self, card: object) -> bool:
        """Return whether a card, as code or text, is in the deck."""
        return card in self._members
