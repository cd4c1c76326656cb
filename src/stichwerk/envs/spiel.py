"""OpenSpiel: importing this module registers every game, as `stichwerk_sticheln` and so on.

The deal consists of explicit chance nodes, card by card. States can be resampled from what a seat
has seen, by the sampler that our own bots use.
"""

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

import msgspec

from stichwerk import own_games
from stichwerk.cards import card_code
from stichwerk.engine.codes import value_of
from stichwerk.engine.events import CardPlayed
from stichwerk.engine.generator import Generator
from stichwerk.envs.extras import needs
from stichwerk.envs.settings import EPISODES, USUAL_EPISODE, one_of

with needs("numpy", "pyspiel"):
    import numpy as np
    import pyspiel

from stichwerk.envs.episode_state import EpisodeState
from stichwerk.envs.observer import ObservationWriter, Row
from stichwerk.envs.spec import Spec
from stichwerk.fairness import Deal, Special
from stichwerk.games import registry
from stichwerk.games.options import Value
from stichwerk.games.stichtag.calendar import DRAWN
from stichwerk.match import Setting
from stichwerk.view import public_facts

PREFIX = "stichwerk_"
PLACES = ("1", "2", "3", "4", "new")
PLAYS = 256  # the number of a play is divided by this


# -- Chance ----------------------------------------------------------------------------------------


class ChanceNodes:
    """Everything that is drawn before a round, one draw after the other."""

    def __init__(self, setting: Setting) -> None:
        self.rules = setting.rules
        self.texts = list(dict.fromkeys(self.rules.deck.texts))
        self.copies = [self.rules.deck.texts.count(text) for text in self.texts]
        self.specials: list[tuple[str, list[Special]]] = [
            (kind, DRAWN[kind].special_draws(self.rules.seats)) for kind in self.rules.specials
        ]

    @property
    def nodes(self) -> int:
        """The maximum number of draws in a round."""
        return 1 + self.rules.deck_size + len(self.specials)

    @property
    def most_outcomes(self) -> int:
        """The maximum number of outcomes of one draw."""
        return max(self.rules.seats, len(self.texts), *(len(all_) for _, all_ in self.specials), 0)

    def outcomes(self, episode_state: EpisodeState, drawn: bytes) -> list[tuple[int, float]]:
        """Return what can be drawn next, and how likely."""
        if episode_state.starter is None:
            return _evenly(self.rules.seats)
        if len(drawn) < self.rules.deck_size:
            left = [count - drawn.count(at) for at, count in enumerate(self.copies)]
            rest = sum(left)
            return [(at, count / rest) for at, count in enumerate(left) if count]
        return _evenly(len(self.specials[len(drawn) - self.rules.deck_size][1]))

    def is_complete(self, drawn: bytes) -> bool:
        """Return whether the round can begin."""
        return len(drawn) == self.rules.deck_size + len(self.specials)

    def text(self, episode_state: EpisodeState, drawn: bytes, outcome: int) -> str:
        """Return a draw in words."""
        if episode_state.starter is None:
            return f"starter {outcome}"
        if len(drawn) < self.rules.deck_size:
            return f"deal {self.texts[outcome]}"
        kind, draws = self.specials[len(drawn) - self.rules.deck_size]
        return f"{kind} {draws[outcome]}"

    def deal(self, starter: int, drawn: bytes) -> Deal:
        """Return the deal that was drawn: card by card, the starter first, the rest is the
        stock."""
        seats, size = self.rules.seats, self.rules.deck_size
        cards = [self.texts[at] for at in drawn[:size]]
        dealt = seats * self.rules.hand_size
        hands = tuple(
            tuple(cards[(seat - starter) % seats : dealt : seats]) for seat in range(seats)
        )
        specials = tuple(
            (kind, draws[at]) for (kind, draws), at in zip(self.specials, drawn[size:], strict=True)
        )
        return Deal(starter, hands, tuple(cards[dealt:]), specials)


def _evenly(count: int) -> list[tuple[int, float]]:
    return [(at, 1 / count) for at in range(count)]


# -- Games -----------------------------------------------------------------------------------------


def spiel_name(game: str) -> str:
    """Return the name of a game there: `stichwerk_null_nichtig`."""
    return PREFIX + game.replace("-", "_")


def read_options(written: str) -> dict[str, object]:
    """Parse options as one text without commas, which separate parameters:
    `rounds:2;starter:none`."""
    options: dict[str, object] = {}
    for part in filter(None, written.split(";")):
        name, _, value = part.partition(":")
        if name.strip() == "sheets":
            options["sheets"] = [sheet.strip() for sheet in value.split("+") if sheet.strip()]
        else:
            options[name.strip()] = _value(value.strip())
    return options


def _value(written: str) -> Value:
    if written == "none":
        return None
    return int(written) if written.isdigit() else written


