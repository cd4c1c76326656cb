"""Thousands of matches at once: NumPy arrays in and out, with compiled code in between.

A `Batch` asks one seat of every match at a time. `step` takes an action for each, and the arrays
then show what is asked next; they are reused, so copy what must outlive a step. A game written in
plain Python runs here as well, only slower.
"""

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from stichwerk.cards import COLOURS
from stichwerk.engine import plain
from stichwerk.engine.constants import CHOOSE, NOBODY, NONE, SEATS
from stichwerk.engine.frame import Game
from stichwerk.engine.state import State
from stichwerk.envs.actions import SEAT_NAMING
from stichwerk.envs.spec import BadActionError, EnvsError, Spec
from stichwerk.errors import BadSeatsError, BadSeedError, shown
from stichwerk.fairness import HIGHEST_SEED
from stichwerk.games import registry
from stichwerk.games.stichtag.calendar import needs_plain
from stichwerk.games.stichtag.sheet import ACCEPT_POINTS, BID
from stichwerk.view import View, knowledge

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from stichwerk.envs.batch_engine import BatchEngine
    from stichwerk.envs.batch_observer import Memory, Observer

LARGEST = 1_000_000
Episode = Literal["round", "match"]


class MissingExtraError(EnvsError):
    """A package that only an extra brings is not installed."""


class BadBatchError(EnvsError):
    """A batch with impossible settings, or arrays that do not fit it."""


def numpy() -> Any:
    """Import NumPy, or say in one line that it is missing."""
    try:
        return importlib.import_module("numpy")
    except ImportError:
        raise MissingExtraError("needs-extra", package="NumPy", extra="envs") from None


def engine_of(rules: Game) -> Any:
    """Return the module with `BatchEngine`, compiled or plain as the rules are."""
    return _compiled_or_plain("stichwerk.envs.batch_engine", rules)


def observers_of(rules: Game) -> Any:
    """Return the module with `Observer` and `Memory`, compiled or plain as the rules are."""
    return _compiled_or_plain("stichwerk.envs.batch_observer", rules)


def _compiled_or_plain(name: str, rules: Game) -> Any:
    return importlib.import_module(name) if isinstance(rules, Game) else plain.twin(name)


