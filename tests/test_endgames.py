"""Exact endgames are exact: as if everything were tried, on hundreds of positions a game.

`stichwerk.arena.positions.endgame_check` tries everything; it shares nothing with the engine's
solution but the rules and what a finished round is worth.
"""

from itertools import permutations
from math import comb
from statistics import fmean, pstdev

import pytest

import stichwerk
from stichwerk.arena.positions.endgame_check import (
    mean_values,
    perfect_values,
    splits_into_hands,
    unseen_cards,
)
from stichwerk.bots.position import Position
from stichwerk.bots.tactics import tactics_of
from stichwerk.engine import frame
from stichwerk.engine.endgame import Endgame
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Tactics
from stichwerk.games import registry
from stichwerk.match import Setting
from stichwerk.view import View
from tests.length import by_length
from tests.strategies import calendar_options, play_on, setting_id, some_values

FEW, MANY = 20, by_length(125, 1_000)
ALL_DEALS = 10**9  # positions: no budget at all

PLAIN = str(frame.__file__).endswith(".py")

pytestmark = [
    pytest.mark.game,
    pytest.mark.skipif(PLAIN, reason="takes far too long uncompiled"),
]
every_game = pytest.mark.parametrize("game", registry.GAMES)


def parameter_id(parameter: object) -> str:
    """Return a parameter in the name of a test."""
    return setting_id(parameter) if isinstance(parameter, Setting) else str(parameter)


# -- Open cards ------------------------------------------------------------------------------------


def any_setting(game: str, rng: Generator) -> Setting:
    """Return any number of seats and any options of a game."""
    counts = registry.kind(game).seat_counts
    seats = counts[rng.number(len(counts))]
    options = {}
    for option in registry.options_of(game, seats):
        values = some_values(option)
        options[option.name] = values[rng.number(len(values))]
    if game == "stichtag":
        del options["rounds"]
        days = calendar_options()
        options |= days[rng.number(len(days))]
    return stichwerk.game(game, seats=seats, **options)


def most_cards(setting: Setting, rng: Generator) -> int:
    """Return three cards in the fullest hand, two now and then, and always where trying everything
    takes too long: from four seats in Stichling, where a card fits several tricks, else from five
    or six."""
    many = setting.seats >= {"stichling": 4, "stichtag": 5}.get(setting.name, 6)
    return 2 if many or rng.number(4) == 0 else 3


def ending(setting: Setting, rng: Generator) -> State:
    """Return an open position in play: random moves until no hand has more than these cards.

    Now and then a few more moves are made, so that tricks lie open.
    """
    rules, state, cards = setting.rules, State(), most_cards(setting, rng)
    state.round, state.starter = 1 + rng.number(2), rng.number(setting.seats)
    rules.shuffled_round(state, rng)
    more = rng.number(setting.seats)
    while state.owes and (fullest(state) > cards or more):
        more -= fullest(state) <= cards
        seat = next(seat for seat in range(setting.seats) if state.owes >> seat & 1)
        actions = rules.actions(state, seat)
        rules.play(state, seat, actions[rng.number(len(actions))])
    return state


def fullest(state: State) -> int:
    """Cards in the fullest hand, including cards set aside."""
    sizes = zip(state.hand_size, state.aside_size, strict=True)
    return max(hand + aside for hand, aside in sizes)


def assert_exact(game: str, positions: range) -> None:
    """Check that all these positions come out the same in both ways; some have a choice."""
    choices = 0
    for seed in positions:
        rng = Generator(seed)
        setting = any_setting(game, rng)
        state = ending(setting, rng)
        choices += bool(state.owes)
        tactics = tactics_of(setting.rules)
        solved = Endgame(tactics, 0).open_values(state)
        assert solved == perfect_values(setting.rules, tactics, state), f"{setting}, seed {seed}"
    assert choices > 0.9 * len(positions)


@every_game
def test_open_endings_are_solved_exactly(game: str) -> None:
    assert_exact(game, range(FEW))


