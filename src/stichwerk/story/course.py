"""The course of a finished match, trick by trick, and what stands out in it.

Definitions, all by the rules' own scoring and ranking:

- *running points*: what the round would count if it ended here (`Game.points_now`), hidden cards
  counted. After the last trick of a round they are its score.
- *side*: the seats that win together: a team, or one seat. A side's points are the sum of its
  seats' points.
- *in front*: the first group of the rules' ranking of all rounds so far, the running one with its
  running points. It may be several sides that are level.
- *the deciding trick*: the first one from which on the winners, and nobody else, were in front
  after every trick. None if that holds from the first trick of the match on.
- *lead changes*: how often a side was alone in front after another one had been; ties between
  are passed over.
- *gain of a trick* for a side: by how much it moved the side's running points relative to the mean
  of the other sides; on days when fewest points win, with the opposite sign. The first trick of a
  round is compared with the points on the table when play begins.
- *best trick* of a side: its largest gain, if any is above 0; the first of several.
- *sharpest trick*: the largest difference between what two sides got out of one trick.
- *swing round*: the round whose scores set two sides furthest apart.
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Literal

import msgspec

from stichwerk.engine.events import CardPlayed, TrickTaken
from stichwerk.engine.frame import Game
from stichwerk.match import Match
from stichwerk.record import Record, replay_with_moves

Points = tuple[int, ...]
Group = tuple[int, ...]
MarginKind = Literal["points", "fewer", "hearts", "tie-break", "goal"]


class PlayedTrick(msgspec.Struct, frozen=True, kw_only=True):
    """A completed trick: `before` and `after` are running points, `ranking` the standing then."""

    index: int
    round: int
    trick: int
    cards: tuple[str, ...]
    seat: int | None
    card: str | None
    before: Points
    after: Points
    ranking: tuple[Group, ...]

    @property
    def changes(self) -> Points:
        """What the trick did to each seat's points of the round."""
        return tuple(new - old for old, new in zip(self.before, self.after, strict=True))

    @property
    def front(self) -> frozenset[int]:
        """The seats in front after this trick."""
        return frozenset(self.ranking[0])


class Margin(msgspec.Struct, frozen=True):
    """How far a better side is ahead of a worse one, and in what: `points`, `fewer` points (where
    fewest win), `hearts`; with equal points a `tie-break` decided, otherwise the `goal` of the
    day."""

    kind: MarginKind
    size: int = 0


class MatchCourse:
    """A finished match: its tricks, and what stands out."""

    def __init__(
        self, rules: Game, scores: Sequence[Points], tricks: Sequence[PlayedTrick]
    ) -> None:
        self.rules = rules
        self.scores = tuple(scores)
        self.tricks = tuple(tricks)

    @cached_property
    def ranking(self) -> tuple[Group, ...]:
        """The final ranking."""
        return ranking_of(self.rules, self.scores)

    @cached_property
    def sides(self) -> tuple[Group, ...]:
        """The seats that win together."""
        return sides_of(self.rules, self.scores)

    def side(self, seat: int) -> Group:
        """Return the side of a seat."""
        return next(side for side in self.sides if seat in side)

    def total(self, side: Group) -> int:
        """Return the points of a side in the whole match."""
        return sum(points[seat] for points in self.scores for seat in side)

    def place(self, seat: int) -> int:
        """Return the place of a seat: one more than the number of better sides."""
        at = next(at for at, group in enumerate(self.ranking) if seat in group)
        better = {self.side(other) for group in self.ranking[:at] for other in group}
        return 1 + len(better)

    # -- Margins -----------------------------------------------------------------------------------

    @cached_property
    def fewest_win(self) -> bool:
        """Whether points count against a seat."""
        none = (0,) * self.rules.seats
        one = (1, *none[1:])
        return self.rules.standing([one], 0) < self.rules.standing([none], 0)

    def margin(self, better: int, worse: int) -> Margin:
        """Return by what a seat is ahead of another one that it ranks above."""
        hearts = self.rules.match_facts(self.scores).get("hearts")
        if isinstance(hearts, list) and hearts[better] != hearts[worse]:
            return Margin("hearts", abs(hearts[better] - hearts[worse]))
        ahead = self.total(self.side(better)) - self.total(self.side(worse))
        if ahead == 0:
            return Margin("tie-break")
        if self.fewest_win:
            ahead = -ahead
        first, second = (self.rules.standing(self.scores, seat)[0] for seat in (better, worse))
        if ahead < 0 or first - second not in (0, ahead):
            return Margin("goal")
        return Margin("fewer" if self.fewest_win else "points", ahead)

    # -- What decided it ---------------------------------------------------------------------------

    @cached_property
    def always_in_front(self) -> bool:
        """Whether the winners, and nobody else, were in front after every trick."""
        winners = frozenset(self.ranking[0])
        return all(trick.front == winners for trick in self.tricks)

    @cached_property
    def deciding(self) -> PlayedTrick | None:
        """The trick with which the winners went in front for good; None if they always were."""
        winners = frozenset(self.ranking[0])
        last = [at for at, trick in enumerate(self.tricks) if trick.front != winners][-1:]
        later = self.tricks[last[0] + 1 :] if last else ()
        return later[0] if later else None

    @cached_property
    def front_before(self) -> frozenset[int]:
        """The seats in front before the deciding trick; none if there was no such trick."""
        if self.deciding is None:
            return frozenset()
        return self.tricks[self.tricks.index(self.deciding) - 1].front

    @cached_property
    def lead_changes(self) -> int:
        """How often another side took the lead alone."""
        alone = [trick.front for trick in self.tricks if tuple(sorted(trick.front)) in self.sides]
        return sum(one != other for one, other in pairwise(alone))

    # -- Tricks and rounds that stand out ----------------------------------------------------------

    def by_side(self, points: Points) -> dict[Group, int]:
        """Return points by side instead of by seat."""
        return {side: sum(points[seat] for seat in side) for side in self.sides}

    def gain(self, trick: PlayedTrick, side: Group) -> float:
        """Return by how much a trick put a side ahead of the mean of the others."""
        changes = self.by_side(trick.changes)
        others = [change for other, change in changes.items() if other != side]
        ahead = changes[side] - sum(others) / len(others)
        return -ahead if self.fewest_win else ahead

    def best(self, side: Group) -> PlayedTrick | None:
        """Return the trick with a side's largest gain."""
        found = max(self.tricks, key=lambda trick: self.gain(trick, side), default=None)
        return found if found and self.gain(found, side) > 0 else None

    def spread(self, points: Points) -> int:
        """Return how far apart points put two sides at most."""
        values = self.by_side(points).values()
        return max(values) - min(values)

    @cached_property
    def sharpest(self) -> PlayedTrick | None:
        """The trick that moved two sides furthest apart, or closest together."""
        found = max(self.tricks, key=lambda trick: self.spread(trick.changes), default=None)
        return found if found and self.spread(found.changes) else None

    @cached_property
    def swing_round(self) -> int:
        """The number of the round that set two sides furthest apart."""
        spreads = [self.spread(points) for points in self.scores]
        return 1 + spreads.index(max(spreads))


