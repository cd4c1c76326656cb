"""A seat at a local or web table: the interface for sessions and screens.

`LocalSeat` is a match in this process, one person and bots; `RemoteSeat` (`remote_seat.py`) is a
seat at a web table. Nothing here knows a rule: a seat asks the match or the server.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from threading import Condition
from typing import Any

import msgspec

from stichwerk.bots import Bot, best_bot, build, close
from stichwerk.bots.advice import Alternative
from stichwerk.bots.faults import BotFault
from stichwerk.bots.reasons import advice_text, verdict
from stichwerk.errors import StichwerkError
from stichwerk.locale import one_line, text
from stichwerk.match import Match
from stichwerk.server import wire
from stichwerk.view import View


class NoHintError(StichwerkError):
    """There is nothing to advise, or no bot that could."""


def words_of(error: StichwerkError, lang: str) -> str:
    """Return the text of a refusal; a server's already has one."""
    server_text: str = getattr(error, "text", "")
    return one_line(server_text) if server_text else text(error.id, lang, **error.data)


class MoveHint(msgspec.Struct, frozen=True, kw_only=True):
    """A hint: the move, all compared moves (best first), the reason in words, how clear it is, and
    the bot."""

    move: str
    alternatives: tuple[Alternative, ...] = ()
    text: str = ""
    verdict: str = ""
    by: str = ""


class PlayerSeat(ABC):
    """A seat at a table.

    The core is the same for all seats: `view`, `seat`, `lang`, `over`, `objection`, `play`,
    `advise`, `wait`, `close`. All of it is thread-safe; `wait` and `advise` may block for a while,
    so a screen calls them in a separate thread.

    Extras, each with a default that fits every seat:

    - `may_advise`: whether hints are available;
    - `notices()`: sentences about what has happened outside the play since the last call (people
      who joined or left, chat, the words of the shuffle, a lost connection), in the person's
      language;
    - `may_chat`, `chat(words)`: send a message to everyone at the table;
    - `may_begin`, `begin()`: at a web table the host starts the match, or the next one after it; a
      local seat has one match and never may;
    - `playing`: whether there is a match to see. Only then there is a `view`;
    - `saves`, `save()`: whether the match can be saved to a file; `save` returns the file.
    """

    lang: str
    seat: int | None
    """None: a spectator."""

    # -- Core --------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def view(self) -> View:
        """What the seat sees now, with its whole history."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether the match has ended."""

    @abstractmethod
    def objection(self, move: str) -> str | None:
        """Return why the seat cannot make this move now, in the person's language; None if it
        can."""

    @abstractmethod
    def play(self, move: str) -> None:
        """Make a move; raise a StichwerkError if it is refused."""

    @abstractmethod
    def advise(self) -> MoveHint:
        """Return a hint for the move to make; raise `NoHintError` if there is none."""

    @abstractmethod
    def wait(self, timeout: float | None) -> bool:
        """Wait until something visible to the seat has changed; return False on a timeout.

        A local seat lets the bots move here: one move per call, and only while it is not the
        person's turn. If nothing can change any more, it returns at once; if the table is gone for
        good, it raises a StichwerkError.
        """

    @abstractmethod
    def close(self) -> None:
        """Release all resources, and wake up everyone who waits."""

    # -- Extras ------------------------------------------------------------------------------------

    @property
    def memory(self) -> wire.Memory:
        """Which put-away tricks may be looked at: without a web table, what is usual at one."""
        return "last trick"

    @property
    def playing(self) -> bool:
        """Whether there is a match to see."""
        return True

    @property
    def may_advise(self) -> bool:
        """Whether hints are available."""
        return True

    @property
    def may_chat(self) -> bool:
        """Whether the person can chat."""
        return False

    @property
    def may_begin(self) -> bool:
        """Whether the person may start a match."""
        return False

    @property
    def saves(self) -> bool:
        """Whether the match can be saved to a file."""
        return False

    def notices(self) -> list[str]:
        """Return what has happened outside the play since the last call."""
        return []

    def chat(self, words: str) -> None:
        """Send a chat message to everyone at the table."""
        raise StichwerkError("no-chat-here")

    def begin(self) -> None:
        """Start the match, or the next one."""
        raise StichwerkError("no-begin-here")

    def save(self) -> str:
        """Save the match as it stands; return its file."""
        raise StichwerkError("no-save-here")

    @property
    def owes(self) -> bool:
        """Whether it is the person's turn."""
        return self.playing and self.seat is not None and self.seat in self.view.waiting_for


