"""Positions in the state's area that every round of Stichtag reserves, whatever the date.

Sheets reserve their own after these.
"""

STRUCK = 0  # the struck play of the trick, NOBODY for none
NAMED = 1  # the colour to follow before a card is seen, NONE for none
CARRIED_TRICKS = 2  # tricks that stay on the table
NEXT_LEADER = 3
LAST_TRICK = 4  # whether the settled trick is the last of the round
COUNTING = 5  # whether own points are already counted
OWN = 6  # own points of each seat, before the red and the green sheet change them
