"""At a web table, line by line: what happens is told as it happens, lines are heeded as they come.

The same commands and typed moves as in `session.py`, and those that a table with others needs.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from queue import SimpleQueue
from threading import Thread

from stichwerk.errors import StichwerkError
from stichwerk.locale import text
from stichwerk.terminal import day
from stichwerk.terminal.choices import move_lines
from stichwerk.terminal.place import words_of
from stichwerk.terminal.remote import RemotePlace
from stichwerk.terminal.screen import PROMPT, Screen
from stichwerk.terminal.session import Session
from stichwerk.terminal.table import heading, seat_lines, table_lines, trick_lines
from stichwerk.view import View, round_begin

CHANGE = "change"
SIT = re.compile(r"sit ([0-5])", re.ASCII)
END = "end"
Happening = tuple[str, str]


class Visit(Session):
    """Someone at a web table."""

    place: RemotePlace

    def __init__(self, place: RemotePlace, screen: Screen, *, echo: bool = False) -> None:
        super().__init__(place, screen)
        self.echo = echo  # lines from a pipe are shown, so that the output reads as a match
        self.happenings: SimpleQueue[Happening | StichwerkError] = SimpleQueue()
        self.match: str | None = None
        self.asked: tuple[str | None, int] | None = None
        self.ended: str | None = None
        self.stage = ""
        self.table_commands: dict[str, Callable[[], None]] = {
            "b": place.begin,
            "u": place.take_back,
            "y": lambda: place.consent(True),
            "j": lambda: place.consent(True),
            "n": lambda: place.consent(False),
        }

    # -- The loop ----------------------------------------------------------------------------------

    def typed(self, line: str | None) -> None:
        """Someone typed a line; None: nothing more will come. From any thread."""
        self.happenings.put((END, "") if line is None else ("line", line))

    def run(self) -> bool:
        """Until the person leaves; the answer is whether a match was played to its end."""
        Thread(target=self.watch, name="watch", daemon=True).start()
        self.say_all([text("welcome-table", self.lang)])
        self.say_all(self.place.tidings.company())
        self.look()
        while self.heed(self.happenings.get()):
            pass
        id = "goodbye-watcher" if self.place.seat is None else "goodbye-table"
        self.say_all([text(id, self.lang)])
        return self.ended is not None

    def watch(self) -> None:
        """In a thread of its own: wait for the table."""
        try:
            while self.place.wait(None):
                self.happenings.put((CHANGE, ""))
        except StichwerkError as error:
            self.happenings.put(error)

    def heed(self, happening: Happening | StichwerkError) -> bool:
        """Do what is due; False, if that was the end."""
        if isinstance(happening, StichwerkError):
            raise happening
        kind, line = happening
        if kind == CHANGE:
            self.look()
            return True
        if self.echo and kind != END:
            self.screen.say(PROMPT + line)
        if kind == END or line.strip().lower() == "q":
            return False
        self.obey(line.strip())
        self.look()
        return True

    # -- Telling -----------------------------------------------------------------------------------

    def look(self) -> None:
        """Tell what is new."""
        self.say_all(self.place.notices())
        if self.place.playing:
            self.look_at_match(self.place.view)
        elif self.stage != self.place.stage and self.place.stage == "gathering":
            self.say_all([self.waiting()])
        self.stage = self.place.stage

    def look_at_match(self, view: View) -> None:
        """The news of the match, the table when a move is owed, the result at its end."""
        if self.place.match_id != self.match:
            # Who comes into a running match is told of its last round; who was there, of all.
            self.told = 0 if self.stage in ("dealing", "gathering") else round_begin(view)
            self.match, self.asked = self.place.match_id, None
            self.say_all(day.day_opening(view, self.lang))
        self.told = min(self.told, len(view.history))
        if self.place.over:
            self.tell_end()
            return
        self.say_all(self.news(view))
        if not self.place.owes:
            self.asked = None
        elif self.asked != (self.match, self.place.ply):
            self.asked = (self.match, self.place.ply)
            self.say_all(self.table(view))

    def tell_end(self) -> None:
        """Once: the result, and how to go on."""
        if self.ended == self.match:
            return
        self.ended = self.match
        self.say_all(self.ending())
        self.say_all(["", self.waiting()])

    def waiting(self) -> str:
        """What one waits for between matches."""
        if self.place.may_begin:
            return text("begin-again" if self.place.over else "begin-first", self.lang)
        host = self.place.tidings.name(self.place.table.host if self.place.table else None)
        return text("host-begins", self.lang, name=host)

    def table(self, view: View) -> Iterable[str]:
        """The table: with the own hand and the question, or as one who waits or watches sees it."""
        if self.place.owes:
            yield from table_lines(view, self.lang, shapes=self.screen.colours)
            clock = self.place.table.settings.clock if self.place.table else None
            if clock is not None:
                yield text("clock-runs", self.lang, count=clock)
        else:
            yield from self.table_of_others(view)

    def table_of_others(self, view: View) -> Iterator[str]:
        """What there is to see while others are to move."""
        if self.place.seat is not None:
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

    # -- Obeying -----------------------------------------------------------------------------------

    def obey(self, line: str) -> None:
        """Do what a line says; what the server refuses is told in its words."""
        try:
            self.say_all(self.done(line))
        except StichwerkError as error:
            if self.place.gone:
                raise
            self.say_all([words_of(error, self.lang)])

    def done(self, line: str) -> Iterable[str]:
        """Commands of the table first, then those about the match, then moves."""
        command = line.lower()
        if line.startswith(":"):
            return self.chat(line[1:].strip())
        if command in self.table_commands:
            self.table_commands[command]()
            return ()
        if seat := SIT.fullmatch(command):
            self.place.sit(int(seat[1]))
            return ()
        if deed := self.place.host_deed(line):
            deed()
            return ()
        if command == "p":
            return self.place.tidings.company()
        if command == "h":
            return [text("help", self.lang), text("help-table", self.lang)]
        if not self.place.playing:
            return [text("no-match-yet", self.lang)] if line else self.place.tidings.company()
        return self.about_match(line)

    def chat(self, words: str) -> Iterable[str]:
        """Say something to all."""
        if words:
            self.place.chat(words)
        return ()

    def about_match(self, line: str) -> Iterable[str]:
        """A question about the match, or a move."""
        view = self.place.view
        if line.startswith("?"):
            return move_lines(view.moves, line[1:], self.lang)
        if line.lower() in self.commands:
            return self.commands[line.lower()](view)
        self.move(line.replace(day.SYMBOL, ""))
        return ()
