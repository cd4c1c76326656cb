"""The full-screen table: shows a place, takes keys, clicks and typed moves."""

import asyncio
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import ClassVar, Protocol, TypedDict, runtime_checkable

from rich.text import Text
from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.suggester import SuggestFromList
from textual.widget import Widget
from textual.widgets import Input

from stichwerk.errors import StichwerkError
from stichwerk.locale import LANGUAGES, number, text
from stichwerk.terminal import day
from stichwerk.terminal.full import pages
from stichwerk.terminal.full.board import LEAST_HEIGHT, LEAST_WIDTH, board
from stichwerk.terminal.full.board_state import BoardState, Cursor, resting, resting_view
from stichwerk.terminal.full.keys import COMMANDS, LETTERS, key_bar
from stichwerk.terminal.full.overlays import Menu, MoveListOverlay, Page, PageContent
from stichwerk.terminal.full.picking import Pick
from stichwerk.terminal.full.picture import Picture
from stichwerk.terminal.full.styles import CSS
from stichwerk.terminal.seat import MoveHint, PlayerSeat, words_of
from stichwerk.view import View

PACES = (0.7, 1.4, 0.3, 0.0)
"""Seconds a move of someone else stays before the next; the first is where one begins."""
REST = 2.0  # a taken trick rests so many times as long as a move
POLL = 0.5  # seconds after which a place is asked again, come what may
MOST_COMPARED = 3
MOST_NOTICES = 8
SIT = re.compile(r"sit ([0-5])", re.IGNORECASE | re.ASCII)
CHAT = ":"  # what stands before words to the others


class Ending(Enum):
    """How the screen was left: in the middle of a match, after it, or for another one."""

    LEFT = "left"
    OVER = "over"
    NEW = "new"
    SAME = "same"


class TableTexts(TypedDict):
    """The part of a desk that comes from beside the play."""

    notices: tuple[str, ...]
    said: str


class TableTextSource(Protocol):
    """Words about a table with others."""

    def words(self, words: tuple[str, ...]) -> str:
        """The six words of a shuffle."""

    def people_lines(self) -> Iterable[str]:
        """Who sits where."""


@runtime_checkable
class SharedSeat(Protocol):
    """A place at a table with others: there are seats to take, and moves can be taken back if
    everyone agrees.
    """

    words: tuple[str, ...]
    """The six of this shuffle; none before it."""

    @property
    def table_notes(self) -> TableTextSource:
        """Words about the table."""

    def sit(self, seat: int) -> None:
        """Take a free seat."""

    def take_back(self) -> None:
        """Ask to take back the own last move."""

    def consent(self, agree: bool) -> None:
        """Agree to that, or not."""

    def host_command(self, line: str) -> Callable[[], None] | None:
        """What a line does that only the host can do."""


