"""Pages over the table, and the list of moves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Input, Markdown, OptionList, Static
from textual.widgets.option_list import Option

from stichwerk.locale import text
from stichwerk.terminal.full.keys import COMMANDS
from stichwerk.terminal.full.picture import painted
from stichwerk.terminal.move_list import has_parts

MOST_MOVES = 200


@dataclass(frozen=True)
class PageContent:
    """The content of a page: a title, a text (a plain string is Markdown), and the possible
    answers. `from_end`: scrolled to the end."""

    title: str
    body: Text | str
    answers: tuple[tuple[str, str], ...]
    from_end: bool = False


class Overlay(ModalScreen[str]):
    """A screen over the table that closes with an answer. Keys may arrive faster than it opens and
    closes: those that come too early or too late do nothing."""

    def answer(self, id: str) -> None:
        """Close with this answer, unless already closed."""
        if self.is_active:
            self.dismiss(id)

    def action_answer(self, id: str) -> None:
        """Close with this answer, by a key."""
        self.answer(id)


class Page(Overlay):
    """A page over the table. It is rebuilt when the language changes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "answer('')", show=False),
        Binding("right", "app.focus_next", show=False),
        Binding("left", "app.focus_previous", show=False),
    ]

    def __init__(self, make: Callable[[str], PageContent], lang: str) -> None:
        super().__init__(classes="page")
        self.make = make
        self.lang = lang

    def compose(self) -> ComposeResult:
        """Compose title, text and answers."""
        content = self.make(self.lang)
        with Vertical():
            yield Static(content.title, classes="title", markup=False)
            with PageText(can_focus=False):
                yield self.body(content)
            with Horizontal():
                for id, label in content.answers:
                    yield Button(Text(label), id=f"answer-{id}", compact=True)

    def body(self, content: PageContent) -> Widget:
        """Return Markdown or a text."""
        if isinstance(content.body, str):
            return Markdown(content.body, open_links=False)
        return Static(content.body, classes="body", markup=False)

    def on_mount(self) -> None:
        """Focus the first answer."""
        self.offer_first()
        if self.make(self.lang).from_end:
            for paper in self.query(PageText):
                self.call_after_refresh(paper.scroll_end, animate=False)

    def offer_first(self) -> None:
        """Let Enter give the first answer."""
        for button in list(self.query(Button))[:1]:
            button.focus()

    async def speak(self, lang: str) -> None:
        """Show the same page in another language."""
        self.lang = lang
        await self.recompose()
        self.offer_first()

    @on(Button.Pressed)
    def chosen(self, event: Button.Pressed) -> None:
        """Close with the pressed answer."""
        self.answer((event.button.id or "").removeprefix("answer-"))

    def key_pagedown(self) -> None:
        """Scroll down a page."""
        for paper in self.query(PageText):
            paper.scroll_page_down()

    def key_pageup(self) -> None:
        """Scroll up a page."""
        for paper in self.query(PageText):
            paper.scroll_page_up()

    def key_down(self) -> None:
        """Scroll down a line."""
        for paper in self.query(PageText):
            paper.scroll_down()

    def key_up(self) -> None:
        """Scroll up a line."""
        for paper in self.query(PageText):
            paper.scroll_up()


class PageText(VerticalScroll):
    """The scrollable text of a page."""


class MoveListOverlay(Overlay):
    """All legal moves, filtered while one types."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "answer('')", show=False),
        Binding("down", "step(1)", show=False),
        Binding("up", "step(-1)", show=False),
    ]

    def __init__(self, moves: Sequence[str], wanted: str, lang: str) -> None:
        super().__init__(classes="page")
        self.moves = moves
        self.wanted = wanted
        self.lang = lang

    def compose(self) -> ComposeResult:
        """Compose an input line and the matching moves."""
        with Vertical():
            yield Static("", classes="title", markup=False)
            yield Input(self.wanted, placeholder=text("tui-filter", self.lang))
            yield OptionList(markup=False)

    def on_mount(self) -> None:
        """Show all matches from the start."""
        for line in self.query(Input):
            line.focus()
        self.narrow(self.wanted)

    @on(Input.Changed)
    def typed(self, event: Input.Changed) -> None:
        """Filter the list by the typed text."""
        self.narrow(event.value)

    def narrow(self, wanted: str) -> None:
        """Show the moves that have every wanted part."""
        found = [move for move in self.moves if has_parts(move, wanted)]
        for title in self.query(Static):
            title.update(text("moves", self.lang, count=len(found)))
        for shown in self.query(OptionList):
            shown.clear_options()
            shown.add_options([Option(painted(move), id=move) for move in found[:MOST_MOVES]])
            shown.highlighted = 0 if found else None

    def action_step(self, by: int) -> None:
        """Highlight another move."""
        for shown in self.query(OptionList):
            if by > 0:
                shown.action_cursor_down()
            else:
                shown.action_cursor_up()

    @on(Input.Submitted)
    def taken(self) -> None:
        """Choose the highlighted move."""
        for shown in self.query(OptionList):
            option = shown.highlighted_option
            self.answer(option.id or "" if option else "")

    @on(OptionList.OptionSelected)
    def clicked(self, event: OptionList.OptionSelected) -> None:
        """Choose a move by a click."""
        self.answer(event.option.id or "")


class Menu(Overlay):
    """All commands; their keys work here as well."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "answer('')", show=False),
        *(Binding(it.key, f"answer('{it.action}')", show=False) for it in COMMANDS),
    ]

    def __init__(self, entries: Sequence[tuple[str, str]], title: str) -> None:
        super().__init__(classes="page")
        self.entries = entries
        self.heading = title

    def compose(self) -> ComposeResult:
        """Compose the list of commands."""
        with Vertical():
            yield Static(self.heading, classes="title", markup=False)
            yield OptionList(*[Option(words, id=id) for id, words in self.entries], markup=False)

    def on_mount(self) -> None:
        """Focus the list, so that arrows and Enter work at once."""
        for shown in self.query(OptionList):
            shown.focus()

    @on(OptionList.OptionSelected)
    def chosen(self, event: OptionList.OptionSelected) -> None:
        """Choose a command."""
        self.answer(event.option.id or "")
