"""OpenSpiel: its own simulations for every game and number of seats; chance, information states,
resampling, its ISMCTS bot."""

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts

from stichwerk import view
from stichwerk.cards import card_code
from stichwerk.envs import episode_state, spiel
from stichwerk.errors import BadOptionError, BadSeatsError
from tests.envs.adapting import DAYS, TABLES, own_game

pytestmark = pytest.mark.game


def loaded(game: str, **parameters: Any) -> Any:
    """Return a game as OpenSpiel loads it."""
    return pyspiel.load_game(spiel.spiel_name(game), parameters)


def draw(state: Any, rng: random.Random) -> int:
    """Return one outcome of a chance node, or any legal action."""
    if not state.is_chance_node():
        return int(rng.choice(state.legal_actions()))
    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
    return int(rng.choices(outcomes, weights)[0])


def states(game: Any, seed: int) -> Iterator[Any]:
    """Yield all states of a random episode, including the last."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        yield state
        state.apply_action(draw(state, rng))
    yield state


def decisions(game: Any, seed: int) -> Iterator[Any]:
    """Those of them in which a player is asked."""
    return (state for state in states(game, seed) if state.current_player() >= 0)


# -- Its own simulations ---------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_random_simulations_pass(game: str, seats: int) -> None:
    pyspiel.random_sim_test(loaded(game, seats=seats), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("game", ["stichling", "stichtag"])
def test_random_simulations_of_whole_matches_pass(game: str) -> None:
    whole = loaded(game, seats=3, episode="match")
    pyspiel.random_sim_test(whole, num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("day", DAYS)
def test_random_simulations_of_all_kinds_of_days_pass(day: str) -> None:
    game = loaded("stichtag", seats=4, options=f"date:{day}")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_random_simulations_of_a_custom_game_pass() -> None:
    with own_game() as name:
        spiel.register(name)
        pyspiel.random_sim_test(loaded(name, seats=3), num_sims=1, serialize=True, verbose=False)


def test_openspiels_rl_environment_runs() -> None:
    env = rl_environment.Environment("stichwerk_sticheln", seats=3)
    env.seed(4)
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        step = env.step([step.observations["legal_actions"][player][0]])
    assert step.rewards == env.get_state.returns()
    assert any(step.rewards)


# -- Chance ----------------------------------------------------------------------------------------


def test_chance_probabilities_match_a_shuffled_deck() -> None:
    """Null & nichtig: each zero is there twice, so that it is twice as likely."""
    game = loaded("null-nichtig", seats=3, options="starter:1")
    state = game.new_initial_state()
    chances = dict(state.chance_outcomes())
    texts = game.chance.texts
    assert sum(chances.values()) == pytest.approx(1)
    for at, text in enumerate(texts):
        assert chances[at] == pytest.approx((2 if text[1:] == "0" else 1) / 65)
    zero = texts.index("R0")
    state.apply_action(zero)
    assert dict(state.chance_outcomes())[zero] == pytest.approx(1 / 64)
    state.apply_action(zero)
    assert zero not in dict(state.chance_outcomes())


def test_cards_are_dealt_around_from_the_starter() -> None:
    game = loaded("sticheln", seats=3)
    state = game.new_initial_state()
    assert state.chance_outcomes() == [(seat, pytest.approx(1 / 3)) for seat in range(3)]
    state.apply_action(1)
    dealt = []
    while state.is_chance_node():
        outcome = state.chance_outcomes()[0][0]
        dealt.append(state.action_to_string(outcome).split()[1])
        state.apply_action(outcome)
    hands = [dealt[(seat - 1) % 3 : 45 : 3] for seat in range(3)]
    rules, truth = state.episode_state.rules, state.episode_state.state
    for seat, hand in enumerate(hands):
        assert list(rules.hand(truth, seat)) == sorted(hand, key=card_code)
    assert state.episode_state.state.starter == 1


def test_special_cards_are_drawn_evenly() -> None:
    (_, partners), *_ = loaded("stichtag", seats=4, options="sheets:red 6").chance.specials
    assert len(partners) == 9
    assert all(seat != partner for drawn in partners for seat, partner in enumerate(drawn))
    april = loaded("stichtag", seats=3, options="sheets:April")
    (kind, draws), *_ = april.chance.specials
    assert kind == "eggs"
    assert len(draws) == len(set(draws)) == 180  # six eggs, two values twice
    assert all(sorted(drawn) == [0, 1, 1, 2, 2, 3] for drawn in draws)


# -- What players see ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_resampled_state_is_indistinguishable_to_its_player(game: str, seats: int) -> None:
    """For every player: the same strings and tensors; and the cards of others do change."""
    moved = 0
    for number, state in enumerate(decisions(loaded(game, seats=seats), 5)):
        if number % 3:
            continue
        for player in range(seats):
            other = state.resample_from_infostate(player, random.Random(number).random)
            assert other.current_player() == state.current_player()
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            moved += str(other) != str(state)
        player = state.current_player()
        other = state.resample_from_infostate(player, random.Random(number).random)
        assert other.legal_actions() == state.legal_actions()
    assert moved > 5


@pytest.mark.parametrize("day", ["02-18", "08-14"])
def test_a_resampled_state_is_indistinguishable_on_days_with_passing(day: str) -> None:
    game = loaded("stichtag", seats=4, options=f"date:{day}")
    for number, state in enumerate(decisions(game, 6)):
        player = state.current_player()
        other = state.resample_from_infostate(player, random.Random(number).random)
        assert other.information_state_string() == state.information_state_string()
        assert other.information_state_tensor() == state.information_state_tensor()
        assert other.legal_actions() == state.legal_actions()


def test_a_resampled_state_drops_the_true_history() -> None:
    """Its history starts empty, and what only others have seen is not in it."""
    state = next(decisions(loaded("sticheln"), 2))
    other = state.resample_from_infostate(0, random.Random(1).random)
    assert other.history() == []
    for seat in (1, 2, 3):
        hand = (
            '"' + '","'.join(state.episode_state.rules.hand(state.episode_state.state, seat)) + '"'
        )
        assert hand in str(state)
        assert hand not in str(other)


def test_a_resampled_state_can_be_played_copied_and_written() -> None:
    game, rng = loaded("stichtag", seats=4, options="date:02-18"), random.Random(3)
    for number, state in enumerate(decisions(game, 4)):
        if number % 8 == 0:
            other = state.resample_from_infostate(state.current_player(), rng.random)
            written = pyspiel.serialize_game_and_state(game, other)
            _, again = pyspiel.deserialize_game_and_state(written)
            assert str(again) == str(other) == str(other.clone())
            while not other.is_terminal():
                other.apply_action(draw(other, rng))
            assert len(other.returns()) == 4


@pytest.mark.parametrize("game", ["stichling", "null-nichtig", "sticheln"])
def test_information_states_remember_everything(game: str) -> None:
    """Perfect recall: an information state is a prefix of later ones."""
    histories = []
    for state in decisions(loaded(game, seats=3, episode="match"), 3):
        histories.append(state.episode_state.seen(1))
        assert state.information_state_string(1).count('"kind"') == sum(
            event.kind != "hand" for event in histories[-1]
        )
    assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(histories))
    assert len(histories[-1]) > 100


def test_the_record_of_plays_is_in_the_information_state() -> None:
    """`plays` contains who played which card when, `places` where; seats as steps to the left."""
    game = loaded("stichling", seats=3)
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    *_, end = states(game, 3)
    plays = [event for event in end.episode_state.events if event.kind == "play"]
    assert len(plays) == 36
    for player in range(3):
        observer.set_from(end, player)
        for number, event in enumerate(plays, 1):
            card, _, place = event.move.partition(">")
            at = game.spec.cards.index(card_code(card))
            seat = ((event.seat or 0) - player) % 3
            assert observer.dict["plays"][seat, at] == number / spiel.PLAYS
            assert observer.dict["places"][spiel.PLACES.index(place), at] == 1
        assert (observer.dict["plays"] > 0).sum() == 36
        assert list(observer.tensor) == end.information_state_tensor(player)


def test_nothing_is_seen_while_cards_are_dealt() -> None:
    game = loaded("sticheln")
    dealing = [state for state in states(game, 1) if state.is_chance_node()]
    state = game.new_initial_state()
    for _ in range(40):
        state.apply_action(state.chance_outcomes()[-1][0])
    assert dealing
    assert not any(state.observation_tensor(0))
    assert not any(state.information_state_tensor(0))


# -- Results ---------------------------------------------------------------------------------------


def test_returns_are_the_points_of_a_round_or_the_ranking_of_a_match() -> None:
    *_, end = states(loaded("sticheln", seats=3), 4)
    assert end.returns() == list(map(float, end.episode_state.scores[0]))
    *_, end = states(loaded("sticheln", seats=3, episode="match"), 4)
    assert len(end.episode_state.scores) == 3
    assert sum(end.returns()) == pytest.approx(0)
    totals = np.sum(end.episode_state.scores, axis=0)
    assert end.returns().index(max(end.returns())) == totals.argmax()


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_type_says_what_returns_add_up_to(game: str, seats: int) -> None:
    utility = pyspiel.GameType.Utility
    match, alone = loaded(game, seats=seats, episode="match"), loaded(game, seats=seats)
    assert match.get_type().utility == utility.ZERO_SUM
    assert match.utility_sum() == 0
    assert alone.get_type().utility == utility.GENERAL_SUM
    *_, end = states(match, 5)
    assert sum(end.returns()) == pytest.approx(0)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_utility_and_length_bounds_hold(game: str, seats: int) -> None:
    one = loaded(game, seats=seats)
    for seed in range(3):
        path = list(states(one, seed))
        assert sum(len(state.history()) for state in path[-1:]) == len(path) - 1
        assert max(map(abs, path[-1].returns())) < one.max_utility()
    assert one.max_chance_nodes_in_history() >= 1 + one.setting.rules.deck_size


# -- Parameters ------------------------------------------------------------------------------------


def test_options_are_parsed_from_one_text() -> None:
    written = "date:none;sheets:red 4+green 2;starter:2"
    assert spiel.read_options(written) == {
        "date": None,
        "sheets": ["red 4", "green 2"],
        "starter": 2,
    }
    game = loaded("stichtag", seats=4, options="sheets:red 4+green 2")
    assert game.setting.options["sheets"] == ["red 4", "green 2"]
    again = pyspiel.load_game(str(game))
    assert again.setting.options == game.setting.options
    assert again.setting.seats == 4


def test_impossible_settings_are_refused() -> None:
    with pytest.raises(BadOptionError):
        loaded("sticheln", options="jokers:3")
    with pytest.raises(BadSeatsError):
        loaded("sticheln", seats=9)


# -- Its search ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("stichling", ""),
        ("null-nichtig", ""),
        ("sticheln", ""),
        ("stichtag", "date:02-04"),
        ("stichtag", "date:08-24"),
    ],
)
def test_openspiels_ismcts_bot_uses_our_samples(
    monkeypatch: pytest.MonkeyPatch, game: str, options: str
) -> None:
    """Each simulation starts from a resampled state, and those come from `view.sample`."""
    sampled: list[int | None] = []

    def counting(view: Any, generator: Any) -> Any:
        sampled.append(view.seat)
        return ours(view, generator)

    ours = view.sample
    monkeypatch.setattr(episode_state, "sample", counting)
    one = loaded(game, seats=3, options=options)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(one, evaluator, 20.0, 12, random_state=np.random.RandomState(2))
    rng, choices = random.Random(3), 0
    state = one.new_initial_state()
    while not state.is_terminal():
        if state.current_player() == 0:
            choices += len(state.legal_actions()) > 1
            state.apply_action(int(bot.step(state)))
        else:
            state.apply_action(draw(state, rng))
    assert choices > 5
    assert sampled == [0] * (12 * choices)


@pytest.mark.slow
def test_openspiels_ismcts_bot_finds_a_winning_move() -> None:
    """Not only does it run: with the last two cards it finds the better one in most cases."""
    one = loaded("sticheln", seats=3)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(one, evaluator, 20.0, 150, random_state=np.random.RandomState(2))
    gained = []
    for seed in range(12):
        for state in decisions(one, seed):
            last = (
                state.episode_state.state.hand_size[0] == 2 and state.episode_state.state.phase == 1
            )
            if state.current_player() == 0 and last and len(state.legal_actions()) == 2:
                chosen = bot.step(state)
                values = {action: value_of(state, action) for action in state.legal_actions()}
                gained.append(values[int(chosen)] - np.mean(list(values.values())))
    assert len(gained) > 8
    assert np.mean(gained) > 0


def value_of(state: Any, action: int) -> float:
    """Return the mean result of an action over many deals that fit, with random play after it."""
    rng, total = random.Random(1), 0.0
    for _ in range(40):
        other = state.resample_from_infostate(state.current_player(), rng.random)
        other.apply_action(action)
        while not other.is_terminal():
            other.apply_action(draw(other, rng))
        total += other.returns()[0] / 40
    return total
