"""Copies and pickles: matches, settings, rules, states and generators, here and in other processes,
compiled and plain. A copy is independent, and continues as the original would."""

import copy
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import stichwerk
from stichwerk import own_games, record
from stichwerk.cards import Deck
from stichwerk.engine import frame, plain
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.errors import CannotPickleError
from stichwerk.games import registry
from stichwerk.games.options import Option, starter_option
from stichwerk.games.sticheln import Sticheln
from stichwerk.games.stichtag import own
from stichwerk.match import GivenDeals, Match, Setting
from stichwerk.view import knowledge, sample
from tests.play_to_end import outcome_hash
from tests.strategies import setting_id, some_combinations
from tests.test_plain_compiled import SOURCE, uncompiled_copy

pytestmark = [pytest.mark.game, pytest.mark.slow]

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "docs/examples"
COMPILED = not frame.__file__.endswith(".py")

SETTINGS = [
    *[
        stichwerk.game(name, seats=seats)
        for name, kind in registry.GAMES.items()
        for seats in (min(kind.seat_counts), max(kind.seat_counts))
    ],
    stichwerk.game("null-nichtig", seats=4, teams=2),
    stichwerk.game("stichling", seats=3, discard="hand"),
    *some_combinations(),
]


def pickled(thing: Any) -> Any:
    """Pickle and unpickle it."""
    return pickle.loads(pickle.dumps(thing))


# In the quick loop most are left to the other process below.
every_setting = pytest.mark.parametrize(
    "setting",
    [
        pytest.param(it, marks=pytest.mark.slow if at % 4 else (), id=setting_id(it))
        for at, it in enumerate(SETTINGS)
    ],
)
WAYS: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, pickled]
every_way = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)


def begun(setting: Setting, moves: int, seed: int = 3) -> Match:
    """Return a match after this many moves."""
    match, rng = setting.new(seed=seed, names=[f"P{at}" for at in range(setting.seats)]), 0
    for _ in range(moves):
        if match.waiting_for:
            seat = match.waiting_for[rng % len(match.waiting_for)]
            moves_now = match.moves(seat)
            match.play(seat, moves_now[rng % len(moves_now)])
            rng += 7
    return match


def run_afresh(program: Sequence[str], package: Path, given: bytes = b"") -> bytes:
    """Return what a program says in a process that has imported nothing, with the engine of a
    package."""
    run = subprocess.run(
        [sys.executable, "-B", *program],
        input=given,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(package.parent), str(ROOT)])},
        cwd=ROOT / "docs",  # nothing is found by accident
        capture_output=True,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr.decode()
    return run.stdout


def ended_elsewhere(things: Sequence[Any], package: Path = SOURCE) -> list[str]:
    """Return the outcomes computed by another process."""
    output = run_afresh(["-m", "tests.play_to_end"], package, pickle.dumps(things))
    answer: list[str] = json.loads(output)
    return answer


# -- Matches ---------------------------------------------------------------------------------------


@every_way
@every_setting
def test_a_copy_continues_like_the_original(setting: Setting, way: Callable[[Any], Any]) -> None:
    """Before the first move, among secret choices, in tricks and in a later round."""
    for moves in (0, 2, setting.seats + 3, 120):
        match = begun(setting, moves)
        views = [match.view(seat) for seat in (*range(setting.seats), None)]
        twin = way(match)
        assert twin is not match
        end = outcome_hash(twin)
        assert [match.view(seat) for seat in (*range(setting.seats), None)] == views
        assert outcome_hash(match) == end
        assert record.encode(record.record(twin)) == record.encode(record.record(match))


def test_a_copy_is_made_by_name() -> None:
    """`Match.copy()`; a refused move of the copy leaves both alone."""
    match = begun(stichwerk.game("sticheln"), 9)
    twin = match.copy()
    assert type(twin) is Match
    assert twin.setting is match.setting
    twin.play(twin.waiting_for[0], twin.moves(twin.waiting_for[0])[0])
    assert len(twin.events) > len(match.events)
    assert outcome_hash(twin) != outcome_hash(match)


@every_way
def test_matches_with_given_deals_can_be_copied(way: Callable[[Any], Any]) -> None:
    """From deals, which may end before the match does, and from a record, played again."""
    setting = stichwerk.game("sticheln", seats=3)
    first = begun(setting, 0).rounds[0].deal
    given = Match(setting, GivenDeals(setting, [first]))
    assert outcome_hash(way(given)) == outcome_hash(given)
    assert not given.over
    assert not given.waiting_for
    assert outcome_hash(way(given)) == outcome_hash(given)
    replayed = record.replay(record.record(begun(setting, 60)))
    twin = way(replayed)
    assert outcome_hash(twin) == outcome_hash(replayed)
    assert twin.made_moves == replayed.made_moves  # type: ignore[attr-defined]


