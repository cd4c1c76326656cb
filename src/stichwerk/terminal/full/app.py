"""The full-screen table: shows a seat, takes keys, clicks and typed moves."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Input

from stichwerk.errors import StichwerkError
from stichwerk.locale import LANGUAGES, number, text
from stichwerk.terminal import day
from stichwerk.terminal.full import pages
from stichwerk.terminal.full.board_state import BoardState, Cursor
from stichwerk.terminal.full.keys import COMMANDS, LETTERS
from stichwerk.terminal.full.overlays import Menu, MoveListOverlay, Page, PageContent
from stichwerk.terminal.full.picking import Pick
from stichwerk.terminal.full.picking_controls import PickingControls
from stichwerk.terminal.full.shared_seat import SharedSeat, people_page, table_command
from stichwerk.terminal.full.styles import CSS
from stichwerk.terminal.full.table_follower import Ending, TableFollower, asks_the_same
from stichwerk.terminal.full.widgets import BoardView, KeyBar, MoveInput
from stichwerk.terminal.move_list import is_listed
from stichwerk.terminal.seat import MoveHint, PlayerSeat, words_of
from stichwerk.terminal.session import compared_line
from stichwerk.view import View

__all__ = ["PACES", "Ending", "TableApp", "run"]

PACES = (0.7, 1.4, 0.3, 0.0)
"""Seconds that another player's move stays before the next one; the first is the default."""


