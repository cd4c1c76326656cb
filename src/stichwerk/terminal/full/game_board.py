"""The board of any trick-taking game; subclasses draw what is special about a game."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from stichwerk import narration
from stichwerk.locale import text
from stichwerk.outlook.structs import TrickNow
from stichwerk.terminal import day, table
from stichwerk.terminal.full.board_state import BoardState
from stichwerk.terminal.full.picture import (
    CARD_SIZES,
    GOOD,
    SOFT,
    Picture,
    beside,
    centred,
    chip,
    line,
    painted,
    paragraph,
    rows_of,
    shortened,
    stack,
    styled,
)
from stichwerk.terminal.lines import seat_name
from stichwerk.view import Trick

NAME = 10  # cells of a name above a card


class GameBoard:
    """Draws one board state. A game overrides the parts in which its table differs."""

    explains_tricks = True  # in words below them
    draws_targets = False  # places to play to are drawn in the middle, not as buttons

    def __init__(self, board_state: BoardState, width: int) -> None:
        self.board_state = board_state
        self.view = board_state.view
        self.lang = board_state.lang
        self.width = width

    def say(self, id: str, /, **facts: object) -> str:
        """Return a text."""
        return text(id, self.lang, **facts)

    # -- Seats -------------------------------------------------------------------------------------

    def before(self, seat: int) -> Text:
        """Return what a seat has in front of it."""
        return painted(table.before_seat(self.view, seat, self.lang))

    # -- The middle --------------------------------------------------------------------------------

    @property
    def tricks(self) -> Sequence[Trick]:
        """Return the tricks to draw: resting ones, or else the open ones."""
        return self.board_state.rest or self.view.tricks

    def middle(self, size: int) -> Picture:
        """Draw the trick: cards in the order they were played, names above."""
        if not self.tricks:
            return centred(line(self.empty_words(), SOFT), self.width)
        plays = [self.play(trick, *play, size) for trick in self.tricks for play in trick.plays]
        return centred(rows_of(plays, self.width, 2), self.width)

    def empty_words(self) -> str:
        """Return the text for an empty table."""
        if self.view.phase != "play":
            return ""
        leads = self.view.seat is not None and self.view.waiting_for == (self.view.seat,)
        return self.say("you-lead" if leads else "nothing-lies")

    def play(self, trick: Trick, seat: int, cards: str, size: int) -> Picture:
        """Draw one play: the name, the card or pair, and a mark if it is winning."""
        wins = seat == trick.winning
        name = Text(shortened(seat_name(self.view, seat, self.lang), NAME), "bold" if wins else "")
        drawn = beside([self.card(card, size) for card in cards.split("+")])
        width = max(drawn.width, name.cell_len)
        sign = Text("▀" * drawn.width if wins else "", GOOD)
        lines = [line(name), drawn, line(sign)]
        if size == 0:
            lines = [line(styled("▸" if wins else "", f"bold {GOOD}").append_text(name)), drawn]
        picture = stack(centred(part, width) for part in lines)
        return picture.named(f"seat {seat}")

    def card(self, card: str, size: int, dim: bool = False) -> Picture:
        """Draw a card, with a mark if it carries a symbol."""
        sign = day.marked(self.view, card)[len(card) :]
        return CARD_SIZES[size](card, sign, dim)

    def chip(self, card: str) -> Text:
        """Return a card, or two of them, on one line."""
        shown = Text()
        for single in card.split("+"):
            if shown:
                shown.append("+")
            shown.append_text(chip(single, day.marked(self.view, single)[len(single) :]))
        return shown

    # -- Meaning -----------------------------------------------------------------------------------

    def meaning(self) -> Iterator[str]:
        """Yield the meaning of the tricks on the table, in words; for a taken one, who took it."""
        if self.board_state.rest:
            last = self.board_state.look.standing.last
            yield last.text if last else table.last_trick_line(self.view, self.lang)
            return
        standing = self.board_state.look.standing
        if not self.tricks:
            yield from self.board_state.look.situation.sentences
        for trick in standing.tricks:
            yield trick.text
            yield self.worth(trick)
        yield from standing.lines
        yield from standing.notes

    def worth(self, trick: TrickNow) -> str:
        """Return what the trick is worth to its current winner."""
        facts = self.gains(trick)
        return self.say("tui-worth-now", facts=facts) if facts else ""

    def gains(self, trick: TrickNow) -> str:
        """Return names and points."""
        return " · ".join(
            f"{seat_name(self.view, gain.seat, self.lang)} {with_sign(gain.points)}"
            for gain in trick.worth
        )

    # -- Lines of the table and of the seat --------------------------------------------------------

    def common_lines(self) -> Iterator[Text]:
        """Yield what applies to everyone."""
        for shown in day.day_lines(self.view, self.lang):
            yield painted(shown)

    def own_lines(self) -> Iterator[Text]:
        """Yield what only this seat knows."""
        for shown in day.own_lines(self.view, self.lang):
            yield painted(shown)

    # -- Targets -----------------------------------------------------------------------------------

    def target_words(self, target: str) -> str:
        """Return the name of a target: a person, if the number is a seat."""
        if target.isdigit() and int(target) < self.view.seats:
            return self.view.names[int(target)]
        return target

    def option_words(self, item: str) -> str:
        """Return the label of a choice that is not a card of the hand."""
        return item

    def wrapped(self, words: str, most: int, style: str = "") -> Picture:
        """Return a text wrapped to the width of the table."""
        return paragraph(words, self.width, most, style)


def with_sign(points: int) -> str:
    """Return +3, −3 or 0."""
    return f"+{points}" if points > 0 else narration.signed(points)
