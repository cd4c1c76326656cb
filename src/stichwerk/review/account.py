"""The account of each seat: result = luck of the deal − cost of its moves + the rest."""

from collections.abc import Callable, Sequence
from math import hypot, sqrt

import msgspec

from stichwerk.bots import best_bot, full_name
from stichwerk.bots.tactics import tactics_of
from stichwerk.games.options import Value
from stichwerk.record import Record
from stichwerk.review.decisions import (
    BadReviewError,
    FinishedRound,
    Judgement,
    finished_rounds,
    judge_all,
)
from stichwerk.review.luck import PLAY_OUTS, Luck, luck_of

OnProgress = Callable[[int], Callable[[], object]]


class RoundAccount(msgspec.Struct, frozen=True):
    """One round of a seat, in points above the mean of the others."""

    round: int
    points: int
    result: float
    luck: float
    luck_error: float
    cost: float
    cost_error: float

    @property
    def rest(self) -> float:
        """What the others did, and how the cards fell."""
        return self.result - self.luck + self.cost

    @property
    def rest_error(self) -> float:
        """Its standard error."""
        return hypot(self.luck_error, self.cost_error)


class SeatAccount(msgspec.Struct, frozen=True):
    """A seat: its rounds, and its clear mistakes, the costliest first."""

    seat: int
    name: str
    decisions: int
    rounds: tuple[RoundAccount, ...]
    mistakes: tuple[Judgement, ...]

    @property
    def points(self) -> int:
        """The points of all finished rounds."""
        return sum(round.points for round in self.rounds)

    @property
    def result(self) -> float:
        """Points above the mean of the others."""
        return sum(round.result for round in self.rounds)

    @property
    def luck(self) -> Luck:
        """What the deals were worth."""
        squares = sum(round.luck_error**2 for round in self.rounds)
        return Luck(sum(round.luck for round in self.rounds), sqrt(squares))

    @property
    def cost(self) -> float:
        """What the seat's own moves cost: the less, the more skill."""
        return sum(round.cost for round in self.rounds)

    @property
    def cost_error(self) -> float:
        """Its standard error."""
        return sqrt(sum(round.cost_error**2 for round in self.rounds))

    @property
    def rest(self) -> float:
        """What the others did, and how the cards fell."""
        return sum(round.rest for round in self.rounds)

    @property
    def rest_error(self) -> float:
        """Its standard error."""
        return hypot(self.luck.error, self.cost_error)


class MatchReview(msgspec.Struct, frozen=True, kw_only=True):
    """Everything found about a match."""

    game: str
    seats: int
    names: tuple[str, ...]
    options: dict[str, Value]
    bot: str
    seed: int
    rounds: int
    finished: bool
    accounts: tuple[SeatAccount, ...]


def ignore_progress(total: int) -> Callable[[], object]:
    """Report progress to nobody."""
    return lambda: None


def review(
    record: Record,
    bot: str = "",
    seed: int = 1,
    seat: int | None = None,
    watch: OnProgress = ignore_progress,
    play_outs: int = PLAY_OUTS,
) -> MatchReview:
    """Judge every decision of all seats, or of one: by this bot, or by the best one."""
    match, rounds = finished_rounds(record)
    bot = bot or best_bot(match.rules.name)
    rules = match.rules
    if seat is not None and not 0 <= seat < rules.seats:
        raise BadReviewError("no-such-seat", seat=seat, highest=rules.seats - 1)
    wanted = range(rules.seats) if seat is None else [seat]
    decisions = [one for round in rounds for one in round.decisions if one.seat in wanted]
    judged = judge_all(decisions, bot, seed, watch(len(decisions)))
    lucks = [luck_of(rules, round.begin, seed + round.number, play_outs) for round in rounds]
    tactics = tactics_of(rules, points=True)

    def account(own: int) -> SeatAccount:
        mine = [one for one in judged if one.decision.seat == own]
        lines = [
            round_account(round, own, tactics.value(round.end, own), luck[own], mine)
            for round, luck in zip(rounds, lucks, strict=True)
        ]
        clear = sorted((one for one in mine if one.clear), key=lambda one: -one.cost)
        return SeatAccount(own, match.names[own], len(mine), tuple(lines), tuple(clear))

    return MatchReview(
        game=rules.name,
        seats=rules.seats,
        names=match.names,
        options=dict(match.setting.options),
        bot=full_name(bot),
        seed=seed,
        rounds=len(rounds),
        finished=match.over,
        accounts=tuple(account(own) for own in wanted),
    )


def round_account(
    played: FinishedRound, seat: int, result: float, luck: Luck, judged: Sequence[Judgement]
) -> RoundAccount:
    """Return one round of a seat, from all judgements of that seat."""
    made = [one for one in judged if one.decision.round == played.number]
    return RoundAccount(
        round=played.number,
        points=played.scores[seat],
        result=result,
        luck=luck.mean,
        luck_error=luck.error,
        cost=sum(one.cost for one in made),
        cost_error=sqrt(sum(one.error**2 for one in made)),
    )
