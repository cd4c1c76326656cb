"""Constants for the integers that make up states and moves.

A card is colour * 16 + value, with colours in the order R Y G B L S. A move is an integer as well:
its kind in the high bits, its argument in the low twelve (`kind * KIND + argument`).
"""

SEATS = 6
COLOURS = 6
PLACES = 4
NONE = 255  # no card, no seat, not yet chosen
TWIN = 12  # where twin zeros exist, the second zero of a colour is this bit of a hand
ALL_COLOURS = 63

MOST_MOVES = 408  # in a round: four for each possible card and seat

ASIDE = 8  # holder of a card that seat s has set aside: ASIDE + s
NOBODY = -1

# Phases: what a seat has to do. These mean the same in every game; a game numbers its own from 3.
OVER = 0
PLAY = 1
CHOOSE = 2  # a secret choice before play

# Kinds of moves. A game numbers its own from 3.
KIND = 4096
CARD = 0  # argument: card + 128 * place
PICK = 1  # argument: a card chosen otherwise than by playing it, such as a card to pass on
ORDER = 2  # argument: the number of an arrangement, in ascending text order
