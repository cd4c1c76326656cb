"""Positions in the area of the state that every round of Stichtag reserves, whatever the date.

What a sheet keeps is reserved by the sheet, after these.
"""

STRUCK = 0  # the play of the trick that counts as nothing, NOBODY for none
NAMED = 1  # the colour to follow before a card is seen, NONE for none
CARRIED_TRICKS = 2  # tricks that stay on the table
NEXT_LEADER = 3
LAST_TRICK = 4  # whether the trick that was settled is the last of the round
COUNTING = 5  # whether own points are counted already
OWN = 6  # own points of each seat, before the red and the green sheet change them
