"""Sticheln: pain cards before the seats, and what the trick would cost whom."""

from rich.text import Text

from stichwerk.locale import text
from stichwerk.outlook.structs import TrickNow
from stichwerk.terminal import table
from stichwerk.terminal.full.game_board import GameBoard
from stichwerk.terminal.full.picture import chip


class StichelnBoard(GameBoard):
    """Draws a desk of Sticheln."""

    def before(self, seat: int) -> Text:
        """The pain card; the own one is known to its owner while it lies face down."""
        shown: object = self.view.table["pain"]
        card = shown[seat] if isinstance(shown, list) else table.own_pain(self.view, seat)
        word = text("pain-card", self.lang, card="").rstrip()
        return Text(f"{word} ").append_text(Text("?") if card == "?" else chip(card))

    def worth(self, trick: TrickNow) -> str:
        """What the trick would bring each seat, should it take it."""
        return self.say("tui-worth", facts=self.gains(trick))
