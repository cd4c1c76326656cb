"""The full-screen table, built with Textual (the extra `tui`).

`picking` composes moves, `board_state` is what to draw, `board` and a module for each game draw it,
all without Textual and as plain functions; `app` and `overlays` are the Textual part.
"""

from importlib.util import find_spec


def available() -> bool:
    """Return whether the extra is installed."""
    return find_spec("textual") is not None
