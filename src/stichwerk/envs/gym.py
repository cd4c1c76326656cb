"""Gymnasium: one seat of a game, bots at the others.

Importing this module registers `Stichwerk/Sticheln-v0` and the other games, including those that
`STICHWERK_GAMES` names. Worker processes import it themselves if the id says so:
`stichwerk.envs.gym:Stichwerk/Sticheln-v0`. Bots get views and nothing else, as
everywhere.
"""

from collections.abc import Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, SupportsInt

from stichwerk.envs.extras import needs

with needs("numpy", "gymnasium"):
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray

from stichwerk import own_games
from stichwerk.bots import Bot, build, close
from stichwerk.envs.episode_state import EpisodeState
from stichwerk.envs.observer import LIMIT, ObservationWriter, Row, table_text
from stichwerk.envs.rgb_image import table_picture
from stichwerk.envs.settings import (
    EPISODES,
    ILLEGAL,
    RENDER_MODES,
    USUAL_EPISODE,
    keywords,
    no_options,
    one_of,
)
from stichwerk.envs.spec import BadActionError, Spec
from stichwerk.errors import BadSeatsError, renamed, shown
from stichwerk.fairness import HIGHEST_SEED
from stichwerk.games import registry
from stichwerk.match import SeededDeals, Setting

NAMESPACE = "Stichwerk"
Mask = NDArray[np.int8]


