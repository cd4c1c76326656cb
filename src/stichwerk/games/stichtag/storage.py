"""Positions in the state's area that every round of Stichtag reserves, whatever the date.

They belong to the course of a round, which reads them in its loops at fixed positions: a question
to a sheet for each play would be slower. Any sheet may write them. Sheets reserve their own after
these.
"""

STRUCK = 0  # the play of the trick that counts as nothing, NOBODY for none; cleared by each lead
NAMED = 1  # the colour to follow while all cards are face down, NONE for none
CARRIED_TRICKS = 2  # tricks that stay on the table, for the winner of one that does not
NEXT_LEADER = 3
LAST_TRICK = 4  # whether the settled trick is the last of the round
COUNTING = 5  # whether own points are already counted
OWN = 6  # own points of each seat, before the red and the green sheet change them
