"""Which deals a seat believes in: they fit, they are as frequent as likely, they near the truth."""

from collections import Counter

import pytest

import stichwerk
from stichwerk import bots
from stichwerk.arena import beliefs
from stichwerk.bots.position import Position
from stichwerk.bots.tactics import tactics_of
from stichwerk.cards import card_text
from stichwerk.engine import frame, plain
from stichwerk.engine.belief import Belief
from stichwerk.engine.codes import (
    above,
    below,
    bit_of,
    choice_slot,
    colour_of,
    half_of,
    half_slot,
    value_of,
    values_in,
)
from stichwerk.engine.constants import NONE, TWIN
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.games import registry
from stichwerk.games.stichtag.calendar import SHEETS
from stichwerk.match import Match, Setting
from stichwerk.testing.copies import fields_of
from tests.strategies import plain_rules, plain_state, play_on, setting_id

COMPILED = not str(frame.__file__).endswith(".py")
pytestmark = [
    pytest.mark.game,
    pytest.mark.skipif(not COMPILED, reason="takes far too long uncompiled"),
]

PLAYED_OUT = [info.name for info in registry.OUR_GAMES if info.small_tactics]
TABLES = [stichwerk.game(name, seats=4) for name in PLAYED_OUT]
DAYS = [stichwerk.game("stichtag", seats=4, sheets=[name]) for name in SHEETS]
TWINS = stichwerk.game("null-nichtig", seats=6)
every_game = pytest.mark.parametrize("setting", TABLES, ids=setting_id)


def begun(setting: Setting, seed: int, moves: int, bot: str) -> Match:
    """Return a match in which everyone has played by the same rules so far."""
    match = setting.new(seed=seed)
    seated_bots = [bots.build(bot, seat) for seat in range(setting.seats)]
    for _ in range(moves):
        seat = match.waiting_for[0]
        match.play(seat, seated_bots[seat].choose(match.view(seat)))
    return match


def position_of(match: Match, style: str = "full") -> Position:
    return Position(match.view(match.waiting_for[0]), style)


def believing(position: Position, steps: int = 16, second: str | None = None) -> Belief:
    other = tactics_of(position.rules, second) if second else None
    belief = Belief(position.tactics, other)
    trail = position.trail()
    if trail:
        belief.remember(*trail, steps)
    return belief


def hands(deal: State) -> tuple[int, ...]:
    return tuple(deal.hands)


# -- Every deal fits -------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", [*TABLES, TWINS, *DAYS], ids=setting_id)
def test_deals_look_like_the_view(setting: Setting) -> None:
    """Whatever was exchanged: all cards are there once, and nobody has a card they cannot have."""
    generator = Generator(4)
    match = setting.new(seed=4)
    for _ in range(6):
        play_on(match, generator, 4)
        if not match.waiting_for or match.phase != "play":
            continue
        position = position_of(match)
        known, rules = position.known, position.rules
        unseen = all_cards(position, known)
        for deal in believing(position).drawn(known, position.seat, 9, 5):
            assert all_cards(position, deal) == all_cards(position, sampled(position))
            assert all_cards(position, deal) >= unseen
            for seat in range(rules.seats):
                assert held(position, deal, seat) >= held(position, known, seat)
                assert held(position, deal, seat).total() == known.hand_size[seat]
                fresh = held(position, deal, seat) - held(position, known, seat)
                assert not [card for card in fresh if not may_hold(position, seat, card)]


def sampled(position: Position) -> State:
    deal = position.known.copy()
    position.rules.complete(deal, position.seat, Generator(1))
    return deal


def held(position: Position, state: State, seat: int) -> Counter[str]:
    return Counter(position.rules.hand(state, seat))


def all_cards(position: Position, state: State) -> Counter[str]:
    """Return the cards in hands, set aside and in the stock."""
    cards: Counter[str] = Counter()
    for seat in range(position.rules.seats):
        cards += Counter(position.rules.hand(state, seat))
        masks = (state.aside[half_slot(seat, 0)], state.aside[half_slot(seat, 1)])
        cards += Counter(
            card_text(card) for card in range(128) if masks[half_of(card)] & bit_of(card)
        )
    stock = state.stock[state.stock_top : state.stock_top + state.stock_size]
    return cards + Counter(card_text(card) for card in stock if card != NONE)


def may_hold(position: Position, seat: int, card: str) -> bool:
    """Return whether what was seen allows it: nobody holds a colour they could not follow."""
    return not position.known.voids[seat] >> "RYGBLS".index(card[0]) & 1


# -- As often as they should come ------------------------------------------------------------------


def test_deals_come_as_often_as_they_are_likely() -> None:
    """The chain against the exact odds, over all deals of a position with few cards left."""
    doubt = plain.twin("stichwerk.engine.belief").DOUBT
    setting = stichwerk.game("sticheln", seats=3)
    match = begun(setting, seed=8, moves=setting.seats * (1 + 12), bot="medium")
    position = position_of(match)
    assert position.cards_left == 2
    belief = believing(position, steps=24)
    count = 6_000
    seen = Counter(map(hands, belief.drawn(position.known, position.seat, 3, count)))
    fitting = {hands(deal): deal for deal in evenly_drawn(position, 2_000)}
    assert len(fitting) > 3
    odds = {key: doubt ** -float(belief.surprise(deal)) for key, deal in fitting.items()}
    total = sum(odds.values())
    assert sum(seen[key] for key in fitting) == count
    for key, weight in odds.items():
        expected = count * weight / total
        assert abs(seen[key] - expected) < 6 * (1 + expected**0.5 * 2)


def evenly_drawn(position: Position, count: int) -> list[State]:
    return Belief(position.tactics).drawn(position.known, position.seat, 7, count)


