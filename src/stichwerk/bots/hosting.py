"""How bots are run for a match: ours in this process, external ones in processes of their own.

`registry.build` returns a bot as it is. Code that runs whole matches takes its bots from here
instead, so that a bot that raises, hangs, dies or plays an illegal move does not end the match.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from stichwerk.bots import registry
from stichwerk.bots.advice import Advice
from stichwerk.bots.faults import BotError, FaultNotes, Listener, tell_on_stderr
from stichwerk.bots.program import POSIX, USUAL_LIMIT, from_text
from stichwerk.bots.registry import PROGRAM, BadBotError, Bot, Listing
from stichwerk.errors import shown
from stichwerk.view import View

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Player = str | Callable[[int], Bot]
"""A player: a bot by its name, or a callable that takes a seed and returns a bot."""


class Hosting(msgspec.Struct, frozen=True, kw_only=True):
    """How external bots are run."""

    in_process: bool = False
    """In this process, without a time limit; their exceptions propagate."""
    limit: float = USUAL_LIMIT
    """Seconds for a move, unless a program's name says otherwise."""

    @property
    def in_workers(self) -> bool:
        """Whether bots of other packages run in worker processes."""
        return POSIX and not self.in_process


USUAL = Hosting()


def player_name(player: Player) -> str:
    """Return the name of a player in results and records."""
    if isinstance(player, str):
        return player
    name = getattr(player, "name", None) or getattr(player, "__name__", "")
    return shown(name or type(player).__name__)


def seat_bots(
    players: Sequence[Player],
    seeds: Sequence[int],
    *,
    match_seed: int | None = None,
    hosting: Hosting = USUAL,
    on_fault: Listener = tell_on_stderr,
) -> list[Bot]:
    """Return the bots of a match, each with its seed; their faults name `match_seed`."""
    if hosting.in_workers:
        _start_workers(players)
    seated: list[Bot] = []
    try:
        for player, seed in zip(players, seeds, strict=True):
            seated.append(_seat_bot(player, seed, match_seed, hosting, on_fault))
    except BaseException:
        for bot in seated:
            registry.close(bot)
        raise
    return seated


def _start_workers(players: Sequence[Player]) -> None:
    """Start all needed workers, so that they import at the same time."""
    from stichwerk.bots.python_bot import idle

    names = [name for name in players if isinstance(name, str) and _is_foreign(name)]
    for name, count in Counter(names).items():
        idle.stock(name, count)


def _seat_bot(
    player: Player, seed: int, match_seed: int | None, hosting: Hosting, on_fault: Listener
) -> Bot:
    if not isinstance(player, str):
        return InProcessBot(player(seed), player_name(player), match_seed)
    if player.startswith(PROGRAM):
        return from_text(player, seed, hosting.limit, on_fault, match_seed)
    if not _is_foreign(player):
        return registry.build(player, seed)
    if hosting.in_workers:
        from stichwerk.bots.python_bot import PythonBot

        hosted = PythonBot(player, seed, hosting.limit, on_fault, match_seed)
        hosted.prepare()
        return hosted
    bot = registry.build(player, seed)
    if hosting.in_process:
        return InProcessBot(bot, player, match_seed)
    return GuardedBot(bot, player, on_fault, match_seed)


_foreign: set[tuple[str, tuple[str, ...]]] = set()


def _is_foreign(name: str) -> bool:
    """Return whether a bot comes from another package; the answer is cached."""
    if name.startswith(PROGRAM):
        return False
    key = (name, tuple(sys.path))
    if key not in _foreign and registry.entry_point(name) is not None:
        _foreign.add(key)
    return key in _foreign


def vetted(name: str, hosting: Hosting = USUAL) -> str:
    """Return the full name of a usable bot; raise BadBotError or UnknownBotError otherwise."""
    if isinstance(name, str) and hosting.in_workers and _is_foreign(name):
        from stichwerk.bots.python_bot import vetted

        return vetted(name)
    bot = registry.build(name)
    if hosting.in_process:
        registry.close(bot)
    else:
        _close_silently(bot)
    return registry.full_name(name)


