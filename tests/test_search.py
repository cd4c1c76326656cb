"""Flat search, tree search, their threads, and the seam for policies and values in Python."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from math import inf, nan, sqrt
from typing import Any

import pytest

import stichwerk
from stichwerk.bots.position import ODD, Position
from stichwerk.bots.search import SearchBot, merged
from stichwerk.bots.tactics import tactics_of
from stichwerk.engine import frame, plain
from stichwerk.engine.constants import PLAY
from stichwerk.engine.endgame import Endgame
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.search import Search
from stichwerk.engine.state import State
from stichwerk.engine.tactics import PolicyTactics, Tactics
from stichwerk.games.stichtag.calendar import SHEETS
from stichwerk.match import Setting
from stichwerk.simulate import play_match
from tests.strategies import plain_rules, plain_state, play_on, setting_id

COMPILED = not str(frame.__file__).endswith(".py")
NODES: int = plain.twin("stichwerk.engine.search").NODES
TABLES = [
    stichwerk.game("stichling", seats=4),
    stichwerk.game("null-nichtig", seats=4),
    stichwerk.game("sticheln", seats=4),
    stichwerk.game("stichtag", seats=4),
]
DAYS = [stichwerk.game("stichtag", seats=3, sheets=[name]) for name in SHEETS]
DAYS += [stichwerk.game("stichtag", seats=4, date=date) for date in ("02-38", "08-22", "12-33")]

every_table = pytest.mark.parametrize("setting", TABLES, ids=setting_id)
pytestmark = [
    pytest.mark.game,
    pytest.mark.skipif(not COMPILED, reason="takes far too long uncompiled"),
]

Result = tuple[int, float, float]


def looking(setting: Setting, seed: int, plays: int) -> Position:
    """Return what a seat knows that has several cards to choose from, after this many random
    plays."""
    match, generator = setting.new(seed=seed), Generator(seed)
    while match.phase != "play":
        play_on(match, generator, 1)
    play_on(match, generator, plays)
    while len(match.view(match.waiting_for[0]).moves) < 2:
        play_on(match, generator, 1)
    return Position(match.view(match.waiting_for[0]))


def near_the_end(setting: Setting, seed: int, cards: int) -> Position:
    """Return the same, with this many cards in the fullest hand."""
    match, generator = setting.new(seed=seed), Generator(seed)
    while match.waiting_for:
        view = match.view(match.waiting_for[0])
        if view.phase == "play" and len(view.moves) > 1 and Position(view).cards_left <= cards:
            return Position(view)
        play_on(match, generator, 1)
    raise AssertionError("no such position")


def steps(position: Position) -> list[tuple[int, ...]]:
    return [move.steps for move in position.moves()]


def flat(position: Position, iterations: int, seed: int = 5) -> list[Result]:
    search = Search(position.tactics, seed)
    return search.flat(position.known, position.seat, steps(position), iterations)


def tree(
    position: Position, iterations: int, seed: int = 5, tactics: Tactics | None = None
) -> dict[int, Result]:
    search = Search(tactics or position.tactics, seed)
    return search.tree(position.known, position.seat, iterations)


def most_visited(found: dict[int, Result]) -> int:
    return max(found, key=lambda action: found[action][:2])


# -- Flat ------------------------------------------------------------------------------------------


@every_table
@pytest.mark.parametrize("iterations", [100, 257, 1000])
def test_flat_spends_its_iterations(setting: Setting, iterations: int) -> None:
    """The last comparison is between two moves, so at most one iteration is left over."""
    results = flat(looking(setting, 1, 9), iterations)
    assert iterations - 1 <= sum(tries for tries, _, _ in results) <= iterations
    assert all(tries > 0 for tries, _, _ in results)


def test_flat_tries_every_move_even_with_too_few_iterations() -> None:
    assert all(tries > 0 for tries, _, _ in flat(looking(TABLES[2], 1, 0), 1))


@every_table
def test_flat_is_seeded(setting: Setting) -> None:
    position = looking(setting, 2, 6)
    assert flat(position, 300, seed=8) == flat(position, 300, seed=8)
    assert flat(position, 300, seed=8) != flat(position, 300, seed=9)


def test_a_search_keeps_nothing_between_runs() -> None:
    """What it worked on before leaves no trace once it is seeded again."""
    position, other = looking(TABLES[2], 2, 6), looking(TABLES[2], 3, 20)
    search = Search(position.tactics, 8)
    search.tree(other.known, other.seat, 500)
    search.flat(other.known, other.seat, steps(other), 500)
    search.reseed(8)
    assert search.tree(position.known, position.seat, 200) == tree(position, 200, seed=8)
    search.reseed(8)
    again = search.flat(position.known, position.seat, steps(position), 200)
    assert again == flat(position, 200, seed=8)


@pytest.mark.parametrize("setting", TABLES[1:3], ids=setting_id)
def test_moves_are_compared_on_the_same_deals(setting: Setting) -> None:
    """A move that is listed twice is worth exactly the same both times. (The tactics of
    these games draw no random numbers.)"""
    position = looking(setting, 4, 5)
    search = Search(position.tactics, 3)
    for step in steps(position):
        first, second = search.flat(position.known, position.seat, [step, step], 100)
        assert first == second
        assert first[2] > 0


def even_values(position: Position, share: int) -> list[Result]:
    """Try every move with the same number of play-outs, each alone."""
    search = Search(position.tactics, 77)
    return [
        search.flat(position.known, position.seat, [step], share)[0] for step in steps(position)
    ]


def spread(values: Sequence[Result]) -> float:
    """Return the largest standard deviation among these."""
    return max(sqrt(squares / tries - mean**2) for tries, mean, squares in values)


@pytest.mark.parametrize("setting", TABLES[1:], ids=setting_id)  # Stichling has no easy cases
def test_halving_keeps_a_move_that_is_clearly_best(setting: Setting) -> None:
    """The best one among moves that are clearly worse stays to the end and comes out first."""
    easy = 0
    for seed in range(8):
        position = looking(setting, seed, 3 * seed)
        values = even_values(position, 400)
        best = max(mean for _, mean, _ in values)
        clear = best - 0.5 * spread(values)
        kept = [
            (step, mean == best)
            for step, (_, mean, _) in zip(steps(position), values, strict=True)
            if mean == best or mean < clear
        ]
        if len(kept) > 2:
            easy += 1
            search = Search(position.tactics, 5)
            moves = [step for step, _ in kept]
            results = search.flat(position.known, position.seat, moves, 100 * len(moves))
            (place,) = [at for at, (_, is_best) in enumerate(kept) if is_best]
            assert results[place][0] == max(tries for tries, _, _ in results)
            assert results[place][1] == max(mean for tries, mean, _ in results if tries > 60)
    assert easy, "no easy case among them"


# -- Tree ------------------------------------------------------------------------------------------


@every_table
def test_tree_visits_only_legal_moves_and_each_iteration_one(setting: Setting) -> None:
    for plays in (0, 7, 14, 30):
        position = looking(setting, 3, plays)
        found = tree(position, 300)
        assert sum(visits for visits, _, _ in found.values()) == 300
        assert set(found) <= set(position.rules.actions(position.known, position.seat))
        assert all(visits > 0 and squares >= 0 for visits, _, squares in found.values())


@every_table
def test_tree_is_seeded(setting: Setting) -> None:
    position = looking(setting, 2, 6)
    assert tree(position, 300, seed=8) == tree(position, 300, seed=8)
    assert tree(position, 300, seed=8) != tree(position, 300, seed=9)


@pytest.mark.parametrize("setting", TABLES[1:3], ids=setting_id)
def test_a_full_tree_keeps_counting(setting: Setting) -> None:
    """Nearly each iteration adds a node here, until there is no space left."""
    position = looking(setting, 4, 24)
    iterations = NODES + 12_000
    found = tree(position, iterations)
    assert set(found) <= set(position.rules.actions(position.known, position.seat))
    assert sum(visits for visits, _, _ in found.values()) == iterations
    before = tree(position, NODES)
    for action, (visits, mean, _) in found.items():
        assert visits >= before[action][0]
        assert abs(mean) < 100


@pytest.mark.slow
@every_table
def test_the_choice_of_the_tree_is_never_clearly_worse(setting: Setting) -> None:
    for seed in range(4):
        position = looking(setting, seed, 5 * seed)
        values = even_values(position, 400)
        chosen = steps(position).index((most_visited(tree(position, 800)),))
        best = max(mean for _, mean, _ in values)
        assert values[chosen][1] > best - 0.4 * spread(values)


class Grown:
    """A tree of the plain engine, whose nodes can be looked at."""

    def __init__(self, setting: Setting, iterations: int) -> None:
        position = looking(setting, 6, 10)
        rules = plain_rules(setting)
        self.search: Any = plain_search(rules)
        known = plain_state(position.known)
        self.found = self.search.tree(known, position.seat, iterations)
        self.position = position

    def children(self, node: int) -> list[int]:
        found, child = [], self.search.first_child[node]
        while child:
            found.append(child)
            child = self.search.sibling[child]
        return found

    def inner(self) -> list[int]:
        return [node for node in range(1, self.search.size) if self.children(node)]


def test_a_move_counts_as_available_only_where_it_could_be_made() -> None:
    iterations = 150
    grown = Grown(TABLES[2], iterations)
    visits, available = grown.search.visits, grown.search.available
    own = grown.children(0)
    # At the root all moves are always there: each since its node was made, one an iteration.
    made = [iterations - available[child] for child in own]
    assert len(set(made)) == len(own)
    assert min(made) == 1
    assert all(visits[child] <= 1 + available[child] < iterations + 1 for child in own)
    for node in grown.inner():
        children = grown.children(node)
        assert sum(visits[child] for child in children) == visits[node] - 1
        for child in children:
            assert visits[child] - 1 <= available[child] < visits[node]
    # In some deals another seat does not hold the card: it was not there to choose.
    rare = [
        child
        for node in grown.inner()
        for child in grown.children(node)
        if grown.search.seat_of[child] != grown.position.seat
        and available[child] < visits[node] - 1 - visits[child]
    ]
    assert rare


def test_nodes_know_whose_move_they_are() -> None:
    grown = Grown(TABLES[2], 100)
    assert {grown.search.seat_of[child] for child in grown.children(0)} == {grown.position.seat}
    for node in grown.inner():
        moves = Counter(
            (grown.search.seat_of[child], grown.search.move_of[child])
            for child in grown.children(node)
        )
        assert max(moves.values()) == 1


# -- Threads ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("plays", ["flat", "tree"])
def test_two_threads_give_what_two_searches_give(plays: str) -> None:
    position = looking(TABLES[2], 5, 8)
    bot = SearchBot(13, iterations=400, threads=2, plays=plays)
    found = {move.steps: result for move, result in bot.compare(position)}
    seeds = [position.seed(13), position.seed(13) + ODD]
    if plays == "flat":
        runs = [flat(position, 200, seed) for seed in seeds]
        parts = dict(zip(steps(position), zip(*runs, strict=True), strict=True))
        assert found == {step: merged(results) for step, results in parts.items()}
    else:
        grown = [tree(position, 200, seed) for seed in seeds]
        for step in steps(position):
            none = (0, 0.0, 0.0)
            assert found[step] == merged([run.get(step[0], none) for run in grown])


@pytest.mark.parametrize("plays", ["flat", "tree"])
def test_threads_change_nothing_from_run_to_run(plays: str) -> None:
    position = looking(TABLES[0], 5, 8)
    runs = [
        SearchBot(3, iterations=600, threads=3, plays=plays).compare(position) for _ in range(3)
    ]
    assert runs[0] == runs[1] == runs[2]


@pytest.mark.parametrize("kind", ["flat", "tree"])
def test_the_interpreter_lock_is_released(kind: str) -> None:
    """Python sees how far a search is in the middle of it; with the lock held, it could look only
    before and after. On a busy machine it may take some searches until it comes to its turn."""
    position = looking(TABLES[2], 1, 0)
    search, seen = Search(position.tactics, 1), threading.Event()

    def run() -> None:
        if kind == "flat":
            search.flat(position.known, position.seat, steps(position)[:2], 2_000)
        else:
            search.tree(position.known, position.seat, 5_000)

    def run_until_seen() -> None:
        for _ in range(200):
            if not seen.is_set():
                run()

    run()
    (whole, *_), thread = search.result(0), threading.Thread(target=run_until_seen)
    thread.start()
    while thread.is_alive() and not seen.is_set():
        if 0 < search.result(0)[0] < whole:
            seen.set()
        time.sleep(0.0001)
    thread.join()
    assert seen.is_set()


# -- The seam: a policy and a value in Python ------------------------------------------------------


def even_policy(state: State, seat: int, moves: list[int]) -> list[float]:
    return [1 / len(moves)] * len(moves)


def nothing(state: State) -> list[float]:
    return [0.0] * 4


@every_table
def test_a_policy_guides_the_tree(setting: Setting) -> None:
    """All moves being worth the same, the one that has all the weight is visited most."""
    position = looking(setting, 3, 6)
    for favourite in position.rules.actions(position.known, position.seat):

        def policy(state: State, seat: int, moves: list[int], best: int = favourite) -> list[float]:
            return [float(move == best) for move in moves]

        found = tree(position, 120, tactics=PolicyTactics(position.tactics, policy, nothing))
        assert most_visited(found) == favourite
        assert found[favourite][0] > 60


def test_a_value_guides_the_tree() -> None:
    """A value that likes one move makes it the choice, whatever play-outs would say."""
    position = looking(TABLES[2], 3, 6)
    for liked in position.rules.actions(position.known, position.seat):

        def value(state: State, card: int = liked) -> list[float]:
            held = state.hands[2 * position.seat + card // 64] >> card % 64 & 1
            return [0.0 if held and seat == position.seat else 1.0 for seat in range(4)]

        asked = PolicyTactics(position.tactics, even_policy, value)
        assert most_visited(tree(position, 200, tactics=asked)) == liked


def test_a_value_that_knows_the_truth_makes_better_choices() -> None:
    """Near the end the truth can be had: with it less is given away than with random play-outs."""
    knowing, blind, positions = 0.0, 0.0, 25
    for seed in range(positions):
        position = near_the_end(TABLES[2], seed, 2)
        truth = Endgame(position.tactics, 1)
        solved = truth.values(position.known, position.seat, 10**9)
        best = max(mean for _, mean, _ in solved.values())
        rng = Tactics(position.rules)
        asked = PolicyTactics(rng, even_policy, truth.open_values)
        knowing += best - solved[most_visited(tree(position, 200, tactics=asked))][1]
        asked = PolicyTactics(rng, even_policy)
        blind += best - solved[most_visited(tree(position, 200, tactics=asked))][1]
    assert knowing < 0.85 * blind
    assert knowing < 0.2 * positions


def test_a_policy_and_a_value_get_the_right_arguments() -> None:
    position = looking(TABLES[0], 3, 6)
    asked: list[tuple[int, Sequence[int]]] = []

    def policy(state: State, seat: int, moves: list[int]) -> list[float]:
        assert state.owes >> seat & 1
        assert moves == position.rules.actions(state, seat)
        asked.append((seat, moves))
        return even_policy(state, seat, moves)

    def value(state: State) -> list[float]:
        assert state.owes
        return [1.0, 2.0, 3.0, 4.0]

    found = tree(position, 50, tactics=PolicyTactics(position.tactics, policy, value))
    assert {mean for _, mean, _ in found.values()} == {1.0 + position.seat}
    assert len({seat for seat, _ in asked}) > 1


def test_missing_policy_or_value_falls_back_to_tactics() -> None:
    position = looking(TABLES[2], 3, 6)
    assert tree(position, 100, tactics=PolicyTactics(position.tactics)) == tree(position, 100)


class BrokenError(Exception):
    """What goes wrong in someone's function."""