def ranking_of(rules: Game, scores: Sequence[Points]) -> tuple[Group, ...]:
    """Return the rules' ranking of these rounds."""
    return tuple(tuple(group) for group in rules.ranking(scores))


def sides_of(rules: Game, scores: Sequence[Points]) -> tuple[Group, ...]:
    """Return the teams, or every seat alone."""
    teams = rules.match_facts(scores).get("teams")
    if isinstance(teams, list) and teams:
        return tuple(tuple(sorted(team)) for team in teams)
    return tuple((seat,) for seat in range(rules.seats))


# -- Reading a match -------------------------------------------------------------------------------


def course_of(record: Record) -> MatchCourse:
    """Replay the finished match of a record, and note every trick."""
    match, moves = replay_with_moves(record)
    reader = TrickReader(match)
    for index, (seat, move) in enumerate(moves, 1):
        reader.play(index, seat, move)
    return MatchCourse(match.rules, match.scores, reader.tricks)


class TrickReader:
    """Plays a match, and notes each trick with the points before and after it."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.tricks: list[PlayedTrick] = []
        self.points: Points | None = None  # after the last trick, or when play began
        self.plays: list[CardPlayed] = []  # of this round

    def play(self, index: int, seat: int, move: str) -> None:
        """Make a move; note the trick that it completes."""
        match, round = self.match, len(self.match.rounds)
        if self.points is None and match.phase == "play":
            self.points, self.plays = match.points_now, []
        events = match.play(seat, move)
        self.plays += [event for event in events if isinstance(event, CardPlayed)]
        over = len(match.scores) == round
        for event in events:
            if isinstance(event, TrickTaken):
                after = match.scores[-1] if over else match.points_now
                self._note(index, round, event, after)
        if over:
            self._close(round)

    def _note(self, index: int, round: int, event: TrickTaken, after: Points) -> None:
        so_far = self.match.scores[: round - 1]
        done = sum(trick.round == round for trick in self.tricks)
        self.tricks.append(
            PlayedTrick(
                index=index,
                round=round,
                trick=done + 1,
                cards=event.cards,
                seat=event.seat,
                card=self._winning_card(event),
                before=self.points or after,
                after=after,
                ranking=ranking_of(self.match.rules, (*so_far, after)),
            )
        )
        self.points = after

    def _winning_card(self, event: TrickTaken) -> str | None:
        """Return the last card that the winner played to this trick."""
        cards = [
            card
            for play in self.plays
            if play.seat == event.seat and play.place == event.place
            for card in play.cards
            if card in event.cards
        ]
        return cards[-1] if cards else None

    def _close(self, round: int) -> None:
        """Count what was settled after the last trick as a part of it."""
        scores = self.match.scores
        if self.tricks and self.tricks[-1].round == round:
            self.tricks[-1] = msgspec.structs.replace(
                self.tricks[-1], after=scores[-1], ranking=ranking_of(self.match.rules, scores)
            )
        self.points = None
