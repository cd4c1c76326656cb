"""The green sheets: when a match ends, and who wins it."""

from typing import Any

import pytest

import stichwerk
from stichwerk.engine.frame import Game
from tests.rulebook.table import random_match, rounds_of
from tests.sheets.desk import played, rounds

pytestmark = pytest.mark.game("stichtag")


def rules_of(sheet: str) -> Game:
    return stichwerk.game("stichtag", 3, sheets=[sheet]).rules


# -- Green 0 and 1: three rounds, most or fewest points --------------------------------------------


@pytest.mark.parametrize(
    ("sheet", "ranks"), [("green 0", "Ben, Ada=Cem"), ("green 1", "Ada=Cem, Ben")]
)
def test_three_rounds_most_or_fewest_points(sheet: str, ranks: str) -> None:
    made = played(sheet, (4, 4, 4), (3, 5, 4), (4, 5, 3))
    assert made.match.totals == (11, 14, 11)
    assert made.match.over
    assert made.ranks() == ranks
    assert made.view.rounds == 3


@pytest.mark.parametrize("sheet", ["green 0", "green 1"])
def test_not_over_after_two_rounds(sheet: str) -> None:
    assert not played(sheet, (4, 4, 4), (3, 5, 4)).match.over


def test_green_1_ranks_rising() -> None:
    """The example of the sheet: 11, 8 and 17: the 8 wins, the 17 is last."""
    assert rules_of("green 1").ranking([(11, 8, 17), (0, 0, 0)]) == [[1], [0], [2]]
    assert rules_of("green 1").ranking([(-5, -4, 0)]) == [[0], [1], [2]]


def test_every_red_and_month_keeps_a_plain_point_a_trick_on_green_0() -> None:
    made = played("green 0", (2, 6, 4))
    assert made.scores() == (2, 6, 4)


# -- Green 2: exactly 12, with five seats exactly 10 -----------------------------------------------


def test_green_2_exactly_twelve_wins_at_once() -> None:
    made = played("green 2", (6, 2, 4), (6, 5, 1))
    assert made.match.totals == (12, 7, 5)
    assert made.match.over
    assert made.ranks() == "Ada, Ben, Cem"


@pytest.mark.parametrize(("seats", "target"), [(3, 12), (4, 12), (5, 10)])
@pytest.mark.parametrize("day", [{"sheets": ["green 2"]}, {"date": "05-23"}])
def test_green_2_the_target_goes_by_seats(seats: int, target: int, day: dict[str, Any]) -> None:
    """In version 1 of the rules it is 12 for all."""
    for rules, wanted in ((1, 12), (2, target)):
        game = stichwerk.game("stichtag", seats, rules=rules, **day).rules
        for first in range(8, 14):
            scores = [(first - 1, *range(seats - 1)), (1, *[0] * (seats - 1))]
            assert game.match_over(scores) == (first == wanted)


@pytest.mark.parametrize("rules", [1, 2])
def test_green_2_five_seats_subtract_what_goes_above_their_target(rules: int) -> None:
    target = {1: 12, 2: 10}[rules]
    lost = 0
    for seed in range(8):
        match = random_match("stichtag", 5, seed, rules=rules, sheets=["green 2"])
        totals = [0] * 5
        for one, scores in zip(rounds_of(match), match.scores, strict=True):
            tricks = [
                len([trick for trick in one.tricks if trick.taker == seat]) for seat in range(5)
            ]
            for seat, brought in enumerate(tricks):
                above = totals[seat] + brought > target
                assert scores[seat] == (-brought if above else brought)
                lost += above and brought > 0
                totals[seat] += scores[seat]
    assert lost


def test_green_2_several_with_the_target_the_larger_last_round_wins() -> None:
    made = played("green 2", (6, 5, 1), (6, 1, 5), (1, 6, 5))
    assert made.match.totals == (12, 6, 6)  # over after round 2: the third deal is not needed
    made = played("green 2", (5, 5, 2), (4, 4, 4), (3, 3, 6))
    assert made.match.scores[2] == (3, 3, 6)
    assert made.match.totals == (12, 12, 12)
    assert made.ranks() == "Cem, Ada=Ben"


