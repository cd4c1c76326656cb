"""The full-screen table, built with Textual (the extra `tui`).

`picking` composes moves, `board_state` is what to draw, `board` draws it with the `GameBoard` of
each game (`terminal/games`), all without Textual; `app` and `overlays` are the Textual part.
"""

from importlib.util import find_spec


def available() -> bool:
    """Return whether the extra is installed."""
    return find_spec("textual") is not None
