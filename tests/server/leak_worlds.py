"""What is played to find leaks, and other worlds that look the same to a seat."""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple, get_args

import stichwerk
from stichwerk.fairness import Deal
from stichwerk.games import registry
from stichwerk.games.stichtag.calendar import SHEETS, all_dates
from stichwerk.match import Setting
from stichwerk.server import wire
from stichwerk.testing.other_worlds import (
    ATTEMPTS,
    World,
    cards_moved,
    exchanged,
    hidden_cards,
    past_deal,
    renamed_deal,
    sampled_deal,
)
from stichwerk.testing.trial import Trial
from stichwerk.view import sample
from tests.strategies import DATES, PAIRS, some_values

TABLE, MATCH, SALT = "the-table", "the-match", "salt"

WATCHER, STRANGER = "watcher", "stranger"  # besides the seats: with a name, and without

LANG: wire.Lang = "de"


Moves = list[tuple[int, str]]


# -- What is played --------------------------------------------------------------------------------

MEMORIES: tuple[wire.Memory, ...] = get_args(wire.Memory)


class Plan(NamedTuple):
    """A match up to some move, and how its table is kept. `live`: the number of its last moves
    that everyone sees live. `bot`: the seat of one, if any. `late`: a clock runs out."""

    setting: Setting
    seed: int
    moves: int
    live: int
    watch: wire.Watchers
    clock: int | None
    bot: int | None
    late: bool
    agree: bool
    every: bool  # whether clients resume from every number there is, or only from some
    memory: wire.Memory = "last trick"

    def __str__(self) -> str:
        return (
            f"{self.setting!r}, seed {self.seed}, {self.moves} moves, live {self.live}, "
            f"watch {self.watch}, clock {self.clock}, bot {self.bot}, late {self.late}, "
            f"memory {self.memory}"
        )


class Course(NamedTuple):
    """What happened in one world: the cards and the moves."""

    deals: list[Deal]
    moves: Moves


class Pair(NamedTuple):
    """Two worlds that a viewer (None: someone without a seat) cannot tell apart."""

    viewer: int | None
    twin: Course
    thin: bool  # they differ only in the order in which cards were dealt


class Case(NamedTuple):
    """A position with the other worlds of all who look at it."""

    plan: Plan
    phase: str
    rounds_over: int
    truth: Course
    refused: dict[int, list[str]]  # moves that each seat cannot make here
    pairs: list[Pair]


class Finding(NamedTuple):
    """A leak: where, and the same thing in both worlds."""

    plan: Plan
    viewer: int | None
    where: str
    truth: object
    twin: object

    def __str__(self) -> str:
        truth, twin = str(self.truth), str(self.twin)
        first = next((at for at, (a, b) in enumerate(zip(truth, twin, strict=False)) if a != b), 0)
        begin = max(0, first - 80)
        return (
            f"{self.plan}\nviewer {self.viewer} can tell two worlds apart by {self.where}:\n"
            f"  {truth[begin : first + 120]}\n  {twin[begin : first + 120]}"
        )


def plan_of(setting: Setting, seed: int, moves: int) -> Plan:
    """Draw everything else from the seed."""
    draw = Random(seed)
    seats = setting.seats
    return Plan(
        setting=setting,
        seed=seed,
        moves=moves,
        live=draw.randint(1, 3),
        watch="none" if draw.random() < 0.25 else "all",
        clock=30 if draw.random() < 0.5 else None,
        bot=draw.randrange(seats) if draw.random() < 0.4 else None,
        late=draw.random() < 0.3,
        agree=draw.random() < 0.8,
        every=draw.random() < 0.04,
        memory=draw.choice(MEMORIES),
    )


def menu() -> list[Setting]:
    """Return what to play: every game at every number of seats with the options that matter, each
    sheet alone, some together. Short matches where the rules allow it: late rounds come sooner."""
    found = []
    for name, kind in registry.GAMES.items():
        for seats in kind.seat_counts:
            found += [stichwerk.game(name, seats=seats, **options) for options in variants(name)]
            teams = [one for one in registry.options_of(name, seats) if one.name == "teams"]
            for value in (value for one in teams for value in some_values(one) if value):
                found.append(stichwerk.game(name, seats=seats, teams=value, target=60))
    return found


def variants(name: str) -> list[dict[str, Any]]:
    """Return options that matter for what is hidden."""
    return calendar_variants() if registry.has_calendar(name) else VARIANTS.get(name, [{}])