def test_exceptions_of_a_policy_or_value_propagate() -> None:
    position = looking(TABLES[2], 3, 6)
    calls: list[int] = []

    def failing(*_: Any) -> list[float]:
        calls.append(1)
        raise BrokenError(f"call {len(calls)}")

    for tactics in (
        PolicyTactics(position.tactics, policy=failing),
        PolicyTactics(position.tactics, value=failing),
    ):
        calls.clear()
        search = Search(tactics, 5)
        with pytest.raises(BrokenError, match="call 1"):
            search.tree(position.known, position.seat, 100)
        assert len(calls) == 1, "nobody asks again after a failure"
        with pytest.raises(BrokenError, match="call 2"):
            search.tree(position.known, position.seat, 100)
    sound = tree(position, 60, tactics=PolicyTactics(position.tactics, value=nothing))
    assert sum(visits for visits, _, _ in sound.values()) == 60


class Seam:
    """A tree search that asks Python, compiled or plain."""

    def __init__(self, position: Position, search: Any, asked: Any, tactics: Tactics) -> None:
        self.known = position.known if search is Search else plain_state(position.known)
        self.seat, self.search, self.asked, self.tactics = position.seat, search, asked, tactics

    def tree(self, **functions: Any) -> None:
        asked = self.asked(self.tactics, **functions)
        self.search(asked, 5).tree(self.known, self.seat, 50)


