"""Line output and input: a terminal with or without colours, or a pipe."""

import contextlib
import os
import sys
import unicodedata
from collections.abc import Callable
from threading import Thread
from typing import Protocol

from rich.console import Console
from rich.highlighter import RegexHighlighter
from rich.theme import Theme

SHAPES = {"R": "▲", "Y": "★", "G": "✚", "B": "●", "L": "◆", "S": "■"}
INKS = {
    "R": "white on #b90609",
    "Y": "#111111 on #fcda3c",
    "G": "white on #21806d",
    "B": "#111111 on #46b1fd",
    "L": "white on #661888",
    "S": "#111111 on #bcc1bc",
}
PROMPT = "> "
CHUNK = 4096

_HARMFUL = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def harmless(line: str) -> str:
    """Return a line without control characters: names and chat come from others."""
    if line.isprintable():
        return line
    return "".join(sign if _is_harmless(sign) else "\N{REPLACEMENT CHARACTER}" for sign in line)


def _is_harmless(sign: str) -> bool:
    return sign == "\n" or (unicodedata.category(sign) not in _HARMFUL and sign not in _TURNING)


class Screen(Protocol):
    """What a session needs for input and output."""

    colours: bool

    def say(self, line: str = "") -> None:
        """Print a line."""

    def ask(self) -> str | None:
        """Return a typed line; None if nothing more will come."""


class CardColours(RegexHighlighter):
    """Colours every card in a line; the text itself stays as it is."""

    base_style = "card."
    highlights = [  # noqa: RUF012  (declared so by rich)
        rf"(?<![A-Za-z0-9])(?P<{colour}>{colour}(1[0-5]|[0-9]))(?![A-Za-z0-9])" for colour in SHAPES
    ]


class ConsoleScreen:
    """Standard input and output."""

    def __init__(self, plain: bool = False) -> None:
        self.console = Console(
            highlighter=CardColours(),
            theme=Theme({f"card.{colour}": ink for colour, ink in INKS.items()}),
            color_system=None if plain else "auto",
            markup=False,
            emoji=False,
            soft_wrap=True,
        )
        self.colours = self.console.color_system is not None
        self.typed = sys.stdin.isatty()
        self.listening = False
        if self.typed:
            with contextlib.suppress(ImportError):  # arrow keys and history, where available
                import readline  # noqa: F401

    def say(self, line: str = "") -> None:
        """Print a line, with cards in their colours if there are colours."""
        self.console.print(harmless(line))

    def ask(self) -> str | None:
        """Read a line. From a pipe it is printed as well, so that the output reads as a match."""
        if self.typed:
            try:
                return input(PROMPT)
            except EOFError:
                self.say()
                return None
        line = sys.stdin.readline()
        self.say(PROMPT + line.rstrip("\r\n"))
        return line or None

    def listen(self, on_line: Callable[[str | None], None]) -> None:
        """Pass on every line as soon as it is typed, None at the end: for tables that do not wait.
        Reads without Python's own buffer: a thread blocked in there could not be abandoned when the
        program ends. Later calls have no effect."""
        if self.listening:
            return
        self.listening = True
        Thread(target=self._read_lines, args=(on_line,), name="lines", daemon=True).start()

    def _read_lines(self, on_line: Callable[[str | None], None]) -> None:
        rest = b""
        with contextlib.suppress(OSError):
            while chunk := os.read(sys.stdin.fileno(), CHUNK):
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    on_line(line.decode(errors="replace").rstrip("\r"))
        if rest:
            on_line(rest.decode(errors="replace"))
        on_line(None)
