"""Sizes and fractions of the whole numbers in a net."""

MOST_INPUTS = 2048
HIDDEN = 128  # units of the first layer, at most
SECOND = 64  # units of the second layer, at most
MOST_ON = 511  # inputs that can be on at a time

# Weights are stored in these fractions, the output of a layer in fractions of UNIT.
FIRST_SCALE = 512
SECOND_SCALE = 1024
LAST_SCALE = 1024
UNIT = 64
CEILING = 8 * UNIT - 1  # the output of a unit is cut off here
FIRST_SHIFT = 3  # from FIRST_SCALE to UNIT
SECOND_SHIFT = 10  # from UNIT * SECOND_SCALE to UNIT
SCORE_SCALE = UNIT * LAST_SCALE  # a score is in these fractions
