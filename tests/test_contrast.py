"""What another move would lead to: every sentence is reached, and true of the play-outs."""

from collections.abc import Callable, Iterator
from functools import cache
from statistics import fmean
from typing import Any, NamedTuple

import pytest

import stichwerk
from stichwerk import bots
from stichwerk.bots import advising
from stichwerk.bots.advice import Advice, AdviceReason, Alternative
from stichwerk.bots.levels import LevelBot
from stichwerk.bots.position import Position
from stichwerk.bots.reasons import advice_text, contrast_for
from stichwerk.bots.reasons.contrast import Consequences
from stichwerk.bots.search import SearchBot
from stichwerk.cards import card_code
from stichwerk.engine.codes import colour_of, colour_slot, place_of, value_of
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.locale import LANGUAGES, sentences
from stichwerk.match import Match, Setting
from tests.strategies import setting_id

DEALS = 24
GAP = Alternative("", 0.0, 0.1, 50, 2.0, 0.1)
SETTINGS = [
    stichwerk.game("sticheln", seats=4),
    stichwerk.game("null-nichtig", seats=4),
    stichwerk.game("null-nichtig", seats=4, teams=2),
    stichwerk.game("stichling", seats=4),
    stichwerk.game("stichtag", seats=4),
    stichwerk.game("stichtag", seats=4, sheets=["red 4"]),
]


class Pair(NamedTuple):
    """Two moves, what became of them, and what is said about that."""

    best: Consequences
    other: Consequences
    said: AdviceReason

    def share(self, of: Consequences, holds: Callable[[State, State], bool]) -> float:
        ends = zip(of.tricks, of.rounds, strict=True)
        return round(sum(holds(trick, end) for trick, end in ends) / len(of.tricks), 2)

    def takes(self, of: Consequences) -> float:
        return self.share(of, lambda trick, _: trick.last_winner == of.seat)

    def points(self, of: Consequences, state: State) -> int:
        return of.rules.points_now(state)[of.seat]


@cache
def pairs() -> list[Pair]:
    return [pair for setting in SETTINGS for seed in range(4) for pair in pairs_of(setting, seed)]


def pairs_of(setting: Setting, seed: int) -> Iterator[Pair]:
    """Compare a few pairs of moves at every third position of a round."""
    match, generator, tactics = setting.new(seed=seed), Generator(seed), bots.build("greedy", seed)
    number = 0
    while match.waiting_for and not match.scores:
        seat = match.waiting_for[0]
        if number % 3 == 0 and len(match.moves(seat)) > 1:
            yield from compared(match, seat, generator)
        match.play(seat, tactics.choose(match.view(seat)))
        number += 1


def compared(match: Match, seat: int, generator: Generator) -> Iterator[Pair]:
    bot: Any = bots.build("flat@50", 1)
    position = Position(match.view(seat), bot.style, True)
    listed = position.moves()
    moves = [listed[generator.number(len(listed))] for _ in range(3)]
    several = len(match.view(None).tricks) > 1 or match.setting.rules.name == SETTINGS[3].rules.name
    places = [place_of(move.steps[0]) if several else -1 for move in moves]
    trial = advising.foresight(bot, position)
    ends = trial.ends([move.steps for move in moves], places, DEALS)
    found = [Consequences(position, *one) for one in zip(moves, ends, strict=True)]
    for best in found:
        for other in found:
            said = contrast_for(best, other, GAP)
            if best.move != other.move and said is not None:
                yield Pair(best, other, said)


def is_full(pair: Pair, of: Consequences) -> float:
    return pair.share(of, lambda _, end: pair.points(of, end) == pair.said.data["points"])


def is_met(pair: Pair, of: Consequences) -> float:
    count = pair.said.data["count"]
    assert of.position.view.table["announced"][of.seat] == count  # type: ignore[index]
    return pair.share(of, lambda _, end: end.tricks_won[of.seat] == count)


def mean_gain(pair: Pair, of: Consequences) -> float:
    before = pair.points(of, of.position.known)
    won = [pair.points(of, one) for one in of.tricks if one.last_winner == of.seat]
    return fmean(won) - before


def buried(pair: Pair) -> bool:
    top = card_code(pair.said.data["top"])
    pile = colour_slot(pair.other.seat, colour_of(top))
    share = pair.share(
        pair.other,
        lambda trick, _: (
            trick.last_winner == pair.other.seat and trick.tops[pile] <= value_of(top) - 3
        ),
    )
    known = pair.other.position.known.tops[pile] == value_of(top)
    return known and share == float(pair.said.data["chance"])


