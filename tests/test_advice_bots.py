"""Advice of bots: values and their uncertainty."""

from typing import Any

import msgspec
import pytest

import stichwerk
from stichwerk import bots
from stichwerk.bots.advice import Advice, AdviceReason
from stichwerk.bots.position import Position
from stichwerk.bots.reasons import reason_for
from stichwerk.engine.generator import Generator
from stichwerk.games import registry
from stichwerk.locale import text
from stichwerk.view import View

# -- Bots ------------------------------------------------------------------------------------------


def advice(name: str, view: View, seed: int = 3) -> Advice:
    bot: Any = bots.build(name, seed)
    found = bot.advise(view)
    assert isinstance(found, Advice)
    return found


def view_of(game: str, moves: int = 12, **options: object) -> View:
    """Return a position with several moves."""
    match, generator = stichwerk.game(game, seats=4, **options).new(seed=4), Generator(4)
    while moves > 0 or len(match.moves(match.waiting_for[0])) == 1:
        seat = match.waiting_for[0]
        listed = match.moves(seat)
        match.play(seat, listed[generator.number(len(listed))])
        moves -= 1
    return match.view(match.waiting_for[0])


every_game = pytest.mark.parametrize("game", registry.GAMES)


@every_game
@pytest.mark.parametrize("name", ["random", "greedy", "flat@64", "tree@64", "chooser@64"])
def test_advice_is_a_move_with_its_alternatives(game: str, name: str) -> None:
    for moves in (0, 12):
        view = view_of(game, moves)
        found = advice(name, view)
        assert found.move in view.moves
        assert found.alternatives[0].move == found.move
        assert {one.move for one in found.alternatives} <= set(view.moves)
        assert advice(name, view) == found
        for one in found.alternatives:
            assert (one.value is None) == (one.error is None) == (one.tries == 0)
            assert one.error is None or one.error >= 0


def test_an_adviser_is_a_bot_that_can_say_why() -> None:
    """All of ours; a program is refused."""
    view = stichwerk.game("sticheln", seats=3).new(seed=1).view(0)
    for name in ("random", "greedy", "easy", "flat@20", "tree@20"):
        adviser = stichwerk.adviser(name, seed=3)
        assert adviser.advise(view).move in view.moves
        assert adviser.name == name.partition("@")[0]
    with pytest.raises(bots.BadBotError) as refused:
        stichwerk.adviser("program:true")
    assert refused.value.id == "bot-gives-no-hints"


def test_random_has_no_reason() -> None:
    assert advice("random", view_of("sticheln")).reason == AdviceReason("advice-random")


@every_game
def test_more_iterations_reduce_the_error(game: str) -> None:
    view = view_of(game)
    errors = [advice(f"flat@{many}", view).alternatives[0].error for many in (100, 6400)]
    assert errors[0] is not None
    assert errors[1] is not None
    assert 0 < errors[1] < errors[0] / 3


@every_game
def test_the_gap_of_two_moves(game: str) -> None:
    view = view_of(game)
    bot: Any = bots.build("flat@400", 3)
    first, last = view.moves[0], view.moves[-1]
    gap, error = bot.gap(view, first, last)
    assert bot.gap(view, first, last) == (gap, error)
    assert error > 0
    assert bot.gap(view, last, first)[0] == pytest.approx(-gap, abs=1e-9 + 6 * error)
    assert bot.gap(view, first, first)[0] == pytest.approx(0, abs=1e-9 + 6 * error)


def test_a_gap_in_the_endgame_is_exact() -> None:
    """With two cards left all deals are solved: nothing is left to chance."""
    view = view_of("sticheln", 4 + 4 * 12)
    bot: Any = bots.build("tree@1000", 3)
    gap, error = bot.gap(view, view.moves[0], view.moves[1])
    values = {one.move: one.value or 0.0 for one in advice("tree@1000", view).alternatives}
    assert gap == pytest.approx(values[view.moves[0]] - values[view.moves[1]])
    assert error == pytest.approx(0, abs=1e-9)


def test_the_only_move_needs_no_other_reason() -> None:
    view = view_of("sticheln", 4 + 4 * 12)
    match, generator = stichwerk.game("sticheln", seats=4).new(seed=4), Generator(4)
    while len(match.view(match.waiting_for[0]).moves) > 1:
        listed = match.moves(match.waiting_for[0])
        match.play(match.waiting_for[0], listed[generator.number(len(listed))])
    last = match.view(match.waiting_for[0])
    assert advice("greedy", last).reason == AdviceReason("advice-only-move")
    assert advice("greedy", view).reason.id != "advice-only-move"


def test_a_game_without_reasons_of_its_own() -> None:
    position = Position(view_of("sticheln"))
    position.view = msgspec.structs.replace(position.view, game="my-own")
    assert reason_for(position, position.moves()[0]) == AdviceReason("advice-best")
    assert text("advice-best", "en") == "is the most promising move"
