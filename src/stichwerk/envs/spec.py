"""The fixed spaces of a game at one number of seats: actions as whole numbers, observations as a
row of numbers.

Both are the same for all options and states, and for all days of Stichtag's calendar. Seats are
relative to the seat that acts or observes, so that a program learns one game and not one for each
seat.
"""

import os
from collections.abc import Mapping
from math import prod
from typing import Any, NamedTuple

from stichwerk.engine.codes import argument_of, kind_of
from stichwerk.engine.constants import CARD, NOBODY
from stichwerk.engine.frame import Game
from stichwerk.envs import blocks
from stichwerk.envs.actions import KIND_OF, KINDS, MEANINGS, actions_of, argument_text, turned
from stichwerk.errors import StichwerkError, shown
from stichwerk.games import registry
from stichwerk.games.options import Value
from stichwerk.locale import language, text

GREENS, REDS, SHEETS = 4, 10, 26


class EnvsError(StichwerkError):
    """A refusal for programmers: its text is the message itself."""

    def __str__(self) -> str:
        return text(self.id, language(os.environ), **self.data)


class BadActionError(EnvsError):
    """A number that is not an action, or not a legal one now."""


class Actions(NamedTuple):
    """A range of the action space: all actions of one kind."""

    kind: str
    first: int
    size: int
    meaning: str


class Spec:
    """Action and observation space of a game with its seats and options fixed."""

    def __init__(
        self,
        game: str,
        seats: int = 4,
        options: Mapping[str, object] | None = None,
        rules: int | None = None,
    ) -> None:
        self.game = game
        self.seats = seats
        self.options: dict[str, Value] = registry.settle_options(game, seats, options or {}, rules)
        self.rules = registry.build(game, seats, self.options, rules)
        self.cards: tuple[int, ...] = tuple(dict.fromkeys(self.rules.deck.codes))
        self.places = registry.info_of(game).open_tricks
        self._engine_actions: list[int] = []
        self.kinds: list[Actions] = []
        for kind in step_kinds(self.rules):
            found = actions_of(kind, self.rules, self.cards, self.places)
            first = len(self._engine_actions)
            self.kinds.append(Actions(KINDS[kind], first, len(found), MEANINGS[kind]))
            self._engine_actions += found
        self._ids = {action: at for at, action in enumerate(self._engine_actions)}
        self.actions = len(self._engine_actions)
        self.layout: dict[str, slice] = {}
        self.shapes: dict[str, tuple[int, ...]] = {}
        self.offsets = [NOBODY] * blocks.BLOCKS
        self.width = 0
        for block in self.blocks():
            self._place(block)

    def __repr__(self) -> str:
        options = "".join(f", {key}={value!r}" for key, value in self.options.items())
        return f"Spec({self.game!r}, seats={self.seats}{options})"

    def __copy__(self) -> "Spec":
        return self  # it never changes

    def __deepcopy__(self, memo: object) -> "Spec":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return spec_of, (self.rules, self.options)

    # -- Actions -----------------------------------------------------------------------------------

    def code(self, action: int, seat: int) -> int:
        """Return the id of the engine's `action` when this seat takes it."""
        found = self._ids.get(turned(action, -seat, self.seats))
        if found is None:
            raise BadActionError("action-unknown", action=shown(action))
        return found

    def action(self, code: int, seat: int) -> int:
        """Return the engine's action with this id when this seat takes it."""
        self._check(code)
        return turned(self._engine_actions[code], seat, self.seats)

    def action_text(self, code: int) -> str:
        """Return an action in words; seats as steps to the left: `give G0 to +2`."""
        self._check(code)
        action = self._engine_actions[code]
        kind, argument = kind_of(action), argument_of(action)
        return f"{KINDS[kind]} {argument_text(kind, argument, self.places)}"

    def _check(self, code: int) -> None:
        if not 0 <= code < self.actions:
            raise BadActionError("action-out-of-range", id=shown(code), highest=self.actions - 1)

    def engine_actions(self) -> list[int]:
        """Return for each id the engine's action when seat 0 takes it."""
        return list(self._engine_actions)

    # -- Observations ------------------------------------------------------------------------------

    def blocks(self) -> tuple[int, ...]:
        """Return which blocks an observation of this game has, in order."""
        spaces = registry.info_of(self.game).spaces
        return blocks.named(spaces.blocks) if spaces else blocks.OF_OWN_GAME

    def _place(self, number: int) -> None:
        block = blocks.ALL[number]
        shape = tuple(self.lengths()[part] for part in block.shape)
        size = prod(shape)
        if size:
            self.layout[block.name] = slice(self.width, self.width + size)
            self.shapes[block.name] = shape
            self.offsets[number] = self.width
            self.width += size

    def lengths(self) -> dict[str, int]:
        """Return the lengths that the shapes of blocks refer to."""
        named = {
            "cards": len(self.cards),
            "seats": self.seats,
            "colours": len(self.rules.deck.colours),
            "places": self.places,
            "phases": len(self.rules.phases) - 1,
            "numbers": len(getattr(self.rules, "observed_names", ())),
        }
        return named | {str(number): number for number in (1, 2, 3, blocks.ANNOUNCEMENTS, SHEETS)}

    def sheets(self) -> list[int]:
        """Return which of Stichtag's sheets are in force, counted green, red, months."""
        rules: Any = self.rules
        if not registry.has_calendar(self.game):
            return []
        green, red = rules.green.green_number, rules.red.red_number
        month = rules.month.month_number
        found = [(green, 0), (red, GREENS), (month - 1, GREENS + REDS)]
        return [first + number for number, first in found if number >= 0]


def spec_of(rules: Game, options: Mapping[str, Value]) -> Spec:
    """Return the spaces of rules that exist already, so that their game is known here."""
    return Spec(rules.name, rules.seats, options, rules.version)


def step_kinds(rules: Game) -> tuple[int, ...]:
    """Return which kinds of actions a game has.

    Its description names them, or its class (`step_kinds`); otherwise it gets plays alone if
    it lists no moves itself, and every kind if it does.
    """
    spaces = registry.info_of(rules.name).spaces
    if spaces is not None:
        return tuple(KIND_OF[name] for name in spaces.actions)
    named: tuple[int, ...] | None = getattr(rules, "step_kinds", None)
    if named is not None:
        return tuple(named)
    return tuple(KINDS) if lists_moves(type(rules)) else (CARD,)


def lists_moves(own: type) -> bool:
    """Return whether a class lists moves itself; a compiled one shows that only in its source."""
    from stichwerk.engine import plain

    if own.__module__.startswith(plain.WITH_TWINS):
        own = getattr(plain.twin(own.__module__), own.__name__)
    listing = ("legal", "legal_plays", "legal_choices")
    return any(getattr(own, name, None) is not getattr(plain.Game, name) for name in listing)
