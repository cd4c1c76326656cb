"""PettingZoo: a game as an agent environment cycle (AEC), one agent per seat.

A batch of one match is underneath. Where several seats owe a secret choice they act one after
the other, and nothing is shown before the last is in.
"""

from collections.abc import Mapping
from copy import deepcopy
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, SupportsInt

from msgspec import structs

from stichwerk.envs.extras import needs
from stichwerk.envs.settings import (
    EPISODES,
    ILLEGAL,
    RENDER_MODES,
    USUAL_EPISODE,
    keywords,
    no_options,
    one_of,
)
from stichwerk.errors import renamed

with needs("numpy", "gymnasium", "pettingzoo"):
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers

from stichwerk.envs.batch import Batch
from stichwerk.envs.observer import LIMIT, table_text
from stichwerk.envs.rgb_image import Picture, table_picture
from stichwerk.envs.spec import BadActionError, Spec
from stichwerk.view import Standing, View, assemble

HIGHEST_SEED = 2**32
PROBE = {"options": 1}
"""What PettingZoo's own tests pass to `reset`, to see whether it takes options at all."""


def env(game: str, seats: int = 4, **settings: Any) -> Any:
    """Make an environment with PettingZoo's wrapper: steps in a wrong order are refused.

    Settings are those of `TrickTakingEnv`; all others are options of the game.
    """
    return OrderedAecEnv(raw_env(game, seats, **settings))


def raw_env(game: str, seats: int = 4, **settings: Any) -> "TrickTakingEnv":
    """Make an environment without a wrapper."""
    return TrickTakingEnv(game, seats, **settings)


def parallel_env(
    game: str, seats: int = 4, max_cycles: int | None = None, **settings: Any
) -> "ParallelTrickTakingEnv":
    """Make the parallel form: all agents pass an action, only that of the agent to act counts.

    A cycle is one step here.
    """
    return ParallelTrickTakingEnv(TrickTakingEnv(game, seats, max_steps=max_cycles, **settings))


def module(game: str, seats: int = 4, **settings: Any) -> Any:
    """Return the factories of one game under one name, like PettingZoo's modules and
    `max_cycles_test`: `module("sticheln").env()`."""
    made = {"env": env, "raw_env": raw_env, "parallel_env": parallel_env}
    return SimpleNamespace(
        **{name: partial(make, game, seats, **settings) for name, make in made.items()}
    )


class OrderedAecEnv(wrappers.OrderEnforcingWrapper):  # type: ignore[misc]
    """PettingZoo's check of the order of calls."""

    def __copy__(self) -> "OrderedAecEnv":
        return deepcopy(self)  # a shallow copy would share the match


class TrickTakingEnv(AECEnv):  # type: ignore[misc]
    """One table; agents are called `seat_0`, `seat_1` and so on."""

    metadata: dict[str, Any] = {  # noqa: RUF012  (declared so by PettingZoo)
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str,
        seats: int = 4,
        *,
        episode: str = USUAL_EPISODE,
        illegal: str = "raise",
        max_cycles: int | None = None,
        max_steps: int | None = None,
        render_mode: str | None = None,
        lang: str = "en",
        rules: int | None = None,
        **options: Any,
    ) -> None:
        """Make an environment. `illegal`: an illegal action is refused (`raise`) or replaced
        (`random`). `max_cycles`: turns per seat at most, `max_steps`: of all seats together.
        `rules`: the version of the game's rules, by default the newest.
        """
        super().__init__()
        with keywords():
            self.spec = Spec(game, seats, options, rules)
        self.illegal = one_of("illegal", illegal, ILLEGAL)
        self.max_cycles = max_cycles
        self.max_steps = max_steps
        self.render_mode = one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self.lang = lang
        self.metadata = {**TrickTakingEnv.metadata, "name": f"{game.replace('-', '_')}_v0"}
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self.batch = Batch(
            self.spec, 1, episode=one_of("episode", episode, EPISODES), auto_reset=False
        )
        self._seeds = np.random.default_rng()
        self._spaces = {
            agent: new_spaces(self.spec, self.spec.actions) for agent in self.possible_agents
        }

    def __copy__(self) -> "TrickTakingEnv":
        return deepcopy(self)  # a shallow copy would share the match

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of the documented tensor and the action mask."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the documented actions."""
        return self._spaces[agent][1]

    # -- Playing -----------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new episode; the same seed gives the same deals. There are no `options`; any are
        refused."""
        no_options(None if options == PROBE else options)
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self.batch.reset(seed=int(self._seeds.integers(HIGHEST_SEED)))
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._asked = dict.fromkeys(self.agents, 0)
        self._skip_agent_selection = None
        self.agent_selection = self._next_agent()
        self._print()

    def _next_agent(self) -> str:
        return self.possible_agents[int(self.batch.seats[0])]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what this agent sees; the mask is empty unless it is to act."""
        seen = np.empty(self.spec.width, np.float32)
        self.batch.observe(0, self.possible_agents.index(agent), seen)
        mask = np.zeros(self.spec.actions, np.int8)
        if not self.batch.done[0] and agent == self._next_agent():
            mask[:] = self.batch.masks[0]
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Act for the current agent; agents that are done pass None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        wanted = -1 if action is None else int(action)
        taken = self._open(wanted)
        self.batch.step([taken])  # refuses before anything has changed
        self.infos = {agent: {} for agent in self.agents}
        if taken != wanted:
            self.infos[agent]["illegal_action"] = wanted
        self._asked[agent] += 1
        self._cumulative_rewards[agent] = 0.0
        for seat, other in enumerate(self.possible_agents):
            self.rewards[other] = float(self.batch.rewards[0, seat])
        self._accumulate_rewards()
        if self.batch.done[0]:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self._next_agent()
            if self._is_cut_off():
                self.truncations = dict.fromkeys(self.agents, True)
        self._deads_step_first()
        self._print()

    def _open(self, wanted: int) -> int:
        """Return the action, or a legal one in its place, if that is allowed."""
        mask = self.batch.masks[0]
        if self.illegal == "random" and not (0 <= wanted < len(mask) and mask[wanted]):
            return int(self._seeds.choice(np.flatnonzero(mask)))
        return wanted

    def _is_cut_off(self) -> bool:
        """Return whether the limit of turns is reached."""
        if self.max_steps is not None and sum(self._asked.values()) >= self.max_steps:
            return True
        return self.max_cycles is not None and self._asked[self._next_agent()] >= self.max_cycles

    # -- Looking -----------------------------------------------------------------------------------

    def render(self) -> str | Picture | None:
        """Return the table as the current seat sees it: a text, or an array of pixels
        (`rgb_array`); in the mode `human` it is printed at once."""
        if self.render_mode == "ansi":
            return table_text(self._view(), self.lang)
        return table_picture(self._view()) if self.render_mode == "rgb_array" else None

    def _print(self) -> None:
        """Print the table for people."""
        if self.render_mode == "human":
            print(table_text(self._view(), self.lang))

    def _view(self) -> View:
        """Return what the selected agent sees."""
        rules, state, over = self.spec.rules, self.batch.state(0), bool(self.batch.done[0])
        scores = self.batch.scores(0)
        if over and not scores:  # a single round
            scores = (tuple(state.points[: self.spec.seats]),)
        ranking = rules.ranking(scores) if over else None
        standing = Standing(
            options=self.spec.options,
            names=tuple(self.possible_agents),
            stock=state.stock_size,
            scores=scores,
            ranking=None if ranking is None else tuple(map(tuple, ranking)),
        )
        seat = self.possible_agents.index(self.agent_selection)
        view = assemble(rules, state, seat, standing, ())
        if view.moves or over:
            return view
        # In the middle of a move of several actions: what may follow.
        following = [self.spec.action_text(int(at)) for at in np.flatnonzero(self.batch.masks[0])]
        return structs.replace(view, moves=tuple(it.partition(" ")[2] for it in following))

    def close(self) -> None:
        """Do nothing: no resources are held."""


