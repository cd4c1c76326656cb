"""Numbers that all nets share. The first inputs say which moves the tactics without a net make."""

FULL = 0
SMALL = 1
OWN = 2  # the inputs of the game begin here

CERTAIN = 65536  # probabilities are given in these fractions
