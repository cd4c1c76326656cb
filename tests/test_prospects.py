"""Chances to win a match: what totals are worth, and what `master` makes of them."""

from collections.abc import Iterator
from statistics import pstdev

import pytest
from msgspec.structs import replace

import stichwerk
from stichwerk import bots
from stichwerk.bots.position import Position
from stichwerk.bots.prospects import FILE, fitted_for, prospects_of, read_fitted
from stichwerk.bots.tactics import tactics_of
from stichwerk.engine import frame
from stichwerk.engine.belief import Belief
from stichwerk.engine.foresight import Foresight
from stichwerk.engine.prospects import Prospects
from stichwerk.engine.state import State
from stichwerk.games import registry
from stichwerk.match import Setting
from stichwerk.training import prospects as fitting
from stichwerk.training.prospects import Midway
from stichwerk.view import View
from tests.strategies import plain_rules, plain_state
from tests.test_horizon import decisions

STICHELN = stichwerk.game("sticheln", 4)
MASTER = "master-3"
LEAD = 20
DEALS = 200
TABLES = [
    (STICHELN, (12, 3, -4, 0), 2),
    (stichwerk.game("null-nichtig", 4, teams=2), (9, 30, 12, 8), 1),
    (stichwerk.game("null-nichtig", 3, target=50), (31, 12, 44), 60),
    (stichwerk.game("stichtag", 4, sheets=["green 1"]), (3, 1, 8, 5), 1),
    (stichwerk.game("stichling", 2), (4, 4), 2),
]


def after(setting: Setting, totals: tuple[int, ...]) -> State:
    """Return a state after a round with these totals."""
    state = setting.rules.new_state()
    state.totals = [*totals, *(0 for _ in range(6 - len(totals)))]
    return state


def model(setting: Setting, rounds_left: int) -> Prospects:
    made = prospects_of(setting.rules, tactics_of(setting.rules))
    made.ahead(rounds_left)
    return made


def shares(setting: Setting, totals: tuple[int, ...], rounds_left: int) -> list[float]:
    made = model(setting, rounds_left)
    return [made.share(after(setting, totals), seat) for seat in range(setting.seats)]


# -- The model -------------------------------------------------------------------------------------


def test_a_lead_is_worth_more_the_fewer_rounds_are_left() -> None:
    leads = [shares(STICHELN, (10, 0, 0, 0), left)[0] for left in (0, 1, 2, 3)]
    assert leads == sorted(leads, reverse=True)
    assert leads[0] == 1.0
    assert leads[-1] > 0.3
    assert shares(STICHELN, (5, 5, 5, 5), 2) == [0.25] * 4


def test_chances_are_the_result_when_no_round_is_left() -> None:
    assert shares(STICHELN, (7, 7, 3, 0), 0) == [0.5, 0.5, 0.0, 0.0]
    teams = stichwerk.game("null-nichtig", 4, teams=2)
    assert shares(teams, (9, 2, 0, 3), 0) == [1.0, 0.0, 1.0, 0.0]
    fewest = stichwerk.game("stichtag", 4, sheets=["green 1"])
    assert shares(fewest, (3, 1, 1, 5), 0) == [0.0, 0.5, 0.5, 0.0]


@pytest.mark.parametrize(("setting", "totals", "left"), TABLES)
def test_chances_add_up_and_follow_the_totals(
    setting: Setting, totals: tuple[int, ...], left: int
) -> None:
    found = shares(setting, totals, left)
    teams = setting.options.get("teams")
    assert sum(found) / (2 if teams else 1) == pytest.approx(1.0)
    assert len(set(found)) == len(set(totals)) if not teams else found[:2] == found[2:]


def test_a_match_to_a_target_nears_its_end_with_the_best_total() -> None:
    target = stichwerk.game("null-nichtig", 4, target=100)
    leads = [shares(target, (best, best - 8, 0, 0), 60)[0] for best in (20, 60, 99, 101)]
    assert leads == sorted(leads)
    assert leads[-1] == 1.0
    assert leads[-2] < 1.0