class TableApp(App[Ending]):
    """The full-screen table. `rematch`: whether another match may be requested."""

    CSS = CSS
    TITLE = "Stichwerk"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False  # a click picks a card, it does not select text
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(command.key, command.action, show=False, priority=True) for command in COMMANDS),
        Binding("ctrl+q", "leave", show=False, priority=True),
        Binding("ctrl+c", "leave", show=False, priority=True),
        Binding("escape", "take_back", show=False),
        Binding("up", "across(-1)", show=False),
        Binding("down", "across(1)", show=False),
    ]
    ALWAYS = ("language", "leave", "quit")  # actions that work while a page covers the table

    def __init__(
        self, player_seat: PlayerSeat, *, rematch: bool = False, pace: float = PACES[0]
    ) -> None:
        super().__init__()
        self.player_seat = player_seat
        self.rematch = rematch
        self.pace = pace
        self.failure: Exception | None = None
        self.lang = player_seat.lang
        self.busy = False
        self.follower = TableFollower(self)
        self.controls = PickingControls(self)
        self.board = BoardView()
        self.line = MoveInput()
        self.key_bar = KeyBar()

    # -- Set-up ------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Compose table, input line and key bar."""
        yield self.board
        yield self.line
        yield self.key_bar

    def on_mount(self) -> None:
        """Start following the seat."""
        self.line.focus()
        self.run_worker(self.follower.drive(), name="drive", exit_on_error=True)

    def on_unmount(self) -> None:
        """Wake up everyone who waits at the seat."""
        self.player_seat.close()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the table's keys while a page covers it."""
        if len(self.screen_stack) > 1 and action in {command.action for command in COMMANDS}:
            return action in self.ALWAYS
        return super().check_action(action, parameters)

    def give_up(self, error: Exception) -> None:
        """Leave the screen; `run` raises the error, so that its traceback shows no values."""
        self.failure = error
        self.exit(Ending.LEFT)

    # -- State -------------------------------------------------------------------------------------

    @property
    def shown(self) -> View | None:
        """The displayed view; None before a match."""
        return self.follower.shown

    @property
    def notices(self) -> list[str]:
        """What has happened outside the play so far."""
        return self.follower.notices

    @property
    def board_state(self) -> BoardState | None:
        """The displayed state."""
        return self.board.board_state

    @property
    def free(self) -> bool:
        """Return whether the person may pick something now."""
        return bool(self.board_state and self.board_state.turn) and not self.busy

    def redraw(self, **changes: object) -> None:
        """Redraw the board with some changes."""
        if self.board_state is not None:
            self.board.show(replace(self.board_state, **changes))  # type: ignore[arg-type]

    # -- Keys --------------------------------------------------------------------------------------

    def action_across(self, by: int) -> None:
        """Move up or down: between the cards and the places or people they can go to."""
        self.controls.across(by)

    def action_take_back(self) -> None:
        """Undo what was typed or picked; if there is nothing, open the menu."""
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

    # -- The input line ----------------------------------------------------------------------------

    @on(Input.Changed)
    def typed(self, event: Input.Changed) -> None:
        """Show at once what the typed move would do."""
        if event.input is self.line:
            typed = event.value.strip()
            command = self.is_letter(typed) or typed.startswith("?")
            answered = {"said": "", "hint_text": ""} if event.value else {}
            self.redraw(typed="" if command else event.value, **answered)

    @on(Input.Submitted)
    async def submitted(self, event: Input.Submitted) -> None:
        """Handle a submitted line: a command, a move, or nothing."""
        if event.input is not self.line:
            return
        line = event.value.strip()
        if not line:
            self.controls.enter()
        elif line.startswith("?"):
            self.line.value = ""
            self.list_moves(line[1:].strip())
        elif self.is_letter(line):
            self.line.value = ""
            await self.run_action(LETTERS[line.lower()])
        elif action := table_command(
            self.player_seat, line, partial(self.call_from_thread, self.show_company)
        ):
            self.line.value = ""
            self.attempt(action)
        else:
            self.typed_move(line.replace(day.SYMBOL, ""))

    def is_letter(self, line: str) -> bool:
        """Return whether a line is the letter of a command, and no move that is listed now."""
        if line.lower() not in LETTERS:
            return False
        return self.board_state is None or not is_listed(self.player_seat.view, line)

    def typed_move(self, line: str) -> None:
        """Make a typed move, or show the objection to it."""
        if self.board_state is None:
            self.line.value = ""
            self.tell(text("no-match-yet", self.lang))
            return
        if self.busy:
            return
        objection = self.controls.objection(line)
        if objection is None:
            self.line.value = ""
            self.commit(line)
        else:
            self.redraw(said=objection)
            self.line.select_all()  # typing replaces it, arrow keys edit it

    def show_company(self, player_seat: SharedSeat) -> None:
        """Show who sits where."""
        self.push_screen(Page(partial(people_page, player_seat), self.lang))

    def attempt(self, action: Callable[[], None]) -> None:
        """Run an action of the seat in a thread; show its refusal."""

        async def do() -> None:
            try:
                await asyncio.to_thread(action)
            except StichwerkError as error:
                self.tell(words_of(error, self.lang))

        self.run_worker(do(), exit_on_error=True)

    def tell(self, words: str) -> None:
        """Show a sentence below the hand, or in the lobby among the notices."""
        if self.board_state is None:
            self.notices.append(words)
            self.follower.show_lobby()
        else:
            self.redraw(said=words)

    def commit(self, move: str) -> None:
        """Make a move. The follower shows its result."""
        if self.busy:
            return
        self.busy = True
        self.run_worker(self.play(move), name="play", exit_on_error=True)

    async def play(self, move: str) -> None:
        """Make a move in a thread: a web table may take a while."""
        try:
            await asyncio.to_thread(self.player_seat.play, move)
        except StichwerkError as error:
            self.tell(words_of(error, self.lang))
        finally:
            self.busy = False

    def list_moves(self, wanted: str) -> None:
        """List all moves; the chosen one is picked but not yet made."""
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
        """Open a page that is only read."""
        view = self.shown
        if view is None:
            return

        def make(lang: str) -> PageContent:
            close = ("close", text("tui-close", lang))
            return PageContent(text(title, lang), body(view, lang), (close,), from_end)

        self.push_screen(Page(make, self.lang))

    def action_help(self) -> None:
        """Show keys and typed moves."""
        shared = isinstance(self.player_seat, SharedSeat)

        def make(lang: str) -> PageContent:
            close = ("close", text("tui-close", lang))
            return PageContent(text("tui-do-help", lang), pages.help_page(lang, shared), (close,))

        self.push_screen(Page(make, self.lang))

    def action_rules(self) -> None:
        """Show the rules, those that apply now first."""
        self.open_page("tui-do-rules", pages.rules_page)

    def action_scores(self) -> None:
        """Show the score sheet."""
        self.open_page("tui-do-scores", pages.scores_page)

    def action_last_trick(self) -> None:
        """Show the last trick."""
        memory = self.player_seat.memory
        self.open_page("tui-do-last", lambda view, lang: pages.last_trick_page(view, lang, memory))

    def action_log(self) -> None:
        """Show everything that happened."""
        notices, memory = tuple(self.notices), self.player_seat.memory
        self.open_page(
            "tui-do-log", lambda view, lang: pages.log_page(view, lang, notices, memory), True
        )

    def action_menu(self) -> None:
        """Show all commands in a list."""
        entries = [
            (command.action, f"{command.key.upper():<4} {text(command.long, self.lang)}")
            for command in COMMANDS
        ]

        async def chosen(action: str | None) -> None:
            if action:
                await self.run_action(action)

        self.push_screen(Menu(entries, text("tui-do-menu", self.lang)), chosen)

    # -- Other commands ----------------------------------------------------------------------------

    def action_hint(self) -> None:
        """Ask a bot for a hint; the table stays responsive meanwhile."""
        if not self.free or self.board_state is None:
            self.tell(text("not-your-turn-now", self.lang))
            return
        self.redraw(said=text("tui-thinking", self.lang), hint_text="")
        self.run_worker(
            self.advise(self.board_state.view), name="hint", exclusive=True, group="hint"
        )

    async def advise(self, view: View) -> None:
        """Show the hint, if it is still relevant when it arrives."""
        try:
            advice = await asyncio.to_thread(self.player_seat.advise)
        except StichwerkError as error:
            self.tell(words_of(error, self.lang))
            return
        except Exception as error:  # a bot in this process is broken
            self.give_up(error)
            return
        if self.board_state is None or not asks_the_same(self.board_state.view, view):
            return
        pick = self.board_state.asked.pick_of(advice.move)
        cursor = Cursor("items", pick.items[0]) if pick else self.board_state.cursor
        words = hint_words(advice, self.lang)
        self.redraw(hint=advice.move, hint_text=words, cursor=cursor, pick=Pick(), said="")

    async def action_language(self) -> None:
        """Switch between German and English."""
        at = LANGUAGES.index(self.lang) if self.lang in LANGUAGES else 0
        self.lang = LANGUAGES[(at + 1) % len(LANGUAGES)]
        self.player_seat.lang = self.lang
        self.redraw(lang=self.lang, said="", hint_text="")
        if self.shown is not None:
            self.line.placeholder = self.follower.prompt(self.shown)
        else:
            self.follower.show_lobby()
        self.key_bar.refresh()
        top: Screen[object] = self.screen
        if isinstance(top, Page):
            await top.speak(self.lang)

    def action_pace(self) -> None:
        """Switch to the next pace."""
        at = PACES.index(self.pace) if self.pace in PACES else -1
        self.pace = PACES[(at + 1) % len(PACES)]
        seconds = number(self.pace, self.lang, 1)
        self.tell(text("tui-pace-is", self.lang, seconds=seconds))

    def action_save(self) -> None:
        """Save the match to its file."""
        try:
            self.tell(text("saved", self.lang, file=self.player_seat.save()))
        except StichwerkError as error:
            self.tell(words_of(error, self.lang))

    def action_leave(self) -> None:
        """Leave the table, after a confirmation unless the match is over; asking twice confirms."""
        top: Screen[object] = self.screen
        if self.player_seat.playing and self.player_seat.over:
            self.exit(Ending.OVER)
        elif isinstance(top, Page) and top.make == self.leave_page:
            self.exit(Ending.LEFT)
        else:
            self.push_screen(Page(self.leave_page, self.lang), self.left)

    def leave_page(self, lang: str) -> PageContent:
        """Return the confirmation page."""
        words = text("tui-leave-saved" if self.player_seat.saves else "tui-leave-text", lang)
        answers = (("stay", text("tui-stay", lang)), ("leave", text("tui-do-leave", lang)))
        return PageContent(text("tui-leave-title", lang), Text(words), answers)

    def left(self, answer: str | None) -> None:
        """Leave or stay."""
        if answer == "leave":
            self.exit(Ending.LEFT)


def hint_words(advice: MoveHint, lang: str) -> str:
    """Return the recommended move, the reason, and the values of other moves."""
    words = text("hint", lang, move=advice.move, why=advice.text or text("advice-best", lang))
    return " ".join([words, *compared_line(advice, lang)])


def run(player_seat: PlayerSeat, *, rematch: bool = False, pace: float = PACES[0]) -> Ending:
    """Show a seat on the full screen until it is left."""
    app = TableApp(player_seat, rematch=rematch, pace=pace)
    try:
        ending = app.run()
    finally:
        player_seat.close()
    if app.failure is not None:
        raise app.failure
    return ending or Ending.LEFT
