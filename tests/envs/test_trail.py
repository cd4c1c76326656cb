"""Trails: the same matches as `Match` plays, step by step; copies, samples, texts of them."""

import pickle

import msgspec
import numpy as np
import pytest

import stichwerk
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.envs.batch import Batch, observation
from stichwerk.envs.seeing import Eyes
from stichwerk.envs.trail import Trail
from stichwerk.match import Match, SeededDeals, Setting
from stichwerk.view import View
from tests.envs.adapting import DAYS, TABLES, begun, deal_of, fields, go_on, own_game, spec_of

pytestmark = pytest.mark.game

SETTINGS = [
    *[stichwerk.game(game, seats=seats) for game, seats in TABLES],
    *[stichwerk.game("stichtag", seats=4, date=day) for day in DAYS],
    stichwerk.game("null-nichtig", seats=4, teams=2),
    stichwerk.game("stichling", seats=3, discard="hand"),
]


def step(trail: Trail, generator: Generator) -> None:
    """Any step of whoever is asked."""
    actions = trail.actions
    trail.play(actions[generator.number(len(actions))])


def without_order(view: View) -> View:
    """A view in which nothing tells in which order the own hand was dealt."""
    sorted_hands = [
        msgspec.structs.replace(event, cards=tuple(sorted(event.cards)))
        if event.kind == "hand"
        else event
        for event in view.history
    ]
    return msgspec.structs.replace(view, history=tuple(sorted_hands))


def follow(match: Match, trail: Trail, seat: int, before: State, steps: tuple[int, ...]) -> None:
    """Make a finished move of a trail in a match."""
    match.play(seat, trail.rules.move_text(before, steps))


@pytest.mark.parametrize("setting", SETTINGS, ids=repr)
def test_a_trail_goes_the_way_of_a_match(setting: Setting) -> None:
    match, deals = setting.new(seed=3), SeededDeals(setting, 3)
    trail, generator = Trail(setting, "match"), Generator(5)
    while not trail.over:
        go_on(trail, deals)
        seat, before, steps = trail.asked, trail.state.copy(), []
        assert without_order(trail.view(seat)) == without_order(match.view(seat))
        for _ in range(trail.rules.steps(before)):
            actions = trail.actions
            steps.append(actions[generator.number(len(actions))])
            trail.play(steps[-1])
        follow(match, trail, seat, before, tuple(steps))
    assert match.over
    assert trail.scores == match.scores
    assert trail.ranking == match.ranking


@pytest.mark.parametrize("setting", SETTINGS, ids=repr)
def test_a_sample_looks_the_same(setting: Setting) -> None:
    """Every seat sees in a resampled trail what it sees in the real one, in each of its forms."""
    trail, generator, eyes = begun(setting), Generator(5), Eyes(spec_of(setting))
    differing = 0
    while not trail.over:
        for seat in range(setting.seats):
            other = trail.resampled(seat, generator)
            assert other.view(seat) == trail.view(seat)
            assert other.asked == trail.asked
            if seat == trail.asked:
                assert other.actions == trail.actions
                assert other.unfinished == trail.unfinished
            seen = eyes.look(trail, seat).copy()
            assert np.array_equal(eyes.look(other, seat), seen)
            differing += fields(other.state) != fields(trail.state)
        for _ in range(3):
            if not trail.over:
                step(trail, generator)
    assert differing > setting.seats


def test_a_sample_forgets_what_others_have_seen() -> None:
    trail = begun(stichwerk.game("sticheln"))
    other = trail.resampled(0, Generator(1))
    assert {event.seat for event in trail.events if event.kind == "hand"} == {0, 1, 2, 3}
    assert {event.seat for event in other.events if event.kind == "hand"} == {0}


def test_a_hidden_half_move_is_drawn_anew() -> None:
    """Seat 0 has laid out one card of three; seat 1 cannot know which."""
    trail, generator = begun(stichwerk.game("null-nichtig", seats=3)), Generator(1)
    trail.play(trail.actions[0])
    others = [trail.resampled(1, generator) for _ in range(20)]
    assert {len(other.steps) for other in others} == {1}
    assert len({other.steps[0] for other in others}) > 5
    assert {other.steps[0] for other in (trail.resampled(0, generator),)} == {trail.steps[0]}


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=repr)
def test_the_eyes_see_what_a_view_tells(setting: Setting) -> None:
    """The row written from the truth is the one written from the view alone."""
    spec = spec_of(setting)
    trail, generator, eyes = begun(setting, "match"), Generator(9), Eyes(spec)
    deals = SeededDeals(setting, 7)
    while len(trail.scores) < 2 and not trail.over:
        go_on(trail, deals)
        if not trail.unfinished:
            for seat in range(setting.seats):
                told = observation(spec, trail.view(seat))
                assert np.array_equal(eyes.look(trail, seat), told)
        step(trail, generator)


def test_copies_go_their_own_way() -> None:
    trail, generator = begun(stichwerk.game("stichling")), Generator(2)
    for _ in range(9):
        step(trail, generator)
    known, state = trail.view(1), fields(trail.state)
    copy = trail.copy()
    while not copy.over:
        step(copy, generator)
    assert trail.view(1) == known
    assert fields(trail.state) == state
    assert not trail.over


def test_a_trail_can_be_pickled_anywhere() -> None:
    with own_game() as name:
        for setting in (stichwerk.game("null-nichtig"), stichwerk.game(name)):
            trail, generator = begun(setting, "match"), Generator(2)
            for _ in range(7):
                step(trail, generator)
            again = pickle.loads(pickle.dumps(trail))
            assert [again.view(seat) for seat in range(4)] == [
                trail.view(seat) for seat in range(4)
            ]
            assert again.steps == trail.steps
            assert fields(again.state) == fields(trail.state)


@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize("options", [{}, {"teams": 2}])
def test_rewards_are_those_of_a_batch(episode: str, options: dict[str, int]) -> None:
    """Played in both, move for move, from the same cards."""
    setting = stichwerk.game("null-nichtig", seats=4, **options)
    spec = spec_of(setting)
    batch = Batch(spec, 1, seed=4, episode=episode, auto_reset=False)  # type: ignore[arg-type]
    trail = Trail(setting, episode)
    while not batch.done[0]:
        if trail.dealing:
            trail.begin(deal_of(setting, batch.state(0)))
        assert trail.rewards == [0.0] * 4
        assert trail.asked == batch.seats[0]
        chosen = int(batch.random_actions()[0])
        trail.play(spec.action(chosen, trail.asked))
        batch.step([chosen])
    assert trail.over
    assert trail.rewards == pytest.approx(batch.rewards[0].tolist())