def test_days_that_totals_do_not_decide_have_no_chances() -> None:
    hearts = stichwerk.game("stichtag", 4, sheets=["green 3"])
    assert shares(hearts, (9, 1, 1, 1), 1) == [0.0] * 4


@pytest.mark.parametrize(("setting", "totals", "left"), TABLES)
def test_plain_and_compiled_agree(setting: Setting, totals: tuple[int, ...], left: int) -> None:
    rules = plain_rules(setting)
    slow = prospects_of(rules, tactics_of(rules))
    assert type(slow) is not Prospects or str(frame.__file__).endswith(".py")
    slow.ahead(left)
    state = plain_state(after(setting, totals))
    fast = shares(setting, totals, left)
    assert [slow.share(state, seat) for seat in range(setting.seats)] == fast


# -- What was learned ------------------------------------------------------------------------------


def test_every_table_was_fitted() -> None:
    tables = {f"{g}-{n}" for g in registry.GAMES for n in registry.kind(g).seat_counts}
    assert set(read_fitted()) == tables, f"{FILE}: python -m stichwerk.training.prospects"


@pytest.mark.slow
def test_fitting_again_gives_nearly_the_same() -> None:
    again, found = fitting.fitted("stichling", 4, 40)
    kept = fitted_for(stichwerk.game("stichling", 4).rules)
    assert again.sharpness == pytest.approx(kept.sharpness, rel=0.4)
    assert again.pace == pytest.approx(kept.pace, rel=0.2)
    assert fitting.surprise(found, again.sharpness) <= fitting.surprise(found, kept.sharpness)


def test_the_sharpest_is_found() -> None:
    """Where the leader always wins it is the highest, where standing means nothing the lowest."""
    sure = [Midway([1.0, 0.0], 1, [1.0, 0.0])]
    none = [*sure, Midway([1.0, 0.0], 1, [0.0, 1.0])]
    assert fitting.sharpest(sure) == pytest.approx(fitting.MOST, abs=0.01)
    assert fitting.sharpest(none) == pytest.approx(fitting.LEAST, abs=0.01)


# -- What `master` makes of it ---------------------------------------------------------------------


def with_totals(view: View, mine: int, theirs: int) -> View:
    """Return the view with other totals: the seat's, those of its neighbour, and nothing."""
    seat = view.seat or 0
    first = [0] * view.seats
    first[seat], first[(seat + 1) % view.seats] = mine, theirs
    others = ((0,) * view.seats for _ in view.scores[1:])
    return replace(view, scores=(tuple(first), *others), totals=tuple(first))


def before_the_last_round() -> Iterator[View]:
    for seed in (3, 4, 5, 6, 7):
        for view in decisions("sticheln", 4, 2, seed):
            yield replace(view, rounds=3)


def choices(bot: str) -> list[tuple[View, str, str]]:
    """Return decisions with the move of a seat far ahead, and of one far behind."""
    asked = bots.build(bot)
    return [
        (
            view,
            asked.choose(with_totals(view, LEAD, 0)),
            asked.choose(with_totals(view, 0, LEAD)),
        )
        for view in before_the_last_round()
    ]


def risk(view: View, text: str) -> float:
    """Return how much what a move leads to varies."""
    position = Position(view)
    (move,) = [one for one in position.moves() if one.text == text]
    belief = Belief(position.tactics, tactics_of(position.rules, "small"), True)
    trail = position.trail()
    if trail:
        belief.remember(*trail, 4)
    foresight = Foresight(belief, position.tactics)
    foresight.begin(position.known, position.seat, 1)
    return pstdev(foresight.worths([move.steps], DEALS)[0])


@pytest.mark.slow
def test_a_leader_plays_safe_and_a_seat_behind_takes_risks() -> None:
    different = [one for one in choices(MASTER) if one[1] != one[2]]
    assert len(different) > 2
    ahead = sum(risk(view, move) for view, move, _ in different)
    behind = sum(risk(view, move) for view, _, move in different)
    assert ahead < behind


@pytest.mark.slow
def test_master_2_took_no_notice_before_the_last_round() -> None:
    assert all(ahead == behind for _, ahead, behind in choices("master-2@60"))