def _close_silently(bot: Bot) -> None:
    """Close a bot that was only made to check it; in a match `close` is watched."""
    with suppress(Exception, SystemExit):
        registry.close(bot)


def listings() -> Iterator[Listing | BadBotError]:
    """Yield every bot, as `registry.listings` does; no package is imported here."""
    if not POSIX:
        yield from registry.listings(_described)
        return
    from stichwerk.bots.python_bot import MOST_IDLE, described, idle

    for point in registry.entry_points()[:MOST_IDLE]:
        idle.stock(point.name, 1)  # all at the same time
    yield from registry.listings(described)


def _described(point: "EntryPoint") -> Listing:
    """Return the listing of a bot of another package, after making it in this process."""
    listing, _ = registry.find(point.name)
    _close_silently(registry.built(listing, None, 0))
    return listing


def end_workers() -> None:
    """End the workers that are kept for the next match; otherwise they end with this process."""
    if POSIX:
        from stichwerk.bots.python_bot import idle

        idle.end()


# -- In this process -------------------------------------------------------------------------------


class InProcessBot:
    """A bot run directly, for debugging: exceptions propagate, a wrong move is named."""

    def __init__(self, bot: Bot, name: str, match_seed: int | None) -> None:
        self.bot = bot
        self.name = name
        self.match_seed = match_seed

    @property
    def version(self) -> int:
        """The version of the bot."""
        return getattr(self.bot, "version", 1)

    def choose(self, view: View) -> str:
        """Return the bot's move; raise BadBotError if it is not in the list."""
        move = self.bot.choose(view)
        if move not in view.moves:
            seed = "–" if self.match_seed is None else self.match_seed
            place = {"game": view.game, "seed": seed, "seat": view.seat}
            raise BadBotError("bot-illegal", bot=self.name, move=shown(move), **place)
        return move

    def __getattr__(self, name: str) -> Any:
        """Delegate everything else to the bot: `advise`, `close`."""
        if name == "bot":  # not set yet while a copy is made
            raise AttributeError(name)
        return getattr(self.bot, name)


class GuardedBot(FaultNotes):
    """A bot in this process whose faults do not end a match; a hang is not stopped.

    For systems without the processes of `python_bot.py`.
    """

    faults_begin = "python"
    named_as = "bot"

    def __init__(self, bot: Bot, name: str, on_fault: Listener, match_seed: int | None) -> None:
        super().__init__(name, shown(name, 100), on_fault, match_seed)
        self.bot = bot
        self.version = getattr(bot, "version", 1)

    def choose(self, view: View) -> str:
        """Return the bot's move, or the first listed one."""
        self._last_view = view
        try:
            return self._chosen(view)
        except BotError as fault:
            self._note(fault, view)
            return view.moves[0]

    def _chosen(self, view: View) -> str:
        try:
            move = self.bot.choose(view)
        except (Exception, SystemExit) as error:
            raise self._raised("raised", error) from None
        if move not in view.moves:
            raise self._fault("illegal-move", move=shown(move))
        return move

    def advise(self, view: View) -> Advice | None:
        """Return the bot's advice; None if it gives none, or failed."""
        advise = getattr(self.bot, "advise", None)
        if not callable(advise):
            return None
        self._last_view = view
        try:
            return msgspec.convert(advise(view), Advice)
        except (Exception, SystemExit) as error:
            self._note(self._raised("raised", error), view)
            return None

    def _raised(self, kind: str, error: BaseException) -> BotError:
        from stichwerk.bots.python_worker import raised

        reply = raised(0, error)
        return self._fault(kind, error=reply.error, said=reply.trace)

    def close(self) -> None:
        """Let the bot release what it holds."""
        try:
            registry.close(self.bot)
        except (Exception, SystemExit) as error:
            self._note_close(self._raised("close-raised", error))
