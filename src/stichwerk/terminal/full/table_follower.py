"""Follow a seat: show what happens at its table, at a readable pace."""

import asyncio
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, TypedDict

from textual.suggester import SuggestFromList

from stichwerk.errors import StichwerkError
from stichwerk.locale import text
from stichwerk.terminal.full import pages
from stichwerk.terminal.full.board_state import BoardState, Cursor, resting, resting_view
from stichwerk.terminal.full.overlays import PageContent
from stichwerk.terminal.full.picking import Pick
from stichwerk.terminal.full.shared_seat import SharedSeat
from stichwerk.view import View

if TYPE_CHECKING:
    from stichwerk.terminal.full.app import TableApp

REST = 2.0  # how much longer than a move a taken trick is shown
POLL = 0.5  # seconds after which a seat is polled again
MOST_NOTICES = 8


class Ending(Enum):
    """How the screen was left: during a match, after it, or for another one."""

    LEFT = "left"
    OVER = "over"
    NEW = "new"
    SAME = "same"


ENDINGS = {"new": Ending.NEW, "same": Ending.SAME, "leave": Ending.OVER}


class TableTexts(TypedDict):
    """The part of a board state that comes from outside the play."""

    notices: tuple[str, ...]
    said: str


class TableFollower:
    """Shows what a seat sees, one view after the other; asks at the end how to go on."""

    def __init__(self, app: "TableApp") -> None:
        self.app = app
        self.player_seat = app.player_seat
        self.shown: View | None = None
        self.notices: list[str] = []
        self.shown_events = 0  # notices shown so far
        self.skipping = asyncio.Event()

    # -- Views -------------------------------------------------------------------------------------

    async def drive(self) -> None:
        """Show what happens, as long as anything can."""
        try:
            await self.take_in()
            while self.app.is_running:
                await asyncio.to_thread(self.player_seat.wait, POLL)
                await self.take_in()
                if self.player_seat.playing and self.player_seat.over:
                    await self.match_end()
        except Exception as error:  # the table is gone, or a bot in this process is broken
            self.app.give_up(error)

    async def take_in(self) -> None:
        """Update the table to the seat's current view, at a readable pace."""
        self.notices += self.player_seat.notices()
        before, after = self.shown, self.view_now()
        if after is None:
            self.show_lobby()
            return
        if before == after:
            self.tell_notices()
            return
        if before is not None:
            await self.pause_on_tricks(before, after)
        if (
            before is not None
            and len(after.scores) > len(before.scores)
            and not self.player_seat.over
        ):
            await self.app.page(partial(self.round_page, after))
        self.show_view(after)
        if after.moves:
            self.skipping.clear()
        elif before is not None:
            await self.pause(self.app.pace)

    def view_now(self) -> View | None:
        """Return the current view; None if there is no match, or it has just ended."""
        try:
            return self.player_seat.view if self.player_seat.playing else None
        except StichwerkError:
            if self.player_seat.playing:
                raise
            return None

    def tell_notices(self) -> None:
        """Show the latest notice, unless a hint is shown."""
        board_state = self.app.board_state
        if board_state is not None and len(self.notices) > len(board_state.notices):
            self.shown_events = len(self.notices)
            said = board_state.said if board_state.hint_text else self.notices[-1]
            self.app.redraw(notices=tuple(self.notices), said=said)

    def new_event_lines(self) -> TableTexts:
        """Return all notices, and the latest one to show below the hand: a new one, or one that
        came during others' moves and before the person's next move."""
        fresh, self.shown_events = self.notices[self.shown_events :], len(self.notices)
        before = self.app.board_state
        kept = before is not None and not before.turn and before.said in self.notices
        said = fresh[-1] if fresh else before.said if before is not None and kept else ""
        return {"notices": tuple(self.notices), "said": said}

    async def pause_on_tricks(self, before: View, after: View) -> None:
        """Keep a taken trick visible for a moment."""
        rest = resting(before, after)
        if rest and self.app.pace:
            view = resting_view(before, after, rest)
            memory = self.player_seat.memory
            self.app.board.show(
                BoardState(view, self.app.lang, rest=rest, memory=memory, **self.new_event_lines())
            )
            await self.pause(REST * self.app.pace)

    async def pause(self, seconds: float) -> None:
        """Wait for some seconds; a key ends the wait."""
        if seconds and not self.skipping.is_set():
            try:
                await asyncio.wait_for(self.skipping.wait(), seconds)
            except TimeoutError:
                return

    def show_view(self, view: View) -> None:
        """Show a new view. If it asks for the same as before (others have chosen meanwhile), the
        pick is kept; otherwise the cursor moves to the first item that can be picked."""
        self.shown = view
        if self.app.board_state is not None and asks_the_same(self.app.board_state.view, view):
            self.app.redraw(view=view)
            self.tell_notices()
            return
        board_state = BoardState(
            view,
            self.app.lang,
            typed=self.app.line.value,
            memory=self.player_seat.memory,
            **self.new_event_lines(),
        )
        self.app.board.show(replace(board_state, cursor=first_cursor(board_state)))
        self.app.line.placeholder = self.prompt(view)
        self.app.line.suggester = SuggestFromList(view.moves, case_sensitive=False)

    def prompt(self, view: View) -> str:
        """Return the placeholder of the empty line: how a move is typed."""
        if view.moves:
            return text("tui-type", self.app.lang, example=view.moves[len(view.moves) // 2])
        return text("tui-skip", self.app.lang) if view.waiting_for else ""

    def show_lobby(self) -> None:
        """Show the lobby of a web table: who is there, and how a match begins."""
        how = text("tui-may-begin" if self.player_seat.may_begin else "tui-lobby", self.app.lang)
        who = (
            self.player_seat.table_notes.people_lines()
            if isinstance(self.player_seat, SharedSeat)
            else ()
        )
        self.app.board.waiting = "\n".join([how, "", *who, "", *self.notices[-MOST_NOTICES:]])
        self.shown, self.shown_events = None, len(self.notices)
        self.app.board.show(None)

    # -- The end of a match ------------------------------------------------------------------------

    async def match_end(self) -> None:
        """Ask how to go on."""
        view = self.view_now()
        if view is None:
            return
        answer = await self.app.page(partial(self.match_end_page, view))
        if answer in ENDINGS:
            self.app.exit(ENDINGS[answer])
            await asyncio.Event().wait()
        elif answer == "begin":
            self.app.attempt(self.player_seat.begin)
        await self.look_on()

    async def look_on(self) -> None:
        """Keep the last table until another match begins; a key asks again how to go on."""
        self.skipping.clear()
        while self.player_seat.over and not self.skipping.is_set():
            await self.pause(POLL)
            self.player_seat.wait(0)  # raises if the table is gone
            self.notices += self.player_seat.notices()
            self.tell_notices()
        self.skipping.clear()

    def round_page(self, view: View, lang: str) -> PageContent:
        """Return the page at the end of a round."""
        title = text("tui-round-over", lang, round=len(view.scores))
        return PageContent(title, pages.scores_page(view, lang), (("on", text("tui-on", lang)),))

    def match_end_page(self, view: View, lang: str) -> PageContent:
        """Return the page at the end of a match, with the possible continuations."""
        answers = []
        if self.app.rematch:
            answers += [("new", text("tui-new-match", lang)), ("same", text("tui-rematch", lang))]
        if self.player_seat.may_begin:
            answers.append(("begin", text("tui-begin", lang)))
        answers += [("look", text("tui-look", lang)), ("leave", text("tui-do-leave", lang))]
        title = text("match-is-over", lang)
        return PageContent(title, pages.match_page(view, lang), tuple(answers))


def asks_the_same(before: View, after: View) -> bool:
    """Return whether two views ask the person for the same thing."""
    return bool(after.moves) and (before.moves, before.hand, before.phase, before.round) == (
        *(after.moves, after.hand, after.phase, after.round),
    )


def first_cursor(board_state: BoardState) -> Cursor:
    """Return a cursor on the first item that can be picked."""
    items = range(len(board_state.asked.items))
    return Cursor("items", next((at for at in items if board_state.asked.may_add(Pick(), at)), 0))
