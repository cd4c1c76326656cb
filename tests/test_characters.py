"""Characters play as their names promise, in every game: what people feel is measured here.

All are asked at the same decisions of matches between nets, so that only their taste differs.
"""

import importlib.util
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import get_args

import pytest

import stichwerk
from stichwerk import bots
from stichwerk.arena import ladder, ladder_ratings
from stichwerk.arena.ladder import LEVELS
from stichwerk.bots import characters, ratings
from stichwerk.bots.characters import CharacterBot, Glimpse
from stichwerk.bots.position import Position, generator_for
from stichwerk.bots.registry import BUILT_IN
from stichwerk.bots.search import part
from stichwerk.engine.constants import PLAY
from stichwerk.first_names import CHARACTER_NAMES, FIRST_NAMES
from stichwerk.games import registry
from stichwerk.match import Match
from stichwerk.server import wire
from stichwerk.view import View
from tests.strategies import plain_rules

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "docs/examples/own_game.py"
SEED = 5
MATCHES = 2
EVERY = 3  # plays between two that are asked
NAMES = [one.name for one in BUILT_IN if one.kind == "character"]
every_character = pytest.mark.parametrize("name", NAMES)
every_game = pytest.mark.parametrize("game", registry.GAMES)


@cache
def decisions(game: str) -> tuple[View, ...]:
    """Return decisions about a card, as nets come to them."""
    found: list[View] = []
    for seed in range(MATCHES):
        match = stichwerk.game(game, seats=4).new(seed=seed)
        net = bots.build("net", seed)
        plays = 0
        while match.waiting_for and len(found) < 60 * (seed + 1):
            seat = match.waiting_for[0]
            view = match.view(seat)
            if len(view.moves) > 1 and Position(view).known.phase == PLAY:
                plays += 1
                if plays % EVERY == 0:
                    found.append(view)
            match.play(seat, net.choose(view))
    return tuple(found)


def character(name: str) -> CharacterBot:
    bot = bots.build(name, SEED)
    assert isinstance(bot, CharacterBot)
    return bot


@cache
def glimpses(game: str, name: str) -> tuple[Glimpse, ...]:
    """Return what a bot plays at these decisions, all seen on the same deals."""
    bot = bots.build(name, SEED)
    found = []
    for view in decisions(game):
        position = Position(view, "net")
        move = bot.choose(view)
        action = next(one.steps[0] for one in position.moves() if one.text == move)
        generator = generator_for(position, 99)
        found += characters.glimpses(position, position.known, [action], generator)
    return tuple(found)


def mean(game: str, name: str, measure: Callable[[Glimpse], float]) -> float:
    return fmean(map(measure, glimpses(game, name)))


def height(glimpse: Glimpse) -> float:
    return sum(glimpse.height)


def tricks(glimpse: Glimpse) -> float:
    return fmean(deal.tricks for deal in glimpse.foreseen)


def spread(glimpse: Glimpse) -> float:
    own = [deal.points[glimpse.seat] for deal in glimpse.foreseen]
    return max(own) - min(own)


def gain_of_leader(glimpse: Glimpse) -> float:
    return fmean(deal.points[glimpse.leader] for deal in glimpse.foreseen)


def denied(game: str, name: str) -> float:
    """Return which part of what it could take from the leading rival a bot takes, on average."""
    bot = bots.build(name, SEED)
    parts = []
    for view in decisions(game):
        position = Position(view, "net")
        moves = {move.text: move.steps[0] for move in position.moves()}
        generator = generator_for(position, 99)
        seen = characters.glimpses(position, position.known, list(moves.values()), generator)
        gains = dict(zip(moves, map(gain_of_leader, seen), strict=True))
        least, most = min(gains.values()), max(gains.values())
        if least < most:
            parts.append((most - gains[bot.choose(view)]) / (most - least))
    assert len(parts) > 20
    return fmean(parts)


# -- What one can feel -----------------------------------------------------------------------------


