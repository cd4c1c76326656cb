"""Names for the whole numbers of which states and moves are made.

A card is colour * 16 + value, colours in the order R Y G B L S. A move is one number as well: its
kind in the high bits, its argument in the low twelve (`kind * KIND + argument`).
"""

SEATS = 6
COLOURS = 6
PLACES = 4
NONE = 255  # no card, no seat, not yet chosen
TWIN = 12  # where twin zeros exist, the second zero of a colour is this bit of a hand
ALL_COLOURS = 63
RED = 0

MOST_MOVES = 408  # of a round: four for each card and seat there can be

ASIDE = 8  # holder of a card that seat s has set aside: ASIDE + s
NOBODY = -1

# Phases: what is owed. 0 to 2 mean the same in every game; the rest are Stichtag's extra choices.
OVER = 0
PLAY = 1
CHOOSE = 2  # a secret choice before play
VETO = 3
PASS = 4
DISCARD = 5
GIFT = 6
TAKE = 7

# Kinds of moves.
KIND = 4096
CARD = 0  # argument: card + 128 * place
PICK = (
    1  # argument: a card chosen otherwise than by playing it: pain card, card to lay out or pass on
)
ORDER = 2  # argument: 0-5, how the three scoring cards lie, in rising text order
PAIR = 3  # argument: lower card + 128 * value of the higher one
ANNOUNCE = 4  # argument: number of tricks
STRIKE = 5  # argument: the seat whose card is struck, NONE to pass
DROP = 6  # argument: card to discard
GIVE = 7  # argument: card + 128 * seat that gets it
ACCEPT = 8  # argument: 1 take the points, 0 leave them
