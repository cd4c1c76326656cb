"""The fixed spaces of a game at one number of seats: actions as whole numbers, observations as a
row of numbers.

Both are the same for all options and states, and for all days of Stichtag's calendar. Seats are
relative to the seat that acts or observes, so that a program learns one game and not one for each
seat.
"""

import os
from collections.abc import Iterator, Mapping
from itertools import combinations
from math import prod
from typing import Any, NamedTuple

from stichwerk.cards import card_text
from stichwerk.engine.codes import (
    argument_of,
    card_at,
    card_of,
    colour_of,
    kind_of,
    move_of,
    place_of,
    play_at,
    value_of,
)
from stichwerk.engine.constants import CARD, KIND, NOBODY, NONE, ORDER, PICK
from stichwerk.engine.frame import Game
from stichwerk.envs import blocks
from stichwerk.errors import StichwerkError, shown
from stichwerk.games import registry
from stichwerk.games.options import Value
from stichwerk.games.stichling import ORDERS
from stichwerk.games.stichtag.sheets.august import DROP
from stichwerk.games.stichtag.sheets.december import GIVE
from stichwerk.games.stichtag.sheets.red_2 import PAIR
from stichwerk.games.stichtag.sheets.red_4 import ACCEPT, ANNOUNCE
from stichwerk.games.stichtag.sheets.red_7 import STRIKE
from stichwerk.locale import language, text

KEYS = 9 * KIND  # the engine's move numbers are below
KINDS = {
    CARD: "play",
    PICK: "pick",
    ORDER: "order",
    PAIR: "pair",
    ANNOUNCE: "announce",
    STRIKE: "veto",
    DROP: "discard",
    GIVE: "give",
    ACCEPT: "points",
}
KIND_OF = {name: kind for kind, name in KINDS.items()}
MOST_TRICKS = 12
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
        self, game: str, seats: int = 4, options: Mapping[str, object] | None = None
    ) -> None:
        self.game = game
        self.seats = seats
        self.options: dict[str, Value] = registry.settle_options(game, seats, options or {})
        self.rules = registry.build(game, seats, self.options)
        self.cards: tuple[int, ...] = tuple(dict.fromkeys(self.rules.deck.codes))
        self.places = registry.info_of(game).open_tricks
        self._engine_actions: list[int] = []
        self.kinds: list[Actions] = []
        for kind in step_kinds(self.rules):
            found = list(self._of_kind(kind))
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

    def _of_kind(self, kind: int) -> Iterator[int]:
        """Return all engine actions of a kind as seat 0 would take them, in the order of their
        ids."""
        others = range(1, self.seats)
        arguments: Iterator[int] | list[int]
        if kind == CARD:
            arguments = [play_at(card, place) for card in self.cards for place in self._places()]
        elif kind in (PICK, DROP):
            arguments = list(self.cards)
        elif kind == ORDER:
            arguments = list(range(len(ORDERS)))
        elif kind == PAIR:
            pairs = [
                pair
                for pair in combinations(self.cards, 2)
                if colour_of(pair[0]) == colour_of(pair[1])
            ]
            arguments = [play_at(low, value_of(high)) for low, high in pairs]
        elif kind == ANNOUNCE:
            arguments = list(range(max(MOST_TRICKS, self.rules.hand_size) + 1))
        elif kind == STRIKE:
            arguments = [*others, NONE]
        elif kind == GIVE:
            arguments = [play_at(card, other) for card in self.cards for other in others]
        else:
            arguments = [1, 0]
        return (move_of(kind, argument) for argument in arguments)

    def _places(self) -> range:
        return range(self.places)

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
        green, red, month = rules.green.green, rules.red.red, rules.month.month
        found = [(green, 0), (red, GREENS), (month - 1, GREENS + REDS)]
        return [first + number for number, first in found if number >= 0]


def spec_of(rules: Game, options: Mapping[str, Value]) -> Spec:
    """Return the spaces of rules that exist already, so that their game is known here."""
    return Spec(rules.name, rules.seats, options)


def turned(action: int, by: int, seats: int) -> int:
    """Return an engine action with the seat it names moved around the table."""
    kind, argument = kind_of(action), argument_of(action)
    if kind == STRIKE and argument != NONE:
        return move_of(kind, (argument + by) % seats)
    if kind == GIVE:
        return move_of(kind, play_at(card_of(argument), (place_of(argument) + by) % seats))
    return action


def argument_text(kind: int, argument: int, places: int) -> str:
    """Return the argument of an action in words."""
    if kind == CARD:
        place = f">{place_of(argument) + 1}" if places > 1 else ""
        return card_text(card_of(argument)) + place
    if kind == ORDER:
        return ",".join(str(value) for value in ORDERS[argument])
    if kind == PAIR:
        low = card_of(argument)
        return f"{card_text(low)}+{card_text(card_at(colour_of(low), place_of(argument)))}"
    if kind == ANNOUNCE:
        return str(argument)
    if kind == STRIKE:
        return "pass" if argument == NONE else f"+{argument}"
    if kind == GIVE:
        return f"{card_text(card_of(argument))} to +{place_of(argument)}"
    if kind == ACCEPT:
        return "take" if argument else "leave"
    return card_text(argument)


MEANINGS = {
    CARD: "play a card; Stichling: at place 1, 2, 3, 4 (an open trick, or where a new one begins)",
    PICK: "choose a card: pain card, card to lay out (one action each), card to pass on",
    ORDER: "lay the scoring cards: low, middle and high one as 1, 2, 3 from the left",
    PAIR: "play two cards of one colour, by the lower, then the higher",
    ANNOUNCE: "announce 0, 1, 2 … tricks",
    STRIKE: "strike the card of the seat 1, 2 … steps to the left; the last one passes",
    DROP: "discard a card (one action each, rising)",
    GIVE: "give a card to the seat 1, 2 … steps to the left",
    ACCEPT: "take the points, leave them",
}


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
    from stichwerk.engine.plain import Game as Plain

    own = type(rules)
    listing = ("legal", "legal_plays", "legal_choices")
    if all(getattr(own, name) is getattr(Plain, name) for name in listing):
        return (CARD,)
    return tuple(KINDS)
