"""Many matches at once are the same as one by one: masks, steps, rewards, seeds, episodes."""

import hashlib
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import stichwerk
from stichwerk import own_games
from stichwerk.engine import frame, plain
from stichwerk.engine.frame import Game
from stichwerk.envs import (
    BadActionError,
    BadBatchError,
    Batch,
    MissingExtraError,
    Spec,
    batch,
    extras,
)
from stichwerk.envs.batch import observer, placed, worth
from stichwerk.errors import BadSeatsError, BadSeedError
from stichwerk.games import registry
from stichwerk.match import Setting
from tests.envs.lockstep import Lockstep
from tests.strategies import all_rules, all_sheets, setting_id, some_combinations, some_days, tables

pytestmark = pytest.mark.game

EXAMPLE = Path(__file__).parents[2] / "docs/examples/own_game.py"
DAYS = [*some_combinations(), *all_sheets()[::3], *some_days(61)]
COMPILED = not frame.__file__.endswith(".py")


def spec_of(setting: Setting) -> Spec:
    return Spec(setting.name, setting.seats, setting.options)


def listed(spec: Spec, state: Any, seat: int) -> set[int]:
    """Return what the rules allow, as ids."""
    return {spec.code(action, seat) for action in spec.rules.actions(state, seat)}


def lowest(owes: int) -> int:
    return (owes & -owes).bit_length() - 1


# -- One by one ------------------------------------------------------------------------------------


def assert_by_the_rules(setting: Setting, size: int, steps: int) -> int:
    """Compare every match of a batch with the rules on a copy; return the number of episodes."""
    spec = spec_of(setting)
    many, ended = Batch(spec, size, seed=7), 0
    beside = [many.state(at).copy() for at in range(size)]
    for _ in range(steps):
        for at, state in enumerate(beside):
            seat = lowest(state.owes)
            assert many.seats[at] == seat
            assert set(np.flatnonzero(many.masks[at])) == listed(spec, state, seat)
            assert (many.observations[at] == many.observe(at, seat)).all()
        chosen = many.random_actions()
        many.step(chosen)
        for at, state in enumerate(beside):
            seat = lowest(state.owes)
            spec.rules.play(state, seat, spec.action(int(chosen[at]), seat))
            assert many.done[at] == (state.owes == 0)
            if state.owes:
                assert not many.rewards[at].any()
            else:
                sign = worth(spec.rules)[0]
                points = [sign * state.points[it] for it in range(spec.seats)]
                assert list(many.rewards[at]) == points
                beside[at] = many.state(at).copy()
                ended += 1
    return ended


@pytest.mark.parametrize("setting", all_rules(), ids=setting_id)
def test_a_batch_plays_by_the_rules(setting: Setting) -> None:
    assert assert_by_the_rules(setting, 3, 170) >= 3


@pytest.mark.slow
def test_a_batch_plays_many_days_by_the_rules() -> None:
    for setting in DAYS:
        assert assert_by_the_rules(setting, 2, 140)


@pytest.mark.parametrize(("name", "seats"), tables())
def test_a_batch_plays_whole_matches_by_the_rules(name: str, seats: int) -> None:
    """A match played in parallel, with its own rounds and ranking, gives the same result."""
    lockstep = Lockstep(stichwerk.game(name, seats=seats), 4, "match")
    while not lockstep.over:
        assert lockstep.asked == lockstep.match.waiting_for[0]
        assert not lockstep.batch.rewards.any()
        lockstep.move()
    assert lockstep.match.over
    assert lockstep.batch.scores(0) == lockstep.match.scores
    ranking = lockstep.match.ranking
    assert ranking is not None
    assert lockstep.batch.rewards[0] == pytest.approx(placed(ranking, seats))


@pytest.mark.parametrize("sheets", [["green 1"], ["green 2"], ["green 3"], ["green 3", "red 4"]])
def test_a_batch_ends_matches_early_by_their_goal(sheets: list[str]) -> None:
    for seed in range(3):
        lockstep = Lockstep(stichwerk.game("stichtag", seats=3, sheets=sheets), seed, "match")
        while not lockstep.over:
            lockstep.move()
        assert lockstep.match.over
        assert lockstep.batch.rewards[0].sum() == pytest.approx(0, abs=1e-6)
        assert lockstep.batch.rewards[0].any()


def test_a_batch_ends_matches_at_their_target() -> None:
    setting = stichwerk.game("null-nichtig", seats=3, target=60)
    lockstep = Lockstep(setting, 1, "match")
    while not lockstep.over:
        lockstep.move()
    assert lockstep.match.over
    assert max(lockstep.match.totals) > 60


# -- Rewards ---------------------------------------------------------------------------------------


