"""Hearts in the line terminal: what everyone has taken so far."""

from typing import Any

from stichwerk.terminal.lines import TableLines


class HeartsLines(TableLines):
    """The lines of Hearts."""

    def before_seat(self, seat: int) -> str:
        """Return what the cards taken in this round cost."""
        table: dict[str, Any] = self.view.table
        return self.say("hearts-taken", count=table["costs"][seat])