def test_green_2_in_version_1_several_with_twelve_share() -> None:
    made = played("green 2", (5, 5, 2), (4, 4, 4), (3, 3, 6), rules=1)
    assert made.match.totals == (12, 12, 12)
    assert made.ranks() == "Ada=Ben=Cem"


TIES = [
    # The last round decides, then the one before; equal in all: shared.
    ([(5, 4, 0), (7, 8, 1)], [[1], [0], [2]]),
    ([(1, 2, 0), (6, 5, 1), (5, 5, 1)], [[0], [1], [2]]),
    ([(5, 5, 0), (7, 7, 1)], [[0, 1], [2]]),
    # A subtracted round counts negative, left points 0.
    ([(9, 9, 2), (-4, 0, 2), (7, 3, 2)], [[0], [1], [2]]),
    ([(9, 4, 0), (-4, 1, 0), (7, 7, 0)], [[1], [0], [2]]),
    ([(5, 4, 0), (0, 1, 0), (7, 7, 0)], [[1], [0], [2]]),
    ([(6, 3, 0), (-1, 0, 0), (0, 2, 0), (7, 7, 0)], [[1], [0], [2]]),
    # Every place is compared in the same way, also below zero and without a target.
    ([(12, 3, 2), (0, 2, 3)], [[0], [2], [1]]),
    ([(1, 2, 3), (2, 1, 2), (1, 1, 1), (1, 1, -1)], [[0], [1], [2]]),
    ([(3, 3, 8), (-5, -4, -7), (-1, -2, 0), (1, 1, 1)], [[2], [0], [1]]),
    ([(4, 1, 4), (1, 4, 1), (2, 2, 2), (2, 2, 2)], [[1], [0, 2]]),
]


@pytest.mark.parametrize(("scores", "ranking"), TIES)
def test_green_2_equal_totals_are_compared_round_by_round_from_the_last(
    scores: list[tuple[int, ...]], ranking: list[list[int]]
) -> None:
    assert rules_of("green 2").match_over(scores)
    assert rules_of("green 2").ranking(scores) == ranking


def test_green_2_in_version_1_equal_totals_share_every_place() -> None:
    rules = stichwerk.game("stichtag", 3, rules=1, sheets=["green 2"]).rules
    shared = [[[0, 1], [2]]] * 7
    shared += [[[0], [1, 2]], [[0, 1, 2]], [[2], [0, 1]], [[0, 1, 2]]]
    assert [rules.ranking(scores) for scores, _ in TIES] == shared


def test_green_2_the_target_comes_before_a_higher_place_of_others() -> None:
    """Nobody can be above it, so who reached it is first; five seats."""
    rules = stichwerk.game("stichtag", 5, sheets=["green 2"]).rules
    scores = [(4, 5, 9, 6, 4), (6, 5, -3, 3, 5)]
    assert rules.match_over(scores)
    assert rules.ranking(scores) == [[0], [1], [4], [3], [2]]


def test_green_2_what_would_go_above_twelve_is_subtracted() -> None:
    """The sheet's example: at 9, 3 points win, 4 points lead back to 5. 13 is above, 12 is not."""
    made = played("green 2", (9, 1, 2), (4, 5, 3))
    assert made.match.scores[1] == (-4, 5, 3)
    assert made.match.totals == (5, 6, 5)
    assert not made.match.over


def test_green_2_totals_may_fall_below_zero() -> None:
    made = played("green 2", (5, 4, 3), (9, 1, 2))
    assert made.match.totals == (-4, 5, 5)
    made = played("green 2", (5, 4, 3), (9, 1, 2), (4, 4, 4))
    assert made.match.totals == (0, 9, 9)


@pytest.mark.parametrize(("rules", "ranks"), [(1, "Ben=Cem, Ada"), (2, "Ben=Cem, Ada")])
def test_green_2_ends_after_four_rounds_with_the_highest_total(rules: int, ranks: str) -> None:
    """Ben and Cem have the same points in every round, so version 2 cannot part them either."""
    results = ((2, 5, 5), (2, 5, 5), (2, 5, 5), (2, 5, 5))
    made = played("green 2", *results[:3], rules=rules)
    assert made.match.totals == (6, 5, 5)  # 10 + 5 is above 12
    assert not made.match.over
    made = played("green 2", *results, rules=rules)
    assert made.match.totals == (8, 10, 10)
    assert made.ranks() == ranks
    assert made.view.rounds == 4


