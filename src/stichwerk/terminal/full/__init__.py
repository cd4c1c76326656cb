"""The table on the whole screen, by Textual (the extra `tui`).

`picking` puts moves together, `board_state` is what is to be drawn, `board` and a module for each
game draw it, all without Textual and as plain functions; `app` and `overlays` are the Textual part.
"""

from importlib.util import find_spec


def available() -> bool:
    """Whether the extra is installed."""
    return find_spec("textual") is not None
