"""Pictures made of lines of text, with clickable areas."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from stichwerk.terminal import screen
from stichwerk.terminal.screen import SHAPES

CARDS = re.compile(r"(?<![A-Za-z0-9])([RYGBLS])(?:1[0-5]|[0-9])(?![A-Za-z0-9])")


# Terminals have several whites; cards use the brightest.
INKS = {colour: ink.replace("white", "#ffffff") for colour, ink in screen.INKS.items()}
GOOD, ALERT, HINT, SOFT = "#8fd694", "#ffd75f", "#7fd7ff", "#a3abb2"


class Spot(NamedTuple):
    """A clickable rectangle, and what it stands for: `item 3`, `target new`, `key F5`."""

    x: int
    y: int
    width: int
    height: int
    name: str

    def moved(self, x: int, y: int) -> "Spot":
        """Return it moved by an offset."""
        return self._replace(x=self.x + x, y=self.y + y)

    def has(self, x: int, y: int) -> bool:
        """Return whether it contains a point."""
        return 0 <= x - self.x < self.width and 0 <= y - self.y < self.height


@dataclass(frozen=True)
class Picture:
    """Lines of text and the clickable areas in them."""

    lines: tuple[Text, ...] = ()
    spots: tuple[Spot, ...] = ()

    @property
    def width(self) -> int:
        """The width of its longest line."""
        return max((line.cell_len for line in self.lines), default=0)

    @property
    def height(self) -> int:
        """The number of lines."""
        return len(self.lines)

    @property
    def plain(self) -> str:
        """Its text without colours."""
        return "\n".join(line.plain.rstrip() for line in self.lines)

    def spot_at(self, x: int, y: int) -> str | None:
        """Return the name of the area at a point; the last one drawn, if there are several."""
        found = [spot.name for spot in self.spots if spot.has(x, y)]
        return found[-1] if found else None

    def spot(self, name: str) -> Spot | None:
        """Return the area of this name."""
        return next((spot for spot in self.spots if spot.name == name), None)

    def named(self, name: str) -> "Picture":
        """Return it as one clickable area."""
        return Picture(self.lines, (*self.spots, Spot(0, 0, self.width, self.height, name)))


def stack(pictures: Iterable[Picture]) -> Picture:
    """Stack pictures vertically."""
    lines: list[Text] = []
    spots: list[Spot] = []
    for picture in pictures:
        spots += [spot.moved(0, len(lines)) for spot in picture.spots]
        lines += picture.lines
    return Picture(tuple(lines), tuple(spots))


def beside(pictures: Sequence[Picture], gap: int = 1) -> Picture:
    """Place pictures side by side, aligned at the top."""
    height = max((picture.height for picture in pictures), default=0)
    rows = [Text() for _ in range(height)]
    spots: list[Spot] = []
    x = 0
    for picture in pictures:
        spots += [spot.moved(x, 0) for spot in picture.spots]
        for at, line in enumerate(picture.lines):
            rows[at].append_text(filled(Text(), x - rows[at].cell_len))
            rows[at].append_text(line)
        x += picture.width + gap
    return Picture(tuple(rows), tuple(spots))


def rows_of(pictures: Sequence[Picture], width: int, gap: int = 1) -> Picture:
    """Place pictures side by side, in as many rows as needed."""
    rows: list[list[Picture]] = [[]]
    used = 0
    for picture in pictures:
        if rows[-1] and used + picture.width > width:
            rows.append([])
            used = 0
        rows[-1].append(picture)
        used += picture.width + gap
    return stack(beside(row, gap) for row in rows)


def indented(picture: Picture, by: int) -> Picture:
    """Indent a picture."""
    lines = tuple(Text(" " * by).append_text(line) for line in picture.lines)
    return Picture(lines, tuple(spot.moved(by, 0) for spot in picture.spots))


def centred(picture: Picture, width: int) -> Picture:
    """Centre a picture in a width."""
    return indented(picture, max(0, (width - picture.width) // 2))


def cropped(picture: Picture, width: int, height: int) -> Picture:
    """Crop a picture to a size."""
    lines = []
    for line in picture.lines[:height]:
        short = line.copy()
        short.truncate(width, overflow="ellipsis")
        lines.append(short)
    inside = tuple(spot for spot in picture.spots if spot.y < height and spot.x < width)
    return Picture(tuple(lines), inside)


# -- Lines -----------------------------------------------------------------------------------------


def line(text: str | Text = "", style: str = "") -> Picture:
    """Return one line."""
    return Picture((text if isinstance(text, Text) else painted(text, style),))


def paragraph(text: str | Text, width: int, most: int = 99, style: str = "") -> Picture:
    """Wrap a text to this width, with `most` lines; the rest is cut off with an ellipsis."""
    shown = text if isinstance(text, Text) else painted(text, style)
    if not shown.plain:
        return Picture()
    lines = folded(shown, max(1, width))
    if len(lines) > most:
        last = lines[most - 1].copy()
        last.append(" ")
        last.append_text(lines[most])
        last.truncate(max(1, width), overflow="ellipsis")
        lines = [*lines[: most - 1], last]
    return Picture(tuple(lines))


def folded(text: Text, width: int) -> list[Text]:
    """Break a text into lines at its spaces; a word that is too long is broken anywhere."""
    breaks = []
    start = at = 0
    plain = text.plain
    while cell_len(plain[start:]) > width:
        at = start
        while cell_len(plain[start : at + 1]) <= width:
            at += 1
        space = plain.rfind(" ", start + 1, at + 1)
        start = space + 1 if space > start else at
        breaks.append(start)
    lines = text.divide(breaks)
    for part in lines:
        part.rstrip()
    return list(lines)


def painted(text: str, style: str = "") -> Text:
    """Return a text with every card in its colour."""
    shown = Text(text, style=style)
    for found in CARDS.finditer(text):
        shown.stylize(INKS[found[1]], *found.span())
    return shown


def styled(text: str, style: str) -> Text:
    """Return a text in a style that does not extend to appended text."""
    return Text().append(text, style)


def filled(text: Text, width: int, style: str = "") -> Text:
    """Pad a text with spaces."""
    room = max(0, width - text.cell_len)
    return text.append(" " * room, style)


def shortened(text: str, width: int) -> str:
    """Shorten a text to a width, with an ellipsis."""
    if cell_len(text) <= width:
        return text
    while text and cell_len(text) >= width:
        text = text[:-1]
    return text + "…"


# -- Cards -----------------------------------------------------------------------------------------

DIM = {  # cards that cannot be played now: the same colours, darker
    "R": "#d99a9a on #4a1214",
    "Y": "#d8c878 on #4a4114",
    "G": "#93c4ba on #113a32",
    "B": "#93bfdd on #16384f",
    "L": "#c09bd0 on #2e0f3c",
    "S": "#b4b8b4 on #3b3e3b",
}


def chip(card: str, sign: str = "", dim: bool = False) -> Text:
    """Return a card on one line: ` ▲R11 `."""
    ink = (DIM if dim else INKS)[card[0]]
    return styled(f"{SHAPES[card[0]]}{card}{sign}", ink)


def small_card(card: str, sign: str = "", dim: bool = False) -> Picture:
    """Draw a card four wide and two high: shape and letter, number below."""
    ink = (DIM if dim else INKS)[card[0]]
    top = f"{SHAPES[card[0]]}  {card[0]}"
    below = f"{card[1:] + sign:^4}"
    return Picture((Text(top, ink), Text(below, f"bold {ink}")))


def big_card(card: str, sign: str = "", dim: bool = False) -> Picture:
    """Draw a card five wide and three high."""
    ink = (DIM if dim else INKS)[card[0]]
    shape = SHAPES[card[0]]
    rows = (f"{shape}   {card[0]}", f"{card[1:] + sign:^5}", f"{card[0]}   {shape}")
    styles = (ink, f"bold {ink}", ink)
    return Picture(tuple(Text(row, style) for row, style in zip(rows, styles, strict=True)))


def chip_card(card: str, sign: str = "", dim: bool = False) -> Picture:
    """Draw a card on one line."""
    return Picture((chip(card, sign, dim),))


CARD_SIZES = (chip_card, small_card, big_card)


def button(text: str, chosen: bool = False, cursor: bool = False, dim: bool = False) -> Picture:
    """Draw a button."""
    style = "bold reverse" if chosen else "dim" if dim else "on #3a3f44"
    left, right = ("▸", "◂") if cursor else (" ", " ")
    return Picture((painted(f"{left}{text}{right}", style),))
