"""The decisions of a match: what each seat saw, what it did, and what that cost."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from threading import Event

import msgspec

from stichwerk.bots import advising, build, close
from stichwerk.bots.advice import Advice
from stichwerk.bots.levels import LevelBot
from stichwerk.bots.position import Position
from stichwerk.bots.search import SearchBot
from stichwerk.cards import card_code
from stichwerk.engine.constants import SEATS
from stichwerk.engine.events import Move
from stichwerk.engine.frame import Game
from stichwerk.engine.state import State
from stichwerk.errors import StichwerkError
from stichwerk.games import registry
from stichwerk.match import Match, RoundLog
from stichwerk.record import Record, RecordedDeals, replay
from stichwerk.view import View

CLEAR = 2.0  # standard errors that a cost must be above zero to be listed


class BadReviewError(StichwerkError):
    """A review that cannot be made."""


class Decision(msgspec.Struct, frozen=True):
    """A seat had more than one move, and made this one. `trick` is None before play."""

    round: int
    seat: int
    trick: int | None
    view: View
    move: str


class Judgement(msgspec.Struct, frozen=True):
    """What a bot says about a decision: how much less the move was worth than the best one."""

    decision: Decision
    advice: Advice
    cost: float
    error: float

    @property
    def clear(self) -> bool:
        """Whether the cost is larger than chance explains."""
        return self.cost > CLEAR * self.error and self.cost > 0.0


class FinishedRound(msgspec.Struct, frozen=True):
    """A finished round: the states after the deal and at its end, and all decisions."""

    number: int
    scores: tuple[int, ...]
    begin: State
    end: State
    decisions: tuple[Decision, ...]


# -- Going through the match -----------------------------------------------------------------------


def finished_rounds(record: Record) -> tuple[Match, list[FinishedRound]]:
    """Replay a record by all rules, and stop before every move; whole rounds only."""
    match = replay(record)
    again = Match(match.setting, RecordedDeals(match.setting, record), match.names)
    rounds = [log for log in match.rounds if log.scores is not None]
    if not rounds:
        raise BadReviewError("review-no-round")
    return match, [played(again, number, log) for number, log in enumerate(rounds, 1)]


def played(again: Match, number: int, log: RoundLog) -> FinishedRound:
    """Replay one round in a state of our own: a match does not expose its state."""
    rules, decisions = again.rules, list[Decision]()
    state = first_state(again, log)
    begin = state.copy()
    entries = moves_by_kind(log)
    assert log.scores is not None, "only finished rounds are reviewed"
    while state.owes:
        seat, entry = next(entries[kind_at(again)])
        move = rules.judge(state, seat, again.typed(entry))
        assert isinstance(move, Move), "a record that replays has only legal moves"
        view = again.view(seat)
        if len(view.moves) > 1:
            decisions.append(Decision(number, seat, trick_number(rules, state), view, move.text))
        for step in move.steps:
            rules.play(state, seat, step)
        again.play(seat, move)
    return FinishedRound(number, log.scores, begin, state, tuple(decisions))


def first_state(again: Match, log: RoundLog) -> State:
    """Return the round after its deal, all cards known."""
    rules, state = again.rules, again.rules.new_state()
    state.round = len(again.scores) + 1
    state.starter = log.deal.starter
    state.totals = [*again.totals, *[0] * (SEATS - rules.seats)]
    hands = [[card_code(card) for card in hand] for hand in log.deal.hands]
    rules.new_round(state, hands, [card_code(card) for card in log.deal.stock])
    rules.place_specials(state, dict(log.deal.specials))
    return state


def kind_at(again: Match) -> str:
    """Return the list of a record that the next move is in."""
    return again.entry_kind if again.entry_kind in ("plays", "choices") else "extra"


def moves_by_kind(log: RoundLog) -> dict[str, Iterator[tuple[int, object]]]:
    """Yield the moves of a round with their seats, as its record lists them."""
    made = [entry for entry in log.extra if entry[1] is not None]
    return {
        "choices": iter(list(enumerate(log.choices))),
        "plays": iter([(whole(play[0]), play[1:]) for play in log.plays]),
        "extra": iter([(whole(entry[1]), entry[3]) for entry in made]),
    }


def whole(seat: object) -> int:
    """Return a seat, which a record's lists contain among other things."""
    assert isinstance(seat, int)
    return seat


def trick_number(rules: Game, state: State) -> int | None:
    """Return the number of the trick, or of the seat's card if several are open."""
    if rules.phases[state.phase] != "play":
        return None
    if registry.info_of(rules.name).counts == "card":
        return rules.hand_size - state.hand_size[state.turn] + 1
    return state.tricks_done + 1


# -- Judging ---------------------------------------------------------------------------------------


def advisers(bot: str, seed: int) -> tuple[SearchBot, SearchBot]:
    """Return a bot that finds the best move, and one that measures it on other deals.

    Measured on the deals it was found on, the best move would look better than it is.
    """
    return search_bot(bot, seed), search_bot(bot, seed + 1)


def search_bot(name: str, seed: int) -> SearchBot:
    """Return a bot that looks ahead; others do not value moves."""
    bot = build(name, seed)
    if isinstance(bot, LevelBot):
        bot = bot.thinks
    if not isinstance(bot, SearchBot):
        close(bot)
        raise BadReviewError("review-no-values", bot=name)
    bot.points = True  # so that costs are points, as results are
    return bot


def judge(decision: Decision, bots: tuple[SearchBot, SearchBot]) -> Judgement:
    """Return the cost of a move: what the best one found is worth above it."""
    finder, measurer = bots
    advice = finder.advise(decision.view, decision.move)
    if advice.move == decision.move:
        return Judgement(decision, advice, 0.0, 0.0)
    position = Position(decision.view, measurer.style, True)
    cost, error = advising.gap(measurer, position, advice.move, decision.move)
    return Judgement(decision, advice, cost, error)


def judge_all(
    decisions: Sequence[Decision], bot: str, seed: int, watch: Callable[[], object]
) -> list[Judgement]:
    """Judge all decisions, on all cores; searches release the interpreter lock.

    Each decision has its own seed, so that it does not matter which thread judges it.
    """
    threads = min(cores(), max(1, len(decisions)))
    advisers(bot, seed)  # refused here, before anything starts

    given_up = Event()

    def work(first: int) -> list[Judgement]:
        bots, found = advisers(bot, seed), list[Judgement]()
        for decision in decisions[first::threads]:
            if not given_up.is_set():
                found.append(judge(decision, bots))
                watch()
        return found

    with ThreadPoolExecutor(threads) as pool:
        try:
            shares = list(pool.map(work, range(threads)))
        finally:
            given_up.set()  # after Ctrl-C nobody waits for the rest
    return [one for row in zip_longest(*shares) for one in row if one is not None]


def cores() -> int:
    """Return the cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