def test_green_2_after_four_rounds_equal_totals_are_compared() -> None:
    results = ((2, 4, 6), (2, 6, 4), (2, 3, 7), (2, 3, 7))
    made = played("green 2", *results)
    assert made.match.scores == ((2, 4, 6), (2, 6, 4), (2, -3, -7), (2, 3, 7))
    assert made.match.totals == (8, 10, 10)
    assert made.ranks() == "Cem, Ben, Ada"
    assert played("green 2", *results, rules=1).ranks() == "Ben=Cem, Ada"


def test_green_2_twelve_in_the_fourth_round_wins() -> None:
    rules = rules_of("green 2")
    scores = [(3, 4, 5), (3, 4, 5), (3, -4, 1), (3, 4, -10)]
    assert not rules.match_over(scores[:3])
    assert rules.match_over(scores)
    assert rules.ranking(scores) == [[0], [1], [2]]


def test_green_2_looks_at_the_total_after_the_round_only() -> None:
    rules = rules_of("green 2")
    assert not rules.match_over([(11, 1, 0)])
    assert not rules.match_over([(12, 1, 0), (-1, 1, 0)])
    assert rules.match_over([(11, 1, 0), (1, 1, 0)])


# -- Green 3: hearts -------------------------------------------------------------------------------


def test_green_3_the_fewest_points_of_the_round_cost_a_heart() -> None:
    made = rounds("green 3", (2, 6, 4))
    assert made.fact("hearts") == [2, 2, 2]
    made = played("green 3", (2, 6, 4))
    assert made.fact("hearts") == [1, 2, 2]
    made = played("green 3", (3, 6, 3))
    assert made.fact("hearts") == [1, 2, 1]


def test_green_3_nobody_loses_when_all_are_level() -> None:
    assert played("green 3", (4, 4, 4)).fact("hearts") == [2, 2, 2]


def test_green_3_looks_at_the_round_not_at_the_total() -> None:
    made = played("green 3", (9, 2, 1), (2, 6, 4))
    assert made.fact("hearts") == [1, 2, 1]
    assert made.match.totals == (11, 8, 5)


def test_green_3_ends_when_someone_has_no_heart_left() -> None:
    made = played("green 3", (2, 4, 6), (3, 5, 4))
    assert made.match.over
    assert made.ranks() == "Cem, Ben, Ada"  # 2 hearts each: 10 points against 9
    made = played("green 3", (2, 5, 5), (3, 4, 5))
    assert made.ranks() == "Cem, Ben, Ada"
    made = played("green 3", (1, 5, 6), (2, 6, 4))
    assert made.match.totals == (3, 11, 10)
    assert made.ranks() == "Ben, Cem, Ada"


def test_green_3_hearts_come_before_points() -> None:
    rules = rules_of("green 3")
    scores = [(11, 0, 1), (2, 5, 5), (2, 5, 5)]
    assert rules.match_over(scores)
    assert not rules.match_over(scores[:2])
    assert rules.ranking(scores) == [[2], [1], [0]]
    assert sum(points[0] for points in scores) > sum(points[2] for points in scores)


def test_green_3_level_in_hearts_and_points_share() -> None:
    made = played("green 3", (2, 5, 5), (2, 5, 5))
    assert made.ranks() == "Ben=Cem, Ada"


def test_green_3_ends_after_four_rounds() -> None:
    results = ((4, 4, 4), (3, 4, 5), (5, 3, 4), (4, 4, 4))
    assert not played("green 3", *results[:3]).match.over
    made = played("green 3", *results)
    assert made.match.over
    assert made.fact("hearts") == [1, 1, 2]
    assert made.ranks() == "Cem, Ada, Ben"
    assert made.view.rounds == 4


def test_hearts_outlast_a_round_and_only_green_3_has_them() -> None:
    """Line 6."""
    made = played("green 3", (2, 4, 6), (5, 3, 4))
    assert made.fact("hearts") == [1, 1, 2]
    assert "hearts" not in played("green 0", (4, 4, 4)).view.table
