"""Faults of external bots: which bot, where, what, and how often.

A fault does not end a match: the first listed move is played instead. The code that runs the match
decides how a fault is shown.
"""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import ClassVar, cast

import msgspec

from stichwerk import locale
from stichwerk.errors import StichwerkError
from stichwerk.view import View

Facts = dict[str, str | int | float | None]


class BotError(StichwerkError):
    """A bot did not answer properly; callers of a bot never see this."""

    said: tuple[str, ...] = ()


class BotFault(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One fault: `id` and `data` word it, like those of an error."""

    id: str
    bot: str
    game: str
    seat: int
    seed: int | None = None
    """The seed of the match; None if unknown."""
    data: Facts = {}
    said: tuple[str, ...] = ()
    """The last lines of its traceback, or of what it printed."""

    def sentence(self, lang: str) -> str:
        """Say where it happened and what it was."""
        game = locale.game_name(self.game, lang)
        id = "fault-place" if self.seed is None else "fault-place-seed"
        place = locale.text(id, lang, game=game, seed=self.seed, seat=self.seat)
        return f"{place} {locale.text(self.id, lang, **self.data)}"

    def lines(self, lang: str) -> list[str]:
        """Return the sentence, and below it what the bot printed."""
        return [self.sentence(lang), *(f"    {locale.one_line(line)}" for line in self.said)]


Listener = Callable[[BotFault], None]


class FaultNotes:
    """The part of a bot that counts its faults and passes them on."""

    faults_begin: ClassVar[str]
    """The prefix of the ids of its faults."""
    named_as: ClassVar[str]
    """The key of its label in their sentences."""

    def __init__(self, name: str, label: str, on_fault: Listener, match_seed: int | None) -> None:
        self.name = name
        self.label = label
        self.on_fault = on_fault
        self.match_seed = match_seed
        self.faults: list[BotFault] = []
        """The first fault of each kind."""
        self.fault_counts: Counter[str] = Counter()
        """How often each kind of fault has happened, by its id."""
        self._last_view: View | None = None
        """The last request's view: it says where a fault in `close` belongs."""

    def _note(self, fault: BotError, view: View) -> None:
        """Count a fault and pass it on."""
        noted = BotFault(
            id=fault.id,
            bot=self.name,
            game=view.game,
            seat=view.seat or 0,
            seed=self.match_seed,
            data=cast("Facts", fault.data),
            said=fault.said,
        )
        self.fault_counts[fault.id] += 1
        if self.fault_counts[fault.id] == 1:
            self.faults.append(noted)
        self.on_fault(noted)

    def _note_close(self, fault: BotError) -> None:
        """Count a fault in `close`; a bot that was never asked has no position to report."""
        if self._last_view is not None:
            FaultNotes._note(self, fault, self._last_view)

    def _fault(self, kind: str, *, said: Sequence[str] = (), **facts: object) -> BotError:
        label = {self.named_as: self.label}
        fault = BotError(f"{self.faults_begin}-{kind}", **label, **facts)
        fault.said = tuple(said)
        return fault


class CountedFault(msgspec.Struct, frozen=True):
    """The first fault of a kind, and how many there were."""

    first: BotFault
    count: int


class FaultBook:
    """The faults of a whole run, counted by bot and kind; the first of each is passed on."""

    def __init__(self, tell: Listener | None = None) -> None:
        self.tell = tell
        self._first: dict[tuple[str, str], BotFault] = {}
        self._counts: Counter[tuple[str, str]] = Counter()

    def note(self, fault: BotFault, count: int = 1) -> None:
        """Count a fault."""
        key = (fault.bot, fault.id)
        self._counts[key] += count
        if key not in self._first:
            self._first[key] = fault
            if self.tell is not None:
                self.tell(fault)

    @property
    def counted(self) -> tuple[CountedFault, ...]:
        """All kinds, in the order they first happened."""
        return tuple(CountedFault(first, self._counts[key]) for key, first in self._first.items())

    def summary(self, lang: str) -> Iterator[str]:
        """Yield a line for each bot that had faults: how many, and of which kinds."""
        for bot in dict.fromkeys(bot for bot, _ in self._first):
            kinds = {id: self._counts[of, id] for of, id in self._first if of == bot}
            listed = ", ".join(f"{id} {locale.number(count, lang)}" for id, count in kinds.items())
            total = sum(kinds.values())
            yield locale.text("faults-counted", lang, bot=bot, count=total, kinds=listed)


# -- On standard error -----------------------------------------------------------------------------

_reported: set[tuple[str, str]] = set()


def tell_on_stderr(fault: BotFault) -> None:
    """Write the first fault of each kind of a bot, however many matches it plays in."""
    key = (fault.bot, fault.id)
    if key not in _reported:
        _reported.add(key)
        write_on_stderr(fault, locale.language(os.environ))


def write_on_stderr(fault: BotFault, lang: str) -> None:
    """Write a fault with what the bot printed."""
    pass_on("\n".join(fault.lines(lang)) + "\n")


def pass_on(text: str) -> None:
    """Write to standard error, if anyone can read it."""
    with suppress(OSError, ValueError):
        sys.stderr.write(text)
        sys.stderr.flush()
