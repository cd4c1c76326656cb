"""Null & nichtig: five piles in front of every seat, with top card and size."""

from collections.abc import Iterator
from typing import Any

from rich.text import Text

from stichwerk.outlook.structs import PileChange, TrickNow
from stichwerk.terminal.full.game_board import GameBoard, with_sign
from stichwerk.terminal.full.picture import chip, filled
from stichwerk.terminal.lines import TableLines, seat_name

PILE = 7  # cells of a pile


class NullNichtigBoard(GameBoard):
    """Draws the table of Null & nichtig."""

    def before(self, seat: int) -> Text:
        """Return the seat's piles, colour by colour."""
        table: dict[str, Any] = self.view.table
        shown = Text()
        for pile in table["piles"][seat]:
            cell = Text("  –", "dim")
            if pile:
                cell = chip(pile["top"])
                cell.append(f"×{pile['size']}" if pile["size"] > 1 else "", "dim")
            shown.append_text(filled(cell, PILE))
        return shown

    def worth(self, trick: TrickNow) -> str:
        """Return what the trick does to the winner's piles."""
        facts = []
        for gain in trick.worth:
            piles = ", ".join(map(change, gain.piles))
            name = seat_name(self.view, gain.seat, self.lang)
            facts.append(f"{name} {with_sign(gain.points)} ({piles})")
        return self.say("tui-worth-now", facts=" · ".join(facts)) if facts else ""

    def own_lines(self) -> Iterator[Text]:
        """Yield nothing: only the hand is hidden."""
        yield from ()


def change(pile: PileChange) -> str:
    """Return the change of one pile: `B8→B1 −7`."""
    cards = "→".join(card for card in (pile.before, pile.after) if card)
    return f"{cards} {with_sign(pile.points)}"


# -- In lines --------------------------------------------------------------------------------------


class NullNichtigLines(TableLines):
    """The lines of Null & nichtig."""

    def before_seat(self, seat: int) -> str:
        """Return the seat's piles."""
        table: dict[str, Any] = self.view.table
        return " ".join(pile_text(pile) for pile in table["piles"][seat])

    def teams(self) -> dict[tuple[int, ...], int]:
        """Return the teams and their totals."""
        table: dict[str, Any] = self.view.table
        return dict(zip(map(tuple, table["teams"]), table["team_totals"], strict=True))


def pile_text(pile: dict[str, Any] | None) -> str:
    """Return a pile's top card and size, in a fixed width: `R11×3`."""
    return f"{pile['top'] + '×' + str(pile['size']):<6}" if pile else "–     "