class Batch:
    """`size` matches of one game, stepped together.

    - `seats`: int8[size], who is asked; -1: the episode is over
    - `observations`: float32[size, width], what that seat may know, see `Spec.layout`
    - `masks`: uint8[size, actions], 1: legal now
    - `rewards`: float32[size, seats], what the last step gave each seat
    - `done`: uint8[size], 1: the last step ended an episode

    Match i of a seed is the same in a batch of any size.
    """

    def __init__(
        self,
        spec: Spec,
        size: int,
        seed: int = 0,
        episode: Episode = "round",
        auto_reset: bool = True,
        observations: bool = True,
    ) -> None:
        self._set_up(spec, size, episode, auto_reset, observations)
        self.reset(seed)

    def _set_up(
        self, spec: Spec, size: int, episode: Episode, auto_reset: bool, observations: bool
    ) -> None:
        """Set up everything but the cards."""
        make = self._np = numpy()
        if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= LARGEST:
            raise BadBatchError("bad-batch-size", size=shown(size), highest=LARGEST)
        if episode not in ("round", "match"):
            raise BadBatchError("bad-episode", episode=shown(episode))
        self.spec = spec
        self.size = size
        self.episode = episode
        self.auto_reset = auto_reset
        rows = size + 1 if observations else 1  # one more row, for `observe`
        self._looked: NDArray[np.float32] = make.zeros((rows, spec.width), make.float32)
        self.observations = self._looked[: rows - 1]
        self.seats: NDArray[np.int8] = make.zeros(size, make.int8)
        self.masks: NDArray[np.uint8] = make.zeros((size, spec.actions), make.uint8)
        self.rewards: NDArray[np.float32] = make.zeros((size, spec.seats), make.float32)
        self.done: NDArray[np.uint8] = make.zeros(size, make.uint8)
        self._scores: list[list[tuple[int, ...]]] = [[] for _ in range(size)]
        self._observer = observer(spec, self._looked)
        self._engine: BatchEngine = engine_of(spec.rules).BatchEngine(
            self._observer, size, spec.engine_actions(), SEAT_NAMING
        )
        self._engine.write_to(*map(flat, (self.seats, self.masks, self.rewards, self.done)))
        starter = spec.options["starter"]
        self._engine.know_match(
            starter if isinstance(starter, int) else NOBODY,
            worth(spec.rules),
            hearts(spec.rules, []),
            episode == "match",
            auto_reset,
            observations,
        )

    # -- Copies ------------------------------------------------------------------------------------

    def __reduce__(self) -> tuple[Any, ...]:
        """Store the settings, then everything that changes: no match is replayed."""
        looks = len(self._looked) > 1
        made_with = (self.spec, self.size, self.episode, self.auto_reset, looks)
        kept = (self._arrays(), self._scores, self._engine.snapshot())
        return _empty_batch, made_with, kept

    def __setstate__(self, kept: tuple[Any, ...]) -> None:
        arrays, scores, snapshot = kept
        for own, array in zip(self._arrays(), arrays, strict=True):
            own[...] = array
        self._scores = [list(rounds) for rounds in scores]
        self._engine.restore(*snapshot)

    def _arrays(self) -> tuple[Any, ...]:
        return self._looked, self.seats, self.masks, self.rewards, self.done

    # -- Playing -----------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, only: Sequence[int] | None = None) -> None:
        """Start the next episode everywhere, or only there; with a seed all start over from it."""
        if seed is not None:
            if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= HIGHEST_SEED:
                raise BadSeedError("bad-seed", seed=shown(seed), highest=HIGHEST_SEED)
            self._scores = [[] for _ in range(self.size)]
            self._engine.restart(seed)
        else:
            chosen = range(self.size) if only is None else [int(at) for at in only]
            for at in chosen:
                self._check_match(at)
            for at in chosen:
                self._scores[at] = []
                self._engine.renew(at)
        self._check()

    def step(self, ids: "NDArray[np.integer[Any]] | Sequence[int]") -> None:
        """Take one action in every match. An illegal id is refused, and nothing changes.

        Where an episode is over (without `auto_reset`), any id will do.
        """
        given = self._np.asarray(ids)
        wrong = self._engine.step(memoryview(self._small(given)))
        if wrong != NOBODY:
            self._refuse(wrong, int(given[wrong]))
        if self.episode == "match":
            for at in self._engine.ended_matches():
                self._go_on(at)
        self._check()

    def _small(self, given: Any) -> Any:
        """Return ids as the engine reads them: contiguous 32 bits; too large ones stay too
        large."""
        np = self._np
        if given.shape != (self.size,):
            raise BadBatchError("bad-shape", shape=shown(given.shape), expected=f"({self.size},)")
        if given.dtype.kind not in "iu":
            raise BadBatchError("bad-ids", kind=shown(given.dtype))
        if given.dtype != np.int32:
            given = np.clip(given.astype(np.int64), -1, self.spec.actions).astype(np.int32)
        return np.ascontiguousarray(given)

    def _refuse(self, at: int, code: int) -> None:
        """Raise an error that says what is wrong with an id."""
        if not 0 <= code < self.spec.actions:
            raise BadActionError("action-out-of-range", id=code, highest=self.spec.actions - 1)
        text = self.spec.action_text(code)
        raise BadActionError(
            "action-not-open", id=code, text=text, match=at, seat=int(self.seats[at])
        )

    def _check_match(self, at: int) -> None:
        if not 0 <= at < self.size:
            raise BadBatchError("no-such-match-of-batch", match=shown(at), highest=self.size - 1)

    def _check(self) -> None:
        """Raise the error of a custom game that failed, or did what it did not announce."""
        self._observer.check()
        if self._engine.strange != NOBODY:
            raise BadActionError("action-unknown", action=self._engine.strange)

    def _go_on(self, at: int) -> None:
        """Continue after a round of a match: another one, or the end."""
        rules, scores, state = self.spec.rules, self._scores[at], self._engine.state_of(at)
        scores.append(tuple(state.points[seat] for seat in range(self.spec.seats)))
        self._engine.memory_of(at).fill(scores[-1], hearts(rules, scores))
        if rules.match_over(scores):
            self._engine.finish_match(at, placed(rules.ranking(scores), self.spec.seats))
            if self.auto_reset:
                self._scores[at] = []
        else:
            self._engine.next_round(at, rules.next_starter(state.starter, scores), scores[-1])

    def random_actions(self, out: "NDArray[np.int32] | None" = None) -> "NDArray[np.int32]":
        """Draw a legal action for every match, all equally likely; -1 where the episode is over."""
        np = self._np
        if out is None:
            out = np.empty(self.size, np.int32)
        elif out.dtype != np.int32 or out.shape != (self.size,) or not out.flags.c_contiguous:
            raise BadBatchError(
                "bad-shape", shape=shown(out.shape), expected=f"({self.size},) int32"
            )
        self._engine.pick_actions(flat(out))
        return out

    def observe(
        self, at: int, seat: int, out: "NDArray[np.float32] | None" = None
    ) -> "NDArray[np.float32]":
        """Return what any seat of a match may know now, whether it is to act or not."""
        self._check_match(at)
        if not 0 <= seat < self.spec.seats:
            raise BadSeatsError("no-such-seat", seat=shown(seat), highest=self.spec.seats - 1)
        state, memory = self._engine.state_of(at), self._engine.memory_of(at)
        row = len(self._looked) - 1
        self._observer.observe(state, seat, memory, row)
        if out is None:
            out = self._np.empty(self.spec.width, self._np.float32)
        out[...] = self._looked[row]
        return out

    def scores(self, at: int) -> tuple[tuple[int, ...], ...]:
        """Return the finished rounds of a match in this episode (`episode="match"`)."""
        self._check_match(at)
        return tuple(self._scores[at])

    def state(self, at: int) -> State:
        """Return the true state of a match, hidden cards included: not for players."""
        self._check_match(at)
        return self._engine.state_of(at)


