"""Stichling: four places for open tricks, scoring cards in front of the seats, the seat's
ladder."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.text import Text

from stichwerk.locale import text
from stichwerk.terminal.full.board_state import Cursor
from stichwerk.terminal.full.game_board import GameBoard
from stichwerk.terminal.full.picture import (
    GOOD,
    Picture,
    beside,
    filled,
    line,
    shortened,
    stack,
    styled,
)
from stichwerk.terminal.lines import TableLines, seat_name
from stichwerk.terminal.screen import SHAPES
from stichwerk.view import Trick, View

PLACES = 4
NEW = "new"


class StichlingBoard(GameBoard):
    """Draws the table of Stichling."""

    explains_tricks = False  # four open tricks need no explanation
    draws_targets = True

    def before(self, seat: int) -> Text:
        """Return the scoring cards from left to right; the one that counts is highlighted."""
        table: dict[str, Any] = self.view.table
        mine: dict[str, Any] = self.view.mine
        scoring = table["scoring"][seat]
        values = mine.get("order", scoring["turned"]) if seat == self.view.seat else None
        shown = Text()
        for at, turned in enumerate(scoring["turned"]):
            value = turned if values is None else values[at]
            face = f" {'?' if value is None else value} "
            style = "reverse bold" if at == scoring["face_up"] else "on #3a3f44"
            if turned is None:
                style = "dim on #2a2e32"
            shown.append(face, style).append(" ")
        return shown

    # -- Places ------------------------------------------------------------------------------------

    def middle(self, size: int) -> Picture:
        """Draw the four places side by side."""
        if self.view.phase == "order":
            return Picture()
        wide = (self.width - PLACES + 1) // PLACES
        return beside([self.place(place, wide) for place in range(PLACES)], 1)

    def place(self, place: int, wide: int) -> Picture:
        """Draw one place: its number and led colour, its cards, and where the next one may go."""
        lying = {trick.place: trick for trick in (*self.view.tricks, *self.board_state.rest)}
        trick = lying.get(place)
        lines = [self.place_head(place, trick, wide)]
        for seat, card in trick.plays if trick else ():
            lines.append(self.play_line(seat, card, self.has_it(trick, seat, card)))
        while len(lines) <= PLACES:
            lines.append(Text(" ·", "dim"))
        picture = stack(line(filled(part, wide)) for part in lines)
        target = self.target_here(place)
        return picture.named(f"target {target}" if target else f"place {place + 1}")

    def has_it(self, trick: Trick | None, seat: int, card: str) -> bool:
        """Return whether this card is winning the trick: a seat may have several in it. Of a taken
        trick only the winner is known."""
        if trick is None or seat != trick.winning:
            return False
        now = {one.place: one.card for one in self.board_state.look.standing.tricks}
        return trick in self.board_state.rest or now.get(trick.place, card) == card

    def play_line(self, seat: int, card: str, wins: bool) -> Text:
        """Return one play: the name and the card."""
        shown = styled("▸" if wins else " ", f"bold {GOOD}").append_text(self.chip(card))
        return shown.append(
            f" {shortened(seat_name(self.view, seat, self.lang), 8)}", "bold" if wins else ""
        )

    def place_head(self, place: int, trick: Trick | None, wide: int) -> Text:
        """Return `Place 2 ✚`, highlighted if the picked card may go there."""
        shape = f" {SHAPES[trick.led]}" if trick else ""
        head = Text(f" {self.say('tui-place', place=place + 1)}{shape}")
        target = self.target_here(place)
        if target is None:
            head.stylize("on #2a2e32")
            return filled(head, wide, "on #2a2e32")
        chosen = self.board_state.considered.target == target
        at_cursor = self.board_state.cursor == Cursor(
            "targets", self.board_state.targets.index(target)
        )
        style = f"bold black on {GOOD}" if chosen or at_cursor else "black on #7fb08f"
        head = Text(f"{'▸' if chosen or at_cursor else '↓'}{head.plain[1:]}", style)
        return filled(head, wide, style)

    def target_here(self, place: int) -> str | None:
        """Return the target of this place, if the picked card may go here."""
        targets = self.board_state.targets
        if str(place + 1) in targets:
            return str(place + 1)
        taken = {trick.place for trick in self.view.tricks}
        free = [other for other in range(PLACES) if other not in taken]
        return NEW if NEW in targets and free and place == free[0] else None

    def target_words(self, target: str) -> str:
        """Return the name of a place, or that a new trick is opened."""
        return self.say("tui-new-trick") if target == NEW else self.say("tui-place", place=target)

    # -- Lines -------------------------------------------------------------------------------------

    def own_lines(self) -> Iterator[Text]:
        """Yield what the seat's tricks are worth."""
        order: Any = self.view.mine.get("order")
        if order:
            yield Text(text("ladder", self.lang, steps=ladder(self.view, order)))


# -- In lines --------------------------------------------------------------------------------------


class StichlingLines(TableLines):
    """The lines of Stichling."""

    def before_seat(self, seat: int) -> str:
        """Return the seat's scoring cards."""
        return self.say("scoring-cards", cards=scoring_text(self.view, seat))

    def trick_text(self, trick: Trick, plays: str) -> str:
        """Return the place of a trick, with its plays."""
        return self.say("open-trick", place=trick.place + 1, led=trick.led, plays=plays)

    def own_lines(self) -> Iterator[str]:
        """Yield what numbers of tricks are worth to the seat."""
        order: Any = self.view.mine.get("order")
        if order:
            yield self.say("ladder", steps=ladder(self.view, order))


def scoring_text(view: View, seat: int) -> str:
    """Return scoring cards from left to right, `?` for unknown ones, the one that counts in
    brackets."""
    table: dict[str, Any] = view.table
    mine: dict[str, Any] = view.mine
    scoring = table["scoring"][seat]
    values = mine.get("order", scoring["turned"]) if seat == view.seat else scoring["turned"]
    shown = ["?" if value is None else str(value) for value in values]
    if scoring["face_up"] is not None:
        shown[scoring["face_up"]] = f"[{shown[scoring['face_up']]}]"
    return " ".join(f"{value:>3}" for value in shown)


def ladder(view: View, order: Sequence[int]) -> str:
    """Return `1 → 4 · [2 → 6] · 3 → 2`: the step that counts now is in brackets."""
    table: dict[str, Any] = view.table
    now = table["scoring"][view.seat]["face_up"]
    steps = [f"{at + 1} → {value}" for at, value in enumerate(order)]
    return " · ".join(f"[{step}]" if at == now else step for at, step in enumerate(steps))