def test_a_pickle_is_small() -> None:
    """The cards and events of a match, and nothing that follows from its setting."""
    match = begun(stichwerk.game("stichtag", seats=5, date="12-24"), 40)
    assert len(pickle.dumps(match)) < 150 * len(match.events)
    assert len(pickle.dumps(match.setting)) < 500


# -- Settings, rules, states, generators -----------------------------------------------------------


@every_way
@every_setting
def test_settings_and_rules(setting: Setting, way: Callable[[Any], Any]) -> None:
    twin = way(setting)
    assert repr(twin) == repr(setting)
    assert type(twin.rules) is type(setting.rules)
    assert outcome_hash(twin) == outcome_hash(setting)
    assert outcome_hash(way(setting.rules)) == outcome_hash(setting.rules)


@every_way
@pytest.mark.parametrize("make", [Generator, plain.Generator])
def test_generators(make: type[Generator], way: Callable[[Any], Any]) -> None:
    generator = make(5)
    for _ in range(10):
        generator.number(6)
    twin = way(generator)
    assert type(twin) is make
    assert outcome_hash(twin) == outcome_hash(generator) != outcome_hash(make(5))


@every_way
@every_setting
def test_states_that_were_observed_and_sampled(setting: Setting, way: Callable[[Any], Any]) -> None:
    """What a seat knows, and a whole state that fits it; a generator in the middle of its work."""
    view = begun(setting, setting.seats + 5).view(1)
    known, generator = knowledge(view), Generator(3)
    sampled = sample(view, generator)
    for state in (known, sampled):
        twin = way(state)
        assert type(twin) is type(state)
        assert outcome_hash(twin) == outcome_hash(state)
        twin.hand_size[0] += 1  # its own list, or a copy of one
        twin.owes ^= 1
        assert outcome_hash(twin) != outcome_hash(state)
    assert outcome_hash(sample(view, way(generator))) == outcome_hash(sample(view, generator))


def test_plain_states_stay_plain() -> None:
    state = plain.State()
    state.hands[3] = 2**63
    for way in WAYS:
        twin = way(state)
        assert type(twin) is plain.State
        twin.hands[3] = 0
        assert state.hands[3] == 2**63


# -- Other processes -------------------------------------------------------------------------------


def everything() -> list[Any]:
    matches = [begun(setting, 3 + 20 * (at % 3)) for at, setting in enumerate(SETTINGS)]
    generator = Generator(8)
    generator.number(3)
    return [
        *matches,
        *SETTINGS,
        *[setting.rules for setting in SETTINGS],
        generator,
        plain.Generator(8),
        sample(matches[0].view(0), generator),
    ]


def test_another_process_continues_identically() -> None:
    things = everything()
    there = ended_elsewhere(things)
    assert there == [outcome_hash(thing) for thing in things]
    assert len(set(there)) > 2 * len(SETTINGS)


# -- Custom games and sheets -----------------------------------------------------------------------


@pytest.fixture
def known_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever a test registers is forgotten afterwards."""
    monkeypatch.setattr(registry, "GAMES", dict(registry.GAMES))
    monkeypatch.setattr(registry, "LOADED_BY", dict(registry.LOADED_BY))
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    monkeypatch.setenv(own_games.VARIABLE, "")
    registry._build.cache_clear()
    yield
    registry._build.cache_clear()


WRITER = """
import pickle, sys
from tests.test_copying import some_matches
sys.stdout.buffer.write(pickle.dumps(some_matches()))
"""


def some_matches() -> list[Match]:
    """Return two of ours, and one of the example game, which needs the plain engine."""
    own_game = stichwerk.game(own_games.named(str(EXAMPLES / "own_game.py")), seats=3)
    return [begun(SETTINGS[0], 5), begun(SETTINGS[-1], 30), begun(own_game, 10)]


@pytest.mark.slow
@pytest.mark.usefixtures("known_games")
def test_the_other_engine_continues_identically(tmp_path: Path) -> None:
    """What was pickled by a compiled engine is read where there is none, and the other way."""
    registry.GAMES.pop("odd-even", None)
    uncompiled = uncompiled_copy(tmp_path)
    matches = some_matches()
    assert [type(it._state) is plain.State for it in matches] == [not COMPILED, not COMPILED, True]
    expected = [outcome_hash(match.copy()) for match in matches]
    assert ended_elsewhere(matches, uncompiled) == expected
    from_there = pickle.loads(run_afresh(["-c", WRITER], uncompiled))
    assert [type(it._state) for it in from_there] == [type(it._state) for it in matches]
    assert [outcome_hash(match) for match in from_there] == expected


@pytest.mark.usefixtures("known_games")
def test_a_game_from_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other process reads the file by itself."""
    registry.GAMES.pop("odd-even", None)
    name = own_games.named(str(EXAMPLES / "own_game.py"))
    match = begun(stichwerk.game(name, seats=3), 20)
    things = [match, match.setting, match.rules, sample(match.view(1), plain.Generator(2))]
    monkeypatch.setenv(own_games.VARIABLE, "")
    there = ended_elsewhere(things)
    for way in WAYS:
        assert [outcome_hash(way(thing)) for thing in things] == there
    assert [outcome_hash(thing) for thing in things] == there