class LocalSeat(PlayerSeat):
    """One person in a match in this process; bots play the other seats."""

    def __init__(
        self,
        match: Match,
        seat: int,
        bots: Mapping[int, Bot],
        lang: str,
        *,
        adviser: str = "",
        build: Callable[[str], Bot] = build,
        keep: Callable[[Match], str] | None = None,
    ) -> None:
        self.match = match
        self.seat: int = seat
        self.bots = bots
        self.lang = lang
        self.adviser = adviser or best_bot(match.rules.name)
        self.build = build
        self.keep = keep
        self.moved = False
        """Whether the person has made a move: before that, a match is not worth keeping."""
        self._notices: list[str] = []
        self._adviser: Bot | None = None
        self._changed = Condition()
        self._changes = 0
        self._closed = False

    @property
    def view(self) -> View:
        """What the seat sees now."""
        with self._changed:
            return self.match.view(self.seat)

    @property
    def saves(self) -> bool:
        """Whether there is a file to save to."""
        return self.keep is not None

    @property
    def over(self) -> bool:
        """Whether the ranking is final."""
        return self.match.over

    def objection(self, move: str) -> str | None:
        """Return the rules' objection to a move."""
        with self._changed:
            reason = self.match.objection(self.seat, move)
        return None if reason is None else text(reason.id, self.lang, **reason.data)

    def play(self, move: str) -> None:
        """Make the person's move."""
        self._move(self.seat, move)
        self.moved = True
        self._keep_quietly()

    def _keep_quietly(self) -> None:
        """Save the match after each of the person's moves; a full disk is reported but does not
        stop it."""
        if not self.saves:
            return
        try:
            self.save()
        except StichwerkError as error:
            with self._changed:
                self._notices.append(words_of(error, self.lang))

    def tell_fault(self, fault: BotFault) -> None:
        """Report a bot's fault to the person; the match goes on."""
        with self._changed:
            self._notices.append(fault.sentence(self.lang))

    def notices(self) -> list[str]:
        """Return the bots' faults, and why the match could not be saved, if so."""
        with self._changed:
            new, self._notices = self._notices, []
        return new

    def wait(self, timeout: float | None) -> bool:
        """Make one bot move, or wait until the person has moved."""
        with self._changed:
            if self._closed or not self.match.waiting_for:
                return False
            if self.seat in self.match.waiting_for:
                seen = self._changes
                moved = self._changed.wait_for(lambda: self._woken(seen), timeout)
                return moved and not self._closed
            other = self.match.waiting_for[0]
            view = self.match.view(other)
        # A bot may think for long: meanwhile the table can be viewed and left.
        move = self.bots[other].choose(view)
        if self._is_closed():
            return False
        self._move(other, move)
        if self.over:
            self._keep_quietly()
        return True

    def _is_closed(self) -> bool:
        return self._closed

    def _woken(self, seen: int) -> bool:
        return self._closed or self._changes != seen

    def _move(self, seat: int, move: str) -> None:
        with self._changed:
            self.match.play(seat, move)
            self._changes += 1
            self._changed.notify_all()

    def advise(self) -> MoveHint:
        """Return what the adviser would play with what this seat knows."""
        view = self.view
        if not view.moves:
            raise NoHintError("no-hint-now")
        bot = self._advising_bot()
        found = bot.advise(view)
        if found is None:
            raise NoHintError("bot-gives-no-hints", bot=self.adviser)
        return MoveHint(
            move=found.move,
            alternatives=found.alternatives,
            text=advice_text(found, self.lang),
            verdict=verdict(found.alternatives, self.lang),
            by=self.adviser,
        )

    def _advising_bot(self) -> Any:
        """Return the adviser, created on first use; not every bot can give reasons."""
        if self._adviser is None:
            self._adviser = self.build(self.adviser)
        if not callable(getattr(self._adviser, "advise", None)):
            raise NoHintError("bot-gives-no-hints", bot=self.adviser)
        return self._adviser

    def save(self) -> str:
        """Write the record to the file of this match."""
        if self.keep is None:
            raise StichwerkError("no-save-here")
        with self._changed:
            return self.keep(self.match)

    def close(self) -> None:
        """Close the bots."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._changed.notify_all()
        adviser: Sequence[Bot] = () if self._adviser is None else (self._adviser,)
        for bot in (*self.bots.values(), *adviser):
            close(bot)
