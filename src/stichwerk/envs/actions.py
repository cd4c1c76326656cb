"""The kinds of actions: those of the engine, and those that calendar sheets describe."""

from stichwerk.cards import card_text
from stichwerk.engine.codes import (
    MOVE_LIMIT,
    argument_of,
    card_of,
    kind_of,
    move_of,
    place_of,
    play_at,
)
from stichwerk.engine.constants import CARD, NONE, ORDER, PICK
from stichwerk.engine.frame import Game
from stichwerk.games.stichling import ORDERS
from stichwerk.games.stichtag.calendar import ALL_SHEETS
from stichwerk.games.stichtag.sheets import file_of
from stichwerk.games.stichtag.texts import reference_of

SHEET_OF = {kind: sheet for sheet in ALL_SHEETS for kind in sheet.kinds}
BY_NUMBER = sorted((kind, name) for sheet in ALL_SHEETS for kind, name in sheet.kinds.items())
KINDS = {CARD: "play", PICK: "pick", ORDER: "order", **dict(BY_NUMBER)}
KIND_OF = {name: kind for kind, name in KINDS.items()}
MEANINGS = {
    CARD: "play a card; Stichling: at place 1, 2, 3, 4 (an open trick, or where a new one begins)",
    PICK: "choose a card: pain card, card to lay out (one action each), card to pass on",
    ORDER: "lay the scoring cards: low, middle and high one as 1, 2, 3 from the left",
    **{
        kind: reference_of(file_of(SHEET_OF[kind].name))["actions"][name]
        for kind, name in BY_NUMBER
    },
}
NO_SEAT, SEAT, CARD_AND_SEAT = 0, 1, 2  # what the argument of a move names


def _names_seat(kind: int) -> int:
    sheet = SHEET_OF.get(kind)
    if sheet is None:
        return NO_SEAT
    return SEAT if kind in sheet.seat_kinds else CARD_AND_SEAT * (kind in sheet.card_seat_kinds)


SEAT_NAMING = [_names_seat(kind) for kind in range(kind_of(MOVE_LIMIT))]


def actions_of(kind: int, rules: Game, cards: tuple[int, ...], places: int) -> list[int]:
    """Return all engine actions of a kind as seat 0 would take them, in the order of their ids."""
    if kind == CARD:
        arguments = [play_at(card, place) for card in cards for place in range(places)]
    elif kind == PICK:
        arguments = list(cards)
    elif kind == ORDER:
        arguments = list(range(len(ORDERS)))
    else:
        arguments = SHEET_OF[kind].action_arguments(kind, rules)
    return [move_of(kind, argument) for argument in arguments]


def turned(action: int, by: int, seats: int) -> int:
    """Return an engine action with the seat it names moved around the table."""
    kind, argument = kind_of(action), argument_of(action)
    if SEAT_NAMING[kind] == SEAT and argument != NONE:
        return move_of(kind, (argument + by) % seats)
    if SEAT_NAMING[kind] == CARD_AND_SEAT:
        return move_of(kind, play_at(card_of(argument), (place_of(argument) + by) % seats))
    return action


def argument_text(kind: int, argument: int, places: int) -> str:
    """Return the argument of an action in words."""
    if kind == CARD:
        place = f">{place_of(argument) + 1}" if places > 1 else ""
        return card_text(card_of(argument)) + place
    if kind == PICK:
        return card_text(argument)
    if kind == ORDER:
        return ",".join(str(value) for value in ORDERS[argument])
    return SHEET_OF[kind].action_text(kind, argument)