class Homeless(plain.Game):
    """A game that no import makes known."""

    name = "homeless"
    seat_counts = (3,)

    def __init__(self, seats: int, options: Any) -> None:
        super().__init__(seats, hand_size=8, deck=Deck("RYGB", 1, 11))

    @staticmethod
    def options(seats: int) -> tuple[Option, ...]:
        return (starter_option(seats),)


@pytest.mark.usefixtures("known_games")
@pytest.mark.parametrize("module", ["__main__", "no.such.module", "tests.seed_word"])
def test_an_unknown_game_is_reported_when_unpickling(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can be copied and pickled; a process without it names what is missing."""
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setattr(Homeless, "__module__", module)
    registry.register(Homeless)
    match = begun(stichwerk.game("homeless", seats=3), 5)
    assert (
        outcome_hash(copy.deepcopy(match))
        == outcome_hash(pickled(match))
        == outcome_hash(match.copy())
    )
    written = pickle.dumps(match)
    del registry.GAMES["homeless"]
    registry._build.cache_clear()
    with pytest.raises(
        CannotPickleError, match=f"'homeless' .* not known here, .* {module} does not"
    ):
        pickle.loads(written)


@pytest.mark.usefixtures("known_games")
def test_other_rules_under_the_same_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    registry.register(Homeless)
    written = pickle.dumps(stichwerk.game("homeless", seats=3))
    monkeypatch.setattr(Homeless, "versions", (2,))
    registry._build.cache_clear()
    with pytest.raises(CannotPickleError) as refused:
        pickle.loads(written)
    assert refused.value.data == {"game": "homeless", "old": 1, "new": 2}


@pytest.mark.parametrize("make", [State, plain.State], ids=["compiled", "plain"])
def test_a_state_with_fields_of_another_version_is_refused(make: type[State]) -> None:
    with pytest.raises(CannotPickleError) as refused:
        make().__setstate__({"round": 2, "tops": [3] * 36})
    assert (refused.value.id, refused.value.data) == ("pickled-other-state", {"field": "tops"})


def test_sheets_from_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """As data and in Python; the other process looks where they were found."""
    monkeypatch.delenv(own.VARIABLE, raising=False)
    dates = ("01-17", "05-17", "07-09")
    options = {date: own.option_for(date, EXAMPLES / "sheets") for date in dates}
    settings = [
        stichwerk.game("stichtag", seats=3, date=date, sheets=sheets)
        for date, sheets in options.items()
    ]
    assert {name.partition("@")[0] for names in options.values() for name in names} == {
        "green 1",
        "January",
        "May",
    }
    things = [begun(setting, 15) for setting in settings]
    there = ended_elsewhere(things)
    assert [outcome_hash(pickled(thing)) for thing in things] == there
    assert [outcome_hash(thing) for thing in things] == there


def test_rules_built_without_the_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    rules = Sticheln(3, registry.settle_options("sticheln", 3, {}))
    assert copy.copy(rules) is copy.deepcopy(rules) is rules
    with pytest.raises(CannotPickleError, match=r"„sticheln“ .* direkt gebaut"):
        pickle.dumps(rules)


# -- Bots ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS[1:], ids=lambda way: way.__name__)
@pytest.mark.parametrize("name", ["random", "greedy", "easy", "flat@40", "tree@40"])
def test_copied_bots_continue_identically(name: str, way: Callable[[Any], Any]) -> None:
    match, bot = begun(stichwerk.game("sticheln", seats=3), 8), stichwerk.bot(name, seed=4)
    for seat in match.waiting_for:
        bot.choose(match.view(seat))
    view = match.view(match.waiting_for[0])
    twin = way(bot)
    assert way(bot).choose(view) == twin.choose(view) == bot.choose(view)


def test_a_program_is_not_copied() -> None:
    bot = stichwerk.bot("program:true")
    for way in WAYS:
        with pytest.raises(CannotPickleError, match=r"'true'|„true“"):
            way(bot)
