"""A line-by-line session at a web table: events are printed, and typed lines handled, as they come.

The same commands and typed moves as in `session.py`, and those for a table with other people.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from queue import SimpleQueue
from threading import Thread

from stichwerk.errors import StichwerkError
from stichwerk.locale import text
from stichwerk.terminal import day
from stichwerk.terminal.move_list import is_listed, move_lines
from stichwerk.terminal.remote_seat import RemoteSeat
from stichwerk.terminal.screen import PROMPT, Screen
from stichwerk.terminal.seat import words_of
from stichwerk.terminal.session import Session
from stichwerk.terminal.table import heading, seat_lines, table_lines, trick_lines
from stichwerk.view import View, round_begin

CHANGE = "change"
SIT = re.compile(r"sit ([0-5])", re.ASCII)
END = "end"
Incoming = tuple[str, str]


class RemoteSession(Session):
    """A session of a person at a web table."""

    player_seat: RemoteSeat

    def __init__(self, player_seat: RemoteSeat, screen: Screen, *, echo: bool = False) -> None:
        super().__init__(player_seat, screen)
        self.echo = echo  # lines from a pipe are printed, so that the output reads as a match
        self.incoming: SimpleQueue[Incoming | StichwerkError] = SimpleQueue()
        self.match: str | None = None
        self.asked: tuple[str | None, int] | None = None
        self.ended: str | None = None
        self.stage = ""
        self.table_commands: dict[str, Callable[[], None]] = {
            "b": player_seat.begin,
            "u": player_seat.take_back,
            "y": lambda: player_seat.consent(True),
            "j": lambda: player_seat.consent(True),
            "n": lambda: player_seat.consent(False),
        }

    # -- The loop ----------------------------------------------------------------------------------

    def typed(self, line: str | None) -> None:
        """Queue a typed line; None: nothing more will come. Thread-safe."""
        self.incoming.put((END, "") if line is None else ("line", line))

    def run(self) -> bool:
        """Run until the person leaves; return whether a match was played to its end."""
        Thread(target=self.watch, name="watch", daemon=True).start()
        self.say_all([text("welcome-table", self.lang)])
        self.say_all(self.player_seat.table_notes.people_lines())
        self.look()
        while self.handle(self.incoming.get()):
            pass
        id = "goodbye-watcher" if self.player_seat.seat is None else "goodbye-table"
        self.say_all([text(id, self.lang)])
        return self.ended is not None

    def watch(self) -> None:
        """Wait for changes at the table, in a thread of its own."""
        try:
            while self.player_seat.wait(None):
                self.incoming.put((CHANGE, ""))
        except StichwerkError as error:
            self.incoming.put(error)

    def handle(self, item: Incoming | StichwerkError) -> bool:
        """Handle an item; return False if that was the end."""
        if isinstance(item, StichwerkError):
            raise item
        kind, line = item
        if kind == CHANGE:
            self.look()
            return True
        if self.echo and kind != END:
            self.screen.say(PROMPT + line)
        if kind == END or line.strip().lower() == "q":
            return False
        self.execute(line.strip())
        self.look()
        return True

    # -- Output ------------------------------------------------------------------------------------

    def look(self) -> None:
        """Print what is new."""
        self.say_all(self.player_seat.notices())
        if self.player_seat.playing:
            self.look_at_match(self.player_seat.view)
        elif self.stage != self.player_seat.stage and self.player_seat.stage == "gathering":
            self.say_all([self.waiting()])
        self.stage = self.player_seat.stage

    def look_at_match(self, view: View) -> None:
        """Print the events of the match, the table when it is our turn, the result at its end."""
        if self.player_seat.match_id != self.match:
            # Someone who joins a running match sees its last round; others see everything.
            self.shown_events = 0 if self.stage in ("dealing", "gathering") else round_begin(view)
            self.match, self.asked = self.player_seat.match_id, None
            self.say_all(day.day_opening(view, self.lang))
        self.shown_events = min(self.shown_events, len(view.history))
        if self.player_seat.over:
            self.print_end()
            return
        self.say_all(self.new_event_lines(view))
        if not self.player_seat.owes:
            self.asked = None
        elif self.asked != (self.match, self.player_seat.ply):
            self.asked = (self.match, self.player_seat.ply)
            self.say_all(self.table(view))

    def print_end(self) -> None:
        """Print, once, the result and how to go on."""
        if self.ended == self.match:
            return
        self.ended = self.match
        self.say_all(self.ending())
        self.say_all(["", self.waiting()])

    def waiting(self) -> str:
        """Return what the table waits for between matches."""
        if self.player_seat.may_begin:
            return text("begin-again" if self.player_seat.over else "begin-first", self.lang)
        host = self.player_seat.table_notes.name(
            self.player_seat.table.host if self.player_seat.table else None
        )
        return text("host-begins", self.lang, name=host)

    def table(self, view: View) -> Iterable[str]:
        """Return the table: with the seat's hand and the question, or as someone waiting or
        watching sees it."""
        if self.player_seat.owes:
            yield from table_lines(view, self.lang, shapes=self.screen.colours)
            clock = self.player_seat.table.settings.clock if self.player_seat.table else None
            if clock is not None:
                yield text("clock-runs", self.lang, count=clock)
        else:
            yield from self.table_of_others(view)

    def table_of_others(self, view: View) -> Iterator[str]:
        """Yield what can be seen while others are to move."""
        if self.player_seat.seat is not None:
            *lines, _question = table_lines(view, self.lang, shapes=self.screen.colours)
            yield from lines
        else:
            yield from ("", heading(view, self.lang))
            yield from seat_lines(view, self.lang)
            yield from day.day_lines(view, self.lang)
            yield from trick_lines(view, self.lang)
        names = [view.names[seat] for seat in view.waiting_for]
        if names:
            yield text("waits-for", self.lang, names=", ".join(names))

    # -- Commands ----------------------------------------------------------------------------------

    def execute(self, line: str) -> None:
        """Handle a line; print the server's refusals in its own words."""
        try:
            self.say_all(self.run_command(line))
        except StichwerkError as error:
            if self.player_seat.gone:
                raise
            self.say_all([words_of(error, self.lang)])

    def run_command(self, line: str) -> Iterable[str]:
        """Run commands of the table first, then those about the match, then moves."""
        command = line.lower()
        if line.startswith(":"):
            return self.chat(line[1:].strip())
        if self.player_seat.playing and is_listed(self.player_seat.view, line):
            return self.about_match(line)
        if command in self.table_commands:
            self.table_commands[command]()
            return ()
        if seat := SIT.fullmatch(command):
            self.player_seat.sit(int(seat[1]))
            return ()
        if action := self.player_seat.host_command(line):
            action()
            return ()
        if command == "p":
            return self.player_seat.table_notes.people_lines()
        if command == "h":
            return [text("help", self.lang), text("help-table", self.lang)]
        if not self.player_seat.playing:
            return (
                [text("no-match-yet", self.lang)]
                if line
                else self.player_seat.table_notes.people_lines()
            )
        return self.about_match(line)

    def chat(self, words: str) -> Iterable[str]:
        """Send a chat message."""
        if words:
            self.player_seat.chat(words)
        return ()

    def about_match(self, line: str) -> Iterable[str]:
        """Answer a question about the match, or make a move."""
        view = self.player_seat.view
        if line.startswith("?"):
            return move_lines(view.moves, line[1:], self.lang)
        if line.lower() in self.commands and not is_listed(view, line):
            return self.commands[line.lower()](view)
        self.move(line.replace(day.SYMBOL, ""))
        return ()