# -- In parallel -----------------------------------------------------------------------------------


class ParallelTrickTakingEnv(ParallelEnv):  # type: ignore[misc]
    """A table at which all agents pass an action in every step.

    Only the agent to act does so. The others have a single legal action, `no_op`, the last of the
    action space: it does nothing, and no mask is empty. Their actions are ignored; the agent to act
    may not choose `no_op`.
    """

    def __init__(self, table: TrickTakingEnv) -> None:
        self.table = table
        self.no_op = table.spec.actions
        self.metadata = table.metadata
        self.render_mode = table.render_mode
        self.possible_agents = table.possible_agents
        self.agents: list[str] = []
        self._spaces = {
            agent: new_spaces(table.spec, self.no_op + 1) for agent in self.possible_agents
        }

    def __copy__(self) -> "ParallelTrickTakingEnv":
        return deepcopy(self)  # a shallow copy would share the match

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of the documented tensor and the action mask."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the documented actions, and `no_op`."""
        return self._spaces[agent][1]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start a new episode; the same seed gives the same deals."""
        self.table.reset(seed, options)
        self.agents = self.possible_agents.copy()
        return self._seen(), dict(self.table.infos)

    def step(self, actions: Mapping[str, SupportsInt]) -> tuple[dict[str, Any], ...]:
        """Make a step: return observations, rewards, terminations, truncations, infos."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        table = self.table
        asked = actions.get(table.agent_selection)
        idle = asked is None or int(asked) == self.no_op
        if idle and table.illegal == "raise":
            raise BadActionError("asked-must-act", agent=table.agent_selection, no_op=self.no_op)
        table.step(None if asked is None else int(asked))
        results = (self._seen(), table.rewards, table.terminations, table.truncations, table.infos)
        if any(table.terminations.values()) or any(table.truncations.values()):
            self.agents = []
        return tuple(dict(one) for one in results)

    def _seen(self) -> dict[str, Any]:
        return {agent: self._observed(agent) for agent in self.agents}

    def _observed(self, agent: str) -> dict[str, Any]:
        seen = self.table.observe(agent)
        mask = seen["action_mask"]
        return {**seen, "action_mask": np.append(mask, np.int8(not mask.any()))}

    def render(self) -> str | Picture | None:
        """Return the table as the current seat sees it."""
        return self.table.render()

    def close(self) -> None:
        """Do nothing: no resources are held."""


def new_spaces(spec: Spec, actions: int) -> tuple[spaces.Dict, spaces.Discrete]:
    """Return what an agent sees and can do."""
    seen: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(-LIMIT, LIMIT, (spec.width,), np.float32),
        "action_mask": spaces.Box(0, 1, (actions,), np.int8),
    }
    return spaces.Dict(seen), spaces.Discrete(actions)


if not TYPE_CHECKING:  # names of earlier versions
    __getattr__ = renamed(
        __name__, {"Table": "TrickTakingEnv", "Together": "ParallelTrickTakingEnv"}
    )