class SeatEnv(gymnasium.Env[Row, np.int64]):
    """A seat at a table with bots."""

    metadata: dict[str, Any] = {  # noqa: RUF012  (declared so by Gymnasium)
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str,
        seats: int = 4,
        *,
        bots: Sequence[str] = ("random",),
        seat: int | None = 0,
        episode: str = USUAL_EPISODE,
        illegal: str = "random",
        render_mode: str | None = None,
        lang: str = "en",
        rules: int | None = None,
        **options: Any,
    ) -> None:
        """Make an environment; `bots` fill the other seats in order, repeated as needed.

        `seat` None: drawn each time. `illegal`: an illegal action is replaced by a `random`
        legal one, as Gymnasium's `check_env` needs it, or refused (`raise`). `rules`: the version
        of the game's rules, by default the newest.
        """
        with keywords():
            self.setting = Setting(game, seats, options, rules)
        self.game_spec = Spec(game, seats, options, rules)
        self.observation_writer = ObservationWriter(self.game_spec)
        self.bots = [bots] if isinstance(bots, str) else list(bots)
        if not 1 <= len(self.bots) < seats:
            raise BadSeatsError("wrong-bots", bots=len(self.bots), others=seats - 1)
        for name in self.bots:  # unknown bots are refused here, not in the first match
            close(build(name))
        if seat is not None and seat not in range(seats):
            raise BadSeatsError("no-such-seat", seat=shown(seat), highest=seats - 1)
        self.wanted_seat = seat
        self.episode = one_of("episode", episode, EPISODES)
        self.illegal = one_of("illegal", illegal, ILLEGAL)
        self.render_mode = one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self.lang = lang
        self.observation_space = spaces.Box(-LIMIT, LIMIT, (self.game_spec.width,), np.float32)
        self.action_space = spaces.Discrete(self.game_spec.actions)
        self.players: dict[int, Bot] = {}

    def __copy__(self) -> "SeatEnv":
        return deepcopy(self)  # a shallow copy would share the match

    # -- Playing -----------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Row, dict[str, Any]]:
        """Start a new episode. The same seed gives the same deals, seat and bots. There are no
        `options`; any are refused."""
        no_options(options)
        super().reset(seed=seed)
        seats = self.setting.seats
        self.match_seed = int(self.np_random.integers(HIGHEST_SEED))
        drawn = int(self.np_random.integers(seats))
        self.seat = drawn if self.wanted_seat is None else self.wanted_seat
        self._seat_bots(int(self.np_random.integers(2**31)))
        self.deals = SeededDeals(self.setting, self.match_seed)
        self.episode_state = EpisodeState(self.setting, self.episode)
        self._play_on()
        self._print()
        return self._observation(), self._info()

    def _seat_bots(self, seed: int) -> None:
        self.close()
        others = [seat for seat in range(self.setting.seats) if seat != self.seat]
        for at, seat in enumerate(others):
            self.players[seat] = build(self.bots[at % len(self.bots)], seed + at)

    def _play_on(self) -> None:
        """Deal and let the bots play until the learner's seat is to act, or all is over."""
        episode_state = self.episode_state
        while not episode_state.over:
            if episode_state.dealing:
                starter = (
                    self.deals.first_starter()
                    if episode_state.starter is None
                    else episode_state.starter
                )
                deal = self.deals.deal(len(episode_state.scores) + 1, starter)
                assert deal is not None  # a seed has a deal for every round
                episode_state.begin(deal)
            elif episode_state.asked == self.seat:
                return
            else:
                episode_state.play_move(
                    self.players[episode_state.asked].choose(
                        episode_state.view(episode_state.asked)
                    )
                )

    def step(self, action: SupportsInt) -> tuple[Row, float, bool, bool, dict[str, Any]]:
        """Act for the learner's seat, then let the bots play until it is to act again."""
        wanted = int(action)
        mask = self.action_masks()
        played = wanted
        if not (0 <= wanted < len(mask) and mask[wanted]):
            played = self._instead(wanted, mask)
        self.episode_state.play(self.game_spec.action(played, self.seat))
        self._play_on()
        info = self._info()
        if played != wanted:
            info["illegal_action"] = wanted
        reward = self.episode_state.rewards[self.seat]
        self._print()
        return self._observation(), reward, self.episode_state.over, False, info

    def _instead(self, wanted: int, mask: Mask) -> int:
        """Return what is played for an illegal action."""
        if self.episode_state.over or self.illegal == "raise":
            raise BadActionError("action-not-allowed", id=wanted, seat=self.seat)
        return int(self.np_random.choice(np.flatnonzero(mask)))

    # -- Looking -----------------------------------------------------------------------------------

    def action_masks(self) -> Mask:
        """Return 1 for every action that is legal now; also in `info["action_mask"]`."""
        mask = np.zeros(self.game_spec.actions, np.int8)
        if not self.episode_state.over:
            for action in self.episode_state.actions:
                mask[self.game_spec.code(action, self.seat)] = 1
        return mask

    def _observation(self) -> Row:
        return self.observation_writer.look(self.episode_state, self.seat).copy()

    def _info(self) -> dict[str, Any]:
        """Return the mask, the learner's seat, and the public scores."""
        scores = [list(points) for points in self.episode_state.scores]
        return {"action_mask": self.action_masks(), "seat": self.seat, "scores": scores}

    def render(self) -> Any:
        """Return the table as our seat sees it: a text, or an array of pixels (`rgb_array`); in the
        mode `human` it is printed at once."""
        if self.render_mode == "ansi":
            return table_text(self.episode_state.view(self.seat), self.lang)
        if self.render_mode == "rgb_array":
            return table_picture(self.episode_state.view(self.seat))
        return None

    def _print(self) -> None:
        """Print the table for people."""
        if self.render_mode == "human":
            print(table_text(self.episode_state.view(self.seat), self.lang))

    def close(self) -> None:
        """Close the bots that are programs."""
        for bot in self.players.values():
            close(bot)
        self.players = {}


# -- Registering -----------------------------------------------------------------------------------


def environment_id(game: str) -> str:
    """Return the id of a game, valid in any process:
    `stichwerk.envs.gym:Stichwerk/NullNichtig-v0`."""
    return f"{__name__}:{short_id(game)}"


def short_id(game: str) -> str:
    """Return the id where this module is imported: `Stichwerk/NullNichtig-v0`."""
    return f"{NAMESPACE}/{game.title().replace('-', '')}-v0"


def register(game: str) -> None:
    """Register a game with Gymnasium; ours are, a custom one needs this call."""
    name = short_id(game)
    if name not in gymnasium.registry:
        gymnasium.register(
            name, f"{SeatEnv.__module__}:{SeatEnv.__qualname__}", kwargs={"game": game}
        )


own_games.load()
for _game in registry.GAMES:
    register(_game)


if not TYPE_CHECKING:  # names of earlier versions
    __getattr__ = renamed(__name__, {"Seat": "SeatEnv"})