@every_game
def test_the_bold_one_plays_higher_and_takes_more_tricks_than_the_net(game: str) -> None:
    assert mean(game, "rocco", height) > mean(game, "net", height) + 0.5
    assert mean(game, "rocco", tricks) > 1.08 * mean(game, "net", tricks)


@every_game
def test_the_careful_one_plays_lower_and_risks_less_than_the_net(game: str) -> None:
    assert mean(game, "tilda", height) < mean(game, "net", height) - 0.5
    assert mean(game, "tilda", spread) < 0.92 * mean(game, "net", spread)


@every_game
def test_the_spiteful_one_takes_more_from_the_leader_than_the_net(game: str) -> None:
    assert denied(game, "zora") > denied(game, "net") + 0.05


@every_game
def test_the_chaotic_one_plays_what_tactics_would_not(game: str) -> None:
    unusual = mean(game, "kiki", lambda one: not one.usual)
    assert unusual > 0.7
    assert unusual > 1.4 * mean(game, "net", lambda one: not one.usual)


def test_one_who_counts_makes_the_best_move_of_the_last_tricks() -> None:
    exact = better = 0
    for game in registry.GAMES:
        for view in last_cards(game):
            position = Position(view, "net")
            solved = character("otto").solved(position)
            if solved is None:
                continue
            make = part(position.rules, "endgame").Endgame
            values = make(position.tactics, 7).values(position.known, position.seat, 100_000)
            best = max(mean for _, mean, _ in values.values())
            exact += 1
            assert values[solved.steps[0]][1] == pytest.approx(best)
            assert character("otto").choose(view) == solved.text
            net = bots.build("net", SEED).choose(view)
            steps = {move.text: move.steps[0] for move in position.moves()}
            better += values[steps[net]][1] < best - 1e-9
    assert exact > 40
    assert better > 4  # the net alone would have lost points there


def last_cards(game: str) -> list[View]:
    """Return decisions about the last two cards, where all deals can be listed."""
    found = []
    for seed in range(8):
        match = stichwerk.game(game, seats=4).new(seed=seed)
        net = bots.build("net", seed)
        while match.waiting_for and match.view(None).round == 1:
            seat = match.waiting_for[0]
            view = match.view(seat)
            if len(view.moves) > 1 and len(view.hand) == 2 and Position(view).known.phase == PLAY:
                found.append(view)
            match.play(seat, net.choose(view))
    return found


@every_game
def test_a_dreamer_plays_like_the_net_until_there_is_something_to_forget(game: str) -> None:
    same = differs = 0
    for seed in range(3):
        match = stichwerk.game(game, seats=4).new(seed=seed)
        luna, net = bots.build("luna", SEED), bots.build("net", SEED)
        while match.waiting_for and match.view(None).round == 1:
            seat = match.waiting_for[0]
            view = match.view(seat)
            move = net.choose(view)
            if len(view.moves) > 1 and Position(view).known.phase == PLAY:
                played = sum(event.kind == "play" for event in view.history)
                if played <= view.seats:
                    assert luna.choose(view) == move
                    same += 1
                else:
                    differs += luna.choose(view) != move
            match.play(seat, move)
    assert same > 5
    assert differs > 5


@every_game
def test_a_dreamer_thinks_that_old_cards_of_others_are_still_out(game: str) -> None:
    forgotten = 0
    for view in decisions(game):
        position = Position(view, "net")
        seen = characters.without_old_cards(position, position.known)
        plays = [event for event in view.history if event.kind == "play"]
        lost = sum(map(int.bit_count, position.known.won)) - sum(map(int.bit_count, seen.won))
        old = [event for event in plays[: -view.seats] if event.seat != position.seat]
        assert lost <= len(old)
        forgotten += lost
        assert (seen.hands, seen.trick_card) == (position.known.hands, position.known.trick_card)
        assert not any(seen.voids)
    assert forgotten > 50


# -- What holds for all of them --------------------------------------------------------------------


@every_character
@every_game
def test_no_move_costs_more_than_the_character_gives(game: str, name: str) -> None:
    bot = character(name)
    if bot.counts or bot.forgets:
        return
    for view in decisions(game)[::4]:
        position = Position(view, "net")
        move = next(one for one in position.moves() if one.text == bot.choose(view))
        generator = generator_for(position, SEED)
        values = characters.values_of(position, position.known, generator)
        assert values[move.steps[0]] >= max(values.values()) - bot.gives


