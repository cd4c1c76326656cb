"""Pages that lie over the table, and the list of moves."""

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
    """What a page shows: a title, a text (a plain string is Markdown), and what may be answered.
    `from_end`: it is read from its end."""

    title: str
    body: Text | str
    answers: tuple[tuple[str, str], ...]
    from_end: bool = False


class Overlay(ModalScreen[str]):
    """Something over the table that is left with an answer. Keys may come faster than it opens
    and closes: what comes too early or too late does nothing.
    """

    def answer(self, id: str) -> None:
        """Go with this answer, unless it has gone already."""
        if self.is_active:
            self.dismiss(id)

    def action_answer(self, id: str) -> None:
        """The same by a key."""
        self.answer(id)


class Page(Overlay):
    """A page over the table. It is made anew when the language changes."""

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
        """Title, text, answers."""
        content = self.make(self.lang)
        with Vertical():
            yield Static(content.title, classes="title", markup=False)
            with PageText(can_focus=False):
                yield self.body(content)
            with Horizontal():
                for id, label in content.answers:
                    yield Button(Text(label), id=f"answer-{id}", compact=True)

    def body(self, content: PageContent) -> Widget:
        """Markdown or a text."""
        if isinstance(content.body, str):
            return Markdown(content.body, open_links=False)
        return Static(content.body, classes="body", markup=False)

    def on_mount(self) -> None:
        """The first answer is at hand."""
        self.offer_first()
        if self.make(self.lang).from_end:
            for paper in self.query(PageText):
                self.call_after_refresh(paper.scroll_end, animate=False)

    def offer_first(self) -> None:
        """Enter gives the first answer."""
        for button in list(self.query(Button))[:1]:
            button.focus()

    async def speak(self, lang: str) -> None:
        """The same page in another language."""
        self.lang = lang
        await self.recompose()
        self.offer_first()

    @on(Button.Pressed)
    def chosen(self, event: Button.Pressed) -> None:
        """An answer was given."""
        self.answer((event.button.id or "").removeprefix("answer-"))

    def key_pagedown(self) -> None:
        """Read on."""
        for paper in self.query(PageText):
            paper.scroll_page_down()

    def key_pageup(self) -> None:
        """Read again."""
        for paper in self.query(PageText):
            paper.scroll_page_up()

    def key_down(self) -> None:
        """One line on."""
        for paper in self.query(PageText):
            paper.scroll_down()

    def key_up(self) -> None:
        """One line back."""
        for paper in self.query(PageText):
            paper.scroll_up()


class PageText(VerticalScroll):
    """The text of a page, longer than the window perhaps."""


class MoveListOverlay(Overlay):
    """All legal moves, narrowed down while one types."""

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
        """A line to type in, and the moves that fit."""
        with Vertical():
            yield Static("", classes="title", markup=False)
            yield Input(self.wanted, placeholder=text("tui-filter", self.lang))
            yield OptionList(markup=False)

    def on_mount(self) -> None:
        """All that fits from the start."""
        for line in self.query(Input):
            line.focus()
        self.narrow(self.wanted)

    @on(Input.Changed)
    def typed(self, event: Input.Changed) -> None:
        """Fewer, or more."""
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
        """Another move of the list."""
        for shown in self.query(OptionList):
            if by > 0:
                shown.action_cursor_down()
            else:
                shown.action_cursor_up()

    @on(Input.Submitted)
    def taken(self) -> None:
        """The highlighted move."""
        for shown in self.query(OptionList):
            option = shown.highlighted_option
            self.answer(option.id or "" if option else "")

    @on(OptionList.OptionSelected)
    def clicked(self, event: OptionList.OptionSelected) -> None:
        """A click."""
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
        """The commands one below the other."""
        with Vertical():
            yield Static(self.heading, classes="title", markup=False)
            yield OptionList(*[Option(words, id=id) for id, words in self.entries], markup=False)

    def on_mount(self) -> None:
        """Arrows and Enter work at once."""
        for shown in self.query(OptionList):
            shown.focus()

    @on(OptionList.OptionSelected)
    def chosen(self, event: OptionList.OptionSelected) -> None:
        """One of them."""
        self.answer(event.option.id or "")
