"""Making the bench: bots play matches, some decisions are taken from them, a long search judges.

Everything follows from the seeds here and from the bots; a few minutes on one core.
"""

from collections.abc import Callable, Iterator, Sequence
from math import hypot
from pathlib import Path
from random import Random

import msgspec

from stichwerk.arena.positions.decisions import JudgedDecision, RecordPoint, cut, record_point
from stichwerk.bots.advice import Advice
from stichwerk.bots.position import Position
from stichwerk.bots.search import ENDGAME_CARDS, SearchBot, alternative
from stichwerk.engine.constants import PLAY
from stichwerk.engine.events import Move
from stichwerk.games import registry
from stichwerk.match import Match, Setting
from stichwerk.record import Record, encode, record, replay
from stichwerk.view import View

ITERATIONS = 200  # of the bots that play the matches
PLAY_OUTS = 24_000  # of the long search, shared evenly by all moves of a decision
EFFORT = 16  # steps from one of its deals to the next
MOST_MOVES = 32  # moves that are judged; of more than these a selection
CLEAR = 2.5  # standard errors between the best and the worst move at first sight ...
SURE = 10.0  # ... and after the long search
BEFORE_PLAY = 4  # at most every so many-th decision is one before play
SEED = 20_260


class SampledDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that came up in a match, and whether play had begun."""

    place: RecordPoint
    seat: int
    playing: bool


def make(game: str, folder: Path, progress: Callable[[str], object]) -> None:
    """Make the two files of a game."""
    matches: list[Record] = []
    found: list[JudgedDecision] = []
    tables = registry.info_of(game).trials.positions
    for at, (seats, options, wanted) in enumerate(tables):
        progress(f"{game} {at + 1}/{len(tables)}")
        seed = SEED + at
        match, looks = self_play(Setting(game, seats, options), seed)
        matches.append(record(match))
        Random(seed).shuffle(looks)
        found += list(chosen(matches[-1], at, looks, wanted))
    write(folder / f"{game}.records.jsonl", [encode(one) for one in matches])
    write(folder / f"{game}.decisions.jsonl", [msgspec.json.encode(one) for one in found])


def write(path: Path, lines: Sequence[bytes]) -> None:
    """Write one value per line."""
    path.write_bytes(b"\n".join(lines) + b"\n")


def self_play(setting: Setting, seed: int) -> tuple[Match, list[SampledDecision]]:
    """Play a whole match of equal bots, and return the decisions that seem to matter."""
    bot = SearchBot(seed, iterations=ITERATIONS, effort=EFFORT)
    match, looks = setting.new(seed=seed), []
    while match.waiting_for:
        seat = match.waiting_for[0]
        view = match.view(seat)
        position = Position(view)
        if len(view.moves) == 1 or position.cards_left <= ENDGAME_CARDS:
            match.play(seat, bot.choose(view))
            continue
        advice = bot.advise(view)
        if matters(advice):
            playing = position.known.phase == PLAY
            looks.append(SampledDecision(place=record_point(match), seat=seat, playing=playing))
        match.play(seat, advice.move)
    return match, looks


def matters(advice: Advice) -> bool:
    """Return whether the moves seem to differ."""
    values = [(one.value or 0.0, one.error or 0.0) for one in advice.alternatives if one.tries]
    return differ(values, CLEAR)


def differ(values: Sequence[tuple[float, float]], errors: float) -> bool:
    """Return whether the best and the worst are this many standard errors apart."""
    low, high = min(values), max(values)
    return high[0] - low[0] > errors * hypot(high[1], low[1]) > 0.0


def chosen(
    record: Record, number: int, looks: Sequence[SampledDecision], wanted: int
) -> Iterator[JudgedDecision]:
    """Yield as many decisions as requested that still matter when they are judged."""
    early = [look for look in looks if not look.playing][: wanted // BEFORE_PLAY]
    kept = 0
    for look in [*early, *(look for look in looks if look.playing)]:
        if kept == wanted:
            return
        view = replay(cut(record, look.place)).view(look.seat)
        values = judged(view, SEED + kept)
        if differ(list(values.values()), SURE):
            kept += 1
            yield JudgedDecision(record=number, place=look.place, seat=look.seat, values=values)


def judged(view: View, seed: int) -> dict[str, tuple[float, float]]:
    """Return the value of each move after many play-outs, as many for each, from the same seed: so
    all moves are tried on the same deals as far as play-outs draw no random numbers.

    The judge believes what the others have shown, as the strongest bots do.
    """
    position = Position(view, points=True)
    moves = compared(position)
    judge = SearchBot(seed, effort=EFFORT, points=True)
    values = {}
    for move in moves:
        (search,) = judge.searches(position)  # from the same seed every time
        share = PLAY_OUTS // len(moves)
        (result,) = search.flat(position.known, position.seat, [move.steps], share)
        valued = alternative(move, result)
        values[move.text] = (round(valued.value or 0.0, 3), round(valued.error or 0.0, 3))
    return values


def compared(position: Position) -> list[Move]:
    """Return all moves; if there are too many, the tactics' short list and a few of the rest."""
    moves = position.moves()
    if len(moves) <= MOST_MOVES:
        return moves
    short = position.tactics.shortlist(position.known, position.seat, moves)[:MOST_MOVES]
    rest = [move for move in moves if move not in short]
    room = MOST_MOVES - len(short)
    return [*short, *(rest[:: len(rest) // room + 1] if room else [])]
