"""Nobody learns what is hidden from them: pairs of worlds, planted leaks, and a search of all
bytes.

The machinery is in `leaks.py`; `python -m tests.server.leaks` is the long run.
"""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

import stichwerk
from stichwerk.games import registry
from stichwerk.games.stichtag.calendar import SHEETS
from stichwerk.match import Setting
from stichwerk.server import wire
from stichwerk.server.app import Api
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.audience import Audience
from stichwerk.server.tables.table_state import TableState
from stichwerk.testing.trial import Trial
from tests.length import by_length
from tests.server import leak_table, leak_worlds, leaks
from tests.server.planted import PLANTS
from tests.strategies import tables

pytestmark = pytest.mark.slow  # with a real server, or thousands of cases

MENU = leak_worlds.menu()
EXAMPLES = {"stichling": 230, "null-nichtig": 180, "sticheln": 180, "stichtag": 210}
USUAL_EXAMPLES = 200
WANTED = by_length(150, 750)  # pairs of each game

# Where each phase is met: in short matches, and under the sheets that bring it; with the default
# options in a game that is not here.
PHASES: dict[str, dict[str, dict[str, Any]]] = {
    "sticheln": {"pain": {"rounds": 1}, "play": {"rounds": 1}, "over": {"rounds": 1}},
    "null-nichtig": {"lay": {"target": 1}, "play": {"target": 1}, "over": {"target": 1}},
    "stichling": {"order": {}, "play": {}, "over": {}},
    "stichtag": {
        "play": {"rounds": 2},
        "over": {"rounds": 2},
        "trump": {"sheets": ["red 0"]},
        "announce": {"sheets": ["red 4"]},
        "veto": {"sheets": ["red 7"]},
        "pass": {"sheets": ["February"]},
        "discard": {"sheets": ["August"]},
        "gift": {"sheets": ["December"]},
        "take": {"sheets": ["green 2", "red 4"]},
    },
}
SCANNED = by_length(48, 200)


def met(name: str) -> dict[str, dict[str, Any]]:
    """Return where each phase of a game is met."""
    return PHASES.get(name) or {phase: {} for phase in stichwerk.game(name).rules.phases}


def is_secret(name: str, phase: str) -> bool:
    """Return whether the moves of a phase are made secretly."""
    reference = registry.info_of(name).reference
    assert reference is not None
    return reference.phases[phase].secret


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as one:
        yield one


# -- Pairs -----------------------------------------------------------------------------------------


@st.composite
def positions(draw: st.DrawFn, name: str) -> tuple[Setting, int, int]:
    """Return a setting of this game, a seed, and a number of moves: mostly of the first round."""
    setting = draw(st.sampled_from([one for one in MENU if one.name == name]))
    round = setting.seats * (setting.rules.hand_size + 1)
    rounds = min(3, setting.rules.most_rounds())
    moves = draw(st.integers(0, round) | st.integers(0, round) | st.integers(0, rounds * round))
    return setting, draw(st.integers(0, 2**40)), moves


