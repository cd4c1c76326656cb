"""What a bot's moves cost at the decisions of the bench."""

import time
from collections.abc import Callable, Sequence
from statistics import fmean

import msgspec

from stichwerk import bots
from stichwerk.arena.positions.decisions import JudgedDecision, decisions_with_views
from stichwerk.bots.faults import Listener, tell_on_stderr
from stichwerk.bots.hosting import USUAL, Hosting, seat_bots, vetted
from stichwerk.view import View

SEED = 1  # of every bot: the same bot gives the same figures


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """A bot at the decisions of one game.

    `regret` is in points a decision, `best` the share of moves as good as the best one.
    """

    game: str
    bot: str
    decisions: int
    regret: float
    best: float
    seconds_per_move: float


def scores(
    game: str,
    names: Sequence[str],
    watch: Callable[[], object] = lambda: None,
    hosting: Hosting = USUAL,
    on_fault: Listener = tell_on_stderr,
) -> list[Score]:
    """Ask each bot at each decision of a game."""
    looks = list(decisions_with_views(game))
    return [score(game, name, looks, watch, hosting, on_fault) for name in names]


def score(
    game: str,
    name: str,
    looks: Sequence[tuple[JudgedDecision, View]],
    watch: Callable[[], object] = lambda: None,
    hosting: Hosting = USUAL,
    on_fault: Listener = tell_on_stderr,
) -> Score:
    """Ask one bot at these decisions."""
    full_name = vetted(name, hosting)
    (bot,) = seat_bots([name], [SEED], hosting=hosting, on_fault=on_fault)
    costs, best, seconds = [], 0, 0.0
    try:
        for decision, view in looks:
            begin = time.perf_counter()
            move = bot.choose(view)
            seconds += time.perf_counter() - begin
            costs.append(decision.regret(move))
            best += decision.is_best(move)
            watch()
    finally:
        bots.close(bot)
    count = len(looks)
    return Score(
        game=game,
        bot=full_name,
        decisions=count,
        regret=fmean(costs),
        best=best / count,
        seconds_per_move=seconds / count,
    )