# -- Nearer to the truth ---------------------------------------------------------------------------


@every_game
def test_plausible_deals_surprise_less(setting: Setting) -> None:
    match = begun(setting, seed=3, moves=30, bot="greedy-1")
    position = position_of(match, "small")
    belief = believing(position)
    walked = belief.drawn(position.known, position.seat, 5, 40)
    even = evenly_drawn(position, 40)
    assert sum(map(belief.surprise, walked)) < 0.5 * sum(map(belief.surprise, even))


def test_laid_out_cards_inform_about_the_hand() -> None:
    """Small rules lay out the highest cards of Null & nichtig: no higher one is left in hand."""
    match = begun(stichwerk.game("null-nichtig", seats=4), seed=3, moves=4, bot="greedy-1")
    position = position_of(match, "small")
    belief = believing(position)
    higher_in_walk = sum(
        higher(position, deal) for deal in belief.drawn(position.known, position.seat, 5, 50)
    )
    higher_in_even = sum(higher(position, deal) for deal in evenly_drawn(position, 50))
    assert higher_in_walk < 0.2 * higher_in_even


def higher(position: Position, deal: State) -> int:
    """Cards in other hands above one that their holder has laid out of their colour."""
    count = 0
    for seat in range(4):
        cards = deal.choice[choice_slot(seat, 0) : choice_slot(seat, 3)]
        laid = {colour_of(card): card for card in cards}
        if seat != position.seat:
            for colour, card in laid.items():
                low, high = deal.hands[half_slot(seat, 0) : half_slot(seat, 2)]
                values = below(values_in(low, high, colour), TWIN)
                count += above(values, value_of(card)) != 0
    return count


@pytest.mark.parametrize("bot", ["greedy-1", "greedy-2"])
@pytest.mark.parametrize("game", ["null-nichtig", "sticheln", "stichling"])
def test_two_models_fit_as_well_as_the_right_one(game: str, bot: str) -> None:
    """Both styles are recognised, whichever model comes first."""
    match = begun(stichwerk.game(game, seats=4), seed=6, moves=34, bot=bot)
    right, wrong = ("small", "full") if bot == "greedy-1" else ("full", "small")
    least = walked_surprise(match, right, None)
    assert walked_surprise(match, wrong, right) <= least + 20
    assert walked_surprise(match, wrong, None) > least + 40


def walked_surprise(match: Match, first: str, second: str | None) -> int:
    position = position_of(match, first)
    belief = believing(position, 32, second)
    return sum(map(belief.surprise, belief.drawn(position.known, position.seat, 5, 40)))


# -- Careful beliefs -------------------------------------------------------------------------------


@pytest.mark.parametrize("game", PLAYED_OUT)
def test_a_careful_belief_is_not_sure_of_strangers(game: str) -> None:
    """A bot that no tactics explain: the truth is hardly less likely than in deals that fit."""
    found = beliefs.measure(game, "lowest", matches=6)
    assert found.decisions > 12
    assert found.loss["sure"] > 1.2
    assert found.loss["careful"] < 1.1


@pytest.mark.parametrize("game", PLAYED_OUT)
def test_a_careful_belief_recognises_known_tactics(game: str) -> None:
    assert beliefs.measure(game, "hard-1", matches=6).loss["careful"] < 0.97


def test_a_careful_belief_says_whom_it_understands() -> None:
    shares = []
    for bot in ("greedy-2", "lowest"):
        position = position_of(begun(TABLES[2], seed=4, moves=40, bot=bot))
        belief = Belief(position.tactics, careful=True)
        trail = position.trail()
        assert trail
        belief.remember(*trail, 8)
        belief.drawn(position.known, position.seat, 5, 20)
        shares.append(belief.understood_share())
    assert shares[0] > 0.6
    assert shares[1] == 0


@every_game
def test_plain_careful_deals_are_the_same(setting: Setting) -> None:
    position = position_of(begun(setting, seed=5, moves=14, bot="greedy-2"))
    trail = position.trail()
    assert trail
    start, moves = trail
    fast = Belief(position.tactics, careful=True)
    fast.remember(start, moves, 4)
    rules = plain_rules(setting)
    slow = plain.twin("stichwerk.engine.belief").Belief(tactics_of(rules), careful=True)
    slow.remember(plain_state(start), moves, 4)
    expected = fast.drawn(position.known, position.seat, 11, 3)
    drawn = slow.drawn(plain_state(position.known), position.seat, 11, 3)
    assert [fields_of(deal) for deal in drawn] == [fields_of(deal) for deal in expected]


# -- Without a memory, and in plain Python ---------------------------------------------------------


def test_without_belief_deals_are_even() -> None:
    position = position_of(begun(TABLES[2], seed=2, moves=24, bot="greedy-1"))
    belief = believing(position)
    belief.forget()
    again = [fields_of(deal) for deal in belief.drawn(position.known, position.seat, 7, 5)]
    assert again == [fields_of(deal) for deal in evenly_drawn(position, 5)]


@every_game
def test_plain_deals_are_the_same(setting: Setting) -> None:
    position = position_of(begun(setting, seed=5, moves=14, bot="greedy-2"))
    trail = position.trail()
    assert trail
    start, moves = trail
    fast = believing(position, 4).drawn(position.known, position.seat, 11, 3)
    rules = plain_rules(setting)
    slow = plain.twin("stichwerk.engine.belief").Belief(tactics_of(rules))
    slow.remember(plain_state(start), moves, 4)
    drawn = slow.drawn(plain_state(position.known), position.seat, 11, 3)
    assert [fields_of(deal) for deal in drawn] == [fields_of(deal) for deal in fast]
