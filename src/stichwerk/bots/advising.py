"""Advice of bots that look ahead: which move, how much better than the others, and why.

A bot that plays drops weak moves early and keeps no account of them. People want to know how much
worse another move is. So all moves are tried on the same deals, the worse half is dropped round by
round, and what is said about two moves comes from the deals that both were tried on. A move that
is dropped was behind on all deals it has in common with those that stay: ranking and values never
contradict each other.

`master` also has the opinion of a net, which counts as it does when `master` plays: a point of the
net `share` times as much as a point of the play-outs. The value of a move is the mean of both with
these weights, so it stays in points. Only play-outs have a known error; it is stated for that mean.
"""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, variance

import msgspec

from stichwerk.bots import nets
from stichwerk.bots.advice import Advice, AdviceReason, Alternative
from stichwerk.bots.master import STRANGE, UNDERSTOOD, HorizonBot, MasterBot
from stichwerk.bots.position import Position, generator_for
from stichwerk.bots.reasons import contrast_for, reason_for
from stichwerk.bots.reasons.contrast import Consequences
from stichwerk.bots.search import (
    ENDGAME_CARDS,
    FEW,
    SLOWER,
    SearchBot,
    alternative,
    is_slow,
    part,
)
from stichwerk.bots.tactics import tactics_of
from stichwerk.engine.codes import place_of
from stichwerk.engine.constants import PLAY
from stichwerk.engine.events import Move
from stichwerk.engine.foresight import Foresight
from stichwerk.games import registry

FEWEST = 8  # deals before a move may be dropped
PARTS = 16  # of the deals, whose spread gives the error: deals that follow each other are alike
ONLY_TRICK = -1
SEEN = 96  # deals on which the consequences of two moves are compared


class Opinion(msgspec.Struct, frozen=True):
    """What a net thinks of each move, in points, and how much that counts."""

    share: float
    points: dict[str, float]

    def joined(self, gap: float, one: str, other: str) -> tuple[float, float]:
        """Return by how much one move is better, and what a point of the play-outs counts."""
        weight = 1 / (1 + self.share)
        net = self.points[one] - self.points[other]
        return weight * (gap + self.share * net), weight


def advise(bot: SearchBot, position: Position, than: str = "") -> Advice:
    """Return the best move, what the others are worth, and why: best compared with `than`.

    Without `than` with the move that comes first to mind, that of the small tactics.
    """
    moves = {move.text: move for move in candidates(bot, position, than)}
    if is_comparable(bot, position, len(moves)):
        ranking = compared(bot, position, list(moves.values()))
    else:
        ranking = judged(bot, position)
    best = ranking[0].move
    if best not in moves:  # a move of many actions
        moves |= {move.text: move for move in position.moves()}
    reason = reason_for(position, moves[best])
    contrast = None
    other = than or other_move(position, ranking)
    if other != best and other in moves:
        contrast = contrasted(bot, position, (moves[best], moves[other]), ranking)
    return Advice(best, tuple(ranking), reason, contrast)


def is_comparable(bot: SearchBot, position: Position, count: int) -> bool:
    """Return whether the bot judges by play-outs, and these are few enough moves for them."""
    solves = bot.endgames and position.cards_left <= ENDGAME_CARDS
    return bot.plays == "flat" and count <= FEW and not (solves and position.known.phase == PLAY)


def judged(bot: SearchBot, position: Position) -> list[Alternative]:
    """Return the moves as the bot itself ranks them."""
    found = [alternative(move, result) for move, result in bot.compare(position)]
    return [after_best(found[0], one) if at else one for at, one in enumerate(found)]


def after_best(best: Alternative, one: Alternative) -> Alternative:
    """Add by how much a move is behind the best one."""
    if best.value is None or one.value is None:
        return one
    error = sqrt((best.error or 0.0) ** 2 + (one.error or 0.0) ** 2)
    return msgspec.structs.replace(one, behind=best.value - one.value, behind_error=error)


# -- What is compared ------------------------------------------------------------------------------


def candidates(bot: SearchBot, position: Position, than: str = "") -> Sequence[Move]:
    """Return the moves to compare: all, unless each consists of several actions."""
    moves = position.moves()
    if position.rules.steps(position.known) == 1:
        return moves
    generator = generator_for(position, bot.seed)
    if not has_opinion(bot, position):
        found = list(position.tactics.shortlist(position.known, position.seat, moves))
    else:
        styles = [tactics_of(position.rules, style) for style in ("net", "full", "small")]
        found = [position.finish_move((), generator, style) for style in styles]
    return list({move.text: move for move in found + named(moves, than)}.values())


def named(moves: Sequence[Move], text: str) -> list[Move]:
    """Return the move that is written like this, if there is one."""
    return [move for move in moves if move.text == text]


def other_move(position: Position, ranking: Sequence[Alternative]) -> str:
    """Return what comes first to mind, or the second best if that is the best move itself."""
    natural = position.finish_move(
        (), generator_for(position, 0), tactics_of(position.rules, "small")
    ).text
    second = ranking[1].move if len(ranking) > 1 else natural
    return second if natural == ranking[0].move else natural


def has_opinion(bot: SearchBot, position: Position) -> bool:
    """Return whether a net joins in."""
    return isinstance(bot, MasterBot | HorizonBot) and nets.has_net(position.rules.name)