def game_type(game: str, episode: str = USUAL_EPISODE) -> Any:
    """Return what OpenSpiel wants to know about a game. The places of a match add up to 0, the
    points of a round do not."""
    utility = pyspiel.GameType.Utility
    counts = registry.kind(game).seat_counts
    seats = registry.USUAL_SEATS if registry.USUAL_SEATS in counts else counts[0]
    return pyspiel.GameType(
        short_name=spiel_name(game),
        long_name=f"Stichwerk: {game}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if episode == "match" else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(counts),
        min_num_players=min(counts),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "seats": seats,
            "episode": USUAL_EPISODE,
            "options": "",
            "rules": registry.version_of(game),
        },
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its seats, options and length of an episode fixed; one subclass per game."""

    name: str

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        game, given = self.name, dict(parameters or {})
        seats = given.get("seats", registry.USUAL_SEATS)
        self.episode = one_of("episode", given.get("episode", USUAL_EPISODE), EPISODES)
        options = read_options(given.get("options", ""))
        self.setting = Setting(game, seats, options, given.get("rules"))
        self.spec = Spec(game, seats, options, given.get("rules"))
        self.chance = ChanceNodes(self.setting)
        self.given = given
        super().__init__(game_type(game, self.episode), self._info(), given)

    def __copy__(self) -> "SpielGame":
        return self  # it never changes

    def __deepcopy__(self, memo: object) -> "SpielGame":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return load, (self.setting, self.given)

    @property
    def rounds(self) -> int:
        """The maximum number of rounds of an episode."""
        return self.setting.rules.most_rounds() if self.episode == "match" else 1

    def _info(self) -> Any:
        is_match = self.episode == "match"
        most = 1.0 if is_match else most_points(self.setting)
        return pyspiel.GameInfo(
            num_distinct_actions=self.spec.actions,
            max_chance_outcomes=self.chance.most_outcomes,
            num_players=self.setting.seats,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0 if is_match else None,
            max_game_length=self.rounds * most_steps(self.setting),
        )

    def max_chance_nodes_in_history(self) -> int:
        """Return the number for all rounds: every round is drawn anew."""
        return self.chance.nodes * self.rounds

    def new_initial_state(self, *described: object) -> "SpielState":
        """Return the state before the first card is dealt."""
        return SpielState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> "SpielObserver":
        """Return the observation writer; with perfect recall, information states."""
        return SpielObserver(self.spec, bool(kind and kind.perfect_recall))


def most_points(setting: Setting) -> float:
    """Return more points than a round can bring or cost: every card, and the number on each."""
    return float(sum(1 + value_of(code) for code in setting.rules.deck.codes))


def most_steps(setting: Setting) -> int:
    """Return more steps than a round can have: every card played, and a choice with each."""
    return 2 * setting.rules.deck_size + 12 * setting.seats


class SpielState(pyspiel.State):  # type: ignore[misc]
    """The true state of an episode, as OpenSpiel's algorithms walk through it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        # Everything that changes is in here, quick to copy and to pickle.
        self.episode_state = EpisodeState(game.setting, game.episode)
        self.drawn = b""

    def __copy__(self) -> "SpielState":
        return self.clone()  # type: ignore[no-any-return]

    def __deepcopy__(self, memo: object) -> "SpielState":
        return self.clone()  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[Any, ...]:
        return read_state, (self.get_game(), self.serialize())

    @property
    def _chance(self) -> ChanceNodes:
        return self.get_game().chance  # type: ignore[no-any-return]

    def current_player(self) -> int:
        """Return the seat to act; where several owe a secret choice, the lowest first."""
        if self.episode_state.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return (
            int(pyspiel.PlayerId.CHANCE) if self.episode_state.dealing else self.episode_state.asked
        )

    def is_terminal(self) -> bool:
        """Return whether the episode is over."""
        return self.episode_state.over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what can be drawn next, and how likely."""
        return self._chance.outcomes(self.episode_state, self.drawn)

    def _legal_actions(self, player: int) -> list[int]:
        spec = self.get_game().spec
        return sorted(spec.code(action, player) for action in self.episode_state.actions)

    def _apply_action(self, action: int) -> None:
        if self.episode_state.dealing:
            self._draw(action)
        else:
            self.episode_state.play(self.get_game().spec.action(action, self.episode_state.asked))

    def _draw(self, outcome: int) -> None:
        episode_state, chance = self.episode_state, self._chance
        if episode_state.starter is None:
            episode_state.starter = outcome
            return
        self.drawn += bytes([outcome])
        if chance.is_complete(self.drawn):
            episode_state.begin(chance.deal(episode_state.starter, self.drawn))
            self.drawn = b""

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self._chance.text(self.episode_state, self.drawn, action)
        return self.get_game().spec.action_text(action)  # type: ignore[no-any-return]

    def returns(self) -> list[float]:
        """Return what the episode gives each seat, once it is over."""
        return self.episode_state.rewards

    def resample_from_infostate(
        self, player: int, sampler: Callable[[], float] | None = None
    ) -> "SpielState":
        """Return a state that this player cannot tell from the real one, drawn by `view.sample`.

        `sampler` gives a random number from 0 to 1, from which the deal is drawn.
        """
        draw = sampler or np.random.default_rng().random
        seed = int(draw() * 2**32) << 21 | int(draw() * 2**21)
        other = SpielState(self.get_game())
        other.episode_state = self.episode_state.resampled(player, Generator(seed))
        return other

    def __str__(self) -> str:
        """Return the true state in one line, for debugging and for comparing copies."""
        episode_state = self.episode_state
        episode_state.tell()
        hands = [
            episode_state.rules.hand(episode_state.state, seat)
            for seat in range(episode_state.rules.seats)
        ]
        truth = [
            episode_state.starter,
            list(self.drawn),
            hands,
            episode_state.steps,
            episode_state.events,
        ]
        return msgspec.json.encode(truth).decode()


def load(setting: Setting, parameters: Mapping[str, Any]) -> SpielGame:
    """Load a pickled game; a custom one is registered here first."""
    register(setting.name)
    game: SpielGame = pyspiel.load_game(spiel_name(setting.name), dict(parameters))
    return game


def read_state(game: SpielGame, written: str) -> SpielState:
    """Load a pickled state."""
    state: SpielState = game.deserialize_state(written)
    return state


# -- What players see ------------------------------------------------------------------------------


class SpielObserver:
    """Writes what a player sees into `tensor`, and names its parts in `dict`."""

    def __init__(self, spec: Spec, recall: bool) -> None:
        self.spec = spec
        self.recall = recall
        self.observation_writer = ObservationWriter(spec)
        shapes = dict(spec.shapes)
        if recall:
            shapes["plays"] = (spec.seats, len(spec.cards))
            shapes["places"] = (len(PLACES), len(spec.cards)) if spec.places > 1 else (0,)
        self.tensor = np.zeros(sum(map(prod, shapes.values())), np.float32)
        self.dict: dict[str, Row] = {}
        first = 0
        for name, shape in shapes.items():
            if size := prod(shape):
                self.dict[name] = self.tensor[first : first + size].reshape(shape)
                first += size

    def set_from(self, state: SpielState, player: int) -> None:
        """Update the tensor; all 0 before the first deal."""
        self.tensor.fill(0)
        episode_state = state.episode_state
        if episode_state.events:
            self.tensor[: self.spec.width] = self.observation_writer.look(episode_state, player)
            if self.recall:
                self._set_plays(episode_state, player)

    def _set_plays(self, episode_state: EpisodeState, player: int) -> None:
        """Write when each card of this round was played, by whom and, in Stichling, where."""
        at = max(at for at, event in enumerate(episode_state.seen(player)) if event.kind == "round")
        seen = episode_state.seen(player)[at:]
        plays = [event for event in seen if isinstance(event, CardPlayed)]
        for number, event in enumerate(plays, 1):
            for card in event.cards:
                index = self.spec.cards.index(card_code(card))
                seat = (event.seat - player) % self.spec.seats
                self.dict["plays"][seat, index] = number / PLAYS
                if event.place is not None:
                    place = PLACES.index("new" if event.opens else str(event.place + 1))
                    self.dict["places"][place, index] = 1

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what the player sees as a text; with recall everything it has seen."""
        episode_state = state.episode_state
        episode_state.tell()
        own = [
            player,
            episode_state.rules.hand(episode_state.visible_state, player),
            episode_state.rules.secrets(episode_state.visible_state, player)
            if episode_state.events
            else {},
            episode_state.unfinished
            if episode_state.events and episode_state.asked == player
            else (),
        ]
        if self.recall:
            history = [event for event in episode_state.seen(player) if event.kind != "hand"]
            return msgspec.json.encode([*own, history]).decode()
        return msgspec.json.encode(
            [
                *own,
                public_facts(
                    episode_state.rules, episode_state.visible_state, episode_state.standing
                ),
            ]
        ).decode()


# -- Registering -----------------------------------------------------------------------------------


def register(game: str) -> None:
    """Register a game with OpenSpiel; ours are, a custom one needs this call."""
    kind = game_type(game)
    if kind.short_name not in pyspiel.registered_names():
        # Each game needs its own class: OpenSpiel would lose anything else when Python exits.
        pyspiel.register_game(kind, type(kind.short_name, (SpielGame,), {"name": game}))


own_games.load()
for _game in registry.GAMES:
    register(_game)
