"""Rounds of one learner among frozen bots, for training a net against them.

Bots that play by tactics are those tactics: compiled rounds without the interpreter lock. All
others are asked with views, as at any table, and take the time that they take.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from stichwerk import bots
from stichwerk.bots.greedy import GreedyBot
from stichwerk.bots.hosting import seat_bots
from stichwerk.bots.levels import LevelBot
from stichwerk.bots.net import NetBot
from stichwerk.bots.nets.inputs import CERTAIN
from stichwerk.bots.nets.net_tactics import NetTactics
from stichwerk.bots.random import RandomBot
from stichwerk.bots.registry import PROGRAM
from stichwerk.bots.styles import StyleBot, high, low, short
from stichwerk.bots.tactics import tactics_of
from stichwerk.bots.tactics.habits import HabitTactics
from stichwerk.engine.constants import SEATS
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Tactics
from stichwerk.match import Setting
from stichwerk.view import View, knowledge

SEEDS = 2**31 - 1
HABITS = {low: (1, 0), high: (-1, 0), short: (1, 16)}
"""Weights of `HabitTactics` for the tastes of styles."""


def tactics_of_bot(name: str, rules: Game) -> Tactics | None:
    """Return the tactics that play as a bot does; None if it has to be asked with views."""
    if name.startswith(PROGRAM) or bots.find(name)[0].package is not None:
        return None
    bot: object = bots.build(name)
    if type(bot) is LevelBot and not any(bot.slips.values()):
        bot = bot.thinks
    if type(bot) is RandomBot:
        return tactics_of(rules, "none")
    if type(bot) is GreedyBot or type(bot) is NetBot:
        return tactics_of(rules, bot.style)
    if type(bot) is StyleBot and bot.taste in HABITS:
        return HabitTactics(rules, *HABITS[bot.taste])
    return None


class BotRounds:
    """Plays rounds against bots that are asked with views, and keeps what a net can learn.

    As `SelfPlay` does for tactics: `inputs` and `returns` are those of each decision of the
    learner, `results`, `wins` and `gain` what became of its rounds.
    """

    def __init__(self, learner: NetTactics, setting: Setting, bot: str, seed: int) -> None:
        self.learner = learner
        self.setting = setting
        self.bot = bot
        self.generator = Generator(seed)
        self.inputs: list[list[int]] = []
        self.returns: list[float] = []
        self.results = 0
        self.wins = 0.0
        self.gain = 0.0

    def play(self, mine: int, explore: int) -> None:
        """Play one round with the learner in this seat."""
        match = self.setting.new(seed=self.generator.number(SEEDS))
        seeds = [self.generator.number(SEEDS) for _ in range(self.setting.seats)]
        players = seat_bots([self.bot] * self.setting.seats, seeds)
        try:
            while not match.scores:
                seat = match.waiting_for[0]
                view = match.view(seat)
                chosen = (
                    self.own_move(view, explore) if seat == mine else players[seat].choose(view)
                )
                match.play(seat, chosen)
        finally:
            for player in players:
                bots.close(player)
        self.count_result(match.scores[0], mine)

    def own_move(self, view: View, explore: int) -> str:
        """Choose a move as the learner of `SelfPlay` does, and keep its decisions."""
        rules, seat = self.learner.game, view.seat
        assert seat is not None
        before = knowledge(view)
        state = before.copy()
        steps: list[int] = []
        while len(steps) < rules.steps(before):
            steps.append(self.action(state, seat, explore))
            if len(steps) < rules.steps(before):
                rules.play(state, seat, steps[-1])
        return rules.move_text(before, tuple(steps))

    def action(self, state: State, seat: int, explore: int) -> int:
        """Choose one action, at random in `explore` of CERTAIN cases; keep it if others exist."""
        actions = self.learner.game.actions(state, seat)
        if self.generator.number(CERTAIN) < explore:
            found = actions[self.generator.number(len(actions))]
        else:
            found = self.learner.pick(state, seat, self.generator)
        if len(actions) > 1:
            self.inputs.append(self.learner.inputs_of(state, seat, found, self.generator))
        return found

    def count_result(self, scores: Sequence[int], mine: int) -> None:
        """Count what the round was worth, and the learner's part of the win."""
        state = self.learner.game.new_state()
        state.points = [*scores, *(0 for _ in range(SEATS - len(scores)))]
        worths = [self.learner.full.value(state, seat) for seat in range(len(scores))]
        self.returns += [worths[mine]] * (len(self.inputs) - len(self.returns))
        self.results += 1
        self.gain += worths[mine]
        if worths[mine] == max(worths):
            self.wins += 1 / worths.count(worths[mine])

    def kept(self) -> tuple[Any, Any, Any]:
        """Return all decisions as a learner takes them: inputs, how many of them, returns."""
        items = np.concatenate([np.array(one, np.uint16) for one in self.inputs])
        counts = np.array([len(one) for one in self.inputs], np.int32)
        return items, counts, np.array(self.returns, np.float32)