def both_kinds(position: Position) -> list[Seam]:
    twin, rules = plain.twin("stichwerk.engine.search").Search, plain_rules(TABLES[2])
    asked = plain.twin("stichwerk.engine.tactics").PolicyTactics
    return [
        Seam(position, Search, PolicyTactics, position.tactics),
        Seam(position, twin, asked, tactics_of(rules)),
    ]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda moves: [], "gave 0 weights for"),
        (lambda moves: [1.0] * (len(moves) - 1), r"gave \d+ weights for \d+ moves"),
        (lambda moves: [1.0] * 100_000, "gave 100000 weights for"),
        (lambda moves: [nan] * len(moves), "the weight nan"),
        (lambda moves: [inf] * len(moves), "the weight inf"),
        (lambda moves: [-0.1] * len(moves), "the weight -0.1"),
    ],
)
def test_a_policy_must_weigh_each_move(
    answer: Callable[[list[int]], list[float]], words: str
) -> None:
    position, asked = looking(TABLES[2], 3, 6), list[int]()

    def policy(state: State, seat: int, moves: list[int]) -> list[float]:
        asked.append(seat)
        return answer(moves)

    for kind in both_kinds(position):
        asked.clear()
        with pytest.raises(ValueError, match=words):
            kind.tree(policy=policy)
        assert len(asked) == 1


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ([], "gave 0 numbers for 4 seats"),
        ([0.0] * 3, "gave 3 numbers for 4 seats"),
        ([0.0] * 6, "gave 6 numbers for 4 seats"),
        ([0.0] * 100_000, "gave 100000 numbers for 4 seats"),
        ([0.0, nan, 0.0, 0.0], "gave nan for a seat"),
        ([0.0, 0.0, 0.0, -inf], "gave -inf for a seat"),
    ],
)
def test_a_value_must_judge_for_each_seat(answer: list[float], words: str) -> None:
    for kind in both_kinds(looking(TABLES[2], 3, 6)):
        with pytest.raises(ValueError, match=words):
            kind.tree(value=lambda state: answer)


