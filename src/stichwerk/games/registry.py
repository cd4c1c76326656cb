"""The registry of games, and how to set one up: one line per game in `OUR_GAMES`."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from typing import Protocol, TypeVar

from stichwerk import locale
from stichwerk.engine.frame import Game
from stichwerk.errors import (
    BadGameError,
    BadOptionError,
    BadSeatsError,
    CannotPickleError,
    UnknownGameError,
    shown,
)
from stichwerk.games.info import GameDescription, null_nichtig, sticheln, stichling, stichtag
from stichwerk.games.misspelt import misspelt
from stichwerk.games.options import Option, Value, complete_options
from stichwerk.games.stichtag.calendar import is_own, needs_plain


class Kind(Protocol):
    """What the class of a game offers before a game is set up."""

    @property
    def name(self) -> str:
        """Its name in records and commands."""

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """The possible numbers of players."""

    @property
    def versions(self) -> tuple[int, ...]:
        """The versions of its rules that can be played, the newest last."""

    def options(self, seats: int) -> tuple[Option, ...]:
        """Return its options for this number of seats."""

    def open_options(
        self, options: tuple[Option, ...], given: Mapping[str, object]
    ) -> tuple[Option, ...]:
        """Return the options with the values that the given ones leave open."""

    def settle_options(self, options: dict[str, Value], given: Mapping[str, object]) -> None:
        """Complete and check options that depend on one another."""

    def __call__(self, seats: int, options: Mapping[str, Value]) -> Game:
        """Return the rules with seats and options fixed; a game with several versions takes the
        version as a third argument."""


OUR_GAMES = (
    stichling.INFO,
    null_nichtig.INFO,
    sticheln.INFO,
    stichtag.INFO,
)

INFOS: dict[str, GameDescription] = {info.name: info for info in OUR_GAMES}
GAMES: dict[str, Kind] = {info.name: info.rules for info in OUR_GAMES}
OURS = frozenset(GAMES)
UNDESCRIBED = GameDescription(rules=None)

Loading = tuple[Callable[..., object], tuple[object, ...]]
"""A function and its arguments: calling it registers a custom game in this process."""

LOADED_BY: dict[str, Loading] = {}
"""How games from files were registered; others are registered by importing their module."""

USUAL_SEATS = 4
# What a class may offer that the frame itself does not have; the last four are for environments.
KIND_NAMES = (
    *("seat_counts", "options"),
    *("step_kinds", "places", "observed_names", "observed"),
)


Registered = TypeVar("Registered", bound=Kind | GameDescription)


def register(game: Registered) -> Registered:
    """Register a custom game: its class, also as a decorator, or its description."""
    info = game if isinstance(game, GameDescription) else GameDescription(rules=game)
    if info.name in GAMES:
        raise UnknownGameError("game-exists", game=info.name)
    if isinstance(info.rules, type):
        check_spelling(info.rules)
    GAMES[info.name] = info.rules
    INFOS[info.name] = info
    if info.folder is not None:
        locale.add_game(info.name, info.folder)
    return game


def check_spelling(game: type) -> None:
    """Refuse a class with a method or attribute that looks like a misspelt rule of the frame."""
    found = misspelt(game, KIND_NAMES)
    if found:
        raise BadGameError(
            "own-game-misspelt",
            name=f"{found.owner.__name__}.{found.name}",
            place=found.place,
            meant=found.meant,
        )


def kind(name: str) -> Kind:
    """Return the class of a game by its name."""
    if not isinstance(name, str) or name not in GAMES:
        raise UnknownGameError("unknown-game", game=shown(name), known=", ".join(GAMES))
    return GAMES[name]


def info_of(name: str) -> GameDescription:
    """Return the description of a game by its name; an empty one if its rules are unknown here."""
    return INFOS.get(name, UNDESCRIBED)


def has_calendar(name: str) -> bool:
    """Return whether this is the name of a game with dates and calendar sheets."""
    return name in INFOS and INFOS[name].calendar


def calendar_game() -> GameDescription:
    """Return the game that the calendar belongs to."""
    return next(info for info in OUR_GAMES if info.calendar)


def version_of(name: str, version: int | None = None) -> int:
    """Return a version of a game's rules, by default the newest; refuse one that does not exist."""
    known = kind(name).versions
    if version is None:
        return known[-1]
    if type(version) is not int or version not in known:
        versions = ", ".join(map(str, known))
        raise BadOptionError(
            "unknown-rules-version", game=name, version=shown(version), known=versions
        )
    return version