@pytest.mark.long
@pytest.mark.parametrize("name", registry.GAMES)
def test_indistinguishable_states_give_the_same_bytes(name: str, runner: asyncio.Runner) -> None:
    tally, examples = leaks.Tally(), EXAMPLES.get(name, USUAL_EXAMPLES)

    @effort(max_examples=by_length(examples // 4, examples))
    @given(positions(name))
    def look(position: tuple[Setting, int, int]) -> None:
        case = leak_worlds.prepare(*position)
        found = runner.run(leaks.compare(case))
        assert found is None, str(found)
        tally.add(case)

    look()
    assert tally.pairs - tally.thin >= WANTED
    kinds = {(seats, viewer) for _, seats, viewer, _ in tally.seen}
    assert kinds == {
        (seats, viewer)
        for game, seats in tables()
        if game == name
        for viewer in (None, *range(seats))
    }


def test_every_phase_is_covered() -> None:
    for name in registry.GAMES:
        setting = stichwerk.game(name, seats=4)
        assert set(met(name)) == set(setting.rules.phases)


@pytest.mark.parametrize(("name", "seats"), tables())
def test_no_phase_leaks_to_any_seat_or_spectator(
    name: str, seats: int, runner: asyncio.Runner
) -> None:
    for phase, options in met(name).items():
        setting = stichwerk.game(name, seats=seats, **options)
        for pending in (0, 1) if is_secret(name, phase) else (0,):
            tally = leaks.Tally()
            for case in cases_in(setting, phase, pending):
                found = runner.run(leaks.compare(case))
                assert found is None, str(found)
                tally.add(case)
                if len(tally.seen) == seats + 1:
                    break
            viewers = {viewer for _, _, viewer, _ in tally.seen}
            assert viewers == {None, *range(seats)}, f"{phase}, {pending} secret choices made"


@pytest.mark.parametrize("seats", registry.GAMES["stichtag"].seat_counts)
def test_no_sheet_leaks(seats: int, runner: asyncio.Runner) -> None:
    for seed, sheet in enumerate(SHEETS):
        setting = stichwerk.game("stichtag", seats=seats, sheets=[sheet])
        case = leak_worlds.prepare(setting, seed, seats * (3 + seed % 6) + seed % seats)
        assert case.pairs, sheet
        found = runner.run(leaks.compare(case))
        assert found is None, str(found)


def cases_in(setting: Setting, phase: str, pending: int) -> Iterator[leak_worlds.Case]:
    """Yield positions in this phase with this many secret choices; in play not the first ones."""
    for seed in range(400):

        def there(trial: Trial) -> bool:
            early = phase == "play" and leak_worlds.moves_made(trial) < 10 + seed  # noqa: B023
            return trial.match.phase == phase and trial.pending >= pending and not early

        trial = leak_worlds.walked(setting, seed, there)
        if trial.match.phase == phase:
            yield leak_worlds.case_of(trial, bot=None)


async def received_by_outsiders(name: str, seed: int) -> dict[str, list[bytes]]:
    """Return what outsiders of a match receive: its first moves, chat, people who come and go."""
    setting = stichwerk.game(name, seats=4, starter=0)
    moves = 8 + 4 * seed
    trial = leak_worlds.walked(setting, seed, lambda one: leak_worlds.moves_made(one) == moves)
    course = leak_worlds.course_of(trial)
    plan = leak_worlds.plan_of(setting, 0, moves)._replace(watch="none", bot=None, clock=30)
    deals = setting.new(deals=course.deals).deals
    scene = leak_table.Scene(plan, deals, course.moves, seed, b"%d" % seed)
    with leak_table.frozen(scene.pauses):
        scene.open(seed)
        for label in (*scene.people, leak_worlds.STRANGER):
            await scene.enter(label)
        for seat, move in scene.moves[seed:]:
            await scene.make(seat, move)
        for number in range(seed):
            await scene.ask(leak_table.person_of(0), wire.Chat, text=f"secret {seed} {number}")
        scene.live_table.leave(scene.guests[leak_table.person_of(seed)].client)
        scene.table.apply(log.BotTookOver(seat=seed))
        found = {
            label: scene.received(label) for label in (leak_worlds.WATCHER, leak_worlds.STRANGER)
        }
        for label, received in found.items():
            client = scene.guests[label].client
            scene.ids = 1000
            for since in (None, 0, 5):
                received.append(scene.live_table.welcome(client, since))
            await scene.ask(label, wire.Look, match=MATCH_NOBODY_KNOWS)
            await scene.ask(label, wire.Chat, text="hello?")
            await scene.ask(label, wire.Rename, name="Wanda")
        await scene.settle()
        api = Api(scene.lobby, scene.request_limits, scene.metrics, None, ())
        found["lobby"] = [(await leaks.fetched(api, api.open_tables))[1]]
        await scene.close()
    return found


MATCH_NOBODY_KNOWS = "another-match"


def as_if_all_may_watch(table: TableState, person: str | None) -> Audience:
    return Audience(seat=table.seat_of(person), eyes=table.seat_of(person))


@pytest.mark.parametrize("name", registry.GAMES)
def test_outsiders_learn_nothing_of_a_private_match(
    name: str, runner: asyncio.Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two matches of which nothing is alike: cards, moves and their number, talk, presence."""
    one, other = (runner.run(received_by_outsiders(name, seed)) for seed in (1, 2))
    assert one == other
    assert len(one[leak_worlds.STRANGER]) > 5
    monkeypatch.setattr(TableState, "audience", as_if_all_may_watch)
    one, other = (runner.run(received_by_outsiders(name, seed)) for seed in (1, 2))
    assert all(one[label] != other[label] for label in (leak_worlds.WATCHER, leak_worlds.STRANGER))


async def pause_of_the_clock(pace: float) -> list[float]:
    """Return the apparent thinking time of a move made when the clock runs out."""
    case = leak_worlds.prepare(stichwerk.game("sticheln", seats=4), 1, 8)
    plan = case.plan._replace(bot=None, clock=30)
    deals = plan.setting.new(deals=case.truth.deals).deals
    scene = leak_table.Scene(plan, deals, case.truth.moves, 0, b"")
    scene.lobby.pace = pace
    with leak_table.frozen(scene.pauses):
        scene.open(len(scene.moves) - 1)
        await scene.enter(leak_worlds.STRANGER)
        await scene.make(*scene.moves[-1], late=True)
        await scene.close()
    return scene.pauses


def test_moves_made_by_the_clock_are_paused_too(runner: asyncio.Runner) -> None:
    """Otherwise everyone sees how long the bot thought: none at all, if only one move is legal."""
    assert [seconds > 0 for seconds in runner.run(pause_of_the_clock(1.0))] == [True]


# -- Planted leaks ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cases() -> list[leak_worlds.Case]:
    """Positions at which every kind of leak can show; made before anything is broken."""
    wishes: list[tuple[str, int, dict[str, object], int]] = [
        ("sticheln", 4, {"rounds": 2}, 2),
        ("null-nichtig", 3, {}, 1),
        ("stichtag", 3, {"sheets": ["February"]}, 20),
        ("stichtag", 4, {"sheets": ["red 6", "April"]}, 15),
        ("stichling", 3, {}, 20),
        ("sticheln", 5, {}, 24),
    ]
    found = []
    for at, (name, seats, options, moves) in enumerate(wishes):
        setting = stichwerk.game(name, seats=seats, **options)
        for bot in (None, 0):
            trial = leak_worlds.walked(
                setting,
                2 * at,
                lambda one: leak_worlds.moves_made(one) >= moves,  # noqa: B023
            )
            found.append(
                leak_worlds.case_of(
                    trial, bot=bot, watch="all", clock=30, live=3, late=bot is None, agree=True
                )
            )
    return found


def first_finding(
    runner: asyncio.Runner, cases: list[leak_worlds.Case]
) -> leak_worlds.Finding | None:
    return next(filter(None, (runner.run(leaks.compare(case)) for case in cases)), None)


def test_without_a_planted_leak_nothing_is_found(
    runner: asyncio.Runner, cases: list[leak_worlds.Case]
) -> None:
    assert first_finding(runner, cases) is None
    assert len(PLANTS) >= 20


@pytest.mark.parametrize("name", PLANTS)
def test_every_planted_leak_is_found(
    name: str,
    runner: asyncio.Runner,
    cases: list[leak_worlds.Case],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    PLANTS[name](monkeypatch)
    assert first_finding(runner, cases) is not None


def test_the_long_run_reports_progress(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert leaks.main(["--pairs", "20"]) == 0
    assert "of 20 pairs alike" in capsys.readouterr().out
    PLANTS["sizes of hands depend on cards"](monkeypatch)
    assert leaks.main(["--pairs", "20"]) == 1
    assert "can tell two worlds apart by messages to" in capsys.readouterr().out


# -- The scan --------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
def test_full_matches_contain_no_hidden_cards(part: int, runner: asyncio.Runner) -> None:
    settings = [MENU[at * len(MENU) // SCANNED] for at in range(SCANNED)]
    assert {one.name for one in settings} == set(registry.GAMES)
    for seed in range(part, SCANNED, 4):
        found, full = runner.run(leaks.scan(settings[seed], seed))
        assert found is None, str(found)
        assert full.running.match.over
        watched = [label for label in full.searched if full.plan.watch == "all" or "seat" in label]
        assert min(full.searched[label] for label in watched) > 10
        assert set(full.searched) >= {leak_worlds.WATCHER, leak_worlds.STRANGER}


SHOWN = [
    "an outlook is that of the neighbour",
    "every event is for all",
    "spectators are never asked",
    "steps are not filtered",
    "a choice is sent with who has chosen",
    "words name hidden cards",
    "the view of the neighbour",
    "spectators see what seat 0 sees",
    "the history of the neighbour",
    "the moves of whose turn it is",
    "the stock lies open",
    "the deck is sent as it was dealt",
    "a refusal names a card of another",
    "who resumes gets all events",
    "a seed is published a round too early",
]
"""Planted leaks that send a card as text, or a seed."""


@pytest.mark.parametrize("name", SHOWN)
def test_the_scan_finds_planted_leaks(
    name: str, runner: asyncio.Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = [stichwerk.game("null-nichtig", seats=3), stichwerk.game("sticheln", seats=4)]
    PLANTS[name](monkeypatch)
    found = [runner.run(leaks.scan(setting, seed))[0] for seed, setting in enumerate(settings, 1)]
    assert any(found)


def test_the_scan_is_quiet_without_them(runner: asyncio.Runner) -> None:
    for seed, name in enumerate(registry.GAMES, 1):
        setting = stichwerk.game(name, seats=4)
        found, full = runner.run(leaks.scan(setting, seed))
        assert found is None, str(found)
        assert full.bytes > 100_000
