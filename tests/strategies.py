"""What tests share: every setting a game can be played in, and Hypothesis strategies over them."""

from functools import cache

from hypothesis import strategies as st

import stichwerk
from stichwerk.engine import plain
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.games import registry
from stichwerk.games.options import Option, Value
from stichwerk.games.stichtag.calendar import SHEETS, SHEETS_OF, VERSIONS, all_dates
from stichwerk.match import Match, Setting
from stichwerk.testing.copies import fields_of


def some_values(option: Option) -> list[Value]:
    """Return all values of an option; of a range both ends, the usual one, and one between."""
    values = list(option.values)
    if option.lowest is not None and option.highest is not None:
        middle = 100 if option.highest == 500 else (option.lowest + option.highest) // 2
        values += [option.lowest, middle, option.highest]
    return [option.default, *(value for value in values if value != option.default)]


@cache
def all_settings() -> tuple[Setting, ...]:
    """Return every game, number of seats and option value, one option away from the usual at a
    time."""
    found: dict[str, Setting] = {}
    for name, kind in registry.GAMES.items():
        for seats in kind.seat_counts:
            for option in registry.options_of(name, seats):
                for value in some_values(option):
                    if (name, option.name, value) == ("stichtag", "rounds", None):
                        continue  # only where a green sheet says when it ends
                    setting = stichwerk.game(name, seats=seats, **{option.name: value})
                    found.setdefault(setting_id(setting), setting)
    return (*found.values(), *all_sheets(), *some_combinations(), *older_settings())


PAIRS = [
    ["green 2", "red 4"],
    ["red 1", "February"],
    ["red 2", "February"],
    ["red 8", "February"],
    ["red 8", "August"],
    ["red 7", "July"],
    ["red 6", "December"],
    ["green 3", "April"],
    ["red 0", "February"],
    ["red 9", "October"],
    ["red 9", "July"],
    ["green 2", "red 0"],
]
"""Two sheets that have something to say to each other."""

DATES = [
    *("02-38", "03-11", "04-06", "07-27", "08-22", "09-14", "10-09", "11-24", "12-33"),
    *("04-20", "10-29", "07-20"),
]


@cache
def all_sheets() -> tuple[Setting, ...]:
    """Return each of the 26 sheets alone over the base rules, at every number of seats."""
    return tuple(
        stichwerk.game("stichtag", seats=seats, sheets=[name])
        for seats in registry.GAMES["stichtag"].seat_counts
        for name in SHEETS
    )


def some_combinations() -> list[Setting]:
    """Return two sheets, or the three of a date, each at one number of seats."""
    pairs = [
        stichwerk.game("stichtag", seats=3 + at % 3, sheets=pair) for at, pair in enumerate(PAIRS)
    ]
    dates = [
        stichwerk.game("stichtag", seats=3 + at % 3, date=date) for at, date in enumerate(DATES)
    ]
    return [*pairs, *dates]


def older_settings() -> list[Setting]:
    """Return what older versions of the rules play differently: each game that has some, and each
    sheet that has changed, alone and on a date."""
    games = [
        stichwerk.game(name, seats=seats, rules=version)
        for name, kind in registry.GAMES.items()
        for version in kind.versions[:-1]
        for seats in kind.seat_counts
    ]
    changed = [
        (version, name)
        for version in VERSIONS[:-1]
        for name, sheet in SHEETS_OF[version].items()
        if sheet is not SHEETS[name]
    ]
    sheets = [
        stichwerk.game("stichtag", seats=seats, rules=version, sheets=[name])
        for version, name in changed
        for seats in registry.GAMES["stichtag"].seat_counts
    ]
    dates = [
        stichwerk.game("stichtag", seats=3 + at % 3, rules=version, date=date)
        for version in VERSIONS[:-1]
        for at, date in enumerate(("04-20", "10-29", "07-20"))
    ]
    return [*games, *sheets, *dates]


@cache
def all_days(rules: int | None = None) -> tuple[Setting, ...]:
    """Return the whole calendar: 480 settings at three, four and five seats."""
    return tuple(
        stichwerk.game("stichtag", seats=seats, rules=rules, date=date)
        for date in all_dates()
        for seats in registry.GAMES["stichtag"].seat_counts
    )


def pairwise_days() -> tuple[Setting, ...]:
    """Return a quarter of the calendar in which every two sheets meet, at every number of seats."""
    return tuple(setting for setting in all_days() if is_pairwise(str(setting.options["date"])))