def options_of(name: str, seats: int, version: int | None = None) -> tuple[Option, ...]:
    """Return the options of a game for this number of seats, with their domains."""
    counts = kind(name).seat_counts
    if isinstance(seats, bool) or not isinstance(seats, int) or seats not in counts:
        allowed = ", ".join(str(count) for count in counts)
        raise BadSeatsError("bad-seats", game=name, seats=shown(seats), allowed=allowed)
    played = version_of(name, version)
    return tuple([option for option in kind(name).options(seats) if option.since <= played])


def settle_options(
    name: str, seats: int, given: Mapping[str, object], version: int | None = None
) -> dict[str, Value]:
    """Return all options of a game, checked and completed by their defaults."""
    domains = kind(name).open_options(options_of(name, seats, version), given)
    options = complete_options(domains, given)
    kind(name).settle_options(options, given)
    return options


def build(name: str, seats: int, options: Mapping[str, Value], version: int | None = None) -> Game:
    """Return the rules of a game for complete, checked options; cached. By default the newest
    version."""
    frozen = tuple(
        (key, tuple(value) if isinstance(value, list) else value)
        for key, value in sorted(options.items())
    )
    return _build(name, version_of(name, version), seats, frozen)


@lru_cache(maxsize=1024)
def _build(name: str, version: int, seats: int, frozen: tuple[tuple[str, object], ...]) -> Game:
    options = {key: list(value) if isinstance(value, tuple) else value for key, value in frozen}
    made: Callable[..., Game] = _class(name, options)
    several = len(kind(name).versions) > 1
    rules = made(seats, options, version) if several else made(seats, options)
    needed = (_loading(name), _sheet_folders(options))
    rules.recipe = (rebuilt, (name, rules.version, seats, frozen, *needed))
    return rules


def _class(name: str, options: Mapping[str, object]) -> Kind:
    """Return the class that plays: a custom sheet in Python needs its game uncompiled."""
    found, sheets = kind(name), options.get("sheets")
    if has_calendar(name) and isinstance(sheets, list) and needs_plain(sheets):
        from stichwerk.engine.plain import twin

        plain: Kind = getattr(twin(found.__module__), found.__name__)  # type: ignore[attr-defined]
        return plain
    return found


# -- Rules in pickles ------------------------------------------------------------------------------
#
# Rules never change, so a pickle holds only game, version, seats and options, and how another
# process loads a custom game or sheet.


def rebuilt(
    name: str,
    version: int,
    seats: int,
    frozen: tuple[tuple[str, object], ...],
    loading: Loading | None,
    sheet_folders: Mapping[str, str],
) -> Game:
    """Return unpickled rules, from this process or another one."""
    if name not in GAMES and loading is not None:
        _make_known(name, loading)
    for sheet, folder in sheet_folders.items():
        _find_sheet(sheet, folder)
    known = kind(name).versions
    if version not in known:
        raise CannotPickleError("pickled-other-version", game=name, old=version, new=known[-1])
    return _build(name, version, seats, frozen)


def _loading(name: str) -> Loading | None:
    if name in OURS:
        return None
    return LOADED_BY.get(name, (import_module, (GAMES[name].__module__,)))


def _make_known(name: str, loading: Loading) -> None:
    load, arguments = loading
    with suppress(ImportError):  # then the game stays unknown
        load(*arguments)
    if name not in GAMES:
        raise CannotPickleError("pickled-game-unknown", game=name, module=shown(arguments[0], 100))


def _sheet_folders(options: Mapping[str, object]) -> dict[str, str]:
    """Return where custom sheets were found; another process may use another folder."""
    sheets = options.get("sheets")
    own_sheets = [name for name in sheets if is_own(name)] if isinstance(sheets, list) else []
    if not own_sheets:
        return {}
    from stichwerk.games.stichtag import own  # which needs our sheets first

    return {name: str(own.find(name).path.parent.resolve()) for name in own_sheets}


def _find_sheet(name: str, folder: str) -> None:
    """Find a sheet where this process looks for sheets, or else where the pickling process did."""
    from stichwerk.games.stichtag import own

    try:
        own.find(name)
    except BadOptionError:
        own.find(name, folder)
