"""A match at the terminal: one person, the other seats are bots."""

from collections.abc import Callable, Iterable, Mapping

from stichwerk.bots import Bot
from stichwerk.first_names import free_names
from stichwerk.games.stichtag.yearbook import day_rules
from stichwerk.locale import rules_text, text
from stichwerk.match import Match
from stichwerk.terminal import day
from stichwerk.terminal.choices import move_lines
from stichwerk.terminal.news import news_lines
from stichwerk.terminal.screen import Screen
from stichwerk.terminal.table import last_trick_line, ranking_lines, sheet_lines, table_lines
from stichwerk.view import View


def seat_names(seats: int, seat: int, name: str) -> list[str]:
    """The person's name at his seat, first names for the bots round the table from there."""
    names = [name] * seats
    for step, other in zip(range(1, seats), free_names([name]), strict=False):
        names[(seat + step) % seats] = other
    return names


class Session:
    """Shows the table, takes typed lines, lets the bots play in between."""

    def __init__(
        self, match: Match, seat: int, bots: Mapping[int, Bot], screen: Screen, lang: str
    ) -> None:
        self.match = match
        self.seat = seat
        self.bots = bots
        self.screen = screen
        self.lang = lang
        self.told = 0
        self.commands: dict[str, Callable[[View], Iterable[str]]] = {
            "r": self.rules,
            "l": lambda view: [last_trick_line(view, self.lang)],
            "s": lambda view: sheet_lines(view, self.lang),
            "h": lambda view: [text("help", self.lang)],
            "": self.table,
        }

    def run(self) -> bool:
        """Play to the end, or until the person leaves; the answer is whether the match is over."""
        self.say_all([text("welcome", self.lang)])
        self.say_all(day.day_opening(self.match.view(self.seat), self.lang))
        while self.match.waiting_for:
            if self.seat not in self.match.waiting_for:
                self.bot_move(self.match.waiting_for[0])
            elif not self.take_turn():
                self.say_all([text("goodbye", self.lang)])
                return False
        self.say_all(self.ending())
        return True

    def bot_move(self, seat: int) -> None:
        """One move of a bot."""
        self.match.play(seat, self.bots[seat].choose(self.match.view(seat)))

    def take_turn(self) -> bool:
        """Ask until a move is made; False, if the person leaves instead."""
        view = self.match.view(self.seat)
        self.say_all(self.news(view))
        self.say_all(self.table(view))
        while (line := self.screen.ask()) is not None and line.strip().lower() != "q":
            if self.answer(view, line.strip()):
                return True
        return False

    def answer(self, view: View, line: str) -> bool:
        """Do what a line says; True, if it was a move and has been made."""
        if line.startswith("?"):
            self.say_all(move_lines(view.moves, line[1:], self.lang))
            return False
        if line.lower() in self.commands:
            self.say_all(self.commands[line.lower()](view))
            return False
        line = line.replace(day.SYMBOL, "")
        objection = self.match.objection(self.seat, line)
        if objection is None:
            self.match.play(self.seat, line)
            return True
        self.say_all([text(objection.id, self.lang, **objection.data)])
        return False

    def say_all(self, lines: Iterable[str]) -> None:
        """Show some lines."""
        for line in lines:
            self.screen.say(line)

    def news(self, view: View) -> list[str]:
        """What happened since it was last told."""
        lines = list(news_lines(view, self.told, self.lang))
        self.told = len(view.history)
        return lines

    def table(self, view: View) -> Iterable[str]:
        """The table as the seat sees it."""
        return table_lines(view, self.lang, shapes=self.screen.colours)

    def rules(self, view: View) -> list[str]:
        """The rules of this game, or of this day, if someone wrote them down."""
        sheets = day.sheets_today(view.game, view.options)
        if sheets:
            date = view.options["date"]
            page = day_rules(sheets, self.lang, view.seats, date if isinstance(date, str) else None)
            return page.splitlines()
        try:
            return rules_text(view.game, self.lang).splitlines()
        except LookupError:
            return [text("no-rules", self.lang, game=view.game)]

    def ending(self) -> Iterable[str]:
        """The last news, the score sheet and the ranking."""
        view = self.match.view(self.seat)
        yield from self.news(view)
        yield ""
        yield from sheet_lines(view, self.lang)
        yield ""
        yield from ranking_lines(view, self.lang)
