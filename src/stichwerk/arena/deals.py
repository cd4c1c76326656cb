"""What the arena plays: a deal with A in every seat, the same cards and the same starter each time.

A deal is one round or, as the `unit` of the plan says, a whole match.
Everything about a deal follows from the plan and its number. So any deal can be played anywhere, in
any order and on its own, with the same outcome.
"""

import time
from collections.abc import Sequence
from hashlib import blake2b
from itertools import permutations
from statistics import fmean

import msgspec

from stichwerk import __version__, bots
from stichwerk.bots.faults import CountedFault, FaultBook, Listener
from stichwerk.bots.hosting import USUAL, Hosting, seat_bots, vetted
from stichwerk.errors import IllegalMoveError, StichwerkError
from stichwerk.games import registry
from stichwerk.games.options import Value
from stichwerk.match import Match, Setting


class ArenaError(StichwerkError):
    """A tournament that cannot be held, or had to stop."""


UNITS = ("round", "match")


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a result depends on except the number of deals."""

    game: str
    seats: int
    options: dict[str, Value]
    bots: tuple[str, ...]  # with their versions
    seed: int
    unit: str  # what a deal is: one of UNITS
    version: str = __version__
    rules: int = 1  # version of the game's rules

    @property
    def setting(self) -> Setting:
        """The game that is played."""
        return Setting(self.game, self.seats, self.options, self.rules)

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Who is A and who is B: of two bots the first is A, of more each against every other."""
        if len(self.bots) == 2:
            return ((0, 1),)
        return tuple(permutations(range(len(self.bots)), 2))


def make_plan(
    setting: Setting,
    names: Sequence[str],
    seed: int,
    unit: str | None = None,
    hosting: Hosting = USUAL,
) -> Plan:
    """Make a plan for these bots; refuse an unusable bot before anything is played."""
    if unit is not None and unit not in UNITS:
        raise ArenaError("arena-no-unit", unit=unit, known=", ".join(UNITS))
    if len(names) < 2:
        raise ArenaError("arena-few-bots", bots=len(names))
    full_names = tuple(vetted(name, hosting) for name in names)
    return Plan(
        game=setting.name,
        seats=setting.seats,
        options=setting.options,
        bots=full_names,
        seed=seed,
        unit=unit or usual_unit(setting.name),
        rules=setting.rules.version,
    )


def usual_unit(game: str) -> str:
    """Return the default unit of a deal: rounds tell most, unless the goal applies to a match."""
    return registry.info_of(game).trials.unit


class Task(msgspec.Struct, frozen=True):
    """One deal of one pair: A is the bot number `a` of the plan, all others are number `b`."""

    a: int
    b: int
    deal: int


class Outcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The outcome of a deal, with one entry for each seating, in which A has seat 0, 1, 2 …"""

    a: int
    b: int
    deal: int
    seed: int  # of the cards: `stichwerk play --seed` deals them to you
    scores: tuple[tuple[int, ...], ...]
    ranks: tuple[tuple[int, ...], ...]  # of each seat, 0 is best, ties share one
    moves: int  # of A, in all seatings
    seconds: float  # that A needed for them
    faults: tuple[CountedFault, ...] = ()  # of all bots that are not ours
    rounds_won: tuple[float, ...] = ()  # A's share of the rounds of each match

    @property
    def settled(self) -> "Outcome":
        """Itself without the time, which differs between runs."""
        return msgspec.structs.replace(self, seconds=0.0)

    @property
    def gap(self) -> float:
        """The mean over all seats of A's points minus the mean of the others'."""
        return fmean(ahead(scores, seat) for seat, scores in enumerate(self.scores))

    @property
    def win_share(self) -> float:
        """A's share of the victories; shared by k it counts 1/k."""
        return fmean(won(ranks, seat) for seat, ranks in enumerate(self.ranks))


def ahead(scores: Sequence[int], seat: int) -> float:
    """Return how many points a seat is ahead of the mean of the others."""
    return scores[seat] - (sum(scores) - scores[seat]) / (len(scores) - 1)


def won(ranks: Sequence[int], seat: int) -> float:
    """Return a seat's share of a victory."""
    return (ranks[seat] == 0) / ranks.count(0)


# -- Playing ---------------------------------------------------------------------------------------


