"""Stichtag: trump, today's sheets and what they place on the table."""

from collections.abc import Iterator

from rich.text import Text

from stichwerk.games.stichtag.calendar import ASKERS
from stichwerk.terminal import day
from stichwerk.terminal.full.game_board import GameBoard
from stichwerk.terminal.full.picture import INKS, painted, styled
from stichwerk.terminal.lines import TableLines
from stichwerk.terminal.screen import SHAPES


class StichtagBoard(GameBoard):
    """Draws the table of Stichtag."""

    def before(self, seat: int) -> Text:
        """Return what today's sheets place in front of a seat."""
        return painted(day.before_seat(self.view, seat, self.lang))

    def common_lines(self) -> Iterator[Text]:
        """Yield trump in its colour first, then the day and what else applies."""
        trump = self.view.table.get("trump")
        for shown in day.day_lines(self.view, self.lang):
            found = painted(shown)
            if isinstance(trump, str) and shown == day.trump_line(self.view, self.lang):
                found = styled(f" {SHAPES[trump]} ", INKS[trump]).append(" ").append_text(found)
            yield found

    def meaning(self) -> Iterator[str]:
        """Yield the usual meaning, without the trump, which has its own line."""
        omitted = {self.say("now-trump", trump=self.view.table.get("trump"))}
        omitted.add(self.say("now-no-trump"))
        yield from (words for words in super().meaning() if words not in omitted)

    def empty_words(self) -> str:
        """Return nothing where a card is face down: the table is not empty."""
        return "" if day.hides_trick(self.view) else super().empty_words()

    def option_words(self, item: str) -> str:
        """Return the label that the sheet gives a choice, with the name of the seat in it."""
        word, _, who = item.partition(" ")
        asker = ASKERS.get(self.view.phase)
        if asker is None or word not in asker.labels:
            return item
        return self.say(asker.labels[word], name=self.view.names[int(who)] if who else "")


# -- In lines --------------------------------------------------------------------------------------


class StichtagLines(TableLines):
    """The lines of Stichtag."""

    def before_seat(self, seat: int) -> str:
        """Return what a seat has in front of it today."""
        return day.before_seat(self.view, seat, self.lang)

    def result(self, seat: int) -> str:
        """Return the signs of a seat, where they decide."""
        return day.signs_of(self.view, seat)

    def common_lines(self) -> Iterator[str]:
        """Yield the day and what is in the middle."""
        yield from day.day_lines(self.view, self.lang)

    def trick_lines(self) -> list[str]:
        """Return the open trick; nothing where cards are face down and their colour is named."""
        if not self.view.tricks and self.view.table.get("named"):
            return []
        return super().trick_lines()

    def own_lines(self) -> Iterator[str]:
        """Yield what only this seat knows today."""
        yield from day.own_lines(self.view, self.lang)

    def question(self) -> str:
        """Return the question of a sheet, or that for an ordinary play."""
        return day.question(self.view, self.lang) or super().question()
