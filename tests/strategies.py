"""What tests share: every setting a game can be played in, and Hypothesis strategies over them."""

from hypothesis import strategies as st

import stichwerk
from stichwerk.engine.generator import Generator
from stichwerk.games import registry
from stichwerk.games.options import Option, Value
from stichwerk.match import Match, Setting


def some_values(option: Option) -> list[Value]:
    """All values of an option; of a range both ends, the usual one, and one between."""
    values = list(option.values)
    if option.lowest is not None and option.highest is not None:
        middle = 100 if option.highest == 500 else (option.lowest + option.highest) // 2
        values += [option.lowest, middle, option.highest]
    return [option.default, *(value for value in values if value != option.default)]


def all_settings() -> list[Setting]:
    """Every game, number of seats and option value, one option away from the usual at a time."""
    found: dict[str, Setting] = {}
    for name, kind in registry.GAMES.items():
        for seats in kind.seat_counts:
            for option in registry.options_of(name, seats):
                for value in some_values(option):
                    setting = stichwerk.game(name, seats=seats, **{option.name: value})
                    found.setdefault(setting_id(setting), setting)
    return list(found.values())


def all_rules() -> list[Setting]:
    """The settings in which a single round is played differently: others only change the match."""
    match_options = {"starter", "rounds", "target", "teams"}
    usual = {(name, seats): stichwerk.game(name, seats=seats).options for name, seats in tables()}
    return [
        setting
        for setting in all_settings()
        if all(
            value == usual[setting.name, setting.seats][option]
            for option, value in setting.options.items()
            if option in match_options
        )
    ]


def tables() -> list[tuple[str, int]]:
    """Every game with every number of seats."""
    return [(name, seats) for name, kind in registry.GAMES.items() for seats in kind.seat_counts]


def setting_id(setting: Setting) -> str:
    """A short name for a setting, fit for a file: `stichling-4-discard-hand`."""
    usual = stichwerk.game(setting.name, seats=setting.seats).options
    special = [
        f"-{option}-{'none' if value is None else value}"
        for option, value in setting.options.items()
        if value != usual[option]
    ]
    return f"{setting.name}-{setting.seats}{''.join(special)}"


def play_on(match: Match, generator: Generator, moves: int) -> None:
    """Make this many random moves, or as many as are left."""
    for _ in range(moves):
        if not match.waiting_for:
            return
        seat = match.waiting_for[generator.number(len(match.waiting_for))]
        listed = match.moves(seat)
        match.play(seat, listed[generator.number(len(listed))])


@st.composite
def settings(draw: st.DrawFn, *names: str) -> Setting:
    """Any setting of these games (of all, if none is named), all options drawn at once."""
    wanted = [table for table in tables() if table[0] in names or not names]
    name, seats = draw(st.sampled_from(wanted))
    options = {
        option.name: draw(st.sampled_from(some_values(option)))
        for option in registry.options_of(name, seats)
    }
    return stichwerk.game(name, seats=seats, **options)


@st.composite
def matches(draw: st.DrawFn, *names: str) -> Match:
    """A match somewhere between its first deal and the end of its third round."""
    setting = draw(settings(*names))
    seed = draw(st.integers(0, 2**53 - 1))
    match = setting.new(seed=seed)
    moves = draw(st.integers(0, 3 * setting.seats * setting.rules.hand_size))
    play_on(match, Generator(seed), moves)
    return match