def test_rewards_are_higher_for_better_results_in_every_game() -> None:
    def signs(*given: Any, **options: Any) -> list[int]:
        rules = stichwerk.game(*given, **options).rules
        return worth(rules)[: rules.seats]

    assert signs("sticheln", seats=3) == [1, 0, 0]
    assert signs("stichling", seats=2) == [1, 0]
    assert signs("null-nichtig", seats=4, teams=2) == [1, 0, 1, 0]
    for green, sign in enumerate([1, -1, 1, 1]):
        assert signs("stichtag", seats=3, sheets=[f"green {green}"]) == [sign, 0, 0]


def test_a_team_gets_its_points_together() -> None:
    many = Batch(Spec("null-nichtig", 4, {"teams": 2}), 1, auto_reset=False)
    while not many.done[0]:
        many.step(many.random_actions())
    points = [many.state(0).points[seat] for seat in range(4)]
    assert list(many.rewards[0]) == [points[0] + points[2], points[1] + points[3]] * 2


def test_tied_seats_share_the_mean_reward() -> None:
    assert placed([[2], [0], [1], [3]], 4) == pytest.approx([1 / 3, -1 / 3, 1, -1])
    assert placed([[0, 2], [1]], 3) == pytest.approx([0.5, -1, 0.5])
    assert placed([[0, 1]], 2) == [0, 0]


# -- Seeds -----------------------------------------------------------------------------------------


def course(spec: Spec, size: int, seed: int, steps: int = 90, episode: Any = "round") -> list[str]:
    """Return everything visible of each match, as one digest each."""
    many = Batch(spec, size, seed, episode)
    digests = [hashlib.sha256() for _ in range(size)]
    for _ in range(steps):
        chosen = many.random_actions()
        for at, digest in enumerate(digests):
            for part in (many.seats, many.observations, many.masks, many.rewards, chosen):
                digest.update(np.ascontiguousarray(part[at]).tobytes())
        many.step(chosen)
    return [digest.hexdigest() for digest in digests]


@pytest.mark.parametrize("game", ["sticheln", "stichtag"])
def test_a_match_depends_on_seed_and_index_alone(game: str) -> None:
    spec = Spec(game, 4)
    few, many = course(spec, 3, 5), course(spec, 40, 5)
    assert few == many[:3]
    assert len(set(many)) == 40
    assert set(many).isdisjoint(course(spec, 40, 6))
    assert course(spec, 3, 5, episode="match") != few


def test_deals_do_not_depend_on_what_was_chosen() -> None:
    """The second episode has the same cards, whatever was played in the first."""
    spec, hands = Spec("sticheln", 4), []
    for first in (True, False):
        many = Batch(spec, 1)
        while not many.done[0]:
            legal = np.flatnonzero(many.masks[0])
            many.step(legal[:1] if first else legal[-1:])
        hands.append([many.state(0).hands[at] for at in range(8)])
    assert hands[0] == hands[1]


def test_episodes_differ_and_a_seed_restarts_them() -> None:
    many = Batch(Spec("sticheln"), 2, seed=9)
    first = many.observations.copy()
    many.reset()
    assert (many.observations != first).any(axis=1).all()
    many.reset(seed=9)
    assert (many.observations == first).all()
    many.reset(only=[1])
    assert (many.observations == first).all(axis=1).tolist() == [True, False]


def test_starters_are_drawn_evenly_unless_named() -> None:
    many = Batch(Spec("stichtag", 4), 400)
    found = [many.state(at).starter for at in range(400)]
    assert min(found.count(seat) for seat in range(4)) > 60
    fixed = Batch(Spec("stichtag", 4, {"starter": 2}), 20)
    assert {fixed.state(at).starter for at in range(20)} == {2}


def test_random_actions_are_even() -> None:
    many = Batch(Spec("stichling", 4), 1, seed=3)
    open_now = np.flatnonzero(many.masks[0])
    found = [int(many.random_actions()[0]) for _ in range(600)]
    counts = [found.count(int(code)) for code in open_now]
    assert sum(counts) == 600
    assert min(counts) > 60  # six orders: a hundred each, give or take


# -- Refusals --------------------------------------------------------------------------------------


def test_a_wrong_id_changes_nothing() -> None:
    many = Batch(Spec("sticheln"), 3, seed=1)
    before = [part.copy() for part in (many.seats, many.observations, many.masks)]
    chosen = many.random_actions()
    chosen[2] = next(code for code in range(120) if not many.masks[2, code])
    with pytest.raises(BadActionError, match="of match 2 now") as refusal:
        many.step(chosen)
    assert refusal.value.data["match"] == 2
    after = (many.seats, many.observations, many.masks)
    assert all((one == other).all() for one, other in zip(before, after, strict=True))


