"""Sticheln: pain cards in front of the seats, and what the trick would cost each of them."""

from rich.text import Text

from stichwerk.locale import text
from stichwerk.outlook.structs import TrickNow
from stichwerk.terminal.full.game_board import GameBoard
from stichwerk.terminal.full.picture import chip
from stichwerk.terminal.lines import TableLines
from stichwerk.view import View


class StichelnBoard(GameBoard):
    """Draws the table of Sticheln."""

    def before(self, seat: int) -> Text:
        """Return the pain card; its owner sees it even while it is face down."""
        card = pain_card(self.view, seat)
        word = text("pain-card", self.lang, card="").rstrip()
        return Text(f"{word} ").append_text(Text("?") if card == "?" else chip(card))

    def worth(self, trick: TrickNow) -> str:
        """Return what the trick would be worth to each seat that took it."""
        return self.say("tui-worth", facts=self.gains(trick))


# -- In lines --------------------------------------------------------------------------------------


class StichelnLines(TableLines):
    """The lines of Sticheln."""

    def before_seat(self, seat: int) -> str:
        """Return the pain card of a seat."""
        return self.say("pain-card", card=pain_card(self.view, seat))


def pain_card(view: View, seat: int) -> str:
    """Return the pain card of a seat; its owner sees it even while it is face down."""
    shown = view.table.get("pain")
    if isinstance(shown, list):
        return str(shown[seat])
    return str(view.mine.get("pain", "?")) if seat == view.seat else "?"