def is_pairwise(date: str) -> bool:
    """Return whether a date belongs to a choice of one green sheet per month and red sheet."""
    month, green, red = int(date[:2]), int(date[3]), int(date[4])
    return (month + red) % 4 == green


def some_days(step: int) -> tuple[Setting, ...]:
    """Return a spread over the calendar. Use a step that is prime to 2, 3 and 5."""
    return all_days()[::step]


def all_rules() -> list[Setting]:
    """Return the settings in which a single round is played differently: others only change the
    match.

    Without the calendar, which is a world of its own.
    """
    match_options = {"starter", "rounds", "target", "teams"}
    usual = {(name, seats): stichwerk.game(name, seats=seats).options for name, seats in tables()}
    return [
        setting
        for setting in all_settings()
        if not has_sheets(setting)
        and all(
            value == usual[setting.name, setting.seats][option]
            for option, value in setting.options.items()
            if option in match_options
        )
    ]


def has_sheets(setting: Setting) -> bool:
    """Return whether sheets of the calendar are in play."""
    return bool(setting.options.get("sheets") or setting.options.get("date"))


def tables() -> list[tuple[str, int]]:
    """Return every game with every number of seats."""
    return [(name, seats) for name, kind in registry.GAMES.items() for seats in kind.seat_counts]


def setting_id(setting: Setting) -> str:
    """Return a short name for a setting, fit for a file: `stichling-4-discard-hand`."""
    usual = stichwerk.game(setting.name, seats=setting.seats).options
    special = [
        f"-{option}-{spelled(value)}"
        for option, value in setting.options.items()
        if value != usual[option] and (setting.name, option, value) != ("stichtag", "rounds", None)
    ]
    version = setting.rules.version
    older = "" if version == registry.version_of(setting.name) else f"-rules-{version}"
    return f"{setting.name}-{setting.seats}{older}{''.join(special)}"


def spelled(value: Value) -> str:
    """Return a value of an option, fit for a file."""
    if isinstance(value, list):
        return "+".join(value).replace(" ", "")
    return "none" if value is None else str(value)


def play_on(match: Match, generator: Generator, moves: int) -> None:
    """Make this many random moves, or as many as are left."""
    for _ in range(moves):
        if not match.waiting_for:
            return
        seat = match.waiting_for[generator.number(len(match.waiting_for))]
        listed = match.moves(seat)
        match.play(seat, listed[generator.number(len(listed))])


def calendar_options() -> list[dict[str, Value]]:
    """Draw no sheet, one, two, or those of a date, about equally often."""
    plain: list[dict[str, Value]] = [{"rounds": 3}, {"rounds": 2}]
    alone: list[dict[str, Value]] = [{"sheets": [name]} for name in SHEETS]
    pairs: list[dict[str, Value]] = [{"sheets": pair} for pair in PAIRS]
    dates: list[dict[str, Value]] = [{"date": date} for date in all_dates()[::17]]
    return [*plain * 13, *alone, *pairs * 3, *dates]


@st.composite
def settings(draw: st.DrawFn, *names: str) -> Setting:
    """Return any setting of these games (of all, if none is named), all options drawn at once."""
    wanted = [table for table in tables() if table[0] in names or not names]
    name, seats = draw(st.sampled_from(wanted))
    options = {
        option.name: draw(st.sampled_from(some_values(option)))
        for option in registry.options_of(name, seats)
    }
    if name == "stichtag":
        del options["rounds"]
        options |= draw(st.sampled_from(calendar_options()))
    return stichwerk.game(name, seats=seats, **options)


@st.composite
def matches(draw: st.DrawFn, *names: str) -> Match:
    """Return a match somewhere between its first deal and the end of its third round."""
    setting = draw(settings(*names))
    seed = draw(st.integers(0, 2**53 - 1))
    match = setting.new(seed=seed)
    moves = draw(st.integers(0, 3 * setting.seats * setting.rules.hand_size))
    play_on(match, Generator(seed), moves)
    return match


def plain_rules(setting: Setting) -> Game:
    """Return the same rules, uncompiled."""
    kind = type(setting.rules)
    made: Game = getattr(plain.twin(kind.__module__), kind.__name__)(setting.seats, setting.options)
    return made


def plain_state(state: State) -> State:
    """Return the same state, uncompiled."""
    twin = plain.State()
    for name, value in fields_of(state).items():
        setattr(twin, name, list(value) if isinstance(value, list | tuple) else value)
    return twin
