"""What a seat is shown: all of its view, and nothing of what is hidden from it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stichwerk
from stichwerk.engine.generator import Generator
from stichwerk.envs import Spec, observation
from stichwerk.envs.batch import observer, observers_of
from stichwerk.games import registry
from stichwerk.games.stichtag import own
from stichwerk.match import Setting
from stichwerk.view import View, sample
from tests.envs.lockstep import Lockstep, differences
from tests.envs.reading import missing
from tests.strategies import (
    all_rules,
    all_sheets,
    setting_id,
    some_combinations,
    some_days,
    tables,
)

pytestmark = pytest.mark.game

RULES = [setting for setting in all_rules() if setting.name in registry.OURS]
DAYS = [*some_combinations(), *all_sheets(), *some_days(29)]


class Eye:
    """Looks at any state as a seat of it would."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.out = np.zeros((1, spec.width), np.float32)
        self.observer = observer(spec, self.out)

    def sees(self, state: Any, view: View) -> Any:
        """Return what the view's seat would see if this were the true state."""
        memory = observers_of(self.spec.rules).Memory()
        left: Any = view.table.get("hearts", ())
        memory.fill(view.scores[view.round - 2] if view.round > 1 else (), left)
        assert view.seat is not None
        memory.take_traces(state, view.seat)
        self.observer.observe(state, view.seat, memory, 0)
        return self.out[0]


def positions(lockstep: Lockstep, share: float, seed: int) -> Iterator[int]:
    """Play to the end of the episode; at some positions each seat in turn."""
    rng = np.random.default_rng(seed)
    while not lockstep.over:
        if rng.random() < share:
            yield from range(lockstep.spec.seats)
        lockstep.move()


def assert_honest(setting: Setting, seed: int, share: float, episode: Any = "round") -> int:
    """Check that state, knowledge and sample look the same, and that the view can be read."""
    lockstep = Lockstep(setting, seed, episode)
    eye, compared = Eye(lockstep.spec), 0
    for seat in positions(lockstep, share, seed):
        view, seen = lockstep.match.view(seat), lockstep.observed(seat)
        place = f"{setting}, seed {seed}, move {lockstep.moves}, seat {seat}, {view.phase}"
        lost = missing(lockstep.spec, seen, lockstep.match, seat)
        assert not lost, f"{place}: not shown: {lost}"
        known = differences(lockstep.spec, seen, observation(lockstep.spec, view))
        assert not known, f"{place}: the view shows otherwise: {known}"
        dealt = sample(view, Generator(seed + lockstep.moves))
        leaks = differences(lockstep.spec, seen, eye.sees(dealt, view))
        assert not leaks, f"{place}: changed by hidden cards: {leaks}"
        compared += 1
    return compared


@pytest.mark.parametrize("setting", RULES, ids=setting_id)
def test_seats_see_their_view_and_no_more(setting: Setting) -> None:
    assert sum(assert_honest(setting, seed, 0.3) for seed in range(2)) > 20


@pytest.mark.slow
def test_observations_match_views_on_every_kind_of_day() -> None:
    assert sum(assert_honest(setting, at, 0.25) for at, setting in enumerate(DAYS)) > 4000


@pytest.mark.slow
def test_observations_match_views_over_whole_matches() -> None:
    settings = [*RULES, *some_combinations()]
    for at, setting in enumerate(settings):
        assert_honest(setting, at, 0.03, "match")


# -- The test itself -------------------------------------------------------------------------------


