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

# Phases: 0 and 1 mean the same in every game, the others belong to the game that uses them.
OVER = 0
PLAY = 1
CHOOSE = 2

# Kinds of moves.
KIND = 4096
CARD = 0  # argument: card + 128 * place
PICK = 1  # argument: card chosen before play (pain card, card to lay out)
ORDER = 2  # argument: 0-5, how the three scoring cards lie, in rising text order

NOBODY = -1
