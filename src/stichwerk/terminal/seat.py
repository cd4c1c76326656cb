"""A seat at a table, wherever the table stands: what a session or a screen talks to, and only that.

`LocalSeat` is a match in this process, one person and bots; `RemotePlace` (`remote.py`) is a seat
at a web table. Nothing here knows a rule: a place asks the match or the server.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from threading import Condition
from typing import Any

import msgspec

from stichwerk.bots import Bot, build, close
from stichwerk.bots.advice import Alternative
from stichwerk.bots.faults import BotFault
from stichwerk.errors import StichwerkError
from stichwerk.locale import one_line, text
from stichwerk.match import Match
from stichwerk.view import View

ADVISER = "expert"
"""Who is asked for hints, unless someone else is wished for."""


class NoHintError(StichwerkError):
    """There is nothing to advise, or nobody who could."""


def words_of(error: StichwerkError, lang: str) -> str:
    """What a refusal says to a person; a server's come in words already."""
    told: str = getattr(error, "text", "")
    return one_line(told) if told else text(error.id, lang, **error.data)


class MoveHint(msgspec.Struct, frozen=True, kw_only=True):
    """A hint: the move, all that were compared (the best first), why in a sentence, and by whom."""

    move: str
    alternatives: tuple[Alternative, ...] = ()
    text: str = ""
    by: str = ""


class PlayerSeat(ABC):
    """A seat at a table.

    The core is the same everywhere: `view`, `seat`, `lang`, `over`, `objection`, `play`, `advise`,
    `wait`, `close`. All of it may be called from any thread; `wait` and `advise` may take their
    time, so that a screen calls them in a thread of their own.

    Extras, each with an answer that fits every place:

    - `may_advise`: whether hints are given here;
    - `notices()`: sentences about what happened beside the play since it was last asked (who came,
      who left, chat, the words of the shuffle, a lost connection), in the person's language;
    - `may_chat`, `chat(words)`: to say something to all at the table;
    - `may_begin`, `begin()`: at a web table the host starts the match, or the next one after it; a
      local place has one match and never may;
    - `playing`: whether there is a match to see. Only then there is a `view`;
    - `saves`, `save()`: whether the match can be kept in a file; the answer is the file.
    """

    lang: str
    seat: int | None
    """None: one who watches."""

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
        """Why the seat cannot make this move now, in the person's language; None, if it can."""

    @abstractmethod
    def play(self, move: str) -> None:
        """Make a move; a StichwerkError, if it is refused."""

    @abstractmethod
    def advise(self) -> MoveHint:
        """A hint for the move that is owed; `NoHintError`, if there is none."""

    @abstractmethod
    def wait(self, timeout: float | None) -> bool:
        """Until something changed that the seat sees; False, if nothing did in so many seconds.

        In a local place this is where the bots move: one move a call, and only while the person
        owes none. Where nothing can change any more it comes back at once; where the table is gone
        for good, it is a StichwerkError.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of what the place holds; whoever waits is woken."""

    # -- Extras ------------------------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Whether there is a match to see."""
        return True

    @property
    def may_advise(self) -> bool:
        """Whether hints are given here."""
        return True

    @property
    def may_chat(self) -> bool:
        """Whether one can say something to others."""
        return False

    @property
    def may_begin(self) -> bool:
        """Whether it is up to the person that a match begins."""
        return False

    @property
    def saves(self) -> bool:
        """Whether the match can be kept in a file."""
        return False

    def notices(self) -> list[str]:
        """What happened beside the play since this was last asked."""
        return []

    def chat(self, words: str) -> None:
        """Say something to all at the table."""
        raise StichwerkError("no-chat-here")

    def begin(self) -> None:
        """Start the match, or the next one."""
        raise StichwerkError("no-begin-here")

    def save(self) -> str:
        """Keep the match as it stands; the answer is the file it is in."""
        raise StichwerkError("no-save-here")

    @property
    def owes(self) -> bool:
        """Whether the person is to decide something now."""
        return self.playing and self.seat is not None and self.seat in self.view.waiting_for


class LocalSeat(PlayerSeat):
    """One person at a match in this process; bots sit in the other seats."""

    def __init__(
        self,
        match: Match,
        seat: int,
        bots: Mapping[int, Bot],
        lang: str,
        *,
        adviser: str = ADVISER,
        build: Callable[[str], Bot] = build,
        keep: Callable[[Match], str] | None = None,
    ) -> None:
        self.match = match
        self.seat: int = seat
        self.bots = bots
        self.lang = lang
        self.adviser = adviser
        self.build = build
        self.keep = keep
        self.moved = False
        """Whether the person has made a move: before, a match is not worth keeping."""
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
        """Whether someone said where."""
        return self.keep is not None

    @property
    def over(self) -> bool:
        """Whether the ranking stands."""
        return self.match.over

    def objection(self, move: str) -> str | None:
        """What the rules say against the move."""
        with self._changed:
            reason = self.match.objection(self.seat, move)
        return None if reason is None else text(reason.id, self.lang, **reason.data)

    def play(self, move: str) -> None:
        """The person's move."""
        self._move(self.seat, move)
        self.moved = True
        self._keep_quietly()

    def _keep_quietly(self) -> None:
        """Keep the match after every own move; a full disk is told, and does not stop it."""
        if not self.saves:
            return
        try:
            self.save()
        except StichwerkError as error:
            with self._changed:
                self._notices.append(words_of(error, self.lang))

    def tell_fault(self, fault: BotFault) -> None:
        """A bot did something wrong: the person reads it, and the match goes on."""
        with self._changed:
            self._notices.append(fault.sentence(self.lang))

    def notices(self) -> list[str]:
        """What bots did wrong, and why the match could not be kept, if so."""
        with self._changed:
            told, self._notices = self._notices, []
        return told

    def wait(self, timeout: float | None) -> bool:
        """One move of a bot, or else until the person has moved."""
        with self._changed:
            if self._closed or not self.match.waiting_for:
                return False
            if self.seat in self.match.waiting_for:
                seen = self._changes
                moved = self._changed.wait_for(lambda: self._woken(seen), timeout)
                return moved and not self._closed
            other = self.match.waiting_for[0]
            view = self.match.view(other)
        # A bot may think long: meanwhile the table can be looked at, and left.
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
        """What the adviser would do with what this seat knows."""
        view = self.view
        if not view.moves:
            raise NoHintError("no-hint-now")
        bot = self._advising_bot()
        found = bot.advise(view)
        if found is None:
            raise NoHintError("bot-gives-no-hints", bot=self.adviser)
        sentence = text(found.reason.id, self.lang, **found.reason.data)
        return MoveHint(
            move=found.move, alternatives=found.alternatives, text=sentence, by=self.adviser
        )

    def _advising_bot(self) -> Any:
        """The adviser, made when it is first asked; not every bot can say why."""
        if self._adviser is None:
            self._adviser = self.build(self.adviser)
        if not callable(getattr(self._adviser, "advise", None)):
            raise NoHintError("bot-gives-no-hints", bot=self.adviser)
        return self._adviser

    def save(self) -> str:
        """Write the record to the file this match is kept in."""
        if self.keep is None:
            raise StichwerkError("no-save-here")
        with self._changed:
            return self.keep(self.match)

    def close(self) -> None:
        """End what the bots hold."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._changed.notify_all()
        adviser: Sequence[Bot] = () if self._adviser is None else (self._adviser,)
        for bot in (*self.bots.values(), *adviser):
            close(bot)