@pytest.mark.parametrize("code", [-1, 120, 2**31 - 1, -(2**31), 2**32, 2**63 - 1])
def test_an_id_out_of_range_is_refused(code: int) -> None:
    with pytest.raises(BadActionError, match=f"There is no action {code};"):
        Batch(Spec("sticheln"), 1).step([code])


@pytest.mark.parametrize("ids", [[1.0], [True], ["1"], np.zeros(1, np.float32)])
def test_ids_must_be_whole_numbers(ids: Any) -> None:
    with pytest.raises(BadBatchError, match="whole numbers"):
        Batch(Spec("sticheln"), 1).step(ids)


def test_writing_into_a_mask_does_not_make_an_action_legal() -> None:
    many = Batch(Spec("sticheln"), 1)
    closed = next(code for code in range(120) if not many.masks[0, code])
    many.masks[0, closed] = 1
    with pytest.raises(BadActionError, match="is not open"):
        many.step([closed])


def test_bad_arguments_are_refused() -> None:
    spec = Spec("sticheln")
    for size in (0, -1, True, 2.0, 10**7):
        with pytest.raises(BadBatchError, match="A batch cannot have"):
            Batch(spec, size)  # type: ignore[arg-type]
    with pytest.raises(BadBatchError, match="An episode cannot be"):
        Batch(spec, 1, episode="game")  # type: ignore[arg-type]
    for seed in (-1, 2**53, True):
        with pytest.raises(BadSeedError):
            Batch(spec, 1, seed=seed)
    many = Batch(spec, 2)
    with pytest.raises(BadBatchError, match=r"\(2,\)"):
        many.step([1])
    with pytest.raises(BadBatchError, match=r"\(2,\)"):
        many.random_actions(np.zeros(2, np.int64))
    with pytest.raises(BadSeatsError):
        many.observe(0, 4)
    for at in (-1, 2):
        for refused in (
            lambda at=at: many.reset(only=[0, at]),
            lambda at=at: many.observe(at, 0),
            lambda at=at: many.scores(at),
            lambda at=at: many.state(at),
        ):
            with pytest.raises(BadBatchError, match="There is no match"):
                refused()


def test_missing_numpy_is_reported_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(MissingExtraError, match=r"NumPy .*pip install 'stichwerk\[envs\]'"):
        Batch(Spec("sticheln"), 1)


# -- Arrays ----------------------------------------------------------------------------------------


def test_arrays_are_reused() -> None:
    many = Batch(Spec("sticheln"), 4)
    parts = (many.seats, many.observations, many.masks, many.rewards, many.done)
    assert [part.dtype for part in parts] == [np.int8, np.float32, np.uint8, np.float32, np.uint8]
    places = [part.ctypes.data for part in parts]
    out = np.empty(4, np.int32)
    for _ in range(80):
        assert many.random_actions(out) is out
        many.step(out)
    again = (many.seats, many.observations, many.masks, many.rewards, many.done)
    assert [part.ctypes.data for part in again] == places


def test_ids_may_have_any_integer_type() -> None:
    for kind in (np.int64, np.int16, list):
        many = Batch(Spec("sticheln"), 4, seed=2)
        chosen = many.random_actions()
        many.step(list(map(int, chosen)) if kind is list else chosen.astype(kind))
        assert many.seats.tolist() == [1] * 4


def test_a_batch_without_observations_plays_the_same() -> None:
    quick, slow = Batch(Spec("sticheln"), 3, 1, observations=False), Batch(Spec("sticheln"), 3, 1)
    assert quick.observations.shape == (0, quick.spec.width)
    for _ in range(90):
        quick.step(quick.random_actions())
        slow.step(slow.random_actions())
        assert (quick.masks == slow.masks).all()
    assert (quick.observe(1, 2) == slow.observe(1, 2)).all()


def test_without_auto_reset_finished_matches_stay_finished() -> None:
    many = Batch(Spec("stichling", 2), 2, auto_reset=False)
    while not many.done.all():
        many.step(many.random_actions())
    assert many.seats.tolist() == [-1, -1]
    assert not many.masks.any()
    assert many.random_actions().tolist() == [-1, -1]
    points = many.observe(0, 1)[many.spec.layout["points"]] * 32
    assert points.tolist() == [many.state(0).points[seat] for seat in (1, 0)]
    many.step([5, 5])
    assert many.done.all()
    assert not many.rewards.any()
    many.reset(only=[0])
    assert many.done.tolist() == [0, 1]


def test_batches_in_threads_do_not_interfere() -> None:
    """The work is done without the interpreter lock, each batch in its own thread."""
    spec = Spec("stichtag", 4, {"date": "02-17"})
    alone = [course(spec, 20, seed) for seed in range(3)]
    with ThreadPoolExecutor(3) as threads:
        assert list(threads.map(lambda seed: course(spec, 20, seed), range(3))) == alone


