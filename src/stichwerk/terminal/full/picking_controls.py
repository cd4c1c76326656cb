"""Pick cards, places and people at the full-screen table, by mouse and by keys."""

from dataclasses import replace
from typing import TYPE_CHECKING

from stichwerk.errors import StichwerkError
from stichwerk.games import registry
from stichwerk.locale import text
from stichwerk.terminal.full.board_state import BoardState, Cursor
from stichwerk.terminal.full.picking import Pick
from stichwerk.terminal.seat import words_of

if TYPE_CHECKING:
    from stichwerk.terminal.full.app import TableApp


class PickingControls:
    """What clicks and keys do to the cursor and the pick; a complete pick is played."""

    def __init__(self, app: "TableApp") -> None:
        self.app = app

    @property
    def board_state(self) -> BoardState | None:
        """The displayed state."""
        return self.app.board_state

    # -- Mouse -------------------------------------------------------------------------------------

    def point_at(self, name: str) -> None:
        """Handle the mouse over something."""
        kind, _, which = name.partition(" ")
        if self.app.free and self.board_state and kind == "item" and self.item_is_open(int(which)):
            cursor = Cursor("items", int(which))
            if cursor != self.board_state.cursor and not self.board_state.pick.items:
                self.app.redraw(cursor=cursor, said="", hint_text="")

    def item_is_open(self, at: int) -> bool:
        """Return whether an item of the picture can be picked now."""
        return self.board_state is not None and at < len(self.board_state.asked.items)

    def touch(self, name: str) -> None:
        """Handle a click."""
        self.app.line.focus()
        if not self.app.free or self.board_state is None:
            self.app.follower.skipping.set()
            return
        kind, _, which = name.partition(" ")
        if kind == "item":
            self.touch_item(int(which))
        elif kind == "target" or (kind == "seat" and which in self.board_state.targets):
            self.aim(which)
        elif kind == "seat":
            self.touch_seat(which)

    def touch_seat(self, seat: str) -> None:
        """Pick the item that names the clicked seat, if there is one."""
        assert self.board_state is not None
        view = self.board_state.view
        rules = registry.build(view.game, view.seats, view.options)
        separator = rules.seat_separators.get(view.phase)
        for at, item in enumerate(self.board_state.asked.items):
            if separator and item.rpartition(separator)[2] == seat:
                self.touch_item(at)
                return

    def touch_item(self, at: int) -> None:
        """Pick the clicked item; a click on a complete pick makes the move."""
        assert self.board_state is not None
        if not self.board_state.asked.from_hand and not self.item_is_open(at):
            return
        if at in self.board_state.pick.items and self.board_state.asked.complete(
            self.board_state.pick
        ):
            self.app.commit(self.board_state.asked.text(self.board_state.pick))
        else:
            self.toggle(at)

    def toggle(self, at: int) -> None:
        """Add or remove an item; if that is impossible, show the reason."""
        assert self.board_state is not None
        pick = self.board_state.asked.toggled(self.board_state.pick, at)
        cursor = Cursor("items", at)
        if pick is None:
            self.app.redraw(cursor=cursor, said=self.why_not(at))
        else:
            self.app.redraw(pick=pick, cursor=cursor, said="", hint_text="")

    def why_not(self, at: int) -> str:
        """Return why an item cannot be picked now."""
        assert self.board_state is not None
        if self.board_state.pick.items:
            return text("tui-enough", self.app.lang)
        return self.objection(self.board_state.asked.items[at]) or ""

    def objection(self, move: str) -> str | None:
        """Return the objection to a move; also that the table is gone."""
        try:
            return self.app.player_seat.objection(move)
        except StichwerkError as error:
            return words_of(error, self.app.lang)

    def aim(self, target: str) -> None:
        """Choose a place or person for the pick; if it is chosen already, make the move."""
        board_state = self.board_state
        assert board_state is not None
        pick = board_state.considered
        if (
            board_state.pick.items
            and board_state.pick.target == target
            and board_state.asked.complete(board_state.pick)
        ):
            self.app.commit(board_state.asked.text(board_state.pick))
            return
        aimed = replace(pick, target=target)
        if board_state.asked.complete(aimed):
            at = board_state.targets.index(target)
            self.app.redraw(pick=aimed, cursor=Cursor("targets", at), said="", hint_text="")

    # -- Keys --------------------------------------------------------------------------------------

    def steer(self, by: int) -> None:
        """Move the cursor left or right."""
        board_state = self.board_state
        if not self.app.free or board_state is None:
            return
        count = len(
            board_state.asked.items if board_state.cursor.zone == "items" else board_state.targets
        )
        if count:
            cursor = Cursor(board_state.cursor.zone, (board_state.cursor.at + by) % count)
            self.app.redraw(cursor=cursor, said="", hint_text="", **self.aimed_at(cursor))

    def aimed_at(self, cursor: Cursor) -> dict[str, object]:
        """Return the changes for a cursor on a target: the pick goes there."""
        assert self.board_state is not None
        if cursor.zone != "targets":
            return {}
        return {
            "pick": replace(self.board_state.considered, target=self.board_state.targets[cursor.at])
        }

    def across(self, by: int) -> None:
        """Move up or down: between the cards and the places or people they can go to."""
        board_state = self.board_state
        if not self.app.free or board_state is None or self.app.line.value:
            return
        if board_state.cursor.zone == "targets":
            at = board_state.pick.items[0] if board_state.pick.items else 0
            self.app.redraw(cursor=Cursor("items", at), pick=Pick(), said="")
        elif board_state.targets:
            cursor = Cursor("targets", 0)
            self.app.redraw(cursor=cursor, said="", **self.aimed_at(cursor))
        else:
            self.row_step(by)

    def row_step(self, by: int) -> None:
        """Move to the card above or below, if the hand takes several rows."""
        board_state, spots = self.board_state, self.app.board.picture.spots
        here = self.app.board.picture.spot(f"item {board_state.cursor.at}") if board_state else None
        if board_state is None or here is None:
            return
        rows = sorted({spot.y for spot in spots if spot.name.startswith("item ")})
        index = rows.index(here.y) + by
        if 0 <= index < len(rows):
            items = [s for s in spots if s.y == rows[index] and s.name.startswith("item ")]
            nearest = min(items, key=lambda spot: abs(spot.x - here.x))
            self.app.redraw(cursor=Cursor("items", int(nearest.name.split()[1])), said="")

    def empty_line_key(self, key: str) -> None:
        """Handle space, which picks or skips others' moves, and `?`, which lists the moves."""
        if key == "question_mark":
            self.app.list_moves("")
        elif not self.app.free or self.board_state is None:
            self.app.follower.skipping.set()
        elif self.board_state.cursor.zone == "items" and self.item_is_open(
            self.board_state.cursor.at
        ):
            self.toggle(self.board_state.cursor.at)

    def enter(self) -> None:
        """Handle Enter on an empty line: pick what the cursor is on, or make the complete move."""
        board_state = self.board_state
        if not self.app.free or board_state is None:
            self.app.follower.skipping.set()
            return
        at = board_state.cursor.at
        if board_state.cursor.zone == "targets" or (
            at in board_state.pick.items and board_state.asked.complete(board_state.pick)
        ):
            self.app.commit(board_state.asked.text(board_state.pick))
        elif self.item_is_open(at):
            self.toggle(at)
            self.after_enter(at)

    def after_enter(self, at: int) -> None:
        """Play a single card that can be nothing more at once; ask for the place if there are
        several."""
        board_state = self.board_state
        assert board_state is not None
        if board_state.pick.items != (at,) or board_state.asked.can_grow(board_state.pick):
            return
        if board_state.asked.complete(board_state.pick):
            self.app.commit(board_state.asked.text(board_state.pick))
        elif len(board_state.targets) > 1:
            cursor = Cursor("targets", 0)
            self.app.redraw(cursor=cursor, **self.aimed_at(cursor))
