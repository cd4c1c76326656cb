"""The table of any trick-taking game; games draw what is special about them."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from stichwerk import narration
from stichwerk.locale import text
from stichwerk.outlook.structs import TrickNow
from stichwerk.terminal import day, table
from stichwerk.terminal.full.board_state import BoardState
from stichwerk.terminal.full.picture import (
    ALERT,
    CARD_SIZES,
    GOOD,
    SOFT,
    Picture,
    beside,
    centred,
    chip,
    inked,
    line,
    painted,
    paragraph,
    rows_of,
    shortened,
    stack,
)
from stichwerk.view import Trick

NAME = 10  # cells of a name above a card


class GameBoard:
    """Draws one desk. A game overrides the parts in which its table differs."""

    explains_tricks = True  # in words below them
    draws_targets = False  # places to play to are drawn in the middle, not as buttons

    def __init__(self, board_state: BoardState, width: int) -> None:
        self.board_state = board_state
        self.view = board_state.view
        self.lang = board_state.lang
        self.width = width

    def say(self, id: str, /, **facts: object) -> str:
        """A sentence."""
        return text(id, self.lang, **facts)

    # -- Seats -------------------------------------------------------------------------------------

    def before(self, seat: int) -> Text:
        """What lies before a seat."""
        return painted(table.before_seat(self.view, seat, self.lang))

    # -- The middle --------------------------------------------------------------------------------

    @property
    def tricks(self) -> Sequence[Trick]:
        """What lies there: tricks that rest a moment, or else the open ones."""
        return self.board_state.rest or self.view.tricks

    def middle(self, size: int) -> Picture:
        """The trick: cards in the order they were played, names above."""
        if not self.tricks:
            return centred(line(self.empty_words(), SOFT), self.width)
        plays = [self.play(trick, *play, size) for trick in self.tricks for play in trick.plays]
        return centred(rows_of(plays, self.width, 2), self.width)

    def empty_words(self) -> str:
        """What is said of an empty table."""
        if self.view.phase != "play":
            return ""
        leads = self.view.seat is not None and self.view.waiting_for == (self.view.seat,)
        return self.say("you-lead" if leads else "nothing-lies")

    def play(self, trick: Trick, seat: int, cards: str, size: int) -> Picture:
        """One play: who, the card or the pair, a sign for the one that has the trick."""
        struck = self.view.table.get("struck") == seat and not self.board_state.rest
        wins = seat == trick.winning
        name = Text(shortened(self.view.names[seat], NAME), "bold" if wins else "")
        drawn = beside([self.card(card, size, struck) for card in cards.split("+")])
        width = max(drawn.width, name.cell_len)
        sign = Text("▀" * drawn.width if wins else "", GOOD)
        lines = [line(name), drawn, line(Text(self.say("tui-struck"), ALERT) if struck else sign)]
        if size == 0:
            lines = [line(inked("▸" if wins else "", f"bold {GOOD}").append_text(name)), drawn]
        picture = stack(centred(part, width) for part in lines)
        return picture.named(f"seat {seat}")

    def card(self, card: str, size: int, dim: bool = False) -> Picture:
        """A card, with a sign if it carries a symbol."""
        sign = day.marked(self.view, card)[len(card) :]
        return CARD_SIZES[size](card, sign, dim)

    def chip(self, card: str) -> Text:
        """A card on one line, or two of them."""
        shown = Text()
        for single in card.split("+"):
            if shown:
                shown.append("+")
            shown.append_text(chip(single, day.marked(self.view, single)[len(single) :]))
        return shown

    # -- What it means -----------------------------------------------------------------------------

    def meaning(self) -> Iterator[str]:
        """What the tricks that lie there mean, in words; of a taken one, who took it."""
        if self.board_state.rest:
            yield table.last_trick_line(self.view, self.lang).partition(" – ")[2]
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
        """What the trick brings whoever has it now."""
        facts = self.gains(trick)
        return self.say("tui-worth-now", facts=facts) if facts else ""

    def gains(self, trick: TrickNow) -> str:
        """Names and points."""
        return " · ".join(
            f"{self.view.names[gain.seat]} {with_sign(gain.points)}" for gain in trick.worth
        )

    # -- Lines of the table and of one's own -------------------------------------------------------

    def common_lines(self) -> Iterator[Text]:
        """What holds for everyone."""
        for shown in day.day_lines(self.view, self.lang):
            yield painted(shown)

    def own_lines(self) -> Iterator[Text]:
        """What only this seat knows."""
        for shown in day.own_lines(self.view, self.lang):
            yield painted(shown)

    # -- Targets -----------------------------------------------------------------------------------

    def target_words(self, target: str) -> str:
        """A target as it is called: a person, where the number is a seat."""
        if target.isdigit() and int(target) < self.view.seats:
            return self.view.names[int(target)]
        return target

    def option_words(self, item: str) -> str:
        """A choice that is not a card of the hand, as it is called on its button."""
        return item

    def wrapped(self, words: str, most: int, style: str = "") -> Picture:
        """A text in the width of the table."""
        return paragraph(words, self.width, most, style)


def with_sign(points: int) -> str:
    """+3, −3, 0."""
    return f"+{points}" if points > 0 else narration.signed(points)
