"""Helpers for tests of the full screen."""

from textual.pilot import Pilot

from stichwerk.terminal.full.app import Ending, TableApp

Screen = Pilot[Ending]


# -- Pages -----------------------------------------------------------------------------------------


def first(app: TableApp) -> str:
    """Return a legal move."""
    assert app.board_state is not None
    return app.board_state.view.moves[0]