def test_after_a_failure_a_search_ends_at_once() -> None:
    """It would otherwise continue without calling anything; the root counts what was done."""
    position = looking(TABLES[2], 3, 6)
    search = Search(PolicyTactics(position.tactics, value=lambda state: []), 5)
    for _ in range(2):
        with pytest.raises(ValueError, match="0 numbers"):
            search.tree(position.known, position.seat, 1000)
        assert search.result(0)[0] == 1


def test_policies_work_in_threads() -> None:
    position = looking(TABLES[2], 3, 6)
    tactics = PolicyTactics(position.tactics, even_policy, nothing)
    alone = [tree(position, 80, seed, tactics) for seed in range(4)]
    together: dict[int, dict[int, Result]] = {}

    def run(seed: int) -> None:
        together[seed] = tree(position, 80, seed, tactics)

    threads = [threading.Thread(target=run, args=[seed]) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[seed] for seed in range(4)] == alone


# -- Plain and compiled ----------------------------------------------------------------------------


def plain_search(rules: Game, seed: int = 5) -> Any:
    return plain.twin("stichwerk.engine.search").Search(tactics_of(rules), seed)


PLAIN_TABLES = [
    *TABLES,
    stichwerk.game("stichling", seats=3, discard="hand"),
    stichwerk.game("null-nichtig", seats=4, teams=2),
    stichwerk.game("stichtag", seats=3, date="08-22"),
]


