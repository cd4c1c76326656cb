"""A match at the terminal: one person, the other seats are bots."""

from collections.abc import Callable, Iterable, Sequence

from stichwerk.bots.reasons import worded
from stichwerk.errors import StichwerkError
from stichwerk.first_names import CHARACTER_NAMES, character_name, free_names
from stichwerk.games.stichtag.yearbook import day_rules
from stichwerk.locale import rules_text, text, without_links
from stichwerk.terminal import day
from stichwerk.terminal.event_text import event_lines
from stichwerk.terminal.move_list import is_listed, move_lines
from stichwerk.terminal.screen import Screen
from stichwerk.terminal.seat import MoveHint, PlayerSeat, words_of
from stichwerk.terminal.table import last_trick_line, ranking_lines, sheet_lines, table_lines
from stichwerk.view import View, round_begin

MOST_COMPARED = 3


def seat_names(seats: int, seat: int, name: str, bots: Sequence[str] = ()) -> list[str]:
    """Return the person's name at their seat, and in order from there first names for the bots, or
    those of characters. `bots`: who they are, by seat without the person's."""
    playing = [*bots[:seat], "", *bots[seat:]] if bots else [""] * seats
    names, taken = [name] * seats, [name]
    first_names = free_names([name])
    for other in [(seat + step) % seats for step in range(1, seats)]:
        bot = playing[other].partition("-")[0]
        known = bot in CHARACTER_NAMES
        taken.append(character_name(bot, taken) if known else next(first_names))
        names[other] = taken[-1]
    return names


def hint_lines(advice: MoveHint, lang: str) -> list[str]:
    """Return the move with its reason, and the best of the others if they were compared."""
    lines = [text("hint", lang, move=advice.move, why=advice.text or text("advice-best", lang))]
    return [*lines, *compared_line(advice, lang)]


def compared_line(advice: MoveHint, lang: str) -> list[str]:
    """Return how clear the move is and how far behind the best of the others are, if compared."""
    valued = [one for one in advice.alternatives[1:] if one.behind is not None][:MOST_COMPARED]
    heading = advice.verdict or text("verdict-usual", lang)
    return [f"{heading}: {' · '.join(worded(one, lang) for one in valued)}"] if valued else []


class Session:
    """Shows the table, takes typed lines, lets the others play in between."""

    def __init__(self, player_seat: PlayerSeat, screen: Screen, *, again: bool = False) -> None:
        self.player_seat = player_seat
        self.screen = screen
        self.lang = player_seat.lang
        self.shown_events = (
            round_begin(player_seat.view) if again else 0
        )  # a returning person knows the earlier rounds
        self.commands: dict[str, Callable[[View], Iterable[str]]] = {
            "r": self.rules,
            "l": lambda view: [last_trick_line(view, self.lang, player_seat.memory)],
            "s": lambda view: sheet_lines(view, self.lang),
            "h": lambda view: [text("help", self.lang)],
            "t": self.hint,
            "w": self.save,
            "": self.table,
        }

    def run(self) -> bool:
        """Play to the end, or until the person leaves; return whether the match is over."""
        self.say_all([text("welcome", self.lang)])
        self.say_all(day.day_opening(self.player_seat.view, self.lang))
        while self.player_seat.view.waiting_for:
            if not self.player_seat.owes:
                self.player_seat.wait(None)
            elif not self.take_turn():
                self.say_all([text("goodbye", self.lang)])
                return False
        self.say_all(self.ending())
        return True

    def take_turn(self) -> bool:
        """Ask until a move is made; return False if the person leaves instead."""
        view = self.player_seat.view
        self.say_all(self.new_event_lines(view))
        self.say_all(self.player_seat.notices())
        self.say_all(self.table(view))
        while (line := self.screen.ask()) is not None and line.strip().lower() != "q":
            if self.answer(view, line.strip()):
                return True
        return False

    def answer(self, view: View, line: str) -> bool:
        """Handle a line; return True if it was a move and has been made."""
        if line.startswith("?"):
            self.say_all(move_lines(view.moves, line[1:], self.lang))
            return False
        if line.lower() in self.commands and not is_listed(view, line):
            self.say_all(self.commands[line.lower()](view))
            return False
        line = line.replace(day.SYMBOL, "")
        return self.move(line)

    def move(self, line: str) -> bool:
        """Make a move, or print why it cannot be made."""
        objection = self.player_seat.objection(line)
        if objection is None:
            try:
                self.player_seat.play(line)
                return True
            except StichwerkError as error:
                objection = words_of(error, self.lang)
        self.say_all([objection])
        return False

    def say_all(self, lines: Iterable[str]) -> None:
        """Print some lines."""
        for line in lines:
            self.screen.say(line)

    def new_event_lines(self, view: View) -> list[str]:
        """Return what happened since the last call."""
        lines = list(event_lines(view, self.shown_events, self.lang))
        self.shown_events = len(view.history)
        return lines

    def table(self, view: View) -> Iterable[str]:
        """Return the table as the seat sees it."""
        return table_lines(view, self.lang, shapes=self.screen.colours)

    def rules(self, view: View) -> list[str]:
        """Return the rules of this game or day, if there is a text."""
        sheets = day.sheets_today(view.game, view.options)
        if sheets:
            date = view.options["date"]
            named = date if isinstance(date, str) else None
            page = day_rules(sheets, self.lang, view.seats, named, view.rules)
            return page.splitlines()
        try:
            return without_links(rules_text(view.game, self.lang)).splitlines()
        except LookupError:
            return [text("no-rules", self.lang, game=view.game)]

    def hint(self, _view: View) -> list[str]:
        """Return what a strong bot would play here, and why."""
        try:
            return hint_lines(self.player_seat.advise(), self.lang)
        except StichwerkError as error:
            return [words_of(error, self.lang)]

    def save(self, _view: View) -> list[str]:
        """Save the match, and return where."""
        try:
            return [text("saved", self.lang, file=self.player_seat.save())]
        except StichwerkError as error:
            return [words_of(error, self.lang)]

    def ending(self) -> Iterable[str]:
        """Return the last events, the score sheet and the ranking."""
        view = self.player_seat.view
        yield from self.new_event_lines(view)
        yield from self.player_seat.notices()
        yield ""
        yield from sheet_lines(view, self.lang)
        yield ""
        yield from ranking_lines(view, self.lang)