def brought(pair: Pair) -> bool:
    def others(of: Consequences) -> float:
        sums = [sum(of.rules.points_now(one)) - pair.points(of, one) for one in of.tricks]
        return fmean(sums)

    more = others(pair.other) - others(pair.best)
    return abs(more - float(pair.said.data["about"])) <= 0.5


TRUE: dict[str, Callable[[Pair], bool]] = {
    "advice-other-buries": buried,
    "advice-other-choice": lambda pair: pair.other.position.view.phase != "play",
    "advice-other-costs": lambda pair: (
        pair.takes(pair.other) == pair.said.data["chance"]
        and abs(mean_gain(pair, pair.other) + pair.said.data["about"]) <= 0.5
    ),
    "advice-other-goal": lambda pair: (
        is_full(pair, pair.other) == pair.said.data["chance"]
        and is_full(pair, pair.best) == pair.said.data["usual"]
    ),
    "advice-other-helps": brought,
    "advice-other-later": lambda pair: abs(pair.takes(pair.best) - pair.takes(pair.other)) < 1,
    "advice-other-leaves": lambda pair: (
        round(1 - pair.takes(pair.other), 2) == pair.said.data["chance"]
        and abs(mean_gain(pair, pair.best) - pair.said.data["about"]) <= 0.5
    ),
    "advice-other-misses": lambda pair: (
        round(1 - pair.takes(pair.other), 2) == pair.said.data["chance"]
        and pair.takes(pair.other) < pair.takes(pair.best)
    ),
    "advice-other-number": lambda pair: (
        is_met(pair, pair.other) == pair.said.data["chance"]
        and is_met(pair, pair.best) == pair.said.data["usual"]
    ),
    "advice-other-takes": lambda pair: (
        pair.takes(pair.best) < pair.takes(pair.other) == pair.said.data["chance"]
    ),
}


def test_every_contrast_is_true_of_the_play_outs() -> None:
    assert [pair.said for pair in pairs() if not TRUE[pair.said.id](pair)] == []


def test_every_contrast_is_reached_and_has_its_sentences() -> None:
    examples = {pair.said.id: pair.said for pair in pairs()}
    examples["advice-other-close"] = AdviceReason("advice-other-close", {"move": "G8"})
    assert set(examples) == {id for id in sentences("en") if id.startswith("advice-other-")}
    for said in examples.values():
        for lang in LANGUAGES:
            text = advice_text(Advice("", (), AdviceReason("advice-best"), said), lang)
            assert "{" not in text
            assert "advice-" not in text


@pytest.mark.parametrize("setting", SETTINGS, ids=setting_id)
def test_ranking_and_values_never_contradict_each_other(setting: Setting) -> None:
    for name in ("master@150", "expert"):
        bot = advising_bot(name)
        match = setting.new(seed=5)
        view = match.view(match.waiting_for[0])
        found = bot.advise(view)
        worth = [one.value for one in found.alternatives]
        assert found.move == found.alternatives[0].move
        assert None not in worth
        assert worth == sorted(worth, key=lambda value: -(value or 0.0))
        for one in found.alternatives:
            assert one.behind == pytest.approx((worth[0] or 0.0) - (one.value or 0.0))
            assert (one.behind or 0.0) >= 0.0


def advising_bot(name: str) -> SearchBot:
    """Return a bot that looks ahead, without the level around it."""
    built = bots.build(name, 2)
    bot = built.thinks if isinstance(built, LevelBot) else built
    assert isinstance(bot, SearchBot)
    return bot


def test_the_net_counts_in_points() -> None:
    """The mean of play-outs and net, weighted by what a point of each counts."""
    opinion = advising.Opinion(0.5, {"A": 4.0, "B": 1.0})
    gap, weight = opinion.joined(0.0, "A", "B")
    assert gap == pytest.approx(1.0)
    assert weight == pytest.approx(2 / 3)
    assert advising.Opinion(0.0, {"A": 4.0, "B": 1.0}).joined(2.0, "A", "B") == (2.0, 1.0)


def test_the_best_bot_advises() -> None:
    assert bots.best_bot("sticheln").startswith("master@")
    assert bots.best_bot("my-own") == "expert"


def test_a_review_compares_with_the_move_that_was_made() -> None:
    match = stichwerk.game("sticheln", seats=4).new(seed=3)
    view = match.view(match.waiting_for[0])
    bot = advising_bot("expert")
    found = bot.advise(view)
    worst = found.alternatives[-1].move
    against = bot.advise(view, worst).contrast
    assert against is not None
    assert against.data["move"] == worst
    assert bot.advise(view, found.move).contrast is None