@pytest.mark.long
@pytest.mark.slow
@every_game
def test_many_open_endings_are_solved_exactly(game: str) -> None:
    assert_exact(game, range(MANY))


def test_among_equals_the_first_move_listed_is_made() -> None:
    """What a tie does to the others depends on the move: the definition has to say which."""
    rules = stichwerk.game("sticheln", seats=4).rules
    tactics = tactics_of(rules)
    differ = 0
    for seed in range(40):
        rng = Generator(seed)
        state = ending(stichwerk.game("sticheln", seats=4), rng)
        if state.owes:
            last = last_of_equals(rules, tactics, state)
            differ += last != Endgame(tactics, 0).open_values(state)
    assert differ


def last_of_equals(rules: Game, tactics: Tactics, state: State) -> list[float]:
    """Solve like `perfect_values`, but with the last move among equals."""
    if not state.owes:
        return [tactics.value(state, seat) for seat in range(rules.seats)]
    seat = next(seat for seat in range(rules.seats) if state.owes >> seat & 1)
    found: list[float] = []
    for action in rules.actions(state, seat):
        after = state.copy()
        rules.play(after, seat, action)
        values = last_of_equals(rules, tactics, after)
        if not found or values[seat] >= found[seat]:
            found = values
    return found


# -- Hidden cards ----------------------------------------------------------------------------------


def late_view(setting: Setting, seed: int, cards: int, more: int = 0) -> View:
    """Return what the seat to move sees with this many cards in the fullest hand, some moves later
    if asked so, and a choice to make."""
    match, rng = setting.new(seed=seed), Generator(seed)
    while True:
        view = match.view(match.waiting_for[0])
        if view.phase == "play" and len(view.moves) > 1 and max(view.hand_sizes) <= cards:
            if not more:
                return view
            more -= 1
        play_on(match, rng, 1)


NO_STOCK = [
    (stichwerk.game("sticheln", seats=3), 2, 0, 12),
    (stichwerk.game("sticheln", seats=3), 3, 1, 4),
    (stichwerk.game("sticheln", seats=4), 2, 0, 6),
    (stichwerk.game("sticheln", seats=4, all_zero="leader"), 2, 1, 4),
    (stichwerk.game("null-nichtig", seats=5), 2, 2, 4),
]


@pytest.mark.parametrize(("setting", "cards", "more", "seeds"), NO_STOCK, ids=parameter_id)
def test_hidden_cards_are_the_mean_over_all_deals(
    setting: Setting, cards: int, more: int, seeds: int
) -> None:
    for seed in range(seeds):
        view = late_view(setting, seed, cards, more)
        position = Position(view)
        endgame = Endgame(position.tactics, 0)
        solved = endgame.values(position.known, position.seat, ALL_DEALS)
        deals = number_of_deals(view)
        assert endgame.count(position.known, position.seat) == deals
        assert {count for count, _, _ in solved.values()} == {deals}
        found = {action: mean for action, (_, mean, _) in solved.items()}
        assert found == pytest.approx(mean_values(view)), f"{setting}, seed {seed}"


def number_of_deals(view: View) -> int:
    """Return in how many ways the unseen cards can be dealt to the other hands."""
    left, ways = len(unseen_cards(view)), 1
    for seat, size in enumerate(view.hand_sizes):
        if seat != view.seat:
            ways *= comb(left, size)
            left -= size
    return ways


def test_splits_are_complete_and_unique() -> None:
    found = [tuple(hands) for hands in splits_into_hands(range(5), [2, 1, 2])]
    expected: set[tuple[tuple[int, ...], ...]] = {
        (tuple(sorted(order[:2])), order[2:3], tuple(sorted(order[3:])))
        for order in permutations(range(5))
    }
    assert len(found) == len(set(found)) == 30
    assert set(found) == expected