@pytest.mark.slow
@pytest.mark.parametrize("setting", PLAIN_TABLES, ids=setting_id)
@pytest.mark.parametrize("plays", [0, 21])
def test_both_engines_search_the_same(setting: Setting, plays: int) -> None:
    position = looking(setting, 7, plays)
    rules, known = plain_rules(setting), plain_state(position.known)
    search = plain_search(rules)
    assert type(search) is not Search
    first = search.flat(known, position.seat, steps(position), 30)
    assert first == flat(position, 30)
    search.reseed(5)
    assert search.tree(known, position.seat, 30) == tree(position, 30)


@pytest.mark.parametrize("setting", PLAIN_TABLES, ids=setting_id)
def test_both_engines_solve_the_same(setting: Setting) -> None:
    position = near_the_end(setting, 7, 2)
    rules = plain_rules(setting)
    twin = plain.twin("stichwerk.engine.endgame").Endgame(tactics_of(rules), 5)
    endgame = Endgame(position.tactics, 5)
    assert type(twin) is not Endgame
    known = plain_state(position.known)
    assert twin.count(known, position.seat) == endgame.count(position.known, position.seat)
    for positions in (20, 2_500):
        solved = endgame.values(position.known, position.seat, positions)
        assert twin.values(known, position.seat, positions) == solved


# -- Every day -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("setting", DAYS, ids=setting_id)
def test_searches_play_every_sheet(setting: Setting) -> None:
    """A whole match: whatever is asked for, both searches find a legal answer."""
    players = ["flat@30", "tree@30", "flat@30", "tree@30"]
    assert play_match(setting, players[: setting.seats], 3).over


def test_tree_search_is_for_play_only_but_the_bot_answers_always() -> None:
    """Before play the moves are compared flat, however the bot plays."""
    match = stichwerk.game("null-nichtig", seats=4).new(seed=1)
    assert Position(match.view(0)).known.phase != PLAY
    bot = SearchBot(1, iterations=60, plays="tree")
    assert bot.choose(match.view(0)) in match.view(0).moves