# -- What a batch is built from --------------------------------------------------------------------


def _empty_batch(*made_with: Any) -> Batch:
    """Make a batch without cards, for unpickling."""
    batch = Batch.__new__(Batch)
    batch._set_up(*made_with)
    return batch


def flat(numbers: Any) -> memoryview:
    """Return an array as one row."""
    return memoryview(numbers.reshape(-1))


def observer(spec: Spec, out: Any) -> "Observer":
    """Return the object that writes observations of this game into these rows."""
    tables, rules = observers_of(spec.rules), spec.rules
    made: Observer = tables.Observer(rules, flat(out), spec.width, spec.offsets)
    day: Any = rules
    red = getattr(rules, "red", None)
    made.know_game(fixed_trump(spec), spec.sheets(), reveals(rules), asked(spec, out))
    if red is not None:
        made.know_red_sheet(red.manners.get(CHOOSE) == BID, red.at_once)
        sheets = (red, day.month)
        taking = {
            phase for one in sheets for phase in one.manners if one.manners[phase] == ACCEPT_POINTS
        }
        passing = {phase for one in sheets for phase in one.passes_left}
        made.know_choices(set_of(passing), set_of(taking))
    return made


def set_of(phases: set[int]) -> int:
    """Return phases as a set of bits."""
    return sum(1 << phase for phase in phases)


def fixed_trump(spec: Spec) -> int:
    """Return the trump that holds the whole day; NOBODY where a sheet keeps it in the state."""
    if not registry.has_calendar(spec.game) or spec.rules.area.find("trump") != NOBODY:
        return NOBODY
    letter = spec.rules.table(spec.rules.new_state())["trump"]
    return NONE if letter is None else COLOURS.index(str(letter))


def reveals(rules: Game) -> bool:
    """Return whether a custom game reveals the choices once all have chosen."""
    return getattr(type(rules), "revealed", None) is not plain.Game.revealed


def asked(spec: Spec, out: Any) -> Any:
    """Return what must be called in Python for every row; None if nothing must.

    A custom game may add numbers: `observed(state, seat)`, named by `observed_names`. A custom
    sheet in Python may change the trump at any time.
    """
    rules: Any = spec.rules
    if registry.has_calendar(spec.game) and needs_plain(list(rules.sheet_names)):
        where = spec.layout["trump"]

        def answer(state: State, number: int, memory: "Memory", writer: object) -> None:
            letter = rules.table(state)["trump"]
            out[number // SEATS, where] = [float(it == letter) for it in COLOURS]

    elif "numbers" in spec.layout:
        where = spec.layout["numbers"]

        def answer(state: State, number: int, memory: "Memory", writer: object) -> None:
            out[number // SEATS, where] = rules.observed(state, number % SEATS)

    else:
        return None
    machine = "stichwerk.engine.machine"
    module = importlib.import_module(machine) if isinstance(rules, Game) else plain.twin(machine)
    return module.Caller(answer)


def hearts(rules: Game, scores: Sequence[Sequence[int]]) -> list[int]:
    """Return the hearts that are left with green 3, otherwise none."""
    left: Any = rules.match_facts(scores).get("hearts", ())
    return list(left)


def worth(rules: Game) -> list[int]:
    """Return for each seat what a point of each seat is worth to it: 1, 0 or -1.

    Its own points count, with the sign that the ranking gives them; those of its team as well.
    """
    seats = range(rules.seats)
    found = [0] * SEATS * SEATS
    nothing = [[0] * rules.seats]
    for seat in seats:
        usual = rules.standing(nothing, seat)
        sign = 1 if rules.standing([[int(it == seat) for it in seats]], seat) > usual else -1
        for other in seats:
            point = [[sign * int(it == other) for it in seats]]
            if rules.standing(point, seat) > usual:
                found[SEATS * seat + other] = sign
    return found


def placed(ranking: Sequence[Sequence[int]], seats: int) -> list[float]:
    """Return the reward of a match: from 1 for the first to -1 for the last in equal steps, shared
    by those who tie; the sum is 0.
    """
    found = [0.0] * seats
    better = 0
    for group in ranking:
        place = better + (len(group) - 1) / 2
        for seat in group:
            found[seat] = 1.0 - 2.0 * place / (seats - 1)
        better += len(group)
    return found


# -- From a view -----------------------------------------------------------------------------------


def observation(spec: Spec, view: View) -> "NDArray[np.float32]":
    """Return what the seat of a view may know, as the same row of numbers: for programs that
    learned here and play at a table.
    """
    if view.seat is None:
        raise BadSeatsError("no-such-seat", seat="-", highest=spec.seats - 1)
    tables = observers_of(spec.rules)
    out = numpy().zeros((1, spec.width), numpy().float32)
    state, memory = knowledge(view), tables.Memory()
    left: Any = view.table.get("hearts", ())
    memory.fill(view.scores[view.round - 2] if view.round > 1 else (), left)
    memory.take_traces(state, view.seat)
    observer(spec, out).observe(state, view.seat, memory, 0)
    return out[0]  # type: ignore[no-any-return]
