"""Strangers play as their names say, in every game, and search without tactics still wins."""

from collections.abc import Iterator

import pytest

import stichwerk
from stichwerk import bots
from stichwerk.arena.deals import make_plan
from stichwerk.arena.runner import workplace
from stichwerk.arena.tournament import Tournament
from stichwerk.bots.position import Position
from stichwerk.engine.codes import card_of, colour_of, value_of
from stichwerk.engine.constants import PLAY
from stichwerk.games import registry
from stichwerk.match import Setting
from stichwerk.view import View

SEED = 3
every_game = pytest.mark.parametrize("game", registry.GAMES)


def decisions(game: str, bot: str) -> Iterator[tuple[View, str]]:
    """Yield the first fifty real decisions about a card in a match of four such bots, and what was
    played."""
    match = stichwerk.game(game, seats=4).new(seed=SEED)
    players = [bots.build(bot, seat) for seat in range(4)]
    found = 0
    while match.waiting_for and found < 50:
        seat = match.waiting_for[0]
        view = match.view(seat)
        move = players[seat].choose(view)
        if len(view.moves) > 1 and Position(view).known.phase == PLAY:
            found += 1
            yield view, move
        match.play(seat, move)
    assert found > 20


def values(view: View) -> dict[str, int]:
    """Return the value of the cards of each move."""
    moves = Position(view).moves()
    return {move.text: sum(value_of(card_of(step)) for step in move.steps) for move in moves}


@every_game
@pytest.mark.parametrize(("bot", "best"), [("highest", max), ("lowest", min)])
def test_a_style_plays_its_highest_or_lowest_card(game: str, bot: str, best: object) -> None:
    assert callable(best)
    for view, move in decisions(game, bot):
        worth = values(view)
        assert worth[move] == best(worth.values())


@every_game
def test_a_hoarder_plays_from_a_short_colour(game: str) -> None:
    def held(view: View, text: str) -> int:
        position = Position(view)
        move = next(move for move in position.moves() if move.text == text)
        colours = [colour_of(stichwerk.cards.card_code(card)) for card in view.hand]
        return colours.count(colour_of(card_of(move.steps[0])))

    for view, move in decisions(game, "hoarder"):
        assert held(view, move) == min(held(view, text) for text in view.moves)


@pytest.mark.parametrize("bot", ["highest", "lowest", "hoarder"])
def test_the_reason_of_a_style_is_the_style(bot: str) -> None:
    view, move = next(decisions("sticheln", bot))
    advice = bots.adviser(bot, view.seat or 0).advise(view)
    assert (advice.move, advice.reason.id) == (move, "advice-style")


def test_a_moody_bot_makes_about_a_fifth_of_its_moves_on_a_whim() -> None:
    differs = total = 0
    for game in registry.GAMES:
        for view, move in decisions(game, "moody"):
            total += 1
            differs += bots.build("hard-1", SEED).choose(view) != move
    assert 0.05 < differs / total < 0.4  # a whim may choose the same card


@every_game
def test_search_without_tactics_beats_random_play(game: str) -> None:
    plan = make_plan(Setting(game, 4, {}), ("ismcts-1@60", "random-1"), SEED)
    with workplace("local", plan, 1) as play:
        result = Tournament(plan=plan, deals=4 if plan.unit == "match" else 12).result(
            0, 1, play, lambda _: None
        )
    assert result.gaps.mean > 0
    assert result.win_shares.mean > 0.25
