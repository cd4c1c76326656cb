"""Trails: the same matches as `Match` plays, step by step; copies, samples, texts of them."""

import pickle

import msgspec
import numpy as np
import pytest

import stichwerk
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.envs.batch import Batch, observation
from stichwerk.envs.episode_state import EpisodeState
from stichwerk.envs.observer import ObservationWriter
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


def step(episode_state: EpisodeState, generator: Generator) -> None:
    """Make any step of the seat to act."""
    actions = episode_state.actions
    episode_state.play(actions[generator.number(len(actions))])


def without_order(view: View) -> View:
    """Return a view without the dealing order of the seat's hand."""
    sorted_hands = [
        msgspec.structs.replace(event, cards=tuple(sorted(event.cards)))
        if event.kind == "hand"
        else event
        for event in view.history
    ]
    return msgspec.structs.replace(view, history=tuple(sorted_hands))


def follow(
    match: Match, episode_state: EpisodeState, seat: int, before: State, steps: tuple[int, ...]
) -> None:
    """Make a finished move of a trail in a match."""
    match.play(seat, episode_state.rules.move_text(before, steps))


@pytest.mark.parametrize("setting", SETTINGS, ids=repr)
def test_an_episode_state_matches_a_match_move_by_move(setting: Setting) -> None:
    match, deals = setting.new(seed=3), SeededDeals(setting, 3)
    episode_state, generator = EpisodeState(setting, "match"), Generator(5)
    while not episode_state.over:
        go_on(episode_state, deals)
        seat, before, steps = episode_state.asked, episode_state.state.copy(), []
        assert without_order(episode_state.view(seat)) == without_order(match.view(seat))
        for _ in range(episode_state.rules.steps(before)):
            actions = episode_state.actions
            steps.append(actions[generator.number(len(actions))])
            episode_state.play(steps[-1])
        follow(match, episode_state, seat, before, tuple(steps))
    assert match.over
    assert episode_state.scores == match.scores
    assert episode_state.ranking == match.ranking


@pytest.mark.parametrize("setting", SETTINGS, ids=repr)
def test_a_resampled_state_gives_the_same_view(setting: Setting) -> None:
    """Every seat sees in a resampled trail what it sees in the real one, in each of its forms."""
    episode_state, generator, observation_writer = (
        begun(setting),
        Generator(5),
        ObservationWriter(spec_of(setting)),
    )
    differing = 0
    while not episode_state.over:
        for seat in range(setting.seats):
            other = episode_state.resampled(seat, generator)
            assert other.view(seat) == episode_state.view(seat)
            assert other.asked == episode_state.asked
            if seat == episode_state.asked:
                assert other.actions == episode_state.actions
                assert other.unfinished == episode_state.unfinished
            seen = observation_writer.look(episode_state, seat).copy()
            assert np.array_equal(observation_writer.look(other, seat), seen)
            differing += fields(other.state) != fields(episode_state.state)
        for _ in range(3):
            if not episode_state.over:
                step(episode_state, generator)
    assert differing > setting.seats


def test_a_resampled_state_drops_events_only_others_saw() -> None:
    episode_state = begun(stichwerk.game("sticheln"))
    other = episode_state.resampled(0, Generator(1))
    assert {event.seat for event in episode_state.events if event.kind == "hand"} == {0, 1, 2, 3}
    assert {event.seat for event in other.events if event.kind == "hand"} == {0}


def test_a_hidden_incomplete_move_is_resampled() -> None:
    """Seat 0 has laid out one card of three; seat 1 cannot know which."""
    episode_state, generator = begun(stichwerk.game("null-nichtig", seats=3)), Generator(1)
    episode_state.play(episode_state.actions[0])
    others = [episode_state.resampled(1, generator) for _ in range(20)]
    assert {len(other.steps) for other in others} == {1}
    assert len({other.steps[0] for other in others}) > 5
    assert {other.steps[0] for other in (episode_state.resampled(0, generator),)} == {
        episode_state.steps[0]
    }


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=repr)
def test_observations_match_the_view(setting: Setting) -> None:
    """The row written from the truth is the one written from the view alone."""
    spec = spec_of(setting)
    episode_state, generator, observation_writer = (
        begun(setting, "match"),
        Generator(9),
        ObservationWriter(spec),
    )
    deals = SeededDeals(setting, 7)
    while len(episode_state.scores) < 2 and not episode_state.over:
        go_on(episode_state, deals)
        if not episode_state.unfinished:
            for seat in range(setting.seats):
                expected = observation(spec, episode_state.view(seat))
                assert np.array_equal(observation_writer.look(episode_state, seat), expected)
        step(episode_state, generator)


def test_copies_are_independent() -> None:
    episode_state, generator = begun(stichwerk.game("stichling")), Generator(2)
    for _ in range(9):
        step(episode_state, generator)
    known, state = episode_state.view(1), fields(episode_state.state)
    copy = episode_state.copy()
    while not copy.over:
        step(copy, generator)
    assert episode_state.view(1) == known
    assert fields(episode_state.state) == state
    assert not episode_state.over


def test_an_episode_state_can_be_pickled_at_any_step() -> None:
    with own_game() as name:
        for setting in (stichwerk.game("null-nichtig"), stichwerk.game(name)):
            episode_state, generator = begun(setting, "match"), Generator(2)
            for _ in range(7):
                step(episode_state, generator)
            again = pickle.loads(pickle.dumps(episode_state))
            assert [again.view(seat) for seat in range(4)] == [
                episode_state.view(seat) for seat in range(4)
            ]
            assert again.steps == episode_state.steps
            assert fields(again.state) == fields(episode_state.state)


@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize("options", [{}, {"teams": 2}])
def test_rewards_match_a_batch(episode: str, options: dict[str, int]) -> None:
    """Played in both, move for move, from the same cards."""
    setting = stichwerk.game("null-nichtig", seats=4, **options)
    spec = spec_of(setting)
    batch = Batch(spec, 1, seed=4, episode=episode, auto_reset=False)  # type: ignore[arg-type]
    episode_state = EpisodeState(setting, episode)
    while not batch.done[0]:
        if episode_state.dealing:
            episode_state.begin(deal_of(setting, batch.state(0)))
        assert episode_state.rewards == [0.0] * 4
        assert episode_state.asked == batch.seats[0]
        chosen = int(batch.random_actions()[0])
        episode_state.play(spec.action(chosen, episode_state.asked))
        batch.step([chosen])
    assert episode_state.over
    assert episode_state.rewards == pytest.approx(batch.rewards[0].tolist())
