"""Signs for outputs that cannot show ours: `−0.81` is `-0.81` in ASCII, not `?0.81`."""

import codecs
import sys
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.measure import Measurement
    from rich.text import Text

ERRORS = "stichwerk-signs"
"""The name of the error handler, for `stream.reconfigure(errors=…)`."""

FALLBACKS = {
    "−": "-",
    "–": "-",
    "—": "-",
    "±": "+/-",
    "×": "x",
    "·": "*",
    "…": "...",
    "→": "->",
    "≤": "<=",
    "≥": ">=",
    "„": '"',
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
    "ä": "ae",
    "ö": "oe",
    "ü": "ue",
    "Ä": "Ae",
    "Ö": "Oe",
    "Ü": "Ue",
    "ß": "ss",
    "μ": "mu",
    "σ": "sigma",
    "─": "-",
    "│": "|",
    "▀": "=",
    "▔": "-",
    "▸": ">",
    "◂": "<",
    "↓": "v",
    "♥": "<3",
    "▲": "^",
    "★": "*",
    "✚": "+",
    "●": "o",
    "◆": "#",
    "■": "=",
}


def fallback(sign: str) -> str:
    """Return the ASCII replacement of a character: ours, the letter without accent, or `?`."""
    if sign in FALLBACKS:
        return FALLBACKS[sign]
    plain = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return plain or "?"


def replace_signs(error: UnicodeError) -> tuple[str | bytes, int]:
    """Handle encoding errors: bad input is replaced as usual, output by fallbacks."""
    if isinstance(error, UnicodeEncodeError):
        return "".join(map(fallback, error.object[error.start : error.end])), error.end
    return codecs.replace_errors(error)


codecs.register_error(ERRORS, replace_signs)


@lru_cache(maxsize=1024)
def encodable(text: str, encoding: str) -> str:
    """Return the text as an output with this encoding shows it."""
    return text.encode(encoding, ERRORS).decode(encoding)


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text for people in the encoding of the output.

    `click.echo` takes an ASCII stream for a mistake and writes UTF-8 to it: right for JSON.
    """
    stream = sys.stderr if err else sys.stdout
    if stream is not None:  # closed from the start
        stream.write(text + "\n" if nl else text)
        stream.flush()


class Shown:
    """A text in a table of rich: laid out with the signs that the output has.

    Replaced only when it is written, longer fallbacks would push the rest of the line aside.
    """

    def __init__(self, text: str, style: str = "") -> None:
        self.text = text
        self.style = style

    def on(self, console: "Console") -> "Text":
        """Return the text on this console."""
        from rich.text import Text

        return Text(encodable(self.text, console.encoding), style=self.style)

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        yield self.on(console)

    def __rich_measure__(self, console: "Console", options: "ConsoleOptions") -> "Measurement":
        from rich.measure import Measurement

        return Measurement.get(console, options, self.on(console))