def test_the_sum_of_squares_is_that_of_the_deals() -> None:
    position = Position(late_view(stichwerk.game("sticheln", seats=3), 1, 2))
    endgame = Endgame(position.tactics, 0)
    for count, mean, squares in endgame.values(position.known, position.seat, ALL_DEALS).values():
        assert squares >= count * mean**2 - 1e-9


def test_too_many_deals_are_drawn_at_random_within_the_budget() -> None:
    """Fewer deals than there are, close to the mean over all of them, and the same from a seed."""
    position = Position(late_view(stichwerk.game("sticheln", seats=4), 3, 3))
    tactics, known, seat = position.tactics, position.known, position.seat
    exact = Endgame(tactics, 0).values(known, seat, ALL_DEALS)
    drawn = Endgame(tactics, 7).values(known, seat, 300_000)
    deals = {count for count, _, _ in drawn.values()}
    assert len(deals) == 1
    assert 40 <= max(deals) < exact[next(iter(exact))][0]
    for action, (count, mean, squares) in drawn.items():
        error = ((squares / count - mean**2) / count) ** 0.5
        assert mean == pytest.approx(exact[action][1], abs=4 * error + 1e-9)
    assert drawn == Endgame(tactics, 7).values(known, seat, 300_000)
    assert drawn != Endgame(tactics, 8).values(known, seat, 300_000)


def test_more_budget_gives_more_deals() -> None:
    position = Position(late_view(stichwerk.game("sticheln", seats=4), 3, 3))
    counts = []
    for budget in (300_000, 900_000, ALL_DEALS):
        values = Endgame(position.tactics, 7).values(position.known, position.seat, budget)
        counts.append(max(count for count, _, _ in values.values()))
    assert counts == sorted(set(counts))


def test_too_small_a_budget_gives_no_answer() -> None:
    position = Position(late_view(stichwerk.game("sticheln", seats=4), 3, 3))
    assert Endgame(position.tactics, 7).values(position.known, position.seat, 50) == {}


# Here more is hidden than a deal of cards, or cards cannot lie everywhere.
SAMPLED = [
    (stichwerk.game("stichling", seats=2), 0),
    (stichwerk.game("stichling", seats=2, discard="hand"), 1),
    (stichwerk.game("stichling", seats=3), 0),
    (stichwerk.game("stichling", seats=3, discard="hand"), 2),
    (stichwerk.game("stichling", seats=4, discard="hand"), 2),
    (stichwerk.game("null-nichtig", seats=3), 0),
    (stichwerk.game("stichtag", seats=3, sheets=["red 2"]), 0),
    (stichwerk.game("stichtag", seats=3, sheets=["red 8"]), 1),
    (stichwerk.game("stichtag", seats=3, sheets=["August"]), 1),
    (stichwerk.game("stichtag", seats=5), 1),
]


@pytest.mark.parametrize(("setting", "seed"), SAMPLED, ids=parameter_id)
def test_endings_are_worth_what_samples_of_them_are(setting: Setting, seed: int) -> None:
    """The mean over deals comes close to that over samples of the view, solved one by one."""
    position = Position(late_view(setting, seed, 2))
    solved = Endgame(position.tactics, 3).values(position.known, position.seat, 3_000_000)
    assert solved
    for action, values in sampled_values(position, 250).items():
        count, mean, squares = solved[action]
        spread = max(pstdev(values), max(0.0, squares / count - mean**2) ** 0.5)
        assert fmean(values) == pytest.approx(mean, abs=5 * spread / 250**0.5 + 1e-9)


def sampled_values(position: Position, count: int) -> dict[int, list[float]]:
    """Return what each action is worth to the seat in this many samples, all playing perfectly."""
    rules, seat, rng = position.rules, position.seat, Generator(9)
    found: dict[int, list[float]] = {action: [] for action in rules.actions(position.known, seat)}
    for _ in range(count):
        state = position.known.copy()
        rules.complete(state, seat, rng)
        for action, values in found.items():
            after = state.copy()
            rules.play(after, seat, action)
            values.append(perfect_values(rules, position.tactics, after)[seat])
    return found
