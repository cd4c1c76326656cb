"""Review of a finished match: what the deal gave each seat, and which moves cost it most.

Every move is judged by what its seat could know at that time. All figures are points above the
mean of the others, as in the arena.
"""