@pytest.mark.parametrize("game", registry.GAMES)
def test_a_planted_leak_is_found(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the left neighbour's hand shone through."""
    setting = stichwerk.game(game, seats=4)
    honest = Lockstep.observed

    def leaky(self: Lockstep, seat: int) -> Any:
        row = honest(self, seat)
        left = self.batch.state(0).hands[2 * ((seat + 1) % 4)]
        row[self.spec.layout["unseen"]] += left.bit_length() % 2  # whether its last card is odd
        return row

    assert_honest(setting, 1, 0.3)
    monkeypatch.setattr(Lockstep, "observed", leaky)
    with pytest.raises(AssertionError, match="unseen"):
        assert_honest(setting, 1, 1.0)


@pytest.mark.parametrize("block", ["hand", "lying", "hand_sizes", "tricks", "owes", "pain", "led"])
def test_a_missing_fact_is_found(block: str, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Lockstep.observed

    def blind(self: Lockstep, seat: int) -> Any:
        row = honest(self, seat)
        row[self.spec.layout[block]] = 0
        return row

    monkeypatch.setattr(Lockstep, "observed", blind)
    with pytest.raises(AssertionError, match="not shown"):
        assert_honest(stichwerk.game("sticheln", seats=4), 1, 0.5)


# -- Single things ---------------------------------------------------------------------------------


def test_an_incomplete_choice_is_hidden_from_others() -> None:
    """Null & nichtig lays out three cards one by one: others see none of them, the seat does."""
    lockstep = Lockstep(stichwerk.game("null-nichtig", seats=4), 5)
    for _ in range(3):
        before = [lockstep.observed(seat) for seat in range(4)]
        lockstep.step()
        after = [lockstep.observed(seat) for seat in range(4)]
        assert [(one != other).any() for one, other in zip(before[1:], after[1:], strict=True)] == [
            lockstep.asked == 1
        ] * 3
        assert differences(lockstep.spec, before[0], after[0])[-1] == "picked"


def test_a_seat_that_passed_a_card_knows_where_it_went() -> None:
    """February: the giver sees the card with the left neighbour until it is laid."""
    lockstep = Lockstep(stichwerk.game("stichtag", seats=4, sheets=["February"]), 2)
    checked = 0
    while not lockstep.over:
        passed = [lockstep.observed(seat)[lockstep.spec.layout["passed"]] for seat in range(4)]
        for seat, block in enumerate(passed):
            for at in np.flatnonzero(block):
                steps, card = divmod(int(at), len(lockstep.spec.cards))
                holders = np.flatnonzero(block.reshape(4, -1)[:, card])
                code, state = lockstep.spec.cards[card], lockstep.batch.state(0)
                seats = [(seat + int(it)) % 4 for it in holders]
                assert any(state.hands[2 * it + code // 64] >> code % 64 & 1 for it in seats)
                assert steps > 0 or len(holders) > 1
                checked += 1
        lockstep.move()
    assert checked


@pytest.mark.parametrize(("name", "seats"), tables())
def test_observations_are_relative_to_the_seat(name: str, seats: int) -> None:
    """The starter sees the same numbers in any seat: seats are steps to the left."""
    rows = []
    for starter in range(seats):
        lockstep = Lockstep(stichwerk.game(name, seats=seats, starter=starter), 3)
        state = lockstep.batch.state(0)
        rows.append([lockstep.observed((starter + step) % seats) for step in range(seats)])
        assert state.starter == starter
    for other in rows[1:]:
        for step in range(seats):
            lost = differences(lockstep.spec, rows[0][step], other[step])
            assert not lost


def test_a_view_gives_only_its_own_seats_observation() -> None:
    match = stichwerk.game("sticheln").new(seed=1)
    with pytest.raises(stichwerk.errors.BadSeatsError):
        observation(Spec("sticheln"), match.view(None))


def test_rows_are_plain_numbers() -> None:
    """Nothing strays above what its scale allows."""
    for at, setting in enumerate(DAYS[::5]):
        lockstep = Lockstep(setting, at)
        while not lockstep.over:
            row = lockstep.observed(lockstep.asked)
            assert np.isfinite(row).all()
            assert np.abs(row).max() <= 4
            lockstep.move()


# -- Custom sheets ---------------------------------------------------------------------------------

SHEET = '''
from stichwerk.games.stichtag.sheet import Sheet


class Turning(Sheet):
    """Trump goes from colour to colour, trick by trick."""

    name = "red 5"
    replaces = ("trump",)
    origin = "own"
    title = ("Wechsel", "Turning")
    short = ("k", "s")
    long = ("l", "l")

    def trump(self, state):
        return state.tricks_done % 6
'''


def test_a_custom_sheet_shows_its_trump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written in Python, it may change the trump at any time; the observation follows the view."""
    (tmp_path / "turning.py").write_text(SHEET, "utf-8")
    monkeypatch.setenv(own.VARIABLE, str(tmp_path))
    monkeypatch.setattr(own, "_known", {})
    name = own.own_sheets()["red 5"].option
    setting = stichwerk.game("stichtag", seats=3, sheets=[name])
    assert assert_honest(setting, 1, 0.4) > 20
    lockstep, seen = Lockstep(setting, 2), set()
    while not lockstep.over:
        row = lockstep.batch.observations[0]
        seen.add(int(np.argmax(row[lockstep.spec.layout["trump"]])))
        lockstep.move()
    assert seen == set(range(6))