def calendar_variants() -> list[dict[str, Any]]:
    """Return single sheets, pairs of sheets, and dates."""
    alone = [{"sheets": [sheet]} for sheet in SHEETS]
    together = [{"sheets": pair} for pair in PAIRS]
    dates = [{"date": date} for date in (*DATES, *all_dates()[::23])]
    return [{"rounds": 2}, {}, *alone, *together, *dates]


VARIANTS: dict[str, list[dict[str, Any]]] = {
    "stichling": [{}, {"discard": "hand"}],
    "null-nichtig": [{"target": 1}, {"target": 80}, {}],
    "sticheln": [{"rounds": 1}, {"rounds": 2, "all_zero": "leader"}, {}],
}
"""Of games that have options; another one is played with its defaults."""


# -- Other worlds ----------------------------------------------------------------------------------


class Replayed(World):
    """Another world that remembers its moves."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.made: Moves = []

    def play(self, seat: int, text: str) -> None:
        """Make a move and keep it."""
        super().play(seat, text)
        self.made.append((seat, text))

    @property
    def course(self) -> Course:
        """What happened here."""
        return Course([log.deal for log in self.match.rounds], self.made)


def another_course(trial: Trial, viewer: int | None) -> Course:
    """Return an alternative the viewer cannot rule out; see `testing.another_world`."""
    state = sample(trial.match.view(viewer), trial.generator)
    past = [past_deal(trial, viewer, number) for number in range(len(trial.log) - 1)]
    if not cards_moved(trial):
        world = Replayed(trial, viewer, [*past, sampled_deal(trial, viewer, state)])
        world.replay_history(state)
        return world.course
    hidden = hidden_cards(trial, viewer)
    for attempt in range(ATTEMPTS, -1, -1):
        renamed = exchanged(trial, hidden, attempt)
        world = Replayed(trial, viewer, [*past, renamed_deal(trial, state, renamed)], renamed)
        if world.can_replay_history(state):
            return world.course
    trial.broken("the same deal cannot be played again", viewer)


def course_of(trial: Trial) -> Course:
    """Return what really happened."""
    moves = [(made.seat, made.move.text) for round in trial.log for made in round]
    return Course([log.deal for log in trial.match.rounds], moves)


def walked(setting: Setting, seed: int, until: Callable[[Trial], bool]) -> Trial:
    """Return a random match up to here, or to its end."""
    trial = Trial(setting, seed)
    while trial.match.waiting_for and not until(trial):
        trial.advance()
    return trial


def moves_made(trial: Trial) -> int:
    """Return how many moves were made so far."""
    return sum(map(len, trial.log))


def prepare(setting: Setting, seed: int, moves: int) -> Case:
    """Return the position after this many moves."""
    return case_of(walked(setting, seed, lambda trial: moves_made(trial) >= moves))


def case_of(trial: Trial, **wishes: Any) -> Case:
    """This position, and for each viewer another world they cannot tell from it; what is wished
    of the plan is not drawn."""
    plan = plan_of(trial.game, trial.seed, moves_made(trial))._replace(**wishes)
    truth = course_of(trial)
    pairs = []
    for viewer in trial.viewers:
        if viewer is None or viewer != plan.bot:
            pairs.append(pair_of(trial, truth, viewer))
    return Case(
        plan=plan,
        phase=trial.match.phase,
        rounds_over=len(trial.match.scores),
        truth=truth,
        refused={seat: refused_moves(trial, seat) for seat in range(trial.rules.seats)},
        pairs=[pair for pair in pairs if pair.twin != truth],
    )


def pair_of(trial: Trial, truth: Course, viewer: int | None) -> Pair:
    """Another world for this viewer."""
    twin = another_course(trial, viewer)
    thin = twin.moves == truth.moves and all(map(same_cards, twin.deals, truth.deals))
    return Pair(viewer, twin, thin)


def same_cards(one: Deal, other: Deal) -> bool:
    """Return whether two deals differ only in the order of the cards in a hand."""
    alike = all(sorted(a) == sorted(b) for a, b in zip(one.hands, other.hands, strict=True))
    return alike and (one.stock, one.specials) == (other.stock, other.specials)


def refused_moves(trial: Trial, seat: int) -> list[str]:
    """Return some texts of all kinds that this seat cannot play now."""
    draw = Random(trial.seed + seat)
    cards = draw.sample(trial.rules.deck.texts, 4)
    hand = trial.rules.hand(trial.state, seat)
    texts = [*cards, f"{cards[0]}>new", f"{cards[1]}>2", ",".join(cards[:3]), *hand[:1], "pass"]
    texts += ["7", "3,1,2", "veto 1", "take", f"{cards[2]}+{cards[3]}"]
    refused = [text for text in texts if trial.match.objection(seat, text) is not None]
    return draw.sample(refused, min(6, len(refused)))