def opinion(bot: SearchBot, position: Position, moves: Sequence[Move]) -> Opinion:
    """Return what the net thinks, in points, and how much it counts: the less the search
    understands the others, the more. Without a net nothing counts."""
    if not has_opinion(bot, position):
        return Opinion(0.0, {move.text: 0.0 for move in moves})
    known = bot.kept[0].belief.understood_share()
    share = STRANGE + (UNDERSTOOD - STRANGE) * known
    unit = nets.spread_of(position.rules, position.tactics)
    net = tactics_of(position.rules, "net", bot.points)
    generator = generator_for(position, bot.seed)
    found = {}
    for move in moves:  # of several actions the last one tells what the net thinks of all
        state = position.after(move.steps[:-1])
        found[move.text] = unit * net.scores(state, position.seat, generator)[move.steps[-1]]  # type: ignore[attr-defined]
    return Opinion(share, found)


# -- Comparing -------------------------------------------------------------------------------------


def foresight(bot: SearchBot, position: Position) -> Foresight:
    """Return what tries moves on the deals that the bot thinks plausible."""
    search = bot.searches(position)[0]
    make: type[Foresight] = part(position.rules, "foresight").Foresight
    made = make(search.belief, search.own)
    made.begin(position.known, position.seat, position.seed(bot.seed))
    return made


def compared(bot: SearchBot, position: Position, moves: Sequence[Move]) -> list[Alternative]:
    """Try all moves on the same deals and drop the worse half, until two are left; return them
    all, the best first."""
    trial = foresight(bot, position)
    budget = bot.iterations // SLOWER if is_slow(position.rules) else bot.iterations
    rounds = max(1, (len(moves) - 1).bit_length())
    worths: dict[str, list[float]] = {move.text: [] for move in moves}
    alive = list(moves)
    heard: Opinion | None = None
    for number in range(rounds):
        deals = max(FEWEST, budget // rounds // len(alive))
        for move, found in zip(
            alive, trial.worths([one.steps for one in alive], deals), strict=True
        ):
            worths[move.text] += found
        heard = heard or opinion(bot, position, moves)  # once the belief has seen some deals
        first = alive[0].text
        alive.sort(key=lambda one: behind(first, one.text, worths, heard)[0])
        if number + 1 < rounds:
            alive = alive[: (len(alive) + 1) // 2]
    return ranked(alive[0].text, worths, heard)


def behind(
    best: str, one: str, worths: dict[str, list[float]], heard: Opinion | None
) -> tuple[float, float]:
    """Return by how much a move is behind another on the deals of both, and the error of that."""
    assert heard is not None, "all moves are tried before they are compared"
    gaps = [first - second for first, second in zip(worths[best], worths[one], strict=False)]
    gap, weight = heard.joined(fmean(gaps), best, one)
    return gap, weight * error_of(gaps)


def error_of(values: Sequence[float]) -> float:
    """Return the standard error of the mean of values from deals that follow each other."""
    size = max(1, len(values) // PARTS)
    means = [fmean(values[at : at + size]) for at in range(0, len(values) - size + 1, size)]
    # A few deals that happen to agree prove nothing: assume one more that differs by a point.
    least = 1 / (len(values) + 1)
    return max(sqrt(variance(means) / len(means)), least) if len(means) > 1 else least


def ranked(best: str, worths: dict[str, list[float]], heard: Opinion | None) -> list[Alternative]:
    """Return what was found about all moves, the best first, the others by how far behind."""
    assert heard is not None, "there is at least one round"
    common = min(map(len, worths.values()))
    usual = fmean(fmean(found[:common]) for found in worths.values())
    over = heard.points[best] - fmean(heard.points.values())  # only differences mean anything
    weight = 1 / (1 + heard.share)
    value = weight * (fmean(worths[best]) + heard.share * (usual + over))
    found = []
    for move, results in worths.items():
        gap, error = behind(best, move, worths, heard) if move != best else (0.0, 0.0)
        one = Alternative(move, value - gap, weight * error_of(results), len(results), gap, error)
        found.append(one)
    return sorted(found, key=lambda one: (one.move != best, one.behind))


def gap(bot: SearchBot, position: Position, better: str, worse: str) -> tuple[float, float]:
    """Return how much more one move is worth than another, and the error of that: on deals of their
    own, with the opinion of a net where the bot has one."""
    moves = [named(position.moves(), text)[0] for text in (better, worse)]
    if not is_comparable(bot, position, len(moves)):
        return bot.gap(position.view, better, worse)
    deals = bot.iterations // SLOWER if is_slow(position.rules) else bot.iterations
    found = foresight(bot, position).worths([move.steps for move in moves], max(2 * PARTS, deals))
    worths = dict(zip((better, worse), found, strict=True))
    return behind(better, worse, worths, opinion(bot, position, moves))


# -- What follows ----------------------------------------------------------------------------------


def contrasted(
    bot: SearchBot, position: Position, moves: tuple[Move, Move], ranking: Sequence[Alternative]
) -> AdviceReason | None:
    """Say what the other move would lead to, from play-outs of both on the same deals."""
    other = next((one for one in ranking if one.move == moves[1].text), None)
    if other is not None and other.too_close:
        return AdviceReason("advice-other-close", {"move": other.move})
    seen = SEEN // SLOWER if is_slow(position.rules) else SEEN
    several = registry.info_of(position.rules.name).open_tricks > 1
    steps = [move.steps for move in moves]
    places = [place_of(move.steps[0]) if several else ONLY_TRICK for move in moves]
    ends = foresight(bot, position).ends(steps, places, seen)
    best, worse = (Consequences(position, *one) for one in zip(moves, ends, strict=True))
    return contrast_for(best, worse, other)
