"""The luck of the deal: what these cards are worth to each seat when everybody plays alike."""

from math import sqrt
from statistics import fmean, variance

import msgspec

from stichwerk.bots.search import part
from stichwerk.bots.tactics import tactics_of
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Tactics

PLAY_OUTS = 400
SLIP = 8  # one move in so many is made at random: tactics alone would play each deal only one way


class Luck(msgspec.Struct, frozen=True):
    """What a deal is worth to a seat, with its standard error."""

    mean: float
    error: float


def luck_of(rules: Game, begin: State, seed: int, play_outs: int = PLAY_OUTS) -> list[Luck]:
    """Return for each seat the mean of many rounds with the true cards, all playing by tactics.

    In points above the mean of the others, so that it sums to zero over all seats.
    """
    tactics = tactics_of(rules, points=True)
    generator = part(rules, "generator").Generator(seed)
    ends = [played_out(rules, tactics, begin.copy(), generator) for _ in range(play_outs)]
    return [summed([tactics.value(end, seat) for end in ends]) for seat in range(rules.seats)]


def played_out(rules: Game, tactics: Tactics, state: State, generator: Generator) -> State:
    """Play the round to its end."""
    while state.owes:
        seat = (state.owes & -state.owes).bit_length() - 1
        if generator.number(SLIP):
            action = tactics.pick(state, seat, generator)
        else:
            actions = rules.actions(state, seat)
            action = actions[generator.number(len(actions))]
        rules.play(state, seat, action)
    return state


def summed(values: list[float]) -> Luck:
    """Return mean and standard error."""
    return Luck(fmean(values), sqrt(variance(values) / len(values)))
