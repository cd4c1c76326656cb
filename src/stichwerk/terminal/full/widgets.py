"""The widgets of the full-screen table: the board, the input line, the key bar."""

from typing import Protocol, cast

from rich.text import Text
from textual import events
from textual.widget import Widget
from textual.widgets import Input

from stichwerk.locale import text
from stichwerk.terminal.full.board import LEAST_HEIGHT, LEAST_WIDTH, board
from stichwerk.terminal.full.board_state import BoardState
from stichwerk.terminal.full.keys import key_bar
from stichwerk.terminal.full.picture import Picture


class BoardControls(Protocol):
    """What clicks and keys at the table do."""

    def point_at(self, name: str) -> None:
        """Handle the mouse over something."""

    def touch(self, name: str) -> None:
        """Handle a click."""

    def steer(self, by: int) -> None:
        """Move the cursor left or right."""

    def empty_line_key(self, key: str) -> None:
        """Handle a key of the table while nothing is typed."""


class TableScreen(Protocol):
    """What the widgets need of their app."""

    lang: str
    controls: BoardControls


def app_of(widget: Widget) -> TableScreen:
    """Return a widget's app with its type."""
    return cast(TableScreen, widget.app)


class BoardView(Widget):
    """The table; clicks on it go to the app."""

    def __init__(self) -> None:
        super().__init__()
        self.board_state: BoardState | None = None
        self.waiting = ""
        self.picture = Picture()

    def render(self) -> Text:
        """Return the picture for the available space."""
        self.picture = self.drawn()
        return Text("\n").join(self.picture.lines)

    def drawn(self) -> Picture:
        """Return the table, or why it cannot be shown."""
        width, height = self.size
        whole = self.app.size
        if whole.width < LEAST_WIDTH or whole.height < LEAST_HEIGHT:
            return Picture(too_small(whole.width, whole.height, app_of(self).lang))
        if self.board_state is None:
            return Picture(tuple(map(Text, self.waiting.splitlines())))
        return board(self.board_state, width, height)

    def show(self, board_state: BoardState | None) -> None:
        """Show another board state."""
        self.board_state = board_state
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Handle a click on a card, a place or a person."""
        name = self.picture.spot_at(event.x, event.y)
        if name:
            app_of(self).controls.touch(name)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Let the cursor follow the mouse, so that effects are shown before a click."""
        name = self.picture.spot_at(event.x, event.y)
        if name:
            app_of(self).controls.point_at(name)


def too_small(width: int, height: int, lang: str) -> tuple[Text, ...]:
    """Return the text for a window that is too small."""
    facts = {"width": LEAST_WIDTH, "height": LEAST_HEIGHT, "now": f"{width} × {height}"}
    words = text("tui-too-small", lang, **facts).split()
    lines, row = [], ""
    for word in words:
        if row and len(row) + len(word) >= max(1, width):
            lines.append(Text(row))
            row = ""
        row = f"{row} {word}".strip()
    return (*lines, Text(row))


class KeyBar(Widget):
    """What the keys do."""

    def render(self) -> Text:
        """Return one line."""
        self.picture = key_bar(app_of(self).lang, self.size.width)
        return Text("\n").join(self.picture.lines)

    async def on_click(self, event: events.Click) -> None:
        """Act as if the key were pressed."""
        name = self.picture.spot_at(event.x, event.y)
        if name:
            await self.app.run_action(name.removeprefix("command "))


class MoveInput(Input):
    """The input line for moves. While it is empty, arrows, space and Enter control the table."""

    def action_cursor_left(self, select: bool = False) -> None:
        """Move left in the text, or at the table."""
        if self.value:
            super().action_cursor_left(select)
        else:
            app_of(self).controls.steer(-1)

    def action_cursor_right(self, select: bool = False) -> None:
        """Move right in the text, or at the table."""
        if self.value:
            super().action_cursor_right(select)
        else:
            app_of(self).controls.steer(1)

    async def _on_key(self, event: events.Key) -> None:
        if not self.value and event.key in ("space", "question_mark"):
            event.stop()
            event.prevent_default()
            app_of(self).controls.empty_line_key(event.key)
            return
        await super()._on_key(event)
