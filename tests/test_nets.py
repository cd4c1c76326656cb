"""Nets see what their seat sees, plain and compiled ones agree, and training teaches something."""

from collections.abc import Iterator
from typing import Any

import pytest

import stichwerk
from stichwerk.bots import nets
from stichwerk.bots.tactics import tactics_of
from stichwerk.engine import plain
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.net import Net
from stichwerk.engine.net_format import FIRST_SCALE, LAST_SCALE, MOST_INPUTS, SECOND_SCALE
from stichwerk.engine.state import State
from stichwerk.games import registry
from stichwerk.match import Match, Setting
from stichwerk.view import knowledge, sample
from tests.length import by_length
from tests.strategies import plain_rules, plain_state, setting_id

HIDDEN, SECOND = 96, 32
MANY = 12  # tables of one game; of more, as of Stichtag's dates, some are enough
SETTINGS = [
    stichwerk.game(info.name, seats=seats, **options)
    for info in registry.OUR_GAMES
    if info.training
    for seats, options, _ in by_length(
        info.training.tables[:: 1 + len(info.training.tables) // MANY], info.training.tables
    )
]
every_table = pytest.mark.parametrize("setting", SETTINGS, ids=setting_id)


def untrained(inputs: int, seed: int = 1) -> tuple[Any, ...]:
    """Return weights that nobody trained, of the size of real ones: what a net is made from."""
    random = Generator(seed)

    def table(size: int, most: int) -> list[int]:
        return [random.number(2 * most) - most for _ in range(size)]

    weights = [table(inputs * HIDDEN, 120), table(HIDDEN * SECOND, 200), table(SECOND, 900)]
    return inputs, HIDDEN, SECOND, weights, [table(HIDDEN, 300), table(SECOND, 300)]


def tactics_with(net: Any, rules: Game) -> Any:
    return nets.tactics_with(net, rules, tactics_of(rules, "full"), tactics_of(rules, "small"))


def decisions(setting: Setting, seed: int, count: int) -> Iterator[tuple[Match, int, Generator]]:
    """Yield decisions of random matches, about every third, with the seat that decides."""
    generator = Generator(seed)
    match = setting.new(seed=seed)
    while count:
        if not match.waiting_for:
            seed += 1
            match = setting.new(seed=seed)
        seat = match.waiting_for[0]
        moves = match.view(seat).moves
        if len(moves) > 1 and generator.number(3) == 0:
            count -= 1
            yield match, seat, generator
        match.play(seat, moves[generator.number(len(moves))])


def seen(tactics: Any, state: State, seat: int) -> list[list[int]]:
    """Return the inputs of every action of a seat."""
    actions = tactics.game.actions(state, seat)
    make = Generator if isinstance(tactics.game, Game) else plain.Generator
    return [tactics.inputs_of(state, seat, action, make(7)) for action in actions]


@pytest.mark.long
@every_table
def test_hidden_cards_turn_no_input_on(setting: Setting) -> None:
    """The truth, two deals that fit, and hands that are not dealt at all look the same."""
    rules = setting.rules
    tactics = tactics_with(Net(*untrained(nets.features_of(rules).size)), rules)
    for match, seat, generator in decisions(setting, 5, by_length(12, 200)):
        view = match.view(seat)
        looks = [
            seen(tactics, state, seat)
            for state in (
                match._state,
                knowledge(view),
                sample(view, generator),
                sample(view, generator),
            )
        ]
        assert looks[0] == looks[1] == looks[2] == looks[3]


@every_table
def test_inputs_are_in_range_and_tell_most_moves_apart(setting: Setting) -> None:
    rules = setting.rules
    size = nets.features_of(rules).size
    assert size <= MOST_INPUTS
    tactics = tactics_with(Net(*untrained(size)), rules)
    moves = different = 0
    for match, seat, _ in decisions(setting, 6, 12):
        inputs = seen(tactics, match._state, seat)
        assert all(len(one) <= 256 for one in inputs)
        assert all(0 <= at < size for one in inputs for at in one)
        assert all(len(set(one)) == len(one) for one in inputs)
        moves += len(inputs)
        different += len({tuple(one) for one in inputs})
    assert different > 0.9 * moves


@every_table
def test_a_plain_net_sees_and_plays_as_the_compiled_one(setting: Setting) -> None:
    rules = setting.rules
    slow = plain_rules(setting)
    made = untrained(nets.features_of(rules).size)
    compiled = tactics_with(Net(*made), rules)
    uncompiled = tactics_with(plain.twin("stichwerk.engine.net").Net(*made), slow)
    for match, seat, _ in decisions(setting, 7, 3):
        state = match._state
        twin = plain_state(state)
        assert seen(compiled, state, seat) == seen(uncompiled, twin, seat)
        found = compiled.pick(state, seat, Generator(3))
        assert found == uncompiled.pick(twin, seat, plain.Generator(3))
        inputs = seen(compiled, state, seat)[0]
        values = [one.net.value(inputs[:20], inputs[20:]) for one in (compiled, uncompiled)]
        assert values[0] == values[1]


def test_whole_numbers_are_close_to_fractions() -> None:
    np = pytest.importorskip("numpy")
    inputs, hidden, second, weights, biases = untrained(500)
    net = Net(inputs, hidden, second, weights, biases)
    first = np.array(weights[0]).reshape(inputs, hidden) / FIRST_SCALE
    middle = np.array(weights[1]).reshape(second, hidden) / SECOND_SCALE
    last = np.array(weights[2]) / LAST_SCALE
    one_bias, two_bias = np.array(biases[0]) / FIRST_SCALE, np.array(biases[1]) / SECOND_SCALE
    random = np.random.default_rng(1)
    for _ in range(50):
        on = random.choice(inputs, 60, replace=False)
        one = np.clip(first[on].sum(0) + one_bias, 0, 8)
        two = np.clip(middle @ one + two_bias, 0, 8)
        on = on.tolist()
        assert net.value(on[:30], on[30:]) == pytest.approx(two @ last, abs=0.15)


def test_weights_are_read_as_they_were_written() -> None:
    inputs, hidden, second, weights, biases = untrained(40)
    making = nets.Making(
        game="sticheln", inputs=inputs, hidden=hidden, second=second, command="c", commit="1"
    )
    raw = nets.written_weights(making, [*weights, *biases])
    again, tables = nets.read_weights(raw)
    assert again == making
    assert [list(table) for table in tables] == [*weights, *biases]


def test_a_net_of_wrong_size_is_refused() -> None:
    inputs, hidden, second, weights, biases = untrained(40)
    with pytest.raises(ValueError, match="sizes"):
        Net(inputs + 1, hidden, second, weights, biases)
    with pytest.raises(ValueError, match="more than"):
        Net(MOST_INPUTS + 1, 1, 1, [[0] * (MOST_INPUTS + 1), [0], [0]], [[0], [0]])