class BoardView(Widget):
    """The table; where it was clicked goes to the app."""

    def __init__(self) -> None:
        super().__init__()
        self.board_state: BoardState | None = None
        self.waiting = ""
        self.picture = Picture()

    def render(self) -> Text:
        """The picture for the room there is."""
        self.picture = self.drawn()
        return Text("\n").join(self.picture.lines)

    def drawn(self) -> Picture:
        """The table, or why it cannot be shown."""
        width, height = self.size
        whole = self.app.size
        if whole.width < LEAST_WIDTH or whole.height < LEAST_HEIGHT:
            return Picture(too_small(whole.width, whole.height, app_of(self).lang))
        if self.board_state is None:
            return Picture(tuple(map(Text, self.waiting.splitlines())))
        return board(self.board_state, width, height)

    def show(self, board_state: BoardState | None) -> None:
        """Another desk."""
        self.board_state = board_state
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """A card, a place, a person."""
        name = self.picture.spot_at(event.x, event.y)
        if name:
            app_of(self).touch(name)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The cursor follows the mouse, so that effects are told before a click."""
        name = self.picture.spot_at(event.x, event.y)
        if name:
            app_of(self).point_at(name)


def too_small(width: int, height: int, lang: str) -> tuple[Text, ...]:
    """What is said in a window that is too small."""
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
        """One line."""
        self.picture = key_bar(app_of(self).lang, self.size.width)
        return Text("\n").join(self.picture.lines)

    async def on_click(self, event: events.Click) -> None:
        """As if the key were pressed."""
        name = self.picture.spot_at(event.x, event.y)
        if name:
            await self.app.run_action(name.removeprefix("command "))


class MoveInput(Input):
    """The line for typed moves. While it is empty, arrows, space and Enter belong to the table."""

    def action_cursor_left(self, select: bool = False) -> None:
        """To the left: in the text, or at the table."""
        if self.value:
            super().action_cursor_left(select)
        else:
            app_of(self).steer(-1)

    def action_cursor_right(self, select: bool = False) -> None:
        """To the right."""
        if self.value:
            super().action_cursor_right(select)
        else:
            app_of(self).steer(1)

    async def _on_key(self, event: events.Key) -> None:
        if not self.value and event.key in ("space", "question_mark"):
            event.stop()
            event.prevent_default()
            app_of(self).empty_line_key(event.key)
            return
        await super()._on_key(event)


def app_of(widget: Widget) -> "TableApp":
    """The app of a widget, as what it is."""
    app = widget.app
    assert isinstance(app, TableApp)
    return app


class TableApp(App[Ending]):
    """A table on the whole screen. `rematch`: whether another match may be asked for."""

    CSS = CSS
    TITLE = "Stichwerk"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False  # a click picks a card, it does not mark text
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(command.key, command.action, show=False, priority=True) for command in COMMANDS),
        Binding("ctrl+q", "leave", show=False, priority=True),
        Binding("ctrl+c", "leave", show=False, priority=True),
        Binding("escape", "take_back", show=False),
        Binding("up", "across(-1)", show=False),
        Binding("down", "across(1)", show=False),
    ]
    ALWAYS = ("language", "leave", "quit")  # actions that work while a page lies over the table

    def __init__(
        self, player_seat: PlayerSeat, *, rematch: bool = False, pace: float = PACES[0]
    ) -> None:
        super().__init__()
        self.player_seat = player_seat
        self.rematch = rematch
        self.pace = pace
        self.failure: Exception | None = None
        self.lang = player_seat.lang
        self.shown: View | None = None
        self.notices: list[str] = []
        self.shown_events = 0  # so many notices have been shown
        self.skipping = asyncio.Event()
        self.busy = False
        self.board = BoardView()
        self.line = MoveInput()
        self.key_bar = KeyBar()

    # -- Set-up ------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Table, line, keys."""
        yield self.board
        yield self.line
        yield self.key_bar

    def on_mount(self) -> None:
        """Begin."""
        self.line.focus()
        self.run_worker(self.drive(), name="drive", exit_on_error=True)

    def on_unmount(self) -> None:
        """Whoever waits at the place is woken."""
        self.player_seat.close()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a page lies over the table, the table's keys rest."""
        if len(self.screen_stack) > 1 and action in {command.action for command in COMMANDS}:
            return action in self.ALWAYS
        return super().check_action(action, parameters)

    # -- What happens at the place -----------------------------------------------------------------

    async def drive(self) -> None:
        """Show what happens, as long as anything can."""
        try:
            await self.take_in()
            while self.is_running:
                await asyncio.to_thread(self.player_seat.wait, POLL)
                await self.take_in()
                if self.player_seat.playing and self.player_seat.over:
                    await self.match_end()
        except Exception as error:  # the table is gone, or a bot in this process is broken
            self.give_up(error)

    def give_up(self, error: Exception) -> None:
        """Leave the screen; the error comes out of `run`, where its traceback shows no values."""
        self.failure = error
        self.exit(Ending.LEFT)

    async def take_in(self) -> None:
        """Bring the table up to what the place shows now, at a pace that can be followed."""
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
            await self.page(partial(self.round_page, after))
        self.show_view(after)
        if after.moves:
            self.skipping.clear()
        elif before is not None:
            await self.pause(self.pace)

    def view_now(self) -> View | None:
        """What there is to see; None, if no match runs, or it ended in this very moment."""
        try:
            return self.player_seat.view if self.player_seat.playing else None
        except StichwerkError:
            if self.player_seat.playing:
                raise
            return None

    def tell_notices(self) -> None:
        """The last thing that happened beside the play, unless a hint stands there."""
        board_state = self.board_state
        if board_state is not None and len(self.notices) > len(board_state.notices):
            self.shown_events = len(self.notices)
            said = board_state.said if board_state.hint_text else self.notices[-1]
            self.redraw(notices=tuple(self.notices), said=said)

    def new_event_lines(self) -> TableTexts:
        """All notices, and the last one to be read below the hand: one that is new, or that came
        while others moved and has not been met by a move of one's own.
        """
        fresh, self.shown_events = self.notices[self.shown_events :], len(self.notices)
        before = self.board_state
        kept = before is not None and not before.turn and before.said in self.notices
        said = fresh[-1] if fresh else before.said if before is not None and kept else ""
        return {"notices": tuple(self.notices), "said": said}

    async def pause_on_tricks(self, before: View, after: View) -> None:
        """A trick that was taken stays in sight for a moment."""
        rest = resting(before, after)
        if rest and self.pace:
            view = resting_view(before, after, rest)
            self.board.show(BoardState(view, self.lang, rest=rest, **self.new_event_lines()))
            await self.pause(REST * self.pace)

    async def pause(self, seconds: float) -> None:
        """Some time for the eye; a key ends it."""
        if seconds and not self.skipping.is_set():
            try:
                await asyncio.wait_for(self.skipping.wait(), seconds)
            except TimeoutError:
                return

    def show_view(self, view: View) -> None:
        """A new view. If it asks for the same as before (others have chosen meanwhile), what was
        picked stays; else the cursor is on the first thing that can be picked."""
        self.shown = view
        if self.board_state is not None and asks_the_same(self.board_state.view, view):
            self.redraw(view=view)
            self.tell_notices()
            return
        board_state = BoardState(view, self.lang, typed=self.line.value, **self.new_event_lines())
        self.board.show(replace(board_state, cursor=first_cursor(board_state)))
        self.line.placeholder = self.prompt(view)
        self.line.suggester = SuggestFromList(view.moves, case_sensitive=False)

    def prompt(self, view: View) -> str:
        """What the empty line says: how a move is typed."""
        if view.moves:
            return text("tui-type", self.lang, example=view.moves[len(view.moves) // 2])
        return text("tui-skip", self.lang) if view.waiting_for else ""

    def show_lobby(self) -> None:
        """Before a match at a web table: who has come, and how it begins."""
        how = text("tui-may-begin" if self.player_seat.may_begin else "tui-lobby", self.lang)
        who = (
            self.player_seat.table_notes.people_lines()
            if isinstance(self.player_seat, SharedSeat)
            else ()
        )
        self.board.waiting = "\n".join([how, "", *who, "", *self.notices[-MOST_NOTICES:]])
        self.shown, self.shown_events = None, len(self.notices)
        self.board.show(None)

    # -- Picking -----------------------------------------------------------------------------------

    @property
    def board_state(self) -> BoardState | None:
        """What is shown."""
        return self.board.board_state

    @property
    def free(self) -> bool:
        """Whether the person may pick something now."""
        return bool(self.board_state and self.board_state.turn) and not self.busy

    def redraw(self, **changes: object) -> None:
        """The same desk with something changed."""
        if self.board_state is not None:
            self.board.show(replace(self.board_state, **changes))  # type: ignore[arg-type]

    def point_at(self, name: str) -> None:
        """The mouse is over something."""
        kind, _, which = name.partition(" ")
        if self.free and self.board_state and kind == "item" and self.item_is_open(int(which)):
            cursor = Cursor("items", int(which))
            if cursor != self.board_state.cursor and not self.board_state.pick.items:
                self.redraw(cursor=cursor, said="", hint_text="")

    def item_is_open(self, at: int) -> bool:
        """Whether an item of the picture is one that is asked for."""
        return self.board_state is not None and at < len(self.board_state.asked.items)

    def touch(self, name: str) -> None:
        """Something was clicked."""
        self.line.focus()
        if not self.free or self.board_state is None:
            self.skipping.set()
            return
        kind, _, which = name.partition(" ")
        if kind == "item":
            self.touch_item(int(which))
        elif kind == "target" or (kind == "seat" and which in self.board_state.targets):
            self.aim(which)
        elif kind == "seat" and f"veto {which}" in self.board_state.asked.items:
            self.touch_item(self.board_state.asked.items.index(f"veto {which}"))

    def touch_item(self, at: int) -> None:
        """A click picks; a click on what is picked and complete makes the move."""
        assert self.board_state is not None
        if not self.board_state.asked.from_hand and not self.item_is_open(at):
            return
        if at in self.board_state.pick.items and self.board_state.asked.complete(
            self.board_state.pick
        ):
            self.commit(self.board_state.asked.text(self.board_state.pick))
        else:
            self.toggle(at)

    def toggle(self, at: int) -> None:
        """One item more or less; if that cannot be, the reason."""
        assert self.board_state is not None
        pick = self.board_state.asked.toggled(self.board_state.pick, at)
        cursor = Cursor("items", at)
        if pick is None:
            self.redraw(cursor=cursor, said=self.why_not(at))
        else:
            self.redraw(pick=pick, cursor=cursor, said="", hint_text="")

    def why_not(self, at: int) -> str:
        """Why an item cannot be picked now."""
        assert self.board_state is not None
        if self.board_state.pick.items:
            return text("tui-enough", self.lang)
        return self.objection(self.board_state.asked.items[at]) or ""

    def objection(self, move: str) -> str | None:
        """What stands against a move; also that the table is gone."""
        try:
            return self.player_seat.objection(move)
        except StichwerkError as error:
            return words_of(error, self.lang)

    def aim(self, target: str) -> None:
        """A place or person for what is picked; if that is settled already, the move is made."""
        board_state = self.board_state
        assert board_state is not None
        pick = board_state.considered
        if (
            board_state.pick.items
            and board_state.pick.target == target
            and board_state.asked.complete(board_state.pick)
        ):
            self.commit(board_state.asked.text(board_state.pick))
            return
        aimed = replace(pick, target=target)
        if board_state.asked.complete(aimed):
            at = board_state.targets.index(target)
            self.redraw(pick=aimed, cursor=Cursor("targets", at), said="", hint_text="")

    # -- Keys --------------------------------------------------------------------------------------

    def steer(self, by: int) -> None:
        """The cursor one to the left or right."""
        board_state = self.board_state
        if not self.free or board_state is None:
            return
        count = len(
            board_state.asked.items if board_state.cursor.zone == "items" else board_state.targets
        )
        if count:
            cursor = Cursor(board_state.cursor.zone, (board_state.cursor.at + by) % count)
            self.redraw(cursor=cursor, said="", hint_text="", **self.aimed_at(cursor))

    def aimed_at(self, cursor: Cursor) -> dict[str, object]:
        """On a target the pick goes there."""
        assert self.board_state is not None
        if cursor.zone != "targets":
            return {}
        return {
            "pick": replace(self.board_state.considered, target=self.board_state.targets[cursor.at])
        }

    def action_across(self, by: int) -> None:
        """Up or down: between the cards and the places or persons they can go to."""
        board_state = self.board_state
        if not self.free or board_state is None or self.line.value:
            return
        if board_state.cursor.zone == "targets":
            at = board_state.pick.items[0] if board_state.pick.items else 0
            self.redraw(cursor=Cursor("items", at), pick=Pick(), said="")
        elif board_state.targets:
            cursor = Cursor("targets", 0)
            self.redraw(cursor=cursor, said="", **self.aimed_at(cursor))
        else:
            self.row_step(by)

    def row_step(self, by: int) -> None:
        """To the card above or below, where the hand takes several rows."""
        board_state, spots = self.board_state, self.board.picture.spots
        here = self.board.picture.spot(f"item {board_state.cursor.at}") if board_state else None
        if board_state is None or here is None:
            return
        rows = sorted({spot.y for spot in spots if spot.name.startswith("item ")})
        index = rows.index(here.y) + by
        if 0 <= index < len(rows):
            items = [s for s in spots if s.y == rows[index] and s.name.startswith("item ")]
            nearest = min(items, key=lambda spot: abs(spot.x - here.x))
            self.redraw(cursor=Cursor("items", int(nearest.name.split()[1])), said="")

    def empty_line_key(self, key: str) -> None:
        """Space picks, or skips what others do; `?` lists the moves."""
        if key == "question_mark":
            self.list_moves("")
        elif not self.free or self.board_state is None:
            self.skipping.set()
        elif self.board_state.cursor.zone == "items" and self.item_is_open(
            self.board_state.cursor.at
        ):
            self.toggle(self.board_state.cursor.at)

    def enter(self) -> None:
        """Enter on an empty line: pick what the cursor is on, or make the move that is complete."""
        board_state = self.board_state
        if not self.free or board_state is None:
            self.skipping.set()
            return
        at = board_state.cursor.at
        if board_state.cursor.zone == "targets" or (
            at in board_state.pick.items and board_state.asked.complete(board_state.pick)
        ):
            self.commit(board_state.asked.text(board_state.pick))
        elif self.item_is_open(at):
            self.toggle(at)
            self.after_enter(at)

    def after_enter(self, at: int) -> None:
        """A single card that can be nothing more is played at once; one that has several places to
        go to asks for the place.
        """
        board_state = self.board_state
        assert board_state is not None
        if board_state.pick.items != (at,) or board_state.asked.can_grow(board_state.pick):
            return
        if board_state.asked.complete(board_state.pick):
            self.commit(board_state.asked.text(board_state.pick))
        elif len(board_state.targets) > 1:
            cursor = Cursor("targets", 0)
            self.redraw(cursor=cursor, **self.aimed_at(cursor))

    def action_take_back(self) -> None:
        """Take back what was typed or picked; if there is nothing, the menu."""
        board_state = self.board_state
        if self.line.value:
            self.line.value = ""
            self.redraw(said="")
        elif board_state is not None and board_state.pick.items:
            self.redraw(pick=Pick(), cursor=Cursor("items", board_state.pick.items[0]), said="")
        elif board_state is not None and (board_state.said or board_state.hint_text):
            self.redraw(said="", hint_text="")
        else:
            self.action_menu()

    # -- The typed line ----------------------------------------------------------------------------

    @on(Input.Changed)
    def typed(self, event: Input.Changed) -> None:
        """What the typed move would do is told at once."""
        if event.input is self.line:
            command = event.value.strip().lower() in LETTERS or event.value.startswith("?")
            answered = {"said": "", "hint_text": ""} if event.value else {}
            self.redraw(typed="" if command else event.value, **answered)

    @on(Input.Submitted)
    async def submitted(self, event: Input.Submitted) -> None:
        """A typed line: a command, a move, or nothing."""
        if event.input is not self.line:
            return
        line = event.value.strip()
        if not line:
            self.enter()
        elif line.startswith("?"):
            self.line.value = ""
            self.list_moves(line[1:].strip())
        elif line.lower() in LETTERS:
            self.line.value = ""
            await self.run_action(LETTERS[line.lower()])
        elif action := self.table_command(line):
            self.line.value = ""
            self.attempt(action)
        else:
            self.typed_move(line.replace(day.SYMBOL, ""))

    def typed_move(self, line: str) -> None:
        """A typed move is made, or the reason against it is told."""
        if self.board_state is None:
            self.line.value = ""
            self.tell(text("no-match-yet", self.lang))
            return
        if self.busy:
            return
        objection = self.objection(line)
        if objection is None:
            self.line.value = ""
            self.commit(line)
        else:
            self.redraw(said=objection)
            self.line.select_all()  # whoever types on begins anew; arrows mend it

    def table_command(self, line: str) -> Callable[[], None] | None:
        """What a line does at a web table besides, as in its plain form; None: nothing."""
        if line.startswith(CHAT):
            return lambda: self.player_seat.chat(line[1:].strip())
        if line.lower() == "b" and self.player_seat.may_begin:
            return self.player_seat.begin
        return (
            self.shared_command(self.player_seat, line)
            if isinstance(self.player_seat, SharedSeat)
            else None
        )

    def shared_command(self, player_seat: SharedSeat, line: str) -> Callable[[], None] | None:
        """Who is there, seats, taking back, and what the host does."""
        if done := player_seat.host_command(line):
            return done
        if found := SIT.fullmatch(line):
            return lambda: player_seat.sit(int(found[1]))
        deeds: dict[str, Callable[[], None]] = {
            "p": lambda: self.call_from_thread(self.show_company, player_seat),
            "u": player_seat.take_back,
            "y": lambda: player_seat.consent(True),
            "j": lambda: player_seat.consent(True),
            "n": lambda: player_seat.consent(False),
        }
        return deeds.get(line.lower())

    def show_company(self, player_seat: SharedSeat) -> None:
        """Who sits where."""

        def make(lang: str) -> PageContent:
            shuffle = (
                ["", player_seat.table_notes.words(player_seat.words)] if player_seat.words else []
            )
            who = Text("\n".join([*player_seat.table_notes.people_lines(), *shuffle]))
            return PageContent(
                text("tui-company", lang), who, (("close", text("tui-close", lang)),)
            )

        self.push_screen(Page(make, self.lang))

    def attempt(self, action: Callable[[], None]) -> None:
        """Do something at the place in a thread; what it refuses is told."""

        async def do() -> None:
            try:
                await asyncio.to_thread(action)
            except StichwerkError as error:
                self.tell(words_of(error, self.lang))

        self.run_worker(do(), exit_on_error=True)

    def tell(self, words: str) -> None:
        """A sentence below the hand; in the lobby among the notices."""
        if self.board_state is None:
            self.notices.append(words)
            self.show_lobby()
        else:
            self.redraw(said=words)

    def commit(self, move: str) -> None:
        """Make a move. The driver shows what comes of it."""
        if self.busy:
            return
        self.busy = True
        self.run_worker(self.play(move), name="play", exit_on_error=True)

    async def play(self, move: str) -> None:
        """The move, in a thread: a web table takes its time."""
        try:
            await asyncio.to_thread(self.player_seat.play, move)
        except StichwerkError as error:
            self.tell(words_of(error, self.lang))
        finally:
            self.busy = False

    def list_moves(self, wanted: str) -> None:
        """All moves; the chosen one is picked, not yet made."""
        if self.board_state is None or not self.board_state.turn:
            self.tell(text("not-your-turn-now", self.lang))
            return

        def chosen(move: str | None) -> None:
            if move and self.board_state is not None:
                pick = self.board_state.asked.pick_of(move)
                if pick is not None:
                    self.redraw(pick=pick, cursor=Cursor("items", pick.items[0]), said="")

        self.push_screen(MoveListOverlay(self.board_state.view.moves, wanted, self.lang), chosen)

    # -- Pages -------------------------------------------------------------------------------------

    async def page(self, make: Callable[[str], PageContent]) -> str:
        """Show a page and wait for the answer."""
        return await self.push_screen_wait(Page(make, self.lang)) or ""

    def open_page(
        self, title: str, body: Callable[[View, str], Text | str], from_end: bool = False
    ) -> None:
        """A page that is only read."""
        view = self.shown
        if view is None:
            return

        def make(lang: str) -> PageContent:
            close = ("close", text("tui-close", lang))
            return PageContent(text(title, lang), body(view, lang), (close,), from_end)

        self.push_screen(Page(make, self.lang))

    def action_help(self) -> None:
        """Keys and typed moves."""
        shared = isinstance(self.player_seat, SharedSeat)

        def make(lang: str) -> PageContent:
            close = ("close", text("tui-close", lang))
            return PageContent(text("tui-do-help", lang), pages.help_page(lang, shared), (close,))

        self.push_screen(Page(make, self.lang))

    def action_rules(self) -> None:
        """The rules, those of the moment first."""
        self.open_page("tui-do-rules", pages.rules_page)

    def action_scores(self) -> None:
        """The score sheet."""
        self.open_page("tui-do-scores", pages.scores_page)

    def action_last_trick(self) -> None:
        """The last trick."""
        self.open_page("tui-do-last", pages.last_trick_page)

    def action_log(self) -> None:
        """All that happened."""
        told = tuple(self.notices)
        self.open_page("tui-do-log", lambda view, lang: pages.log_page(view, lang, told), True)

    def action_menu(self) -> None:
        """All commands in a list."""
        entries = [
            (command.action, f"{command.key.upper():<4} {text(command.long, self.lang)}")
            for command in COMMANDS
        ]

        async def chosen(action: str | None) -> None:
            if action:
                await self.run_action(action)

        self.push_screen(Menu(entries, text("tui-do-menu", self.lang)), chosen)

    def round_page(self, view: View, lang: str) -> PageContent:
        """The end of a round."""
        title = text("tui-round-over", lang, round=len(view.scores))
        return PageContent(title, pages.scores_page(view, lang), (("on", text("tui-on", lang)),))

    def match_end_page(self, view: View, lang: str) -> PageContent:
        """The end of a match, and how it may go on."""
        answers = []
        if self.rematch:
            answers += [("new", text("tui-new-match", lang)), ("same", text("tui-rematch", lang))]
        if self.player_seat.may_begin:
            answers.append(("begin", text("tui-begin", lang)))
        answers += [("look", text("tui-look", lang)), ("leave", text("tui-do-leave", lang))]
        title = text("match-is-over", lang)
        return PageContent(title, pages.match_page(view, lang), tuple(answers))

    async def match_end(self) -> None:
        """Ask how to go on."""
        view = self.view_now()
        if view is None:
            return
        answer = await self.page(partial(self.match_end_page, view))
        if answer in ENDINGS:
            self.exit(ENDINGS[answer])
            await asyncio.Event().wait()
        elif answer == "begin":
            self.attempt(self.player_seat.begin)
        await self.look_on()

    async def look_on(self) -> None:
        """The last table stays until another match begins; a key asks again how to go on."""
        self.skipping.clear()
        while self.player_seat.over and not self.skipping.is_set():
            await self.pause(POLL)
            self.player_seat.wait(0)  # a table that is gone says so
            self.notices += self.player_seat.notices()
            self.tell_notices()
        self.skipping.clear()

    # -- Other commands ----------------------------------------------------------------------------

    def action_hint(self) -> None:
        """Ask a bot; the table stays alive meanwhile."""
        if not self.free or self.board_state is None:
            self.tell(text("not-your-turn-now", self.lang))
            return
        self.redraw(said=text("tui-thinking", self.lang), hint_text="")
        self.run_worker(
            self.advise(self.board_state.view), name="hint", exclusive=True, group="hint"
        )

    async def advise(self, view: View) -> None:
        """The hint, if it is still wanted when it comes."""
        try:
            advice = await asyncio.to_thread(self.player_seat.advise)
        except StichwerkError as error:
            self.tell(words_of(error, self.lang))
            return
        except Exception as error:  # an adviser in this process is broken
            self.give_up(error)
            return
        if self.board_state is None or not asks_the_same(self.board_state.view, view):
            return
        pick = self.board_state.asked.pick_of(advice.move)
        cursor = Cursor("items", pick.items[0]) if pick else self.board_state.cursor
        words = hint_words(advice, self.lang)
        self.redraw(hint=advice.move, hint_text=words, cursor=cursor, pick=Pick(), said="")

    async def action_language(self) -> None:
        """German or English, at any time."""
        at = LANGUAGES.index(self.lang) if self.lang in LANGUAGES else 0
        self.lang = LANGUAGES[(at + 1) % len(LANGUAGES)]
        self.player_seat.lang = self.lang
        self.redraw(lang=self.lang, said="", hint_text="")
        if self.shown is not None:
            self.line.placeholder = self.prompt(self.shown)
        else:
            self.show_lobby()
        self.key_bar.refresh()
        top: Screen[object] = self.screen
        if isinstance(top, Page):
            await top.speak(self.lang)

    def action_pace(self) -> None:
        """The next pace."""
        at = PACES.index(self.pace) if self.pace in PACES else -1
        self.pace = PACES[(at + 1) % len(PACES)]
        seconds = number(self.pace, self.lang, 1)
        self.tell(text("tui-pace-is", self.lang, seconds=seconds))

    def action_save(self) -> None:
        """Keep the match in its file."""
        try:
            self.tell(text("saved", self.lang, file=self.player_seat.save()))
        except StichwerkError as error:
            self.tell(words_of(error, self.lang))

    def action_leave(self) -> None:
        """Leave the table, after a question unless the match is over; asking twice is an answer."""
        top: Screen[object] = self.screen
        if self.player_seat.playing and self.player_seat.over:
            self.exit(Ending.OVER)
        elif isinstance(top, Page) and top.make == self.leave_page:
            self.exit(Ending.LEFT)
        else:
            self.push_screen(Page(self.leave_page, self.lang), self.left)

    def leave_page(self, lang: str) -> PageContent:
        """Whether one really wants to go."""
        words = text("tui-leave-saved" if self.player_seat.saves else "tui-leave-text", lang)
        answers = (("stay", text("tui-stay", lang)), ("leave", text("tui-do-leave", lang)))
        return PageContent(text("tui-leave-title", lang), Text(words), answers)

    def left(self, answer: str | None) -> None:
        """Go, or stay."""
        if answer == "leave":
            self.exit(Ending.LEFT)


ENDINGS = {"new": Ending.NEW, "same": Ending.SAME, "leave": Ending.OVER}


def asks_the_same(before: View, after: View) -> bool:
    """Whether a view asks the person for the very same as another."""
    return bool(after.moves) and (before.moves, before.hand, before.phase, before.round) == (
        *(after.moves, after.hand, after.phase, after.round),
    )


def first_cursor(board_state: BoardState) -> Cursor:
    """On the first item that can be picked."""
    items = range(len(board_state.asked.items))
    return Cursor("items", next((at for at in items if board_state.asked.may_add(Pick(), at)), 0))


def hint_words(advice: MoveHint, lang: str) -> str:
    """The advised move, why, and what others would be worth."""
    words = text("hint", lang, move=advice.move, why=advice.text or text("advice-best", lang))
    valued = [one for one in advice.alternatives if one.value is not None][:MOST_COMPARED]
    if len(valued) < 2:
        return words
    shown = (f"{one.move} {number(one.value or 0, lang, 1)}" for one in valued)
    return f"{words} {text('hint-compared', lang, moves=' · '.join(shown).replace('-', '−'))}"


def run(player_seat: PlayerSeat, *, rematch: bool = False, pace: float = PACES[0]) -> Ending:
    """Show a place on the whole screen until it is left."""
    app = TableApp(player_seat, rematch=rematch, pace=pace)
    try:
        ending = app.run()
    finally:
        player_seat.close()
    if app.failure is not None:
        raise app.failure
    return ending or Ending.LEFT