# -- Plain and compiled ----------------------------------------------------------------------------


def uncompiled(spec: Spec, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have this spec play by the plain twin of its rules."""
    kind: Any = type(spec.rules)
    twin = getattr(plain.twin(kind.__module__), kind.__name__)
    monkeypatch.setattr(spec, "rules", twin(spec.seats, spec.options))


@pytest.mark.parametrize("setting", [*all_rules()[::2], *some_combinations()[::2]], ids=setting_id)
def test_both_engines_give_the_same_arrays(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    fast, slow = spec_of(setting), spec_of(setting)
    uncompiled(slow, monkeypatch)
    assert isinstance(slow.rules, Game) is not COMPILED
    assert course(fast, 2, 3, 75) == course(slow, 2, 3, 75)


@pytest.mark.parametrize("sheets", [["green 3"], ["February", "red 8"]])
def test_both_engines_play_matches_the_same(
    sheets: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over the end of rounds, with what seats know besides the state."""
    fast, slow = (Spec("stichtag", 3, {"sheets": sheets}) for _ in range(2))
    uncompiled(slow, monkeypatch)
    assert course(fast, 1, 3, 130, "match") == course(slow, 1, 3, 130, "match")


# -- A custom game ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def own_game() -> Iterator[ModuleType]:
    """The example, registered for these tests."""
    name, known = "stichwerk_own_own_game", dict(registry.GAMES)
    if name not in sys.modules:
        registry.GAMES.pop("odd-even", None)
        own_games._read(EXAMPLE, name)
    yield sys.modules[name]
    registry.GAMES.clear()
    registry.GAMES.update(known)
    registry._build.cache_clear()
    if "odd-even" not in known:
        del sys.modules[name]


@pytest.mark.usefixtures("own_game")
def test_a_custom_game_runs_in_a_batch() -> None:
    setting = stichwerk.game("odd-even", seats=3)
    spec = spec_of(setting)
    assert spec.actions == 44
    assert assert_by_the_rules(setting, 2, 60) >= 4
    assert course(spec, 2, 1, 30) == course(spec, 3, 1, 30)[:2]


def with_numbers(own: Any) -> Any:
    class Counting(own.OddEven):  # type: ignore[misc]
        """The same game, telling each seat how many odd cards it holds."""

        observed_names = ("odd cards",)

        def observed(self, state: Any, seat: int) -> list[float]:
            if state.plays > 4:
                raise ValueError("seen enough")
            return [float((state.hands[2 * seat] & own.ODD).bit_count())]

    return Counting


def test_a_custom_game_may_add_numbers(
    own_game: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = Spec("odd-even", 3)
    rules = with_numbers(own_game)(3, spec.options)
    monkeypatch.setattr("stichwerk.games.registry.build", lambda *_: rules)
    spec = Spec("odd-even", 3)
    many = Batch(spec, 2)
    hands = [many.state(at).hands[2 * many.seats[at]] for at in range(2)]
    odd = [(hand & own_game.ODD).bit_count() for hand in hands]
    assert many.observations[:, spec.layout["numbers"]].tolist() == [[it] for it in odd]
    for _ in range(4):
        many.step(many.random_actions())
    with pytest.raises(ValueError, match="seen enough"):
        many.step(many.random_actions())


def test_an_undeclared_kind_of_action_is_an_error(
    own_game: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Strange(own_game.OddEven):  # type: ignore[misc, name-defined]
        step_kinds = (1,)

    rules = Strange(3, Spec("odd-even", 3).options)
    monkeypatch.setattr("stichwerk.games.registry.build", lambda *_: rules)
    with pytest.raises(BadActionError, match="step_kinds"):
        Batch(Spec("odd-even", 3), 1)


def test_a_game_that_lists_its_own_moves_gets_every_kind(own_game: ModuleType) -> None:
    class Listing(own_game.OddEven):  # type: ignore[misc, name-defined]
        def legal_plays(self, state: Any, seat: int, moves: Any) -> None:
            super().legal_plays(state, seat, moves)

    from stichwerk.envs.actions import KINDS
    from stichwerk.envs.spec import step_kinds

    options = Spec("odd-even", 3).options
    assert step_kinds(own_game.OddEven(3, options)) == (0,)
    assert step_kinds(Listing(3, options)) == tuple(KINDS)


def test_an_observer_can_observe_any_state() -> None:
    spec = Spec("sticheln")
    out = np.zeros((1, spec.width), np.float32)
    match = stichwerk.game("sticheln").new(seed=4)
    assert observer(spec, out) is not None
    assert (batch.observation(spec, match.view(2))[spec.layout["hand"]] == 1).sum() == 15
    assert extras.EXTRAS["numpy"][1] == "envs"


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
