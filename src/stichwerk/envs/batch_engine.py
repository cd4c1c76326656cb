# cython: boundscheck=False, wraparound=False
"""Many matches at once, compiled: what each seat may do, what it sees, and what it gets for it.

`BatchEngine` steps all matches of a batch without Python objects and without the interpreter lock,
and writes into arrays that someone else has made. Matches hang in a tree, since compiled code
cannot walk through a list of Python's without the lock.
"""

from array import array
from collections.abc import Sequence
from typing import Any

from stichwerk.engine.codes import (
    MOVE_LIMIT,
    argument_of,
    card_of,
    has,
    kind_of,
    move_of,
    place_of,
    play_at,
)
from stichwerk.engine.constants import (
    NOBODY,
    NONE,
    SEATS,
)
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits, Lock
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.envs.actions import CARD_AND_SEAT, NO_SEAT, SEAT
from stichwerk.envs.batch_observer import Memory, Observer

MOST = 192  # moves that can be open to a seat at once
WIDE = 0xFFFFFFFFFFFFFFFF
GOLDEN = 0x9E3779B97F4A7C15
FIRST = 0xBF58476D1CE4E5B9
SECOND = 0x94D049BB133111EB


def mixed(word: int) -> int:
    """Mix 64 bits until each depends on all others (the finisher of SplitMix64)."""
    word = ((word ^ word >> 30) * FIRST) & WIDE
    word = ((word ^ word >> 27) * SECOND) & WIDE
    return word ^ word >> 31


def zeros(kind: str, count: int) -> Any:
    """Return an array of this many zeros."""
    return numbers(kind, bytes(count * array(kind).itemsize))


def numbers(kind: str, raw: bytes) -> Any:
    """Return an array from its bytes."""
    made = array(kind)
    made.frombytes(raw)
    return made


