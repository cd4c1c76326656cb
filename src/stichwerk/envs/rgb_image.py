"""The table as an array of pixels, for videos and viewers that ask for `rgb_array`.

A line for each seat: a mark if it is to act, its number, cards in hand, tricks taken, points; on
the right what it has played to the open tricks, a column each. Below, the hand of the observing
seat: cards that cannot be played now are dim. The size is the same for all states of a game.
"""

import numpy as np
from numpy.typing import NDArray

from stichwerk.engine.constants import PLACES
from stichwerk.terminal import screen
from stichwerk.terminal.table import playable_cards
from stichwerk.view import View

Picture = NDArray[np.uint8]
Ink = tuple[int, int, int]


def rgb(name: str) -> Ink:
    """Return a colour of the terminal as three numbers."""
    red, green, blue = bytes.fromhex("ffffff" if name == "white" else name.removeprefix("#"))
    return red, green, blue


PAPER, INK, SOFT, TURN = (27, 28, 32), (236, 236, 240), (143, 144, 154), (240, 200, 80)
INKS = {colour: [rgb(part) for part in ink.split(" on ")] for colour, ink in screen.INKS.items()}
"""Of each colour the number and the card, as the terminal shows them."""
SCALE = 3  # pixels for a dot of a digit
TILE_HEIGHT, TILE_WIDTH, GAP = 30, 28, 4
LINE = TILE_HEIGHT + 2 * GAP
IN_A_ROW, HAND_ROWS = 16, 2
NUMBERS = (24, 72, 130, 190)  # positions of seat, hand, tricks and points
LAID = 290  # where the tricks begin
WIDTH = LAID + PLACES * 2 * (TILE_WIDTH + GAP) + GAP
# Five rows of three dots, each row as a number from 0 to 7.
DIGITS = {
    "0": (7, 5, 5, 5, 7),
    "1": (2, 6, 2, 2, 7),
    "2": (7, 1, 7, 4, 7),
    "3": (7, 1, 7, 1, 7),
    "4": (5, 5, 7, 1, 1),
    "5": (7, 4, 7, 1, 7),
    "6": (7, 4, 7, 5, 7),
    "7": (7, 1, 1, 2, 2),
    "8": (7, 5, 7, 5, 7),
    "9": (7, 5, 7, 1, 7),
    "-": (0, 0, 7, 0, 0),
}


def table_picture(view: View) -> Picture:
    """Return height × width × 3, red, green and blue from 0 to 255."""
    height = LINE * (view.seats + HAND_ROWS) + GAP
    picture = np.full((height, WIDTH, 3), PAPER, np.uint8)
    for seat in range(view.seats):
        _draw_seat(picture, view, seat)
    _draw_hand(picture, view)
    return picture


def _draw_seat(picture: Picture, view: View, seat: int) -> None:
    top = LINE * seat + GAP
    if seat in view.waiting_for:
        picture[top : top + TILE_HEIGHT, GAP : 3 * GAP] = TURN
    numbers = (seat, view.hand_sizes[seat], view.taken[seat], view.totals[seat])
    for at, number, ink in zip(NUMBERS, numbers, (INK, SOFT, SOFT, INK), strict=True):
        _write(picture, top + 2 * GAP, at, str(number), ink)
    for trick in view.tricks:
        for player, cards in trick.plays:
            if player == seat:
                for step, card in enumerate(cards.split("+")):
                    left = LAID + (2 * trick.place + step) * (TILE_WIDTH + GAP)
                    _draw_card(picture, top, left, card)


def _draw_hand(picture: Picture, view: View) -> None:
    playable = playable_cards(view) if view.phase == "play" and view.moves else view.hand
    for at, card in enumerate(view.hand[: IN_A_ROW * HAND_ROWS]):
        top = LINE * (view.seats + at // IN_A_ROW) + 2 * GAP
        left = GAP + at % IN_A_ROW * (TILE_WIDTH + GAP)
        _draw_card(picture, top, left, card, is_dim=card not in playable)


def _draw_card(picture: Picture, top: int, left: int, card: str, is_dim: bool = False) -> None:
    """Draw a tile in the card's colour, with its number."""
    tile = picture[top : top + TILE_HEIGHT, left : left + TILE_WIDTH]
    ink, ground = INKS[card[0]]
    tile[...] = ground
    _write(tile, 2 * GAP, GAP // 2, card[1:], ink)
    if is_dim:
        tile //= 2


def _write(picture: Picture, top: int, left: int, number: str, ink: Ink) -> None:
    for sign in number:
        dots = np.array([[row >> bit & 1 for bit in (2, 1, 0)] for row in DIGITS[sign]], bool)
        dots = dots.repeat(SCALE, 0).repeat(SCALE, 1)
        picture[top : top + dots.shape[0], left : left + dots.shape[1]][dots] = ink
        left += dots.shape[1] + SCALE
