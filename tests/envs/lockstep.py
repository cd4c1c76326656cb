"""A batch of one, and a match played in parallel with the same cards, move for move."""

from typing import Any

import numpy as np

from stichwerk.cards import COLOURS, card_text
from stichwerk.engine.state import State
from stichwerk.envs import Batch, Spec
from stichwerk.envs.batch import Episode
from stichwerk.fairness import Deal, Special
from stichwerk.match import Match, Setting


class Lockstep:
    """Whatever the batch does, the match does too; what the seats see can be compared."""

    def __init__(self, setting: Setting, seed: int, episode: Episode = "round") -> None:
        self.setting = setting
        self.spec = Spec(setting.name, setting.seats, setting.options)
        self.batch = Batch(self.spec, 1, seed, episode, auto_reset=False)
        self.match = Match(setting, DealsOf(self))
        self.moves = 0

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return bool(self.batch.done[0])

    @property
    def asked(self) -> int:
        """The seat the batch asks."""
        return int(self.batch.seats[0])

    def move(self) -> None:
        """Make one random move, in as many steps as it has."""
        seat, state = self.asked, self.batch.state(0)
        before, steps = state.copy(), []
        for _ in range(self.spec.rules.steps(before)):
            steps.append(self.step())
        self.match.play(seat, self.spec.rules.move_text(before, tuple(steps)))
        self.moves += 1

    def step(self) -> int:
        """Make one random step of the batch alone; return the engine's action."""
        seat, code = self.asked, self.batch.random_actions()
        self.batch.step(code)
        return self.spec.action(int(code[0]), seat)

    def observed(self, seat: int) -> Any:
        """Return what the batch shows to this seat."""
        return self.batch.observe(0, seat)


class DealsOf:
    """The cards of a match are those the batch has dealt."""

    seed: int | None = None

    def __init__(self, lockstep: Lockstep) -> None:
        self.lockstep = lockstep

    def first_starter(self) -> int:
        """Return who starts at the batch."""
        return self.lockstep.batch.state(0).starter

    def deal(self, round: int, starter: int) -> Deal | None:
        """Return the current deal; None when the episode is over."""
        state = self.lockstep.batch.state(0)
        if self.lockstep.over:
            return None
        assert (state.round, state.starter) == (round, starter)
        return deal_of(self.lockstep.setting, state)


def deal_of(setting: Setting, state: State) -> Deal:
    """Return the deal of a round that has just begun."""
    seats = range(setting.seats)
    hands = tuple(hand_of(setting, state, seat) for seat in seats)
    stock = tuple(card_text(state.stock[at]) for at in range(state.stock_size))
    specials = tuple((kind, drawn(state, kind)) for kind in setting.rules.specials)
    return Deal(state.starter, hands, stock, specials)


def drawn(state: State, kind: str) -> Special:
    """Return what a sheet drew after the deal, as a record holds it."""
    if kind == "trumps":
        return COLOURS[state.first_trump], COLOURS[state.second_trump]
    value = getattr(state, kind)
    if kind == "trump":
        return COLOURS[value]
    return tuple(value[: state.seats] if kind == "partners" else value)


def hand_of(setting: Setting, state: State, seat: int) -> tuple[str, ...]:
    """Return a dealt hand, including cards set aside on red 8."""
    aside = [
        card_text(64 * word + bit)
        for word in range(2)
        for bit in range(64)
        if state.aside[2 * seat + word] >> bit & 1
    ]
    return (*setting.rules.hand(state, seat), *aside)


def differences(spec: Spec, one: Any, other: Any) -> list[str]:
    """Return the blocks in which two observations differ."""
    return [
        name for name, part in spec.layout.items() if not np.array_equal(one[part], other[part])
    ]