class BatchMatch:
    """One match of a batch, and those before and after it in the tree."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.state = State()
        self.memory = Memory()
        self.left = None  # type: BatchMatch | None
        self.right = None  # type: BatchMatch | None

    def take_over(self, state: Any, memory: Any) -> None:
        """Go on from these numbers."""
        self.state = State()
        self.state.__setstate__(state)
        self.memory.__setstate__(memory)


def linked(tables: list[BatchMatch]) -> BatchMatch:
    """Return the tables, one or more, as a tree that is traversed in their order."""
    middle = len(tables) // 2
    root = tables[middle]
    if middle:
        root.left = linked(tables[:middle])
    if middle + 1 < len(tables):
        root.right = linked(tables[middle + 1 :])
    return root


class BatchEngine:
    """All matches of a batch. One thread at a time; the interpreter lock is let go while it works.

    The arrays are someone else's: `seats`, `masks`, `rewards` and `done` have a row for each match,
    the observer's one more, which is room to look for somebody.
    """

    def __init__(
        self, observer: Observer, size: int, codes: Sequence[int], naming: Sequence[int]
    ) -> None:
        self.observer = observer
        self.game = observer.game
        self.size = size
        self.seat_count = self.game.seats
        self.actions = len(codes)
        self.engine_action = array("i", codes)
        self.code_of = array("i", [NOBODY] * MOVE_LIMIT)
        for code, action in enumerate(codes):
            self.code_of[action] = code
        self.seat_naming = array("i", naming)
        self.moves = Moves()
        self.generator = Generator(0)
        self.seed = 0
        self.starter = NOBODY
        self.by_match = False
        self.auto_reset = True
        self.looks = True
        self.strange = NOBODY
        self.ended_count = 0
        self.ended = zeros("i", size)
        self.episode = zeros("q", size)
        self.chance = zeros("Q", size)
        self.counts = zeros("i", size)
        self.listed = zeros("i", size * MOST)
        self.over = zeros("B", size)
        self.worth = zeros("i", SEATS * SEATS)
        self.hearts = zeros("i", SEATS)
        self.rows = [BatchMatch(at) for at in range(size)]
        self.root = linked(self.rows)

    def write_to(self, seats: Any, masks: Any, rewards: Any, done: Any) -> None:
        """Set the arrays that the matches are reported in."""
        self.seats = seats
        self.masks = masks
        self.rewards = rewards
        self.done = done

    def know_match(
        self,
        starter: int,
        worth: Sequence[int],
        hearts: Sequence[int],
        by_match: bool,
        auto_reset: bool,
        looks: bool,
    ) -> None:
        """Set who starts, what points are worth to each seat, and what an episode is."""
        self.starter = starter
        for at, value in enumerate(worth):
            self.worth[at] = value
        for seat, value in enumerate(hearts):
            self.hearts[seat] = value
        self.by_match = by_match
        self.auto_reset = auto_reset
        self.looks = looks

    def state_of(self, at: int) -> State:
        """Return the true state of a match: for tests, rules and perfect-information programs."""
        return self.rows[at].state

    def memory_of(self, at: int) -> Memory:
        """Return what the seats of a match know besides the state."""
        return self.rows[at].memory

    def ended_matches(self) -> list[int]:
        """Return where the last step ended a round of a match that continues in Python."""
        return [self.ended[at] for at in range(self.ended_count)]

    # -- Copies ------------------------------------------------------------------------------------

    def snapshot(self) -> tuple[Any, ...]:
        """Return everything that changes in play, except the arrays of the caller."""
        rows = [(it.state.__getstate__(), it.memory.__getstate__()) for it in self.rows]
        return (
            self.seed,
            rows,
            bytes(self.episode),
            bytes(self.chance),
            bytes(self.counts),
            bytes(self.listed),
            bytes(self.over),
        )

    def restore(
        self,
        seed: int,
        rows: Sequence[tuple[Any, Any]],
        episode: bytes,
        chance: bytes,
        counts: bytes,
        listed: bytes,
        over: bytes,
    ) -> None:
        """Go on from a snapshot."""
        self.seed = seed
        for at, (state, memory) in enumerate(rows):
            self.rows[at].take_over(state, memory)
        self.episode = numbers("q", episode)
        self.chance = numbers("Q", chance)
        self.counts = numbers("i", counts)
        self.listed = numbers("i", listed)
        self.over = numbers("B", over)

    # -- Random numbers ----------------------------------------------------------------------------

    def reseed(self, at: int, number: int) -> None:
        """Seed the random numbers of one round of one match: they depend on nothing else."""
        key = mixed((self.seed + GOLDEN) & WIDE)
        key = mixed((key + GOLDEN * (at + 1)) & WIDE)
        key = mixed((key + GOLDEN * (self.episode[at] + 1)) & WIDE)
        key = mixed((key + GOLDEN * number) & WIDE)
        for word in range(4):
            key = (key + GOLDEN) & WIDE
            self.generator.words[word] = mixed(key) >> 32

    def start_chances(self) -> None:
        """Seed the random numbers of `random_actions`, one stream per match."""
        for at in range(self.size):
            key = mixed((self.seed ^ GOLDEN) & WIDE)
            self.chance[at] = mixed((key + GOLDEN * (at + 1)) & WIDE)

    def pick_actions(self, out: Any) -> None:
        """Draw a legal action of every match, all equally likely; NOBODY where it is over."""
        self.picks = out
        token = Lock.release()
        self.pick_all()
        Lock.take(token)

    def pick_all(self) -> None:
        """Do the work of `pick_actions`, compiled."""
        for at in range(self.size):
            if self.over[at]:
                self.picks[at] = NOBODY
            else:
                self.chance[at] = (self.chance[at] + GOLDEN) & WIDE
                pick = (mixed(self.chance[at]) >> 32) * self.counts[at] >> 32
                self.picks[at] = self.listed[MOST * at + pick]

    # -- Starting ----------------------------------------------------------------------------------

    def restart(self, seed: int) -> None:
        """Start all matches with the first episode of this seed."""
        self.seed = seed
        self.start_chances()
        for at in range(self.size):
            self.episode[at] = NOBODY
        for at in range(self.size):
            self.renew(at)

    def renew(self, at: int) -> None:
        """Start the next episode of one match."""
        table = self.rows[at]
        self.wipe(at)
        self.begin_episode(table.state, table.memory, at)

    def wipe(self, at: int) -> None:
        """Clear the flags and rewards of one match."""
        self.done[at] = 0
        self.over[at] = 0
        for seat in range(self.seat_count):
            self.rewards[at * self.seat_count + seat] = 0.0

    def begin_episode(self, state: State, memory: Memory, at: int) -> None:
        """Begin a match, or a round that stands alone, with the first deal."""
        self.episode[at] += 1
        state.round = 1
        for seat in range(self.seat_count):
            state.totals[seat] = 0
            memory.before[seat] = 0
            memory.hearts[seat] = self.hearts[seat]
        self.reseed(at, 1)
        state.starter = self.starter
        if self.starter == NOBODY:
            state.starter = self.generator.below(self.seat_count)
        self.deal(state, memory, at)

    def deal(self, state: State, memory: Memory, at: int) -> None:
        """Deal the round the state names, and ask."""
        memory.forget_traces()
        self.game.deal(state, self.generator)
        self.ask(state, memory, at)

    def next_round(self, at: int, starter: int, before: Sequence[int]) -> None:
        """Continue the match with another round."""
        table = self.rows[at]
        state = table.state
        for seat in range(self.seat_count):
            state.totals[seat] += before[seat]
        state.round += 1
        state.starter = starter
        self.reseed(at, state.round)
        self.deal(state, table.memory, at)

    # -- Asking ------------------------------------------------------------------------------------

    def ask(self, state: State, memory: Memory, at: int) -> None:
        """Write whose move it is, the mask and the observation; of several seats ask the lowest."""
        seat = Bits.lowest(state.owes)
        self.seats[at] = seat
        self.clear_mask(at)
        self.game.legal(state, seat, self.moves)
        row = at * self.actions
        by = self.seat_count - seat
        for index in range(self.moves.size):
            code = self.code_of[self.turned(self.moves.items[index], by)]
            if code < 0:
                self.strange = self.moves.items[index]
                continue
            self.listed[MOST * at + self.counts[at]] = code
            self.counts[at] += 1
            self.masks[row + code] = 1
        if self.looks:
            self.observer.write(state, seat, memory, at)

    def clear_mask(self, at: int) -> None:
        """Clear what was legal before; the rest is 0 already."""
        row = at * self.actions
        for index in range(MOST * at, MOST * at + self.counts[at]):
            self.masks[row + self.listed[index]] = 0
        self.counts[at] = 0

    def turned(self, action: int, by: int) -> int:
        """Return an engine action with the seat it names moved around the table."""
        kind = kind_of(action)
        naming = self.seat_naming[kind]
        if naming == NO_SEAT:
            return action
        argument = argument_of(action)
        if naming == SEAT and argument != NONE:
            return move_of(kind, (argument + by) % self.seat_count)
        if naming == CARD_AND_SEAT:
            other = (place_of(argument) + by) % self.seat_count
            return move_of(kind, play_at(card_of(argument), other))
        return action

    # -- Stepping ----------------------------------------------------------------------------------

    def step(self, ids: Any) -> int:
        """Make one step in every match; or make none, and say where the first wrong id stands."""
        self.ids = ids
        self.ended_count = 0
        token = Lock.release()
        wrong = self.first_wrong()
        if wrong == NOBODY:
            self.walk(self.root)
        Lock.take(token)
        return wrong

    def first_wrong(self) -> int:
        """Return where an id is illegal; NOBODY if none is. Finished matches accept any."""
        for at in range(self.size):
            if not self.over[at] and not self.is_open(at, self.ids[at]):
                return at
        return NOBODY

    def is_open(self, at: int, code: int) -> bool:
        """Return whether this is legal in this match now."""
        for index in range(MOST * at, MOST * at + self.counts[at]):
            if self.listed[index] == code:
                return True
        return False

    def walk(self, table: BatchMatch) -> None:
        """Step all matches below a node of the tree, in their order."""
        if table.left is not None:
            self.walk(table.left)
        self.advance(table.state, table.memory, table.index)
        if table.right is not None:
            self.walk(table.right)

    def advance(self, state: State, memory: Memory, at: int) -> None:
        """Make one step of one match."""
        for seat in range(self.seat_count):
            self.rewards[at * self.seat_count + seat] = 0.0
        if self.over[at]:
            return
        self.done[at] = 0
        actor = self.seats[at]
        action = self.turned(self.engine_action[self.ids[at]], actor)
        if has(self.observer.passing_phases, state.phase) and state.owes == 1 << actor:
            memory.note_passes(state, self.seat_count, actor, argument_of(action))
        self.game.apply(state, actor, action)
        if state.owes:
            self.ask(state, memory, at)
        else:
            self.finish_round(state, memory, at)

    def finish_round(self, state: State, memory: Memory, at: int) -> None:
        """Score a round: alone it is worth its points; in a match the rules decide."""
        if self.by_match:
            self.ended[self.ended_count] = at
            self.ended_count += 1
            return
        for seat in range(self.seat_count):
            points = 0
            for other in range(self.seat_count):
                points += self.worth[SEATS * seat + other] * state.points[other]
            self.rewards[at * self.seat_count + seat] = points
        self.finish_episode(state, memory, at)

    def finish_episode(self, state: State, memory: Memory, at: int) -> None:
        """Begin the next episode at once, or leave the match without a seat to act."""
        self.done[at] = 1
        if self.auto_reset:
            self.begin_episode(state, memory, at)
            return
        self.over[at] = 1
        self.clear_mask(at)
        if self.looks:
            self.observer.write(state, self.seats[at], memory, at)
        self.seats[at] = NOBODY

    def finish_match(self, at: int, rewards: Sequence[float]) -> None:
        """Reward the final ranking."""
        table = self.rows[at]
        for seat in range(self.seat_count):
            self.rewards[at * self.seat_count + seat] = rewards[seat]
        self.finish_episode(table.state, table.memory, at)
