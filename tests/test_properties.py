"""Properties that the conformance suite does not look at: numbers, chance, points."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import sqrt
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st

import stichwerk
from stichwerk.cards import card_code
from stichwerk.engine.events import Event
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.plain import Bits, twin
from stichwerk.engine.state import State
from stichwerk.match import Match
from stichwerk.record import decode, encode, record, replay, verify
from stichwerk.view import knowledge
from tests.strategies import all_rules, has_sheets, matches, play_on, setting_id

pytestmark = pytest.mark.game

Case = TypeVar("Case")

masks = st.integers(0, 2**64 - 1)
quick = run(max_examples=60, deadline=None)


# -- Bits ------------------------------------------------------------------------------------------


@given(masks)
def test_bits_are_a_set_of_numbers(mask: int) -> None:
    members = [at for at in range(64) if mask >> at & 1]
    assert Bits.count(mask) == len(members)
    assert [Bits.nth(mask, k) for k in range(len(members))] == members
    assert sum(Bits.bit(at) for at in members) == mask
    if members:
        assert (Bits.lowest(mask), Bits.highest(mask)) == (members[0], members[-1])


# -- The generator ---------------------------------------------------------------------------------


def test_generator_is_xoshiro128_plus_plus() -> None:
    """The first numbers its authors' program gives from the state 1, 2, 3, 4."""
    generator = twin("stichwerk.engine.generator").Generator(0)
    generator.words[:] = [1, 2, 3, 4]
    expected = [641, 1573767, 3222811527, 3517856514, 836907274, 4247214768, 3867114732]
    assert [generator.draw() for _ in expected] == expected


@given(st.integers(0, 2**64 - 1), st.integers(1, 2**31 - 1))
def test_numbers_stay_below_their_bound(seed: int, bound: int) -> None:
    generator = Generator(seed)
    assert all(0 <= generator.number(bound) < bound for _ in range(20))


@given(st.integers(0, 2**64 - 1))
def test_a_generator_depends_only_on_its_seed(seed: int) -> None:
    one, other = Generator(seed), Generator(seed)
    assert [one.number(1000) for _ in range(20)] == [other.number(1000) for _ in range(20)]


@pytest.mark.parametrize("bound", [2, 3, 7, 13, 64, 65])
def test_numbers_are_even(bound: int) -> None:
    generator = Generator(bound)
    assert_even(Counter(generator.number(bound) for _ in range(400 * bound)), range(bound))


def test_neighbouring_seeds_start_far_apart() -> None:
    assert_even(Counter(Generator(seed).number(10) for seed in range(5000)), range(10))


def test_pairs_of_numbers_are_even() -> None:
    generator = Generator(5)
    pairs = Counter((generator.number(6), generator.number(6)) for _ in range(36 * 400))
    assert_even(pairs, [(a, b) for a in range(6) for b in range(6)])


def assert_even(found: Mapping[Case, int], cases: Sequence[Case]) -> None:
    """Check that exactly these cases came up; chi-square is within five deviations of its mean."""
    assert set(found) <= set(cases)
    expected = sum(found.values()) / len(cases)
    chi_square = sum((found.get(case, 0) - expected) ** 2 / expected for case in cases)
    freedom = len(cases) - 1
    assert abs(chi_square - freedom) < 5 * sqrt(2 * freedom) + 2


def test_uneven_numbers_would_be_noticed() -> None:
    generator = Generator(1)
    loaded = Counter(min(generator.number(6), generator.number(7)) for _ in range(2400))
    with pytest.raises(AssertionError):
        assert_even(loaded, range(6))


@pytest.mark.parametrize("setting", all_rules(), ids=setting_id)
def test_every_seat_gets_every_card_equally_often(setting: stichwerk.match.Setting) -> None:
    rules, state, generator = setting.rules, setting.rules.new_state(), Generator(11)
    where: Counter[int] = Counter()
    watched, deals = rules.deck.texts[7], 4000
    for _ in range(deals):
        rules.shuffled_round(state, generator)
        where.update(seat for seat in range(rules.seats) if watched in rules.hand(state, seat))
    share = rules.hand_size / len(rules.deck)
    for seat in range(rules.seats):
        assert abs(where[seat] - deals * share) < 5 * sqrt(deals * share * (1 - share))


# -- Sampling --------------------------------------------------------------------------------------

Hands = tuple[tuple[str, ...], ...]


def voids_seen(events: Sequence[Event], seats: int) -> list[set[str]]:
    """Return the colours each seat has shown not to have at Stichtag, from the plays alone."""
    voids: list[set[str]] = [set() for _ in range(seats)]
    led = ""
    lying = 0
    for event in events:
        if event.kind == "play" and event.seat is not None:
            led = event.move[0] if lying == 0 else led
            if event.move[0] != led:
                voids[event.seat].add(led)
            lying = (lying + 1) % seats
    return voids


def all_deals(
    cards: Sequence[str], sizes: Sequence[int], voids: Sequence[set[str]]
) -> Iterator[Hands]:
    """Yield every way to give hands of these sizes from these cards; the rest is the stock."""
    if not sizes:
        yield ()
        return
    fitting = [card for card in cards if card[0] not in voids[0]]
    for hand in combinations(fitting, sizes[0]):
        rest = [card for card in cards if card not in hand]
        for others in all_deals(rest, sizes[1:], voids[1:]):
            yield (hand, *others)


def last_trick(seats: int, seed: int) -> Match:
    """Return a Stichtag round before its last trick."""
    match = stichwerk.game("stichtag", seats=seats, starter=0).new(seed=seed)
    play_on(match, Generator(seed), 11 * seats)
    return match


