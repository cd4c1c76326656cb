"""Sticheln: pain cards in front of the seats, and what the trick would cost each of them."""

from rich.text import Text

from stichwerk.locale import text
from stichwerk.outlook.structs import TrickNow
from stichwerk.terminal import table
from stichwerk.terminal.full.game_board import GameBoard
from stichwerk.terminal.full.picture import chip


class StichelnBoard(GameBoard):
    """Draws the table of Sticheln."""

    def before(self, seat: int) -> Text:
        """Return the pain card; its owner sees it even while it is face down."""
        shown: object = self.view.table["pain"]
        card = shown[seat] if isinstance(shown, list) else table.own_pain(self.view, seat)
        word = text("pain-card", self.lang, card="").rstrip()
        return Text(f"{word} ").append_text(Text("?") if card == "?" else chip(card))

    def worth(self, trick: TrickNow) -> str:
        """Return what the trick would be worth to each seat that took it."""
        return self.say("tui-worth", facts=self.gains(trick))