@every_character
def test_the_same_seed_plays_the_same_and_says_so(name: str) -> None:
    for game in registry.GAMES:
        for view in decisions(game)[::12]:
            advice = bots.adviser(name, 3).advise(view)
            assert advice.move == bots.build(name, 3).choose(view)
            assert advice.reason.id == "advice-style"


@pytest.mark.slow
@every_game
def test_they_play_every_number_of_seats(game: str) -> None:
    for seats in registry.kind(game).seat_counts:
        match = stichwerk.game(game, seats=seats).new(seed=SEED)
        table = [character(NAMES[(seats + seat) % len(NAMES)]) for seat in range(seats)]
        while match.waiting_for and match.view(None).round == 1:
            seat = match.waiting_for[0]
            match.play(seat, table[seat].choose(match.view(seat)))
        assert match.over or match.view(None).round == 2


@pytest.fixture
def own_match(monkeypatch: pytest.MonkeyPatch) -> Iterator[Match]:
    """Return a match of the example of a custom game: it has neither net nor tactics."""
    monkeypatch.setattr(registry, "GAMES", dict(registry.GAMES))
    registry._build.cache_clear()
    spec = importlib.util.spec_from_file_location("own_game", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    yield stichwerk.game("odd-even", seats=4).new(seed=SEED)
    registry._build.cache_clear()


def test_in_a_custom_game_only_taste_decides(own_match: Match) -> None:
    table = [character(name) for name in ("otto", "luna", "rocco", "kiki")]
    leads = higher = 0
    while own_match.waiting_for and own_match.view(None).round == 1:
        seat = own_match.waiting_for[0]
        view = own_match.view(seat)
        if not view.tricks:
            leads += 1
            higher += int(character("rocco").choose(view)[1:])
            higher -= int(character("tilda").choose(view)[1:])
        own_match.play(seat, table[seat].choose(view))
    assert own_match.view(None).round == 2
    assert higher > 2 * leads > 0


@pytest.mark.parametrize("game", registry.GAMES)
def test_plain_rules_make_the_same_choices(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    views = decisions(game)[::30]
    made = [[character(name).choose(view) for view in views] for name in NAMES]
    slow = plain_rules(stichwerk.game(game, seats=4))
    monkeypatch.setattr(registry, "build", lambda *_: slow)
    assert [[character(name).choose(view) for view in views] for name in NAMES] == made


def test_every_character_has_a_name_and_may_sit_at_a_table() -> None:
    assert list(CHARACTER_NAMES) == NAMES
    assert [*LEVELS, *NAMES] == list(get_args(wire.Opponent))
    assert len(set(CHARACTER_NAMES.values()) - set(FIRST_NAMES)) == len(NAMES)


def test_ratings_are_those_of_the_ladder() -> None:
    kept = ladder.read_results(ROOT / "docs" / ladder.RESULTS)
    file = Path(ratings.__file__).with_name(ratings.FILE)
    assert file.read_bytes() == ladder_ratings.written(kept), (
        "python -m stichwerk.arena.ladder_ratings"
    )


@every_game
def test_every_character_is_rated_between_playing_at_random_and_well(game: str) -> None:
    points = {name: ratings.ratings_of(name)[game] for name in (*LEVELS, *NAMES)}
    assert points["expert"] == ratings.EXPERT
    assert all(ratings.NOTHING < points[name] < 2 * ratings.EXPERT for name in NAMES)


def test_strengths_explain_the_shares_they_come_from() -> None:
    """Three times as strong: one against three of the others wins half of the time."""
    shares = [
        ladder_ratings.Share("a", "b", 50, 50),
        ladder_ratings.Share("b", "c", 50, 50),
    ]
    found = ladder_ratings.strengths(shares)
    assert found["a"] / found["b"] == pytest.approx(3)
    assert found["b"] / found["c"] == pytest.approx(3)