@pytest.mark.parametrize(("seats", "seed"), [(3, 3), (3, 9), (4, 2), (4, 5)])
def test_samples_are_even_over_all_deals_that_fit(seats: int, seed: int) -> None:
    match = last_trick(seats, seed)
    view, rules = match.view(0), match.rules
    voids = voids_seen(view.history, seats)
    played = {event.move for event in view.history if event.kind == "play"}
    unseen = [card for card in rules.deck.texts if card not in played and card not in view.hand]
    deals = list(all_deals(unseen, view.hand_sizes[1:], voids[1:]))
    assert 100 < len(deals) < len(list(all_deals(unseen, view.hand_sizes[1:], [set()] * seats)))
    known, generator, others = knowledge(view), Generator(seed), range(1, seats)
    samples = [sampled_hands(rules, known, others, generator) for _ in range(40 * len(deals))]
    assert_even(Counter(samples), deals)


def sampled_hands(rules: Game, known: State, seats: Sequence[int], generator: Generator) -> Hands:
    """Return the hidden hands in one sample."""
    state = known.copy()
    rules.complete(state, 0 if 0 not in seats else None, generator)
    return tuple(rules.hand(state, seat) for seat in seats)


KNOTS = [
    # What each of four seats has not got, and one card for each: deals here cannot all be reached
    # from one another by exchanging two cards at a time.
    (["G", "YL", "G", "B"], ["Y11", "G9", "B2", "B10"]),
    (["L", "B", "L", "YG"], ["G1", "G2", "B1", "L9"]),
]


@pytest.mark.parametrize(("voids", "cards"), KNOTS, ids=["one", "two"])
def test_samples_are_even_where_swapping_two_cards_is_not_enough(
    voids: Sequence[str], cards: Sequence[str]
) -> None:
    rules = stichwerk.game("stichling", seats=4, discard="hand").rules
    deals = list(all_deals(cards, [1] * 4, [set(letters) for letters in voids]))
    assert len(deals) == 6
    known = only_these_are_left(rules, voids, cards)
    generator = Generator(1)
    found = Counter(sampled_hands(rules, known, range(4), generator) for _ in range(3000))
    assert_even(found, deals)


def only_these_are_left(rules: Game, voids: Sequence[str], cards: Sequence[str]) -> State:
    """Return what a spectator knows when each seat has one card left."""
    state = rules.new_state()
    state.round = 1
    rules.new_round(state, [[] for _ in voids], [])
    state.phase, state.owes = 1, 1
    state.hand_size = [1] * len(voids) + [0] * (6 - len(voids))
    state.voids = [sum(1 << "RYGBLS".index(letter) for letter in each) for each in voids] + [0, 0]
    gone = [card_code(card) for card in rules.deck.texts if card not in cards]
    state.gone = [
        sum(1 << code for code in gone if code < 64),
        sum(1 << code - 64 for code in gone if code >= 64),
    ]
    return state


# -- Points ----------------------------------------------------------------------------------------


@quick
@given(matches("null-nichtig"))
def test_null_nichtig_points_are_five_tops(match: Match) -> None:
    for scores in match.scores:
        assert all(0 <= points <= 55 for points in scores)


@quick
@given(matches("stichtag"))
def test_stichtag_points_without_sheets_are_twelve_tricks(match: Match) -> None:
    if not has_sheets(match.setting):
        assert all(sum(scores) == 12 for scores in match.scores)


@quick
@given(matches("stichling"))
def test_stichling_points_are_a_scoring_card_or_nothing(match: Match) -> None:
    for number, scores in enumerate(match.scores, 1):
        assert set(scores) <= {0, number, 2 * number, 3 * number}


@quick
@given(matches("sticheln"))
def test_sticheln_cards_count_one_each_outside_the_pain_colour(match: Match) -> None:
    """All points together: cards taken, less one and the value for each pain card taken."""
    for log in match.rounds:
        if log.scores is None:
            continue
        taken = taken_cards(match, match.rounds.index(log))
        for seat, points in enumerate(log.scores):
            pain = str(log.choices[seat])
            cards = [*taken[seat], pain]
            hurting = [int(card[1:]) for card in cards if card[0] == pain[0]]
            assert points == len(cards) - len(hurting) - sum(hurting)


def taken_cards(match: Match, number: int) -> list[list[str]]:
    """Return the cards each seat took in tricks of this round, from the events."""
    piles: list[list[str]] = [[] for _ in range(match.rules.seats)]
    current = -1
    for event in match.events:
        current += event.kind == "round"
        if event.kind == "trick" and event.seat is not None and current == number:
            piles[event.seat] += event.cards
    return piles


@quick
@given(matches())
def test_totals_are_sums_and_the_ranking_comes_last(match: Match) -> None:
    assert match.totals == tuple(
        sum(scores[seat] for scores in match.scores) for seat in range(match.rules.seats)
    )
    assert match.over == (match.ranking is not None) == (not match.waiting_for)


@quick
@given(matches())
def test_a_match_can_be_written_down_and_played_again_at_any_time(match: Match) -> None:
    """Secret choices enter a record only when all are in, so an open choice is not replayed."""
    written = decode(encode(record(match)))
    again = replay(written)
    assert verify(written).ok
    assert encode(record(again)) == encode(written)
    assert (again.scores, again.ranking) == (match.scores, match.ranking)


def test_a_view_shares_nothing_that_can_be_changed() -> None:
    match = stichwerk.game("sticheln", seats=3).new(seed=1)
    before = match.view(0)
    options, table = dict(before.options), dict(before.table)
    before.options["rounds"] = 12
    before.table["pain"] = "R1"
    assert (match.view(0).options, match.view(0).table) == (options, table)