class MoveTimer:
    """Counts the moves of one player and the time they take.

    Processor time, so that other work on the machine does not count; but a bot that waits for a
    process of its own, which it must then be able to close, is measured by the clock.
    """

    def __init__(self) -> None:
        self.moves = 0
        self.seconds = 0.0

    def choose(self, bot: bots.Bot, match: Match, seat: int) -> str:
        """Let the bot choose; only its own thinking counts, not building the view."""
        view = match.view(seat)
        now = time.perf_counter if hasattr(bot, "close") else time.process_time
        begin = now()
        move = bot.choose(view)
        self.seconds += now() - begin
        self.moves += 1
        return move


def play_deal(
    plan: Plan, task: Task, hosting: Hosting = USUAL, tell: Listener | None = None
) -> Outcome:
    """Play a deal with A in every seat; `tell` gets the first fault of each kind at once."""
    setting, seed = plan.setting, drawn_seed(plan.seed, task.deal)
    clock, faults = MoveTimer(), FaultBook(tell)
    matches = [
        play_seating(plan, setting, task, seat, clock, hosting, faults)
        for seat in range(plan.seats)
    ]
    return Outcome(
        a=task.a,
        b=task.b,
        deal=task.deal,
        seed=seed,
        scores=tuple(gains(setting, match.totals) for match in matches),
        ranks=tuple(ranks(setting, match.scores) for match in matches),
        moves=clock.moves,
        seconds=clock.seconds,
        faults=faults.counted,
        rounds_won=(
            tuple(rounds_won(setting, match, seat) for seat, match in enumerate(matches))
            if plan.unit == "match"
            else ()
        ),
    )


def play_seating(
    plan: Plan,
    setting: Setting,
    task: Task,
    mine: int,
    clock: MoveTimer,
    hosting: Hosting,
    faults: FaultBook,
) -> Match:
    """Play the deal with A on one seat and B on all others."""
    seed = drawn_seed(plan.seed, task.deal)
    match = setting.new(seed=seed)
    names = [plan.bots[task.a if seat == mine else task.b] for seat in range(plan.seats)]
    seeds = [drawn_seed(plan.seed, task.deal, mine, seat) for seat in range(plan.seats)]
    seated_bots = seat_bots(names, seeds, match_seed=seed, hosting=hosting, on_fault=faults.note)
    try:
        clocks = [clock if seat == mine else MoveTimer() for seat in range(plan.seats)]
        while not finished(plan, match):
            seat = match.waiting_for[0]
            make_move(match, seat, clocks[seat].choose(seated_bots[seat], match, seat), names[seat])
    finally:
        for seated_bot in seated_bots:
            bots.close(seated_bot)
    return match


def make_move(match: Match, seat: int, move: str, name: str) -> None:
    """Make a move that was chosen in this process; an illegal one ends everything."""
    try:
        match.play(seat, move)
    except IllegalMoveError as error:
        seed = match.deals.seed
        raise ArenaError("arena-illegal", bot=name, move=move, seed=seed, why=str(error)) from None


def finished(plan: Plan, match: Match) -> bool:
    """Return whether the deal is played out: its round, or the match."""
    return match.over if plan.unit == "match" else bool(match.scores)


def rounds_won(setting: Setting, match: Match, seat: int) -> float:
    """Return a seat's share of the rounds of a match, each as if it had been the only one."""
    return fmean(won(ranks(setting, [scores]), seat) for scores in match.scores)


def ranks(setting: Setting, scores: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the rank of each seat in what was played, as the goal of the game compares seats."""
    groups = setting.rules.ranking(scores)
    place = {seat: rank for rank, group in enumerate(groups) for seat in group}
    return tuple(place[seat] for seat in range(setting.seats))


def gains(setting: Setting, totals: Sequence[int]) -> tuple[int, ...]:
    """Return points of which more are better: negated where the fewest win."""
    only_one = [int(seat == 0) for seat in range(setting.seats)]
    fewest_win = 0 not in setting.rules.ranking([only_one])[0]
    return tuple(-points if fewest_win else points for points in totals)


def drawn_seed(*parts: int) -> int:
    """Derive a seed from numbers; unlike a sum it is unrelated to its neighbours."""
    text = "stichwerk-arena/1:" + ",".join(map(str, parts))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) >> 11  # 53 bits
